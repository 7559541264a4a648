//! Where programs think: on threads of this process, or in others that have come to do it for us (`tricorne think`), here or
//! on other machines. Fair between games either way.
//!
//! Nothing depends on a thinker. What it is asked is asked of the next when it goes, or when it is too long about it; what
//! it answers is judged by the rules like anybody's answer. A thinker knows the battle whole, its dice to come included: it
//! is let in by the key that servers know each other by, which stands in the database they share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use futures_util::{SinkExt, StreamExt};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout};
use tricorne_agents::{Level, Player, Thought};
use tricorne_chance::Seed;
use tricorne_game::journal::Header;
use tricorne_game::{AnyBattle, Seat, Umpire};

use crate::App;
use crate::error::ApiError;
use crate::passing::FELLOW;
use crate::shares::{Shares, Turn};
use crate::workroom::Workroom;

/// A thinker that has not answered for so long is let go, and another is asked. No guest's program may think so long.
const WITHIN: Duration = Duration::from_mins(1);

/// How often a question goes elsewhere: one that nobody survives would go round for ever.
const ASKED_ELSEWHERE: usize = 4;

/// How often a quiet thinker is asked whether it is there.
const PING: Duration = Duration::from_secs(10);

/// The biggest thing a thinker says.
const ANSWER: usize = 1 << 20;

/// Games a thinker is taken to remember; it says so when it does not.
const REMEMBERED: usize = 256;

/// A decision that a program must make.
pub(crate) struct Question {
    pub(crate) game: String,
    pub(crate) at: (usize, u64),
    pub(crate) seat: Seat,
    pub(crate) level: Level,
    pub(crate) seed: Seed,
    pub(crate) battle: Box<dyn AnyBattle>,
    /// How the battle came to this, for those who think elsewhere; none if it can only be thought of here.
    pub(crate) course: Option<Course>,
}

/// A battle from its start.
pub(crate) struct Course {
    header: Header,
    actions: Vec<(u8, Value)>,
    hash: String,
}

impl Course {
    pub(crate) fn of(umpire: &Umpire) -> Self {
        Self {
            header: umpire.header().clone(),
            actions: umpire.turned().iter().map(|t| (t.seat.0, t.action.clone())).collect(),
            hash: umpire.battle().hash().to_string(),
        }
    }
}

/// What a thinker says first.
#[derive(Serialize, Deserialize)]
pub(crate) struct Offer {
    /// Decisions it can think about at the same time.
    pub(crate) places: usize,
}

/// What a thinker is asked.
#[derive(Serialize, Deserialize)]
pub(crate) struct Asked {
    pub(crate) id: u64,
    pub(crate) game: String,
    pub(crate) seat: u8,
    pub(crate) level: String,
    pub(crate) seed: Seed,
    /// The battle's start, if the thinker need not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) header: Option<Header>,
    /// How many actions it knows already, and those that follow.
    pub(crate) from: usize,
    pub(crate) actions: Vec<(u8, Value)>,
    /// What it must come to.
    pub(crate) hash: String,
}

/// What a thinker answers.
#[derive(Serialize, Deserialize)]
pub(crate) struct Answered {
    pub(crate) id: u64,
    #[serde(flatten)]
    pub(crate) what: Answer,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    /// What the program would do.
    Action(Value),
    /// It does not know the battle so far; it must be told whole.
    Unknown,
    /// It could not think about it.
    Failed(String),
    /// The battle does not come to what it should: it is of another release.
    Differs(String),
}

/// Work on its way to a thinker.
struct Work {
    question: Arc<Question>,
    /// Up to which action the thinker knows the battle.
    from: usize,
    reply: oneshot::Sender<Value>,
}

struct Thinker {
    places: usize,
    busy: usize,
    work: mpsc::UnboundedSender<Work>,
    /// The games it knows: how often something was taken back, and up to which action.
    knows: BTreeMap<String, (u64, usize)>,
}

/// Where programs think.
pub(crate) struct Thinking {
    shares: Arc<Shares<String>>,
    here: usize,
    workroom: Arc<Workroom>,
    thinkers: Mutex<BTreeMap<u64, Thinker>>,
}

impl Thinking {
    /// With so many places of our own, which are used while nobody else has come.
    pub(crate) fn new(here: usize, workroom: Arc<Workroom>) -> Self {
        Self { shares: Shares::new(here, usize::MAX), here, workroom, thinkers: Mutex::default() }
    }

