//! What there is in a position: the features that its worth is learnt from, the Imperial side's less the Native's.

use arrayvec::ArrayVec;
use tricorne_drill::Terms;
use tricorne_game::{Seat, Side};
use tricorne_table::Point;

use super::footing::Footing;
use super::mind::Worth;
use super::place::girth;
use super::stakes::{self, Stakes};
use crate::battle::Fray;
use crate::state::{Fate, IMPERIAL, MAX_UNITS, NATIVE, No, Order};
use crate::tables::rulebook::Class;

/// A unit on the table, as the reckoning of a position needs it.
struct Piece {
    u: No,
    sign: f64,
    at: Point,
    girth: f64,
    points: f64,
    footing: Footing,
    level: u8,
    obeys_fire: f64,
    obeys_attack: f64,
}

fn sign(side: Side) -> f64 {
    if side == IMPERIAL { 1.0 } else { -1.0 }
}

impl Fray {
    /// The features of the position as a seat sees them.
    pub(crate) fn features_of(&self, seat: Seat) -> Worth {
        let side = if seat.0 == IMPERIAL.0 { IMPERIAL } else { NATIVE };
        let stakes = self.stakes(side);
        let gone = f64::from(self.state.round.max(1)) / f64::from(self.field.rounds.max(1));
        let mut worth = Worth {
            first_sight: self.first_sight(&stakes, gone),
            scored: stakes.banked / 6.0,
            scored_late: stakes.banked / 6.0 * gone,
            to_come: (stakes.lead - stakes.banked) / 6.0 * gone,
            ..Worth::default()
        };
        let (ours, theirs) = (self.strength(IMPERIAL), self.strength(NATIVE));
        worth.strength = 2.0 * (ours - theirs) / (ours + theirs).max(1.0);
        worth.strength_early = worth.strength * (1.0 - gone).max(0.0);
        let pieces = self.pieces();
        for piece in &pieces {
            self.reckon_piece(piece, &stakes, &mut worth);
            for other in pieces.iter().filter(|o| o.sign != piece.sign) {
                self.reckon_threat(piece, other, &mut worth);
            }
        }
        self.reckon_goals(&pieces, &stakes, gone, &mut worth);
        if side == IMPERIAL { worth } else { worth.turned() }
    }

    fn pieces(&self) -> ArrayVec<Piece, MAX_UNITS> {
        self.on_table()
            .map(|u| {
                let unit = self.unit(u);
                let card = self.card(u);
                Piece {
                    u,
                    sign: sign(unit.side),
                    at: unit.anchor.point(),
                    girth: girth(self, u),
                    points: f64::from(card.points) * f64::from(unit.models) / f64::from(card.start.max(1)),
                    footing: self.footing(u),
                    level: self.level(u),
                    obeys_fire: self.order_chance(u, Order::Fire),
                    obeys_attack: self.order_chance(u, Order::Attack),
                }
            })
            .collect()
    }

    /// The lead as the first judgement reckons it, in log-odds.
    fn first_sight(&self, stakes: &Stakes, gone: f64) -> f64 {
        // What is held early may be lost again; what is scored stays.
        let mut lead = stakes.banked + (stakes.lead - stakes.banked) * (0.2 + 0.65 * gone);
        lead += (self.strength(IMPERIAL) - self.strength(NATIVE)) * 0.6 * (1.2 - gone).clamp(0.1, 1.0);
        for u in self.on_table() {
            let owner = self.unit(u).side;
            if let Some((far, _)) = self.exit_distance(owner, self.unit(u).anchor.point()) {
                let turns = far / self.stride(u);
                let time = self.in_time(u, stakes.left, turns);
                let likely = time * stakes::ease(turns, 10.0) * 0.7;
                lead += sign(owner) * stakes.scale * self.exit_worth(u) * likely;
            }
            if self.field.options.one_leader_only && self.unit(u).commander {
                lead += sign(owner) * 1.5;
            }
        }
        // The same lead weighs more the less time is left to turn it.
        let stands = lead / (lead.abs() + 9.0 - 5.0 * gone);
        2.0 * libm::atanh(stands.clamp(-0.98, 0.98))
    }

