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
use crate::rulebook::{Pace, Rulebook, SHEET, book, options, profiles_table};

/// The charts as played under these choices; none if the choices are no choices of this system.
pub(crate) fn reference(choices: &Choices) -> Option<ReferenceSheet> {
    let book = Rulebook::read(choices).ok()?;
    let o: Options = options().resolve(&choices.options).ok()?;
    let rows = |of: &str| if of == "ground" { ground(&o) } else { events(&book) };
    press(choices, &rows).sheet("Mit von Futsch zum Rheinland-Pfalz").ok()
}

/// The rules that units need, as the rulebook comes.
pub(super) fn needs(has: &dyn Fn(&str) -> bool) -> Option<Vec<Note>> {
    press(&Choices::default(), &|_| Vec::new()).needs(has).ok()
}

fn press<'a>(choices: &'a Choices, rows: &'a dyn Fn(&str) -> Vec<Vec<String>>) -> Press<'a> {
    let numbers = Numbers::default().with("profiles", profiles_table(choices));
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

fn ground(o: &Options) -> Vec<Vec<String>> {
    use GroundKind::{Broken, Crossing, Difficult, Hill, Obstacle, River, Road, Town, Woods};
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Point::new(x, y));
    let Ok(area) = Area::new(corners.to_vec()) else { return Vec::new() };
    let movers = [Kind::Infantry, Kind::Skirmish, Kind::Heavy, Kind::Artillery].map(Mover::Unit).into_iter();
    let movers = movers.chain([Mover::Commander]);
    let row = |kind: GroundKind| {
        let piece = Piece::new(String::new(), kind, false, area.clone());
        let rate = |mover: Mover| match piece.going(mover, o) {
            Going::Full => "full",
            Going::Half => "half",
            Going::Closed => "no",
        };
        let name = kind.name().trim_start_matches("a ").trim_start_matches("an ");
        std::iter::once(name).chain(movers.clone().map(rate)).map(str::to_owned).collect()
    };
    [Broken, Difficult, Woods, Town, Hill, River, Road, Crossing, Obstacle].into_iter().map(row).collect()
}
