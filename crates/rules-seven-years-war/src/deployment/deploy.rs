//! Placing the troops of a lot (SYW-DEPLOY-08 to -20, SYW-HIDE-01).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Preview, Seat, Side, Steer, Wish};
use tricorne_table::{Edge, Point};

use crate::action::Action;
use crate::deployment::muster::Laid;
use crate::deployment::placing::Lot;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Formation, Order, Unit};
use crate::questions::{asks, guesses};

/// Place your troops.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Deploy {
    pub side: Side,
    pub lot: Lot,
}

/// One step of a deployment.
pub enum Placed {
    /// The rest is laid out by the umpire.
    Rest,
    Unit(UnitIx, Box<Unit>, Option<Order>),
    General(GeneralIx, Point),
    /// Marked on the private map, in a piece of ground.
    Hidden(UnitIx, Box<Unit>, usize),
    Work(Box<Laid>),
    RearRank(UnitIx, Box<Unit>),
    March(GroupIx, Edge),
}

impl Question<SevenYearsBattle> for Deploy {
    type Judged = Placed;

    asks!("deploy");

    fn seat(&self, _: &SevenYearsBattle) -> Seat {
        Seat(self.side.0)
    }

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Place your troops.".into()
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.left_to_deploy(self.side, self.lot)
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list(Action::Done);
        for group in b.s.groups.iter().filter(|g| g.side == self.side) {
            out.list_all([Edge::East, Edge::West].map(|edge| Action::FlankMarch { group: group.id, edge }));
        }
        out.list_all(b.rear_rank_proposals(self.side));
        out.space("deploy", None, None, "a unit, its place, facing and formation");
        out.space("deploy_general", None, None, "a general and his place");
        out.space("entrench", None, None, "a work that was bought and its two ends");
        out.space("hide", None, None, "a unit, the ground that hides it, its place");
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Placed, Illegal> {
        let (side, lot) = (self.side, self.lot);
        match answer {
            Action::Done => Ok(Placed::Rest),
            Action::Deploy { unit, at, facing, formation, order } => b
                .judge_deploy(side, lot, *unit, *at, *facing, *formation, *order, false)
                .map(|(u, new)| Placed::Unit(u, Box::new(new), *order)),
            Action::DeployGeneral { general, at } => {
                b.judge_deploy_general(side, lot, *general, *at).map(|(i, at)| Placed::General(i, at))
            }
            Action::Hide { unit, terrain, at, facing, formation } => b
                .judge_hide(side, lot, *unit, terrain, *at, *facing, *formation)
                .map(|(u, new, piece)| Placed::Hidden(u, Box::new(new), piece)),
            Action::Entrench { work, from, to } => {
                b.judge_work(side, *work, *from, *to).map(|laid| Placed::Work(Box::new(laid)))
            }
            Action::RearRank { unit, behind } => {
                b.judge_rear_rank(side, *unit, behind).map(|(u, new)| Placed::RearRank(u, Box::new(new)))
            }
            Action::FlankMarch { group, edge } => {
                b.judge_march(side, lot, *group, *edge).map(|g| Placed::March(g, *edge))
            }
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, placed: Placed, now: &mut Now<'_>) {
        if matches!(placed, Placed::Rest) {
            b.deploy_the_rest(self.side, self.lot, now.log);
            b.wait_off_table(self.side, self.lot, now.log);
            return;
        }
        b.ask(self);
        match placed {
            Placed::Unit(u, new, order) => b.place_unit(u, *new, order, now.log),
            Placed::General(i, at) => b.set_general(i, at, now.log),
            Placed::Hidden(u, new, piece) => b.mark_hidden(u, *new, piece, now.log),
            Placed::Work(laid) => b.lay_work(*laid, now.log),
            Placed::RearRank(u, new) => b.set_rear_rank(u, *new, now.log),
            Placed::March(g, edge) => b.send_marching(g, edge, now.log),
            Placed::Rest => {}
        }
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Done
    }

    fn preview(&self, b: &SevenYearsBattle, placed: &Placed) -> Preview {
        match placed {
            Placed::Unit(_, new, _) | Placed::Hidden(_, new, _) | Placed::RearRank(_, new) => {
                b.preview_place(new)
            }
            Placed::General(i, at) => b.preview_ride(*i, *at),
            Placed::Work(_) | Placed::March(..) | Placed::Rest => Preview::default(),
        }
    }

    fn wander(&self, b: &SevenYearsBattle, whim: &mut Whim) -> Action {
        let units = b.units_to_deploy(self.side, self.lot);
        let (width, depth) = (b.fixed.table.width(), b.fixed.table.depth());
        let south = b.s.armies[self.side.index().min(1)].edge == Edge::South;
        let strip = b.side_strip();
        let inside = whim.between(2.0, (depth * 0.5 - b.off_centre(self.side)).max(3.0));
        let Some(&u) = whim.one_of(&units).filter(|_| width > 2.0 * strip) else { return Action::Done };
        if whim.chance(0.3) {
            return Action::Done;
        }
        Action::Deploy {
            unit: b.unit(u).id,
            at: [whim.between(strip, width - strip), if south { inside } else { depth - inside }],
            facing: if south { 0.0 } else { 180.0 },
            formation: Formation::Line,
            order: None,
        }
    }

    fn ways(&self, b: &SevenYearsBattle, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        guesses(self, b, most, whim, out);
    }

    fn steer(&self, b: &SevenYearsBattle, wish: &Wish) -> Steer<Action> {
        let Some(id) = wish.unit else {
            return Steer::refused(Illegal::new("SYW-DEPLOY-19", "name the unit or general to place"));
        };
        if let Some(i) = b.find_general(id).filter(|&i| b.general(i).side == self.side) {
            return b.steer_deploy_general(i, self.lot, wish);
        }
        match b.steered_unit(id).filter(|&u| b.unit(u).side == self.side && b.is_waiting(u)) {
            Some(u) => b.steer_deploy(u, self.lot, wish),
            None => Steer::refused(Illegal::new(
                "SYW-DEPLOY-09",
                format!("{id} is not among those to be placed now"),
            )),
        }
    }
}
