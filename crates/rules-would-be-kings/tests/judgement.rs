//! The quick judgement of programs: legal, even-handed, and better than chance.

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle, Choices, Log, Purpose, Seat, Source, System, UnitId};
use tricorne_rules_would_be_kings::{Action, Order, WbkBattle, WouldBeKings};

const MIRRORED: &str = "the-disputed-valley";

fn set_up(text: &str, options: &[(&str, &str)]) -> WbkBattle {
    let choices = Choices {
        options: options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
        ..Choices::default()
    };
    WouldBeKings.set_up(&Source::new("test.toml", text), &choices, Purpose::Scenario).unwrap()
}

fn scenario(id: &str) -> &'static str {
    WouldBeKings.scenarios().iter().find(|s| s.id == id).unwrap().text
}

/// The answer with the most promise, as a subaltern takes it.
fn best(battle: &WbkBattle, whim: &mut Whim) -> Action {
    let proposals = battle.proposals(48, whim);
    let mut best = &proposals[0];
    for p in &proposals {
        if p.promise > best.promise {
            best = p;
        }
    }
    best.action.clone()
}

#[test]
fn judgement_beats_chance_on_even_ground() {
    let fresh = set_up(scenario(MIRRORED), &[]);
    let mut won = 0;
    for game in 0..20_u64 {
        let judge = Seat((game % 2) as u8);
        let (mut battle, mut dice) = (fresh.clone(), Seeded::new(game));
        let mut whim = Whim::new(game, 1);
        battle.begin(&mut dice, &mut Log::off());
        while let Some(seat) = battle.seat() {
            let action = if seat == judge { best(&battle, &mut whim) } else { battle.sample(&mut whim) };
            battle.apply(&action, &mut dice, &mut Log::off()).unwrap();
        }
        let standing = battle.standing(judge);
        assert!([-1.0, 0.0, 1.0].contains(&standing), "{standing} when all is over");
        won += u32::from(standing == 1.0);
    }
    assert!(won >= 15, "judgement won {won} of 20");
}

#[test]
fn proposals_are_legal_and_standings_mirror_each_other() {
    let readings: [&[(&str, &str)]; 4] = [
        &[],
        &[("declare_detail", "action_only"), ("double_target", "declare_first"), ("one_leader_only", "on")],
        &[
            ("leave_close_order", "free"),
            ("hits_required_mode", "flat_deduction"),
            ("value_plus_one", "harder"),
        ],
        &[
            ("leave_close_order", "own_action"),
            ("form_close_move", "half_move"),
            ("activation_sequence", "rally_first"),
        ],
    ];
    let own = "format = 1\nruleset = \"would-be-kings\"\n[forces]\nimperial = \"L1\"\nnative = \"L8\"\n";
    let texts: Vec<&str> = WouldBeKings.scenarios().iter().map(|s| s.text).chain([own]).collect();
    for (n, text) in texts.iter().enumerate() {
        let mut battle = set_up(text, readings[n % readings.len()]);
        let (mut dice, mut whim) = (Seeded::new(n as u64), Whim::new(n as u64, 3));
        battle.begin(&mut dice, &mut Log::off());
        let mut steps = 0;
        while let Some(seat) = battle.seat() {
            let proposals = battle.proposals(12, &mut whim);
            assert!((1..=12).contains(&proposals.len()));
            for proposal in &proposals {
                battle.check(&proposal.action).unwrap();
                assert!((0.0..=1.0).contains(&proposal.promise), "{}", proposal.promise);
            }
            let (ours, theirs) = (battle.standing(Seat(0)), battle.standing(Seat(1)));
            assert!(ours.abs() < 1.0 && (ours + theirs).abs() < 1e-9, "{ours} against {theirs}");
            // Half by judgement, half by chance, so that odd positions come up as well.
            let action = if steps % 2 == usize::from(seat.0) {
                proposals[0].action.clone()
            } else {
                battle.sample(&mut whim)
            };
            battle.apply(&action, &mut dice, &mut Log::off()).unwrap();
            steps += 1;
        }
    }
}

