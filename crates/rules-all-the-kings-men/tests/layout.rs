//! Formations for one to twelve figures: ranks dress, bases touch, officer and ensign stand where the ledger says.

use tricorne_game::view::{FigureView, Role, UnitView};
use tricorne_game::{Battle, Choices, Fault, Purpose, Source, System};
use tricorne_rules_all_the_kings_men::{AllTheKingsMen, Fight};
use tricorne_table::{Point, Pose, Shape};

const FACING: f64 = 30.0;

fn set_up(text: &str) -> Result<Fight, Fault> {
    AllTheKingsMen.set_up(&Source::new("layout.toml", text), &Choices::default(), Purpose::Position)
}

/// A unit of so many men in the middle of a table, as seen; none if the shape does not take them.
fn seen(kind: &str, shape: &str, n: usize, more: &str) -> Option<UnitView> {
    let text = format!(
        "[options]\nadv_square = \"on\"\n[[unit]]\nid = \"A\"\nkind = \"{kind}\"\narmy = \"red\"\nshape = \"{shape}\"\n\
         n = {n}\nat = [36, 24]\nfacing = {FACING}\n{more}\n[[unit]]\nid = \"B\"\nkind = \"I\"\narmy = \"black\"\nat = [6, 45]\n"
    );
    let view = set_up(&text).ok()?.view(None);
    view.units.into_iter().find(|u| u.id.as_str() == "A")
}

fn local(unit: &UnitView, figure: &FigureView) -> Point {
    let facing = unit.facing.unwrap_or(0.0);
    Pose::new(unit.at, facing).to_local(figure.shape.centre())
}

fn privates(unit: &UnitView) -> Vec<&FigureView> {
    unit.figures.iter().filter(|f| matches!(f.role, Role::Foot | Role::Horse | Role::Crew)).collect()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

/// Every base touches another, and none overlaps.
fn dressed(figures: &[&FigureView], what: &str) {
    for (i, a) in figures.iter().enumerate() {
        let others = || figures.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, f)| f);
        assert!(
            figures.len() == 1 || others().any(|b| a.shape.gap(&b.shape) < 0.001),
            "{what}: figure {i} stands alone"
        );
        for b in others() {
            assert!(!a.shape.overlaps(&b.shape), "{what}: figure {i} stands on another");
        }
    }
}

#[test]
fn lines_and_columns_dress() {
    let mut shown = 0;
    for (kind, w, d) in [("I", 1.0, 1.0), ("K", 1.5, 2.0)] {
        for n in 1..=12_usize {
            for depth in 1..=3_usize {
                for line in [true, false] {
                    let shape = format!("{}{depth}", if line { 'L' } else { 'C' });
                    let Some(unit) = seen(kind, &shape, n, "") else { continue };
                    shown += 1;
                    let what = format!("{kind}{n} {shape}");
                    let men = privates(&unit);
                    assert_eq!(men.len(), n, "{what}");
                    dressed(&men, &what);
                    let files = if line { n.div_ceil(depth) } else { depth };
                    for (i, man) in men.iter().enumerate() {
                        let (rank, j) = (i / files, i % files);
                        let abreast = files.min(n - rank * files);
                        let at = local(&unit, man);
                        assert!(
                            near(at.x, (j as f64 - (abreast as f64 - 1.0) / 2.0) * w),
                            "{what} man {i}: {at:?}"
                        );
                        assert!(near(at.y, -(rank as f64 + 0.5) * d), "{what} man {i}: {at:?}");
                        assert!(near(man.facing, FACING));
                    }
                    officer_and_ensign(&unit, files as f64 * w, w, d, &what);
                }
            }
        }
    }
    assert!(shown > 60, "only {shown} shapes were drawn");
}

/// ATKM-FORM-24, M11.
fn officer_and_ensign(unit: &UnitView, width: f64, w: f64, d: f64, what: &str) {
    let leader = if unit.kind == "cavalry" { Role::MountedLeader } else { Role::Leader };
    let officer =
        unit.figures.iter().find(|f| f.role == leader).unwrap_or_else(|| panic!("{what}: no officer"));
    let ensign =
        unit.figures.iter().find(|f| f.role == Role::Ensign).unwrap_or_else(|| panic!("{what}: no ensign"));
    let x = width / 2.0 + w / 2.0 + 0.25;
    let (o, e) = (local(unit, officer), local(unit, ensign));
    assert!(near(o.x, -x) && near(o.y, -d / 2.0), "{what}: officer at {o:?}");
    assert!(near(e.x, x) && near(e.y, -d / 2.0), "{what}: ensign at {e:?}");
}

#[test]
fn mobs_huddle_each_man_his_own_way() {
    for n in 1..=12 {
        let unit = seen("I", "mob", n, "").unwrap_or_else(|| panic!("mob of {n}"));
        let men = privates(&unit);
        assert_eq!(men.len(), n);
        dressed(&men, &format!("mob of {n}"));
        for (i, a) in men.iter().enumerate() {
            for b in &men[i + 1..] {
                assert!(!near(a.facing, b.facing), "two of {n} look the same way");
            }
        }
        for role in [Role::Leader, Role::Ensign] {
            let figure = unit.figures.iter().find(|f| f.role == role).unwrap_or_else(|| panic!("{role:?}"));
            let hull = Shape::hull(&unit.outline, 0.0).unwrap_or_else(|e| panic!("{e}"));
            assert!(figure.shape.gap(&hull) < 0.001, "{role:?} of {n} stands off");
        }
    }
}

