//! Fire: targets, dice, difficult and vulnerable targets, return fire (ledger 4.4).

pub(crate) mod return_fire;
pub(crate) mod target;
use tricorne_chance::{Bins, Chance};
use tricorne_game::{Event, Log, Modifier};

use crate::field::{Field, bit};
use crate::model::formation::Zone;
use crate::model::measure::Mils;
use crate::model::{Formation, Kind, Nr};
use crate::options::{CrewLoss, SingleFiring};
use crate::questions::ReturnFire;
use crate::rulebook::{Share, inch};
use crate::state::{Salvo, Step};

/// How a target is shot at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Volley {
    pub dice: u32,
    pub needed: i32,
    /// Every miss is rolled again (VF-FIRE-17).
    pub vulnerable: bool,
    /// How many times kills are halved (VF-FIRE-15, -16).
    pub halvings: u32,
    /// What halving is.
    pub share: [u8; 2],
}

impl Volley {
    /// The kills of so many hits (VF-FIRE-14, -15).
    pub(crate) fn kills(&self, hits: u32) -> u32 {
        (0..self.halvings).fold(hits, |kills, _| self.share.up(kills))
    }
}

impl Field {
    /// Figures that count (section 3.3): two ranks for ordered formed infantry to its front, one for the rest.
    pub(crate) fn figures(&self, u: Nr, two_ranks: bool) -> u32 {
        let unit = self.unit(u);
        let n = u32::from(unit.strength);
        let f = &self.p().figures;
        let all = u32::from(f.ranks);
        let ranks = if two_ranks { all } else { 1 };
        // On one base it counts as a column does (VF-MODEL-51).
        let formation = if unit.one_base { Formation::Column } else { unit.formation };
        match (self.kind(u), formation) {
            // Each face has its share of the men, in all ranks or in one of them.
            (Kind::Infantry, Formation::Square) => n.div_ceil(u32::from(f.faces) * all / ranks),
            (Kind::Infantry, Formation::Column) => n.min(u32::from(f.infantry_rank.column) * ranks),
            (Kind::Infantry, _) => n.min(u32::from(f.infantry_rank.line) * ranks),
            (Kind::Heavy | Kind::Light, Formation::Column) => n.min(u32::from(f.cavalry_rank.column)),
            (Kind::Heavy | Kind::Light, _) => n.min(u32::from(f.cavalry_rank.line)),
            _ => n,
        }
    }

    /// What a shooter needs at a range; none if it can't fire so far (VF-FIRE-10 to -12, VF-EVENT-15).
    fn needed(&self, u: Nr, range: Mils) -> Option<i32> {
        let f = &self.p().fire;
        let within = |n: u8| self.o().within(range, inch(n));
        if self.kind(u) == Kind::Artillery {
            return within(f.artillery.far).then_some(i32::from(f.artillery.hit));
        }
        let musket = if self.kind(u) == Kind::Skirmish { f.skirmish } else { f.infantry };
        let needed = if within(f.short) {
            musket.short
        } else if within(f.long) {
            musket.long
        } else {
            return None;
        };
        let needed = i32::from(needed)
            + if self.s.spell.cloudburst { i32::from(self.p().events.cloudburst) } else { 0 };
        (needed <= 6).then_some(needed)
    }

    /// The dice of a firing and what they meet.
    pub(crate) fn volley(&self, u: Nr, target: Nr, range: Mils) -> Volley {
        let unit = self.unit(u);
        let f = &self.p().fire;
        let mut dice = if self.kind(u) == Kind::Artillery {
            let full = if self.o().within(range, inch(f.artillery.near)) {
                u32::from(f.artillery.near_dice)
            } else {
                u32::from(f.artillery.far_dice)
            };
            match self.o().artillery_crew_loss {
                CrewLoss::FullDice => full,
                CrewLoss::Proportional => {
                    (full * u32::from(unit.strength)).div_ceil(u32::from(self.spec(u).start.max(1)))
                }
            }
        } else {
            let formed = self.kind(u) == Kind::Infantry && !unit.disordered;
            self.figures(u, formed).div_ceil(u32::from(f.figures_per_die))
        };
        if unit.shaken {
            dice = self.o().share_of(f.shaken, dice); // VF-FIRE-06
        }
        Volley {
            dice,
            needed: self.needed(u, range).unwrap_or(7),
            vulnerable: self.vulnerable(target, u),
            halvings: self.difficult(target, u),
            share: f.difficult,
        }
    }

