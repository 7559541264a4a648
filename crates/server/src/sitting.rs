//! One game being played: a task that holds the battle, hears every request about it in turn, and tells everybody.
//!
//! Whatever it tells of an action is told after the action is on disk. When it is left alone it puts the battle
//! away, and plays it again from its actions when somebody comes back.

mod acting;
mod asking;
mod board;
mod coming;
mod draw;
mod hours;
mod program;
mod saying;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::Instant;
use tricorne_agents::Thought;
use tricorne_game::view::View;
use tricorne_game::{Seat, Umpire};
use tricorne_store::{Game, SeatRow, Status, StoreError};

use crate::App;
use crate::facts::Lobby;
use crate::messages::{Ask, Hello, Refused, Say};
use crate::notice::{self, Noticed};
use crate::render::{Eye, Listener};
use crate::turn::Who;
use crate::untaken::Outbox;

/// What a table hears.
pub(crate) enum Note {
    /// Somebody comes; true if they were let in.
    Join {
        who: Who,
        hello: Hello,
        user: Option<String>,
        out: Outbox,
        too_slow: Arc<Notify>,
        let_in: oneshot::Sender<bool>,
    },
    /// Somebody asks.
    Ask { connection: u64, id: Option<u64>, ask: Ask },
    /// Somebody goes.
    Leave { connection: u64 },
    /// A program has decided.
    Thought { at: (usize, u64), seat: Seat, thought: Option<Thought> },
    /// Somebody took a seat, or a game was just made.
    Reseated,
    /// The players have left it at that.
    Ended,
    /// Another server leads the game now: this table is cleared, and whoever sits at it comes again.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "there is one server"))]
    Handed,
    /// What a spectator sees.
    Look { who: Who, seen: oneshot::Sender<Result<Arc<View>, Refused>> },
}

/// Somebody at the table.
struct Person {
    who: Who,
    out: Outbox,
    too_slow: Arc<Notify>,
    hashes: Vec<String>,
    user: Option<String>,
    listener: Listener,
    /// Odds are being counted for this connection; one count at a time.
    counting: Arc<AtomicBool>,
}

impl Person {
    fn holds(&self, row: &SeatRow) -> bool {
        row.kind == "person"
            && (row.token_hash.as_ref().is_some_and(|h| self.hashes.contains(h))
                || self.user.as_ref().is_some_and(|u| row.owner.as_ref() == Some(&u.to_lowercase())))
    }
}

/// Notes taken from the queue at once.
const AT_ONCE: usize = 64;

struct Sitting {
    app: Arc<App>,
    game: Game,
    lobby: Lobby,
    seats: Vec<SeatRow>,
    umpire: Option<Box<Umpire>>,
    /// Who noticed each action.
    noticed: Arc<Noticed>,
    /// How many actions were taken back, those included that nobody else noticed.
    back: u64,
    acted: Vec<(Seat, i64)>,
    views: BTreeMap<Eye, Arc<View>>,
    names: BTreeMap<Eye, Arc<View>>,
    people: BTreeMap<u64, Person>,
    /// Somebody was let go while they were spoken to; the others have not been told.
    somebody_left: bool,
    /// Another server leads the game.
    handed: bool,
    thinking: Option<(usize, u64)>,
    /// Decisions that a program could not make; not tried again until somebody acts.
    given_up: Option<(usize, u64)>,
    /// When a program is asked again whose answer the store did not take, and how long was waited for that.
    again: Option<Instant>,
    wait: Duration,
    /// The draw that is offered, if one is.
    offer: draw::Offer,
    /// How often the table was told that a subaltern answered for a program.
    stood_in: u32,
    own: mpsc::Sender<Note>,
    used: Instant,
    /// Whom the work being done is counted for.
    asking: Who,
}

/// Serves one game until it is left alone.
pub(crate) async fn sit(app: Arc<App>, id: String, own: mpsc::Sender<Note>, mut notes: mpsc::Receiver<Note>) {
    let opened = open(&app, &id, own).await;
    let mut sitting = match opened {
        Ok(sitting) => sitting,
        Err(refused) => {
            // Whoever waits is told, and the table is cleared away.
            while !app.hall.clear(&id, &mut notes) {
                if let Some(note) = notes.recv().await {
                    turn_away(note, &refused);
                }
            }
            while let Some(note) = notes.recv().await {
                turn_away(note, &refused);
            }
            app.others.cleared(&id);
            return;
        }
    };
    let mut waiting = Vec::new();
    loop {
        let wake = sitting.wake();
        tokio::select! {
            heard = notes.recv_many(&mut waiting, AT_ONCE) => {
                if heard == 0 {
                    return;
                }
                sitting.used = Instant::now();
                let newest = newest_wishes(&waiting);
                for (i, note) in waiting.drain(..).enumerate() {
                    if let Some((connection, id)) = overtaken(i, &note, &newest) {
                        sitting.say(connection, id, Say::Refused(Refused::overtaken()));
                    } else {
                        sitting.hear(note).await;
                    }
                }
            },
            () = tokio::time::sleep_until(wake) => {
                sitting.ring().await;
                if sitting.left_alone() && app.hall.clear(&id, &mut notes) {
                    app.others.cleared(&id);
                    return;
                }
            }
        }
        if sitting.handed {
            let refused = Refused::new("busy", "another server leads this game now; come back");
            while !app.hall.clear(&id, &mut notes) {
                if let Some(note) = notes.recv().await {
                    turn_away(note, &refused);
                }
            }
            return;
        }
    }
}

