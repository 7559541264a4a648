//! A battle looked back on: what each action brought, what was lost by then, and where it turned.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;
use tricorne_chance::Draw;
use tricorne_game::view::{Clock, UnitView, View};
use tricorne_game::{AnyBattle, Event, Seat, Umpire, UnitId, capitalised, side_in_words};

use crate::JsonSchema;
use crate::messages::Told;
use crate::notice::{self, Noticed};
use crate::telling::{Ear, tell};
use tricorne_game::ways::{Shot, Way, cards, lines, shots, ways};

/// Turns of a battle that are told at most.
const TURNS_TOLD: usize = 6;

/// A change that is worth telling: so much of a side's figures, or of the way from lost to won.
const WORTH_TELLING: f64 = 0.04;

/// The moment after an action.
#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct Moment {
    /// How many actions have been taken.
    pub(crate) n: u64,
    /// Who took the last of them.
    seat: Option<Seat>,
    /// What it was; not told while the battle is being fought.
    action: Option<Value>,
    /// What came of it, as far as the asker may know. Nothing is a secret once the battle is over.
    events: Vec<Told>,
    /// The dice and cards.
    #[schemars(with = "Vec<crate::messages::DrawShape>")]
    draws: Vec<Draw>,
    /// The ways units went.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) ways: Vec<Way>,
    /// Figures and units on the table, by side.
    strength: Vec<(u32, u32)>,
    /// Figures lost so far, by side: fallen, or gone from the table with their unit.
    lost: Vec<u32>,
    /// How the battle stands for each side, from -1 to 1, as the system judges it; empty while it is being fought.
    standing: Vec<f64>,
    /// Where in the battle it is.
    clock: Clock,
}

impl Moment {
    /// The first thing that happened, in a sentence; none where nothing did.
    pub(crate) fn caption(&self) -> Option<String> {
        self.events.first().map(|told| told.brief.clone())
    }

    /// The cards that were turned.
    pub(crate) fn cards(&self) -> Vec<String> {
        cards(&self.draws)
    }

    /// Who fired at whom, or fought him.
    pub(crate) fn shots(&self) -> Vec<Shot> {
        shots(self.told())
    }

    /// What was told of it, in order.
    pub(crate) fn told(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().map(|told| &told.event)
    }
}

/// An action that turned the battle.
#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct Decisive {
    /// Its number, from 1: the moment after it.
    n: u64,
    /// The side it was bad for.
    against: u8,
    /// How much, from 0 to 1: the share of that side's figures, or of the way from won to lost.
    swing: f64,
    /// A sentence.
    text: String,
}

/// The battle as everybody may know it once it is over: what a spectator sees, and what each side kept to itself.
pub(crate) fn everything(battle: &dyn AnyBattle) -> View {
    let mut all = battle.view(None);
    let mut own = Vec::new();
    for info in battle.seats() {
        let view = battle.view(Some(info.seat));
        for card in view.cards {
            match all.cards.iter_mut().find(|c| c.pile == card.pile) {
                // The pile as whoever sees most of it sees it.
                Some(known) if known.up.len() < card.up.len() => *known = card,
                Some(_) => {}
                None => all.cards.push(card),
            }
        }
        for token in view.tokens {
            if !all.tokens.contains(&token) {
                all.tokens.push(token);
            }
        }
        own.extend(view.units.into_iter().filter(|u| u.side == info.side));
    }
    for unit in own {
        match all.units.iter_mut().find(|u| u.id == unit.id) {
            // Its own side knows it best.
            Some(known) => *known = unit,
            None => all.units.push(unit),
        }
    }
    // Those off the table last, as in every view.
    all.units.sort_by_key(|u| !u.on_table);
    all
}

/// What may be known of a battle: everything once it is over, before that what a spectator may.
pub(crate) fn seen(battle: &dyn AnyBattle, over: bool) -> View {
    if over { everything(battle) } else { battle.view(None) }
}

/// Losses reckoned as the battle goes on.
#[derive(Default)]
struct Reckoning {
    /// Units that have stood on the table.
    stood: BTreeSet<UnitId>,
}

impl Reckoning {
    fn lost(&mut self, units: &[UnitView], sides: usize) -> Vec<u32> {
        let mut lost = vec![0; sides];
        for unit in units {
            if unit.on_table {
                self.stood.insert(unit.id);
            }
            let (left, full) = unit.strength;
            let gone = !unit.on_table && self.stood.contains(&unit.id);
            if let Some(side) = lost.get_mut(unit.side.index()) {
                *side += if gone { full } else { full.saturating_sub(left) };
            }
        }
        lost
    }
}

