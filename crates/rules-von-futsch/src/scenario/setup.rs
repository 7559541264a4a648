//! A scenario or position file becomes a battle; what is wrong with it is told by its place.

use std::sync::Arc;

use tricorne_drill::scenario::Scenario;
use tricorne_game::{Choices, Fault, Place as Spot, Purpose, Side, Source, UnitId, written};
use tricorne_table::{Point, Pose};

use crate::brief::Brief;
use crate::field::Field;
use crate::model::ground::{GroundKind, Mover, Piece};
use crate::model::measure::{Place, mils};
use crate::model::one_base::holds;
use crate::model::{CommanderSpec, Formation, InSquare, Kind, Level, Nr, UnitSpec};
use crate::options::BaseRemoval;
use crate::options::Options;
use crate::rulebook::{self, Rulebook};
use crate::scenario::deployment::no_sectors;
use crate::scenario::file::{File, SideName, UnitWords, Words};
use crate::state::{BLACK, COMMANDERS, Commander, CommanderMarks, Fate, RED, UNITS, Unit};

pub(super) struct Reader<'a> {
    pub(super) source: &'a Source,
    pub(super) file: File,
    pub(super) purpose: Purpose,
    pub(super) rulebook: Rulebook,
    pub(super) options: Options,
    units: Vec<UnitSpec>,
    commanders: Vec<CommanderSpec>,
    regiments: Vec<(String, Side)>,
    wings: Vec<(String, Side)>,
    ids: Vec<UnitId>,
}

pub(super) fn at(key: &str, n: usize, field: &str) -> Vec<Spot> {
    vec![key.into(), n.into(), field.into()]
}

/// Sets a battle up from a file of either format.
pub fn set_up(source: &Source, choices: &Choices, purpose: Purpose) -> Result<Field, Fault> {
    Scenario::<Words>::open(source, choices, purpose, |source, file| build(source, file, choices, purpose))
}

fn build(source: &Source, file: File, choices: &Choices, purpose: Purpose) -> Result<Field, Fault> {
    let options: Options = tricorne_drill::readings(rulebook::options(), source, &file.options, choices)?;
    let reader = Reader {
        source,
        purpose,
        rulebook: Rulebook::read(choices)?,
        options,
        units: Vec::new(),
        commanders: Vec::new(),
        regiments: Vec::new(),
        wings: Vec::new(),
        ids: Vec::new(),
        file,
    };
    reader.read()
}

