//! The charts a player needs, read from the data as played. No number is typed here.

use tricorne_drill::Line;
use tricorne_game::Choices;
use tricorne_game::army::{ReferenceChart, ReferenceSheet};

use crate::rulebook::{
    ByClass, ChangeAndMove, Class, DrillRow, Kind, MoraleLine, MoraleResult, Rulebook, Throw,
};

/// The sheet; none if the data a player brought can't be read.
pub(crate) fn reference(choices: &Choices) -> Option<ReferenceSheet> {
    let book = Rulebook::of(choices).ok()?;
    let mut charts = vec![
        troops(&book),
        ranges(&book),
        ground(&book),
        drill(&book),
        score(&book),
        morale("Morale: massed troops", &book.charts.morale.massed),
        morale("Morale: lights", &book.charts.morale.light),
        least("Least score to charge and to rally", book.charts.charge, book.charts.rally),
        flights(&book),
        ability(&book),
    ];
    let c = &book.charts;
    for (title, lines) in [
        ("Modifiers of a shot", c.shot_modifiers.all()),
        ("Modifiers of a melee", c.melee_modifiers.all()),
        ("Modifiers of a morale test", c.morale_modifiers.all()),
    ] {
        charts.push(modifiers(title, &lines));
    }
    charts.push(charge_die(&book));
    charts.push(lines("Distances", "Centimetres", &c.distances.all(), ""));
    charts.push(lines("Tries: a D6", "Needs", &c.least.all(), "+"));
    charts.extend(points(choices));
    charts.push(agreed(choices));
    Some(ReferenceSheet { title: "Seven Years War, 15mm".into(), charts })
}

fn chart(title: &str, clause: &str, head: &[&str], rows: Vec<Vec<String>>) -> ReferenceChart {
    ReferenceChart {
        title: title.into(),
        head: head.iter().map(|&h| h.to_owned()).collect(),
        rows,
        clause: clause.into(),
    }
}

fn or_dash(number: Option<f64>) -> String {
    number.map_or_else(|| "-".into(), |x| format!("{x}"))
}

fn fraction([over, under]: [f64; 2]) -> String {
    if (under - 1.0).abs() < 1e-9 { format!("{over}") } else { format!("{over}/{under}") }
}

fn class(of: Class) -> &'static str {
    match of {
        Class::Massed => "massed",
        Class::Light => "light",
    }
}

fn troops(book: &Rulebook) -> ReferenceChart {
    let mut rows: Vec<Vec<String>> = Kind::ALL
        .into_iter()
        .map(|kind| {
            let p = book.profile(kind);
            vec![
                p.name.clone(),
                class(p.class).into(),
                format!("{}", p.speed),
                or_dash(p.march),
                p.melee.to_string(),
                p.melee_against_infantry.map_or_else(|| "-".into(), |m| m.to_string()),
                book.ranges(p.weapon).name.clone(),
                format!("{}", p.depth),
            ]
        })
        .collect();
    let mut general = vec![String::from("General"), "-".into(), format!("{}", book.general.speed)];
    general.extend(["-", "-", "-", "-"].map(String::from));
    general.push(format!("{}", book.general.depth));
    rows.push(general);
    let head = ["Type", "Class", "Move", "In column", "Melee", "Against foot", "Weapon", "Depth"];
    chart("Troop types", "SYW-MOVE-01", &head, rows)
}

fn ranges(book: &Rulebook) -> ReferenceChart {
    let rows = book
        .weapons
        .iter()
        .filter(|(_, r)| r.greatest() > 0.0)
        .map(|(_, r)| vec![r.name.clone(), or_dash(r.short), or_dash(r.long), or_dash(r.extreme)])
        .collect();
    chart("Ranges in centimetres", "SYW-SHOOT-01", &["Weapon", "Short", "Long", "Extreme"], rows)
}

fn ground(book: &Rulebook) -> ReferenceChart {
    let rows = book
        .ground_types
        .iter()
        .map(|t| {
            let lump = match (t.lump, t.lump_dice) {
                (Some(share), _) => format!("{} of the move", fraction(share)),
                (None, Some([n, sides])) => format!("{n}D{sides} once"),
                (None, None) => "-".into(),
            };
            vec![
                t.level.to_string(),
                fraction(t.factor),
                t.artillery.map_or_else(|| "barred".into(), fraction),
                lump,
                t.artillery_lump.map_or_else(|| "-".into(), |s| format!("{} of the move", fraction(s))),
            ]
        })
        .collect();
    let head = ["Type", "Move for a centimetre", "Guns", "To cross a line or enter", "Guns, a line"];
    chart("Ground", "SYW-TERR-01", &head, rows)
}

