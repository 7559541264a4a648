//! Sub-phase 6: melees (SYW-MELEE).

use arrayvec::ArrayVec;
use smallvec::SmallVec;
use tricorne_drill::{Now, Reasons};
use tricorne_game::Event;
use tricorne_table::{Shape, angle};

use crate::model::field::{SevenYearsBattle, name_order};
use crate::model::ids::UnitIx;
use crate::model::stands::{self, WIDTH};
use crate::model::state::{Contact, Direction, Formation, MOST_STANDS, Order, within};
use crate::morale::disorder::Disorder;
use crate::options::{
    FlankModsAfterTurn, GeneralLossDie, MeleeHits, OverlapFrom, TerrainDoublePenalty, WorkTerrainPenalty,
};
use crate::rulebook::{Arm, Class, Grade, cm, count, degrees};
use crate::sequence::turn::Task;

impl SevenYearsBattle {
    /// Counts stands and overlaps of every pair as the sub-phase begins (SYW-MELEE-25).
    pub(crate) fn muster_melees(&mut self) {
        self.s.overlaps.clear();
        self.s.margins.clear();
        for u in self.unit_ids() {
            self.unit_mut(u).held = false;
        }
        for k in 0..self.s.contacts.len() {
            self.s.contacts[k].fought = false;
            self.s.contacts[k].torn = false;
            self.muster(k);
        }
    }

    /// Counts stands and overlaps of one pair.
    pub(crate) fn muster(&mut self, k: usize) {
        let c = self.s.contacts[k];
        let (a, d) = (c.attacker, c.defender);
        let mut count = [self.stands_against(a, d).len(), self.stands_against(d, a).len()];
        let mut overlap = [false, false];
        if c.partial > 0 && self.fought_on(&c) != Direction::Front {
            // SYW-FLANK-14: of those who have swung in to a flank one counts, and the others are an overlap.
            count[0] = 1;
            overlap[0] = c.partial > 1 && !self.gives_no_overlap(a);
        } else if c.partial > 0 {
            // SYW-CHARGE-16
            let front = self.front_stands(d);
            count = [usize::from(c.partial), front.min(usize::from(c.partial)).max(1)];
            overlap[1] = front > usize::from(c.partial) && !self.gives_no_overlap(d);
        } else {
            if self.fought_on(&c) != Direction::Front {
                // SYW-FLANK-14
                let beside = count[0] > 1 || self.neighbours(a, d);
                count[0] = 1;
                overlap[0] = beside && !self.gives_no_overlap(a);
            }
            for (me, foe, i) in [(a, d, 0), (d, a, 1)] {
                if !overlap[i] {
                    overlap[i] = self.overlap(me, foe);
                }
            }
        }
        for (me, foe, i) in [(a, d, 0), (d, a, 1)] {
            // SYW-MELEE-33
            if self.unit(foe).formation == Formation::Square {
                let face = self.face_met(me, foe);
                let most = stands::on_face(self.unit(foe).strength(), face).max(1);
                count[i] = count[i].min(most);
            }
            if self.unit(me).formation == Formation::Square {
                let face = self.face_met(foe, me);
                count[i] = stands::on_face(self.unit(me).strength(), face).max(1);
            }
            if self.info(foe).arm == Arm::Artillery {
                count[i] = count[i].min(1);
            }
            count[i] = count[i].max(1);
            // SYW-MELEE-10
            if self.unit(foe).formation == Formation::Square || self.in_buildings(foe) {
                overlap[i] = false;
            }
        }
        let c = &mut self.s.contacts[k];
        c.count = [count[0] as u8, count[1] as u8];
        c.overlap = overlap;
    }

