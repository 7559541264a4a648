//! What the numbers of the rulebook's data files may be, so that a file of one's own that cannot work is refused at once.

use tricorne_game::{Fault, Source};

use super::{ArmiesFile, ChartsFile, Kind, ProfilesFile, options};

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
    for (place, value) in [
        (["march", "road_factor"], p.march.road_factor),
        (["march", "halved"], p.march.halved),
        (["march", "turn"], p.march.turn),
        (["loose", "skirmisher_reach"], p.loose.skirmisher_reach),
        (["loose", "file_width"], p.loose.file_width),
        (["general", "move"], p.general.ride),
        (["general", "radius"], p.general.radius),
        (["general", "refuge"], p.general.refuge),
    ] {
        positive(&place, value)?;
    }
    if !(1..=p.general.points.len()).contains(&usize::from(p.general.usual_rating)) {
        let why = format!("is {}; expected 1 to {}", p.general.usual_rating, p.general.points.len());
        return Err(file.fault(&["general".into(), "usual_rating".into()], why));
    }
    if p.breaking.divisor == 0 {
        return Err(file.fault(&["breaking".into(), "divisor".into()], "is 0; expected 1 or more"));
    }
    for kind in Kind::ALL {
        let (name, q) = (kind.name(), p.of(kind));
        let most = most_privates(kind);
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
        let (wanted, shapes): (&str, bool) = match kind {
            Kind::Infantry | Kind::Cavalry => ("line and column", q.line.is_some() && q.column.is_some()),
            Kind::Skirmisher => ("loose", q.loose.is_some()),
            Kind::FootArtillery | Kind::HorseArtillery => {
                ("column and loose", q.column.is_some() && q.loose.is_some())
            }
        };
        if !shapes {
            return Err(file.fault(&[name.into()], format!("needs a distance for {wanted}")));
        }
    }
    Ok(())
}

/// How many privates the layouts have room for: a cannon has four places, loose skirmishers twelve.
pub(crate) fn most_privates(kind: Kind) -> u8 {
    match kind {
        Kind::FootArtillery | Kind::HorseArtillery => 4,
        Kind::Skirmisher => 12,
        Kind::Infantry | Kind::Cavalry => 24,
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
    // Whoever searches in smaller steps searches for ever.
    let steps = [
        (["retreat", "apart"], c.retreat.apart, 1.0),
        (["retreat", "step"], c.retreat.step, 0.1),
        (["room", "ring"], c.room.ring, 0.1),
    ];
    if let Some((place, value, least)) = steps.into_iter().find(|(_, v, least)| *v < *least) {
        let why = format!("is {value}; expected {least} or more");
        return Err(file.fault(&place.map(Into::into), why));
    }
    if c.room.directions > 360 {
        let why = format!("is {}; expected 1 to 360", c.room.directions);
        return Err(file.fault(&["room".into(), "directions".into()], why));
    }
    let positive = [
        (["room", "directions"], f64::from(c.room.directions)),
        (["volley", "arc"], c.volley.arc),
        (["cards", "ace"], f64::from(c.cards.ace)),
        (["dice", "risk"], c.dice.risk as f64),
    ];
    if let Some((place, value)) = positive.into_iter().find(|(_, v)| !(v.is_finite() && *v > 0.0)) {
        let why = format!("is {value}; expected a number above 0");
        return Err(file.fault(&place.map(Into::into), why));
    }
    Ok(())
}

pub(super) fn check_lists(file: &Source, armies: &ArmiesFile) -> Result<(), Fault> {
    if armies.of == 0 {
        return Err(file.fault(&["of".into()], "is 0; expected how many units the lists are for"));
    }
    for (i, list) in armies.list.iter().enumerate() {
        if let Some(unknown) = list.suits.iter().find(|option| options().get(option).is_none()) {
            let place = ["list".into(), i.into(), "suits".into()];
            return Err(file.fault(&place, format!("there is no option `{unknown}`")));
        }
        for kind in Kind::ALL {
            let [least, most] = list.share(kind);
            if least > most || most > armies.of {
                return Err(file.fault(
                    &["list".into(), i.into(), kind.name().into()],
                    format!("[{least}, {most}]: expected least and most of {} units", armies.of),
                ));
            }
        }
        if list.ratings[0] < 1 || list.ratings[1] > 3 || list.ratings[0] > list.ratings[1] {
            return Err(file.fault(&["list".into(), i.into(), "ratings".into()], "expected 1 to 3"));
        }
    }
    Ok(())
}
