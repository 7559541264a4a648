//! What is told of games over HTTP, and what is asked for a new one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tricorne_chance::Seed;
use tricorne_game::journal::Header;
use tricorne_game::{Ending, Seat, Side};
use tricorne_store::{Game, SeatRow, Status};

use crate::JsonSchema;
use crate::error::ApiError;
use crate::{names, secret};

/// A clock: each seat has so long in all, and gains some with each of its actions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockRule {
    /// Seconds in all.
    pub seconds: u64,
    /// Seconds gained with each action.
    #[serde(default)]
    pub increment: u64,
    /// Who plays on for a seat that is out of time: `program:LEVEL`.
    #[serde(default)]
    pub then: Option<String>,
}

/// What was agreed in the lobby and is not in the tables by a column of its own.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Lobby {
    pub(crate) clock: Option<ClockRule>,
    pub(crate) forked_from: Option<ForkedFrom>,
    pub(crate) seed_chosen: bool,
    /// House rules as played. Games of older releases have none here.
    pub(crate) options: BTreeMap<String, String>,
    /// The release it was begun by.
    pub(crate) release: String,
}

/// The game that another goes on from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForkedFrom {
    /// Its id.
    pub game: String,
    /// After how many actions.
    pub n: u64,
}

/// What anybody who knows its id may know of a game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GameFacts {
    /// Its id.
    pub id: String,
    /// The rule system.
    pub ruleset: String,
    /// The scenario's id, or its file's name.
    pub scenario: String,
    /// What the players call it.
    pub title: String,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// `playing`, `finished`, `closed` or `replay`.
    pub status: String,
    /// How many actions have been taken.
    pub n: u64,
    /// The seat that must decide.
    pub waiting: Option<Seat>,
    /// Whether it is in the public list.
    pub public: bool,
    /// Whether strangers may watch.
    pub watch: bool,
    /// The SHA-256 of the seed.
    pub commitment: String,
    /// The seed, once the battle is over.
    pub seed: Option<String>,
    /// Whether the seed was chosen by whoever made the game, so that the dice are not fair.
    pub seed_chosen: bool,
    /// The game it goes on from. Its dice from there are its own.
    pub forked_from: Option<ForkedFrom>,
    /// The clock, if there is one.
    pub clock: Option<ClockRule>,
    /// House rules as they are played, by name: those of the scenario, and over them what was chosen for this game.
    pub options: BTreeMap<String, String>,
    /// How it ended.
    pub ending: Option<Ending>,
    /// Who sits where.
    pub seats: Vec<SeatFacts>,
}

/// Who sits in a seat.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeatFacts {
    /// Its number.
    pub seat: Seat,
    /// The side it plays for.
    pub side: Side,
    /// What the scenario calls it.
    pub seat_name: String,
    /// `person`, `open` or `program:LEVEL`.
    pub kind: String,
    /// What the player is called.
    pub name: String,
    /// Whether the player has a name and password here.
    pub user: bool,
}

impl SeatFacts {
    pub(crate) fn of(row: &SeatRow) -> Self {
        Self {
            seat: Seat(row.seat),
            side: Side(row.side),
            seat_name: row.seat_name.clone(),
            kind: row.kind.clone(),
            name: row.name.clone(),
            user: row.owner.is_some(),
        }
    }
}

/// How many actions of a game anybody may know of.
pub(crate) fn known(game: &Game) -> u64 {
    let untold = if game.status == Status::Playing { game.untold } else { 0 };
    (game.actions - untold) as u64
}

impl GameFacts {
    pub(crate) fn of(game: &Game, seats: &[SeatRow]) -> Self {
        let lobby: Lobby = serde_json::from_str(&game.lobby).unwrap_or_default();
        let over = game.status != Status::Playing;
        Self {
            id: game.id.clone(),
            ruleset: game.ruleset.clone(),
            scenario: game.scenario.clone(),
            title: game.title.clone(),
            created: game.created,
            status: game.status.as_str().into(),
            n: known(game),
            waiting: game.waiting.map(Seat),
            public: game.public,
            watch: game.watch,
            commitment: game.commitment.clone(),
            seed: over
                .then(|| game.seed.parse::<Seed>().map_or_else(|_| game.seed.clone(), secret::seed_hex)),
            seed_chosen: lobby.seed_chosen,
            forked_from: lobby.forked_from,
            clock: lobby.clock,
            options: lobby.options,
            ending: game.ending.as_deref().and_then(|e| serde_json::from_str(e).ok()),
            seats: seats.iter().map(SeatFacts::of).collect(),
        }
    }
}

/// A wish for a new game.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NewGame {
    /// The rule system.
    pub ruleset: String,
    /// A scenario of its rulebook, by id.
    pub scenario: Option<String>,
    /// Or the TOML of a scenario.
    pub text: Option<String>,
    /// House rules by name.
    pub options: BTreeMap<String, String>,
    /// Rulebook files of the player's own: text by file name.
    pub data: BTreeMap<String, String>,
    /// The seed, where the server takes one.
    pub seed: Option<String>,
    /// Who sits where; without it, everybody at this screen.
    pub seats: Vec<SeatWish>,
    /// What to call it.
    pub title: Option<String>,
    /// Whether it is in the public list; without it, if a seat is open.
    pub public: Option<bool>,
    /// Whether strangers who know its id may watch; they may if nothing is said.
    pub watch: Option<bool>,
    /// A clock.
    pub clock: Option<ClockRule>,
}

