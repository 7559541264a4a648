//! The field as an officer takes it in once before a decision: who stands where, what each is worth, who could hurt
//! whom, what is fought over, how many cards are still to come.

use std::sync::LazyLock;

use smallvec::SmallVec;
use tricorne_game::Side;
use tricorne_table::Point;

use super::First;
use super::pools::{Clash, Volley, clash, volley};
use crate::combat::exchange::{Exchange, Lie};
use crate::field::Engagement;
use crate::formations::Formation;
use crate::judgement::survey::brief_by;
pub(super) use crate::judgement::survey::{Brief, Prize};
use crate::judgement::terms::Weighs;
use crate::rulebook::{Colour, Kind};
use crate::state::{Benefit, Unit, UnitNo};
use crate::turn::cards::{benefit_of, is_detriment};

/// What being a mob takes from a unit's worth.
pub(super) const AS_MOB: f64 = 0.25;
/// What of the present weights stands in what both schools reckon by the same sums: as it was.
pub(super) static WEIGHS: LazyLock<Weighs> = LazyLock::new(|| Weighs {
    by_men: 0.6,
    as_mob: AS_MOB,
    breaks: 30.0,
    last: 8.0,
    before_end: 8.0,
    early: 0.3,
    prize: 0.6,
    toll: 0.6,
    seize: 40.0,
    ..Weighs::default()
});
/// How much danger counts against gain while the enemy has cards to come, and what of it lasts into the next turn.
/// Found by playing officers of different caution against each other.
const THIS_TURN: f64 = 1.9;
const NEXT_TURN: f64 = 0.37;

/// The field, taken in once.
pub(super) struct Survey<'a> {
    pub battle: &'a First<'a>,
    pub army: Side,
    pub own: SmallVec<[Brief; 16]>,
    pub enemy: SmallVec<[Brief; 16]>,
    pub prizes: SmallVec<[Prize; 2]>,
    /// Activations still in the deck for us.
    pub own_cards: f64,
    /// How likely one of their units is to act on one of ours in what is left of the turn.
    pub answer: f64,
    /// How hard we press: below 1 when ahead near the end, above when behind.
    pub drive: f64,
}

impl<'a> Survey<'a> {
    pub(super) fn take(battle: &'a First<'a>, army: Side) -> Self {
        let own: SmallVec<[Brief; 16]> = battle.of_army(army).map(|(no, u)| brief(battle, no, u)).collect();
        let enemy: SmallVec<[Brief; 16]> =
            battle.of_army(army.enemy()).map(|(no, u)| brief(battle, no, u)).collect();
        let mut cards = [0.0, 0.0];
        for &card in battle.state.deck.left() {
            if !is_detriment(card) {
                let each = if benefit_of(card) == Benefit::Ace { 2.0 } else { 1.0 };
                cards[battle.served_by(card).index()] += each;
            }
        }
        let fresh = enemy.iter().filter(|e| !e.unit.disorder && !e.unit.is_mob()).count().max(1);
        let seats = battle.seats_of(army.enemy()).count().max(1) as f64;
        let answer = 0.5 * (cards[army.enemy().index()] * seats / fresh as f64).min(1.0);
        let limit = battle.options().turn_limit;
        let left = f64::from(limit.saturating_sub(u32::from(battle.state.turn)));
        let ahead = battle.balance(army, &WEIGHS);
        let drive = if limit == 0 {
            1.0
        } else {
            // Ahead near the end one may sit; behind one must not.
            let late = 1.0 - (left / f64::from(limit)).clamp(0.0, 1.0);
            (1.0 - 2.0 * late * ahead).clamp(0.35, 1.7)
        };
        let prizes = battle.prizes(army, left, &WEIGHS);
        let own_cards = cards[army.index()];
        Self { battle, army, own, enemy, prizes, own_cards, answer, drive }
    }

    /// What fire would do: the firer as if at his place, the target as it stands.
    pub(super) fn fire(&self, us: &Brief, men: u8, them: &Brief, distance: f64) -> Option<Volley> {
        let lie = self.battle.lie(&us.unit, &them.unit, false);
        self.fire_in(us, us.unit.colour, men, them, them.unit.colour, distance, lie)
    }

    /// The same in other colours, with the lie of the ground known.
    #[allow(clippy::too_many_arguments)]
    fn fire_in(
        &self,
        us: &Brief,
        colour: Colour,
        men: u8,
        them: &Brief,
        their_colour: Colour,
        distance: f64,
        lie: Lie,
    ) -> Option<Volley> {
        self.battle.rules().profile(us.unit.kind).range?;
        let (firer, target) = (Unit { colour, ..us.unit }, Unit { colour: their_colour, ..them.unit });
        let pools = self.battle.volley(&firer, men, &target, distance, lie);
        let Exchange { attack, defence } = Exchange::of(self.battle.rules(), &pools);
        Some(volley(attack, defence, them.men()))
    }

