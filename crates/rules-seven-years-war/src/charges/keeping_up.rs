//! Units of a charging group without a target, and chargers whose target has gone (SYW-CHARGE-04, -12, -13, -21).

use smallvec::SmallVec;
use tricorne_drill::Now;
use tricorne_game::InOrder;
use tricorne_table::{Point, Pose, angle};

use crate::action::{Hand, Leg};
use crate::charges::closing::Rode;
use crate::hiding::go_on::Rest;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Aim, Order, SLACK, Units};
use crate::movement::groups::Plan;
use crate::movement::walk::{Dice, Heed, Mover, Movers, Rolls, Stop};
use crate::options::ChargeAfterEvade;
use crate::orders::halt::{EDGE_AHEAD, FRIENDS_AHEAD, Halted};
use crate::rulebook::{cm, degrees};

impl SevenYearsBattle {
    /// Units of a charging group without a target, or whose target has got away, go along with those that reach theirs, as
    /// far as the group's cohesion asks for it (SYW-CHARGE-04, -12, SYW-GROUP-07): they wheel as their neighbour did and close
    /// up on him.
    pub(crate) fn others_go_along(&mut self, g: GroupIx, rode: &Rode, now: &mut Now<'_>) {
        let mut others: Units = self
            .members(g)
            .into_iter()
            .filter(|&u| !self.in_melee(u) && !rode.iter().any(|r| r.0 == u))
            .collect();
        // Those nearest to the chargers first, so that a chain forms behind them.
        others.put_in_order(|&a, &b| {
            let near =
                |u: UnitIx| rode.iter().map(|r| r.1.at.distance(self.unit(u).at)).fold(f64::MAX, f64::min);
            near(a).total_cmp(&near(b)).then(a.cmp(&b))
        });
        let mut gone: Rode = rode.clone();
        for u in others {
            let here = self.unit(u).pose();
            let Some(&(mate, before)) =
                gone.iter().min_by(|a, b| a.1.at.distance(here.at).total_cmp(&b.1.at.distance(here.at)))
            else {
                continue;
            };
            let after = self.unit(mate).pose();
            let turn = angle::turn(before.facing, after.facing);
            // Where it would stand if the group had moved as one piece.
            let whole = here.turned_about(before.at, turn).slid(after.at - before.at);
            if let Some(legs) = self.way_along(u, mate, whole, turn) {
                self.rides_along(u, legs, self.charge_left(u), now);
            }
            gone.push((u, here));
        }
    }

    /// Takes a unit along with its group, as far as the first who lies hidden beside the way, and on from there if he holds
    /// his fire (SYW-VIS-06).
    pub(crate) fn rides_along(
        &mut self,
        u: UnitIx,
        mut legs: SmallVec<[Leg; 2]>,
        left: f64,
        now: &mut Now<'_>,
    ) {
        let mut movers = Movers::new();
        movers.push(Mover::going_on(self, u, left));
        let heed = Heed { stop_at_enemies: true, halt_at_edge: true, ..Heed::default() };
        let Ok(walked) = self.walk_rolling(&mut movers, &legs, &heed, now) else { return };
        if self.resting_on(&movers, self.unit(u).side).is_some() {
            return;
        }
        let Some(m) = movers.pop() else { return };
        self.make_way(self.unit(u).group, &m, &legs, None, now);
        let left = m.left();
        let mut new = m.new;
        new.phase.moved = true;
        // What it has wheeled, and gone straight on.
        let turned = angle::turn(self.unit(u).facing, new.facing).abs();
        let (l, r) = self.front_of(&new);
        let gone = m.gone - angle::radians(turned) * (r - l);
        self.put_as(u, new);
        self.push_generals(u, now.log);
        if let Some(Stop::Ambush(hidden, mover)) = walked.stop {
            for leg in &mut legs {
                match leg {
                    Leg::Wheel { degrees, .. } => *degrees = (*degrees - turned).max(0.0),
                    Leg::Forward(length) => *length = (*length - gone).max(0.0),
                    _ => {}
                }
            }
            self.then_goes_on(self.unit(u).group, Rest::Along { unit: u, legs, left });
            self.ambushed(hidden, mover);
        }
    }

