//! Reading a file: the common words here, the rest by the rulebook's dialect, every fault with its place.
//!
//! What is the same in every rulebook is read by functions that know no dialect: they are compiled once, here, and not
//! in each rulebook again.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Value;
use tricorne_game::case::Scalar;
use tricorne_game::view::Livery;
use tricorne_game::{Fault, Place, Seat, Side, Source, UnitId, texts, written};
use tricorne_table::{Edge, Point, Table};

use super::{
    Arrival, Arrives, Dialect, FORMAT, Objective, Outline, Piece, Plot, Scenario, SeatEntry, SideEntry,
    UnitEntry, Zone,
};
use crate::JsonSchema;

/// How much a file may hold; what a club's table could, many times over.
const MOST_UNITS: usize = 400;
const MOST_PIECES: usize = 400;
const MOST_SEATS: usize = 16;
const MOST_PLOTS: usize = 40;
const MOST_TURNS: u32 = 10_000;
const LARGEST_TABLE: f64 = 2_000.0;
const LONGEST_TEXT: usize = 20_000;
const LONGEST_NAME: usize = 200;

/// What is told in sentences; all other texts are names and words, and stand in one line.
const PROSE: [&str; 2] = ["story", "briefing"];

/// The common words at the head.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HeadWords {
    ruleset: String,
    title: String,
    #[serde(default)]
    story: String,
    turns: Option<u32>,
    first: Option<String>,
    #[serde(default)]
    options: BTreeMap<String, Scalar>,
    table: Size,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Size {
    width: f64,
    height: f64,
}

/// The common words of a side.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SideWords {
    id: String,
    name: Option<String>,
    livery: Option<Livery>,
    home: Option<Edge>,
    #[serde(default)]
    zone: Vec<Zone>,
    #[serde(default)]
    briefing: String,
}

/// The common words of a seat.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SeatWords {
    side: String,
    name: Option<String>,
}

/// The common words of a piece of ground.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PieceWords {
    id: String,
    kind: String,
    outline: Option<Outline>,
    #[serde(default)]
    line: Vec<Point>,
    #[serde(default)]
    width: f64,
    level: Option<u8>,
}

/// The common words of a unit.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UnitWords {
    id: UnitId,
    side: String,
    seat: Option<String>,
    kind: String,
    #[serde(default)]
    name: String,
    at: Option<Point>,
    facing: Option<f64>,
    arrives: Option<ArrivesWords>,
}

/// The common words of a unit that is held back.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ArrivesWords {
    turn: u32,
    zone: Vec<Zone>,
}

/// The common words of a place where troops come on.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ArrivalWords {
    id: String,
    at: Point,
}

/// The common words of an objective.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ObjectiveWords {
    #[serde(default)]
    name: String,
    kind: String,
    side: Option<String>,
    terrain: Option<String>,
    #[serde(default)]
    zone: Vec<Zone>,
    at: Option<Point>,
    within: Option<f64>,
    points: Option<f64>,
}

pub(super) const HEAD: &[&str] =
    &["format", "ruleset", "title", "story", "turns", "first", "options", "table"];
pub(super) const SIDE: &[&str] = &["id", "name", "livery", "home", "zone", "briefing"];
pub(super) const SEAT: &[&str] = &["side", "name"];
pub(super) const PIECE: &[&str] = &["id", "kind", "outline", "line", "width", "level"];
pub(super) const UNIT: &[&str] = &["id", "side", "seat", "kind", "name", "at", "facing", "arrives"];
pub(super) const OBJECTIVE: &[&str] = &["name", "kind", "side", "terrain", "zone", "at", "within", "points"];
const ARRIVAL: &[&str] = &["id", "at"];
pub(super) const LISTS: &[&str] = &["side", "seat", "terrain", "unit", "objective", "arrival"];

/// A file with what finds places in it.
struct Reader<'a> {
    file: &'a Source,
    table: Table,
    sides: Vec<String>,
    grounds: Vec<String>,
    without: &'static [&'static str],
}

