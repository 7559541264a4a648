//! Movement (MOVE) and the ground's part in it (TERR): one judge for every move, and what follows from it.

mod pace;
pub(crate) mod sight;
pub(crate) mod terrain;

use tricorne_drill::refuse;
use tricorne_game::{Event, Illegal, Log};
use tricorne_table::{Bounds, Point, Shape, angle, sweep, within};

use crate::field::Engagement;
use crate::formations::{self, Formation, Spread};
use crate::options::{PathShape, SkirmishersPass};
use crate::rulebook::Kind;
use crate::state::{Activation, Benefit, Unit, UnitNo, base_rect};

/// A reason and its clause.
pub(crate) type Why = (&'static str, &'static str);

/// A move that was judged legal.
#[derive(Clone, Debug)]
pub struct Marched {
    /// The unit as it will stand.
    pub(crate) unit: Unit,
    /// How far its measuring point goes.
    pub(crate) length: f64,
    /// Of how much.
    pub(crate) allowance: f64,
    /// What halved it, with its clause.
    pub(crate) halved: Option<Why>,
    /// Whether it went by road.
    pub(crate) road: bool,
}

/// What stops a leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    Unit(UnitNo),
    Ground,
    /// The edge of the table, beyond which the leg ends.
    Edge,
}

impl Engagement {
    /// The ground passed over on a leg (M18).
    pub(crate) fn swept(&self, unit: &Unit, from: Point, to: Point) -> Shape {
        let rules = self.rules();
        let (width, _) = unit.extent(rules);
        match unit.formation {
            Formation::Loose if unit.kind == Kind::Skirmisher => strip(from, to, rules.loose.file_width),
            Formation::Column(_) => strip(from, to, width),
            _ => {
                let start = unit.footprint(rules);
                let shape = Shape::Rect(start[0]).translated(from - unit.at);
                sweep::swept(&shape, to - from)
            }
        }
    }

    /// Whether a unit may walk through another (ATKM-MOVE-14..16).
    pub(crate) fn may_pass(&self, mover: &Unit, other: &Unit) -> bool {
        if mover.army != other.army {
            return false;
        }
        let mutual = self.options().skirmishers_pass == SkirmishersPass::Mutual;
        other.is_skirmish_line() || (mutual && mover.is_skirmish_line())
    }

    /// ATKM-MOVE-11.
    pub(crate) fn most_legs(&self) -> usize {
        match self.options().path_shape {
            PathShape::Polyline => self.rules().march.charge_legs,
            PathShape::Straight => 1,
        }
    }

    /// Whether the legs are whole numbers a table can hold, and not too many (ATKM-MOVE-11).
    pub(crate) fn judge_path(&self, path: &[Point]) -> Result<(), Illegal> {
        if path.iter().any(|p| !p.is_finite()) {
            return refuse("ATKM-MOVE-22", "a place needs two ordinary numbers, x and y in inches");
        }
        let most = self.most_legs();
        if path.len() > most {
            return refuse("ATKM-MOVE-11", format!("a path has at most {most} legs"));
        }
        Ok(())
    }

    /// The one judge of moves.
    pub(crate) fn judge_move(
        &self,
        no: UnitNo,
        benefit: Benefit,
        path: &[Point],
        facing: Option<f64>,
        spread: Option<&Spread>,
    ) -> Result<Marched, Illegal> {
        let unit = self.unit(no);
        self.judge_path(path)?;
        let facing = facing.unwrap_or(unit.facing);
        if !facing.is_finite() {
            return refuse("ATKM-MOVE-07", "a facing is a number of degrees clockwise from north");
        }
        if self.stride(unit).is_none() {
            return refuse("ATKM-MOVE-21", "a mob does not move; reform it");
        }
        if spread.is_some() && !unit.is_skirmish_line() {
            return refuse("ATKM-FORM-23", "only loose skirmishers spread out");
        }
        let facing = if unit.is_mob() { 0.0 } else { angle::normalise(facing) };
        let length = legs(unit.at, path).fold(0.0, |sum, (a, b)| sum + a.distance(b));
        let at = path.last().copied().unwrap_or(unit.at);
        let turned = angle::turn(unit.facing, facing).abs() > 1e-6;
        if length < 1e-6 && !turned && spread.is_none() {
            return refuse(
                "ATKM-ACT-10",
                "a move of no length with the old facing and shape is no move; end instead",
            );
        }
        let mut end = *unit;
        end.set_pose(at, facing);
        // Ground slows skirmishers as they will stand, whoever of them is squeezed aside (M9, M18). Who finds no room at
        // all is judged by the places he wants, so that a refusal names the distance first.
        let spread_out = self.spread_as_they_stand(no, &mut end, spread)?;
        let (allowance, halved, road) = self.allowance(unit, &end, path, length, benefit)?;
        if !within(length, allowance) {
            let (clause, because) = match halved {
                Some((why, clause)) => (clause, format!(" because {why}")),
                None => ("ATKM-MOVE-01", String::new()),
            };
            let [far, most] = measured(length, allowance);
            return refuse(clause, format!("the move is {far} long; it may be {most} at most{because}"));
        }
        for (a, b) in legs(unit.at, path) {
            self.judge_leg(no, unit, a, b)?;
        }
        spread_out?;
        self.judge_end(no, &end)?;
        if unit.is_mob() {
            self.judge_mob_leaves(unit, &end)?;
        }
        if length < 1e-6 && !turned && end.spots == unit.spots {
            return refuse("ATKM-ACT-10", "nothing would change; end instead");
        }
        Ok(Marched { unit: end, length, allowance, halved, road })
    }

