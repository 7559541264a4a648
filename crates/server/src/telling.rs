//! What happened, as one listener may know it.

use tricorne_game::view::View;
use tricorne_game::{Event, Seat, Story, Umpire};

use crate::messages::{Happened, Told};

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
}

/// Tells what happened in actions `from + 1` to `to`, and what was rolled before the first if `prologue` is asked for.
/// The names of units come from `view`, which is the listener's own.
pub(crate) fn tell(
    umpire: &Umpire,
    view: &View,
    ear: &Ear,
    from: usize,
    to: usize,
    prologue: bool,
) -> Vec<Happened> {
    let mut turned = Vec::with_capacity(to.saturating_sub(from) + 1);
    let story = Story::new(umpire.system().stories(), view);
    let told = |events: &[Event]| -> Vec<Told> {
        events
            .iter()
            .filter_map(|event| {
                ear.hears(event).then_some(())?;
                Some(Told { text: story.tell(event)?, event: event.clone() })
            })
            .collect()
    };
    if prologue {
        turned.push(Happened { n: 0, seat: None, events: told(umpire.prologue()), draws: Vec::new() });
    }
    for (i, one) in umpire.turned().iter().enumerate().take(to).skip(from) {
        // Draws carry no list of who may know them. Where part of what happened is another's secret, so may be
        // the card that was drawn; the dice are in the events.
        let open = one.events.iter().all(|e| ear.hears(e));
        turned.push(Happened {
            n: i as u64 + 1,
            seat: Some(one.seat),
            events: told(&one.events),
            draws: if open { one.draws.clone() } else { Vec::new() },
        });
    }
    turned
}
