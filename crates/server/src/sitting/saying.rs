//! What the table says, to one and to all.

use std::sync::Arc;

use tricorne_game::Seat;
use tricorne_store::ChatRow;

use super::Sitting;
use crate::facts::GameFacts;
use crate::messages::{ChatLine, Present, Refused, Say};
use crate::now;
use crate::render::{ClockFacts, Listener, Occasion, Rendered};

impl Sitting {
    pub(super) fn occasion(&self, listeners: Vec<Listener>) -> Occasion {
        Occasion {
            listeners,
            take_backs: self.game.take_backs as u64,
            clock: self.lobby.clock.clone().map(|rule| ClockFacts {
                rule,
                acted: self.acted.clone(),
                now: now(),
            }),
            since: None,
            noticed: Arc::clone(&self.noticed),
            always: true,
            prologue: false,
            before: self.views.clone(),
            names: self.names.clone(),
        }
    }

    pub(super) fn say(&mut self, connection: u64, id: Option<u64>, say: Say) {
        self.send(connection, say.text(id));
    }

    pub(super) fn send(&mut self, connection: u64, text: String) {
        let slow = self.people.get(&connection).is_some_and(|p| !p.out.put(text));
        // It does not read what it is sent, or is gone. Its socket closes; it may come back and is told all again.
        if slow && let Some(person) = self.people.remove(&connection) {
            person.too_slow.notify_one();
            self.somebody_left = true;
        }
    }

    pub(super) fn say_to_all(&mut self, say: Say) {
        let text = say.text(None);
        let connections: Vec<u64> = self.people.keys().copied().collect();
        for connection in connections {
            self.send(connection, text.clone());
        }
    }

    pub(super) fn deliver(&mut self, rendered: Rendered) {
        for (connection, texts) in rendered.texts {
            for text in texts {
                self.send(connection, text);
            }
        }
        for (connection, seat) in rendered.shown {
            if let Some(person) = self.people.get_mut(&connection) {
                person.listener.shown = Some(seat);
            }
        }
        self.views.extend(rendered.views);
        self.names.extend(rendered.names);
    }

    /// Tells those who listen for the game, on whichever server, that it waits for somebody else.
    pub(super) fn ring_the_bell(&self) {
        self.app.bell.ring(&self.game);
        self.app.others.ring(&self.game);
    }

    pub(super) fn say_presence(&mut self) {
        let seats = self.seats.iter().map(|row| Present {
            seat: Seat(row.seat),
            kind: row.kind.clone(),
            name: row.name.clone(),
            here: row.kind.starts_with("program:")
                || self.people.values().any(|p| p.listener.seats.contains(&Seat(row.seat))),
        });
        let watching = self.people.values().filter(|p| p.listener.seats.is_empty()).count();
        let say = Say::Presence { seats: seats.collect(), watching };
        self.say_to_all(say);
    }

    pub(super) fn ending(&self) -> Say {
        let facts = GameFacts::of(&self.game, &[]);
        Say::Over { ending: facts.ending, seed: facts.seed.unwrap_or_default(), commitment: facts.commitment }
    }

    pub(super) async fn chat(&mut self, seats: &[Seat], text: &str) -> Result<(), Refused> {
        let Some(seat) = seats.first() else {
            return Err(Refused::new("spectator", "you are watching; only seats speak"));
        };
        let text = text.trim();
        if text.is_empty() || text.chars().count() > 500 || text.chars().any(|c| c.is_control() && c != '\n')
        {
            return Err(Refused::new("malformed", "say something of at most 500 characters"));
        }
        let Some(row) = self.seats.get(seat.index()) else { return Err(Refused::internal()) };
        let name = if row.name.is_empty() { &row.seat_name } else { &row.name };
        let row = ChatRow { moment: now(), seat: seat.0, name: name.clone(), line: text.into() };
        self.app.store.chat(&self.game.id, row.clone()).await.map_err(|e| {
            crate::log::note("the server could not do that", &[("why", &e)]);
            Refused::internal()
        })?;
        self.say_to_all(Say::Chat { lines: vec![chat_line(row)] });
        Ok(())
    }
}

pub(super) fn chat_line(row: ChatRow) -> ChatLine {
    ChatLine { at: row.moment, seat: Seat(row.seat), name: row.name, text: row.line }
}
