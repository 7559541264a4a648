//! Setting up (SETUP): units and generals in their zones.

use tricorne_game::{Event, Illegal, Log, Side, UnitId};
use tricorne_table::{Bounds, Edge, Point, Shape};

use crate::action::Action;
use crate::field::{Engagement, refuse};
use crate::formations::{Formation, SHAPES, Spread};
use crate::options::GeneralStart;
use crate::rulebook::Kind;
use crate::state::{Presence, SeatNo, Solids, Unit, UnitNo};

impl Engagement {
    fn waiting(&self, army: Side) -> impl Iterator<Item = (UnitNo, &Unit)> {
        self.state
            .units
            .iter()
            .enumerate()
            .filter(move |(_, u)| u.army == army && u.presence == Presence::Waiting)
            .map(|(i, u)| (i as UnitNo, u))
    }

    /// D1: who places next (ATKM-SETUP-07): the armies in turn, within an army whoever owns its next unit.
    pub(crate) fn deployer(&self) -> Option<(Side, SeatNo)> {
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

    fn in_zone(&self, army: Side, solids: &Solids) -> bool {
        let zone = self.zone_of(army).grown(0.001);
        solids.iter().all(|r| {
            let b = Shape::Rect(*r).bounds();
            zone.contains(b.min) && zone.contains(b.max)
        })
    }

    /// The one judge of deployment.
    pub(crate) fn judge_deploy(
        &self,
        seat: SeatNo,
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
    pub(crate) fn some_place(&self, seat: SeatNo) -> Option<Action> {
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

    /// D2: whose general is placed next, in the order of the armies' units (ATKM-SETUP-07).
    pub(crate) fn general_to_place(&self) -> Option<SeatNo> {
        let more_black = self.state.units.iter().filter(|u| u.army == Side(1)).count()
            > self.state.units.iter().filter(|u| u.army == Side(0)).count();
        let first = if more_black { Side(1) } else { Side(0) };
        let left = |army: Side| {
            self.seats_of(army)
                .filter(|&s| {
                    let g = &self.state.generals[usize::from(s)];
                    !g.placed && !g.killed
                })
                .collect::<smallvec::SmallVec<[SeatNo; 6]>>()
        };
        let (a, b) = (left(first), left(first.enemy()));
        // The army with more generals still to place goes next, so that they alternate.
        if a.len() >= b.len() { a.first().or(b.first()).copied() } else { b.first().copied() }
    }

    /// ATKM-GEN-04.
    pub(crate) fn judge_place_general(&self, seat: SeatNo, at: Point) -> Result<(), Illegal> {
        self.judge_general_stand(seat, at)?;
        let mut base = Solids::new();
        base.push(crate::state::base_at(self.rules(), at));
        if self.options().general_start == GeneralStart::Zone && !self.in_zone(self.army_of(seat), &base) {
            let full = self.zone_is_full(seat);
            if !full {
                return refuse("ATKM-GEN-04", "a general starts in his side's deployment zone");
            }
        }
        Ok(())
    }

    /// Some place in the zone for a general.
    pub(crate) fn some_general_place(&self, seat: SeatNo) -> Option<Point> {
        let zone = self.zone_of(self.army_of(seat));
        let mut y = zone.min.y + 1.0;
        while y < zone.max.y {
            let mut x = zone.min.x + 1.0;
            while x < zone.max.x {
                let at = Point::new(x, y).round_to(0.001);
                if self.judge_general_stand(seat, at).is_ok() && self.zone_holds_general(seat, at) {
                    return Some(at);
                }
                x += 0.5;
            }
            y += 0.5;
        }
        None
    }

    fn zone_holds_general(&self, seat: SeatNo, at: Point) -> bool {
        let mut base = Solids::new();
        base.push(crate::state::base_at(self.rules(), at));
        self.in_zone(self.army_of(seat), &base)
    }

    /// Whether there is no room for a general in his zone at all.
    fn zone_is_full(&self, seat: SeatNo) -> bool {
        self.some_general_place(seat).is_none()
    }

    pub(crate) fn do_place_general(&mut self, seat: SeatNo, at: Point, log: &mut Log) {
        let g = &mut self.state.generals[usize::from(seat)];
        g.at = at;
        g.placed = true;
        log.say(|| {
            Event::new("place_general", "ATKM-GEN-04")
                .with("seat", seat)
                .with("general", self.field.seats[usize::from(seat)].name.clone())
                .with("at", serde_json::json!([at.x, at.y]))
        });
    }
}
