//! Melee: dice, modifiers, halving, rounds, after the fight (ledger 4.9), and trophies (4.11).

pub(crate) mod after;
pub(crate) mod fall_back;
mod halving;
use crate::field::bit;
use crate::field::bits;
use smallvec::{SmallVec, smallvec};
use tricorne_chance::{Bins, Chance, Faces};
use tricorne_drill::Reasons;
use tricorne_game::{Event, Log, Modifier};

use self::halving::Grounds;
use crate::field::Field;
use crate::model::formation::Zone;
use crate::model::{Cr, Formation, Kind, Nr, Quality};
use crate::morale::Outcome;
use crate::options::MeleeLoser;
use crate::questions::{After, FallBack};
use crate::state::{Fate, Melee, Step};

/// What one side throws in a round.
#[derive(Clone, Debug)]
pub(crate) struct Blows {
    pub dice: u32,
    pub needed: i32,
    pub reasons: Reasons,
}

/// What one side's dice did.
struct Struck {
    blows: Blows,
    faces: Faces,
    hits: u32,
}

type Strikes = SmallVec<[Struck; 2]>;

fn strike(blows: Blows, purpose: &'static str, chance: &mut dyn Chance) -> Struck {
    let tally = chance.pool(purpose, blows.dice as usize, &Bins::at_least(blows.needed));
    Struck { hits: tally.hits() as u32, faces: tally.faces, blows }
}

/// Dice shared out as evenly as can be, those left over one each to the first (VF-MELEE-35).
fn shares(dice: u32, among: usize) -> impl Iterator<Item = u32> {
    let n = among.max(1) as u32;
    (0..n).map(move |i| dice / n + u32::from(i < dice % n))
}

/// One unit's side of a round.
#[allow(clippy::struct_excessive_bools, reason = "each is a mark of the rulebook")]
#[derive(Clone, Copy, Debug)]
struct Fared {
    unit: Nr,
    was_shaken: bool,
    now_shaken: bool,
    suffered: u32,
    struck: u32,
    gave_way: bool,
    routed: bool,
    trophy_done: bool,
}

impl Fared {
    fn new(unit: Nr, was_shaken: bool, suffered: u32, struck: u32) -> Self {
        Self {
            unit,
            was_shaken,
            now_shaken: false,
            suffered,
            struck,
            gave_way: false,
            routed: false,
            trophy_done: false,
        }
    }
}

impl Field {
    /// Dice and modifiers of one side (VF-MELEE-02 to -09).
    pub(crate) fn blows(&self, m: &Melee, attacker: bool) -> Blows {
        let (u, foe) = if attacker { (m.attacker, m.defender) } else { (m.defender, m.attacker) };
        let unit = self.unit(u);
        let p = &self.p().melee;
        let kind = self.kind(u);
        let ordered = if attacker { m.attacker_ordered } else { m.defender_ordered };
        let foe_ordered = if attacker { m.defender_ordered } else { m.attacker_ordered };
        let charges = if attacker { m.attacker_charges } else { m.defender_charges };
        let to_front = attacker || m.aspect == Zone::Front;
        let figures = self.figures(u, kind == Kind::Infantry && ordered && to_front);
        let mut dice =
            if kind.is_cavalry() { figures } else { figures.div_ceil(u32::from(p.figures_per_die)) };
        if unit.shaken {
            dice = self.o().share_of(p.shaken, dice); // VF-MELEE-04
        }
        let mut reasons = Reasons::default();
        if kind.is_cavalry() && charges {
            reasons.line(&p.charge);
        }
        let elite = self.spec(u).quality == Quality::Elite;
        let heavy = kind == Kind::Heavy;
        if elite {
            reasons.add(p.elite_or_heavy.value, "elite", p.elite_or_heavy.clause);
        }
        if heavy && (!elite || self.o().elite_heavy_stack) {
            reasons.add(p.elite_or_heavy.value, "heavy cavalry", p.elite_or_heavy.clause);
        }
        if kind.is_cavalry() && foe_ordered && self.is_square_to(m, foe) {
            reasons.line(&p.against_square);
        }
        // The lowest face never kills, the highest always does (VF-MELEE-05).
        let needed = (p.kill - reasons.sum()).clamp(i32::from(p.never) + 1, i32::from(p.always));
        Blows { dice, needed, reasons }
    }

