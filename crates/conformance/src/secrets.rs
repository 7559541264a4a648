//! A view leaks no secret.

use tricorne_chance::{Seeded, Whim};
use tricorne_game::view::View;
use tricorne_game::{Battle, Book, Choices, Log, Purpose, Seat, Source, System};

/// No seat is shown a unit that is neither its own side's nor in a spectator's view, and no event is kept from all but
/// everybody; sight between two units is told only to those who know both. Systems with hidden units add tests of their own.
pub fn views_leak_nothing<S: System>(system: S, seed: u64) {
    let (mut answered, mut open) = (0, 0);
    for scenario in system.scenarios() {
        let source = Source::new(scenario.id, scenario.text);
        let set_up = || {
            system.set_up(&source, &Choices::default(), Purpose::Scenario).unwrap_or_else(|f| panic!("{f}"))
        };
        let mut battle = set_up();
        let (mut chance, mut log, mut whim) = (Seeded::new(seed), Log::on(), Whim::new(seed, 3));
        battle.begin(&mut chance, &mut log);
        let mut n = 0;
        while battle.ending().is_none() {
            let action = battle.sample(&mut whim);
            battle.apply(&action, &mut chance, &mut log).unwrap_or_else(|e| panic!("{e}"));
            n += 1;
            if n % 40 == 0 {
                let all = battle.view(None);
                let views: Vec<View> = all.seats.iter().map(|info| battle.view(Some(info.seat))).collect();
                answered += sight_is_known(&battle, system.book(), None, &all, &views);
                open += courses_are_told(&battle, system.book(), &views);
                for (info, view) in all.seats.iter().zip(&views) {
                    answered += sight_is_known(&battle, system.book(), Some(info.seat), view, &views);
                }
                for info in &all.seats {
                    let view = battle.view(Some(info.seat));
                    assert_eq!(view.seat, Some(info.seat));
                    // A system without a plain view of its own shows the whole; one that has one draws nothing in it.
                    let plain = battle.plain_view(Some(info.seat));
                    assert!(plain == view || plain == undrawn(view.clone()), "{}: a plain view", scenario.id);
                    for unit in &view.units {
                        let own = all.seats.iter().any(|s| s.seat == info.seat && s.side == unit.side);
                        let public = all.units.iter().any(|u| u.id == unit.id);
                        assert!(
                            own || public,
                            "{}: seat {:?} sees {} that no spectator sees",
                            scenario.id,
                            info.seat,
                            unit.id
                        );
                    }
                }
            }
        }
        for event in log.events() {
            assert!(event.only.len() < battle.view(None).seats.len() || event.only.is_empty());
        }
    }
    assert!(answered > 0, "no unit was ever told what it sees");
    assert!(open > 0, "no unit was ever told what it may do");
}

/// A view without what only a picture needs.
fn undrawn(mut view: View) -> View {
    for unit in &mut view.units {
        unit.figures.clear();
        unit.overlays.clear();
    }
    view
}

/// Asks what the units of the seat that must decide may do; returns how much of it was open to them.
fn courses_are_told<B: Battle>(battle: &B, book: &Book, views: &[View]) -> usize {
    let view = views.iter().find(|v| v.seat == battle.seat());
    let mut open = 0;
    for unit in view.into_iter().flat_map(|v| v.units.iter().filter(|u| Some(u.seat) == v.seat)) {
        for course in tricorne_game::AnyBattle::courses(battle, unit.id) {
            match course.why {
                None => open += 1,
                Some(why) => assert!(
                    book.clause(&why.clause).is_some(),
                    "{}, {}: there is no clause {}",
                    unit.id,
                    course.action,
                    why.clause
                ),
            }
        }
    }
    open
}

/// Asks for the sight between units of which `eye` knows some and others not; returns how often there was an answer.
fn sight_is_known<B: Battle>(
    battle: &B,
    book: &Book,
    eye: Option<Seat>,
    view: &View,
    views: &[View],
) -> usize {
    const PAIRS: usize = 9;
    let ids = views.iter().flat_map(|v| v.units.iter().map(|u| u.id));
    let mut units: Vec<_> = Vec::new();
    for id in ids.filter(|id| !view.units.iter().any(|u| u.id == *id)).take(PAIRS) {
        units.push(id);
    }
    let stride = view.units.len() / PAIRS + 1;
    units.extend(view.units.iter().step_by(stride).map(|u| u.id));
    let known = |id| view.units.iter().any(|u| u.id == id);
    let mut answered = 0;
    for &from in &units {
        for &to in &units {
            let Some(sight) = battle.sight(from, to, eye) else { continue };
            answered += 1;
            assert!(
                known(from) && known(to),
                "{eye:?} is told whether {from} sees {to}, and does not know both"
            );
            assert_eq!(sight.clear, sight.why.is_none(), "{from} to {to}: {sight:?}");
            if let Some(why) = &sight.why {
                assert!(book.clause(&why.clause).is_some(), "there is no clause {}", why.clause);
            }
        }
    }
    answered
}
