//! Decks of cards.

use serde::{Deserialize, Serialize};

use crate::{Chance, Purpose};

/// Something that can be in a deck.
pub trait Card: Copy + Eq {
    /// Its name in scripts and logs, unique in its deck.
    fn label(&self) -> String;
}

/// A face-down pile and the cards laid aside.
///
/// The pile has no order: which card is on top is settled when it is drawn. That is the same game as a shuffled
/// pile, and there is no order in the battle's state for anybody to peek at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deck<C> {
    pile: Vec<C>,
    spent: Vec<C>,
}

impl<C: Card> Deck<C> {
    /// A shuffled deck of these cards.
    pub fn new(cards: impl IntoIterator<Item = C>) -> Self {
        Self { pile: cards.into_iter().collect(), spent: Vec::new() }
    }

    /// Takes the top card; it is then in nobody's pile until it is spent, returned or kept.
    pub fn draw(&mut self, chance: &mut dyn Chance, purpose: Purpose) -> Option<C> {
        let pile = &self.pile;
        let i = chance.pick(purpose, pile.len(), &|i| pile[i].label())?;
        Some(self.pile.remove(i))
    }

    /// Cuts the deck: shows a card and leaves it in.
    pub fn cut(&self, chance: &mut dyn Chance, purpose: Purpose) -> Option<C> {
        chance.pick(purpose, self.pile.len(), &|i| self.pile[i].label()).map(|i| self.pile[i])
    }

    /// Lays a card aside, face up.
    pub fn spend(&mut self, card: C) {
        self.spent.push(card);
    }

    /// Puts a card back into the pile and shuffles.
    pub fn put_back(&mut self, card: C) {
        self.pile.push(card);
    }

    /// Shuffles the cards laid aside back in.
    pub fn gather(&mut self) {
        self.pile.append(&mut self.spent);
    }

    /// Cards still face down, in no order.
    pub fn left(&self) -> &[C] {
        &self.pile
    }

    /// Cards laid aside, the last one last.
    pub fn spent(&self) -> &[C] {
        &self.spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Playing, Seeded};

    #[test]
    fn each_card_comes_once_and_all_come() {
        let mut deck = Deck::new(Playing::pack(2));
        let mut chance = Seeded::new(5);
        let mut seen = Vec::new();
        while let Some(card) = deck.draw(&mut chance, "card") {
            seen.push(card);
            deck.spend(card);
        }
        assert_eq!(seen.len(), 54);
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 54);
        deck.gather();
        assert_eq!(deck.left().len(), 54);
        assert!(deck.spent().is_empty());
    }

    #[test]
    fn a_cut_leaves_the_card() {
        let deck = Deck::new(Playing::pack(0));
        assert!(deck.cut(&mut Seeded::new(1), "cut").is_some());
        assert_eq!(deck.left().len(), 52);
    }
}