#[test]
fn batteries_stand_to_their_gun() {
    for n in 1..=4 {
        let loose = seen("F", "Lo", n, "").unwrap_or_else(|| panic!("battery of {n}"));
        let gun = loose.figures.iter().find(|f| f.role == Role::Gun).unwrap_or_else(|| panic!("no gun"));
        let at = local(&loose, gun);
        assert!(near(at.x, 0.0) && near(at.y, -1.5));
        let slots = [(-1.75, -1.0), (1.75, -1.0), (-1.75, -2.5), (1.75, -2.5)];
        for (man, slot) in privates(&loose).iter().zip(slots) {
            let at = local(&loose, man);
            assert!(near(at.x, slot.0) && near(at.y, slot.1), "{at:?}");
            assert!(near(man.shape.gap(&gun.shape), 0.25), "ATKM-FORM-12: within 1 of the cannon");
        }
        for (role, x) in [(Role::Leader, -1.0), (Role::Ensign, 1.0)] {
            let figure = loose.figures.iter().find(|f| f.role == role).unwrap_or_else(|| panic!("{role:?}"));
            let at = local(&loose, figure);
            assert!(near(at.x, x) && near(at.y, -4.0));
        }
    }
    let column = seen("H", "C2", 4, "").unwrap_or_else(|| panic!("column"));
    let gun = column.figures.iter().find(|f| f.role == Role::LimberedGun).unwrap_or_else(|| panic!("no gun"));
    assert!(near(local(&column, gun).y, -3.5));
    assert!(near(gun.facing, FACING + 180.0), "ATKM-FORM-09: the cannon points back");
}

#[test]
fn skirmishers_spread_round_officer_and_ensign() {
    for n in 1..=12 {
        for spread in ["line", "cloud"] {
            let unit = seen("S", "Lo", n, &format!("spread = \"{spread}\"")).unwrap_or_else(|| panic!("{n}"));
            let men = privates(&unit);
            assert_eq!(men.len(), n);
            for (i, man) in men.iter().enumerate() {
                let at = local(&unit, man);
                assert!(at.length() <= 6.001, "man {i} of {n} is {} from the centre", at.length());
                for other in unit.figures.iter().filter(|f| !std::ptr::eq(*f, *man)) {
                    assert!(
                        man.shape.overlap_area(&other.shape) < 0.0101,
                        "{spread} of {n}: man {i} has no room"
                    );
                }
            }
            for (role, x) in [(Role::Leader, -0.5), (Role::Ensign, 0.5)] {
                let figure =
                    unit.figures.iter().find(|f| f.role == role).unwrap_or_else(|| panic!("{role:?}"));
                let at = local(&unit, figure);
                assert!(near(at.x, x) && near(at.y, 0.0));
            }
        }
    }
}

#[test]
fn squares_face_outwards() {
    for n in 1..=12 {
        let unit = seen("I", "Sq", n, "").unwrap_or_else(|| panic!("square of {n}"));
        let men = privates(&unit);
        assert_eq!(men.len(), n);
        for (i, a) in men.iter().enumerate() {
            for b in &men[i + 1..] {
                assert!(!a.shape.overlaps(&b.shape), "square of {n}");
            }
        }
    }
}

/// ATKM-MOB-05 never bites by the default rules: wherever a mob stands, one of its shapes covers the same ground.
#[test]
fn a_hemmed_in_mob_always_finds_a_shape() {
    for (kind, w, d, most) in
        [("I", 1.0, 1.0, 12_usize), ("K", 1.5, 2.0, 6), ("S", 1.0, 1.0, 6), ("F", 1.0, 1.0, 4)]
    {
        for n in 2..=most {
            let files = (1..=n).find(|k| k * k >= n).unwrap_or(1);
            let (half_w, half_d) = if kind == "F" {
                (1.0, f64::midpoint(n.div_ceil(2) as f64, 3.0))
            } else {
                (files as f64 * w / 2.0, n.div_ceil(files) as f64 * d / 2.0)
            };
            let (l, r, b, t) = (36.0 - half_w, 36.0 + half_w, 24.0 - half_d, 24.0 + half_d);
            let wall = |x0: f64, y0: f64, x1: f64, y1: f64| {
                format!(
                    "[[terrain]]\nkind = \"building\"\npoints = [[{x0}, {y0}], [{x1}, {y0}], [{x1}, {y1}], [{x0}, {y1}]]\n"
                )
            };
            let text = format!(
                "[[unit]]\nid = \"M\"\nkind = \"{kind}\"\narmy = \"red\"\nshape = \"mob\"\nn = {n}\nat = [36, 24]\n\
                 [[unit]]\nid = \"B\"\nkind = \"I\"\narmy = \"black\"\nat = [6, 45]\n{}{}{}{}",
                wall(20.0, 10.0, l, 40.0),
                wall(r, 10.0, 50.0, 40.0),
                wall(l, 10.0, r, b),
                wall(l, t, r, 40.0),
            );
            let battle = set_up(&text).unwrap_or_else(|f| panic!("{kind}{n}: {f}"));
            let action = serde_json::from_value(serde_json::json!({ "activate": { "unit": "M" } }));
            let action = action.unwrap_or_else(|e| panic!("{e}"));
            assert!(battle.check(&action).is_ok(), "{kind}{n}: {:?}", battle.check(&action));
        }
    }
}
