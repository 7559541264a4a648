//! A subaltern's judgement: it beats chance, proposes only what is legal, and knows how a battle stands.

use std::collections::BTreeMap;

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle, Choices, Judgement, Log, Purpose, School, Seat, Side, Source, System};
use tricorne_rules_all_the_kings_men::{Action, AllTheKingsMen, Fight};

fn battle(text: &str, options: &[(&str, &str)]) -> Fight {
    let options = options.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect::<BTreeMap<_, _>>();
    let choices = Choices { options, ..Choices::default() };
    AllTheKingsMen
        .set_up(&Source::new("judgement.toml", text), &choices, Purpose::Scenario)
        .unwrap_or_else(|f| panic!("{f}"))
}

fn scenario(id: &str) -> &'static str {
    AllTheKingsMen.scenarios().iter().find(|s| s.id == id).map_or("", |s| s.text)
}

fn best(fight: &Fight, whim: &mut Whim) -> Action {
    let proposals = fight.proposals(8, whim);
    let first = proposals.first().unwrap_or_else(|| panic!("nothing proposed"));
    assert!(proposals.iter().all(|p| p.promise <= first.promise && (0.0..=1.0).contains(&p.promise)));
    first.action.clone()
}

/// Plays one out; `clever` says which seats judge. Returns the winner and the number of actions.
fn play(mut fight: Fight, seed: u64, clever: impl Fn(Seat) -> bool) -> (Option<Side>, usize) {
    let (mut chance, mut whim) = (Seeded::new(seed), Whim::new(seed, 1));
    fight.begin(&mut chance, &mut Log::off());
    for step in 0..20_000 {
        let Some(seat) = fight.seat() else { return (fight.ending().and_then(|e| e.winner), step) };
        let action = if clever(seat) { best(&fight, &mut whim) } else { fight.sample(&mut whim) };
        assert!(!matches!(action, Action::Concede | Action::Withdraw) || !clever(seat), "{action:?}");
        fight.apply(&action, &mut chance, &mut Log::off()).unwrap_or_else(|e| panic!("{action:?}: {e}"));
    }
    panic!("no end in 20000 steps");
}

#[test]
fn a_subaltern_beats_chance() {
    let text = scenario("the-parade-ground");
    let mut wins = 0;
    for seed in 0..20 {
        let own = Side((seed % 2) as u8);
        let (winner, _) = play(battle(text, &[]), seed, |seat| seat.0 == own.0);
        wins += u32::from(winner == Some(own));
    }
    assert!(wins >= 15, "{wins} of 20");
}

/// Every scenario, and forces still to be placed, under options that change what there is to decide.
#[test]
fn proposals_are_legal_and_battles_end() {
    let waiting = "[armies.red]\nrolls = 5\n[armies.black]\nrolls = 6\n[[terrain]]\nkind = \"hill\"\n\
         points = [[40, 2], [50, 2], [50, 9], [40, 9]]\n[[objective]]\nseize = { area = [[30, 18], [42, 18], [42, 30], [30, 30]] }\n";
    let sets: [&[(&str, &str)]; 4] = [
        &[],
        &[("adv_square", "on"), ("adv_pursuit", "on"), ("passing", "forced"), ("mob_move", "half")],
        &[
            ("adv_quality", "on"),
            ("adv_rifles", "on"),
            ("adv_light_infantry", "on"),
            ("path_shape", "straight"),
        ],
        &[
            ("adv_cavalry_green", "on"),
            ("rank_change", "free"),
            ("fire_slot", "anywhere"),
            ("teammate_order", "commander_decides"),
        ],
    ];
    let texts: Vec<&str> = AllTheKingsMen.scenarios().iter().map(|s| s.text).chain([waiting]).collect();
    for (i, text) in texts.iter().enumerate() {
        for (j, set) in sets.iter().enumerate() {
            let (_, steps) = play(battle(text, set), (10 * i + j) as u64, |_| true);
            assert!(steps > 20, "{steps}");
        }
    }
}