fn drill(book: &Rulebook) -> ReferenceChart {
    let row = |name: &str, r: &DrillRow| {
        let change = match (r.change_and_move, r.change_without_move) {
            (ChangeAndMove::Any, _) => "any, and move",
            (ChangeAndMove::FlankColumn, _) => "column to the flank and move, else instead of a move",
            (ChangeAndMove::None, true) => "instead of a move",
            (ChangeAndMove::None, false) => "none",
        };
        vec![
            name.to_owned(),
            change.to_owned(),
            format!("{}", r.wheel),
            r.incline.map_or_else(|| "not allowed".into(), |x| format!("{x}")),
            format!("{}+", r.turn),
        ]
    };
    let d = &book.drill;
    let rows = vec![
        row("Well drilled", &d.well),
        row("Normal", &d.normal),
        row("Badly drilled", &d.badly),
        row("Militia", &d.militia),
        row("Artillery", &d.artillery),
    ];
    let head = ["Drill", "Formation change on Reserve", "Wheel costs", "Incline costs", "Turn to face"];
    chart("Drill", "SYW-ORDER-39", &head, rows)
}

fn score(book: &Rulebook) -> ReferenceChart {
    let rows = book
        .charts
        .score
        .iter()
        .map(|l| {
            let disorder = if l.disorders { "yes" } else { "no" };
            vec![format!("{} or more", l.at_least), l.kills.to_string(), disorder.into()]
        })
        .collect();
    chart("Score of a shot or a melee", "SYW-SHOOT-05", &["Score", "Stands killed", "Disordered"], rows)
}

fn morale(title: &str, lines: &[MoraleLine]) -> ReferenceChart {
    let rows = lines
        .iter()
        .map(|l| {
            let result = match l.result {
                MoraleResult::Advance => "keep the order, or go to Advance",
                MoraleResult::Keep => "keep the order",
                MoraleResult::RetreatIfFighting => "Advance or Stand becomes Retreat",
                MoraleResult::Stand => "Advance becomes Stand",
                MoraleResult::Retreat => "Retreat",
                MoraleResult::Rout => "rout",
            };
            let back = if l.fall_back > 0.0 { format!("{}", l.fall_back) } else { "-".into() };
            let guns = if l.artillery_killed { "killed" } else { "-" };
            let least = l.at_least.map_or_else(|| "less".into(), |n| format!("{n} or more"));
            vec![least, result.into(), back, guns.into()]
        })
        .collect();
    chart(title, "SYW-MORALE-30", &["Score", "Result", "Falls back", "Artillery"], rows)
}

fn least(title: &str, charge: ByClass, rally: ByClass) -> ReferenceChart {
    let rows = [("Massed", charge.massed, rally.massed), ("Lights", charge.light, rally.light)]
        .into_iter()
        .map(|(name, a, b)| vec![name.to_owned(), format!("{a}+"), format!("{b}+")])
        .collect();
    chart(title, "SYW-MORALE-37", &["Troops", "Charge", "Rally"], rows)
}

fn flights(book: &Rulebook) -> ReferenceChart {
    let throw = |t: Throw| {
        if t.base > 0.0 { format!("{} + D{}", t.base, t.die) } else { format!("D{}", t.die) }
    };
    let c = &book.charts;
    let rows = vec![
        vec!["First rout move".into(), throw(c.rout.cavalry), throw(c.rout.infantry)],
        vec![
            "Later rout moves".into(),
            format!("move + {}", c.rout.later_extra),
            format!("move + {}", c.rout.later_extra),
        ],
        vec!["First pursuit".into(), throw(c.pursuit.cavalry), throw(c.pursuit.infantry)],
        vec!["Evade, beyond the fall-back".into(), throw(c.evade.cavalry), throw(c.evade.infantry)],
        vec!["Break-through".into(), throw(c.break_through), "-".into()],
    ];
    chart("Rout, pursuit, evade", "SYW-ROUT-01", &["Move", "Cavalry", "Infantry"], rows)
}

fn ability(book: &Rulebook) -> ReferenceChart {
    let rows = book
        .charts
        .ability
        .iter()
        .map(|(name, row)| std::iter::once(name.clone()).chain(row.iter().map(ToString::to_string)).collect())
        .collect();
    let head = ["Nation", "1", "2", "3", "4", "5", "6"];
    chart("Ability of a C-in-C by a D6", "SYW-DEPLOY-02", &head, rows)
}

/// Modifiers: the numbers of the charts as played, in the clauses' own words for when they count.
fn modifiers(title: &str, lines: &[Line]) -> ReferenceChart {
    let book = crate::rulebook::book();
    let mut rows: Vec<Vec<String>> = lines
        .iter()
        .map(|line| {
            let clause = book.clauses.iter().find(|c| c.id == line.clause);
            let when = clause.and_then(|c| condition(&c.statement())).map(without_clauses);
            vec![when.unwrap_or_else(|| capital(line.reason)), line.signed()]
        })
        .collect();
    // Two lines of one clause are one row: soft cover, and hard cover from guns.
    rows.dedup();
    chart(title, lines.first().map_or("", |l| l.clause), &["When", "Modifier"], rows)
}

/// Numbers without a sign, each with what it is for.
fn lines(title: &str, head: &str, lines: &[Line], after: &str) -> ReferenceChart {
    let rows =
        lines.iter().map(|line| vec![capital(line.reason), format!("{}{after}", line.value)]).collect();
    chart(title, lines.first().map_or("", |l| l.clause), &["What", head], rows)
}