impl<D: Dialect> Scenario<D> {
    /// Reads a scenario of format 2.
    pub fn read(file: &Source) -> Result<Self, Fault> {
        let mut root = file.table()?;
        let format = root.remove("format").and_then(|format| format.as_integer());
        if format != Some(i64::from(FORMAT)) {
            return Err(file
                .fault(&["format".into()], format!("this is read as format {FORMAT}; write `format = 2`")));
        }
        check_texts(file, &root)?;
        let lists = lists(file, &mut root, D::WITHOUT)?;
        let (words, own) = parted(root, HEAD);
        let own: D::Head = own_words(file, &[], own, HEAD)?;
        let (head, table) = head(file, words, D::RULESET)?;
        let mut reader = Reader { file, table, sides: Vec::new(), grounds: Vec::new(), without: D::WITHOUT };
        let sides = reader.each(&lists, "side", SIDE, Reader::side, |side, own| SideEntry {
            id: side.id,
            name: side.name,
            livery: side.livery,
            home: side.home,
            zone: side.zone,
            briefing: side.briefing,
            own,
        })?;
        reader.sides = sides.iter().map(|s: &SideEntry<D::Side>| s.id.clone()).collect();
        reader.check_sides(D::SIDES)?;
        let mut seats = reader.each(&lists, "seat", SEAT, Reader::seat, |seat, own| SeatEntry {
            side: seat.side,
            name: seat.name,
            own: Some(own),
        })?;
        for (i, side) in sides.iter().enumerate() {
            let of = Side(i as u8);
            if !seats.iter().any(|seat: &SeatEntry<D::Seat>| seat.side == of) {
                seats.push(SeatEntry { side: of, name: side.name.clone(), own: None });
            }
        }
        let names: Vec<(Side, String)> = seats.iter().map(|s| (s.side, s.name.clone())).collect();
        let terrain = reader.each(&lists, "terrain", PIECE, Reader::piece, |piece, own| Piece {
            id: piece.id,
            kind: piece.kind,
            area: piece.area,
            line: piece.line,
            width: piece.width,
            level: piece.level,
            own,
        })?;
        reader.grounds = terrain.iter().map(|piece: &Piece<D::Ground>| piece.id.clone()).collect();
        let unit = |r: &Reader, at: &[Place], words| r.unit(&names, at, words);
        let units = reader.each(&lists, "unit", UNIT, unit, |unit, own| UnitEntry {
            id: unit.id,
            side: unit.side,
            seat: unit.seat,
            kind: unit.kind,
            name: unit.name,
            at: unit.at,
            facing: unit.facing,
            arrives: unit.arrives,
            own,
        })?;
        for (i, unit) in units.iter().enumerate() {
            if units[..i].iter().any(|other: &UnitEntry<D::Unit>| other.id == unit.id) {
                return Err(file
                    .fault(&["unit".into(), i.into(), "id".into()], "stands twice; give each unit its own"));
            }
        }
        let objectives =
            reader.each(&lists, "objective", OBJECTIVE, Reader::objective, |it, own| Objective {
                name: it.name,
                kind: it.kind,
                side: it.side,
                zone: it.zone,
                terrain: it.terrain,
                at: it.at,
                within: it.within,
                points: it.points,
                own,
            })?;
        let arrivals =
            reader.each(&lists, "arrival", ARRIVAL, Reader::arrival, |arrival, super::Nothing {}| arrival)?;
        for (i, arrival) in arrivals.iter().enumerate() {
            if arrivals[..i].iter().any(|other: &Arrival| other.id == arrival.id) {
                return Err(file.fault(&["arrival".into(), i.into(), "id".into()], "is another arrival's id"));
            }
        }
        let first =
            head.first.as_deref().map(|name| reader.side_named(&["first".into()], name)).transpose()?;
        Ok(Self {
            title: head.title,
            story: head.story,
            turns: head.turns,
            first,
            options: head.options,
            table,
            sides,
            seats,
            terrain,
            units,
            objectives,
            arrivals,
            own,
        })
    }
}

/// Takes every list out of the file; what remains is the head.
fn lists(
    file: &Source,
    root: &mut toml::Table,
    without: &[&str],
) -> Result<BTreeMap<&'static str, Vec<toml::Table>>, Fault> {
    let mut lists = BTreeMap::new();
    for &name in LISTS {
        if without.contains(&name) && root.contains_key(name) {
            return Err(file.fault(&[name.into()], "means nothing in these rules; leave it out"));
        }
        lists.insert(name, list(file, root, name)?);
    }
    if let Some(word) = without.iter().find(|word| HEAD.contains(word) && root.contains_key(**word)) {
        return Err(file.fault(&[(*word).into()], "means nothing in these rules; leave it out"));
    }
    Ok(lists)
}

