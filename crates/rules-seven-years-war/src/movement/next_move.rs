//! Which group or general moves, and how (SYW-ORDER-24 to -43, SYW-CHARGE-04, SYW-GEN-15, SYW-HIDE-04 to -06)?

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, InOrder, Preview, Steer, UnitId, Wish};
use tricorne_table::{Point, Pose};

use crate::action::{Action, Hand, Leg, Legs, Target, Turn, UnitMove};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Aim, Formation, Order, Unit};
use crate::movement::groups::Plan;
use crate::movement::walk::Dice;
use crate::options::MovementOrder;
use crate::orders::halt::Halted;
use crate::orders::retreats::Back;
use crate::questions::{Questions, asks, guesses};

/// Enemies that are weighed as targets, the nearest first.
const TARGETS: usize = 6;

/// How far a move that stands for all goes: a group on Advance must make half its speed, one hemmed in can't.
const PACES: [f64; 6] = [10.0, 5.0, 1.0, 15.0, 20.0, 30.0];

/// Which group or general moves?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Movement;

/// A group's move: as it was asked for, and what comes of it if no die is unkind.
pub struct March {
    pub plan: Plan,
    pub legs: Legs,
    pub units: Vec<UnitMove>,
    stand: bool,
}

/// One move of the sub-phase.
pub enum Moved {
    Enough,
    March(Box<March>),
    Retreat(Box<Plan>),
    SelfOrder(GroupIx, Order),
    Stand(GroupIx),
    Charge(GroupIx, SmallVec<[Aim; 4]>),
    Ride(GeneralIx, Point),
    /// A hidden unit is set down, and whether elsewhere than it was marked.
    SetDown(UnitIx, Box<Unit>, bool),
    Steal(UnitIx, usize, Pose),
    Rearrange(UnitIx, Box<Unit>),
    RearRank(UnitIx, Box<Unit>),
    Complete(UnitIx, UnitIx),
}

impl Question<SevenYearsBattle> for Movement {
    type Judged = Moved;

