//! The data files, the set-up, and stories a player can follow.

use std::collections::BTreeMap;

use tricorne_chance::{Script, Scripted, Whim};
use tricorne_game::case::{Case, Verdict, run};
use tricorne_game::{Battle, Choices, Log, Pending, Purpose, Source, System};
use tricorne_rules_von_futsch::{Action, EventCard, Rulebook, SideFile, VonFutsch, price};

fn set_up(text: &str, choices: &Choices) -> Result<tricorne_rules_von_futsch::Battle, String> {
    VonFutsch.set_up(&Source::new("x.toml", text), choices, Purpose::Position).map_err(|f| f.to_string())
}

fn with_file(name: &str, text: String) -> Choices {
    Choices { data: BTreeMap::from([(name.to_owned(), text)]), ..Choices::default() }
}

#[test]
fn the_lists_cost_what_the_rulebook_prints() {
    // VF-ARMY-01, VF-SCEN-04
    let clauses = tricorne_drill::page(tricorne_rulebook_von_futsch::FILES, "clauses.md");
    let printed = |id: &str| {
        let row = clauses.lines().find(|row| row.starts_with(&format!("| {id} |")))?;
        row.split('|').nth(5)?.trim().parse::<u32>().ok()
    };
    let book = Rulebook::own();
    assert_eq!(book.armies.len(), 7);
    for list in book.armies.values() {
        for entry in &list.entry {
            let side = SideFile { entries: vec![entry.id.clone()], ..SideFile::default() };
            let alone = price(book, list, &side) - book.profiles.points.army_commander;
            assert_eq!(Some(alone), printed(&entry.id), "{}", entry.id);
        }
    }
}

#[test]
fn a_list_may_name_a_price_of_its_own() {
    // VF-SCEN-04
    let own = "format = 1\n[XX]\nname = \"X\"\n[[XX.entry]]\nid = \"X1\"\nname = \"X\"\nkind = \"infantry\"\n\
               sub_units = 2\nquality = \"normal\"\nprice = 60\nmin = 0\nmax = 1\n";
    let book = Rulebook::read(&with_file("armies.toml", own.into())).unwrap();
    let side = SideFile { entries: vec!["X1".into()], ..SideFile::default() };
    assert_eq!(price(&book, &book.armies["XX"], &side), 60 + book.profiles.points.army_commander);
}

#[test]
fn the_scenarios_cost_what_the_ledger_says() {
    // VF-SCEN-11 to -13: by section 3.5, commanders included; the convoy as it is set up here.
    let worth_of = |id: &str, side: &str| -> u32 {
        let text = VonFutsch.scenarios().iter().find(|s| s.id == id).map_or("", |s| s.text);
        let battle =
            VonFutsch.set_up(&Source::new(id, text), &Choices::default(), Purpose::Scenario).unwrap();
        let facts = battle.facts();
        let p = &Rulebook::own().profiles.points;
        let units: u32 = facts["units"]
            .as_object()
            .unwrap()
            .values()
            .filter(|u| u["side"] == side)
            .map(|u| {
                let by = match u["kind"].as_str().unwrap() {
                    "infantry" => p.battalion,
                    "heavy" => p.heavy,
                    "light" => p.light,
                    "skirmish" => p.skirmish,
                    "artillery" => p.artillery,
                    _ => return p.wagon,
                };
                match u["quality"].as_str().unwrap() {
                    "elite" => by.elite,
                    "poor" => by.poor,
                    _ => by.normal,
                }
            })
            .sum();
        let chiefs: u32 = facts["commanders"]
            .as_object()
            .unwrap()
            .values()
            .filter(|c| c["side"] == side)
            .map(|c| if c["level"] == "army" { p.army_commander } else { p.regimental_commander })
            .sum();
        units + chiefs
    };
    assert_eq!((worth_of("the-ford", "red"), worth_of("the-ford", "black")), (196, 196));
    assert_eq!((worth_of("san-pietro", "red"), worth_of("san-pietro", "black")), (352, 456));
    assert_eq!((worth_of("convoy-to-danzig", "red"), worth_of("convoy-to-danzig", "black")), (275, 252));
}

