//! When the table wakes: clocks that run out, battles put away, tables left alone.

use std::time::Duration;

use tokio::time::Instant;
use tricorne_agents::Level;
use tricorne_game::Seat;
use tricorne_store::SeatRow;

use super::Sitting;
use crate::metrics::Metrics;
use crate::{clock, now};

impl Sitting {
    pub(super) fn wake(&self) -> Instant {
        let limits = &self.app.config.limits;
        let flag = self.flag();
        let wake = if self.thinking.is_some() {
            // The program's answer wakes it.
            Instant::now() + Duration::from_hours(1)
        } else if self.people.is_empty() && flag.is_none() {
            self.used + limits.linger
        } else if self.umpire.is_some() {
            self.used + limits.idle
        } else {
            Instant::now() + Duration::from_hours(1)
        };
        let wake = self.again.map_or(wake, |at| wake.min(at));
        match flag {
            Some(left) => wake.min(Instant::now() + left),
            None => wake,
        }
    }

    /// How long until the running clock runs out.
    pub(super) fn flag(&self) -> Option<Duration> {
        let rule = self.lobby.clock.as_ref()?;
        let pending = self.game.waiting.map(Seat)?;
        let row = self.seats.get(pending.index())?;
        if row.kind != "person" {
            return None;
        }
        let state = clock::reckon(rule, self.seats.len(), &self.acted, Some(pending), now());
        let seat = state.running?;
        let left = u64::try_from(*state.left.get(seat.index())?).unwrap_or_default();
        Some(Duration::from_millis(left))
    }

    pub(super) async fn ring(&mut self) {
        if self.again.is_some_and(|at| at <= Instant::now()) {
            self.try_again().await;
        } else if self.flag().is_some_and(|left| left.is_zero()) {
            self.out_of_time().await;
        } else if self.thinking.is_none() && self.used.elapsed() >= self.app.config.limits.idle {
            self.put_away();
        }
    }

    pub(super) fn left_alone(&self) -> bool {
        // A table with a clock that runs stays laid, so that it is heard when it rings.
        self.people.is_empty()
            && self.thinking.is_none()
            && self.again.is_none()
            && self.flag().is_none()
            && self.used.elapsed() >= self.app.config.limits.linger
    }

    pub(super) fn put_away(&mut self) {
        if self.umpire.take().is_some() {
            Metrics::one_more(&self.app.metrics.put_away);
        }
        self.views.clear();
        self.names.clear();
        if self.lobby.clock.is_none() {
            self.acted = Vec::new();
        }
        for person in self.people.values_mut() {
            person.listener.shown = None;
        }
    }

    /// The seat that must decide has no time left: a program plays on for it.
    pub(super) async fn out_of_time(&mut self) {
        let Some(row) = self.game.waiting.and_then(|s| self.seats.get(usize::from(s))).cloned() else {
            return;
        };
        let level = Level::ALL.first().map(Level::to_string).unwrap_or_default();
        let then = self.lobby.clock.as_ref().and_then(|c| c.then.clone());
        let kind = then.unwrap_or_else(|| format!("program:{level}"));
        let row = SeatRow { kind, token_hash: None, owner: None, ..row };
        if let Err(e) = self.app.store.sit(&self.game.id, "person", row).await {
            crate::log::note("the server could not do that", &[("why", &e)]);
        }
        self.reseated().await;
    }
}