/// Every moment of a battle that may be known.
pub(crate) fn moments(umpire: &Umpire, over: bool, noticed: &Noticed) -> Vec<Moment> {
    let last = seen(umpire.battle(), over);
    let ear = if over { Ear::All } else { Ear::Seats(Vec::new()) };
    let (whom, all) = (notice::listener(&[]), umpire.turned().len());
    let told = tell(umpire, &last, &ear, (noticed, whom), (0, all), true);
    // How many actions had been taken at each of them.
    let taken = std::iter::once(0).chain((0..all).filter(|i| noticed.has(whom, *i)).map(|i| i + 1));
    let mut reckoning = Reckoning::default();
    let mut again = umpire.walk();
    let (mut now, mut at) = (again.next(), 0);
    let mut known: Option<(usize, View)> = None;
    let moments = told.into_iter().zip(taken).map_while(|(happened, n)| {
        let mut then = None;
        while at < n {
            let before = now.take()?;
            if at + 1 == n {
                let view = match known.take() {
                    Some((k, view)) if k == at => view,
                    _ => seen(&*before, over),
                };
                then = Some((before, view));
            }
            now = again.next();
            at += 1;
        }
        let battle = now.as_ref()?;
        let view = seen(&**battle, over);
        let mut strength = vec![(0, 0); view.sides.len()];
        for unit in view.units.iter().filter(|u| u.on_table) {
            if let Some(side) = strength.get_mut(unit.side.index()) {
                side.0 += unit.strength.0;
                side.1 += 1;
            }
        }
        let last = n.checked_sub(1).and_then(|i| umpire.turned().get(i));
        let went = match (&then, last) {
            (Some((before, seen)), Some(last)) => {
                ways(&lines(&**before, last.seat, &last.action), seen, &view)
            }
            _ => Vec::new(),
        };
        let moment = Moment {
            n: happened.n,
            seat: happened.seat,
            action: last.filter(|_| over).map(|last| last.action.clone()),
            events: happened.events,
            draws: happened.draws,
            ways: went,
            strength,
            lost: reckoning.lost(&view.units, view.sides.len()),
            standing: if over { standings(&**battle, &view) } else { Vec::new() },
            clock: view.clock.clone(),
        };
        known = Some((n, view));
        Some(moment)
    });
    moments.collect()
}

/// How the battle stands for each side: as its first seat judges it.
fn standings(battle: &dyn AnyBattle, view: &View) -> Vec<f64> {
    let sides = (0..view.sides.len()).map(|side| {
        let seat = view.seats.iter().find(|s| s.side.index() == side);
        seat.map_or(0.0, |s| battle.standing(s.seat))
    });
    sides.collect()
}

/// Where the battle turned: the greatest losses of one action, and the greatest changes of how it stands.
pub(crate) fn decisive(view: &View, moments: &[Moment]) -> Vec<Decisive> {
    let sides = view.sides.len();
    let full: Vec<u32> = (0..sides)
        .map(|side| view.units.iter().filter(|u| u.side.index() == side).map(|u| u.strength.1).sum())
        .collect();
    let mut turns: Vec<Decisive> = Vec::new();
    for (i, pair) in moments.windows(2).enumerate() {
        let [before, after] = pair else { continue };
        // The last action brings the ending, and with it always a leap to won or lost: only its losses count.
        let last = i + 2 == moments.len();
        for side in 0..sides {
            let at = |m: &Moment| m.lost.get(side).copied().unwrap_or_default();
            let fell = at(after).saturating_sub(at(before));
            let all = full.get(side).copied().unwrap_or_default().max(1);
            let share = f64::from(fell) / f64::from(all);
            let stands = |m: &Moment| m.standing.get(side).copied().unwrap_or_default();
            let turned = if last { 0.0 } else { (stands(before) - stands(after)) / 2.0 };
            let swing = share.max(turned).min(1.0);
            if swing >= WORTH_TELLING {
                let text = sentence(view, after, side, (fell, all), turned);
                turns.push(Decisive { n: after.n, against: side as u8, swing, text });
            }
        }
    }
    turns.sort_by(|a, b| b.swing.total_cmp(&a.swing).then(a.n.cmp(&b.n)));
    // What is bad for one is good for the other; an action is told once.
    let mut told: Vec<Decisive> = Vec::new();
    for turn in turns {
        if told.len() < TURNS_TOLD && told.iter().all(|t| t.n != turn.n) {
            told.push(turn);
        }
    }
    told.sort_by_key(|t| t.n);
    told
}

fn sentence(view: &View, after: &Moment, side: usize, (fell, all): (u32, u32), turned: f64) -> String {
    let name = |side: usize| view.sides.get(side).map_or_else(String::new, |s| side_in_words(&s.name));
    let when = match after.clock.turn {
        0 => String::new(),
        turn => format!("Turn {turn}: "),
    };
    let lost = match fell {
        0 => None,
        fell => Some(format!("{} lost {fell} of {all}", name(side))),
    };
    let turn = (turned >= WORTH_TELLING).then(|| {
        let others: Vec<String> = (0..view.sides.len()).filter(|s| *s != side).map(name).collect();
        format!("the battle turned towards {}", others.join(" and "))
    });
    let both: Vec<String> = lost.into_iter().chain(turn).collect();
    capitalised(&format!("{when}{}.", both.join("; ")))
}
