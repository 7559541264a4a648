//! The field as an officer takes it in once before a decision: who stands where, what each is worth, what is fought over,
//! how many cards are still to come.

use std::cell::OnceCell;

use smallvec::SmallVec;
use tricorne_game::Side;
use tricorne_table::{Ground, Point};

use super::memory::Memory;
use super::pools::Men;
use super::reckoning::{Blow, Variant};
use super::terms::Weighs;
use crate::field::{Engagement, Objective};
use crate::formations::Formation;
use crate::movement::terrain::Cover;
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
    /// All that there is to lose of it.
    pub whole: f64,
    /// How far it fires, limbered or not.
    pub range: Option<f64>,
    /// Whether it may fire as it stands.
    pub fires: bool,
    pub stride: f64,
    pub charges: bool,
}

impl Brief {
    pub(super) fn men(&self) -> Men {
        Men { left: self.unit.n, breaks_at: self.breaks_at }
    }

    /// Acts it may still be called to this turn (ATKM-RES-06, ATKM-RES-07).
    pub(super) fn acts(&self) -> usize {
        match self.unit.colour {
            _ if self.unit.disorder => 0,
            Colour::Green => 3,
            Colour::Yellow => 2,
            Colour::Red => 1,
        }
    }

    /// Beyond this it can do nothing to anybody with one act.
    pub(super) fn reaches(&self) -> f64 {
        self.range.unwrap_or(0.0) + self.stride + 1.0
    }

    /// Men who fire once it has formed for it: foot in column forms line first.
    pub(super) fn musketry(&self, battle: &Engagement) -> u8 {
        match (self.unit.kind, self.unit.formation) {
            (Kind::Infantry, Formation::Column(_)) => self.unit.n,
            _ => battle.firing_privates(&self.unit),
        }
    }

    /// The nearest of its enemies.
    pub(super) fn nearest<'e>(&self, enemies: &'e [Brief]) -> Option<&'e Brief> {
        let far = |e: &&Brief| e.middle.distance_squared(self.middle);
        enemies.iter().min_by(|a, b| far(a).total_cmp(&far(b)))
    }

    /// Whether a hit on it may hit its general (ATKM-GEN-09).
    pub(super) fn has_general_near(&self, battle: &Engagement) -> bool {
        let rules = battle.rules();
        let risk = rules.general.risk_radius;
        battle.options().generals_at_risk
            && battle.state.generals.iter().any(|g| {
                g.present()
                    && g.army == self.unit.army
                    && self.middle.distance(g.at) < risk + 6.0
                    && self.unit.distance(rules, g.at) <= risk
            })
    }

    /// The near edge of woods or the like within a move.
    pub(super) fn cover_near(&self, battle: &Engagement) -> Option<Point> {
        let at = self.unit.at;
        let mut best: Option<(f64, Point)> = None;
        for f in battle.land().features.iter().filter(|f| f.cover > Cover::None) {
            let Ground::Area(area) = &f.ground else { continue };
            if f.bounds.distance_squared(at) > self.stride * self.stride || area.contains(self.middle) {
                continue;
            }
            let middle = area.centroid();
            let Some((enter, _)) = area.pieces(at, middle).first().copied() else { continue };
            let length = at.distance(middle);
            let go = (enter * length + 1.5).min(length);
            if best.is_none_or(|(least, _)| go < least) && go <= self.stride {
                best = Some((go, at.lerp(middle, go / length.max(1e-6))));
            }
        }
        best.map(|(_, p)| p)
    }

    /// Of a colour.
    pub(super) fn tinged(mut self, colour: Colour) -> Self {
        self.unit.colour = colour;
        self
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
    pub weighs: &'a Weighs,
    pub army: Side,
    pub own: SmallVec<[Brief; 16]>,
    pub enemy: SmallVec<[Brief; 16]>,
    pub prizes: SmallVec<[Prize; 2]>,
    /// Acts the cards still give us after this one, and them.
    pub acts: [f64; 2],
    /// How hard we press: below 1 when ahead near the end, above when behind.
    pub drive: f64,
    /// How much next turn counts: nothing in the last.
    pub later: f64,
    /// What each of ours can do to each of theirs.
    pub ours: Vec<Blow>,
    /// What each of theirs can do to each of ours.
    pub theirs: Vec<Blow>,
    /// How prospects lie if nothing is done.
    pub base: f64,
    /// Each enemy as it would be after losing men to a volley.
    pub hits: Vec<OnceCell<Variant>>,
    /// Each enemy gone.
    pub gone: Vec<OnceCell<Variant>>,
    /// Odds worked out on the way.
    pub memory: Memory,
}

