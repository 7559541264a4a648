//! Before the first unit is placed: counters and ability of generals, initiative, table sides (SYW-DEPLOY-01 to -07,
//! SYW-GEN-01, -02).

use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_drill::{Now, Reasons};
use tricorne_game::{Event, Log, Side};
use tricorne_table::Edge;

use crate::deployment::placing::Lot;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GeneralIx;
use crate::model::state::SubPhase;
use crate::options::{AttackerIs, CincAbilitySource, InitiativeLc, OttomanFlankRoll};
use crate::questions::{BuyGround, Deploy, Enlist, KeepBack, KeepCounter, TableSide};
use crate::rulebook::{Kind, count};
use crate::sequence::turn::Task;

impl SevenYearsBattle {
    /// Lays the set-up on the stack (U4 to U10).
    pub(crate) fn prepare(&mut self) {
        self.s.step = SubPhase::SetUp;
        let tasks = &mut self.s.tasks;
        tasks.push(Task::StartTurn);
        if self.fixed.free {
            tasks.push(Task::ask(TableSide));
            if self.fixed.muster.is_some() {
                tasks.push(Task::ask(BuyGround));
            }
            tasks.push(Task::Initiative);
        } else if self.fixed.options.cinc_ability_source == CincAbilitySource::Table {
            tasks.push(Task::Initiative);
        }
        if !self.fixed.counters_given {
            tasks.push(Task::SubCounters { side: Side(1) });
            tasks.push(Task::SubCounters { side: Side(0) });
            tasks.push(Task::DrawCounters { side: Side(1) });
            tasks.push(Task::DrawCounters { side: Side(0) });
        }
        if let Some(muster) = &self.fixed.muster {
            tasks.push(Task::Survey);
            if muster.points.is_some() {
                tasks.push(Task::ask(Enlist { side: Side(1) }));
                tasks.push(Task::ask(Enlist { side: Side(0) }));
            }
        }
    }

    fn cincs(&self, side: Side) -> SmallVec<[GeneralIx; 4]> {
        GeneralIx::first(self.s.generals.len())
            .filter(|&i| self.general(i).side == side && self.general(i).cinc)
            .collect()
    }

    /// The C-in-C draws three (SYW-GEN-02).
    pub(crate) fn draw_cinc_counters(&mut self, side: Side, chance: &mut dyn Chance) {
        let k = side.index().min(1);
        let fresh: SmallVec<[GeneralIx; 4]> =
            self.cincs(side).into_iter().filter(|&i| self.general(i).number == 0).collect();
        let Some(&general) = fresh.first() else { return };
        if fresh.len() > 1 {
            self.s.tasks.push(Task::DrawCounters { side });
        }
        let mut drawn = SmallVec::new();
        for _ in 0..count(self.fixed.book.charts.counts.counters) {
            if let Some(n) = self.draw_counter(k, chance) {
                drawn.push(n);
            }
        }
        self.ask(KeepCounter { side, general, drawn });
    }

    /// Keeps one, the others go back.
    pub(crate) fn keep_counter(
        &mut self,
        side: Side,
        general: GeneralIx,
        kept: u8,
        drawn: &[u8],
        log: &mut Log,
    ) {
        let k = side.index().min(1);
        for &n in drawn.iter().filter(|&&n| n != kept) {
            self.s.armies[k].counters.push(n);
        }
        self.s.armies[k].counters.sort_unstable();
        self.give_counter(general, kept, log);
    }

    fn give_counter(&mut self, general: GeneralIx, number: u8, log: &mut Log) {
        let side = self.general(general).side.index().min(1);
        let counter = self.counter(side, number);
        let g = self.general_mut(general);
        g.number = number;
        g.counter = counter;
        let id = g.id;
        // He is on nobody's table yet, so that he brings his name along.
        log.say(|| {
            Event::new("counter", "SYW-GEN-01")
                .who(id)
                .with("named", self.general_name(self.general(general)))
                .with("counter", counter.code())
                .with("manner", counter.manner())
        });
    }

    /// One counter for each sub-general (SYW-GEN-01).
    pub(crate) fn draw_sub_counters(&mut self, side: Side, now: &mut Now<'_>) {
        let subs: SmallVec<[GeneralIx; 8]> = GeneralIx::first(self.s.generals.len())
            .filter(|&i| {
                let g = self.general(i);
                g.side == side && !g.cinc && g.number == 0
            })
            .collect();
        for i in subs {
            if let Some(n) = self.draw_counter(side.index().min(1), now.chance) {
                self.give_counter(i, n, now.log);
            }
        }
    }

    fn light_cavalry(&self, side: Side) -> u32 {
        self.s
            .units
            .iter()
            .filter(|u| u.side == side)
            .filter(|u| match self.fixed.options.initiative_lc {
                InitiativeLc::BothKinds => self.info_of(u).kind.is_light_cavalry(),
                InitiativeLc::LcOnly => self.info_of(u).kind == Kind::LC,
            })
            .map(|u| u32::from(u.started))
            .sum()
    }

