//! One deck of 28 cards that holds each card once (ATKM-TURN-03, ATKM-TURN-04, ATKM-TURN-14).

use std::collections::BTreeMap;

use tricorne_chance::Seeded;
use tricorne_game::{Battle, Choices, Legal, Log, Purpose, Source, System};
use tricorne_rules_all_the_kings_men::{Action, AllTheKingsMen};

const TURNS: usize = 10_000;

#[test]
fn every_card_comes_once_a_turn_for_ten_thousand_turns() {
    let mut text = format!("[options]\nturn_limit = {TURNS}\n");
    for i in 0..3 {
        let x = 10 + 12 * i;
        text += &format!("[[unit]]\nid = \"R{i}\"\nkind = \"I\"\narmy = \"red\"\nat = [{x}, 10]\n");
        text += &format!("[[unit]]\nid = \"B{i}\"\nkind = \"I\"\narmy = \"black\"\nat = [{x}, 40]\n");
    }
    text += "[[seat]]\narmy = \"red\"\ngeneral = [60, 5]\n[[seat]]\narmy = \"black\"\ngeneral = [60, 43]\n";
    let source = Source::new("deck.toml", text);
    let mut battle = AllTheKingsMen
        .set_up(&source, &Choices::default(), Purpose::Scenario)
        .unwrap_or_else(|f| panic!("{f}"));
    let (mut chance, mut log) = (Seeded::new(28), Log::on());
    battle.begin(&mut chance, &mut log);
    let mut first: BTreeMap<String, u32> = BTreeMap::new();
    let mut total: BTreeMap<String, u32> = BTreeMap::new();
    let mut turn: Vec<String> = Vec::new();
    let mut turns = 0;
    loop {
        for event in log.take() {
            match event.what.as_str() {
                "card" => turn.push(event.data["card"].as_str().unwrap_or_default().to_owned()),
                "turn_end" => {
                    turns += 1;
                    *first.entry(turn[0].clone()).or_default() += 1;
                    assert_eq!(turn.len(), 28, "turn {turns}");
                    for card in turn.drain(..) {
                        *total.entry(card).or_default() += 1;
                    }
                }
                _ => {}
            }
        }
        if battle.ending().is_some() {
            break;
        }
        let Legal { listed, .. } = battle.legal();
        let quiet = |a: &&Action| matches!(a, Action::Pass | Action::Stay | Action::Disorder { .. });
        let action = listed.iter().find(quiet).cloned().unwrap_or(Action::Concede);
        battle.apply(&action, &mut chance, &mut log).unwrap_or_else(|e| panic!("{e}"));
    }
    assert_eq!(turns, TURNS);
    assert_eq!(total.len(), 28);
    assert!(total.values().all(|&n| n as usize == TURNS), "{total:?}");
    // Each card is first about once in 28 turns: 357, give or take five standard deviations.
    assert!(first.values().all(|&n| (264..=450).contains(&n)), "{first:?}");
}
