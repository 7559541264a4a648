//! The sheet a player needs: what the source's own says, then the tables. No number is typed here.

use tricorne_game::Choices;
use tricorne_game::army::{ReferenceChart, ReferenceSheet};

use super::{inches, sheet, signed, upgrade_points, value_text};
use crate::options::{LeadershipSource, Options};
use crate::tables::rulebook::{self, Class, Cover, GroundShape, Rulebook, Sight};

pub(super) fn chart(title: &str, head: &[&str], clause: &str, rows: Vec<Vec<String>>) -> ReferenceChart {
    ReferenceChart {
        title: title.into(),
        head: head.iter().map(|h| (*h).to_owned()).collect(),
        rows,
        clause: clause.into(),
    }
}

/// A row of two.
fn pair(label: &str, text: impl Into<String>) -> Vec<String> {
    vec![label.to_owned(), text.into()]
}

/// The charts under some options; none when the options or the files of the choices can't be read.
pub(crate) fn reference(title: &str, choices: &Choices) -> Option<ReferenceSheet> {
    let book = Rulebook::with(choices).ok()?;
    let options: Options = rulebook::options().resolve(&choices.options).ok()?;
    let mut charts = sheet::headings(&book, &options, choices)?;
    charts.extend([troop_types(&book), weapons(&book), ground(&book)]);
    if options.leadership_source == LeadershipSource::Rolled {
        charts.push(leaders(&book));
        if options.leader_traits {
            charts.push(characters(&book));
        }
    }
    charts.push(upgrades(&book));
    charts.push(forces(&book));
    if options.solo != crate::options::SideSwitch::Off {
        charts.push(solo(&book));
    }
    charts.extend(readings(choices));
    Some(ReferenceSheet { title: title.into(), charts })
}

fn troop_types(book: &Rulebook) -> ReferenceChart {
    let rows = book
        .profiles
        .iter()
        .map(|p| {
            vec![
                p.name.clone(),
                p.models.to_string(),
                p.points.to_string(),
                inches(p.basic_move),
                value_text(p.firing),
                value_text(p.fighting),
                signed(p.discipline),
                p.weapons.join(" or "),
            ]
        })
        .collect();
    let head = ["Troops", "Models", "Points", "Move", "Firing", "Fighting", "Discipline", "Weapon"];
    chart("Troop types", &head, "WBK-FORCE-02", rows)
}

fn weapons(book: &Rulebook) -> ReferenceChart {
    let rows = book
        .weapons
        .iter()
        .map(|w| {
            let mut notes = Vec::new();
            if w.ignores_cover > 0 {
                notes.push(format!("disregards {} of cover", w.ignores_cover));
            }
            if w.jams {
                notes.push("jams on more ones than crew".to_owned());
            }
            vec![
                w.name.clone(),
                inches(w.short),
                w.long.map_or_else(|| "none".to_owned(), inches),
                w.dice.to_string(),
                notes.join("; "),
                w.clause.trim_start_matches("WBK-").to_owned(),
            ]
        })
        .collect();
    let head = ["Weapon", "Short", "Long", "Dice a model", "Besides", "Clause"];
    chart("Weapons", &head, "WBK-FIRE-02", rows)
}

fn ground(book: &Rulebook) -> ReferenceChart {
    let rows = book
        .ground
        .iter()
        .map(|(name, kind)| {
            let passing = match kind.shape {
                _ if kind.impassable => "nobody enters",
                GroundShape::Area if kind.sight == Sight::Building => "foot garrison it",
                GroundShape::Obstacle => "halts a move",
                GroundShape::Area if kind.difficult => "difficult",
                GroundShape::Area | GroundShape::Road => "open",
            };
            let cover = match kind.cover {
                Cover::None => "none",
                Cover::Soft => "soft",
                Cover::Hard => "hard",
            };
            let sight = match kind.sight {
                Sight::Clear => "clear".to_owned(),
                Sight::Wood => format!("blocks beyond {}", inches(book.woods_blind)),
                Sight::Hill => "blocks from below".to_owned(),
                Sight::Building => "blocks".to_owned(),
            };
            vec![name.clone(), passing.to_owned(), cover.to_owned(), sight]
        })
        .collect();
    chart("Ground", &["Ground", "Moving", "Cover", "Sight"], "WBK-MOD-23", rows)
}