    /// The legs that bring a unit nearest to where it belongs beside a group-mate: one wheel and straight ahead, touching
    /// no enemy and passing nobody.
    pub(crate) fn way_along(
        &self,
        u: UnitIx,
        mate: UnitIx,
        whole: Pose,
        turn: f64,
    ) -> Option<SmallVec<[Leg; 2]>> {
        let side = self.unit(u).side;
        let left = self.charge_left(u);
        let heed = Heed { stop_at_enemies: true, blind: true, halt_at_edge: true, ..Heed::default() };
        let mut wheels: SmallVec<[f64; 24]> = SmallVec::from_slice(&[0.0]);
        if turn.abs() > 0.05 && turn.abs() <= 90.0 {
            wheels.extend([tricorne_table::round_to(turn, 0.1), tricorne_table::round_to(turn * 0.5, 0.1)]);
        }
        wheels.extend(self.charge_wheels());
        let mut best: Option<(f64, f64, SmallVec<[Leg; 2]>)> = None;
        for (n, w) in wheels.into_iter().enumerate() {
            // A way that keeps the group together is good enough; the others are only looked at without one.
            if n >= 3 && best.as_ref().is_some_and(|b| b.0 <= 0.0) {
                break;
            }
            let cost = self.charge_wheel_cost(u, w);
            if cost > left {
                continue;
            }
            let (l, r) = self.front_of(self.unit(u));
            let here = self.unit(u).pose();
            let pivot = here.to_world(Point::new(if w < 0.0 { l } else { r }, 0.0));
            let turned = here.turned_about(pivot, w);
            let mut length = (whole.at - turned.at).dot(turned.forward()).clamp(0.0, left - cost);
            loop {
                let mut legs: SmallVec<[Leg; 2]> = SmallVec::new();
                if w.abs() > 1e-9 {
                    let side = if w < 0.0 { Hand::Left } else { Hand::Right };
                    legs.push(Leg::Wheel { side, degrees: w.abs() });
                }
                legs.push(Leg::Forward(length));
                let mut movers = Movers::new();
                movers.push(Mover::new(self, u, left));
                let walked = self.walk(&mut movers, &legs, &heed, &mut Dice::none());
                let straight = matches!(&walked, Ok(w) if matches!(w.stop, None | Some(Stop::Spent))
                    && !w.left_table && w.passed.is_empty());
                let rects = self.rects_at(&movers[0].new, movers[0].new.pose());
                if straight
                    && self.resting_on(&movers, side).is_none()
                    && !self.known_enemies(side).any(|e| self.rects_gap(&rects, e, 0.1).is_some())
                {
                    // SYW-GROUP-07: how much too far it is away from its mate.
                    let most = cm(self.distances().group_gap) + SLACK;
                    let apart = (self.rects_gap(&rects, mate, 1e6).unwrap_or(1e6) - most).max(0.0);
                    let off = movers[0].new.at.distance(whole.at);
                    if best.as_ref().is_none_or(|b| {
                        (apart, off) < (b.0 - 1e-6, b.1) || (apart <= b.0 + 1e-6 && off < b.1 - 1e-6)
                    }) {
                        best = Some((apart, off, legs));
                    }
                    break;
                }
                length -= 0.5;
                if length <= 0.0 {
                    break;
                }
            }
        }
        best.map(|b| b.2)
    }

    /// Chargers whose target is out of reach make a full Advance move towards it (SYW-CHARGE-12, -13, -21).
    pub(crate) fn follow(&mut self, g: GroupIx, aims: &[Aim], now: &mut Now<'_>) {
        let got_away = |a: &Aim| {
            let phase = &self.group_of(a.target).phase;
            phase.evaded || phase.fell_back > 0.0
        };
        if aims.iter().any(got_away) && self.fixed.options.charge_after_evade == ChargeAfterEvade::Halt {
            self.set_order(g, Order::Stand, Some("because the enemy had got away"), now.log);
            return;
        }
        let Some(aim) = aims.iter().find(|a| self.unit(a.target).is_known()) else {
            // Nobody left to follow.
            self.follow_ahead(g, 0.0, now);
            return;
        };
        let towards = angle::turn(
            self.unit(aim.unit).facing,
            angle::bearing(self.front_middle(&self.members(g)), self.centre_of(&[aim.target])),
        );
        let most = degrees(self.fixed.book.charts.degrees.charge_wheel);
        let wheel = if towards.abs() < 10.0 { 0.0 } else { towards.clamp(-most, most) };
        self.follow_ahead(g, wheel, now);
    }