#[test]
fn nothing_is_hidden_so_the_imagined_battle_is_the_battle() {
    let mut battle = set_up(scenario("wells-of-tamai"), &[]);
    let (mut dice, mut whim) = (Seeded::new(4), Whim::new(4, 4));
    battle.begin(&mut dice, &mut Log::off());
    for _ in 0..60 {
        let Some(seat) = battle.seat() else { break };
        let imagined = battle.imagined(seat, &mut whim);
        assert_eq!(imagined.view(Some(seat)), battle.view(Some(seat)));
        assert_eq!(imagined.hash(), battle.hash());
        let action = battle.sample(&mut whim);
        battle.apply(&action, &mut dice, &mut Log::off()).unwrap();
    }
}

#[test]
fn the_mirrored_scenario_looks_the_same_from_both_ends() {
    let view = set_up(scenario(MIRRORED), &[]).view(None);
    let turned = |p: tricorne_table::Point| {
        tricorne_table::Point::new(view.table.width - p.x, view.table.height - p.y)
    };
    let near = |a: tricorne_table::Point, b: tricorne_table::Point| a.distance(b) < 1e-9;
    for unit in &view.units {
        let twin = view.units.iter().find(|o| {
            o.side != unit.side
                && near(o.at, turned(unit.at))
                && o.kind == unit.kind
                && o.strength == unit.strength
        });
        let twin = twin.unwrap_or_else(|| panic!("{} has no twin", unit.id));
        assert_eq!(twin.notes, unit.notes, "{} and {}", twin.id, unit.id);
    }
    for piece in &view.terrain {
        let twin = view.terrain.iter().any(|o| {
            o.kind == piece.kind && piece.points.iter().all(|&p| o.points.iter().any(|&q| near(q, turned(p))))
        });
        assert!(twin, "{} has no twin", piece.id);
    }
    for token in view.tokens.iter().filter(|t| t.kind == "objective") {
        assert!(view.tokens.iter().any(|o| near(o.at, turned(token.at))), "{} has no twin", token.label);
    }
}

fn position(text: &str) -> WbkBattle {
    WouldBeKings.set_up(&Source::new("test.toml", text), &Choices::default(), Purpose::Position).unwrap()
}

fn unit(id: &str, side: &str, kind: &str, at: [f64; 2], more: &str) -> String {
    format!(
        "[[unit]]\nid = \"{id}\"\nside = \"{side}\"\nkind = \"{kind}\"\nat = [{}, {}]\n{more}\n",
        at[0], at[1]
    )
}

fn activated(text: &str, id: &str) -> WbkBattle {
    let mut battle = position(text);
    let id: UnitId = id.parse().unwrap();
    battle.apply(&Action::Activate(id), &mut Seeded::new(1), &mut Log::off()).unwrap();
    battle
}

fn order(action: &Action) -> Option<(Order, Option<String>)> {
    match action {
        Action::Declare(d) => Some((d.action, d.target.map(|t| t.to_string()))),
        _ => None,
    }
}

const HEAD: &str = "active = \"imperial\"\n[table]\nwidth = 72\nheight = 48\n";

#[test]
fn horse_ride_down_a_pinned_gun_and_rifles_shoot_what_stands_before_them() {
    let text = format!(
        "{HEAD}{}{}{}",
        unit("I1", "imperial", "RC", [20.0, 20.0], "leadership = 6"),
        unit("N1", "native", "FG", [29.0, 20.0], "pinned = 1\nmodels = 2"),
        unit("N2", "native", "TI", [60.0, 40.0], "")
    );
    let chosen = best(&activated(&text, "I1"), &mut Whim::new(1, 1));
    assert_eq!(order(&chosen), Some((Order::Attack, Some("N1".into()))), "{chosen:?}");

    let text = format!(
        "{HEAD}{}{}",
        unit("I1", "imperial", "II", [20.0, 20.0], "leadership = 8\nupgrades = [\"Well-armed\"]"),
        unit("N1", "native", "TI", [31.0, 20.0], "upgrades = [\"Fierce\"]")
    );
    let chosen = best(&activated(&text, "I1"), &mut Whim::new(1, 1));
    assert_eq!(order(&chosen), Some((Order::Fire, Some("N1".into()))), "{chosen:?}");
}

