//! What programs judge by: the odds, the standing, the proposals, and that nothing secret is in them.

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle as _, Choices, Log, Purpose, Seat, Source, System};
use tricorne_table::Edge;

use crate::action::FlankAnswer;
use crate::judgement::odds::two_dice;
use crate::model::state::Presence;
use crate::{Action, Battle, SevenYearsWar};

fn begun(text: &str, seed: u64) -> (Battle, Seeded) {
    let mut battle = SevenYearsWar
        .set_up(&Source::new("field.toml", text), &Choices::default(), Purpose::Scenario)
        .unwrap_or_else(|fault| panic!("{fault}"));
    let mut chance = Seeded::new(seed);
    battle.begin(&mut chance, &mut Log::off());
    (battle, chance)
}

fn text(id: &str) -> &'static str {
    SevenYearsWar.scenarios().iter().find(|s| s.id == id).map_or("", |s| s.text)
}

fn best(battle: &Battle, whim: &mut Whim) -> Action {
    battle.proposals(48, whim).swap_remove(0).action
}

/// Plays a battle out, the seats with `judges` by judgement and the others at random.
fn fought(id: &str, seed: u64, judges: [bool; 2]) -> Option<usize> {
    let (mut battle, mut chance) = begun(text(id), seed);
    let mut whims = [Whim::new(seed, 0), Whim::new(seed, 1)];
    while let Some(seat) = battle.seat() {
        let k = usize::from(seat.0);
        let action = if judges[k] { best(&battle, &mut whims[k]) } else { battle.sample(&mut whims[k]) };
        battle.apply(&action, &mut chance, &mut Log::off()).unwrap_or_else(|e| panic!("{action:?}: {e}"));
    }
    battle.ending().and_then(|e| e.winner).map(tricorne_game::Side::index)
}

#[test]
fn judgement_beats_chance() {
    let mut won = 0;
    for seed in 0..20 {
        let judge = (seed % 2) as usize;
        if fought("manoeuvres-at-spandau", seed, [judge == 0, judge == 1]) == Some(judge) {
            won += 1;
        }
    }
    assert!(won >= 15, "{won} of 20");
}

#[test]
fn whoever_is_charged_in_flank_tries_to_turn() {
    // SYW-FLANK-11: without an attempt the whole group runs, and no fight is as bad as that. Where nobody is free to turn
    // there is no other answer.
    let mut asked = 0;
    for seed in 0..8 {
        let (mut battle, mut chance) = begun(text("manoeuvres-at-spandau"), seed);
        let mut whim = Whim::new(seed, 0);
        while battle.seat().is_some() {
            let mut proposals = battle.proposals(48, &mut whim);
            let others = proposals.len() > 1;
            let action = proposals.swap_remove(0).action;
            if let Action::Answer(answer) = &action {
                asked += 1;
                assert!(!(others && matches!(answer, FlankAnswer::None)), "seed {seed}");
            }
            battle.apply(&action, &mut chance, &mut Log::off()).unwrap_or_else(|e| panic!("{action:?}: {e}"));
        }
    }
    assert!(asked > 4, "{asked} charges in flank or rear");
}