    /// Columns, squares, and lines not taken in front (VF-FIRE-17, -20).
    fn vulnerable(&self, target: Nr, shooter: Nr) -> bool {
        let unit = self.unit(target);
        let flanked =
            || unit.body.zone(self.unit(shooter).body.reference(), self.p().fire.arc.slope) != Zone::Front;
        match unit.formation {
            Formation::Column | Formation::Square => true,
            Formation::Line => flanked(),
            Formation::Limbered | Formation::Unlimbered | Formation::Wagon => {
                self.o().artillery_enfilade && flanked()
            }
            Formation::Cloud => false,
        }
    }

    /// How many times the kills on a target are halved.
    fn difficult(&self, target: Nr, shooter: Nr) -> u32 {
        let kind = self.kind(target);
        let by_kind = kind.is_cavalry() || matches!(kind, Kind::Skirmish | Kind::Artillery);
        let by_cover = self.in_hard_cover(target, &self.unit(shooter).body);
        let grounds = u32::from(by_kind) + u32::from(by_cover);
        if self.o().halving_stacks { grounds } else { grounds.min(1) }
    }

    /// What makes a target vulnerable, in words (VF-FIRE-17).
    fn weakness(&self, target: Nr, shooter: Nr) -> &'static str {
        let unit = self.unit(target);
        match (unit.formation, unit.body.zone(self.unit(shooter).body.reference(), self.p().fire.arc.slope)) {
            (Formation::Column, _) => "in column",
            (Formation::Square, _) => "in square",
            (_, Zone::Rear) => "shot at from the rear",
            _ => "shot at from the flank",
        }
    }

    /// What makes a target difficult, in words (VF-FIRE-15).
    fn difficulty(&self, target: Nr, shooter: Nr) -> String {
        let kind = match self.kind(target) {
            Kind::Heavy | Kind::Light => "cavalry",
            Kind::Skirmish => "skirmishers",
            Kind::Artillery => "a gun and its crew",
            Kind::Infantry | Kind::Wagon => return "hard cover".to_owned(),
        };
        let cover = self.in_hard_cover(target, &self.unit(shooter).body);
        if cover { format!("{kind} in hard cover") } else { kind.to_owned() }
    }

    /// One firing, with all that follows from it but the return fire (S-FIRE). True if the target is steady.
    pub(crate) fn shoot(
        &mut self,
        u: Nr,
        target: Nr,
        range: Mils,
        returned: bool,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> bool {
        let volley = self.volley(u, target, range);
        let bins = Bins::at_least(volley.needed);
        let tally = chance.pool("to_hit", volley.dice as usize, &bins);
        let mut hits = tally.hits() as u32;
        let mut faces = tally.faces;
        let first = faces.len();
        let misses = volley.dice - hits;
        if volley.vulnerable && misses > 0 {
            let again = chance.pool("re_rolls", misses as usize, &bins);
            hits += again.hits() as u32;
            faces.extend(again.faces);
        }
        let kills = volley.kills(hits);
        let before = self.unit(target).strength;
        let kills = kills.min(u32::from(before)) as u8;
        let (who, whom) = (self.spec(u).id, self.spec(target).id);
        let shaken = self.take_off(target, kills);
        let left = self.unit(target).strength;
        log.say(|| {
            let mut notes = Vec::new();
            if volley.vulnerable {
                notes.push(Modifier::new(0, "vulnerable: misses rolled again", "VF-FIRE-17"));
            }
            if volley.halvings > 0 {
                notes.push(Modifier::new(0, "difficult: kills halved", "VF-FIRE-15"));
            }
            // A roll and its re-roll are two.
            let told = |faces: &[u8]| faces.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
            let (roll, again) = faces.split_at(first.min(faces.len()));
            let clause = match (self.kind(u), self.o().within(range, inch(self.p().fire.short))) {
                (Kind::Artillery, _) => "VF-FIRE-12",
                (_, true) => "VF-FIRE-10",
                (_, false) => "VF-FIRE-11",
            };
            Event::new("fire", clause)
                .who(who)
                .whom(whom)
                .faces(&faces)
                .needed(volley.needed)
                .made(hits as i32)
                .modifiers(notes)
                .with("range", f64::from(range) / 1000.0)
                .with("dice", volley.dice)
                .with("kills", kills)
                .with("left", left)
                .with("roll", told(roll))
                .with("again", told(again))
                .with("misses", again.len())
                .with(
                    "halved",
                    if volley.halvings > 0 && hits > 1 { self.difficulty(target, u) } else { String::new() },
                )
                .with("weakness", if again.is_empty() { "" } else { self.weakness(target, u) })
                .with("returned", returned)
        });
        if left == 0 {
            self.remove(target, crate::state::Fate::Destroyed, false, log);
            return false;
        }
        self.take_off_base(target);
        let salvo = Salvo { target, shooter: u, kills, before, shaken };
        let Some(salvo) = self.added_up(salvo) else { return false };
        if salvo.shaken || self.a_quarter(target, salvo.kills, salvo.before) {
            return self.test(target, Some(u), salvo.shaken, "after the fire", chance, log);
        }
        true
    }

    /// A firing with what its activation has already done to the target. None while the test waits for the end of the
    /// activation (`single_firing = regiment`, VF-MORALE-03); a charge does not wait.
    fn added_up(&mut self, salvo: Salvo) -> Option<Salvo> {
        let ours = self.s.group.as_ref().is_some_and(|g| g.all & bit(salvo.shooter) != 0);
        if self.o().single_firing == SingleFiring::SubUnit || !ours {
            return Some(salvo);
        }
        let known = self.s.salvos.iter().position(|s| s.target == salvo.target);
        let whole = match known.map(|i| self.s.salvos.remove(i)) {
            Some(earlier) => Salvo {
                kills: earlier.kills.saturating_add(salvo.kills),
                before: earlier.before,
                shaken: earlier.shaken || salvo.shaken,
                ..salvo
            },
            None => salvo,
        };
        if self.s.charge.is_some() {
            return Some(whole);
        }
        match self.s.salvos.try_push(whole) {
            Ok(()) => None,
            Err(full) => Some(full.element()),
        }
    }

    /// The tests of all that the activation has shot at, one after another; then the answer, at who shot last.
    pub(crate) fn group_tests(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        let Some(salvo) = self.s.salvos.pop_at(0) else { return };
        if !self.s.salvos.is_empty() {
            self.push(Step::GroupTests);
        }
        let target = salvo.target;
        if !self.unit(target).here() {
            return;
        }
        let tests = salvo.shaken || self.a_quarter(target, salvo.kills, salvo.before);
        let cause = Some(salvo.shooter);
        let steady = !tests || self.test(target, cause, salvo.shaken, "after the fire", chance, log);
        if steady && self.judge_return(target, salvo.shooter).is_ok() {
            self.ask(ReturnFire { unit: target, shooter: salvo.shooter });
        }
    }

    /// Whether so many kills of one firing make a unit test (VF-MORALE-01, -02).
    pub(crate) fn a_quarter(&self, u: Nr, kills: u8, before: u8) -> bool {
        let of_what = match self.o().quarter_of {
            crate::options::QuarterOf::Current => before,
            crate::options::QuarterOf::Start => self.spec(u).start,
        };
        kills > 0 && self.p().morale.quarter.reached(kills, of_what)
    }

    /// A shot that a player asked for: it may be answered (VF-FIRE-23, -28).
    pub(crate) fn shoot_step(
        &mut self,
        (u, face, target, returned): (Nr, u8, Nr, bool),
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let Some(aim) = self.aim_at(u, face, target) else { return };
        let steady = self.shoot(u, target, aim.range, returned, chance, log);
        if steady && !returned && self.judge_return(target, u).is_ok() {
            self.ask(ReturnFire { unit: target, shooter: u });
        }
    }
}
