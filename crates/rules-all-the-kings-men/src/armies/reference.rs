//! The charts a player needs on one page: `sheet.toml` with the numbers as played.

use tricorne_drill::sheet::Press;
use tricorne_drill::words::Numbers;
use tricorne_game::Choices;
use tricorne_game::army::ReferenceSheet;
use tricorne_game::view::Note;

use super::kind_name;
use crate::options::Options;
use crate::rulebook::{self, Kind, Rulebook, SHEET, Share, Target, data_files};

const COLUMNS: [Target; 6] = [
    Target::SteadyInfantry,
    Target::Infantry,
    Target::Cavalry,
    Target::Skirmisher,
    Target::Artillery,
    Target::Mob,
];

/// The charts under these options.
pub(crate) fn reference(choices: &Choices) -> Option<ReferenceSheet> {
    let rules = Rulebook::with(choices).ok()?;
    let options: Options = rulebook::options().resolve(&choices.options).ok()?;
    let rows = |of: &str| if of == "fire" { fire(&rules, &options) } else { melee(&rules) };
    // What a player's own file has wrong is said where it is read; the sheet itself is compiled in.
    Some(press(choices, &rows).sheet("All the King's Men").unwrap_or_else(|e| panic!("{e}")))
}

/// The rules that troops need, as the rulebook comes.
pub(super) fn needs(has: &dyn Fn(&str) -> bool) -> Vec<Note> {
    let told = press(&Choices::default(), &|_| Vec::new()).needs(has);
    told.unwrap_or_else(|e| panic!("{e}"))
}

fn press<'a>(choices: &'a Choices, rows: &'a dyn Fn(&str) -> Vec<Vec<String>>) -> Press<'a> {
    let numbers = Numbers::of(&data_files(), choices);
    Press {
        text: SHEET,
        numbers,
        options: rulebook::options(),
        choices,
        book: rulebook::book(),
        told: &|_, _, _| None,
        rows,
    }
}

/// Dice per man; a fraction is a share of the men.
fn pair(dice: Option<[Share; 2]>) -> String {
    let [ours, theirs] = dice.unwrap_or([Share::NONE; 2]);
    format!("{ours} / {theirs}")
}

fn fire(rules: &Rulebook, options: &Options) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for kind in Kind::ALL {
        let all = rules.fire_rows(kind);
        for (i, upto) in all.iter().enumerate() {
            let name = match upto {
                _ if all.len() == 1 => kind_name(kind).to_owned(),
                Some(upto) => format!("{}, to {upto}", kind_name(kind)),
                None => format!("{}, beyond", kind_name(kind)),
            };
            let cells = COLUMNS[1..].iter().map(|&target| pair(rules.fire_row(kind, i, target, options)));
            rows.push(std::iter::once(name).chain(cells).collect());
        }
    }
    rows
}

fn melee(rules: &Rulebook) -> Vec<Vec<String>> {
    let charging = Kind::ALL.into_iter().filter(|&k| rules.melee_dice(k, Target::Infantry).is_some());
    let row = |kind: Kind| {
        let cells = COLUMNS.iter().map(|&target| pair(rules.melee_dice(kind, target)));
        std::iter::once(kind_name(kind).to_owned()).chain(cells).collect()
    };
    charging.map(row).collect()
}
