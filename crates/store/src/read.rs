//! Reading.

use sqlx::Row;

use crate::{
    ActionRow, ChatRow, FoughtRow, Game, Pool, SeatRow, SessionRow, Status, Store, StoreError, User, key,
};

// One text of a question for both databases, whose rows are of different types.
macro_rules! ask {
    ($store:expr, $sql:expr, [$($bind:expr),*], |$row:ident| $read:expr) => {
        match &$store.pool {
            Pool::Sqlite(pool) => sqlx::query($sql)$(.bind($bind))*.fetch_all(pool).await?.iter()
                .map(|$row| Ok::<_, sqlx::Error>($read)).collect::<Result<Vec<_>, sqlx::Error>>()?,
            #[cfg(feature = "postgres")]
            Pool::Postgres(pool) => sqlx::query($sql)$(.bind($bind))*.fetch_all(pool).await?.iter()
                .map(|$row| Ok::<_, sqlx::Error>($read)).collect::<Result<Vec<_>, sqlx::Error>>()?,
        }
    };
}

pub(crate) use ask;

// A list has no headers: each has a whole scenario in it.
macro_rules! select_games {
    ($header:literal, $rest:literal) => {
        concat!(
            "SELECT g.id, g.created, g.ruleset, g.scenario, g.title, ",
            $header,
            " AS header, g.seed, g.commitment, g.status, g.public, g.watch, \
             g.lobby, g.ending, g.waiting, g.take_backs, g.untold, (SELECT COALESCE(MAX(a.n), 0) FROM actions a WHERE a.game = g.id) AS actions \
             FROM games g ",
            $rest
        )
    };
}

macro_rules! games {
    ($store:expr, $header:literal, $rest:literal, [$($bind:expr),*]) => {
        ask!($store, select_games!($header, $rest), [$($bind),*], |row| Game {
            id: row.try_get("id")?,
            created: row.try_get("created")?,
            ruleset: row.try_get("ruleset")?,
            scenario: row.try_get("scenario")?,
            title: row.try_get("title")?,
            header: row.try_get("header")?,
            seed: row.try_get("seed")?,
            commitment: row.try_get("commitment")?,
            status: Status::read(row.try_get("status")?),
            public: row.try_get::<i64, _>("public")? != 0,
            watch: row.try_get::<i64, _>("watch")? != 0,
            lobby: row.try_get("lobby")?,
            ending: row.try_get("ending")?,
            waiting: row.try_get::<Option<i64>, _>("waiting")?.map(|w| w as u8),
            take_backs: row.try_get("take_backs")?,
            untold: row.try_get("untold")?,
            actions: row.try_get("actions")?,
        })
    };
}

impl Store {
    /// The game of that id.
    pub async fn game(&self, id: &str) -> Result<Option<Game>, StoreError> {
        if id.contains('\0') {
            // PostgreSQL takes no such text, and nothing is called so.
            return Ok(None);
        }
        Ok(games!(self, "g.header", "WHERE g.id = $1", [id]).pop())
    }

    /// Public games that are being played, the newest first; without their headers. Those in which nothing was done since a
    /// moment are put away: they are found by their links, and are back as soon as somebody does something.
    pub async fn public_games(&self, most: i64, since: i64) -> Result<Vec<Game>, StoreError> {
        Ok(games!(
            self,
            "''",
            "WHERE g.public = 1 AND g.status = 'playing' AND (g.created >= $2 OR EXISTS \
             (SELECT 1 FROM actions q WHERE q.game = g.id AND q.moment >= $2)) ORDER BY g.created DESC, g.id LIMIT $1",
            [most, since]
        ))
    }

    /// How many games of one maker are being played, those put away left out.
    pub async fn games_going(&self, maker: &str, since: i64) -> Result<i64, StoreError> {
        let counted = ask!(
            self,
            "SELECT COUNT(*) AS going FROM games g WHERE g.maker = $1 AND g.status = 'playing' AND (g.created >= $2 \
             OR EXISTS (SELECT 1 FROM actions q WHERE q.game = g.id AND q.moment >= $2))",
            [maker, since],
            |row| row.try_get::<i64, _>("going")?
        );
        Ok(counted.into_iter().sum())
    }

