//! Programs at the table.

use std::sync::Arc;

use serde_json::Value;
use tokio::task::spawn_blocking;
use tricorne_agents::{Level, Player};
use tricorne_chance::Whim;
use tricorne_game::Seat;

use super::{Note, Sitting};
use crate::messages::Refused;
use crate::secret;

impl Sitting {
    /// If a program must decide, lets it think, on a thread of its own and not more of them than the machine bears.
    pub(super) fn consider(&mut self) {
        let at = self.at();
        let Some(umpire) = &self.umpire else { return };
        let Some(seat) = umpire.battle().seat() else { return };
        let Some(row) = self.seats.get(seat.index()) else { return };
        let Some(level) = row.kind.strip_prefix("program:").and_then(|l| l.parse::<Level>().ok()) else {
            return;
        };
        if self.thinking == Some(at) || self.given_up == Some(at) {
            return;
        }
        self.thinking = Some(at);
        let battle = umpire.battle().boxed_clone();
        let seed = secret::program_seed(umpire.header().last_seed(), at.0, at.1);
        let (thinkers, own) = (Arc::clone(&self.app.thinkers), self.own.clone());
        tokio::spawn(async move {
            let permit = thinkers.acquire_owned().await;
            let thought = spawn_blocking(move || Player::new(level, seed, seat).choose_any(battle.as_ref()));
            let action = thought.await.map_err(|e| eprintln!("tricorne: a program failed: {e}")).ok();
            drop(permit);
            let _ = own.send(Note::Thought { at, seat, action }).await;
        });
    }

    pub(super) async fn thought(&mut self, at: (usize, u64), seat: Seat, action: Option<Value>) {
        if self.thinking == Some(at) {
            self.thinking = None;
        }
        if at != self.at() {
            // The player it answered took the action back; it thinks again about what there is now.
            self.consider();
            return;
        }
        let first = match action {
            Some(action) => self.act(None, seat, action).await,
            None => Err(Refused::internal()),
        };
        let Err(refused) = first else { return };
        eprintln!("tricorne: a program's answer in game {} was refused: {}", self.game.id, refused.why);
        // Any legal answer is better than a battle that stands still.
        let seed = secret::program_seed(tricorne_chance::Seed([1; 32]), at.0, at.1);
        let any = self.rules(move |umpire| umpire.battle().sample(&mut Whim::new(seed, 0))).await;
        let second = match any {
            Ok(action) => self.act(None, seat, action).await,
            Err(refused) => Err(refused),
        };
        if let Err(refused) = second {
            eprintln!("tricorne: game {} stands still: {}", self.game.id, refused.why);
            self.given_up = Some(at);
        }
    }
}
