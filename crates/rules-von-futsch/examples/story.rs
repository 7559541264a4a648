//! Tells the story of a rule case: `cargo run -p tricorne-rules-von-futsch --example story CASE.toml`.

use tricorne_game::Source;
use tricorne_game::case::{Case, run};
use tricorne_rules_von_futsch::VonFutsch;

fn main() {
    for path in std::env::args().skip(1) {
        let told = std::fs::read_to_string(&path).map_err(|e| format!("{path}: {e}")).and_then(|text| {
            let source = Source::new(path.as_str(), text);
            let case = Case::read(&source).map_err(|fault| fault.to_string())?;
            Ok(run(&VonFutsch, &source, &case))
        });
        match told {
            Ok(report) => println!("{path}: {:?}\n{}\n", report.verdict, report.story.join("\n")),
            Err(why) => {
                eprintln!("{why}");
                std::process::exit(2);
            }
        }
    }
}