    /// How many games and journals one maker has made or brought since a moment, whatever has become of them.
    pub async fn games_made(&self, maker: &str, since: i64) -> Result<i64, StoreError> {
        let counted = ask!(
            self,
            "SELECT COUNT(*) AS made FROM games WHERE maker = $1 AND created >= $2",
            [maker, since],
            |row| row.try_get::<i64, _>("made")?
        );
        Ok(counted.into_iter().sum())
    }

    /// Ids of the games being played against the clock.
    pub async fn games_with_clock(&self) -> Result<Vec<String>, StoreError> {
        Ok(ask!(
            self,
            "SELECT id FROM games WHERE status = 'playing' AND lobby LIKE '%\"clock\":{%'",
            [],
            |row| row.try_get("id")?
        ))
    }

    /// Ids of the games in which a program must decide, the oldest first.
    pub async fn games_with_program_to_move(&self) -> Result<Vec<String>, StoreError> {
        Ok(ask!(
            self,
            "SELECT g.id FROM games g JOIN seats s ON s.game = g.id AND s.seat = g.waiting \
             WHERE g.status = 'playing' AND s.kind LIKE 'program:%' ORDER BY g.created, g.id",
            [],
            |row| row.try_get("id")?
        ))
    }

    /// Games in which a user has a seat, the newest first; without their headers.
    pub async fn games_of(&self, name: &str, most: i64) -> Result<Vec<Game>, StoreError> {
        Ok(games!(
            self,
            "''",
            "WHERE g.id IN (SELECT game FROM seats WHERE owner = $1) ORDER BY g.created DESC, g.id LIMIT $2",
            [key(name), most]
        ))
    }

    /// The seats that would leave a battle at that.
    pub async fn agreed(&self, game: &str) -> Result<Vec<u8>, StoreError> {
        Ok(ask!(self, "SELECT seat FROM agreed WHERE game = $1 ORDER BY seat", [game], |row| row
            .try_get::<i64, _>("seat")?
            as u8))
    }

    /// Ids of the games that are being played, the oldest first.
    pub async fn games_being_played(&self) -> Result<Vec<String>, StoreError> {
        Ok(ask!(self, "SELECT id FROM games WHERE status = 'playing' ORDER BY created, id", [], |row| row
            .try_get("id")?))
    }

    /// The seats of every battle of a rule system that was fought out here, with dice that nobody chose.
    pub async fn fought(&self, ruleset: &str) -> Result<Vec<FoughtRow>, StoreError> {
        Ok(ask!(
            self,
            "SELECT g.id AS game, s.side, s.kind, s.owner, g.ending, \
             (SELECT MAX(a.moment) FROM actions a WHERE a.game = g.id) AS ended \
             FROM games g JOIN seats s ON s.game = g.id \
             WHERE g.ruleset = $1 AND g.status = 'finished' AND g.ending IS NOT NULL \
             AND g.lobby NOT LIKE '%\"seed_chosen\":true%' AND g.lobby NOT LIKE '%\"forked_from\":{%' \
             ORDER BY g.id, s.seat",
            [ruleset],
            |row| FoughtRow {
                game: row.try_get("game")?,
                side: row.try_get::<i64, _>("side")? as u8,
                kind: row.try_get("kind")?,
                owner: row.try_get("owner")?,
                ended: row.try_get::<Option<i64>, _>("ended")?.unwrap_or_default(),
                ending: row.try_get("ending")?,
            }
        ))
    }

    /// The ids of all games, the oldest first.
    pub async fn ids(&self) -> Result<Vec<String>, StoreError> {
        Ok(ask!(self, "SELECT id FROM games ORDER BY created, id", [], |row| row.try_get("id")?))
    }

