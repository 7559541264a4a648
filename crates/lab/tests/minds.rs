//! Judgement learnt, held to battles, tuned; and what programs do. Small counts: what is tested is the way, not the figure.

use std::sync::atomic::AtomicBool;

use tricorne_agents::{Level, Player};
use tricorne_chance::{Seed, Seeded};
use tricorne_game::{AnySystem, Choices, Frailty, Judgement, Log, Source};
use tricorne_lab::{
    Asking, Inquiry, Lesson, NothingToLearn, Rivals, Study, StudyError, Teacher, Tuning, calibrate, conduct,
    costs, learn, moments, regret, rewritten, run,
};

static RUN: AtomicBool = AtomicBool::new(false);

fn lesson(system: &dyn AnySystem, battles: u64) -> Lesson {
    let first = &system.scenarios()[0];
    Lesson {
        ruleset: system.about().id.into(),
        scenarios: vec![Source::new(first.id, first.text)],
        choices: Choices::default(),
        player: Level::Subaltern,
        judgement: None,
        battles,
        moments: 3,
        seed: Seed::from(77),
        replays: 2,
        replay_every: 4,
    }
}

#[test]
fn what_is_learnt_does_not_depend_on_the_number_of_threads() {
    for &system in tricorne_shelf::systems() {
        let lesson = lesson(system, 12);
        let one = moments(&lesson, 1, &RUN, &|| {}).unwrap();
        assert_eq!(moments(&lesson, 3, &RUN, &|| {}).unwrap(), one);
        assert_eq!(one.all.len(), 36, "{}", lesson.ruleset);
        assert_eq!(one.all.iter().filter(|m| m.replayed.is_some()).count(), 3);
        match (system.judgement(), learn(&one)) {
            (None, Err(NothingToLearn::NoFeatures)) => {}
            (Some(judgement), Ok(learnt)) => {
                let names: Vec<&String> = judgement.worth.keys().collect();
                assert_eq!(learnt.worth.keys().collect::<Vec<_>>(), names, "{}", lesson.ruleset);
            }
            (judgement, learnt) => panic!("{}: {judgement:?} {learnt:?}", lesson.ruleset),
        }
        let found = calibrate(&one, lesson.replays);
        assert_eq!((found.positions, found.replayed.unwrap().positions), (36, 3));
        assert!(found.log_loss.present.is_finite() && found.log_loss.first > 0.0);
    }
}

#[test]
fn shipped_weights_are_written_back_as_they_are() {
    for &system in tricorne_shelf::systems() {
        let Some(judgement) = system.judgement() else { continue };
        let text = system.data_files().iter().find(|f| f.0 == "judgement.toml").map(|f| f.1).unwrap();
        let again = rewritten(text, &judgement).unwrap();
        let read = |text: &str| Judgement::read(&Source::new("judgement.toml", text), &judgement).unwrap();
        assert_eq!(read(&again), read(text), "{}", system.about().id);
        let comments = |text: &str| text.lines().filter(|l| l.starts_with('#')).count();
        assert_eq!(comments(&again), comments(text));
    }
}

#[test]
fn every_rulebook_says_how_weak_each_rank_is() {
    for &system in tricorne_shelf::systems() {
        let (id, tables) = (system.about().id, system.judgement().unwrap_or_default().frailty);
        assert_eq!(tables.len(), Frailty::RANKS.len(), "{id}");
        assert!(tables.values().all(|numbers| numbers.len() == 3), "{id}");
        let ranks = Frailty::RANKS.map(|rank| Frailty::of(rank, &tables));
        for two in ranks.windows(2) {
            let (weak, strong) = (two[0], two[1]);
            assert!(weak.second_best > strong.second_best && strong.second_best > 0.0, "{id}");
            assert!(weak.forgets > strong.forgets && strong.forgets > 0.0, "{id}");
            assert!(weak.misjudges > strong.misjudges && strong.misjudges > 0.0, "{id}");
        }
    }
}

/// What recruits of this weakness answer in the first of a battle of the first scenario of a system.
fn of_recruits(system: &dyn AnySystem, weakness: &str, seed: u64) -> Vec<serde_json::Value> {
    let scenario = system.scenarios()[0];
    let mut choices = Choices::default();
    choices.data.insert("judgement.toml".into(), format!("[frailty.recruit]\n{weakness}\n"));
    let (_, mut battle) =
        tricorne_game::ready(system, &Source::new(scenario.id, scenario.text), &choices).unwrap();
    let mut chance = Seeded::new(seed);
    battle.begin(&mut chance, &mut Log::off());
    let mut players: Vec<Player> =
        battle.seats().iter().map(|s| Player::new("recruit".parse().unwrap(), seed.into(), s.seat)).collect();
    let mut told = Vec::new();
    while let Some(seat) = battle.seat().filter(|_| told.len() < 300) {
        let action = players[seat.index()].choose_any(&*battle);
        battle.apply(&action, &mut chance, &mut Log::off()).unwrap();
        told.push(action);
    }
    told
}

