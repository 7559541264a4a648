//! Club evenings that are kept, and seasons. Whoever makes an evening keeps it: has it paired round by round, enters what came
//! of each game or names the game on this server in which it is fought out, and lets people come later or go home. Anybody
//! may look on. Seasons are the keeper's of the server, from the command line.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use tricorne_game::Ending;
use tricorne_store::{EveningRow, SeasonRow, Status, StoreError};

use crate::JsonSchema;
use crate::error::ApiError;
use crate::facts::{clean_name, clean_title};
use crate::pairings::{self, Evening, MOST, Pair, Standing, Way};
use crate::posted::Posted;
use crate::ratings::{self, Board};
use crate::turn::Who;
use crate::{App, accounts, now, secret};

/// Evenings of one keeper that are not over.
const GOING: i64 = 20;

/// Evenings in one list.
const LISTED: i64 = 100;

/// Evenings of a season that are counted.
const OF_SEASON: i64 = 200;

/// Games of one evening.
const GAMES: usize = 4_000;

/// A wish for an evening.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewEvening {
    /// What it is called, 1 to 100 characters.
    title: String,
    /// How it is paired.
    way: Way,
    /// Who plays, the strongest first where that is known; a name each, 1 to 40 characters.
    #[schemars(length(max = 200))]
    players: Vec<String>,
    /// The id of the season it belongs to.
    #[serde(default)]
    season: Option<String>,
}

/// An evening in a list.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EveningLine {
    /// Its id.
    id: String,
    /// What it is called.
    title: String,
    /// Who keeps it.
    keeper: Option<String>,
    /// The season it belongs to.
    season: Option<String>,
    /// When it was made, in milliseconds since 1970.
    created: i64,
    /// Whether it is over.
    over: bool,
    /// How many play.
    players: i64,
    /// How many rounds there are.
    rounds: i64,
}

/// An evening.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EveningFacts {
    /// What a list says of it.
    evening: EveningLine,
    /// How it is paired.
    way: Way,
    /// Who plays.
    players: Vec<String>,
    /// Those of them who have gone home.
    gone: Vec<String>,
    /// The rounds so far.
    rounds: Vec<Vec<Pair>>,
    /// How everybody stands, the best first.
    table: Vec<Standing>,
    /// Whether it is kept by whoever asks.
    yours: bool,
}

/// What came of a game.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EveningResult {
    /// The round, from 1.
    round: u32,
    /// One of the two who played.
    player: String,
    /// Who won; none if it was drawn, or is not over.
    #[serde(default)]
    winner: Option<String>,
    /// Whether it was drawn.
    #[serde(default)]
    drawn: bool,
    /// The game on this server in which it is fought out: what comes of it is entered by itself.
    #[serde(default)]
    game: Option<String>,
}

/// Who comes later and who has gone home.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Comings {
    /// Those who play from the next round on. In a round robin only before the first.
    #[serde(default)]
    #[schemars(length(max = 200))]
    come: Vec<String>,
    /// Those who play no more.
    #[serde(default)]
    #[schemars(length(max = 200))]
    gone: Vec<String>,
}

/// Nothing to say.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

fn line(row: &EveningRow) -> EveningLine {
    EveningLine {
        id: row.id.clone(),
        title: row.title.clone(),
        keeper: row.keeper.clone(),
        season: row.season.clone(),
        created: row.created,
        over: row.over,
        players: row.players,
        rounds: row.rounds,
    }
}

fn read(row: &EveningRow) -> Result<Evening, ApiError> {
    serde_json::from_str(&row.pairings).map_err(|e| ApiError::internal(&e))
}

fn write(row: &mut EveningRow, evening: &Evening) {
    row.players = evening.players.len() as i64;
    row.rounds = evening.rounds.len() as i64;
    row.pairings = serde_json::to_string(evening).unwrap_or_default();
}

async fn member(app: &App, headers: &HeaderMap) -> Result<String, ApiError> {
    let name = accounts::user(app, headers).await?;
    name.ok_or_else(|| ApiError::new(StatusCode::UNAUTHORIZED, "unauthorised", "log in first"))
}

async fn found(app: &App, id: &str) -> Result<EveningRow, ApiError> {
    let row = app.store.evening(id).await?;
    row.ok_or_else(|| ApiError::not_found("there is no such evening here; look at the link again"))
}

