//! The battle put into messages, for each connection what it may know.

use std::collections::BTreeMap;
use std::sync::Arc;

use tricorne_game::view::{UnitView, View};
use tricorne_game::{Pending, Seat, Umpire};

use crate::changes::Changes;
use crate::clock;
use crate::facts::ClockRule;
use crate::messages::{Say, State, Views};
use crate::notice::{self, Noticed};
use crate::telling::{Ear, tell};
use tricorne_game::ways::{last_lines, ways};

/// Actions told in one message at most, so that no message grows without end.
const ACTIONS_A_MESSAGE: usize = 100;

/// Whose eyes the table is seen with; none is a spectator's.
pub(crate) type Eye = Option<Seat>;

/// A connection, as far as it matters for what it is sent.
#[derive(Clone, Debug)]
pub(crate) struct Listener {
    pub(crate) connection: u64,
    pub(crate) seats: Vec<Seat>,
    pub(crate) look: Option<Eye>,
    pub(crate) views: Views,
    /// The seat whose view it was last sent, if it has the last one.
    pub(crate) shown: Option<Eye>,
}

impl Listener {
    /// The seat it sees the table from.
    pub(crate) fn eye(&self, pending: &Pending) -> Eye {
        match self.look {
            Some(seat) => seat,
            // While another decides, who looked last looks on: at a shared screen that is the one who sits there.
            None => pending
                .seat()
                .into_iter()
                .chain(self.shown.flatten())
                .find(|seat| self.seats.contains(seat))
                .or_else(|| self.seats.first().copied()),
        }
    }
}

/// The clock's rule and what it reckons from.
#[derive(Clone, Debug)]
pub(crate) struct ClockFacts {
    pub(crate) rule: ClockRule,
    pub(crate) acted: Vec<(Seat, i64)>,
    pub(crate) now: i64,
}

/// What rendering needs besides the battle.
#[derive(Clone, Debug)]
pub(crate) struct Occasion {
    pub(crate) listeners: Vec<Listener>,
    pub(crate) take_backs: u64,
    pub(crate) clock: Option<ClockFacts>,
    /// Tell what happened after so many actions; none tells nothing.
    pub(crate) since: Option<usize>,
    /// Who noticed what.
    pub(crate) noticed: Arc<Noticed>,
    /// Whether also those are told who noticed nothing.
    pub(crate) always: bool,
    /// Whether what was rolled before the first action is told as well.
    pub(crate) prologue: bool,
    /// The views that were sent last.
    pub(crate) before: BTreeMap<Eye, Arc<View>>,
    /// Older views, good enough for the names of units.
    pub(crate) names: BTreeMap<Eye, Arc<View>>,
}

/// Messages for each connection, and what to remember.
#[derive(Debug, Default)]
pub(crate) struct Rendered {
    pub(crate) texts: Vec<(u64, Vec<String>)>,
    pub(crate) shown: Vec<(u64, Eye)>,
    pub(crate) views: BTreeMap<Eye, Arc<View>>,
    pub(crate) names: BTreeMap<Eye, Arc<View>>,
}

