//! The bell: whoever has games going hears when it is their decision, whatever page they are on.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio::time::{Instant, interval_at};
use tricorne_game::Seat;
use tricorne_store::{Game, SeatRow, Status, StoreError};

use crate::JsonSchema;
use crate::error::ApiError;
use crate::facts::known;
use crate::gate::{Bucket, Visit};
use crate::messages::Refused;
use crate::{App, MESSAGE_SIZE, accounts, live, secret};

/// How often in a row a connection may say what it listens for.
const WATCHES: u32 = 10;

/// Games that one connection may listen for.
const HELD: usize = 200;

/// What a client says on `/api/live`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum LobbyAsk {
    /// Tell me of these games and of those under my name, now and whenever somebody else must decide. Said again, it
    /// takes the place of what was said before.
    Watch {
        /// Games we hold a token of.
        #[serde(default)]
        games: Vec<Held>,
    },
    /// Is anybody there?
    Ping {},
}

/// A game that somebody has a link of.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// Its id.
    pub id: String,
    /// The token of one's seat.
    #[serde(default)]
    pub token: Option<String>,
}

/// What the server says on `/api/live`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LobbySay {
    /// Every game listened for. One that is not here is not kept here.
    Games {
        /// The games, those that wait for us first.
        list: Vec<News>,
    },
    /// Somebody else must decide in one of them, or it is over.
    News(News),
    /// The message changed nothing.
    Refused(Refused),
    /// Somebody is there.
    Pong {},
}

/// Where a game stands, for a list and a badge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct News {
    /// The game's id.
    pub game: String,
    /// What the players call it.
    pub title: String,
    /// The rule system.
    pub ruleset: String,
    /// `playing`, `finished`, `closed` or `replay`.
    pub status: String,
    /// How many actions have been taken.
    pub n: u64,
    /// The seat that must decide.
    pub waiting: Option<Seat>,
    /// The seats we play.
    pub your_seats: Vec<Seat>,
    /// Whether the decision is ours.
    pub yours: bool,
}

/// What a table rings the bell with.
#[derive(Clone, Debug)]
pub(crate) struct Ring {
    pub(crate) game: String,
    pub(crate) status: Status,
    pub(crate) n: u64,
    pub(crate) waiting: Option<Seat>,
}

type Ears = Vec<(u64, mpsc::Sender<Ring>)>;

/// Who listens for which game.
#[derive(Default)]
pub(crate) struct Bell(Mutex<BTreeMap<String, Ears>>);

impl Bell {
    /// Tells those who listen for a game where it stands now.
    pub(crate) fn ring(&self, game: &Game) {
        self.heard(&Ring {
            game: game.id.clone(),
            status: game.status,
            n: known(game),
            waiting: game.waiting.map(Seat),
        });
    }

    /// The same, from wherever it was rung.
    pub(crate) fn heard(&self, ring: &Ring) {
        let mut ears = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(listening) = ears.get_mut(&ring.game) else { return };
        // Who does not keep up is told when it asks again.
        for (_, ear) in listening {
            let _ = ear.try_send(ring.clone());
        }
    }

    fn listen(&self, listener: u64, games: &[String], ear: &mpsc::Sender<Ring>) {
        let mut ears = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        forget(&mut ears, listener);
        for game in games {
            ears.entry(game.clone()).or_default().push((listener, ear.clone()));
        }
    }

    fn leave(&self, listener: u64) {
        forget(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner), listener);
    }
}

fn forget(ears: &mut BTreeMap<String, Ears>, listener: u64) {
    ears.retain(|_, listening| {
        listening.retain(|(known, _)| *known != listener);
        !listening.is_empty()
    });
}

/// Upgrades a request to a connection that hears the bell.
pub(crate) async fn listen(
    State(app): State<Arc<App>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let visit = live::enter(&app, address, &headers)?;
    let user = accounts::user(&app, &headers).await?;
    Ok(live::small(upgrade).on_upgrade(move |socket| serve(app, user, socket, visit)))
}

/// The games a connection listens for, by id.
type Known = BTreeMap<String, News>;

