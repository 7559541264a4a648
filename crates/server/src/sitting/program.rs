//! Programs at the table.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tricorne_agents::{Level, Thought};
use tricorne_chance::Whim;
use tricorne_game::Seat;

use super::{Note, Sitting};
use crate::messages::Refused;
use crate::secret;
use crate::thinking::{Course, Question};

/// How often a table is told that a subaltern answered for a program.
const TOLD: u32 = 3;

impl Sitting {
    /// If a program must decide, lets it think, apart from everything else and not more of them than can be borne.
    pub(super) fn consider(&mut self) {
        let at = self.at();
        let Some(umpire) = self.umpire.as_ref().filter(|_| !self.over()) else { return };
        let Some(seat) = umpire.battle().seat() else { return };
        let Some(row) = self.seats.get(seat.index()) else { return };
        let Some(name) = row.kind.strip_prefix("program:") else { return };
        let level = match self.app.config.program(name) {
            Some(level) => level,
            // The keeper has taken the program away since; the battle goes on.
            None if name.starts_with(crate::BOT) => Level::Subaltern,
            None => return,
        };
        if self.thinking == Some(at) || self.given_up == Some(at) || self.again.is_some() {
            return;
        }
        self.thinking = Some(at);
        let seed = secret::program_seed(
            umpire.header().last_seed(),
            self.told(&[seat]) as usize,
            self.game.take_backs as u64,
        );
        let (app, own) = (Arc::clone(&self.app), self.own.clone());
        let question = Question {
            game: self.game.id.clone(),
            at,
            seat,
            level,
            seed,
            battle: umpire.battle().boxed_clone(),
            course: app.thinking.travels(level).then(|| Course::of(umpire)),
        };
        // Fair between games, and where somebody looks on before where nobody does: battles of programs against each other
        // go on when there is nothing else to do.
        let rank = u8::from(self.people.is_empty());
        tokio::spawn(async move {
            let began = Instant::now();
            let thought = app.thinking.think(question, rank).await;
            app.metrics.thoughts.took(began.elapsed());
            let _ = own.send(Note::Thought { at, seat, thought }).await;
        });
    }

    /// The program that must decide is asked again in a while, and each time in a longer one.
    pub(super) fn later(&mut self) {
        self.wait = (self.wait * 2).clamp(Duration::from_millis(250), Duration::from_secs(30));
        self.again = Some(Instant::now() + self.wait);
    }

    /// The battle is read again, and the program asked that must decide in it.
    pub(super) async fn try_again(&mut self) {
        self.again = None;
        if self.load().await.is_ok() {
            self.consider();
        } else {
            self.later();
        }
    }

    pub(super) async fn thought(&mut self, at: (usize, u64), seat: Seat, thought: Option<Thought>) {
        if self.thinking == Some(at) {
            self.thinking = None;
        }
        if at != self.at() {
            // The player it answered took the action back; it thinks again about what there is now.
            self.consider();
            return;
        }
        let stood_in = thought.as_ref().and_then(|t| t.stood_in.clone());
        let first = match thought {
            Some(thought) => self.act(None, seat, thought.action).await,
            None => Err(Refused::internal()),
        };
        if let Some(why) = stood_in {
            self.tell_of_stand_in(seat, &why).await;
        }
        let Err(refused) = first else { return };
        if self.again.is_some() {
            // Not the answer's fault: the store did not take it.
            return;
        }
        crate::log::note("a program's answer was refused", &[("game", &self.game.id), ("why", &refused.why)]);
        // Any legal answer is better than a battle that stands still.
        let seed = secret::program_seed(tricorne_chance::Seed([1; 32]), at.0, at.1);
        let any = self.rules(move |umpire| umpire.battle().sample(&mut Whim::new(seed, 0))).await;
        let second = match any {
            Ok(action) => self.act(None, seat, action).await,
            Err(refused) => Err(refused),
        };
        if let Err(refused) = second {
            crate::log::note("a game stands still", &[("game", &self.game.id), ("why", &refused.why)]);
            self.given_up = Some(at);
        }
    }

    /// A subaltern answered for a program of the keeper's own. The keeper's log says why each time; those at the table are
    /// told the first few times, in words that quote nothing of what the program meant to do.
    async fn tell_of_stand_in(&mut self, seat: Seat, why: &str) {
        crate::log::note("a subaltern answered for a program", &[("game", &self.game.id), ("why", &why)]);
        if self.stood_in < TOLD {
            self.stood_in += 1;
            let _ = self
                .chat(&[seat], "My program gave no answer that counts; a subaltern decided for me.")
                .await;
        }
    }
}
