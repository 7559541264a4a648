//! Zones of several areas and units that come late, fought to the end (ATKM-SETUP-14, ATKM-SETUP-15).

use tricorne_chance::{Seeded, Whim};
use tricorne_game::view::OverlayShape;
use tricorne_game::{Battle, Choices, Log, Pending, Purpose, Source, System};
use tricorne_rules_all_the_kings_men::{AllTheKingsMen, Fight};

const SIEGE: &str = r#"
format = 1
ruleset = "all-the-kings-men"
title = "A place beset"
table = [48, 48]
options = { turn_limit = 5 }

[armies.red]
zone = [{ polygon = [[16, 18], [32, 18], [34, 26], [24, 32], [14, 26]] }]
[armies.black]
zone = [{ edge = "north", depth = 7 }, { edge = "west", depth = 5 }, { rect = [[40, 0], [48, 20]] }]

[[terrain]]
kind = "lake"
points = [[38, 30], [44, 30], [44, 36], [38, 36]]

[[unit]]
id = "A1"
kind = "I"
army = "red"
[[unit]]
id = "A2"
kind = "F"
army = "red"
[[unit]]
id = "A3"
kind = "K"
army = "red"
arrives = { turn = 2, zone = [{ edge = "south" }] }
[[unit]]
id = "B1"
kind = "I"
army = "black"
[[unit]]
id = "B2"
kind = "S"
army = "black"
[[unit]]
id = "B3"
kind = "I"
army = "black"
arrives = { turn = 2, zone = [{ edge = "east", depth = 4 }] }
[[unit]]
id = "B4"
kind = "H"
army = "black"
arrives = { turn = 3, zone = [[0, 0], [6, 6]] }
"#;

fn set_up(text: &str) -> Result<Fight, String> {
    AllTheKingsMen
        .set_up(&Source::new("siege", text), &Choices::default(), Purpose::Scenario)
        .map_err(|fault| fault.to_string())
}

#[test]
fn a_place_beset_is_fought_out() {
    // Two corners inside an arrival are a zone like any other.
    let mut arrived = 0;
    for seed in 0..6 {
        let mut fight = set_up(SIEGE).unwrap_or_else(|e| panic!("{e}"));
        let (mut chance, mut whim) = (Seeded::new(seed), Whim::new(seed, 1));
        fight.begin(&mut chance, &mut Log::off());
        while let Pending::Decision { kind, .. } = fight.pending() {
            let clever = whim.chance(0.5).then(|| fight.proposals(1, &mut whim).into_iter().next()).flatten();
            let action = clever.map_or_else(|| fight.sample(&mut whim), |p| p.action);
            arrived += usize::from(kind == "arrive");
            fight
                .apply(&action, &mut chance, &mut Log::off())
                .unwrap_or_else(|e| panic!("{seed} {kind}: {e}"));
            assert_eq!(fight.broken_invariants(), Vec::<String>::new(), "{seed}: after {action:?}");
        }
    }
    assert!(arrived >= 6, "only {arrived} units arrived in six battles");
}

#[test]
fn a_zone_that_is_none_is_told() {
    for (from, to, says) in [
        ("depth = 7 }", "depth = -7 }", "armies.black.zone[0]: is -7 deep"),
        ("{ edge = \"west\", depth = 5 }", "{ depth = 5 }", "expected one of `edge`"),
        (
            "[[16, 18], [32, 18], [34, 26], [24, 32], [14, 26]]",
            "[[16, 18], [32, 18]]",
            "armies.red.zone[0]: is no outline",
        ),
        (
            "arrives = { turn = 3, zone = [[0, 0], [6, 6]] }",
            "arrives = { turn = 0, zone = [[0, 0], [6, 6]] }",
            "is 0; the first turn is 1",
        ),
        ("kind = \"H\"\narmy = \"black\"", "kind = \"H\"\narmy = \"black\"\nat = [3, 3]", "ATKM-SETUP-15"),
        ("zone = [[0, 0], [6, 6]]", "zone = \"east\"", "expected a list"),
    ] {
        let text = SIEGE.replace(from, to);
        let fault = set_up(&text).err().unwrap_or_else(|| panic!("{to} is taken"));
        assert!(fault.contains(says), "expected \"{says}\", came \"{fault}\"");
    }
}

/// What is drawn for a unit that waits is where it may stand: outlines as they are, and no boxes round them.
#[test]
fn zones_are_drawn_by_their_outlines() {
    let fight = set_up(SIEGE).unwrap();
    let view = fight.view(None);
    let drawn = |id: &str| -> Vec<Vec<[f64; 2]>> {
        let unit = view.units.iter().find(|unit| unit.id.as_str() == id).unwrap();
        let outline = |shape: &OverlayShape| match shape {
            OverlayShape::Outline(points) => points.iter().map(|p| [p.x, p.y]).collect(),
            other => panic!("{other:?}"),
        };
        unit.overlays.iter().map(|overlay| outline(&overlay.shape)).collect()
    };
    assert_eq!(drawn("A1"), [[[16.0, 18.0], [32.0, 18.0], [34.0, 26.0], [24.0, 32.0], [14.0, 26.0]]]);
    let [north, west, rect] = <[_; 3]>::try_from(drawn("B1")).unwrap();
    for (outline, corners) in [
        (north, [[0.0, 41.0], [48.0, 41.0], [48.0, 48.0], [0.0, 48.0]]),
        (west, [[0.0, 0.0], [5.0, 0.0], [5.0, 48.0], [0.0, 48.0]]),
        (rect, [[40.0, 0.0], [48.0, 0.0], [48.0, 20.0], [40.0, 20.0]]),
    ] {
        assert_eq!(outline, corners);
    }
}
