//! What holds in every battle, whatever happens in it.

use proptest::prelude::*;
use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle as _, Choices, Log, Purpose, Source, System};
use tricorne_rules_seven_years_war::{Action, Battle, SevenYearsWar};

use crate::free::free;

fn stands(battle: &Battle) -> Vec<(String, u32)> {
    battle.view(None).units.iter().map(|u| (u.id.to_string(), u.strength.0)).collect()
}

fn fight(text: &str, seed: u64, most: usize) {
    let source = Source::new("field.toml", text);
    let mut battle = SevenYearsWar
        .set_up(&source, &Choices::default(), Purpose::Scenario)
        .unwrap_or_else(|fault| panic!("{fault}"));
    let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 0), Log::off());
    battle.begin(&mut chance, &mut log);
    let started = stands(&battle);
    for n in 0..most {
        if battle.ending().is_some() {
            return;
        }
        let action = battle.sample(&mut whim);
        let before = battle.view(None);
        battle.apply(&action, &mut chance, &mut log).unwrap_or_else(|e| panic!("{n} {action:?}: {e}"));
        let broken = battle.broken_invariants();
        assert!(broken.is_empty(), "seed {seed}, decision {n}: {broken:?} after {action:?}");
        let after = battle.view(None);
        for unit in &after.units {
            let first = started.iter().find(|s| s.0 == unit.id.as_str()).map(|s| s.1);
            assert!(
                first.is_none_or(|f| f == 0 || unit.strength.0 <= f.max(unit.strength.1)),
                "{} grew",
                unit.id
            );
        }
        // SYW-MOVE-01: no unit of a group that moves by choice goes farther than its greatest speed.
        if let Action::Move { .. } = action {
            for unit in after.units.iter().filter(|u| u.on_table) {
                let Some(old) = before.units.iter().find(|u| u.id == unit.id && u.on_table) else { continue };
                let speed = match unit.kind.as_str() {
                    "General" => continue,
                    kind if kind.starts_with("Light Cavalry") => 40.0,
                    kind if kind.contains("Cavalry") => 30.0,
                    _ => 24.0,
                };
                let moved = old.at.distance(unit.at);
                // Lights that give way may evade on top of their move (SYW-EVADE-07); a turn shifts the origin.
                assert!(moved <= speed + 14.0, "{} moved {moved:.2} by {action:?}", unit.id);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, ..ProptestConfig::default() })]

    #[test]
    fn battles_keep_their_shape(seed in any::<u64>(), which in 0usize..3) {
        fight(SevenYearsWar.scenarios()[which].text, seed, 500);
    }

    #[test]
    fn armies_deploy_and_fight(seed in any::<u64>(), which in 0usize..2) {
        fight(&free(SevenYearsWar.scenarios()[which].text), seed, 350);
    }
}
