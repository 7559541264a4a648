//! What the numbers of the rulebook's data files may be, so that a file of one's own that cannot work is refused at once.

use tricorne_game::{Fault, Source};

use super::{ArmiesFile, ChartsFile, Kind, ProfilesFile};

pub(super) fn check_profiles(file: &Source, p: &ProfilesFile) -> Result<(), Fault> {
    let positive = |place: &[&str], value: f64| {
        if value.is_finite() && value > 0.0 {
            Ok(())
        } else {
            let place: Vec<_> = place.iter().map(|&s| s.into()).collect();
            Err(file.fault(&place, format!("is {value}; expected a number above 0")))
        }
    };
    for (name, base) in [
        ("foot", p.base.foot),
        ("horse", p.base.horse),
        ("general", p.base.general),
        ("cannon", p.base.cannon),
    ] {
        base.iter().try_for_each(|&v| positive(&["base", name], v))?;
    }
    positive(&["march", "road_factor"], p.march.road_factor)?;
    positive(&["loose", "skirmisher_reach"], p.loose.skirmisher_reach)?;
    positive(&["general", "move"], p.general.ride)?;
    positive(&["general", "radius"], p.general.radius)?;
    if p.breaking.divisor == 0 {
        return Err(file.fault(&["breaking".into(), "divisor".into()], "is 0; expected 1 or more"));
    }
    for (name, q) in [
        ("infantry", &p.infantry),
        ("skirmisher", &p.skirmisher),
        ("cavalry", &p.cavalry),
        ("foot_artillery", &p.foot_artillery),
        ("horse_artillery", &p.horse_artillery),
    ] {
        let most = most_privates(name);
        if q.privates < 2 || q.privates > most {
            return Err(file.fault(
                &[name.into(), "privates".into()],
                format!("is {}; expected 2 to {most}", q.privates),
            ));
        }
        let moves = [("line", q.line), ("column", q.column), ("loose", q.loose), ("range", q.range)];
        for (field, value) in moves.into_iter().chain([("fall_back", Some(q.fall_back))]) {
            if let Some(value) = value {
                positive(&[name, field], value)?;
            }
        }
        let (wanted, shapes): (&str, bool) = match name {
            "infantry" | "cavalry" => ("line and column", q.line.is_some() && q.column.is_some()),
            "skirmisher" => ("loose", q.loose.is_some()),
            _ => ("column and loose", q.column.is_some() && q.loose.is_some()),
        };
        if !shapes {
            return Err(file.fault(&[name.into()], format!("needs a distance for {wanted}")));
        }
    }
    Ok(())
}

/// How many privates the layouts have room for: a cannon has four places, loose skirmishers twelve.
pub(crate) fn most_privates(kind: &str) -> u8 {
    match kind {
        "foot_artillery" | "horse_artillery" => 4,
        "skirmisher" => 12,
        _ => 24,
    }
}

pub(super) fn check_charts(file: &Source, c: &ChartsFile) -> Result<(), Fault> {
    for (name, need) in [("green", c.colour.green), ("yellow", c.colour.yellow), ("red", c.colour.red)] {
        if !(1..=7).contains(&need) {
            return Err(file.fault(
                &["colour".into(), name.into()],
                format!("is {need}; expected 1 to 6 (7 never succeeds)"),
            ));
        }
    }
    let fire = [
        ("infantry", &c.fire.infantry),
        ("skirmisher", &c.fire.skirmisher),
        ("foot_artillery", &c.fire.foot_artillery),
        ("horse_artillery", &c.fire.horse_artillery),
    ];
    for (name, rows) in fire {
        if rows.last().is_none_or(|r| r.upto.is_some()) {
            return Err(file.fault(
                &["fire".into(), name.into()],
                "the last row must serve every distance: leave its `upto` out",
            ));
        }
    }
    for (i, rating) in c.dice.general_rating.iter().enumerate() {
        if !(1..=3).contains(rating) {
            return Err(file.fault(
                &["dice".into(), "general_rating".into(), i.into()],
                format!("is {rating}; a rating is 1, 2 or 3"),
            ));
        }
    }
    for (i, kind) in c.dice.unit_kind.iter().enumerate() {
        let known = kind == "artillery" || Kind::ALL.iter().any(|k| k.name() == kind);
        if !known {
            return Err(file.fault(
                &["dice".into(), "unit_kind".into(), i.into()],
                format!("`{kind}` is no type of unit; expected infantry, cavalry, skirmisher or artillery"),
            ));
        }
    }
    Ok(())
}

pub(super) fn check_lists(file: &Source, armies: &ArmiesFile) -> Result<(), Fault> {
    for (i, list) in armies.list.iter().enumerate() {
        for kind in Kind::ALL {
            let [least, most] = list.share(kind);
            if least > most || most > 10 {
                return Err(file.fault(
                    &["list".into(), i.into(), kind.name().into()],
                    format!("[{least}, {most}]: expected least and most of ten units"),
                ));
            }
        }
        if list.ratings[0] < 1 || list.ratings[1] > 3 || list.ratings[0] > list.ratings[1] {
            return Err(file.fault(&["list".into(), i.into(), "ratings".into()], "expected 1 to 3"));
        }
    }
    Ok(())
}
