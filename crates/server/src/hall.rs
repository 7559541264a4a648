//! The hall: every game that somebody sits at has a table here, with a task of its own.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc;

use crate::App;
use crate::fellows::Led;
use crate::sitting::{self, Note};

/// Requests that may wait at one table.
const QUEUE: usize = 256;

/// The tables that are laid.
#[derive(Default)]
pub(crate) struct Hall {
    tables: Mutex<BTreeMap<String, mpsc::Sender<Note>>>,
}

impl Hall {
    /// Hands a note to a game's table, which is laid if it is not: here, or on the server that leads the game.
    pub(crate) async fn tell(app: &Arc<App>, game: &str, note: Note) {
        if app.others.any() && !app.hall.has(game) {
            match app.others.led(game).await {
                Ok(Led::Here) => {}
                Ok(Led::There { .. }) => return app.others.pass_on(game, &note),
                Err(e) => crate::log::note("nobody knows who leads a game", &[("game", &game), ("why", &e)]),
            }
        }
        Self::tell_here(app, game, note).await;
    }

    /// Whether a game's table is laid here.
    pub(crate) fn has(&self, game: &str) -> bool {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).contains_key(game)
    }

    /// The games whose tables are laid here.
    #[cfg(feature = "postgres")]
    pub(crate) fn games(&self) -> Vec<String> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    /// The same, on this server.
    pub(crate) async fn tell_here(app: &Arc<App>, game: &str, note: Note) {
        let mut note = note;
        // A table may be cleared away between finding it and speaking to it; then it is laid again.
        loop {
            let table = Self::table(app, game);
            match table.send(note).await {
                Ok(()) => return,
                Err(mpsc::error::SendError(back)) => note = back,
            }
            app.hall.forget(game, &table);
            // A runtime that is being shut down takes no new task: it ends this one here instead of hearing it ask for
            // ever.
            tokio::task::yield_now().await;
        }
    }

    fn table(app: &Arc<App>, game: &str) -> mpsc::Sender<Note> {
        let mut tables = app.hall.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = tables.get(game) {
            return table.clone();
        }
        let (sender, notes) = mpsc::channel(QUEUE);
        tables.insert(game.into(), sender.clone());
        tokio::spawn(sitting::sit(Arc::clone(app), game.into(), sender.clone(), notes));
        sender
    }

    /// Clears a table away if nobody has spoken to it meanwhile; true if it is gone.
    pub(crate) fn clear(&self, game: &str, notes: &mut mpsc::Receiver<Note>) -> bool {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.is_empty() {
            notes.close();
            tables.remove(game);
            true
        } else {
            false
        }
    }

    /// How many tables are laid.
    pub(crate) fn tables(&self) -> usize {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn forget(&self, game: &str, table: &mpsc::Sender<Note>) {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if tables.get(game).is_some_and(|t| t.same_channel(table)) {
            tables.remove(game);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;
    use crate::{Server, ServerConfig};

    #[test]
    fn a_last_word_does_not_keep_the_server_from_stopping() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("games.db").display());
        let mut one = tokio::runtime::Builder::new_multi_thread();
        let runtime = one.worker_threads(1).enable_all().build().unwrap();
        let server = runtime.block_on(Server::bind(ServerConfig::local(&[], url))).unwrap();
        let app = Arc::clone(&server.app);
        let (leaving, left) = channel();
        runtime.spawn(async move {
            leaving.send(()).unwrap();
            // Meanwhile the runtime is told to stop, and waits for what is under way.
            std::thread::sleep(Duration::from_millis(300));
            Hall::tell(&app, "nowhere", Note::Leave { connection: 1 }).await;
        });
        left.recv().unwrap();
        let (stopped, stop) = channel();
        std::thread::spawn(move || {
            drop(runtime);
            stopped.send(()).unwrap();
        });
        assert!(stop.recv_timeout(Duration::from_secs(30)).is_ok(), "the server never stops");
    }
}