/// Whether an evening is kept by whoever has this name; capitals make no other name.
pub(crate) fn keeps(row: &EveningRow, name: &str) -> bool {
    row.keeper.as_deref().is_some_and(|keeper| keeper.to_lowercase() == name.to_lowercase())
}

/// An evening of whoever asks, that is not over.
async fn mine(app: &App, headers: &HeaderMap, id: &str) -> Result<EveningRow, ApiError> {
    let name = member(app, headers).await?;
    let row = found(app, id).await?;
    if !keeps(&row, &name) {
        let why = "only whoever keeps an evening may change it";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "not_yours", why));
    }
    if row.over {
        return Err(ApiError::new(StatusCode::CONFLICT, "taken", "this evening is over"));
    }
    Ok(row)
}

async fn keep(app: &App, mut row: EveningRow, evening: &Evening) -> Result<Json<EveningFacts>, ApiError> {
    if evening.rounds.iter().map(Vec::len).sum::<usize>() > GAMES {
        return Err(ApiError::bad(format!("an evening has at most {GAMES} games")));
    }
    write(&mut row, evening);
    app.store.set_evening(row.clone()).await.map_err(|e| match e {
        StoreError::Conflict => {
            ApiError::new(StatusCode::CONFLICT, "taken", "somebody changed it meanwhile; look again")
        }
        other => other.into(),
    })?;
    Ok(facts(row, evening.clone(), true))
}

fn facts(row: EveningRow, evening: Evening, yours: bool) -> Json<EveningFacts> {
    let table = pairings::table(&evening);
    let Evening { way, players, rounds, gone } = evening;
    Json(EveningFacts { evening: line(&row), way, players, gone, rounds, table, yours })
}

fn names(list: &[String]) -> Result<Vec<String>, ApiError> {
    let clean = |name: &String| {
        let name = clean_name(name)?;
        if name.is_empty() { Err(ApiError::bad("a player has no name")) } else { Ok(name) }
    };
    list.iter().map(clean).collect()
}

pub(crate) async fn new_evening(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Posted(wish): Posted<NewEvening>,
) -> Result<(StatusCode, Json<EveningFacts>), ApiError> {
    let name = member(&app, &headers).await?;
    let title = clean_title(&wish.title)?;
    if title.is_empty() {
        return Err(ApiError::bad("an evening has a title"));
    }
    let evening =
        Evening { way: wish.way, players: names(&wish.players)?, rounds: Vec::new(), gone: Vec::new() };
    pairings::looked_over(&evening)?;
    if let Some(season) = &wish.season
        && !app.store.seasons().await?.iter().any(|known| known.id == *season)
    {
        return Err(ApiError::bad(format!("there is no season `{season}` here; /api/seasons lists them")));
    }
    if app.store.evenings_going(&name).await? >= GOING {
        let why = format!("you keep {GOING} evenings that are not over; close one first");
        return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many", why));
    }
    let mut row = EveningRow {
        id: secret::game_id()?,
        keeper: Some(name.to_lowercase()),
        title,
        season: wish.season,
        created: now(),
        over: false,
        players: 0,
        rounds: 0,
        version: 0,
        pairings: String::new(),
    };
    write(&mut row, &evening);
    app.store.add_evening(row.clone()).await?;
    row.keeper = Some(name);
    Ok((StatusCode::CREATED, facts(row, evening, true)))
}

pub(crate) async fn evenings(State(app): State<Arc<App>>) -> Result<Json<Vec<EveningLine>>, ApiError> {
    Ok(Json(app.store.evenings(LISTED).await?.iter().map(line).collect()))
}