#[test]
fn every_event_is_in_the_deck_once() {
    // VF-EVENT-01
    let book = Rulebook::own();
    for card in EventCard::ALL {
        assert_eq!(book.event(card).map(|t| t.count), Some(1), "{}", card.name());
    }
}

const POSITION: &str = "acting = \"R1\"\n[[unit]]\nid = \"R1\"\nkind = \"inf\"\nat = [30, 20]\n\
                        [[unit]]\nid = \"B1\"\nkind = \"inf\"\nat = [30, 26]\nactivated = true\n";

#[test]
fn a_changed_number_changes_the_game() {
    let own = include_str!("../../../rulebooks/von-futsch/profiles.toml");
    let changed = own.replace("infantry = { short = 4, long = 6 }", "infantry = { short = 2, long = 6 }");
    assert_ne!(own, changed);
    let shoot = |choices: &Choices| {
        let mut battle = set_up(POSITION, choices).unwrap();
        let lines = ["to_hit: 2 2 1 1 1 1".parse().unwrap()];
        let mut chance = tricorne_chance::Scripted::new(lines);
        let action = tricorne_rules_von_futsch::Action::Fire;
        battle.apply(&action, &mut chance, &mut tricorne_game::Log::off()).unwrap();
        battle.facts()["units"]["B1"]["strength"].as_u64()
    };
    assert_eq!(shoot(&Choices::default()), Some(12));
    assert_eq!(shoot(&with_file("profiles.toml", changed)), Some(10));
}

#[test]
fn wrong_data_files_are_refused_by_their_place() {
    let own = include_str!("../../../rulebooks/von-futsch/profiles.toml");
    let fails = |name: &str, text: String, what: &str| {
        let fault = set_up(POSITION, &with_file(name, text)).err().unwrap_or_default();
        assert!(fault.contains(what) && fault.contains(name), "{fault}");
    };
    fails(
        "profiles.toml",
        own.replace("figures_per_die = 2\nshort", "figures_per_die = 0\nshort"),
        "figures_per_die",
    );
    fails("profiles.toml", own.replace("elite = [2, 3]", "elite = [3, 2]"), "shaken.elite");
    fails("profiles.toml", own.replace("[capture]", "[captures]"), "captures");
    fails(
        "events.toml",
        "format = 1\n[flood]\ntitle = \"x\"\nclause = \"x\"\ncount = 1\ntext = \"\"\n".into(),
        "flood",
    );
    fails("maps.toml", String::new(), "is no file of this rulebook");
    fails("profiles.toml", own.replace("short = [1, 2]", "short = [3, 2]"), "move.short");
    fails("profiles.toml", own.replace("never = 1 ", "never = 6 "), "melee.never");
    fails("profiles.toml", own.replace("size = [10, 8]", "size = [30, 8]"), "ground.sector[1]");
    fails("profiles.toml", own.replace("kind = \"hill\"", "kind = \"volcano\""), "volcano");
    let events = include_str!("../../../rulebooks/von-futsch/events.toml");
    fails("events.toml", events.replace("{smoke}", "{fog}"), "bank_of_smoke.text");
    let armies = include_str!("../../../rulebooks/von-futsch/armies.toml");
    fails("armies.toml", armies.replace("id = \"FR2\"", "id = \"FR1\""), "`FR1` stands twice");
}

