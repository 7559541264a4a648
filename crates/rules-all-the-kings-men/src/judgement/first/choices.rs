//! All other decisions: which unit, who loses its turn, where generals ride, where units start, who gets the points.

use super::First;
use smallvec::SmallVec;
use tricorne_chance::{Bins, Whim};
use tricorne_drill::Rules;
use tricorne_game::{InOrder, Seat, Side};
use tricorne_table::{Bounds, Point, angle};

use super::survey::{Survey, brief};
use crate::action::{Action, Gift};
use crate::formations::Formation;
use crate::rulebook::{Colour, Kind};
use crate::setup::deploy::Spot;
use crate::state::{Activation, Benefit, Unit, UnitNo};

/// What an activation must bring at least to be worth its card.
const LEAST: f64 = 0.05;
/// What a command point is worth.
const POINT: f64 = 0.15;

fn offered(action: Action, value: f64) -> (f64, Action) {
    (value, action)
}

impl First<'_> {
    /// D8: the unit with the best thing to do; the general by a King; or nobody.
    pub(crate) fn propose_unit(&self, seat: Seat) -> Vec<(f64, Action)> {
        let survey = Survey::take(self, self.army_of(seat));
        let benefit = self.benefit();
        let mut units: SmallVec<[(f64, UnitNo, f64); 16]> = SmallVec::new();
        for us in &survey.own {
            let Some(price) = self.takes(seat, us.no) else { continue };
            let price = POINT * f64::from(price);
            units.push((survey.best_idea(us, benefit) - price, us.no, price));
        }
        // The best-looking are thought through: what can really be done there, until one stays the best.
        for _ in 0..4 {
            let Some(i) = (0..units.len()).max_by(|&a, &b| units[a].0.total_cmp(&units[b].0)) else { break };
            let (value, no, price) = units[i];
            // A price below nought marks what has been thought through.
            if value <= LEAST || price < 0.0 {
                break;
            }
            let mut a = self.fresh(no, benefit);
            a.seat = seat;
            let real = survey.best_part(&a) - price;
            units[i] = (real, no, -1.0);
        }
        let mut out: Vec<(f64, Action)> = units
            .iter()
            .map(|&(value, no, _)| offered(Action::Activate { unit: self.unit(no).id }, value))
            .collect();
        if benefit == Benefit::King {
            out.extend(self.rides(seat, &survey, 0.6));
        }
        if self.judge_pass().is_ok() {
            out.push(offered(Action::Pass, LEAST));
        }
        out
    }

    /// D10.
    pub(crate) fn propose_part(&self, a: &Activation) -> Vec<(f64, Action)> {
        let survey = Survey::take(self, self.unit(a.unit).army);
        let parts = survey.parts(a);
        let mut out: Vec<(f64, Action)> = parts.into_iter().map(|(action, v)| offered(action, v)).collect();
        if out.is_empty() {
            // Nothing good: the smallest part there is, since a program never takes its choice back.
            out.extend(self.some_part(a.unit, a.benefit).map(|p| offered(p, -1.0)));
        }
        out
    }

    /// D5, D6: the enemy who could hurt us most, or of our own the one we can spare.
    pub(crate) fn propose_disorder(&self, seat: Seat, army: Side) -> Vec<(f64, Action)> {
        let chooser = self.army_of(seat);
        let survey = Survey::take(self, army);
        let acts = |u: &Unit| match u.colour {
            Colour::Green => 3.0,
            Colour::Yellow => 2.0,
            Colour::Red => 1.0,
        };
        self.disorderable(army)
            .map(|no| {
                let unit = self.unit(no);
                let idea = survey.brief(no).map_or(0.0, |us| survey.best_idea(us, Benefit::None));
                let use_of_it = if unit.disorder { 0.0 } else { (idea + 1.0).max(0.2) * acts(unit) };
                let value = if army == chooser { -use_of_it } else { use_of_it };
                offered(Action::Disorder { unit: unit.id }, value)
            })
            .collect()
    }

    /// D7 and who acts next: whoever has the best use for it.
    pub(crate) fn propose_seat(&self, benefit: bool) -> Vec<(f64, Action)> {
        let Some(play) = &self.state.play else { return Vec::new() };
        let survey = Survey::take(self, play.army);
        let card = crate::turn::cards::benefit_of(play.card);
        play.queue
            .iter()
            .map(|&seat| {
                let mut values: SmallVec<[f64; 16]> = survey
                    .own
                    .iter()
                    .filter(|u| u.unit.owner == seat && self.judge_choice(seat, u.no).is_ok())
                    .map(|u| survey.best_idea(u, if benefit { card } else { Benefit::None }))
                    .collect();
                values.put_in_order(|a, b| b.total_cmp(a));
                let best = values.first().copied().unwrap_or(-1.0);
                let second = values.get(1).copied().unwrap_or(0.0).max(0.0);
                let value = if benefit && card == Benefit::Ace { best + second } else { best };
                let action = if benefit { Action::Benefit { seat } } else { Action::Next { seat } };
                offered(action, value)
            })
            .collect()
    }

    /// D4: points go where units stand out of their general's reach.
    pub(crate) fn propose_gifts(&self, seat: Seat) -> Vec<(f64, Action)> {
        let army = self.army_of(seat);
        let distant = |s: Seat| {
            self.of_army(army)
                .filter(|(_, u)| u.owner == s && u.kind != Kind::Skirmisher && !self.in_command(u))
                .count() as i32
        };
        let most = self.rules().general.most_points;
        let mut purse = i32::from(self.state.generals[seat.index()].points);
        let mut gifts: Vec<Gift> = Vec::new();
        let own = distant(seat);
        let mut held: Vec<(Seat, i32, i32)> = self
            .seats_of(army)
            .filter(|&s| s != seat)
            .map(|s| (s, distant(s), i32::from(self.state.generals[s.index()].points)))
            .collect();
        // One by one to whoever lacks most, as long as he lacks more than the giver.
        while purse > 0 {
            let Some((to, need, has)) = held
                .iter_mut()
                .filter(|(_, _, has)| *has < i32::from(most))
                .max_by_key(|(_, need, has)| *need - *has)
                .map(|(to, need, has)| (*to, *need, has))
            else {
                break;
            };
            if need - *has <= own - purse + 1 || need <= *has {
                break;
            }
            *has += 1;
            purse -= 1;
            match gifts.iter_mut().find(|g| g.to == to) {
                Some(gift) => gift.points += 1,
                None => gifts.push(Gift { to, points: 1 }),
            }
        }
        let mut out = vec![offered(Action::Give(Vec::new()), 0.0)];
        if !gifts.is_empty() && self.judge_gifts(army, &gifts).is_ok() {
            out.push(offered(Action::Give(gifts), 1.0));
        }
        out
    }

    /// D12: dice for the troopers left against a marker.
    pub(crate) fn propose_pursuit(&self, unit: UnitNo, mob: UnitNo) -> Vec<(f64, Action)> {
        let them = brief(self, mob, self.unit(mob));
        let us = self.unit(unit);
        let need = Bins::at_least(self.rules().dice.pursuit);
        let share = f64::from(need.width(0)) / 6.0;
        let fallen = f64::from(us.n) * share;
        let spare = f64::from(them.unit.n.saturating_sub(them.breaks_at)).max(1.0);
        let value = fallen * them.man + (fallen / spare).min(1.0) * 0.5 * them.colours;
        // The marker only costs the one activation that a red unit has left.
        vec![offered(Action::Pursue, value), offered(Action::Decline, 0.8)]
    }

    /// D13.
    pub(crate) fn propose_ride(&self, seat: Seat) -> Vec<(f64, Action)> {
        let survey = Survey::take(self, self.army_of(seat));
        let mut out = self.rides(seat, &survey, 1.0);
        out.push(offered(Action::Stay, 0.02));
        out
    }

    /// How well a general stands at a place: his units in reach, and not in harm's way.
    fn command_of(&self, seat: Seat, at: Point, survey: &Survey) -> f64 {
        let rules = self.rules();
        let (radius, risk) = (rules.general.radius, rules.general.risk_radius);
        let mut value = 0.0;
        for us in &survey.own {
            // A unit's nearest man is within half its breadth of its middle.
            let far = us.middle.distance(at) - 2.0;
            if us.unit.kind != Kind::Skirmisher && (us.unit.owner == seat || survey.own.len() < 4) {
                let weight = if us.unit.is_mob() { 0.7 } else { 0.5 };
                value +=
                    weight * if far <= radius { 1.0 } else { (1.0 - (far - radius) / 20.0).max(0.0) * 0.5 };
            }
            if far <= risk + 1.0 && self.options().generals_at_risk {
                value -= 0.4;
            }
        }
        for e in &survey.enemy {
            let far = e.middle.distance(at);
            if e.charges && far < e.stride + 3.0 {
                value -= 0.4;
            }
        }
        value
    }

    /// Rides worth making, against staying.
    fn rides(&self, seat: Seat, survey: &Survey, weight: f64) -> Vec<(f64, Action)> {
        let Some(general) = self.state.generals.get(seat.index()).filter(|g| g.present()) else {
            return Vec::new();
        };
        let now = self.command_of(seat, general.at, survey);
        let mut best: Option<(f64, Point)> = None;
        for place in Self::posts(seat, survey) {
            let value = self.command_of(seat, place, survey) - 0.004 * place.distance(general.at);
            if value > now + 0.05 && best.is_none_or(|(most, _)| value > most) {
                best = Some((value, place));
            }
        }
        let Some((_, place)) = best else { return Vec::new() };
        let Some(to) = self.ride_towards(seat, place) else { return Vec::new() };
        let value = weight * (self.command_of(seat, to, survey) - now);
        vec![offered(Action::MoveGeneral { to }, value)]
    }

    /// Places behind the units of a seat.
    fn posts(seat: Seat, survey: &Survey) -> SmallVec<[Point; 12]> {
        let mut out: SmallVec<[Point; 12]> = SmallVec::new();
        let mut sum = Point::ORIGIN;
        let mut count = 0.0;
        for us in survey.own.iter().filter(|u| u.unit.owner == seat || survey.own.len() < 4) {
            sum += us.middle;
            count += 1.0;
        }
        if count == 0.0 {
            return out;
        }
        let middle = sum * (1.0 / count);
        out.push(middle);
        let foe = survey.enemy.iter().fold(Point::ORIGIN, |s, e| s + e.middle);
        let back = if survey.enemy.is_empty() {
            Point::new(0.0, -1.0)
        } else {
            (middle - foe * (1.0 / survey.enemy.len() as f64)).unit().unwrap_or(Point::new(0.0, -1.0))
        };
        out.push(middle + back * 5.0);
        for us in survey.own.iter().filter(|u| u.unit.owner == seat).take(10) {
            out.push(us.middle + back * 7.0);
        }
        out
    }

    /// D3, D11: beside the unit from where most are reached in safety.
    pub(crate) fn propose_beside(&self, seat: Seat, units: Vec<UnitNo>) -> Vec<(f64, Action)> {
        let survey = Survey::take(self, self.army_of(seat));
        units
            .into_iter()
            .map(|no| {
                let value = self.command_of(seat, self.unit(no).middle(self.rules()), &survey);
                offered(Action::SetGeneral { beside: self.unit(no).id }, value)
            })
            .collect()
    }

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
                out.push(offered(self.placed(no, spot), value));
            }
            if out.len() >= 6 {
                break;
            }
        }
        if out.is_empty() {
            out.extend(self.some_spot(no).map(|spot| offered(self.placed(no, spot), -5.0)));
        }
        out
    }

    /// D2: behind the middle of his units.
    pub(crate) fn propose_general_places(&self, seat: Seat) -> Vec<(f64, Action)> {
        let survey = Survey::take(self, self.army_of(seat));
        let mut out = Vec::new();
        for place in Self::posts(seat, &survey) {
            let wish = tricorne_game::Wish { action: None, unit: None, place, facing: None, by: Vec::new() };
            if let Some(Action::PlaceGeneral { at }) = self.steer(&wish).action {
                out.push(offered(Action::PlaceGeneral { at }, self.command_of(seat, at, &survey)));
            }
        }
        out
    }
}
