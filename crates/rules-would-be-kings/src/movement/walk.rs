//! A walk (WBK-MOD-18, 36, WBK-MOVE): whether it can be gone, what it costs, how the unit stands at its end.

use tricorne_drill::Now;
use tricorne_game::{Event, Illegal};
use tricorne_table::{Bounds, Point};

use super::{Hindrance, Leg, MOST_LEGS, Pace, Walk, bearing};
use crate::action::Go;
use crate::battle::Fray;
use crate::model::base::TOLERANCE;
use crate::model::layout::{Unfit, block_corners};
use crate::model::places::{Slid, Sliding};
use crate::state::{Layout, No, Places, Spot};
use crate::tables::rulebook::Class;

impl Walk {
    /// Why it cost more than the inches gone, as a story tells it.
    fn dearer(&self) -> &'static str {
        match (self.difficult > TOLERANCE, self.furthest > TOLERANCE) {
            (true, true) => "over difficult ground and for the man who went furthest",
            (true, false) => "over difficult ground",
            _ if self.layout == Layout::Block => "for the corner that swung furthest",
            _ => "for the man who went furthest",
        }
    }
}

impl Fray {
    /// Judges a move and works out where it ends.
    pub(crate) fn walk(&self, u: No, go: &Go, allowance: f64, pace: Pace) -> Result<Walk, Illegal> {
        self.try_to_walk(u, go, allowance, pace).map_err(Illegal::from)
    }

    /// The same, telling want of room from what is in the way.
    pub(crate) fn try_to_walk(&self, u: No, go: &Go, allowance: f64, pace: Pace) -> Result<Walk, Hindrance> {
        let unit = self.unit(u);
        let card = self.card(u);
        let name = || card.called();
        if go.path.len() > MOST_LEGS {
            let why = format!("a path has at most {MOST_LEGS} legs; {} were given", go.path.len());
            return Err(Illegal::new("WBK-MOD-18", why).into());
        }
        if !go.path.iter().all(|p| p.is_finite() && p.x.abs() < 1e5 && p.y.abs() < 1e5) {
            return Err(Illegal::new("WBK-MOD-01", "a path needs ordinary numbers on the table").into());
        }
        let leaving = unit.garrison;
        if leaving.is_some() && go.path.is_empty() {
            return Err(Illegal::new(
                "WBK-MOD-33",
                format!("{} leaves its building along a path; name where to", name()),
            )
            .into());
        }
        let start = self.path_start(u, go.path.first().copied());
        let bases = match leaving {
            Some(_) => std::iter::once(self.base_at(u, start, unit.facing)).collect(),
            None => self.bases(u),
        };
        let box_of = bases.iter().fold(Bounds::NOTHING, |all, b| all.join(&b.bounds()));
        let free = self.crossable(u);
        let mut at = start;
        let (mut length, mut difficult) = (0.0, 0.0);
        let (mut halted, mut exit) = (None, None);
        let mut last_way = Point::ORIGIN;
        let mut track = Vec::with_capacity(go.path.len() + 1);
        track.push(start);
        for (n, &asked) in go.path.iter().enumerate() {
            let to = asked.round_to(0.001);
            let way = to - at;
            let whole = way.length();
            if whole <= 1e-9 {
                continue;
            }
            let mut leg = Leg { bases: &bases, shift: at - start, from: at, to };
            let halt = self.halt_on(&leg, &box_of, free);
            let out = self.exit_on(u, &leg, &box_of);
            let mut stop = whole;
            if let Some((piece, travel)) = halt
                && travel < stop - 1e-9
            {
                stop = travel;
                halted = Some(piece);
            }
            if let Some((i, travel)) = out
                && travel <= stop
            {
                stop = travel;
                exit = Some(i);
                halted = None;
            }
            leg.to = at + way * (stop / whole);
            if let Some(v) = self.touches_enemy(u, &leg, &box_of, None) {
                let why =
                    format!("{} would touch {} on the way; keep clear of it", name(), self.card(v).called());
                let clause = if self.in_contact(u, v) { "WBK-MOVE-14" } else { "WBK-MOVE-01" };
                return Err(Illegal::new(clause, why).into());
            }
            if let Some(v) = self.barred_by_friend(u, &leg, &box_of) {
                let why = format!(
                    "{} may not pass through {}: there is no passing in Close Order; go round",
                    name(),
                    self.card(v).called()
                );
                return Err(Illegal::new("WBK-MOVE-05", why).into());
            }
            let own = self.anchor_base(u, at, unit.facing);
            let spared = if n == 0 { leaving } else { None };
            if let Some(piece) = self.blocked_by_ground(&own, leg.way(), spared) {
                let piece = &self.field.land.pieces[piece];
                let why = format!("{} would run into {} ({}); go round it", name(), piece.id, piece.kind);
                return Err(Illegal::new("WBK-MOVE-13", why).into());
            }
            length += stop;
            if !card.ignores_ground() {
                difficult += self.field.land.difficult_along(at, leg.to);
            }
            at = leg.to;
            last_way = way;
            track.push(at);
            if exit.is_some() || halted.is_some() {
                break;
            }
            if at.x < 0.0 || at.y < 0.0 || at.x > self.field.width || at.y > self.field.height {
                let why = format!("{} may not leave the table there", name());
                return Err(Illegal::new("WBK-MOVE-13", why).into());
            }
        }
        let anchor = Spot::of(at);
        let (layout, facing) = self.stance(u, go, last_way)?;
        let mut furthest = length;
        if unit.layout == Layout::Block {
            let swing = self.swing(u, anchor.point(), facing);
            if swing > allowance + TOLERANCE && length <= allowance + TOLERANCE {
                let why =
                    format!("a corner of {} would swing {swing:.3}\" and it has {allowance:.3}\"", name());
                return Err(Illegal::new("WBK-MOD-20", why).into());
            }
            furthest = length.max(swing);
        }
        let spent = self.price(u, furthest, difficult);
        if spent > allowance + TOLERANCE {
            return Err(self.too_far(u, pace, furthest, spent, allowance).into());
        }
        let mut walk = Walk {
            anchor,
            facing,
            layout,
            places: Places::new(),
            cost: spent,
            length,
            difficult,
            furthest: 0.0,
            halted,
            exit,
            track,
        };
        if exit.is_none() {
            let afresh = self
                .stand_at_the_end(u, go, &mut walk)
                .map_err(|unfit| Hindrance::Room(self.unfit(u, unfit)))?;
            if afresh && unit.layout != Layout::Block {
                // WBK-MOD-36: the model that goes furthest.
                let direct = start.distance(at);
                let excess = (self.furthest_way(u, &walk.places) - direct).max(0.0);
                let slow = !card.ignores_ground() && self.field.land.difficult_at(at);
                let rough = difficult + if slow { excess } else { 0.0 };
                walk.cost = self.price(u, length + excess, rough);
                walk.furthest = excess;
                if walk.cost > allowance + TOLERANCE {
                    let why = format!(
                        "the model of {} that goes furthest would need {:.3}\" and has {allowance:.3}\"",
                        name(),
                        walk.cost
                    );
                    return Err(Illegal::new("WBK-MOD-36", why).into());
                }
            }
        }
        Ok(walk)
    }