    /// The face of a square an enemy meets: 0 front, 1 rear, 2 left, 3 right.
    fn face_met(&self, enemy: UnitIx, square: UnitIx) -> usize {
        let unit = self.unit(square);
        let side = stands::square_side(unit.strength(), self.info_of(unit).depth);
        let local = unit.frame.frame.to_local(self.centre_of(&[enemy]));
        let (x, y) = (local.x, local.y + side * 0.5);
        if y.abs() >= x.abs() {
            usize::from(y < 0.0)
        } else if x < 0.0 {
            2
        } else {
            3
        }
    }

    fn front_stands(&self, u: UnitIx) -> usize {
        let unit = self.unit(u);
        let first = unit.stands.iter().map(|s| s.rank).min().unwrap_or(0);
        unit.stands.iter().filter(|s| s.rank == first).count()
    }

    /// At least half its stands in a town (SYW-MELEE-10, -21).
    pub(crate) fn in_buildings(&self, u: UnitIx) -> bool {
        let n = self.unit(u).strength();
        let inside = (0..n).filter(|&i| self.fixed.town_of(&self.rect(u, i)).is_some()).count();
        inside > 0 && inside * 2 >= n
    }

    /// Stands of a unit that fight a certain enemy: those that share most edge with it (SYW-MELEE-02).
    fn stands_against(&self, me: UnitIx, foe: UnitIx) -> ArrayVec<u8, MOST_STANDS> {
        let mut found = ArrayVec::new();
        let others = self.opponents(me);
        for (i, _) in self.touching_stands(me, foe) {
            if found.contains(&i) {
                continue;
            }
            let shared = |e: UnitIx| {
                let mine = if self.unit(me).formation == Formation::Square {
                    self.contact_rects(me)[0]
                } else {
                    self.rect(me, usize::from(i))
                };
                self.contact_rects(e)
                    .iter()
                    .map(|r| Shape::Rect(mine).shared_edge(&Shape::Rect(*r), 0.05))
                    .fold(0.0, f64::max)
            };
            let here = shared(foe);
            let square = self.unit(me).formation == Formation::Square;
            // Of two it shares as much with, the first by name (SYW-SEQ-07): a stand fights one of them.
            let nearer = |e: UnitIx| {
                let there = shared(e);
                there > here + 1e-6 || (there > here - 1e-6 && self.comes_first(e, foe))
            };
            if square || !others.iter().any(|&e| e != foe && nearer(e)) {
                found.push(i);
            }
        }
        found
    }

    /// By group name, then by unit name (SYW-SEQ-07).
    fn comes_first(&self, a: UnitIx, b: UnitIx) -> bool {
        let groups = name_order(&self.group_of(a).id, &self.group_of(b).id);
        groups.then_with(|| name_order(&self.unit(a).id, &self.unit(b).id)).is_lt()
    }

    fn gives_no_overlap(&self, u: UnitIx) -> bool {
        // SYW-MELEE-13
        matches!(self.order_of(u), Order::Retreat | Order::Rout)
    }

    /// Whether an engaged stand has another of its unit beside it (SYW-FLANK-14).
    fn neighbours(&self, me: UnitIx, foe: UnitIx) -> bool {
        let engaged = self.stands_against(me, foe);
        let rects = self.rects(me);
        engaged.iter().any(|&e| {
            (0..rects.len()).any(|j| {
                j != usize::from(e)
                    && self.unit(me).stands[j].rank == self.unit(me).stands[usize::from(e)].rank
                    && within(crate::model::field::gap_of(&rects[j], &rects[usize::from(e)]), 0.05)
            })
        })
    }

