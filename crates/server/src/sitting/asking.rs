//! What is asked at the table, and who may ask it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::time::Instant;
use tricorne_chance::Whim;
use tricorne_game::Seat;

use super::Sitting;
use crate::advice::{counsel, courses, reach, sight, steer};
use crate::bounds;
use crate::gate::Ration;
use crate::messages::{Ask, Refused, Say};
use crate::odds::odds;
use crate::render::render;
use crate::secret;

/// Odds are being counted for a connection, until this is dropped.
struct Counting(Arc<AtomicBool>);

impl Drop for Counting {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Sitting {
    pub(super) async fn answer(&mut self, connection: u64, id: Option<u64>, ask: Ask) -> Result<(), Refused> {
        let Some(person) = self.people.get(&connection) else { return Ok(()) };
        let seats = person.listener.seats.clone();
        match ask {
            Ask::Hello(_) => return Err(Refused::new("malformed", "hello was said already")),
            Ask::Ping {} => self.say(connection, id, Say::Pong {}),
            Ask::Look { seat } => {
                if seat.is_some_and(|s| !seats.contains(&s)) {
                    return Err(Refused::new("not_yours", "you can look only from a seat of your own"));
                }
                let Some(person) = self.people.get_mut(&connection) else { return Ok(()) };
                person.listener.look = Some(seat);
                let listener = person.listener.clone();
                let mut occasion = self.occasion(vec![listener]);
                occasion.before = BTreeMap::new();
                let rendered = self.rules(move |umpire| render(umpire, &occasion)).await?;
                self.deliver(rendered);
            }
            Ask::Draw { agree } => {
                let told = self.draw(&seats, agree).await?;
                if id.is_some() {
                    self.say(connection, id, told);
                }
            }
            Ask::Chat { text } => {
                let (limits, address) = (&self.app.config.limits, person.who.address);
                // It is kept for good.
                if !self.app.gate.allows(address, Ration::Line, limits.lines_per_second, limits.lines_burst) {
                    return Err(Refused::new("too_fast", "you say too much at once; wait a little"));
                }
                self.chat(&seats, &text).await?;
            }
            Ask::Act { n, action, take_backs } => {
                let seat = self.may_decide(&seats).await?;
                self.not_stale(&seats, n, take_backs)?;
                let seat = seat.map_err(Refused::not_yours)?;
                if self.game.actions >= bounds::ACTIONS {
                    return Err(Refused::new(
                        "too_long",
                        format!("this battle has gone on for {} actions; it rests here", bounds::ACTIONS),
                    ));
                }
                let began = Instant::now();
                self.act(Some((connection, id)), seat, action).await?;
                self.app.metrics.actions.took(began.elapsed());
            }
            Ask::TakeBack { n } => {
                self.may_decide(&seats).await?.ok();
                self.not_stale(&seats, n, None)?;
                self.take_back((connection, id), &seats).await?;
            }
            Ask::Legal {} => {
                self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                let legal = self.rules(|umpire| umpire.battle().legal()).await?;
                let n = self.told(&seats);
                self.say(connection, id, Say::Legal { n, listed: legal.listed, spaces: legal.spaces });
            }
            Ask::Check { action } => {
                self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                self.rules(move |umpire| umpire.battle().check(&action)).await??;
                let n = self.told(&seats);
                self.say(connection, id, Say::Checked { n });
            }
            Ask::Preview { action } => {
                self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                let preview = self.rules(move |umpire| umpire.battle().preview(&action)).await??;
                let n = self.told(&seats);
                self.say(connection, id, Say::Preview { n, preview: Box::new(preview) });
            }
            Ask::Candidates { n: most } => {
                self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                let most = most.clamp(1, 500);
                let (n, back) = (self.told(&seats) as usize, self.game.take_backs as u64);
                let list = self
                    .rules(move |umpire| {
                        let seed = secret::suggestion_seed(umpire.header().last_seed(), n, back);
                        umpire.battle().candidates(most, &mut Whim::new(seed, 0))
                    })
                    .await?;
                let n = self.told(&seats);
                self.say(connection, id, Say::Candidates { n, list });
            }
            Ask::Counsel { n: most } => {
                let seat = self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                let (at, back) = (self.told(&seats) as usize, self.game.take_backs as u64);
                let list = self
                    .rules(move |umpire| {
                        let seed = secret::suggestion_seed(umpire.header().last_seed(), at, back);
                        counsel(umpire.battle(), seat, most, seed)
                    })
                    .await?;
                let n = self.told(&seats);
                self.say(connection, id, Say::Counsel { n, list });
            }
            Ask::Picture { light, ground } => {
                let draw = self
                    .app
                    .config
                    .drawing(ground)
                    .ok_or_else(|| Refused::new("no_picture", "this server draws no pictures"))?;
                let listener = person.listener.clone();
                let view = self
                    .rules(move |umpire| {
                        let battle = umpire.battle();
                        battle.view(listener.eye(&battle.pending()))
                    })
                    .await?;
                let n = self.told(&seats);
                self.beside(connection, id, move || Ok(Say::Picture { n, svg: draw(&view, light) }));
            }
            Ask::Steer(wish) => {
                self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                let n = self.told(&seats);
                let steered = self.rules(move |umpire| steer(umpire.battle(), n, &wish)).await??;
                self.say(connection, id, steered);
            }
            Ask::Reach { unit } => {
                let seat = self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                let n = self.told(&seats);
                let battle = self.rules(|umpire| umpire.battle().boxed_clone()).await?;
                self.beside(connection, id, move || reach(&*battle, seat, unit, n));
            }
            Ask::Sight { from, to } => {
                let listener = person.listener.clone();
                let sight = self
                    .rules(move |umpire| {
                        let battle = umpire.battle();
                        sight(battle, listener.eye(&battle.pending()), from, to)
                    })
                    .await??;
                let n = self.told(&seats);
                self.say(connection, id, Say::Sight { n, sight });
            }
            Ask::Courses { unit } => {
                let seat = self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                let list = self.rules(move |umpire| courses(umpire.battle(), seat, unit)).await??;
                let n = self.told(&seats);
                self.say(connection, id, Say::Courses { n, unit, list });
            }
            Ask::Odds { action } => {
                let seat = self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                let n = self.told(&seats);
                let battle = self.rules(|umpire| umpire.battle().boxed_clone()).await?;
                let Some(person) = self.people.get(&connection) else { return Ok(()) };
                if person.counting.swap(true, Ordering::AcqRel) {
                    return Err(Refused::new("too_fast", "other odds of yours are still being counted"));
                }
                let counting = Counting(Arc::clone(&person.counting));
                let effort = self.app.config.limits.odds;
                self.beside(connection, id, move || {
                    let counted = odds(&*battle, seat, &action, effort, n);
                    drop(counting);
                    counted
                });
            }
        }
        Ok(())
    }

