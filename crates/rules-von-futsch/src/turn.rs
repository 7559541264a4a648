//! The turn and its cards (ledger 4.2, 5.1).

use tricorne_chance::{Chance, Colour, Playing, Rank};
use tricorne_game::{Event, Illegal, Log, Side};

use crate::events::EventCard;
use crate::field::{Field, no};
use crate::measure::mils;
use crate::model::{Cr, Nr};
use crate::options::{CourtCards, JackUse, QueenEffect};
use crate::state::{BLACK, RED, Step};

/// The side that owns a card (VF-TURN-01).
pub(crate) fn owner(card: Playing) -> Side {
    match card.colour() {
        Colour::Red => RED,
        Colour::Black => BLACK,
    }
}

impl Field {
    /// A new turn: marks off, cards back, commanders released (VF-TURN-03, -23, -24).
    pub(crate) fn turn_start(&mut self, log: &mut Log) {
        for unit in &mut self.s.units {
            unit.activated = false;
            unit.held_fire = false;
            unit.lost_galloper = false;
            unit.forced_march = false;
            unit.silenced = false;
        }
        for commander in &mut self.s.commanders {
            commander.activated = false;
            commander.dazed = false;
            commander.gout = false;
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
        self.push(Step::AskRelease(BLACK));
        self.push(Step::AskRelease(RED));
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
            self.push(Step::AskKing { side, window });
        } else {
            self.push(Step::KingWindow(window + 1));
        }
    }

    pub(crate) fn play_king(&mut self, side: Side, log: &mut Log) {
        if let Some(king) = self.s.kings[side.index()].pop() {
            self.s.deck.spend(king);
            let name = &self.b.names[side.index()];
            log.say(|| {
                Event::new("king_played", "VF-TURN-10")
                    .with("side", name.as_str())
                    .with("card", king.to_string())
            });
        }
        self.push(Step::Check);
        self.push(Step::AskActivate(side));
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
            Event::new("card", "VF-TURN-03").outcome(kind).with("card", card.to_string()).with("side", name)
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
                    Rank::JACK => self.push(Step::AskJack(side)),
                    Rank::QUEEN | Rank::ACE => {
                        if too {
                            self.push(Step::AskActivate(side));
                        }
                        self.push(if rank == Rank::QUEEN {
                            Step::AskQueen(side)
                        } else {
                            Step::AskAce(side)
                        });
                    }
                    Rank::KING => self.push(Step::AskKingNow(side)),
                    _ => self.push(Step::AskActivate(side)),
                }
            }
        }
    }

    pub(crate) fn hold_king(&mut self, side: Side, log: &mut Log) {
        if let Some(card) = self.s.card.take() {
            let _ = self.s.kings[side.index()].try_push(card);
        }
        let name = &self.b.names[side.index()];
        log.say(|| Event::new("king_held", "VF-TURN-09").with("side", name.as_str()));
    }

    /// Whether a Jack may be used so (VF-TURN-16).
    pub(crate) fn judge_jack(&self, own: bool) -> Result<(), Illegal> {
        if own && self.o().jack_use == JackUse::SpecialOnly {
            return no("VF-TURN-16", "by the option chosen a Jack gives no activation of one's own");
        }
        Ok(())
    }

    /// Whether a Queen may restore a unit (VF-TURN-14, -15).
    pub(crate) fn judge_restore(&self, side: Side, u: Nr) -> Result<(), Illegal> {
        if self.side(u) != side || !self.unit(u).here() {
            return no("VF-TURN-14", format!("{} is not a unit of yours on the table", self.name(u)));
        }
        if self.room_to_restore(u) == 0 {
            return no("VF-TURN-14", format!("{} has no lost figures to get back", self.name(u)));
        }
        Ok(())
    }

    fn room_to_restore(&self, u: Nr) -> u8 {
        let unit = self.unit(u);
        let lost = self.lost(u);
        match self.o().queen_effect {
            QueenEffect::RestoreFigures => lost,
            QueenEffect::HalfRestore => {
                let ever = unit.ever_lost.max(u16::from(lost));
                lost.min((ever / 2).saturating_sub(unit.restored) as u8)
            }
        }
    }

    /// Gives a unit d3 figures back, never beyond its start.
    pub(crate) fn restore(&mut self, u: Nr, clause: &'static str, chance: &mut dyn Chance, log: &mut Log) {
        let die = chance.d6("restore");
        let d3 = die.div_ceil(2);
        let back = d3.min(self.room_to_restore(u));
        let unit = self.unit_mut(u);
        unit.strength += back;
        unit.restored += u16::from(back);
        unit.settle();
        let (id, now) = (self.spec(u).id, self.unit(u).strength);
        log.say(|| {
            Event::new("figures_back", clause)
                .who(id)
                .faces(&[die])
                .made(i32::from(back))
                .with("left", now)
                .clause("VF-SCOPE-02")
        });
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

    /// Puts a commander down behind his host (VF-TURN-24).
    pub(crate) fn release(&mut self, c: Cr, log: &mut Log) {
        let Some(host) = self.commander(c).host else { return };
        let rect = self.unit(host).body.rect;
        let behind = rect.rear_edge().midpoint() - rect.frame().forward * (self.chief(c).level.base() * 0.5);
        self.commander_mut(c).host = None;
        let at = self.free_place(c, behind.round_to(0.001));
        let commander = self.commander_mut(c);
        commander.x = mils(at.x);
        commander.y = mils(at.y);
        let (who, whom) = (self.chief(c).id, self.spec(host).id);
        log.say(|| Event::new("released", "VF-TURN-24").who(who).whom(whom));
    }

    /// A commander rides by a card of his own (S-COMMANDER).
    pub(crate) fn start_ride(&mut self, c: Cr, chance: &mut dyn Chance, log: &mut Log) {
        self.commander_mut(c).activated = true;
        let pace = self.p().moves.commander;
        let roll = chance.sum("move", usize::from(pace.dice), 6);
        let allowance = crate::rulebook::inch(pace.inches) + roll.total * 1000;
        let id = self.chief(c).id;
        log.say(|| {
            Event::new("commander_rides", "VF-CMD-22")
                .who(id)
                .faces(&roll.faces)
                .with("inches", f64::from(allowance) / 1000.0)
        });
        self.push(Step::AskAttach { commander: c, group: false });
        self.push(Step::AskCommanderMove { commander: c, allowance });
    }

    /// Draws from the events deck, shuffling the discards in when it is empty (VF-EVENT-01).
    pub(crate) fn draw_event(&mut self, side: Side, chance: &mut dyn Chance, log: &mut Log) {
        if self.s.events.left().is_empty() {
            self.s.events.gather();
        }
        let Some(card) = self.s.events.draw(chance, "event") else { return };
        let (title, clause) =
            self.b.rulebook.event(card).map_or((card.name().to_owned(), "VF-EVENT-01".to_owned()), |t| {
                (t.title.clone(), t.clause.clone())
            });
        let name = &self.b.names[side.index()];
        log.say(|| {
            Event::new("event_drawn", &clause)
                .outcome(card.name())
                .with("title", title)
                .with("side", name.as_str())
        });
        self.s.events.spend(card);
        if card == EventCard::Parley {
            // The card in hand has been played; the turn is over (VF-EVENT-26).
            self.s.stack.clear();
            self.push(Step::EndTurn);
            return;
        }
        self.push(Step::AskEvent { side, card });
    }
}
