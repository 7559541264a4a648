//! `tricorne battle`: programs fight.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use serde_json::json;
use tricorne_agents::{Level, Player, Thought};
use tricorne_chance::Seed;
use tricorne_game::{Ending, SeatInfo, Umpire};

use super::{LogKind, Teller, json, log_kind, say, tell_stood_in, until_ctrl_c};
use crate::alarm;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::load::{self, ChoiceArgs};

/// Fight a battle between programs.
#[derive(Args)]
pub struct BattleArgs {
    /// A scenario's id, or a scenario file (`-` reads one from standard input)
    scenario: String,
    /// The seed of every die and card
    #[arg(long, default_value = "1")]
    seed: String,
    /// Who plays each seat, in order: a rank from recruit to general (with a budget: general:100ms, general:400it; with a
    /// temper: bold-captain), random, a rank by weights of your own (subaltern@FILE), or a program of your own
    /// (exec:COMMAND)
    #[arg(long, value_delimiter = ',', default_value = "random", value_parser = Level::anybody)]
    players: Vec<Level>,
    /// How long a program of your own has for each decision
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = super::clock)]
    clock: Duration,
    #[command(flatten)]
    choices: ChoiceArgs,
    /// How much is told; the story if not said
    #[arg(long, value_enum)]
    log: Option<LogKind>,
    /// Tell what each program weighed before it answered: value (-1 lost, 1 won), tries, promise at first sight
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    /// Write the journal to this file (`-`: standard output, and the story to stderr)
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// The result as JSON, and nothing else on stdout
    #[arg(long)]
    json: bool,
}

impl BattleArgs {
    /// Fights it.
    pub fn run(self) -> Outcome {
        let log = log_kind(self.json, self.log, LogKind::Story)?;
        files::outputs(self.json, [self.journal.as_deref()])?;
        if let Some(path) = &self.journal {
            files::can_take_a_journal(path)?;
        }
        let (system, file) = load::scenario(&self.scenario)?;
        let choices = self.choices.choices(system)?;
        let seed: Seed = self.seed.parse().map_err(Failure::wrong)?;
        let mut umpire = Umpire::begin(system, &file, &choices, seed)?;
        let seats = umpire.battle().seats();
        let levels = self.levels(&seats)?;
        umpire.set_players(levels.iter().map(Level::to_string).collect());
        // Whoever wants a journal wants it whole: the battle goes on where nobody listens, and is kept when it is stopped.
        let stop = match &self.journal {
            Some(_) => until_ctrl_c()?,
            None => Arc::default(),
        };
        let mut opened = Ok(());
        if log == LogKind::Story {
            // In mid-sentence the article of a name is small.
            let called = |name: &str| {
                name.strip_prefix("The ").map_or_else(|| name.to_owned(), |rest| format!("the {rest}"))
            };
            let players: Vec<String> =
                seats.iter().zip(&levels).map(|(s, l)| format!("{} ({l})", called(&s.name))).collect();
            opened = say(&format!(
                "{}: {}, seed {seed}",
                umpire.battle().view(None).title,
                players.join(" against ")
            ));
        }
        let mut teller = Teller::new(log);
        let opened = opened.and_then(|()| teller.tell(&umpire, umpire.prologue()));
        let mut players: Vec<Player> =
            seats.iter().zip(&levels).map(|(s, &level)| Player::new(level, seed, s.seat)).collect();
        let fought = alarm::rescued(
            &mut umpire,
            |umpire| umpire,
            |umpire| self.fight(umpire, &seats, &mut players, &mut teller, opened, &stop),
        );
        let told = fought.and_then(|()| self.result(&umpire, &seats, &levels, &players, log));
        if let Some(path) = &self.journal {
            files::write(path, umpire.journal().to_text().as_bytes())?;
        }
        told
    }

