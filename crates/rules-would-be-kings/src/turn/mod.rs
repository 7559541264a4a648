//! Rounds and turns (WBK-TURN), and what is rolled before the first one.

mod counting_out;
mod gains;
pub mod pick;
mod victory;

use tricorne_drill::Now;
use tricorne_game::{Event, Side};
use tricorne_table::{Point, angle};

use crate::activation::declare::Declaring;
use crate::battle::{Asked, Fray};
use crate::model::base::TOLERANCE;
use crate::morale::Shock;
use crate::morale::commander::Commanding;
use crate::options::{LeadershipSource, TurnOrder};
use crate::state::{Activation, Character, Fate, Finish, IMPERIAL, Layout, NATIVE, No, Spot};
use crate::tables::rulebook::Drill;
use crate::turn::pick::Picking;

/// A side's name in events and files.
pub(crate) fn side_name(side: Side) -> &'static str {
    if side == IMPERIAL { "imperial" } else { "native" }
}

/// A side's name for people.
pub(crate) fn proper_name(side: Side) -> &'static str {
    if side == IMPERIAL { "Imperial" } else { "Native" }
}

/// How the die for a lost unit comes out.
const RETURNS: [&str; 2] = ["returns", "stays away"];

impl Fray {
    /// What is rolled before the first decision.
    pub(crate) fn muster(&mut self, now: &mut Now<'_>) {
        if self.field.options.one_leader_only {
            self.ask(Commanding(IMPERIAL));
            if !self.field.present[0] {
                self.ask(Commanding(NATIVE));
            }
            return;
        }
        for side in [IMPERIAL, NATIVE] {
            for u in self.state.units.numbers() {
                if self.unit(u).side == side {
                    self.roll_leader(u, now);
                }
            }
        }
        self.deploy(now);
    }

    /// Leadership and character of one leader (WBK-LEAD-02, 07).
    pub(crate) fn roll_leader(&mut self, u: No, now: &mut Now<'_>) {
        let card = self.card(u);
        if self.field.options.leadership_source == LeadershipSource::Fixed {
            let (leadership, character) = (card.leadership, card.character);
            self.state.units[u].leadership = leadership;
            self.state.units[u].character = character;
            return;
        }
        let (veteran, drill, who) = (card.veteran, card.drill, card.id);
        let characters = self.field.options.leader_traits;
        let roll = self.field.rulebook.roll_leader(drill, veteran, characters, now.chance);
        let unit = &mut self.state.units[u];
        unit.leadership = roll.leadership;
        if characters {
            unit.character = roll.character;
        }
        now.say(|| {
            let event = Event::new("leadership", "WBK-LEAD-02").who(who).faces(&roll.faces);
            event.made(i32::from(roll.rolled)).with("better", roll.faces.len() > 1)
        });
        let Some((tens, units)) = roll.tens_and_units else { return };
        now.say(|| {
            Event::new("trait", "WBK-LEAD-07")
                .who(who)
                .faces(&[tens, units])
                .made(i32::from(tens) * 10 + i32::from(units))
                .with("character", roll.character.name())
                .with("leadership", roll.leadership)
        });
    }

    /// The forces stand: the first round begins.
    pub(crate) fn begin_rounds(&mut self, now: &mut Now<'_>) {
        if let Some(program) = self.field.program() {
            // WBK-SOLO-01: the program starts with nobody on the table.
            self.state.pool.clear();
            for u in self.state.units.numbers() {
                if self.unit(u).side == program && !self.unit(u).fate.is_lost() {
                    self.remove(u, Fate::ToCome);
                    self.state.pool.push(u);
                }
            }
        }
        self.state.round = 1;
        self.start_round(now);
    }

    fn start_round(&mut self, now: &mut Now<'_>) {
        if self.field.options.turn_order == TurnOrder::Cards {
            let sides = [IMPERIAL, NATIVE];
            let drawn = now.chance.pick("turn_card", 2, &|i| side_name(sides[i.min(1)]).into()).unwrap_or(0);
            self.state.first = sides[drawn.min(1)];
        }
        let (round, first) = (self.state.round, side_name(self.state.first));
        now.say(|| Event::new("round", "WBK-SCEN-05").with("round", round).with("first", first));
        self.state.active = self.state.first;
        self.state.turn = 0;
        self.start_turn(now);
    }

