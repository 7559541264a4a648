//! A draw offered, accepted or declined. Agreements of the players end a battle between two actions; the rules know nothing of
//! them, and the journal keeps them.

use std::collections::BTreeSet;

use tricorne_chance::Whim;
use tricorne_game::journal::Agreed;
use tricorne_game::{Seat, Side};
use tricorne_store::{Status, StoreError};

use super::Sitting;
use crate::messages::{Refused, Say};
use crate::render::render;
use crate::secret;

/// What programs may be ahead by and still take a draw: sums that come out even are seldom nothing to the last digit.
const EVEN: f64 = 1e-6;

/// Who would leave a battle drawn as it stands. It lapses with the next action.
#[derive(Debug, Default)]
pub(super) struct Offer {
    agreed: BTreeSet<Seat>,
    /// It was declined or taken back, and is not made again before something has happened: each offer is kept in the talk.
    done: bool,
}

impl Sitting {
    /// Somebody would leave the battle drawn, or would not. Everybody is told what has become of it.
    pub(super) async fn draw(&mut self, seats: &[Seat], agree: bool) -> Result<Say, Refused> {
        let Some(&first) = seats.first() else {
            return Err(Refused::new("spectator", "you are watching; only seats agree on a draw"));
        };
        self.load().await?;
        if self.over() {
            return Err(Refused::over());
        }
        let ours = seats.iter().any(|seat| self.offer.agreed.contains(seat));
        if !agree {
            if self.offer.agreed.is_empty() {
                return Err(Refused::new(
                    "no_offer",
                    "no draw is offered; an offer lapses with the next action",
                ));
            }
            // Who takes his own offer back has not been declined.
            return Ok(self.no_draw(first, !ours).await);
        }
        if self.offer.done {
            let why =
                "a draw was declined or taken back just now; it can be offered again after the next action";
            return Err(Refused::new("declined", why));
        }
        let fresh = self.offer.agreed.is_empty();
        self.offer.agreed.extend(seats);
        if fresh {
            let _ = self.chat(&[first], "I offer a draw.").await;
        }
        if let Some(decliner) = self.programs_say(first).await? {
            return Ok(self.no_draw(decliner, true).await);
        }
        if self.seats.iter().all(|row| self.offer.agreed.contains(&Seat(row.seat))) {
            self.drawn().await?;
            return Ok(self.standing_offer());
        }
        let offered = self.standing_offer();
        self.say_to_all(offered.clone());
        Ok(offered)
    }

    fn standing_offer(&self) -> Say {
        Say::Draw { offered: self.offer.agreed.iter().copied().collect(), declined: None }
    }

    /// What is offered, for whoever comes to the table.
    pub(super) fn offered(&self) -> Option<Say> {
        (!self.offer.agreed.is_empty()).then(|| self.standing_offer())
    }

    /// Something was done or taken back: whatever was offered is offered no longer.
    pub(super) fn lapse(&mut self) {
        let stood = std::mem::take(&mut self.offer);
        if !stood.agreed.is_empty() && !self.over() {
            self.say_to_all(Say::Draw { offered: Vec::new(), declined: None });
        }
    }

    /// Asks the programs that have not agreed yet: those of the side that offers go along, the others agree if they are not
    /// ahead as far as they may know. The first that is ahead is told.
    async fn programs_say(&mut self, offering: Seat) -> Result<Option<Seat>, Refused> {
        let side = |seat: Seat| self.seats.get(seat.index()).map(|row| Side(row.side));
        let open = self.seats.iter().filter(|row| row.kind.starts_with("program:")).map(|row| Seat(row.seat));
        let open = open.filter(|seat| !self.offer.agreed.contains(seat));
        let (along, asked): (Vec<Seat>, Vec<Seat>) = open.partition(|seat| side(*seat) == side(offering));
        self.offer.agreed.extend(along);
        if asked.is_empty() {
            return Ok(None);
        }
        let (n, back) = (self.at().0, self.game.take_backs as u64);
        let seats = asked.clone();
        let ahead = self
            .rules(move |umpire| {
                let seed = secret::suggestion_seed(umpire.header().last_seed(), n, back);
                seats.into_iter().find(|seat| {
                    let imagined = umpire.battle().imagined(*seat, &mut Whim::new(seed, u64::from(seat.0)));
                    imagined.standing(*seat) > EVEN
                })
            })
            .await?;
        if ahead.is_none() {
            self.offer.agreed.extend(asked);
        }
        Ok(ahead)
    }

    async fn no_draw(&mut self, who: Seat, declined: bool) -> Say {
        self.offer = Offer { agreed: BTreeSet::new(), done: true };
        let words = if declined { "No draw; we fight on." } else { "I take my offer back." };
        let _ = self.chat(&[who], words).await;
        let told = Say::Draw { offered: Vec::new(), declined: declined.then_some(who) };
        self.say_to_all(told.clone());
        told
    }

    /// Everybody has agreed: the battle is over, kept, and then told.
    async fn drawn(&mut self) -> Result<(), Refused> {
        let ending = serde_json::to_string(&Agreed::Draw.ending()).unwrap_or_default();
        match self.app.store.conclude(&self.game.id, &ending).await {
            Ok(()) => {}
            Err(StoreError::Conflict) => {
                self.ended().await;
                return Err(Refused::over());
            }
            Err(e) => {
                self.offer = Offer::default();
                crate::log::note("the server could not do that", &[("why", &e)]);
                return Err(Refused::internal());
            }
        }
        self.game.status = Status::Finished;
        self.game.waiting = None;
        self.game.ending = Some(ending);
        self.offer = Offer::default();
        let occasion = self.occasion(self.everybody());
        let rendered = self
            .rules(move |umpire| {
                let _ = umpire.agree(Agreed::Draw);
                render(umpire, &occasion)
            })
            .await?;
        self.deliver(rendered);
        let over = self.ending();
        self.say_to_all(over);
        self.ring_the_bell();
        Ok(())
    }
}
