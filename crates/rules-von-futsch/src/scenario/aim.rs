//! What a scenario is fought for (VF-SCEN-10 to -13).

use serde::Deserialize;
use tricorne_game::{Fault, Side};
use tricorne_table::Edge;

use super::file::ObjectiveFile;
use super::setup::{Reader, at};
use crate::brief::Objective;
use crate::model::measure::mils;

/// The kinds of objective (VF-SCEN-11 to -13).
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Aim {
    Hold,
    Storm,
    Convoy,
}

impl Reader<'_> {
    /// Who wins at the limit, and what that is called.
    pub(super) fn aim(&self) -> Result<(Objective, String), Fault> {
        let o = match self.file.objectives.as_slice() {
            [] => return Ok((Objective::Morale, "the place".into())),
            [one] => one,
            _ => {
                let why = "a scenario has one objective at most; take one away";
                return self.fault(&["objective".into(), 1.into()], why);
            }
        };
        let kind: Aim = self.word(&at("objective", 0, "kind"), &o.kind)?;
        let found = match kind {
            Aim::Hold => self.hold(o)?,
            Aim::Storm => self.storm(o)?,
            Aim::Convoy => self.convoy(o)?,
        };
        let spare = [
            ("at", o.at.is_some(), kind == Aim::Hold),
            ("within", o.within.is_some(), kind == Aim::Hold),
            ("side", o.side.is_some(), kind != Aim::Hold),
            ("terrain", o.terrain.is_some(), kind == Aim::Storm),
            ("units", o.own.units.is_some(), kind == Aim::Storm),
            ("beyond", o.own.beyond.is_some(), kind == Aim::Storm),
            ("wagon", o.own.wagon.is_some(), kind == Aim::Convoy),
            ("zone", !o.zone.is_empty(), kind == Aim::Convoy),
        ];
        if let Some((key, ..)) = spare.iter().find(|(_, said, fits)| *said && !fits) {
            let why = format!("does nothing for `{}`; leave it out", o.kind);
            return self.fault(&at("objective", 0, key), why);
        }
        let (objective, usual) = found;
        Ok((objective, if o.name.is_empty() { usual } else { o.name.clone() }))
    }

    /// What an objective must say.
    fn said<T>(&self, key: &str, said: Option<T>, why: &str) -> Result<T, Fault> {
        said.ok_or_else(|| self.source.fault(&at("objective", 0, key), why))
    }

    fn hold(&self, o: &ObjectiveFile) -> Result<(Objective, String), Fault> {
        let place = self.said("at", o.at, "is missing; say where")?;
        let within = mils(self.said("within", o.within, "is missing; say how near")?);
        Ok((Objective::Hold { at: place, within }, "the place".into()))
    }

    fn attacker(&self, o: &ObjectiveFile) -> Result<Side, Fault> {
        self.said("side", o.side, "is missing; say who attacks")
    }

    fn storm(&self, o: &ObjectiveFile) -> Result<(Objective, String), Fault> {
        let piece = self.said("terrain", o.terrain, "is missing; name a piece of ground")?;
        let units = self.said("units", o.own.units, "is missing; say how many")?;
        let beyond = o.own.beyond.filter(|y| y.is_finite() && y.abs() < 1000.0);
        let beyond = mils(self.said("beyond", beyond, "is missing; give the line as a y")?);
        let attacker = self.attacker(o)?;
        let usual = self.file.terrain.get(piece).map_or_else(String::new, |t| format!("the {}", t.id));
        Ok((Objective::Storm { attacker, piece, units, beyond }, usual))
    }

    fn convoy(&self, o: &ObjectiveFile) -> Result<(Objective, String), Fault> {
        let wagon = self.said("wagon", o.own.wagon.as_deref(), "is missing; say which")?;
        let exit = match o.zone.as_slice() {
            [plot] if plot.zone.edge == Some(Edge::North) && plot.zone.depth.is_none() => plot,
            _ => {
                let why =
                    "is a stretch of the north edge: [{ edge = \"north\", from = 27, to = 33 }] (VF-SCEN-13)";
                return self.fault(&at("objective", 0, "zone"), why);
            }
        };
        let attacker = self.attacker(o)?;
        let wagon = self.unit_named(&at("objective", 0, "wagon"), wagon)?;
        let bounds = exit.area.bounds();
        let (from, to) = (mils(bounds.min.x), mils(bounds.max.x));
        Ok((Objective::Convoy { attacker, wagon, from, to }, "the exit".into()))
    }
}