    /// `mob_move` half: only away from the enemy, if one is on the table.
    fn judge_mob_leaves(&self, unit: &Unit, end: &Unit) -> Result<(), Illegal> {
        let nearest = |u: &Unit| {
            let solids = u.solids(self.rules());
            self.of_army(unit.army.enemy())
                .map(|(_, e)| crate::state::gap(&solids, &e.solids(self.rules())))
                .fold(f64::INFINITY, f64::min)
        };
        let was = nearest(unit);
        if was.is_finite() && nearest(end) <= was {
            return refuse("ATKM-MOVE-21", "a mob moves only away from the enemy");
        }
        Ok(())
    }

    /// What a leg would sweep over that it may not (ATKM-MOVE-14, ATKM-TERR-08), or that it leaves the table, though a later
    /// one came back to it (ATKM-SETUP-11).
    pub(crate) fn obstacle(
        &self,
        no: UnitNo,
        unit: &Unit,
        from: Point,
        to: Point,
        except: Option<UnitNo>,
    ) -> Option<Obstacle> {
        if from.distance_squared(to) < 1e-12 {
            return None;
        }
        let swept = self.swept(unit, from, to);
        let ignored =
            |other: UnitNo, u: &Unit| other == no || Some(other) == except || self.may_pass(unit, u);
        match self.met(&swept, ignored) {
            Some(met) => Some(Obstacle::Unit(met)),
            None if self.land().forbids(&swept) => Some(Obstacle::Ground),
            None => (!self.land().table.holds_bounds(&Bounds::of_pair(to, to))).then_some(Obstacle::Edge),
        }
    }

    /// The refusal of a leg; `clause` speaks of units in the way.
    pub(crate) fn stopped(&self, by: Obstacle, clause: &str) -> Illegal {
        match by {
            Obstacle::Unit(met) => {
                let why = format!("{} is in the way; stop short of it or go round", self.unit(met).id);
                Illegal::new(clause, why)
            }
            Obstacle::Ground => Illegal::new(
                "ATKM-TERR-08",
                "the way leads through ground that cannot be entered; go round it",
            ),
            Obstacle::Edge => {
                Illegal::new("ATKM-SETUP-11", "the way leads over the edge of the table; keep to the table")
            }
        }
    }

    fn judge_leg(&self, no: UnitNo, unit: &Unit, from: Point, to: Point) -> Result<(), Illegal> {
        let Some(by) = self.obstacle(no, unit, from, to, None) else { return Ok(()) };
        let friend = |met: UnitNo| self.unit(met).army == unit.army;
        let through_friends = matches!(by, Obstacle::Unit(met) if unit.is_skirmish_line() && friend(met));
        Err(self.stopped(by, if through_friends { "ATKM-MOVE-16" } else { "ATKM-MOVE-14" }))
    }

    /// Whether the unit may stand as it would (ATKM-MOVE-18, ATKM-MOVE-22); loose skirmishers have found their places.
    fn judge_end(&self, no: UnitNo, end: &Unit) -> Result<(), Illegal> {
        if !end.is_skirmish_line() {
            let footprint = end.footprint(self.rules());
            self.standable(&footprint)?;
            let passable =
                |other: UnitNo, u: &Unit| other == no || (u.army == end.army && u.is_skirmish_line());
            if let Some(met) = self.overlapped(&footprint, passable) {
                return refuse("ATKM-MOVE-22", format!("it would stand on {}", self.unit(met).id));
            }
        }
        self.judge_enemy_gap(no, end)
    }