    /// Works something out beside the table, in the asker's share of the machine: nobody who acts meanwhile waits for it.
    fn beside(
        &self,
        connection: u64,
        id: Option<u64>,
        work: impl FnOnce() -> Result<Say, Refused> + Send + 'static,
    ) {
        let Some(person) = self.people.get(&connection) else { return };
        let (app, who, out) = (Arc::clone(&self.app), person.who, person.out.clone());
        let too_slow = Arc::clone(&person.too_slow);
        tokio::spawn(async move {
            let worked_out = app.soon(who, work).await.unwrap_or_else(|e| Err(e.into()));
            // Who gets no answer would wait for it for ever: it is let go, comes back, and is told all again.
            if !out.put(worked_out.unwrap_or_else(Say::Refused).text(id)) {
                too_slow.notify_one();
            }
        });
    }

    /// The seat that must decide, if it is one of ours; otherwise whose it is.
    pub(super) async fn may_decide(&mut self, seats: &[Seat]) -> Result<Result<Seat, Seat>, Refused> {
        if seats.is_empty() {
            return Err(Refused::new("spectator", "you are watching; only seats decide"));
        }
        self.load().await?;
        let pending = self.umpire.as_ref().and_then(|u| u.battle().seat());
        match pending {
            Some(seat) if !self.over() => Ok(if seats.contains(&seat) { Ok(seat) } else { Err(seat) }),
            _ => Err(Refused::over()),
        }
    }

    pub(super) fn not_stale(&self, seats: &[Seat], n: u64, take_backs: Option<u64>) -> Result<(), Refused> {
        let (here, back) = (self.told(seats), self.game.take_backs as u64);
        if n == here && take_backs.is_none_or(|t| t == back) {
            Ok(())
        } else {
            Err(Refused::new(
                "stale",
                format!("the battle has gone on: {here} actions have been taken, yours answers {n}"),
            ))
        }
    }
}