async fn serve(app: Arc<App>, user: Option<String>, mut socket: WebSocket, visit: Visit) {
    static LISTENERS: AtomicU64 = AtomicU64::new(0);
    let me = LISTENERS.fetch_add(1, Ordering::Relaxed);
    let limits = &app.config.limits;
    let mut bucket = Bucket::full(limits.messages_burst);
    // Each looks up to two hundred games up.
    let mut watches = Bucket::full(WATCHES);
    let mut beat = interval_at(Instant::now() + limits.ping, limits.ping);
    let (ear, mut rings) = mpsc::channel(HELD);
    let mut known = Known::new();
    loop {
        let say = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    if !bucket.take(limits.messages_per_second, limits.messages_burst) {
                        break;
                    }
                    match read(&text) {
                        Ok(LobbyAsk::Ping {}) => LobbySay::Pong {},
                        Ok(LobbyAsk::Watch { .. }) if !watches.take(1, WATCHES) => {
                            LobbySay::Refused(Refused::new("too_fast", "once a second is enough to say what you watch"))
                        }
                        Ok(LobbyAsk::Watch { games }) => match watch(&app, user.as_deref(), games, me, &ear).await {
                            Ok(found) => {
                                known = found;
                                let mut list: Vec<News> = known.values().cloned().collect();
                                list.sort_by_key(|news| !news.yours);
                                LobbySay::Games { list }
                            }
                            Err(refused) => LobbySay::Refused(refused),
                        },
                        Err(refused) => LobbySay::Refused(refused),
                    }
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_)))
                    if bucket.take(limits.messages_per_second, limits.messages_burst) =>
                {
                    continue;
                }
                _ => break,
            },
            ring = rings.recv() => {
                let Some(news) = ring.and_then(|ring| heard(&mut known, &ring)) else { continue };
                LobbySay::News(news)
            }
            _ = beat.tick() => {
                if socket.send(Message::Ping(Bytes::new())).await.is_err() {
                    break;
                }
                continue;
            }
        };
        let text = serde_json::to_string(&say).unwrap_or_default();
        if socket.send(Message::text(text)).await.is_err() {
            break;
        }
    }
    app.bell.leave(me);
    drop(visit);
}

fn read(text: &str) -> Result<LobbyAsk, Refused> {
    if text.len() > MESSAGE_SIZE {
        return Err(Refused::new("too_big", "the message is too big"));
    }
    serde_json::from_str(text).map_err(|e| Refused::new("malformed", tricorne_game::unread(&e)))
}

/// What is new to a listener in a ring, if anything is.
fn heard(known: &mut Known, ring: &Ring) -> Option<News> {
    let news = known.get_mut(&ring.game)?;
    let after = News {
        status: ring.status.as_str().into(),
        n: ring.n,
        waiting: ring.waiting,
        yours: ring.waiting.is_some_and(|seat| news.your_seats.contains(&seat)),
        ..news.clone()
    };
    let changed = after.waiting != news.waiting || after.status != news.status;
    *news = after;
    changed.then(|| news.clone())
}

async fn watch(
    app: &App,
    user: Option<&str>,
    games: Vec<Held>,
    me: u64,
    ear: &mpsc::Sender<Ring>,
) -> Result<Known, Refused> {
    if games.len() > HELD {
        return Err(Refused::new("malformed", format!("at most {HELD} games can be listened for")));
    }
    // We listen first and look then, so that nothing that happens between is missed.
    let failed = |e: StoreError| {
        crate::log::note("the server could not do that", &[("why", &e)]);
        Refused::internal()
    };
    let under_name = match user {
        Some(name) => app.store.games_of(name, HELD as i64).await.map_err(failed)?,
        None => Vec::new(),
    };
    let mut hashes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for game in &under_name {
        hashes.entry(game.id.clone()).or_default();
    }
    for held in games {
        let hash = held.token.as_deref().map(secret::hash);
        hashes.entry(held.id).or_default().extend(hash);
    }
    let ids: Vec<String> = hashes.keys().cloned().collect();
    app.bell.listen(me, &ids, ear);
    let mut known = Known::new();
    for (id, hashes) in hashes {
        let Some(game) = app.store.game(&id).await.map_err(failed)? else { continue };
        let seats = app.store.seats(&id).await.map_err(failed)?;
        known.insert(id, news(&game, &seats, user, &hashes));
    }
    Ok(known)
}

/// Where a game stands for somebody with these tokens and this name.
fn news(game: &Game, seats: &[SeatRow], user: Option<&str>, hashes: &[String]) -> News {
    let key = user.map(str::to_lowercase);
    let mine = seats.iter().filter(|row| {
        row.kind == "person"
            && (row.token_hash.as_ref().is_some_and(|h| hashes.contains(h))
                || row.owner.is_some() && row.owner == key)
    });
    let your_seats: Vec<Seat> = mine.map(|row| Seat(row.seat)).collect();
    let waiting = game.waiting.map(Seat);
    News {
        game: game.id.clone(),
        title: game.title.clone(),
        ruleset: game.ruleset.clone(),
        status: game.status.as_str().into(),
        n: known(game),
        waiting,
        yours: waiting.is_some_and(|seat| your_seats.contains(&seat)),
        your_seats,
    }
}