#[test]
fn refusals_and_prompts_say_the_numbers_as_played() {
    let own = include_str!("../../../rulebooks/von-futsch/profiles.toml");
    let refused = |from: &str, to: &str, position: &str, action: Action| {
        let changed = own.replacen(from, to, 1);
        assert_ne!(own, changed, "{from}");
        let battle = set_up(position, &with_file("profiles.toml", changed)).unwrap();
        battle.check(&action).expect_err("refused").to_string()
    };
    let says = |why: String, what: &str| assert!(why.contains(what), "expected `{what}`, came: {why}");
    let near = POSITION.replace("[30, 26]", "[30, 32]").replace("activated = true\n", "");
    let unlimbers = near.replacen("kind = \"inf\"", "kind = \"art\"\nformation = \"limbered\"", 1);
    says(
        refused("near_enemy = 6 ", "near_enemy = 13 ", &unlimbers, Action::UnlimberAndFire),
        "within 13 of the enemy",
    );
    let attach = "[[unit]]\nid = \"R1\"\nkind = \"inf\"\nat = [30, 20]\n\
                  [[unit]]\nid = \"R2\"\nkind = \"inf\"\nat = [36, 10]\n\
                  [[commander]]\nid = \"RG\"\nlevel = \"army\"\nat = [30, 10]\n";
    let deploys = VonFutsch.scenarios().iter().find(|s| s.id == "encounter").map_or("", |s| s.text);
    let choices = with_file("profiles.toml", own.replace("deployment = 12", "deployment = 9"));
    let source = Source::new("encounter", deploys);
    let mut battle = VonFutsch.set_up(&source, &choices, Purpose::Scenario).unwrap();
    battle.begin(&mut tricorne_chance::Seeded::new(1), &mut Log::off());
    let Pending::Decision { prompt, .. } = battle.pending() else { panic!("nobody is asked") };
    says(prompt, "within 9 of your edge");
    let mut battle =
        set_up(attach, &with_file("profiles.toml", own.replace("attach = 6", "attach = 3"))).unwrap();
    let mut dice = Scripted::new(["move: 1 1".parse().unwrap()]);
    battle.apply(&Action::Activate("RG".parse().unwrap()), &mut dice, &mut Log::off()).unwrap();
    battle.apply(&Action::Path(vec![]), &mut dice, &mut Log::off()).unwrap();
    let far = battle.check(&Action::Attach("R1".parse().unwrap())).expect_err("too far");
    says(far.to_string(), "R1 is 6.500 from RG; at most 3");
}

/// VF-SCEN-03: what the dice bring lies where the table there is has its sectors.
#[test]
fn a_points_game_on_a_small_table_is_refused_by_its_place() {
    let text = VonFutsch.scenarios().iter().find(|s| s.id == "encounter").map_or("", |s| s.text);
    let small = text.replace("width = 72, height = 48", "width = 28, height = 48");
    assert_ne!(small, text);
    let fault = VonFutsch.set_up(&Source::new("x.toml", small), &Choices::default(), Purpose::Scenario).err();
    let fault = fault.map(|f| f.to_string()).unwrap_or_default();
    assert!(fault.contains("table") && fault.contains("from 30 by 30"), "{fault}");
}

#[test]
fn wrong_positions_are_refused_by_their_place() {
    let fails = |text: &str, what: &str| {
        let fault = set_up(text, &Choices::default()).err().unwrap_or_default();
        assert!(fault.contains(what), "expected {what}, came: {fault}");
    };
    let unit = |more: &str| format!("[[unit]]\nid = \"R1\"\nkind = \"inf\"\nat = [30, 20]\n{more}");
    fails(&unit("kindness = 1"), "kindness");
    fails("[[unit]]\nid = \"R1\"\nkind = \"elephants\"\nat = [1, 1]", "elephants");
    fails(&unit("strength = 13"), "unit[0].strength");
    fails(&unit("formation = \"cloud\""), "unit[0].formation");
    fails(&unit("facing = nan"), "unit[0].facing");
    fails("[[unit]]\nid = \"R1\"\nkind = \"inf\"\nat = [nan, 20]", "unit[0].at");
    fails("[[unit]]\nid = \"R1\"\nkind = \"inf\"\nat = [1, 20]", "off the table");
    fails("[[unit]]\nid = \"X\"\nkind = \"inf\"\nat = [30, 20]", "unit[0].side");
    fails(&format!("{}\n{}", unit(""), unit("")), "unit[1].id");
    fails(&format!("{}\n[[unit]]\nid = \"R2\"\nkind = \"inf\"\nat = [31, 20]", unit("")), "stands on top of");
    fails("[[terrain]]\nkind = \"woods\"\npolygon = [[0, 0], [1, 1]]", "terrain[0]");
    fails("[[terrain]]\nkind = \"woods\"\npolygon = [[0, 0], [4, 4], [4, 0], [0, 4]]", "terrain[0]");
    fails("acting = \"R7\"", "acting");
    fails("spells = [\"frogs\"]", "spells[0]");
    fails("[red]\nkings = [\"KS\"]", "red.kings[0]");
    fails("[[commander]]\nid = \"RC\"\nlevel = \"regimental\"\nat = [1, 1]", "commander[0].regiment");
    fails("[options]\nwheel_cost = \"free\"", "wheel_cost");
    fails("turns = 0", "turns");
    fails("[table]\nwidth = 2\nheight = 48", "table.width");
}

