//! One who thinks for servers: a process of its own, on the same machine or another, that plays the programs' part and
//! nothing else. It keeps nothing; killed at any moment, it takes nothing with it but a thought.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{JoinSet, spawn_blocking};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};
use tricorne_agents::{Level, Player};
use tricorne_game::{Seat, Umpire};

use crate::passing::FELLOW;
use crate::thinking::{Answer, Answered, Asked, Offer};
use crate::{ServeError, Systems};

/// How often it is looked whether there are servers that nobody thinks for yet.
const LOOK: Duration = Duration::from_secs(2);

/// Battles kept at hand; others are told whole when they come again.
const AT_HAND: usize = 128;

/// For whom somebody thinks.
#[derive(Clone, Debug)]
pub enum Whom {
    /// Every server on a database, as they come and go.
    Database(String),
    /// One server, as long as it is there.
    Server {
        /// Where it is reached, `HOST:PORT`.
        address: String,
        /// Its key.
        key: String,
    },
}

/// How somebody thinks.
#[derive(Clone)]
pub struct ThinkerConfig {
    /// The rule systems.
    pub systems: Systems,
    /// For whom.
    pub whom: Whom,
    /// Decisions thought about at the same time.
    pub places: usize,
}

/// Thinks until `stop` is done; for one server, until it goes.
pub async fn think(config: ThinkerConfig, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
    tokio::select! {
        done = for_ever(config) => done,
        () = stop => Ok(()),
    }
}

async fn for_ever(config: ThinkerConfig) -> Result<(), ServeError> {
    let mind = Arc::new(Mind {
        systems: config.systems,
        places: config.places.max(1),
        threads: Semaphore::new(config.places.max(1)),
        at_hand: Mutex::default(),
    });
    let database = match config.whom {
        Whom::Server { address, key } => {
            return mind
                .serve(&address, &key)
                .await
                .map_err(|e| ServeError::Machine(format!("{address}: {e}")));
        }
        Whom::Database(database) => database,
    };
    // Said at once where there can be none.
    tricorne_store::servers(&database).await?;
    let mut served = BTreeSet::new();
    let mut tasks = JoinSet::new();
    loop {
        match tricorne_store::servers(&database).await {
            Ok(servers) => {
                for (address, key) in servers.into_iter().filter(|(_, key)| served.insert(key.clone())) {
                    let mind = Arc::clone(&mind);
                    tasks.spawn(async move {
                        if let Err(e) = mind.serve(&address, &key).await {
                            crate::log::note(
                                "a server can't be reached",
                                &[("server", &address), ("why", &e)],
                            );
                        }
                        key
                    });
                }
            }
            Err(e) => crate::log::note("the database can't be read", &[("why", &e)]),
        }
        tokio::time::sleep(LOOK).await;
        while let Some(gone) = tasks.try_join_next() {
            // Whoever is still there is tried again.
            match gone {
                Ok(key) => served.remove(&key),
                Err(_) => served.pop_last().is_some(),
            };
        }
    }
}

/// What one thinker knows.
struct Mind {
    systems: Systems,
    places: usize,
    threads: Semaphore,
    at_hand: Mutex<BTreeMap<String, Box<Umpire>>>,
}

impl Mind {
    /// Thinks for one server until it goes.
    async fn serve(self: &Arc<Self>, address: &str, key: &str) -> Result<(), tungstenite::Error> {
        let mut request = format!("ws://{address}/api/think").into_client_request()?;
        let key =
            key.parse().map_err(|_| tungstenite::Error::Url(tungstenite::error::UrlError::NoHostName))?;
        request.headers_mut().insert(FELLOW, key);
        let config = WebSocketConfig::default().max_message_size(Some(64 << 20));
        let (mut socket, _) =
            tokio_tungstenite::connect_async_with_config(request, Some(config), true).await?;
        let offer = serde_json::to_string(&Offer { places: self.places }).unwrap_or_default();
        socket.send(Message::text(offer)).await?;
        let (answers, mut thought) = mpsc::unbounded_channel::<Answered>();
        loop {
            tokio::select! {
                said = socket.next() => match said {
                    Some(Ok(Message::Text(text))) => {
                        let Ok(asked) = serde_json::from_str::<Asked>(&text) else { continue };
                        let (mind, answers) = (Arc::clone(self), answers.clone());
                        tokio::spawn(async move {
                            let answered = mind.answer(asked).await;
                            // The server may have gone meanwhile.
                            let _ = answers.send(answered);
                        });
                    }
                    Some(Ok(Message::Close(Some(why)))) if !why.reason.is_empty() => {
                        return Err(tungstenite::Error::Io(std::io::Error::other(why.reason.to_string())));
                    }
                    Some(Ok(Message::Close(_))) | None => return Ok(()),
                    Some(Ok(_)) => {}
                    Some(Err(e)) => return Err(e),
                },
                Some(answered) = thought.recv() => {
                    socket.send(Message::text(serde_json::to_string(&answered).unwrap_or_default())).await?;
                }
            }
        }
    }

    async fn answer(self: Arc<Self>, asked: Asked) -> Answered {
        let id = asked.id;
        let Ok(_thread) = self.threads.acquire().await else {
            return Answered { id, what: Answer::Failed("it stops".into()) };
        };
        let mind = Arc::clone(&self);
        let what = spawn_blocking(move || mind.decide(asked)).await;
        // Rules that panic lose nothing here either: the server asks elsewhere, and at last itself.
        let what = what.unwrap_or_else(|e| Answer::Failed(e.to_string()));
        Answered { id, what }
    }

    fn decide(&self, asked: Asked) -> Answer {
        let umpire = match self.followed(&asked) {
            Ok(umpire) => umpire,
            Err(answer) => return answer,
        };
        let level: Level = match asked.level.parse() {
            Ok(level) => level,
            Err(why) => return Answer::Differs(why),
        };
        let seat = Seat(asked.seat);
        let mut player = Player::new(level, asked.seed, seat).in_battle(&asked.game, seat).on_one_core();
        let thought = player.think_any(umpire.battle());
        let mut at_hand = self.at_hand.lock().unwrap_or_else(PoisonError::into_inner);
        if at_hand.len() >= AT_HAND {
            at_hand.pop_first();
        }
        at_hand.insert(asked.game, umpire);
        Answer::Action(thought.action)
    }

    /// The battle as far as it is to be thought about.
    fn followed(&self, asked: &Asked) -> Result<Box<Umpire>, Answer> {
        let known = self.at_hand.lock().unwrap_or_else(PoisonError::into_inner).remove(&asked.game);
        let mut umpire = match (&asked.header, known) {
            (Some(header), _) => {
                let system = self.systems.iter().copied().find(|s| s.about().id == header.ruleset);
                let system = system.ok_or_else(|| {
                    Answer::Differs(format!("there are no rules `{}` here", header.ruleset))
                })?;
                let begun = Umpire::begin_again(system, header);
                Box::new(begun.map_err(|fault| Answer::Differs(fault.to_string()))?)
            }
            (None, Some(umpire)) if umpire.turned().len() == asked.from => umpire,
            (None, _) => return Err(Answer::Unknown),
        };
        for (seat, action) in &asked.actions {
            umpire.act(Seat(*seat), action).map_err(|e| Answer::Differs(e.to_string()))?;
        }
        if umpire.battle().hash().to_string() == asked.hash {
            return Ok(umpire);
        }
        // What it remembered may be of a server that has died since, and whose last word was never kept.
        Err(if asked.header.is_none() {
            Answer::Unknown
        } else {
            Answer::Differs("it comes to another state".into())
        })
    }
}
