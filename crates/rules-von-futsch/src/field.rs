//! A battle being fought: the state, the brief, and the questions every phase asks of them.

use std::sync::Arc;

use tricorne_drill::{Refusal, deny};
use tricorne_game::{Event, Illegal, Log, Side};
use tricorne_table::{Point, Pose, Rect};

use crate::brief::Brief;
use crate::judgement::weights::Wits;
use crate::model::formation::Body;
use crate::model::measure::{Mils, Place, mils};
use crate::model::{CommanderSpec, Cr, Formation, Kind, Nr, UnitSpec};
use crate::options::{BreakCount, Options};
use crate::questions::Questions;
use crate::rulebook::{Profiles, Share, inch};
use crate::state::{Commander, Fate, State, Step, Unit};

/// A battle under these rules.
#[derive(Clone, Debug)]
pub struct Field {
    pub(crate) s: State,
    pub(crate) b: Arc<Brief>,
    /// What the judgement of programs goes by; no rule looks at it.
    pub(crate) mind: Arc<Wits>,
}

/// A unit's bit.
pub(crate) fn bit(u: Nr) -> u64 {
    1 << u.0
}

/// The units of a set of bits, lowest number first.
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = Nr> + Clone {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let n = set.trailing_zeros();
            set &= set - 1;
            Nr(n as u8)
        })
    })
}

impl Field {
    pub(crate) fn unit(&self, u: Nr) -> &Unit {
        &self.s.units[usize::from(u.0)]
    }

    pub(crate) fn unit_mut(&mut self, u: Nr) -> &mut Unit {
        &mut self.s.units[usize::from(u.0)]
    }

    pub(crate) fn spec(&self, u: Nr) -> &UnitSpec {
        &self.b.units[usize::from(u.0)]
    }

    pub(crate) fn commander(&self, c: Cr) -> &Commander {
        &self.s.commanders[usize::from(c.0)]
    }

    pub(crate) fn commander_mut(&mut self, c: Cr) -> &mut Commander {
        &mut self.s.commanders[usize::from(c.0)]
    }

    pub(crate) fn chief(&self, c: Cr) -> &CommanderSpec {
        &self.b.commanders[usize::from(c.0)]
    }

    pub(crate) fn o(&self) -> &Options {
        &self.b.options
    }

    pub(crate) fn p(&self) -> &Profiles {
        &self.b.rulebook.profiles
    }

    pub(crate) fn kind(&self, u: Nr) -> Kind {
        self.spec(u).kind
    }

    pub(crate) fn side(&self, u: Nr) -> Side {
        self.spec(u).side
    }

    pub(crate) fn name(&self, u: Nr) -> String {
        self.spec(u).id.to_string()
    }

    /// What a unit is called in stories.
    pub(crate) fn told(&self, u: Nr) -> String {
        let spec = self.spec(u);
        if spec.name.is_empty() { format!("{} {}", spec.kind.name(), spec.id) } else { spec.name.clone() }
    }

    /// Several units by name, as a sentence lists them: `Navarre I, Navarre II and Navarre III`.
    pub(crate) fn told_together(&self, units: u64) -> String {
        let mut names: Vec<String> = bits(units).map(|u| self.told(u)).collect();
        match names.pop() {
            Some(last) if names.is_empty() => last,
            Some(last) => format!("{} and {last}", names.join(", ")),
            None => String::new(),
        }
    }

    pub(crate) fn push(&mut self, step: Step) {
        // The deepest chain of questions is far shorter than the stack.
        let _ = self.s.stack.try_push(step);
    }

    /// Asks a question next.
    pub(crate) fn ask(&mut self, question: impl Into<Questions>) {
        self.push(Step::Ask(question.into()));
    }

    /// Where a unit stands, if it is there.
    pub(crate) fn stands(&self, u: Nr) -> Option<Pose> {
        let unit = self.unit(u);
        unit.here().then(|| unit.place.pose())
    }

