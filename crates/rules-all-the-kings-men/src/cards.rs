//! The deck and its special cards (CARD).

use tricorne_chance::{Card, Chance, Colour, Deck, Playing, Rank, Suit};
use tricorne_game::{Event, Illegal, Log, Side, UnitId};

use crate::field::{ARMIES, Engagement, army_name, refuse};
use crate::options::{DisorderChoice, SpecialBeneficiary, TeammateOrder};
use crate::state::{Benefit, Play, SeatNo, Stage, UnitNo};

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
                Event::new("card", "ATKM-TURN-04").with("card", card.label()).with("army", army_name(army))
            });
            self.turn_up(card);
        }
    }

    /// 10 to 13: what a card just turned asks for first.
    pub(crate) fn turn_up(&mut self, card: Playing) {
        let army = self.served_by(card);
        let commander = self.commander(army);
        let mut queue: arrayvec::ArrayVec<SeatNo, 6> = arrayvec::ArrayVec::new();
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

    /// Who chooses for a Joker or a Two.
    pub(crate) fn disorderer(&self) -> SeatNo {
        self.state.play.as_ref().map_or(0, |p| self.commander(p.army))
    }

    /// ATKM-CARD-16: whether a unit may be picked.
    pub(crate) fn judge_disorder(&self, army: Side, id: UnitId) -> Result<UnitNo, Illegal> {
        let no = self.named(id, "ATKM-CARD-16")?;
        let unit = self.unit(no);
        if unit.army != army {
            let clause = if self.state.play.as_ref().is_some_and(|p| matches!(p.card, Playing::Joker(_))) {
                "ATKM-CARD-12"
            } else {
                "ATKM-CARD-13"
            };
            return refuse(clause, format!("pick a unit of the {} army", army_name(army)));
        }
        if unit.disorder && self.options().disorder_choice == DisorderChoice::UnmarkedFirst {
            return refuse("ATKM-CARD-16", format!("{id} has its marker already; pick a unit without"));
        }
        Ok(no)
    }

    /// Units that may be picked.
    pub(crate) fn disorderable(&self, army: Side) -> impl Iterator<Item = UnitNo> + '_ {
        let any = self.options().disorder_choice == DisorderChoice::Any;
        self.of_army(army).filter(move |(_, u)| any || !u.disorder).map(|(no, _)| no)
    }

    pub(crate) fn step_disorder(&mut self, army: Side, log: &mut Log) -> bool {
        let mut options = self.disorderable(army);
        match (options.next(), options.next()) {
            (Some(only), None) => {
                drop(options);
                self.do_disorder(only, log);
                true
            }
            (None, _) => {
                drop(options);
                log.say(|| Event::new("card_wasted", "ATKM-CARD-16").with("army", army_name(army)));
                self.state.stage = Stage::Draw;
                true
            }
            _ => false,
        }
    }

    /// ATKM-CARD-12, ATKM-CARD-13: the unit keeps its colour and gets a marker.
    pub(crate) fn do_disorder(&mut self, no: UnitNo, log: &mut Log) {
        let unit = self.unit_mut(no);
        unit.disorder = true;
        let id = unit.id;
        let joker = self.state.play.as_ref().is_some_and(|p| matches!(p.card, Playing::Joker(_)));
        let clause = if joker { "ATKM-CARD-12" } else { "ATKM-CARD-13" };
        log.say(|| Event::new("disordered", clause).who(id));
        self.state.stage = Stage::Draw;
    }

    /// 12: who benefits; a lone player does, and with `special_beneficiary` rotate seats take turns.
    pub(crate) fn step_beneficiary(&mut self, log: &mut Log) -> bool {
        let Some(play) = &self.state.play else {
            self.state.stage = Stage::Draw;
            return true;
        };
        let army = play.army;
        let seats: arrayvec::ArrayVec<SeatNo, 6> = self.seats_of(army).collect();
        let chosen = match (seats.as_slice(), self.options().special_beneficiary) {
            ([only], _) => *only,
            (seats, SpecialBeneficiary::Rotate) => {
                let turn = &mut self.state.rotation[army.index()];
                let chosen = seats.get(usize::from(*turn) % seats.len().max(1)).copied().unwrap_or(0);
                *turn = (*turn + 1) % seats.len().max(1) as u8;
                chosen
            }
            _ => return false,
        };
        self.do_benefit(chosen, seats.len() > 1, log);
        true
    }

    pub(crate) fn judge_seat(&self, seat: u8, clause: &str) -> Result<SeatNo, Illegal> {
        match &self.state.play {
            Some(play) if play.queue.contains(&seat) => Ok(seat),
            _ => refuse(clause, format!("seat {seat} has no activation to come on this card")),
        }
    }

    pub(crate) fn do_benefit(&mut self, seat: SeatNo, tell: bool, log: &mut Log) {
        if let Some(play) = &mut self.state.play {
            play.beneficiary = Some(seat);
        }
        if tell {
            log.say(|| {
                Event::new("benefit", "ATKM-CARD-03")
                    .with("seat", seat)
                    .with("general", self.field.seats[usize::from(seat)].name.clone())
            });
        }
        self.state.stage = Stage::Order;
    }

    /// ATKM-TEAM-08: the next seat to act, or the next card.
    pub(crate) fn step_order(&mut self) -> bool {
        let decides = self.options().teammate_order == TeammateOrder::CommanderDecides;
        match &self.state.play {
            Some(play) if play.queue.len() > 1 && decides => false,
            Some(play) if !play.queue.is_empty() => {
                self.begin_seat();
                true
            }
            _ => {
                self.state.stage = Stage::Draw;
                true
            }
        }
    }

    pub(crate) fn do_next(&mut self, seat: SeatNo) {
        if let Some(play) = &mut self.state.play
            && let Some(i) = play.queue.iter().position(|&s| s == seat)
        {
            play.queue.swap(0, i);
        }
        self.begin_seat();
    }

    /// The first of the queue gets his activations: two for the beneficiary of an Ace (ATKM-CARD-08).
    pub(crate) fn begin_seat(&mut self) {
        let ace = self.state.play.as_ref().is_some_and(|p| {
            benefit_of(p.card) == Benefit::Ace
                && p.beneficiary.is_some()
                && p.beneficiary == p.queue.first().copied()
        });
        if let Some(play) = &mut self.state.play {
            play.left = if ace { 2 } else { 1 };
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