    /// T0 (WBK-TURN-08).
    fn start_turn(&mut self, now: &mut Now<'_>) {
        let side = self.state.active;
        self.state.ending_turn = false;
        self.state.act = Activation::default();
        self.ask(Picking);
        for unit in self.state.units.iter_mut() {
            unit.carried = 0;
            if unit.side == side {
                unit.activated = false;
                unit.silent = unit.silent.saturating_sub(1);
            }
        }
        let (round, name) = (self.state.round, side_name(side));
        now.say(|| Event::new("turn", "WBK-TURN-01").outcome(name).with("side", name).with("round", round));
        self.tribal_returns(side, now);
        if self.field.program() == Some(side) {
            self.program_returns(side, now);
            if self.state.round >= self.field.rulebook.charts.solo.arrivals_from_round {
                self.pool_unit_appears(now);
            }
        }
        for u in self.state.units.numbers() {
            if self.unit(u).side == side
                && self.unit(u).is_on_table()
                && self.character(u) == Character::Drunkard
            {
                let die = now.chance.d6("drunk");
                let value = self.field.rulebook.leaders.value(self.card(u).drill, die);
                self.state.units[u].leadership = value;
                let who = self.id(u);
                now.say(|| Event::new("drunk", "WBK-LEAD-07").who(who).faces(&[die]).made(i32::from(value)));
            }
        }
        self.check_end(now);
    }

    /// WBK-FORCE-13: lost tribal units come back.
    fn tribal_returns(&mut self, side: Side, now: &mut Now<'_>) {
        if !self.field.returns(side) || self.field.program() == Some(side) {
            return;
        }
        let on = self.field.rulebook.charts.forces.returns_on;
        let mut back: arrayvec::ArrayVec<No, { crate::state::MAX_UNITS }> = arrayvec::ArrayVec::new();
        for u in self.state.units.numbers() {
            let unit = self.unit(u);
            let due = unit.side == side
                && unit.fate.is_lost()
                && !unit.returned
                && self.card(u).drill == Drill::Tribal;
            if !due {
                continue;
            }
            if self.dice_for(u, ("return", "WBK-FORCE-13"), on, RETURNS, now) {
                back.push(u);
            }
        }
        for u in back {
            let die = now.chance.d6("arrival");
            // A destroyed unit's leader went with it; a routed one keeps him if he lived (WBK-FORCE-13).
            let led = self.unit(u).leader && self.unit(u).fate != Fate::Destroyed;
            if self.arrive(u, die, false, now) {
                let unit = &mut self.state.units[u];
                unit.returned = true;
                unit.leader = led;
            }
        }
    }

    /// WBK-SOLO-14: lost program units go back to the pool.
    fn program_returns(&mut self, side: Side, now: &mut Now<'_>) {
        let on = self.field.rulebook.charts.solo.returns_on;
        for u in self.state.units.numbers() {
            let unit = self.unit(u);
            if unit.side != side || !unit.fate.is_lost() || !unit.return_due {
                continue;
            }
            self.state.units[u].return_due = false;
            if self.dice_for(u, ("return", "WBK-SOLO-14"), on, RETURNS, now) {
                let start = self.card(u).start;
                let unit = &mut self.state.units[u];
                unit.fate = Fate::ToCome;
                unit.models = start;
                self.state.pool.push(u);
            }
        }
    }

    /// The next unit of the pool appears (WBK-SOLO-02 to 04).
    pub(crate) fn pool_unit_appears(&mut self, now: &mut Now<'_>) {
        let Some(&u) = self.state.pool.first() else { return };
        let die = now.chance.d6("arrival");
        if self.arrive(u, die, true, now) {
            self.state.pool.remove(0);
        }
    }

    /// Puts a unit on the table at an arrival point, or the next free one. False if there is none.
    fn arrive(&mut self, u: No, die: u8, wary: bool, now: &mut Now<'_>) -> bool {
        let points = self.field.arrivals.len();
        let start = self.card(u).start;
        let clear = self.field.rulebook.charts.solo.clear_of_arrival;
        let middle = Point::new(self.field.width * 0.5, self.field.height * 0.5);
        let clause = if wary { "WBK-SOLO-03" } else { "WBK-FORCE-13" };
        for i in 0..points {
            let arrival = &self.field.arrivals[(usize::from(die) - 1 + i) % points];
            let at = arrival.at;
            let near_enemy = wary
                && self.enemies(u).any(|v| match self.outline(v) {
                    Some(area) => area.distance_to(at) <= clear + TOLERANCE,
                    None => self.bases(v).iter().any(|b| b.gap_to_point(at) <= clear + TOLERANCE),
                });
            if near_enemy {
                continue;
            }
            let spot = Spot::of(at);
            let layout = if self.card(u).is_crewed() { Layout::Gun } else { Layout::Cluster };
            let facing = (angle::bearing(at, middle).round() as u16) % 360;
            let Ok(places) = self.lay_out(u, spot, layout, facing, usize::from(start), false) else {
                continue;
            };
            let unit = &mut self.state.units[u];
            unit.fate = Fate::OnTable;
            unit.models = start;
            unit.pinned = 0;
            unit.activated = false;
            unit.silent = 0;
            self.put(u, spot, facing, layout, places);
            let whereabouts = self.whereabouts(at);
            let (who, id) = (self.id(u), self.field.arrivals[(usize::from(die) - 1 + i) % points].id.clone());
            now.say(|| {
                Event::new("arrival", clause)
                    .who(who)
                    .faces(&[die])
                    .outcome("placed")
                    .with("at", id)
                    .with("where", whereabouts)
                    .with("passed_on", i > 0)
            });
            return true;
        }
        let who = self.id(u);
        now.say(|| {
            Event::new("arrival", clause).who(who).faces(&[die]).outcome("no room").with("at", "nowhere")
        });
        false
    }

