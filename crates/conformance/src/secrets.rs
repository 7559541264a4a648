//! A view leaks no secret.

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};

/// No seat is shown a unit that is neither its own side's nor in a spectator's view, and no event is kept from all but
/// everybody. Systems with hidden units add tests of their own.
pub fn views_leak_nothing<S: System>(system: S, seed: u64) {
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
                for info in &all.seats {
                    let view = battle.view(Some(info.seat));
                    assert_eq!(view.seat, Some(info.seat));
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
}
