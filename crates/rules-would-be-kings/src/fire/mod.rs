//! Fire and Volley Fire (WBK-FIRE, WBK-VOLLEY).

pub mod shoot;

use tricorne_chance::Bins;
use tricorne_game::{Event, Illegal, in_words};
use tricorne_table::Point;

use crate::attack::Reach;
use crate::battle::Fray;
use crate::model::base::{Base, GUN, TOLERANCE, how_near};
use crate::morale::Shock;
use crate::options::{
    CavalryDoubleHits, ChargeRangeMeasure, CoverLongCombine, CoverMajority, CrewedAttack, HitsRequiredMode,
    IgnoredTargets, MgJam, RangeBoundary, RemainderHits, ValuePlusOne,
};
use crate::state::{Character, Layout, No};
use crate::tables::rulebook::Cover;
use tricorne_drill::{Now, Reasons};

/// How a target lies to its shooters.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Aim {
    pub gap: f64,
    pub short: bool,
}

impl Fray {
    /// From the firing models (or the gun) to the target (WBK-MOD-06).
    pub(crate) fn firing_gap(&self, u: No, v: No) -> f64 {
        let unit = self.unit(u);
        if unit.layout == Layout::Gun {
            let gun = [Base::disc(unit.anchor.point(), GUN)];
            return self.gap_from(&gun, v);
        }
        self.gap(u, v)
    }

    /// Whether a gap is short range for a unit's weapon (WBK-FIRE-17).
    fn is_short(&self, u: No, gap: f64) -> bool {
        let weapon = &self.card(u).weapon;
        match (self.field.options.range_boundary, weapon.long) {
            (RangeBoundary::LongInclusive, Some(_)) => gap < weapon.short - TOLERANCE,
            _ => gap <= weapon.short + TOLERANCE,
        }
    }

    /// Judges a target by itself: range, arc, sight, contact. The duty of WBK-FIRE-06 comes on top.
    pub(crate) fn may_aim(&self, u: No, v: No, volley: bool) -> Result<Aim, Illegal> {
        let (card, unit, target) = (self.card(u), self.unit(u), self.unit(v));
        let refuse = |clause: &str, why: String| Err(Illegal::new(clause, why));
        if !target.is_on_table() || target.side == unit.side {
            return refuse("WBK-FIRE-01", format!("{} is no enemy on the table", self.card(v).called()));
        }
        if unit.silent > 0 {
            return refuse("WBK-FIRE-27", format!("{} is jammed and may not fire this turn", card.called()));
        }
        let weapon = &card.weapon;
        let far = weapon.long.unwrap_or(weapon.short);
        let boxes = self.bounds(u).gap_squared(&self.bounds(v));
        let out = || {
            let whom = self.card(v).called();
            Illegal::new(
                "WBK-FIRE-02",
                format!("{whom} is {:.3}\" away and the range is {far}\"", self.firing_gap(u, v)),
            )
        };
        if boxes > (far + TOLERANCE) * (far + TOLERANCE) {
            return Err(out());
        }
        let gap = self.firing_gap(u, v);
        if gap > far + TOLERANCE {
            return Err(out());
        }
        let short = self.is_short(u, gap);
        if target.gone_to_ground && !short {
            let why = format!(
                "{} has gone to ground and can't be fired at beyond {}\"",
                self.card(v).called(),
                weapon.short
            );
            return refuse("WBK-GTG-04", why);
        }
        if volley && !short {
            let why = format!("a volley needs a target within {}\"; it is {gap:.3}\" away", weapon.short);
            return refuse("WBK-VOLLEY-03", why);
        }
        if !self.in_arc(u, v) {
            let clause = if unit.layout == Layout::Block { "WBK-CLOSE-07" } else { "WBK-FIRE-05" };
            return refuse(
                clause,
                format!("{} is outside the arc of {}", self.card(v).called(), card.called()),
            );
        }
        if self.is_engaged(u) {
            return refuse(
                "WBK-FIRE-33",
                format!("{} is in contact with an enemy and can't fire", card.called()),
            );
        }
        if self.enemies(v).any(|w| self.in_contact(v, w)) {
            let why = format!("{} is in contact with one of your units", self.card(v).called());
            return refuse("WBK-FIRE-33", why);
        }
        if !self.sees(u, v) {
            let why = format!("{} does not see {}", card.called(), self.card(v).called());
            return refuse("WBK-FIRE-03", why);
        }
        Ok(Aim { gap, short })
    }

