//! D1: a unit is placed in its army's zone (ATKM-SETUP-03 to -08).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, Side, Steer, UnitId, Wish};
use tricorne_table::{Bounds, Edge, Point, Shape};

use crate::action::Action;
use crate::battle::out_of_place;
use crate::field::Engagement;
use crate::formations::{Formation, SHAPES, Spread};
use crate::rulebook::Kind;
use crate::state::{Presence, Solids, Unit, UnitNo};
use crate::steer::neat;

/// Which unit is placed, where and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Deploy {
    pub(crate) seat: Seat,
}

impl Question<Engagement> for Deploy {
    type Judged = (UnitNo, Unit);

    fn kind(&self, _: &Engagement) -> &'static str {
        "deploy"
    }

    fn clause(&self, _: &Engagement) -> &'static str {
        "ATKM-SETUP-07"
    }

    fn seat(&self, _: &Engagement) -> Seat {
        self.seat
    }

    fn prompt(&self, _: &Engagement) -> String {
        "Place a unit in your zone".into()
    }

    fn answers(&self, _: &Engagement, out: &mut Answers<Action>) {
        out.space("deploy", None, None, "unit, at, facing and shape in your zone");
    }

    fn judge(&self, battle: &Engagement, answer: &Action) -> Result<(UnitNo, Unit), Illegal> {
        match answer {
            Action::Deploy { unit, at, facing, shape, spread } => {
                battle.judge_deploy(self.seat, *unit, *at, *facing, *shape, spread.as_ref())
            }
            other => out_of_place(other, self.kind(battle)),
        }
    }

    fn carry_out(self, battle: &mut Engagement, (no, unit): (UnitNo, Unit), now: &mut Now<'_>) {
        battle.do_deploy(no, unit, now.log);
    }

    fn usual(&self, battle: &Engagement) -> Action {
        // The zone has grown until there is a place (ATKM-SETUP-03).
        battle.some_place(self.seat).unwrap_or(Action::Concede)
    }

    fn preview(&self, battle: &Engagement, (no, unit): &(UnitNo, Unit)) -> Preview {
        let mut preview = Preview::default();
        preview.overlays.push(battle.ghost(unit));
        battle.note_ground(&mut preview, unit);
        battle.note_fire(&mut preview, *no, unit);
        preview
    }

    fn wander(&self, battle: &Engagement, whim: &mut Whim) -> Action {
        let army = battle.army_of(self.seat);
        let zone = battle.zone_of(army);
        let waits = |u: &&Unit| u.owner == self.seat && u.presence == Presence::Waiting;
        let waiting: Vec<&Unit> = battle.state.units.iter().filter(waits).collect();
        let toward = if army.0 == 0 { 0.0 } else { 180.0 };
        for _ in 0..24 {
            let (Some(unit), Some(&shape)) = (whim.one_of(&waiting), whim.one_of(&SHAPES)) else { break };
            let at =
                neat(Point::new(whim.between(zone.min.x, zone.max.x), whim.between(zone.min.y, zone.max.y)));
            if battle.judge_deploy(self.seat, unit.id, at, toward, shape, None).is_ok() {
                return Action::Deploy { unit: unit.id, at, facing: toward, shape, spread: None };
            }
        }
        self.usual(battle)
    }

    fn ways(&self, battle: &Engagement, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        out.extend((0..most).map(|_| self.wander(battle, whim)));
    }

    fn steer(&self, battle: &Engagement, wish: &Wish) -> Steer<Action> {
        battle.steer_deploy(self.seat, wish).unwrap_or_else(Steer::refused)
    }

    fn weigh(&self, battle: &Engagement, _: usize, whim: &mut Whim) -> Vec<(f64, Action)> {
        battle.propose_places(self.seat, whim)
    }
}

impl Engagement {
    fn waiting(&self, army: Side) -> impl Iterator<Item = (UnitNo, &Unit)> {
        self.state
            .units
            .iter()
            .enumerate()
            .filter(move |(_, u)| u.army == army && u.presence == Presence::Waiting)
            .map(|(i, u)| (UnitNo::at(i), u))
    }

    /// D1: who places next (ATKM-SETUP-07): the armies in turn, within an army whoever owns its next unit.
    pub(crate) fn deployer(&self) -> Option<(Side, Seat)> {
        let first = self.state.placing;
        [first, first.enemy()]
            .into_iter()
            .find_map(|army| self.waiting(army).next().map(|(_, u)| (army, u.owner)))
    }

    /// The zone of an army, grown if it is full (ATKM-SETUP-03).
    pub(crate) fn zone_of(&self, army: Side) -> Bounds {
        let zone = &self.field.zones[army.index()];
        let by = f64::from(self.state.grown[army.index()]);
        let mut b = zone.bounds;
        match zone.from_edge {
            Some(Edge::South) => b.max.y += by,
            Some(Edge::North) => b.min.y -= by,
            Some(Edge::West) => b.max.x += by,
            Some(Edge::East) => b.min.x -= by,
            None => b = b.grown(by),
        }
        b
    }

