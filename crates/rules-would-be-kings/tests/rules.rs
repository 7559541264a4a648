//! Rules that a case file can't show: what no scenario may say, what no battle may do, and the arithmetic.

use std::collections::BTreeMap;

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle, Choices, Fault, Log, Purpose, Source, Story, System};
use tricorne_rules_would_be_kings::{Rulebook, WbkBattle, WouldBeKings};

const HEAD: &str = "format = 1\nruleset = \"would-be-kings\"\n";

fn unit(id: &str, side: &str, kind: &str, at: [f64; 2], more: &str) -> String {
    format!(
        "[[unit]]\nid = \"{id}\"\nside = \"{side}\"\nkind = \"{kind}\"\nat = [{}, {}]\n{more}\n",
        at[0], at[1]
    )
}

/// Three sound units a side.
fn forces() -> String {
    ["imperial", "native"]
        .iter()
        .enumerate()
        .flat_map(|(s, side)| {
            (0..3).map(move |i| {
                let x = if s == 0 { 5.0 } else { 66.0 };
                unit(&format!("{}{i}", &side[..1]), side, "II", [x, 8.0 + 12.0 * f64::from(i)], "")
            })
        })
        .collect()
}

fn set_up(text: &str) -> Result<WbkBattle, Fault> {
    WouldBeKings.set_up(&Source::new("test.toml", text), &Choices::default(), Purpose::Scenario)
}

fn fault(text: &str) -> Fault {
    match set_up(text) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(fault) => fault,
    }
}

#[test]
fn a_sound_scenario_is_accepted() {
    assert!(set_up(&format!("{HEAD}{}", forces())).is_ok());
}

#[test]
fn nobody_starts_pinned_in_close_order_or_gone_to_ground() {
    // WBK-SCEN-03, WBK-GTG-11, WBK-CLOSE-11, WBK-SCEN-02.
    for (more, clause, key) in [
        ("pinned = 1", "WBK-SCEN-03", "pinned"),
        ("gone_to_ground = true", "WBK-GTG-11", "gone_to_ground"),
        ("close_order = true", "WBK-CLOSE-11", "layout"),
        ("layout = \"block\"", "WBK-CLOSE-11", "layout"),
    ] {
        let extra = unit("x", "imperial", "RI", [30.0, 24.0], more);
        let found = fault(&format!("{HEAD}{}{extra}", forces()));
        assert!(found.problem.contains(clause), "{found}");
        assert_eq!(found.place(), format!("unit[6].{key}"));
    }
}

#[test]
fn forces_keep_their_limits() {
    // WBK-FORCE-01: 24 points; WBK-FORCE-04: 2 to 9 a unit; WBK-FORCE-12: three units, two of Regular Infantry.
    let many: String = (0..4)
        .map(|i| unit(&format!("x{i}"), "imperial", "II", [20.0, 6.0 + 11.0 * f64::from(i)], ""))
        .collect();
    let found = fault(&format!("{HEAD}{}{many}", forces()));
    assert!(found.problem.contains("28 points") && found.problem.contains("WBK-FORCE-01"), "{found}");
    let allowed = format!("{HEAD}[limits]\npoints = 28\n{}{many}", forces());
    assert!(set_up(&allowed).is_ok());

    let cheap = unit(
        "x",
        "imperial",
        "II",
        [20.0, 24.0],
        "upgrades = [\"Antiquated muskets\", \"Unenthusiastic\", \"Poor shots\"]",
    );
    assert!(fault(&format!("{HEAD}{}{cheap}", forces())).problem.contains("WBK-FORCE-04"));

    let few = unit("a", "imperial", "II", [5.0, 24.0], "") + &unit("b", "native", "II", [66.0, 24.0], "");
    assert!(fault(&format!("{HEAD}{few}")).problem.contains("WBK-FORCE-12"));

    let regulars: String = (0..3)
        .map(|i| unit(&format!("x{i}"), "imperial", "RI", [20.0, 8.0 + 12.0 * f64::from(i)], ""))
        .collect();
    let natives: String = (0..3)
        .map(|i| unit(&format!("n{i}"), "native", "TI", [60.0, 8.0 + 12.0 * f64::from(i)], ""))
        .collect();
    assert!(fault(&format!("{HEAD}{regulars}{natives}")).problem.contains("3 units of Regular Infantry"));
    assert!(set_up(&format!("{HEAD}[limits]\nenforce = false\n{regulars}{natives}")).is_ok());
}