impl Reader<'_> {
    pub(super) fn fault<T>(&self, place: &[Spot], why: impl Into<String>) -> Result<T, Fault> {
        Err(self.source.fault(place, why))
    }

    /// A word of these rules.
    pub(super) fn word<T: serde::de::DeserializeOwned>(
        &self,
        place: &[Spot],
        word: &str,
    ) -> Result<T, Fault> {
        written(&word.into()).map_err(|e| self.source.fault(place, e.problem))
    }

    fn read(mut self) -> Result<Field, Fault> {
        if self.file.own.points_game {
            crate::scenario::purchase::buy(self.source, &mut self.file, &self.rulebook, self.purpose)?;
        }
        let size = self.rulebook.profiles.table;
        let (width, height) = (self.file.table.width(), self.file.table.depth());
        for (name, value) in [("width", width), ("height", height)] {
            if !(6.0..=400.0).contains(&value) {
                return self.fault(&["table".into(), name.into()], "must be 6 to 400 inches");
            }
        }
        if self.file.own.points_game
            && let Some(why) = no_sectors(&self.rulebook.profiles, [width, height])
        {
            return self.fault(&["table".into()], why);
        }
        let terrain = self.terrain()?;
        let units = self.units()?;
        let commanders = self.commanders()?;
        let (objective, objective_name) = self.aim()?;
        let limit = self.file.turns.unwrap_or(size.turns);
        if limit == 0 || limit > 100 {
            return self.fault(&["turns".into()], "must be 1 to 100");
        }
        let break_point = [RED, BLACK].map(|side| {
            // VF-ARMYMORALE-01
            let n = self.units.iter().filter(|u| u.side == side && u.kind != Kind::Wagon).count();
            let said = self.file.sides[side.index()].own.break_point;
            said.unwrap_or_else(|| self.rulebook.profiles.break_point(n))
        });
        let brief = Brief {
            title: self.file.title.clone(),
            width,
            height,
            limit,
            names: [RED, BLACK].map(|side| self.file.sides[side.index()].name.clone()),
            units: std::mem::take(&mut self.units),
            commanders: std::mem::take(&mut self.commanders),
            regiments: self.regiments.iter().map(|(n, _)| n.clone()).collect(),
            wings: self.wings.iter().map(|(n, _)| n.clone()).collect(),
            terrain,
            objective,
            objective_name,
            break_point,
            options: self.options,
            rulebook: self.rulebook.clone(),
            points_game: self.file.own.points_game,
            scenario: self.purpose == Purpose::Scenario,
        };
        let state = self.state(&brief, units, commanders)?;
        let mut field = Field { s: state, b: Arc::new(brief), mind: self.rulebook.mind.clone() };
        self.room(&field)?;
        self.moment(&mut field)?;
        Ok(field)
    }

    /// Units and commanders have ids of their own.
    fn named_once(&mut self, place: &[Spot], id: UnitId) -> Result<(), Fault> {
        if self.ids.contains(&id) {
            return self.fault(place, format!("`{id}` is the id of something else already"));
        }
        self.ids.push(id);
        Ok(())
    }

    fn side(&self, place: &[Spot], side: Option<SideName>, id: &str) -> Result<Side, Fault> {
        match (side, id.chars().next()) {
            (Some(side), _) => Ok(side.side()),
            (None, Some('R' | 'r')) => Ok(RED),
            (None, Some('B' | 'b')) => Ok(BLACK),
            _ => self.fault(place, "say `side = \"red\"` or `\"black\"`, or begin the id with R or B"),
        }
    }

    fn point(&self, place: &[Spot], [x, y]: [f64; 2]) -> Result<Point, Fault> {
        if x.is_finite() && y.is_finite() && x.abs() < 1000.0 && y.abs() < 1000.0 {
            Ok(Point::new(x, y))
        } else {
            self.fault(place, "is no place on a table; write [x, y] in inches")
        }
    }

    fn terrain(&mut self) -> Result<Vec<Piece>, Fault> {
        let mut all = Vec::new();
        for (i, piece) in self.file.terrain.iter().enumerate() {
            let kind: GroundKind = self.word(&at("terrain", i, "kind"), &piece.kind)?;
            let Some(area) = piece.area.clone() else {
                let why = "is missing; give the corners of the piece";
                return self.fault(&at("terrain", i, "outline"), why);
            };
            if area.corners().iter().any(|p| p.x.abs() >= 1000.0 || p.y.abs() >= 1000.0) {
                return self.fault(&at("terrain", i, "outline"), "is no place on a table");
            }
            all.push(Piece::new(piece.id.clone(), kind, piece.own.hard, area));
        }
        Ok(all)
    }

    fn body_of(list: &mut Vec<(String, Side)>, name: &str, side: Side) -> u8 {
        if let Some(i) = list.iter().position(|(n, s)| n == name && *s == side) {
            return i as u8;
        }
        list.push((name.to_owned(), side));
        (list.len() - 1) as u8
    }

    fn units(&mut self) -> Result<Vec<Unit>, Fault> {
        let files = self.file.units.clone();
        if files.len() > UNITS {
            return self.fault(&["unit".into()], format!("there are more than {UNITS} units"));
        }
        let mut units = Vec::new();
        for (i, entry) in files.iter().enumerate() {
            let spot = |field: &str| at("unit", i, field);
            let (f, id, side) = (&entry.own, entry.id, entry.side);
            let kind: Kind = self.word(&spot("kind"), &entry.kind)?;
            self.named_once(&spot("id"), id)?;
            let p = &self.rulebook.profiles;
            let start = f.start.unwrap_or_else(|| kind.start(p));
            if start == 0 || (kind == Kind::Skirmish && start > 6) {
                return self.fault(&spot("start"), "must be at least 1, and at most 6 for skirmishers");
            }
            let strength = f.strength.unwrap_or(start);
            if strength > start || (strength == 0 && f.gone.is_none()) {
                return self.fault(&spot("strength"), format!("must be 1 to {start}"));
            }
            let formation = f.formation.unwrap_or(kind.formations()[0]);
            if !kind.formations().contains(&formation) {
                let all: Vec<_> = kind.formations().iter().map(|f| f.name()).collect();
                let why = format!("{} stands in {}", kind.name(), all.join(" or "));
                return self.fault(&spot("formation"), why);
            }
            if self.purpose == Purpose::Scenario {
                self.fresh(f, i)?;
            }
            let facing = entry.facing.unwrap_or(if side == RED { 0.0 } else { 180.0 });
            if facing.abs() > 100_000.0 {
                return self.fault(&spot("facing"), "must be degrees clockwise from north");
            }
            let Some(front) = entry.at else {
                return self.fault(&spot("at"), "is missing; say where the middle of its front is");
            };
            let place = Place::of(Pose::new(front, facing));
            let mut unit = Unit::new(place, formation, strength, self.rulebook.profiles.base);
            unit.turn.activated = f.activated;
            unit.shaken = f.shaken;
            unit.disordered = f.disordered || f.shaken;
            unit.routed = f.routed;
            unit.turn.held_fire = f.held_fire && !unit.disordered;
            unit.mishap =
                f.mishap || f.routed || f.gone.is_some_and(|g| g != Fate::Undeployed && g != Fate::Exited);
            unit.colours_lost = f.colours_lost;
            unit.trophies = f.trophies;
            unit.turn.silenced = f.silenced;
            unit.turn.lost_galloper = f.lost_galloper;
            unit.turn.forced_march = f.forced_march;
            unit.gone = f.gone;
            let few = holds(kind, &self.rulebook.profiles).is_some_and(|most| strength <= most);
            unit.one_base =
                self.options.base_removal == BaseRemoval::RemoveEmpty && f.one_base.unwrap_or(few);
            unit.settle();
            unit.ever_lost = u16::from(start - strength);
            units.push(unit);
            let regiment = f.regiment.as_deref().map(|r| Self::body_of(&mut self.regiments, r, side));
            let wing = f.wing.as_deref().map(|w| Self::body_of(&mut self.wings, w, side));
            if regiment.is_some() && !(kind == Kind::Infantry || kind.is_cavalry()) {
                return self
                    .fault(&spot("regiment"), "only battalions and squadrons form regiments (VF-MODEL-17)");
            }
            self.units.push(UnitSpec {
                id,
                name: entry.name.clone(),
                side,
                kind,
                quality: f.quality,
                start,
                colours: f.colours.unwrap_or(!matches!(kind, Kind::Skirmish | Kind::Wagon)),
                regiment,
                wing,
            });
        }
        for (i, entry) in files.iter().enumerate() {
            if let Some(s) = &entry.own.regimental_square {
                let anchor = self.unit_named(&at("unit", i, "regimental_square"), &s.anchor)?;
                if s.of == 0 || s.index >= s.of || units[i].formation != Formation::Square {
                    return self.fault(
                        &at("unit", i, "regimental_square"),
                        "needs formation square and index below `of`",
                    );
                }
                units[i].square = Some(InSquare { index: s.index, of: s.of, open_rear: s.open_rear, anchor });
            }
        }
        self.check_regiments()?;
        Ok(units)
    }

    /// A scenario starts fresh (VF-SCEN-06).
    fn fresh(&self, f: &UnitWords, i: usize) -> Result<(), Fault> {
        let marks = [
            (f.activated, "activated"),
            (f.disordered, "disordered"),
            (f.shaken, "shaken"),
            (f.routed, "routed"),
            (f.held_fire, "held_fire"),
        ];
        match marks.iter().find(|(set, _)| *set) {
            Some((_, mark)) => self.fault(&at("unit", i, mark), "no unit starts a battle so (VF-SCEN-06)"),
            None => Ok(()),
        }
    }

    fn check_regiments(&self) -> Result<(), Fault> {
        for (r, (name, _)) in self.regiments.iter().enumerate() {
            let members: Vec<(usize, &UnitSpec)> =
                self.units.iter().enumerate().filter(|(_, u)| u.regiment == Some(r as u8)).collect();
            let Some(&(_, first)) = members.first() else { continue };
            // VF-MODEL-17
            if let Some((i, _)) =
                members.iter().find(|(_, u)| u.kind != first.kind || u.quality != first.quality)
            {
                let why = format!("the sub-units of {name} must be of one kind and one quality");
                return self.fault(&at("unit", *i, "regiment"), why);
            }
            if self.purpose == Purpose::Scenario && members.len() < 2 {
                let why = format!(
                    "{name} needs two or more sub-units (VF-ARMY-03); leave `regiment` out for an independent unit"
                );
                return self.fault(&at("unit", members[0].0, "regiment"), why);
            }
        }
        Ok(())
    }

    pub(super) fn unit_named(&self, place: &[Spot], text: &str) -> Result<Nr, Fault> {
        match self.units.iter().position(|u| u.id.as_str() == text) {
            Some(i) => Ok(Nr(i as u8)),
            None => self.fault(place, format!("there is no unit `{text}`")),
        }
    }

    fn commanders(&mut self) -> Result<Vec<Commander>, Fault> {
        let files = self.file.own.commander.clone();
        if files.len() > COMMANDERS {
            return self.fault(&["commander".into()], format!("there are more than {COMMANDERS} commanders"));
        }
        let mut commanders = Vec::new();
        for (i, f) in files.iter().enumerate() {
            let spot = |field: &str| at("commander", i, field);
            let id: UnitId = f.id.parse().map_err(|why: String| self.source.fault(&spot("id"), why))?;
            self.named_once(&spot("id"), id)?;
            let side = self.side(&spot("side"), f.side, &f.id)?;
            let body = match f.level {
                Level::Army => None,
                Level::Regimental => match &f.regiment {
                    Some(r) => Some(Self::body_of(&mut self.regiments, r, side)),
                    None => return self.fault(&spot("regiment"), "say which regiment he commands"),
                },
                Level::Wing => match &f.wing {
                    Some(w) => Some(Self::body_of(&mut self.wings, w, side)),
                    None => return self.fault(&spot("wing"), "say which wing he commands"),
                },
            };
            let host = match &f.attached {
                Some(unit) => Some(self.unit_named(&spot("attached"), unit)?),
                None => None,
            };
            let spec =
                CommanderSpec { id, name: f.name.clone().unwrap_or_default(), side, level: f.level, body };
            if let Some(host) = host
                && !spec.is_over(&self.units[usize::from(host.0)])
            {
                return self.fault(&spot("attached"), "that unit is not under him");
            }
            if f.level == Level::Army
                && self.commanders.iter().any(|c| c.level == Level::Army && c.side == side)
            {
                return self.fault(&spot("level"), "a side has one army commander (VF-ARMY-02)");
            }
            let at = match (f.at, host) {
                (Some(at), _) => self.point(&spot("at"), at)?,
                (None, Some(_)) => Point::ORIGIN,
                (None, None) if f.gone.is_some() => Point::ORIGIN,
                (None, None) => return self.fault(&spot("at"), "say where he stands, or `attached` to whom"),
            };
            self.commanders.push(spec);
            commanders.push(Commander {
                x: mils(at.x),
                y: mils(at.y),
                host,
                gone: f.gone,
                turn: CommanderMarks {
                    activated: f.activated || host.is_some(),
                    dazed: f.dazed,
                    gout: f.gout,
                },
            });
        }
        if self.purpose == Purpose::Scenario {
            for (r, (name, side)) in self.regiments.iter().enumerate() {
                let led = self
                    .commanders
                    .iter()
                    .any(|c| c.level == Level::Regimental && c.side == *side && c.body == Some(r as u8));
                if !led {
                    return self.fault(
                        &["commander".into()],
                        format!("{name} has no regimental commander (VF-ARMY-03)"),
                    );
                }
            }
            for side in [RED, BLACK] {
                if !self.commanders.iter().any(|c| c.level == Level::Army && c.side == side) {
                    let who = if side == RED { "Red" } else { "Black" };
                    return self
                        .fault(&["commander".into()], format!("{who} has no army commander (VF-ARMY-02)"));
                }
            }
        }
        Ok(commanders)
    }

    /// Nothing stands on top of anything, or off the table (VF-MODEL-44).
    fn room(&self, field: &Field) -> Result<(), Fault> {
        for u in field.present() {
            let body = field.unit(u).body;
            let i = usize::from(u.0);
            if !body.on_table(field.b.width, field.b.height) {
                return self.fault(&at("unit", i, "at"), format!("{} stands off the table", field.name(u)));
            }
            // A position may stand so, for who has come to stand so may only leave (VF-MODEL-50).
            if self.purpose == Purpose::Scenario && field.closed_under(&body, Mover::Unit(field.kind(u))) {
                let why = format!("{} stands on ground it may not enter", field.name(u));
                return self.fault(&at("unit", i, "at"), why);
            }
            if let Some(o) = field.present().find(|&o| o > u && body.overlaps(&field.unit(o).body)) {
                let why = format!("{} stands on top of {}", field.name(o), field.name(u));
                return self.fault(&at("unit", usize::from(o.0), "at"), why);
            }
        }
        for c in field.chiefs() {
            if field.commander(c).host.is_some() || field.commander(c).gone.is_some() {
                continue;
            }
            let body = field.commander_body(c);
            let i = usize::from(c.0);
            if !body.on_table(field.b.width, field.b.height) {
                return self.fault(&at("commander", i, "at"), "stands off the table");
            }
            if let Some(o) = field.present().find(|&o| body.overlaps(&field.unit(o).body)) {
                return self.fault(&at("commander", i, "at"), format!("stands on top of {}", field.name(o)));
            }
        }
        Ok(())
    }
}
