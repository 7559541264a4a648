//! D-REGSQUARE: the battalions of a group form one square (VF-MOVE-20, -21, VF-MODEL-24, -25).

use serde::Serialize;
use tricorne_chance::{Chance, Whim};
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat};
use tricorne_table::{Pose, angle};

use crate::action::{Action, ActionKind};
use crate::field::{Field, bit, bits};
use crate::model::formation::{bases, pivoted};
use crate::model::measure::{Decimal, Place, exact, mils, turn};
use crate::model::{Formation, InSquare, Kind, Nr};
use crate::questions::{asks, seat};
use crate::rulebook::Share;

/// Form a regimental square?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FormSquare;

/// A square to be formed.
#[derive(Clone, Copy, Debug)]
pub struct Ordered {
    /// The battalion the others form on.
    pub anchor: Nr,
    /// Where it stands.
    pub place: Place,
    /// A three-sided square.
    pub open_rear: bool,
}

impl Question<Field> for FormSquare {
    type Judged = Option<Ordered>;

    asks!("regimental_square", "activation", "Form a regimental square?");

    fn seat(&self, field: &Field) -> Seat {
        seat(field.controller())
    }

    fn answers(&self, _: &Field, out: &mut Answers<Action>) {
        out.list(Action::Pass);
        out.space("regimental_square", None, None, "anchor, facing, open_rear");
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Option<Ordered>, Illegal> {
        match answer {
            Action::Pass => Ok(None),
            Action::RegimentalSquare { anchor, facing, open_rear } => {
                let anchor = field.named(*anchor)?;
                let place = field.judge_regimental_square(anchor, *facing)?;
                Ok(Some(Ordered { anchor, place, open_rear: *open_rear }))
            }
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, ordered: Option<Ordered>, now: &mut Now<'_>) {
        if let Some(Ordered { anchor, place, open_rear }) = ordered {
            field.form_regimental_square((anchor, place, open_rear), now.chance, now.log);
        }
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Pass
    }

    fn only(&self, field: &Field) -> Option<Action> {
        (field.square_members() == 0).then_some(Action::Pass)
    }

    fn end(&self, _: &Field, ordered: &Option<Ordered>) -> Option<Pose> {
        ordered.map(|o| o.place.pose())
    }

    fn preview(&self, field: &Field, ordered: &Option<Ordered>) -> Preview {
        let mut preview = Preview::default();
        preview.overlays.extend(ordered.map(|o| field.ghost(o.anchor, o.place, Formation::Square)));
        preview
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        if whim.chance(0.93) {
            return Action::Pass;
        }
        let members: Vec<Nr> = bits(field.square_members()).collect();
        whim.one_of(&members).map_or(Action::Pass, |&u| Action::RegimentalSquare {
            anchor: field.spec(u).id,
            facing: Decimal(field.unit(u).place.t),
            open_rear: whim.chance(0.5),
        })
    }

    crate::questions::guessed!();
}

impl Field {
    /// Whether a battalion may take part.
    fn square_member(&self, u: Nr) -> Result<(), Illegal> {
        let unit = self.unit(u);
        let id = self.name(u);
        if self.kind(u) != Kind::Infantry {
            return refuse("VF-MOVE-21", format!("{id} is no battalion"));
        }
        if unit.one_base {
            return refuse("VF-MODEL-51", format!("{id} stands on one base"));
        }
        if unit.disordered || unit.shaken {
            return refuse("VF-MOVE-21", format!("{id} is disordered"));
        }
        if self.near_enemy(self.side(u), &unit.body) {
            return refuse("VF-MOVE-21", self.too_near(u));
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
        Place::of(pivoted(centre, exact(turn(facing.0)), Formation::Square, false, unit.bases.troops))
    }

    pub(crate) fn judge_regimental_square(&self, anchor: Nr, facing: Decimal) -> Result<Place, Illegal> {
        if self.square_members() & bit(anchor) == 0 {
            self.square_member(anchor)?;
            return refuse(
                "VF-MOVE-21",
                "it takes two battalions of the group that can take part, before anyone acts",
            );
        }
        let place = self.anchor_place(anchor, facing);
        let body = self.p().base.body(place.pose(), Formation::Square, self.unit(anchor).strength);
        if !self.room_for(&body, Some(anchor), self.mover(anchor)) {
            return refuse("VF-MODEL-44", "there is no room for the anchor to form square facing that way");
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
        let mut rolled = Vec::new();
        let mut broken = false;
        for u in bits(members & !bit(anchor)) {
            if broken {
                out.push(u);
                continue;
            }
            let offset = self.p().base.troops * places.len() as f64;
            let place = Place::of(at.pose().slid(right * offset));
            let body = self.p().base.body(place.pose(), Formation::Square, self.unit(u).strength);
            let roll = self.roll_move(u, "move", false, chance);
            let travel = mils(self.unit(u).body.centroid().distance(body.centroid()));
            // Those still to take their places make room; those that stay out do not.
            let taken: u64 = places.iter().map(|(o, _)| bit(*o)).sum();
            let room =
                self.room_ignoring(&body, Some(u), taken | (members & !bit(u)) | bit(u), self.mover(u));
            let far = !self.p().moves.short.allows(travel, roll.allowance);
            rolled.push((u, roll, travel, far));
            let open = room && !self.comes_too_near(u, &body) && self.may_ride_to(u, place);
            if far || !open {
                broken = true;
                out.push(u);
            } else {
                places.push((u, place));
            }
        }
        // One that stays out may stand in the place of one that came in: then the line ends before it.
        while places.len() > 1
            && places.iter().any(|(u, place)| {
                let body = self.p().base.body(place.pose(), Formation::Square, self.unit(*u).strength);
                out.iter().any(|&o| body.overlaps(&self.unit(o).body))
            })
        {
            if let Some((u, _)) = places.pop() {
                out.push(u);
            }
        }
        for (u, roll, travel, far) in &rolled {
            log.say(|| {
                let event = Event::new("move_roll", "VF-MOVE-21").who(self.spec(*u).id);
                let event = self.tell_move(event, *u, roll);
                event.with("way", exact(*travel)).outcome(match out.contains(u) {
                    true if roll.allowance == 0 => "rooted",
                    true if *far => "too_far",
                    true => "no_room",
                    false if *travel == 0 => "in_place",
                    false => "to_square",
                })
            });
        }
        // Who stood in another square leaves it (VF-MOVE-22).
        for &(u, _) in &places {
            self.leave_square(u);
        }
        let of = places.len() as u8;
        for (index, &(u, place)) in places.iter().enumerate() {
            let unit = self.unit_mut(u);
            unit.formation = Formation::Square;
            unit.square = (of > 1).then_some(InSquare { index: index as u8, of, open_rear, anchor });
            unit.turn.activated = true;
            self.put(u, place);
            self.hold(u);
        }
        for &u in &out {
            self.unit_mut(u).turn.activated = true;
            self.stand(u, log);
        }
        if let Some(group) = &mut self.s.group {
            group.left &= !members;
            group.begun = true;
            group.same = Some(ActionKind::ManoeuvreAndHold);
        }
        let id = self.spec(anchor).id;
        log.say(|| {
            Event::new("regimental_square", "VF-MOVE-21").who(id).made(i32::from(of)).outcome(match open_rear
            {
                _ if of == 1 => "alone",
                true => "three_sided",
                false => "closed",
            })
        });
    }
}