#[test]
fn the_field_forces_of_the_book_are_sound() {
    // WBK-FORCE-01, 02, 03: each comes to 24 points.
    let book = Rulebook::standard();
    assert_eq!(book.forces.len(), 8);
    for force in &book.forces {
        let cards = book.force_cards(force).unwrap_or_else(|e| panic!("{}: {e:?}", force.id));
        assert_eq!(cards.iter().map(|c| c.points).sum::<i32>(), 24, "{}", force.id);
        let all: Vec<_> = cards.iter().collect();
        assert!(book.force_faults(&all, 24).is_empty(), "{}: {:?}", force.id, book.force_faults(&all, 24));
    }
}

#[test]
fn faults_name_the_place_and_the_remedy() {
    let bad = |more: &str| fault(&format!("{HEAD}{}{more}", forces()));
    let extra = |kind: &str, at: [f64; 2], more: &str| bad(&unit("x", "imperial", kind, at, more));
    for (found, place, words) in [
        (extra("XX", [30.0, 24.0], ""), "unit[6].kind", "there is FG"),
        (extra("II", [80.0, 24.0], ""), "unit[6].at", "not on the table"),
        (extra("II", [5.0, 8.0], ""), "unit[6].at", "touch"),
        (extra("II", [0.2, 24.0], ""), "unit[6].at", "edge"),
        (extra("II", [30.0, 24.0], "upgrades = [\"Elite\"]"), "unit[6].upgrades", "not for II"),
        (
            extra("II", [30.0, 24.0], "upgrades = [\"Fierce\", \"Fierce\"]"),
            "unit[6].upgrades",
            "WBK-FORCE-03",
        ),
        (
            extra("FG", [30.0, 24.0], "upgrades = [\"Poor shots\", \"Undrilled\"]"),
            "unit[6].upgrades",
            "not for FGu",
        ),
        (
            extra("MG", [30.0, 24.0], "upgrades = [\"Undrilled\", \"Elite\"]"),
            "unit[6].upgrades",
            "not for MGu",
        ),
        (extra("II", [30.0, 24.0], "weapon = \"Field Gun\""), "unit[6].weapon", "Obsolete Rifle"),
        (extra("II", [30.0, 24.0], "facing = 400"), "unit[6].facing", "0 to 359"),
        (extra("II", [30.0, 24.0], "models = 30"), "unit[6].models", "1 to 12"),
        (extra("II", [30.0, 24.0], "activated = true"), "unit[6].activated", "rule case"),
        (bad(&unit("i0", "imperial", "II", [30.0, 24.0], "")), "unit[6].id", "twice"),
        (
            bad("[[terrain]]\nid = \"T\"\nkind = \"lava\"\nat = [[1, 1], [2, 2]]\n"),
            "terrain[0].kind",
            "there is",
        ),
        (
            bad("[[terrain]]\nid = \"T\"\nkind = \"scrub\"\nat = [[1, 1], [9, 9], [9, 1], [1, 9]]\n"),
            "terrain[0].at",
            "cross",
        ),
        (
            bad("[[terrain]]\nid = \"T\"\nkind = \"scrub\"\nat = [[nan, 1], [9, 9], [9, 1]]\n"),
            "terrain[0].at[0]",
            "table",
        ),
        (
            bad("[[victory.storm]]\nside = \"native\"\nbuilding = \"Z\"\npoints = 1\n"),
            "victory.storm[0].building",
            "no building",
        ),
        (
            bad("[[victory.marker]]\nid = \"M\"\nat = [9, 9]\n[[victory.marker]]\nid = \"M\"\nat = [9, 9]\n"),
            "victory.marker[1].id",
            "stands twice",
        ),
        (bad("[options]\nsolo = \"maybe\"\n"), "options.solo", "`off` (default)"),
    ] {
        assert_eq!(found.place(), place, "{found}");
        assert!(found.problem.contains(words), "{found}");
    }
    assert_eq!(fault("format = 3").problem, "is 3; this program reads format 1 and format 2");
    assert!(fault(&format!("{HEAD}surprise = 1\n")).problem.contains("surprise"));
}

