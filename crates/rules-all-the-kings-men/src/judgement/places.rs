//! Where units start.

use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_game::Side;
use tricorne_table::{Bounds, Point, angle};

use crate::action::Action;
use crate::field::Engagement;
use crate::formations::Formation;
use crate::rulebook::Kind;
use crate::setup::deploy::Spot;
use crate::state::UnitNo;

impl Engagement {
    /// The way an army looks: from its zone to the other's.
    fn ahead_of(&self, army: Side) -> f64 {
        let centre = |a: Side| self.zone_boxes(a).first().map_or(Point::ORIGIN, Bounds::centre);
        let (from, to) = (centre(army), centre(army.enemy()));
        let way = angle::bearing(from, to);
        if from.distance(to) < 1.0 {
            if army.0 == 0 { 0.0 } else { 180.0 }
        } else {
            angle::round_bearing(way, 90.0)
        }
    }

    /// D1, D14: foot in the middle, horse on the wings, guns where they see, skirmishers ahead.
    pub(crate) fn propose_places(&self, no: UnitNo, whim: &mut Whim) -> Vec<(f64, Action)> {
        let unit = self.unit(no);
        let army = unit.army;
        let (zone, by) = self.room_of(no);
        let Some(zone) = zone.boxes(by).first().copied() else { return Vec::new() };
        let facing = self.ahead_of(army);
        let forward = angle::forward(facing);
        let right = angle::right(facing);
        let centre = zone.centre();
        let half = |way: Point| (way.x * zone.width()).abs().max((way.y * zone.depth()).abs()) / 2.0;
        let (breadth, depth) = (half(right), half(forward));
        let shape = match unit.kind {
            Kind::Infantry => Formation::Line(2),
            Kind::Cavalry => Formation::Line(1),
            _ => Formation::Loose,
        };
        // The middle of the line lies opposite what is fought over, or the middle of the zone.
        let aim = self.field.objectives.first().map_or(0.0, |o| {
            let at = match o {
                crate::field::Objective::Hold { at, .. } => *at,
                crate::field::Objective::Seize { area } | crate::field::Objective::Occupy { area, .. } => {
                    area.centroid()
                }
            };
            (at - centre).dot(right).clamp(-breadth * 0.5, breadth * 0.5)
        });
        let mut out = Vec::new();
        let enemies = self.of_army(army.enemy()).map(|(_, u)| u.middle(self.rules()));
        let enemies: SmallVec<[Point; 16]> = enemies.collect();
        // The line stands back far enough for skirmishers before it.
        let screen = self.state.units.iter().any(|u| u.army == army && u.kind == Kind::Skirmisher);
        let front = match unit.kind {
            Kind::Skirmisher => depth - 2.1,
            _ if screen => depth - 3.0,
            _ => depth - 0.5,
        };
        for row in [front, depth - 6.5, 0.0, -depth * 0.6] {
            for k in 0..=36 {
                let side = -breadth + breadth * 2.0 * f64::from(k) / 36.0;
                let at = (centre + right * side + forward * row).round_to(0.001);
                let spot = Spot { at, facing, shape };
                let Ok((_, stands)) = self.judge_placing(no, spot.into()) else { continue };
                // Room to turn between neighbours.
                let crowded = self.gap_to(&stands.solids(self.rules()), army, 1.5).is_some();
                let off = (side - aim).abs() / breadth.max(1.0);
                let back = (front - row) / depth.max(1.0);
                let mut value = match unit.kind {
                    Kind::Infantry => -3.0 * off - 2.0 * back,
                    Kind::Cavalry => 2.0 * off - 1.0 * back,
                    Kind::Skirmisher => -0.5 * off - 2.0 * back,
                    Kind::FootArtillery | Kind::HorseArtillery => -1.5 * off - 2.0 * back,
                };
                if unit.kind.is_artillery() {
                    if self.land().hill_at(at).is_some() {
                        value += 1.0;
                    }
                    let seen = |p: &&Point| !self.land().hides(at, **p);
                    let ahead = at + forward * 24.0;
                    let clear = !self.land().hides(at, ahead);
                    let share = enemies.iter().filter(seen).count() as f64 / enemies.len().max(1) as f64;
                    value += if enemies.is_empty() { f64::from(u8::from(clear)) } else { 2.0 * share };
                }
                value += 0.2 * whim.unit() - if crowded { 0.8 } else { 0.0 };
                out.push((value, self.placed(no, spot)));
            }
            if out.len() >= 6 {
                break;
            }
        }
        if out.is_empty() {
            out.extend(self.some_spot(no).map(|spot| (-5.0, self.placed(no, spot))));
        }
        out
    }
}