/// Names short enough to stand on a counter, and stories that somebody may read.
fn check_texts(file: &Source, root: &toml::Table) -> Result<(), Fault> {
    texts(root, &mut |place, text| {
        let prose = matches!(place.last(), Some(Place::Key(key)) if PROSE.contains(&key.as_str()));
        let most = if prose { LONGEST_TEXT } else { LONGEST_NAME };
        let letters = text.chars().count();
        if letters > most {
            return Err(file.fault(place, format!("has {letters} letters; {most} are allowed")));
        }
        if !prose && text.contains(['\n', '\r']) {
            return Err(file.fault(place, "goes over several lines; write it in one"));
        }
        Ok(())
    })
}

/// The head, and the table it speaks of.
fn head(file: &Source, words: toml::Table, ruleset: &str) -> Result<(HeadWords, Table), Fault> {
    let head: HeadWords = typed(file, &[], words)?;
    if head.ruleset != ruleset {
        let why = format!("is `{}`; these are the rules `{ruleset}`", head.ruleset);
        return Err(file.fault(&["ruleset".into()], why));
    }
    check_head(file, &head)?;
    let table = Table::new(head.table.width, head.table.height)
        .map_err(|e| file.fault(&["table".into()], e.to_string()))?;
    Ok((head, table))
}

fn check_head(file: &Source, head: &HeadWords) -> Result<(), Fault> {
    if head.turns.is_some_and(|turns| turns == 0 || turns > MOST_TURNS) {
        return Err(file.fault(&["turns".into()], format!("a battle has 1 to {MOST_TURNS} turns")));
    }
    if head.table.width > LARGEST_TABLE || head.table.height > LARGEST_TABLE {
        return Err(
            file.fault(&["table".into()], format!("no table is larger than {LARGEST_TABLE} either way"))
        );
    }
    Ok(())
}