    /// Whether a unit has a stand in overlap against an enemy (SYW-MELEE-11, -12); the stand is then used up.
    fn overlap(&mut self, me: UnitIx, foe: UnitIx) -> bool {
        if self.unit(me).formation == Formation::Square {
            return false;
        }
        let engaged = self.stands_against(me, foe);
        if engaged.is_empty() {
            return false;
        }
        let side = self.unit(me).side;
        let any = self.fixed.options.overlap_from == OverlapFrom::AnyFriend;
        let charts = &self.fixed.book.charts;
        let (apart, same_way) = (cm(charts.distances.overlap), degrees(charts.degrees.group));
        let echelon = cm(charts.distances.echelon);
        let near = self.unit(me).frame.bounds.grown(apart + 0.1);
        for v in self.unit_ids() {
            let unit = self.unit(v);
            if unit.side != side
                || !unit.is_known()
                || unit.surrendered
                || (v != me && (!any || !unit.frame.bounds.meets(&near)))
                || self.gives_no_overlap(v)
                || unit.formation == Formation::Square
            {
                continue;
            }
            let first = unit.stands.iter().map(|s| s.rank).min().unwrap_or(0);
            let busy = self.engaged(v);
            for i in 0..unit.strength() {
                let s = self.unit(v).stands[i];
                if s.rank != first || busy.contains(&(i as u8)) {
                    continue;
                }
                if self.s.overlaps.iter().any(|o| o.0 == v && o.1 == i as u8 && o.2 != foe) {
                    continue;
                }
                let rect = self.rect(v, i);
                let beside = engaged.iter().any(|&e| {
                    let other = self.rect(me, usize::from(e));
                    let limit = if v == me { 0.05 } else { apart };
                    let local = other.frame().to_local(rect.centre());
                    angle::turn(rect.facing(), other.facing()).abs() <= same_way
                        && within(crate::model::field::gap_of(&rect, &other), limit)
                        && local.x.abs() > WIDTH * 0.5
                        && local.y.abs() <= echelon
                });
                if beside {
                    self.s.overlaps.push((v, i as u8, foe));
                    return true;
                }
            }
        }
        false
    }

    /// The melee factor, routers having none (SYW-MELEE-24).
    fn melee_factor(&self, me: UnitIx, foe: UnitIx) -> i32 {
        if self.order_of(me) == Order::Rout { 0 } else { self.factor_against(me, foe) }
    }

    /// The modifiers of one side of a pair.
    pub(crate) fn melee_sums(&self, c: &Contact, attacker: bool) -> Reasons {
        let (me, foe) = if attacker { (c.attacker, c.defender) } else { (c.defender, c.attacker) };
        let side = usize::from(!attacker);
        let (unit, info, order) = (self.unit(me), self.info(me), self.order_of(me));
        let chart = &self.fixed.book.charts.melee_modifiers;
        let mut sums = Reasons::new();
        let routing = order == Order::Rout;
        let mods_apply =
            |turned: bool| !turned || self.fixed.options.flank_mods_after_turn == FlankModsAfterTurn::Apply;
        let from = self.fought_on(c);
        let against_flank =
            attacker && from != Direction::Front && mods_apply(self.unit(foe).turned.is_some());
        let to_flank = !attacker && from != Direction::Front && mods_apply(unit.turned.is_some());
        if !routing {
            sums.line_if(info.morale == Grade::High, &chart.high_morale);
            sums.line_if(against_flank, &chart.against_flank);
            let foot = info.arm == Arm::Infantry && info.class == Class::Massed;
            let deep = (unit.formation.is_column()
                || (unit.formation == Formation::Turned && self.fixed.options.turned_column_bonus))
                && self.rows(me) >= count(self.fixed.book.charts.counts.deep_column)
                && (from == Direction::Front || attacker || unit.turned.is_some());
            sums.line_if(
                foot && self.info(foe).arm == Arm::Cavalry && (unit.formation == Formation::Square || deep),
                &chart.against_cavalry,
            );
            sums.line_if(c.overlap[side], &chart.overlap);
            let mut extra = i32::from(c.count[side].max(1)) - 1;
            if order == Order::Retreat {
                extra /= 2;
            }
            sums.line_count(extra, &chart.extra_stand, "a stand after the first");
        }
        let below = self.melee_factor(foe, me) - self.melee_factor(me, foe);
        sums.line_times(below.max(0), &chart.lower_factor);
        // SYW-MELEE-22, -34: what lies between them does so for as long as this contact lasts.
        let across = c.across.filter(|_| attacker).map(usize::from);
        let in_it = across.is_some() && info.class == Class::Massed;
        let disordered = in_it || self.is_disordered_against(me, foe);
        if disordered {
            sums.add(chart.disordered.value, self.disordered_how(me), chart.disordered.clause);
        }
        sums.line_if(info.morale == Grade::Poor, &chart.poor_morale);
        let walls = self.in_buildings(foe) || across.is_some_and(|k| self.is_work(k));
        // SYW-MELEE-34: one and the same work is counted once.
        let counted = across.filter(|&k| {
            walls && self.is_work(k) && self.fixed.options.work_terrain_penalty == WorkTerrainPenalty::Once
        });
        let rough = (in_it && counted.is_none()) || self.in_terrain_against(me, foe, counted);
        let once = self.fixed.options.terrain_double_penalty == TerrainDoublePenalty::Once;
        sums.line_if(rough && !(once && disordered), &chart.terrain);
        let slack = matches!(order, Order::Reserve | Order::Retreat);
        let lines = if self.fixed.options.or_lines_stack {
            i32::from(slack) + i32::from(to_flank)
        } else {
            i32::from(slack || to_flank)
        };
        sums.add(
            lines * chart.slack_or_flank.value,
            if to_flank { "fighting to flank or rear" } else { "on Reserve or Retreat" },
            chart.slack_or_flank.clause,
        );
        let high = self.unit_uphill(foe, me);
        let lines = if self.fixed.options.or_lines_stack {
            i32::from(walls) + i32::from(high)
        } else {
            i32::from(walls || high)
        };
        sums.add(
            lines * chart.strong_place.value,
            if walls { "enemy in buildings or behind defences" } else { "enemy uphill" },
            chart.strong_place.clause,
        );
        sums.line_if(
            info.arm == Arm::Cavalry && unit.phase.charged && order == Order::Stand,
            &chart.charged_standing,
        );
        sums
    }

