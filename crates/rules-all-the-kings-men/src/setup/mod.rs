//! From a file to a battle: scenarios and positions, with faults that name the place.

pub(crate) mod arrive;
pub(crate) mod deploy;
pub(crate) mod forces;
pub(crate) mod place_general;
mod position;
pub(crate) mod scenario;
pub(crate) mod zone;

use std::collections::BTreeMap;
use std::sync::Arc;

use arrayvec::ArrayVec;
use tricorne_chance::Suit;
use tricorne_game::{Choices, Fault, Place, Purpose, Seat, Side, Source, UnitId};
use tricorne_table::{Area, Bounds, Edge, Ground, Line, Point, Shape, Table};

use crate::field::{Engagement, Field, Objective, RandomForces, SeatText, army_name, ring_search};
use crate::formations::{Formation, Spread};
use crate::movement::terrain::{Feature, Land, Moving, Outline, Sight};
use crate::options::Options;
use crate::rulebook::{Colour, Kind, OPTIONS, Rulebook, most_privates};
use crate::setup::arrive::Arrival;
use crate::setup::forces::{Muster, recruit};
use crate::setup::scenario::{
    ArmyFile, ArmyWord, BattleFile, ObjectiveFile, Phase, Rating, SeatFile, UnitFile, ZoneFile,
};
use crate::setup::zone::Zone;
use crate::state::{General, MOST_SEATS, Presence, Solids, Stage, State, Unit, UnitNo, base_at};
use crate::turn::cards;

/// Reads a file and the rulebook for it.
pub(crate) struct Clerk<'a> {
    pub(crate) file: &'a Source,
    rules: Arc<Rulebook>,
    purpose: Purpose,
}

/// Sets up a battle.
pub(crate) fn set_up(file: &Source, choices: &Choices, purpose: Purpose) -> Result<Engagement, Fault> {
    let written: BattleFile = file.parse()?;
    let rules = Rulebook::with(choices)?;
    let clerk = Clerk { file, rules, purpose };
    clerk.head(&written)?;
    let options = clerk.options(&written, choices)?;
    let table = clerk.table(&written)?;
    let land = clerk.land(&written, table)?;
    let (seats, generals) = clerk.seats(&written, &land)?;
    let units = clerk.units(&written, &options, &generals)?;
    let mut names = BTreeMap::new();
    for (u, unit) in written.unit.iter().zip(&units) {
        if let Some(name) = &u.name {
            names.insert(unit.id, name.clone());
        }
    }
    let suits = clerk.suits(&written)?;
    let objectives = clerk.objectives(&written)?;
    let zones = clerk.zones(&written, table, &options)?;
    let arrivals = clerk.arrivals(&written, table, &options)?;
    let army = |a: &ArmyFile, own: &str| a.name.clone().unwrap_or_else(|| own.to_owned());
    let rolls =
        [&written.armies.red, &written.armies.black].map(|a| a.rolls.map_or(0, |r| r.number(&clerk.rules)));
    let field = Field {
        options,
        land,
        title: written.title.clone().unwrap_or_else(|| "A position".into()),
        army_names: [army(&written.armies.red, "Red"), army(&written.armies.black, "Black")],
        seats,
        names,
        objectives,
        zones,
        arrivals,
        forces: RandomForces { rolls },
        suits,
        rules: Arc::clone(&clerk.rules),
    };
    let state = State {
        turn: 0,
        stage: Stage::Muster,
        units,
        generals,
        deck: cards::deck(suits),
        play: None,
        activation: None,
        overrun: ArrayVec::new(),
        rotation: [0, 0],
        began: [0, 0],
        began_privates: [0, 0],
        began_points: [0, 0],
        scored: [0, 0],
        quiet: 0,
        blood: false,
        loss: false,
        grown: [0, 0],
        placing: Side(0),
        outcome: None,
    };
    let mut battle = Engagement { field: Arc::new(field), state };
    clerk.check_armies(&written, &battle)?;
    clerk.place_units(&written, &mut battle)?;
    if purpose == Purpose::Position {
        Clerk::clear_corners(&written, &mut battle);
    }
    clerk.check_generals(&battle)?;
    if purpose == Purpose::Position {
        clerk.position(&written, &mut battle)?;
    }
    Ok(battle)
}

