//! Two armies set up against each other: groups and brigades made up, everybody given a place of his own, and the
//! scenario file written.

use tricorne_drill::armies::fielded;
use tricorne_drill::scenario::{Scenario, Scribe};
use tricorne_game::army::Army;
use tricorne_game::{InOrder, Source};
use tricorne_table::{Area, Bounds, Point};

use super::{PIECE, Read, check_army, market, read, work_of};
use crate::model::stands::WIDTH;
use crate::points::{Entry, Work};
use crate::rulebook::{Arm, Class, Distances, Rulebook, cm};
use crate::setup::file::Words;

/// The usual table (SYW-MODEL-01).
pub(crate) const TABLE: [f64; 2] = [180.0, 120.0];

/// The table and how deep each side may stand on it: away from the centre line and the side edges (SYW-DEPLOY-08), and on small
/// tables a quarter of it.
#[derive(Clone, Copy)]
struct Plan {
    width: f64,
    height: f64,
    deep: f64,
    /// Nobody is set up nearer to the side edges than this, unless the middle is full.
    strip: f64,
}

impl Plan {
    fn of([width, height]: [f64; 2], chart: &Distances) -> Result<Self, String> {
        if !(width >= 60.0 && height >= 60.0 && width <= 480.0 && height <= 480.0) {
            return Err(format!(
                "a table of {width} by {height} is none for two armies; take one from 60 by 60 to 480 by 480"
            ));
        }
        Ok(Self {
            width,
            height,
            deep: (height * 0.5 - cm(chart.from_centre)).max(height * 0.25),
            strip: (width * 0.25).min(cm(chart.from_side_edges)),
        })
    }
}

/// Between units of a group (SYW-GROUP-07), and round a group.
const GAP: f64 = 0.5;
const ROOM: f64 = 1.0;

/// A unit to be placed.
struct Trooper {
    id: String,
    name: String,
    code: String,
    stands: u8,
    drilled: bool,
    shoots: bool,
    arm: Arm,
    light: bool,
    tag: String,
    command: Option<u8>,
    group: Option<String>,
    width: f64,
    depth: f64,
}

/// Units side by side, one group.
struct Block {
    name: String,
    units: Vec<usize>,
    command: Option<u8>,
    arm: Arm,
    light: bool,
    width: f64,
    depth: f64,
}

/// What ground lies where, as far as setting up goes.
struct Ground {
    bounds: Bounds,
    /// Nobody may stand there, or no guns.
    barred: bool,
    bars_guns: bool,
    rough: bool,
}

/// A scenario file of two armies on some ground.
pub(crate) fn pitch(armies: &[Army; 2], terrain: &str, table: Option<[f64; 2]>) -> Result<String, String> {
    let book = Rulebook::own();
    let plan = Plan::of(table.unwrap_or(TABLE), &book.charts.distances)?;
    let ground = grounds(book, plan, terrain)?;
    let mut out = Scribe::pitched("seven-years-war", armies);
    let story =
        format!("Two armies of {} and {} points in the open field.", armies[0].points, armies[1].points);
    out.text("story", &story).table([plan.width, plan.height]).text("first", "south");
    for (army, side) in armies.iter().zip(["south", "north"]) {
        fielded(army, &check_army(army))?;
        out.entry("side").text("id", side).text("name", &army.name);
        out.text("nation", &army.list).text("home", side);
    }
    out.with(terrain);
    for (army, south) in armies.iter().zip([true, false]) {
        Camp::of(army, book, plan, south, &ground)?.write(army, &mut out)?;
    }
    Ok(out.written())
}

