//! Paths walked in steps: what they cost, where they must stop, whom they pass (SYW-MODEL-27 to -33).

use smallvec::SmallVec;
use tricorne_chance::{Chance, Faces};
use tricorne_drill::refuse;
use tricorne_game::{Event, Illegal, Log};
use tricorne_table::{Point, angle};

use crate::action::{Hand, Leg, Turn};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::stands;
use crate::model::state::{Groups, SLACK, Unit, Units, grain, within};
use crate::movement::course::Course;
use crate::options::TerrainCost;
use crate::rulebook::cm;

/// One unit on its way.
#[derive(Clone, Debug)]
pub struct Mover {
    pub u: UnitIx,
    pub new: Unit,
    pub allowance: f64,
    pub spent: f64,
    /// Price paid so far at factor 1, for `terrain_cost = whole_move`.
    pub(crate) bare: f64,
    pub(crate) worst: f64,
    /// Pieces whose lump was paid in this move.
    pub(crate) paid: SmallVec<[u8; 4]>,
    /// Changes of facing or formation it has made on the spot.
    pub(crate) changes: SmallVec<[Leg; 2]>,
    /// Ground gone over, in centimetres.
    pub gone: f64,
}

impl Mover {
    pub fn new(battle: &SevenYearsBattle, u: UnitIx, allowance: f64) -> Self {
        let mut new = battle.unit(u).clone();
        if new.split.is_some() {
            // SYW-INTER-10: its moves are measured from its foremost stand.
            new = battle.gathered(u);
        } else if crate::charges::oblique::swung(&new) {
            new = stands::formed(&new, new.formation, battle.info(u));
            new.reframe();
        }
        let (paid, changes) = (SmallVec::new(), SmallVec::new());
        Self { u, new, allowance, spent: 0.0, bare: 0.0, worst: 1.0, paid, changes, gone: 0.0 }
    }

    /// One that goes on with the move of its phase, for which it has paid some lumps already (SYW-TERR-05).
    pub(crate) fn going_on(battle: &SevenYearsBattle, u: UnitIx, allowance: f64) -> Self {
        Self { paid: battle.unit(u).phase.paid.clone(), ..Self::new(battle, u, allowance) }
    }

    pub(crate) fn left(&self) -> f64 {
        self.allowance - self.spent
    }

    /// What it will have spent when it has gone so much farther at this price over ground of this factor (SYW-TERR-06).
    pub(crate) fn spent_after(&self, gone: f64, price: f64, factor: f64, cost: TerrainCost) -> f64 {
        match cost {
            TerrainCost::WholeMove => self.spent.max((self.bare + gone * price) * self.worst.max(factor)),
            TerrainCost::Proportional => self.spent + gone * price * factor,
        }
    }
}

/// Units that walk together.
pub type Movers = Vec<Mover>;

/// What a walk heeds.
#[derive(Clone, Debug, Default)]
pub struct Heed {
    /// Halts of SYW-ORDER-28 to -35 apply.
    pub halts: bool,
    /// Price of going backwards, for one centimetre.
    pub back: f64,
    /// Enemy groups that give way and stop nobody (SYW-EVADE-01).
    pub yielding: Groups,
    /// Enemies that may be run into: the walk stops at them. Otherwise running into one is refused.
    pub stop_at_enemies: bool,
    /// The enemy a charge was declared against: of those met at one moment he is met (SYW-CHARGE-18).
    pub aim: Option<UnitIx>,
    /// Keep this far from enemies that are not running (SYW-ROUT-08); 0 for not at all.
    pub keep: f64,
    /// Wheels and inclines are not priced by drill (charges count the same, so this is for turns of routers).
    pub free_turns: bool,
    /// Units that may be ridden through (SYW-PURSUE-12, SYW-BREAK).
    pub through: Units,
    /// Stop where the table ends instead of going over.
    pub halt_at_edge: bool,
    /// Hidden enemies do not show yet: a path that is only being judged.
    pub blind: bool,
}

