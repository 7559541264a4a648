//! The judgement of programs: proposals are legal and ordered, the standing is fair, and it beats chance.

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle, Choices, Log, Pending, Purpose, Seat, Source, System};
use tricorne_rules_von_futsch::{Action, Battle as Fight, VonFutsch};

fn scenario(id: &str) -> Fight {
    let text = VonFutsch.scenarios().iter().find(|s| s.id == id).map_or("", |s| s.text);
    VonFutsch.set_up(&Source::new(id, text), &Choices::default(), Purpose::Scenario).expect("a scenario")
}

/// The proposal with the most promise, as a subaltern takes it.
fn subaltern(battle: &Fight, whim: &mut Whim) -> Action {
    let mut best: Option<(f64, Action)> = None;
    for p in battle.proposals(48, whim) {
        if best.as_ref().is_none_or(|(most, _)| p.promise > *most) {
            best = Some((p.promise, p.action));
        }
    }
    best.map(|(_, action)| action).expect("a proposal")
}

/// Fights a subaltern against chance; 1 for a win, 0 for a loss, half for a draw.
fn fight(id: &str, seed: u64, seat: Seat) -> f64 {
    let mut battle = scenario(id);
    let (mut chance, mut log) = (Seeded::new(seed), Log::off());
    let mut whims = [Whim::new(seed, 0), Whim::new(seed, 1)];
    battle.begin(&mut chance, &mut log);
    for _ in 0..20_000 {
        let Some(turn) = battle.seat() else { break };
        let whim = &mut whims[usize::from(turn.0)];
        let action = if turn == seat { subaltern(&battle, whim) } else { battle.sample(whim) };
        battle.apply(&action, &mut chance, &mut log).expect("a legal answer");
    }
    let ending = battle.ending().expect("an ending");
    let expected = ending.winner.map_or(0.0, |w| if w.0 == seat.0 { 1.0 } else { -1.0 });
    assert!((battle.standing(seat) - expected).abs() < 1e-9, "the standing knows who won");
    ending.winner.map_or(0.5, |w| if w.0 == seat.0 { 1.0 } else { 0.0 })
}

#[test]
fn a_subaltern_beats_chance() {
    let won: f64 = (0..20).map(|i| fight("the-two-millers", 500 + i, Seat((i % 2) as u8))).sum();
    assert!(won >= 15.0, "{won} of 20");
}

#[test]
fn an_attacker_attacks() {
    // VF-SCEN-12, -13: whoever must take something or bring something through has to try.
    let storm: f64 = (0..4).map(|i| fight("san-pietro", 900 + i, Seat(1))).sum();
    assert!(storm >= 2.0, "San Pietro stormed {storm} times of 4");
    let convoy: f64 = (0..4).map(|i| fight("convoy-to-danzig", 950 + i, Seat(0))).sum();
    assert!(convoy >= 2.0, "the convoy through {convoy} times of 4");
}

#[test]
fn proposals_are_legal_and_the_standing_is_fair() {
    for (scenario, seed) in VonFutsch.scenarios().iter().zip(61..) {
        let file = Source::new(scenario.id, scenario.text);
        let mut battle = VonFutsch.set_up(&file, &Choices::default(), Purpose::Scenario).expect("a scenario");
        let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 2), Log::off());
        battle.begin(&mut chance, &mut log);
        for n in 0..500_usize {
            let Pending::Decision { kind, seat, .. } = battle.pending() else { break };
            let [red, black] = [Seat(0), Seat(1)].map(|s| battle.standing(s));
            assert!((red + black).abs() < 1e-9 && red.abs() < 1.0, "{red} {black}");
            // Nothing is hidden: what a seat imagines is what there is.
            assert_eq!(battle.imagined(seat, &mut whim).hash(), battle.hash());
            let most = 1 + n % 9;
            let proposals = battle.proposals(most, &mut whim);
            assert!(!proposals.is_empty() && proposals.len() <= most, "{kind}");
            assert!(proposals.windows(2).all(|p| p[0].promise >= p[1].promise), "{kind}: not the best first");
            for p in &proposals {
                assert!(p.promise.is_finite() && p.action != Action::Concede, "{kind}: {p:?}");
                battle.check(&p.action).unwrap_or_else(|why| panic!("{kind}: {:?}: {why}", p.action));
            }
            // Half the time a proposal is played, else anything.
            let action = match n % 2 {
                0 => proposals[0].action.clone(),
                _ => battle.sample(&mut whim),
            };
            battle.apply(&action, &mut chance, &mut log).expect("legal");
        }
    }
}
