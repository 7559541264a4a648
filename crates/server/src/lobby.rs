//! The lobby: games made, found, joined.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use tricorne_agents::Level;
use tricorne_chance::Seed;
use tricorne_game::journal::Header;
use tricorne_game::{Choices, Seat, SeatInfo, Source, Umpire, as_played};
use tricorne_store::{ActionRow, Game, SeatRow, Status, StoreError, key};

use crate::JsonSchema;
use crate::error::ApiError;
use crate::facts::{
    ClockRule, GameFacts, Lobby, MadeGame, MadeSeat, NewGame, Setting, clean_name, clean_title, header_text,
    link,
};
use crate::hall::Hall;
use crate::picture::{Light, Svg};
use crate::posted::Posted;
use crate::replay;
use crate::sitting::Note;
use crate::turn::Who;
use crate::{App, accounts, bounds, now, secret};

/// A battle in which nothing was done for so long (ninety days, in milliseconds) is put away: it is in no list and counts for
/// nobody, until somebody does something in it.
const QUIET: i64 = 90 * 24 * 3600 * 1000;

/// Most games in one list.
const LISTED: i64 = 200;

/// Games to join or to watch, and one's own.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Listed {
    /// Public games being played, those with an open seat first.
    open: Vec<GameFacts>,
    /// Games of the person logged in, those that wait for them first.
    mine: Vec<MyGame>,
}

/// A game of the person logged in.
#[derive(Serialize, JsonSchema)]
pub(crate) struct MyGame {
    /// The game.
    #[serde(flatten)]
    game: GameFacts,
    /// The seats they play.
    your_seats: Vec<Seat>,
    /// Whether the decision is theirs.
    yours: bool,
}

impl MyGame {
    fn of(game: &Game, seats: &[SeatRow], user: &str) -> Self {
        let mine = seats
            .iter()
            .filter(|row| row.kind == "person" && row.owner.as_deref().is_some_and(|o| o == key(user)));
        let your_seats: Vec<Seat> = mine.map(|row| Seat(row.seat)).collect();
        let yours = game.waiting.is_some_and(|w| your_seats.contains(&Seat(w)));
        Self { game: GameFacts::of(game, seats), your_seats, yours }
    }
}

