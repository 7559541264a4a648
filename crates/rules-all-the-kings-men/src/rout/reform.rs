//! Mobs fall in again (ATKM-MOB-01 to -05).

use tricorne_drill::refuse;
use tricorne_game::{Event, Illegal, Log};
use tricorne_table::Point;

use crate::field::Engagement;
use crate::formations::{self, Formation, SHAPES};
use crate::options::MobReformShapes;
use crate::rulebook::Kind;
use crate::state::{Activation, Stage, Unit, UnitNo};

impl Engagement {
    /// The one judge of reforming (ATKM-MOB-01..05).
    pub(crate) fn judge_reform(&self, no: UnitNo, shape: Formation, facing: f64) -> Result<Unit, Illegal> {
        let unit = self.unit(no);
        if !unit.is_mob() {
            return refuse("ATKM-MOB-01", format!("{} is no mob", unit.id));
        }
        if !facing.is_finite() {
            return refuse("ATKM-MOB-04", "a facing is a number of degrees clockwise from north");
        }
        let fitting = match (unit.kind, shape) {
            (Kind::Infantry | Kind::Cavalry, Formation::Line(_) | Formation::Column(_))
            | (Kind::FootArtillery | Kind::HorseArtillery, Formation::Column(_))
            | (Kind::Skirmisher, Formation::Loose) => true,
            (Kind::FootArtillery | Kind::HorseArtillery, Formation::Loose) => {
                self.options().mob_reform_shapes == MobReformShapes::ByType
            }
            _ => false,
        };
        if !fitting {
            let clause = if matches!(unit.kind, Kind::Infantry | Kind::Cavalry) {
                "ATKM-MOB-02"
            } else {
                "ATKM-MOB-03"
            };
            return refuse(
                clause,
                format!("a mob of {} does not reform into {shape}", unit.kind.name().replace('_', " ")),
            );
        }
        self.judge_shape(unit, shape)?;
        let mut reformed = *unit;
        reformed.formation = shape;
        reformed.set_pose(unit.at, facing);
        // The centre stays where the mob's was, or goes to the nearest place that fits (ATKM-MOB-04).
        let middle = formations::middle(self.rules(), unit.kind, shape, unit.n);
        let offset = reformed.frame().to_world_way(middle);
        let place = |centre: Point| {
            let mut stands = reformed;
            stands.at = centre - offset;
            if stands.is_skirmish_line() {
                return self
                    .spread_out(no, &mut stands, Some(&formations::Spread::Line))
                    .is_ok()
                    .then_some(stands);
            }
            let footprint = stands.footprint(self.rules());
            (self.standable(&footprint).is_ok() && self.overlapped(&footprint, |o, _| o == no).is_none())
                .then_some(stands)
        };
        let found =
            self.ring_search(unit.at, 0.0, self.rules().room.reform, |centre| place(centre).is_some());
        match found.and_then(place) {
            Some(stands) => Ok(stands),
            None => refuse(
                "ATKM-MOB-04",
                format!("there is no room for {shape} there; try another shape or facing"),
            ),
        }
    }

    pub(crate) fn do_reform(&mut self, a: Activation, reformed: Unit, log: &mut Log) {
        log.say(|| {
            Event::new("reform", "ATKM-MOB-01")
                .who(reformed.id)
                .with("shape", reformed.formation.to_string())
                .with("facing", crate::movement::round(reformed.facing))
                .with("formed", reformed.formation.told())
                .with("toward", tricorne_game::compass(reformed.facing))
        });
        self.settle(a.unit, reformed, log);
        self.state.stage = Stage::Finish;
        if let Some(a) = &mut self.state.activation {
            a.changed = true;
        }
    }

    /// Some way to reform, if there is one.
    pub(crate) fn some_reform(&self, no: UnitNo) -> Option<(Formation, f64)> {
        let toward = if self.unit(no).army.0 == 0 { 0.0 } else { 180.0 };
        SHAPES.into_iter().find_map(|shape| {
            [0.0, 90.0, 45.0, 135.0, 180.0, 270.0]
                .into_iter()
                .map(|turn| toward + turn)
                .find(|&facing| self.judge_reform(no, shape, facing).is_ok())
                .map(|facing| (shape, facing))
        })
    }
}
