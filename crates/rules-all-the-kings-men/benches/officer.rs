//! How fast an officer reckons: `cargo bench -p tricorne-rules-all-the-kings-men`.

use divan::{Bencher, black_box};
use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle, Choices, Log, Purpose, Seat, Source, System, Wish};
use tricorne_rules_all_the_kings_men::{Action, AllTheKingsMen, Exchange, Fight, Pool};
use tricorne_table::Point;

fn main() {
    divan::main();
}

/// Twelve green dice against twelve yellow, the volley of the ledger's part 3: the bound is 20 microseconds.
const VOLLEY: Exchange = Exchange { attack: Pool { dice: 12, need: 4 }, defence: Pool { dice: 12, need: 5 } };

#[divan::bench]
fn odds_of_a_volley() -> f64 {
    black_box(VOLLEY).volley_odds(black_box(12)).mean(|&men| f64::from(men))
}

#[divan::bench]
fn odds_of_a_melee() -> f64 {
    black_box(VOLLEY).melee_odds(black_box(12), black_box(12)).chance_of(|l| l[1] > l[0])
}

/// A green line that may fire at a yellow one, from the check of the action to its odds.
#[divan::bench]
fn odds_of_a_fire_action(bencher: Bencher) {
    let text = "active = \"A\"\n[[unit]]\nid = \"A\"\nkind = \"I\"\narmy = \"red\"\nshape = \"L2\"\nat = [36, 18]\nfacing = 0\n\
         [[unit]]\nid = \"B\"\nkind = \"I\"\narmy = \"black\"\nshape = \"L2\"\nat = [36, 29]\nfacing = 180\ncolour = \"yellow\"\n\
         [[seat]]\narmy = \"red\"\ngeneral = [2, 2]\n[[seat]]\narmy = \"black\"\ngeneral = [70, 46]\n";
    let Ok(battle) =
        AllTheKingsMen.set_up(&Source::new("bench.toml", text), &Choices::default(), Purpose::Position)
    else {
        return;
    };
    let Ok(target) = "B".parse() else { return };
    let fire = Action::Fire { target };
    bencher
        .bench(|| battle.casualties(black_box(&fire)).map(|odds| odds.map(|o| o.mean(|l| f64::from(l[1])))));
}

/// Positions of a battle between subalterns on the mirrored field.
fn positions() -> Vec<Fight> {
    let Some(text) = AllTheKingsMen.scenarios().iter().find(|s| s.id == "the-parade-ground") else {
        return Vec::new();
    };
    let source = Source::new("bench.toml", text.text);
    let Ok(mut battle) = AllTheKingsMen.set_up(&source, &Choices::default(), Purpose::Scenario) else {
        return Vec::new();
    };
    let (mut chance, mut whim) = (Seeded::new(1), Whim::new(1, 1));
    battle.begin(&mut chance, &mut Log::off());
    let mut all = Vec::new();
    while battle.seat().is_some() && all.len() < 400 {
        all.push(battle.clone());
        let Some(best) = battle.proposals(8, &mut whim).into_iter().next() else { break };
        if battle.apply(&best.action, &mut chance, &mut Log::off()).is_err() {
            break;
        }
    }
    all
}

/// The mean of each answer over the positions of one battle.
#[divan::bench]
fn a_proposal(bencher: Bencher) {
    let all = positions();
    let mut whim = Whim::new(2, 2);
    let mut i = 0;
    bencher.counter(1_u32).bench_local(|| {
        i = (i + 1) % all.len().max(1);
        all.get(i).map(|b| b.proposals(8, &mut whim).len())
    });
}

#[divan::bench]
fn a_standing(bencher: Bencher) {
    let all = positions();
    let mut i = 0;
    bencher.bench_local(|| {
        i = (i + 1) % all.len().max(1);
        all.get(i).map(|b| b.standing(Seat(0)))
    });
}

/// A unit dragged somewhere, often where it may not go.
#[divan::bench]
fn a_steer(bencher: Bencher) {
    let all: Vec<Fight> = positions().into_iter().filter(|b| b.pending().kind() == "act").collect();
    let mut whim = Whim::new(3, 3);
    let mut i = 0;
    bencher.bench_local(|| {
        i = (i + 1) % all.len().max(1);
        let place = Point::new(whim.between(0.0, 60.0), whim.between(0.0, 44.0));
        let wish = Wish { action: None, unit: None, place, facing: None, by: Vec::new() };
        all.get(i).map(|b| b.steer(&wish))
    });
}

/// A whole battle between subalterns on one core.
#[divan::bench(sample_count = 20)]
fn a_battle_of_subalterns(bencher: Bencher) {
    let Some(text) = AllTheKingsMen.scenarios().iter().find(|s| s.id == "the-parade-ground") else { return };
    let source = Source::new("bench.toml", text.text);
    let Ok(fresh) = AllTheKingsMen.set_up(&source, &Choices::default(), Purpose::Scenario) else { return };
    let mut seed = 0_u64;
    bencher.bench_local(|| {
        seed += 1;
        let mut battle = fresh.clone();
        let (mut chance, mut whim) = (Seeded::new(seed), Whim::new(seed, 1));
        battle.begin(&mut chance, &mut Log::off());
        while battle.seat().is_some() {
            let Some(best) = battle.proposals(8, &mut whim).into_iter().next() else { break };
            if battle.apply(&best.action, &mut chance, &mut Log::off()).is_err() {
                break;
            }
        }
        battle.ending()
    });
}
