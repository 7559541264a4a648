//! Battles looked back on: their journals, their moments, and going on from one of them.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tricorne_game::journal::{Header, Journal, JournalError};
use tricorne_game::view::View;
use tricorne_game::ways::{Scene, go_on, throws};
use tricorne_game::{Ending, Seat, Umpire, as_played, side_in_words};
use tricorne_store::{ActionRow, Game, SeatRow, Status};

use crate::JsonSchema;
use crate::again::{self, play_again};
use crate::error::ApiError;
use crate::facts::{ForkGame, ForkedFrom, GameFacts, Lobby, MadeGame, header_of, header_text};
use crate::keepsake::{Film, SCENES};
use crate::lobby::{self, Begun, kept};
use crate::moments::{Decisive, Moment, decisive, moments, seen};
use crate::notice::{self, Noticed};
use crate::posted::{Posted, body};
use crate::turn::Who;
use crate::{App, accounts, bounds, now, secret};

/// Battles kept at hand, played out: scrubbing asks for many moments of one.
const AT_HAND: usize = 8;

/// A battle played out, with every moment of it.
pub(crate) struct Replayed {
    umpire: Umpire,
    /// While it is being fought, what a spectator noticed of it.
    noticed: Noticed,
    over: bool,
    moments: OnceLock<Vec<Moment>>,
    film: OnceLock<Option<Bytes>>,
}

impl Replayed {
    fn of(again: again::Again, over: bool) -> Self {
        Self {
            umpire: again.umpire,
            noticed: again.noticed,
            over,
            moments: OnceLock::new(),
            film: OnceLock::new(),
        }
    }

    /// What may be seen after `n` actions: from a seat once the battle is over, as everybody may without one.
    pub(crate) fn view(&self, n: Option<u64>, seat: Option<Seat>) -> Result<View, ApiError> {
        let (whom, all) = (notice::listener(&[]), self.umpire.turned().len());
        let last = self.noticed.count(whom, all);
        let n = n.map_or(Ok(last), usize::try_from).unwrap_or(usize::MAX);
        let battle = self.noticed.taken(whom, n, all).and_then(|taken| self.umpire.battle_after(taken));
        let battle = battle.ok_or_else(|| no_moment(last, n))?;
        match seat {
            None => Ok(seen(&*battle, self.over)),
            Some(_) if !self.over => Err(ApiError::not_finished()),
            Some(seat) if battle.seats().iter().all(|info| info.seat != seat) => {
                Err(ApiError::not_found(format!("this battle has no seat {}", seat.0)))
            }
            Some(seat) => Ok(battle.view(Some(seat))),
        }
    }

    /// The battle as a film, made once: the set-up, actions with something to tell spread over the battle, the end.
    pub(crate) fn film(&self, film: Film) -> Option<Bytes> {
        let make = || {
            let telling = self.moments().iter().filter(|m| m.n == 0 || m.caption().is_some()).count();
            let step = telling.div_ceil(SCENES).max(1);
            let (mut ways, mut shots, mut since) = (Vec::new(), Vec::new(), Vec::new());
            let mut scenes = Vec::new();
            let mut told: usize = 0;
            for moment in self.moments() {
                go_on(&mut ways, &moment.ways);
                shots.extend(moment.shots());
                since.push(moment);
                let Some(caption) = moment.caption().or_else(|| (moment.n == 0).then(String::new)) else {
                    continue;
                };
                told += 1;
                if (told - 1).is_multiple_of(step) || told == telling {
                    let view = self.view(Some(moment.n), None).ok()?;
                    let (ways, shots) = (std::mem::take(&mut ways), std::mem::take(&mut shots));
                    let cards = since.iter().flat_map(|moment| moment.cards()).collect();
                    let throws = throws(since.drain(..).flat_map(Moment::told));
                    scenes.push(Scene { view, caption, ways, shots, throws, cards });
                }
            }
            film(&scenes).map(Bytes::from)
        };
        self.film.get_or_init(make).clone()
    }

    fn moments(&self) -> &[Moment] {
        self.moments.get_or_init(|| moments(&self.umpire, self.over, &self.noticed))
    }
}

fn no_moment(last: usize, n: impl std::fmt::Display) -> ApiError {
    ApiError::not_found(format!("this battle has {last} actions; there is no moment {n}"))
}

/// Which battle, and how far it had come: what is at hand of a battle being fought is soon out of date.
type Key = (String, i64, i64, bool);

fn key(game: &Game) -> Key {
    (game.id.clone(), game.actions, game.take_backs, game.status == Status::Playing)
}

/// Battles at hand, the one used last at the end.
#[derive(Default)]
pub(crate) struct AtHand(Mutex<Vec<(Key, Arc<Replayed>)>>);