#[test]
fn a_scenario_starts_fresh_and_whole() {
    // VF-SCEN-06, VF-ARMY-02, VF-ARMY-03, VF-MODEL-17
    let ford = VonFutsch.scenarios()[0].text;
    let fails = |text: String, what: &str| {
        let source = Source::new("x.toml", text);
        let fault = VonFutsch.set_up(&source, &Choices::default(), Purpose::Scenario).err();
        let fault = fault.map(|f| f.to_string()).unwrap_or_default();
        assert!(fault.contains(what), "expected {what}, came: {fault}");
    };
    fails(ford.replacen("at = [22, 10]", "disordered = true\nat = [22, 10]", 1), "VF-SCEN-06");
    fails(
        ford.replacen(
            "id = \"RG\"\nside = \"red\"\nlevel = \"army\"",
            "id = \"RG\"\nside = \"red\"\nlevel = \"wing\"\nwing = \"w\"",
            1,
        ),
        "VF-ARMY-02",
    );
    fails(ford.replacen("kind = \"heavy\"", "kind = \"light\"", 1), "one kind");
}

#[test]
fn a_force_keeps_to_its_list_and_its_points() {
    // VF-ARMY-02, VF-SCEN-02
    let text = VonFutsch.scenarios().iter().find(|s| s.id == "encounter").map_or("", |s| s.text);
    let fails = |from: &str, to: &str, what: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        let fault = VonFutsch
            .set_up(&Source::new("x.toml", changed), &Choices::default(), Purpose::Scenario)
            .err()
            .map(|f| f.to_string())
            .unwrap_or_default();
        assert!(fault.contains(what), "expected {what}, came: {fault}");
    };
    fails("\"FR3\", ", "", "FR3 may be taken 1 to 4");
    fails("\"FR8\"", "\"IM8\"", "is not in the list");
    fails("\"FR8\"", "\"FR8\", \"FR5\", \"FR6\"", "points; at most 400");
    fails("list = \"FR\"", "list = \"XX\"", "there is no list");
    let book = Rulebook::own();
    let side = SideFile {
        entries: vec!["FR3".into(), "FR10".into()],
        wagons: 1,
        wing_commanders: 1,
        ..Default::default()
    };
    assert_eq!(price(book, &book.armies["FR"], &side), 68 + 32 + 20 + 8 + 12);
}

/// VF-SCEN-14, VF-EX-56: with equal forces on open ground, what is proposed for Black is what is proposed for Red, half a turn away.
#[test]
fn both_sides_are_placed_alike() {
    let text = VonFutsch.scenarios().iter().find(|s| s.id == "encounter").map(|s| s.text).unwrap_or_default();
    let entries = text.lines().filter(|l| l.starts_with("list") || l.starts_with("entries")).take(2);
    let entries: Vec<&str> = entries.collect();
    let equal = format!(
        "format = 1\nruleset = \"von-futsch\"\npoints_game = true\n[red]\n{0}\n[black]\n{0}\n",
        entries.join("\n")
    );
    let mut battle = VonFutsch
        .set_up(&Source::new("x.toml", equal), &Choices::default(), Purpose::Scenario)
        .unwrap_or_else(|f| panic!("{f}"));
    let lines = ["terrain: 1 1 1 1 1 1", "roll_off: 1 2"].map(|l| l.parse::<Script>().unwrap());
    let mut dice = Scripted::new(lines);
    let mut log = Log::off();
    battle.begin(&mut dice, &mut log);
    let mut whim = Whim::new(1, 1);
    let mut placed: [Vec<Action>; 2] = Default::default();
    while let Pending::Decision { seat, kind, .. } = battle.pending() {
        if kind != "deploy" {
            break;
        }
        let action = battle.proposals(1, &mut whim).remove(0).action;
        battle.apply(&action, &mut dice, &mut log).unwrap();
        placed[usize::from(seat.0)].push(action);
    }
    let [red, black] = placed;
    assert!(red.len() > 5 && red.len() == black.len());
    let near = |a: f64, b: f64| (a - b).abs() < 0.002;
    for (r, b) in red.iter().zip(&black) {
        let (Action::Deploy { units: r, commander: rc, .. }, Action::Deploy { units: b, commander: bc, .. }) =
            (r, b)
        else {
            panic!("{r:?} {b:?}")
        };
        for (r, b) in r.iter().zip(b) {
            assert!(near(r.at[0].get() + b.at[0].get(), 72.0), "{r:?} {b:?}");
            assert!(near(r.at[1].get() + b.at[1].get(), 48.0), "{r:?} {b:?}");
            assert!(near((r.facing.get() + 180.0) % 360.0, b.facing.get()) && r.formation == b.formation);
        }
        if let (Some(r), Some(b)) = (rc, bc) {
            assert!(near(r[0].get() + b[0].get(), 72.0) && near(r[1].get() + b[1].get(), 48.0));
        }
    }
}