    /// Whether a unit fights as a square in this melee (VF-MODEL-25).
    fn is_square_to(&self, m: &Melee, u: Nr) -> bool {
        self.unit(u).formation == Formation::Square && (u != m.defender || m.aspect == Zone::Front)
    }

    /// A round of melee (S-MELEE). The charger's dice are shared out among its enemies (VF-MELEE-35); most often there
    /// is but one.
    pub(crate) fn melee_round(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        let Some(m) = self.s.melee else { return };
        let duels = m.duels();
        let shares = shares(self.blows(&m, true).dice, duels.len());
        let mut by_charger: Strikes = SmallVec::new();
        for (duel, dice) in duels.iter().zip(shares) {
            by_charger.push(strike(Blows { dice, ..self.blows(duel, true) }, "attacker", chance));
        }
        let mut by_foes: Strikes = SmallVec::new();
        for duel in &duels {
            by_foes.push(strike(self.blows(duel, false), "defender", chance));
        }
        let half = |kills: u32, times: usize| (0..times).fold(kills, |k, _| self.halved(k));
        // Hits on the charger are added up before they are halved, apart for each number of halvings (VF-MELEE-36).
        let mut together = [0_u32; 4];
        let mut suffered: SmallVec<[u32; 8]> = smallvec![0];
        let mut grounds: SmallVec<[[Grounds; 2]; 2]> = SmallVec::new();
        for (i, duel) in duels.iter().enumerate() {
            let both = [self.advantages(duel, m.attacker), self.advantages(duel, duel.defender)];
            let [on_a, on_d] = self.halving_grounds(&both).map(|g| self.halved_times(g.len()));
            together[on_a.min(3)] += by_foes[i].hits;
            suffered.push(half(by_charger[i].hits, on_d));
            grounds.push(both);
        }
        suffered[0] = together.iter().enumerate().map(|(times, &hits)| half(hits, times)).sum();
        for (i, duel) in duels.iter().enumerate() {
            let [_, on_d] = self.halving_grounds(&grounds[i]);
            self.tell_blows(duel, true, &by_charger[i], suffered[i + 1], on_d, log);
        }
        for (i, duel) in duels.iter().enumerate() {
            let [on_a, _] = self.halving_grounds(&grounds[i]);
            let kills = if duels.len() == 1 { suffered[0] } else { by_foes[i].hits };
            self.tell_blows(duel, false, &by_foes[i], kills, on_a, log);
        }
        let charger = self.spec(m.attacker).id;
        if duels.len() > 1 {
            let kills = suffered[0];
            log.say(|| Event::new("melee_together", "VF-MELEE-36").who(charger).with("kills", kills));
        }
        let sides: SmallVec<[Nr; 8]> =
            std::iter::once(m.attacker).chain(duels.iter().map(|d| d.defender)).collect();
        for (i, &u) in sides.iter().enumerate() {
            if let Some(c) = self.army_commander_on(u) {
                let purpose = if i == 0 { "attacker_commander" } else { "defender_commander" };
                self.commander_die(c, purpose, &mut suffered[i], chance, log);
            }
        }
        let struck = |i: usize| if i == 0 { together.iter().sum() } else { by_charger[i - 1].hits };
        let mut fared: SmallVec<[Fared; 8]> = SmallVec::new();
        for (i, &unit) in sides.iter().enumerate() {
            // Nobody suffers more than there are of him (VF-FIRE-22).
            let kills = suffered[i].min(u32::from(self.unit(unit).strength));
            fared.push(Fared::new(unit, self.unit(unit).shaken, kills, struck(i)));
        }
        for f in &mut fared {
            let before = self.unit(f.unit).strength;
            f.now_shaken = self.take_off(f.unit, f.suffered as u8);
            let (id, left) = (self.spec(f.unit).id, self.unit(f.unit).strength);
            if left < before && left > 0 {
                log.say(|| {
                    Event::new("melee_losses", "VF-MELEE-14")
                        .who(id)
                        .with("kills", before - left)
                        .with("left", left)
                });
            }
        }
        let [on_charger, on_foes] = self.compared(&fared);
        for f in &mut fared {
            if self.unit(f.unit).strength > 0 {
                continue;
            }
            // Nobody is left to drive a wagon that suffered more, but it stands there to be taken (VF-MELEE-26).
            let charger_stands = self.unit(m.attacker).strength > 0;
            if self.kind(f.unit) == Kind::Wagon && on_foes > on_charger && charger_stands {
                self.take_wagon(f.unit, m.attacker, log);
            } else {
                self.remove(f.unit, Fate::Destroyed, true, log);
            }
            f.gave_way = true;
            f.routed = true;
        }
        self.tests_of_round(&mut fared, chance, log);
        self.after_round(m, &fared, chance, log);
    }

