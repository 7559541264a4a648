//! Two armies set up against each other: foot in the middle, horse on the wings, guns in the gaps, commanders behind.

use tricorne_drill::armies::fielded;
use tricorne_drill::scenario::{Scenario, Scribe};
use tricorne_game::army::Army;
use tricorne_game::{Choices, InOrder, Purpose, Side, Source};
use tricorne_table::{Point, Pose};

use super::{bought, check_army};
use crate::field::Field;
use crate::model::formation::Body;
use crate::model::ground::Mover;
use crate::model::{Formation, Kind, Level};
use crate::rulebook::Rulebook;
use crate::scenario::file::{CommanderFile, File, SideName, UnitFile};
use crate::state::{BLACK, RED};

/// The scenario file of a pitched battle.
pub(crate) fn pitch(armies: &[Army; 2], terrain: &str, table: Option<[f64; 2]>) -> Result<String, String> {
    let book = Rulebook::own();
    let table = table.unwrap_or(book.profiles.usual_table());
    let mut bare = Scribe::begun("von-futsch", "ground");
    bare.table(table).entry("side").text("id", "red").entry("side").text("id", "black").with(terrain);
    let source = Source::new("terrain", bare.written());
    let mut file = Scenario::read(&source).map_err(|fault| fault.to_string())?;
    for (army, key) in armies.iter().zip(["red", "black"]) {
        fielded(army, &check_army(army))?;
        let list = book.armies.get(&army.list).ok_or("no such list")?;
        let (side, places) = bought(army);
        let names: Vec<&str> =
            places.iter().filter_map(|&i| army.units.get(i)).map(|u| u.name.as_str()).collect();
        let (name, letter) = if key == "red" { (SideName::Red, 'R') } else { (SideName::Black, 'B') };
        crate::scenario::purchase::equip(&mut file, name, letter, &side, list, &names)?;
    }
    // The ground alone, to judge where somebody may stand.
    let ground = crate::scenario::setup::set_up(&source, &Choices::default(), Purpose::Position)
        .map_err(|fault| fault.to_string())?;
    for side in [RED, BLACK] {
        Layout { ground: &ground, side, taken: Vec::new() }.lay(&mut file)?;
    }
    let text = written(armies, &file, terrain, table);
    crate::scenario::setup::set_up(
        &Source::new("pitched", text.as_str()),
        &Choices::default(),
        Purpose::Scenario,
    )
    .map_err(|fault| fault.to_string())?;
    Ok(text)
}

struct Layout<'a> {
    ground: &'a Field,
    side: Side,
    taken: Vec<Body>,
}

/// What is placed in one go: a regiment, or a unit.
struct Lot {
    kind: Kind,
    units: Vec<usize>,
    chief: Option<usize>,
}

