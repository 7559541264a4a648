//! Sight between any two units, as a player may ask it at any time.

use tricorne_game::{Sight, UnitId};
use tricorne_table::Point;

use crate::field::Engagement;
use crate::formations;
use crate::options::LosFrom;

impl Engagement {
    /// Whether one unit sees another, arcs and ranges left aside (ATKM-LOS-01 to -06).
    pub(crate) fn sight_between(&self, from: UnitId, to: UnitId) -> Option<Sight> {
        let (a, b) = (self.find(from)?, self.find(to)?);
        let (us, them) = (self.unit(a), self.unit(b));
        if a == b || !us.present() || !them.present() {
            return None;
        }
        let why = self.judge_sight(a, us, b, them).err();
        let clear = why.is_none();
        let mut eye = us.at;
        if clear
            && self.options().los_from != LosFrom::MeasuringPoint
            && self.judge_sight_from(a, us, b, them, eye).is_err()
        {
            // The measuring point sees nothing, so one of the figures that fire does.
            let frame = us.frame();
            let figures = formations::figures(self.rules(), us.kind, us.formation, us.n, &us.spots);
            let seer = figures
                .iter()
                .map(|f| frame.to_world(f.at))
                .find(|&place: &Point| self.judge_sight_from(a, us, b, them, place).is_ok());
            eye = seer.unwrap_or(eye);
        }
        Some(Sight { clear, line: [eye, them.centre(self.rules())], why })
    }
}
