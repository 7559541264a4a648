//! What is kept, row by row.

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its id, unguessable.
    pub id: String,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// The rule system.
    pub ruleset: String,
    /// The scenario's id, or its file's name.
    pub scenario: String,
    /// What the players call it.
    pub title: String,
    /// The journal's header without its seed, as JSON.
    pub header: String,
    /// The seed of every die and card: a secret until the battle is over.
    pub seed: String,
    /// The hash of the seed that was published at the start.
    pub commitment: String,
    /// Where it stands.
    pub status: Status,
    /// Whether strangers find it in the list.
    pub public: bool,
    /// Whether strangers may watch.
    pub watch: bool,
    /// What else was agreed in the lobby, as JSON.
    pub lobby: String,
    /// How it ended, as JSON.
    pub ending: Option<String>,
    /// The seat whose decision is waited for.
    pub waiting: Option<u8>,
    /// How many actions were taken back, of those that everybody noticed.
    pub take_backs: i64,
    /// How many of its actions only their own seat knows of.
    pub untold: i64,
    /// How many actions have been taken; not stored, counted.
    pub actions: i64,
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Being played.
    Playing,
    /// Over.
    Finished,
    /// Closed by the keeper of the server before it was over.
    Closed,
    /// A journal that somebody brought.
    Replay,
}

impl Status {
    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Playing => "playing",
            Status::Finished => "finished",
            Status::Closed => "closed",
            Status::Replay => "replay",
        }
    }

    pub(crate) fn read(text: &str) -> Self {
        match text {
            "finished" => Status::Finished,
            "closed" => Status::Closed,
            "replay" => Status::Replay,
            _ => Status::Playing,
        }
    }
}

/// A seat of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRow {
    /// Its number.
    pub seat: u8,
    /// Its side.
    pub side: u8,
    /// What the scenario calls it.
    pub seat_name: String,
    /// `person`, `open`, or `program:LEVEL`.
    pub kind: String,
    /// What the player is called.
    pub name: String,
    /// The hash of the token that plays it.
    pub token_hash: Option<String>,
    /// The user it belongs to, if that user has a name and password.
    pub owner: Option<String>,
}

/// An action that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionRow {
    /// Its number, from 1.
    pub n: i64,
    /// Who decided.
    pub seat: u8,
    /// What, as JSON.
    pub action: String,
    /// The state afterwards.
    pub hash: String,
    /// A digest of what came of it; empty where that was not kept.
    pub events: String,
    /// When, in milliseconds since 1970.
    pub moment: i64,
}

/// Something said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatRow {
    /// When, in milliseconds since 1970.
    pub moment: i64,
    /// From which seat.
    pub seat: u8,
    /// By whom.
    pub name: String,
    /// What.
    pub line: String,
}

/// Somebody with a name and a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The name as it was typed.
    pub name: String,
    /// The password's argon2 hash.
    pub password: String,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// Whether they were banned.
    pub banned: bool,
}

/// A seat of a battle that was fought out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoughtRow {
    /// The game.
    pub game: String,
    /// The seat's side.
    pub side: u8,
    /// `person` or `program:LEVEL`.
    pub kind: String,
    /// The user it belongs to.
    pub owner: Option<String>,
    /// When the last action was taken, in milliseconds since 1970.
    pub ended: i64,
    /// How it ended, as JSON.
    pub ending: String,
}

/// A club evening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EveningRow {
    /// An unguessable name.
    pub id: String,
    /// The user who keeps it, as they write their name; none if they were deleted.
    pub keeper: Option<String>,
    /// What it is called.
    pub title: String,
    /// The season it belongs to.
    pub season: Option<String>,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// Whether it is over.
    pub over: bool,
    /// How many play.
    pub players: i64,
    /// How many rounds there are.
    pub rounds: i64,
    /// How often it was changed; a change that does not know the last one is refused.
    pub version: i64,
    /// Who plays, and every round, in the server's own form; empty in a list.
    pub pairings: String,
}

/// A season: a time whose battles and evenings are looked at together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeasonRow {
    /// A name for links.
    pub id: String,
    /// The rule system.
    pub ruleset: String,
    /// What it is called.
    pub title: String,
    /// When it begins, in milliseconds since 1970.
    pub begins: i64,
    /// When it ends.
    pub ends: i64,
}

/// A session of somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// The start of its token's hash.
    pub id: String,
    /// When it began, where that was kept.
    pub created: Option<i64>,
    /// When it ends by itself.
    pub expires: i64,
}

/// What comes after an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The same seat as before must decide.
    WaitsStill,
    /// Another seat must decide.
    Waits(u8),
    /// The battle is over: how it ended, as JSON.
    Over(String),
}