impl Layout<'_> {
    fn facing(&self) -> f64 {
        if self.side == RED { 0.0 } else { 180.0 }
    }

    fn depth(&self) -> f64 {
        f64::from(self.ground.p().table.deployment)
    }

    /// A place so far back from the front of the zone.
    fn at(&self, x: f64, back: f64) -> Point {
        let y = self.depth() - back;
        Point::new(x, if self.side == RED { y } else { self.ground.b.height - y })
    }

    fn free(&self, body: &Body, mover: Mover) -> bool {
        let (w, h, depth) = (self.ground.b.width, self.ground.b.height, self.depth());
        body.on_table(w, h)
            && !self.ground.closed_under(body, mover)
            && !self.taken.iter().any(|o| o.overlaps(body))
            && body.parts().iter().all(|part| {
                let home = |c: &Point| if self.side == RED { c.y } else { h - c.y };
                part.corners().iter().all(|c| home(c) <= depth + 1e-6)
            })
    }

    /// Places side by side about an x, all free; the nearest to it, row by row.
    fn row(&self, kind: Kind, count: usize, x: f64, front: f64) -> Option<(Vec<Point>, Formation)> {
        let formations = kind.formations();
        let line = formations.first().copied()?;
        let mut shapes = vec![line];
        if formations.contains(&Formation::Column) {
            shapes.push(Formation::Column);
        }
        for formation in shapes {
            let (width, deep) = self.ground.p().base.size(formation);
            let whole = width * count as f64 + 0.5 * (count.saturating_sub(1)) as f64;
            let rows = ((self.depth() - deep - front) / 0.5).max(0.0) as u32;
            for row in 0..=rows {
                for step in 0..(self.ground.b.width * 2.0) as u32 {
                    let off = f64::from(step.div_ceil(2)) * 0.5 * if step % 2 == 0 { 1.0 } else { -1.0 };
                    let left = x + off - whole * 0.5;
                    let places: Vec<Point> = (0..count)
                        .map(|i| {
                            let middle = left + width * 0.5 + (width + 0.5) * i as f64;
                            self.at(middle, front + 0.5 * f64::from(row)).round_to(0.001)
                        })
                        .collect();
                    let fits = |p: &Point| {
                        let body = self.ground.p().base.body(Pose::new(*p, self.facing()), formation, 6);
                        self.free(&body, Mover::Unit(kind))
                    };
                    if places.iter().all(fits) {
                        return Some((places, formation));
                    }
                }
            }
        }
        None
    }

    /// A free place for a commander, nearest to one.
    fn post(&self, at: Point, base: f64) -> Option<Point> {
        (0..120_u32).find_map(|ring| {
            let spokes = if ring == 0 { 1 } else { 16 };
            (0..spokes).find_map(|spoke| {
                let way = tricorne_table::angle::forward(22.5 * f64::from(spoke));
                let p = (at + way * (0.25 * f64::from(ring))).round_to(0.001);
                self.free(&Body::of_commander(p, base), Mover::Commander).then_some(p)
            })
        })
    }

    fn lay(mut self, file: &mut File) -> Result<(), String> {
        let own = self.side;
        let leads = |c: &CommanderFile| c.side.is_some_and(|s| s.side() == own);
        let mut lots: Vec<Lot> = Vec::new();
        for (i, unit) in file.units.iter().enumerate().filter(|(_, u)| u.side == own) {
            let regiment = &unit.own.regiment;
            let same = |lot: &&mut Lot| {
                let first = lot.units.first().and_then(|&u| file.units.get(u));
                regiment.is_some() && first.is_some_and(|f| f.own.regiment == *regiment)
            };
            if let Some(lot) = lots.iter_mut().find(same) {
                lot.units.push(i);
                continue;
            }
            let chief = file.own.commander.iter().position(|c| {
                leads(c) && c.level == Level::Regimental && regiment.is_some() && c.regiment == *regiment
            });
            let kind = tricorne_game::written(&unit.kind.as_str().into()).map_err(|e| e.problem)?;
            lots.push(Lot { kind, units: vec![i], chief });
        }
        // Foot first, for it has the middle; the rest finds its place about it.
        let rank = |kind: Kind| match kind {
            Kind::Infantry => 0,
            Kind::Artillery => 1,
            Kind::Heavy | Kind::Light => 2,
            Kind::Skirmish => 3,
            Kind::Wagon => 4,
        };
        lots.put_in_order_of(|lot| (rank(lot.kind), std::cmp::Reverse(lot.units.len())));
        let width = self.ground.b.width;
        let mut wing = 0_u32;
        for lot in lots {
            let (x, front) = match lot.kind {
                Kind::Heavy | Kind::Light => {
                    wing += 1;
                    (if wing % 2 == 1 { width * 0.1 } else { width * 0.9 }, 1.0)
                }
                Kind::Skirmish => {
                    wing += 1;
                    (if wing % 2 == 1 { width * 0.25 } else { width * 0.75 }, 0.1)
                }
                Kind::Infantry => (width * 0.5, 0.5),
                Kind::Artillery => (width * 0.5, 0.2),
                Kind::Wagon => (width * 0.5, 7.0),
            };
            let Some((places, formation)) = self.row(lot.kind, lot.units.len(), x, front) else {
                return Err("there is no room to deploy so many; play for fewer points".into());
            };
            let facing = self.facing();
            for (&u, p) in lot.units.iter().zip(&places) {
                if let Some(unit) = file.units.get_mut(u) {
                    unit.at = Some(*p);
                    unit.facing = Some(facing);
                    unit.own.formation = Some(formation);
                    unit.own.gone = None;
                }
                self.taken.push(self.ground.p().base.body(Pose::new(*p, facing), formation, 6));
            }
            if let (Some(c), Some(first), Some(last)) = (lot.chief, places.first(), places.last()) {
                let behind = self.ground.p().base.size(formation).1 + 1.0;
                let back = if self.side == RED { -behind } else { behind };
                let middle = first.midpoint(*last) + Point::new(0.0, back);
                self.station(file, c, middle)?;
            }
        }
        for (i, level) in file
            .own
            .commander
            .iter()
            .enumerate()
            .filter(|(_, c)| leads(c))
            .map(|(i, c)| (i, c.level))
            .collect::<Vec<_>>()
        {
            match level {
                Level::Regimental => {}
                Level::Wing => {
                    let at = self.at(width * 0.2, 6.0);
                    self.station(file, i, at)?;
                }
                Level::Army => {
                    let at = self.at(width * 0.5, 6.0);
                    self.station(file, i, at)?;
                }
            }
        }
        Ok(())
    }

    fn station(&mut self, file: &mut File, c: usize, at: Point) -> Result<(), String> {
        let Some(commander) = file.own.commander.get_mut(c) else { return Ok(()) };
        let base = commander.level.base(&Rulebook::own().profiles);
        let Some(p) = self.post(at, base) else { return Err("there is no room for the commanders".into()) };
        commander.at = Some([p.x, p.y]);
        commander.gone = None;
        self.taken.push(Body::of_commander(p, base));
        Ok(())
    }
}