pub(crate) async fn games(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Json<Listed>, ApiError> {
    let mut open = facts_of(&app, app.store.public_games(LISTED, now() - QUIET).await?).await?;
    open.sort_by_key(|g| !g.seats.iter().any(|s| s.kind == "open"));
    let mut mine = Vec::new();
    if let Some(name) = accounts::user(&app, &headers).await? {
        for game in app.store.games_of(&name, LISTED).await? {
            mine.push(MyGame::of(&game, &app.store.seats(&game.id).await?, &name));
        }
    }
    mine.sort_by_key(|g| !g.yours);
    Ok(Json(Listed { open, mine }))
}

async fn facts_of(app: &App, games: Vec<Game>) -> Result<Vec<GameFacts>, ApiError> {
    let mut facts = Vec::with_capacity(games.len());
    for game in games {
        let seats = app.store.seats(&game.id).await?;
        facts.push(GameFacts::of(&game, &seats));
    }
    Ok(facts)
}

pub(crate) async fn kept(app: &App, id: &str) -> Result<Game, ApiError> {
    app.store.game(id).await?.ok_or_else(ApiError::no_game)
}

pub(crate) async fn game(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<GameFacts>, ApiError> {
    let game = kept(&app, &id).await?;
    Ok(Json(GameFacts::of(&game, &app.store.seats(&id).await?)))
}

pub(crate) async fn new_game(
    State(app): State<Arc<App>>,
    who: Who,
    headers: HeaderMap,
    Posted(wish): Posted<NewGame>,
) -> Result<(StatusCode, Json<MadeGame>), ApiError> {
    let system = app.known_system(&wish.ruleset)?;
    let (scenario, source) = match (&wish.scenario, &wish.text) {
        (Some(id), None) => {
            let found = system.scenarios().iter().find(|s| s.id == id).ok_or_else(|| {
                ApiError::bad(format!("`{}` has no scenario `{id}`; /api/scenarios lists them", wish.ruleset))
            })?;
            (id.clone(), Source::new(format!("{id}.toml"), found.text))
        }
        (None, Some(text)) => ("own".to_owned(), Source::new("scenario.toml", text.clone())),
        _ => return Err(ApiError::bad("give either `scenario` (an id) or `text` (TOML)")),
    };
    for (option, value) in &wish.options {
        system.options().check(option, value).map_err(ApiError::bad)?;
    }
    let own = wish.text.is_some();
    let seed = seed(&app, wish.seed.as_deref())?;
    let choices = Choices { options: wish.options.clone(), data: wish.data.clone() };
    let begun = app.long(who, move || {
        if own {
            bounds::file(&source.text)?;
        }
        bounds::files(choices.data.values())?;
        let umpire = Umpire::begin(system, &source, &choices, seed).map_err(|fault| fault.to_string())?;
        Ok::<_, String>(Begun::of(&umpire))
    });
    let begun = begun.await?.map_err(ApiError::bad)?;
    let lobby = Lobby { seed_chosen: wish.seed.is_some(), ..Lobby::default() };
    let made = make(&app, who, &headers, wish.setting(), begun, scenario, lobby, Vec::new()).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// The seed of dice to come: the one that is wished for, where the server takes wishes, or nobody's to know.
pub(crate) fn seed(app: &App, wish: Option<&str>) -> Result<Seed, ApiError> {
    match wish {
        Some(_) if !app.config.chosen_seeds => {
            Err(ApiError::bad("this server rolls its own dice; leave `seed` out"))
        }
        Some(text) => text.parse::<Seed>().map_err(|e| ApiError::bad(e.to_string())),
        None => secret::seed(),
    }
}

/// A program's level: on a table where seeds may be chosen also a general that counts its tries, so that a battle can
/// come out the same again; elsewhere one that keeps to the clock.
fn level(app: &App, text: &str) -> Result<String, ApiError> {
    if text.starts_with(crate::BOT) {
        let known = app.config.program(text).is_some();
        return known.then(|| text.to_owned()).ok_or_else(|| {
            ApiError::bad(format!("`{text}`: this server's keeper has named no such program"))
        });
    }
    let read = if app.config.chosen_seeds { text.parse() } else { Level::for_guests(text) };
    read.map(|level| level.to_string()).map_err(ApiError::bad)
}

/// What is known of a battle that is about to be fought.
pub(crate) struct Begun {
    header: Header,
    title: String,
    seats: Vec<SeatInfo>,
    waiting: Option<Seat>,
}

impl Begun {
    pub(crate) fn of(umpire: &Umpire) -> Self {
        let view = umpire.battle().view(None);
        Self {
            header: umpire.header().clone(),
            title: view.title,
            seats: view.seats,
            waiting: umpire.battle().seat(),
        }
    }
}

/// Makes a game and keeps it.
#[allow(clippy::too_many_arguments, reason = "what a game is made of")]
pub(crate) async fn make(
    app: &Arc<App>,
    who: Who,
    headers: &HeaderMap,
    setting: Setting,
    begun: Begun,
    scenario: String,
    mut lobby: Lobby,
    actions: Vec<ActionRow>,
) -> Result<MadeGame, ApiError> {
    let waiting =
        begun.waiting.ok_or_else(|| ApiError::bad("the battle is over there; choose an earlier moment"))?;
    let user = accounts::user(app, headers).await?;
    let maker = maker(who, user.as_deref());
    not_all_day(app, &maker).await?;
    if app.store.games_going(&maker, now() - QUIET).await? >= app.config.limits.games {
        return Err(ApiError::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too_many",
            format!(
                "{} battles that you began are not over; finish or abandon some before you begin another",
                app.config.limits.games
            ),
        ));
    }
    let long =
        begun.seats.iter().map(|s| &s.name).chain([&begun.title]).find(|n| n.chars().count() > bounds::NAME);
    if let Some(long) = long {
        let start: String = long.chars().take(30).collect();
        return Err(ApiError::bad(format!(
            "`{start}…` is too long; a name has at most {} characters",
            bounds::NAME
        )));
    }
    let id = secret::game_id()?;
    let own = secret::token()?;
    let mut wishes = setting.seats;
    if wishes.is_empty() {
        wishes = begun
            .seats
            .iter()
            .map(|_| crate::facts::SeatWish { kind: "hotseat".into(), name: None })
            .collect();
    }
    if wishes.len() != begun.seats.len() {
        let names: Vec<&str> = begun.seats.iter().map(|s| s.name.as_str()).collect();
        return Err(ApiError::bad(format!(
            "this battle has {} seats ({}), and `seats` names {}",
            names.len(),
            names.join(", "),
            wishes.len()
        )));
    }
    let mut rows = Vec::new();
    let mut made = Vec::new();
    let mut mine = false;
    for (info, wish) in begun.seats.iter().zip(&wishes) {
        let mut name = clean_name(wish.name.as_deref().unwrap_or_default())?;
        let (kind, token, owner) = match wish.kind.as_str() {
            "me" | "hotseat" => {
                mine = true;
                if name.is_empty() && wish.kind == "me" {
                    name = user.clone().unwrap_or_default();
                }
                ("person".to_owned(), Some(own.clone()), user.as_ref().map(|u| key(u)))
            }
            "link" => ("person".to_owned(), Some(secret::token()?), None),
            "open" => ("open".to_owned(), None, None),
            program => {
                let level = program.strip_prefix("program:").ok_or_else(|| {
                    ApiError::bad(format!(
                        "`{program}` is no kind of seat; use me, hotseat, link, open or program:LEVEL"
                    ))
                })?;
                let level = self::level(app, level)?;
                if name.is_empty() {
                    name = level;
                }
                (program.to_owned(), None, None)
            }
        };
        made.push(MadeSeat {
            seat: info.seat,
            kind: wish.kind.clone(),
            link: token.as_deref().map(|t| link(&id, t)),
            token: token.clone(),
        });
        rows.push(SeatRow {
            seat: info.seat.0,
            side: info.side.0,
            seat_name: info.name.clone(),
            kind,
            name,
            token_hash: token.as_deref().map(secret::hash),
            owner,
        });
    }
    lobby.release = env!("CARGO_PKG_VERSION").into();
    let system = app.known_system(&begun.header.ruleset)?;
    lobby.options = as_played(system, &begun.header.scenario(), &begun.header.choices)
        .map_err(|fault| ApiError::bad(fault.to_string()))?;
    if let Some(clock) = &setting.clock {
        check_clock(app, clock)?;
        lobby.clock = Some(clock.clone());
    }
    let title = clean_title(setting.title.as_deref().unwrap_or_default())?;
    let open = rows.iter().any(|r| r.kind == "open");
    let game = Game {
        id: id.clone(),
        created: now(),
        ruleset: begun.header.ruleset.clone(),
        scenario,
        title: if title.is_empty() { begun.title } else { title },
        header: header_text(&begun.header),
        seed: secret::seed_hex(begun.header.last_seed()),
        commitment: secret::commitment(begun.header.last_seed()),
        status: Status::Playing,
        public: setting.public.unwrap_or(open),
        watch: setting.watch.unwrap_or(true),
        lobby: serde_json::to_string(&lobby).unwrap_or_default(),
        ending: None,
        waiting: Some(waiting.0),
        take_backs: 0,
        untold: 0,
        actions: actions.len() as i64,
    };
    app.store.create_by(&maker, game, rows, actions).await?;
    // If a program begins, it begins now.
    Hall::tell(app, &id, Note::Reseated).await;
    let token = mine.then_some(own);
    Ok(MadeGame { link: token.as_deref().map(|t| link(&id, t)), id, token, seats: made })
}

pub(crate) fn maker_by_name(name: &str) -> String {
    secret::hash(&format!("person {}", key(name)))
}

/// Refuses whoever has made enough for a day: what is over is kept for good, and disks are not endless.
pub(crate) async fn not_all_day(app: &App, maker: &str) -> Result<(), ApiError> {
    let most = app.config.limits.games_a_day;
    if app.store.games_made(maker, now() - 24 * 3600 * 1000).await? < most {
        return Ok(());
    }
    let why = format!("you have begun or brought {most} battles within a day; go on tomorrow");
    Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many", why))
}

/// Who made a game: a person by name, or whoever comes from an address. Kept as a hash, to be counted and not to be read.
pub(crate) fn maker(who: Who, user: Option<&str>) -> String {
    match user {
        Some(name) => maker_by_name(name),
        None => secret::hash(&format!("address {}", who.address)),
    }
}

fn check_clock(app: &App, clock: &ClockRule) -> Result<(), ApiError> {
    // A year is longer than anybody waits.
    if clock.seconds == 0 || clock.seconds > 366 * 24 * 3600 || clock.increment > 7 * 24 * 3600 {
        return Err(ApiError::bad("a clock has 1 second to a year, and gains at most a week"));
    }
    let Some(then) = clock.then.as_deref() else { return Ok(()) };
    let program = then.strip_prefix("program:").ok_or_else(|| ApiError::bad("`then` is program:LEVEL"))?;
    level(app, program).map(|_| ())
}

/// A wish for an open seat.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JoinGame {
    /// Which.
    seat: Seat,
    /// What the player is called.
    #[serde(default)]
    name: Option<String>,
}

/// A seat taken.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Joined {
    /// Which.
    seat: Seat,
    /// The token that plays it, told here and never again.
    token: String,
    /// And the link that carries it.
    link: String,
}