fn charge_die(book: &Rulebook) -> ReferenceChart {
    let d = &book.charts.charge_die;
    let rows = [
        ("Heavy Infantry", d.heavy_infantry),
        ("Others, the target behind defences, in buildings or in cover", d.against_cover),
        ("Others", d.others),
        ("Half or more of the stands lost", d.half_lost),
    ]
    .into_iter()
    .map(|(who, least)| vec![who.to_owned(), format!("{least}+")])
    .collect();
    chart("Muskets or bows in a frontal charge: a D6", "SYW-MORALE-08", &["Who", "Needs"], rows)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |c| c.to_uppercase().chain(letters).collect())
}

/// When a modifier applies, out of its clause: `Long range: -1.`, `+2: the enemy fled.`, `-2 for each melee lost.`
fn condition(statement: &str) -> Option<String> {
    let signed = |text: &str| {
        let mut letters = text.chars();
        matches!(letters.next(), Some('+' | '-')) && letters.next().is_some_and(|c| c.is_ascii_digit())
    };
    if signed(statement) {
        return statement.split_once(' ').map(|(_, when)| capital(when.trim_end_matches('.')));
    }
    let (before, after) = statement.split_once(": ")?;
    if !signed(after) {
        return None;
    }
    // The number is the first word; what follows it belongs to the condition.
    let rest = after.split_once([' ', ',', '.']).map_or("", |(_, rest)| rest.trim().trim_end_matches('.'));
    Some(capital(&if rest.is_empty() { before.to_owned() } else { format!("{before}; {rest}") }))
}

/// A condition without the clauses it points to in brackets: those are for the ledger.
fn without_clauses(text: String) -> String {
    let mut kept = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once(" (") {
        kept.push_str(before);
        match after.split_once(')') {
            Some((inside, tail)) if inside.starts_with("SYW-") => rest = tail,
            _ => {
                kept.push_str(" (");
                rest = after;
            }
        }
    }
    kept + rest
}

/// Prices, line by line of the file: troops beside everything else. What is added to a stand's price has its sign.
fn points(choices: &Choices) -> Option<ReferenceChart> {
    let text = choices.data.get("points.toml").map_or(crate::rulebook::POINTS, String::as_str);
    let file: toml::Table = text.parse().ok()?;
    let book = Rulebook::of(choices).ok()?;
    let priced = |headings: &[&str]| -> Vec<[String; 2]> {
        let mut lines = Vec::new();
        let tables = headings.iter().filter_map(|&h| Some((h, file.get(h)?.as_table()?)));
        for (heading, name, price) in
            tables.flat_map(|(h, table)| table.iter().map(move |(name, price)| (h, name, price)))
        {
            let price = match price {
                toml::Value::Float(x) if heading == "grades" => {
                    format!("{}{}", if *x < 0.0 { '−' } else { '+' }, x.abs())
                }
                toml::Value::Table(t) => {
                    let number = |key: &str| t.get(key).map(ToString::to_string).unwrap_or_default();
                    format!("{} for each {} cm", number("points"), number("per"))
                }
                other => other.to_string(),
            };
            let kind = Kind::ALL.into_iter().find(|k| k.code() == name);
            let name = kind.map_or_else(|| name.replace('_', " "), |k| book.profile(k).name.clone());
            lines.push([name, price]);
        }
        lines
    };
    let (troops, mut others) = (priced(&["troops"]), priced(&["grades", "generals", "works"]));
    let ground = |key: &str| file.get("terrain").and_then(|t| t.get(key)).map(ToString::to_string);
    let wide = ground("wide")?;
    for (what, key) in [
        ("a hill".to_owned(), "hill"),
        (format!("a hill over {wide} cm wide"), "hill_wide"),
        ("a wood, each level".to_owned(), "wood_per_level"),
        (format!("a wood over {wide} cm wide, besides"), "wood_wide"),
        ("a town".to_owned(), "town"),
    ] {
        others.push([what, ground(key)?]);
    }
    let rows = (0..troops.len().max(others.len()))
        .map(|n| {
            let pair = |lines: &[[String; 2]]| lines.get(n).cloned().unwrap_or_default();
            pair(&troops).into_iter().chain(pair(&others)).collect()
        })
        .collect();
    Some(chart(
        "Points",
        "SYW-POINTS-02",
        &["Troops", "Points", "Grades, generals, works, ground", "Points"],
        rows,
    ))
}

/// Readings that are not the usual ones, and every number that is agreed on.
fn agreed(choices: &Choices) -> ReferenceChart {
    let rows = crate::rulebook::options()
        .specs
        .iter()
        .filter_map(|spec| {
            let value = choices.options.get(&spec.id).unwrap_or(&spec.default);
            let number = value.parse::<f64>().is_ok();
            (value != &spec.default || number)
                .then(|| vec![spec.id.replace('_', " "), value.replace('_', " "), spec.clauses.join(", ")])
        })
        .collect();
    chart("As agreed", "SYW-ARMY-03", &["Reading", "As played", "Clauses"], rows)
}