    /// Stands a unit up at the end of its walk (WBK-MOD-18): as it slid, or laid out afresh. True if anybody stands
    /// elsewhere than he slid to.
    fn stand_at_the_end(&self, u: No, go: &Go, walk: &mut Walk) -> Result<bool, Unfit> {
        let unit = self.unit(u);
        let turned = walk.facing != unit.facing;
        let afresh = match unit.layout {
            Layout::Garrison | Layout::Block => true,
            Layout::Line | Layout::Gun => turned || go.layout.is_some(),
            Layout::Cluster => go.layout.is_some(),
        };
        if afresh || unit.layout == Layout::Gun {
            let n = usize::from(unit.models);
            walk.places = self.lay_out(u, walk.anchor, walk.layout, walk.facing, n, false)?;
            return Ok(afresh);
        }
        let (dx, dy) = (walk.anchor.x - unit.anchor.x, walk.anchor.y - unit.anchor.y);
        let places: Places = unit.places.iter().map(|s| s.shifted(dx, dy)).collect();
        let slid = Slid { facing: walk.facing, places: &places, why: Sliding::Move };
        let settled = self.settle(u, &slid)?;
        if settled.moved_up {
            walk.layout = Layout::Cluster;
        }
        walk.places = settled.places;
        Ok(settled.moved_up)
    }