pub(crate) async fn join(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Posted(wish): Posted<JoinGame>,
) -> Result<Json<Joined>, ApiError> {
    kept(&app, &id).await?;
    let user = accounts::user(&app, &headers).await?;
    let rows = app.store.seats(&id).await?;
    let row = rows.into_iter().find(|r| r.seat == wish.seat.0);
    let row = row.ok_or_else(|| ApiError::not_found(format!("this game has no seat {}", wish.seat.0)))?;
    let mut name = clean_name(wish.name.as_deref().unwrap_or_default())?;
    if name.is_empty() {
        name = user.clone().unwrap_or_default();
    }
    let token = secret::token()?;
    let row = SeatRow {
        kind: "person".into(),
        name,
        token_hash: Some(secret::hash(&token)),
        owner: user.map(|u| key(&u)),
        ..row
    };
    match app.store.sit(&id, "open", row).await {
        Ok(()) => {}
        Err(StoreError::Conflict) => {
            return Err(ApiError::new(
                StatusCode::CONFLICT,
                "taken",
                "that seat is not open; choose another, or watch",
            ));
        }
        Err(e) => return Err(e.into()),
    }
    Hall::tell(&app, &id, Note::Reseated).await;
    Ok(Json(Joined { seat: wish.seat, link: link(&id, &token), token }))
}