impl AtHand {
    fn find(&self, key: &Key) -> Option<Arc<Replayed>> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let i = list.iter().position(|(known, _)| known == key)?;
        let found = list.remove(i);
        let replayed = Arc::clone(&found.1);
        list.push(found);
        Some(replayed)
    }

    fn keep(&self, key: Key, replayed: &Arc<Replayed>) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|(known, _)| known.0 != key.0);
        list.push((key, Arc::clone(replayed)));
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

/// A battle played out as far as it has come. One that is being fought shows what a spectator may see, if there may be any.
pub(crate) async fn replayed(app: &Arc<App>, who: Who, id: &str) -> Result<(Game, Arc<Replayed>), ApiError> {
    let game = kept(app, id).await?;
    let over = game.status != Status::Playing;
    if !over && !game.watch {
        let why = "this battle is not to be watched; come back when it is over";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "not_yours", why));
    }
    let key = key(&game);
    if let Some(replayed) = app.at_hand.find(&key) {
        return Ok((game, replayed));
    }
    let system = app.known_system(&game.ruleset)?;
    let mut actions = app.store.actions(id).await?;
    // It may have gone on since we looked.
    actions.truncate(usize::try_from(game.actions).unwrap_or_default());
    let again = {
        let game = game.clone();
        let (app, key) = (Arc::clone(app), key.clone());
        // Somebody else may have asked for the same and had it first.
        app.clone()
            .long(who, move || match app.at_hand.find(&key) {
                Some(replayed) => Ok(replayed),
                None => play_again(system, &game, &actions)
                    .map(|again| Arc::new(Replayed::of(again.with_agreement(&game), over))),
            })
            .await?
    };
    let replayed = again.map_err(|why| {
        ApiError::new(StatusCode::CONFLICT, "unverified", format!("this battle can't be played again: {why}"))
    })?;
    app.at_hand.keep(key, &replayed);
    Ok((game, replayed))
}

/// A moment asked for.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct AtMoment {
    /// After how many actions; without it, after the last.
    pub(crate) n: Option<u64>,
    /// From which seat; without it, as everybody may see it.
    pub(crate) seat: Option<Seat>,
}

pub(crate) async fn view(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path<String>,
    Query(at): Query<AtMoment>,
) -> Result<Json<View>, ApiError> {
    let (_, replayed) = replayed(&app, who, &id).await?;
    Ok(Json(app.long(who, move || replayed.view(at.n, at.seat)).await??))
}

/// A battle looked back on, moment by moment.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ReplayFacts {
    /// The game.
    game: GameFacts,
    /// The path of its replay page; whoever has it needs no account.
    link: String,
    /// Whether it is over: then nothing is a secret any more, and it can be played on from any moment.
    over: bool,
    /// What was published of the seed at the start.
    commitment: String,
    /// The seed, once it is over.
    seed: Option<String>,
    /// Whether the one is the hash of the other, once it is over.
    seed_fits: Option<bool>,
    /// The seeds of all its dice, once it is over: a battle that went on from another has the other's first.
    seeds: Vec<SeedFacts>,
    /// The sides, in order, as a sentence calls them: `the French`, `Red`.
    sides: Vec<String>,
    /// How it ended; an uploaded journal may stop before.
    ending: Option<Ending>,
    /// The moment after each action, that before the first included.
    moments: Vec<Moment>,
    /// Where it turned, in order.
    decisive: Vec<Decisive>,
}

/// A seed that dice came from.
#[derive(Serialize, JsonSchema)]
struct SeedFacts {
    /// After how many actions the first of them came.
    after: u64,
    /// The seed, as 64 hexadecimal digits.
    seed: String,
    /// Its SHA-256.
    commitment: String,
}

impl SeedFacts {
    fn all(header: &Header) -> Vec<Self> {
        let later = header.reseeds.iter().map(|r| (r.after as u64, r.seed));
        let of = |(after, seed)| Self {
            after,
            seed: secret::seed_hex(seed),
            commitment: secret::commitment(seed),
        };
        std::iter::once((0, header.seed)).chain(later).map(of).collect()
    }
}

