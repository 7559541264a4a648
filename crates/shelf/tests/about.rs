//! Every system says of its answers which unit they are about.

use serde_json::Value;
use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Choices, Log, Umpire};

/// Whether an answer as it is written has a text in it.
fn names(written: &Value, text: &str) -> bool {
    match written {
        Value::String(said) => said == text,
        Value::Array(list) => list.iter().any(|value| names(value, text)),
        Value::Object(table) => table.values().any(|value| names(value, text)),
        _ => false,
    }
}

#[test]
fn an_answer_is_about_a_unit_that_it_names() {
    for system in tricorne_shelf::systems() {
        let id = system.about().id;
        let (mut about, mut nobody) = (0, 0);
        for scenario in system.scenarios().iter().take(2) {
            let (_, file) = tricorne_shelf::scenario(scenario.id).unwrap();
            let umpire = Umpire::begin(*system, &file, &Choices::default(), 5.into()).unwrap();
            let mut battle = umpire.battle().boxed_clone();
            let (mut chance, mut whim) = (Seeded::new(5), Whim::new(5, 0));
            for _ in 0..300 {
                if battle.seat().is_none() {
                    break;
                }
                let orders = battle.orders(12, &mut whim);
                for order in &orders {
                    let written = battle.written(&order.action);
                    match battle.about(&order.action) {
                        Some(unit) => {
                            about += 1;
                            assert!(names(&written, unit.as_str()), "{id}: {unit} is not in {written}");
                        }
                        None => {
                            nobody += 1;
                            // Where there is a word for whom it is about, it is heard.
                            let inner = written.as_object().and_then(|action| action.values().next());
                            let keys = ["unit", "group", "target"];
                            let named = inner.and_then(|i| keys.iter().find_map(|key| i.get(key)));
                            assert!(named.is_none(), "{id}: {written} is about {named:?}");
                        }
                    }
                }
                battle.obey(&orders[0].action, &mut chance, &mut Log::off()).unwrap();
            }
        }
        assert!(about > 50 && nobody > 0, "{id}: {about} about a unit, {nobody} about nobody");
    }
}
