//! Moves on an empty table against an oracle of a few lines: allowed exactly when they are short enough and end on it.

use proptest::prelude::*;
use tricorne_game::{Battle, Choices, Purpose, Source, System};
use tricorne_rules_all_the_kings_men::{Action, AllTheKingsMen, Fight};
use tricorne_table::{Point, Pose, Rect, Shape, Table};

fn lone(kind: &str, shape: &str, facing: f64) -> Fight {
    let text = format!(
        "active = \"A\"\n[[unit]]\nid = \"A\"\nkind = \"{kind}\"\narmy = \"red\"\nshape = \"{shape}\"\nat = [36, 24]\n\
         facing = {facing}\n[[seat]]\narmy = \"red\"\ngeneral = [2, 2]\n[[seat]]\narmy = \"black\"\ngeneral = [70, 46]\n"
    );
    AllTheKingsMen
        .set_up(&Source::new("lone.toml", text), &Choices::default(), Purpose::Position)
        .unwrap_or_else(|f| panic!("{f}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// ATKM-MOVE-01, ATKM-MOVE-02, ATKM-MOVE-07..09, ATKM-MOVE-12, ATKM-MOVE-22.
    #[test]
    fn a_move_is_as_long_as_it_may_be(
        which in 0..4_usize,
        facing in 0..360_i32,
        turn in -180..=180_i32,
        bearing in 0..360_i32,
        tenths in 1..220_i32,
    ) {
        let (kind, shape, full, width, depth) = [
            ("I", "L2", 6.0, 6.0, 2.0),
            ("I", "C2", 10.0, 2.0, 6.0),
            ("K", "L1", 16.0, 9.0, 2.0),
            ("F", "Lo", 4.0, 4.5, 3.0),
        ][which];
        let far = f64::from(tenths) / 10.0;
        // A bearing too near to sideways is a matter of rounding, not of the rule.
        let off = tricorne_table::angle::turn(f64::from(facing), f64::from(bearing)).abs();
        prop_assume!((off - 90.0).abs() > 0.5 && (turn.abs() - 90).abs() != 0);
        let to = Pose::new(Point::new(36.0, 24.0), 0.0).along(f64::from(bearing), far).at.round_to(0.001);
        let end = Pose::new(to, f64::from(facing + turn));
        let halved = off > 90.0 || turn.abs() > 90;
        let limit = if halved { full / 2.0 } else { full };
        let length = to.distance(Point::new(36.0, 24.0));
        prop_assume!((length - limit).abs() > 0.002);
        let table = Table::new(72.0, 48.0).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let on_table = table.holds(&Shape::Rect(Rect::fronted(end, width, depth)));
        let battle = lone(kind, shape, f64::from(facing));
        let action = Action::Move { path: vec![to], facing: Some(end.facing), spread: None };
        let judged = battle.check(&action);
        prop_assert_eq!(judged.is_ok(), length <= limit && on_table, "{:?} {} of {}", judged, length, limit);
    }
}
