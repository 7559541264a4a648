//! What a sub-unit does when it is named: the table of D-ACTION, manoeuvres, changes of formation, regimental
//! squares (VF-CMD-17 to -21, VF-MOVE-13 to -23).

use tricorne_chance::Chance;
use tricorne_game::{Event, Illegal, Log};
use tricorne_table::{Pose, angle};

use crate::action::{ActionKind, Base, OtherBase};
use crate::field::{Field, bit, bits, no};
use crate::formation::{Body, bases, pivoted, turned};
use crate::march::Marched;
use crate::measure::{Decimal, Mils, Place, exact, mils, turn};
use crate::model::{Formation, InSquare, Kind, Nr};
use crate::movement::Minding;
use crate::options::{InitiativeLimits, RegimentAction, ShortMarchFire, SquareFire};
use crate::rulebook::inch;
use crate::state::{Acting, Fate, Initiative, Slide, Step};

/// Where a change of shape puts a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reshaped {
    pub place: Place,
    pub formation: Formation,
}

impl Field {
    /// Whether a sub-unit may name an action (D-ACTION).
    pub(crate) fn judge_action(&self, u: Nr, kind: ActionKind) -> Result<(), Illegal> {
        let unit = self.unit(u);
        let id = || self.name(u);
        if kind == ActionKind::Stand {
            return Ok(());
        }
        if self.held_back() {
            return no("VF-CMD-02", "a sub-unit of the regiment is disordered; it may only reform");
        }
        if self.o().regiment_action == RegimentAction::SameForAll
            && let Some(same) = self.s.group.as_ref().and_then(|g| g.same)
            && same != kind
        {
            return no("VF-CMD-15", format!("the regiment has named {}; take that or stand", same.name()));
        }
        let square = unit.formation == Formation::Square;
        let limbered = unit.formation == Formation::Limbered;
        let near = || self.near_enemy(self.side(u), &unit.body);
        if kind.is_march() {
            if square {
                return no("VF-MOVE-23", format!("{} is in square and does not move", id()));
            }
            if self.cannot_move(u) {
                return no("VF-EVENT-24", format!("{} is stuck in the clay", id()));
            }
        }
        match kind {
            ActionKind::Stand | ActionKind::March => Ok(()),
            ActionKind::Fire => {
                self.can_fire(u)?;
                self.fire_limits()?;
                let any = self.has_target(u, 0) || (square && self.has_target(u, 1));
                if any {
                    Ok(())
                } else {
                    no("VF-FIRE-07", format!("{} has no target in arc, range and sight", id()))
                }
            }
            ActionKind::MarchAndFire => {
                self.can_fire(u)?;
                self.fire_limits()
            }
            ActionKind::MarchAndHold => self.can_fire(u),
            ActionKind::Manoeuvre | ActionKind::ManoeuvreAndHold => self.judge_manoeuvre_at_all(u, kind),
            ActionKind::UnlimberAndFire => {
                if !limbered {
                    return no("VF-CMD-20", format!("{} is no limbered gun", id()));
                }
                self.fire_limits()?;
                if near() {
                    return no("VF-MOVE-01", format!("{} may not unlimber within 6 of the enemy", id()));
                }
                Ok(())
            }
            ActionKind::MarchUnlimberAndFire => {
                if !limbered {
                    return no("VF-MOVE-25", format!("{} is no limbered gun", id()));
                }
                self.fire_limits()?;
                if near() && !self.can_get_clear(u) {
                    return no("VF-MOVE-01", format!("{} cannot end more than 6 from the enemy", id()));
                }
                Ok(())
            }
            ActionKind::Charge => {
                self.can_charge(u)?;
                let any = self.present_of(self.side(u).enemy()).any(|e| self.judge_charge(u, e).is_ok());
                if any { Ok(()) } else { no("VF-CHARGE-01", format!("{} has nobody to charge", id())) }
            }
        }
    }

    fn fire_limits(&self) -> Result<(), Illegal> {
        if self.o().initiative_limits == InitiativeLimits::NoFireOnRetreat
            && self.initiative() == Initiative::RetreatOnly
        {
            return no("VF-CMD-12", "under retreat only there is no fire");
        }
        Ok(())
    }