    asks!("movement", phasing);

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Which group or general moves?".into()
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list(Action::Done);
        let groups = b.groups_of(b.s.phasing);
        for &g in &groups {
            out.list(Action::Stand { group: b.group(g).id });
            out.list_all(b.charge_proposals(g));
        }
        b.offer_reveals(out);
        out.list_all(b.rear_rank_proposals(b.s.phasing));
        for g in b.hidden_may_order_themselves() {
            out.list_all(Order::GIVEN.map(|order| Action::SelfOrder { group: b.group(g).id, order }));
        }
        for c in b.s.contacts.iter().filter(|c| c.partial > 0) {
            out.list(Action::Complete { unit: b.unit(c.attacker).id });
        }
        if b.retreats_free() {
            b.offer_retreats(out);
        }
        let free = |g: GroupIx| !b.group(g).phase.moved && !b.group_in_melee(g);
        for &g in groups.iter().filter(|&&g| free(g)) {
            let most = b.members(g).iter().map(|&u| b.speed(u)).reduce(f64::min);
            out.space("move", Some(b.group(g).id), most, "legs for the group or for each unit");
        }
        for &g in groups.iter().filter(|&&g| free(g) && b.members(g).len() > 1) {
            for &u in &b.members(g) {
                out.space("move_unit", Some(b.unit(u).id), Some(b.speed(u)), "legs for one unit of a group");
            }
        }
        b.offer_rides(out);
        out.space("steal", None, None, "a place in a neighbouring piece of ground");
        out.space("rearrange", None, None, "a stand and its new place in the unit");
        out.space("charge", None, None, "targets for several units, with wheels");
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Moved, Illegal> {
        let group = |id: &UnitId| {
            b.known_group(*id).map_or_else(|| refuse("SYW-GROUP-01", format!("there is no group {id}")), Ok)
        };
        match answer {
            Action::Done => Ok(Moved::Enough),
            Action::Retreat { group, distance, about, legs } if b.retreats_free() => {
                b.judge_retreat(*group, *distance, *about, legs).map(|plan| Moved::Retreat(Box::new(plan)))
            }
            Action::Move { group: id, legs, units, stand } => {
                let plan = b.plan_move(group(id)?, legs, units, *stand, &mut Dice::none(), true, &[])?;
                let (legs, units) = (legs.clone(), units.clone());
                Ok(Moved::March(Box::new(March { plan, legs, units, stand: *stand })))
            }
            Action::SelfOrder { group, order } => b
                .judge_self_order(*group, *order, &b.hidden_may_order_themselves())
                .map(|g| Moved::SelfOrder(g, *order)),
            Action::Stand { group: id } => {
                let g = group(id)?;
                b.judge_stand(g).map(|()| Moved::Stand(g))
            }
            Action::Charge { group: id, targets } => {
                let g = group(id)?;
                b.judge_charge(g, targets).map(|aims| Moved::Charge(g, aims))
            }
            Action::General { general, to } => b.judge_ride(*general, *to).map(|(i, at)| Moved::Ride(i, at)),
            Action::Reveal { unit, at, facing, formation } => b
                .judge_reveal(*unit, *at, *facing, *formation)
                .map(|(u, new, elsewhere)| Moved::SetDown(u, Box::new(new), elsewhere)),
            Action::Steal { unit, terrain, at } => {
                b.judge_steal(*unit, terrain, *at).map(|(u, piece, pose)| Moved::Steal(u, piece, pose))
            }
            Action::Rearrange { unit, stand, to } => {
                b.judge_rearrange(*unit, *stand, *to).map(|(u, new)| Moved::Rearrange(u, Box::new(new)))
            }
            Action::RearRank { unit, behind } => b
                .judge_rear_rank(b.s.phasing, *unit, behind)
                .map(|(u, new)| Moved::RearRank(u, Box::new(new))),
            Action::Complete { unit } => {
                let Some(u) = b.known_unit(*unit).filter(|&u| b.unit(u).is_known()) else {
                    return refuse("SYW-CHARGE-17", format!("there is no unit {unit} on the table"));
                };
                b.judge_complete(u).map(|e| Moved::Complete(u, e))
            }
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, moved: Moved, now: &mut Now<'_>) {
        if matches!(moved, Moved::Enough) {
            if b.retreats_free() {
                b.retreat_the_rest(now);
            }
            return;
        }
        b.ask(self);
        match moved {
            Moved::March(march) => {
                let March { plan, legs, units, stand } = *march;
                let real = b.real_plan(plan.group, &legs, &units, stand, now.chance);
                b.make_move(real.unwrap_or(plan), now);
            }
            Moved::Retreat(plan) => b.make_retreat(*plan, now),
            Moved::SelfOrder(g, order) => b.self_order(g, order, now),
            Moved::Stand(g) => {
                b.halt(g, Halted::EnemyInRange, now.log);
                b.group_mut(g).phase.moved = true;
            }
            Moved::Charge(g, aims) => b.declare(g, aims, now),
            Moved::Ride(i, at) => b.ride(i, at, now.log),
            Moved::SetDown(u, new, elsewhere) => b.set_down_hidden(u, *new, elsewhere, now.log),
            Moved::Steal(u, piece, pose) => b.steal(u, piece, pose, now.log),
            Moved::Rearrange(u, mut new) => {
                new.phase.moved = true;
                let id = new.id;
                now.say(|| Event::new("rearranged", "SYW-MOVE-16").who(id));
                b.put_as(u, *new);
                b.sync_contacts();
            }
            Moved::RearRank(u, new) => b.set_rear_rank(u, *new, now.log),
            Moved::Complete(u, enemy) => b.complete(u, enemy, now.log),
            Moved::Enough => {}
        }
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Done
    }

    fn preview(&self, b: &SevenYearsBattle, moved: &Moved) -> Preview {
        match moved {
            Moved::March(march) => b.preview_march(march),
            Moved::Retreat(plan) => b.preview_retreat(plan),
            Moved::Charge(_, aims) => b.preview_charge(aims),
            Moved::Ride(i, at) => b.preview_ride(*i, *at),
            Moved::SetDown(_, new, elsewhere) => {
                let mut preview = b.preview_place(new);
                if *elsewhere {
                    preview.notes.push("counts as moved in this phase");
                }
                preview
            }
            Moved::Steal(u, piece, pose) => b.preview_steal(*u, *piece, *pose),
            Moved::Rearrange(_, new) | Moved::RearRank(_, new) => b.preview_place(new),
            Moved::SelfOrder(..) | Moved::Stand(_) | Moved::Complete(..) | Moved::Enough => {
                Preview::default()
            }
        }
    }

    fn wander(&self, b: &SevenYearsBattle, whim: &mut Whim) -> Action {
        b.some_move(whim)
    }

    fn ways(&self, b: &SevenYearsBattle, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        guesses(self, b, most, whim, out);
    }

    fn steer(&self, b: &SevenYearsBattle, wish: &Wish) -> Steer<Action> {
        b.steer_movement(wish)
    }

    /// Only enemies that everybody sees are among the targets (SYW-LOS-09).
    fn courses(&self, b: &SevenYearsBattle, unit: UnitId) -> Vec<(String, Action)> {
        let Some(u) = b.find_unit(unit) else { return Vec::new() };
        let group = b.group_of(u).id;
        let mut all = Vec::new();
        let mut go = |name: &str, legs: &[Leg]| {
            let legs = legs.iter().copied().collect();
            all.push((name.to_owned(), Action::Move { group, legs, units: Vec::new(), stand: false }));
        };
        for far in PACES {
            go("move", &[Leg::Forward(far)]);
            for side in [Hand::Left, Hand::Right] {
                go("wheel", &[Leg::Wheel { side, degrees: 10.0 }, Leg::Forward(far)]);
            }
        }
        go("go back", &[Leg::Back(1.0)]);
        go("turn about", &[Leg::Turn(Turn::About)]);
        for (name, formation) in [
            ("form line", Formation::Line),
            ("form deep line", Formation::DeepLine),
            ("form column", Formation::Column1),
            ("form double column", Formation::Column2),
            ("form square", Formation::Square),
        ] {
            if b.unit(u).formation != formation {
                go(name, &[Leg::Form(formation)]);
            }
        }
        for target in b.nearest_known(u) {
            let targets = vec![Target { unit, target, wheel: None, ride_on: None }];
            all.push(("charge".to_owned(), Action::Charge { group, targets }));
        }
        all.push(("stand".to_owned(), Action::Stand { group }));
        all
    }
}

impl SevenYearsBattle {
    /// What a group would do by an answer to what is asked now; none if it is no move of a group.
    pub(crate) fn planned(&self, answer: &Action) -> Result<Option<Plan>, Illegal> {
        match self.asking() {
            Some(Questions::Movement(q)) => q.judge(self, answer).map(|moved| match moved {
                Moved::March(march) => Some(march.plan),
                Moved::Retreat(plan) => Some(*plan),
                _ => None,
            }),
            Some(Questions::Retreats(q)) => q.judge(self, answer).map(|back| match back {
                Back::Group(plan) => Some(*plan),
                Back::Ride(..) | Back::Rest => None,
            }),
            _ => Ok(None),
        }
    }