    /// Judges a target with the duty to shoot at chargers (WBK-FIRE-06 to 10).
    pub(crate) fn may_fire(&self, u: No, v: No, volley: bool) -> Result<Aim, Illegal> {
        let aim = self.may_aim(u, v, volley)?;
        let may = self.field.options.ignored_targets == IgnoredTargets::May;
        let satisfies = (may || !self.is_ignorable(v)) && self.stands_in_charge_range(u, v);
        if satisfies {
            return Ok(aim);
        }
        let charger = self.enemies(u).find(|&w| {
            w != v
                && !self.is_ignorable(w)
                && self.stands_in_charge_range(u, w)
                && self.may_aim(u, w, volley).is_ok()
        });
        match charger {
            None => Ok(aim),
            Some(w) => {
                let why = format!(
                    "{} stands within charge range of {}; fire at such a target",
                    self.card(u).called(),
                    self.card(w).called()
                );
                Err(Illegal::new("WBK-FIRE-06", why))
            }
        }
    }

    fn is_ignorable(&self, v: No) -> bool {
        self.unit(v).is_pinned() || self.unit(v).gone_to_ground
    }

    /// Whether a unit stands within an enemy's charge range (WBK-FIRE-07).
    pub(crate) fn stands_in_charge_range(&self, u: No, enemy: No) -> bool {
        if self.card(enemy).is_crewed() && self.field.options.crewed_attack == CrewedAttack::Forbidden {
            return false;
        }
        let pace = f64::from(self.pace(enemy)) / 1000.0;
        match self.field.options.charge_range_measure {
            ChargeRangeMeasure::Straight => self.within(enemy, u, pace),
            ChargeRangeMeasure::Path => {
                let goes = |by: &[Point]| self.slide(enemy, u, by, Reach::attack(pace)).is_ok();
                let round = || self.attack_ways(enemy, u).iter().any(|by| goes(by));
                let near = self.within(enemy, u, pace) || self.within_defended(enemy, u, pace);
                near && (goes(&[]) || round())
            }
        }
    }

    /// The cover a target has against one shooting unit (WBK-FIRE-20 to 23, WBK-MOD-25).
    pub(crate) fn cover(&self, u: No, v: No) -> Cover {
        let target = self.unit(v);
        if target.garrison.is_some() {
            return Cover::Hard;
        }
        let land = &self.field.land;
        if land.covering.is_empty() && land.obstacles.is_empty() {
            return Cover::None;
        }
        let eyes = self.eyes(u);
        let (mut hard, mut soft) = (0_usize, 0_usize);
        for spot in &target.places {
            let at = spot.point();
            let mut cover = land.cover_at(at);
            if cover != Cover::Hard && !land.obstacles.is_empty() {
                cover = cover.max(self.obstacle_cover(u, v, &eyes, at));
            }
            hard += usize::from(cover == Cover::Hard);
            soft += usize::from(cover >= Cover::Soft);
        }
        let all = target.places.len();
        self.cover_of_most(hard, soft, all)
    }

    /// The cover of a unit by how many of its models have hard cover and how many any (WBK-FIRE-22).
    pub(crate) fn cover_of_most(&self, hard: usize, any: usize, all: usize) -> Cover {
        let most = |n: usize| match self.field.options.cover_majority {
            CoverMajority::OverHalf => n * 2 > all,
            CoverMajority::HalfOrMore => n * 2 >= all,
        };
        if all == 0 {
            Cover::None
        } else if most(hard) {
            Cover::Hard
        } else if most(any) {
            Cover::Soft
        } else {
            Cover::None
        }
    }

    fn obstacle_cover(&self, u: No, v: No, eyes: &[Point], at: Point) -> Cover {
        let base = self.base_at(v, at, self.unit(v).facing);
        let facing = self.unit(u).facing;
        let from = match self.outline(u) {
            Some(outline) => outline.nearest_boundary(at),
            // Nearest as all distances are measured, from base to base (WBK-MOD-06): a horse's nose reaches further than
            // its side.
            None => eyes
                .iter()
                .copied()
                .min_by_key(|&eye| how_near(self.base_at(u, eye, facing).gap(&base)))
                .unwrap_or(at),
        };
        let land = &self.field.land;
        let covers = self.field.rulebook.charts.near.obstacle_covers;
        let near = base.bounds().grown(covers + TOLERANCE);
        land.obstacles
            .iter()
            .map(|&i| &land.pieces[i])
            .filter(|p| p.bounds.meets(&near))
            .filter(|p| {
                p.line().is_some_and(|l| {
                    l.crossings(from, at).iter().any(|c| base.gap_to_point(c.at) <= covers + TOLERANCE)
                })
            })
            .map(|p| p.cover)
            .max()
            .unwrap_or_default()
    }

