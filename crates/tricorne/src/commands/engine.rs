//! `tricorne engine`: a JSON-lines protocol for bots and tools. Described in `docs/engine.md`.

use std::io::{BufRead, Read, Write};

use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};
use tricorne_agents::{Level, Player};
use tricorne_chance::{Seed, Whim};
use tricorne_game::journal::Journal;
use tricorne_game::{
    AnyBattle, AnySystem, Choices, Effort, Event, Refusal, Seat, Source, Story, Umpire, forecast, unread,
};

use crate::failure::{Failure, Outcome};

/// A request longer than this is refused.
const LONGEST: u64 = 4 << 20;

/// A JSON-lines protocol on stdin and stdout.
#[derive(Args)]
pub struct Engine {
    /// A scenario to begin with, as if `new` had been asked
    scenario: Option<String>,
}

impl Engine {
    /// Answers requests until stdin ends or `quit` is asked.
    pub fn run(self) -> Outcome {
        let mut desk = Desk::default();
        if self.scenario.is_some() {
            desk.begin(self.scenario, None, None, Choices::default())
                .map_err(|(_, why, _)| Failure::wrong(why))?;
        }
        let mut input = std::io::stdin().lock();
        let mut output = std::io::stdout().lock();
        loop {
            let mut line = Vec::new();
            let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(());
            }
            let too_long = read as u64 == LONGEST && !line.ends_with(b"\n");
            if too_long {
                skip_line(&mut input)?;
            } else if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let (reply, quit) = if too_long {
                (
                    failed(&Value::Null, "too_long", format!("a request is at most {LONGEST} bytes"), None),
                    false,
                )
            } else {
                desk.answer(&line)
            };
            writeln!(output, "{reply}")?;
            output.flush()?;
            if quit {
                return Ok(());
            }
        }
    }
}

