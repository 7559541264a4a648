//! Retreating (WBK-RETREAT): the direction, the walk, what cuts it short.

use tricorne_drill::{Now, Way, fall_back};
use tricorne_game::Event;
use tricorne_table::{Bounds, Edge, Point, angle};

use crate::battle::Fray;
use crate::model::base::{Base, CONTACT, TOLERANCE, touches};
use crate::model::body::Bases;
use crate::model::places::{Slid, Sliding};
use crate::morale::Shock;
use crate::movement::bearing;
use crate::options::{
    DifficultCost, OffTableCounts, RetreatDirection, RetreatFriendBlock, RetreatLosses, RetreatOffEdges,
    RetreatShortfall,
};
use crate::state::{Character, Fate, Layout, No, Places, Spot};

/// A step of the walk, in inches.
const STEP: f64 = 0.5;

/// What cut a walk short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// Enemies, WBK-RETREAT-13 (b).
    Enemy,
    /// Impassable ground, (c).
    Ground,
    /// A friend in Close Order, (e).
    Friend,
    /// Want of room at the end.
    Room,
}

/// One trial in one direction.
#[derive(Clone, Debug)]
struct Trial {
    steps: u32,
    /// Allowance left when it was cut short.
    left: f64,
    cut: Option<Cut>,
    leaves: bool,
    halted: bool,
    dir: Point,
    end: Option<(Spot, u16, Layout, Places)>,
    losses: u8,
}

/// What a retreat came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Retreated {
    /// Models lost because it was cut short.
    pub losses: u8,
}

/// What the walk is tested against, gathered once.
struct Flight {
    from: Point,
    bases: Bases,
    bounds: Bounds,
    /// Enemies near enough to matter, and the friends it may not touch.
    enemies: Vec<No>,
    friends: Vec<No>,
    /// Obstacles that did not lie within 1" at the start.
    obstacles: Vec<usize>,
    allowance: f64,
    /// The enemy it retreats from, and how near its nearest model was.
    foe: Option<(No, f64)>,
}

impl Fray {
    /// How far a unit retreats: half its move, 2" more for a Cad (WBK-RETREAT-02).
    fn retreat_allowance(&self, u: No) -> f64 {
        let half = f64::from(self.pace(u) / 2) / 1000.0;
        if self.character(u) == Character::Cad {
            half + self.field.rulebook.charts.characters.cad_inches
        } else {
            half
        }
    }

    /// Which way a unit retreats (WBK-RETREAT-11).
    fn retreat_way(&self, u: No, enemy: Option<No>) -> Point {
        let unit = self.unit(u);
        let home = angle::forward(self.field.home[unit.side.index()].bearing());
        if self.field.options.retreat_direction == RetreatDirection::OwnEdge {
            return home;
        }
        let away = enemy.and_then(|v| (unit.anchor.point() - self.unit(v).anchor.point()).unit());
        away.unwrap_or(home)
    }

    /// T7: a unit retreats from an enemy.
    pub(crate) fn retreat(&mut self, u: No, enemy: Option<No>, now: &mut Now<'_>) -> Retreated {
        let ahead = self.retreat_way(u, enemy);
        let foe = enemy.map(|v| (v, self.gap(u, v))).filter(|foe| foe.1.is_finite());
        let flight = self.flight(u, ahead, foe);
        let tried = |turn: f64| {
            let dir = ahead.turned(turn);
            // A garrison leaves its building where this direction does (WBK-RETREAT-16).
            let own = (turn != 0.0 && self.unit(u).garrison.is_some()).then(|| self.flight(u, dir, foe));
            let trial = self.try_retreat(u, own.as_ref().unwrap_or(&flight), dir);
            if trial.cut.is_none() { Way::Open(trial) } else { Way::Cut(trial) }
        };
        // WBK-RETREAT-12: fewest losses, then furthest.
        let chart = &self.field.rulebook.charts.retreat;
        let found = fall_back(angle::fan(chart.aside, chart.furthest_aside), tried, |a, b| {
            a.losses < b.losses || (a.losses == b.losses && a.steps > b.steps)
        });
        let Some(trial) = found else { return Retreated::default() };
        self.ends_retreat(u, &flight, trial, now)
    }