#[test]
fn the_weakest_there_can_be_still_plays_in_every_system() {
    for &system in tricorne_shelf::systems() {
        for seed in 0..6 {
            let told = of_recruits(system, "misjudges = 3.0\nforgets = 0.9\nsecond_best = 1.0", seed);
            assert!(told.len() > 10, "{}", system.about().id);
        }
    }
}

#[test]
fn forgotten_groups_stand_where_one_is_asked_after_the_other() {
    let system = tricorne_shelf::system("seven-years-war").unwrap();
    let marches = |forgets: f64| {
        let told =
            of_recruits(system, &format!("second_best = 0.0\nforgets = {forgets}\nmisjudges = 0.0"), 1);
        told.iter().filter(|action| action.get("move").is_some()).count()
    };
    assert!(marches(0.0) > 10, "{}", marches(0.0));
    assert_eq!(marches(1.0), 0);
}

#[test]
fn a_tuning_stopped_and_gone_on_with_comes_to_the_same() {
    let Some(&system) = tricorne_shelf::systems().iter().find(|s| s.judgement().is_some()) else { return };
    let first = &system.scenarios()[0];
    let base = system.judgement().unwrap();
    let tuning = Tuning {
        ruleset: system.about().id.into(),
        scenarios: vec![Source::new(first.id, first.text)],
        choices: Choices::default(),
        moved: base.weighs.keys().map(|name| format!("weighs.{name}")).collect(),
        base,
        player: Level::Subaltern,
        pairs: 2,
        reach: 0.3,
        by: Teacher::Itself,
        seed: Seed::from(5),
    };
    let mut through = tuning.begin();
    for _ in 0..2 {
        tuning.step(&mut through, 2, &RUN).unwrap();
    }
    let mut broken = tuning.begin();
    tuning.step(&mut broken, 1, &RUN).unwrap();
    assert!(matches!(tuning.step(&mut broken, 1, &AtomicBool::new(true)), Err(StudyError::Stopped)));
    let kept = serde_json::to_string(&broken).unwrap();
    let mut again = serde_json::from_str(&kept).unwrap();
    tuning.step(&mut again, 1, &RUN).unwrap();
    assert_eq!(again, through);
    let verdict = tuning.test(&mut again, 2, 1, &RUN).unwrap();
    assert_eq!((again.test.pairs, verdict), (2, tricorne_lab::Verdict::Open));
}

#[test]
fn a_step_by_answers_is_the_same_on_any_number_of_threads_and_moves_only_what_it_may() {
    let (system, scenario) = tricorne_shelf::scenario("all-the-kings-men/the-parade-ground").unwrap();
    let base = system.judgement().unwrap();
    let moved: Vec<String> = base.weighs.keys().take(12).map(|name| format!("weighs.{name}")).collect();
    let tuning = Tuning {
        ruleset: system.about().id.into(),
        scenarios: vec![scenario],
        choices: Choices::default(),
        moved,
        base: base.clone(),
        player: Level::Subaltern,
        pairs: 1,
        reach: 0.3,
        by: Teacher::Answers(Asking { battles: 6, decisions: 3, tries: 2, turns: 0 }),
        seed: Seed::from(5),
    };
    let stepped = |threads| {
        let mut tried = tuning.begin();
        let better = tuning.step(&mut tried, threads, &RUN).unwrap();
        (tried, better)
    };
    assert_eq!(stepped(1), stepped(3));
    let (tried, _) = stepped(1);
    assert_eq!(tried.steps, 1);
    for (name, is) in &tried.weights {
        let was = base.weighs[&name["weighs.".len()..]];
        let factor = is / was;
        assert!(was.abs() < 0.05 || (0.33..=3.01).contains(&factor), "{name}: {was} to {is}");
    }
    let other = Tuning { by: Teacher::Itself, ..tuning.clone() };
    assert_ne!(tuning.digest(), other.digest(), "the one does not go on from the other's state");
    assert!(matches!(tuning.step(&mut tuning.begin(), 1, &AtomicBool::new(true)), Err(StudyError::Stopped)));
}