    fn judge_manoeuvre_at_all(&self, u: Nr, kind: ActionKind) -> Result<(), Illegal> {
        let unit = self.unit(u);
        if unit.formation == Formation::Cloud {
            return no("VF-MOVE-16", format!("{} are skirmishers and never manoeuvre", self.name(u)));
        }
        if kind == ActionKind::ManoeuvreAndHold && !matches!(self.kind(u), Kind::Infantry | Kind::Artillery) {
            return no("VF-FIRE-01", format!("{} has no fire to hold", self.name(u)));
        }
        if self.near_enemy(self.side(u), &unit.body) {
            if unit.formation == Formation::Square {
                return no("VF-MOVE-01", format!("{} is within 6 of the enemy", self.name(u)));
            }
            self.judge_slide(u, Slide::Back)?;
        } else if unit.formation == Formation::Wagon && self.cannot_move(u) {
            return no("VF-EVENT-24", format!("{} is stuck in the clay", self.name(u)));
        }
        Ok(())
    }

    /// Whether going straight ahead by up to half a move can bring a gun clear of the enemy.
    fn can_get_clear(&self, u: Nr) -> bool {
        let body = self.unit(u).body;
        let way = body.rect.frame().forward;
        let most = i32::midpoint(self.greatest_move(u), inch(self.p().moves.road));
        (1..=most / 250).any(|i| {
            let d = 0.25 * f64::from(i);
            !self.near_enemy(self.side(u), &body.slid(way * d))
        })
    }

    /// Notes who acts, and how far the nearest enemy is (VF-CMD-11, -21).
    pub(crate) fn act(&mut self, u: Nr, kind: ActionKind, allowance: Mils) {
        let nearest = self.nearest_enemy(self.side(u), &self.unit(u).body);
        self.s.acting = Some(Acting { unit: u, kind, allowance, nearest });
    }

    /// Names an action (D-ACTION); dice for a march come at once.
    pub(crate) fn name_action(&mut self, u: Nr, kind: ActionKind, chance: &mut dyn Chance, log: &mut Log) {
        if let Some(group) = &mut self.s.group
            && group.same.is_none()
            && kind != ActionKind::Stand
        {
            group.same = Some(kind);
        }
        let id = self.spec(u).id;
        if kind != ActionKind::Stand {
            log.say(|| Event::new("action", "VF-CMD-17").who(id).outcome(kind.name()));
        }
        self.act(u, kind, 0);
        match kind {
            ActionKind::Stand => self.stand(u, log),
            ActionKind::Fire => {
                self.fire_or_wait(u, false);
            }
            ActionKind::Manoeuvre | ActionKind::ManoeuvreAndHold => self.push(Step::AskManoeuvre(u)),
            ActionKind::UnlimberAndFire => self.push(Step::AskUnlimber(u)),
            ActionKind::Charge => self.push(Step::AskCharge(u)),
            _ => {
                self.roll_for(u, kind, chance, log);
                self.push(Step::AskPath(u));
            }
        }
    }

    fn roll_for(&mut self, u: Nr, kind: ActionKind, chance: &mut dyn Chance, log: &mut Log) {
        let roll = self.roll_move(u, "move", false, chance);
        self.act(u, kind, roll.allowance);
        let id = self.spec(u).id;
        log.say(|| {
            Event::new("move_roll", "VF-MOVE-06")
                .who(id)
                .faces(&roll.faces)
                .with("inches", exact(roll.allowance))
        });
    }

    /// A march has been walked (D-PATH).
    pub(crate) fn marched(&mut self, u: Nr, to: Marched, log: &mut Log) {
        let id = self.spec(u).id;
        let moved = to.place != self.unit(u).place;
        if to.exits {
            self.unit_mut(u).gone = Some(Fate::Exited);
            log.say(|| Event::new("exits", "VF-SCEN-13").who(id));
            return;
        }
        if moved {
            self.put(u, to.place);
        }
        log.say(|| {
            Event::new("marches", "VF-MOVE-05")
                .who(id)
                .with("cost", exact(to.cost))
                .with("x", exact(to.place.x))
                .with("y", exact(to.place.y))
                .with("facing", exact(to.place.t))
        });
        let Some(acting) = self.s.acting else { return };
        let short = 2 * to.cost <= to.allowance;
        match acting.kind {
            ActionKind::MarchAndFire => {
                self.fire_or_wait(u, true);
            }
            ActionKind::MarchAndHold => self.hold(u),
            // Too near the enemy it stays on its limber (VF-MOVE-01).
            ActionKind::MarchUnlimberAndFire if self.judge_clear_to_turn(u).is_ok() => {
                self.push(Step::AskUnlimber(u));
            }
            ActionKind::March
                if self.o().short_march_fire == ShortMarchFire::ByDistance
                    && short
                    && self.can_fire(u).is_ok() =>
            {
                self.fire_or_wait(u, true);
            }
            _ => {}
        }
    }

