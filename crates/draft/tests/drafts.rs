//! Every shipped scenario goes through the editor unharmed, and the editor never hides what the loader thinks.

use tricorne_chance::{Seed, Seeded, Whim};
use tricorne_draft::{Draft, DraftError, Edit};
use tricorne_game::drafting::Drafting;
use tricorne_game::{AnySystem, Choices, Purpose, Source};
use tricorne_shelf::systems;
use tricorne_table::Point;

fn drawn() -> impl Iterator<Item = (&'static dyn AnySystem, Drafting)> {
    systems().iter().filter_map(|system| Some((*system, system.drafting()?)))
}

#[test]
fn what_is_not_touched_is_byte_equal() {
    let mut seen = 0;
    for (system, _) in drawn() {
        for scenario in system.scenarios() {
            let draft = Draft::open(system, scenario.text).unwrap();
            assert_eq!(draft.text(), scenario.text, "{}", scenario.id);
            assert_eq!(draft.fault(system), None, "{}", scenario.id);
            seen += 1;
        }
    }
    assert!(seen >= systems().len(), "every system can be drawn");
}

#[test]
fn a_move_changes_its_own_lines_only() {
    for (system, _) in drawn() {
        for scenario in system.scenarios() {
            let draft = Draft::open(system, scenario.text).unwrap();
            let Some(first) = draft.placed().into_iter().next() else { continue };
            let mut moved = draft.clone();
            let at = Point { x: first.at.x + 0.25, y: first.at.y };
            let edit = Edit::Move { array: first.array.clone(), nth: first.nth, at: Some(at), facing: None };
            moved.make(&edit).unwrap();
            let text = moved.text();
            let changed = text.lines().zip(scenario.text.lines()).filter(|(new, old)| new != old).count();
            assert_eq!(
                (changed, text.lines().count()),
                (1, scenario.text.lines().count()),
                "{}",
                scenario.id
            );
            let back = Edit::Move { array: first.array, nth: first.nth, at: Some(first.at), facing: None };
            moved.make(&back).unwrap();
            assert_eq!(moved.placed(), draft.placed(), "{}", scenario.id);
        }
    }
}

#[test]
fn a_refused_edit_changes_nothing_and_says_what_there_is() {
    for (system, _) in drawn() {
        let mut draft = Draft::open(system, system.scenarios()[0].text).unwrap();
        let before = draft.text();
        let corner = Point { x: 1.0, y: 1.0 };
        let edits = [
            Edit::Lay { kind: "volcano".into(), points: vec![corner; 4] },
            Edit::Lift { piece: 999 },
            Edit::Place { troop: "elephants".into(), side: "x".into(), at: corner, facing: None },
            Edit::Remove { array: "format".into(), nth: 0 },
            Edit::Set { path: String::new(), value: Some("1".into()) },
            Edit::Set { path: "title".into(), value: Some("not TOML at all".into()) },
            Edit::Reground { terrain: "[[terrain".into() },
        ];
        for edit in edits {
            assert!(draft.make(&edit).is_err(), "{edit:?}");
            assert_eq!(draft.text(), before);
        }
        let why = draft.make(&Edit::Lay { kind: "volcano".into(), points: vec![corner; 4] }).unwrap_err();
        assert!(matches!(&why, DraftError::Unknown { known, .. } if !known.is_empty()), "{why}");
    }
}

#[test]
fn the_blank_can_be_read_and_says_what_it_wants() {
    for (system, _) in drawn() {
        let draft = Draft::blank(system).unwrap();
        if let Some(fault) = draft.fault(system) {
            assert!(!fault.problem.is_empty());
        }
    }
}