#[test]
fn a_changed_profile_changes_the_game_and_a_wrong_one_is_named() {
    let scenario = WouldBeKings.scenarios()[0];
    let source = Source::new(scenario.id, scenario.text);
    let own = |file: &str, text: String| Choices {
        data: BTreeMap::from([(file.to_owned(), text)]),
        ..Choices::default()
    };
    let profiles = include_str!("../../../rulebooks/would-be-kings/profiles.toml");
    let faster = profiles.replacen("move = 6", "move = 7", 1);
    let battle = WouldBeKings.set_up(&source, &own("profiles.toml", faster), Purpose::Scenario).unwrap();
    assert_eq!(battle.facts()["units"]["I1"]["move"], 7.0);
    let wrong = profiles.replacen("models = 12", "models = 99", 1);
    let found = WouldBeKings.set_up(&source, &own("profiles.toml", wrong), Purpose::Scenario).unwrap_err();
    assert_eq!((found.file.as_str(), found.place().as_str()), ("profiles.toml", "RI.models"));
    let unknown = WouldBeKings.set_up(&source, &own("prices.toml", String::new()), Purpose::Scenario);
    assert!(unknown.unwrap_err().problem.contains("no such data file"));
}

/// Fights a battle with options and tells how many decisions each seat took.
fn fight(
    scenario: usize,
    options: &[(&str, &str)],
    seed: u64,
) -> (WbkBattle, [usize; 2], Vec<tricorne_game::Event>) {
    let scenario = WouldBeKings.scenarios()[scenario];
    let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let choices = Choices { options, ..Choices::default() };
    let source = Source::new(scenario.id, scenario.text);
    let mut battle = WouldBeKings.set_up(&source, &choices, Purpose::Scenario).unwrap();
    let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 5), Log::on());
    battle.begin(&mut chance, &mut log);
    let mut asked = [0; 2];
    while let Some(seat) = battle.seat() {
        asked[seat.index()] += 1;
        let action = battle.sample(&mut whim);
        battle
            .apply(&action, &mut chance, &mut log)
            .unwrap_or_else(|e| panic!("{choices:?} {action:?}: {e}"));
        let broken = battle.broken_invariants();
        assert!(broken.is_empty(), "{choices:?} after {action:?}: {broken:?}");
        assert!(asked[0] + asked[1] < 20_000, "{choices:?}: no end");
    }
    (battle, asked, log.take())
}

fn far(a: [f64; 2], b: [f64; 2]) -> f64 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
}

#[test]
fn a_move_ends_together_and_carries_nobody_further_than_it_costs() {
    // WBK-MOVE-07, WBK-MOD-36, WBK-MOD-38: on every move of some battles, also of units that an Attack had strung out.
    let (mut moves, mut strung) = (0, 0);
    for seed in 0..6 {
        let scenario = WouldBeKings.scenarios()[seed as usize % 4];
        let source = Source::new(scenario.id, scenario.text);
        let mut battle = WouldBeKings.set_up(&source, &Choices::default(), Purpose::Scenario).unwrap();
        let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 6), Log::on());
        battle.begin(&mut chance, &mut log);
        while battle.seat().is_some() {
            let before = battle.facts();
            log.take();
            let action = battle.sample(&mut whim);
            battle.apply(&action, &mut chance, &mut log).unwrap();
            let after = battle.facts();
            for event in log.take() {
                let (Some(who), "move") = (event.who, event.what.as_str()) else { continue };
                let who = who.to_string();
                let (old, new) = (places(&before, &who), places(&after, &who));
                if after["units"][&who]["layout"] == "block" || old.is_empty() || new.is_empty() {
                    continue;
                }
                let gun = after["units"][&who]["layout"] == "gun";
                moves += 1;
                strung += usize::from(!gun && old.iter().any(|p| far(*p, old[0]) > 4.01));
                let spread = new.iter().map(|p| far(*p, new[0])).fold(0.0, f64::max);
                assert!(gun || spread <= 4.002, "{who} {spread} after {action:?}");
                let cost = event.data["cost"].as_f64().unwrap();
                let gone = |p: &[f64; 2]| old.iter().map(|o| far(*o, *p)).fold(f64::INFINITY, f64::min);
                let furthest = new.iter().map(gone).fold(0.0, f64::max);
                assert!(furthest <= cost + 0.003, "{who} {furthest} for {cost} after {action:?}");
            }
        }
    }
    assert!(moves > 100, "{moves} moves, {strung} of them of units strung out");
}

#[test]
fn every_value_of_every_option_fights_to_an_end() {
    for (i, spec) in WouldBeKings.options().specs.iter().enumerate() {
        for (j, value) in spec.others.iter().enumerate() {
            fight((i + j) % 4, &[(&spec.id, value)], i as u64);
        }
    }
}

