//! Set-up files: scenarios and the positions of rule cases.

mod checks;
pub(crate) mod file;
mod generals;
mod ground;
mod groups;
mod troops;
mod upgrade;

use std::sync::Arc;

use smallvec::SmallVec;
use tricorne_drill::scenario::Scenario;
use tricorne_game::{Choices, Fault, InOrder, Place, Purpose, Side, Source, UnitId};
use tricorne_table::{Edge, Table};

use crate::deployment::muster::Muster;
use crate::model::field::{SevenYearsBattle, text_order};
use crate::model::state::{Army, Fixed, Order, SideInfo, State, SubPhase};
use crate::options::Options;
use crate::points::Points;
use crate::rulebook::Rulebook;
use crate::setup::file::{File, Words};
use crate::terrain::ground::{Lie, Piece};
pub(crate) use troops::ordinal;

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

/// Sets a battle up from a file of either format.
pub fn set_up(file: &Source, choices: &Choices, purpose: Purpose) -> Found<SevenYearsBattle> {
    Scenario::<Words>::open(file, choices, purpose, |file, read| {
        let reader = Reader { file, purpose, book: Rulebook::of(choices)? };
        let options = tricorne_drill::readings(crate::rulebook::options(), file, &read.options, choices)?;
        reader.build(&read, options)
    })
}

/// Sets a battle up from a file to which armies and ground have been added at the table (U2, U3).
pub fn set_up_again(
    source: &Source,
    file: &File,
    book: Arc<Rulebook>,
    options: Options,
    purpose: Purpose,
) -> Found<SevenYearsBattle> {
    let mut file = file.clone();
    if let Some(deployment) = &mut file.own.deployment {
        // They are at hand now.
        *deployment = crate::setup::file::DeploymentFile { free: true, ..Default::default() };
    }
    Reader { file: source, purpose, book }.build(&file, options)
}

/// The ground of a file to which pieces have been added at the table (U7).
pub fn pieces_again(source: &Source, file: &File, book: Arc<Rulebook>, table: &Table) -> Found<Vec<Piece>> {
    Reader { file: source, purpose: Purpose::Scenario, book }.pieces(file, table)
}