    /// A place as people point at it: `in the north-west`.
    pub(crate) fn whereabouts(&self, at: Point) -> &'static str {
        const PLACES: [[&str; 3]; 3] = [
            ["in the south-west", "in the south", "in the south-east"],
            ["in the west", "in the middle", "in the east"],
            ["in the north-west", "in the north", "in the north-east"],
        ];
        let third = |x: f64, most: f64| usize::from(x * 3.0 >= most) + usize::from(x * 3.0 > most * 2.0);
        PLACES[third(at.y, self.field.height)][third(at.x, self.field.width)]
    }

    /// T8: a unit has acted.
    pub(crate) fn end_activation(&mut self, u: No, now: &mut Now<'_>) {
        if let Some((loser, lost)) = self.state.act.due.take()
            && self.unit(loser).is_on_table()
        {
            self.pinning_test(loser, lost, Shock::Melee, now);
        }
        self.state.units[u].activated = true;
        self.ask(Picking);
        // Inches gone are kept in whole thousandths, so an inch on the slant may be one short (WBK-MOD-03).
        let moved = self.state.act.moved;
        self.state.act.moved = 0;
        if let Some(program) = self.field.program()
            && self.unit(u).side != program
            && f64::from(moved + 1) / 1000.0 >= self.field.rulebook.charts.solo.alarm_move
        {
            self.alarm(u, now);
        }
        self.check_end(now);
    }

    /// The acting unit has moved so many inches in its action.
    pub(crate) fn has_gone(&mut self, inches: f64) {
        self.state.act.moved += (inches * 1000.0) as i32;
    }

    /// WBK-SOLO-02.
    fn alarm(&mut self, u: No, now: &mut Now<'_>) {
        let solo = &self.field.rulebook.charts.solo;
        let on = if self.state.round <= 1 { solo.alarm_on_first_round } else { solo.alarm_on };
        if self.dice_for(u, ("alarm", "WBK-SOLO-02"), on, ["raised", "quiet"], now) {
            self.pool_unit_appears(now);
        }
    }

    /// Whether a unit of the active side may still be activated.
    pub(crate) fn may_act(&self, u: No) -> bool {
        let unit = self.unit(u);
        unit.side == self.state.active && unit.is_on_table() && !unit.activated
    }

    /// The units that may.
    pub(crate) fn ready(&self) -> impl Iterator<Item = No> + '_ {
        self.state.units.numbers().filter(|&u| self.may_act(u))
    }

    /// Does one thing that goes by itself; says whether there may be more before a seat must decide or the battle is over.
    pub(crate) fn go_on(&mut self, now: &mut Now<'_>) -> bool {
        if self.state.finish.is_some() {
            self.state.asked = None;
            return false;
        }
        if matches!(self.state.asked, Some(Asked::Picking(_))) {
            let pinned = self.ready().find(|&u| self.unit(u).is_pinned());
            if self.state.ending_turn {
                // T10: Pinned units that were left out rally (WBK-TURN-04).
                match pinned {
                    Some(u) => self.activate(u, now),
                    None => self.end_turn(now),
                }
                return true;
            }
            if self.ready().next().is_none() {
                self.state.ending_turn = true;
                return true;
            }
        }
        if self.field.program().is_some() && self.field.program() == self.decider() {
            self.program_acts(now);
            return true;
        }
        false
    }

    /// T1 to T2 or T9: a unit begins its activation.
    pub(crate) fn activate(&mut self, u: No, now: &mut Now<'_>) {
        let chooser = self.unit(u).side.0;
        self.state.act = Activation { unit: u, chooser, ..Activation::default() };
        if self.unit(u).is_pinned() {
            self.rally(u, now);
        } else {
            self.ask(Declaring);
        }
    }

    fn end_turn(&mut self, now: &mut Now<'_>) {
        for u in self.state.units.numbers() {
            if self.may_act(u) {
                self.state.units[u].activated = true; // WBK-TURN-05
            }
        }
        self.state.ending_turn = false;
        for unit in self.state.units.iter_mut() {
            unit.carried = 0;
        }
        if self.state.turn == 0 {
            self.state.turn = 1;
            self.state.active = self.state.active.enemy();
            self.start_turn(now);
            return;
        }
        self.end_round(now);
        if self.state.finish.is_some() {
            return;
        }
        if self.state.round >= self.field.rounds {
            self.finish(Finish::Rounds, now);
            return;
        }
        self.state.round += 1;
        self.start_round(now);
    }
}
