//! The keeper's office: what is done to people and games from the command line, beside a server that runs.

use serde_json::{Value, json};
use tricorne_store::{SeasonRow, Store, StoreError};

use crate::again::{self, CheckedGame};
use crate::{Systems, accounts, evenings, lobby, now, secret};

/// Why something of the office was not done.
#[derive(Debug, thiserror::Error)]
pub enum OfficeError {
    /// There is nobody and nothing of that name.
    #[error("there is no {0} here")]
    Nobody(String),
    /// The database did not do it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// This machine did not do it.
    #[error("{0}")]
    Machine(String),
}

/// The office of one database.
pub struct Office(Store);

impl Office {
    /// Opens it; a server may run on the same database.
    pub async fn open(database: &str) -> Result<Self, OfficeError> {
        Ok(Self(Store::open(database).await?))
    }

    async fn known(&self, name: &str) -> Result<(), OfficeError> {
        match self.0.user(name).await? {
            Some(_) => Ok(()),
            None => Err(OfficeError::Nobody(format!("person `{name}`"))),
        }
    }

    /// Closes a table: nothing more is played at it, and its battle can be looked at as far as it came.
    pub async fn close_game(&self, game: &str) -> Result<(), OfficeError> {
        match self.0.close_game(game).await {
            Err(StoreError::Conflict) => {
                Err(OfficeError::Nobody(format!("game `{game}` that is being played")))
            }
            other => Ok(other?),
        }
    }

    /// What would become of every game that is being played, if this program went on with it.
    pub async fn check_games(&self, systems: Systems) -> Result<Vec<CheckedGame>, OfficeError> {
        let mut checked = Vec::new();
        for id in self.0.games_being_played().await? {
            let Some(game) = self.0.game(&id).await? else { continue };
            checked.push(again::check(systems, &game, &self.0.actions(&id).await?));
        }
        Ok(checked)
    }

    /// Plays every game again, those that are over included: what is kept of each comes out as it was, or why not.
    pub async fn verify_games(&self, systems: Systems) -> Result<Vec<CheckedGame>, OfficeError> {
        let mut checked = Vec::new();
        for id in self.0.ids().await? {
            let Some(game) = self.0.game(&id).await? else { continue };
            checked.push(again::check(systems, &game, &self.0.actions(&id).await?));
        }
        Ok(checked)
    }

    /// Bans a person, or lets them in again; their sessions end.
    pub async fn ban(&self, name: &str, banned: bool) -> Result<(), OfficeError> {
        self.known(name).await?;
        Ok(self.0.ban(name, banned).await?)
    }

    /// Gives a person a new password, which is told here and never again; their sessions end.
    pub async fn reset_password(&self, name: &str) -> Result<String, OfficeError> {
        self.known(name).await?;
        let machine = |e: crate::error::ApiError| OfficeError::Machine(e.why);
        let password = secret::game_id().map_err(machine)?;
        let hash = accounts::hash(&password).map_err(machine)?;
        self.0.set_password(name, &hash, None).await?;
        Ok(password)
    }

    /// Deletes a person: name, password, sessions, what they said, and their name at every seat. The battles stay, with nobody's
    /// name on them.
    pub async fn delete_person(&self, name: &str) -> Result<(), OfficeError> {
        self.known(name).await?;
        for id in self.0.evening_ids().await? {
            // Whoever changes it meanwhile has it done again.
            while let Some(mut row) = self.0.evening(&id).await? {
                if !evenings::forget(&mut row, name) {
                    break;
                }
                match self.0.set_evening(row).await {
                    Ok(()) | Err(StoreError::Conflict) => {}
                    Err(e) => return Err(e.into()),
                }
            }
        }
        Ok(self.0.delete_user(name, &lobby::maker_by_name(name)).await?)
    }

    /// Keeps a season: its id is made from its title.
    pub async fn add_season(
        &self,
        title: &str,
        ruleset: &str,
        begins: i64,
        ends: i64,
    ) -> Result<String, OfficeError> {
        let letters = title
            .to_lowercase()
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '-' })
            .collect::<String>();
        let id = letters.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
        if id.is_empty() || title.chars().count() > 100 || title.chars().any(char::is_control) {
            return Err(OfficeError::Machine("a season has a title of at most 100 characters".into()));
        }
        if begins >= ends {
            return Err(OfficeError::Machine("a season ends after it begins".into()));
        }
        let row = SeasonRow { id: id.clone(), ruleset: ruleset.into(), title: title.into(), begins, ends };
        match self.0.add_season(row).await {
            Err(StoreError::Conflict) => {
                Err(OfficeError::Machine(format!("there is a season `{id}` already; give it another title")))
            }
            other => Ok(other.map(|()| id)?),
        }
    }

    /// Forgets a season; its evenings stay.
    pub async fn drop_season(&self, id: &str) -> Result<(), OfficeError> {
        match self.0.drop_season(id).await {
            Err(StoreError::Conflict) => Err(OfficeError::Nobody(format!("season `{id}`"))),
            other => Ok(other?),
        }
    }

    /// Everything that is kept about a person.
    pub async fn export_person(&self, name: &str) -> Result<Value, OfficeError> {
        self.known(name).await?;
        let user = self.0.user(name).await?;
        let mut games = Vec::new();
        for game in self.0.games_of(name, i64::MAX).await? {
            let mine: Vec<_> = self.0.seats(&game.id).await?;
            let mine: Vec<_> =
                mine.iter().filter(|s| s.owner.as_deref() == Some(&name.to_lowercase())).collect();
            let seats: Vec<u8> = mine.iter().map(|s| s.seat).collect();
            let actions = self.0.actions(&game.id).await?;
            let said = self.0.chats(&game.id, i64::MAX).await?;
            games.push(json!({
                "id": game.id,
                "title": game.title,
                "created": game.created,
                "status": game.status.as_str(),
                "seats": mine.iter().map(|s| json!({"seat": s.seat, "name": s.name})).collect::<Vec<_>>(),
                "actions": actions.iter().filter(|a| seats.contains(&a.seat))
                    .map(|a| json!({"n": a.n, "at": a.moment, "action": serde_json::from_str::<Value>(&a.action).unwrap_or_default()}))
                    .collect::<Vec<_>>(),
                "said": said.iter().filter(|c| seats.contains(&c.seat))
                    .map(|c| json!({"at": c.moment, "name": c.name, "line": c.line})).collect::<Vec<_>>(),
            }));
        }
        let mut evenings = Vec::new();
        for id in self.0.evening_ids().await? {
            let Some(mut row) = self.0.evening(&id).await? else { continue };
            let keeps = evenings::keeps(&row, name);
            let text = row.pairings.clone();
            if evenings::forget(&mut row, name) || keeps {
                let pairings: Value = serde_json::from_str(&text).unwrap_or_default();
                evenings.push(json!({"id": id, "title": row.title, "created": row.created, "keeps": keeps, "pairings": pairings}));
            }
        }
        let sessions = self.0.sessions_of(name, now()).await?;
        Ok(json!({
            "name": user.as_ref().map(|u| &u.name),
            "created": user.as_ref().map(|u| u.created),
            "banned": user.as_ref().is_some_and(|u| u.banned),
            "sessions": sessions.iter().map(|s| json!({"began": s.created, "ends": s.expires})).collect::<Vec<_>>(),
            "games": games,
            "evenings": evenings,
        }))
    }

    /// Writes what is left to write.
    pub async fn close(&self) {
        self.0.close().await;
    }
}