    /// Rows of a column.
    fn rows(&self, u: UnitIx) -> usize {
        let mut rows: SmallVec<[u8; 10]> = self.unit(u).stands.iter().map(|s| s.rank).collect();
        rows.sort_unstable();
        rows.dedup();
        rows.len()
    }

    /// Pairs still to fight, the phasing player's choice (SYW-SEQ-07).
    pub(crate) fn melees_left(&self) -> impl Iterator<Item = &Contact> + '_ {
        self.s.contacts.iter().filter(|c| !c.fought)
    }

    /// Fights one pair (F1).
    pub(crate) fn fight(&mut self, a: UnitIx, b: UnitIx, now: &mut Now<'_>) {
        let Some(k) = self
            .s
            .contacts
            .iter()
            .position(|c| (c.attacker == a && c.defender == b) || (c.attacker == b && c.defender == a))
        else {
            return;
        };
        self.s.contacts[k].fought = true;
        self.s.contacts[k].torn = false;
        let c = self.s.contacts[k];
        let phasing_attacks = self.unit(c.attacker).side == self.s.phasing;
        let (p, n) = if phasing_attacks { (c.attacker, c.defender) } else { (c.defender, c.attacker) };
        let (sums_p, sums_n) = (self.melee_sums(&c, phasing_attacks), self.melee_sums(&c, !phasing_attacks));
        // SYW-DICE-06
        let die_p = now.chance.d6("melee_phasing");
        let die_n = now.chance.d6("melee_other");
        let (score_p, score_n) = (i32::from(die_p) + sums_p.sum(), i32::from(die_n) + sums_n.sum());
        let outcome = |mine: i32, theirs: i32| match mine.cmp(&theirs) {
            std::cmp::Ordering::Greater => "won",
            std::cmp::Ordering::Less => "lost",
            std::cmp::Ordering::Equal => "level",
        };
        for (me, foe, die, sums, mine, theirs) in
            [(p, n, die_p, &sums_p, score_p, score_n), (n, p, die_n, &sums_n, score_n, score_p)]
        {
            let (kills, _) = self.score(mine);
            let (who, whom) = (self.unit(me).id, self.unit(foe).id);
            now.say(|| {
                Event::new("melee", "SYW-MELEE-03")
                    .who(who)
                    .whom(whom)
                    .faces(&[die])
                    .modifiers(sums.told())
                    .made(mine)
                    .outcome(outcome(mine, theirs))
                    .with("kills", kills)
            });
        }
        for fighter in [p, n] {
            self.leaves_guard(fighter, now.log);
        }
        self.tally(p, n, score_p, score_n);
        self.s.margins.push(if score_p > score_n {
            (p, n, score_p - score_n)
        } else {
            (n, p, score_n - score_p)
        });
        // SYW-GEN-20: a natural 6 against a natural 1.
        for (me, mine, theirs) in [(p, die_p, die_n), (n, die_n, die_p)] {
            if self.endangers_generals(theirs) {
                self.risk_in_melee(me, mine, now);
            }
        }
        let both = self.fixed.options.melee_hits == MeleeHits::Both;
        let strikes_p = both || score_p > score_n;
        let strikes_n = both || score_n > score_p;
        // SYW-BREAK-04: in partial contact it is in no line, though it kills whom it fights.
        if c.partial == 0 {
            self.s.tasks.push(Task::BreakThrough {
                unit: if phasing_attacks { p } else { n },
                enemy: if phasing_attacks { n } else { p },
            });
        }
        for (foe, me, score, strikes, enemy) in
            [(p, n, score_n, strikes_n, score_p), (n, p, score_p, strikes_p, score_n)]
        {
            if self.info(foe).arm == Arm::Artillery && enemy < score {
                // SYW-MELEE-26
                let g = self.unit(me).group;
                let stands = self.unit(foe).strength() as u8;
                self.group_mut(g).phase.melee_killed += stands;
                let foes = self.unit(foe).group;
                self.note_generals(foes);
                self.group_mut(foes).phase.melee_lost += stands;
                self.destroy(foe, "SYW-MELEE-26", now.log);
                continue;
            }
            if strikes {
                let (kills, disorders) = self.score(score);
                let killed = kills.min(self.unit(foe).strength() as u8);
                let g = self.unit(me).group;
                self.group_mut(g).phase.melee_killed += killed;
                self.hit(foe, killed, disorders, Disorder::InTheFight, now.log);
            }
        }
    }

    fn tally(&mut self, p: UnitIx, n: UnitIx, score_p: i32, score_n: i32) {
        for (me, mine, theirs) in [(p, score_p, score_n), (n, score_n, score_p)] {
            let g = self.unit(me).group;
            if mine <= theirs {
                self.unit_mut(me).held = true;
            }
            // Detached stands take no tests and weigh nothing in their parent's (SYW-MOVE-19).
            if self.unit(me).parent.is_some() {
                continue;
            }
            let group = self.group_mut(g);
            group.phase.fought = true;
            match mine.cmp(&theirs) {
                std::cmp::Ordering::Greater => group.phase.melees_won += 1,
                std::cmp::Ordering::Less => group.phase.melees_lost += 1,
                std::cmp::Ordering::Equal => {}
            }
        }
    }

    /// A general beside a unit whose enemy rolled a 6 (SYW-GEN-20).
    fn risk_in_melee(&mut self, me: UnitIx, mine: u8, now: &mut Now<'_>) {
        for general in self.exposed_by(me) {
            match self.fixed.options.general_loss_die {
                GeneralLossDie::ShootingOnlyExtraD6 => {
                    if self.loses_general(mine) {
                        self.lose_general(general, now);
                    }
                }
                GeneralLossDie::AlwaysExtraD6 => self.risk_general(general, now),
            }
        }
    }
}
