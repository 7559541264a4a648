//! The messages of live play. `docs/server.md` tells them for people, `/api/schema` for machines.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tricorne_chance::Draw;
use tricorne_game::view::View;
use tricorne_game::{
    Because, Course, DiceRead, Ending, Event, Illegal, Pending, Preview, Reach, Refusal, Seat, Sight, Space,
    UnitId, Wish,
};
use tricorne_table::Pose;

use crate::JsonSchema;
use crate::changes::Changes;
use crate::error::ApiError;
use crate::facts::GameFacts;
use crate::picture::Light;
use tricorne_game::ways::Way;

/// What a client says: one request, with a number of its own that comes back with the answer.
#[derive(Clone, Debug, JsonSchema)]
pub struct Request {
    /// Comes back with the answer.
    pub id: Option<u64>,
    /// What is asked.
    #[schemars(flatten)]
    pub ask: Ask,
}

impl Request {
    /// Reads a message; otherwise says what was expected.
    pub(crate) fn read(text: &str) -> Result<Self, (Option<u64>, String)> {
        let value: Value = serde_json::from_str(text)
            .map_err(|e| (None, format!("not JSON: {}", tricorne_game::unread(&e))))?;
        let Value::Object(mut map) = value else {
            return Err((None, "a message is a JSON object with one key, such as {\"legal\": {}}".into()));
        };
        let id = map.remove("id").and_then(|id| id.as_u64());
        if map.len() != 1 {
            return Err((id, "a message has one key that says what it is (and may have an `id`)".into()));
        }
        let ask = serde_json::from_value(Value::Object(map)).map_err(|e| (id, tricorne_game::unread(&e)))?;
        Ok(Self { id, ask })
    }
}

/// A request.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Ask {
    /// Who we are. Must come first.
    Hello(Hello),
    /// The answers to the pending decision.
    Legal {},
    /// Whether an action is legal.
    Check {
        /// The action, in its system's form.
        action: Value,
    },
    /// What an action would come to.
    Preview {
        /// The action.
        action: Value,
    },
    /// Some legal answers, places and paths included.
    Candidates {
        /// At most so many.
        n: usize,
    },
    /// What a sensible officer would weigh, best first: a few answers worth a thought, places and paths included.
    Counsel {
        /// At most so many.
        n: usize,
    },
    /// What the dice of an action can bring.
    Odds {
        /// The action.
        action: Value,
    },
    /// The legal answer nearest to where a player points, and what it would come to. Only the newest of several that
    /// wait is answered.
    Steer(Wish),
    /// The ground that a unit of ours can reach in the pending decision.
    Reach {
        /// The unit.
        unit: UnitId,
    },
    /// Whether one unit sees another.
    Sight {
        /// The unit that looks.
        from: UnitId,
        /// The unit looked for.
        to: UnitId,
    },
    /// What a unit of ours may do in the pending decision, and what keeps it from the rest.
    Courses {
        /// The unit.
        unit: UnitId,
    },
    /// The table drawn, as this connection sees it.
    Picture {
        /// By day or by night.
        #[serde(default)]
        light: Light,
        /// The ground alone, with the symbols of all toys for whoever draws the units on it.
        #[serde(default)]
        ground: bool,
    },
    /// Takes an action.
    Act {
        /// How many actions were taken before it.
        n: u64,
        /// The action.
        action: Value,
        /// How many were taken back before it, to be sure.
        #[serde(default)]
        take_backs: Option<u64>,
    },
    /// Takes the last action back.
    TakeBack {
        /// How many actions were taken, the one to take back included.
        n: u64,
    },
    /// Offers a draw, or accepts the one that was offered; or declines it, or offers it no longer.
    Draw {
        /// Whether we would leave it drawn.
        agree: bool,
    },
    /// From which of several seats to see the table.
    Look {
        /// The seat; none is a spectator.
        seat: Option<Seat>,
    },
    /// Says something to everybody at the table.
    Chat {
        /// At most 500 characters.
        text: String,
    },
    /// Is anybody there?
    Ping {},
}

/// Who we are.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Hello {
    /// The token of our seat or seats.
    pub token: Option<String>,
    /// Further tokens.
    pub tokens: Vec<String>,
    /// How much of the view each `state` has.
    pub views: Views,
    /// Up to which action the events are known to us already.
    pub since: u64,
    /// Whether long messages may come packed: as binary frames, gzip of the same text.
    pub packed: bool,
}

/// How much of the view each `state` has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Views {
    /// The whole view each time.
    #[default]
    Full,
    /// The whole view once, then what changed.
    Changes,
    /// None.
    None,
}

/// What the server says.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Saying {
    /// The number of the request it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// What it says.
    #[serde(flatten)]
    pub say: Say,
}