    /// What a bonus does to a value (WBK-CONV-05).
    pub(crate) fn plus_one(&self, bonus: i32) -> i32 {
        match self.field.options.value_plus_one {
            ValuePlusOne::Easier => -bonus,
            ValuePlusOne::Harder => bonus,
        }
    }

    /// A value as it is rolled against: never better than the best, and beyond 6 it can't hit (WBK-CONV-06).
    pub(crate) fn rolled_against(&self, value: i32) -> i32 {
        value.clamp(self.field.options.best_value, 7)
    }

    /// Hits for one casualty: the basic number, and what cover adds (WBK-FIRE-19 to 21, 28, 32, 35).
    pub(crate) fn fire_hits(&self, u: No, v: No, short: bool, cover: Cover) -> (i32, i32) {
        let hits = &self.field.rulebook.charts.hits;
        let options = &self.field.options;
        let points = match cover {
            Cover::None => 0,
            Cover::Soft => hits.soft,
            Cover::Hard => hits.hard,
        };
        let points = (points - self.card(u).weapon.ignores_cover).max(0);
        let double = options.cavalry_double_hits == CavalryDoubleHits::MeleeAndFire;
        let horse = double && self.horse_against_foot(u, v);
        let basic = if short { hits.short } else { hits.long };
        let basic = if horse { hits.on_horse(basic) } else { basic };
        // What is taken off once is the points of cover, at any range.
        let flat = options.hits_required_mode == HitsRequiredMode::FlatDeduction;
        let more = match options.cover_long_combine {
            _ if short || flat => points,
            CoverLongCombine::Add => points,
            CoverLongCombine::Multiply => (hits.short + points) * hits.long - hits.long,
            CoverLongCombine::Highest => (hits.short + points).max(hits.long) - hits.long,
        };
        (basic, more)
    }

    /// Hits that each casualty takes, and those taken off all of them first (WBK-ATT-41).
    pub(crate) fn each_and_off(&self, basic: i32, extra: i32) -> (i32, i32) {
        match self.field.options.hits_required_mode {
            HitsRequiredMode::PerCasualty => ((basic + extra).max(1), 0),
            HitsRequiredMode::FlatDeduction => (basic.max(1), extra),
        }
    }

    /// Casualties from hits (WBK-ATT-41, WBK-FIRE-35) and from those kept before (WBK-CONV-07), and the hits left over.
    pub(crate) fn casualties(&self, hits: i32, kept: i32, basic: i32, extra: i32) -> (i32, i32) {
        let (each, off) = self.each_and_off(basic, extra);
        // What was kept has had its cover taken off already.
        let hits = (hits - off).max(0) + kept;
        (hits / each, hits % each)
    }

    /// How many dice a unit fires with (WBK-FIRE-18, 24, 25, WBK-SKIRM-03).
    pub(crate) fn fire_dice(&self, u: No, skirmish: bool) -> usize {
        let models = self.unit(u).models;
        let firing = if skirmish { self.field.options.half(models) } else { models };
        usize::from(firing) * usize::from(self.card(u).weapon.dice)
    }

    /// The Firing value against a target, with its modifiers.
    pub(crate) fn firing_value(&self, u: No, v: No, volley: bool) -> (i32, Reasons) {
        let chart = &self.field.rulebook.charts.close_order;
        let mut mods = Reasons::new();
        if volley {
            mods.add(self.plus_one(chart.volley), "volley", "WBK-VOLLEY-04");
        }
        if self.unit(v).close_order {
            mods.add(self.plus_one(chart.shot_at), "target in Close Order", "WBK-CLOSE-09");
        }
        (self.rolled_against(self.card(u).firing + mods.sum()), mods)
    }