pub(crate) async fn evening(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<EveningFacts>, ApiError> {
    let row = found(&app, &id).await?;
    let mut evening = read(&row)?;
    settle(&app, &mut evening).await?;
    let yours = accounts::user(&app, &headers).await?.is_some_and(|name| keeps(&row, &name));
    Ok(facts(row, evening, yours))
}

/// Enters what came of the games of the last round that were fought out on this server.
async fn settle(app: &App, evening: &mut Evening) -> Result<(), ApiError> {
    let open = evening.rounds.last_mut().into_iter().flatten().filter(|pair| !pair.over);
    for pair in open {
        let Some(game) = pair.game.clone() else { continue };
        if let Some(winner) = fought(app, &game, pair).await? {
            (pair.winner, pair.over) = (winner, true);
        }
    }
    Ok(())
}

/// Who of two won a game on this server: none while it is fought, and no name when it was drawn.
async fn fought(app: &App, game: &str, pair: &Pair) -> Result<Option<Option<String>>, ApiError> {
    let kept = app.store.game(game).await?;
    let kept = kept.ok_or_else(|| ApiError::bad(format!("there is no game `{game}` here")))?;
    let seats = app.store.seats(game).await?;
    let side = |player: &str| {
        let key = player.to_lowercase();
        let sits =
            seats.iter().find(|s| s.owner.as_ref() == Some(&key) || s.owner.is_none() && s.name == player);
        sits.map(|seat| seat.side)
    };
    let second = pair.second.as_deref().unwrap_or_default();
    let (Some(first), Some(other)) = (side(&pair.first), side(second)) else {
        let why = format!("`{}` and `{second}` do not both sit at that game by these names", pair.first);
        return Err(ApiError::bad(why));
    };
    if kept.status != Status::Finished {
        return Ok(None);
    }
    let ending: Ending =
        serde_json::from_str(&kept.ending.unwrap_or_default()).map_err(|e| ApiError::internal(&e))?;
    Ok(Some(match ending.winner.map(|side| side.0) {
        Some(side) if side == first => Some(pair.first.clone()),
        Some(side) if side == other => pair.second.clone(),
        _ => None,
    }))
}

/// Pairs the next round.
pub(crate) async fn round(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    who: Who,
    Path(id): Path<String>,
    Posted(Nothing {}): Posted<Nothing>,
) -> Result<Json<EveningFacts>, ApiError> {
    let row = mine(&app, &headers, &id).await?;
    let mut evening = read(&row)?;
    settle(&app, &mut evening).await?;
    let open = evening.rounds.last().into_iter().flatten().find(|pair| !pair.over && pair.second.is_some());
    if let Some(pair) = open {
        let why =
            format!("the game of `{}` in the last round is not over; enter what came of it", pair.first);
        return Err(ApiError::new(StatusCode::CONFLICT, "not_finished", why));
    }
    let (next, mut evening) = app.long(who, move || (pairings::next(&evening), evening)).await?;
    if next.pairs.is_empty() {
        return Err(ApiError::new(StatusCode::CONFLICT, "taken", "everybody has met everybody"));
    }
    evening.rounds.push(next.pairs);
    keep(&app, row, &evening).await
}

/// Enters what came of a game, or where it is fought out.
pub(crate) async fn result(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Posted(wish): Posted<EveningResult>,
) -> Result<Json<EveningFacts>, ApiError> {
    let row = mine(&app, &headers, &id).await?;
    let mut evening = read(&row)?;
    let round = (wish.round as usize).checked_sub(1).and_then(|k| evening.rounds.get_mut(k));
    let round = round.ok_or_else(|| ApiError::bad(format!("there is no round {}", wish.round)))?;
    let plays = |pair: &&mut Pair| pair.first == wish.player || pair.second.as_ref() == Some(&wish.player);
    let pair = round.iter_mut().find(plays);
    let pair = pair
        .filter(|pair| pair.second.is_some())
        .ok_or_else(|| ApiError::bad(format!("`{}` plays nobody in round {}", wish.player, wish.round)))?;
    if let Some(winner) = &wish.winner
        && *winner != pair.first
        && Some(winner) != pair.second.as_ref()
    {
        return Err(ApiError::bad(format!("`{winner}` did not play that game")));
    }
    if wish.winner.is_some() && wish.drawn {
        return Err(ApiError::bad("a game that was drawn has no winner"));
    }
    pair.over = wish.winner.is_some() || wish.drawn;
    pair.winner = wish.winner;
    if let Some(game) = wish.game {
        if let Some(winner) = fought(&app, &game, pair).await? {
            (pair.winner, pair.over) = (winner, true);
        }
        pair.game = Some(game);
    }
    keep(&app, row, &evening).await
}

/// Lets people come later or go home.
pub(crate) async fn comings(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Posted(wish): Posted<Comings>,
) -> Result<Json<EveningFacts>, ApiError> {
    let row = mine(&app, &headers, &id).await?;
    let mut evening = read(&row)?;
    if evening.way == Way::RoundRobin && !wish.come.is_empty() && !evening.rounds.is_empty() {
        return Err(ApiError::bad("in a round robin nobody can come after the first round"));
    }
    for name in names(&wish.come)? {
        // Who had gone may come back.
        evening.gone.retain(|gone| *gone != name);
        if !evening.players.contains(&name) {
            evening.players.push(name);
        }
    }
    for name in wish.gone {
        if !evening.gone.contains(&name) {
            evening.gone.push(name);
        }
    }
    if evening.players.len() > MOST {
        return Err(ApiError::bad(format!("an evening has at most {MOST} players")));
    }
    pairings::looked_over(&evening)?;
    keep(&app, row, &evening).await
}

/// Closes an evening.
pub(crate) async fn close(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Posted(Nothing {}): Posted<Nothing>,
) -> Result<Json<EveningFacts>, ApiError> {
    let mut row = mine(&app, &headers, &id).await?;
    let mut evening = read(&row)?;
    settle(&app, &mut evening).await?;
    row.over = true;
    keep(&app, row, &evening).await
}

/// A season.
#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct SeasonFacts {
    /// Its id.
    id: String,
    /// What it is called.
    title: String,
    /// The rule system.
    ruleset: String,
    /// When it begins, in milliseconds since 1970.
    begins: i64,
    /// When it ends.
    ends: i64,
}