    fn fight(
        &self,
        umpire: &mut Umpire,
        seats: &[SeatInfo],
        players: &mut [Player],
        teller: &mut Teller,
        opened: Outcome,
        stop: &AtomicBool,
    ) -> Outcome {
        let mut told = opened;
        while let Some(seat) = umpire.battle().seat() {
            if told.is_err() && self.journal.is_none() {
                break;
            }
            if stop.load(Ordering::Relaxed) {
                let actions = umpire.turned().len();
                return Err(Failure::No(format!("stopped after {actions} actions; the journal has them")));
            }
            let thought = players[seat.index()].think_any(umpire.battle());
            if self.explain && told.is_ok() {
                told = explain(&seats[seat.index()].name, &thought);
            }
            let action = thought.action;
            let done = match &thought.stood_in {
                None => umpire.act(seat, &action),
                Some(why) => umpire.act_for(seat, &action, why),
            };
            let events = match done {
                Ok(turned) => turned.events.clone(),
                Err(refusal) => {
                    return Err(Failure::No(format!(
                        "a program answered {action}, which is refused: {refusal}"
                    )));
                }
            };
            if told.is_ok() {
                told = teller.tell(umpire, &events);
            }
        }
        told
    }

    fn levels(&self, seats: &[SeatInfo]) -> Result<Vec<Level>, Failure> {
        let players = super::ready_players(&self.players, self.clock, true)?;
        match players.len() {
            1 => Ok(vec![players[0]; seats.len()]),
            n if n == seats.len() => Ok(players),
            n => {
                let names: Vec<&str> = seats.iter().map(|s| s.name.as_str()).collect();
                Err(Failure::wrong(format!(
                    "--players names {n} players for {} seats ({}); name one for all or one for each",
                    seats.len(),
                    names.join(", ")
                )))
            }
        }
    }

    fn result(
        &self,
        umpire: &Umpire,
        seats: &[SeatInfo],
        levels: &[Level],
        players: &[Player],
        log: LogKind,
    ) -> Outcome {
        let Some(ending) = umpire.battle().ending() else { return Ok(()) };
        let hash = umpire.battle().hash();
        let actions = umpire.turned().len();
        if self.json {
            return json(&json!({
                "id": self.scenario,
                "seed": umpire.journal().header.seed,
                "winner": ending.winner.map(|w| umpire.battle().view(None).sides[w.index()].name.clone()),
                "ending": ending,
                "seats": seats,
                "stood_in": players.iter().map(Player::stood_in).collect::<Vec<u64>>(),
                "actions": actions,
                "hash": hash,
            }));
        }
        say(&told(&ending, umpire, log))?;
        tell_stood_in(levels.iter().zip(players.iter().map(Player::stood_in)))?;
        say(&format!("{actions} actions, final hash {hash}"))
    }
}

/// What a program weighed, best first. One answer needs no telling.
fn explain(name: &str, thought: &Thought) -> Outcome {
    const SHOWN: usize = 5;
    let count = thought.candidates.len();
    if count < 2 {
        return Ok(());
    }
    say(&format!("{name} weighs {count} answers in {} tries:", thought.tries))?;
    for c in thought.candidates.iter().take(SHOWN) {
        let value = c.value.map_or_else(|| "    –".into(), |v| format!("{v:+.2}"));
        say(&format!("  {value} {:>5} tries, promise {:.2}: {}", c.visits, c.promise, c.action))?;
    }
    Ok(())
}

/// The ending in a line. After a story, which has told how it came to that, only who won and the points.
pub fn told(ending: &Ending, umpire: &Umpire, log: LogKind) -> String {
    let sides = umpire.battle().view(None).sides;
    let who = match ending.winner.and_then(|w| sides.get(w.index())) {
        Some(side) => format!("{}: {}", side.name, ending.grade),
        None => format!("Nobody won: {}", ending.grade),
    };
    let scores: Vec<String> =
        sides.iter().zip(&ending.scores).map(|(side, score)| format!("{} {score}", side.name)).collect();
    match log {
        LogKind::Story => format!("{who} ({}).", scores.join(", ")),
        _ => format!("{who}; {} ({}). [{}]", ending.reason, scores.join(", "), ending.clause),
    }
}
