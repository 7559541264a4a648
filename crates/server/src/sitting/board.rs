//! The battle on the table: played again from what is kept, and asked on a thread of its own.

use std::sync::Arc;

use tokio::task::spawn_blocking;
use tricorne_game::{Seat, Umpire};
use tricorne_store::StoreError;

use super::Sitting;
use crate::again::{Unplayable, play_again};
use crate::messages::Refused;
use crate::notice;

/// Actions that are played again in a moment.
const QUICKLY: usize = 300;

impl Sitting {
    pub(super) async fn load(&mut self) -> Result<(), Refused> {
        if self.umpire.is_some() {
            return Ok(());
        }
        let Some(system) = self.app.system(&self.game.ruleset) else {
            return Err(Refused::new("gone", format!("there are no rules `{}` here", self.game.ruleset)));
        };
        let id = self.game.id.clone();
        let kept = async {
            let game = self.app.store.game(&id).await?;
            Ok::<_, StoreError>((game, self.app.store.actions(&id).await?))
        };
        let (game, actions) = kept.await.map_err(|e| {
            crate::log::note("the server could not do that", &[("why", &e)]);
            Refused::internal()
        })?;
        self.game = game.ok_or_else(|| Refused::new("gone", "there is no such game here"))?;
        self.acted = actions.iter().map(|a| (Seat(a.seat), a.moment)).collect();
        let game = self.game.clone();
        // Some actions are played again in a moment; with many, whoever asks for it waits for their turn at long work.
        let quickly = actions.len() <= QUICKLY;
        let again = move || play_again(system, &game, &actions).map(|again| again.with_agreement(&game));
        let again = if quickly {
            let turn = self.app.short.turn(self.asking.address, self.asking.connection, 0).await;
            let turn = turn.map_err(|_| Refused::busy())?;
            let again = spawn_blocking(move || {
                let again = again();
                drop(turn);
                again
            });
            again.await.map_err(|e| {
                crate::log::note("the server could not do that", &[("why", &e)]);
                Refused::internal()
            })?
        } else {
            self.app.long(self.asking, again).await?
        };
        match again {
            Ok(again) => {
                if let Some((header, hashes)) = again.anew {
                    // From now on it is a battle under these rules, or it would be neither theirs nor the others'.
                    self.app.store.rehash(&id, &header, hashes).await.map_err(|e| {
                        crate::log::note("a game was not taken over", &[("game", &id), ("why", &e)]);
                        Refused::internal()
                    })?;
                    self.game.header = header;
                    crate::log::note("a game goes on under newer rules", &[("game", &id)]);
                }
                self.umpire = Some(Box::new(again.umpire));
                self.noticed = Arc::new(again.noticed);
                // What nobody else noticed gains nobody time either: the clock would tell of it.
                let mut n = 0..;
                let noticed = Arc::clone(&self.noticed);
                self.acted.retain(|_| n.next().is_none_or(|i| noticed.has(notice::listener(&[]), i)));
                self.consider();
                Ok(())
            }
            Err(Unplayable::OtherRules(why)) => Err(Refused::new("other_rules", why)),
            Err(Unplayable::Broken(why)) => {
                crate::log::note("a game can't be played again", &[("game", &id), ("why", &why)]);
                Err(Refused::new("internal", format!("this battle can't be played again: {why}")))
            }
        }
    }

    /// Runs rules on a thread where they stall nobody. Rules that panic lose nothing: the battle is played again.
    pub(super) async fn rules<R: Send + 'static>(
        &mut self,
        f: impl FnOnce(&mut Umpire) -> R + Send + 'static,
    ) -> Result<R, Refused> {
        self.load().await?;
        let turn = self.app.short.turn(self.asking.address, self.asking.connection, 0).await;
        let turn = turn.map_err(|_| Refused::busy())?;
        let Some(mut umpire) = self.umpire.take() else { return Err(Refused::internal()) };
        let run = spawn_blocking(move || {
            let result = f(&mut umpire);
            drop(turn);
            (umpire, result)
        });
        match run.await {
            Ok((umpire, result)) => {
                self.umpire = Some(umpire);
                Ok(result)
            }
            Err(e) => {
                crate::log::note("the server could not do that", &[("why", &e)]);
                self.put_away();
                Err(Refused::internal())
            }
        }
    }
}
