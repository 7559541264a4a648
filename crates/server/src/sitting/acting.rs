//! Actions taken, kept, and taken back.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tricorne_game::{Pending, Seat, Umpire};
use tricorne_store::{ActionRow, Next, Status, StoreError};

use super::Sitting;
use crate::again;
use crate::messages::{Refused, Say};
use crate::metrics::Metrics;
use crate::notice;
use crate::now;
use crate::render::render;

impl Sitting {
    /// Takes an action, keeps it, and then tells everybody.
    pub(super) async fn act(
        &mut self,
        who: Option<(u64, Option<u64>)>,
        seat: Seat,
        action: Value,
    ) -> Result<(), Refused> {
        let moment = now();
        // After an action everybody sees the table from the seat that matters, wherever they looked from before.
        let mut listeners = self.everybody();
        for listener in &mut listeners {
            listener.look = None;
        }
        let mut occasion = self.occasion(listeners);
        if let Some(clock) = &mut occasion.clock {
            clock.acted.push((seat, moment));
        }
        let before = self.at().0;
        occasion.since = Some(before);
        occasion.always = false;
        let done = self
            .rules(move |umpire| {
                let turned = umpire.act(seat, &action)?;
                let (hash, events) = (turned.hash.to_string(), again::digest(turned));
                if umpire.system().secrets() {
                    Arc::make_mut(&mut occasion.noticed).note(umpire);
                    if let Some(clock) = &mut occasion.clock
                        && !occasion.noticed.has(notice::listener(&[]), before)
                    {
                        // An increment would tell of it.
                        clock.acted.pop();
                    }
                }
                let rendered = render(umpire, &occasion);
                let pending = umpire.battle().pending();
                Ok::<_, Refused>(((action.to_string(), hash, events), pending, rendered, occasion.noticed))
            })
            .await?;
        let ((action, hash, events), pending, rendered, noticed) = done?;
        let n = before as i64 + 1;
        let next = match &pending {
            Pending::Decision { seat, .. } if self.game.waiting == Some(seat.0) => Next::WaitsStill,
            Pending::Decision { seat, .. } => Next::Waits(seat.0),
            Pending::Over(ending) => Next::Over(serde_json::to_string(ending).unwrap_or_default()),
        };
        let row = ActionRow { n, seat: seat.0, action, hash, events, moment };
        let untold = !noticed.has(notice::listener(&[]), before);
        let kept = if untold {
            self.app.store.act_in_secret(&self.game.id, row, next.clone()).await
        } else {
            self.app.store.act(&self.game.id, row, next.clone()).await
        };
        if let Err(e) = kept {
            return Err(self.not_kept(&e).await);
        }
        self.noticed = noticed;
        self.game.untold += i64::from(untold);
        self.wait = Duration::ZERO;
        self.game.actions = n;
        if !untold {
            self.acted.push((seat, moment));
        }
        for person in self.people.values_mut() {
            person.listener.look = None;
        }
        match next {
            Next::WaitsStill => {}
            Next::Waits(seat) => self.game.waiting = Some(seat),
            Next::Over(ending) => {
                self.game.waiting = None;
                self.game.status = Status::Finished;
                self.game.ending = Some(ending);
            }
        }
        if let Some((connection, id)) = who {
            let seats = self.people.get(&connection).map(|p| p.listener.seats.clone()).unwrap_or_default();
            let n = self.told(&seats);
            self.say(connection, id, Say::Acted { n });
        }
        self.deliver(rendered);
        if !untold {
            self.lapse();
        }
        if self.over() {
            let over = self.ending();
            self.say_to_all(over);
        }
        if self.game.waiting != Some(seat.0) {
            self.ring_the_bell();
        }
        self.consider();
        Ok(())
    }

    /// The store did not take it: what is in memory is no longer what is kept, so it is read again and told to everybody.
    pub(super) async fn not_kept(&mut self, e: &StoreError) -> Refused {
        let since = self.at().0;
        self.put_away();
        if *e != StoreError::Conflict {
            // If it was a program's, it is asked again when the database may have come back.
            self.later();
        }
        if self.load().await.is_ok() {
            let mut occasion = self.occasion(self.everybody());
            occasion.since = Some(since);
            if let Ok(rendered) = self.rules(move |umpire| render(umpire, &occasion)).await {
                self.deliver(rendered);
            }
        }
        match e {
            StoreError::Conflict => Refused::new("stale", "the battle has gone on meanwhile"),
            other => {
                Metrics::one_more(&self.app.metrics.refused_writes);
                crate::log::note("an action was not kept", &[("why", &other)]);
                Refused::internal()
            }
        }
    }

