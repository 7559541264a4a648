//! Battles that are over: their journals, their moments, and going on from one of them.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::task::spawn_blocking;
use tricorne_chance::Draw;
use tricorne_game::journal::{Journal, JournalError};
use tricorne_game::view::{Clock, View};
use tricorne_game::{AnyBattle, Ending, Pending, Seat, Umpire};
use tricorne_store::{ActionRow, Game, SeatRow, Status};

use crate::error::ApiError;
use crate::facts::{ForkGame, GameFacts, Lobby, MadeGame, header_of, header_text};
use crate::lobby::{self, Begun, kept};
use crate::messages::{DrawShape, Told};
use crate::posted::{Posted, body};
use crate::sitting::play_again;
use crate::telling::{Ear, tell};
use crate::{App, now, secret};

/// Battles kept at hand, played out: scrubbing asks for many moments of one.
const AT_HAND: usize = 8;

/// A battle that is over, with every moment of it.
pub(crate) struct Replayed {
    umpire: Umpire,
    battles: Vec<Box<dyn AnyBattle>>,
}

impl Replayed {
    fn of(umpire: Umpire) -> Result<Self, String> {
        let header = umpire.header().clone();
        let mut again = Umpire::begin(umpire.system(), &header.scenario(), &header.choices, header.seed)
            .map_err(|fault| fault.to_string())?;
        let mut battles = vec![again.battle().boxed_clone()];
        for turned in umpire.turned() {
            again.act(turned.seat, &turned.action).map_err(|e| e.to_string())?;
            battles.push(again.battle().boxed_clone());
        }
        Ok(Self { umpire, battles })
    }

    /// What a seat saw after `n` actions.
    pub(crate) fn view(&self, n: u64, seat: Option<Seat>) -> Result<View, ApiError> {
        let battle = usize::try_from(n).ok().and_then(|n| self.battles.get(n));
        let battle = battle.ok_or_else(|| {
            ApiError::bad(format!(
                "this battle has {} actions; there is no moment {n}",
                self.battles.len() - 1
            ))
        })?;
        if let Some(seat) = seat.filter(|s| battle.seats().iter().all(|info| info.seat != *s)) {
            return Err(ApiError::bad(format!("this battle has no seat {}", seat.0)));
        }
        Ok(battle.view(seat))
    }
}

/// Battles at hand, the one used last at the end.
#[derive(Default)]
pub(crate) struct AtHand(Mutex<Vec<(String, Arc<Replayed>)>>);

impl AtHand {
    fn find(&self, id: &str) -> Option<Arc<Replayed>> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let i = list.iter().position(|(known, _)| known == id)?;
        let found = list.remove(i);
        let replayed = Arc::clone(&found.1);
        list.push(found);
        Some(replayed)
    }

    fn keep(&self, id: &str, replayed: &Arc<Replayed>) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|(known, _)| known != id);
        list.push((id.into(), Arc::clone(replayed)));
        if list.len() > AT_HAND {
            list.remove(0);
        }
    }
}

/// A game that is over; one that is not keeps its secrets.
async fn finished(app: &App, id: &str) -> Result<Game, ApiError> {
    let game = kept(app, id).await?;
    if game.status == Status::Playing { Err(ApiError::not_finished()) } else { Ok(game) }
}

/// A battle that is over, played out.
pub(crate) async fn replayed(app: &Arc<App>, id: &str) -> Result<Arc<Replayed>, ApiError> {
    let game = finished(app, id).await?;
    if let Some(replayed) = app.at_hand.find(id) {
        return Ok(replayed);
    }
    let system = app.known_system(&game.ruleset)?;
    let actions = app.store.actions(id).await?;
    let replayed = spawn_blocking(move || Replayed::of(play_again(system, &game, &actions)?)).await?;
    let replayed = Arc::new(replayed.map_err(|why| {
        ApiError::new(StatusCode::CONFLICT, "unverified", format!("this battle can't be played again: {why}"))
    })?);
    app.at_hand.keep(id, &replayed);
    Ok(replayed)
}

/// A moment asked for.
#[derive(Deserialize)]
pub(crate) struct AtMoment {
    pub(crate) n: Option<u64>,
    pub(crate) seat: Option<Seat>,
}

