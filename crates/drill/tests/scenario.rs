//! Scenario files of format 2: what is read, and what is said of those that are wrong.

use schemars::JsonSchema;
use serde::Deserialize;
use tricorne_drill::scenario::{Dialect, Nothing, Scenario, Upgrade, schema};
use tricorne_game::{Choices, Purpose, Side, Source};
use tricorne_table::Point;

#[derive(Debug)]
struct Toy;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Men {
    men: u8,
}

impl Dialect for Toy {
    const RULESET: &'static str = "toy";
    type Head = Nothing;
    type Side = Nothing;
    type Seat = Nothing;
    type Ground = Nothing;
    type Unit = Men;
    type Objective = Nothing;

    fn upgrade(file: &mut Upgrade, _: &Choices) {
        file.head().rename("rounds", "turns");
        file.table([24.0, 24.0]);
        file.list(&["companies"], "unit");
        file.each("unit", |_, unit| unit.rename("figures", "men"));
    }
}

const GOOD: &str = r#"
format = 2
ruleset = "toy"
title = "The mill"
turns = 8
first = "south"

[table]
width = 24
height = 24

[[side]]
id = "south"
name = "Grenzers"
zone = [{ edge = "south", depth = 6 }, { rect = [0, 6, 4, 9] }]

[[side]]
id = "north"

[[terrain]]
id = "Pond"
kind = "water"
outline = { polygon = [[10, 10], [14, 10], [14, 13], [10, 13]] }

[[terrain]]
id = "Hedge"
kind = "hedge"
line = [[2, 12], [9, 12]]

[[unit]]
id = "G1"
side = "south"
kind = "company"
name = "Captain Novak's company"
men = 12
at = [8, 6]

[[objective]]
name = "The pond"
kind = "hold"
zone = [{ rect = [10, 10, 14, 13] }]
points = 10
"#;

fn read(text: &str) -> Result<Scenario<Toy>, String> {
    Scenario::read(&Source::new("toy.toml", text)).map_err(|fault| fault.to_string())
}

#[test]
fn a_file_is_read_with_all_that_it_names() {
    let scenario = read(GOOD).unwrap();
    assert_eq!((scenario.first, scenario.turns), (Some(Side(0)), Some(8)));
    assert_eq!((scenario.seats.len(), scenario.seats[0].name.as_str()), (2, "Grenzers"));
    assert!(scenario.sides[0].zone.iter().any(|zone| zone.area.contains(Point::new(2.0, 8.0))));
    assert_eq!((scenario.units[0].own.men, scenario.units[0].side), (12, Side(0)));
    assert!(scenario.terrain[0].area.is_some() && scenario.terrain[1].line.len() == 2);
    assert_eq!(scenario.objectives[0].points, Some(10.0));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (from, to, place, said) in [
        ("ruleset = \"toy\"", "ruleset = \"chess\"", "toy.toml:3", "these are the rules `toy`"),
        ("format = 2", "format = 7", "toy.toml:2", "format 2"),
        ("first = \"south\"", "first = \"east\"", "first", "there is south and north"),
        ("men = 12", "men = \"many\"", "unit[0].men", "expected"),
        ("men = 12", "men = 12\nhorses = 3", "unit[0]", "unknown field `horses`"),
        ("at = [8, 6]", "at = [8, 60]", "unit[0].at", "24 by 24"),
        ("side = \"south\"\nkind", "side = \"west\"\nkind", "unit[0].side", "no side is called `west`"),
        ("line = [[2, 12], [9, 12]]", "line = [[2, 12]]", "terrain[1]", "two points or more"),
        ("depth = 6", "depth = 6, from = 30", "side[0].zone", "from 0 to 24"),
        ("width = 24", "width = 99999", "table", "no table is larger"),
        ("turns = 8", "turns = 0", "turns", "1 to 1000"),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let fault = read(&GOOD.replacen(from, to, 1)).unwrap_err();
        assert!(fault.contains(place) && fault.contains(said), "{to}: {fault}");
    }
}

#[test]
fn the_schema_has_the_core_and_the_part() {
    let schema = schema::<Toy>();
    let unit = &schema["properties"]["unit"]["items"];
    for field in ["id", "side", "at", "men"] {
        assert!(!unit["properties"][field].is_null(), "{field}: {unit}");
    }
    assert_eq!(unit["additionalProperties"], false);
    assert!(unit["required"].as_array().unwrap().contains(&"men".into()));
}

const OLD: &str = r#"# The mill, as it was.
format = 1 # the first
ruleset = "toy"
title = "The mill"
# Not long.
rounds = 8

[[side]]
id = "south"

[[side]]
id = "north"

# The only one.
[[companies]]
id = "G1"
side = "south"
kind = "company"
figures = 12 # few
at = [8, 6]
"#;

#[test]
fn an_old_file_is_written_anew_with_its_comments() {
    let file = Source::new("old.toml", OLD);
    let anew = Scenario::<Toy>::upgraded(&file, &Choices::default()).unwrap().unwrap();
    for comment in
        ["# The mill, as it was.", "# the first", "# Not long.\nturns = 8", "# The only one.\n[[unit]]"]
    {
        assert!(anew.contains(comment), "{comment}:\n{anew}");
    }
    assert!(anew.contains("men = 12 # few"), "{anew}");
    let again = Source::new("new.toml", anew.as_str());
    assert_eq!(Scenario::<Toy>::upgraded(&again, &Choices::default()).unwrap(), None);
    assert_eq!(read(&anew).unwrap().units[0].own.men, 12);
}

#[test]
fn what_is_wrong_with_an_old_file_is_told_in_its_own_words() {
    let told = |from: &str, to: &str| {
        assert!(OLD.contains(from), "{from}");
        let file = Source::new("old.toml", OLD.replacen(from, to, 1));
        let opened = Scenario::<Toy>::open(&file, &Choices::default(), Purpose::Scenario, |_, _| Ok(()));
        opened.unwrap_err().to_string()
    };
    for (from, to, said) in [
        ("figures = 12", "figures = \"many\"", "old.toml:19:1: companies[0].figures: "),
        ("rounds = 8", "rounds = 0", "old.toml:6:1: rounds: "),
        ("at = [8, 6]", "at = [8, 60]", "old.toml:20:1: companies[0].at: "),
        ("side = \"south\"\nkind", "kind", "companies[0].side: missing field `side`"),
        ("figures = 12 # few\n", "", "companies[0].men: missing field `men`"),
        ("format = 1", "format = 9", "old.toml:2:1: format: is 9; this program reads format 1 and format 2"),
        ("title = ", "title == ", "old.toml:4"),
    ] {
        let fault = told(from, to);
        assert!(fault.contains(said), "{to}: {fault}");
    }
}