#[test]
fn a_step_against_others_is_the_same_on_any_number_of_threads_and_mends_what_is_plainly_wrong() {
    let (system, scenario) = tricorne_shelf::scenario("would-be-kings/the-disputed-valley").unwrap();
    let standard = system.judgement().unwrap();
    let mut base = standard.clone();
    // Whoever makes six times too much of the markers runs into every fire on the way there.
    *base.weighs.get_mut("goal").unwrap() *= 6.0;
    let rivals = Rivals { levels: vec![Level::Ensign, Level::Subaltern], battles: 300, held: 60 };
    let tuning = Tuning {
        ruleset: system.about().id.into(),
        scenarios: vec![scenario],
        choices: Choices::default(),
        moved: vec!["weighs.goal".into()],
        base: base.clone(),
        player: Level::Subaltern,
        pairs: 1,
        reach: 0.5,
        by: Teacher::Rivals(rivals),
        seed: Seed::from(5),
    };
    let stepped = |threads| {
        let mut tried = tuning.begin();
        let better = tuning.step(&mut tried, threads, &RUN).unwrap();
        (tried, better)
    };
    let (mut tried, better) = stepped(3);
    assert_eq!(stepped(1), (tried.clone(), better));
    assert!(tried.weights["weighs.goal"] < base.weighs["goal"] && better > 0.0, "{tried:?} {better}");
    tuning.test(&mut tried, 20, 2, &RUN).unwrap();
    assert_eq!(tried.test.pairs, 20);
    assert!(tried.test.sum > 0.0, "{tried:?}");
    let other = Tuning { by: Teacher::Itself, ..tuning.clone() };
    assert_ne!(tuning.digest(), other.digest(), "the one does not go on from the other's state");
    assert!(matches!(tuning.step(&mut tuning.begin(), 1, &AtomicBool::new(true)), Err(StudyError::Stopped)));
}

fn study(players: [Level; 2], battles: u64) -> Study {
    let (system, scenario) = tricorne_shelf::scenario("would-be-kings/crossing-the-veld").unwrap();
    Study {
        ruleset: system.about().id.into(),
        scenario,
        muster: None,
        choices: Choices::default(),
        players,
        battles,
        seed: Seed::from(7),
    }
}

#[test]
fn conduct_is_the_same_on_any_number_of_threads_and_tells_players_apart() {
    let study = study([Level::Subaltern, Level::Random], 6);
    let told = |threads| serde_json::to_value(conduct(&study, threads, &RUN, &|| {}).unwrap()).unwrap();
    assert_eq!(told(1), told(3));
    let seen = conduct(&study, 2, &RUN, &|| {}).unwrap();
    let [officer, anybody] = &seen.players;
    assert_eq!(
        (officer.battles, officer.player.as_str(), anybody.player.as_str()),
        (6, "subaltern", "random")
    );
    for player in &seen.players {
        assert!(
            player.decisions > 50 && player.moves > 10 && player.idle.values().any(|of| of.1 > 0),
            "{player:?}"
        );
        assert!(
            player.passes_looked_into <= player.passes
                && player.passes_with_a_target <= player.passes_looked_into
        );
        assert!(player.moves_of_nothing <= player.moves && player.announced.1 <= player.announced.0);
        assert!(
            player.struck.1 <= player.struck.0 && player.shots_without_effect <= player.shots.values().sum()
        );
        assert!(player.answers.values().all(|t| t.taken <= t.open));
    }
    let fired = |c: &tricorne_lab::Conduct| c.shots.values().sum::<u64>();
    assert!(fired(officer) > 0 && seen.silent_clauses.len() < seen.clauses);
}

#[test]
fn an_officer_beats_a_recruit() {
    let recruit = "recruit".parse().unwrap();
    let study = study([Level::Subaltern, recruit], 30);
    let mut won = 0;
    run(&study, 0, 2, &AtomicBool::new(false), &mut |row| {
        won += u32::from(row.won_by == Some(0));
        Ok(())
    })
    .unwrap();
    assert!(won >= 20, "{won} of 30");
}

#[test]
fn the_best_is_chosen_by_one_half_and_measured_by_the_other() {
    let (system, scenario) = tricorne_shelf::scenario("would-be-kings/the-disputed-valley").unwrap();
    let inquiry = Inquiry {
        study: Study {
            ruleset: system.about().id.into(),
            scenario,
            muster: None,
            choices: Choices::default(),
            players: [Level::Subaltern, Level::Ensign],
            battles: 3,
            seed: Seed::from(5),
        },
        decisions: 4,
        proposals: 3,
        others: 2,
        tries: 4,
        turns: Some(1),
        heeding: None,
        minds: Vec::new(),
    };
    let doubts = regret(&inquiry, 1, &RUN, &|| {}).unwrap();
    assert_eq!(regret(&inquiry, 3, &RUN, &|| {}).unwrap(), doubts, "whatever the number of threads");
    assert!(doubts.iter().any(|d| d.best > 0), "somewhere another answer did better");
    for doubt in &doubts {
        let [chosen, best] = [0, doubt.best].map(|i| &doubt.tried[i]);
        assert!(doubt.tried.iter().all(|t| t.won[0] <= best.won[0]));
        assert_eq!(doubt.lost, best.won[1] - chosen.won[1]);
    }
    let mut pair = [doubts[0].clone(), doubts[0].clone()];
    (pair[0].lost, pair[1].lost) = (0.5, 0.1);
    let [(_, cost)] = &costs(&pair, |_| String::new())[..] else { panic!("one kind") };
    assert!(cost.times == 2 && (cost.lost - 0.3).abs() < 1e-9 && (cost.error - 0.2).abs() < 1e-9, "{cost:?}");
}