    /// ATKM-MOVE-18: one inch from every enemy figure, unless it was nearer already and comes no nearer.
    fn judge_enemy_gap(&self, no: UnitNo, end: &Unit) -> Result<(), Illegal> {
        let rules = self.rules();
        let least = rules.march.enemy_gap;
        let solids = end.solids(rules);
        let mut bounds = Bounds::NOTHING;
        for r in &solids {
            bounds = bounds.join(&Shape::Rect(*r).bounds());
        }
        let bounds = bounds.grown(least);
        for (_, enemy) in self.of_army(end.army.enemy()) {
            if !enemy.reach(rules).meets(&bounds) {
                continue;
            }
            let theirs = enemy.solids(rules);
            let gap = crate::state::gap(&solids, &theirs);
            if gap < least - 0.001 {
                let before = self.unit(no);
                let was = if before.present() {
                    crate::state::gap(&before.solids(rules), &theirs)
                } else {
                    f64::INFINITY
                };
                if gap < was - 0.001 {
                    let ([gap, least], id) = (measured(gap, least), enemy.id);
                    return refuse(
                        "ATKM-MOVE-18",
                        format!("it would stand {gap} from {id}; keep {least} away, or charge"),
                    );
                }
            }
        }
        Ok(())
    }

    /// Carries a judged move out: the unit stands, ranks close where they could not before, friends make way.
    pub(crate) fn settle(&mut self, no: UnitNo, unit: Unit, log: &mut Log) {
        *self.unit_mut(no) = unit;
        self.close_ranks(no);
        self.make_way(no, log);
        self.displace_generals(no, log);
    }

    /// M12: a line or column that has become too thin takes fewer ranks or files, where there is room.
    pub(crate) fn close_ranks(&mut self, no: UnitNo) {
        loop {
            let unit = *self.unit(no);
            let next = match unit.formation {
                Formation::Line(r) if r > 1 => Formation::Line(r - 1),
                Formation::Column(c) if c > 1 && !unit.kind.is_artillery() => Formation::Column(c - 1),
                _ => return,
            };
            if formations::allowed(self.rules(), self.options(), unit.kind, unit.formation, unit.n).is_ok() {
                return;
            }
            let mut closed = unit;
            closed.formation = next;
            let footprint = closed.footprint(self.rules());
            let shut = self.standable(&footprint).is_err()
                || self.overlapped(&footprint, |o, _| o == no).is_some()
                || self.stands_on_general(&closed);
            if shut {
                return;
            }
            *self.unit_mut(no) = closed;
        }
    }

    /// Carries out the move part of an activation.
    pub(crate) fn do_move(&mut self, activation: Activation, marched: Marched, log: &mut Log) {
        let id = marched.unit.id;
        log.say(|| {
            let mut event = Event::new("move", "ATKM-MOVE-01")
                .who(id)
                .with("length", round(marched.length))
                .with("allowance", round(marched.allowance))
                .with("to", serde_json::json!([round(marched.unit.at.x), round(marched.unit.at.y)]))
                .with("facing", round(marched.unit.facing))
                .with("toward", tricorne_game::compass(marched.unit.facing));
            // What did not happen is not told: a turn on the spot is no move of 0.
            if marched.length < 0.05 {
                return event.outcome(if marched.unit.is_skirmish_line() { "spread" } else { "turned" });
            }
            if let Some((why, clause)) = marched.halved {
                event = event.outcome("halved").with("because", why).clause(clause);
            } else if marched.road {
                event = event.outcome("road").clause("ATKM-TERR-09");
            } else if activation.benefit == Benefit::Jack {
                event = event.clause("ATKM-CARD-04");
            }
            event
        });
        self.settle(activation.unit, marched.unit, log);
        if let Some(a) = &mut self.state.activation {
            a.moved = true;
        }
    }
}

/// Two decimals are enough for a log.
pub(crate) fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// A measure and its limit as people say them: to a tenth of an inch, and closer where that would not tell them apart.
pub(crate) fn measured(is: f64, limit: f64) -> [String; 2] {
    let to = |places: usize| {
        [is, limit].map(|n| {
            let text = format!("{n:.places$}");
            let text = if places > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
            if text == "1" { "1 inch".into() } else { format!("{text} inches") }
        })
    };
    (1..3).map(to).find(|[a, b]| a != b).unwrap_or_else(|| to(3))
}

/// The legs of a path as pairs.
pub(crate) fn legs(from: Point, path: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    path.iter().scan(from, |at, &next| {
        let leg = (*at, next);
        *at = next;
        Some(leg)
    })
}

/// A strip so wide along a leg.
fn strip(from: Point, to: Point, width: f64) -> Shape {
    let way = to - from;
    let length = way.length();
    let forward = way.unit().unwrap_or(Point::new(0.0, 1.0));
    Shape::Rect(base_rect(forward, 0.0, from.midpoint(to), width, length))
}