#[test]
fn what_the_scenario_pays_for_is_gone_for() {
    // A unit a move from its exit edge in the last round leaves by it.
    let exit = "round = 12\nrounds = 12\n";
    let victory = "[[victory.exit]]\nside = \"imperial\"\nedge = \"east\"\n";
    let units = format!(
        "{}{}",
        unit("I1", "imperial", "TI", [66.0, 24.0], "leadership = 6"),
        unit("N1", "native", "TI", [20.0, 24.0], "")
    );
    let mut battle = activated(&format!("{exit}{HEAD}{units}{victory}"), "I1");
    let (mut dice, mut whim) = (Seeded::new(2), Whim::new(2, 2));
    for _ in 0..2 {
        let action = best(&battle, &mut whim);
        battle.apply(&action, &mut dice, &mut Log::off()).unwrap();
    }
    assert_eq!(battle.facts()["units"]["I1"]["fate"], "exited", "{}", battle.facts()["units"]["I1"]);

    // An empty place that scores is walked to; without it nobody goes there.
    let marker =
        "[[victory.marker]]\nid = \"well\"\nat = [40, 40]\n[victory.markers]\neach_round = 2\nat_end = 4\n";
    let units = format!(
        "{}{}",
        unit("I1", "imperial", "TI", [40.0, 20.0], "leadership = 6"),
        unit("N1", "native", "FG", [4.0, 4.0], "")
    );
    for (victory, wanted) in [(marker, true), ("", false)] {
        let mut battle = activated(&format!("{HEAD}{units}{victory}"), "I1");
        let mut went = false;
        for _ in 0..3 {
            if battle.pending().kind() == "pick_unit" {
                break;
            }
            let action = best(&battle, &mut whim);
            if let Action::Go(go) = &action {
                went = go.path.last().is_some_and(|p| p.y > 24.0);
            }
            battle.apply(&action, &mut Seeded::new(5), &mut Log::off()).unwrap();
        }
        assert_eq!(went, wanted, "with {victory:?}");
    }
}

/// Lets the officer of a unit act: what he declares, and where the unit stands afterwards.
fn acts(text: &str, id: &str, seed: u64) -> (Action, WbkBattle) {
    let mut battle = activated(text, id);
    let (mut dice, mut whim) = (Seeded::new(seed), Whim::new(seed, 2));
    let declared = best(&battle, &mut whim);
    let mut action = declared.clone();
    loop {
        battle.apply(&action, &mut dice, &mut Log::off()).unwrap();
        if battle.pending().kind() == "pick_unit" || battle.seat().is_none() {
            return (declared, battle);
        }
        action = best(&battle, &mut whim);
    }
}

const HOUSE: &str = "[[terrain]]\nid = \"B1\"\nkind = \"building\"\nat = [[30, 20], [38, 20], [38, 26], [30, 26]]\ncapacity = 16\n";

#[test]
fn a_garrison_that_is_paid_to_stay_stays() {
    let victory = "[[victory.garrison]]\nside = \"imperial\"\nbuilding = \"B1\"\neach_round = 1\nat_end = 8\n\
                   [[victory.storm]]\nside = \"native\"\nbuilding = \"B1\"\npoints = 10\n";
    // With nobody near, with spearmen at the door, and with horse in reach of its own charge.
    for (kind, x) in [("TI", 66.0), ("TI", 46.0), ("TC", 42.0)] {
        let text = format!(
            "{HEAD}{HOUSE}{}{}{victory}",
            unit("I1", "imperial", "RI", [34.0, 23.0], "leadership = 5\ngarrison = \"B1\""),
            unit("N1", "native", kind, [x, 23.0], "")
        );
        for seed in 0..4 {
            let (declared, battle) = acts(&text, "I1", seed);
            assert_eq!(battle.facts()["units"]["I1"]["garrison"], "B1", "{kind} at {x}: {declared:?}");
        }
    }
}

#[test]
fn riflemen_behind_a_wall_do_not_leave_it_for_spears() {
    let wall = "[[terrain]]\nid = \"W\"\nkind = \"stone wall\"\nat = [[26, 20], [26, 34]]\n";
    let text = format!(
        "{HEAD}{wall}{}{}{}",
        unit("I1", "imperial", "II", [25.4, 27.0], "leadership = 5\nlayout = \"line\"\nfacing = 90"),
        unit("N1", "native", "TI", [38.0, 27.0], ""),
        unit("N2", "native", "TI", [38.0, 20.0], "")
    );
    for seed in 0..4 {
        let (declared, battle) = acts(&text, "I1", seed);
        let at = &battle.facts()["units"]["I1"]["at"];
        assert!(at[0].as_f64().unwrap() < 26.0 && at[0].as_f64().unwrap() > 23.0, "{declared:?}: {at}");
    }
}