pub(crate) async fn replay(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<ReplayFacts>, ApiError> {
    let (game, replayed) = replayed(&app, who, &id).await?;
    let facts = GameFacts::of(&game, &app.store.seats(&id).await?);
    let answer = app.long(who, move || {
        let header = replayed.umpire.header();
        let over = replayed.over;
        let seed = header.last_seed();
        let view = seen(replayed.umpire.battle(), over);
        ReplayFacts {
            link: replay_link(&facts.id),
            over,
            commitment: facts.commitment.clone(),
            seed: over.then(|| secret::seed_hex(seed)),
            seed_fits: over.then(|| secret::commitment(seed) == facts.commitment),
            seeds: if over { SeedFacts::all(header) } else { Vec::new() },
            game: facts,
            sides: view.sides.iter().map(|side| side_in_words(&side.name)).collect(),
            ending: replayed.umpire.ending(),
            moments: replayed.moments().to_vec(),
            decisive: decisive(&view, replayed.moments()),
        }
    });
    Ok(Json(answer.await?))
}

/// The path of a battle's replay page.
fn replay_link(game: &str) -> String {
    format!("/replay/{game}")
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
            note: None,
        });
    }
    let agreed = again::agreed(&game);
    let text = Journal { header, entries, agreed }.to_text();
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
    who: Who,
    request: Request,
) -> Result<(StatusCode, Json<Brought>), ApiError> {
    let user = accounts::user(&app, request.headers()).await?;
    let maker = lobby::maker(who, user.as_deref());
    lobby::not_all_day(&app, &maker).await?;
    let bytes: Bytes = body(request, &app).await?;
    let (systems, id) = (app.config.systems, secret::game_id()?);
    let kept = {
        let id = id.clone();
        app.long(who, move || verified(systems, id, &bytes)).await??
    };
    let (game, seats, actions) = kept;
    let count = actions.len() as u64;
    app.store.create_by(&maker, game, seats, actions).await?;
    Ok((StatusCode::CREATED, Json(Brought { link: replay_link(&id), id, actions: count })))
}

fn verified(
    systems: crate::Systems,
    id: String,
    bytes: &[u8],
) -> Result<(Game, Vec<SeatRow>, Vec<ActionRow>), ApiError> {
    let unverified =
        |e: JournalError| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unverified", e.to_string());
    let journal = Journal::read(bytes).map_err(unverified)?;
    bounds::file(&journal.header.scenario_text).map_err(ApiError::bad)?;
    bounds::files(journal.header.choices.data.values()).map_err(ApiError::bad)?;
    if journal.entries.len() > bounds::BROUGHT {
        return Err(ApiError::bad(format!("the journal has more than {} actions", bounds::BROUGHT)));
    }
    let system = systems.iter().copied().find(|s| s.about().id == journal.header.ruleset);
    let system = system
        .ok_or_else(|| ApiError::bad(format!("there are no rules `{}` here", journal.header.ruleset)))?;
    let umpire = journal.replay(system, None).map_err(unverified)?;
    let view = umpire.battle().view(None);
    let header = &journal.header;
    let options = as_played(system, &header.scenario(), &header.choices);
    let options = options.map_err(|fault| ApiError::bad(fault.to_string()))?;
    let lobby = Lobby { options, ..Lobby::default() };
    let game = Game {
        id,
        created: now(),
        ruleset: header.ruleset.clone(),
        scenario: header.scenario_name.trim_end_matches(".toml").to_owned(),
        title: view.title.clone(),
        header: header_text(header),
        seed: secret::seed_hex(header.last_seed()),
        commitment: secret::commitment(header.last_seed()),
        status: Status::Replay,
        public: false,
        watch: true,
        lobby: serde_json::to_string(&lobby).unwrap_or_default(),
        ending: umpire.ending().and_then(|e| serde_json::to_string(&e).ok()),
        waiting: None,
        take_backs: 0,
        untold: 0,
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
        events: again::digest(t),
        moment,
    });
    rows.collect()
}

pub(crate) async fn fork(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path<String>,
    headers: HeaderMap,
    Posted(wish): Posted<ForkGame>,
) -> Result<(StatusCode, Json<MadeGame>), ApiError> {
    let game = finished(&app, &id).await?;
    let system = app.known_system(&game.ruleset)?;
    let mut actions = app.store.actions(&id).await?;
    let n = wish.n;
    if n > actions.len() as u64 {
        return Err(no_moment(actions.len(), n));
    }
    actions.truncate(n as usize);
    let (begun, actions) = {
        let game = game.clone();
        let seed = lobby::seed(&app, wish.seed.as_deref())?;
        let again = app.long(who, move || {
            let mut umpire = play_again(system, &game, &actions).map_err(|e| e.to_string())?.umpire;
            // The seed so far is known by now; from here the dice are nobody's to know.
            umpire.reseed(seed);
            umpire.set_players(Vec::new());
            Ok::<_, String>((Begun::of(&umpire), rows(&umpire)))
        });
        again.await?.map_err(|why| ApiError::new(StatusCode::CONFLICT, "unverified", why))?
    };
    let forked_from = Some(ForkedFrom { game: id, n });
    let lobby = Lobby { forked_from, seed_chosen: wish.seed.is_some(), ..Lobby::default() };
    let scenario = game.scenario.clone();
    let made = lobby::make(&app, who, &headers, wish.setting(), begun, scenario, lobby, actions).await?;
    Ok((StatusCode::CREATED, Json(made)))
}