fn random_edit(draft: &Draft, drafting: &Drafting, whim: &mut Whim) -> Edit {
    let place = |whim: &mut Whim| Point { x: whim.between(-5.0, 80.0), y: whim.between(-5.0, 60.0) };
    let ground = draft.ground();
    let placed = draft.placed();
    match whim.below(9) {
        0 => {
            let kind = whim.one_of(&drafting.grounds).unwrap();
            let middle = place(whim);
            let (w, h) = (whim.between(1.0, 9.0), whim.between(1.0, 9.0));
            let points = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)];
            let points = points.map(|(x, y)| Point { x: middle.x + x, y: middle.y + y }).to_vec();
            Edit::Lay { kind: kind.kind.clone(), points }
        }
        1 if !ground.is_empty() => {
            Edit::Shift { piece: whim.below(ground.len()), by: Point { x: 1.25, y: -0.5 } }
        }
        2 if !ground.is_empty() => {
            let piece = whim.below(ground.len());
            let mut points = ground[piece].clone().unwrap_or_default();
            if let Some(corner) = points.first_mut() {
                *corner = place(whim);
            }
            Edit::Reshape { piece, points }
        }
        3 if !ground.is_empty() => Edit::Lift { piece: whim.below(ground.len()) },
        4 | 5 => {
            let troop = whim.one_of(&drafting.troops).unwrap();
            let side = whim.one_of(&drafting.sides).unwrap();
            let facing = Some(whim.between(0.0, 360.0));
            Edit::Place { troop: troop.id.clone(), side: side.id.clone(), at: place(whim), facing }
        }
        6 | 7 if !placed.is_empty() => {
            let one = whim.one_of(&placed).unwrap();
            Edit::Move { array: one.array.clone(), nth: one.nth, at: Some(place(whim)), facing: None }
        }
        8 if !placed.is_empty() => {
            let one = whim.one_of(&placed).unwrap();
            Edit::Remove { array: one.array.clone(), nth: one.nth }
        }
        _ => Edit::Set { path: "title".into(), value: Some("\"A field of my own\"".into()) },
    }
}

/// What the editor says of a draft is what the loader says of the saved file, after each of a thousand edits; and
/// what was saved opens again unchanged.
#[test]
fn a_thousand_edits_hide_nothing() {
    for (n, (system, drafting)) in drawn().enumerate() {
        let mut whim = Whim::new(Seed::from(1733), n as u64);
        let mut draft = Draft::open(system, system.scenarios()[0].text).unwrap();
        let (mut made, mut playable) = (0, 0);
        for step in 0..1000 {
            if step % 50 == 0 {
                let shipped = system.scenarios();
                draft = Draft::open(system, shipped[step / 50 % shipped.len()].text).unwrap();
            }
            let before = draft.text();
            let edit = random_edit(&draft, &drafting, &mut whim);
            if draft.make(&edit).is_err() {
                assert_eq!(draft.text(), before, "{edit:?}");
                continue;
            }
            made += 1;
            let saved = draft.text();
            assert_eq!(Draft::open(system, &saved).unwrap().text(), saved, "{edit:?}");
            let file = Source::new("saved", saved);
            let loaded = system.set_up(&file, &Choices::default(), Purpose::Scenario).err();
            playable += usize::from(loaded.is_none());
            assert_eq!(draft.fault(system).map(|f| f.problem), loaded.map(|f| f.problem), "{edit:?}");
        }
        assert!(made > 800, "{}: {made} edits were made", system.about().id);
        assert!(playable > 20, "{}: {playable} drafts could be played", system.about().id);
    }
}

#[test]
fn random_ground_is_taken_in() {
    for (system, _) in drawn() {
        let Some(terrain) = system.random_terrain(&mut Seeded::new(Seed::from(7))) else { continue };
        let mut draft = Draft::blank(system).unwrap();
        draft.make(&Edit::Reground { terrain: terrain.clone() }).unwrap();
        let pieces = draft.ground().len();
        assert!(pieces > 0, "{}: {terrain}", system.about().id);
        draft.make(&Edit::Reground { terrain }).unwrap();
        assert_eq!(draft.ground().len(), pieces, "ground is replaced, not added");
    }
}