fn skip_line(input: &mut impl BufRead) -> Result<(), Failure> {
    loop {
        let buffer = input.fill_buf()?;
        let (used, done) = match buffer.iter().position(|&b| b == b'\n') {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

/// What may be asked. Every request may carry an `id`, which comes back with the answer.
#[derive(Deserialize)]
#[serde(tag = "cmd", rename_all = "snake_case", deny_unknown_fields)]
enum Ask {
    /// The rule systems and their scenarios.
    Rulesets {},
    /// One clause, or all.
    Rules { ruleset: String, clause: Option<String> },
    /// The JSON schema of a system's actions and scenario files.
    Schema { ruleset: String },
    /// A new battle, of a shipped scenario or of a scenario text.
    New {
        scenario: Option<String>,
        text: Option<String>,
        #[serde(default)]
        seed: Option<Value>,
        #[serde(default)]
        options: std::collections::BTreeMap<String, String>,
        #[serde(default)]
        data: std::collections::BTreeMap<String, String>,
    },
    /// A battle from a journal, up to an action.
    Load { journal: String, at: Option<usize> },
    /// Who must decide, and what.
    Pending {},
    /// The legal answers.
    Legal {},
    /// Whether an answer is legal.
    Check { action: Value },
    /// What an answer would come to.
    Preview { action: Value },
    /// Every outcome of an answer with its probability.
    Odds { action: Value, limit: Option<usize> },
    /// A legal answer at random.
    Sample { seed: Option<u64> },
    /// Several legal answers.
    Candidates { n: Option<usize>, seed: Option<u64> },
    /// What a program would answer, and what it thought of it and of the others.
    Think { player: Option<String>, seed: Option<u64> },
    /// Takes an answer.
    Apply { seat: Option<u8>, action: Value },
    /// What a seat may know; without a seat, a spectator.
    View { seat: Option<u8> },
    /// Everything, secrets included: for tools that play both sides.
    Facts {},
    /// Events so far that a seat may know, from an action on; as sentences too.
    Events { seat: Option<u8>, from: Option<usize> },
    /// Steps back so that so many actions remain.
    Undo { to: usize },
    /// The journal so far.
    Journal {},
    /// Ends the program.
    Quit {},
}

type Answer = Result<Value, (&'static str, String, Option<Value>)>;

#[derive(Default)]
struct Desk {
    umpire: Option<Umpire>,
    samples: u64,
}

fn failed(id: &Value, kind: &str, why: String, more: Option<Value>) -> Value {
    let mut error = json!({ "kind": kind, "why": why });
    if let Some(Value::Object(more)) = more {
        for (key, value) in more {
            error[key] = value;
        }
    }
    json!({ "id": id, "error": error })
}

fn wrong(why: impl ToString) -> (&'static str, String, Option<Value>) {
    ("bad_request", why.to_string(), None)
}

fn refused(refusal: Refusal) -> (&'static str, String, Option<Value>) {
    let why = refusal.to_string();
    match refusal {
        Refusal::Malformed(_) => ("malformed", why, None),
        Refusal::NotYours { pending, .. } => ("not_yours", why, Some(json!({ "seat": pending }))),
        Refusal::Over => ("over", why, None),
        Refusal::Illegal(illegal) => ("illegal", illegal.why, Some(json!({ "clause": illegal.clause }))),
        Refusal::Chance(_) => ("chance", why, None),
    }
}

impl Desk {
    fn answer(&mut self, line: &[u8]) -> (Value, bool) {
        let mut value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(e) => {
                return (
                    failed(&Value::Null, "bad_request", format!("not JSON: {}", unread(&e)), None),
                    false,
                );
            }
        };
        let id = value.as_object_mut().and_then(|map| map.shift_remove("id")).unwrap_or_default();
        let ask: Ask = match serde_json::from_value(value) {
            Ok(ask) => ask,
            Err(e) => {
                return (
                    failed(
                        &id,
                        "bad_request",
                        format!("not a request: {}; see docs/engine.md", unread(&e)),
                        None,
                    ),
                    false,
                );
            }
        };
        let quit = matches!(ask, Ask::Quit {});
        let reply = match self.reply(ask) {
            Ok(ok) => json!({ "id": id, "ok": ok }),
            Err((kind, why, more)) => failed(&id, kind, why, more),
        };
        (reply, quit)
    }

    fn umpire(&mut self) -> Result<&mut Umpire, (&'static str, String, Option<Value>)> {
        self.umpire
            .as_mut()
            .ok_or_else(|| ("no_battle", "there is no battle; ask `new` or `load` first".into(), None))
    }

    fn whim(&mut self, seed: Option<u64>) -> Whim {
        self.samples += 1;
        Whim::new(seed.unwrap_or(self.samples), 99)
    }

    fn reply(&mut self, ask: Ask) -> Answer {
        match ask {
            Ask::Rulesets {} => Ok(tricorne_shelf::systems().iter().map(|s| about(*s)).collect()),
            Ask::Rules { ruleset, clause } => {
                let book = system(&ruleset)?.book();
                match clause {
                    None => Ok(json!(book.clauses)),
                    Some(id) => book
                        .clause(&id)
                        .map(|c| json!(c))
                        .ok_or_else(|| wrong(format!("there is no clause {id}"))),
                }
            }
            Ask::Schema { ruleset } => {
                let system = system(&ruleset)?;
                Ok(json!({ "action": system.action_schema(), "scenario": system.scenario_schema() }))
            }
            Ask::New { scenario, text, seed, options, data } => {
                self.begin(scenario, text, seed, Choices { options, data })
            }
            Ask::Load { journal, at } => {
                let journal = Journal::read(journal.as_bytes()).map_err(wrong)?;
                self.umpire = Some(journal.replay(system(&journal.header.ruleset)?, at).map_err(wrong)?);
                self.stand()
            }
            Ask::Pending {} => self.stand(),
            Ask::Legal {} => Ok(json!(self.umpire()?.battle().legal())),
            Ask::Check { action } => {
                self.umpire()?.battle().check(&action).map_err(refused)?;
                Ok(json!({ "legal": true }))
            }
            Ask::Preview { action } => Ok(json!(self.umpire()?.battle().preview(&action).map_err(refused)?)),
            Ask::Odds { action, limit } => {
                let limit = limit.unwrap_or(20_000).min(1_000_000);
                let battle = self.umpire()?.battle();
                let seat = battle.seat().ok_or_else(|| refused(Refusal::Over))?;
                let mut all = json!(battle.odds(&action, limit).map_err(refused)?);
                let told = forecast(battle, seat, &action, Effort { paths: limit, ..Effort::PATIENT });
                let told = told.map_err(refused)?;
                all["samples"] = json!(told.samples);
                all["supposed"] = json!(told.supposed);
                all["rolls"] = json!(told.rolls);
                Ok(all)
            }
            Ask::Sample { seed } => {
                let mut whim = self.whim(seed);
                let battle = self.umpire()?.battle();
                battle.seat().ok_or_else(|| refused(Refusal::Over))?;
                Ok(battle.sample(&mut whim))
            }
            Ask::Candidates { n: Some(0), .. } => Err(wrong("`n`: ask for at least one answer")),
            Ask::Candidates { n, seed } => {
                let mut whim = self.whim(seed);
                let battle = self.umpire()?.battle();
                battle.seat().ok_or_else(|| refused(Refusal::Over))?;
                Ok(json!(battle.candidates(n.unwrap_or(16).min(1000), &mut whim)))
            }
            Ask::Think { player, seed } => {
                let player = player.as_deref().unwrap_or("general");
                let level: Level = player.parse().map_err(|e: String| wrong(e))?;
                let battle = self.umpire()?.battle();
                let seat = battle.seat().ok_or_else(|| refused(Refusal::Over))?;
                let thought = Player::new(level, seed.unwrap_or(1).into(), seat).think_any(battle);
                Ok(json!(thought))
            }
            Ask::Apply { seat, action } => {
                let umpire = self.umpire()?;
                let seat = seat
                    .map(Seat)
                    .or_else(|| umpire.battle().seat())
                    .ok_or_else(|| refused(Refusal::Over))?;
                let turned = umpire.act(seat, &action).map_err(refused)?.clone();
                let events = told(umpire, &turned.events, Some(seat));
                let mut stand = self.stand()?;
                stand["events"] = events;
                Ok(stand)
            }
            Ask::View { seat } => {
                let battle = self.umpire()?.battle();
                Ok(json!(battle.view(known(battle, seat)?)))
            }
            Ask::Facts {} => Ok(self.umpire()?.battle().facts()),
            Ask::Events { seat, from } => {
                let umpire = self.umpire()?;
                let seat = known(umpire.battle(), seat)?;
                let from = from.unwrap_or(0);
                let early = if from == 0 { umpire.prologue() } else { &[] };
                let later = umpire.turned().iter().skip(from).flat_map(|t| &t.events);
                let events: Vec<Event> = early.iter().chain(later).cloned().collect();
                Ok(told(umpire, &events, seat))
            }
            Ask::Undo { to } => {
                let umpire = self.umpire()?;
                let done = umpire.turned().len();
                if to > done {
                    return Err(wrong(format!("only {done} actions have been taken")));
                }
                umpire.step_back(to).map_err(wrong)?;
                self.stand()
            }
            Ask::Journal {} => Ok(json!(self.umpire()?.journal().to_text())),
            Ask::Quit {} => Ok(json!("goodbye")),
        }
    }

    fn begin(
        &mut self,
        scenario: Option<String>,
        text: Option<String>,
        seed: Option<Value>,
        choices: Choices,
    ) -> Answer {
        let (system, file) = match (scenario, text) {
            (Some(id), None) => tricorne_shelf::scenario(&id).map_err(wrong)?,
            (Some(_), Some(_)) => {
                return Err(wrong("`new` takes a `scenario` id or a scenario `text`, not both"));
            }
            (None, Some(text)) => {
                let file = Source::new("scenario", text);
                (tricorne_shelf::system_of(&file).map_err(wrong)?, file)
            }
            (None, None) => return Err(wrong("`new` needs a `scenario` id or a scenario `text`")),
        };
        for (name, value) in &choices.options {
            system.options().check(name, value).map_err(wrong)?;
        }
        let seed: Seed = match seed {
            None => 1.into(),
            Some(Value::Number(n)) => n.to_string().parse().map_err(wrong)?,
            Some(Value::String(s)) => s.parse().map_err(wrong)?,
            Some(other) => return Err(wrong(format!("{other} is not a seed"))),
        };
        self.umpire = Some(Umpire::begin(system, &file, &choices, seed).map_err(wrong)?);
        self.stand()
    }

    /// Where the battle stands.
    fn stand(&mut self) -> Answer {
        let umpire = self.umpire()?;
        let battle = umpire.battle();
        Ok(json!({
            "pending": battle.pending(),
            "seats": battle.seats(),
            "actions": umpire.turned().len(),
            "hash": battle.hash(),
        }))
    }
}

fn system(id: &str) -> Result<&'static dyn AnySystem, (&'static str, String, Option<Value>)> {
    tricorne_shelf::system(id).ok_or_else(|| wrong(format!("there is no ruleset `{id}`")))
}

/// A seat of this battle, or none.
fn known(
    battle: &dyn AnyBattle,
    seat: Option<u8>,
) -> Result<Option<Seat>, (&'static str, String, Option<Value>)> {
    let seats = battle.seats();
    match seat.filter(|n| !seats.iter().any(|s| s.seat.0 == *n)) {
        Some(n) => {
            let there: Vec<String> = seats.iter().map(|s| format!("{} {}", s.seat.0, s.name)).collect();
            Err(wrong(format!("there is no seat {n}; there is {}", there.join(", "))))
        }
        None => Ok(seat.map(Seat)),
    }
}

fn about(system: &dyn AnySystem) -> Value {
    let mut about = serde_json::to_value(system.about()).unwrap_or_default();
    about["scenarios"] = system.scenarios().iter().map(|s| s.id).collect();
    about["options"] = json!(system.options().specs);
    about
}

/// Events that a seat may know, each with its sentence.
fn told(umpire: &Umpire, events: &[Event], seat: Option<Seat>) -> Value {
    let view = umpire.battle().view(seat);
    let story = Story::new(umpire.system().stories(), &view).told_to(seat);
    events
        .iter()
        .filter_map(|event| {
            let text = story.tell(event)?;
            let mut value = serde_json::to_value(event).unwrap_or_default();
            value["text"] = text.into();
            Some(value)
        })
        .collect()
}
