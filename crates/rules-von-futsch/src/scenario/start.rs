//! The state a file begins with: cards in the deck and out of it, lasting events, army morale already lost.

use arrayvec::ArrayVec;
use tricorne_chance::{Deck, Playing};
use tricorne_game::{Fault, Place as Spot};

use super::setup::Reader;
use crate::brief::Brief;
use crate::events::EventCard;
use crate::model::Kind;
use crate::state::{BLACK, Commander, Fate, RED, Spell, State, Unit};

impl Reader<'_> {
    fn card(&self, place: &[Spot], text: &str) -> Result<Playing, Fault> {
        text.parse().map_err(|why: String| self.source.fault(place, why))
    }

    pub(super) fn state(
        &self,
        brief: &Brief,
        units: Vec<Unit>,
        commanders: Vec<Commander>,
    ) -> Result<State, Fault> {
        let mut pack = Playing::pack(usize::from(self.options.jokers_in_deck));
        let mut take = |card: Playing| pack.iter().position(|c| *c == card).map(|i| pack.remove(i));
        let mut kings: [ArrayVec<Playing, 4>; 2] = Default::default();
        for (side, file) in [RED, BLACK].into_iter().zip(&self.file.sides) {
            for (i, text) in file.own.kings.iter().enumerate() {
                let place: Vec<Spot> = vec!["side".into(), side.index().into(), "kings".into(), i.into()];
                let card = self.card(&place, text)?;
                let own = crate::turn::owner(card) == side;
                let king = matches!(card, Playing::Suited(tricorne_chance::Rank::KING, _));
                if !own || !king || take(card).is_none() || kings[side.index()].try_push(card).is_err() {
                    return self.fault(&place, "must be a King of that side's colour, each once");
                }
            }
        }
        let mut spent = Vec::new();
        for (i, text) in self.file.own.spent.iter().enumerate() {
            let place: Vec<Spot> = vec!["spent".into(), i.into()];
            match take(self.card(&place, text)?) {
                Some(card) => spent.push(card),
                None => return self.fault(&place, "is in the pack only once, or held"),
            }
        }
        let last_owner = match &self.file.own.last_card {
            Some(text) => Some(crate::turn::owner(self.card(&["last_card".into()], text)?)),
            None => None,
        };
        let mut deck = Deck::new(pack);
        for card in spent {
            deck.spend(card);
        }
        let cards =
            self.rulebook.events.iter().flat_map(|(card, text)| std::iter::repeat_n(*card, text.count));
        let mut pile: Vec<EventCard> = cards.collect();
        let mut gone = Vec::new();
        for (i, text) in self.file.own.events_spent.iter().enumerate() {
            let found = pile.iter().position(|c| c.name() == text);
            match found {
                Some(at) => gone.push(pile.remove(at)),
                None => {
                    return self.fault(&["events_spent".into(), i.into()], "is no event card of the deck");
                }
            }
        }
        let mut events = Deck::new(pile);
        for card in gone {
            events.spend(card);
        }
        let mut spell = Spell::default();
        for (i, text) in self.file.own.spells.iter().enumerate() {
            if !EventCard::named(text).is_some_and(|card| spell.cast(card)) {
                let why = "is no lasting event; there is cloudburst, bank_of_smoke, heavy_clay";
                return self.fault(&["spells".into(), i.into()], why);
            }
        }
        let mut morale_lost = [0, 1].map(|n: usize| self.file.sides[n].own.morale_lost);
        for (spec, unit) in brief.units.iter().zip(&units) {
            if unit.mishap && spec.kind != Kind::Wagon {
                let lost = &mut morale_lost[spec.side.index()];
                *lost = lost.saturating_add(1);
            }
        }
        for (spec, commander) in brief.commanders.iter().zip(&commanders) {
            if commander.gone.is_some_and(|g| g != Fate::Undeployed) {
                let lost = &mut morale_lost[spec.side.index()];
                *lost = lost.saturating_add(1);
            }
        }
        Ok(State {
            units: units.into_iter().collect(),
            commanders: commanders.into_iter().collect(),
            turn: self.file.own.turn.unwrap_or(1).max(1),
            deck,
            events,
            kings,
            card: None,
            last_owner,
            morale_lost,
            spell,
            stack: ArrayVec::new(),
            group: None,
            acting: None,
            charge: None,
            melee: None,
            moved: 0,
            moved_commanders: 0,
            deployment: None,
            salvos: arrayvec::ArrayVec::new(),
            over: None,
        })
    }
}