    /// How far the farthest corner of a block swings, corners matched as they stand or after a half turn
    /// (WBK-MOD-20).
    fn swing(&self, u: No, to: Point, facing: u16) -> f64 {
        let unit = self.unit(u);
        let n = usize::from(unit.models);
        let before = block_corners(unit.anchor.point(), unit.facing, n);
        let after = block_corners(to, facing, n);
        let farthest =
            |turn: usize| (0..4).map(|i| before[i].distance(after[(i + turn) % 4])).fold(0.0, f64::max);
        f64::min(farthest(0), farthest(2))
    }

    /// The layout and facing at the end of a move.
    fn stance(&self, u: No, go: &Go, last_way: Point) -> Result<(Layout, u16), Illegal> {
        let unit = self.unit(u);
        let card = self.card(u);
        if go.facing.is_some_and(|f| f >= 360) {
            return Err(Illegal::new("WBK-MOD-02", "a facing is a whole number of degrees from 0 to 359"));
        }
        let fixed = matches!(unit.layout, Layout::Block | Layout::Gun);
        let now = if unit.layout == Layout::Garrison { Layout::Cluster } else { unit.layout };
        let layout = go.layout.unwrap_or(now);
        let fits =
            if fixed { layout == unit.layout } else { matches!(layout, Layout::Cluster | Layout::Line) };
        if !fits {
            let may = if fixed { unit.layout.name() } else { "`cluster` or `line`" };
            let why = format!("{} may end its move as {may}, not as {}", card.called(), layout.name());
            return Err(Illegal::new("WBK-MOVE-12", why));
        }
        let gone = last_way.length() > 1e-9;
        let ahead = if gone { bearing(last_way) } else { unit.facing };
        if card.class == Class::Cavalry {
            // WBK-MOD-22: horse face the way they went.
            if let Some(asked) = go.facing {
                let off = (i32::from(asked) - i32::from(ahead)).rem_euclid(360);
                if off > 1 && off < 359 {
                    let why = format!("{} faces the way of its last leg, {ahead} degrees", card.called());
                    return Err(Illegal::new("WBK-MOD-22", why));
                }
            }
            return Ok((layout, ahead));
        }
        // A line that names nothing else goes as it stands (WBK-MOD-18).
        let kept = fixed || (unit.layout == Layout::Line && go.layout.is_none());
        let usual = if kept { unit.facing } else { ahead };
        Ok((layout, go.facing.unwrap_or(usual)))
    }

    /// A unit goes where a walk ends: there, to a halt at an obstacle, or off by its exit edge.
    pub(crate) fn go(&mut self, u: No, walk: &Walk, now: &mut Now<'_>) {
        let who = self.id(u);
        self.has_gone(walk.length);
        if let Some(exit) = walk.exit {
            let unit = &mut self.state.units[u];
            unit.exit_models = unit.models;
            unit.exit_by = exit as u8;
            self.remove(u, crate::state::Fate::Exited);
            let points = self.exit_points(u);
            now.say(|| {
                Event::new("exit", "WBK-SCEN-07")
                    .who(who)
                    .outcome("marched")
                    .with("points", points)
                    .with("distance", walk.length)
            });
            return;
        }
        let old = self.unit(u);
        let stands = old.facing == walk.facing && old.layout == walk.layout && old.places == walk.places;
        self.put(u, walk.anchor, walk.facing, walk.layout, walk.places.clone());
        let at: [f64; 2] = walk.anchor.point().into();
        // What the man who goes furthest, or the ground, costs beyond the way itself.
        let extra = if walk.cost > walk.length + 0.05 { walk.cost - walk.length } else { 0.0 };
        now.say(|| {
            Event::new("move", "WBK-MOVE-02")
                .who(who)
                .outcome(if walk.length >= 0.05 {
                    "moved"
                } else if stands {
                    "nothing"
                } else {
                    "in place"
                })
                .with("extra", extra)
                .with("because", walk.dearer())
                .with("gun", walk.layout == Layout::Gun)
                .with("ranks", walk.layout != Layout::Gun)
                .with("distance", walk.length)
                .with("cost", walk.cost)
                .with("to", serde_json::json!(at))
                .with("layout", walk.layout.name())
                .with("facing", walk.facing)
        });
        if let Some(piece) = walk.halted.and_then(|p| self.field.land.pieces.get(p)) {
            let (id, kind) = (piece.id.clone(), piece.kind.clone());
            now.say(|| Event::new("halted", "WBK-MOVE-09").who(who).with("obstacle", id).with("kind", kind));
        }
    }
}
