//! Sub-phase 6: melees (SYW-MELEE).

use smallvec::SmallVec;
use tricorne_drill::{Now, Reasons};
use tricorne_game::Event;

use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::{Contact, Direction, Formation, Order};
use crate::morale::disorder::Disorder;
use crate::options::{
    FlankModsAfterTurn, GeneralLossDie, MeleeHits, TerrainDoublePenalty, WorkTerrainPenalty,
};
use crate::rulebook::{Arm, Class, Grade, count};
use crate::sequence::turn::Task;

impl SevenYearsBattle {
    /// At least half its stands in a town (SYW-MELEE-10, -21).
    pub(crate) fn in_buildings(&self, u: UnitIx) -> bool {
        let n = self.unit(u).strength();
        let inside = (0..n).filter(|&i| self.fixed.town_of(&self.rect(u, i)).is_some()).count();
        inside > 0 && inside * 2 >= n
    }

    /// The melee factor, routers having none (SYW-MELEE-24).
    fn melee_factor(&self, me: UnitIx, foe: UnitIx) -> i32 {
        if self.order_of(me) == Order::Rout { 0 } else { self.factor_against(me, foe) }
    }

    /// The modifiers of one side of a pair.
    pub(crate) fn melee_sums(&self, c: &Contact, attacker: bool) -> Reasons {
        let (me, foe) = if attacker { (c.attacker, c.defender) } else { (c.defender, c.attacker) };
        let side = usize::from(!attacker);
        let (unit, info) = (self.unit(me), self.info(me));
        // The order when the pair was counted (SYW-MELEE-25); but who runs by now runs (SYW-MELEE-24).
        let order = match (self.order_of(me), c.orders) {
            (Order::Rout, _) => Order::Rout,
            (now, orders) => orders.map_or(now, |orders| orders[side]),
        };
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
        // Once for the ground and the disorder it causes; whoever is disordered by something else has both (SYW-MELEE-19).
        let by_ground = disordered && !unit.disordered && !routing;
        sums.line_if(rough && !(once && by_ground), &chart.terrain);
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
        let way = [self.unit(c.attacker).facing, self.unit(c.defender).facing];
        for (u, from, way) in [(c.defender, c.from, way[0]), (c.attacker, Direction::Front, way[1])] {
            if self.unit(u).parent.is_none() {
                let g = self.unit(u).group;
                self.group_mut(g).phase.met.push((from, way));
            }
        }
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
        let blows = [(p, n, score_n, strikes_n, score_p), (n, p, score_p, strikes_p, score_n)];
        let dies = |b: &Self, foe: UnitIx, score: i32, enemy: i32| {
            b.info(foe).arm == Arm::Artillery && enemy < score // SYW-MELEE-26
        };
        for (foe, me, score, strikes, enemy) in blows {
            if strikes && !dies(self, foe, score, enemy) {
                let (kills, disorders) = self.score(score);
                let killed = kills.min(self.unit(foe).strength() as u8);
                let g = self.unit(me).group;
                self.group_mut(g).phase.melee_killed += killed;
                self.hit(foe, killed, disorders, Disorder::InTheFight, now.log);
            }
        }
        // Last, for whoever still has stands to lose loses them at the same time (SYW-MELEE-04).
        for (foe, me, score, _, enemy) in blows {
            if dies(self, foe, score, enemy) {
                let g = self.unit(me).group;
                let stands = self.unit(foe).strength() as u8;
                self.group_mut(g).phase.melee_killed += stands;
                let foes = self.unit(foe).group;
                self.note_generals(foes);
                self.group_mut(foes).phase.melee_lost += stands;
                self.destroy(foe, "SYW-MELEE-26", now.log);
                self.sync_contacts();
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
