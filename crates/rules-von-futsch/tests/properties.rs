//! What holds whatever the position: marches keep to their allowance, retreats leave nobody on top of anybody,
//! the order of the corners does not matter, refused answers change nothing.

use proptest::prelude::*;
use tricorne_chance::{Scripted, Seeded, Whim};
use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};
use tricorne_rules_von_futsch::{Action, Battle as Fight, Decimal, Leg, VonFutsch};

fn position(text: &str) -> Option<Fight> {
    VonFutsch.set_up(&Source::new("p.toml", text), &Choices::default(), Purpose::Position).ok()
}

fn place(battle: &Fight, id: &str) -> (f64, f64) {
    let facts = battle.facts();
    let at = &facts["units"][id]["centroid"];
    (at[0].as_f64().unwrap_or_default(), at[1].as_f64().unwrap_or_default())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_march_keeps_to_its_allowance_and_clear_of_everybody(
        x in 8.0..64.0f64, y in 8.0..40.0f64, t in 0.0..360.0f64, die in 1..=6u8,
        wheel in 0.0..90.0f64, left in any::<bool>(), ahead in 0.0..14.0f64,
    ) {
        // VF-MOVE-05, VF-MOVE-06, VF-MODEL-44, VF-MODEL-45
        let text = format!(
            "acting = \"R1\"\n[[terrain]]\nkind = \"broken\"\nrect = [30, 20, 40, 30]\n\
             [[unit]]\nid = \"R1\"\nkind = \"inf\"\nat = [{x:.3}, {y:.3}]\nfacing = {t:.3}\n\
             [[unit]]\nid = \"R2\"\nkind = \"cavH\"\nat = [20, 20]\n\
             [[unit]]\nid = \"B1\"\nkind = \"inf\"\nat = [50, 30]\n"
        );
        let Some(mut battle) = position(&text) else { return Ok(()) };
        let mut chance = Scripted::new([format!("move: {die}").parse().unwrap()]);
        let mut log = Log::off();
        battle.apply(&Action::March, &mut chance, &mut log).unwrap();
        let turn = Decimal::of(wheel);
        let legs = vec![if left { Leg::WheelLeft(turn) } else { Leg::WheelRight(turn) }, Leg::Forward(Decimal::of(ahead))];
        let (before, start) = (battle.hash(), place(&battle, "R1"));
        let action = Action::Path(legs);
        let costs = battle.preview(&action).ok().and_then(|p| p.cost);
        match battle.apply(&action, &mut chance, &mut log) {
            Err(_) => prop_assert_eq!(battle.hash(), before),
            Ok(()) => {
                let cost = costs.unwrap_or(f64::INFINITY);
                prop_assert!(cost <= 6.0 + f64::from(die));
                // The wheel's arc and the straight are what it costs at least.
                prop_assert!(cost >= ahead - 0.002);
                let end = place(&battle, "R1");
                let far = ((end.0 - start.0).powi(2) + (end.1 - start.1).powi(2)).sqrt();
                prop_assert!(far <= 6.0 + f64::from(die) + 0.01, "{far}");
                prop_assert!(battle.broken_invariants().is_empty());
                let gap = battle.facts()["units"]["R1"]["nearest_enemy"]["gap"].as_f64().unwrap_or_default();
                prop_assert!(gap >= 1.0);
            }
        }
    }

    #[test]
    fn nobody_ends_on_top_of_anybody_and_no_figure_is_made(seed in 0..u64::MAX) {
        // VF-MODEL-44, VF-FIRE-22: the first hundred decisions of a crowded fight.
        let mut text = String::from("moment = \"draw\"\n");
        for (i, (side, y, t)) in [("R", 20.0, 0), ("B", 29.0, 180)].into_iter().enumerate() {
            for n in 0..5 {
                let kind = ["inf", "cavL", "inf", "sk", "cavH"][(n + i) % 5];
                text.push_str(&format!(
                    "[[unit]]\nid = \"{side}{n}\"\nkind = \"{kind}\"\nat = [{}, {y}]\nfacing = {t}\n",
                    20 + 6 * n
                ));
            }
        }
        let mut battle = position(&text).unwrap();
        let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 0), Log::off());
        battle.begin(&mut chance, &mut log);
        for _ in 0..100 {
            if battle.seat().is_none() {
                break;
            }
            let action = battle.sample(&mut whim);
            prop_assert!(battle.apply(&action, &mut chance, &mut log).is_ok());
            let broken = battle.broken_invariants();
            prop_assert!(broken.is_empty(), "{broken:?} after {action:?}");
        }
    }
}