#[test]
fn who_can_leave_by_the_exit_that_scores_goes_there_from_the_start() {
    let victory = "[[victory.exit]]\nside = \"imperial\"\nedge = \"east\"\n\
                   [[victory.lost]]\nside = \"native\"\npoints = \"full\"\n";
    let text = format!(
        "round = 1\nrounds = 8\n{HEAD}{}{}{victory}",
        unit("I1", "imperial", "RI", [30.0, 24.0], "leadership = 6"),
        unit("N1", "native", "TI", [30.0, 44.0], "pinned = 1")
    );
    let (declared, _) = acts(&text, "I1", 1);
    let order = order(&declared).unwrap().0;
    assert!(matches!(order, Order::Move | Order::Double), "{declared:?}");
}

#[test]
fn the_shipped_weights_name_what_is_weighed_and_features_mirror() {
    let standard = WouldBeKings.judgement().unwrap();
    let mut battle = set_up(scenario(MIRRORED), &[]);
    let (mut dice, mut whim) = (Seeded::new(11), Whim::new(11, 1));
    battle.begin(&mut dice, &mut Log::off());
    for _ in 0..150 {
        let Some(_) = battle.seat() else { break };
        let (ours, theirs) = (battle.features(Seat(0)), battle.features(Seat(1)));
        let names: Vec<&str> = ours.iter().map(|f| f.0).collect();
        assert!(names.iter().all(|n| standard.worth.contains_key(*n)) && names.len() == standard.worth.len());
        for ((name, a), (_, b)) in ours.iter().zip(&theirs) {
            assert!(a.is_finite() && (a + b).abs() < 1e-9, "{name}: {a} and {b}");
        }
        let action = best(&battle, &mut whim);
        battle.apply(&action, &mut dice, &mut Log::off()).unwrap();
    }
}

#[test]
fn weights_of_ones_own_change_what_is_done_and_a_wrong_name_is_told_with_its_line() {
    let with = |text: &str| Choices {
        data: [("judgement.toml".to_owned(), text.to_owned())].into_iter().collect(),
        ..Choices::default()
    };
    let source = || Source::new("test.toml", scenario(MIRRORED));
    let fault = WouldBeKings
        .set_up(&source(), &with("[weighs]\nfire = 1.0\nfires = 2.0\n"), Purpose::Scenario)
        .err()
        .unwrap()
        .to_string();
    assert!(fault.contains("judgement.toml") && fault.contains('3') && fault.contains("`fires`"), "{fault}");

    let text = format!(
        "{HEAD}{}{}",
        unit("I1", "imperial", "II", [20.0, 20.0], "leadership = 8\nupgrades = [\"Well-armed\"]"),
        unit("N1", "native", "TI", [31.0, 20.0], "upgrades = [\"Fierce\"]")
    );
    let declared = |choices: &Choices| {
        let source = Source::new("test.toml", text.as_str());
        let mut battle = WouldBeKings.set_up(&source, choices, Purpose::Position).unwrap();
        battle.apply(&Action::Activate("I1".parse().unwrap()), &mut Seeded::new(1), &mut Log::off()).unwrap();
        order(&best(&battle, &mut Whim::new(1, 1))).unwrap().0
    };
    assert_eq!(declared(&Choices::default()), Order::Fire);
    assert_ne!(declared(&with("[weighs]\nfire = 0.0\n")), Order::Fire);
}

#[test]
fn an_answer_says_why() {
    let text = format!(
        "{HEAD}{}{}",
        unit("I1", "imperial", "RC", [20.0, 20.0], "leadership = 6"),
        unit("N1", "native", "FG", [29.0, 20.0], "pinned = 1\nmodels = 2")
    );
    let battle = activated(&text, "I1");
    let chosen = best(&battle, &mut Whim::new(1, 1));
    let why = battle.because(&chosen);
    assert!(why.first().is_some_and(|w| w.why == "the fight it would be" && w.weight > 0.0), "{why:?}");
}