#[test]
fn the_program_plays_its_side_and_asks_its_seat_nothing() {
    // WBK-SOLO-01 to 15.
    for (scenario, side, seat) in [(0, "native", 1), (1, "native", 1), (2, "imperial", 0), (3, "imperial", 0)]
    {
        for seed in 0..3 {
            let (_, asked, events) = fight(scenario, &[("solo", side)], seed);
            assert_eq!(asked[seat], 0, "the program's seat was asked");
            assert!(events.iter().any(|e| e.what == "arrival"), "nobody ever arrived");
        }
    }
}

#[test]
fn free_deployment_places_both_sides_in_turn() {
    // WBK-SCEN-04: along the short edges, which are south and north on a table that is deeper than wide.
    for seed in 0..4 {
        let deep = seed % 2 == 1;
        let table = if deep { "table = { width = 66, height = 72 }\n" } else { "" };
        let text = format!(
            "{HEAD}title = \"own forces\"\nrounds = 3\n{table}[forces]\nimperial = \"L1\"\nnative = \"L2\"\n"
        );
        let mut battle = set_up(&text).unwrap();
        let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 5), Log::on());
        battle.begin(&mut chance, &mut log);
        let mut seats = Vec::new();
        while battle.facts()["pending"] == "place" {
            seats.push(battle.seat().unwrap().0);
            let action = battle.sample(&mut whim);
            battle.apply(&action, &mut chance, &mut log).unwrap();
        }
        assert_eq!(seats.len(), 11);
        assert!(seats[..10].windows(2).all(|p| p[0] != p[1]), "in turn: {seats:?}");
        let dice = &log.events().iter().find(|e| e.what == "deploy").unwrap().faces;
        let first = u8::from(dice[0] >= dice[1]);
        assert_eq!(seats[0], first);
        assert_eq!(battle.seat().unwrap().0, 1 - first, "the other side moves first");
        for (id, unit) in battle.facts()["units"].as_object().unwrap() {
            for place in unit["places"].as_array().unwrap() {
                let far = place[usize::from(deep)].as_f64().unwrap();
                let inside = if id.starts_with('I') {
                    (0.5..=7.5).contains(&far)
                } else {
                    (64.5..=71.5).contains(&far)
                };
                assert!(inside, "{id} at {far}");
            }
        }
        while battle.ending().is_none() {
            let action = battle.sample(&mut whim);
            battle.apply(&action, &mut chance, &mut log).unwrap();
        }
    }
}

#[test]
fn every_event_has_a_telling() {
    let mut told = std::collections::BTreeSet::new();
    for (scenario, options) in [
        (0, vec![]),
        (1, vec![("turn_order", "cards")]),
        (2, vec![]),
        (3, vec![("solo", "native")]),
        (0, vec![("one_leader_only", "on")]),
    ] {
        for seed in 0..6 {
            let (battle, _, events) = fight(scenario, &options, seed);
            let view = battle.view(None);
            let story = Story::new(WouldBeKings.stories(), &view);
            for event in &events {
                assert!(WouldBeKings.stories().line(event).is_some(), "no telling of {event:?}");
                let Some(text) = story.tell(event) else { continue };
                assert!(!text.contains('{'), "{text}");
                for clause in event.clauses.iter().chain(event.modifiers.iter().map(|m| &m.clause)) {
                    assert!(WouldBeKings.book().clause(clause).is_some(), "{text}");
                }
                told.insert(event.what.clone());
            }
        }
    }
    assert!(told.len() > 25, "{told:?}");
}

/// The places of a unit's models, from the facts.
fn places(facts: &serde_json::Value, id: &str) -> Vec<[f64; 2]> {
    let list = facts["units"][id]["places"].as_array().cloned().unwrap_or_default();
    list.iter().map(|p| [p[0].as_f64().unwrap(), p[1].as_f64().unwrap()]).collect()
}