    /// What is compared to find who had the worse of a round: the charger's, and all its enemies' together (VF-MELEE-15,
    /// -37).
    fn compared(&self, fared: &[Fared]) -> [u32; 2] {
        let measure = |f: &Fared| match self.o().melee_loser {
            MeleeLoser::KillsSuffered => f.suffered,
            MeleeLoser::HitsRolled => f.struck,
        };
        [measure(&fared[0]), fared[1..].iter().map(measure).sum()]
    }

    /// Who has had the worse of it tests, the charger first; then the trophies (VF-MELEE-15, -27, -37).
    fn tests_of_round(&mut self, fared: &mut [Fared], chance: &mut dyn Chance, log: &mut Log) {
        let [on_charger, on_foes] = self.compared(fared);
        // Where one side has nobody left, the other has won (VF-MELEE-25).
        let decided = fared[0].gave_way || fared[1..].iter().all(|f| f.gave_way);
        let alone = fared.len() == 2;
        for i in 0..fared.len() {
            let loses = !decided
                && if i == 0 {
                    on_charger > on_foes
                } else {
                    on_foes > on_charger && (alone || fared[i].suffered > 0)
                };
            let foe = if i == 0 { self.first_foe(fared) } else { fared[0].unit };
            self.test_after_round(&mut fared[i], foe, loses, chance, log);
        }
        for i in 0..fared.len() {
            let victor = if i == 0 { self.first_foe(fared) } else { fared[0].unit };
            if fared[i].routed && !fared[i].trophy_done && self.unit(victor).here() {
                self.trophy(fared[i].unit, victor, chance, log);
            }
        }
    }

    /// The first defender in place; failing that the first on the table (VF-MELEE-37).
    fn first_foe(&self, fared: &[Fared]) -> Nr {
        let here = || fared[1..].iter().filter(|f| self.unit(f.unit).here());
        let first = here().find(|f| !f.gave_way).or_else(|| here().next());
        first.map_or(fared[1].unit, |f| f.unit)
    }