    /// Ability and initiative (U5, U6; SYW-DEPLOY-02 to -06).
    pub(crate) fn roll_initiative(&mut self, now: &mut Now<'_>) {
        for k in 0..2 {
            let face = now.chance.d6("ability");
            let nation = &self.fixed.book.nations()[self.fixed.sides[k].nation];
            let chart = &self.fixed.book.charts.ability;
            let row = chart.get(&nation.ability).or_else(|| chart.get("others"));
            let ability = row.map_or(1, |r| r[usize::from(face.clamp(1, 6)) - 1]);
            self.s.armies[k].ability = ability;
            let name = self.fixed.sides[k].name.clone();
            now.say(|| {
                Event::new("ability", "SYW-DEPLOY-02")
                    .faces(&[face])
                    .made(i32::from(ability))
                    .with("side", name)
            });
        }
        if !self.fixed.free {
            return;
        }
        let counts = self.fixed.book.charts.counts;
        let horse = [self.light_cavalry(Side(0)), self.light_cavalry(Side(1))];
        let (times, more) =
            (counts.light_cavalry.value.max(0) as u32, count(counts.light_cavalry_bonus) as u8);
        let bonus = |k: usize| if horse[k] > 0 && horse[k] >= times * horse[1 - k] { more } else { 0 };
        loop {
            for k in 0..2 {
                let face = now.chance.faces("initiative", 1, 4).first().copied().unwrap_or(1);
                let army = &mut self.s.armies[k];
                army.die = face + bonus(k);
                army.initiative = army.ability + army.die;
                let (made, name) = (i32::from(army.initiative), self.fixed.sides[k].name.clone());
                let mut sums = Reasons::new();
                sums.add(i32::from(army.ability), "the C-in-C's ability", "SYW-DEPLOY-02");
                let line = counts.light_cavalry;
                let why = if line.value == 2 { "twice the enemy's light cavalry" } else { line.reason };
                sums.add(i32::from(bonus(k)), why, counts.light_cavalry_bonus.clause);
                now.say(|| {
                    let event = Event::new("initiative", "SYW-DEPLOY-03").faces(&[face]).made(made);
                    event.modifiers(sums.told()).with("side", name)
                });
            }
            let (a, b) = (&self.s.armies[0], &self.s.armies[1]);
            let key = |x: &crate::model::state::Army| (x.initiative, x.ability);
            if key(a) != key(b) {
                break;
            }
        }
        let winner = {
            let (a, b) = (&self.s.armies[0], &self.s.armies[1]);
            if (a.initiative, a.ability) > (b.initiative, b.ability) { Side(0) } else { Side(1) }
        };
        let (w, l) = (winner.index(), winner.enemy().index());
        let name = self.fixed.sides[w].name.clone();
        now.say(|| Event::new("initiative_won", "SYW-DEPLOY-05").with("side", name));
        let lead = self.s.armies[w].initiative.saturating_sub(self.s.armies[l].initiative);
        let lead_of = |line| usize::from(lead) >= count(line);
        self.s.armies[w].strips = u8::from(lead_of(counts.one_strip)) + u8::from(lead_of(counts.both_strips));
        for k in 0..2 {
            let nation = &self.fixed.book.nations()[self.fixed.sides[k].nation];
            if nation.flank_marches {
                // SYW-DEPLOY-15, -16
                let (mine, theirs) = match self.fixed.options.ottoman_flank_roll {
                    OttomanFlankRoll::D4AgainstD4 => (self.s.armies[k].die, self.s.armies[1 - k].die),
                    OttomanFlankRoll::Totals => {
                        (self.s.armies[k].initiative, self.s.armies[1 - k].initiative)
                    }
                };
                self.s.armies[k].strips = 2;
                self.s.armies[k].may_march = i32::from(mine) - i32::from(theirs) >= counts.march_lead.value;
            }
        }
        self.s.attacker = match self.fixed.options.attacker_is {
            AttackerIs::InitiativeWinner => winner,
            AttackerIs::SeparateRoll => loop {
                let (a, b) = (now.chance.d6("attacker"), now.chance.d6("attacker"));
                for (k, face) in [a, b].into_iter().enumerate() {
                    let name = self.fixed.sides[k].name.clone();
                    now.say(|| Event::new("attacker", "SYW-DEPLOY-06").faces(&[face]).with("side", name));
                }
                if a != b {
                    break if a > b { Side(0) } else { Side(1) };
                }
            },
        };
        self.s.phasing = winner; // Remembered until deployment is over.
        self.s.initiative = winner;
    }

    /// The side without the initiative places first.
    pub(crate) fn first_to_deploy(&self) -> Side {
        self.s.initiative.enemy()
    }

    /// The table sides are settled (U8); deployment follows.
    pub(crate) fn choose_side(&mut self, edge: Edge, log: &mut Log) {
        let first = self.first_to_deploy();
        self.s.armies[first.index()].edge = edge;
        self.s.armies[first.enemy().index()].edge =
            if edge == Edge::North { Edge::South } else { Edge::North };
        let name = self.fixed.sides[first.index()].name.clone();
        log.say(|| {
            Event::new("table_side", "SYW-DEPLOY-07")
                .with("side", name)
                .with("edge", format!("{edge:?}").to_lowercase())
        });
        self.ask(Deploy { side: first, lot: Lot::Last });
        self.ask(Deploy { side: first.enemy(), lot: Lot::Whole });
        self.ask(Deploy { side: first, lot: Lot::First });
        self.ask(KeepBack);
    }
}