    /// The seats of a game, in order.
    pub async fn seats(&self, game: &str) -> Result<Vec<SeatRow>, StoreError> {
        Ok(ask!(
            self,
            "SELECT seat, side, seat_name, kind, name, token_hash, owner FROM seats WHERE game = $1 ORDER BY seat",
            [game],
            |row| SeatRow {
                seat: row.try_get::<i64, _>("seat")? as u8,
                side: row.try_get::<i64, _>("side")? as u8,
                seat_name: row.try_get("seat_name")?,
                kind: row.try_get("kind")?,
                name: row.try_get("name")?,
                token_hash: row.try_get("token_hash")?,
                owner: row.try_get("owner")?,
            }
        ))
    }

    /// The actions of a game, in order.
    pub async fn actions(&self, game: &str) -> Result<Vec<ActionRow>, StoreError> {
        Ok(ask!(
            self,
            "SELECT n, seat, action, hash, events, moment FROM actions WHERE game = $1 ORDER BY n",
            [game],
            |row| ActionRow {
                n: row.try_get("n")?,
                seat: row.try_get::<i64, _>("seat")? as u8,
                action: row.try_get("action")?,
                hash: row.try_get("hash")?,
                events: row.try_get("events")?,
                moment: row.try_get("moment")?,
            }
        ))
    }

    /// The last things said in a game, in order.
    pub async fn chats(&self, game: &str, most: i64) -> Result<Vec<ChatRow>, StoreError> {
        let mut rows = ask!(
            self,
            "SELECT moment, seat, name, line FROM chat WHERE game = $1 ORDER BY k DESC LIMIT $2",
            [game, most],
            |row| ChatRow {
                moment: row.try_get("moment")?,
                seat: row.try_get::<i64, _>("seat")? as u8,
                name: row.try_get("name")?,
                line: row.try_get("line")?,
            }
        );
        rows.reverse();
        Ok(rows)
    }

    /// The user of that name, in whatever case it is written.
    pub async fn user(&self, name: &str) -> Result<Option<User>, StoreError> {
        if name.contains('\0') {
            return Ok(None);
        }
        let mut rows = ask!(
            self,
            "SELECT name, password, created, banned FROM users WHERE name_key = $1",
            [key(name)],
            |row| User {
                name: row.try_get("name")?,
                password: row.try_get("password")?,
                created: row.try_get("created")?,
                banned: row.try_get::<i64, _>("banned")? != 0,
            }
        );
        Ok(rows.pop())
    }

    /// The sessions of a user that have not run out, the newest first.
    pub async fn sessions_of(&self, name: &str, now: i64) -> Result<Vec<SessionRow>, StoreError> {
        Ok(ask!(
            self,
            "SELECT substr(token_hash, 1, 16) AS id, created, expires FROM sessions \
             WHERE name_key = $1 AND expires > $2 ORDER BY expires DESC, token_hash",
            [key(name), now],
            |row| SessionRow {
                id: row.try_get("id")?,
                created: row.try_get("created")?,
                expires: row.try_get("expires")?
            }
        ))
    }

    /// Names of users of whom it is not kept what they look like.
    pub async fn names_never_looked_at(&self) -> Result<Vec<String>, StoreError> {
        Ok(ask!(self, "SELECT name FROM users WHERE looks IS NULL ORDER BY name_key", [], |row| row
            .try_get("name")?))
    }

    /// The name of the user whose session it is, if it has not run out.
    pub async fn session(&self, token_hash: &str, now: i64) -> Result<Option<String>, StoreError> {
        let mut rows = ask!(
            self,
            "SELECT u.name AS name FROM sessions s JOIN users u ON u.name_key = s.name_key \
             WHERE s.token_hash = $1 AND s.expires > $2 AND u.banned = 0",
            [token_hash, now],
            |row| row.try_get::<String, _>("name")?
        );
        Ok(rows.pop())
    }
}