impl Reader<'_> {
    fn build(&self, f: &File, options: Options) -> Found<SevenYearsBattle> {
        let sides = self.sides(f)?;
        let table = self.table(f)?;
        let pieces = self.pieces(f, &table)?;
        let free = f.own.deployment.as_ref().is_some_and(|d| d.free);
        let muster = self.muster(f)?;
        let mut battle = SevenYearsBattle {
            fixed: Arc::new(Fixed {
                book: Arc::clone(&self.book),
                title: f.title.clone(),
                table,
                sides: sides.0,
                infos: Vec::new(),
                general_names: f.own.general_names(),
                objectives: self.objectives(f)?,
                pieces,
                turns: f.turns.unwrap_or(options.turn_limit),
                break_percent: f.own.break_percent.unwrap_or(options.army_break_percent),
                free,
                counters_given: self.position(),
                muster,
                options,
            }),
            s: self.blank(sides.1),
            mind: Arc::clone(&self.book.mind),
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
    fn muster(&self, f: &File) -> Found<Option<Arc<Muster>>> {
        let Some(d) = &f.own.deployment else { return Ok(None) };
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
                if !f.units.is_empty() || !f.own.general.is_empty() {
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

    fn sides(&self, f: &File) -> Found<([SideInfo; 2], [Edge; 2])> {
        let [(a, edge_of_a), (b, edge_of_b)] =
            [self.army_of(f, 0, "prussian", Edge::South)?, self.army_of(f, 1, "austrian", Edge::North)?];
        if edge_of_a == edge_of_b {
            return Err(
                self.fault(&["side".into(), 1.into(), "home".into()], "both sides have the same edge")
            );
        }
        Ok(([a, b], [edge_of_a, edge_of_b]))
    }

    /// A side, and the edge it fights from; whose army it is and whence it comes unless the file says so.
    fn army_of(&self, f: &File, i: usize, nation: &str, edge: Edge) -> Found<(SideInfo, Edge)> {
        let at = |key: &str| [Place::from("side"), i.into(), key.into()];
        let Some(side) = f.sides.get(i).filter(|side| !side.id.is_empty()) else {
            return Err(self.fault(&at("id"), "must be a name of its own"));
        };
        let nation = side.own.nation.as_deref().unwrap_or(nation);
        let called = |name: &str| name.eq_ignore_ascii_case(nation);
        let Some(n) = self.book.nations().iter().position(|n| called(&n.id) || called(&n.name)) else {
            let all: Vec<&str> = self.book.nations().iter().map(|n| n.id.as_str()).collect();
            return Err(self.fault(
                &at("nation"),
                format!("there is no nation `{nation}`; there is {}", all.join(", ")),
            ));
        };
        let edge = side.home.unwrap_or(edge);
        if !matches!(edge, Edge::North | Edge::South) {
            return Err(self.fault(&at("home"), "an army fights from the north or the south edge"));
        }
        Ok((SideInfo { id: side.id.clone(), name: side.name.clone(), nation: n }, edge))
    }

    fn table(&self, f: &File) -> Found<Table> {
        let (width, depth) = (f.table.width(), f.table.depth());
        if !(width.is_finite()
            && depth.is_finite()
            && (60.0..=1000.0).contains(&width)
            && (61.0..=1000.0).contains(&depth))
        {
            return Err(
                self.fault(&["table".into()], "needs a width of 60 to 1000 and a depth of 61 to 1000 cm")
            );
        }
        Ok(f.table)
    }

    fn blank(&self, edges: [Edge; 2]) -> State {
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
            ground: Points::ZERO,
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
            country: None,
            works: Vec::new(),
            seen: Vec::new(),
            watched: Vec::new(),
            held: SmallVec::new(),
            overlaps: SmallVec::new(),
            margins: SmallVec::new(),
            driven_off: SmallVec::new(),
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

    fn named_once(&self, id: UnitId, battle: &SevenYearsBattle, place: &[Place]) -> Found<()> {
        if battle.find_unit(id).is_some() || battle.find_general(id).is_some() {
            return Err(self.fault(place, format!("`{id}` is used twice")));
        }
        Ok(())
    }

    fn facing_of(battle: &SevenYearsBattle, side: Side) -> f64 {
        SevenYearsBattle::inwards(battle.s.armies[side.index().min(1)].edge)
    }

    fn finish(&self, f: &File, battle: &mut SevenYearsBattle) -> Found<()> {
        self.check_places(f, battle)?;
        self.check_groups(battle)?;
        if !self.position() {
            self.check_limits(f)?;
        }
        if let Some(first) = f.first {
            battle.s.attacker = first;
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
                let Some(owner) = &row.own.owner else { continue };
                let place = ["terrain".into(), i.into(), "owner".into()];
                if self.side(battle, Some(owner), &place)? == side
                    && let Some(piece) = battle.fixed.pieces.get(i)
                    && let Lie::Line(line) = &piece.lie
                {
                    let prices = &self.book.market.prices;
                    works += piece.kind.bought().map_or(0.0, |w| prices.work(w, line.length()).into());
                }
            }
            let subs = battle.s.generals.iter().filter(|g| g.side == side && !g.cinc).count();
            let army = &mut battle.s.armies[usize::from(k)];
            army.started = started;
            army.points =
                troops + subs as f64 * f64::from(self.book.market.prices.generals.sub_general) + works;
        }
        for o in &f.objectives {
            let held = match &o.own.held {
                Some(name) => Some(self.side(battle, Some(name), &["objective".into()])?),
                None => None,
            };
            battle.s.held.push(held);
        }
        let under_way = self.position() && !battle.fixed.free;
        if under_way {
            // Who phases is who came up to whom (SYW-BREAK-01, SYW-TERR-17): known before contacts are looked for.
            battle.s.phasing = self.phasing(f, battle)?;
        }
        battle.sync_contacts();
        for u in battle.unit_ids() {
            if battle.unit(u).surrendered {
                battle.note_guards(u);
            }
        }
        if under_way {
            Self::now(f, battle);
        }
        Ok(())
    }

    /// Whose phase it is in a position.
    fn phasing(&self, f: &File, battle: &SevenYearsBattle) -> Found<Side> {
        match f.own.now.as_ref().and_then(|now| now.side.as_deref()) {
            Some(name) => self.side(battle, Some(name), &["now".into(), "side".into()]),
            None => Ok(battle.s.attacker),
        }
    }

    /// A position's moment in the battle.
    fn now(f: &File, battle: &mut SevenYearsBattle) {
        let now = f.own.now.clone().unwrap_or_default();
        battle.s.turn = now.turn.unwrap_or(1).max(1);
        let side = battle.s.phasing;
        let step = now.step.unwrap_or(SubPhase::Command);
        battle.s.step = step;
        battle.s.tasks.push(crate::sequence::turn::Task::EndTurn);
        if side == battle.s.attacker {
            battle.s.tasks.push(crate::sequence::turn::Task::StartPhase { side: side.enemy() });
        }
        battle.note_distances();
        for g in battle.group_ids() {
            let stood = battle.group(g).order == Order::Stand;
            let row = f.own.group.iter().find(|r| r.id == battle.group(g).id.as_str());
            battle.group_mut(g).phase.began_on_stand = row.and_then(|r| r.began_on_stand).unwrap_or(stood);
        }
        battle.push_from(if step == SubPhase::SetUp { SubPhase::Command } else { step }, now.rolled);
        battle.run_quietly();
    }
}

/// The rows of a list and where in it they stand, each side's by name in the places it has there: what the order of a list
/// would decide goes by name (SYW-SEQ-07).
fn by_name<'f, R, S: PartialEq>(rows: &'f [R], of: impl Fn(&'f R) -> (S, &'f str)) -> Vec<(usize, &'f R)> {
    let mut named: Vec<(usize, &R)> = rows.iter().enumerate().collect();
    named.put_in_order(|a, b| text_order(of(a.1).1, of(b.1).1));
    let next = |row| {
        let k = named.iter().position(|n| of(n.1).0 == of(row).0)?;
        Some(named.remove(k))
    };
    rows.iter().filter_map(next).collect()
}

/// Whether the armies are bought at the table (U2).
fn bought_later(f: &File) -> bool {
    f.own.deployment.as_ref().is_some_and(|d| d.points.is_some())
}
