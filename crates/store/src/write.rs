//! The changes there are, and the statements that carry them out.

use sqlx::QueryBuilder;

use crate::{ActionRow, ChatRow, EveningRow, Game, Next, SeasonRow, SeatRow, Status};

/// Actions written by one statement.
const AT_ONCE: usize = 100;

/// One change.
#[derive(Debug)]
pub(crate) enum Write {
    Create {
        maker: Option<String>,
        game: Box<Game>,
        seats: Vec<SeatRow>,
        actions: Vec<ActionRow>,
    },
    Act {
        game: String,
        action: ActionRow,
        next: Next,
        untold: bool,
    },
    TakeBack {
        game: String,
        n: i64,
        waiting: u8,
        untold: bool,
    },
    Sit {
        game: String,
        seat: u8,
        from: String,
        row: SeatRow,
    },
    Own {
        game: String,
        token_hash: String,
        owner: String,
    },
    Chat {
        game: String,
        row: ChatRow,
    },
    AddUser {
        key: String,
        name: String,
        looks: String,
        password: String,
        created: i64,
    },
    AddSession {
        token_hash: String,
        key: String,
        expires: i64,
        now: i64,
    },
    DropSession {
        token_hash: String,
    },
    SetLooks {
        key: String,
        looks: String,
    },
    SetPassword {
        key: String,
        password: String,
        but: String,
    },
    Ban {
        key: String,
        banned: bool,
    },
    DeleteUser {
        key: String,
        maker: String,
    },
    EndSession {
        key: String,
        id: String,
    },
    EndSessions {
        key: String,
        but: String,
    },
    Close {
        game: String,
    },
    Conclude {
        game: String,
        ending: String,
    },
    Agree {
        game: String,
        seats: Vec<u8>,
    },
    Rehash {
        game: String,
        header: String,
        hashes: Vec<String>,
    },
    AddEvening(Box<EveningRow>),
    SetEvening(Box<EveningRow>),
    AddSeason(SeasonRow),
    DropSeason {
        id: String,
    },
    /// One server is here, and no other.
    Alone {
        server: String,
        address: String,
        now: i64,
    },
    /// Changes nothing, and is written all the same.
    Probe,
}

impl Write {
    /// Whether a text in it has a NUL character, which PostgreSQL does not keep.
    pub(crate) fn has_nul(&self) -> bool {
        let nul = |text: &str| text.contains('\0');
        let maybe = |text: &Option<String>| text.as_deref().is_some_and(nul);
        let seat = |row: &SeatRow| {
            nul(&row.seat_name)
                || nul(&row.kind)
                || nul(&row.name)
                || maybe(&row.token_hash)
                || maybe(&row.owner)
        };
        let action = |row: &ActionRow| nul(&row.action) || nul(&row.hash);
        match self {
            Write::Create { maker, game, seats, actions } => {
                let texts = [&game.id, &game.ruleset, &game.scenario, &game.title, &game.header, &game.seed];
                texts.into_iter().chain([&game.commitment, &game.lobby]).any(|text| nul(text))
                    || maybe(&game.ending)
                    || maybe(maker)
                    || seats.iter().any(seat)
                    || actions.iter().any(action)
            }
            Write::Act { game, action: row, next, .. } => {
                nul(game) || action(row) || matches!(next, Next::Over(ending) if nul(ending))
            }
            Write::TakeBack { game, .. } | Write::Close { game } | Write::Agree { game, .. } => nul(game),
            Write::Conclude { game, ending } => nul(game) || nul(ending),
            Write::Rehash { game, header, hashes } => {
                nul(game) || nul(header) || hashes.iter().any(|hash| nul(hash))
            }
            Write::Sit { game, from, row, .. } => nul(game) || nul(from) || seat(row),
            Write::Own { game, token_hash, owner } => nul(game) || nul(token_hash) || nul(owner),
            Write::Chat { game, row } => nul(game) || nul(&row.name) || nul(&row.line),
            Write::AddUser { key, name, looks, password, .. } => {
                nul(key) || nul(name) || nul(looks) || nul(password)
            }
            Write::SetLooks { key, looks: text }
            | Write::SetPassword { key, password: text, .. }
            | Write::EndSession { key, id: text }
            | Write::EndSessions { key, but: text }
            | Write::DeleteUser { key, maker: text } => nul(key) || nul(text),
            Write::Ban { key, .. } => nul(key),
            Write::AddSession { token_hash, key, .. } => nul(token_hash) || nul(key),
            Write::DropSession { token_hash } => nul(token_hash),
            Write::AddEvening(row) | Write::SetEvening(row) => {
                nul(&row.id)
                    || maybe(&row.keeper)
                    || nul(&row.title)
                    || maybe(&row.season)
                    || nul(&row.pairings)
            }
            Write::AddSeason(row) => nul(&row.id) || nul(&row.ruleset) || nul(&row.title),
            Write::DropSeason { id } => nul(id),
            Write::Alone { server, address, .. } => nul(server) || nul(address),
            Write::Probe => false,
        }
    }
}