    fn flight(&self, u: No, ahead: Point, foe: Option<(No, f64)>) -> Flight {
        let unit = self.unit(u);
        // WBK-RETREAT-16: a garrison begins 0.6" outside, where the line of retreat leaves the building.
        let (from, bases) = match self.outline(u) {
            Some(outline) => {
                let out = outline.exit(outline.centroid(), angle::bearing_of(ahead));
                let from = out.unwrap_or_else(|| outline.nearest_boundary(unit.anchor.point())) + ahead * 0.6;
                (from, std::iter::once(self.base_at(u, from, unit.facing)).collect::<Bases>())
            }
            None => (unit.anchor.point(), self.bases(u)),
        };
        let bounds = bases.iter().fold(Bounds::NOTHING, |all, b| all.join(&b.bounds()));
        let allowance = self.retreat_allowance(u);
        let reach = bounds.grown(allowance + self.field.options.retreat_clearance + 1.0);
        let enemies = self.enemies(u).filter(|&v| self.bounds(v).meets(&reach)).collect();
        let friends = self
            .on_table()
            .filter(|&v| {
                let other = self.unit(v);
                v != u
                    && other.side == unit.side
                    && (other.close_order || unit.close_order)
                    && other.garrison.is_none()
                    && self.bounds(v).meets(&reach)
            })
            .collect();
        let free = self.crossable(u);
        let land = &self.field.land;
        let obstacles = land
            .obstacles
            .iter()
            .enumerate()
            .filter(|&(bit, &i)| (bit >= 64 || free >> bit & 1 == 0) && land.pieces[i].bounds.meets(&reach))
            .map(|(_, &i)| i)
            .collect();
        Flight { from, bases, bounds, enemies, friends, obstacles, allowance, foe }
    }

    /// Walks one direction (WBK-RETREAT-12, 13).
    fn try_retreat(&self, u: No, flight: &Flight, dir: Point) -> Trial {
        let unit = self.unit(u);
        let slow = !self.card(u).ignores_ground();
        let difficult = self.field.rulebook.charts.movement.difficult;
        let own = self.anchor_base(u, flight.from, unit.facing);
        let held = unit.garrison;
        let mut trial =
            Trial { steps: 0, left: 0.0, cut: None, leaves: false, halted: false, dir, end: None, losses: 0 };
        let mut budget = flight.allowance;
        let mut spent = 0.0;
        loop {
            let (here, there) = (f64::from(trial.steps) * STEP, f64::from(trial.steps + 1) * STEP);
            let middle = flight.from + dir * (here + STEP * 0.5);
            let rough = slow && self.field.land.difficult_at(middle);
            let price = match self.field.options.difficult_cost {
                DifficultCost::DoubleCost if rough => STEP * difficult,
                DifficultCost::HalfTotal if rough => {
                    budget = budget.min(flight.allowance / difficult);
                    STEP
                }
                _ => STEP,
            };
            if spent + price > budget + 1e-6 {
                break;
            }
            let (before, after) = (dir * here, dir * there);
            let body = Bounds { min: flight.bounds.min + after, max: flight.bounds.max + after };
            match self.over_edge(&body, unit.side.index()) {
                Some(true) => {
                    trial.leaves = true;
                    return trial;
                }
                Some(false) => {
                    trial.cut = Some(Cut::Ground);
                    break;
                }
                None => {}
            }
            if self.runs_into_enemy(flight, &body, before, after) {
                trial.cut = Some(Cut::Enemy);
                break;
            }
            if self.in_impassable(&own.moved(after), held.filter(|_| trial.steps == 0)) {
                trial.cut = Some(Cut::Ground);
                break;
            }
            if self.meets_obstacle(flight, &body, after) {
                trial.halted = true;
                break;
            }
            if self.meets_close_order(flight, &body, before, after) {
                trial.cut = Some(Cut::Friend);
                break;
            }
            spent += price;
            trial.steps += 1;
        }
        trial.left = (budget - spent).max(0.0);
        self.make_room(u, flight, &mut trial);
        trial.losses = self.shortfall(&trial);
        trial
    }

    /// At the end the models stand as they slid; while there is no room the unit backs up half an inch.
    fn make_room(&self, u: No, flight: &Flight, trial: &mut Trial) {
        let unit = self.unit(u);
        let facing = if self.card(u).mounted { bearing(trial.dir) } else { unit.facing };
        let mut steps = trial.steps;
        // Who goes nowhere stands as he stood; a garrison comes out to the walk's beginning at least.
        while steps > 0 || unit.garrison.is_some() {
            let spot = Spot::of(flight.from + trial.dir * (f64::from(steps) * STEP));
            if let Some((layout, places)) = self.stand_after_retreat(u, spot, facing, flight)
                && self.keeps_clear(u, spot, facing, &places, flight)
            {
                trial.end = Some((spot, facing, layout, places));
                break;
            }
            if steps == 0 {
                break;
            }
            steps -= 1;
        }
        if steps < trial.steps || (unit.garrison.is_some() && trial.end.is_none()) {
            let backed_up = f64::from(trial.steps - steps) * STEP;
            if trial.cut.is_none() {
                (trial.left, trial.cut) = (backed_up, Some(Cut::Room));
            } else if self.room_costs() {
                trial.left += backed_up;
            }
            trial.steps = steps;
        }
    }