/// Why a walk ended before its path did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// It had to halt in front of a known enemy (SYW-ORDER-28, -32).
    Halt(UnitIx),
    /// It halted off friends in its way (SYW-ORDER-35).
    Friends,
    /// The move was used up by ground.
    Spent,
    /// Ground that bars the way.
    Barred,
    /// A hidden enemy lies near (SYW-VIS-04): the hidden unit, and the mover.
    Ambush(UnitIx, UnitIx),
    /// An enemy in the way.
    Enemy(UnitIx),
    /// The edge of the table.
    Edge,
}

/// How a walk went.
#[derive(Clone, Debug, Default)]
pub struct Walked {
    pub stop: Option<Stop>,
    /// Friends passed through.
    pub passed: Units,
    /// Which mover passed through which of them.
    pub through: SmallVec<[(UnitIx, UnitIx); 4]>,
    /// Some stand went over the edge: the path leaves the table.
    pub left_table: bool,
}

/// What takes dice off a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lump {
    /// An abatis that is crossed (SYW-TERR-11).
    Abatis,
    /// Ground that is entered or started in (SYW-TERR-05).
    Ground,
}

impl Lump {
    fn purpose(self) -> &'static str {
        match self {
            Self::Abatis => "abatis",
            Self::Ground => "terrain_lump",
        }
    }

    /// What ground took off somebody's move, as it is told.
    pub(crate) fn event(self) -> Event {
        let clause = match self {
            Self::Abatis => "SYW-TERR-11",
            Self::Ground => "SYW-TERR-05",
        };
        Event::new(self.purpose(), clause)
    }
}

/// What ground took off a unit's move: the unit, what took it, the dice and their sum.
pub type Rolls = SmallVec<[(UnitIx, Lump, Faces, i32); 2]>;

/// Where lumps of 6D4 and 2D4 come from: nowhere while a path is only judged.
pub struct Dice<'a> {
    chance: Option<&'a mut dyn Chance>,
    /// Dice rolled on this way before, which count again when it is walked again.
    known: Rolls,
    pub rolled: Rolls,
}

impl<'a> Dice<'a> {
    /// No dice: what would be rolled counts nothing.
    pub fn none() -> Self {
        Dice { chance: None, known: Rolls::new(), rolled: Rolls::new() }
    }

    /// Real dice.
    pub fn from(chance: &'a mut dyn Chance) -> Self {
        Dice { chance: Some(chance), known: Rolls::new(), rolled: Rolls::new() }
    }

    /// The dice of a walk that is walked again.
    pub fn again(known: &Rolls) -> Self {
        Dice { chance: None, known: known.clone(), rolled: Rolls::new() }
    }

    pub(crate) fn lump(&mut self, u: UnitIx, lump: Lump, [count, sides]: [u8; 2]) -> f64 {
        let Some(chance) = self.chance.as_mut() else {
            let found = self.known.iter().position(|k| k.0 == u && k.1 == lump);
            return found.map_or(0.0, |k| f64::from(self.known.remove(k).3));
        };
        let sum = chance.sum(lump.purpose(), usize::from(count), sides);
        self.rolled.push((u, lump, sum.faces, sum.total));
        f64::from(sum.total)
    }
}

impl SevenYearsBattle {
    /// Puts those who walked where they ended; generals in their way make room or are driven off.
    pub(crate) fn put_movers(&mut self, movers: Movers, log: &mut Log) {
        for m in movers {
            let mut new = m.new;
            new.phase.moved = true;
            self.put_as(m.u, new);
            self.push_generals(m.u, log);
        }
    }