/// How a season stands.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SeasonPage {
    /// The season.
    season: SeasonFacts,
    /// How strong people and programs are, by the battles fought out in its time.
    ratings: Board,
    /// What everybody has won on its evenings, the best first.
    table: Vec<SeasonLine>,
    /// Its evenings, the oldest first.
    evenings: Vec<EveningLine>,
}

/// What somebody has won in a season.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SeasonLine {
    /// Who.
    player: String,
    /// A game won counts one, one drawn a half.
    score: f64,
    /// Games that are over.
    games: u32,
    /// Evenings played on.
    evenings: u32,
}

fn season_facts(row: SeasonRow) -> SeasonFacts {
    let SeasonRow { id, ruleset, title, begins, ends } = row;
    SeasonFacts { id, title, ruleset, begins, ends }
}

pub(crate) async fn seasons(State(app): State<Arc<App>>) -> Result<Json<Vec<SeasonFacts>>, ApiError> {
    Ok(Json(app.store.seasons().await?.into_iter().map(season_facts).collect()))
}

pub(crate) async fn season(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<SeasonPage>, ApiError> {
    let known = app.store.seasons().await?.into_iter().find(|season| season.id == id);
    let season = known.ok_or_else(|| ApiError::not_found("there is no such season here"))?;
    let time = ratings::Season { from: Some(season.begins), to: Some(season.ends) };
    let Json(ratings) =
        ratings::board(State(Arc::clone(&app)), Path(season.ruleset.clone()), Query(time)).await?;
    let rows = app.store.evenings_of_season(&id, OF_SEASON).await?;
    let evenings = rows.iter().map(line).collect();
    let table = app.long(who, move || summed(&rows)).await?;
    Ok(Json(SeasonPage { season: season_facts(season), ratings, table, evenings }))
}

fn summed(rows: &[EveningRow]) -> Vec<SeasonLine> {
    // A name is the same in whatever case it is written.
    let mut all: BTreeMap<String, SeasonLine> = BTreeMap::new();
    for evening in rows.iter().filter_map(|row| read(row).ok()) {
        for Standing { player, score, games, .. } in pairings::table(&evening) {
            let line = all.entry(player.to_lowercase()).or_insert_with(|| SeasonLine {
                player,
                score: 0.0,
                games: 0,
                evenings: 0,
            });
            line.score += score;
            line.games += games;
            line.evenings += u32::from(games > 0);
        }
    }
    let mut table: Vec<SeasonLine> = all.into_values().filter(|line| line.games > 0).collect();
    table.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then(a.games.cmp(&b.games)).then(a.player.cmp(&b.player))
    });
    table
}

/// Takes somebody's name out of an evening; true if it was in it.
pub(crate) fn forget(row: &mut EveningRow, name: &str) -> bool {
    let Ok(mut evening) = read(row) else { return false };
    let is = |known: &String| known.to_lowercase() == name.to_lowercase();
    if !evening.players.iter().any(is) {
        return false;
    }
    // Each evening has its own, so that nobody is paired with himself.
    let mut nobody = "somebody".to_owned();
    while evening.players.contains(&nobody) {
        nobody.push('.');
    }
    let games = evening.rounds.iter_mut().flatten();
    let named = games.flat_map(|pair| {
        [Some(&mut pair.first), pair.second.as_mut(), pair.winner.as_mut()].into_iter().flatten()
    });
    for known in evening.players.iter_mut().chain(&mut evening.gone).chain(named) {
        if is(known) {
            known.clone_from(&nobody);
        }
    }
    write(row, &evening);
    true
}