/// An option that older files may still name: the rulebook leaves nothing to choose there any more (ATKM-UNIT-07).
fn is_withdrawn(name: &str, value: &str) -> Result<bool, String> {
    match (name, value) {
        ("skirmisher_is_infantry", "no") => Ok(true),
        ("skirmisher_is_infantry", _) => {
            Err("is withdrawn: skirmishers are never meant by infantry [ATKM-UNIT-07]; leave it out".into())
        }
        _ => Ok(false),
    }
}

impl Clerk<'_> {
    pub(crate) fn fault<T>(&self, place: &[Place], why: impl Into<String>) -> Result<T, Fault> {
        Err(self.file.fault(place, why))
    }

    fn head(&self, written: &BattleFile) -> Result<(), Fault> {
        match written.format {
            None | Some(1) => {}
            Some(n) => return self.fault(&["format".into()], format!("is {n}; this program reads format 1")),
        }
        match written.ruleset.as_deref() {
            None | Some("all-the-kings-men") => self.no_position(written),
            Some(other) => {
                self.fault(&["ruleset".into()], format!("is `{other}`; expected `all-the-kings-men`"))
            }
        }
    }

    /// A scenario starts at the start: what only a position says is a mistake in it.
    fn no_position(&self, written: &BattleFile) -> Result<(), Fault> {
        if self.purpose == Purpose::Position {
            return Ok(());
        }
        let said = [
            ("turn", written.turn.is_some()),
            ("phase", written.phase.is_some()),
            ("card", written.card.is_some()),
            ("deck", written.deck.is_some()),
            ("drawn", !written.drawn.is_empty()),
            ("acting", written.acting.is_some()),
            ("beneficiary", written.beneficiary.is_some()),
            ("left", written.left.is_some()),
            ("active", written.active.is_some()),
            ("began", written.began.is_some()),
        ];
        match said.into_iter().find(|(_, there)| *there) {
            Some((key, _)) => {
                self.fault(&[key.into()], "belongs to the position of a rule case, not to a scenario")
            }
            None => Ok(()),
        }
    }

    fn options(&self, written: &BattleFile, choices: &Choices) -> Result<Options, Fault> {
        let mut all = BTreeMap::new();
        for (name, value) in &written.options {
            let value = value.to_string();
            if is_withdrawn(name, &value)
                .map_err(|why| self.file.fault(&["options".into(), name.as_str().into()], why))?
            {
                continue;
            }
            OPTIONS
                .check(name, &value)
                .map_err(|why| self.file.fault(&["options".into(), name.as_str().into()], why))?;
            all.insert(name.clone(), value);
        }
        for (name, value) in &choices.options {
            if is_withdrawn(name, value).map_err(|why| self.file.fault(&["options".into()], why))? {
                continue;
            }
            OPTIONS.check(name, value).map_err(|why| self.file.fault(&["options".into()], why))?;
            all.insert(name.clone(), value.clone());
        }
        OPTIONS.resolve(&all).map_err(|why| self.file.fault(&["options".into()], why))
    }

    fn table(&self, written: &BattleFile) -> Result<Table, Fault> {
        let [w, d] = written.table.unwrap_or([72.0, 48.0]);
        if !(24.0..=240.0).contains(&w) || !(24.0..=240.0).contains(&d) {
            return self
                .fault(&["table".into()], format!("is {w} by {d}; expected 24 to 240 inches each way"));
        }
        Table::new(w, d).map_err(|e| self.file.fault(&["table".into()], e.to_string()))
    }

    fn land(&self, written: &BattleFile, table: Table) -> Result<Land, Fault> {
        let mut features = Vec::new();
        for (i, t) in written.terrain.iter().enumerate() {
            let place = |field: &str| [Place::from("terrain"), i.into(), field.into()];
            let Some(kind) = self.rules.ground.kind.get(&t.kind) else {
                let all: Vec<&str> = self.rules.ground.kind.keys().map(String::as_str).collect();
                return self.fault(
                    &place("kind"),
                    format!("`{}` is no kind of ground; expected one of {}", t.kind, all.join(", ")),
                );
            };
            if t.points.iter().any(|p| !p.is_finite()) {
                return self.fault(&place("points"), "has a number that is none");
            }
            let ground = match kind.shape {
                Outline::Area => Area::new(t.points.clone()).map(Ground::Area).map_err(|e| {
                    self.file.fault(&place("points"), format!("{e}; give the corners in order"))
                })?,
                Outline::Line => Line::new(t.points.clone()).map(Ground::Line).map_err(|e| {
                    self.file.fault(&place("points"), format!("{e}; give the points in order"))
                })?,
            };
            let moving = t.moving.unwrap_or(kind.moving);
            let peak = match (&ground, t.peak) {
                (_, Some(p)) if !p.is_finite() => {
                    return self.fault(&place("peak"), "has a number that is none");
                }
                (_, Some(p)) => Some(p),
                (Ground::Area(area), None) if moving == Moving::Uphill => Some(area.centroid()),
                _ => None,
            };
            if let (Ground::Area(area), Moving::Road) = (&ground, moving)
                && !area.is_convex()
            {
                return self.fault(
                    &place("points"),
                    "a piece of road must have no corner pointing inwards; lay a bent road in several pieces",
                );
            }
            features.push(Feature {
                id: t.id.clone().unwrap_or_else(|| format!("{}-{}", t.kind, i + 1)),
                kind: t.kind.clone(),
                bounds: ground.bounds(),
                ground,
                moving,
                sight: if t.opaque { Sight::Blocks } else { t.sight.unwrap_or(kind.sight) },
                cover: t.cover.unwrap_or(kind.cover),
                melee_cover: t.melee_cover.unwrap_or(kind.melee_cover),
                look: kind.look,
                peak,
            });
        }
        Ok(Land {
            table,
            features,
            woods_depth: self.rules.ground.woods_depth,
            cover_reach: self.rules.cover.reach,
        })
    }

    fn seats(
        &self,
        written: &BattleFile,
        land: &Land,
    ) -> Result<(Vec<SeatText>, ArrayVec<General, MOST_SEATS>), Fault> {
        let default = |army: ArmyWord| SeatFile {
            army,
            name: None,
            rating: None,
            general: None,
            commander: None,
            points: None,
            killed: false,
        };
        let mut files = written.seat.clone();
        for army in [ArmyWord::Red, ArmyWord::Black] {
            if !files.iter().any(|s| s.army == army) {
                if self.purpose == Purpose::Scenario && !written.seat.is_empty() {
                    return self.fault(&["seat".into()], format!("nobody plays {}", army_name(army.side())));
                }
                files.push(default(army));
            }
        }
        if files.len() > MOST_SEATS {
            return self.fault(&["seat".into()], format!("has {} players; two to six can play", files.len()));
        }
        let mut texts = Vec::new();
        let mut generals = ArrayVec::new();
        for (i, s) in files.iter().enumerate() {
            let place = |field: &str| [Place::from("seat"), i.into(), field.into()];
            let army = s.army.side();
            let (rating, roll_rating) = match &s.rating {
                None => (2, false),
                Some(Rating::Fixed(r @ 1..=3)) => (*r, false),
                Some(Rating::Word(w)) if w == "roll" => (2, true),
                Some(_) => return self.fault(&place("rating"), "expected 1, 2, 3 or \"roll\""),
            };
            let same = files[..i].iter().filter(|o| o.army == s.army).count();
            let teammates = files.iter().filter(|o| o.army == s.army).count();
            let starting = matches!(written.phase, Some(Phase::Muster | Phase::Deploy));
            let position = self.purpose == Purpose::Position && !starting;
            let corner = || {
                // In a position a general nobody mentions waits in his side's corner, out of the way.
                let x = 1.0 + 3.0 * same as f64;
                if army == Side(0) {
                    Point::new(x, 1.5)
                } else {
                    Point::new(land.table.width() - x, land.table.depth() - 1.5)
                }
            };
            if s.general.is_some_and(|p| !p.is_finite()) {
                return self.fault(&place("general"), "has a number that is none");
            }
            let at = s.general.or_else(|| position.then(corner));
            if s.commander == Some(true)
                && files[..i].iter().any(|o| o.army == s.army && o.commander == Some(true))
            {
                return self.fault(&place("commander"), "an army has one Commanding General");
            }
            let colour = if army == Side(0) { "Red" } else { "Black" };
            let number = if teammates > 1 { format!(" {}", same + 1) } else { String::new() };
            texts.push(SeatText {
                name: s.name.clone().unwrap_or_else(|| format!("{colour}{number}")),
                roll_rating,
            });
            generals.push(General {
                army,
                rating,
                at: at.unwrap_or(Point::ORIGIN),
                placed: at.is_some(),
                killed: s.killed,
                commander: s.commander.unwrap_or(teammates == 1),
                points: s.points.unwrap_or(if position { 3 } else { 0 }),
            });
        }
        Ok((texts, generals))
    }

    fn units(
        &self,
        written: &BattleFile,
        options: &Options,
        generals: &[General],
    ) -> Result<Vec<Unit>, Fault> {
        let mut units: Vec<Unit> = Vec::new();
        if written.unit.len() > 100 {
            return self.fault(&["unit".into()], "has more than 100 units");
        }
        let mut dealt = [0_usize; 2];
        for (i, u) in written.unit.iter().enumerate() {
            let place = |field: &str| [Place::from("unit"), i.into(), field.into()];
            let id: UnitId = u.id.parse().map_err(|e: String| self.file.fault(&place("id"), e))?;
            if units.iter().any(|o| o.id == id) {
                return self.fault(&place("id"), format!("two units are called `{id}`"));
            }
            let Some(kind) = self.rules.kind(&u.kind) else {
                return self.fault(
                    &place("kind"),
                    format!("`{}` is no type of unit; expected I (infantry), S (skirmisher), K (cavalry), F (foot artillery) or H (horse artillery)", u.kind),
                );
            };
            let (army, owner) = self.owner(u, i, generals, &mut dealt)?;
            let mut unit = recruit(&self.rules, id, kind, army, owner);
            let most = most_privates(kind.name());
            let least = u8::from(!u.routed);
            unit.n = u.n.unwrap_or(if u.routed { 0 } else { unit.n });
            unit.n0 = u.n0.unwrap_or(unit.n0.max(unit.n));
            if unit.n < least || unit.n > unit.n0 || unit.n0 > most {
                return self.fault(
                    &place("n"),
                    format!(
                        "has {} of {} privates; expected 1 to {most} and no more than at the start",
                        unit.n, unit.n0
                    ),
                );
            }
            if let Some(shape) = &u.shape {
                unit.formation = shape.parse().map_err(|e: String| self.file.fault(&place("shape"), e))?;
            }
            let shape_ok =
                crate::formations::allowed(&self.rules, options, kind, unit.formation, unit.n.max(1));
            let mob_at_start = unit.formation == Formation::Mob && self.purpose == Purpose::Scenario;
            if let Err((clause, why)) = shape_ok
                && !u.routed
            {
                return self.fault(&place("shape"), format!("{why} [{clause}]"));
            }
            if mob_at_start {
                return self.fault(&place("shape"), "a unit does not start as a mob [ATKM-FORM-14]");
            }
            unit.colour = u.colour.unwrap_or(Colour::Green);
            unit.disorder = u.disorder;
            unit.quality = u.quality;
            unit.shrugged = u.shrugged;
            unit.light = u.light;
            if u.light && kind != Kind::Infantry {
                return self.fault(&place("light"), "only infantry is named as light infantry [ATKM-ADV-02]");
            }
            if self.purpose == Purpose::Scenario
                && (unit.colour != Colour::Green || unit.disorder || u.routed)
            {
                return self.fault(
                    &[Place::from("unit"), i.into()],
                    "all units begin green, unmarked and on the table [ATKM-SETUP-09]",
                );
            }
            if let Some(parent) = &u.part_of {
                match units.iter().position(|o| o.id == *parent.as_str()) {
                    Some(no) => unit.parent = Some(UnitNo::at(no)),
                    None => {
                        return self.fault(
                            &place("part_of"),
                            format!("there is no unit `{parent}` before this one"),
                        );
                    }
                }
            }
            let facing = u.facing.unwrap_or(unit.facing);
            if !facing.is_finite() || u.at.is_some_and(|p| !p.is_finite()) {
                return self.fault(&place("at"), "has a number that is none");
            }
            unit.set_pose(u.at.unwrap_or(Point::ORIGIN), facing);
            if unit.is_mob() {
                unit.set_mob(unit.at);
            }
            unit.presence = match (u.routed, u.split, u.at) {
                (true, _, _) => Presence::Routed,
                (_, true, _) => Presence::Split,
                (_, _, Some(_)) => Presence::Present,
                (_, _, None) if u.arrives.is_some() => Presence::Due,
                (_, _, None) => Presence::Waiting,
            };
            units.push(unit);
        }
        Ok(units)
    }

    fn owner(
        &self,
        u: &UnitFile,
        i: usize,
        generals: &[General],
        dealt: &mut [usize; 2],
    ) -> Result<(Side, Seat), Fault> {
        let place = |field: &str| [Place::from("unit"), i.into(), field.into()];
        match (u.seat.map(Seat), u.army) {
            (Some(seat), army) => {
                let Some(general) = generals.get(seat.index()) else {
                    return self.fault(
                        &place("seat"),
                        format!("there is no seat {}; seats are 0 to {}", seat.0, generals.len() - 1),
                    );
                };
                if army.is_some_and(|a| a.side() != general.army) {
                    return self.fault(&place("army"), "is not the army of its seat");
                }
                Ok((general.army, seat))
            }
            (None, Some(army)) => {
                let army = army.side();
                let seats: Vec<Seat> = (0..generals.len())
                    .filter(|&s| generals[s].army == army)
                    .map(|s| Seat(s as u8))
                    .collect();
                // ATKM-TEAM-06: without a word from the scenario units are dealt to seats in turn.
                let seat =
                    seats.get(dealt[army.index()] % seats.len().max(1)).copied().unwrap_or(Seat(army.0));
                dealt[army.index()] += 1;
                Ok((army, seat))
            }
            (None, None) => {
                self.fault(&[Place::from("unit"), i.into()], "needs `army` (\"red\" or \"black\") or `seat`")
            }
        }
    }

    fn suits(&self, written: &BattleFile) -> Result<[Suit; 2], Fault> {
        let red: Suit = written.armies.red.suit.map_or(Suit::Hearts, Into::into);
        let black: Suit = written.armies.black.suit.map_or(Suit::Clubs, Into::into);
        if red.colour() != tricorne_chance::Colour::Red {
            return self.fault(
                &["armies".into(), "red".into(), "suit".into()],
                "the red army takes hearts or diamonds [ATKM-SETUP-06]",
            );
        }
        if black.colour() != tricorne_chance::Colour::Black {
            return self.fault(
                &["armies".into(), "black".into(), "suit".into()],
                "the black army takes clubs or spades [ATKM-SETUP-06]",
            );
        }
        Ok([red, black])
    }

    fn objectives(&self, written: &BattleFile) -> Result<Vec<Objective>, Fault> {
        let mut out = Vec::new();
        for (i, o) in written.objective.iter().enumerate() {
            let area = |corners: &Vec<Point>| {
                Area::new(corners.clone())
                    .map_err(|e| self.file.fault(&["objective".into(), i.into()], format!("area: {e}")))
            };
            out.push(match o {
                ObjectiveFile::Hold { at, radius, score } => {
                    if !at.is_finite() || !radius.is_finite() || *radius < 0.0 {
                        return self.fault(&["objective".into(), i.into()], "needs a place and a radius");
                    }
                    Objective::Hold { at: *at, radius: *radius, score: *score }
                }
                ObjectiveFile::Seize { area: a } => Objective::Seize { area: area(a)? },
                ObjectiveFile::Occupy { area: a, from, score } => {
                    Objective::Occupy { area: area(a)?, from: *from, score: *score }
                }
            });
        }
        Ok(out)
    }

    fn zones(&self, written: &BattleFile, table: Table, options: &Options) -> Result<[Zone; 2], Fault> {
        let own = |file: &ArmyFile, key: &str, edge: Edge| match &file.zone {
            Some(zone) => {
                let place = ["armies".into(), key.into(), "zone".into()];
                let clause =
                    if matches!(zone, ZoneFile::Areas(_)) { "ATKM-SETUP-14" } else { "ATKM-SETUP-03" };
                self.zone(zone, clause, &place, table, options)
            }
            None => {
                let edge = file.edge.unwrap_or(edge);
                let area = zone::Ground::along(edge, f64::from(options.deploy_depth), &table);
                Ok(Zone { areas: vec![area], clause: "ATKM-SETUP-03" })
            }
        };
        let armies = &written.armies;
        Ok([own(&armies.red, "red", Edge::South)?, own(&armies.black, "black", Edge::North)?])
    }

    /// ATKM-SETUP-14.
    fn zone(
        &self,
        file: &ZoneFile,
        clause: &'static str,
        place: &[Place],
        table: Table,
        options: &Options,
    ) -> Result<Zone, Fault> {
        let rect = |place: &[Place], [a, b]: [Point; 2]| {
            if a.is_finite() && b.is_finite() {
                Ok(zone::Ground::Rect(Bounds::of_pair(a, b)))
            } else {
                self.fault(place, "expected two corners of ordinary numbers")
            }
        };
        let areas = match file {
            ZoneFile::Corners(corners) => vec![rect(place, *corners)?],
            ZoneFile::Areas(files) if files.is_empty() => {
                return self.fault(place, "is empty; name an edge, a rectangle or a polygon");
            }
            ZoneFile::Areas(files) => {
                let mut areas = Vec::new();
                for (i, file) in files.iter().enumerate() {
                    let mut place = place.to_vec();
                    place.push(i.into());
                    areas.push(match (file.edge, file.rect, &file.polygon) {
                        (Some(edge), None, None) => {
                            let depth = file.depth.unwrap_or(f64::from(options.deploy_depth));
                            if !(depth.is_finite() && depth > 0.0) {
                                return self.fault(&place, format!("is {depth} deep; expected more than 0"));
                            }
                            zone::Ground::along(edge, depth, &table)
                        }
                        (None, Some(corners), None) if file.depth.is_none() => rect(&place, corners)?,
                        (None, None, Some(corners)) if file.depth.is_none() => Area::new(corners.clone())
                            .map(zone::Ground::Polygon)
                            .map_err(|e| self.file.fault(&place, format!("polygon: {e}")))?,
                        _ => {
                            return self.fault(
                                &place,
                                "expected one of `edge` (with a `depth` of its own, if it has one), `rect` or `polygon`",
                            );
                        }
                    });
                }
                areas
            }
        };
        Ok(Zone { areas, clause })
    }

    /// ATKM-SETUP-15: who is held back, until when, and by which areas he comes.
    fn arrivals(
        &self,
        written: &BattleFile,
        table: Table,
        options: &Options,
    ) -> Result<Vec<Option<Arrival>>, Fault> {
        let mut out = Vec::new();
        for (i, unit) in written.unit.iter().enumerate() {
            let Some(file) = &unit.arrives else {
                out.push(None);
                continue;
            };
            let place = |field: &str| [Place::from("unit"), i.into(), "arrives".into(), field.into()];
            if unit.at.is_some() && self.purpose == Purpose::Scenario {
                return self.fault(
                    &[Place::from("unit"), i.into(), "at".into()],
                    "stands on the table already; leave out `at` or `arrives` [ATKM-SETUP-15]",
                );
            }
            if file.turn == 0 {
                return self.fault(&place("turn"), "is 0; the first turn is 1");
            }
            let zone = self.zone(&file.zone, "ATKM-SETUP-15", &place("zone"), table, options)?;
            out.push(Some(Arrival { turn: file.turn, zone }));
        }
        Ok(out)
    }

    /// ATKM-FORCE-07..09.
    fn check_armies(&self, written: &BattleFile, battle: &Engagement) -> Result<(), Fault> {
        for (army, file, key) in
            [(Side(0), &written.armies.red, "red"), (Side(1), &written.armies.black, "black")]
        {
            let mut muster = Muster::default();
            for unit in battle.state.units.iter().filter(|u| u.army == army) {
                muster.units[unit.kind as usize] += 1;
                muster.extra += battle.worth(unit) - self.rules.profile(unit.kind).points;
            }
            muster.ratings =
                battle.state.generals.iter().filter(|g| g.army == army).map(|g| g.rating).collect();
            let list = match &file.list {
                None => None,
                Some(name) => match self.rules.list(name) {
                    Some(list) => Some(list),
                    None => {
                        let all: Vec<&str> = self.rules.lists.iter().map(|l| l.name.as_str()).collect();
                        return self.fault(
                            &["armies".into(), key.into(), "list".into()],
                            format!("there is no list `{name}`; there is {}", all.join(", ")),
                        );
                    }
                },
            };
            let rolled = file.rolls.map_or(0, |r| r.number(&self.rules));
            let budget = file.budget.map(|b| b.points(&self.rules));
            if rolled > 40 {
                return self.fault(&["armies".into(), key.into(), "rolls".into()], "is more than 40");
            }
            let mustering = written.phase == Some(Phase::Muster);
            if rolled > 0 && self.purpose == Purpose::Position && !mustering {
                return self.fault(
                    &["armies".into(), key.into(), "rolls".into()],
                    "forces are rolled with phase = \"muster\" and begin = true",
                );
            }
            if self.purpose == Purpose::Position && list.is_none() && budget.is_none() {
                continue;
            }
            let counted = if rolled > 0 { Muster { units: [rolled, 0, 0, 0, 0], ..muster } } else { muster };
            let faults = if rolled > 0 {
                counted.faults(&self.rules, None, None)
            } else {
                counted.faults(&self.rules, list, budget)
            };
            if let Some(first) = faults.first() {
                return self.fault(&["armies".into(), key.into()], format!("the {key} army {first}"));
            }
        }
        Ok(())
    }

    /// Units the file places: on the table, off forbidden ground, on nobody (ATKM-SETUP-08).
    fn place_units(&self, written: &BattleFile, battle: &mut Engagement) -> Result<(), Fault> {
        // Skirmishers first come off the table, so that each spreads round those already placed.
        let present: Vec<usize> =
            (0..battle.state.units.len()).filter(|&i| battle.state.units[i].present()).collect();
        for &i in &present {
            battle.state.units[i].presence = Presence::Waiting;
        }
        let formed_first = |i: &usize| battle.state.units[*i].is_skirmish_line();
        let mut order = present.clone();
        order.sort_by_key(formed_first);
        for i in order {
            let place = |field: &str| [Place::from("unit"), i.into(), field.into()];
            let mut unit = battle.state.units[i];
            unit.presence = Presence::Present;
            if unit.is_skirmish_line() {
                let spread = written.unit[i].spread.clone().unwrap_or(Spread::Line);
                battle
                    .spread_out(UnitNo::at(i), &mut unit, Some(&spread))
                    .map_err(|e| self.file.fault(&place("at"), e.to_string()))?;
            } else if written.unit[i].spread.is_some() {
                return self.fault(&place("spread"), "only loose skirmishers spread [ATKM-FORM-23]");
            }
            let footprint = unit.footprint(battle.rules());
            battle.standable(&footprint).map_err(|e| self.file.fault(&place("at"), e.to_string()))?;
            if let Some(met) = battle.overlapped(&footprint, |o, _| o.index() == i) {
                let other = battle.unit(met).id;
                return self.fault(
                    &place("at"),
                    format!("{} would stand on {other}; move one of them [ATKM-SETUP-08]", unit.id),
                );
            }
            battle.state.units[i] = unit;
        }
        Ok(())
    }

    /// Generals nobody mentioned step aside for the units of a position.
    fn clear_corners(written: &BattleFile, battle: &mut Engagement) {
        for seat in 0..battle.state.generals.len() {
            let mentioned = written.seat.get(seat).is_some_and(|s| s.general.is_some());
            let general = battle.state.generals[seat];
            if mentioned || !general.present() {
                continue;
            }
            let free = ring_search(general.at, 0.0, 60.0, |at| {
                battle.judge_general_stand(Seat(seat as u8), at).is_ok()
            });
            battle.state.generals[seat].at = free.unwrap_or(general.at);
        }
    }

    fn check_generals(&self, battle: &Engagement) -> Result<(), Fault> {
        for (i, g) in battle.state.generals.iter().enumerate() {
            if !g.present() {
                continue;
            }
            let mut base = Solids::new();
            base.push(base_at(battle.rules(), g.at));
            let place = [Place::from("seat"), i.into(), "general".into()];
            battle.standable(&base).map_err(|e| self.file.fault(&place, format!("the general: {e}")))?;
            let on = battle.overlapped(&base, |_, u| {
                // The box of loose skirmishers is wider than they are; only their bases count.
                !u.solids(battle.rules())
                    .iter()
                    .any(|r| crate::movement::terrain::overlap(&Shape::Rect(*r), &Shape::Rect(base[0])))
            });
            if let Some(met) = on {
                return self.fault(&place, format!("the general stands on {}", battle.unit(met).id));
            }
        }
        Ok(())
    }
}