    pub(super) async fn take_back(
        &mut self,
        (asker, id): (u64, Option<u64>),
        seats: &[Seat],
    ) -> Result<(), Refused> {
        let no = |why: &str| Refused::new("no_take_back", why);
        let last = self.umpire.as_ref().and_then(|u| u.turned().last());
        let Some(last) = last else { return Err(no("nothing was done yet")) };
        let seat = last.seat;
        if !seats.contains(&seat) {
            return Err(no("the last action was not yours"));
        }
        if !last.draws.is_empty() {
            return Err(no("a die or a card is out"));
        }
        let n = self.at().0;
        if self.lobby.forked_from.as_ref().is_some_and(|f| f.n >= n as u64) {
            return Err(no("that action belongs to the battle this one goes on from"));
        }
        let untold = !self.noticed.has(notice::listener(&[]), n - 1);
        let (before, whom) = (Arc::clone(&self.noticed), |seats: &[Seat]| notice::listener(seats));
        // Whoever never noticed it is told nothing now.
        let told: Vec<_> =
            self.everybody().into_iter().filter(|l| before.has(whom(&l.seats), n - 1)).collect();
        let connections: Vec<u64> = told.iter().map(|l| l.connection).collect();
        let mut occasion = self.occasion(told);
        Arc::make_mut(&mut occasion.noticed).take_back();
        let noticed = Arc::clone(&occasion.noticed);
        occasion.take_backs += u64::from(!untold);
        if let Some(clock) = occasion.clock.as_mut().filter(|_| !untold) {
            clock.acted.pop();
        }
        let rendered = self
            .rules(move |umpire| {
                let action = umpire.turned().last().map(|t| t.action.clone()).unwrap_or_default();
                let known = |umpire: &Umpire| -> Vec<_> {
                    umpire.battle().view(Some(seat)).units.iter().map(|u| u.id).collect()
                };
                let after = known(umpire);
                if umpire.system().secrets() && asked_another(umpire, seat) {
                    return Err(Refused::new("no_take_back", "it has made another seat decide"));
                }
                umpire.step_back(n - 1).map_err(|fault| {
                    crate::log::note("an action can't be stepped back", &[("why", &fault)]);
                    Refused::internal()
                })?;
                let before = known(umpire);
                if after.iter().any(|unit| !before.contains(unit)) {
                    // No die was rolled, so taking the action again brings it to the same place.
                    umpire.act(seat, &action)?;
                    return Err(Refused::new("no_take_back", "it uncovered something that was hidden"));
                }
                Ok(render(umpire, &occasion))
            })
            .await??;
        let kept = if untold {
            self.app.store.take_back_in_secret(&self.game.id, n as i64, seat.0).await
        } else {
            self.app.store.take_back(&self.game.id, n as i64, seat.0).await
        };
        if let Err(e) = kept {
            return Err(self.not_kept(&e).await);
        }
        self.noticed = noticed;
        self.back += 1;
        self.game.actions = n as i64 - 1;
        self.game.take_backs += i64::from(!untold);
        self.game.untold -= i64::from(untold);
        self.game.waiting = Some(seat.0);
        if !untold {
            self.acted.pop();
        }
        for connection in connections {
            let seats = self.people.get(&connection).map(|p| p.listener.seats.clone()).unwrap_or_default();
            let n = self.told(&seats);
            self.say(connection, id.filter(|_| connection == asker), Say::TakenBack { n, seat });
        }
        self.deliver(rendered);
        if !untold {
            self.lapse();
            self.ring_the_bell();
        }
        self.consider();
        Ok(())
    }
}

/// Whether another seat is asked something in the middle of what a side is doing: an ambush, an evasion. Who takes back what
/// led to it has learnt of it, and there may have been nothing to see.
fn asked_another(umpire: &Umpire, seat: Seat) -> bool {
    let battle = umpire.battle();
    let view = battle.view(Some(seat));
    let side = view.seats.iter().find(|info| info.seat == seat).map(|info| info.side);
    battle.seat().is_some_and(|asked| asked != seat) && view.clock.active == side
}