    /// What a charge would do, from where the charger stands.
    pub(super) fn melee(&self, us: &Brief, them: &Brief) -> Option<Clash> {
        let lie = self.battle.lie(&us.unit, &them.unit, true);
        self.melee_in(us, them, them.unit.colour, lie)
    }

    fn melee_in(&self, us: &Brief, them: &Brief, their_colour: Colour, lie: Lie) -> Option<Clash> {
        self.battle.rules().melee_dice(us.unit.kind, Engagement::target_of(&them.unit))?;
        let target = Unit { colour: their_colour, ..them.unit };
        let Exchange { attack, defence } =
            Exchange::of(self.battle.rules(), &self.battle.melee(&us.unit, &target, lie));
        Some(clash(attack, defence, us.men(), them.men()))
    }

    /// What a volley is worth to whoever fires it.
    pub(super) fn toll(&self, v: &Volley, them: &Brief) -> f64 {
        v.fallen * them.man + v.routs * them.colours + v.any * self.tired(them, 1)
    }

    /// What so many steps of colour are worth to the enemy of a unit: it defends worse and acts less.
    pub(super) fn tired(&self, them: &Brief, steps: u8) -> f64 {
        let now = them.unit.colour;
        let after = now.worse(steps);
        let lost = f64::from(after as u8 - now as u8);
        let follow = (self.own_cards / 6.0).clamp(0.1, 1.0);
        lost * them.worth * 0.06 * follow
    }

    /// What a melee is worth to the charger, before what it costs him to be red.
    pub(super) fn prize_of(&self, c: &Clash, us: &Brief, them: &Brief) -> f64 {
        let won = (c.won - c.they_rout).max(0.0);
        let lost = (c.lost - c.we_rout).max(0.0);
        let mob = |b: &Brief| if b.unit.is_mob() { 0.3 } else { 1.0 } * b.worth * AS_MOB;
        c.their_fallen * them.man
            + c.they_rout * them.colours
            + won * mob(them)
            + self.tired(them, 2) * (1.0 - c.they_rout)
            - c.our_fallen * us.man
            - c.we_rout * us.colours
            - lost * mob(us)
    }

    /// What a unit stands to lose where it is, in its colour: this turn by enemies with cards to come, and a share of
    /// what the next turn may bring.
    pub(super) fn peril(&self, us: &Brief) -> f64 {
        let (mut now, mut later) = (0.0, 0.0);
        let green = us.unit.colour == Colour::Green;
        for e in &self.enemy {
            if e.unit.is_mob() {
                continue;
            }
            let far = (e.unit.at.distance(us.middle) - 1.0).max(0.0);
            let (mut worst, mut worst_later): (f64, f64) = (0.0, 0.0);
            let near = match e.range {
                Some(range) if far <= range => 1.0,
                Some(range) if far <= range + e.stride && !e.unit.kind.is_artillery() => 0.5,
                _ => 0.0,
            };
            if near > 0.0 {
                let men = self.battle.firing_privates(&e.unit);
                let lie = self.battle.lie(&e.unit, &us.unit, false);
                let loss = |colour: Colour, ours: Colour| {
                    self.fire_in(e, colour, men, us, ours, far, lie).map_or(0.0, |v| {
                        near * (v.fallen * us.man + v.routs * us.colours + v.any * 0.05 * us.worth)
                    })
                };
                worst_later = loss(Colour::Green, Colour::Green);
                if !e.unit.disorder {
                    let same = green && e.unit.colour == Colour::Green;
                    worst = if same { worst_later } else { loss(e.unit.colour, us.unit.colour) };
                }
            }
            if e.charges && far <= e.stride + 1.0 {
                let lie = self.battle.lie(&e.unit, &us.unit, true);
                let blow =
                    |ours: Colour| self.melee_in(e, us, ours, lie).map_or(0.0, |c| Self::struck(&c, e, us));
                let fresh = blow(Colour::Green);
                worst_later = worst_later.max(fresh);
                if !e.unit.disorder {
                    worst = worst.max(if green { fresh } else { blow(us.unit.colour) });
                }
            }
            now += worst;
            later += worst_later;
        }
        // Not everybody fires at the same mark.
        let crowd = |sum: f64| if sum > 0.0 { sum / (1.0 + sum / (3.0 * us.worth)) } else { 0.0 };
        THIS_TURN * self.answer * crowd(now) + NEXT_TURN * crowd(later) + self.edge(us)
    }

