//! A subaltern's judgement: it beats chance, proposes only what is legal, and knows how a battle stands.

use std::collections::BTreeMap;

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle, Choices, Log, Purpose, Seat, Side, Source, System};
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
