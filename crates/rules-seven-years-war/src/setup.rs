//! Set-up files: scenarios and the positions of rule cases.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrayvec::ArrayVec;
use smallvec::SmallVec;
use tricorne_game::{Choices, Fault, Place, Purpose, Side, Source, UnitId};
use tricorne_table::{Area, Crest, Line, Point, Table};

use crate::field::SevenYearsBattle;
use crate::generals::{Counter, General};
use crate::ground::{Lie, Piece, PieceKind};
use crate::muster::Muster;
use crate::options::{MilitiaDrill, MixedGroupClass, Options, TableSize};
use crate::points::Points;
use crate::rulebook::{Arm, Drill, Grade, Kind, Rulebook, Weapon};
use crate::set_up_file::{SetUpFile, UnitFile};
use crate::stands;
use crate::state::{
    Army, Cached, EdgeName, Fixed, Formation, Group, GroupIx, Left, Objective, Order, Presence, SideInfo,
    Stand, State, SubPhase, Unit, UnitInfo, UnitIx, Units,
};

/// Reads one file.
pub struct Reader<'a> {
    file: &'a Source,
    purpose: Purpose,
    book: Arc<Rulebook>,
}

type Found<T> = Result<T, Fault>;

impl Reader<'_> {
    fn fault(&self, place: &[Place], problem: impl Into<String>) -> Fault {
        self.file.fault(place, problem)
    }

    fn position(&self) -> bool {
        self.purpose == Purpose::Position
    }
}

/// Sets a battle up.
pub fn set_up(file: &Source, choices: &Choices, purpose: Purpose) -> Found<SevenYearsBattle> {
    let parsed: SetUpFile = file.parse()?;
    let book = Rulebook::of(choices)?;
    let reader = Reader { file, purpose, book };
    let options = reader.options(&parsed, choices)?;
    reader.build(&parsed, options)
}

/// Sets a battle up from a file to which armies and ground have been added at the table (U2, U3).
pub fn set_up_again(
    source: &Source,
    file: &SetUpFile,
    book: Arc<Rulebook>,
    options: Options,
    purpose: Purpose,
) -> Found<SevenYearsBattle> {
    let mut file = file.clone();
    if let Some(deployment) = &mut file.deployment {
        // They are at hand now.
        *deployment = crate::set_up_file::DeploymentFile { free: true, ..Default::default() };
    }
    Reader { file: source, purpose, book }.build(&file, options)
}

/// The ground of a file to which pieces have been added at the table (U7).
pub fn pieces_again(
    source: &Source,
    file: &SetUpFile,
    book: Arc<Rulebook>,
    table: &Table,
) -> Found<Vec<Piece>> {
    Reader { file: source, purpose: Purpose::Scenario, book }.pieces(file, table)
}