impl Reader<'_> {
    /// Every entry of a list: what its common words `make`, `with` the rulebook's own.
    fn each<C, P: DeserializeOwned, T>(
        &self,
        lists: &BTreeMap<&str, Vec<toml::Table>>,
        name: &str,
        common: &[&str],
        make: impl Fn(&Self, &[Place], toml::Table) -> Result<C, Fault>,
        with: fn(C, P) -> T,
    ) -> Result<Vec<T>, Fault> {
        let mut all = Vec::new();
        for (i, entry) in self.entries(lists, name)?.iter().enumerate() {
            let place = [Place::from(name), i.into()];
            let (words, own) = self.words(&place, name, entry, common)?;
            let own = own_words(self.file, &place, own, common)?;
            all.push(with(make(self, &place, words)?, own));
        }
        Ok(all)
    }

    /// The entries of a list, which are not too many.
    fn entries<'a>(
        &self,
        lists: &'a BTreeMap<&str, Vec<toml::Table>>,
        name: &str,
    ) -> Result<&'a [toml::Table], Fault> {
        let entries = lists.get(name).map_or(&[][..], Vec::as_slice);
        let most = match name {
            "unit" => MOST_UNITS,
            "seat" | "side" => MOST_SEATS,
            _ => MOST_PIECES,
        };
        if entries.len() > most {
            return Err(self
                .file
                .fault(&[name.into()], format!("there are {}; {most} are allowed", entries.len())));
        }
        Ok(entries)
    }

    /// The common words of an entry, and the rulebook's own.
    fn words(
        &self,
        place: &[Place],
        name: &str,
        entry: &toml::Table,
        common: &[&str],
    ) -> Result<(toml::Table, toml::Table), Fault> {
        let spare = |key: &&String| self.without.contains(&format!("{name}.{key}").as_str());
        if let Some(key) = entry.keys().find(spare) {
            return Err(self.fault(place, key, "means nothing in these rules; leave it out"));
        }
        Ok(parted(entry.clone(), common))
    }

    /// Two sides, of two names, and of those names that the rules want.
    fn check_sides(&self, wanted: Option<[&str; 2]>) -> Result<(), Fault> {
        let (file, sides) = (self.file, &self.sides);
        if sides.len() != 2 {
            return Err(file.fault(&["side".into()], format!("there are {} sides; two fight", sides.len())));
        }
        if sides[0] == sides[1] {
            return Err(file.fault(&["side".into(), 1.into(), "id".into()], "is the other side's id"));
        }
        if let Some(wanted) = wanted
            && let Some(n) = (0..2).find(|&n| sides[n] != wanted[n])
        {
            let why = format!("is `{}`; the sides of these rules are {}", sides[n], wanted.join(" and "));
            return Err(file.fault(&["side".into(), n.into(), "id".into()], why));
        }
        Ok(())
    }

    fn fault(&self, place: &[Place], key: &str, why: impl Into<String>) -> Fault {
        let path: Vec<Place> = place.iter().cloned().chain([key.into()]).collect();
        self.file.fault(&path, why)
    }

    fn side_named(&self, place: &[Place], name: &str) -> Result<Side, Fault> {
        let known = self.sides.iter().position(|id| id == name);
        known.map(|i| Side(i as u8)).ok_or_else(|| {
            self.file
                .fault(place, format!("no side is called `{name}`; there is {}", self.sides.join(" and ")))
        })
    }

    fn plots(&self, place: &[Place], key: &str, zones: Vec<Zone>) -> Result<Vec<Plot>, Fault> {
        if zones.len() > MOST_PLOTS {
            return Err(self.fault(
                place,
                key,
                format!("has {} parts; {MOST_PLOTS} are allowed", zones.len()),
            ));
        }
        let plot = |(i, zone): (usize, Zone)| {
            let area = zone.area(&self.table).map_err(|why| {
                let path: Vec<Place> = place.iter().cloned().chain([key.into(), i.into()]).collect();
                self.file.fault(&path, why)
            })?;
            Ok(Plot { zone, area })
        };
        zones.into_iter().enumerate().map(plot).collect()
    }

    fn on_table(&self, place: &[Place], key: &str, at: Point) -> Result<Point, Fault> {
        if at.is_finite() && self.table.contains(at) {
            return Ok(at);
        }
        let why = format!("is not on the table, which is {} by {}", self.table.width(), self.table.depth());
        Err(self.fault(place, key, why))
    }

    fn side(&self, place: &[Place], words: toml::Table) -> Result<SideEntry<()>, Fault> {
        let words: SideWords = typed(self.file, place, words)?;
        Ok(SideEntry {
            name: words.name.unwrap_or_else(|| words.id.clone()),
            livery: words.livery,
            home: words.home,
            zone: self.plots(place, "zone", words.zone)?,
            briefing: words.briefing,
            id: words.id,
            own: (),
        })
    }

    fn seat(&self, place: &[Place], words: toml::Table) -> Result<SeatEntry<()>, Fault> {
        let words: SeatWords = typed(self.file, place, words)?;
        let path: Vec<Place> = place.iter().cloned().chain(["side".into()]).collect();
        let side = self.side_named(&path, &words.side)?;
        Ok(SeatEntry { side, name: words.name.unwrap_or(words.side), own: None })
    }

    fn piece(&self, place: &[Place], words: toml::Table) -> Result<Piece<()>, Fault> {
        let words: PieceWords = typed(self.file, place, words)?;
        let (key, points) = match &words.outline {
            Some(Outline::Corners(corners)) => ("outline", corners.as_slice()),
            Some(Outline::Zone(_)) => ("outline", &[][..]),
            None => ("line", words.line.as_slice()),
        };
        if let Some(n) = points.iter().position(|p| !p.is_finite()) {
            let path: Vec<Place> = place.iter().cloned().chain([key.into(), n.into()]).collect();
            return Err(self.file.fault(&path, "is no place on a table"));
        }
        let area = match (&words.outline, words.line.as_slice()) {
            (Some(outline), []) => {
                Some(outline.area(&self.table).map_err(|why| self.fault(place, "outline", why))?)
            }
            (None, [_, _, ..]) => None,
            _ => {
                return Err(self.fault(
                    place,
                    "outline",
                    "needs an `outline`, or a `line` of two points or more",
                ));
            }
        };
        if words.line.len() > super::MOST_CORNERS {
            return Err(self.fault(
                place,
                "line",
                format!("has {} points; {} are allowed", words.line.len(), super::MOST_CORNERS),
            ));
        }
        let (width, level) = (words.width, words.level);
        Ok(Piece { id: words.id, kind: words.kind, area, line: words.line, width, level, own: () })
    }

    fn unit(
        &self,
        seats: &[(Side, String)],
        place: &[Place],
        words: toml::Table,
    ) -> Result<UnitEntry<()>, Fault> {
        let words: UnitWords = typed(self.file, place, words)?;
        let path: Vec<Place> = place.iter().cloned().chain(["side".into()]).collect();
        let side = self.side_named(&path, &words.side)?;
        let seat = match &words.seat {
            None => None,
            Some(name) => {
                let mine = |(of, other): &(Side, String)| *of == side && other == name;
                let found = seats.iter().position(mine).ok_or_else(|| {
                    let all: Vec<&str> = seats.iter().filter(|s| s.0 == side).map(|s| s.1.as_str()).collect();
                    let why = format!("no seat of that side is called `{name}`; there is {}", all.join(", "));
                    self.fault(place, "seat", why)
                })?;
                Some(Seat(found as u8))
            }
        };
        let at = words.at.map(|at| self.on_table(place, "at", at)).transpose()?;
        if words.facing.is_some_and(|f| !f.is_finite()) {
            return Err(self.fault(place, "facing", "is no ordinary number of degrees"));
        }
        let facing = words.facing;
        let arrives = match words.arrives {
            Some(arrives) => {
                let path: Vec<Place> = place.iter().cloned().chain(["arrives".into()]).collect();
                Some(Arrives { turn: arrives.turn, zone: self.plots(&path, "zone", arrives.zone)? })
            }
            None => None,
        };
        Ok(UnitEntry {
            id: words.id,
            side,
            seat,
            kind: words.kind,
            name: words.name,
            at,
            facing,
            arrives,
            own: (),
        })
    }

    fn objective(&self, place: &[Place], words: toml::Table) -> Result<Objective<()>, Fault> {
        let words: ObjectiveWords = typed(self.file, place, words)?;
        let path: Vec<Place> = place.iter().cloned().chain(["side".into()]).collect();
        let side = words.side.as_deref().map(|name| self.side_named(&path, name)).transpose()?;
        let zone = self.plots(place, "zone", words.zone)?;
        let at = words.at.map(|at| self.on_table(place, "at", at)).transpose()?;
        let within = words.within;
        if within.is_some_and(|within| !(0.0..=LARGEST_TABLE).contains(&within)) {
            return Err(self.fault(place, "within", format!("use 0 to {LARGEST_TABLE}")));
        }
        if words.points.is_some_and(|points| !points.is_finite()) {
            return Err(self.fault(place, "points", "is no ordinary number"));
        }
        let terrain = match words.terrain {
            Some(name) => Some(self.grounds.iter().position(|id| *id == name).ok_or_else(|| {
                self.fault(place, "terrain", format!("there is no building or other ground `{name}`"))
            })?),
            None => None,
        };
        if within.is_some() && at.is_none() && terrain.is_none() {
            return Err(self.fault(place, "within", "needs an `at`, or a `terrain`"));
        }
        let (name, kind, points) = (words.name, words.kind, words.points);
        Ok(Objective { name, kind, side, zone, terrain, at, within, points, own: () })
    }

    fn arrival(&self, place: &[Place], words: toml::Table) -> Result<Arrival, Fault> {
        let words: ArrivalWords = typed(self.file, place, words)?;
        Ok(Arrival { at: self.on_table(place, "at", words.at)?, id: words.id })
    }
}

