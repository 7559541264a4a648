//! What happened, as one listener may know it.

use tricorne_chance::{Draw, Drawn};
use tricorne_game::view::View;
use tricorne_game::{Event, Seat, Story, Umpire};

use crate::messages::{Happened, Told};
use crate::notice::{Mask, Noticed};

/// Who listens: a seat or several of one person, a spectator, or everybody after the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ear {
    /// A person with these seats; with none of them, a spectator.
    Seats(Vec<Seat>),
    /// The battle is over and nothing is a secret any more.
    All,
}

impl Ear {
    /// Whether an event may be known here.
    fn hears(&self, event: &Event) -> bool {
        match self {
            Ear::All => true,
            Ear::Seats(seats) => event.known_to(None) || seats.iter().any(|seat| event.known_to(Some(*seat))),
        }
    }

    /// Of the seats at one screen, those that may know all of these, where not all may; none if nobody may.
    fn who_hears_all(&self, events: &[Event]) -> Option<Vec<Seat>> {
        let Ear::Seats(seats) = self else { return Some(Vec::new()) };
        if events.iter().all(|e| e.known_to(None)) {
            return Some(Vec::new());
        }
        let all = |seat: &Seat| events.iter().all(|e| e.known_to(Some(*seat)));
        let some: Vec<Seat> = seats.iter().copied().filter(all).collect();
        if some.is_empty() {
            None
        } else if some.len() == seats.len() {
            Some(Vec::new())
        } else {
            Some(some)
        }
    }
}

/// Tells what a listener noticed of actions `from + 1` to `to`, numbered as he noticed them, and what was rolled before the first if `prologue` is asked for.
/// The names of units come from `view`, which is the listener's own.
pub(crate) fn tell(
    umpire: &Umpire,
    view: &View,
    ear: &Ear,
    (noticed, whom): (&Noticed, Mask),
    (from, to): (usize, usize),
    prologue: bool,
) -> Vec<Happened> {
    let mut turned = Vec::with_capacity(to.saturating_sub(from) + 1);
    let story = Story::new(umpire.system().stories(), view);
    let told = |events: &[Event]| -> Vec<Told> {
        let told = story.tell_all(events.iter().filter(|event| ear.hears(event)));
        let told = told.into_iter().map(|(event, telling)| Told {
            text: telling.whole,
            gist: (telling.gist != telling.brief).then_some(telling.gist),
            brief: telling.brief,
            heading: telling.heading,
            notable: telling.notable,
            dice: telling.dice,
            event: event.clone(),
        });
        told.collect()
    };
    if prologue {
        turned.push(Happened {
            n: 0,
            seat: None,
            events: told(umpire.prologue()),
            draws: Vec::new(),
            draws_only: Vec::new(),
            ways: Vec::new(),
        });
    }
    let mut n = noticed.count(whom, from);
    for (i, one) in umpire.turned().iter().enumerate().take(to).skip(from) {
        if !noticed.has(whom, i) {
            continue;
        }
        n += 1;
        // Where part of what happened is another's secret, so may be the card that was drawn, and so are the dice thrown
        // for somebody hidden.
        let who = ear.who_hears_all(&one.events);
        let open = |draw: &&Draw| who.is_some() || matches!(draw.came, Drawn::Dice(_)) && !draw.hidden();
        turned.push(Happened {
            n: n as u64,
            seat: Some(one.seat),
            events: told(&one.events),
            draws: one.draws.iter().filter(open).cloned().collect(),
            draws_only: who.unwrap_or_default(),
            ways: Vec::new(),
        });
    }
    turned
}