impl Reader<'_> {
    fn build(&self, f: &SetUpFile, options: Options) -> Found<SevenYearsBattle> {
        if let Some(format) = f.format.filter(|&x| x != 1) {
            return Err(self.fault(&["format".into()], format!("is {format}; this program reads format 1")));
        }
        if let Some(ruleset) = f.ruleset.as_deref().filter(|r| *r != "seven-years-war") {
            return Err(
                self.fault(&["ruleset".into()], format!("is `{ruleset}`; expected `seven-years-war`"))
            );
        }
        let sides = self.sides(f)?;
        let table = self.table(f, &options)?;
        let pieces = self.pieces(f, &table)?;
        let free = f.deployment.as_ref().is_some_and(|d| d.free);
        let muster = self.muster(f)?;
        let mut battle = SevenYearsBattle {
            fixed: Arc::new(Fixed {
                book: Arc::clone(&self.book),
                title: f.title.clone().unwrap_or_else(|| "Seven Years War".into()),
                table,
                sides: sides.0,
                infos: Vec::new(),
                objectives: self.objectives(f, &pieces)?,
                pieces,
                turns: f.turns.unwrap_or(options.turn_limit),
                break_percent: f.break_percent.unwrap_or(options.army_break_percent),
                free,
                counters_given: self.position(),
                muster,
                options,
            }),
            s: self.blank(sides.1),
        };
        self.generals(f, &mut battle)?;
        let infos = self.units(f, &mut battle)?;
        {
            let fixed = Arc::make_mut(&mut battle.fixed);
            fixed.infos = infos;
        }
        self.group_facts(f, &mut battle)?;
        self.finish(f, &mut battle)?;
        Ok(battle)
    }

    /// What is bought and diced for at the table (U2, U3, U7).
    fn muster(&self, f: &SetUpFile) -> Found<Option<Arc<Muster>>> {
        let Some(d) = &f.deployment else { return Ok(None) };
        if d.points.is_none() && !d.random_terrain && !d.buy_terrain {
            return Ok(None);
        }
        let at = |key: &str| [Place::from("deployment"), key.into()];
        if !d.free {
            return Err(self.fault(
                &at("free"),
                "must be true where armies are bought or ground is diced for: nobody has a place yet",
            ));
        }
        let points = match d.points {
            None => None,
            Some(points) => {
                if !f.units.is_empty() || !f.generals.is_empty() {
                    return Err(self.fault(
                        &at("points"),
                        "armies are bought at the table; leave out units and generals, or the points",
                    ));
                }
                match Points::try_from(points) {
                    Ok(p) if (40.0..=2000.0).contains(&points) => Some(p),
                    Ok(_) => return Err(self.fault(&at("points"), "must be 40 to 2000")),
                    Err(why) => return Err(self.fault(&at("points"), why)),
                }
            }
        };
        Ok(Some(Arc::new(Muster {
            file: f.clone(),
            source: self.file.clone(),
            purpose: self.purpose,
            points,
            random_terrain: d.random_terrain,
            buy_terrain: d.buy_terrain,
        })))
    }

    fn options(&self, f: &SetUpFile, choices: &Choices) -> Found<Options> {
        let book = crate::rulebook::options();
        let mut all = BTreeMap::new();
        for (name, value) in &f.options {
            let value = value.to_string();
            book.check(name, &value)
                .map_err(|why| self.fault(&["options".into(), name.as_str().into()], why))?;
            all.insert(name.clone(), value);
        }
        for (name, value) in &choices.options {
            book.check(name, value).map_err(|why| Fault {
                file: self.file.name.clone(),
                at: None,
                path: vec!["options".into(), name.as_str().into()],
                problem: why,
            })?;
            all.insert(name.clone(), value.clone());
        }
        book.resolve(&all).map_err(|why| self.fault(&["options".into()], why))
    }

    fn sides(&self, f: &SetUpFile) -> Found<([SideInfo; 2], [EdgeName; 2])> {
        let defaults = [("a", "prussian", EdgeName::South), ("b", "austrian", EdgeName::North)];
        if !f.sides.is_empty() && f.sides.len() != 2 {
            return Err(
                self.fault(&["sides".into()], format!("has {} sides; a battle has two", f.sides.len()))
            );
        }
        if f.sides.is_empty() && !self.position() {
            return Err(self.fault(&["sides".into()], "is missing; name the two sides"));
        }
        let mut infos: Vec<SideInfo> = Vec::new();
        let mut edges = Vec::new();
        for (i, (id, nation, edge)) in defaults.into_iter().enumerate() {
            let given = f.sides.get(i);
            let id = given.map_or(id, |s| s.id.as_str());
            if id.is_empty() || infos.iter().any(|s| s.id == id) {
                return Err(self.fault(&["sides".into(), i.into(), "id".into()], "must be a name of its own"));
            }
            let nation = given.and_then(|s| s.nation.as_deref()).unwrap_or(nation);
            let Some(n) = self
                .book
                .nations
                .iter()
                .position(|x| x.id.eq_ignore_ascii_case(nation) || x.name.eq_ignore_ascii_case(nation))
            else {
                let all: Vec<&str> = self.book.nations.iter().map(|n| n.id.as_str()).collect();
                return Err(self.fault(
                    &["sides".into(), i.into(), "nation".into()],
                    format!("there is no nation `{nation}`; there is {}", all.join(", ")),
                ));
            };
            let edge = given.and_then(|s| s.edge).unwrap_or(edge);
            if !matches!(edge, EdgeName::North | EdgeName::South) {
                return Err(self.fault(
                    &["sides".into(), i.into(), "edge".into()],
                    "an army fights from the north or the south edge",
                ));
            }
            let name = given.and_then(|s| s.name.clone()).unwrap_or_else(|| id.to_owned());
            infos.push(SideInfo { id: id.to_owned(), name, nation: n });
            edges.push(edge);
        }
        if edges[0] == edges[1] {
            return Err(
                self.fault(&["sides".into(), 1.into(), "edge".into()], "both sides have the same edge")
            );
        }
        let b = infos.pop();
        let a = infos.pop();
        match (a, b) {
            (Some(a), Some(b)) => Ok(([a, b], [edges[0], edges[1]])),
            _ => Err(self.fault(&["sides".into()], "needs two sides")),
        }
    }

    fn table(&self, f: &SetUpFile, options: &Options) -> Found<Table> {
        let [width, depth] = f.table.unwrap_or(match options.table_size {
            TableSize::N180x120 => [180.0, 120.0],
            TableSize::N150x100 => [150.0, 100.0],
            TableSize::N240x150 => [240.0, 150.0],
        });
        if !(width.is_finite()
            && depth.is_finite()
            && (60.0..=1000.0).contains(&width)
            && (61.0..=1000.0).contains(&depth))
        {
            return Err(
                self.fault(&["table".into()], "needs a width of 60 to 1000 and a depth of 61 to 1000 cm")
            );
        }
        Table::new(width, depth).map_err(|_| self.fault(&["table".into()], "is no table size"))
    }

    fn pieces(&self, f: &SetUpFile, table: &Table) -> Found<Vec<Piece>> {
        let mut pieces: Vec<Piece> = Vec::new();
        for (i, p) in f.terrain.iter().enumerate() {
            let at = |key: &str| [Place::from("terrain"), i.into(), key.into()];
            if p.id.is_empty() || pieces.iter().any(|o| o.id == p.id) {
                return Err(self.fault(&at("id"), "must be a name of its own"));
            }
            let Some(&(_, kind, named_level)) = PieceKind::NAMES.iter().find(|n| n.0 == p.kind) else {
                let all: Vec<&str> = PieceKind::NAMES.iter().map(|n| n.0).collect();
                return Err(self.fault(
                    &at("kind"),
                    format!("`{}` is no kind of ground; there is {}", p.kind, all.join(", ")),
                ));
            };
            let linear = kind.is_linear();
            let rows = if linear { &self.book.line_kinds } else { &self.book.ground_kinds };
            let row = rows.get(kind.key());
            let level = p.level.or(named_level).or(row.and_then(|r| r.level)).unwrap_or(0);
            if level > 4 {
                return Err(self.fault(&at("level"), format!("is {level}; ground has types 0 to 4")));
            }
            let mut points: Vec<Point> = p.points.iter().map(|&[x, y]| Point::new(x, y)).collect();
            if let Some([x1, y1, x2, y2]) = p.rect {
                if !points.is_empty() {
                    return Err(self.fault(&at("rect"), "give points or a rectangle, not both"));
                }
                points = vec![
                    Point::new(x1.min(x2), y1.min(y2)),
                    Point::new(x1.max(x2), y1.min(y2)),
                    Point::new(x1.max(x2), y1.max(y2)),
                    Point::new(x1.min(x2), y1.max(y2)),
                ];
            }
            if points.iter().any(|q| !q.is_finite()) {
                return Err(self.fault(&at("points"), "hold something that is no number"));
            }
            if let Some(q) = points.iter().find(|q| !table.contains(**q)) {
                return Err(self.fault(&at("points"), format!("({}, {}) lies off the table", q.x, q.y)));
            }
            let lie = if linear {
                Lie::Line(
                    Line::new(points).map_err(|e| self.fault(&at("points"), format!("are no line: {e}")))?,
                )
            } else {
                let area =
                    Area::new(points).map_err(|e| self.fault(&at("points"), format!("are no area: {e}")))?;
                if kind == PieceKind::Hill && !area.is_convex() {
                    return Err(self.fault(&at("points"), "a hill must be convex [SYW-MODEL-26]"));
                }
                Lie::Area(area)
            };
            let crest = if p.ridge.is_empty() {
                None
            } else {
                if kind != PieceKind::Hill {
                    return Err(self.fault(&at("ridge"), "only hills have ridges"));
                }
                let ridge: Vec<Point> = p.ridge.iter().map(|&[x, y]| Point::new(x, y)).collect();
                let line =
                    Line::new(ridge).map_err(|e| self.fault(&at("ridge"), format!("is no line: {e}")))?;
                Some(Crest::Ridge(line))
            };
            let (bounds, middle) = match &lie {
                Lie::Area(a) => (a.bounds(), a.centroid()),
                Lie::Line(l) => (l.bounds(), l.bounds().centre()),
            };
            pieces.push(Piece {
                id: p.id.clone(),
                kind,
                level,
                cover: p.cover.or(row.map(|r| r.cover)).unwrap_or_default(),
                conceals: row.is_some_and(|r| r.conceals),
                defences: row.is_some_and(|r| r.defences),
                infantry_only: row.is_some_and(|r| r.infantry_only),
                impassable: row.is_some_and(|r| r.impassable),
                lump_dice: row.and_then(|r| r.lump_dice),
                lie,
                crest,
                bounds,
                middle,
            });
        }
        Ok(pieces)
    }

    fn objectives(&self, f: &SetUpFile, pieces: &[Piece]) -> Found<Vec<Objective>> {
        f.objectives
            .iter()
            .enumerate()
            .map(|(i, o)| {
                let place = ["objectives".into(), i.into(), "terrain".into()];
                let Some(piece) = pieces.iter().position(|p| p.id == o.terrain) else {
                    return Err(self.fault(&place, format!("there is no ground `{}`", o.terrain)));
                };
                if !(o.points.is_finite() && o.distance.is_finite() && o.distance >= 0.0) {
                    return Err(self.fault(&["objectives".into(), i.into(), "points".into()], "is no number"));
                }
                Ok(Objective { kind: o.kind, piece, points: o.points, distance: o.distance })
            })
            .collect()
    }

    fn blank(&self, edges: [EdgeName; 2]) -> State {
        let army = |edge| Army {
            edge,
            started: 0,
            points: 0.0,
            counters: (1..=12).collect(),
            spent: SmallVec::new(),
            generals_lost: 0,
            cincs_lost: 0,
            ability: 2,
            initiative: 0,
            die: 0,
            conceded: false,
            strips: 0,
            may_march: false,
            kept_back: None,
            bought: None,
            works: SmallVec::new(),
        };
        State {
            turn: 0,
            phasing: Side(0),
            attacker: Side(0),
            initiative: Side(0),
            step: SubPhase::SetUp,
            armies: [army(edges[0]), army(edges[1])],
            units: Vec::new(),
            groups: Vec::new(),
            generals: Vec::new(),
            contacts: SmallVec::new(),
            disasters: Vec::new(),
            tasks: Vec::new(),
            waiting: false,
            country: None,
            works: Vec::new(),
            seen: Vec::new(),
            watched: Vec::new(),
            held: SmallVec::new(),
            overlaps: SmallVec::new(),
            margins: SmallVec::new(),
            ending: None,
        }
    }

    fn side(&self, battle: &SevenYearsBattle, id: Option<&str>, place: &[Place]) -> Found<Side> {
        let Some(id) = id else {
            return if self.position() {
                Ok(Side(0))
            } else {
                Err(self.fault(place, "is missing; name one of the two sides"))
            };
        };
        match battle.fixed.sides.iter().position(|s| s.id == id) {
            Some(i) => Ok(Side(i as u8)),
            None => Err(self.fault(
                place,
                format!(
                    "there is no side `{id}`; there is {} and {}",
                    battle.fixed.sides[0].id, battle.fixed.sides[1].id
                ),
            )),
        }
    }

    fn id(&self, text: &str, battle: &SevenYearsBattle, place: &[Place]) -> Found<UnitId> {
        let id: UnitId = text.parse().map_err(|why: String| self.fault(place, why))?;
        if battle.find_unit(id).is_some() || battle.find_general(id).is_some() {
            return Err(self.fault(place, format!("`{text}` is used twice")));
        }
        Ok(id)
    }

    fn facing_of(battle: &SevenYearsBattle, side: Side) -> f64 {
        SevenYearsBattle::inwards(battle.s.armies[side.index().min(1)].edge)
    }

    fn generals(&self, f: &SetUpFile, battle: &mut SevenYearsBattle) -> Found<()> {
        for (i, g) in f.generals.iter().enumerate() {
            let at = |key: &str| [Place::from("generals"), i.into(), key.into()];
            let id = self.id(&g.id, battle, &at("id"))?;
            let side = self.side(battle, g.side.as_deref(), &at("side"))?;
            let counter = match &g.counter {
                Some(code) => Counter::parse(code).ok_or_else(|| {
                    self.fault(
                        &at("counter"),
                        format!("`{code}` is no counter; write for example Ab+ or Ic-"),
                    )
                })?,
                None => Counter::PLAIN,
            };
            let place = match g.at {
                Some([x, y]) => {
                    let p = Point::new(x, y);
                    if !p.is_finite() || !battle.fixed.table.contains(p) {
                        return Err(self.fault(&at("at"), "lies off the table"));
                    }
                    Some(p.round_to(0.01))
                }
                None if battle.fixed.free => None,
                None => return Err(self.fault(&at("at"), "is missing; where does he stand?")),
            };
            let depth = g.depth.unwrap_or(self.book.general.depth);
            if !(1.5..=4.0).contains(&depth) {
                return Err(self.fault(&at("depth"), "a general's stand is 1.5 to 4 deep [SYW-MODEL-04]"));
            }
            let facing = g.facing.unwrap_or_else(|| Self::facing_of(battle, side));
            if !facing.is_finite() {
                return Err(self.fault(&at("facing"), "is no number"));
            }
            battle.s.generals.push(General {
                id,
                side,
                cinc: g.cinc,
                counter,
                number: 0,
                at: place.unwrap_or(Point::ORIGIN),
                facing: tricorne_table::angle::normalise(facing),
                depth,
                wing: None,
                placed: place.is_some(),
                off_with: None,
                lost: false,
                attempts: g.attempts.unwrap_or(0),
                addressed: SmallVec::new(),
                moved: false,
            });
        }
        for (i, g) in f.generals.iter().enumerate() {
            let Some(name) = &g.wing else { continue };
            let side = battle.s.generals[i].side;
            let wing = name.parse().ok().and_then(|id| battle.find_general(id)).filter(|&w| {
                let wing = &battle.s.generals[usize::from(w)];
                wing.cinc && wing.side == side
            });
            let Some(wing) = wing else {
                let place = ["generals".into(), i.into(), "wing".into()];
                return Err(self.fault(&place, format!("there is no wing commander `{name}` on that side")));
            };
            battle.s.generals[i].wing = Some(wing);
        }
        if battle.s.generals.len() > 60 {
            return Err(self.fault(&["generals".into()], "are more than 60"));
        }
        let wings = usize::from(battle.fixed.options.wing_commanders);
        for side in 0..2 {
            let cincs = battle.s.generals.iter().filter(|g| g.cinc && g.side.index() == side).count();
            let most = wings.max(1);
            if cincs > most {
                return Err(self.fault(
                    &["generals".into()],
                    format!(
                        "{} has {cincs} C-in-Cs; it may have {most} [SYW-ARMY-19]",
                        battle.fixed.sides[side].name
                    ),
                ));
            }
            if cincs == 0 && !self.position() && !bought_later(f) {
                return Err(self.fault(
                    &["generals".into()],
                    format!(
                        "{} has no C-in-C; mark one with cinc = true [SYW-ARMY-19]",
                        battle.fixed.sides[side].name
                    ),
                ));
            }
        }
        Ok(())
    }

    fn grade<T: serde::de::DeserializeOwned>(
        &self,
        text: Option<&String>,
        place: &[Place],
        all: &str,
    ) -> Found<Option<T>> {
        text.map(|t| {
            serde_json::from_value(serde_json::Value::String(t.clone()))
                .map_err(|_| self.fault(place, format!("`{t}` is none of {all}")))
        })
        .transpose()
    }

    fn info(&self, i: usize, u: &UnitFile, battle: &SevenYearsBattle) -> Found<(UnitInfo, u8)> {
        let at = |key: &str| [Place::from("units"), i.into(), key.into()];
        let entry =
            match &u.code {
                Some(code) => Some(self.book.entry(code).ok_or_else(|| {
                    self.fault(&at("code"), format!("there is no `{code}` in any army list"))
                })?),
                None => None,
            };
        let mut kind = match (&u.kind, entry) {
            (Some(kind), _) => Kind::named(kind, &self.book).ok_or_else(|| {
                let all: Vec<&str> = Kind::ALL.iter().map(|k| k.code()).collect();
                self.fault(&at("kind"), format!("`{kind}` is no troop type; there is {}", all.join(", ")))
            })?,
            (None, Some(e)) => e.kind,
            (None, None) => {
                return Err(self.fault(&at("kind"), "is missing; give a code of an army list or a kind"));
            }
        };
        let weapon: Option<Weapon> =
            self.grade(u.weapon.as_ref(), &at("weapon"), "the weapons of T2 (musket, rifle, bow …)")?;
        // SYW-ARMY-16
        if kind == Kind::LI && weapon == Some(Weapon::Rifle) {
            kind = Kind::Rif;
        }
        let profile = self.book.profile(kind);
        let options = &battle.fixed.options;
        let drill: Option<Drill> = self.grade(u.drill.as_ref(), &at("drill"), "well, normal, badly")?;
        let militia = match options.militia_drill {
            MilitiaDrill::Badly => Drill::Badly,
            MilitiaDrill::Normal => Drill::Normal,
        };
        let usual = if kind == Kind::Mil { militia } else { Drill::Normal };
        let mut drill = drill.or(entry.and_then(|e| e.drill)).unwrap_or(usual);
        if kind == Kind::Mil && entry.is_some_and(|e| e.drill == Some(Drill::Badly)) && u.drill.is_none() {
            drill = militia;
        }
        if u.upgraded_drill {
            if kind != Kind::Mil {
                return Err(self.fault(&at("upgraded_drill"), "only Militia is upgraded [SYW-POINTS-03]"));
            }
            drill = Drill::Normal;
        }
        let morale: Option<Grade> = self.grade(u.morale.as_ref(), &at("morale"), "high, normal, poor")?;
        let mut arms = weapon.or(entry.and_then(|e| e.weapon)).unwrap_or(profile.weapon);
        if u.upgraded_shots {
            if kind != Kind::Mil {
                return Err(self.fault(&at("upgraded_shots"), "only Militia is upgraded [SYW-POINTS-03]"));
            }
            arms = Weapon::Musket;
        } else if kind == Kind::Mil && arms == Weapon::Musket {
            arms = Weapon::MilitiaMusket; // SYW-ARMY-13
        }
        let depth = u.depth.unwrap_or(profile.depth);
        if !(0.5..=6.0).contains(&depth) {
            return Err(self.fault(&at("depth"), "must be between 0.5 and 6"));
        }
        let mut info = UnitInfo {
            name: u.name.clone().or(entry.map(|e| e.name.clone())).unwrap_or_else(|| profile.name.clone()),
            code: u.code.clone().unwrap_or_else(|| kind.code().to_owned()),
            kind,
            arm: profile.arm,
            class: profile.class,
            tests_as: profile.tests_as,
            speed: profile.speed,
            march: profile.march.unwrap_or(profile.speed),
            melee: profile.melee,
            melee_against_infantry: profile.melee_against_infantry.unwrap_or(profile.melee),
            depth,
            drill,
            morale: morale.or(entry.map(|e| e.morale)).unwrap_or_default(),
            weapon: arms,
            poor_shots: u.poor_shots.or(entry.map(|e| e.poor_shots)).unwrap_or(false),
            upgraded_drill: u.upgraded_drill,
            upgraded_shots: u.upgraded_shots,
            tag: u.tag.clone().or(entry.map(|e| e.tag.clone())).unwrap_or_default(),
            price: 0.0,
        };
        info.price = u.points.unwrap_or_else(|| self.book.stand_price(&info));
        if !info.price.is_finite() {
            return Err(self.fault(&at("points"), "is no number"));
        }
        let usual = entry.map_or_else(
            || if profile.sizes.contains(&4) { 4 } else { profile.sizes.first().copied().unwrap_or(1) },
            |e| e.stands,
        );
        Ok((info, usual))
    }

    fn units(&self, f: &SetUpFile, battle: &mut SevenYearsBattle) -> Found<Vec<UnitInfo>> {
        let mut infos = Vec::new();
        if f.units.len() > 200 {
            return Err(self.fault(&["units".into()], "are more than 200"));
        }
        if f.units.is_empty() && self.purpose == Purpose::Scenario && !bought_later(f) {
            return Err(self.fault(&["units".into()], "are missing; a battle needs troops"));
        }
        for (i, u) in f.units.iter().enumerate() {
            let at = |key: &str| [Place::from("units"), i.into(), key.into()];
            let id = self.id(&u.id, battle, &at("id"))?;
            let side = self.side(battle, u.side.as_deref(), &at("side"))?;
            let (info, usual) = self.info(i, u, battle)?;
            let started = u.started.or_else(|| u.stands.zip(u.lost).map(|(s, l)| s.saturating_add(l)));
            let started = started.or(if u.lost.is_some() { None } else { u.stands }).unwrap_or(usual);
            let now = u.stands.unwrap_or_else(|| started.saturating_sub(u.lost.unwrap_or(0)));
            if started == 0 || started > 10 || now > started {
                return Err(
                    self.fault(&at("stands"), "a unit has 1 to 10 stands and no more than it started with")
                );
            }
            if info.arm == Arm::Artillery && started != 1 {
                return Err(self.fault(&at("stands"), "a battery is one stand [SYW-ARMY-05]"));
            }
            if !self.position() && !self.book.profile(info.kind).sizes.contains(&started) {
                return Err(self.fault(
                    &at("stands"),
                    format!("{} is no size for {} [SYW-ARMY-08 to -10]", started, info.name),
                ));
            }
            let group = self.group_for(i, u, f, battle, side, &info)?;
            let facing = u.facing.unwrap_or_else(|| Self::facing_of(battle, side));
            if !facing.is_finite() {
                return Err(self.fault(&at("facing"), "is no number"));
            }
            let place = u.at.map(|[x, y]| Point::new(x, y));
            if place.is_some_and(|p| !p.is_finite()) {
                return Err(self.fault(&at("at"), "holds something that is no number"));
            }
            let gone = battle.group(group).off.is_some();
            let presence = match (place, gone, now) {
                (_, _, 0) => Presence::Gone,
                (_, true, _) => Presence::Off,
                (Some(_), _, _) if u.hidden => Presence::Hidden,
                (Some(_), _, _) => Presence::OnTable,
                (None, _, _) if battle.fixed.free => Presence::Waiting,
                (None, _, _) => return Err(self.fault(&at("at"), "is missing; where does it stand?")),
            };
            let mut laid = stands::layout(u.formation, usize::from(now), &info);
            if now < started && u.formation.is_line() && u.stand_places.is_empty() {
                laid = worn_line(usize::from(started), usize::from(now), u.formation, &info);
            }
            if !u.stand_places.is_empty() {
                if u.stand_places.len() != usize::from(now) {
                    return Err(
                        self.fault(&at("stand_places"), format!("needs {now} places, one for each stand"))
                    );
                }
                laid = stands::Layout::new();
                for (k, place) in u.stand_places.iter().enumerate() {
                    let fair = (2..=4).contains(&place.len()) && place.iter().all(|x| x.is_finite());
                    if !fair {
                        return Err(self.fault(
                            &["units".into(), i.into(), "stand_places".into(), k.into()],
                            "needs right, forward, and perhaps turn and rank",
                        ));
                    }
                    let rank =
                        place.get(3).copied().unwrap_or_else(|| ((-place[1] - 0.01) / info.depth).floor());
                    laid.push(Stand {
                        u: place[0],
                        v: place[1],
                        turn: place.get(2).copied().unwrap_or(0.0),
                        rank: rank.clamp(0.0, 9.0) as u8,
                    });
                }
            }
            let lair =
                match &u.terrain {
                    Some(t) => {
                        Some(
                            battle.fixed.pieces.iter().position(|p| p.id == *t).ok_or_else(|| {
                                self.fault(&at("terrain"), format!("there is no ground `{t}`"))
                            })? as u8,
                        )
                    }
                    None => None,
                };
            let turned = match u.turned.as_deref() {
                None => None,
                Some("left") => Some(crate::state::Direction::Left),
                Some("right") => Some(crate::state::Direction::Right),
                Some("rear") => Some(crate::state::Direction::Rear),
                Some(other) => {
                    return Err(self.fault(&at("turned"), format!("`{other}` is none of left, right, rear")));
                }
            };
            let place = place.unwrap_or(Point::ORIGIN).round_to(0.01);
            let facing = tricorne_table::angle::normalise(tricorne_table::round_to(facing, 0.1));
            battle.s.units.push(Unit {
                id,
                info: infos.len() as u8,
                side,
                group,
                presence,
                at: place,
                facing,
                formation: u.formation,
                stands: laid,
                started,
                disordered: u.disordered,
                moved: u.moved,
                moved_before: u.moved_before,
                moved_own: u.moved_before,
                fired: u.fired.unwrap_or(self.position()),
                fired_phase: u.fired_phase,
                fired_before: u.fired_before,
                first_fire: false,
                shot: 0,
                shots: 0,
                charged: u.charged,
                charging: u.charging,
                turned_now: false,
                turned,
                was: Formation::Line,
                was_at: place,
                was_facing: facing,
                surrendered: u.surrendered,
                guards: SmallVec::new(),
                gave_up_in_combat: false,
                held: false,
                changed: false,
                on_stand: false,
                parent: None,
                lair,
                first_lair: lair,
                formed: false,
                stole: false,
                split: None,
                start_at: place,
                start_facing: facing,
                began: ArrayVec::new(),
                frame: Cached::default(),
            });
            let ix = (battle.s.units.len() - 1) as UnitIx;
            battle.group_mut(group).units.push(ix);
            infos.push(info);
        }
        Ok(infos)
    }

    /// The group a unit is of, made when it is first named.
    fn group_for(
        &self,
        i: usize,
        u: &UnitFile,
        f: &SetUpFile,
        battle: &mut SevenYearsBattle,
        side: Side,
        info: &UnitInfo,
    ) -> Found<GroupIx> {
        let at = |key: &str| [Place::from("units"), i.into(), key.into()];
        let name = u.group.as_deref().unwrap_or(&u.id);
        let id: UnitId = name.parse().map_err(|why: String| self.fault(&at("group"), why))?;
        let row = f.groups.iter().find(|g| g.id == name);
        if let Some(g) = battle.find_group(id) {
            let group = battle.group(g);
            if group.side != side {
                return Err(self.fault(&at("group"), format!("`{name}` belongs to the other side")));
            }
            if group.arm != info.arm {
                return Err(self.fault(
                    &at("group"),
                    format!("`{name}` mixes arms; a group is all foot, all horse or all guns [SYW-GROUP-03]"),
                ));
            }
            if let Some(order) = u.order {
                battle.group_mut(g).order = order;
            }
            return Ok(g);
        }
        let command = u.command.as_deref().or(row.and_then(|r| r.command.as_deref()));
        let command = match command {
            None | Some("none") => None,
            Some(name) => {
                let found = name.parse().ok().and_then(|id| battle.find_general(id)).filter(|&c| {
                    let general = &battle.s.generals[usize::from(c)];
                    general.side == side && (!general.cinc || battle.fixed.options.wing_commanders > 0)
                });
                Some(found.ok_or_else(|| {
                    self.fault(&at("command"), format!("there is no sub-general `{name}` on that side"))
                })?)
            }
        };
        let march = row.is_some_and(|r| r.flank_march);
        let off = row.and_then(|r| r.off.clone());
        let edge = row.and_then(|r| r.edge);
        let left = if march {
            Some(Left {
                at: Point::ORIGIN,
                edge: edge.unwrap_or(EdgeName::East),
                followed: false,
                routed: false,
                tries: 0,
                march: true,
                either: edge.is_none(),
                ready: false,
                tried: false,
            })
        } else {
            off.map(|o| {
                let p = Point::new(o.at[0], o.at[1]);
                Left {
                    at: p,
                    edge: EdgeName::of(battle.fixed.table.nearest_edge(p)),
                    followed: o.followed,
                    routed: o.routed,
                    tries: o.tries,
                    march: false,
                    either: false,
                    ready: false,
                    tried: false,
                }
            })
        };
        let order = u.order.or(row.and_then(|r| r.order)).unwrap_or(if left.is_some() {
            Order::Reserve
        } else {
            Order::Stand
        });
        if !self.position() {
            let fair = if command.is_some() {
                order == Order::Stand
            } else {
                !matches!(order, Order::Retreat | Order::Rout)
            };
            if !fair {
                return Err(self.fault(
                    &at("order"),
                    "commanded groups start on Stand, others on Advance, Reserve or Stand [SYW-ORDER-01, -02]",
                ));
            }
        }
        battle.s.groups.push(Group {
            id,
            side,
            arm: info.arm,
            order,
            command,
            units: Units::new(),
            moved: false,
            used: 0.0,
            halted: false,
            began_on_stand: false,
            tested_charge: false,
            charging: false,
            aims: SmallVec::new(),
            began_gap: 0.0,
            fell_back: 0.0,
            evaded: false,
            fell_back_before: false,
            shot_losses: false,
            melee_lost: 0,
            melee_killed: 0,
            melees_won: 0,
            melees_lost: 0,
            fought: false,
            short_guns: false,
            shot_by: Units::new(),
            saw_friends: false,
            pursuing: None,
            pursued: false,
            off: left,
            deferred: None,
            met_pursuers: false,
            fled: false,
            ghosts_started: 0,
            self_tried: false,
            near: None,
            gave_way: false,
            late_answer: None,
        });
        Ok((battle.s.groups.len() - 1) as GroupIx)
    }

    /// What the file says of groups beyond their units.
    fn group_facts(&self, f: &SetUpFile, battle: &mut SevenYearsBattle) -> Found<()> {
        for u in battle.unit_ids() {
            battle.refresh(u);
        }
        for (i, row) in f.groups.iter().enumerate() {
            let at = |key: &str| [Place::from("groups"), i.into(), key.into()];
            let found = row.id.parse().ok().and_then(|id| battle.find_group(id));
            let Some(g) = found else {
                return Err(self.fault(&at("id"), format!("no unit is of group `{}`", row.id)));
            };
            if let Some(name) = &row.pursuing {
                let prey = name.parse().ok().and_then(|id| battle.find_group(id));
                let Some(prey) = prey else {
                    return Err(self.fault(&at("pursuing"), format!("there is no group `{name}`")));
                };
                battle.group_mut(g).pursuing = Some(prey);
            }
            let speed = battle.members(g).iter().map(|&u| battle.info(u).speed).fold(f64::MAX, f64::min);
            let group = battle.group_mut(g);
            if let Some(order) = row.order {
                group.order = order;
            }
            group.moved = row.moved;
            group.charging = row.charging;
            group.tested_charge = row.charging;
            group.fell_back = row.fell_back;
            group.evaded = row.evaded;
            if let Some(left) = row.left {
                group.used = (speed - left).max(0.0);
            }
            for (k, [u, t]) in row.aims.iter().enumerate() {
                let place = [Place::from("groups"), i.into(), "aims".into(), k.into()];
                let find = |name: &str| name.parse().ok().and_then(|id| battle.find_unit(id));
                let (Some(u), Some(t)) = (find(u), find(t)) else {
                    return Err(self.fault(&place, "names a unit that does not exist"));
                };
                let from = battle.charge_direction(u, t);
                let gap = battle.gap(u, t);
                battle.group_mut(g).aims.push(crate::state::Aim {
                    unit: u,
                    target: t,
                    wheel: 0.0,
                    from,
                    gap,
                    ride_on: 0.0,
                });
                battle.unit_mut(t).charged = true;
            }
        }
        Ok(())
    }

    fn finish(&self, f: &SetUpFile, battle: &mut SevenYearsBattle) -> Found<()> {
        self.check_places(f, battle)?;
        self.check_groups(battle)?;
        if !self.position() {
            self.check_limits(f)?;
        }
        if let Some(first) = &f.first {
            battle.s.attacker = self.side(battle, Some(first), &["first".into()])?;
        }
        for k in 0..2u8 {
            let side = Side(k);
            let started: u16 =
                battle.s.units.iter().filter(|u| u.side == side).map(|u| u16::from(u.started)).sum();
            let troops: f64 = battle
                .s
                .units
                .iter()
                .filter(|u| u.side == side)
                .map(|u| f64::from(u.started) * battle.info_of(u).price)
                .sum();
            let mut works = 0.0;
            for (i, row) in f.terrain.iter().enumerate() {
                let Some(owner) = &row.owner else { continue };
                let place = ["terrain".into(), i.into(), "owner".into()];
                if self.side(battle, Some(owner), &place)? == side
                    && let Some(piece) = battle.fixed.pieces.get(i)
                    && let Lie::Line(line) = &piece.lie
                {
                    works += self.book.work_price(piece.kind.key(), line.length());
                }
            }
            let subs = battle.s.generals.iter().filter(|g| g.side == side && !g.cinc).count();
            let army = &mut battle.s.armies[usize::from(k)];
            army.started = started;
            army.points = troops + subs as f64 * self.book.sub_general_price() + works;
        }
        for o in &f.objectives {
            let held = match &o.held {
                Some(name) => Some(self.side(battle, Some(name), &["objectives".into()])?),
                None => None,
            };
            battle.s.held.push(held);
        }
        battle.sync_contacts();
        for u in battle.unit_ids() {
            if battle.unit(u).surrendered {
                battle.note_guards(u);
            }
        }
        if self.position() && !battle.fixed.free {
            self.now(f, battle)?;
        }
        Ok(())
    }

    fn check_places(&self, f: &SetUpFile, battle: &SevenYearsBattle) -> Found<()> {
        for u in battle.unit_ids() {
            let unit = battle.unit(u);
            if !unit.is_present() {
                continue;
            }
            let i = usize::from(u);
            let rects = battle.rects(u);
            let bounds = crate::field::join_bounds(&rects);
            let table = battle.fixed.table.bounds().grown(0.011);
            if !(table.contains(bounds.min) && table.contains(bounds.max)) {
                return Err(self.fault(
                    &["units".into(), i.into(), "at".into()],
                    format!("{} stands off the table", unit.id),
                ));
            }
            for v in (u + 1)..battle.s.units.len() as UnitIx {
                if battle.unit(v).is_present() && SevenYearsBattle::any_overlap(&rects, &battle.rects(v)) {
                    return Err(self.fault(
                        &["units".into(), usize::from(v).into(), "at".into()],
                        format!("{} overlaps {}", battle.unit(v).id, unit.id),
                    ));
                }
            }
            if battle.on_impassable(&rects, u) && !self.position() {
                return Err(self.fault(
                    &["units".into(), i.into(), "at".into()],
                    format!("{} stands on ground it may not enter", unit.id),
                ));
            }
        }
        for (i, g) in f.generals.iter().enumerate() {
            if g.at.is_some() {
                let rect = battle.s.generals[i].rect();
                let bounds = crate::field::bounds_of(&rect);
                let table = battle.fixed.table.bounds().grown(0.011);
                if !(table.contains(bounds.min) && table.contains(bounds.max)) {
                    return Err(self
                        .fault(&["generals".into(), i.into(), "at".into()], "stands partly off the table"));
                }
            }
        }
        Ok(())
    }

    /// No more units of a list entry than its limit (SYW-ARMY-02).
    fn check_limits(&self, f: &SetUpFile) -> Found<()> {
        for (i, u) in f.units.iter().enumerate() {
            let Some(code) = &u.code else { continue };
            let Some(most) = self.book.entry(code).and_then(|e| e.most) else { continue };
            let so_far =
                f.units[..=i].iter().filter(|o| o.code.as_ref() == Some(code) && o.side == u.side).count();
            if so_far > usize::from(most) {
                return Err(self.fault(
                    &["units".into(), i.into(), "code".into()],
                    format!("an army may have {most} of {code} at most [SYW-ARMY-02]"),
                ));
            }
        }
        Ok(())
    }

    fn check_groups(&self, battle: &SevenYearsBattle) -> Found<()> {
        for g in battle.group_ids() {
            let members: SmallVec<[Unit; 4]> =
                battle.members(g).iter().map(|&u| battle.unit(u).clone()).collect();
            let tag = |u: &Unit| battle.info_of(u).tag.clone();
            if let Some(first) = members.first()
                && let Some(other) = members.iter().find(|u| tag(u) != tag(first))
            {
                return Err(self.fault(
                    &[
                        "units".into(),
                        battle.find_unit(other.id).map_or(0, usize::from).into(),
                        "group".into(),
                    ],
                    format!("{} and {} do not serve in one group [SYW-GROUP-06]", first.id, other.id),
                ));
            }
            let mixed = members.iter().any(|u| battle.info_of(u).class == crate::rulebook::Class::Massed)
                && members.iter().any(|u| battle.info_of(u).class == crate::rulebook::Class::Light);
            if mixed && battle.fixed.options.mixed_group_class == MixedGroupClass::ForbidMixing {
                return Err(self.fault(
                    &["units".into()],
                    format!("{} mixes massed and light units [SYW-GROUP-05]", battle.group(g).id),
                ));
            }
            let linked: SmallVec<[&Unit; 4]> = members.iter().collect();
            if !self.position() && !battle.chained(&linked) {
                return Err(self.fault(
                    &["units".into()],
                    format!("the units of {} are more than 1 cm apart [SYW-GROUP-07]", battle.group(g).id),
                ));
            }
        }
        Ok(())
    }

    /// A position's moment in the battle.
    fn now(&self, f: &SetUpFile, battle: &mut SevenYearsBattle) -> Found<()> {
        let now = f.now.clone().unwrap_or_default();
        battle.s.turn = now.turn.unwrap_or(1).max(1);
        let side = match &now.side {
            Some(name) => self.side(battle, Some(name), &["now".into(), "side".into()])?,
            None => battle.s.attacker,
        };
        battle.s.phasing = side;
        let step = now.step.unwrap_or(SubPhase::Command);
        battle.s.step = step;
        battle.s.tasks.push(crate::turn::Task::EndTurn);
        if side == battle.s.attacker {
            battle.s.tasks.push(crate::turn::Task::StartPhase { side: side.enemy() });
        }
        battle.note_distances();
        for g in battle.group_ids() {
            let stood = battle.group(g).order == Order::Stand;
            let row = f.groups.iter().find(|r| r.id == battle.group(g).id.as_str());
            battle.group_mut(g).began_on_stand = row.and_then(|r| r.began_on_stand).unwrap_or(stood);
        }
        battle.push_from(if step == SubPhase::SetUp { SubPhase::Command } else { step }, now.rolled);
        battle.run_quietly();
        Ok(())
    }
}

/// Whether the armies are bought at the table (U2).
fn bought_later(f: &SetUpFile) -> bool {
    f.deployment.as_ref().is_some_and(|d| d.points.is_some())
}

/// A line that has lost stands from its rear rank first, then from the right of its front.
fn worn_line(started: usize, now: usize, formation: Formation, info: &UnitInfo) -> stands::Layout {
    let mut laid = stands::layout(formation, started, info);
    while laid.len() > now {
        let rank = laid.iter().map(|s| s.rank).max().unwrap_or(0);
        let Some(k) = (0..laid.len())
            .filter(|&k| laid[k].rank == rank)
            .max_by(|&a, &b| laid[a].u.total_cmp(&laid[b].u))
        else {
            break;
        };
        laid.remove(k);
    }
    // The origin stays the middle of the front rank.
    let front: SmallVec<[f64; 10]> = laid.iter().filter(|s| s.rank == 0).map(|s| s.u).collect();
    let (low, high) = front.iter().fold((f64::MAX, f64::MIN), |(l, h), &u| (l.min(u), h.max(u)));
    if low <= high {
        let middle = (low + high) * 0.5;
        for s in &mut laid {
            s.u -= middle;
        }
    }
    laid
}
