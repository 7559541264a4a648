//! The deck and its special cards (CARD).

use tricorne_chance::{Card, Chance, Colour, Deck, Playing, Rank, Suit};
use tricorne_game::{Event, Log, Seat, Side};

use crate::field::{ARMIES, Engagement, army_name};
use crate::state::{Benefit, Play, Stage};

/// ATKM-TURN-03: the thirteen of each army's suit and the two Jokers.
pub(crate) fn deck(suits: [Suit; 2]) -> Deck<Playing> {
    let suited = suits.into_iter().flat_map(Playing::suit);
    Deck::new(suited.chain([Colour::Red, Colour::Black].map(Playing::Joker)))
}

/// What a card does for whoever benefits of it.
pub(crate) fn benefit_of(card: Playing) -> Benefit {
    match card {
        Playing::Suited(Rank::ACE, _) => Benefit::Ace,
        Playing::Suited(Rank::JACK, _) => Benefit::Jack,
        Playing::Suited(Rank::QUEEN, _) => Benefit::Queen,
        Playing::Suited(Rank::KING, _) => Benefit::King,
        _ => Benefit::None,
    }
}

/// A card as people call it: J alone is the Jack, a Joker goes by its colour (T10).
fn named(card: Playing) -> String {
    match card {
        Playing::Joker(Colour::Red) => "red Joker".into(),
        Playing::Joker(Colour::Black) => "black Joker".into(),
        Playing::Suited(rank, suit) => {
            let rank = match rank {
                Rank::ACE => "Ace".into(),
                Rank::JACK => "Jack".into(),
                Rank::QUEEN => "Queen".into(),
                Rank::KING => "King".into(),
                rank => match rank.number() {
                    2 => "Two".into(),
                    n => n.to_string(),
                },
            };
            format!("{rank} of {}", format!("{suit:?}").to_lowercase())
        }
    }
}

/// Whether a card is a Joker or a Two: nobody activates, a unit loses its turn.
pub(crate) fn is_detriment(card: Playing) -> bool {
    match card {
        Playing::Joker(_) => true,
        Playing::Suited(rank, _) => rank.number() == 2,
    }
}

impl Engagement {
    /// ATKM-TURN-05: whom a card serves.
    pub(crate) fn served_by(&self, card: Playing) -> Side {
        let own = |army: Side| match card {
            Playing::Suited(_, suit) => self.field.suits[army.index()] == suit,
            Playing::Joker(colour) => self.field.suits[army.index()].colour() == colour,
        };
        if own(ARMIES[0]) { ARMIES[0] } else { ARMIES[1] }
    }

    /// 9: discards the last card, ends the turn if it is over, or turns the next.
    pub(crate) fn draw_card(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        if let Some(play) = self.state.play.take() {
            self.state.deck.spend(play.card);
        }
        if self.state.deck.left().is_empty() || !self.anybody_left() {
            self.state.stage = Stage::TurnEnd;
            return;
        }
        if let Some(card) = self.state.deck.draw(chance, "card") {
            let army = self.served_by(card);
            log.say(|| {
                let event = Event::new("card", "ATKM-TURN-04")
                    .with("card", card.label())
                    .with("named", named(card))
                    .with("army", army_name(army))
                    .with("side", self.called(army));
                // In words: the odds of the next card are told by them.
                if is_detriment(card) {
                    let own = !matches!(card, Playing::Joker(_));
                    event
                        .outcome("the_next_one_costs_a_unit_its_turn")
                        .clause("ATKM-TURN-05")
                        .with("general", self.general_called(self.commander(army)))
                        .with("which", if own { "a unit of his own army" } else { "an enemy unit" })
                } else {
                    event.outcome("the_next_one_lets_a_unit_act")
                }
            });
            self.turn_up(card);
        }
    }

    /// 10 to 13: what a card just turned asks for first.
    pub(crate) fn turn_up(&mut self, card: Playing) {
        let army = self.served_by(card);
        let commander = self.commander(army);
        let mut queue: arrayvec::ArrayVec<Seat, 6> = arrayvec::ArrayVec::new();
        queue.push(commander);
        queue.extend(self.seats_of(army).filter(|&s| s != commander));
        self.state.stage = match card {
            Playing::Joker(_) => Stage::Disorder(army.enemy()),
            card if is_detriment(card) => Stage::Disorder(army),
            Playing::Suited(..) if benefit_of(card) != Benefit::None => Stage::Beneficiary,
            Playing::Suited(..) => Stage::Order,
        };
        self.state.play =
            Some(Play { card, army, queue, left: 0, beneficiary: None, used: arrayvec::ArrayVec::new() });
    }

    /// The first of the queue gets his activations: more for the beneficiary of an Ace (ATKM-CARD-08).
    pub(crate) fn begin_seat(&mut self) {
        let ace = self.state.play.as_ref().is_some_and(|p| {
            benefit_of(p.card) == Benefit::Ace
                && p.beneficiary.is_some()
                && p.beneficiary == p.queue.first().copied()
        });
        let activations = self.rules().cards.ace;
        if let Some(play) = &mut self.state.play {
            play.left = if ace { activations } else { 1 };
        }
        self.state.stage = Stage::Choose;
    }

    /// The benefit of the card for the seat that acts.
    pub(crate) fn benefit(&self) -> Benefit {
        self.state.play.as_ref().map_or(Benefit::None, |p| {
            if p.beneficiary.is_some() && p.beneficiary == p.queue.first().copied() {
                benefit_of(p.card)
            } else {
                Benefit::None
            }
        })
    }

    /// One activation of the acting seat is used up.
    pub(crate) fn spend_activation(&mut self) {
        let Some(play) = &mut self.state.play else {
            self.state.stage = Stage::Draw;
            return;
        };
        play.left = play.left.saturating_sub(1);
        if play.left > 0 {
            self.state.stage = Stage::Choose;
        } else {
            if !play.queue.is_empty() {
                play.queue.remove(0);
            }
            self.state.stage = Stage::Order;
        }
    }
}
