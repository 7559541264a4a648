//! Every shipped scenario goes through the editor unharmed, and the editor never hides what the loader thinks.

use tricorne_chance::{Seed, Seeded, Whim};
use tricorne_draft::{Draft, DraftError, Edit};
use tricorne_game::drafting::{Belongs, Drafting, Extent, FieldForm};
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

/// What is placed by a click has all that the file wants of any of its kind: no fault is of the form, whatever else it may say.
#[test]
fn whoever_is_placed_can_be_read() {
    for (system, drafting) in drawn() {
        let scenario = &system.scenarios()[0];
        for troop in &drafting.troops {
            for side in Draft::open(system, scenario.text).unwrap().sides() {
                if !troop.sides.is_empty() && !troop.sides.contains(&side.id) {
                    continue;
                }
                let mut draft = Draft::open(system, scenario.text).unwrap();
                let at = Point { x: 3.0, y: 3.0 };
                draft
                    .make(&Edit::Place { troop: troop.id.clone(), side: side.id, at, facing: Some(0.0) })
                    .unwrap();
                let said = draft.fault(system).map(|f| f.problem).unwrap_or_default();
                assert!(!said.contains("missing field"), "{}: {}: {said}", scenario.id, troop.name);
            }
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

/// Every operation of the editor, by chance; the name of it for counting.
fn random_edit(draft: &Draft, drafting: &Drafting, whim: &mut Whim) -> Edit {
    let (width, depth) = draft.table();
    let place = |whim: &mut Whim| Point {
        x: whim.between(-0.05 * width, 1.05 * width),
        y: whim.between(-0.05 * depth, 1.05 * depth),
    };
    let some = |whim: &mut Whim, n: usize| (0..n).map(|_| place(whim)).collect::<Vec<Point>>();
    let (ground, placed, features, absent) =
        (draft.ground(), draft.placed(), draft.features(), draft.absent());
    match whim.below(15) {
        0 => {
            let kind = whim.one_of(&drafting.grounds).unwrap();
            let middle = place(whim);
            let (w, h) = (whim.between(1.0, 9.0), whim.between(1.0, 9.0));
            let points = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)];
            let points = points.map(|(x, y)| Point { x: middle.x + x, y: middle.y + y }).to_vec();
            Edit::Lay { kind: kind.id.clone(), points }
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
            let sides = draft.sides();
            let side = whim.one_of(&sides).unwrap();
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
        9 | 10 => {
            let kind = whim.one_of(&drafting.features).unwrap();
            let count = 1 + whim.below(4);
            Edit::Mark { feature: kind.id.clone(), points: some(whim, count) }
        }
        11 | 12 if !features.is_empty() => {
            let one = whim.one_of(&features).unwrap();
            let (by, whole) = (place(whim), whim.below(2) == 0);
            let mut points = one.handles.clone();
            for point in points.iter_mut().take(if whole { usize::MAX } else { 1 }) {
                *point = Point { x: point.x + by.x * 0.1, y: point.y + by.y * 0.1 };
            }
            Edit::Redraw { feature: one.kind.clone(), path: one.path.clone(), points }
        }
        13 if !features.is_empty() => {
            let one = whim.one_of(&features).unwrap();
            Edit::Erase { feature: one.kind.clone(), path: one.path.clone() }
        }
        14 if !absent.is_empty() => {
            let one = whim.one_of(&absent).unwrap();
            Edit::Move { array: one.array.clone(), nth: one.nth, at: Some(place(whim)), facing: None }
        }
        _ => random_set(draft, drafting, whim),
    }
}

/// A field of the scenario, or of one entry of an array, set to something of its form or taken away.
fn random_set(draft: &Draft, drafting: &Drafting, whim: &mut Whim) -> Edit {
    let field = whim.one_of(&drafting.fields).unwrap();
    let nth = whim.below(3);
    let value = match &field.form {
        FieldForm::Text => "\"A field of my own\"".to_owned(),
        FieldForm::Whole(low, high) => {
            (low + whim.below((high - low).min(20) as usize + 1) as i64).to_string()
        }
        FieldForm::Number(low, high) => format!("{:.1}", whim.between(*low, *high)),
        FieldForm::Switch => (whim.below(2) == 0).to_string(),
        FieldForm::OneOf(words) => {
            let word = whim.one_of(words).cloned().unwrap_or_default();
            if word.parse::<f64>().is_ok() { word } else { format!("{word:?}") }
        }
        FieldForm::Named(array) => {
            let ids: Vec<String> = draft.values()[array]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|entry| entry["id"].as_str().map(str::to_owned))
                .collect();
            format!("{:?}", whim.one_of(&ids).cloned().unwrap_or_default())
        }
    };
    let value = (whim.below(8) > 0).then_some(value);
    Edit::Set { path: field.path.replace('*', &nth.to_string()), value }
}

/// What an edit is called.
fn name(edit: &Edit) -> String {
    serde_json::to_value(edit).unwrap()["do"].as_str().unwrap().to_owned()
}

/// What the editor says of a draft is what the loader says of the saved file, after each of a thousand edits over every
/// shipped file of every system; what was saved opens again unchanged; and no operation is left out.
#[test]
fn a_thousand_edits_hide_nothing() {
    for (n, (system, drafting)) in drawn().enumerate() {
        let id = system.about().id;
        let mut whim = Whim::new(Seed::from(1733), n as u64);
        let shipped = system.scenarios();
        let mut draft = Draft::open(system, shipped[0].text).unwrap();
        let (mut made, mut playable) = (std::collections::BTreeMap::<String, u32>::new(), 0);
        // Few enough edits in a row that most drafts can still be played.
        for step in 0..1000 {
            if step % 8 == 0 {
                draft = Draft::open(system, shipped[step / 8 % shipped.len()].text).unwrap();
            }
            let before = draft.text();
            let edit = random_edit(&draft, &drafting, &mut whim);
            if draft.make(&edit).is_err() {
                assert_eq!(draft.text(), before, "{id}: {edit:?}");
                continue;
            }
            *made.entry(name(&edit)).or_default() += 1;
            let saved = draft.text();
            let again =
                Draft::open(system, &saved).unwrap_or_else(|why| panic!("{id}: {edit:?}: {why}\n{saved}"));
            assert_eq!(again.text(), saved, "{id}: {edit:?}");
            assert_eq!(again.features(), draft.features(), "{id}: {edit:?}");
            let file = Source::new("saved", saved);
            let loaded = tricorne_game::ready(system, &file, &Choices::default()).err();
            playable += usize::from(loaded.is_none());
            assert_eq!(draft.fault(system).map(|f| f.problem), loaded.map(|f| f.problem), "{id}: {edit:?}");
        }
        let total: u32 = made.values().sum();
        assert!(total > 700, "{id}: {made:?}");
        assert!(playable > 100, "{id}: {playable} drafts could be played");
        for operation in
            ["lay", "reshape", "shift", "lift", "place", "move", "remove", "mark", "redraw", "erase", "set"]
        {
            assert!(made.get(operation).is_some_and(|n| *n >= 5), "{id}: {operation}: {made:?}");
        }
    }
}

/// Whatever has a place in a shipped file is on the editor's table, and goes back to where it was.
#[test]
fn features_are_found_moved_and_put_back() {
    for (system, drafting) in drawn() {
        let id = system.about().id;
        let mut kinds = std::collections::BTreeSet::new();
        for scenario in system.scenarios() {
            let draft = Draft::open(system, scenario.text).unwrap();
            for feature in draft.features() {
                let kind = drafting.features.iter().find(|k| k.id == feature.kind).unwrap();
                kinds.insert(kind.id.clone());
                if feature.handles.is_empty() {
                    continue;
                }
                // Where it is already: not a byte changes.
                let mut same = draft.clone();
                let stay = Edit::Redraw {
                    feature: feature.kind.clone(),
                    path: feature.path.clone(),
                    points: feature.handles.clone(),
                };
                same.make(&stay).unwrap();
                let whole_edge = matches!(kind.extent, Extent::Stretch(..)) && same.text() != draft.text();
                if !whole_edge {
                    assert_eq!(same.text(), draft.text(), "{}: {}", scenario.id, feature.path);
                }
                assert_eq!(same.fault(system), None, "{}: {}", scenario.id, feature.path);
                // Taken away, it is gone.
                if kind.belongs != Belongs::Other {
                    let mut gone = draft.clone();
                    let erase = Edit::Erase { feature: feature.kind.clone(), path: feature.path.clone() };
                    gone.make(&erase).unwrap();
                    assert!(
                        gone.features().len() < draft.features().len(),
                        "{}: {}",
                        scenario.id,
                        feature.path
                    );
                }
            }
        }
        assert!(!kinds.is_empty(), "{id}: no feature was found in any shipped file");
    }
}

/// Every kind of feature can be put on a table, is found there where it was put, and the clauses of all that is offered
/// are in the rulebook.
#[test]
fn every_kind_of_feature_can_be_added() {
    for (system, drafting) in drawn() {
        let id = system.about().id;
        for kind in drafting.features.iter().filter(|k| k.belongs != Belongs::Other) {
            let (width, depth) = Draft::blank(system).unwrap().table();
            let at = |x: f64, y: f64| Point { x: (width * x).round(), y: (depth * y).round() };
            let mut draft = Draft::blank(system).unwrap();
            // Something to stand on: a hill, or a house where one is asked for.
            let wanted = if kind.path.contains("victory") { "building" } else { "hill" };
            let ground = drafting.grounds.iter().find(|g| g.kind == wanted).unwrap();
            let corners = vec![at(0.4, 0.4), at(0.6, 0.4), at(0.6, 0.6), at(0.4, 0.6)];
            draft.make(&Edit::Lay { kind: ground.id.clone(), points: corners }).unwrap();
            let points = match &kind.extent {
                Extent::Nowhere => vec![],
                Extent::Area(_) => vec![at(0.3, 0.3), at(0.7, 0.3), at(0.5, 0.7)],
                Extent::Line(_) => vec![at(0.45, 0.5), at(0.55, 0.5)],
                Extent::Corners(_) => vec![at(0.1, 0.1), at(0.9, 0.3)],
                Extent::Stretch(..) => vec![at(0.2, 0.99), at(0.7, 0.99)],
                Extent::Strip(..) => vec![at(0.5, 0.2)],
                _ => vec![at(0.5, 0.5)],
            };
            let before = draft.features().len();
            let text = draft.text();
            draft
                .make(&Edit::Mark { feature: kind.id.clone(), points: points.clone() })
                .unwrap_or_else(|why| panic!("{id}: {}: {why}", kind.id));
            let made: Vec<_> = draft.features().into_iter().filter(|f| f.kind == kind.id).collect();
            assert_ne!(draft.text(), text, "{id}: {}", kind.id);
            assert!(!made.is_empty(), "{id}: {} is not found again in\n{}", kind.id, draft.text());
            assert!(draft.features().len() >= before, "{id}: {}", kind.id);
            if kind.extent != Extent::Nowhere {
                assert!(made.iter().any(|f| !f.handles.is_empty()), "{id}: {} has no handle", kind.id);
            }
            // The loader reads every key of it, whatever else it may say against an empty table.
            let fault = draft.fault(system).map(|f| f.problem).unwrap_or_default();
            assert!(
                !fault.contains("unknown field") && !fault.contains("missing field"),
                "{id}: {}: {fault}",
                kind.id
            );
        }
        let cited = drafting.features.iter().filter_map(|k| k.clause.as_ref());
        for clause in cited.chain(drafting.fields.iter().filter_map(|f| f.clause.as_ref())) {
            assert!(system.book().clause(clause).is_some(), "{id} cites {clause}");
        }
    }
}

/// Ground for tables of other sizes stays on them, and what can't be is told with what can.
#[test]
fn random_ground_of_any_table() {
    for (system, drafting) in drawn() {
        let id = system.about().id;
        let blank = Draft::blank(system).unwrap();
        let (width, depth) = blank.table();
        for (n, scale) in [0.7, 1.0, 1.4, 2.0].into_iter().enumerate() {
            let table = [(width * scale).round(), (depth * if n == 0 { 1.0 } else { scale }).round()];
            for seed in 0..12 {
                let terrain = system.random_terrain(Some(table), &mut Seeded::new(Seed::from(seed)));
                let terrain = terrain.unwrap_or_else(|why| panic!("{id}: {table:?}: {why}"));
                let file = Source::new("ground", format!("{}{terrain}", drafting.table(table)));
                let read = system.set_up(&file, &Choices::default(), Purpose::Position);
                assert!(
                    read.is_ok(),
                    "{id}: {table:?}, seed {seed}: {:?}\n{terrain}",
                    read.err().map(|f| f.problem)
                );
                let mut draft = blank.clone();
                let keys = if blank.text().contains("table = [") {
                    ["table.0", "table.1"]
                } else {
                    ["table.width", "table.height"]
                };
                for (key, side) in keys.iter().zip(table) {
                    draft.make(&Edit::Set { path: (*key).into(), value: Some(format!("{side}")) }).unwrap();
                }
                assert_eq!(draft.table(), (table[0], table[1]));
                draft.make(&Edit::Reground { terrain: terrain.clone() }).unwrap();
                assert!(draft.view(system).is_ok(), "{id}: ground is drawn before anybody stands on it");
                for point in draft.ground().into_iter().flatten().flatten() {
                    let on = |v: f64, most: f64| (-0.01..=most + 0.01).contains(&v);
                    assert!(
                        on(point.x, table[0]) && on(point.y, table[1]),
                        "{id}: {table:?}: {point:?}\n{terrain}"
                    );
                }
            }
        }
        let why = system.random_terrain(Some([9.0, 9.0]), &mut Seeded::new(Seed::from(1))).unwrap_err();
        assert!(why.contains("9 by 9") && why.contains("take one from") && why.contains('['), "{id}: {why}");
    }
}

#[test]
fn random_ground_is_taken_in() {
    for (system, _) in drawn() {
        let terrain = system.random_terrain(None, &mut Seeded::new(Seed::from(7))).unwrap();
        let mut draft = Draft::blank(system).unwrap();
        draft.make(&Edit::Reground { terrain: terrain.clone() }).unwrap();
        let pieces = draft.ground().len();
        assert!(pieces > 0, "{}: {terrain}", system.about().id);
        draft.make(&Edit::Reground { terrain }).unwrap();
        assert_eq!(draft.ground().len(), pieces, "ground is replaced, not added");
    }
}

/// A zone of several parts is drawn whole, whatever each part is; each is moved, added and taken away by itself.
#[test]
fn each_part_of_a_zone_is_drawn_and_edited_by_itself() {
    let zoned = drawn().find_map(|(system, drafting)| {
        let on_objective = |k: &&tricorne_game::drafting::FeatureKind| {
            k.path == "objective.*" && matches!(&k.extent, Extent::Area(key) if key == "zone.0.polygon")
        };
        let kind = drafting.features.iter().find(on_objective)?.clone();
        Some((system, kind))
    });
    let (system, kind) = zoned.unwrap();
    let mut draft = Draft::blank(system).unwrap();
    let at = |x: f64, y: f64| Point { x, y };
    // Two corners make a rectangle, more a polygon.
    draft.make(&Edit::Mark { feature: kind.id.clone(), points: vec![at(4.0, 4.0), at(10.0, 8.0)] }).unwrap();
    let of =
        |draft: &Draft| -> Vec<_> { draft.features().into_iter().filter(|f| f.kind == kind.id).collect() };
    let [one] = &of(&draft)[..] else { panic!("{:?}", of(&draft)) };
    assert!(draft.text().contains("rect = [4, 4, 10, 8]"), "{}", draft.text());
    assert_eq!((one.handles.len(), one.outline.len(), one.closed), (2, 4, true));
    let corners = vec![at(20.0, 4.0), at(26.0, 4.0), at(23.0, 9.0)];
    let extend = |path: &str, points: &[Point]| Edit::Extend {
        feature: kind.id.clone(),
        path: path.to_owned(),
        points: points.to_vec(),
    };
    draft.make(&extend(&one.path, &corners)).unwrap();
    draft.make(&extend(&one.path, &[at(30.0, 10.0), at(34.0, 12.0)])).unwrap();
    let parts = of(&draft);
    assert_eq!(parts.len(), 3, "{}", draft.text());
    assert_eq!(parts[1].handles, corners);
    assert!(parts[1].name.ends_with("part 2"), "{}", parts[1].name);
    // Each is moved alone.
    let moved: Vec<Point> = corners.iter().map(|p| at(p.x, p.y + 2.0)).collect();
    let redraw = |path: &str, points: &[Point]| Edit::Redraw {
        feature: kind.id.clone(),
        path: path.to_owned(),
        points: points.to_vec(),
    };
    draft.make(&redraw(&parts[1].path, &moved)).unwrap();
    assert_eq!(of(&draft)[1].handles, moved);
    assert_eq!((&of(&draft)[0].handles, &of(&draft)[2].handles), (&parts[0].handles, &parts[2].handles));
    assert!(draft.clone().make(&redraw("objective.0.zone.3", &moved)).is_err(), "there is no fourth part");
    // And goes alone; the last takes the objective with it.
    let erase = |path: &str| Edit::Erase { feature: kind.id.clone(), path: path.to_owned() };
    draft.make(&erase(&parts[0].path)).unwrap();
    assert_eq!(of(&draft)[0].handles, moved);
    draft.make(&erase(&parts[1].path)).unwrap();
    draft.make(&erase(&one.path)).unwrap();
    assert_eq!(of(&draft), []);
}
