//! The field as an officer takes it in once before a decision: who stands where, what each is worth, who could hurt
//! whom, what is fought over, how many cards are still to come.

use smallvec::SmallVec;
use tricorne_game::Side;
use tricorne_table::Point;

use super::pools::{Clash, Men, Volley, clash, volley};
use super::weights::WEIGHTS;
use crate::combat::exchange::{Exchange, Lie};
use crate::field::{Engagement, Objective};
use crate::formations::Formation;
use crate::rulebook::{Colour, Kind};
use crate::state::{Benefit, Unit, UnitNo};
use crate::turn::cards::{benefit_of, is_detriment};

/// What an officer keeps in mind of a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Brief {
    pub no: UnitNo,
    pub unit: Unit,
    pub middle: Point,
    pub breaks_at: u8,
    /// What one man is worth, in points.
    pub man: f64,
    /// What is lost beyond the men when it routs.
    pub colours: f64,
    /// What it is worth fresh.
    pub worth: f64,
    pub range: Option<f64>,
    pub stride: f64,
    pub charges: bool,
}

impl Brief {
    fn men(&self) -> Men {
        Men { left: self.unit.n, breaks_at: self.breaks_at }
    }
}

/// Something fought over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prize {
    pub at: Point,
    pub radius: f64,
    /// What holding it is worth, in points of troops.
    pub worth: f64,
}

/// The field, taken in once.
pub(super) struct Survey<'a> {
    pub battle: &'a Engagement,
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
    /// How many of the acts our units have left the cards will call for, from 0 to 1: what is not called for is not missed.
    pub strain: f64,
}

impl<'a> Survey<'a> {
    pub(super) fn take(battle: &'a Engagement, army: Side) -> Self {
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
        let ahead = battle.balance(army);
        let drive = if limit == 0 {
            1.0
        } else {
            // Ahead near the end one may sit; behind one must not.
            let late = 1.0 - (left / f64::from(limit)).clamp(0.0, 1.0);
            (1.0 - WEIGHTS.press * late * ahead).clamp(0.35, 1.7)
        };
        let prizes = battle.prizes(army, left);
        let own_cards = cards[army.index()];
        let acts: f64 = own.iter().map(acts_left).sum();
        let called = (own_cards * battle.seats_of(army).count().max(1) as f64 / acts.max(1.0)).min(1.0);
        let strain = 1.0 - WEIGHTS.wear_spared * (1.0 - called);
        Self { battle, army, own, enemy, prizes, own_cards, answer, drive, strain }
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
        lost * them.worth * WEIGHTS.tiring * follow
    }