/// A message of the server.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Say {
    /// Who you are here.
    Welcome {
        /// The game.
        game: Box<GameFacts>,
        /// The seats you play.
        your_seats: Vec<Seat>,
    },
    /// Where the battle stands.
    State(Box<State>),
    /// What happened.
    Events {
        /// After this action.
        from: u64,
        /// Up to this one.
        to: u64,
        /// Action by action.
        turned: Vec<Happened>,
    },
    /// Your action is on disk.
    Acted {
        /// Its number: so many actions have been taken now.
        n: u64,
    },
    /// An action was taken back.
    TakenBack {
        /// How many are left.
        n: u64,
        /// Whose it was.
        seat: Seat,
    },
    /// The answers to the pending decision.
    Legal {
        /// At which action.
        n: u64,
        /// Every answer that can be listed.
        listed: Vec<Value>,
        /// Families of answers with a place or a path in them.
        spaces: Vec<Space>,
    },
    /// The action is legal.
    Checked {
        /// At which action.
        n: u64,
    },
    /// What the action would come to.
    Preview {
        /// At which action.
        n: u64,
        /// Cost, shapes, remarks.
        preview: Box<Preview>,
    },
    /// Some legal answers.
    Candidates {
        /// At which action.
        n: u64,
        /// The answers.
        list: Vec<Value>,
    },
    /// What a sensible officer would weigh, best first.
    Counsel {
        /// At which action.
        n: u64,
        /// The answers.
        list: Vec<Counselled>,
    },
    /// What the dice can bring.
    Odds {
        /// At which action.
        n: u64,
        /// From how many samples, where there are too many ways to walk them all; none where the odds are exact.
        samples: Option<u32>,
        /// Whether others are asked on the way, and the odds suppose that they answer as a subaltern would.
        supposed: bool,
        /// Line by line.
        lines: Vec<OddsLine>,
    },
    /// The legal answer nearest to a wish.
    Steer {
        /// At which action.
        n: u64,
        /// The answer; none when nothing of the kind is legal now.
        action: Option<Value>,
        /// Where the unit would stand after it.
        end: Option<Pose>,
        /// Why it does not end as wished; none when it does.
        why: Option<Illegal>,
        /// What the answer would come to.
        preview: Option<Box<Preview>>,
    },
    /// The ground that a unit can reach.
    Reach {
        /// At which action.
        n: u64,
        /// The unit.
        unit: UnitId,
        /// How far it would come each way; none where nothing takes it anywhere.
        reach: Option<Reach>,
    },
    /// Whether one unit sees another.
    Sight {
        /// At which action.
        n: u64,
        /// The line; none where the rules have nothing to say of these two, or one is not on the table.
        sight: Option<Sight>,
    },
    /// What a unit may do, and what keeps it from the rest.
    Courses {
        /// At which action.
        n: u64,
        /// The unit.
        unit: UnitId,
        /// Each kind of answer.
        list: Vec<Course>,
    },
    /// The table drawn.
    Picture {
        /// At which action.
        n: u64,
        /// The drawing; its root says where the table lies in it (`data-table`, `data-scale`).
        svg: String,
    },
    /// The request changed nothing.
    Refused(Refused),
    /// What was said.
    Chat {
        /// Line by line.
        lines: Vec<ChatLine>,
    },
    /// Who is here.
    Presence {
        /// Each seat.
        seats: Vec<Present>,
        /// How many watch.
        watching: usize,
    },
    /// A draw is offered, or no longer.
    Draw {
        /// The seats that would leave it drawn; none where nothing is offered (any more).
        offered: Vec<Seat>,
        /// Who declined the offer, if that is what became of it.
        declined: Option<Seat>,
    },
    /// The battle is over.
    Over {
        /// How it ended.
        ending: Option<Ending>,
        /// The seed of all its dice and cards.
        seed: String,
        /// The SHA-256 of the seed, as it was published at the start.
        commitment: String,
    },
    /// Somebody is there.
    Pong {},
}

/// Where the battle stands, as one connection may know it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct State {
    /// How many actions have been taken.
    pub n: u64,
    /// How many were taken back.
    pub take_backs: u64,
    /// The seat the view is of; none is a spectator.
    pub seat: Option<Seat>,
    /// The seats you play.
    pub your_seats: Vec<Seat>,
    /// Whether the pending decision is yours.
    pub yours: bool,
    /// What is being waited for.
    pub pending: Pending,
    /// Whether seats of yours know different things of the table: who shares a screen must look away.
    pub hidden: bool,
    /// Whether the last action can be taken back by you, as far as that is known before trying.
    pub can_take_back: bool,
    /// The whole view.
    #[schemars(with = "Option<View>")]
    pub view: Option<std::sync::Arc<View>>,
    /// Or what changed since the last one.
    pub changes: Option<Changes>,
    /// The clock, if there is one.
    pub clock: Option<ClockState>,
}

/// What the clocks show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClockState {
    /// Milliseconds left, by seat.
    pub left: Vec<i64>,
    /// Whose is running.
    pub running: Option<Seat>,
}

