//! Several servers on one PostgreSQL. A game is led by one of them at a time; a connection that comes to another is passed
//! on, and news go to all of them. On SQLite there is one server, and nothing of this is done.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
#[cfg(feature = "postgres")]
use tricorne_game::Seat;
#[cfg(feature = "postgres")]
use tricorne_store::{Fellows, Leader, Status};
use tricorne_store::{Game, StoreError};

#[cfg(feature = "postgres")]
use crate::hall::Hall;
#[cfg(feature = "postgres")]
use crate::log;
#[cfg(feature = "postgres")]
use crate::notices::Ring;
use crate::sitting::Note;
use crate::{App, facts};

/// How often a server says that it is there, and looks for games whose leader is gone.
#[cfg(feature = "postgres")]
const BEAT: Duration = Duration::from_secs(1);

/// How long somebody who comes to a game waits at most until it has a leader who answers.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Where a game is led.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Led {
    /// Here.
    Here,
    /// On another server.
    #[cfg_attr(not(feature = "postgres"), allow(dead_code, reason = "with SQLite there is one server"))]
    There { address: String, secret: String },
}

/// What servers tell each other.
#[cfg(feature = "postgres")]
#[derive(Debug, Serialize, Deserialize)]
struct News {
    /// Who tells it.
    from: String,
    what: What,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum What {
    /// Somebody took a seat.
    Reseated(String),
    /// The players have left it at that.
    Ended(String),
    /// It is another's decision.
    Rung { game: String, status: String, n: u64, waiting: Option<u8> },
}

/// The other servers, if there can be any.
#[derive(Clone, Default)]
pub(crate) struct Others {
    #[cfg(feature = "postgres")]
    fellows: Option<Fellows>,
}

#[cfg(not(feature = "postgres"))]
impl Others {
    pub(crate) fn none() -> Self {
        Self::default()
    }
}

impl Others {
    #[cfg(feature = "postgres")]
    pub(crate) fn of(fellows: Option<Fellows>) -> Self {
        Self { fellows }
    }

    /// Where a game is led; here, if it is led nowhere.
    #[cfg_attr(not(feature = "postgres"), allow(clippy::unused_async, reason = "there is nobody to ask"))]
    pub(crate) async fn led(&self, game: &str) -> Result<Led, StoreError> {
        #[cfg(feature = "postgres")]
        if let Some(fellows) = &self.fellows {
            return Ok(match fellows.lead(game).await? {
                Leader::Me => Led::Here,
                Leader::Other { address, secret } => Led::There { address, secret },
            });
        }
        let _ = game;
        Ok(Led::Here)
    }

    /// Whether there may be other servers.
    pub(crate) fn any(&self) -> bool {
        #[cfg(feature = "postgres")]
        return self.fellows.is_some();
        #[cfg(not(feature = "postgres"))]
        false
    }

    /// Counts a try together with the others; none where there can be no others.
    #[cfg_attr(not(feature = "postgres"), allow(clippy::unused_async, reason = "there is nobody to ask"))]
    pub(crate) async fn count_try(
        &self,
        whose: &str,
        each: i64,
        most: u32,
    ) -> Result<Option<bool>, StoreError> {
        #[cfg(feature = "postgres")]
        if let Some(fellows) = &self.fellows {
            return fellows.count_try(whose, each, most.into()).await.map(Some);
        }
        let _ = (whose, each, most);
        Ok(None)
    }

    /// Takes a try back that was counted together with the others; false where there can be no others.
    #[cfg_attr(not(feature = "postgres"), allow(clippy::unused_async, reason = "there is nobody to ask"))]
    pub(crate) async fn forgive_try(&self, whose: &str, each: i64) -> Result<bool, StoreError> {
        #[cfg(feature = "postgres")]
        if let Some(fellows) = &self.fellows {
            return fellows.forgive_try(whose, each).await.map(|()| true);
        }
        let _ = (whose, each);
        Ok(false)
    }

    /// A table was cleared away.
    pub(crate) fn cleared(&self, game: &str) {
        #[cfg(feature = "postgres")]
        if let Some(fellows) = self.fellows.clone() {
            let game = game.to_owned();
            tokio::spawn(async move {
                if let Err(e) = fellows.leave(&game).await {
                    log::note("a game's lead was not given up", &[("why", &e)]);
                }
            });
        }
        let _ = game;
    }