    pub(crate) fn follow_ahead(&mut self, g: GroupIx, wheel: f64, now: &mut Now<'_>) {
        let members = self.members(g);
        let yielding = self.yielding_to_charge(g);
        let mut heed = Heed { halts: true, yielding, halt_at_edge: true, ..Heed::default() };
        let setting_out = |b: &Self| -> Movers {
            members.iter().map(|&u| Mover::going_on(b, u, b.charge_left(u))).collect()
        };
        for wheel in [wheel, 0.0] {
            let mut movers = setting_out(self);
            let mut legs: SmallVec<[Leg; 2]> = SmallVec::new();
            let mut left = members.iter().map(|&u| self.charge_left(u)).fold(f64::MAX, f64::min);
            if wheel.abs() > 1e-9 {
                let side = if wheel < 0.0 { Hand::Left } else { Hand::Right };
                legs.push(Leg::Wheel { side, degrees: wheel.abs() });
                let (_, width) = self.hinge(&movers, side);
                let slow = members.iter().map(|&u| self.drill_row(u).wheel).fold(1.0, f64::max);
                left -= self.wheel_price(width, wheel) * slow;
            }
            legs.push(Leg::Forward(left.max(0.0)));
            let Ok(judged) = self.walk(&mut movers, &legs, &heed, &mut Dice::none()) else { continue };
            let yielding = heed.yielding.clone();
            let stays = |battle: &Self, movers: &Movers| {
                battle.resting_on_but(movers, battle.group(g).side, &yielding)
            };
            if judged.passed.iter().any(|&f| !self.may_pass(members[0], f)) || stays(self, &movers).is_some()
            {
                continue;
            }
            // The same way with the dice of its ground.
            let mut walked = judged;
            let mut rolled = Rolls::new();
            if self.ground_rolls() {
                movers = setting_out(self);
                let mut dice = Dice::from(now.chance);
                match self.walk(&mut movers, &legs, &heed, &mut dice) {
                    Ok(real) => walked = real,
                    Err(_) => continue,
                }
                rolled = dice.rolled;
                self.tell_rolls(&rolled, now.log);
            }
            if walked.passed.iter().any(|&f| !self.may_pass(members[0], f)) || stays(self, &movers).is_some()
            {
                continue;
            }
            // Lights give way as before any move (SYW-EVADE-02); those who can go no farther stop it.
            let path = SmallVec::from_slice(&legs);
            let yielding = self.yielding_to(g);
            let plan = Plan { group: g, movers, path, stop: walked.stop, yielding, ..Plan::default() };
            let firm = self.give_way_to(&plan, now);
            let mut movers = plan.movers;
            if !firm.is_empty() {
                heed.yielding.retain(|e| !firm.contains(e));
                movers = setting_out(self);
                match self.walk(&mut movers, &legs, &heed, &mut Dice::again(&rolled)) {
                    Ok(again) if stays(self, &movers).is_none() => walked = again,
                    _ => break,
                }
            }
            let spent = movers.iter().map(|m| m.spent).fold(0.0, f64::max);
            let gone = tricorne_table::round_to(movers.first().map_or(0.0, |m| m.gone), 0.01);
            self.put_movers(movers, now.log);
            self.group_mut(g).phase.used += spent;
            let passed: SmallVec<[(UnitIx, UnitIx); 4]> =
                walked.through.iter().copied().filter(|(_, f)| !members.contains(f)).collect();
            now.say(|| self.measured_event("followed", "SYW-CHARGE-12", g).with("distance", gone));
            match walked.stop {
                Some(Stop::Halt(_)) => self.halt(g, Halted::EnemyAhead, now.log),
                Some(Stop::Friends) => self.set_order(g, Order::Stand, Some(FRIENDS_AHEAD), now.log),
                Some(Stop::Edge) => self.set_order(g, Order::Reserve, Some(EDGE_AHEAD), now.log),
                Some(Stop::Ambush(hidden, mover)) => {
                    self.then_goes_on(g, Rest::Follow);
                    self.ambushed(hidden, mover);
                }
                _ => {}
            }
            self.passages(&passed, now.log);
            self.reveal_by_sight(now.log);
            return;
        }
        // SYW-CHARGE-21
        self.set_order(g, Order::Stand, Some("for there was no way to the enemy"), now.log);
    }
}
