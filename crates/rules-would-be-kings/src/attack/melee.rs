//! Melee and its results (WBK-ATT-08 to 43).

use std::cmp::Reverse;

use tricorne_chance::Bins;
use tricorne_game::Event;

use super::after_melee::AfterMelee;
use crate::battle::Fray;
use crate::morale::Shock;
use crate::options::{
    FollowUpTiming, HitsRequiredMode, LoserSequence, MeleeCasualtyCount, MeleePlusOneStack, RetreatLosses,
    UphillAppliesTo,
};
use crate::state::{Character, No, Spot};
use crate::tables::rulebook::{Class, Cover};
use tricorne_drill::{Now, Reasons};

/// One side of a melee.
struct Blows {
    hits: i32,
    basic: i32,
    extra: i32,
    losses_made: i32,
}

impl Fray {
    /// How many models of a unit fight (WBK-ATT-09, 10, WBK-CLOSE-10, 19).
    pub(crate) fn fighting_models(&self, u: No, against: No, attacked: bool) -> u8 {
        let unit = self.unit(u);
        let halved = unit.is_pinned() || (attacked && unit.gone_to_ground);
        let models = if halved { self.field.options.half(unit.models) } else { unit.models };
        let enemy = self.unit(against);
        if enemy.close_order { models.min(enemy.models) } else { models }
    }

    /// Why fewer models fight than there are, as a story tells it.
    fn why_so_few(&self, u: No, against: No, attacked: bool) -> Option<String> {
        let (unit, enemy) = (self.unit(u), self.unit(against));
        let halved = if unit.is_pinned() {
            Some("half, being Pinned [WBK-ATT-09]")
        } else if attacked && unit.gone_to_ground {
            Some("half, gone to ground [WBK-ATT-10]")
        } else {
            None
        };
        let models = if halved.is_some() { self.field.options.half(unit.models) } else { unit.models };
        let crowded = (enemy.close_order && models > enemy.models)
            .then_some("no more than the enemy in Close Order [WBK-CLOSE-10]");
        let why: Vec<&str> = halved.into_iter().chain(crowded).collect();
        (!why.is_empty()).then(|| why.join(", "))
    }

    /// Why one hit is not enough for a casualty, and why hits are taken off first (WBK-ATT-41), as a story tells it.
    fn why_so_hard(&self, u: No, v: No, sheltered: &Reasons) -> [Option<String>; 2] {
        let mounted = self.horse_against_foot(u, v).then(|| "mounted [WBK-ATT-12]".to_owned());
        let sheltered = sheltered.iter().map(|r| format!("{} [{}]", r.reason, r.clause));
        let (mut each, mut off) = (Vec::from_iter(mounted), Vec::new());
        match self.field.options.hits_required_mode {
            HitsRequiredMode::PerCasualty => each.extend(sheltered),
            HitsRequiredMode::FlatDeduction => off.extend(sheltered),
        }
        [each, off].map(|why| (!why.is_empty()).then(|| why.join(", ")))
    }

    /// A unit's Fighting value with its modifiers.
    pub(crate) fn fighting_value(&self, u: No) -> (i32, Reasons) {
        let mut mods = Reasons::new();
        if self.unit(u).close_order {
            let bonus = self.field.rulebook.charts.close_order.fighting;
            mods.add(self.plus_one(bonus), "Close Order", "WBK-CLOSE-08");
        }
        (self.rolled_against(self.card(u).fighting + mods.sum()), mods)
    }

    /// Whether `v` is horse, struck by others than horse (WBK-ATT-12).
    pub(crate) fn horse_against_foot(&self, u: No, v: No) -> bool {
        self.card(v).class == Class::Cavalry && self.card(u).class != Class::Cavalry
    }

    /// Hits by `u` for one casualty of `v`: the basic number, and what defences add (WBK-ATT-11, 12, 18).
    pub(crate) fn melee_hits(&self, u: No, v: No, attacked: bool, defended: Option<usize>) -> (i32, Reasons) {
        let hits = &self.field.rulebook.charts.hits;
        let basic = if self.horse_against_foot(u, v) { hits.foot_on_cavalry } else { hits.melee };
        (basic, self.sheltered(u, v, attacked, defended))
    }