    fn tell(&self, what: What) {
        #[cfg(feature = "postgres")]
        if let Some(fellows) = self.fellows.clone() {
            tokio::spawn(async move {
                let news = News { from: fellows.me().to_owned(), what };
                if let Err(e) = fellows.tell(&serde_json::to_string(&news).unwrap_or_default()).await {
                    log::note("the other servers were not told", &[("why", &e)]);
                }
            });
            return;
        }
        drop(what);
    }

    /// Tells the server that leads a game what happened to it here.
    pub(crate) fn pass_on(&self, game: &str, note: &Note) {
        match note {
            Note::Reseated => self.tell(What::Reseated(game.into())),
            Note::Ended => self.tell(What::Ended(game.into())),
            // The others come with a connection, which is led on as a whole, or wait for an answer from here.
            _ => {}
        }
    }

    /// Tells the others that a game waits for somebody else.
    pub(crate) fn ring(&self, game: &Game) {
        self.tell(What::Rung {
            game: game.id.clone(),
            status: game.status.as_str().into(),
            n: facts::known(game),
            waiting: game.waiting,
        });
    }
}

/// Is there, hears the others and takes over from those that are gone, for ever.
#[cfg(feature = "postgres")]
pub(crate) async fn keep_company(app: Arc<App>) {
    let Some(fellows) = app.others.fellows.clone() else { return std::future::pending().await };
    // Dropped with this, and with the server.
    let mut hears = tokio::task::JoinSet::new();
    hears.spawn(hear(Arc::clone(&app), fellows.clone()));
    let mut beat = tokio::time::interval(BEAT);
    beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        if let Err(e) = attend(&app, &fellows).await {
            log::note("the other servers can't be reached", &[("why", &e)]);
        }
    }
}

#[cfg(not(feature = "postgres"))]
pub(crate) async fn keep_company(_: Arc<App>) {
    std::future::pending().await
}

#[cfg(feature = "postgres")]
async fn attend(app: &Arc<App>, fellows: &Fellows) -> Result<(), StoreError> {
    fellows.beat().await?;
    // Nothing that is led depends on what is swept out.
    if let Err(e) = fellows.sweep().await {
        log::note("what is forgiven or gone was not swept out", &[("why", &e)]);
    }
    // Another has taken over while we were not heard of: our tables for those games are cleared.
    let led = fellows.led().await?;
    for game in app.hall.games() {
        if !led.contains(&game) && fellows.lead(&game).await? != Leader::Me {
            Hall::tell_here(app, &game, Note::Handed).await;
        }
    }
    for game in fellows.orphans().await? {
        if fellows.lead(&game).await? == Leader::Me {
            log::note("a game is taken over", &[("game", &game)]);
            Hall::tell_here(app, &game, Note::Reseated).await;
        }
    }
    Ok(())
}

#[cfg(feature = "postgres")]
async fn hear(app: Arc<App>, fellows: Fellows) {
    loop {
        let heard = async {
            let mut hearing = fellows.hear().await?;
            loop {
                let text = hearing.next().await?;
                let Ok(news) = serde_json::from_str::<News>(&text) else { continue };
                if news.from != fellows.me() {
                    take(&app, news.what).await;
                }
            }
        };
        let stopped: Result<(), StoreError> = heard.await;
        if let Err(e) = stopped {
            log::note("the other servers are not heard", &[("why", &e)]);
        }
        tokio::time::sleep(BEAT).await;
    }
}

#[cfg(feature = "postgres")]
async fn take(app: &Arc<App>, what: What) {
    match what {
        What::Reseated(game) if app.hall.has(&game) => Hall::tell_here(app, &game, Note::Reseated).await,
        What::Ended(game) if app.hall.has(&game) => Hall::tell_here(app, &game, Note::Ended).await,
        What::Reseated(_) | What::Ended(_) => {}
        What::Rung { game, status, n, waiting } => {
            let status = [Status::Finished, Status::Closed, Status::Replay]
                .into_iter()
                .find(|s| s.as_str() == status)
                .unwrap_or(Status::Playing);
            app.bell.heard(&Ring { game, status, n, waiting: waiting.map(Seat) });
        }
    }
}

/// We stop: our games are anybody's at once.
#[cfg_attr(not(feature = "postgres"), allow(clippy::unused_async, reason = "there is nobody to tell"))]
pub(crate) async fn go(app: &App) {
    #[cfg(feature = "postgres")]
    if let Some(fellows) = &app.others.fellows
        && let Err(e) = fellows.go().await
    {
        log::note("the other servers do not know that this one stops", &[("why", &e)]);
    }
    let _ = app;
}