    fn reckon_piece(&self, piece: &Piece, stakes: &Stakes, worth: &mut Worth) {
        let u = piece.u;
        let (unit, card) = (self.unit(u), self.card(u));
        let share = piece.sign * piece.points / 6.0;
        match card.class {
            Class::Infantry => worth.foot += share,
            Class::Cavalry => worth.horse += share,
            Class::Crewed => worth.guns += share,
        }
        if unit.models == card.start {
            worth.fresh += piece.sign * f64::from(card.points) / 12.0;
        }
        let needs = f64::from(self.leadership(u) - card.discipline);
        worth.nerve += share * (7.0 - needs) / 2.0;
        if unit.is_pinned() {
            worth.pinned -= share;
            if f64::from(unit.pinned) + needs >= 9.0 {
                worth.shaken -= share;
            }
        } else if !unit.activated || unit.side != self.state.active {
            let near = if unit.side == self.state.active { 1.0 } else { 0.5 };
            worth.initiative += share * near;
        }
        if !unit.leader {
            worth.leaderless -= piece.sign;
        }
        if let Some((far, _)) = self.exit_distance(unit.side, piece.at) {
            let turns = (far - piece.girth).max(0.0) / self.stride(u);
            let pinned = if unit.is_pinned() { 1.0 } else { 0.0 };
            let time = self.in_time(u, stakes.left, turns + pinned);
            worth.exits += piece.sign * stakes.scale * self.exit_worth(u) * time / 6.0;
        }
    }

    /// What one unit could do to another next turn, by the average of its dice.
    fn reckon_threat(&self, by: &Piece, on: &Piece, worth: &mut Worth) {
        let gap = (by.at.distance(on.at) - by.girth - on.girth).max(0.0);
        let (card, target) = (self.card(by.u), self.card(on.u));
        let weapon = &card.weapon;
        let far = weapon.long.unwrap_or(weapon.short);
        let pace = f64::from(self.pace(by.u)) / 1000.0;
        if gap > far.max(pace + 3.0) {
            return;
        }
        let land = &self.field.land;
        let (cover, defended) = on.footing.against(land, by.at, by.level);
        if on.footing.shelters() && (cover != crate::tables::rulebook::Cover::None || defended) {
            worth.cover += on.sign * on.points / 12.0;
        }
        let unit = self.unit(by.u);
        let ready = if unit.is_pinned() { 0.3 } else { 1.0 };
        let each = f64::from(target.points) / f64::from(target.start.max(1));
        let models = f64::from(self.unit(on.u).models);
        let short = gap <= weapon.short;
        if gap <= far && (short || !self.unit(on.u).gone_to_ground) {
            let dice = self.fire_dice(by.u, false) as f64;
            let hits = dice * f64::from(7 - card.firing.clamp(2, 7)) / 6.0;
            let range = if short { 1.0 } else { 0.5 };
            let lost = hits * range * self.cover_share(cover, short);
            worth.fire += by.sign * lost.min(models) * each * by.obeys_fire * ready / 2.0;
        }
        if gap <= pace + 3.0 && !card.is_crewed() {
            let blows = |a: No, d: No, defended: bool| {
                let dice = f64::from(self.fighting_models(a, d, false));
                let hits = dice * f64::from(7 - self.card(a).fighting.clamp(2, 7)) / 6.0;
                let horse = self.card(d).class == Class::Cavalry && self.card(a).class != Class::Cavalry;
                hits / (1.0 + f64::from(u8::from(horse)) + f64::from(u8::from(defended)))
            };
            let edge = blows(by.u, on.u, defended) - blows(on.u, by.u, false);
            if edge > 0.0 {
                let comes = if gap <= pace { 1.0 } else { 0.4 };
                let lost = edge.min(models) * each;
                worth.charge += by.sign * lost * by.obeys_attack * ready * comes / 2.0;
            }
        }
    }

    /// Whom the places that score are nearer to.
    fn reckon_goals(&self, pieces: &[Piece], stakes: &Stakes, gone: f64, worth: &mut Worth) {
        for goal in &stakes.goals {
            let value = stakes.goal_value(goal, 0.0);
            let mut turns = [12.0_f64; 2];
            for piece in pieces {
                let unit = self.unit(piece.u);
                if goal.building.is_some() && self.card(piece.u).class != Class::Infantry {
                    continue;
                }
                let far = (goal.at.distance(piece.at) - goal.within - piece.girth).max(0.0);
                let late = if unit.is_pinned() { 1.5 } else { 0.0 };
                let side = usize::from(piece.sign < 0.0);
                turns[side] = turns[side].min(far / self.stride(piece.u) + late);
            }
            let nearer = match goal.side {
                None => libm::tanh((turns[1] - turns[0]) / 1.5),
                Some(side) => {
                    let held = f64::from(u8::from(goal.holder == Some(side)));
                    sign(side) * (0.5 * held + 0.5 * stakes::ease(turns[side.index()], 2.0))
                }
            };
            worth.goals += nearer * value / 6.0;
            worth.goals_late += nearer * value / 6.0 * gone;
        }
        for u in self.state.units.numbers().filter(|&u| self.unit(u).fate == Fate::ToCome) {
            worth.fresh += sign(self.unit(u).side) * f64::from(self.card(u).points) / 12.0;
        }
    }
}