    /// Tells what one side's dice did.
    fn tell_blows(
        &self,
        m: &Melee,
        attacker: bool,
        struck: &Struck,
        kills: u32,
        grounds: &[&'static str],
        log: &mut Log,
    ) {
        let (who, whom) = if attacker { (m.attacker, m.defender) } else { (m.defender, m.attacker) };
        let (who, whom) = (self.spec(who).id, self.spec(whom).id);
        let round = m.round;
        log.say(|| {
            let halved = kills < struck.hits;
            let why = grounds.join(", ");
            let note = if halved { format!(", halved to {kills} ({why})") } else { String::new() };
            let event = Event::new("melee", "VF-MELEE-03")
                .clause("VF-MELEE-05")
                .who(who)
                .whom(whom)
                .faces(&struck.faces)
                .needed(struck.blows.needed)
                .modifiers(struck.blows.reasons.told())
                .made(struck.hits as i32)
                .with("round", round)
                .with("dice", struck.blows.dice)
                .with("kills", kills)
                .with("with", tell_modifiers(&struck.blows.reasons.told()))
                .with("note", note);
            if halved { event.clause("VF-MELEE-10") } else { event }
        });
    }

    /// The army commander in the press (VF-MELEE-13).
    fn commander_die(
        &mut self,
        c: Cr,
        purpose: &'static str,
        kills: &mut u32,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let die = chance.d6(purpose);
        let p = self.p().melee;
        let saves = die >= p.commander_saves;
        let falls = die <= p.commander_falls;
        let saved = saves && *kills > 0;
        *kills -= u32::from(saved);
        let id = self.chief(c).id;
        log.say(|| {
            let outcome = if saves {
                "saves"
            } else if falls {
                "falls"
            } else {
                "nothing"
            };
            let event = Event::new("commander_in_melee", "VF-MELEE-13").who(id).faces(&[die]);
            event.outcome(outcome).with("saved", saved)
        });
        if falls {
            self.lose_commander(c, Fate::Wounded, log);
        }
    }

    /// The test of one side after a round (VF-MELEE-15 to -17, -26, -27).
    fn test_after_round(
        &mut self,
        f: &mut Fared,
        foe: Nr,
        loses: bool,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let u = f.unit;
        if !self.unit(u).here() {
            return;
        }
        if loses && self.kind(u) == Kind::Wagon {
            self.take_wagon(u, foe, log);
            f.gave_way = true;
            return;
        }
        let outcome = if f.now_shaken {
            self.roll_test(u, true, "after the round", chance, log)
        } else if loses && f.was_shaken {
            let id = self.spec(u).id;
            log.say(|| Event::new("routs_without_a_die", "VF-MELEE-16").who(id));
            Outcome::Routs
        } else if loses {
            self.roll_test(u, false, "after the round", chance, log)
        } else {
            return;
        };
        if outcome == Outcome::Steady {
            return;
        }
        f.gave_way = true;
        f.routed = outcome == Outcome::Routs;
        if f.routed && self.kind(u) == Kind::Artillery && self.unit(foe).here() {
            // VF-CAPTURE-03: the gun's own die comes before any retreat.
            f.trophy_done = true;
            if self.trophy(u, foe, chance, log) {
                self.remove(u, Fate::Captured, true, log);
                return;
            }
        }
        self.give_way(u, outcome, Some(foe), true, chance, log);
        f.routed |= !self.unit(u).here(); // VF-CAPTURE-02
    }

    /// A wagon that suffered more is taken (VF-MELEE-26).
    fn take_wagon(&mut self, u: Nr, victor: Nr, log: &mut Log) {
        self.remove(u, Fate::Captured, true, log);
        let unit = self.unit_mut(victor);
        unit.trophies = unit.trophies.saturating_add(1);
    }

    /// Rolls for colours or guns (VF-CAPTURE-01 to -05). True if they are taken.
    fn trophy(&mut self, u: Nr, victor: Nr, chance: &mut dyn Chance, log: &mut Log) -> bool {
        let gun = self.kind(u) == Kind::Artillery;
        if !(gun || self.spec(u).colours) || self.unit(u).colours_lost {
            return false;
        }
        let die = chance.d6("trophy");
        let taken = die >= self.p().capture.trophy;
        if taken {
            self.unit_mut(u).colours_lost = true;
            let unit = self.unit_mut(victor);
            unit.trophies = unit.trophies.saturating_add(1);
        }
        let (who, whom) = (self.spec(victor).id, self.spec(u).id);
        let needed = i32::from(self.p().capture.trophy);
        log.say(|| {
            Event::new("trophy", if gun { "VF-CAPTURE-03" } else { "VF-CAPTURE-01" })
                .who(who)
                .whom(whom)
                .faces(&[die])
                .needed(needed)
                .made(i32::from(die))
                .outcome(if taken { "taken" } else { "saved" })
                .with("what", if gun { "guns" } else { "colours" })
        });
        taken
    }

    fn after_round(&mut self, m: Melee, fared: &[Fared], chance: &mut dyn Chance, log: &mut Log) {
        let in_place = |u: Nr| fared.iter().any(|f| f.unit == u && !f.gave_way && self.unit(u).here());
        let left = m.among(in_place);
        match (in_place(m.attacker), left) {
            (true, Some(left)) if m.round < self.p().melee.rounds => {
                // VF-MELEE-21: no benefit of charging any more.
                let round = m.round + 1;
                self.s.melee =
                    Some(Melee { round, attacker_charges: false, defender_charges: false, ..left });
                self.push(Step::MeleeRound);
            }
            (true, Some(left)) => {
                self.s.melee = Some(left);
                // To fall back is to give way: what has lost a base goes back without it (VF-MODEL-51, VF-MORALE-11).
                self.take_off_base(m.attacker);
                let roll = self.roll_move(m.attacker, "fallback_move", true, chance);
                let id = self.spec(m.attacker).id;
                log.say(|| {
                    self.tell_move(Event::new("must_fall_back", "VF-MELEE-22").who(id), m.attacker, &roll)
                });
                self.push(Step::MeleeEnd);
                self.ask(FallBack { allowance: roll.allowance });
            }
            (false, None) => self.push(Step::MeleeEnd),
            (attacker, left) => {
                let loser = if attacker { self.beaten(&m).next().unwrap_or(m.defender) } else { m.attacker };
                let winner = left.filter(|_| !attacker).map_or(m.attacker, |l| l.defender);
                self.push(Step::MeleeEnd);
                self.ask(After { winner, loser });
            }
        }
    }

    /// The charger's enemies of a melee that are still on the table, the target first.
    pub(crate) fn beaten<'a>(&'a self, m: &'a Melee) -> impl Iterator<Item = Nr> + 'a {
        let target = m.defender;
        let others = bits(m.fought & !bit(m.attacker) & !bit(target));
        std::iter::once(target).chain(others).filter(|&u| self.unit(u).here())
    }

    /// A unit's melee is over: it is disordered (VF-MELEE-23).
    pub(crate) fn has_fought(&mut self, u: Nr) {
        if self.unit(u).here() {
            self.disorder(u);
            self.take_off_base(u);
        }
    }

    /// All that fought are disordered (VF-MELEE-23, -38).
    pub(crate) fn melee_end(&mut self, log: &mut Log) {
        let Some(m) = self.s.melee.take() else { return };
        for u in bits(m.fought | bit(m.attacker) | bit(m.defender)) {
            self.has_fought(u);
        }
        let (who, whom) = (self.spec(m.attacker).id, self.spec(m.defender).id);
        let left = match (self.unit(m.attacker).here(), self.unit(m.defender).here()) {
            (true, true) => "both",
            (true, false) => "charger",
            (false, true) => "charged",
            (false, false) => "nobody",
        };
        // With it the charge is over, which needs no telling of its own.
        log.say(|| Event::new("melee_over", "VF-MELEE-23").who(who).whom(whom).outcome(left));
        self.s.charge = None;
    }
}

/// Modifiers in a line: `, +1 charging [VF-MELEE-06]`.
fn tell_modifiers(modifiers: &[Modifier]) -> String {
    let sign = |value: i32| if value < 0 { '−' } else { '+' };
    let told =
        modifiers.iter().map(|m| format!(", {}{} {} [{}]", sign(m.value), m.value.abs(), m.reason, m.clause));
    told.collect::<Vec<_>>().concat()
}