    /// Asks at whom a unit fires, unless the whole group moves first (VF-CMD-14).
    pub(crate) fn fire_or_wait(&mut self, u: Nr, optional: bool) {
        if !self.fires_later(u) {
            self.ask_target(u, optional);
        }
    }

    /// Asks at whom a unit fires; a square is asked for each base.
    pub(crate) fn ask_target(&mut self, u: Nr, optional: bool) {
        if self.unit(u).formation == Formation::Square {
            self.push(Step::SquareFace { unit: u, face: 0 });
        } else {
            self.push(Step::AskTarget { unit: u, face: 0, optional });
        }
    }

    /// A unit keeps its fire, if it has any.
    pub(crate) fn hold(&mut self, u: Nr) {
        let holds = self.can_fire(u).is_ok();
        self.unit_mut(u).held_fire |= holds;
    }

    /// Asks a square's base for its target, A first (VF-FIRE-05).
    pub(crate) fn square_face(&mut self, u: Nr, face: u8) {
        if face > 1
            || !self.unit(u).here()
            || self.can_fire(u).is_err()
            || self.unit(u).formation != Formation::Square
        {
            return;
        }
        self.push(Step::SquareFace { unit: u, face: face + 1 });
        self.push(Step::AskTarget { unit: u, face, optional: true });
    }

    /// After one base has fired, the other does only if the option lets it.
    pub(crate) fn face_has_fired(&mut self) {
        if self.o().square_fire == SquareFire::OneFace
            && matches!(self.s.stack.last(), Some(Step::SquareFace { .. }))
        {
            self.s.stack.pop();
        }
    }

    /// Whether a slide may be named at all (VF-MOVE-01, -13, VF-CMD-12).
    pub(crate) fn judge_slide(&self, u: Nr, way: Slide) -> Result<(), Illegal> {
        let unit = self.unit(u);
        if unit.formation == Formation::Square {
            return no("VF-MOVE-23", format!("{} is in square and does not move", self.name(u)));
        }
        if self.cannot_move(u) {
            return no("VF-EVENT-24", format!("{} is stuck in the clay", self.name(u)));
        }
        if way == Slide::Back {
            if self.initiative() == Initiative::AdvanceOnly {
                return no("VF-CMD-12", format!("{} may advance only and so not move back", self.name(u)));
            }
        } else if self.near_enemy(self.side(u), &unit.body) {
            return no(
                "VF-MOVE-01",
                format!("{} is within 6 of the enemy; only straight back", self.name(u)),
            );
        }
        Ok(())
    }

    /// Rolls for a slide.
    pub(crate) fn start_slide(&mut self, u: Nr, way: Slide, chance: &mut dyn Chance, log: &mut Log) {
        let kind = self.s.acting.map_or(ActionKind::Manoeuvre, |a| a.kind);
        self.roll_for(u, kind, chance, log);
        self.push(Step::AskDistance { unit: u, way });
    }

    /// Judges how far a slide goes: half the allowance at most (VF-MOVE-13).
    pub(crate) fn judge_distance(&self, u: Nr, way: Slide, distance: Decimal) -> Result<Place, Illegal> {
        let Some(acting) = self.s.acting else { return no("VF-MOVE-13", "no manoeuvre is under way") };
        let unit = self.unit(u);
        if distance.0 < 0 {
            return no("VF-MOVE-13", "a distance can't be less than 0");
        }
        let frame = unit.body.rect.frame();
        let along = match way {
            Slide::Left => -frame.right(),
            Slide::Right => frame.right(),
            Slide::Back => -frame.forward,
        };
        let length = distance.get();
        let (side, mover) = (self.side(u), self.mover(u));
        let (run, bar) = self.free_run(side, mover, &unit.body, along, length, Minding::all(u));
        if let Some(bar) = bar.filter(|_| run + 0.000_5 < length) {
            return self.barred(u, bar, run);
        }
        let cost = mils(self.straight_cost(mover, &unit.body, along, length, None));
        if 2 * cost > acting.allowance {
            let why =
                format!("that costs {:.3}; half of {:.3} is the limit", exact(cost), exact(acting.allowance));
            return no("VF-MOVE-13", why);
        }
        let place = Place::of(unit.place.pose().slid(along * length));
        let body = Body::new(place.pose(), unit.formation, unit.strength);
        let blocked = self.present().find(|&o| o != u && body.overlaps(&self.unit(o).body));
        if let Some(o) = blocked.filter(|_| place != unit.place) {
            return no("VF-MODEL-44", format!("that ends on top of {}", self.name(o)));
        }
        self.judge_initiative(u, &unit.body, &body, acting.nearest)?;
        Ok(place)
    }