    /// The hidden units of the phasing side, who may be declared where they are marked or set down elsewhere (SYW-HIDE-04, -05).
    pub(crate) fn offer_reveals(&self, out: &mut Answers<Action>) {
        for u in self.hidden_units(self.s.phasing) {
            out.list(Action::Reveal { unit: self.unit(u).id, at: None, facing: None, formation: None });
        }
        out.space("reveal", None, None, "a place in the ground the unit is marked in");
    }

    /// Where the generals of the phasing side may ride.
    pub(crate) fn offer_rides(&self, out: &mut Answers<Action>) {
        out.space("general", None, Some(self.fixed.book.general.speed), "a place within reach");
    }

    /// The known enemies nearest to a unit, the nearest first.
    pub(crate) fn nearest_known(&self, u: UnitIx) -> Vec<UnitId> {
        let far = |v: &UnitIx| self.unit(*v).at.distance(self.unit(u).at);
        let mut enemies: Vec<UnitIx> = self.known_enemies(self.unit(u).side).collect();
        enemies.put_in_order(|a, b| far(a).total_cmp(&far(b)));
        enemies.into_iter().take(TARGETS).map(|v| self.unit(v).id).collect()
    }

    /// Groups on Retreat move when their owner likes (option `movement_order`).
    pub(crate) fn retreats_free(&self) -> bool {
        self.fixed.options.movement_order == MovementOrder::RetreatsFree
    }
}