/// One action and what came of it, as one connection may know it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Happened {
    /// Its number, from 1; 0 is what was rolled before the first.
    pub n: u64,
    /// Who decided.
    pub seat: Option<Seat>,
    /// What happened. An event with `only` is for those of your seats that are in it.
    pub events: Vec<Told>,
    /// The dice and cards, in order.
    #[schemars(with = "Vec<DrawShape>")]
    pub draws: Vec<Draw>,
    /// The seats of yours that may know the dice and cards; empty means all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub draws_only: Vec<Seat>,
    /// The ways units went, with an action that has just been taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<Way>,
}

/// An event with its sentence.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Told {
    /// The sentence, with every die, modifier and clause.
    pub text: String,
    /// The same for whoever shows faces, modifiers and clauses beside it: of the dice only what came of them.
    pub brief: String,
    /// The same without its dice, where it has any: who did what to whom, and what came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gist: Option<String>,
    /// It only announces what comes: a turn, a phase.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub heading: bool,
    /// Whoever tells of the whole battle would not leave it out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub notable: bool,
    /// What its dice are: those that hit, those that save, or a sum; none where they say something by themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<DiceRead>,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

/// The form of a draw, for the schema.
#[cfg(feature = "schemas")]
#[derive(JsonSchema)]
#[schemars(rename = "Draw")]
#[allow(dead_code)]
pub(crate) struct DrawShape {
    /// What the rules asked for it for.
    purpose: String,
    /// What came.
    came: CameShape,
}

/// What a draw brought, for the schema.
#[cfg(feature = "schemas")]
#[derive(JsonSchema)]
#[schemars(rename = "Drawn", rename_all = "snake_case")]
#[allow(dead_code)]
enum CameShape {
    /// Faces of dice, in order.
    Dice(Vec<u8>),
    /// A card, or any other thing picked.
    Card(String),
}

/// An answer that an officer would weigh.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Counselled {
    /// The answer.
    pub action: Value,
    /// How well it looks at first sight; more is better.
    pub promise: f64,
    /// What speaks most for it and against it, the strongest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Because>,
}

/// What one sort of event can bring.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OddsLine {
    /// The event.
    pub what: String,
    /// The unit it is about.
    pub who: Option<String>,
    /// And the other unit.
    pub whom: Option<String>,
    /// Each way it can come out.
    pub ways: Vec<OddsWay>,
}

/// One way an event can come out.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OddsWay {
    /// How it came out.
    pub outcome: Option<String>,
    /// The total or the hits.
    pub made: Option<i32>,
    /// How likely, from 0 to 1.
    pub p: f64,
    /// With 95 % confidence it is no further off than this; 0 where it is exact.
    pub give: f64,
}

/// Something said.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChatLine {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// From which seat.
    pub seat: Seat,
    /// By whom.
    pub name: String,
    /// What.
    pub text: String,
}

/// Who is in a seat.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Present {
    /// The seat.
    pub seat: Seat,
    /// `person`, `open` or `program:LEVEL`.
    pub kind: String,
    /// What the player is called.
    pub name: String,
    /// Whether somebody is connected for it; programs always are.
    pub here: bool,
}

/// Why a request changed nothing.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Refused {
    /// A word for programs.
    pub kind: String,
    /// A sentence for people.
    pub why: String,
    /// The clause that forbids it.
    pub clause: Option<String>,
    /// The seat that must decide, if it is another's decision.
    pub seat: Option<Seat>,
}

impl Refused {
    pub(crate) fn new(kind: &str, why: impl Into<String>) -> Self {
        Self { kind: kind.into(), why: why.into(), clause: None, seat: None }
    }

    pub(crate) fn not_yours(pending: Seat) -> Self {
        Self {
            seat: Some(pending),
            ..Self::new("not_yours", format!("it is seat {}'s decision, not yours", pending.0))
        }
    }

    pub(crate) fn over() -> Self {
        Self::new("over", "the battle is over")
    }

    pub(crate) fn overtaken() -> Self {
        Self::new("overtaken", "a newer wish came before this one was looked at")
    }

    pub(crate) fn busy() -> Self {
        Self::new(
            "busy",
            "much that you asked for is still being worked on; try again when some of it is done",
        )
    }

    pub(crate) fn internal() -> Self {
        Self::new("internal", "the server could not do that; nothing was changed")
    }
}

impl From<ApiError> for Refused {
    fn from(e: ApiError) -> Self {
        Self::new(e.kind, e.why)
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Malformed(why) => Self::new("malformed", why),
            Refusal::NotYours { pending, .. } => Self::not_yours(pending),
            Refusal::Over => Self::over(),
            Refusal::Illegal(illegal) => {
                Self { clause: Some(illegal.clause), ..Self::new("illegal", illegal.why) }
            }
            Refusal::Chance(_) => Self::internal(),
        }
    }
}

impl Say {
    /// As text, with the number of the request it answers.
    pub(crate) fn text(self, id: Option<u64>) -> String {
        // Nothing in a message can fail to be written; an empty object would be ignored by clients.
        serde_json::to_string(&Saying { id, say: self }).unwrap_or_else(|_| "{}".into())
    }
}