#[test]
fn standing_is_smooth_and_sure_at_the_end() {
    let mut fight = battle(scenario("kessel-crossroads"), &[]);
    let (mut chance, mut whim) = (Seeded::new(4), Whim::new(4, 1));
    fight.begin(&mut chance, &mut Log::off());
    assert!(fight.standing(Seat(0)).abs() < 0.3, "{}", fight.standing(Seat(0)));
    while let Some(seat) = fight.seat() {
        let s = fight.standing(seat);
        assert!(s.abs() < 1.0, "{s}");
        assert!((fight.standing(Seat(0)) + fight.standing(Seat(1))).abs() < 1e-9);
        let action = if seat.0 == 0 { best(&fight, &mut whim) } else { fight.sample(&mut whim) };
        let before = fight.standing(Seat(0));
        fight.apply(&action, &mut chance, &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
        if fight.seat().is_some() {
            assert!((fight.standing(Seat(0)) - before).abs() < 0.7, "{action:?}");
        }
    }
    match fight.ending().and_then(|e| e.winner) {
        Some(w) => assert!((fight.standing(Seat(w.0)) - 1.0).abs() < 1e-12),
        None => assert!(fight.standing(Seat(0)).abs() < 1e-12),
    }
}

#[test]
fn nothing_is_hidden_so_nothing_is_imagined() {
    let mut fight = battle(scenario("stony-ridge"), &[]);
    fight.begin(&mut Seeded::new(1), &mut Log::off());
    let imagined = fight.imagined(Seat(2), &mut Whim::new(1, 1));
    assert_eq!(fight.view(Some(Seat(2))), imagined.view(Some(Seat(2))));
    assert_eq!(fight.hash(), imagined.hash());
}

/// A position with a card on the table.
fn position(text: &str, options: &[(&str, &str)]) -> Fight {
    let options = options.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect::<BTreeMap<_, _>>();
    let choices = Choices { options, ..Choices::default() };
    AllTheKingsMen
        .set_up(&Source::new("position.toml", text), &choices, Purpose::Position)
        .unwrap_or_else(|f| panic!("{f}"))
}

/// What a subaltern does with the card: his choice of a unit and every part of its act.
fn acts(fight: &Fight) -> Vec<Action> {
    let (mut fight, mut whim) = (fight.clone(), Whim::new(7, 1));
    let (mut out, kinds) = (Vec::new(), ["choose", "act", "disorder"]);
    for _ in 0..4 {
        if !kinds.contains(&fight.pending().kind()) {
            break;
        }
        let action = best(&fight, &mut whim);
        out.push(action.clone());
        let ends =
            matches!(action, Action::Pass | Action::End | Action::Charge { .. } | Action::Disorder { .. });
        fight.apply(&action, &mut Seeded::new(1), &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
        if ends {
            break;
        }
    }
    out
}

const FAR_FOOT: &str = "  { id = \"X\", kind = \"I\", army = \"red\", shape = \"L2\", disorder = true, at = [10, 3], facing = 0 },\n\
     { id = \"Y\", kind = \"I\", army = \"black\", shape = \"L2\", at = [62, 45], facing = 180 },\n";

#[test]
fn horse_rides_down_guns_that_nobody_covers() {
    let fight = position(
        &format!(
            "card = \"5H\"\nunit = [\n{FAR_FOOT}\
             {{ id = \"K\", kind = \"K\", army = \"red\", shape = \"L1\", at = [36, 20], facing = 0 }},\n\
             {{ id = \"G\", kind = \"F\", army = \"black\", shape = \"Lo\", at = [36, 33], facing = 180 }},\n]\n"
        ),
        &[],
    );
    let acts = acts(&fight);
    assert!(matches!(acts.last(), Some(Action::Charge { target, .. }) if target.as_str() == "G"), "{acts:?}");
}

#[test]
fn horse_does_not_ride_at_fresh_foot_in_line() {
    let fight = position(
        &format!(
            "card = \"5H\"\nunit = [\n{FAR_FOOT}\
             {{ id = \"K\", kind = \"K\", army = \"red\", shape = \"L1\", at = [36, 20], facing = 0 }},\n\
             {{ id = \"I\", kind = \"I\", army = \"black\", shape = \"L2\", at = [36, 33], facing = 180 }},\n]\n"
        ),
        &[],
    );
    let acts = acts(&fight);
    assert!(!acts.iter().any(|a| matches!(a, Action::Charge { .. })), "{acts:?}");
}

#[test]
fn guns_with_a_target_are_not_left_idle() {
    let fight = position(
        &format!(
            "card = \"5H\"\nunit = [\n{FAR_FOOT}\
             {{ id = \"G\", kind = \"F\", army = \"red\", shape = \"Lo\", at = [36, 8], facing = 0 }},\n\
             {{ id = \"I\", kind = \"I\", army = \"black\", shape = \"L2\", at = [36, 40], facing = 180 }},\n]\n"
        ),
        &[],
    );
    let acts = acts(&fight);
    assert!(acts.iter().any(|a| matches!(a, Action::Fire { .. })), "{acts:?}");
}

#[test]
fn foot_in_column_forms_line_before_it_fires() {
    let fight = position(
        &format!(
            "card = \"5H\"\nunit = [\n{FAR_FOOT}\
             {{ id = \"C\", kind = \"I\", army = \"red\", shape = \"C2\", at = [36, 22], facing = 0 }},\n\
             {{ id = \"I\", kind = \"I\", army = \"black\", shape = \"L2\", n = 6, colour = \"red\", disorder = true, at = [36, 33], facing = 180 }},\n]\n"
        ),
        &[],
    );
    let acts = acts(&fight);
    let fired = acts.iter().position(|a| matches!(a, Action::Fire { .. }));
    let formed = acts.iter().position(|a| matches!(a, Action::Change { .. }));
    let charged = matches!(acts.last(), Some(Action::Charge { .. }));
    assert!(charged || (formed < fired && formed.is_some()), "{acts:?}");
}

#[test]
fn a_joker_stops_the_horse_that_threatens_the_guns() {
    let fight = position(
        "card = \"JR\"\nunit = [\n\
         { id = \"G\", kind = \"F\", army = \"red\", shape = \"Lo\", at = [36, 14], facing = 0 },\n\
         { id = \"X\", kind = \"I\", army = \"red\", shape = \"L2\", disorder = true, at = [10, 3], facing = 0 },\n\
         { id = \"Y\", kind = \"I\", army = \"black\", shape = \"L2\", at = [62, 45], facing = 180 },\n\
         { id = \"K\", kind = \"K\", army = \"black\", shape = \"L1\", at = [36, 27], facing = 180 },\n]\n",
        &[],
    );
    if fight.pending().kind() == "disorder" {
        let acts = acts(&fight);
        assert!(matches!(&acts[0], Action::Disorder { unit } if unit.as_str() == "K"), "{acts:?}");
    } else {
        panic!("{:?}", fight.pending());
    }
}

#[test]
fn light_infantry_goes_apart_before_the_enemy() {
    let text = format!(
        "card = \"5H\"\nunit = [\n{FAR_FOOT}\
         {{ id = \"L\", kind = \"I\", army = \"red\", shape = \"L2\", light = true, at = [36, 12], facing = 0 }},\n\
         {{ id = \"I\", kind = \"I\", army = \"black\", shape = \"L2\", at = [36, 34], facing = 180 }},\n]\n"
    );
    let acts = acts(&position(&text, &[("adv_light_infantry", "on")]));
    assert!(acts.iter().any(|a| matches!(a, Action::Split { .. })), "{acts:?}");
}

#[test]
fn weights_of_ones_own_are_gone_by_and_wrong_names_refused() {
    let text = scenario("the-parade-ground");
    let own = |data: &str| Choices {
        data: BTreeMap::from([("judgement.toml".to_owned(), data.to_owned())]),
        ..Choices::default()
    };
    let set_up = |choices: &Choices| {
        AllTheKingsMen.set_up(&Source::new("judgement.toml", text), choices, Purpose::Scenario)
    };
    let fault = set_up(&own("[weighs]\nmarhc = 1.0\n")).err().map(|f| f.to_string()).unwrap_or_default();
    assert!(fault.contains("marhc") && fault.contains("march"), "{fault}");
    // Nobody acts whose acts must bring the moon.
    let mut idle = set_up(&own("[weighs]\nleast = 2000\n")).unwrap_or_else(|f| panic!("{f}"));
    idle.begin(&mut Seeded::new(3), &mut Log::off());
    while idle.pending().kind() != "choose" {
        let action = best(&idle, &mut Whim::new(1, 1));
        idle.apply(&action, &mut Seeded::new(3), &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
    }
    assert_eq!(best(&idle, &mut Whim::new(1, 1)), Action::Pass);
    idle.heed(&School::Own(std::sync::Arc::new(Judgement {
        weighs: BTreeMap::from([("least".to_owned(), -2000.0)]),
        ..Judgement::default()
    })));
    assert_ne!(best(&idle, &mut Whim::new(1, 1)), Action::Pass);
}

#[test]
fn features_are_ours_less_theirs_and_have_the_files_names() {
    let mut fight = battle(scenario("kessel-crossroads"), &[]);
    let (mut chance, mut whim) = (Seeded::new(9), Whim::new(9, 1));
    fight.begin(&mut chance, &mut Log::off());
    for _ in 0..60 {
        let action = best(&fight, &mut whim);
        fight.apply(&action, &mut chance, &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
    }
    let (red, black) = (fight.features(Seat(0)), fight.features(Seat(1)));
    let file = System::judgement(&AllTheKingsMen).unwrap_or_default();
    assert_eq!(red.len(), file.worth.len());
    for ((name, ours), (_, theirs)) in red.iter().zip(&black) {
        assert!(file.worth.contains_key(*name) && (ours + theirs).abs() < 1e-9, "{name}: {ours} {theirs}");
    }
    assert!(red.iter().any(|(_, v)| v.abs() > 1e-6));
}

/// Issue 16: more passes than activations, with units that had targets.
#[test]
fn officers_act_more_often_than_they_pass() {
    let (mut acts, mut passes, mut rides) = (0, 0, 0);
    for seed in 40..46 {
        let mut fight = battle(scenario("the-parade-ground"), &[]);
        let (mut chance, mut whim) = (Seeded::new(seed), Whim::new(seed, 1));
        fight.begin(&mut chance, &mut Log::off());
        while let Some(seat) = fight.seat() {
            let action = best(&fight, &mut whim);
            match &action {
                Action::Activate { .. } => acts += 1,
                Action::Pass => passes += 1,
                Action::MoveGeneral { to } if fight.pending().kind() == "choose" => {
                    let from = fight.state().generals[seat.index()].at;
                    rides += usize::from(to.distance(from) < 1.0);
                }
                _ => {}
            }
            fight.apply(&action, &mut chance, &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
        }
    }
    assert!(passes * 5 < acts * 3, "{passes} passes, {acts} acts");
    assert_eq!(rides, 0, "Kings spent on a ride of a yard");
}

#[test]
fn foot_fires_at_the_tired_foot_before_it() {
    let fight = position(
        &format!(
            "card = \"5H\"\nunit = [\n{FAR_FOOT}\
             {{ id = \"A\", kind = \"I\", army = \"red\", shape = \"L2\", at = [36, 22], facing = 0 }},\n\
             {{ id = \"G\", kind = \"I\", army = \"black\", shape = \"L2\", at = [31, 33], facing = 180 }},\n\
             {{ id = \"I\", kind = \"I\", army = \"black\", shape = \"L2\", n = 9, colour = \"red\", at = [41, 33], facing = 180 }},\n]\n"
        ),
        &[],
    );
    let acts = acts(&fight);
    let at_tired = |a: &Action| matches!(a, Action::Fire { target } if target.as_str() == "I");
    assert!(acts.iter().any(at_tired), "{acts:?}");
}