    /// Units on the table.
    pub(crate) fn present(&self) -> impl Iterator<Item = Nr> + '_ {
        (0..self.s.units.len()).filter(|&i| self.s.units[i].here()).map(|i| Nr(i as u8))
    }

    /// Units of a side on the table.
    pub(crate) fn present_of(&self, side: Side) -> impl Iterator<Item = Nr> + '_ {
        self.present().filter(move |&u| self.side(u) == side)
    }

    /// Commanders in play.
    pub(crate) fn chiefs(&self) -> impl Iterator<Item = Cr> + '_ {
        (0..self.s.commanders.len()).filter(|&i| self.s.commanders[i].gone.is_none()).map(|i| Cr(i as u8))
    }

    /// Commanders of a side that are in play and not attached.
    pub(crate) fn loose_chiefs(&self, side: Side) -> impl Iterator<Item = Cr> + '_ {
        self.chiefs().filter(move |&c| self.chief(c).side == side && self.commander(c).host.is_none())
    }

    pub(crate) fn commander_body(&self, c: Cr) -> Body {
        match self.commander(c).host {
            Some(host) => self.unit(host).body,
            None => Body::of_commander(self.commander(c).at(), self.chief(c).level.base(self.p())),
        }
    }

    /// Whether any enemy unit of a side is within so many inches of a body.
    pub(crate) fn enemy_within(&self, side: Side, body: &Body, limit: Mils) -> bool {
        let enemy = side.enemy();
        self.present_of(enemy).any(|e| {
            let other = &self.unit(e).body;
            body.may_reach(other, f64::from(limit) / 1000.0) && self.o().within(body.gap_mils(other), limit)
        })
    }

    /// Within the distance of VF-MOVE-01.
    pub(crate) fn near_enemy(&self, side: Side, body: &Body) -> bool {
        self.enemy_within(side, body, inch(self.p().distance.near_enemy))
    }

    /// That a unit is so near the enemy, for a refusal (VF-MOVE-01).
    pub(crate) fn too_near(&self, u: Nr) -> String {
        format!("{} is within {} of the enemy", self.name(u), self.p().distance.near_enemy)
    }

    /// The nearest enemy unit and how far it is; the lowest number on ties (VF-CMD-11).
    pub(crate) fn nearest_enemy(&self, side: Side, body: &Body) -> Option<(Nr, Mils)> {
        let mut best: Option<(Nr, Mils)> = None;
        for e in self.present_of(side.enemy()) {
            let other = &self.unit(e).body;
            if let Some((_, least)) = best
                && !body.may_reach(other, f64::from(least) / 1000.0)
            {
                continue;
            }
            let gap = body.gap_mils(other);
            if best.is_none_or(|(_, least)| gap < least) {
                best = Some((e, gap));
            }
        }
        best
    }

    /// Puts a unit somewhere. If it stood elsewhere, or otherwise, a move ends here (VF-CAPTURE-06 is looked into next).
    pub(crate) fn put(&mut self, u: Nr, place: Place) {
        let unit = self.unit_mut(u);
        let stood = unit.body;
        unit.place = place;
        unit.settle();
        if unit.body != stood {
            self.s.moved |= bit(u);
        }
        self.set_aside(u);
    }

    /// A unit that has come to reach over the edge where it stands is pushed in, square to it.
    pub(crate) fn push_in(&mut self, u: Nr) {
        let inwards = self.inwards(&self.unit(u).body);
        if inwards != Point::ORIGIN {
            let pose = self.unit(u).place.pose().slid(inwards);
            self.put(u, Place::of(pose));
        }
    }

    /// The least way, square to the edges, that brings a body back onto the table.
    pub(crate) fn inwards(&self, body: &Body) -> Point {
        let (mut low, mut high) = (Point::ORIGIN, Point::ORIGIN);
        for c in body.parts().iter().flat_map(Rect::corners) {
            low = Point::new(low.x.max(-c.x), low.y.max(-c.y));
            high = Point::new(high.x.max(c.x - self.b.width), high.y.max(c.y - self.b.height));
        }
        // What only rounding puts over the edge is not over it.
        let over = |out: f64| if mils(out) > 0 { out } else { 0.0 };
        Point::new(over(low.x) - over(high.x), over(low.y) - over(high.y))
    }

    /// A unit is disordered: it can no longer hold its fire (VF-FIRE-24).
    pub(crate) fn disorder(&mut self, u: Nr) {
        let unit = self.unit_mut(u);
        unit.disordered = true;
        unit.turn.held_fire = false;
    }

    /// A unit leaves the game.
    pub(crate) fn remove(&mut self, u: Nr, fate: Fate, in_melee: bool, log: &mut Log) {
        let clause = match fate {
            Fate::LeftTable => "VF-MORALE-11",
            Fate::Captured if self.kind(u) == Kind::Artillery => "VF-CAPTURE-03",
            Fate::Captured => "VF-MELEE-26",
            _ => "VF-FIRE-22",
        };
        self.take_off_table(u, fate, (clause, ""), in_melee, log);
    }

    /// A unit that routs is no more, and why (VF-MORALE-10, -16).
    pub(crate) fn disperse(&mut self, u: Nr, clause: &str, why: &str, in_melee: bool, log: &mut Log) {
        self.take_off_table(u, Fate::Dispersed, (clause, why), in_melee, log);
    }

    /// A unit that cannot get away from whom it fought lays down its arms (VF-MELEE-33).
    pub(crate) fn lay_down_arms(&mut self, u: Nr, log: &mut Log) {
        self.take_off_table(u, Fate::Captured, ("VF-MELEE-33", ""), true, log);
    }

    fn take_off_table(
        &mut self,
        u: Nr,
        fate: Fate,
        (clause, why): (&str, &str),
        in_melee: bool,
        log: &mut Log,
    ) {
        if !self.unit(u).here() {
            return;
        }
        self.leave_square(u);
        let unit = self.unit_mut(u);
        unit.gone = Some(fate);
        unit.turn.held_fire = false;
        self.s.moved &= !bit(u);
        let id = self.spec(u).id;
        log.say(|| Event::new("removed", clause).who(id).outcome(fate.name()).with("because", why));
        let what = match fate {
            Fate::Captured => "the capture of",
            Fate::Dispersed => "the rout of",
            Fate::LeftTable => "the flight of",
            _ => "the loss of",
        };
        self.mishap(u, what, log);
        for i in 0..self.s.commanders.len() {
            let c = Cr(i as u8);
            if self.commander(c).gone.is_some() || self.commander(c).host != Some(u) {
                continue;
            }
            let at = self.unit(u).body.centroid();
            if fate == Fate::LeftTable {
                // VF-CMD-26
                self.lose_commander(c, Fate::LostWithHost, log);
                continue;
            }
            let at = self.free_place(c, at);
            let commander = self.commander_mut(c);
            commander.host = None;
            commander.x = crate::model::measure::mils(at.x);
            commander.y = crate::model::measure::mils(at.y);
            if in_melee && self.meets_captors(u) {
                self.s.moved_commanders |= 1 << i;
            }
        }
    }

    /// Whether a unit fights anybody but drovers, who take no commander (VF-CAPTURE-06).
    fn meets_captors(&self, u: Nr) -> bool {
        let takes = |foe: Nr| self.kind(foe) != Kind::Wagon;
        self.s.melee.is_none_or(|m| m.attacker != u || m.duels().iter().any(|duel| takes(duel.defender)))
    }

    /// A unit has routed, been destroyed or been forced off (VF-ARMYMORALE-02, -03); `what` says which in words.
    pub(crate) fn mishap(&mut self, u: Nr, what: &'static str, log: &mut Log) {
        let spec = self.spec(u);
        if spec.kind == Kind::Wagon {
            return;
        }
        let (side, id) = (spec.side, spec.id);
        let counts = match self.o().break_count {
            BreakCount::EachEvent => true,
            _ => !self.unit(u).mishap,
        };
        self.unit_mut(u).mishap = true;
        if counts {
            self.lose_morale(side, id, (what, "VF-ARMYMORALE-02"), log);
        }
    }

    fn lose_morale(
        &mut self,
        side: Side,
        id: tricorne_game::UnitId,
        (what, clause): (&'static str, &'static str),
        log: &mut Log,
    ) {
        let lost = &mut self.s.morale_lost[side.index()];
        *lost = lost.saturating_add(1);
        let left = self.army_morale(side);
        let name = &self.b.names[side.index()];
        log.say(|| {
            let event = Event::new("army_morale", clause).who(id).made(left);
            event.with("side", name.as_str()).with("what", what)
        });
    }

    /// What is left of a side's army morale.
    pub(crate) fn army_morale(&self, side: Side) -> i32 {
        i32::from(self.b.break_point[side.index()]) - i32::from(self.s.morale_lost[side.index()])
    }

    /// A commander leaves the game (VF-ARMYMORALE-04).
    pub(crate) fn lose_commander(&mut self, c: Cr, fate: Fate, log: &mut Log) {
        let commander = self.commander_mut(c);
        commander.gone = Some(fate);
        commander.host = None;
        let (id, side) = (self.chief(c).id, self.chief(c).side);
        log.say(|| Event::new("commander_lost", "VF-ARMYMORALE-04").who(id).outcome(fate.name()));
        self.lose_morale(side, id, ("the loss of", "VF-ARMYMORALE-04"), log);
    }

    /// The others of a regimental square that one leaves stand in battalion squares (VF-MOVE-22).
    pub(crate) fn leave_square(&mut self, u: Nr) {
        let Some(square) = self.unit(u).square else { return };
        for i in 0..self.s.units.len() {
            if self.s.units[i].square.is_some_and(|s| s.anchor == square.anchor) {
                self.s.units[i].square = None;
            }
        }
    }

    /// Figures lost.
    pub(crate) fn lost(&self, u: Nr) -> u8 {
        self.spec(u).start.saturating_sub(self.unit(u).strength)
    }

    /// Whether so many lost are at least a share of the start.
    pub(crate) fn share_lost(&self, u: Nr, lost: u8, share: [u8; 2]) -> bool {
        share.reached(lost, self.spec(u).start)
    }

    /// Whether the losses are at the point where a unit is Shaken (VF-SHAKEN-01).
    pub(crate) fn past_threshold(&self, u: Nr, lost: u8) -> bool {
        self.share_lost(u, lost, self.p().shaken.of(self.spec(u).quality))
    }

    /// Takes figures off. True if that makes it Shaken (VF-SHAKEN-02).
    pub(crate) fn take_off(&mut self, u: Nr, kills: u8) -> bool {
        let before = self.lost(u);
        let unit = self.unit_mut(u);
        let kills = kills.min(unit.strength);
        unit.strength -= kills;
        unit.ever_lost += u16::from(kills);
        unit.settle();
        if kills == 0 || unit.strength == 0 || unit.shaken {
            return false;
        }
        self.becomes_shaken(u, before, self.lost(u))
    }

    /// Whether losses that grow so make a unit Shaken (VF-SHAKEN-02).
    pub(crate) fn becomes_shaken(&self, u: Nr, before: u8, after: u8) -> bool {
        match self.o().shaken_trigger {
            crate::options::ShakenTrigger::Crossing => {
                !self.past_threshold(u, before) && self.past_threshold(u, after)
            }
            crate::options::ShakenTrigger::EveryLoss => self.past_threshold(u, after),
        }
    }

    /// Whether the army commander rides with a unit, or with its group if the option says so (VF-CMD-25).
    pub(crate) fn army_commander_with(&self, u: Nr) -> Option<Cr> {
        self.chiefs().find(|&c| {
            self.chief(c).level == crate::model::Level::Army
                && self.commander(c).host.is_some_and(|host| {
                    host == u
                        || (self.o().attach_scope == crate::options::AttachScope::WholeGroup
                            && self.side(u) == self.side(host)
                            && self.group_led(host) & bit(u) != 0)
                })
        })
    }

    /// The group of a host: as it was woken, while it acts, though it may have gone apart (VF-CMD-05).
    fn group_led(&self, host: Nr) -> u64 {
        let woken = self.s.group.as_ref().map(|g| g.all).filter(|all| all & bit(host) != 0);
        woken.unwrap_or_else(|| self.group_of(host))
    }

    /// The army commander attached to this very unit (VF-MELEE-13 works on the host alone).
    pub(crate) fn army_commander_on(&self, u: Nr) -> Option<Cr> {
        self.chiefs()
            .find(|&c| self.chief(c).level == crate::model::Level::Army && self.commander(c).host == Some(u))
    }

    /// Whether a unit is of a kind and in a state to shoot (VF-FIRE-01 to -03, VF-EVENT-25).
    pub(crate) fn can_fire(&self, u: Nr) -> Result<(), Illegal> {
        self.ready_to_fire(u)
    }

    pub(crate) fn ready_to_fire<E: Refusal>(&self, u: Nr) -> Result<(), E> {
        let unit = self.unit(u);
        let id = || self.name(u);
        match self.kind(u) {
            Kind::Heavy | Kind::Light | Kind::Wagon => {
                return deny("VF-FIRE-01", || {
                    format!("{} is {}, which never fires", id(), self.kind(u).name())
                });
            }
            Kind::Artillery if unit.formation == Formation::Limbered => {
                return deny("VF-FIRE-03", || format!("{} is limbered; it must unlimber first", id()));
            }
            _ => {}
        }
        // Who stands though Shaken (`shaken_pass = stays`) is not disordered, and fires with half its dice (VF-FIRE-06).
        if unit.disordered {
            return deny("VF-FIRE-02", || format!("{} is disordered; it must reform first", id()));
        }
        if unit.turn.silenced {
            return deny("VF-EVENT-25", || format!("{} has a burst gun and is silent this turn", id()));
        }
        Ok(())
    }

    /// The bearing of a side's own table edge.
    pub(crate) fn home_bearing(side: Side) -> f64 {
        if side.0 == 0 { 180.0 } else { 0.0 }
    }
}
