//! What is said between the umpire and a program, decision by decision.

use std::time::Instant;

use serde::Deserialize;
use serde_json::{Value, json};
use tricorne_chance::Whim;
use tricorne_game::{AnyBattle, Effort, Pending, Refusal, Seat};

use super::Outsider;
use super::child::{Child, Silence};

/// Failures of the process itself (late, dead, unreadable) after which it is started no more in this battle.
const PATIENCE: u32 = 5;

/// As many candidates as it may ask for.
const CANDIDATES: usize = 500;

/// As much of a program's own words as is told of them.
const QUOTED: usize = 120;

/// Speaks with one program for one seat of one battle.
pub(crate) struct Envoy {
    outsider: Outsider,
    child: Option<Child>,
    /// Decisions put to it.
    decisions: u64,
    /// How often the process itself failed.
    failures: u32,
}

/// A line that a program writes.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Answer(Value),
    Candidates(Many),
    Check(Value),
    Preview(Value),
    Odds(Value),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Many {
    #[serde(default = "Many::usual")]
    n: usize,
}

impl Many {
    fn usual() -> usize {
        16
    }
}

impl Envoy {
    pub(crate) fn new(outsider: Outsider) -> Self {
        Self { outsider, child: None, decisions: 0, failures: 0 }
    }

    /// The program's answer to the pending decision: a legal one, or why there is none.
    pub(crate) fn answer(&mut self, battle: &dyn AnyBattle, whim: &mut Whim) -> Result<Value, String> {
        let Pending::Decision { seat, kind, unit, prompt } = battle.pending() else {
            return Err("the battle is over".into());
        };
        if self.failures >= PATIENCE {
            return Err(format!("it failed {PATIENCE} times and is asked no more in this battle"));
        }
        let until = Instant::now() + self.outsider.clock;
        self.decisions += 1;
        let legal = battle.legal();
        let question = json!({
            "decide": self.decisions,
            "seat": seat,
            "clock_ms": self.outsider.clock.as_millis() as u64,
            "decision": { "kind": kind, "unit": unit, "prompt": prompt },
            "listed": legal.listed,
            "spaces": legal.spaces,
            "view": battle.view(Some(seat)),
        });
        let talked = self.talk(&question, battle, seat, until, whim);
        if let Err(Fault::Process(_)) = &talked {
            // It may be in the middle of anything; the next decision finds a fresh one.
            self.child = None;
            self.failures += 1;
        }
        talked.map_err(|fault| match fault {
            Fault::Process(why) | Fault::Answer(why) => why,
        })
    }

    fn talk(
        &mut self,
        question: &Value,
        battle: &dyn AnyBattle,
        seat: Seat,
        until: Instant,
        whim: &mut Whim,
    ) -> Result<Value, Fault> {
        let child = match self.child.take() {
            Some(child) => child,
            None => Child::start(&self.outsider).map_err(Fault::Process)?,
        };
        let child = self.child.insert(child);
        child.say(question.to_string());
        loop {
            let line = child.hear(until).map_err(|silence| {
                Fault::Process(match silence {
                    Silence::Late => format!("it gave no answer within {:?}", self.outsider.clock),
                    Silence::Ended => "it ended without an answer".into(),
                    Silence::TooLong => "it wrote a line of more than a mebibyte".into(),
                })
            })?;
            let unreadable =
                |why: String| Fault::Process(format!("it wrote {}, which is {why}", quoted(&line)));
            let mut said: Value = serde_json::from_slice(&line).map_err(|_| unreadable("not JSON".into()))?;
            // An answer that names another decision comes too late for that one and is none to this.
            let named = said.as_object_mut().and_then(|fields| fields.remove("decide"));
            if named.is_some_and(|n| n != json!(self.decisions)) {
                continue;
            }
            let word: Word =
                serde_json::from_value(said).map_err(|e| unreadable(format!("not understood: {e}")))?;
            let reply = match word {
                Word::Answer(action) => {
                    return match battle.check(&action) {
                        Ok(()) => Ok(action),
                        Err(refusal) => Err(Fault::Answer(format!(
                            "it answered {}, which is refused: {refusal}",
                            quoted(action.to_string().as_bytes())
                        ))),
                    };
                }
                Word::Candidates(many) => Ok(json!(battle.candidates(many.n.clamp(1, CANDIDATES), whim))),
                Word::Check(action) => battle.check(&action).map(|()| json!({ "legal": true })),
                Word::Preview(action) => battle.preview(&action).map(|preview| json!(preview)),
                Word::Odds(action) => {
                    tricorne_game::forecast(battle, seat, &action, Effort::HOVER).map(|odds| json!(odds))
                }
            };
            child.say(match reply {
                Ok(reply) => json!({ "ok": reply }).to_string(),
                Err(refusal) => json!({ "error": refused(&refusal) }).to_string(),
            });
        }
    }
}

/// Another envoy for another battle: it begins a process of its own.
impl Clone for Envoy {
    fn clone(&self) -> Self {
        let Self { outsider, decisions, failures, .. } = self;
        Self { outsider: *outsider, child: None, decisions: *decisions, failures: *failures }
    }
}

impl Drop for Envoy {
    fn drop(&mut self) {
        if let Some(child) = self.child.take() {
            child.farewell();
        }
    }
}

impl std::fmt::Debug for Envoy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}, {} decisions, {} failures", self.outsider, self.decisions, self.failures)
    }
}

/// Why there is no answer.
enum Fault {
    /// The process can't be talked with any more.
    Process(String),
    /// It can, but its answer is refused.
    Answer(String),
}

fn refused(refusal: &Refusal) -> Value {
    let (kind, clause) = match refusal {
        Refusal::Malformed(_) => ("malformed", None),
        Refusal::Illegal(illegal) => ("illegal", Some(&illegal.clause)),
        Refusal::NotYours { .. } => ("not_yours", None),
        Refusal::Over => ("over", None),
        Refusal::Chance(_) => ("chance", None),
    };
    json!({ "kind": kind, "why": refusal.to_string(), "clause": clause })
}

/// The beginning of what a program wrote, fit to be printed.
fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * QUOTED)]);
    let plain: String =
        text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).take(QUOTED).collect();
    let more = if plain.len() < text.trim().len() || bytes.len() > 4 * QUOTED { " …" } else { "" };
    format!("`{plain}`{more}")
}
