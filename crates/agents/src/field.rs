//! What a program asks of a battle: the same whether the battle's type is known or not.

use tricorne_chance::{Chance, Whim};
use tricorne_game::{
    AnyBattle, Battle, Ending, Frailty, Log, Order, Proposal, School, Seat, SeatInfo, Side, UnitId,
    first_sight,
};

/// A battle as a program sees it.
pub trait Field: Clone + Send + Sync {
    /// An answer to a decision.
    type Order: Clone + Send + Sync;

    /// Who sits at the table.
    fn seats(&self) -> Vec<SeatInfo>;
    /// See [`Battle::seat`].
    fn seat(&self) -> Option<Seat>;
    /// See [`Battle::whose_turn`].
    fn whose_turn(&self) -> Option<Side>;
    /// See [`Battle::ending`].
    fn ending(&self) -> Option<Ending>;
    /// See [`Battle::heed`].
    fn heed(&mut self, school: &School);
    /// See [`Battle::frailty`].
    fn frailty(&self, rank: &str) -> Frailty;
    /// See [`Battle::turn`].
    fn turn(&self) -> u32;
    /// See [`Battle::standing`].
    fn standing(&self, seat: Seat) -> f64;
    /// See [`Battle::proposals`]; never empty while a decision is pending.
    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Self::Order>>;
    /// See [`Battle::first_sight`].
    fn first_sight(&self, most: usize, whim: &mut Whim) -> Option<Self::Order>;
    /// See [`Battle::imagined`].
    #[must_use]
    fn imagined(&self, seat: Seat, whim: &mut Whim) -> Self;
    /// See [`Battle::about`].
    fn about(&self, order: &Self::Order) -> Option<UnitId>;
    /// Carries an order out; `false` if it is refused, and then nothing has changed.
    fn obey(&mut self, order: &Self::Order, chance: &mut dyn Chance) -> bool;
}

impl<B: Battle> Field for B {
    type Order = B::Action;

    fn seats(&self) -> Vec<SeatInfo> {
        self.view(None).seats
    }

    fn seat(&self) -> Option<Seat> {
        Battle::seat(self)
    }

    fn whose_turn(&self) -> Option<Side> {
        Battle::whose_turn(self)
    }

    fn ending(&self) -> Option<Ending> {
        Battle::ending(self)
    }

    fn heed(&mut self, school: &School) {
        Battle::heed(self, school);
    }

    fn frailty(&self, rank: &str) -> Frailty {
        Battle::frailty(self, rank)
    }

    fn turn(&self) -> u32 {
        Battle::turn(self)
    }

    fn standing(&self, seat: Seat) -> f64 {
        Battle::standing(self, seat)
    }

    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<B::Action>> {
        first_sight::proposals(self, most, whim)
    }

    fn first_sight(&self, most: usize, whim: &mut Whim) -> Option<B::Action> {
        Battle::first_sight(self, most, whim)
    }

    fn imagined(&self, seat: Seat, whim: &mut Whim) -> Self {
        Battle::imagined(self, seat, whim)
    }

    fn about(&self, order: &B::Action) -> Option<UnitId> {
        B::about(order)
    }

    fn obey(&mut self, order: &B::Action, chance: &mut dyn Chance) -> bool {
        self.apply(order, chance, &mut Log::off()).is_ok()
    }
}

/// A battle of a type not known here. Orders go through it as they are, without being written as JSON, so a program
/// is about as fast as with the type known.
pub struct AnyField(pub Box<dyn AnyBattle>);

impl Clone for AnyField {
    fn clone(&self) -> Self {
        Self(self.0.boxed_clone())
    }
}

impl Field for AnyField {
    type Order = Order;

    fn seats(&self) -> Vec<SeatInfo> {
        self.0.seats()
    }

    fn seat(&self) -> Option<Seat> {
        self.0.seat()
    }

    fn whose_turn(&self) -> Option<Side> {
        self.0.whose_turn()
    }

    fn ending(&self) -> Option<Ending> {
        self.0.ending()
    }

    fn heed(&mut self, school: &School) {
        self.0.heed(school);
    }

    fn frailty(&self, rank: &str) -> Frailty {
        self.0.frailty(rank)
    }

    fn turn(&self) -> u32 {
        self.0.turn()
    }

    fn standing(&self, seat: Seat) -> f64 {
        self.0.standing(seat)
    }

    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Order>> {
        self.0.orders(most, whim)
    }

    fn first_sight(&self, most: usize, whim: &mut Whim) -> Option<Order> {
        self.0.first_order(most, whim)
    }

    fn imagined(&self, seat: Seat, whim: &mut Whim) -> Self {
        Self(self.0.imagined(seat, whim))
    }

    fn about(&self, order: &Order) -> Option<UnitId> {
        self.0.about(order)
    }

    fn obey(&mut self, order: &Order, chance: &mut dyn Chance) -> bool {
        self.0.obey(order, chance, &mut Log::off()).is_ok()
    }
}
