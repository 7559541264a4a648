//! Options and schemas agree with the code.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tricorne_game::{AnySystem, Choices, OptionSpec, Purpose, Source};

/// Every value of every option can be set on the first scenario, and a wrong one is refused by name.
pub fn options_take_their_values(system: &dyn AnySystem) {
    let scenario = system.scenarios().first().unwrap_or_else(|| panic!("no scenario"));
    let source = Source::new(scenario.id, scenario.text);
    for spec in &system.options().specs {
        for clause in &spec.clauses {
            assert!(system.book().clause(clause).is_some(), "option {} cites {clause}", spec.id);
        }
        for value in std::iter::once(&spec.default).chain(&spec.others) {
            let value = if value == "number" { "3" } else { value };
            let options = BTreeMap::from([(spec.id.clone(), value.to_owned())]);
            let choices = Choices { options, ..Choices::default() };
            if let Err(fault) = system.set_up(&source, &choices, Purpose::Scenario) {
                panic!("{} = {value}: {fault}", spec.id);
            }
        }
        over_the_file(system, spec);
        let wrong = Choices {
            options: BTreeMap::from([(spec.id.clone(), "no-such-value".into())]),
            ..Choices::default()
        };
        let fault = system.set_up(&source, &wrong, Purpose::Scenario).err();
        assert!(fault.is_some_and(|f| f.problem.contains(&spec.id)), "option {} takes anything", spec.id);
    }
}

/// Keys of a scenario file that an option says again exist, and a choice goes over them or is refused.
fn over_the_file(system: &dyn AnySystem, spec: &OptionSpec) {
    let schema = system.scenario_schema();
    for path in spec.instead_of.iter().chain(&spec.unless) {
        let key = path.split('.').next().unwrap_or_default();
        assert!(schema["properties"].get(key).is_some(), "option {}: files have no `{path}`", spec.id);
    }
    let value = spec.others.iter().find(|v| *v != "number").unwrap_or(&spec.default);
    let options = BTreeMap::from([(spec.id.clone(), value.clone())]);
    let choices = Choices { options, ..Choices::default() };
    for scenario in system.scenarios() {
        let file = Source::new(scenario.id, scenario.text);
        let says = |text: &str, path: &str| {
            let table: serde_json::Value = Source::new(scenario.id, text).parse().unwrap_or_default();
            table.pointer(&format!("/{}", path.replace('.', "/"))).is_some()
        };
        match tricorne_game::ready(system, &file, &choices) {
            Ok((ready, _)) => {
                let left = spec.instead_of.iter().chain(&spec.unless).find(|path| says(&ready.text, path));
                assert!(left.is_none(), "{}: {} is chosen, and {left:?} stands", scenario.id, spec.id);
            }
            Err(fault) if spec.unless.iter().any(|path| says(scenario.text, path)) => {
                assert!(fault.problem.contains(&spec.id), "{fault}");
            }
            // Some scenarios can't be set up under some options; that is another matter.
            Err(_) => {}
        }
    }
}

/// The published schemas are those that the types have. Run with `TRICORNE_WRITE=1` to write anew what is not.
pub fn schemas_are_fresh(system: &dyn AnySystem, described: &[(&str, Value)]) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, schema) in described {
        let path = here.join("../../rulebooks").join(system.about().id).join(name);
        let kept = fs::read_to_string(&path).unwrap_or_default();
        if serde_json::from_str::<Value>(&kept).is_ok_and(|kept| kept == *schema) {
            let told = [system.action_schema(), system.scenario_schema()];
            assert!(told.contains(schema), "the system tells another schema than {name}");
            continue;
        }
        assert!(
            std::env::var_os("TRICORNE_WRITE").is_some(),
            "{} is stale; run the tests with TRICORNE_WRITE=1",
            path.display()
        );
        let fresh = serde_json::to_string_pretty(schema).unwrap_or_default() + "\n";
        fs::write(&path, fresh).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}