    pub(crate) fn judge_clear_to_turn(&self, u: Nr) -> Result<(), Illegal> {
        if self.near_enemy(self.side(u), &self.unit(u).body) {
            return no(
                "VF-MOVE-01",
                format!("{} is within 6 of the enemy; it may only go straight", self.name(u)),
            );
        }
        Ok(())
    }

    /// Judges a change of facing or formation (VF-MODEL-42, VF-MOVE-13, -18, -19).
    pub(crate) fn judge_shape(
        &self,
        u: Nr,
        pivot: Base,
        facing: Decimal,
        formation: Formation,
        other: OtherBase,
    ) -> Result<Reshaped, Illegal> {
        self.judge_clear_to_turn(u)?;
        let unit = self.unit(u);
        if !matches!(self.kind(u), Kind::Infantry | Kind::Heavy | Kind::Light) {
            return no(
                "VF-MOVE-18",
                format!("{} has no such formation; guns limber and unlimber", self.name(u)),
            );
        }
        if !self.kind(u).formations().contains(&formation) {
            return no("VF-MOVE-18", format!("{} may not form {}", self.kind(u).name(), formation.name()));
        }
        let before = match (formation, other) {
            (Formation::Line, OtherBase::Right) | (Formation::Column, OtherBase::Front) => true,
            (Formation::Line, OtherBase::Left)
            | (Formation::Column | Formation::Square, OtherBase::Behind) => false,
            _ => {
                let why = "the other base goes left or right in a line, front or behind in a column, behind in a square";
                return no("VF-MODEL-42", why);
            }
        };
        let all = bases(&unit.body, unit.formation, unit.square);
        let Some(&(centre, _)) = all.get(usize::from(pivot == Base::B)) else {
            return no("VF-MODEL-42", "there is no such base");
        };
        let pose = pivoted(centre, exact(turn(facing.0)), formation, before);
        self.judge_reshaped(u, pose, formation)
    }

    fn judge_reshaped(&self, u: Nr, pose: Pose, formation: Formation) -> Result<Reshaped, Illegal> {
        let unit = self.unit(u);
        let place = Place::of(pose);
        let now = unit.place;
        let same = place.t == now.t && (place.x - now.x).abs() <= 2 && (place.y - now.y).abs() <= 2;
        if same && crate::formation::size(formation) == crate::formation::size(unit.formation) {
            // The same ground, but for rounding.
            return Ok(Reshaped { place: now, formation });
        }
        let body = Body::new(place.pose(), formation, unit.strength);
        if !self.room_for(&body, Some(u), self.mover(u)) {
            return no("VF-MODEL-44", "there is no room to stand so");
        }
        let clear = inch(self.p().distance.clear);
        if let Some(e) =
            self.present_of(self.side(u).enemy()).find(|&e| body.gap_mils(&self.unit(e).body) < clear)
        {
            return no("VF-MODEL-45", format!("that comes nearer than 1 to {}", self.name(e)));
        }
        Ok(Reshaped { place, formation })
    }

    /// Judges limbering and unlimbering (VF-MOVE-15).
    pub(crate) fn judge_limber(&self, u: Nr, limber: bool, facing: Decimal) -> Result<Reshaped, Illegal> {
        let formation = if limber { Formation::Limbered } else { Formation::Unlimbered };
        if self.kind(u) != Kind::Artillery {
            return no("VF-MOVE-15", format!("{} is no gun", self.name(u)));
        }
        self.judge_clear_to_turn(u)?;
        let pose = turned(&self.unit(u).body, exact(turn(facing.0)));
        if Place::of(pose).t == self.unit(u).place.t {
            return Ok(Reshaped { place: self.unit(u).place, formation });
        }
        self.judge_reshaped(u, pose, formation)
    }

    /// A unit takes a new shape.
    pub(crate) fn reshape(&mut self, u: Nr, to: Reshaped, log: &mut Log) {
        self.leave_square(u);
        let unit = self.unit_mut(u);
        unit.formation = to.formation;
        unit.square = None;
        self.put(u, to.place);
        let id = self.spec(u).id;
        log.say(|| {
            Event::new("changes_formation", "VF-MODEL-42")
                .who(id)
                .outcome(to.formation.name())
                .with("facing", exact(to.place.t))
        });
    }

    /// After a manoeuvre: held fire if that was named (VF-MOVE-26).
    pub(crate) fn manoeuvred(&mut self, u: Nr) {
        if self.s.acting.is_some_and(|a| a.kind == ActionKind::ManoeuvreAndHold) {
            self.hold(u);
        }
    }