pub(crate) async fn view(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(at): Query<AtMoment>,
) -> Result<Json<View>, ApiError> {
    let replayed = replayed(&app, &id).await?;
    let n = at.n.unwrap_or(replayed.battles.len() as u64 - 1);
    Ok(Json(spawn_blocking(move || replayed.view(n, at.seat)).await??))
}

/// A battle that is over, moment by moment.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ReplayFacts {
    /// The game.
    game: GameFacts,
    /// What was published of the seed at the start.
    commitment: String,
    /// The seed.
    seed: String,
    /// Whether the one is the hash of the other.
    seed_fits: bool,
    /// How it ended; an uploaded journal may stop before.
    ending: Option<Ending>,
    /// The moment after each action, that before the first included.
    moments: Vec<Moment>,
}

/// The moment after an action.
#[derive(Serialize, JsonSchema)]
struct Moment {
    /// How many actions have been taken.
    n: u64,
    /// Who took the last of them.
    seat: Option<Seat>,
    /// What it was.
    action: Option<Value>,
    /// What came of it. Nothing is a secret any more.
    events: Vec<Told>,
    /// The dice and cards.
    #[schemars(with = "Vec<DrawShape>")]
    draws: Vec<Draw>,
    /// Figures and units on the table, by side.
    strength: Vec<(u32, u32)>,
    /// Where in the battle it is.
    clock: Clock,
}

fn moments(replayed: &Replayed) -> Vec<Moment> {
    let umpire = &replayed.umpire;
    let everything = umpire.battle().view(None);
    let told = tell(umpire, &everything, &Ear::All, 0, umpire.turned().len(), true);
    let moments = told.into_iter().zip(&replayed.battles).map(|(happened, battle)| {
        // Each side's own view, so that what was hidden counts too.
        let mut strength = vec![(0, 0); everything.sides.len()];
        let mut counted = Vec::new();
        for info in battle.seats() {
            for unit in battle.view(Some(info.seat)).units {
                if unit.on_table && unit.side == info.side && !counted.contains(&unit.id) {
                    counted.push(unit.id);
                    if let Some(side) = strength.get_mut(unit.side.index()) {
                        side.0 += unit.strength.0;
                        side.1 += 1;
                    }
                }
            }
        }
        let action = usize::try_from(happened.n)
            .ok()
            .and_then(|n| n.checked_sub(1))
            .and_then(|i| umpire.turned().get(i))
            .map(|t| t.action.clone());
        Moment {
            n: happened.n,
            seat: happened.seat,
            action,
            events: happened.events,
            draws: happened.draws,
            strength,
            clock: battle.view(None).clock,
        }
    });
    moments.collect()
}