    /// How a unit stands with its anchor on a spot of its retreat (WBK-RETREAT-13, 16, 17).
    fn stand_after_retreat(
        &self,
        u: No,
        spot: Spot,
        facing: u16,
        flight: &Flight,
    ) -> Option<(Layout, Places)> {
        let unit = self.unit(u);
        let n = usize::from(unit.models);
        match unit.layout {
            Layout::Garrison => {
                Some((Layout::Cluster, self.lay_out(u, spot, Layout::Cluster, facing, n, true).ok()?))
            }
            Layout::Block | Layout::Gun => {
                Some((unit.layout, self.lay_out(u, spot, unit.layout, facing, n, true).ok()?))
            }
            Layout::Cluster | Layout::Line => {
                let (dx, dy) = (spot.x - unit.anchor.x, spot.y - unit.anchor.y);
                let places: Places = unit.places.iter().map(|s| s.shifted(dx, dy)).collect();
                let why = Sliding::Retreat { from: flight.foe };
                let settled = self.settle(u, &Slid { facing, places: &places, why }).ok()?;
                let layout = if settled.moved_up { Layout::Cluster } else { unit.layout };
                Some((layout, settled.places))
            }
        }
    }

    /// The new layout may not bring models onto an enemy; those already in contact stay free to be so.
    fn keeps_clear(&self, u: No, spot: Spot, facing: u16, places: &Places, flight: &Flight) -> bool {
        let bases = if self.unit(u).garrison.is_some() {
            places.iter().map(|s| self.base_at(u, s.point(), facing)).collect()
        } else {
            self.bases_of(u, places, spot, facing)
        };
        // The men of a garrison stand further out than the walk of its anchor tells.
        self.enemies(u).all(|v| {
            let gap = self.gap_from(&bases, v);
            !touches(gap) || gap >= self.gap_from(&flight.bases, v) - TOLERANCE && gap >= -TOLERANCE
        })
    }

    /// Whether inches lost to friends in Close Order and to want of room cost models (WBK-RETREAT-19).
    fn room_costs(&self) -> bool {
        self.field.options.retreat_friend_block == RetreatFriendBlock::Casualties
    }

    /// Models lost for inches not covered (WBK-RETREAT-06, 07, 19).
    fn shortfall(&self, trial: &Trial) -> u8 {
        let counts = match trial.cut {
            Some(Cut::Enemy | Cut::Ground) => true,
            Some(Cut::Friend | Cut::Room) => self.room_costs(),
            None => false,
        };
        if !counts {
            return 0;
        }
        let inches = match self.field.options.retreat_shortfall {
            RetreatShortfall::WholeInches => (trial.left + TOLERANCE).floor(),
            RetreatShortfall::AnyPart => (trial.left - TOLERANCE).ceil(),
        };
        inches.clamp(0.0, 100.0) as u8
    }

    /// Whether a body is over a table edge: true if it leaves there, false if that edge is barred to it.
    fn over_edge(&self, body: &Bounds, side: usize) -> Option<bool> {
        let over = [
            (Edge::West, body.min.x < -TOLERANCE),
            (Edge::South, body.min.y < -TOLERANCE),
            (Edge::East, body.max.x > self.field.width + TOLERANCE),
            (Edge::North, body.max.y > self.field.height + TOLERANCE),
        ];
        let any = over.iter().any(|o| o.1);
        if !any {
            return None;
        }
        Some(match self.field.options.retreat_off_edges {
            RetreatOffEdges::Any => true,
            RetreatOffEdges::OwnEdge => over.iter().any(|&(e, o)| o && e == self.field.home[side]),
        })
    }

    /// WBK-RETREAT-18: a step may not come nearer than 1" to an enemy unless it opens the gap.
    fn runs_into_enemy(&self, flight: &Flight, body: &Bounds, before: Point, after: Point) -> bool {
        let clearance = self.field.options.retreat_clearance;
        let near = body.grown(clearance);
        flight.enemies.iter().any(|&v| {
            if !near.meets(&self.bounds(v)) {
                return false;
            }
            let shifted = |by: Point| flight.bases.iter().map(|b| b.moved(by)).collect::<Bases>();
            let next = self.gap_from(&shifted(after), v);
            next < clearance - TOLERANCE && next <= self.gap_from(&shifted(before), v) + 1e-6
        })
    }