    // --- Regimental squares (VF-MOVE-20, -21, VF-MODEL-24, -25) ---

    /// Whether a battalion may take part.
    fn square_member(&self, u: Nr) -> Result<(), Illegal> {
        let unit = self.unit(u);
        let id = self.name(u);
        if self.kind(u) != Kind::Infantry {
            return no("VF-MOVE-21", format!("{id} is no battalion"));
        }
        if unit.disordered || unit.shaken {
            return no("VF-MOVE-21", format!("{id} is disordered"));
        }
        if self.near_enemy(self.side(u), &unit.body) {
            return no("VF-MOVE-21", format!("{id} is within 6 of the enemy"));
        }
        Ok(())
    }

    /// The battalions that can form a regimental square now.
    pub(crate) fn square_members(&self) -> u64 {
        let Some(group) = &self.s.group else { return 0 };
        if group.begun || group.all.count_ones() < 2 || self.held_back() {
            return 0;
        }
        let able: u64 = bits(group.left).filter(|&u| self.square_member(u).is_ok()).map(bit).sum();
        if able.count_ones() >= 2 { able } else { 0 }
    }

    /// Where the anchor of a regimental square stands.
    fn anchor_place(&self, anchor: Nr, facing: Decimal) -> Place {
        let unit = self.unit(anchor);
        let centre =
            bases(&unit.body, unit.formation, unit.square).first().map_or(unit.body.centroid(), |b| b.0);
        Place::of(pivoted(centre, exact(turn(facing.0)), Formation::Square, false))
    }

    pub(crate) fn judge_regimental_square(&self, anchor: Nr, facing: Decimal) -> Result<Place, Illegal> {
        if self.square_members() & bit(anchor) == 0 {
            self.square_member(anchor)?;
            return no(
                "VF-MOVE-21",
                "it takes two battalions of the group that can take part, before anyone acts",
            );
        }
        let place = self.anchor_place(anchor, facing);
        let body = Body::new(place.pose(), Formation::Square, self.unit(anchor).strength);
        if !self.room_for(&body, Some(anchor), self.mover(anchor)) {
            return no("VF-MODEL-44", "there is no room for the anchor to form square facing that way");
        }
        Ok(place)
    }

    /// Forms a regimental square.
    pub(crate) fn form_regimental_square(
        &mut self,
        (anchor, at, open_rear): (Nr, Place, bool),
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let members = self.square_members();
        let right = angle::right(exact(at.t));
        let mut places = vec![(anchor, at)];
        let mut out: Vec<Nr> = Vec::new();
        let mut broken = false;
        for u in bits(members & !bit(anchor)) {
            if broken {
                out.push(u);
                continue;
            }
            let offset = 2.5 * places.len() as f64;
            let place = Place::of(at.pose().slid(right * offset));
            let body = Body::new(place.pose(), Formation::Square, self.unit(u).strength);
            let roll = self.roll_move(u, "move", false, chance);
            let travel = mils(self.unit(u).body.centroid().distance(body.centroid()));
            // Those still to take their places make room; those that stay out do not.
            let taken: u64 = places.iter().map(|(o, _)| bit(*o)).sum();
            let room = self.room_ignoring(&body, taken | (members & !bit(u)) | bit(u), self.mover(u));
            if 2 * travel > roll.allowance || !room {
                broken = true;
                out.push(u);
            } else {
                places.push((u, place));
            }
        }
        // One that stays out may stand in the place of one that came in: then the line ends before it.
        while places.len() > 1
            && places.iter().any(|(u, place)| {
                let body = Body::new(place.pose(), Formation::Square, self.unit(*u).strength);
                out.iter().any(|&o| body.overlaps(&self.unit(o).body))
            })
        {
            if let Some((u, _)) = places.pop() {
                out.push(u);
            }
        }
        let of = places.len() as u8;
        for (index, &(u, place)) in places.iter().enumerate() {
            let unit = self.unit_mut(u);
            unit.formation = Formation::Square;
            unit.square = (of > 1).then_some(InSquare { index: index as u8, of, open_rear, anchor });
            unit.activated = true;
            self.put(u, place);
            self.hold(u);
        }
        for &u in &out {
            self.unit_mut(u).activated = true;
            self.stand(u, log);
        }
        if let Some(group) = &mut self.s.group {
            group.left &= !members;
            group.begun = true;
        }
        let id = self.spec(anchor).id;
        log.say(|| {
            Event::new("regimental_square", "VF-MOVE-21").who(id).made(i32::from(of)).outcome(if open_rear {
                "three_sided"
            } else {
                "closed"
            })
        });
    }
}