    /// Walks some units rigidly along legs. Costs, halts and stops are those of each of them; the walk ends when any
    /// must stop.
    pub(crate) fn walk(
        &self,
        movers: &mut Movers,
        legs: &[Leg],
        heed: &Heed,
        dice: &mut Dice,
    ) -> Result<Walked, Illegal> {
        let mut walked = Walked::default();
        let mut first = true;
        for leg in &joined(legs) {
            if leg.is_change() {
                self.change(movers, leg)?;
                walked.stop = self.found_on_the_spot(movers, heed);
            } else {
                self.leg(movers, leg, heed, dice, &mut walked, first)?;
                first = false;
            }
            if walked.stop.is_some() || walked.left_table {
                break;
            }
        }
        Ok(walked)
    }

    /// The hidden enemy whom a change of facing or formation has brought somebody near to (SYW-VIS-04).
    fn found_on_the_spot(&self, movers: &[Mover], heed: &Heed) -> Option<Stop> {
        let side = movers.first()?.new.side;
        let hidden = if heed.blind { Units::new() } else { self.hidden_units(side.enemy()) };
        hidden.iter().find_map(|&h| {
            let near = |m: &&Mover| {
                let rects = self.rects_at(&m.new, grain(m.new.pose()));
                self.rects_near(&rects, h, cm(self.distances().ambush))
            };
            movers.iter().find(near).map(|m| Stop::Ambush(h, m.u))
        })
    }

    /// Turns, pivots and formation changes: on the spot and free of cost.
    pub(crate) fn change(&self, movers: &mut Movers, leg: &Leg) -> Result<(), Illegal> {
        for m in movers.iter_mut() {
            let info = self.info(m.u);
            let was = self.speed_as(m.u, m.new.formation);
            m.new = match leg {
                Leg::Turn(Turn::Left) => stands::turned_to_flank(&m.new, false, info),
                Leg::Turn(Turn::Right) => stands::turned_to_flank(&m.new, true, info),
                Leg::Turn(Turn::About) => stands::turned_about(&m.new, info),
                Leg::Form(formation) => stands::formed(&m.new, *formation, info),
                Leg::FormOn { formation, end } => {
                    let (left, right) = self.whole_front_of(&m.new);
                    let mut new = stands::formed(&m.new, *formation, info);
                    let (l, r) = self.whole_front_of(&new);
                    let slide = if *end == Hand::Left { left - l } else { right - r };
                    new.at = new.pose().sideways(slide).at;
                    new
                }
                Leg::Pivot(degrees) => {
                    if !degrees.is_finite() {
                        return refuse("SYW-ORDER-41", "a pivot needs an ordinary number of degrees");
                    }
                    let mut new = m.new.clone();
                    new.facing = angle::normalise(new.facing + degrees);
                    new
                }
                _ => m.new.clone(),
            };
            m.new.reframe();
            m.changes.push(*leg);
            // SYW-MOVE-02: a column marches at its own speed.
            m.allowance += self.speed_as(m.u, m.new.formation) - was;
        }
        Ok(())
    }

    /// The corner a line of units wheels about and the width of its front (SYW-MOVE-07).
    pub(crate) fn hinge(&self, movers: &[Mover], side: Hand) -> (Point, f64) {
        let pose = movers[0].new.pose();
        let (mut low, mut high, mut front) = (f64::MAX, f64::MIN, f64::MIN);
        let (mut low_front, mut high_front) = (0.0, 0.0);
        for m in movers {
            let (left, right) = self.front_of(&m.new);
            let a = pose.to_local(m.new.pose().to_world(Point::new(left, 0.0)));
            let b = pose.to_local(m.new.pose().to_world(Point::new(right, 0.0)));
            if a.x < low {
                (low, low_front) = (a.x, a.y);
            }
            if b.x > high {
                (high, high_front) = (b.x, b.y);
            }
            front = front.max(a.y).max(b.y);
        }
        let corner = match side {
            Hand::Left => Point::new(low, low_front),
            Hand::Right => Point::new(high, high_front),
        };
        (pose.to_world(corner), high - low)
    }