/// How far some model has gone at least: from the nearest of the old places to the new one that is furthest from all of them.
fn carried(from: &[[f64; 2]], to: &[[f64; 2]]) -> f64 {
    let nearest = |place: &[f64; 2]| from.iter().map(|old| distance(*old, *place)).fold(f64::MAX, f64::min);
    if from.is_empty() { 0.0 } else { to.iter().map(nearest).fold(0.0, f64::max) }
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 12, ..Default::default() })]

    /// WBK-MOVE-02, 07, WBK-MOD-15, 18, 36, WBK-CLOSE-16, WBK-ATT-38: no move is longer than its allowance, no change of layout
    /// carries a model further than the unit may go, and every model ends within 4" of the leader; models come only from
    /// arrivals and returns.
    #[test]
    fn moves_keep_their_allowance_and_cohesion(seed in 0_u64..100_000, scenario in 0_usize..4) {
        let text = WouldBeKings.scenarios()[scenario];
        let source = Source::new(text.id, text.text);
        let mut battle = WouldBeKings.set_up(&source, &Choices::default(), Purpose::Scenario).unwrap();
        let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 6), Log::on());
        battle.begin(&mut chance, &mut log);
        while battle.ending().is_none() {
            let action = battle.sample(&mut whim);
            let json = serde_json::to_value(&action).unwrap();
            let (walks, lays_out) = (json.get("go").is_some(), json.get("form").or(json.get("occupy")).is_some());
            let before = if walks || lays_out { battle.facts() } else { serde_json::Value::Null };
            log.take();
            battle.apply(&action, &mut chance, &mut log).unwrap();
            if !(walks || lays_out) {
                continue;
            }
            let after = battle.facts();
            let id = before["acting"].as_str().unwrap();
            let unit = &after["units"][id];
            if lays_out {
                let (from, to) = (places(&before, id), places(&after, id));
                let most = before["units"][id]["move"].as_f64().unwrap();
                proptest::prop_assert!(carried(&from, &to) <= most + 0.002, "{id} after {action:?}");
                continue;
            }
            let only_moved = log.events().first().is_some_and(|e| e.what == "move");
            if unit["fate"] != "on_table" || !only_moved {
                continue;
            }
            let (from, to) = (places(&before, id), places(&after, id));
            let at = |facts: &serde_json::Value| {
                let at = &facts["units"][id]["at"];
                [at[0].as_f64().unwrap(), at[1].as_f64().unwrap()]
            };
            let allowance = before["allowance"].as_f64().unwrap();
            if !from.is_empty() {
                proptest::prop_assert!(distance(at(&before), at(&after)) <= allowance + 0.002, "{action:?}");
                proptest::prop_assert!(carried(&from, &to) <= allowance + 0.002, "{id} after {action:?}");
            }
            if unit["layout"] != "gun" && to.len() == usize::try_from(unit["models"].as_u64().unwrap()).unwrap() {
                for place in &to {
                    proptest::prop_assert!(distance(to[0], *place) <= 4.001, "{id} {place:?} after {action:?}");
                }
            }
        }
        let total: u64 = battle.facts()["units"].as_object().unwrap().values().map(|u| u["models"].as_u64().unwrap()).sum();
        let start: u64 = battle.facts()["units"].as_object().unwrap().values().map(|u| u["start"].as_u64().unwrap()).sum();
        proptest::prop_assert!(total <= start);
    }
}

/// Where units come on is said in words, by the number that a die brings and the part of the table; names of an author's own stay.
#[test]
fn arrival_points_are_named_in_words() {
    let bordj = WouldBeKings.scenarios().iter().find(|s| s.id == "the-bordj").unwrap();
    let labels = |text: &str| -> Vec<String> {
        let view = set_up(text).unwrap().view(None);
        view.tokens.into_iter().filter(|t| t.kind == "arrival point").map(|t| t.label).collect()
    };
    let said = labels(bordj.text);
    assert_eq!(said.len(), 6);
    for (i, label) in said.iter().enumerate() {
        let rest = label.strip_prefix(&format!("Arrival {}, ", i + 1)).unwrap_or_else(|| panic!("{label}"));
        assert!(
            ["north", "south", "east", "west", "middle"].iter().any(|part| rest.contains(part)),
            "{label}"
        );
    }
    let own = bordj.text.replacen("[[arrival]]\nid = \"P2\"", "[[arrival]]\nid = \"The dry well\"", 1);
    assert_eq!(labels(&own)[1], "The dry well");
}

#[test]
fn a_broken_file_of_ones_own_is_no_empty_one() {
    let choices = |charts: &str| Choices {
        data: [("charts.toml".to_owned(), charts.to_owned())].into(),
        ..Choices::default()
    };
    for broken in ["[hits\nshort = 2\n", "[hits]\nshort = 'two'\n", "[hits]\nshrot = 2\n"] {
        let fault = Rulebook::with(&choices(broken)).unwrap_err().to_string();
        assert!(fault.starts_with("charts.toml:"), "{broken}: {fault}");
    }
    let own = Rulebook::with(&choices("[hits]\nshort = 2\n")).unwrap();
    assert_eq!((own.charts.hits.short, own.charts.hits.long), (2, 2), "what it leaves out is the rulebook's");
}