// The statements are the same for both databases, the types of their connections are not; one text serves both.
macro_rules! carry_out {
    ($carry_out:ident, $connection:ty, $database:ty) => {
        /// Carries out one change; false if it does not fit what is there, and then nothing was changed.
        pub(crate) async fn $carry_out(c: &mut $connection, write: &Write) -> Result<bool, sqlx::Error> {
            let rows = match write {
                Write::Create { maker, game, seats, actions } => {
                    let made = sqlx::query(
                        "INSERT INTO games (id, created, ruleset, scenario, title, header, seed, commitment, status, public, \
                         watch, lobby, ending, waiting, take_backs, maker) \
                         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) \
                         ON CONFLICT DO NOTHING",
                    )
                    .bind(&game.id)
                    .bind(game.created)
                    .bind(&game.ruleset)
                    .bind(&game.scenario)
                    .bind(&game.title)
                    .bind(&game.header)
                    .bind(&game.seed)
                    .bind(&game.commitment)
                    .bind(game.status.as_str())
                    .bind(i64::from(game.public))
                    .bind(i64::from(game.watch))
                    .bind(&game.lobby)
                    .bind(&game.ending)
                    .bind(game.waiting.map(i64::from))
                    .bind(game.take_backs)
                    .bind(maker)
                    .execute(&mut *c)
                    .await?
                    .rows_affected();
                    if made == 0 {
                        return Ok(false);
                    }
                    for row in seats {
                        sqlx::query(
                            "INSERT INTO seats (game, seat, side, seat_name, kind, name, token_hash, owner) \
                             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
                        )
                        .bind(&game.id)
                        .bind(i64::from(row.seat))
                        .bind(i64::from(row.side))
                        .bind(&row.seat_name)
                        .bind(&row.kind)
                        .bind(&row.name)
                        .bind(&row.token_hash)
                        .bind(&row.owner)
                        .execute(&mut *c)
                        .await?;
                    }
                    // A journal may have thousands, and everybody in the same transaction waits for them.
                    for rows in actions.chunks(AT_ONCE) {
                        let mut insert = QueryBuilder::<$database>::new(
                            "INSERT INTO actions (game, n, seat, action, hash, moment, events) ",
                        );
                        insert.push_values(rows, |mut values, row| {
                            values
                                .push_bind(&game.id)
                                .push_bind(row.n)
                                .push_bind(i64::from(row.seat))
                                .push_bind(&row.action)
                                .push_bind(&row.hash)
                                .push_bind(row.moment)
                                .push_bind(&row.events);
                        });
                        insert.build().execute(&mut *c).await?;
                    }
                    made
                }
                Write::Act { game, action: row, next, untold } => {
                    // Only the action that follows the last one kept fits, in a game that is being played: a second server, a
                    // late writer or a table that was closed meanwhile does not.
                    let kept = sqlx::query(
                        "INSERT INTO actions (game, n, seat, action, hash, moment, events) SELECT $1, $2, $3, $4, $5, $6, $7 \
                         WHERE (SELECT COALESCE(MAX(n), 0) FROM actions WHERE game = $1) = $2 - 1 \
                         AND EXISTS (SELECT 1 FROM games WHERE id = $1 AND status = 'playing') ON CONFLICT DO NOTHING",
                    )
                    .bind(game)
                    .bind(row.n)
                    .bind(i64::from(row.seat))
                    .bind(&row.action)
                    .bind(&row.hash)
                    .bind(row.moment)
                    .bind(&row.events)
                    .execute(&mut *c)
                    .await?
                    .rows_affected();
                    if kept == 1 && *untold {
                        sqlx::query("UPDATE games SET untold = untold + 1 WHERE id = $1")
                            .bind(game)
                            .execute(&mut *c)
                            .await?;
                    }
                    if kept == 1 {
                        match next {
                            Next::WaitsStill => {}
                            // The status is in an index; it is named only when it changes.
                            Next::Waits(seat) => {
                                sqlx::query("UPDATE games SET waiting = $1 WHERE id = $2")
                                    .bind(i64::from(*seat))
                                    .bind(game)
                                    .execute(&mut *c)
                                    .await?;
                            }
                            Next::Over(ending) => {
                                sqlx::query(
                                    "UPDATE games SET status = $1, ending = $2, waiting = NULL WHERE id = $3",
                                )
                                .bind(Status::Finished.as_str())
                                .bind(ending)
                                .bind(game)
                                .execute(&mut *c)
                                .await?;
                            }
                        }
                    }
                    kept
                }
                Write::TakeBack { game, n, waiting, untold } => {
                    let gone = sqlx::query(
                        "DELETE FROM actions WHERE game = $1 AND n = $2 AND \
                         (SELECT MAX(n) FROM actions WHERE game = $1) = $2",
                    )
                    .bind(game)
                    .bind(*n)
                    .execute(&mut *c)
                    .await?
                    .rows_affected();
                    if gone == 1 {
                        sqlx::query(
                            "UPDATE games SET take_backs = take_backs + 1 - $3, untold = untold - $3, waiting = $1 \
                             WHERE id = $2",
                        )
                            .bind(i64::from(*waiting))
                            .bind(game)
                            .bind(i64::from(*untold))
                            .execute(&mut *c)
                            .await?;
                    }
                    gone
                }
                Write::Sit { game, seat, from, row } => sqlx::query(
                    "UPDATE seats SET kind = $1, name = $2, token_hash = $3, owner = $4 \
                     WHERE game = $5 AND seat = $6 AND kind = $7",
                )
                .bind(&row.kind)
                .bind(&row.name)
                .bind(&row.token_hash)
                .bind(&row.owner)
                .bind(game)
                .bind(i64::from(*seat))
                .bind(from)
                .execute(&mut *c)
                .await?
                .rows_affected(),
                Write::Own { game, token_hash, owner } => {
                    // Who holds a link may put it under a name; a seat that is under somebody's name stays his.
                    let free = "UPDATE seats SET owner = $1 WHERE game = $2 AND token_hash = $3 \
                                AND (owner IS NULL OR owner = $1)";
                    sqlx::query(free)
                        .bind(owner)
                        .bind(game)
                        .bind(token_hash)
                        .execute(&mut *c)
                        .await?
                        .rows_affected()
                }
                Write::Chat { game, row } => sqlx::query(
                    "INSERT INTO chat (game, k, moment, seat, name, line) \
                     SELECT $1, (SELECT COALESCE(MAX(k), 0) + 1 FROM chat WHERE game = $1), $2, $3, $4, $5",
                )
                .bind(game)
                .bind(row.moment)
                .bind(i64::from(row.seat))
                .bind(&row.name)
                .bind(&row.line)
                .execute(&mut *c)
                .await?
                .rows_affected(),
                Write::SetLooks { key, looks } => sqlx::query(
                    "UPDATE users SET looks = $1 WHERE name_key = $2 AND looks IS NULL \
                     AND NOT EXISTS (SELECT 1 FROM users WHERE looks = $1)",
                )
                .bind(looks)
                .bind(key)
                .execute(&mut *c)
                .await?
                .rows_affected(),
                Write::SetPassword { key, password, but } => {
                    sqlx::query("DELETE FROM sessions WHERE name_key = $1 AND token_hash <> $2")
                        .bind(key)
                        .bind(but)
                        .execute(&mut *c)
                        .await?;
                    sqlx::query("UPDATE users SET password = $1 WHERE name_key = $2")
                        .bind(password)
                        .bind(key)
                        .execute(&mut *c)
                        .await?
                        .rows_affected()
                }
                Write::Ban { key, banned } => {
                    sqlx::query("DELETE FROM sessions WHERE name_key = $1").bind(key).execute(&mut *c).await?;
                    sqlx::query("UPDATE users SET banned = $1 WHERE name_key = $2")
                        .bind(i64::from(*banned))
                        .bind(key)
                        .execute(&mut *c)
                        .await?
                        .rows_affected()
                }
                Write::DeleteUser { key, maker } => {
                    for statement in [
                        "DELETE FROM chat WHERE EXISTS (SELECT 1 FROM seats s \
                         WHERE s.game = chat.game AND s.seat = chat.seat AND s.owner = $1)",
                        "UPDATE seats SET owner = NULL, name = '' WHERE owner = $1",
                        "DELETE FROM sessions WHERE name_key = $1",
                        "UPDATE evenings SET keeper = NULL, version = version + 1 WHERE keeper = $1",
                    ] {
                        sqlx::query(statement).bind(key).execute(&mut *c).await?;
                    }
                    sqlx::query("UPDATE games SET maker = NULL WHERE maker = $1")
                        .bind(maker)
                        .execute(&mut *c)
                        .await?;
                    sqlx::query("DELETE FROM users WHERE name_key = $1")
                        .bind(key)
                        .execute(&mut *c)
                        .await?
                        .rows_affected()
                }
                Write::EndSession { key, id } => {
                    sqlx::query("DELETE FROM sessions WHERE name_key = $1 AND substr(token_hash, 1, 16) = $2")
                        .bind(key)
                        .bind(id)
                        .execute(&mut *c)
                        .await?;
                    1
                }
                Write::EndSessions { key, but } => {
                    sqlx::query("DELETE FROM sessions WHERE name_key = $1 AND token_hash <> $2")
                        .bind(key)
                        .bind(but)
                        .execute(&mut *c)
                        .await?;
                    1
                }
                Write::Close { game } => sqlx::query(
                    "UPDATE games SET status = 'closed', waiting = NULL WHERE id = $1 AND status = 'playing'",
                )
                .bind(game)
                .execute(&mut *c)
                .await?
                .rows_affected(),
                Write::Conclude { game, ending } => sqlx::query(
                    "UPDATE games SET status = 'finished', waiting = NULL, ending = $1 WHERE id = $2 AND status = 'playing'",
                )
                .bind(ending)
                .bind(game)
                .execute(&mut *c)
                .await?
                .rows_affected(),
                Write::Agree { game, seats } => {
                    for seat in seats {
                        sqlx::query("INSERT INTO agreed (game, seat) VALUES ($1, $2) ON CONFLICT DO NOTHING")
                            .bind(game)
                            .bind(i64::from(*seat))
                            .execute(&mut *c)
                            .await?;
                    }
                    // Everybody is whoever sits there as a person; programs do not mind.
                    sqlx::query(
                        "UPDATE games SET status = 'closed', waiting = NULL WHERE id = $1 AND status = 'playing' \
                         AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.game = $1 AND s.kind = 'person' \
                         AND NOT EXISTS (SELECT 1 FROM agreed a WHERE a.game = $1 AND a.seat = s.seat))",
                    )
                    .bind(game)
                    .execute(&mut *c)
                    .await?;
                    1
                }
                Write::Rehash { game, header, hashes } => {
                    let kept: i64 = sqlx::query_scalar("SELECT COALESCE(MAX(n), 0) FROM actions WHERE game = $1")
                        .bind(game)
                        .fetch_one(&mut *c)
                        .await?;
                    if kept != hashes.len() as i64 {
                        return Ok(false);
                    }
                    for (i, hash) in hashes.iter().enumerate() {
                        sqlx::query("UPDATE actions SET hash = $1 WHERE game = $2 AND n = $3")
                            .bind(hash)
                            .bind(game)
                            .bind(i as i64 + 1)
                            .execute(&mut *c)
                            .await?;
                    }
                    sqlx::query("UPDATE games SET header = $1 WHERE id = $2")
                        .bind(header)
                        .bind(game)
                        .execute(&mut *c)
                        .await?
                        .rows_affected()
                }
                Write::AddUser { key, name, looks, password, created } => sqlx::query(
                    "INSERT INTO users (name_key, name, looks, password, created) VALUES ($1, $2, $3, $4, $5) \
                     ON CONFLICT DO NOTHING",
                )
                .bind(key)
                .bind(name)
                .bind(looks)
                .bind(password)
                .bind(*created)
                .execute(&mut *c)
                .await?
                .rows_affected(),
                Write::AddSession { token_hash, key, expires, now } => {
                    sqlx::query("DELETE FROM sessions WHERE expires < $1").bind(*now).execute(&mut *c).await?;
                    sqlx::query("INSERT INTO sessions (token_hash, name_key, expires, created) VALUES ($1, $2, $3, $4)")
                        .bind(token_hash)
                        .bind(key)
                        .bind(*expires)
                        .bind(*now)
                        .execute(&mut *c)
                        .await?
                        .rows_affected()
                }
                Write::DropSession { token_hash } => {
                    sqlx::query("DELETE FROM sessions WHERE token_hash = $1")
                        .bind(token_hash)
                        .execute(&mut *c)
                        .await?;
                    1
                }
                Write::AddEvening(row) => sqlx::query(
                    "INSERT INTO evenings (id, keeper, title, season, created, over, players, rounds, version, pairings) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING",
                )
                .bind(&row.id)
                .bind(&row.keeper)
                .bind(&row.title)
                .bind(&row.season)
                .bind(row.created)
                .bind(i64::from(row.over))
                .bind(row.players)
                .bind(row.rounds)
                .bind(row.version)
                .bind(&row.pairings)
                .execute(&mut *c)
                .await?
                .rows_affected(),
                // Whoever has not seen the last change may not undo it.
                Write::SetEvening(row) => sqlx::query(
                    "UPDATE evenings SET over = $1, players = $2, rounds = $3, pairings = $4, version = version + 1 \
                     WHERE id = $5 AND version = $6",
                )
                .bind(i64::from(row.over))
                .bind(row.players)
                .bind(row.rounds)
                .bind(&row.pairings)
                .bind(&row.id)
                .bind(row.version)
                .execute(&mut *c)
                .await?
                .rows_affected(),
                Write::AddSeason(row) => sqlx::query(
                    "INSERT INTO seasons (id, ruleset, title, begins, ends) VALUES ($1, $2, $3, $4, $5) \
                     ON CONFLICT DO NOTHING",
                )
                .bind(&row.id)
                .bind(&row.ruleset)
                .bind(&row.title)
                .bind(row.begins)
                .bind(row.ends)
                .execute(&mut *c)
                .await?
                .rows_affected(),
                Write::DropSeason { id } => {
                    sqlx::query("UPDATE evenings SET season = NULL, version = version + 1 WHERE season = $1")
                        .bind(id)
                        .execute(&mut *c)
                        .await?;
                    sqlx::query("DELETE FROM seasons WHERE id = $1").bind(id).execute(&mut *c).await?.rows_affected()
                }
                Write::Alone { server, address, now } => {
                    sqlx::query("DELETE FROM servers").execute(&mut *c).await?;
                    sqlx::query("INSERT INTO servers (id, address, seen) VALUES ($1, $2, $3)")
                        .bind(server)
                        .bind(address)
                        .bind(*now)
                        .execute(&mut *c)
                        .await?
                        .rows_affected()
                }
                Write::Probe => {
                    sqlx::query(
                        "UPDATE tricorne_schema SET version = version \
                         WHERE version = (SELECT MAX(version) FROM tricorne_schema)",
                    )
                    .execute(&mut *c)
                    .await?
                    .rows_affected()
                }
            };
            Ok(rows > 0)
        }
    };
}

carry_out!(sqlite, sqlx::SqliteConnection, sqlx::Sqlite);
#[cfg(feature = "postgres")]
carry_out!(postgres, sqlx::PgConnection, sqlx::Postgres);
