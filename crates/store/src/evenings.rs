//! Club evenings and seasons kept.

use sqlx::Row;

use crate::read::ask;
use crate::write::Write;
use crate::{EveningRow, Pool, SeasonRow, Store, StoreError, key};

// A list has no pairings: an evening of many may have hundreds.
macro_rules! evenings {
    ($store:expr, $pairings:literal, $rest:literal, [$($bind:expr),*]) => {
        ask!($store, concat!(
            "SELECT id, COALESCE((SELECT name FROM users WHERE name_key = keeper), keeper) AS keeper, title, season, \
             created, over, players, rounds, version, ", $pairings,
            " AS pairings FROM evenings ", $rest
        ), [$($bind),*], |row| EveningRow {
            id: row.try_get("id")?,
            keeper: row.try_get("keeper")?,
            title: row.try_get("title")?,
            season: row.try_get("season")?,
            created: row.try_get("created")?,
            over: row.try_get::<i64, _>("over")? != 0,
            players: row.try_get("players")?,
            rounds: row.try_get("rounds")?,
            version: row.try_get("version")?,
            pairings: row.try_get("pairings")?,
        })
    };
}

impl Store {
    /// Keeps a new evening.
    pub async fn add_evening(&self, row: EveningRow) -> Result<(), StoreError> {
        self.write(Write::AddEvening(Box::new(row))).await
    }

    /// Keeps how an evening stands now; a conflict if somebody changed it since `row.version` was read.
    pub async fn set_evening(&self, row: EveningRow) -> Result<(), StoreError> {
        self.write(Write::SetEvening(Box::new(row))).await
    }

    /// The evening of that id.
    pub async fn evening(&self, id: &str) -> Result<Option<EveningRow>, StoreError> {
        if id.contains('\0') {
            return Ok(None);
        }
        Ok(evenings!(self, "pairings", "WHERE id = $1", [id]).pop())
    }

    /// Evenings, the newest first; without their pairings.
    pub async fn evenings(&self, most: i64) -> Result<Vec<EveningRow>, StoreError> {
        Ok(evenings!(self, "''", "ORDER BY created DESC, id LIMIT $1", [most]))
    }

    /// Ids of all evenings, the oldest first.
    pub async fn evening_ids(&self) -> Result<Vec<String>, StoreError> {
        Ok(ask!(self, "SELECT id FROM evenings ORDER BY created, id", [], |row| row.try_get("id")?))
    }

    /// Evenings of a season, the oldest first, with their pairings.
    pub async fn evenings_of_season(&self, season: &str, most: i64) -> Result<Vec<EveningRow>, StoreError> {
        Ok(evenings!(self, "pairings", "WHERE season = $1 ORDER BY created, id LIMIT $2", [season, most]))
    }

    /// How many evenings of a user are not over.
    pub async fn evenings_going(&self, keeper: &str) -> Result<i64, StoreError> {
        let counted = ask!(
            self,
            "SELECT COUNT(*) AS going FROM evenings WHERE keeper = $1 AND over = 0",
            [key(keeper)],
            |row| row.try_get::<i64, _>("going")?
        );
        Ok(counted.into_iter().sum())
    }

    /// Keeps a new season; a conflict if there is one of that id.
    pub async fn add_season(&self, row: SeasonRow) -> Result<(), StoreError> {
        self.write(Write::AddSeason(row)).await
    }

    /// Forgets a season; its evenings stay, and belong to none. A conflict if there is none.
    pub async fn drop_season(&self, id: &str) -> Result<(), StoreError> {
        self.write(Write::DropSeason { id: id.into() }).await
    }

    /// The seasons, the newest first.
    pub async fn seasons(&self) -> Result<Vec<SeasonRow>, StoreError> {
        Ok(ask!(
            self,
            "SELECT id, ruleset, title, begins, ends FROM seasons ORDER BY begins DESC, id",
            [],
            |row| SeasonRow {
                id: row.try_get("id")?,
                ruleset: row.try_get("ruleset")?,
                title: row.try_get("title")?,
                begins: row.try_get("begins")?,
                ends: row.try_get("ends")?,
            }
        ))
    }
}