    /// ATKM-MOB-09: with its back to the edge a beaten unit has nowhere to go.
    fn edge(&self, us: &Brief) -> f64 {
        let table = &self.battle.land().table;
        let p = us.middle;
        let near = p.x.min(p.y).min(table.width() - p.x).min(table.depth() - p.y);
        if near < 6.0 { (6.0 - near) * 0.012 * us.worth } else { 0.0 }
    }

    /// What it costs a unit to be so much more tired, whoever may come: it has fewer acts left and no pluck. Tired men
    /// are not marched to and fro.
    pub(super) fn wear(us: &Brief, benefit: Benefit, marching: bool) -> f64 {
        if benefit == Benefit::Queen {
            return 0.0;
        }
        let share = match (us.unit.colour, marching) {
            (Colour::Green, true) => 0.018,
            (_, true) => 0.05,
            (Colour::Yellow, false) => 0.012,
            (_, false) => 0.006,
        };
        share * us.worth
    }

    /// What being charged takes from a unit; nobody charges to his own loss.
    fn struck(c: &Clash, charger: &Brief, us: &Brief) -> f64 {
        let lost = (c.won - c.they_rout).max(0.0);
        let ours = c.their_fallen * us.man + c.they_rout * us.colours + lost * us.worth * AS_MOB;
        let theirs = c.our_fallen * charger.man
            + c.we_rout * charger.colours
            + (c.lost - c.we_rout).max(0.0) * charger.worth * AS_MOB;
        (ours - 0.7 * theirs).max(0.0)
    }

    /// What a place promises: enemies to fire at or charge from it, prizes near it.
    pub(super) fn outlook(&self, us: &Brief) -> f64 {
        let mut best: f64 = 0.0;
        if !us.unit.is_mob() {
            for e in &self.enemy {
                best = best.max(self.chance_at(us, e));
            }
        }
        0.36 * self.drive * best + self.pull(us)
    }

    /// What one enemy promises to a unit where it stands, less the farther off he is.
    pub(super) fn chance_at(&self, us: &Brief, e: &Brief) -> f64 {
        let far = us.unit.at.distance(e.middle) - 1.0;
        let ahead = us.unit.forward.dot(e.middle - us.unit.at) >= -0.5
            || us.unit.kind == Kind::Skirmisher
            || us.unit.formation == Formation::Square;
        let fall = |reach: f64| if far <= reach { 1.0 } else { (1.0 - (far - reach) / 40.0).max(0.0) * 0.8 };
        let close = us.range.map_or(us.stride - 1.0, |r| r - 0.5);
        let near = fall(close);
        if near <= 0.0 {
            return 0.0;
        }
        let value = match us.range {
            Some(range) => {
                let men = self.battle.firing_privates(&us.unit);
                let men = if us.unit.kind.is_artillery() && us.unit.formation != Formation::Loose {
                    men / 2
                } else {
                    men
                };
                let lie = self.battle.lie(&us.unit, &e.unit, false);
                let v = self.fire_in(us, Colour::Green, men, e, e.unit.colour, far.min(range), lie);
                v.map_or(0.0, |v| self.toll(&v, e))
            }
            None => {
                let c = self.melee(us, e);
                c.map_or(0.0, |c| (self.prize_of(&c, us, e) + 2.0).max(0.4))
            }
        };
        near * if ahead { value } else { 0.6 * value }
    }

    /// How a unit is drawn to what is fought over.
    fn pull(&self, us: &Brief) -> f64 {
        if us.unit.is_mob() {
            return 0.0;
        }
        let mut sum = 0.0;
        for prize in &self.prizes {
            let gap = |p: Point| (p.distance(prize.at) - prize.radius).max(0.0);
            let mine = gap(us.middle);
            // Two are enough to hold it; the others stay near.
            let nearer =
                self.own.iter().filter(|o| o.no != us.no && !o.unit.is_mob() && gap(o.middle) < mine - 1.0);
            let share = if nearer.count() < 2 { 1.0 } else { 0.3 };
            sum += share * prize.worth * (1.0 - mine / 48.0).max(0.0);
        }
        sum
    }

    /// A unit's place in the list.
    pub(super) fn brief(&self, no: UnitNo) -> Option<&Brief> {
        self.own.iter().find(|b| b.no == no)
    }
}

/// What an officer keeps in mind of a unit.
pub(super) fn brief(battle: &Engagement, no: UnitNo, unit: &Unit) -> Brief {
    brief_by(battle, no, unit, &WEIGHS)
}
