//! Kept battles played again. A release may change the rules or the form of the state; a battle that was begun under the
//! older ones goes on if the newer bring it to the same events, and is theirs from then on.

use std::fmt;

use serde::Serialize;
use serde_json::Value;
use tricorne_game::journal::Agreed;
use tricorne_game::{AnySystem, Ending, Seat, Turned, Umpire};
use tricorne_store::{ActionRow, Game, Status};

use crate::Systems;
use crate::facts::{Lobby, header_of, header_text};
use crate::notice::Noticed;

/// A battle played again up to its last action.
pub(crate) struct Again {
    pub(crate) umpire: Umpire,
    pub(crate) noticed: Noticed,
    /// Where the rules have moved on and it came to the same events: the header and the hashes it has under them.
    pub(crate) anew: Option<(String, Vec<String>)>,
}

impl Again {
    /// With what the players ended it by, where the rules would have let it go on. Not for one that goes on from it.
    pub(crate) fn with_agreement(mut self, game: &Game) -> Self {
        if let Some(agreed) = agreed(game) {
            // It can be refused only where the rules have ended the battle, which would then stand.
            let _ = self.umpire.agree(agreed);
        }
        self
    }
}

/// What the players ended a game by, if it was they: no ending by rules is without its clause.
pub(crate) fn agreed(game: &Game) -> Option<Agreed> {
    let ending: Ending = serde_json::from_str(game.ending.as_deref()?).ok()?;
    (ending == Agreed::Draw.ending()).then_some(Agreed::Draw)
}

/// Why a battle can't be played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unplayable {
    /// It was begun under other rules, and these take it another way.
    OtherRules(String),
    /// What is kept of it is not whole.
    Broken(String),
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherRules(why) | Self::Broken(why) => f.write_str(why),
        }
    }
}

/// What came of an action, as a digest: its events, its dice and cards. The form of the state is not in it.
pub(crate) fn digest(turned: &Turned) -> String {
    let text = serde_json::to_vec(&(&turned.events, &turned.draws)).unwrap_or_default();
    blake3::hash(&text).to_hex()[..32].to_owned()
}

/// Plays a kept game again up to its last action. Every hash must be what it was; under newer rules, every event.
pub(crate) fn play_again(
    system: &'static dyn AnySystem,
    game: &Game,
    actions: &[ActionRow],
) -> Result<Again, Unplayable> {
    let header = header_of(game).map_err(|e| Unplayable::Broken(e.why))?;
    let lobby: Lobby = serde_json::from_str(&game.lobby).unwrap_or_default();
    let (then, today) = (header.revision, system.about().revision);
    let wrong = |what: String| {
        if then == today {
            return Unplayable::Broken(what);
        }
        let release = if lobby.release.is_empty() {
            "the release it was begun by".to_owned()
        } else {
            format!("Tricorne {}", lobby.release)
        };
        Unplayable::OtherRules(format!(
            "{what}: it was begun under revision {then} of the rules, these are of revision {today}; finish it with \
             {release}, or leave it at that"
        ))
    };
    let mut umpire = Umpire::begin_again(system, &header).map_err(|fault| wrong(fault.to_string()))?;
    let mut anew = umpire.header().start != header.start;
    if anew && then == today {
        return Err(wrong("the set-up comes out differently".into()));
    }
    let mut noticed = Noticed::default();
    // Once it is over nothing is a secret.
    let secrets = system.secrets() && game.status == Status::Playing;
    let mut hashes = Vec::with_capacity(actions.len());
    for row in actions {
        let action: Value =
            serde_json::from_str(&row.action).map_err(|e| Unplayable::Broken(e.to_string()))?;
        let turned = umpire
            .act(Seat(row.seat), &action)
            .map_err(|e| wrong(format!("action {} is refused ({e})", row.n)))?;
        let hash = turned.hash.to_string();
        if hash != row.hash {
            if then == today || row.events.is_empty() || digest(turned) != row.events {
                return Err(wrong(format!("action {} comes out differently", row.n)));
            }
            anew = true;
        }
        hashes.push(hash);
        if secrets {
            noticed.note(&umpire);
        }
    }
    noticed.all_know(lobby.forked_from.map_or(0, |from| from.n as usize));
    let anew = (anew || then != today).then(|| (header_text(umpire.header()), hashes));
    Ok(Again { umpire, noticed, anew })
}

/// What would become of a game.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedGame {
    /// Its id.
    pub id: String,
    /// What the players call it.
    pub title: String,
    /// The rule system.
    pub ruleset: String,
    /// The revision of the rules it was begun under.
    pub revision: u32,
    /// How many actions have been taken.
    pub actions: i64,
    /// What would become of it.
    pub fate: Fate,
    /// Why it can't go on.
    pub why: Option<String>,
}

/// What would become of a game under this release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It goes on as it is.
    GoesOn,
    /// The rules have moved on and bring it to the same events: it goes on under them.
    GoesOnAnew,
    /// It can't go on here.
    Cannot,
}

pub(crate) fn check(systems: Systems, game: &Game, actions: &[ActionRow]) -> CheckedGame {
    let system = systems.iter().copied().find(|system| system.about().id == game.ruleset);
    let again = match system {
        Some(system) => play_again(system, game, actions).map_err(|e| e.to_string()),
        None => Err(format!("there are no rules `{}` here", game.ruleset)),
    };
    let (fate, why) = match again {
        Ok(Again { anew: None, .. }) => (Fate::GoesOn, None),
        Ok(_) => (Fate::GoesOnAnew, None),
        Err(why) => (Fate::Cannot, Some(why)),
    };
    CheckedGame {
        id: game.id.clone(),
        title: game.title.clone(),
        ruleset: game.ruleset.clone(),
        revision: header_of(game).map_or(0, |header| header.revision),
        actions: game.actions,
        fate,
        why,
    }
}
