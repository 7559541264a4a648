//! The battle on the table: played again from what is kept, and asked on a thread of its own.

use std::sync::Arc;

use serde_json::Value;
use tokio::task::spawn_blocking;
use tricorne_game::{AnySystem, Seat, Umpire};
use tricorne_store::{ActionRow, Game, Status, StoreError};

use super::Sitting;
use crate::facts::{Lobby, header_of};
use crate::messages::Refused;
use crate::notice::Noticed;

/// Actions that are played again in a moment.
const QUICKLY: usize = 300;

/// Plays a kept game again up to its last action; every hash must be what it was.
pub(crate) fn play_again(
    system: &'static dyn AnySystem,
    game: &Game,
    actions: &[ActionRow],
) -> Result<(Umpire, Noticed), String> {
    let header = header_of(game).map_err(|e| e.why)?;
    let mut umpire = Umpire::begin_again(system, &header).map_err(|fault| fault.to_string())?;
    let moved_on = || {
        let (then, today) = (header.revision, system.about().revision);
        if then == today {
            String::new()
        } else {
            format!(" (it was begun under revision {then} of the rules, these are of revision {today})")
        }
    };
    if umpire.header().start != header.start {
        return Err(format!("the set-up comes out differently{}", moved_on()));
    }
    let mut noticed = Noticed::default();
    // Once it is over nothing is a secret.
    let secrets = system.secrets() && game.status == Status::Playing;
    for row in actions {
        let action: Value = serde_json::from_str(&row.action).map_err(|e| e.to_string())?;
        let turned = umpire
            .act(Seat(row.seat), &action)
            .map_err(|e| format!("action {} is refused: {e}{}", row.n, moved_on()))?;
        if turned.hash.to_string() != row.hash {
            return Err(format!("action {} comes out differently{}", row.n, moved_on()));
        }
        if secrets {
            noticed.note(&umpire);
        }
    }
    let lobby: Lobby = serde_json::from_str(&game.lobby).unwrap_or_default();
    noticed.all_know(lobby.forked_from.map_or(0, |from| from.n as usize));
    Ok((umpire, noticed))
}

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
        let shares = if actions.len() > QUICKLY { &self.app.long } else { &self.app.short };
        let turn =
            shares.turn(self.asking.address, self.asking.connection, 0).await.map_err(|_| Refused::busy())?;
        let umpire = spawn_blocking(move || {
            let umpire = play_again(system, &game, &actions);
            drop(turn);
            umpire
        });
        let umpire = umpire.await;
        match umpire {
            Ok(Ok((umpire, noticed))) => {
                self.umpire = Some(Box::new(umpire));
                self.noticed = Arc::new(noticed);
                self.consider();
                Ok(())
            }
            Ok(Err(why)) => {
                crate::log::note("a game can't be played again", &[("game", &id), ("why", &why)]);
                Err(Refused::new("internal", format!("this battle can't be played again: {why}")))
            }
            Err(e) => {
                crate::log::note("the server could not do that", &[("why", &e)]);
                Err(Refused::internal())
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