fn leaders(book: &Rulebook) -> ReferenceChart {
    let row = |name: &str, column: &[u8; 6]| {
        let mut row = vec![name.to_owned()];
        row.extend(column.iter().map(|v| format!("{v}+")));
        row
    };
    let rows = vec![
        row("Regular", &book.leaders.regular),
        row("Irregular", &book.leaders.irregular),
        row("Tribal", &book.leaders.tribal),
    ];
    let mut chart = chart("Leadership by the die", &["Drill"], "WBK-LEAD-02", rows);
    chart.head.extend((1..=book.leaders.regular.len()).map(|die| die.to_string()));
    chart
}

fn characters(book: &Rulebook) -> ReferenceChart {
    let rows = book
        .characters
        .iter()
        .map(|c| {
            let roll = if c.from == c.to { c.from.to_string() } else { format!("{} to {}", c.from, c.to) };
            vec![roll, c.name.name().to_owned(), c.effect.clone()]
        })
        .collect();
    chart("Leaders' characters", &["Dice", "Character", "What he does"], "WBK-LEAD-07", rows)
}

fn upgrades(book: &Rulebook) -> ReferenceChart {
    let rows = book
        .upgrades
        .iter()
        .map(|u| {
            let mut points = signed(u.points);
            for code in u.points_by.keys() {
                points = format!("{points} ({code} {})", signed(upgrade_points(u, code)));
            }
            let mut effects = Vec::new();
            // With the source's sign (WBK-SHEET-03), on the number of the first troops that may have it.
            let first = u.who.iter().find_map(|code| book.profile(code));
            for (name, by, value) in [
                ("Firing", u.firing, first.map_or(0, |p| p.firing)),
                ("Fighting", u.fighting, first.map_or(0, |p| p.fighting)),
            ] {
                if by != 0 {
                    effects.push(sheet::step(name, -by, value, value + by));
                }
            }
            if u.discipline != 0 {
                effects.push(format!("Discipline {}", signed(u.discipline)));
            }
            if u.veteran {
                effects.push("Leadership is the better of two dice".into());
            }
            if u.fieldcraft {
                effects.push("may go to ground".into());
            }
            let mut arms: Vec<&String> = u.weapon.values().collect();
            arms.dedup();
            effects.extend(arms.into_iter().cloned());
            effects.extend(u.becomes.values().filter_map(|code| book.profile(code)).map(|p| p.name.clone()));
            effects.dedup();
            vec![u.name.clone(), points, u.who.join(", "), effects.join("; ")]
        })
        .collect();
    chart("Upgrades", &["Upgrade", "Points", "For", "Effect"], "WBK-FORCE-03", rows)
}

fn forces(book: &Rulebook) -> ReferenceChart {
    let f = &book.charts.forces;
    let rows = vec![
        pair("A field force", format!("{} points", f.points)),
        pair("A unit", format!("{} to {} points", f.unit_least, f.unit_most)),
        pair("Units", format!("{} at least", f.units_least)),
        pair("Regular Infantry", format!("{} at most", f.regular_infantry_most)),
        pair("Crewed weapons", format!("{} at most", f.crewed_most)),
        pair("Deployment strip", inches(f.strip)),
    ];
    let crewed = book.profiles.iter().any(|p| p.class == Class::Crewed);
    let rows = rows.into_iter().filter(|r| crewed || r[0] != "Crewed weapons").collect();
    chart("Field forces", &[], "WBK-FORCE-12", rows)
}

fn solo(book: &Rulebook) -> ReferenceChart {
    let s = &book.charts.solo;
    let rows = vec![
        pair("The alarm in the first round", format!("{}+", s.alarm_on_first_round)),
        pair("The alarm later", format!("{}+", s.alarm_on)),
        pair("A unit appears every turn from round", s.arrivals_from_round.to_string()),
        pair("Not within this of an enemy", inches(s.clear_of_arrival)),
        pair("A lost unit comes back on", format!("{}+", s.returns_on)),
    ];
    chart("The program's units", &[], "WBK-SOLO-02", rows)
}

/// The options that are played otherwise than by default.
fn readings(choices: &Choices) -> Option<ReferenceChart> {
    let book = rulebook::options();
    let rows: Vec<Vec<String>> = choices
        .options
        .iter()
        .filter_map(|(id, value)| {
            let spec = book.get(id)?;
            (spec.default != *value)
                .then(|| vec![id.replace('_', " "), value.replace('_', " "), spec.clauses.join(", ")])
        })
        .collect();
    (!rows.is_empty()).then(|| chart("Played otherwise", &["Reading", "As", "Clauses"], "WBK-SCEN-01", rows))
}
