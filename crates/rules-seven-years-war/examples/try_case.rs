//! Runs case files and tells what happened.
use tricorne_game::Source;
use tricorne_game::case::{Case, run};
use tricorne_rules_seven_years_war::SevenYearsWar;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let source = Source::new(path.clone(), text);
        let case = Case::read(&source).unwrap();
        let report = run(&SevenYearsWar, &source, &case);
        for line in &report.story {
            println!("  {line}");
        }
        println!("{path}: {:?}", report.verdict);
    }
}