impl<'a> Survey<'a> {
    pub(super) fn take(battle: &'a Engagement, army: Side) -> Self {
        let weighs = &battle.mind.weighs;
        let own: SmallVec<[Brief; 16]> = battle.of_army(army).map(|(no, u)| brief(battle, no, u)).collect();
        let enemy: SmallVec<[Brief; 16]> =
            battle.of_army(army.enemy()).map(|(no, u)| brief(battle, no, u)).collect();
        let acts = [army, army.enemy()].map(|a| battle.acts_to_come(a));
        let limit = battle.options().turn_limit;
        let left = f64::from(limit.saturating_sub(u32::from(battle.state.turn)));
        let ahead = battle.balance(army, weighs);
        let (drive, later) = if limit == 0 {
            (1.0, 1.0)
        } else {
            // Ahead near the end one may sit; behind one must not.
            let late = 1.0 - (left / f64::from(limit)).clamp(0.0, 1.0);
            let drive = (1.0 - weighs.press * late * ahead).clamp(0.35, 1.7);
            (drive, if left < 0.5 { 0.0 } else { 1.0 })
        };
        let prizes = battle.prizes(army, left, weighs);
        let hits = enemy.iter().map(|_| OnceCell::new()).collect();
        let gone = enemy.iter().map(|_| OnceCell::new()).collect();
        let mut survey = Self {
            battle,
            weighs,
            army,
            own,
            enemy,
            prizes,
            acts,
            drive,
            later,
            ours: Vec::new(),
            theirs: Vec::new(),
            base: 0.0,
            hits,
            gone,
            memory: Memory::default(),
        };
        survey.reckon();
        survey
    }

    /// An enemy after a volley that cost it men (ATKM-RES-04).
    pub(super) fn hit(&self, j: usize) -> &Variant {
        self.hits[j].get_or_init(|| {
            let mut b = self.enemy[j];
            b.unit.n = b.unit.n.saturating_sub(2).max(b.breaks_at + 1).min(b.unit.n);
            b.unit.colour = b.unit.colour.worse(1);
            self.variant(false, j, Some(b))
        })
    }

    /// An enemy that has routed.
    pub(super) fn routed(&self, j: usize) -> &Variant {
        self.gone[j].get_or_init(|| self.variant(false, j, None))
    }

    /// How a unit is drawn to what is fought over, and away from the edge behind it (ATKM-MOB-09).
    pub(super) fn pull(&self, us: &Brief) -> f64 {
        if us.unit.is_mob() {
            return 0.0;
        }
        let mut sum = -self.edge(us);
        for prize in &self.prizes {
            let gap = |p: Point| (p.distance(prize.at) - prize.radius).max(0.0);
            let mine = gap(us.middle);
            // Two are enough to hold it; the others stay near.
            let nearer =
                self.own.iter().filter(|o| o.no != us.no && !o.unit.is_mob() && gap(o.middle) < mine - 1.0);
            let share = if nearer.count() < 2 { 1.0 } else { self.weighs.crowd };
            sum += share * prize.worth * (1.0 - mine / self.weighs.draws).max(0.0);
        }
        sum
    }

    /// ATKM-MOB-09: with its back to the edge a beaten unit has nowhere to go.
    fn edge(&self, us: &Brief) -> f64 {
        let table = &self.battle.land().table;
        let p = us.middle;
        let near = p.x.min(p.y).min(table.width() - p.x).min(table.depth() - p.y);
        if near < 6.0 { (6.0 - near) * self.weighs.edge * us.worth } else { 0.0 }
    }

    /// A unit's place among ours.
    pub(super) fn place(&self, no: UnitNo) -> Option<usize> {
        self.own.iter().position(|b| b.no == no)
    }
}