/// Tells every listener what happened and where the battle stands.
pub(crate) fn render(umpire: &Umpire, occasion: &Occasion) -> Rendered {
    let battle = umpire.battle();
    let pending = umpire.pending();
    let n = umpire.turned().len();
    let clock = occasion
        .clock
        .as_ref()
        .map(|c| clock::reckon(&c.rule, battle.seats().len(), &c.acted, pending.seat(), c.now));
    let last = umpire.turned().last().filter(|t| t.draws.is_empty() && pending.seat().is_some());
    let lines = last_lines(umpire, occasion.since);
    let mut rendered = Rendered { names: occasion.names.clone(), ..Rendered::default() };
    for listener in &occasion.listeners {
        let noticed: &Noticed = &occasion.noticed;
        let whom = notice::listener(&listener.seats);
        let nothing_new = |since: usize| (since..n).all(|i| !noticed.has(whom, i));
        if !occasion.always && occasion.since.is_some_and(nothing_new) {
            continue;
        }
        let told = |n: usize| noticed.count(whom, n) as u64;
        let eye = listener.eye(&pending);
        if listener.views != Views::None {
            let view = rendered.views.entry(eye).or_insert_with(|| Arc::new(seen(umpire, eye)));
            rendered.names.insert(eye, Arc::clone(view));
        }
        let mut hidden = false;
        if listener.seats.len() > 1 && listener.views != Views::None {
            let views = &mut rendered.views;
            let mut of = |seat: &Seat| {
                let eye = Some(*seat);
                Arc::clone(views.entry(eye).or_insert_with(|| Arc::new(seen(umpire, eye))))
            };
            let known: Vec<Arc<View>> = listener.seats.iter().map(&mut of).collect();
            hidden = known.windows(2).any(|pair| !same_knowledge(&pair[0], &pair[1]));
        }
        let mut texts = Vec::new();
        if let Some(since) = occasion.since {
            let names = rendered.names.entry(eye).or_insert_with(|| Arc::new(seen(umpire, eye)));
            let ear = Ear::Seats(listener.seats.clone());
            let mut from = since.min(n);
            let mut prologue = occasion.prologue;
            while from < n || prologue {
                let to = n.min(from + ACTIONS_A_MESSAGE);
                let mut turned = tell(umpire, names, &ear, (noticed, whom), (from, to), prologue);
                if let (Some(before), Some(after), [one]) =
                    (occasion.before.get(&eye), rendered.views.get(&eye), &mut turned[..])
                {
                    one.ways = ways(&lines, before, after);
                }
                if !turned.is_empty() {
                    texts.push(Say::Events { from: told(from), to: told(to), turned }.text(None));
                }
                prologue = false;
                from = to;
            }
        }
        let view = rendered.views.get(&eye).filter(|_| listener.views != Views::None);
        let before = occasion
            .before
            .get(&eye)
            .filter(|_| listener.views == Views::Changes && listener.shown == Some(eye));
        let (view, changes) = match (view, before) {
            (Some(after), Some(before)) => (None, Some(Changes::between(before, after))),
            (view, _) => (view.cloned(), None),
        };
        let yours = pending.seat().is_some_and(|s| listener.seats.contains(&s));
        let pending = match rendered.views.get(&eye) {
            _ if yours => pending.clone(),
            // Whoever wants no views may know no more of a decision than a view would tell.
            None if umpire.system().secrets() => seen(umpire, eye).pending,
            view => asked_of_another(&pending, view),
        };
        let state = State {
            n: told(n),
            take_backs: occasion.take_backs,
            seat: eye,
            your_seats: listener.seats.clone(),
            yours,
            pending,
            hidden,
            can_take_back: last.is_some_and(|t| listener.seats.contains(&t.seat)),
            view,
            changes,
            clock: clock.clone(),
        };
        texts.push(Say::State(Box::new(state)).text(None));
        rendered.texts.push((listener.connection, texts));
        if listener.views != Views::None {
            rendered.shown.push((listener.connection, eye));
        }
    }
    rendered
}

/// What somebody sees of the table. The rules know nothing of an agreement, so it is put in here.
fn seen(umpire: &Umpire, eye: Eye) -> View {
    let mut view = umpire.battle().view(eye);
    if umpire.agreed().is_some() {
        view.pending = umpire.pending();
    }
    view
}

/// Whether two seats know the same of the table. What a card says more of one's own units (what a general has left to
/// give) is no reason to look away.
fn same_knowledge(one: &View, two: &View) -> bool {
    let stands = |u: &UnitView| (u.id, u.on_table, u.at, u.strength);
    one.cards == two.cards
        && one.tokens == two.tokens
        && one.terrain == two.terrain
        && one.sides == two.sides
        && one.units.len() == two.units.len()
        && one.units.iter().zip(&two.units).all(|(a, b)| stands(a) == stands(b))
}

/// What somebody may know of a decision that is another's: what their own view says of it, and without a view whose it is
/// and no more. The unit it is about may be hidden from them.
fn asked_of_another(pending: &Pending, view: Option<&Arc<View>>) -> Pending {
    match (view, pending) {
        (Some(view), _) => view.pending.clone(),
        (None, Pending::Decision { seat, kind, .. }) => Pending::Decision {
            seat: *seat,
            kind: kind.clone(),
            unit: None,
            prompt: "Another seat decides.".into(),
        },
        (None, Pending::Over(ending)) => Pending::Over(ending.clone()),
    }
}