    /// T5: a unit fires.
    pub(crate) fn shoot(&mut self, u: No, v: No, volley: bool, skirmish: bool, now: &mut Now<'_>) {
        let gap = self.firing_gap(u, v);
        let weapon = self.card(u).weapon.clone();
        let short = self.is_short(u, gap);
        let cover = self.cover(u, v);
        let (value, mods) = self.firing_value(u, v, volley);
        let dice = self.fire_dice(u, skirmish);
        if dice == 0 {
            return; // WBK-CONV-11
        }
        let bins = if weapon.jams { Bins::at_least_and_ones(value) } else { Bins::at_least(value) };
        let tally = now.chance.pool("fire", dice, &bins);
        let mut hits = tally.hits() as i32;
        let ones = tally.counts.get(1).copied().unwrap_or(0);
        let jammed = weapon.jams && ones > u16::from(self.unit(u).models);
        let (who, whom) = (self.id(u), self.id(v));
        let (basic, extra) = self.fire_hits(u, v, short, cover);
        let (each, off) = self.each_and_off(basic, extra);
        let dice_why = if skirmish {
            Some("half, skirmishing [WBK-SKIRM-03]".into())
        } else {
            let clause = weapon.dice_clause.as_deref();
            clause.map(|by| format!("{} for each of the crew [{by}]", in_words(usize::from(weapon.dice))))
        };
        // A gun does not fire with a gun.
        let crewed = self.card(u).is_crewed();
        // What is left of the cover is in the hits that a man needs.
        let pierced = cover != Cover::None && weapon.ignores_cover > 0;
        now.say(|| {
            Event::new("fire", "WBK-FIRE-18")
                .clause(&weapon.clause)
                .who(who)
                .whom(whom)
                .faces(&tally.faces)
                .needed(value)
                .made(hits)
                .modifiers(mods.told())
                .with("dice", dice)
                .with("dice_why", dice_why)
                .with("pierced", pierced)
                .with("hits", hits)
                .with("hits_per_loss", each)
                .with("hits_off", (off > 0).then_some(off))
                .with("range", if short { "short" } else { "long" })
                .with("cover", cover.name())
                .with("distance", gap)
                .with("weapon", weapon.in_hand.as_deref().unwrap_or(&weapon.name))
                .with("in_hand", !crewed)
                .with("volley", volley)
                .with("skirmish", skirmish)
        });
        if jammed {
            let mode = self.field.options.mg_jam;
            now.say(|| {
                Event::new("jam", "WBK-FIRE-26")
                    .clause("WBK-FIRE-27")
                    .who(who)
                    .made(i32::from(ones))
                    .with("ones", ones)
                    .outcome(if mode == MgJam::ShotLost { "shot_lost" } else { "hits_count" })
            });
            match mode {
                MgJam::ShotLost => return,
                MgJam::HitsCount => {}
                MgJam::HitsCountThenSilent => self.state.units[u].silent = 2,
            }
        }
        if self.character(u) == Character::CrackShot && (hits as usize) < dice {
            hits += self.second_try(u, value, now);
        }
        self.strike_down(u, v, hits, basic, extra, now);
    }

    /// The re-roll of the first missing die (table 3.7).
    pub(crate) fn second_try(&mut self, u: No, value: i32, now: &mut Now<'_>) -> i32 {
        let die = now.chance.d6("reroll");
        let hit = i32::from(die) >= value;
        let (who, character) = (self.id(u), self.character(u));
        now.say(|| {
            Event::new("reroll", "WBK-LEAD-07")
                .who(who)
                .with("character", character.name())
                .faces(&[die])
                .needed(value)
                .made(i32::from(hit))
                .outcome(if hit { "hit" } else { "missed" })
        });
        i32::from(hit)
    }

    /// What a unit lost by another, and to how many hits.
    pub(crate) fn losses_told(
        &self,
        u: No,
        by: No,
        lost: u8,
        hits: i32,
        per_loss: i32,
        clause: &str,
    ) -> Event {
        Event::new("losses", clause)
            .outcome(if lost > 0 { "some" } else { "none" })
            .who(self.id(u))
            .whom(self.id(by))
            .made(i32::from(lost))
            .with("losses", lost)
            .with("hits", hits)
            .with("hits_per_loss", per_loss)
    }

    /// Casualties of fire, and what they bring about (WBK-FIRE-29 to 31).
    #[allow(clippy::too_many_arguments)]
    fn strike_down(&mut self, u: No, v: No, hits: i32, basic: i32, extra: i32, now: &mut Now<'_>) {
        let carry = self.field.options.remainder_hits == RemainderHits::CarryInTurn;
        let carried = if carry { i32::from(self.unit(v).carried) } else { 0 };
        let (losses, left) = self.casualties(hits, carried, basic, extra);
        if carry {
            self.state.units[v].carried = left.clamp(0, 200) as u8;
        }
        let removed = losses.min(i32::from(self.unit(v).models)) as u8;
        let each = self.each_and_off(basic, extra).0;
        now.say(|| {
            let hits = hits + carried;
            self.losses_told(v, u, removed, hits, each, "WBK-FIRE-19").with("lost_hits", left)
        });
        if removed == 0 {
            return; // WBK-FIRE-31
        }
        if removed == self.unit(v).models {
            self.destroy(v, now);
            return;
        }
        let stood = self.unit(v).models;
        self.lose_models(v, removed);
        self.leader_check(v, now);
        if !self.unit(v).is_on_table() {
            return;
        }
        self.keep_close_order(v, now);
        // With the leader, where he is one model more (WBK-LEAD-04).
        let lost = stood - self.unit(v).models;
        self.pinning_test(v, lost, Shock::Fire, now);
    }
}