/// What an officer keeps in mind of a unit.
pub(super) fn brief(battle: &Engagement, no: UnitNo, unit: &Unit) -> Brief {
    brief_by(battle, no, unit, &battle.mind.weighs)
}

/// The same by the weights of either school.
pub(super) fn brief_by(battle: &Engagement, no: UnitNo, unit: &Unit, weighs: &Weighs) -> Brief {
    let breaks_at = battle.break_point(unit);
    let worth = f64::from(battle.worth(unit));
    let span = f64::from(unit.n0.saturating_sub(breaks_at).max(1));
    // A unit whose loss breaks the army is worth more than itself.
    let spare = f64::from(battle.units_left(unit.army))
        - f64::from(battle.state.began[unit.army.index()]) * battle.rules().breaking.army_share;
    let last = if spare <= 1.0 { weighs.breaks } else { weighs.last / spare };
    let (man, colours) = (worth * weighs.by_men / span, worth * (1.0 - weighs.by_men) + last);
    let fires = battle.judge_firer(unit).ok();
    Brief {
        no,
        unit: *unit,
        middle: unit.middle(battle.rules()),
        breaks_at,
        man,
        colours,
        worth,
        whole: man * f64::from(unit.n.saturating_sub(breaks_at)) + colours,
        range: fires.or_else(|| {
            // Guns on their limbers will be unlimbered.
            (unit.kind.is_artillery() && !unit.is_mob()).then(|| battle.range(unit.kind)).flatten()
        }),
        fires: fires.is_some(),
        stride: battle.stride(unit).unwrap_or(0.0),
        charges: Engagement::judge_charger(unit).is_ok(),
    }
}

impl Engagement {
    /// Acts that the cards still to be drawn give an army, and what is left of the card being settled after this act.
    pub(super) fn acts_to_come(&self, army: Side) -> f64 {
        let seats = self.seats_of(army).count().max(1) as f64;
        let mut acts = 0.0;
        for &card in self.state.deck.left() {
            if !is_detriment(card) && self.served_by(card) == army {
                acts += seats + if benefit_of(card) == Benefit::Ace { 1.0 } else { 0.0 };
            }
        }
        if let Some(play) = self.state.play.as_ref().filter(|p| p.army == army && !is_detriment(p.card)) {
            acts += f64::from(play.left.saturating_sub(1)) + play.queue.len().saturating_sub(1) as f64;
        }
        acts
    }

    /// How much more of the enemy's army is gone than of ours, from -1 to 1, in shares of what they began with.
    pub(super) fn balance(&self, army: Side, weighs: &Weighs) -> f64 {
        self.spent(army.enemy(), weighs) - self.spent(army, weighs)
    }

    /// The share of an army's worth that is gone: men, routed units, mobs.
    fn spent(&self, army: Side, weighs: &Weighs) -> f64 {
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
            let formed = if unit.is_mob() { 1.0 - weighs.as_mob } else { 1.0 };
            left += scale * worth * formed * (1.0 - weighs.by_men + weighs.by_men * men);
        }
        if began > 0.0 { (1.0 - left / began).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// What is fought over, with what it is worth to us to stand there now.
    pub(super) fn prizes(&self, army: Side, turns_left: f64, weighs: &Weighs) -> SmallVec<[Prize; 2]> {
        let mut out = SmallVec::new();
        let point = f64::from(self.state.began_points[army.enemy().index()].max(100)) / 100.0;
        // What counts only at the end matters more the nearer the end is.
        let late = (1.0 - turns_left / weighs.before_end).clamp(weighs.early.min(1.0), 1.0);
        for objective in &self.field.objectives {
            out.push(match objective {
                Objective::Hold { at, radius, score } => {
                    Prize { at: *at, radius: *radius, worth: f64::from(*score) * point * late * weighs.prize }
                }
                Objective::Seize { area } => {
                    let b = area.bounds();
                    let radius = b.width().min(b.depth()) / 2.0;
                    Prize { at: area.centroid(), radius, worth: weighs.seize * late }
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
                        worth: f64::from(*score) * point * times * soon * weighs.toll,
                    }
                }
            });
        }
        out
    }
}