    /// How many think and how many wait.
    pub(crate) fn load(&self) -> (usize, usize) {
        self.shares.load()
    }

    fn thinkers(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, Thinker>> {
        self.thinkers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Places elsewhere.
    pub(crate) fn elsewhere(&self) -> usize {
        self.thinkers().values().map(|t| t.places).sum()
    }

    /// Whether a decision of such a program is worth a journey: one that takes any answer has thought before the question is
    /// on its way, a program of the keeper's own is started where it was named, and counted tries may take any time.
    pub(crate) fn travels(&self, level: Level) -> bool {
        let name = level.to_string();
        let here = level == Level::Random || name.ends_with("it") || name.parse() != Ok(level);
        !here && !self.thinkers().is_empty()
    }

    /// What a program decides. Lower ranks come first.
    pub(crate) async fn think(&self, question: Question, rank: u8) -> Option<Thought> {
        let question = Arc::new(question);
        // Whoever thought about it may go, and what was thought is lost: then it is asked again, at last of ourselves.
        for _ in 0..ASKED_ELSEWHERE {
            let turn = self.shares.turn(question.game.clone(), 0, rank).await.ok()?;
            let Some(reply) = self.hand_out(&question) else { return self.think_here(question, turn).await };
            if let Ok(action) = reply.await {
                drop(turn);
                let (candidates, tries, decisions) = (Vec::new(), 0, 0);
                return Some(Thought { action, candidates, tries, decisions, stood_in: None });
            }
        }
        let turn = self.shares.turn(question.game.clone(), 0, rank).await.ok()?;
        self.think_here(question, turn).await
    }

    /// Thinks on a thread of this process.
    async fn think_here(&self, question: Arc<Question>, turn: Turn<String>) -> Option<Thought> {
        let thought = self.workroom.does(move || {
            // A program of the keeper's own is started for this one decision: however many battles sleep here, no process
            // sleeps with them.
            let player = Player::new(question.level, question.seed, question.seat);
            let mut player = player.in_battle(&question.game, question.seat).on_one_core();
            let thought = player.think_any(question.battle.as_ref());
            drop(player);
            drop(turn);
            thought
        });
        thought.await.map_err(|e| crate::log::note("a program failed", &[("why", &e)])).ok()
    }

    /// Gives a question to the thinker who knows most of its battle, of those who have a place free.
    fn hand_out(&self, question: &Arc<Question>) -> Option<oneshot::Receiver<Value>> {
        let course = question.course.as_ref()?;
        let known = |t: &Thinker| match t.knows.get(&question.game) {
            Some((back, n)) if *back == question.at.1 && *n <= course.actions.len() => *n,
            _ => 0,
        };
        let mut thinkers = self.thinkers();
        let free = thinkers.values_mut().filter(|t| t.busy < t.places);
        let thinker = free.max_by_key(|t| (known(t), t.places - t.busy))?;
        let from = known(thinker);
        if thinker.knows.len() >= REMEMBERED {
            thinker.knows.clear();
        }
        thinker.knows.insert(question.game.clone(), (question.at.1, course.actions.len()));
        let (reply, answer) = oneshot::channel();
        thinker.work.send(Work { question: Arc::clone(question), from, reply }).ok()?;
        thinker.busy += 1;
        Some(answer)
    }

    fn join(&self, places: usize) -> (u64, mpsc::UnboundedReceiver<Work>) {
        static THINKERS: AtomicU64 = AtomicU64::new(0);
        let id = THINKERS.fetch_add(1, Ordering::Relaxed);
        let (work, waiting) = mpsc::unbounded_channel();
        self.thinkers().insert(id, Thinker { places, busy: 0, work, knows: BTreeMap::new() });
        self.resize();
        (id, waiting)
    }

    fn freed(&self, id: u64) {
        if let Some(thinker) = self.thinkers().get_mut(&id) {
            thinker.busy = thinker.busy.saturating_sub(1);
        }
    }

    fn leave(&self, id: u64) {
        self.thinkers().remove(&id);
        self.resize();
    }

    /// As many think at a time as there are places: elsewhere, or here while there are none.
    fn resize(&self) {
        let elsewhere = self.elsewhere();
        self.shares.resize(if elsewhere == 0 { self.here } else { elsewhere });
    }
}

/// A thinker comes.
pub(crate) async fn come(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let key = headers.get(FELLOW).and_then(|key| key.to_str().ok()).unwrap_or_default();
    if !app.is_ours(key) {
        let why = "this door is for those who think for this server, by the key in its database";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "not_yours", why));
    }
    Ok(upgrade.max_message_size(ANSWER).max_frame_size(ANSWER).on_upgrade(move |socket| attend(app, socket)))
}