    pub(crate) fn in_zone(&self, army: Side, solids: &Solids) -> bool {
        let zone = self.zone_of(army).grown(0.001);
        solids.iter().all(|r| {
            let b = Shape::Rect(*r).bounds();
            zone.contains(b.min) && zone.contains(b.max)
        })
    }

    /// The one judge of deployment.
    pub(crate) fn judge_deploy(
        &self,
        seat: Seat,
        id: UnitId,
        at: Point,
        facing: f64,
        shape: Formation,
        spread: Option<&Spread>,
    ) -> Result<(UnitNo, Unit), Illegal> {
        let Some(no) = self.find(id).filter(|&no| self.unit(no).presence == Presence::Waiting) else {
            return refuse("ATKM-SETUP-07", format!("{id} is not waiting to be placed"));
        };
        let mut unit = *self.unit(no);
        if unit.owner != seat {
            return refuse("ATKM-SETUP-07", format!("{id} belongs to another player"));
        }
        if !at.is_finite() || !facing.is_finite() {
            return refuse("ATKM-SETUP-08", "a place needs x and y in inches, and a facing in degrees");
        }
        if shape == Formation::Mob {
            return refuse("ATKM-FORM-14", "nobody chooses to be a mob");
        }
        self.judge_shape(&unit, shape)?;
        unit.formation = shape;
        unit.set_pose(at, facing);
        if unit.is_skirmish_line() {
            self.spread_out(no, &mut unit, Some(spread.unwrap_or(&Spread::Line)))?;
        }
        let footprint = unit.footprint(self.rules());
        self.standable(&footprint).map_err(|i| Illegal::new("ATKM-SETUP-08", i.why))?;
        if let Some(met) = self.overlapped(&footprint, |o, _| o == no) {
            return refuse("ATKM-SETUP-08", format!("it would stand on {}", self.unit(met).id));
        }
        if !self.in_zone(unit.army, &footprint) {
            let z = self.zone_of(unit.army);
            return refuse(
                "ATKM-SETUP-03",
                format!(
                    "every figure must stand in the zone from [{}, {}] to [{}, {}]",
                    z.min.x, z.min.y, z.max.x, z.max.y
                ),
            );
        }
        unit.presence = Presence::Present;
        Ok((no, unit))
    }

    pub(crate) fn do_deploy(&mut self, no: UnitNo, unit: Unit, log: &mut Log) {
        *self.unit_mut(no) = unit;
        self.state.grown = [0, 0];
        self.state.placing = unit.army.enemy();
        log.say(|| {
            Event::new("deploy", "ATKM-SETUP-07")
                .who(unit.id)
                .with("at", serde_json::json!([unit.at.x, unit.at.y]))
                .with("shape", unit.formation.to_string())
        });
    }

    /// Some legal place for a waiting unit of a seat.
    pub(crate) fn some_place(&self, seat: Seat) -> Option<Action> {
        let army = self.army_of(seat);
        let zone = self.zone_of(army);
        let toward = if army == Side(0) { 0.0 } else { 180.0 };
        for (_, unit) in self.waiting(army).filter(|(_, u)| u.owner == seat) {
            for shape in SHAPES {
                for turn in [0.0, 90.0] {
                    let mut y = zone.min.y;
                    while y <= zone.max.y {
                        let mut x = zone.min.x;
                        while x <= zone.max.x {
                            let at = Point::new(x, y).round_to(0.001);
                            let facing = (toward + turn) % 360.0;
                            if self.judge_deploy(seat, unit.id, at, facing, shape, None).is_ok() {
                                return Some(Action::Deploy {
                                    unit: unit.id,
                                    at,
                                    facing,
                                    shape,
                                    spread: None,
                                });
                            }
                            x += 1.0;
                        }
                        y += 1.0;
                    }
                }
                if unit.kind == Kind::Skirmisher && shape == Formation::Loose {
                    break;
                }
            }
        }
        None
    }

    /// D1: if no place is left the zone grows.
    pub(crate) fn grow_zone(&mut self, log: &mut Log) {
        let Some((army, seat)) = self.deployer() else { return };
        while self.some_place(seat).is_none() && self.state.grown[army.index()] < 200 {
            self.state.grown[army.index()] += self.rules().march.deploy_grows.max(1.0) as u8;
            let by = self.state.grown[army.index()];
            log.say(|| {
                Event::new("zone_grows", "ATKM-SETUP-03")
                    .with("army", crate::field::army_name(army))
                    .with("by", by)
            });
        }
    }
}