/// Takes a list of tables out of the file.
fn list(file: &Source, root: &mut toml::Table, name: &str) -> Result<Vec<toml::Table>, Fault> {
    let wrong = || file.fault(&[name.into()], format!("is a list: write it as [[{name}]]"));
    match root.remove(name) {
        None => Ok(Vec::new()),
        Some(Value::Array(entries)) => entries
            .into_iter()
            .map(|entry| if let Value::Table(table) = entry { Ok(table) } else { Err(wrong()) })
            .collect(),
        Some(_) => Err(wrong()),
    }
}

/// What of an entry is common, and what is the rulebook's own.
fn parted(entry: toml::Table, common: &[&str]) -> (toml::Table, toml::Table) {
    entry.into_iter().partition(|(key, _)| common.contains(&key.as_str()))
}

/// The rulebook's own words of an entry.
fn own_words<P: DeserializeOwned>(
    file: &Source,
    place: &[Place],
    own: toml::Table,
    common: &[&str],
) -> Result<P, Fault> {
    typed(file, place, own).map_err(|fault| also(fault, common))
}

/// Who met a word that is not known is told of the common ones too.
fn also(fault: Fault, common: &[&str]) -> Fault {
    match fault.problem.strip_prefix("unknown field") {
        Some(rest) => {
            let problem = format!("unknown field{rest}; and in every rulebook {}", common.join(", "));
            Fault { problem, ..fault }
        }
        None => fault,
    }
}

/// A table as a type.
fn typed<T: DeserializeOwned>(file: &Source, place: &[Place], table: toml::Table) -> Result<T, Fault> {
    written(&Value::Table(table)).map_err(|wrong| file.misread(place, &wrong))
}