    pub(crate) fn leg(
        &self,
        movers: &mut Movers,
        leg: &Leg,
        heed: &Heed,
        dice: &mut Dice,
        walked: &mut Walked,
        first: bool,
    ) -> Result<(), Illegal> {
        // Length of the path of the outermost point, way of a straight leg, and what one centimetre costs each.
        let facing = movers[0].new.facing;
        let mut prices: SmallVec<[f64; 4]> = SmallVec::new();
        let (length, course) = match *leg {
            Leg::Forward(d) => {
                prices.extend(movers.iter().map(|_| 1.0));
                (fair(d)?, Course::Straight(angle::forward(facing)))
            }
            Leg::Back(d) => {
                let price = if heed.back > 0.0 { heed.back } else { self.backwards() };
                prices.extend(movers.iter().map(|_| price));
                (fair(d)?, Course::Straight(-angle::forward(facing)))
            }
            Leg::Incline { side, distance } => {
                for m in movers.iter() {
                    prices.push(self.incline_price(m.u)?);
                }
                (fair(distance)?, Course::Straight(angle::forward(facing + side.sign() * 45.0)))
            }
            Leg::Shift([x, y]) => {
                if !(x.is_finite() && y.is_finite()) {
                    return refuse("SYW-ORDER-43", "a shift needs two ordinary numbers");
                }
                prices.extend(movers.iter().map(|_| 1.0));
                let way = Point::new(x, y);
                (way.length(), Course::Straight(way.unit().unwrap_or(Point::new(0.0, 1.0))))
            }
            Leg::Wheel { side, degrees } => {
                fair(degrees)?;
                if degrees > 180.0 {
                    return refuse("SYW-MOVE-04", "a wheel goes no farther round than 180 degrees");
                }
                let (pivot, width) = self.hinge(movers, side);
                let arc = angle::radians(degrees) * width;
                let price = if arc > 0.0 { self.wheel_price(width, degrees) / arc } else { 0.0 };
                for m in movers.iter() {
                    let slow = if heed.free_turns { 1.0 } else { self.drill_row(m.u).wheel };
                    prices.push(price * slow);
                }
                (arc, Course::Wheel { pivot, degrees: side.sign() * degrees, arc })
            }
            Leg::Turn(_) | Leg::Form(_) | Leg::FormOn { .. } | Leg::Pivot(_) => return Ok(()),
        };
        if length <= 0.0 {
            if first && heed.halts {
                self.halt_at_once(movers, heed, walked);
            }
            return Ok(());
        }
        // What it would cost in the open must be within the move (SYW-MOVE-01); ground may cut it shorter.
        for (m, price) in movers.iter().zip(&prices) {
            if !within(length * price, m.left().max(0.0)) && matches!(m.spent, s if s <= m.bare + SLACK) {
                return refuse(
                    "SYW-MOVE-01",
                    format!(
                        "{} has {:.2} cm of its move left and this leg costs {:.2}; shorten it",
                        m.new.id,
                        m.left().max(0.0),
                        length * price
                    ),
                );
            }
        }
        let near = self.near_leg(movers, &course, length, heed);
        self.step_by_step(movers, &course, length, &prices, heed, dice, walked, &near)
    }
}

/// The legs of a path, those straight ahead that follow one another made one, and so wheels to one hand.
fn joined(legs: &[Leg]) -> SmallVec<[Leg; 4]> {
    let mut path: SmallVec<[Leg; 4]> = SmallVec::new();
    for leg in legs {
        match (path.last_mut(), leg) {
            (Some(Leg::Forward(before)), Leg::Forward(more)) if *before >= 0.0 && *more >= 0.0 => {
                *before += more;
            }
            (Some(Leg::Wheel { side: hand, degrees: before }), Leg::Wheel { side, degrees: more })
                if hand == side && *before >= 0.0 && *more >= 0.0 && *before + more <= 180.0 =>
            {
                *before += more;
            }
            _ => path.push(*leg),
        }
    }
    path
}

/// A length or an angle that can be walked.
fn fair(value: f64) -> Result<f64, Illegal> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        refuse("SYW-MODEL-27", "legs need ordinary numbers of 0 or more")
    }
}