#[test]
fn every_proposal_is_legal_in_every_scenario() {
    for (k, scenario) in SevenYearsWar.scenarios().iter().enumerate() {
        let (mut battle, mut chance) = begun(scenario.text, 3 + k as u64);
        let mut whim = Whim::new(5, 0);
        for n in 0..250 {
            if battle.ending().is_some() {
                break;
            }
            let proposals = battle.proposals(12, &mut whim);
            assert!(!proposals.is_empty() && proposals.len() <= 12);
            for p in &proposals {
                assert_eq!(battle.check(&p.action), Ok(()), "{:?}", p.action);
                assert!((0.0..=1.0).contains(&p.promise));
                assert_ne!(p.action, Action::Concede);
            }
            assert!(proposals.windows(2).all(|w| w[0].promise >= w[1].promise));
            // Half by judgement, half by chance, so that odd positions come up too.
            let action = if n % 2 == 0 { proposals[0].action.clone() } else { battle.sample(&mut whim) };
            battle.apply(&action, &mut chance, &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

#[test]
fn a_battle_stands_level_at_first_and_whole_at_the_end() {
    let (battle, _) = begun(text("manoeuvres-at-spandau"), 1);
    let (a, b) = (battle.standing(Seat(0)), battle.standing(Seat(1)));
    assert!(a.abs() < 0.05 && (a + b).abs() < 1e-9, "{a} {b}");
    let mut over = battle.clone();
    let loser = over.seat().unwrap_or(Seat(0));
    over.apply(&Action::Concede, &mut Seeded::new(1), &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
    assert!((over.standing(loser) + 1.0).abs() < 1e-9);
    // Stands lost weigh.
    let mut worse = battle.clone();
    for u in 0..3 {
        worse.s.units[u].stands.clear();
    }
    assert!(worse.standing(Seat(0)) < battle.standing(Seat(0)) - 0.05);
}

#[test]
fn two_dice_are_two_dice() {
    assert!((two_dice(2) - 1.0).abs() < 1e-9);
    assert!((two_dice(7) - 21.0 / 36.0).abs() < 1e-9);
    assert!((two_dice(12) - 1.0 / 36.0).abs() < 1e-9);
    assert!(two_dice(13).abs() < 1e-9);
}

#[test]
fn what_a_seat_sees_is_as_it_was_in_what_it_imagines() {
    let (mut battle, mut chance) = begun(text("the-redoubt-at-kagul-brook"), 9);
    let mut whim = Whim::new(9, 2);
    let mut edges = std::collections::BTreeSet::new();
    for _ in 0..120 {
        if battle.ending().is_some() {
            break;
        }
        for seat in [Seat(0), Seat(1)] {
            let imagined = battle.imagined(seat, &mut whim);
            assert_eq!(battle.view(Some(seat)), imagined.view(Some(seat)));
            assert!(imagined.broken_invariants().is_empty());
            for g in imagined.s.groups.iter().filter(|g| g.side.0 != seat.0) {
                edges.extend(g.off.filter(|o| o.march).map(|o| format!("{:?}", o.edge)));
            }
        }
        let action = battle.sample(&mut whim);
        battle.apply(&action, &mut chance, &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
    }
    assert!(!edges.is_empty());
}

/// Side a moves; side b has a battalion hidden in a wood (SYW-HIDE-01).
const LAIR: &str = r#"
now = { turn = 2, side = "a", step = "movement" }
terrain = [
  { id = "W1", kind = "wood", rect = [60, 56, 92, 84] },
  { id = "W2", kind = "wood", rect = [92, 60, 112, 84] },
]
generals = [
  { id = "GA", side = "a", at = [90, 20], counter = "An+" },
  { id = "GB", side = "b", at = [50, 110], facing = 180, counter = "An+" },
]
units = [
  { id = "a1", side = "a", kind = "MI", at = [76, 40], facing = 0, order = "advance", command = "GA" },
  { id = "a2", side = "a", kind = "MC", at = [104, 42], facing = 0, order = "advance", command = "GA" },
  { id = "b1", side = "b", kind = "MI", at = [40, 92], facing = 180, order = "stand", command = "GB" },
  { id = "h1", side = "b", kind = "MI", stands = 4, at = [76, 70], facing = 180, hidden = true, terrain = "W1", command = "GB" },
]
"#;

#[test]
fn a_program_can_not_tell_where_an_enemy_is_hidden() {
    let file = Source::new("lair.toml", LAIR);
    let mut battle = SevenYearsWar
        .set_up(&file, &Choices::default(), Purpose::Position)
        .unwrap_or_else(|fault| panic!("{fault}"));
    battle.begin(&mut Seeded::new(1), &mut Log::off());
    let seat = Seat(0);
    assert_eq!(battle.seat(), Some(seat));
    let lies = |b: &Battle| {
        let unit = b.s.units.iter().find(|u| u.id.as_str() == "h1");
        unit.map(|u| format!("{:?}", u.at)).unwrap_or_default()
    };
    let mut places = std::collections::BTreeSet::new();
    let mut whim = Whim::new(4, 4);
    let weighed = battle.proposals(24, &mut Whim::new(1, 1));
    for _ in 0..30 {
        let imagined = battle.imagined(seat, &mut whim);
        assert_eq!(battle.view(Some(seat)), imagined.view(Some(seat)));
        assert_eq!(weighed, imagined.proposals(24, &mut Whim::new(1, 1)));
        places.insert(lies(&imagined));
        // Its own side knows where it lies.
        assert_eq!(lies(&battle), lies(&battle.imagined(Seat(1), &mut whim)));
    }
    assert!(places.len() > 10, "{places:?}");
}

#[test]
fn a_program_can_not_tell_who_hides_from_who_marches() {
    let file = Source::new("lair.toml", LAIR);
    let mut hides = SevenYearsWar
        .set_up(&file, &Choices::default(), Purpose::Position)
        .unwrap_or_else(|fault| panic!("{fault}"));
    hides.begin(&mut Seeded::new(1), &mut Log::off());
    let role = |b: &Battle| {
        let unit = b.s.units.iter().find(|u| u.id.as_str() == "h1").expect("it is there");
        let edge = b.group(unit.group).off.map(|off| off.edge);
        (unit.presence, edge, edge.is_none().then_some(unit.at))
    };
    // Without a flank march to be won, who is away lies hidden.
    for n in 0..20 {
        assert_eq!(role(&hides.imagined(Seat(0), &mut Whim::new(4, n))).0, Presence::Hidden);
    }
    hides.s.armies[1].may_march = true;
    let mut marches = hides.clone();
    let group = hides.s.units.iter().find(|u| u.id.as_str() == "h1").expect("it is there").group;
    marches.send_marching(group, Edge::West, &mut Log::off());
    let mut seen = std::collections::BTreeSet::new();
    for n in 0..60 {
        let whim = || Whim::new(4, n);
        let [one, other] = [&hides, &marches].map(|b| b.imagined(Seat(0), &mut whim()));
        assert_eq!(role(&one), role(&other), "the same thoughts, whatever is true");
        for (true_one, imagined) in [(&hides, &one), (&marches, &other)] {
            assert_eq!(true_one.view(Some(Seat(0))), imagined.view(Some(Seat(0))));
            assert_eq!(imagined.broken_invariants(), Vec::<String>::new());
        }
        seen.insert(format!("{:?}", (role(&one).0, role(&one).1)));
    }
    assert_eq!(seen.len(), 3, "hidden, or round either flank: {seen:?}");
}
