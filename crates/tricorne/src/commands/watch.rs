//! `tricorne watch`: a battle at the terminal, watched step by step or played.

use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

use clap::Args;
use serde_json::Value;
use tricorne_agents::{Level, Player};
use tricorne_chance::{Seed, Whim};
use tricorne_game::{Pending, Seat, Umpire};
use tricorne_picture::Style;

use super::battle::told;
use super::{LogKind, Teller, say};
use crate::alarm;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::load::{self, ChoiceArgs};

/// Watch a battle step by step at this terminal, or play in it.
#[derive(Args)]
pub struct Watch {
    /// A scenario's id, or a scenario file; without one, the first on the shelf
    scenario: Option<String>,
    /// The seed of every die and card
    #[arg(long, default_value = "1")]
    seed: String,
    /// The seats you decide for, by number; without them you may decide for any
    #[arg(long, value_delimiter = ',', value_name = "SEAT")]
    seats: Vec<u8>,
    #[command(flatten)]
    choices: ChoiceArgs,
}

const HELP: &str = "  Enter      let the program decide this one
  a number   take that answer
  {…}        take an answer written as JSON (docs/engine.md; places and paths are written so)
  m          more suggestions
  w          watch to the end
  t          the table: every unit and its state
  p FILE     draw the table to FILE.svg or FILE.png
  u          take back the last action
  j FILE     save the journal
  q          leave
  h          this";

impl Watch {
    /// Plays until the end, or until the player leaves.
    pub fn run(self) -> Outcome {
        let name = match &self.scenario {
            Some(name) => name.clone(),
            None => first_scenario()?,
        };
        if files::is_standard(Path::new(&name)) {
            return Err(Failure::wrong(
                "a battle is watched by answering on standard input; name a scenario file",
            ));
        }
        let (system, file) = load::scenario(&name)?;
        let choices = self.choices.choices(system)?;
        let seed: Seed = self.seed.parse().map_err(Failure::wrong)?;
        let mut table = Table {
            umpire: Umpire::begin(system, &file, &choices, seed)?,
            mine: self.seats.iter().copied().map(Seat).collect(),
            seed,
            suggestions: 12,
            watching: false,
        };
        let seats = table.umpire.battle().seats();
        if let Some(wrong) = table.mine.iter().find(|m| !seats.iter().any(|s| s.seat == **m)) {
            let known: Vec<String> = seats.iter().map(|s| format!("{} {}", s.seat.0, s.name)).collect();
            return Err(Failure::wrong(format!(
                "--seats {}: there is no such seat; there is {}",
                wrong.0,
                known.join(", ")
            )));
        }
        alarm::rescued(&mut table, |table| &table.umpire, Table::play)
    }
}

fn first_scenario() -> Result<String, Failure> {
    let system = tricorne_shelf::systems().first().ok_or_else(|| Failure::wrong("the shelf is empty"))?;
    let scenario = system.scenarios().first().ok_or_else(|| Failure::wrong("no scenarios"))?;
    Ok(scenario.id.to_owned())
}

struct Table {
    umpire: Umpire,
    mine: Vec<Seat>,
    seed: Seed,
    suggestions: usize,
    watching: bool,
}

/// What the player said.
enum Said {
    Take(Value),
    Program,
    Again,
    Leave,
}

impl Table {
    fn play(&mut self) -> Outcome {
        say(&self.umpire.battle().view(None).title)?;
        say("Press Enter to let the program take the next step, or h for what else you can do.")?;
        let mut teller = Teller::new(LogKind::Story);
        teller.tell(&self.umpire, self.umpire.prologue())?;
        let terminal = std::io::stdin().is_terminal();
        let mut lines = std::io::stdin().lock().split(b'\n');
        while let Some(seat) = self.umpire.battle().seat() {
            let ours = self.mine.is_empty() || self.mine.contains(&seat);
            let said = if self.watching || !ours {
                Said::Program
            } else {
                teller.held.told().try_for_each(|line| say(&line))?;
                let offered = self.ask(seat)?;
                match lines.next() {
                    None => Said::Leave,
                    // What is no text is no answer; the battle goes on.
                    Some(line) => self.hear(String::from_utf8_lossy(&line?).trim(), &offered)?,
                }
            };
            let action = match said {
                Said::Take(action) => action,
                Said::Program => self.program(seat),
                Said::Again => continue,
                Said::Leave => return Ok(()),
            };
            match self.umpire.act(seat, &action) {
                Ok(turned) => {
                    let events = turned.events.clone();
                    teller.tell(&self.umpire, &events)?;
                }
                Err(refusal) => say(&format!("  Not allowed: {refusal}"))?,
            }
            self.suggestions = 12;
        }
        if let Some(ending) = self.umpire.battle().ending() {
            say(&format!("\n{}", told(&ending, &self.umpire, LogKind::Story)))?;
        }
        if terminal { say("") } else { Ok(()) }
    }

    fn program(&self, seat: Seat) -> Value {
        let n = self.umpire.turned().len() as u64;
        let mut bytes = self.seed.0;
        bytes[24..].copy_from_slice(&n.to_le_bytes());
        Player::new(Level::Random, Seed(bytes), seat).choose_any(self.umpire.battle())
    }