    /// What shelters `v` from the blows of `u`: height, defences, hard cover (WBK-ATT-13 to 16, 42, 43).
    fn sheltered(&self, u: No, v: No, attacked: bool, defended: Option<usize>) -> Reasons {
        let hits = &self.field.rulebook.charts.hits;
        let options = self.field.options;
        let mut all = Reasons::new();
        let either = options.uphill_applies_to == UphillAppliesTo::EitherSide;
        if (attacked || either) && self.level(v) > self.level(u) {
            all.add(hits.uphill, "uphill", "WBK-ATT-14");
        }
        if attacked {
            // WBK-ATT-16: only the unit attacked defends anything.
            let target = self.unit(v);
            let held = target.garrison.is_some();
            if held || defended.is_some() {
                all.add(hits.defended, "behind defences", "WBK-ATT-13");
            }
            let hard = |s: &&Spot| self.field.land.cover_at(s.point()) == Cover::Hard;
            // A garrison is in hard cover, and defends an obstacle besides (WBK-MOD-34).
            if held || target.places.iter().filter(hard).count() * 2 > target.places.len() {
                all.add(hits.defended, "in hard cover", "WBK-ATT-13");
            }
        }
        if options.melee_plus_one_stack == MeleePlusOneStack::Cumulative {
            return all;
        }
        let mut greatest = Reasons::new();
        if let Some(one) = all.iter().min_by_key(|r| Reverse(r.value)) {
            greatest.add(one.value, one.reason, one.clause);
        }
        greatest
    }

    fn blows(&mut self, u: No, v: No, attacked: bool, defended: Option<usize>, now: &mut Now<'_>) -> Blows {
        let dice = usize::from(self.fighting_models(u, v, !attacked));
        let (value, mods) = self.fighting_value(u);
        let tally = now.chance.pool("melee", dice, &Bins::at_least(value));
        let mut hits = tally.hits() as i32;
        let (basic, sheltered) = self.melee_hits(u, v, attacked, defended);
        let extra = sheltered.sum();
        let (who, whom) = (self.id(u), self.id(v));
        if dice == 0 {
            return Blows { hits: 0, basic, extra, losses_made: 0 }; // WBK-CONV-11
        }
        let dice_why = self.why_so_few(u, v, !attacked);
        let [hits_why, off_why] = self.why_so_hard(u, v, &sheltered);
        let (each, off) = self.each_and_off(basic, extra);
        now.say(|| {
            Event::new("melee", "WBK-ATT-08")
                .who(who)
                .whom(whom)
                .faces(&tally.faces)
                .needed(value)
                .made(hits)
                .modifiers(mods.told())
                .outcome(if attacked { "attacker" } else { "defender" })
                .with("dice", dice)
                .with("dice_why", dice_why)
                .with("hits", hits)
                .with("hits_per_loss", each)
                .with("hits_off", (off > 0).then_some(off))
                .with("off_why", off_why)
                .with("hits_why", hits_why)
        });
        if self.character(u) == Character::FineSabre && (hits as usize) < dice {
            hits += self.second_try(u, value, now);
        }
        Blows { hits, basic, extra, losses_made: 0 }
    }