/// The place in the queue of each connection's newest wish. A drag asks with every frame; only where the hand is now
/// matters.
fn newest_wishes(waiting: &[Note]) -> BTreeMap<u64, usize> {
    let wishes = waiting.iter().enumerate().filter_map(|(i, note)| match note {
        Note::Ask { connection, ask: Ask::Steer(_), .. } => Some((*connection, i)),
        _ => None,
    });
    wishes.collect()
}

/// Whether a note is a wish with a newer one behind it, and whom to tell so.
fn overtaken(i: usize, note: &Note, newest: &BTreeMap<u64, usize>) -> Option<(u64, Option<u64>)> {
    match note {
        Note::Ask { connection, id, ask: Ask::Steer(_) }
            if newest.get(connection).is_some_and(|n| *n > i) =>
        {
            Some((*connection, *id))
        }
        _ => None,
    }
}

fn turn_away(note: Note, refused: &Refused) {
    match note {
        Note::Join { out, let_in, .. } => {
            out.put(Say::Refused(refused.clone()).text(None));
            let _ = let_in.send(false);
        }
        Note::Look { seen, .. } => {
            let _ = seen.send(Err(refused.clone()));
        }
        Note::Ask { .. }
        | Note::Leave { .. }
        | Note::Thought { .. }
        | Note::Reseated
        | Note::Ended
        | Note::Handed => {}
    }
}

async fn open(app: &Arc<App>, id: &str, own: mpsc::Sender<Note>) -> Result<Sitting, Refused> {
    let kept = async {
        let game = app.store.game(id).await?;
        Ok::<_, StoreError>(match game {
            Some(game) => Some((game, app.store.seats(id).await?)),
            None => None,
        })
    };
    match kept.await {
        Ok(Some((game, seats))) => Ok(Sitting {
            app: Arc::clone(app),
            lobby: serde_json::from_str(&game.lobby).unwrap_or_default(),
            noticed: Arc::default(),
            back: game.take_backs as u64,
            game,
            seats,
            umpire: None,
            acted: Vec::new(),
            views: BTreeMap::new(),
            names: BTreeMap::new(),
            people: BTreeMap::new(),
            somebody_left: false,
            handed: false,
            thinking: None,
            given_up: None,
            offer: draw::Offer::default(),
            stood_in: 0,
            again: None,
            wait: Duration::ZERO,
            own,
            used: Instant::now(),
            asking: Who::HOUSE,
        }),
        Ok(None) => Err(Refused::new("gone", "there is no such game here; look at the link again")),
        Err(e) => {
            crate::log::note("the server could not do that", &[("why", &e)]);
            Err(Refused::internal())
        }
    }
}

impl Sitting {
    fn at(&self) -> (usize, u64) {
        (self.game.actions as usize, self.back)
    }

    /// How many actions somebody with these seats has noticed: the number the last one has for him.
    fn told(&self, seats: &[Seat]) -> u64 {
        self.noticed.count(notice::listener(seats), self.at().0) as u64
    }

    fn over(&self) -> bool {
        self.game.status != Status::Playing
    }

    fn everybody(&self) -> Vec<Listener> {
        self.people.values().map(|p| p.listener.clone()).collect()
    }

    /// Whom work is counted for: whoever asks; where a program plays or a clock runs out, somebody at the table.
    fn on_behalf(&self, note: &Note) -> Who {
        let asks = match note {
            Note::Join { who, .. } | Note::Look { who, .. } => return *who,
            Note::Ask { connection, .. } => self.people.get(connection),
            _ => None,
        };
        let seated = || self.people.values().find(|p| !p.listener.seats.is_empty());
        asks.or_else(seated).or_else(|| self.people.values().next()).map_or(Who::HOUSE, |p| p.who)
    }

    async fn hear(&mut self, note: Note) {
        self.asking = self.on_behalf(&note);
        match note {
            Note::Join { who, hello, user, out, too_slow, let_in } => {
                let connection = who.connection;
                let person = self.newcomer(who, &hello, user, out, too_slow);
                let out = person.out.clone();
                match self.join(person, &hello).await {
                    Ok(()) => {
                        let _ = let_in.send(true);
                    }
                    Err(refused) => {
                        self.people.remove(&connection);
                        out.put(Say::Refused(refused).text(None));
                        let _ = let_in.send(false);
                    }
                }
            }
            Note::Ask { connection, id, ask } => {
                if let Err(refused) = self.answer(connection, id, ask).await {
                    self.say(connection, id, Say::Refused(refused));
                }
            }
            Note::Leave { connection } => {
                if self.people.remove(&connection).is_some() {
                    self.say_presence();
                }
            }
            Note::Thought { at, seat, thought } => self.thought(at, seat, thought).await,
            Note::Reseated => self.reseated().await,
            Note::Ended => self.ended().await,
            Note::Handed => {
                for person in std::mem::take(&mut self.people).into_values() {
                    person.too_slow.notify_one();
                }
                self.handed = true;
            }
            Note::Look { seen, .. } => {
                let view = match self.rules(|umpire| Arc::new(umpire.battle().view(None))).await {
                    Ok(_) if !self.game.watch => {
                        Err(Refused::new("unknown_token", "this battle is not to be watched"))
                    }
                    other => other,
                };
                let _ = seen.send(view);
            }
        }
        while std::mem::take(&mut self.somebody_left) {
            self.say_presence();
        }
    }
}