/// The ground of the `[[terrain]]` entries.
fn grounds(book: &Rulebook, plan: Plan, terrain: &str) -> Result<Vec<Ground>, String> {
    let mut bare = Scribe::begun("seven-years-war", "ground");
    bare.table([plan.width, plan.height]);
    bare.entry("side").text("id", "south").entry("side").text("id", "north").with(terrain);
    let source = Source::new("ground", bare.written());
    let file = Scenario::<Words>::read(&source)
        .map_err(|fault| format!("the ground is no list of [[terrain]] entries: {}", fault.problem))?;
    Ok(file
        .terrain
        .iter()
        .filter_map(|piece| {
            let kind = book.ground_kinds.get(&piece.kind)?;
            let points = piece.area.as_ref().map_or(piece.line.as_slice(), Area::corners);
            let level = piece.level.or(kind.level);
            let row = level.and_then(|l| book.ground_types.iter().find(|t| t.level == l));
            Some(Ground {
                bounds: Bounds::of_points(points),
                barred: kind.impassable,
                bars_guns: kind.impassable || row.is_some_and(|r| r.artillery.is_none()),
                rough: level.is_some_and(|l| l > 0),
            })
        })
        .collect())
}

/// One army with its places.
struct Camp {
    plan: Plan,
    south: bool,
    troops: Vec<Trooper>,
    blocks: Vec<Block>,
    /// The middle of the front of each unit.
    at: Vec<Point>,
    taken: Vec<Bounds>,
    generals: u8,
}

impl Camp {
    fn of(army: &Army, book: &Rulebook, plan: Plan, south: bool, ground: &[Ground]) -> Result<Self, String> {
        let market = market();
        let Read { bought, places, left_alone, .. } = read(army);
        let letter = if south { 's' } else { 'n' };
        let mut troops = Vec::new();
        for (k, unit) in bought.units.iter().enumerate() {
            let (_, entry): (_, &Entry) =
                market.lists.entry(&unit.code).ok_or_else(|| format!("`{}` is in no list", unit.code))?;
            let p = book.profile(entry.kind);
            let stands = unit.stands.unwrap_or(entry.stands);
            let two = p.arm == Arm::Infantry && p.class == Class::Massed;
            let (front, ranks) = if two { (stands.div_ceil(2), 2.0) } else { (stands, 1.0) };
            let alone = left_alone.contains(&places[k]);
            let dealt = deal(bought.sub_generals, p.arm, k);
            let own = army.units.get(places[k]).map(|u| u.name.clone()).unwrap_or_default();
            troops.push(Trooper {
                id: format!("{letter}{}", k + 1),
                name: own,
                code: unit.code.clone(),
                stands,
                drilled: unit.upgraded_drill,
                shoots: unit.upgraded_shots,
                arm: p.arm,
                light: p.class == Class::Light,
                tag: entry.tag.clone(),
                command: if alone { None } else { unit.command.or(dealt) },
                group: unit.group.clone(),
                width: f64::from(front) * WIDTH,
                depth: p.depth * ranks,
            });
        }
        let blocks = blocks(&troops, letter);
        let mut camp = Self {
            plan,
            south,
            at: vec![Point::ORIGIN; troops.len()],
            troops,
            blocks,
            taken: Vec::new(),
            generals: bought.sub_generals,
        };
        camp.place_all(ground)?;
        Ok(camp)
    }

    /// Groups from the middle outwards: foot first, then guns before it, lights and horse on the wings.
    fn place_all(&mut self, ground: &[Ground]) -> Result<(), String> {
        let mut order: Vec<usize> = (0..self.blocks.len()).collect();
        let rank = |b: &Block| match (b.arm, b.light) {
            (Arm::Artillery, _) => 0,
            (Arm::Infantry, false) => 1,
            (Arm::Infantry, true) => 2,
            (Arm::Cavalry, _) => 3,
        };
        order.put_in_order_of(|&i| rank(&self.blocks[i]));
        let (mut horse, mut guns) = (0, 0);
        for i in order {
            let middle = match (self.blocks[i].arm, self.blocks[i].light) {
                (Arm::Infantry, false) => 0.5,
                (Arm::Infantry, true) => 70.0 / 180.0,
                (Arm::Artillery, _) => {
                    guns += 1;
                    if guns % 2 == 1 { 78.0 / 180.0 } else { 102.0 / 180.0 }
                }
                (Arm::Cavalry, _) => {
                    horse += 1;
                    if horse % 2 == 1 { 125.0 / 180.0 } else { 55.0 / 180.0 }
                }
            };
            let middle = middle * self.plan.width;
            // Off rough ground if it can be, then anywhere it may stand, then in the strips along the sides too.
            let found = [(true, self.plan.strip), (false, self.plan.strip), (false, ROOM)]
                .into_iter()
                .find_map(|(smooth, strip)| self.room(&self.blocks[i], middle, smooth, strip, ground));
            let Some(corner) = found else {
                return Err(format!(
                    "there is no room for {} of {} groups on one side of the table; take fewer points or clearer ground",
                    self.blocks[i].name,
                    self.blocks.len()
                ));
            };
            let block = &self.blocks[i];
            let mut x = corner.min.x;
            for &u in &block.units {
                let w = self.troops[u].width;
                // The block's front is the side towards the enemy; the other army stands turned about.
                let front = if self.south { corner.max.y } else { corner.min.y };
                self.at[u] = Point::new(x + w * 0.5, front);
                x += w + GAP;
            }
            self.taken.push(corner);
        }
        Ok(())
    }

