//! D1: a unit is placed in its army's zone (ATKM-SETUP-03 to -08).

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, Side, Steer, Wish};
use tricorne_table::{Bounds, Point, Rect, Shape};

use crate::action::Action;
use crate::battle::out_of_place;
use crate::field::{ARMIES, Engagement, army_name};
use crate::formations::{self, Formation, SHAPES, Spread};
use crate::movement::measured;
use crate::rulebook::Kind;
use crate::setup::zone::Zone;
use crate::state::{Presence, Stage, Unit, UnitNo};
use crate::steer::neat;

/// Which unit is placed, where and how.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Deploy {
    pub(crate) seat: Seat,
    /// A unit that has a place, and where: without one nobody is asked.
    opening: Opening,
}

/// A unit that is to be set up, and a place it has.
pub(crate) type Opening = (UnitNo, Spot);

impl Deploy {
    pub(crate) fn of(battle: &Engagement) -> Option<Self> {
        let (_, seat) = battle.deployer()?;
        battle.opening(seat).map(|opening| Self { seat, opening })
    }
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
                let Some(no) = battle.find(*unit).filter(|&no| battle.unit(no).presence == Presence::Waiting)
                else {
                    return refuse("ATKM-SETUP-07", format!("{unit} is not waiting to be placed"));
                };
                if battle.unit(no).owner != self.seat {
                    return refuse("ATKM-SETUP-07", format!("{unit} belongs to another player"));
                }
                let spread = spread.as_ref();
                battle.judge_placing(no, Placing { at: *at, facing: *facing, shape: *shape, spread })
            }
            other => out_of_place(other, self.kind(battle)),
        }
    }

    fn carry_out(self, battle: &mut Engagement, (no, unit): (UnitNo, Unit), now: &mut Now<'_>) {
        battle.state.placing = unit.army.enemy();
        battle.do_deploy(no, unit, "ATKM-SETUP-07", now.log);
    }

    fn usual(&self, battle: &Engagement) -> Action {
        let (no, spot) = self.opening;
        battle.placed(no, spot)
    }

    fn preview(&self, battle: &Engagement, (no, unit): &(UnitNo, Unit)) -> Preview {
        battle.preview_placing(*no, unit)
    }

    fn wander(&self, battle: &Engagement, whim: &mut Whim) -> Action {
        let waiting: SmallVec<[UnitNo; 32]> = battle.waiting_of(self.seat).collect();
        let found = whim.one_of(&waiting).copied();
        match found.and_then(|no| battle.random_spot(no, whim).map(|spot| battle.placed(no, spot))) {
            Some(action) => action,
            None => self.usual(battle),
        }
    }

    fn ways(&self, battle: &Engagement, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        out.extend((0..most).map(|_| self.wander(battle, whim)));
    }

    fn steer(&self, battle: &Engagement, wish: &Wish) -> Steer<Action> {
        let mut waiting = battle.waiting_of(self.seat);
        let no = match wish.unit {
            Some(id) => waiting.find(|&no| battle.unit(no).id == id),
            None => waiting.next(),
        };
        let steered = match no {
            Some(no) => battle.steer_placing(no, wish),
            None => refuse("ATKM-SETUP-07", "that unit is not waiting to be placed by you"),
        };
        steered.unwrap_or_else(Steer::refused)
    }

    fn weigh(&self, battle: &Engagement, _: usize, whim: &mut Whim) -> Vec<(f64, Action)> {
        // Foot first, skirmishers last.
        let order = |no: &UnitNo| match battle.unit(*no).kind {
            Kind::Infantry => 0,
            Kind::FootArtillery | Kind::HorseArtillery => 1,
            Kind::Cavalry => 2,
            Kind::Skirmisher => 3,
        };
        let next = battle.waiting_of(self.seat).min_by_key(order);
        next.map_or_else(Vec::new, |no| battle.propose_places(no, whim))
    }
}

/// A place for a unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Spot {
    pub at: Point,
    pub facing: f64,
    pub shape: Formation,
}