    fn in_impassable(&self, base: &Base, spared: Option<u8>) -> bool {
        let land = &self.field.land;
        land.blocks
            .iter()
            .any(|&i| spared.is_none_or(|s| usize::from(s) != i) && land.pieces[i].overlaps(base))
    }

    fn meets_obstacle(&self, flight: &Flight, body: &Bounds, after: Point) -> bool {
        // The step itself counts, so that a thin wall is not stepped over, nor its end brushed on the way.
        let step = after.unit().unwrap_or(Point::ORIGIN) * STEP;
        let swept = body.join(&Bounds { min: body.min - step, max: body.max - step }).grown(TOLERANCE);
        flight.obstacles.iter().any(|&i| {
            let piece = &self.field.land.pieces[i];
            swept.meets(&piece.bounds)
                && flight.bases.iter().any(|b| {
                    let here = b.moved(after - step);
                    piece.line().is_some_and(|l| {
                        l.segments().any(|s| here.swept_distance(step, &s) <= here.radius + TOLERANCE)
                    })
                })
        })
    }

    fn meets_close_order(&self, flight: &Flight, body: &Bounds, before: Point, after: Point) -> bool {
        flight.friends.iter().any(|&v| {
            if !body.grown(CONTACT + TOLERANCE).meets(&self.bounds(v)) {
                return false;
            }
            let shifted = |by: Point| flight.bases.iter().map(|b| b.moved(by)).collect::<Bases>();
            let next = self.gap_from(&shifted(after), v);
            touches(next) && next <= self.gap_from(&shifted(before), v) + 1e-6
        })
    }

    /// The chosen trial is carried out.
    fn ends_retreat(&mut self, u: No, flight: &Flight, trial: Trial, now: &mut Now<'_>) -> Retreated {
        self.state.units[u].gone_to_ground = false; // WBK-GTG-13
        let who = self.id(u);
        if trial.leaves {
            let as_rout = self.field.options.off_table_counts == OffTableCounts::AsRout;
            let mourners = if as_rout { self.friends_near(u) } else { super::Mourners::new() };
            self.remove(u, Fate::OffTable);
            now.say(|| Event::new("left_table", "WBK-RETREAT-09").clause("WBK-RETREAT-10").who(who));
            self.loss_tests(&mourners, u, Shock::Flight, now);
            return Retreated::default();
        }
        let gone = f64::from(trial.steps) * STEP;
        if let Some((spot, facing, layout, places)) = trial.end {
            self.put(u, spot, facing, layout, places);
        }
        let models = self.unit(u).models;
        let losses = trial.losses.min(models);
        let at: [f64; 2] = self.unit(u).anchor.point().into();
        let cad =
            (self.character(u) == Character::Cad).then_some(self.field.rulebook.charts.characters.cad_inches);
        now.say(|| {
            let outcome = match (trial.cut, trial.halted) {
                (Some(Cut::Enemy), _) => "cut off by the enemy",
                (Some(Cut::Ground), _) => "cut off by the ground",
                (Some(Cut::Friend | Cut::Room), _) => "no room",
                (None, true) => "halted",
                (None, false) => "clear",
            };
            Event::new("retreat", "WBK-RETREAT-01")
                .clause("WBK-RETREAT-12")
                .who(who)
                .outcome(outcome)
                .with("distance", gone)
                .with("allowance", flight.allowance)
                .with("slowed", outcome == "clear" && gone < flight.allowance - 0.01)
                .with("cad", cad)
                .with("losses", losses)
                .with("to", serde_json::json!(at))
        });
        if losses == 0 {
            return Retreated::default();
        }
        now.say(|| {
            Event::new("losses", "WBK-RETREAT-06")
                .outcome("cut off")
                .who(who)
                .made(i32::from(losses))
                .with("losses", losses)
        });
        if losses >= models {
            self.destroy(u, now);
            return Retreated { losses };
        }
        self.lose_models(u, losses);
        if self.field.options.retreat_losses == RetreatLosses::LeaderRoll {
            self.leader_check(u, now);
        }
        // After the leader, who may be one more model lost (WBK-LEAD-04).
        if self.unit(u).is_on_table() {
            self.keep_close_order(u, now);
        }
        Retreated { losses }
    }
}