    /// A free box for a block, as far forward and as near to its middle as there is.
    fn room(
        &self,
        block: &Block,
        middle: f64,
        smooth: bool,
        strip: f64,
        ground: &[Ground],
    ) -> Option<Bounds> {
        let mut back = 1.0;
        while back + block.depth <= self.plan.deep - 0.5 {
            let mut off = 0.0;
            while off < self.plan.width {
                for x in [middle + off, middle - off] {
                    let left = x - block.width * 0.5;
                    let low = if self.south {
                        self.plan.deep - back - block.depth
                    } else {
                        self.plan.height - self.plan.deep + back
                    };
                    let found = Bounds {
                        min: Point::new(left, low),
                        max: Point::new(left + block.width, low + block.depth),
                    };
                    if left >= strip
                        && left + block.width <= self.plan.width - strip
                        && self.is_free(&found, block.arm == Arm::Artillery, smooth, ground)
                    {
                        return Some(found);
                    }
                }
                off += 1.0;
            }
            back += 1.0;
        }
        None
    }

    fn is_free(&self, found: &Bounds, guns: bool, smooth: bool, ground: &[Ground]) -> bool {
        let grown = found.grown(ROOM);
        !self.taken.iter().any(|t| t.meets(&grown))
            && !ground
                .iter()
                .any(|g| (g.barred || (guns && g.bars_guns) || (smooth && g.rough)) && g.bounds.meets(found))
    }

    /// A place for a general behind his own, or the nearest that is free.
    fn general_at(&mut self, command: Option<u8>, ground_free: &[Bounds]) -> Option<Point> {
        let own: Vec<Point> = self
            .troops
            .iter()
            .zip(&self.at)
            .filter(|(t, _)| command.is_none() || t.command == command)
            .map(|(_, at)| *at)
            .collect();
        let Plan { width, height, deep, strip } = self.plan;
        let mut middle = Point::new(width * 0.5, if self.south { 12.0 } else { height - 12.0 });
        if !own.is_empty() {
            let n = own.len() as f64;
            let sum = own.iter().fold(Point::ORIGIN, |s, p| s + *p);
            middle = sum * (1.0 / n);
            let behind = if command.is_none() { 14.0 } else { 6.0 };
            middle.y += if self.south { -behind } else { behind };
        }
        let mut ring = 0.0;
        while ring < 90.0 {
            for k in 0..24 {
                let p = middle + tricorne_table::angle::forward(f64::from(k) * 15.0) * ring;
                let p = p.round_to(0.5);
                // His stand: 4 wide, 3 deep, the place the middle of his front.
                let (low, high) = if self.south { (p.y - 3.0, p.y) } else { (p.y, p.y + 3.0) };
                let box_ = Bounds { min: Point::new(p.x - 2.0, low), max: Point::new(p.x + 2.0, high) };
                let inside = if self.south {
                    low >= 0.5 && high <= deep - 0.5
                } else {
                    high <= height - 0.5 && low >= height - deep + 0.5
                };
                let free = !self.taken.iter().chain(ground_free).any(|t| t.meets(&box_.grown(0.3)));
                if inside && box_.min.x >= strip && box_.max.x <= width - strip && free {
                    self.taken.push(box_);
                    return Some(p);
                }
            }
            ring += 1.0;
        }
        None
    }