/// A wish to go on from a moment of another game.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ForkGame {
    /// After how many actions.
    pub n: u64,
    /// The seed of the dice from there, where the server takes one.
    pub seed: Option<String>,
    /// Who sits where; without it, everybody at this screen.
    pub seats: Vec<SeatWish>,
    /// What to call it.
    pub title: Option<String>,
    /// Whether it is in the public list; without it, if a seat is open.
    pub public: Option<bool>,
    /// Whether strangers who know its id may watch; they may if nothing is said.
    pub watch: Option<bool>,
    /// A clock.
    pub clock: Option<ClockRule>,
}

/// Who sits where and how a game is played: the part that new games and those that go on share.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) seats: Vec<SeatWish>,
    pub(crate) title: Option<String>,
    pub(crate) public: Option<bool>,
    pub(crate) watch: Option<bool>,
    pub(crate) clock: Option<ClockRule>,
}

impl NewGame {
    pub(crate) fn setting(&self) -> Setting {
        Setting {
            seats: self.seats.clone(),
            title: self.title.clone(),
            public: self.public,
            watch: self.watch,
            clock: self.clock.clone(),
        }
    }
}

impl ForkGame {
    pub(crate) fn setting(self) -> Setting {
        Setting {
            seats: self.seats,
            title: self.title,
            public: self.public,
            watch: self.watch,
            clock: self.clock,
        }
    }
}

/// Who shall sit in a seat.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatWish {
    /// `me`, `hotseat`, `link`, `open` or `program:LEVEL`.
    pub kind: String,
    /// What the player is called.
    #[serde(default)]
    pub name: Option<String>,
}

/// A game made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MadeGame {
    /// Its id.
    pub id: String,
    /// The token of whoever made it, if they sit anywhere.
    pub token: Option<String>,
    /// And the link that carries it.
    pub link: Option<String>,
    /// Each seat.
    pub seats: Vec<MadeSeat>,
}

/// A seat of a game made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MadeSeat {
    /// Its number.
    pub seat: Seat,
    /// As it was wished.
    pub kind: String,
    /// The token that plays it, told here and never again.
    pub token: Option<String>,
    /// And the link that carries it, to send to a friend.
    pub link: Option<String>,
}

/// The path of a game's page, with the token where browsers keep it to themselves.
pub(crate) fn link(game: &str, token: &str) -> String {
    format!("/game/{game}#{token}")
}

/// A name as people may have one: short, in one line.
pub(crate) fn clean_name(name: &str) -> Result<String, ApiError> {
    let name = name.trim();
    if name.chars().count() > 40 || !name.chars().all(names::is_seen) {
        return Err(ApiError::bad("a name is at most 40 characters in one line"));
    }
    Ok(name.into())
}

/// The title of a game.
pub(crate) fn clean_title(title: &str) -> Result<String, ApiError> {
    let title = title.trim();
    if title.chars().count() > 100 || !title.chars().all(names::is_seen) {
        return Err(ApiError::bad("a title is at most 100 characters in one line"));
    }
    Ok(title.into())
}

/// The header of a journal without the seed of the dice to come, as the store keeps it. Seeds before it, of a battle that
/// this one goes on from, are known by now.
pub(crate) fn header_text(header: &Header) -> String {
    let mut value = serde_json::to_value(header).unwrap_or_default();
    if let Some(holder) = last_seed_holder(&mut value) {
        holder.remove("seed");
    }
    value.to_string()
}

/// The header of a kept game, with its seed.
pub(crate) fn header_of(game: &Game) -> Result<Header, ApiError> {
    let mut value: Value = serde_json::from_str(&game.header).map_err(|e| ApiError::internal(&e))?;
    if let Some(holder) = last_seed_holder(&mut value) {
        holder.insert("seed".into(), Value::String(game.seed.clone()));
    }
    serde_json::from_value(value).map_err(|e| ApiError::internal(&e))
}

/// Where a header has the seed of the dice to come: in its last reseed, or in itself.
fn last_seed_holder(header: &mut Value) -> Option<&mut serde_json::Map<String, Value>> {
    let reseeded = header.get("reseeds").and_then(Value::as_array).is_some_and(|r| !r.is_empty());
    if reseeded {
        header.get_mut("reseeds")?.as_array_mut()?.last_mut()?.as_object_mut()
    } else {
        header.as_object_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kept_header_has_no_seed_of_dice_to_come() {
        let header = |reseeds: &str| -> Header {
            let text = format!(
                "{{\"format\": 2, \"ruleset\": \"toy\", \"revision\": 1, \"scenario_name\": \"hill\", \"scenario_text\": \"\", \
                 \"seed\": \"111\", {reseeds} \"start\": \"{}\"}}",
                "0".repeat(32)
            );
            serde_json::from_str(&text).unwrap()
        };
        let plain = header("");
        assert!(!header_text(&plain).contains("111"));
        let on =
            header("\"reseeds\": [{\"after\": 4, \"seed\": \"222\"}, {\"after\": 9, \"seed\": \"333\"}],");
        let text = header_text(&on);
        assert!(text.contains("111") && text.contains("222") && !text.contains("333"), "{text}");
    }
}