/// A token whose seats shall be under one's name.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClaimGame {
    /// The token.
    token: String,
}

/// Who would leave a battle at that.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Agreed {
    /// The seats that would.
    agreed: Vec<Seat>,
    /// Whether all would, and it is over.
    ended: bool,
}

/// Leaves a battle at that, as far as one's own seats go; when everybody does, it is closed without a result.
pub(crate) async fn leave(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Posted(wish): Posted<ClaimGame>,
) -> Result<Json<Agreed>, ApiError> {
    kept(&app, &id).await?;
    let hash = secret::hash(&wish.token);
    let rows = app.store.seats(&id).await?;
    let mine = rows.iter().filter(|row| row.kind == "person" && row.token_hash.as_ref() == Some(&hash));
    let mine: Vec<u8> = mine.map(|row| row.seat).collect();
    if mine.is_empty() {
        let why = "this token fits no seat of this game";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "not_yours", why));
    }
    app.store.agree(&id, &mine).await?;
    let ended = kept(&app, &id).await?.status != Status::Playing;
    if ended {
        Hall::tell(&app, &id, Note::Ended).await;
    }
    let agreed = app.store.agreed(&id).await?.into_iter().map(Seat).collect();
    Ok(Json(Agreed { agreed, ended }))
}

/// Seats that are under one's name now.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Claimed {
    /// Which.
    seats: Vec<Seat>,
}

pub(crate) async fn claim(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Posted(wish): Posted<ClaimGame>,
) -> Result<Json<Claimed>, ApiError> {
    let user = accounts::user(&app, &headers)
        .await?
        .ok_or_else(|| ApiError::new(StatusCode::UNAUTHORIZED, "unauthorised", "log in first"))?;
    let hash = secret::hash(&wish.token);
    match app.store.own(&id, &hash, &user).await {
        Ok(()) => {}
        Err(StoreError::Conflict) => {
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "not_yours",
                "this token fits no seat of this game, or one that is under somebody else's name",
            ));
        }
        Err(e) => return Err(e.into()),
    }
    Hall::tell(&app, &id, Note::Reseated).await;
    let rows = app.store.seats(&id).await?;
    let owner = key(&user);
    let mine =
        rows.iter().filter(|r| r.token_hash.as_ref() == Some(&hash) && r.owner.as_ref() == Some(&owner));
    let mine = mine.map(|r| Seat(r.seat));
    Ok(Json(Claimed { seats: mine.collect() }))
}

/// Which moment, from where, in which light.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct OfPicture {
    /// After how many actions; without it, as it stands now.
    n: Option<u64>,
    /// From which seat, with `n`; without it, as everybody may see it.
    seat: Option<Seat>,
    /// By day or by night.
    #[serde(default)]
    light: Light,
    /// The ground alone.
    #[serde(default)]
    ground: bool,
}

pub(crate) async fn picture(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path<String>,
    axum::extract::Query(OfPicture { n, seat, light, ground }): axum::extract::Query<OfPicture>,
) -> Result<Svg, ApiError> {
    let draw = app.config.drawing(ground);
    if n.is_some() {
        let (_, replayed) = replay::replayed(&app, who, &id).await?;
        return app.long(who, move || Svg::draw(draw, &replayed.view(n, seat)?, light)).await?;
    }
    kept(&app, &id).await?;
    if app.others.any() && !app.hall.has(&id) {
        // Whoever leads it, what is kept is the same.
        let (_, replayed) = replay::replayed(&app, who, &id).await?;
        return app.long(who, move || Svg::draw(draw, &replayed.view(None, None)?, light)).await?;
    }
    let (seen, answer) = oneshot::channel();
    Hall::tell(&app, &id, Note::Look { who, seen }).await;
    let view = answer
        .await
        .map_err(|e| ApiError::internal(&e))?
        .map_err(|refused| ApiError::new(StatusCode::FORBIDDEN, "not_yours", refused.why))?;
    app.long(who, move || Svg::draw(draw, &view, light)).await?
}