async fn attend(app: Arc<App>, mut socket: WebSocket) {
    let first = timeout(PING, socket.recv()).await;
    let Ok(Some(Ok(Message::Text(text)))) = first else { return };
    let Ok(offer) = serde_json::from_str::<Offer>(&text) else { return };
    let places = offer.places.clamp(1, 1024);
    let (id, work) = app.thinking.join(places);
    crate::log::note("a thinker has come", &[("thinker", &id), ("places", &places)]);
    let why = converse(&app, id, work, socket).await;
    app.thinking.leave(id);
    crate::log::note("a thinker has gone", &[("thinker", &id), ("why", &why)]);
}

/// Asks and hears until one of the two goes; why. Whoever waits for an answer then is told by the loss of its reply.
async fn converse(
    app: &App,
    id: u64,
    mut work: mpsc::UnboundedReceiver<Work>,
    socket: WebSocket,
) -> &'static str {
    let (mut sink, mut stream) = socket.split();
    let mut open: BTreeMap<u64, (Work, Instant)> = BTreeMap::new();
    let mut number = 0;
    let mut heard = Instant::now();
    loop {
        let late = open.values().map(|(_, since)| *since + WITHIN).min();
        let wake = late.map_or(heard + PING, |late| late.min(heard + PING)).max(Instant::now());
        let message = tokio::select! {
            some = work.recv() => {
                let Some(some) = some else { return "it was let go" };
                number += 1;
                let text = asked(number, &some, some.from);
                open.insert(number, (some, Instant::now()));
                Message::text(text)
            }
            said = stream.next() => {
                heard = Instant::now();
                let text = match said {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Binary(_))) => return "it says what can't be read",
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return "it closed the connection",
                };
                let Ok(answered) = serde_json::from_str::<Answered>(&text) else {
                    return "it says what can't be read";
                };
                let Some((some, since)) = open.remove(&answered.id) else { continue };
                match answered.what {
                    Answer::Action(action) => {
                        let _ = some.reply.send(action);
                        app.thinking.freed(id);
                        continue;
                    }
                    Answer::Unknown => {
                        let text = asked(answered.id, &some, 0);
                        open.insert(answered.id, (some, since));
                        Message::text(text)
                    }
                    Answer::Failed(why) => {
                        crate::log::note("a thinker failed", &[("thinker", &id), ("why", &why)]);
                        app.thinking.freed(id);
                        continue;
                    }
                    Answer::Differs(why) => {
                        crate::log::note("a thinker plays by other rules", &[("thinker", &id), ("why", &why)]);
                        let reason = "your battles come out differently: you are of another release".into();
                        let _ = sink.send(Message::Close(Some(CloseFrame { code: 1008, reason }))).await;
                        return "it is of another release";
                    }
                }
            }
            () = tokio::time::sleep_until(wake) => {
                if late.is_some_and(|late| late <= Instant::now()) {
                    return "it did not answer";
                }
                if heard.elapsed() > PING * 3 {
                    return "it is not heard of";
                }
                Message::Ping(axum::body::Bytes::new())
            }
        };
        // One that does not read is as good as gone.
        if !matches!(timeout(PING, sink.send(message)).await, Ok(Ok(()))) {
            return "it does not listen";
        }
    }
}

fn asked(id: u64, work: &Work, from: usize) -> String {
    let question = &work.question;
    let Some(course) = &question.course else { return String::new() };
    let asked = Asked {
        id,
        game: question.game.clone(),
        seat: question.seat.0,
        level: question.level.to_string(),
        seed: question.seed,
        header: (from == 0).then(|| course.header.clone()),
        from,
        actions: course.actions.get(from..).unwrap_or_default().to_vec(),
        hash: course.hash.clone(),
    };
    serde_json::to_string(&asked).unwrap_or_default()
}