    /// T6: a melee, and T6a: its result. Asks the winner or ends the activation.
    pub(crate) fn melee(&mut self, a: No, d: No, defended: Option<usize>, now: &mut Now<'_>) {
        self.state.act.melees += 1;
        let ground = self.unit(d).anchor;
        // WBK-ATT-19: all blows are counted on the strengths at the start.
        let mut ours = self.blows(a, d, true, defended, now);
        let mut theirs = self.blows(d, a, false, None, now);
        ours.losses_made = self.casualties(ours.hits, 0, ours.basic, ours.extra).0;
        theirs.losses_made = self.casualties(theirs.hits, 0, theirs.basic, theirs.extra).0;
        let mut lost_a = theirs.losses_made.min(i32::from(self.unit(a).models)) as u8;
        let mut lost_d = ours.losses_made.min(i32::from(self.unit(d).models)) as u8;
        // Whose friends test, once both leaders have been rolled for.
        let mut shocked = [None, None];
        for (n, (u, v, lost, blows)) in
            [(a, d, lost_a, &theirs), (d, a, lost_d, &ours)].into_iter().enumerate()
        {
            let each = self.each_and_off(blows.basic, blows.extra).0;
            now.say(|| self.losses_told(u, v, lost, blows.hits, each, "WBK-ATT-11"));
            if lost == self.unit(u).models {
                shocked[n] = Some((self.fall(u, now), Shock::Loss));
            } else if lost > 0 {
                self.lose_models(u, lost);
            }
        }
        for (n, (u, lost, blows)) in
            [(a, &mut lost_a, &mut theirs), (d, &mut lost_d, &mut ours)].into_iter().enumerate()
        {
            if *lost > 0 && self.unit(u).is_on_table() {
                let stood = self.unit(u).models;
                shocked[n] = self.leader_roll(u, now);
                // A leader who is one model more (WBK-LEAD-04) is a casualty like the others.
                let leader = stood - self.unit(u).models;
                *lost += leader;
                blows.losses_made += i32::from(leader);
            }
        }
        for u in [a, d] {
            if self.unit(u).is_on_table() {
                self.keep_close_order(u, now);
            }
        }
        let (made_a, made_d) = match self.field.options.melee_casualty_count {
            MeleeCasualtyCount::Removed => (i32::from(lost_d), i32::from(lost_a)),
            MeleeCasualtyCount::Scored => (ours.losses_made, theirs.losses_made),
        };
        let (here_a, here_d) = (self.unit(a).is_on_table(), self.unit(d).is_on_table());
        let winner = match (here_a, here_d) {
            // WBK-ATT-23: who is destroyed can't win.
            (true, here) if !here || made_a > made_d => Some(a),
            (here, true) if !here || made_d > made_a => Some(d),
            _ => None,
        };
        let (who, whom) = (self.id(a), self.id(d));
        // WBK-ATT-23: it is not always the count that decides.
        let outlived = winner.is_some_and(|w| if w == a { made_a <= made_d } else { made_d <= made_a });
        now.say(|| {
            let by = if outlived { "WBK-ATT-23" } else { "WBK-ATT-21" };
            let (outcome, clause) = match winner {
                Some(w) if w == a => ("won", by),
                Some(_) => ("lost", by),
                None if here_a || here_d => ("draw", "WBK-ATT-28"),
                None => ("both destroyed", "WBK-ATT-23"),
            };
            Event::new("melee_result", clause)
                .who(who)
                .whom(whom)
                .outcome(outcome)
                .with("attacker_losses", lost_a)
                .with("defender_losses", lost_d)
                .with("inflicted", made_a)
                .with("suffered", made_d)
                .with("outlived", outlived)
        });
        for (u, shocked) in [a, d].into_iter().zip(shocked) {
            if let Some((mourners, shock)) = shocked {
                self.loss_tests(&mourners, u, shock, now);
            }
        }
        let cavalry = self.card(a).class == Class::Cavalry;
        let building = self.unit(d).garrison.map(usize::from);
        let defended = defended.or(building).and_then(|p| u8::try_from(p).ok());
        if let Some(winner) = winner {
            let (loser, lost) = if winner == a { (d, lost_d) } else { (a, lost_a) };
            if self.unit(loser).is_on_table() {
                let due = self.beaten(loser, winner, lost, winner == a && cavalry, now);
                self.state.act.due = due.map(|lost| (loser, lost)).or(self.state.act.due);
            }
        } else if here_a && here_d {
            // WBK-ATT-28, 29.
            self.retreat(a, Some(d), now);
        }
        let won = AfterMelee { loser: d, ground, defended };
        if winner == Some(a) && won.offers_anything(self, a) {
            self.ask(won);
            return;
        }
        self.end_activation(a, now);
    }

    /// The loser retreats and tests, in the order of WBK-ATT-27. Returns the casualties of a test put off by
    /// WBK-ATT-34.
    fn beaten(&mut self, loser: No, winner: No, lost: u8, may_follow: bool, now: &mut Now<'_>) -> Option<u8> {
        let options = self.field.options;
        if options.loser_sequence == LoserSequence::TestThenRetreat {
            self.pinning_test(loser, lost, Shock::Melee, now);
            self.retreat(loser, Some(winner), now);
            return None;
        }
        let retreated = self.retreat(loser, Some(winner), now);
        if !self.unit(loser).is_on_table() {
            return None;
        }
        let counted = options.retreat_losses == RetreatLosses::CountForTest;
        let lost = if counted { lost.saturating_add(retreated.losses) } else { lost };
        let first = self.state.act.melees <= 1;
        if options.follow_up_timing == FollowUpTiming::BeforeTest && may_follow && first {
            return Some(lost);
        }
        self.pinning_test(loser, lost, Shock::Melee, now);
        None
    }
}
