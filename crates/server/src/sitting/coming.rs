//! Who comes to the table, and who sits where.

use std::sync::Arc;

use tokio::sync::Notify;
use tricorne_game::Seat;

use super::saying::chat_line;
use super::{Person, Sitting};
use crate::facts::GameFacts;
use crate::messages::{Hello, Refused, Say};
use crate::notice;
use crate::render::{Listener, render};
use crate::secret;
use crate::turn::Who;
use crate::untaken::Outbox;

impl Sitting {
    pub(super) fn newcomer(
        &self,
        who: Who,
        hello: &Hello,
        user: Option<String>,
        out: Outbox,
        too_slow: Arc<Notify>,
    ) -> Person {
        let hashes = hello.token.iter().chain(&hello.tokens).map(|t| secret::hash(t)).collect();
        let listener = Listener {
            connection: who.connection,
            seats: Vec::new(),
            look: None,
            views: hello.views,
            shown: None,
        };
        let mut person = Person { who, out, too_slow, hashes, user, listener, counting: Arc::default() };
        person.listener.seats =
            self.seats.iter().filter(|row| person.holds(row)).map(|row| Seat(row.seat)).collect();
        person
    }

    pub(super) async fn join(&mut self, person: Person, hello: &Hello) -> Result<(), Refused> {
        let listener = person.listener.clone();
        let connection = listener.connection;
        if listener.seats.is_empty() {
            if !person.hashes.is_empty() {
                return Err(Refused::new(
                    "unknown_token",
                    "this link fits no seat of this game; ask for it again, or come without it to watch",
                ));
            }
            if !self.game.watch {
                return Err(Refused::new(
                    "unknown_token",
                    "this battle is not to be watched; a seat's link is needed",
                ));
            }
        }
        self.load().await?;
        let said = self.app.store.chats(&self.game.id, 200).await.map_err(|e| {
            crate::log::note("the server could not do that", &[("why", &e)]);
            Refused::internal()
        })?;
        let mut occasion = self.occasion(vec![listener.clone()]);
        let n = self.at().0;
        let since = self.noticed.taken(notice::listener(&listener.seats), hello.since as usize, n);
        occasion.since = Some(since.unwrap_or(n));
        occasion.prologue = hello.since == 0;
        let rendered = self.rules(move |umpire| render(umpire, &occasion)).await?;
        self.people.insert(connection, person);
        let game = Box::new(GameFacts::of(&self.game, &self.seats));
        self.say(connection, None, Say::Welcome { game, your_seats: listener.seats });
        if !said.is_empty() {
            let lines = said.into_iter().map(chat_line).collect();
            self.say(connection, None, Say::Chat { lines });
        }
        // Others with the same view keep theirs as the one they were sent last; this one is the same moment.
        self.deliver(rendered);
        if self.over() {
            let over = self.ending();
            self.say(connection, None, over);
        } else if let Some(offered) = self.offered() {
            self.say(connection, None, offered);
        }
        self.say_presence();
        Ok(())
    }

    /// The players have left it at that: everybody is told.
    pub(super) async fn ended(&mut self) {
        if let Ok(Some(game)) = self.app.store.game(&self.game.id).await {
            self.game = game;
        }
        if self.over() {
            let over = self.ending();
            self.say_to_all(over);
            self.ring_the_bell();
        }
    }

    pub(super) async fn reseated(&mut self) {
        match self.app.store.seats(&self.game.id).await {
            Ok(seats) => self.seats = seats,
            Err(e) => {
                crate::log::note("the server could not do that", &[("why", &e)]);
                return;
            }
        }
        let seats = self.seats.clone();
        let mut changed = false;
        for person in self.people.values_mut() {
            let held: Vec<Seat> =
                seats.iter().filter(|row| person.holds(row)).map(|row| Seat(row.seat)).collect();
            if held != person.listener.seats {
                person.listener.seats = held;
                person.listener.shown = None;
                changed = true;
            }
        }
        self.say_presence();
        if changed {
            let occasion = self.occasion(self.everybody());
            if let Ok(rendered) = self.rules(move |umpire| render(umpire, &occasion)).await {
                self.deliver(rendered);
            }
        }
        if self.load().await.is_ok() {
            self.consider();
        }
    }
}
