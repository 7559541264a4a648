//! The turn and its cards (ledger 4.2, 5.1).

pub(crate) mod ace;
pub(crate) mod activate;
pub(crate) mod begin;
pub(crate) mod jack;
pub(crate) mod king;
pub(crate) mod king_now;
pub(crate) mod queen;
pub(crate) mod release;

use tricorne_chance::{Chance, Colour, Playing, Rank, Suit};
use tricorne_game::{Event, Log, Side};

use crate::field::Field;
use crate::model::Cr;
use crate::options::CourtCards;
use crate::questions::{Ace, Activate, Jack, King, KingNow, Queen, Release};
use crate::state::{BLACK, CommanderMarks, RED, Step, UnitMarks};

/// The side that owns a card (VF-TURN-01).
pub(crate) fn owner(card: Playing) -> Side {
    match card.colour() {
        Colour::Red => RED,
        Colour::Black => BLACK,
    }
}

/// A card as people say it: `the Jack of hearts`, `the red Joker`.
pub(crate) fn card_name(card: Playing) -> String {
    let (rank, suit) = match card {
        Playing::Joker(Colour::Red) => return "the red Joker".into(),
        Playing::Joker(Colour::Black) => return "the black Joker".into(),
        Playing::Suited(rank, suit) => (rank, suit),
    };
    let suit = match suit {
        Suit::Hearts => "hearts",
        Suit::Diamonds => "diamonds",
        Suit::Clubs => "clubs",
        Suit::Spades => "spades",
    };
    match rank {
        Rank::ACE => format!("the Ace of {suit}"),
        Rank::JACK => format!("the Jack of {suit}"),
        Rank::QUEEN => format!("the Queen of {suit}"),
        Rank::KING => format!("the King of {suit}"),
        _ => format!("the {} of {suit}", card.to_string().trim_end_matches(char::is_alphabetic)),
    }
}

impl Field {
    /// A new turn: marks off, cards back, commanders released (VF-TURN-03, -23, -24).
    pub(crate) fn turn_start(&mut self, log: &mut Log) {
        for unit in &mut self.s.units {
            unit.turn = UnitMarks::default();
        }
        for commander in &mut self.s.commanders {
            commander.turn = CommanderMarks::default();
        }
        self.s.spell = crate::state::Spell::default();
        for side in [RED, BLACK] {
            while let Some(king) = self.s.kings[side.index()].pop() {
                self.s.deck.put_back(king);
            }
        }
        if let Some(card) = self.s.card.take() {
            self.s.deck.put_back(card);
        }
        self.s.deck.gather();
        self.s.last_owner = None;
        let turn = self.s.turn;
        log.say(|| Event::new("turn", "VF-TURN-03").with("turn", turn));
        self.push(Step::KingWindow(0));
        self.ask(Release { side: BLACK });
        self.ask(Release { side: RED });
    }

    /// The King window: who did not own the last card first, then the other (VF-TURN-11).
    pub(crate) fn king_window(&mut self, window: u8) {
        let Some(last) = self.s.last_owner else {
            // Nobody holds a King before the first card, unless a position says so.
            if self.s.kings.iter().all(arrayvec::ArrayVec::is_empty) {
                self.push(Step::Draw);
                return;
            }
            self.s.last_owner = Some(BLACK);
            self.push(Step::KingWindow(window));
            return;
        };
        let side = match window {
            0 => last.enemy(),
            1 => last,
            _ => {
                self.push(Step::Draw);
                return;
            }
        };
        if !self.s.kings[side.index()].is_empty() && self.can_activate(side) {
            self.ask(King { side, window });
        } else {
            self.push(Step::KingWindow(window + 1));
        }
    }

    /// The next card (VF-TURN-04 to -09, -13 to -19).
    pub(crate) fn draw(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        if let Some(card) = self.s.card.take() {
            self.s.deck.spend(card);
        }
        let Some(card) = self.s.deck.draw(chance, "card") else {
            self.push(Step::EndTurn); // VF-TURN-22
            return;
        };
        self.s.card = Some(card);
        let side = owner(card);
        let name = if matches!(card, Playing::Joker(_)) { "" } else { self.b.names[side.index()].as_str() };
        log.say(|| {
            let kind = match card {
                Playing::Joker(_) => "joker",
                Playing::Suited(Rank::ACE, _) => "ace",
                Playing::Suited(Rank::JACK, _) => "jack",
                Playing::Suited(Rank::QUEEN, _) => "queen",
                Playing::Suited(Rank::KING, _) => "king",
                Playing::Suited(..) => "number",
            };
            Event::new("card", "VF-TURN-03")
                .outcome(kind)
                .with("card", card.to_string())
                .with("named", card_name(card))
                .with("side", name)
        });
        match card {
            Playing::Joker(_) => {
                self.push(Step::EndTurn); // VF-TURN-08
            }
            Playing::Suited(rank, _) => {
                self.s.last_owner = Some(side);
                self.push(Step::Check);
                let too = self.o().court_cards == CourtCards::SpecialPlusActivation;
                match rank {
                    Rank::JACK => self.ask(Jack { side }),
                    Rank::QUEEN | Rank::ACE => {
                        if too {
                            self.ask(Activate { side });
                        }
                        if rank == Rank::QUEEN {
                            self.ask(Queen { side });
                        } else {
                            self.ask(Ace { side });
                        }
                    }
                    Rank::KING => self.ask(KingNow { side }),
                    _ => self.ask(Activate { side }),
                }
            }
        }
    }

    /// A card is spent on nothing: nobody was `able` to use it (VF-TURN-06), or its owner would not (VF-TURN-05).
    pub(crate) fn lets_pass(&self, side: Side, able: bool, log: &mut Log) {
        let name = &self.b.names[side.index()];
        log.say(|| {
            Event::new("card_passes", if able { "VF-TURN-05" } else { "VF-TURN-06" })
                .outcome(if able { "chosen" } else { "nobody" })
                .with("side", name.as_str())
        });
    }

    /// What ended the turn, in words; none where the event that did has said so (VF-EVENT-26).
    pub(crate) fn why_turn_ends(&self) -> Option<String> {
        match self.s.card {
            Some(card @ Playing::Joker(_)) => Some(format!("{} had ended it", card_name(card))),
            _ if self.everybody_has_acted() => Some("everybody had acted".into()),
            None => Some("no card was left".into()),
            Some(_) => None,
        }
    }

    pub(crate) fn check_turn(&mut self) {
        if self.everybody_has_acted() {
            self.push(Step::EndTurn); // VF-TURN-20
        } else {
            self.push(Step::KingWindow(0));
        }
    }

    /// The attached commanders of a side.
    pub(crate) fn attached(&self, side: Side) -> impl Iterator<Item = Cr> + '_ {
        self.chiefs().filter(move |&c| self.chief(c).side == side && self.commander(c).host.is_some())
    }
}