pub(crate) async fn replay(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<ReplayFacts>, ApiError> {
    let replayed = replayed(&app, &id).await?;
    let game = kept(&app, &id).await?;
    let facts = GameFacts::of(&game, &app.store.seats(&id).await?);
    let answer = spawn_blocking(move || {
        let seed = replayed.umpire.header().seed;
        let ending = match replayed.umpire.battle().pending() {
            Pending::Over(ending) => Some(ending),
            Pending::Decision { .. } => None,
        };
        ReplayFacts {
            commitment: facts.commitment.clone(),
            seed: secret::seed_hex(seed),
            seed_fits: secret::commitment(seed) == facts.commitment,
            game: facts,
            ending,
            moments: moments(&replayed),
        }
    });
    Ok(Json(answer.await?))
}

pub(crate) async fn journal(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let game = finished(&app, &id).await?;
    let mut header = header_of(&game)?;
    let seats = app.store.seats(&id).await?;
    if header.players.is_empty() {
        header.players =
            seats.into_iter().map(|row| if row.name.is_empty() { row.kind } else { row.name }).collect();
    }
    let mut entries = Vec::new();
    for row in app.store.actions(&id).await? {
        entries.push(tricorne_game::journal::Entry {
            seat: Seat(row.seat),
            action: serde_json::from_str(&row.action).map_err(|e| ApiError::internal(&e))?,
            hash: row.hash.parse().map_err(|e: String| ApiError::internal(&e))?,
        });
    }
    let text = Journal { header, entries }.to_text();
    let name = format!("attachment; filename=\"{}-{id}.journal\"", game.ruleset);
    let headers =
        [(header::CONTENT_TYPE, "application/x-ndjson".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}

/// A journal kept.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Brought {
    /// The id of the game it is now.
    id: String,
    /// The path of its page.
    link: String,
    /// How many actions it has.
    actions: u64,
}

pub(crate) async fn bring_journal(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<(StatusCode, Json<Brought>), ApiError> {
    let bytes: Bytes = body(request, &()).await?;
    let (systems, id) = (app.config.systems, secret::game_id()?);
    let kept = {
        let id = id.clone();
        spawn_blocking(move || verified(systems, id, &bytes)).await??
    };
    let (game, seats, actions) = kept;
    let count = actions.len() as u64;
    app.store.create(game, seats, actions).await?;
    Ok((StatusCode::CREATED, Json(Brought { link: format!("/game/{id}"), id, actions: count })))
}

fn verified(
    systems: crate::Systems,
    id: String,
    bytes: &[u8],
) -> Result<(Game, Vec<SeatRow>, Vec<ActionRow>), ApiError> {
    let unverified = |e: JournalError| {
        let status = match e {
            JournalError::Truncated { .. } | JournalError::Unreadable(_) => StatusCode::BAD_REQUEST,
            JournalError::Altered(_) | JournalError::Differs { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        };
        ApiError::new(status, "unverified", e.to_string())
    };
    let journal = Journal::read(bytes).map_err(unverified)?;
    let system = systems.iter().copied().find(|s| s.about().id == journal.header.ruleset);
    let system = system
        .ok_or_else(|| ApiError::bad(format!("there are no rules `{}` here", journal.header.ruleset)))?;
    let umpire = journal.replay(system, None).map_err(unverified)?;
    let view = umpire.battle().view(None);
    let header = &journal.header;
    let game = Game {
        id,
        created: now(),
        ruleset: header.ruleset.clone(),
        scenario: header.scenario_name.trim_end_matches(".toml").to_owned(),
        title: view.title.clone(),
        header: header_text(header),
        seed: secret::seed_hex(header.seed),
        commitment: secret::commitment(header.seed),
        status: Status::Replay,
        public: false,
        watch: true,
        lobby: serde_json::to_string(&Lobby::default()).unwrap_or_default(),
        ending: umpire.battle().ending().and_then(|e| serde_json::to_string(&e).ok()),
        waiting: None,
        take_backs: 0,
        actions: 0,
    };
    let seats = view.seats.iter().enumerate().map(|(i, info)| SeatRow {
        seat: info.seat.0,
        side: info.side.0,
        seat_name: info.name.clone(),
        kind: "person".into(),
        name: header.players.get(i).map(|n| n.chars().take(40).collect()).unwrap_or_default(),
        token_hash: None,
        owner: None,
    });
    Ok((game, seats.collect(), rows(&umpire)))
}

fn rows(umpire: &Umpire) -> Vec<ActionRow> {
    let moment = now();
    let rows = umpire.turned().iter().enumerate().map(|(i, t)| ActionRow {
        n: i as i64 + 1,
        seat: t.seat.0,
        action: t.action.to_string(),
        hash: t.hash.to_string(),
        moment,
    });
    rows.collect()
}

pub(crate) async fn fork(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Posted(wish): Posted<ForkGame>,
) -> Result<(StatusCode, Json<MadeGame>), ApiError> {
    let game = finished(&app, &id).await?;
    let system = app.known_system(&game.ruleset)?;
    let mut actions = app.store.actions(&id).await?;
    let n = wish.n;
    if n > actions.len() as u64 {
        return Err(ApiError::bad(format!(
            "this battle has {} actions; there is no moment {n}",
            actions.len()
        )));
    }
    actions.truncate(n as usize);
    let (begun, actions) = {
        let game = game.clone();
        let again = spawn_blocking(move || {
            play_again(system, &game, &actions).map(|umpire| (Begun::of(&umpire), rows(&umpire)))
        });
        again.await?.map_err(|why| ApiError::new(StatusCode::CONFLICT, "unverified", why))?
    };
    let lobby = lobby::forked(&id, n, &game);
    let scenario = game.scenario.clone();
    let made = lobby::make(&app, &headers, wish.setting(), begun, scenario, lobby, actions).await?;
    Ok((StatusCode::CREATED, Json(made)))
}
