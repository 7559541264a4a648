//! The quick-reference sheet: `sheet.toml`, from the data and the options in force.

use tricorne_drill::sheet::Press;
use tricorne_drill::words::Numbers;
use tricorne_game::army::ReferenceSheet;
use tricorne_game::view::Note;
use tricorne_game::{Choices, written};
use tricorne_table::{Area, Point};

use super::paper::pace;
use crate::model::Kind;
use crate::model::ground::{Going, GroundKind, Mover, Piece};
use crate::options::Options;
use crate::rulebook::{Pace, Rulebook, SHEET, Share, book, options};

/// The charts as played under these choices; none if the choices are no choices of this system.
///
/// # Panics
/// When the compiled-in file is wrong, which the tests rule out.
pub(crate) fn reference(choices: &Choices) -> Option<ReferenceSheet> {
    let book = Rulebook::read(choices).ok()?;
    let o: Options = options().resolve(&choices.options).ok()?;
    let rows = |of: &str| match of {
        "ground" => ground(&book, &o),
        "events" => events(&book),
        other => panic!("sheet.toml: there are no rows of `{other}`"),
    };
    let sheet = press(choices, &rows).sheet("Mit von Futsch zum Rheinland-Pfalz");
    Some(sheet.unwrap_or_else(|fault| panic!("{fault}")))
}

/// The rules that units need, as the rulebook comes.
pub(super) fn needs(has: &dyn Fn(&str) -> bool) -> Vec<Note> {
    press(&Choices::default(), &|_| Vec::new()).needs(has).unwrap_or_else(|fault| panic!("{fault}"))
}

fn press<'a>(choices: &'a Choices, rows: &'a dyn Fn(&str) -> Vec<Vec<String>>) -> Press<'a> {
    let (_, numbers) = crate::charts::read(choices).unwrap_or_else(|fault| panic!("{fault}"));
    let numbers = Numbers::default().with("profiles", numbers);
    Press { text: SHEET, numbers, options: options(), choices, book: book(), told: &told, rows }
}

/// `{pace move.infantry}`.
fn told(numbers: &Numbers, inside: &str, _: Option<&toml::Table>) -> Option<String> {
    let place = numbers.at(inside.strip_prefix("pace ")?)?;
    written::<Pace>(place).ok().map(pace)
}

fn events(book: &Rulebook) -> Vec<Vec<String>> {
    book.events.iter().map(|(_, e)| vec![e.title.clone(), e.text.clone(), e.clause.clone()]).collect()
}

fn ground(book: &Rulebook, o: &Options) -> Vec<Vec<String>> {
    use GroundKind::{Broken, Crossing, Difficult, Hill, Obstacle, River, Road, Town, Woods};
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Point::new(x, y));
    let Ok(area) = Area::new(corners.to_vec()) else { return Vec::new() };
    let movers = [Kind::Infantry, Kind::Skirmish, Kind::Heavy, Kind::Artillery].map(Mover::Unit).into_iter();
    let movers = movers.chain([Mover::Commander]);
    let row = |kind: GroundKind| {
        let piece = Piece::new(String::new(), kind, false, area.clone());
        let rate = |mover: Mover| match piece.going(mover, o) {
            Going::Full => "full".to_owned(),
            Going::Half => [1, book.profiles.moves.slow].told(),
            Going::Closed => "no".to_owned(),
        };
        std::iter::once(kind.bare().to_owned()).chain(movers.clone().map(rate)).collect()
    };
    [Broken, Difficult, Woods, Town, Hill, River, Road, Crossing, Obstacle].into_iter().map(row).collect()
}