/// How a unit would be placed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placing<'a> {
    pub at: Point,
    pub facing: f64,
    pub shape: Formation,
    pub spread: Option<&'a Spread>,
}

impl From<Spot> for Placing<'_> {
    fn from(Spot { at, facing, shape }: Spot) -> Self {
        Placing { at, facing, shape, spread: None }
    }
}

impl Engagement {
    fn waiting(&self, army: Side) -> impl Iterator<Item = (UnitNo, &Unit)> {
        let waits = move |(_, u): &(usize, &Unit)| u.army == army && u.presence == Presence::Waiting;
        self.state.units.iter().enumerate().filter(waits).map(|(i, u)| (UnitNo::at(i), u))
    }

    pub(crate) fn waiting_of(&self, seat: Seat) -> impl Iterator<Item = UnitNo> + '_ {
        self.waiting(self.army_of(seat)).filter(move |(_, u)| u.owner == seat).map(|(no, _)| no)
    }

    /// ATKM-SETUP-07: the army with more units places first, units and then generals; red on a tie.
    pub(crate) fn first_to_place(&self) -> Side {
        let units = |army: Side| self.state.units.iter().filter(|u| u.army == army).count();
        if units(ARMIES[1]) > units(ARMIES[0]) { ARMIES[1] } else { ARMIES[0] }
    }

    /// D1: who places next (ATKM-SETUP-07): the armies in turn, within an army whoever owns its next unit.
    pub(crate) fn deployer(&self) -> Option<(Side, Seat)> {
        let first = self.state.placing;
        [first, first.enemy()]
            .into_iter()
            .find_map(|army| self.waiting(army).next().map(|(_, u)| (army, u.owner)))
    }

    /// How far the zone of an army has grown for its next unit (ATKM-SETUP-14).
    fn growth(&self, army: Side) -> f64 {
        f64::from(self.state.grown[army.index()])
    }

    /// The boxes round the areas of an army's zone, the largest first.
    pub(crate) fn zone_boxes(&self, army: Side) -> SmallVec<[Bounds; 4]> {
        self.field.zones[army.index()].boxes(self.growth(army))
    }

    /// Where a unit may be set up now: its army's zone, or by which it comes late; and how far that has grown.
    pub(crate) fn room_of(&self, no: UnitNo) -> (&Zone, f64) {
        let army = self.unit(no).army;
        match self.arrival(no) {
            Some(arrival) => (&arrival.zone, 0.0),
            None => (&self.field.zones[army.index()], self.growth(army)),
        }
    }

    /// Whether a general's base lies in his army's zone.
    pub(crate) fn zone_holds(&self, army: Side, base: Shape) -> bool {
        self.field.zones[army.index()].holds(std::iter::once(&base), self.growth(army))
    }

    /// ATKM-SETUP-14: whether each private's base and each cannon lies wholly inside one of the areas; of loose
    /// skirmishers officer and ensign too (M4).
    fn in_zone(&self, unit: &Unit, (zone, by): (&Zone, f64)) -> bool {
        let rules = self.rules();
        let footprint: SmallVec<[Shape; 14]> =
            unit.footprint(rules).iter().map(|r| Shape::Rect(*r)).collect();
        if zone.holds(footprint.iter(), by) {
            return true;
        }
        let frame = unit.frame();
        let figures = formations::figures(rules, unit.kind, unit.formation, unit.n, &unit.spots);
        let loose = unit.is_skirmish_line();
        figures.iter().filter(|f| loose || f.is_counted()).all(|f| {
            let base = Shape::Rect(Rect::in_frame(&frame, unit.facing, f.at, f.width, f.depth));
            zone.holds(std::iter::once(&base), by)
        })
    }

    /// The one judge of setting up: in deployment, and when a unit comes late.
    pub(crate) fn judge_placing(&self, no: UnitNo, placing: Placing<'_>) -> Result<(UnitNo, Unit), Illegal> {
        let Placing { at, facing, shape, spread } = placing;
        let mut unit = *self.unit(no);
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
        if self.stands_on_general(&unit) {
            return refuse("ATKM-SETUP-08", "it would stand on a general; set it up beside him");
        }
        let room = self.room_of(no);
        if !self.in_zone(&unit, room) {
            let why = format!("every figure must stand {}", room.0.told(room.1));
            return refuse(room.0.clause, why);
        }
        if unit.presence == Presence::Due {
            let least = self.rules().march.enemy_gap;
            if let Some((near, gap)) = self.gap_to(&unit.solids(self.rules()), unit.army.enemy(), least) {
                let ([gap, least], id) = (measured(gap, least), self.unit(near).id);
                let why = format!("it would stand {gap} from {id}; come on {least} away from enemies");
                return refuse("ATKM-SETUP-15", why);
            }
        }
        unit.presence = Presence::Present;
        Ok((no, unit))
    }

    pub(crate) fn do_deploy(&mut self, no: UnitNo, unit: Unit, clause: &str, log: &mut Log) {
        *self.unit_mut(no) = unit;
        self.state.grown = [0, 0];
        self.state.opening = None;
        log.say(|| {
            Event::new("deploy", clause)
                .who(unit.id)
                .with("at", serde_json::json!([unit.at.x, unit.at.y]))
                .with("shape", unit.formation.to_string())
                .with("formed", unit.formation.told())
                .with("toward", tricorne_game::compass(unit.facing))
        });
    }

    /// A spot as an answer.
    pub(crate) fn placed(&self, no: UnitNo, Spot { at, facing, shape }: Spot) -> Action {
        Action::Deploy { unit: self.unit(no).id, at, facing, shape, spread: None }
    }

    /// A place at random, if one is found soon.
    pub(crate) fn random_spot(&self, no: UnitNo, whim: &mut Whim) -> Option<Spot> {
        let unit = self.unit(no);
        let facing = if unit.army.0 == 0 { 0.0 } else { 180.0 };
        let (zone, by) = self.room_of(no);
        let boxes = zone.boxes(by);
        (0..24).find_map(|_| {
            let zone = whim.one_of(&boxes)?;
            let shape = *whim.one_of(&SHAPES)?;
            let at = Point::new(whim.between(zone.min.x, zone.max.x), whim.between(zone.min.y, zone.max.y));
            let spot = Spot { at: neat(at), facing, shape };
            self.judge_placing(no, spot.into()).is_ok().then_some(spot)
        })
    }

    pub(crate) fn preview_placing(&self, no: UnitNo, unit: &Unit) -> Preview {
        let mut preview = Preview::default();
        preview.overlays.push(self.ghost(unit));
        self.note_ground(&mut preview, unit);
        self.note_fire(&mut preview, no, unit);
        preview
    }

    /// A unit of a seat that has a place now, if any has: the one found when he was asked, or looked for.
    fn opening(&self, seat: Seat) -> Option<Opening> {
        let open = |no: UnitNo| self.some_spot(no).map(|spot| (no, spot));
        self.state.opening.or_else(|| self.waiting_of(seat).find_map(open))
    }

    /// D1: goes on once all units are placed. If no place is left the zone grows; whoever has none on the whole table waits
    /// for room (ATKM-SETUP-14).
    pub(crate) fn step_deploy(&mut self, log: &mut Log) -> bool {
        let Some((army, seat)) = self.deployer() else {
            self.state.stage = Stage::PlaceGenerals;
            return true;
        };
        let table = self.land().table;
        let whole = table.width().max(table.depth());
        loop {
            self.state.opening = self.opening(seat);
            if self.state.opening.is_some() {
                return false;
            }
            if self.growth(army) >= whole {
                break;
            }
            let more = self.rules().march.deploy_grows.max(1.0) as u8;
            let by = self.state.grown[army.index()].saturating_add(more);
            self.state.grown[army.index()] = by;
            log.say(|| {
                Event::new("zone_grows", "ATKM-SETUP-14")
                    .with("army", army_name(army))
                    .with("side", self.called(army))
                    .with("by", by)
            });
        }
        let crowded: SmallVec<[UnitNo; 32]> = self.waiting_of(seat).collect();
        for no in crowded {
            self.unit_mut(no).presence = Presence::Due;
        }
        true
    }
}