fn story(name: &str) -> Vec<String> {
    let path = format!("{}/../../rulebooks/von-futsch/cases/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let source = Source::new(name, std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}")));
    let case = Case::read(&source).unwrap_or_else(|f| panic!("{f}"));
    let report = run(&VonFutsch, &source, &case);
    assert_eq!(report.verdict, Verdict::Passed);
    report.story
}

/// A story has these phrases, in this order, and no placeholder left unfilled.
fn tells(name: &str, phrases: &[&str]) {
    let told = story(name).join("\n");
    assert!(!told.contains('{'), "{told}");
    let mut rest = told.as_str();
    for phrase in phrases {
        match rest.find(phrase) {
            Some(i) => rest = &rest[i + phrase.len()..],
            None => panic!("`{phrase}` is not told, or not in order:\n{told}"),
        }
    }
}

#[test]
fn the_story_of_a_charge_with_evasion() {
    tells(
        "ex-26-evade-and-follow",
        &[
            "R1 charged Skirmishers B1, with twelve inches to go",
            "B1 would not wait for Heavy squadron R1",
            "17 inches (9 + dice 4 4) to go at Skirmishers B1, twelve inches away",
            "eleven inches to get away",
            "B1 made off as far as they could",
            "B1 came to rest eleven inches back",
            "R1 went on after them",
        ],
    );
}

#[test]
fn the_story_of_cavalry_against_a_square() {
    tells(
        "ex-24-cavalry-against-a-square",
        &[
            "B1 formed square against Heavy squadron R1",
            "R1 met Infantry battalion B1",
            "R1 struck at Infantry battalion B1 with six dice, killing on 4+",
            "B1 struck at Heavy squadron R1 with three dice, killing on 4+",
            "two hits, halved to 1 (charging in the open)",
            "R1 struck at Infantry battalion B1 with five dice, killing on 5+",
            "R1, Shaken by such losses, tested: 5",
            "half lost",
            "VF-MORALE-05",
            "They wavered",
        ],
    );
}

#[test]
fn the_story_of_a_melee_of_two_rounds() {
    tells(
        "ex-27-two-rounds",
        &[
            "Round 1: Infantry battalion R1 struck at Infantry battalion B1",
            "Round 1: Infantry battalion B1 struck at Infantry battalion R1",
            "Round 2: Infantry battalion R1 struck at Infantry battalion B1",
            "B1 tested morale after the round: 4",
            "Neither gave way: Infantry battalion R1 had to break off",
            "R1 came to rest five inches back",
            "was over and left both in disorder",
        ],
    );
}

#[test]
fn every_story_of_every_case_is_whole() {
    let folder = format!("{}/../../rulebooks/von-futsch/cases", env!("CARGO_MANIFEST_DIR"));
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned();
        if path.extension().is_some_and(|e| e == "toml") && name != "not-enforced" {
            for line in story(&name) {
                assert!(!line.contains('{'), "{name}: {line}");
            }
        }
    }
}