    fn write(mut self, army: &Army, out: &mut Scribe) -> Result<(), String> {
        let (side, facing, upper) = if self.south { ("south", 0, 'S') } else { ("north", 180, 'N') };
        let staff = (1..=self.generals).map(|n| (format!("{upper}{n}"), Some(n)));
        for (id, command) in staff.chain([(format!("{upper}C"), None)]) {
            let at = self
                .general_at(command, &[])
                .ok_or_else(|| format!("there is no room for general {id}; take fewer of them"))?;
            out.entry("general").text("id", &id).text("side", side);
            if command.is_none() {
                out.value("cinc", true);
            }
            out.place("at", at).value("facing", facing);
        }
        for (block, &u) in self.blocks.iter().flat_map(|b| b.units.iter().map(move |u| (b, u))) {
            let t = &self.troops[u];
            let command = t.command.map_or_else(|| "none".to_owned(), |n| format!("{upper}{n}"));
            out.entry("unit").text("id", &t.id).text("side", side).text("kind", &t.code);
            out.text("group", &block.name).text("command", &command).place("at", self.at[u]);
            out.value("facing", facing).value("stands", t.stands).some("name", Some(&t.name));
            for (key, has) in [("upgraded_drill", t.drilled), ("upgraded_shots", t.shoots)] {
                if has {
                    out.value(key, true);
                }
            }
        }
        self.write_works(army, side, upper, out);
        Ok(())
    }

    /// Works in one row just before the front, from the middle of the foot outwards.
    fn write_works(&self, army: &Army, side: &str, upper: char, out: &mut Scribe) {
        let foot = self.blocks.iter().find(|b| b.arm == Arm::Infantry).and_then(|b| b.units.first());
        let middle = foot.map_or(self.plan.width * 0.5, |&u| self.at[u].x);
        for (kind, name, ahead) in [(Work::Barricade, "barricade", 0.5), (Work::Abatis, "abatis", 8.0)] {
            let n = army.units.iter().filter(|u| work_of(&u.entry) == Some(kind)).count();
            if n == 0 {
                continue;
            }
            let half = (n as f64 * PIECE * 0.5).min(self.plan.width * 0.5 - 2.0);
            let middle = middle.clamp(half + 1.0, self.plan.width - half - 1.0);
            let y = if self.south {
                self.plan.deep - 0.5 + ahead
            } else {
                self.plan.height - self.plan.deep + 0.5 - ahead
            };
            let (from, to) = (Point::new(middle - half, y), Point::new(middle + half, y));
            out.entry("terrain").text("id", &format!("{upper}-{name}")).text("kind", name);
            out.places("line", &[from, to]).text("owner", side);
        }
    }
}

/// A sub-general for a unit that names none: the last one has the horse, the others share the rest.
pub(super) fn deal(generals: u8, arm: Arm, k: usize) -> Option<u8> {
    match (generals, arm) {
        (0, _) => None,
        (1, _) => Some(1),
        (n, Arm::Cavalry) => Some(n),
        (n, _) => Some((k % usize::from(n - 1)) as u8 + 1),
    }
}

/// Groups: those the file names, and for the rest up to three battalions of one brigade side by side; horse, lights and
/// guns each for themselves.
fn blocks(troops: &[Trooper], letter: char) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for (k, t) in troops.iter().enumerate() {
        let named = t.group.as_deref();
        let joins = |b: &Block| {
            let first = &troops[b.units[0]];
            if named.is_some() || first.group.is_some() {
                return named == first.group.as_deref();
            }
            t.arm == Arm::Infantry
                && !t.light
                && b.arm == Arm::Infantry
                && !b.light
                && b.units.len() < 3
                && first.tag == t.tag
                && b.command == t.command
        };
        if let Some(b) = blocks.iter_mut().find(|b| joins(b)) {
            b.width += GAP + t.width;
            b.depth = b.depth.max(t.depth);
            b.units.push(k);
            continue;
        }
        let n = blocks.len() + 1;
        blocks.push(Block {
            name: format!("{}G{n}", letter.to_ascii_uppercase()),
            units: vec![k],
            command: t.command,
            arm: t.arm,
            light: t.light,
            width: t.width,
            depth: t.depth,
        });
    }
    blocks
}