    /// What a melee is worth to the charger, before what it costs him to be red.
    pub(super) fn prize_of(&self, c: &Clash, us: &Brief, them: &Brief) -> f64 {
        let won = (c.won - c.they_rout).max(0.0);
        let lost = (c.lost - c.we_rout).max(0.0);
        let mob = |b: &Brief| if b.unit.is_mob() { 0.3 } else { 1.0 } * b.worth * WEIGHTS.as_mob;
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
                Some(range) if far <= range + e.stride && !e.unit.kind.is_artillery() => {
                    WEIGHTS.danger_coming
                }
                _ => 0.0,
            };
            if near > 0.0 {
                let men = self.battle.firing_privates(&e.unit);
                let lie = self.battle.lie(&e.unit, &us.unit, false);
                let loss = |colour: Colour, ours: Colour| {
                    self.fire_in(e, colour, men, us, ours, far, lie).map_or(0.0, |v| {
                        near * (v.fallen * us.man + v.routs * us.colours + v.any * WEIGHTS.shaken * us.worth)
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
            if worst_later > 0.0 && WEIGHTS.danger_screened < 1.0 && self.screened(e, us) {
                worst *= WEIGHTS.danger_screened;
                worst_later *= WEIGHTS.danger_screened;
            }
            now += worst;
            later += worst_later;
        }
        // Not everybody fires at the same mark.
        let crowd = |sum: f64| if sum > 0.0 { sum / (1.0 + sum / (3.0 * us.worth)) } else { 0.0 };
        WEIGHTS.danger_now * self.answer * crowd(now) + WEIGHTS.danger_later * crowd(later) + self.edge(us)
    }

    /// Whether a formed friend stands in an enemy's way to a unit (ATKM-LOS-06, ATKM-MELEE-12).
    fn screened(&self, e: &Brief, us: &Brief) -> bool {
        let way = us.middle - e.unit.at;
        let length = way.length();
        let Some(along) = way.unit() else { return false };
        self.own.iter().any(|o| {
            if o.no == us.no || o.unit.is_skirmish_line() {
                return false;
            }
            let to = o.middle - e.unit.at;
            let (on, off) = (to.dot(along), (to.x * along.y - to.y * along.x).abs());
            on > 1.0 && on < length - 1.0 && off < 2.0
        })
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
    pub(super) fn wear(&self, us: &Brief, benefit: Benefit, marching: bool) -> f64 {
        if benefit == Benefit::Queen {
            return 0.0;
        }
        let share = match (us.unit.colour, marching) {
            (Colour::Green, true) => WEIGHTS.march_fresh,
            (_, true) => WEIGHTS.march_tired,
            (Colour::Yellow, false) => WEIGHTS.spend_tired,
            (_, false) => WEIGHTS.spend,
        };
        share * us.worth * self.strain
    }

    /// What being charged takes from a unit; nobody charges to his own loss.
    fn struck(c: &Clash, charger: &Brief, us: &Brief) -> f64 {
        let lost = (c.won - c.they_rout).max(0.0);
        let ours = c.their_fallen * us.man + c.they_rout * us.colours + lost * us.worth * WEIGHTS.as_mob;
        let theirs = c.our_fallen * charger.man
            + c.we_rout * charger.colours
            + (c.lost - c.we_rout).max(0.0) * charger.worth * WEIGHTS.as_mob;
        (ours - WEIGHTS.charger_pays * theirs).max(0.0)
    }

    /// What a place promises: enemies to fire at or charge from it, prizes near it.
    pub(super) fn outlook(&self, us: &Brief) -> f64 {
        let mut best: f64 = 0.0;
        if !us.unit.is_mob() {
            for e in &self.enemy {
                best = best.max(self.chance_at(us, e));
            }
        }
        WEIGHTS.outlook * self.drive * best + self.pull(us)
    }

    /// What one enemy promises to a unit where it stands, less the farther off he is.
    pub(super) fn chance_at(&self, us: &Brief, e: &Brief) -> f64 {
        let far = us.unit.at.distance(e.middle) - 1.0;
        let ahead = us.unit.forward.dot(e.middle - us.unit.at) >= -0.5
            || us.unit.kind == Kind::Skirmisher
            || us.unit.formation == Formation::Square;
        let fall = |reach: f64| {
            if far <= reach {
                1.0
            } else {
                (1.0 - (far - reach) / WEIGHTS.far_off).max(0.0) * WEIGHTS.out_of_reach
            }
        };
        let close = us.range.map_or(us.stride - 1.0, |r| r - 0.5);
        let near = fall(close);
        if near <= 0.0 {
            return 0.0;
        }
        let mut value = match us.range {
            Some(range) => {
                let men = match (us.unit.kind, us.unit.formation) {
                    // A column forms line before it fires.
                    (Kind::Infantry, Formation::Column(_)) => us.unit.n,
                    (kind, shape) if kind.is_artillery() && shape != Formation::Loose => us.unit.n / 2,
                    _ => self.battle.firing_privates(&us.unit),
                };
                let lie = self.battle.lie(&us.unit, &e.unit, false);
                let v = self.fire_in(us, Colour::Green, men, e, e.unit.colour, far.min(range), lie);
                near * v.map_or(0.0, |v| self.toll(&v, e))
            }
            None => {
                let c = self.melee(us, e);
                near * c.map_or(0.0, |c| (self.prize_of(&c, us, e) + WEIGHTS.ride_at).max(0.4))
            }
        };
        // Foot and skirmishers charge too, if they come near enough.
        if WEIGHTS.assault > 0.0 && us.range.is_some() && us.charges && far < us.stride + 8.0 {
            let prize = self.melee(us, e).map_or(0.0, |c| self.prize_of(&c, us, e));
            let reach = (1.0 - (far - us.stride).max(0.0) / 8.0).max(0.0);
            value = value.max(WEIGHTS.assault * reach * prize);
        }
        if ahead { value } else { WEIGHTS.behind * value }
    }

    /// How a unit is drawn to what is fought over.
    pub(super) fn pull(&self, us: &Brief) -> f64 {
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
            let share = if nearer.count() < 2 { 1.0 } else { WEIGHTS.crowd };
            sum += share * prize.worth * (1.0 - mine / WEIGHTS.draws).max(0.0);
        }
        sum
    }

    /// A unit's place in the list.
    pub(super) fn brief(&self, no: UnitNo) -> Option<&Brief> {
        self.own.iter().find(|b| b.no == no)
    }
}

/// Acts a unit may still be called to this turn (ATKM-RES-06, ATKM-RES-07).
fn acts_left(us: &Brief) -> f64 {
    match us.unit.colour {
        _ if us.unit.disorder => 0.0,
        Colour::Green => 3.0,
        Colour::Yellow => 2.0,
        Colour::Red => 1.0,
    }
}

/// What an officer keeps in mind of a unit.
pub(super) fn brief(battle: &Engagement, no: UnitNo, unit: &Unit) -> Brief {
    let breaks_at = battle.break_point(unit);
    let worth = f64::from(battle.worth(unit));
    let span = f64::from(unit.n0.saturating_sub(breaks_at).max(1));
    // A unit whose loss breaks the army is worth more than itself.
    let spare = f64::from(battle.units_left(unit.army))
        - f64::from(battle.state.began[unit.army.index()]) * battle.rules().breaking.army_share;
    let last = if spare <= 1.0 { 30.0 } else { WEIGHTS.last / spare };
    Brief {
        no,
        unit: *unit,
        middle: unit.middle(battle.rules()),
        breaks_at,
        man: worth * WEIGHTS.by_men / span,
        colours: worth * (1.0 - WEIGHTS.by_men) + last,
        worth,
        range: battle.judge_firer(unit).ok().or_else(|| {
            // Guns on their limbers will be unlimbered.
            (unit.kind.is_artillery() && !unit.is_mob()).then(|| battle.range(unit.kind)).flatten()
        }),
        stride: battle.stride(unit).unwrap_or(0.0),
        charges: Engagement::judge_charger(unit).is_ok(),
    }
}

impl Engagement {
    /// How much more of the enemy's army is gone than of ours, from -1 to 1, in shares of what they began with.
    pub(crate) fn balance(&self, army: Side) -> f64 {
        self.spent(army.enemy()) - self.spent(army)
    }

    /// The share of an army's worth that is gone: men, routed units, mobs.
    pub(crate) fn spent(&self, army: Side) -> f64 {
        let (mut began, mut left) = (0.0, 0.0);
        for unit in &self.state.units {
            if unit.army != army {
                continue;
            }
            let worth = f64::from(self.worth(unit));
            let whole = unit.parent.is_none();
            began += if whole { worth } else { 0.0 };
            if !unit.is_to_come() && !unit.present() {
                continue;
            }
            // Parts of split infantry stand for their share of the parent.
            let scale = if whole { 1.0 } else { 0.5 };
            let low = self.break_point(unit);
            let span = f64::from(unit.n0.saturating_sub(low).max(1));
            let men = f64::from(unit.n.saturating_sub(low)) / span;
            let formed = if unit.is_mob() { 1.0 - WEIGHTS.as_mob } else { 1.0 };
            left += scale * worth * formed * (1.0 - WEIGHTS.by_men + WEIGHTS.by_men * men);
        }
        if began > 0.0 { (1.0 - left / began).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// What is fought over, with what it is worth to us to stand there now.
    fn prizes(&self, army: Side, turns_left: f64) -> SmallVec<[Prize; 2]> {
        let mut out = SmallVec::new();
        let point = f64::from(self.state.began_points[army.enemy().index()].max(100)) / 100.0;
        // What counts only at the end matters more the nearer the end is.
        let late = (1.0 - turns_left / WEIGHTS.before_end).clamp(WEIGHTS.early, 1.0);
        for objective in &self.field.objectives {
            out.push(match objective {
                Objective::Hold { at, radius, score } => Prize {
                    at: *at,
                    radius: *radius,
                    worth: f64::from(*score) * point * late * WEIGHTS.prize,
                },
                Objective::Seize { area } => {
                    let b = area.bounds();
                    let radius = b.width().min(b.depth()) / 2.0;
                    Prize { at: area.centroid(), radius, worth: 40.0 * late }
                }
                Objective::Occupy { area, from, score } => {
                    let b = area.bounds();
                    let radius = b.width().min(b.depth()) / 2.0;
                    let wait = f64::from(from.saturating_sub(self.state.turn));
                    let times = (turns_left + 1.0 - wait).max(0.0);
                    let soon = if wait > 1.0 { 0.6 } else { 1.0 };
                    Prize {
                        at: area.centroid(),
                        radius,
                        worth: f64::from(*score) * point * times * soon * WEIGHTS.prize,
                    }
                }
            });
        }
        out
    }
}