    /// Shows what is asked and what may be answered.
    fn ask(&self, seat: Seat) -> Result<Vec<Value>, Failure> {
        let battle = self.umpire.battle();
        if let Pending::Decision { prompt, .. } = battle.pending() {
            let who = battle.seats().into_iter().find(|s| s.seat == seat).map(|s| s.name).unwrap_or_default();
            say(&format!("\n{who}: {prompt}"))?;
        }
        let view = battle.view(None);
        let names: BTreeMap<&str, &str> = view
            .units
            .iter()
            .map(|u| (u.id.as_str(), u.name.as_str()))
            .filter(|(_, n)| !n.is_empty())
            .collect();
        let mut whim = Whim::new(self.seed, 1_000 + self.umpire.turned().len() as u64);
        let offered = battle.candidates(self.suggestions, &mut whim);
        for (i, action) in offered.iter().enumerate() {
            say(&format!("  {:>2}  {}", i + 1, words(action, &names)))?;
        }
        for space in battle.legal().spaces {
            say(&format!("      or {}: {}", space.action, space.shape))?;
        }
        let mut out = std::io::stdout().lock();
        out.write_all(b"> ")?;
        out.flush()?;
        Ok(offered)
    }

    fn hear(&mut self, line: &str, offered: &[Value]) -> Result<Said, Failure> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        Ok(match word {
            "" => Said::Program,
            "h" | "help" | "?" => {
                say(HELP)?;
                Said::Again
            }
            "q" => Said::Leave,
            "w" => {
                self.watching = true;
                Said::Program
            }
            "m" => {
                self.suggestions *= 3;
                Said::Again
            }
            "u" => {
                let done = self.umpire.turned().len();
                if done == 0 {
                    say("  Nothing has been done yet.")?;
                } else {
                    self.umpire.step_back(done - 1)?;
                }
                Said::Again
            }
            "t" => {
                self.show()?;
                Said::Again
            }
            "p" | "j" if rest.is_empty() => {
                say("  Say a file name too.")?;
                Said::Again
            }
            "p" => {
                if let Err(Failure::Wrong(why)) = super::picture::write(
                    &self.umpire.battle().view(None),
                    &Style::default(),
                    Path::new(rest),
                    None,
                ) {
                    say(&format!("  {why}"))?;
                }
                Said::Again
            }
            "j" => {
                let path = Path::new(rest);
                let kept = files::can_take_a_journal(path)
                    .and_then(|()| files::write(path, self.umpire.journal().to_text().as_bytes()));
                if let Err(Failure::Wrong(why)) = kept {
                    say(&format!("  {why}"))?;
                }
                Said::Again
            }
            _ => match (line.parse::<usize>(), serde_json::from_str::<Value>(line)) {
                (Ok(n), _) if (1..=offered.len()).contains(&n) => Said::Take(offered[n - 1].clone()),
                (Err(_), Ok(action)) => Said::Take(action),
                (Ok(n), _) => {
                    let most = offered.len();
                    say(&format!("  {n}: there are answers from 1 to {most}; m shows more of them."))?;
                    Said::Again
                }
                _ => {
                    say(&format!("  {line}: nothing here is called that; h tells what you can do."))?;
                    Said::Again
                }
            },
        })
    }

    fn show(&self) -> Outcome {
        let view = self.umpire.battle().view(None);
        let of = view.clock.of.map(|of| format!(" of {of}")).unwrap_or_default();
        say(&format!("  turn {}{of}, {}", view.clock.turn, view.clock.phase))?;
        let mut rows = Vec::new();
        for unit in view.units.iter().filter(|u| u.on_table) {
            let markers: Vec<String> = unit
                .markers
                .iter()
                .map(|m| if m.count > 1 { format!("{} ×{}", m.kind, m.count) } else { m.kind.clone() })
                .collect();
            rows.push(vec![
                format!("  {}", unit.id),
                view.sides.get(unit.side.index()).map(|s| s.name.clone()).unwrap_or_default(),
                format!("{} {}", unit.name, unit.kind),
                format!("{}/{}", unit.strength.0, unit.strength.1),
                format!("({:.1}, {:.1})", unit.at.x, unit.at.y),
                markers.join(", "),
            ]);
        }
        say(crate::table::columns(&rows).trim_end())
    }
}

/// An action as a person would say it: its name and what it is about, units by their names.
fn words(action: &Value, names: &BTreeMap<&str, &str>) -> String {
    let word = |key: &str| key.replace('_', " ");
    let plain = |value: &Value| match value {
        Value::String(id) => match names.get(id.as_str()) {
            Some(name) => format!("{id} ({name})"),
            None => id.clone(),
        },
        other => other.to_string(),
    };
    match action {
        Value::String(name) => word(name),
        Value::Object(map) => {
            let parts: Vec<String> = map
                .iter()
                .map(|(key, value)| match value {
                    Value::Object(inner) => {
                        let inner: Vec<String> = inner
                            .iter()
                            .filter(|(_, v)| !v.is_null() && v.as_array().is_none_or(|a| !a.is_empty()))
                            .map(|(k, v)| format!("{} {}", word(k), plain(v)))
                            .collect();
                        format!("{}: {}", word(key), inner.join(", "))
                    }
                    other => format!("{} {}", word(key), plain(other)),
                })
                .collect();
            parts.join(", ")
        }
        other => other.to_string(),
    }
}