fn written(armies: &[Army; 2], file: &File, terrain: &str, table: [f64; 2]) -> String {
    let [red, black] = armies;
    let mut out = Scribe::pitched("von-futsch", armies);
    let about = format!("{} points against {}: army morale decides.", red.points, black.points);
    out.text("story", &about).table(table);
    for (key, army) in [("red", red), ("black", black)] {
        // Two armies of one name are told apart.
        let same = red.name == black.name;
        let name = if same { format!("{} ({key})", army.name) } else { army.name.clone() };
        out.entry("side").text("id", key).text("name", &name);
    }
    out.with(terrain);
    for unit in &file.units {
        write_unit(&mut out, unit);
    }
    for commander in &file.own.commander {
        write_commander(&mut out, commander);
    }
    out.written()
}

fn side_of(side: Side) -> &'static str {
    if side == BLACK { "black" } else { "red" }
}

fn write_unit(out: &mut Scribe, u: &UnitFile) {
    let own = &u.own;
    out.entry("unit").text("id", u.id.as_str()).text("side", side_of(u.side)).text("kind", &u.kind);
    out.text("name", &u.name).text("quality", own.quality.name());
    out.some("regiment", own.regiment.as_deref()).some("wing", own.wing.as_deref());
    out.place("at", u.at.unwrap_or(Point::ORIGIN)).value("facing", u.facing.unwrap_or(0.0));
    out.some("formation", own.formation.map(Formation::name));
    if let Some(colours) = own.colours {
        out.value("colours", colours);
    }
}

fn write_commander(out: &mut Scribe, c: &CommanderFile) {
    out.entry("commander")
        .text("id", &c.id)
        .text("side", side_of(c.side.map_or(RED, SideName::side)))
        .text("level", c.level.name());
    out.some("name", c.name.as_deref());
    out.some("regiment", c.regiment.as_deref()).some("wing", c.wing.as_deref());
    if let Some(at) = c.at {
        out.place("at", at.into());
    }
}
