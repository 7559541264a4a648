//! Playing cards.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Card;

/// The colour of a suit or Joker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// Hearts and diamonds.
    Red,
    /// Clubs and spades.
    Black,
}

/// One of the four suits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Suit {
    /// ♥
    Hearts,
    /// ♦
    Diamonds,
    /// ♣
    Clubs,
    /// ♠
    Spades,
}

impl Suit {
    /// All four.
    pub const ALL: [Suit; 4] = [Suit::Hearts, Suit::Diamonds, Suit::Clubs, Suit::Spades];

    /// Its colour.
    pub fn colour(self) -> Colour {
        match self {
            Suit::Hearts | Suit::Diamonds => Colour::Red,
            Suit::Clubs | Suit::Spades => Colour::Black,
        }
    }

    fn letter(self) -> char {
        match self {
            Suit::Hearts => 'H',
            Suit::Diamonds => 'D',
            Suit::Clubs => 'C',
            Suit::Spades => 'S',
        }
    }
}

/// Ace to King.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(u8);

impl Rank {
    /// The one.
    pub const ACE: Rank = Rank(1);
    /// The eleven.
    pub const JACK: Rank = Rank(11);
    /// The twelve.
    pub const QUEEN: Rank = Rank(12);
    /// The thirteen.
    pub const KING: Rank = Rank(13);

    /// Ace (1) to King (13).
    pub fn new(n: u8) -> Option<Rank> {
        (1..=13).contains(&n).then_some(Rank(n))
    }

    /// Ace (1) to King (13).
    pub fn number(self) -> u8 {
        self.0
    }
}

/// A playing card. Written `KH`, `10C`, `AS`, `JR` and `JB` (the Jokers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Playing {
    /// A card of a suit.
    Suited(Rank, Suit),
    /// A Joker.
    Joker(Colour),
}

impl Playing {
    /// The pack of 52 with 0 to 2 Jokers (red first).
    pub fn pack(jokers: usize) -> Vec<Playing> {
        let suits = Suit::ALL.into_iter().flat_map(Playing::suit);
        suits.chain([Colour::Red, Colour::Black].into_iter().take(jokers).map(Playing::Joker)).collect()
    }

    /// The thirteen of one suit.
    pub fn suit(suit: Suit) -> impl Iterator<Item = Playing> {
        (1..=13).map(move |n| Playing::Suited(Rank(n), suit))
    }

    /// The colour of its suit, or of the Joker.
    pub fn colour(self) -> Colour {
        match self {
            Playing::Suited(_, suit) => suit.colour(),
            Playing::Joker(colour) => colour,
        }
    }
}

impl Card for Playing {
    fn label(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Playing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Playing::Joker(Colour::Red) => f.write_str("JR"),
            Playing::Joker(Colour::Black) => f.write_str("JB"),
            Playing::Suited(rank, suit) => {
                match rank.0 {
                    1 => f.write_str("A")?,
                    11 => f.write_str("J")?,
                    12 => f.write_str("Q")?,
                    13 => f.write_str("K")?,
                    n => write!(f, "{n}")?,
                }
                write!(f, "{}", suit.letter())
            }
        }
    }
}

impl FromStr for Playing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Playing::pack(2).into_iter().find(|card| card.to_string().eq_ignore_ascii_case(text)).ok_or_else(
            || format!("`{text}` is not a card; write for example KH, 10C, AS, JR or JB (Jokers)"),
        )
    }
}

impl Serialize for Playing {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Playing {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_read_back_as_written() {
        for card in Playing::pack(2) {
            assert_eq!(card.to_string().parse(), Ok(card));
        }
        assert!("1H".parse::<Playing>().is_err());
    }
}
