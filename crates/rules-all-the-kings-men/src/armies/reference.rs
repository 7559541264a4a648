//! The charts a player needs on one page, read from the data as played.

use tricorne_game::Choices;
use tricorne_game::army::{ReferenceChart, ReferenceSheet};

use super::kind_name;
use crate::movement::terrain::{Cover, Moving, Outline, Sight};
use crate::options::Options;
use crate::rulebook::{Colour, Kind, OPTIONS, Rulebook, Share, Target};

const COLUMNS: [(Target, &str); 6] = [
    (Target::SteadyInfantry, "steady infantry"),
    (Target::Infantry, "infantry"),
    (Target::Cavalry, "cavalry"),
    (Target::Skirmisher, "skirmishers"),
    (Target::Artillery, "artillery"),
    (Target::Mob, "mob"),
];

fn chart(title: &str, clause: &str, head: &[&str], rows: Vec<Vec<String>>) -> ReferenceChart {
    ReferenceChart {
        title: title.into(),
        head: head.iter().map(|&h| h.to_owned()).collect(),
        rows,
        clause: clause.into(),
    }
}

fn far(distance: Option<f64>) -> String {
    distance.map_or_else(|| "–".to_owned(), |d| d.to_string())
}

/// Dice per man; a fraction is a share of the men.
fn pair([ours, theirs]: [Share; 2]) -> String {
    format!("{ours} / {theirs}")
}

fn texts(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|&c| c.to_owned()).collect()
}

/// The charts under these options.
pub(crate) fn reference(choices: &Choices) -> Option<ReferenceSheet> {
    let rules = Rulebook::with(choices).ok()?;
    let options: Options = OPTIONS.resolve(&choices.options).ok()?;
    let (rules, options) = (&*rules, &options);
    let mut charts = vec![
        units(rules),
        moves(rules, options),
        ranges(rules, options),
        colours(rules),
        fire(rules, options),
        melee(rules),
        shifts(rules, options),
        cover(rules),
        cards(rules),
        generals(rules, options),
        forces(rules),
        ground(rules),
        ending(rules, options),
    ];
    charts.extend(advanced(rules, options));
    charts.extend(house(choices));
    Some(ReferenceSheet { title: "All the King's Men".into(), charts })
}

fn units(rules: &Rulebook) -> ReferenceChart {
    let rows = Kind::ALL
        .into_iter()
        .map(|k| {
            let p = rules.profile(k);
            vec![kind_name(k).into(), p.privates.to_string(), p.points.to_string()]
        })
        .collect();
    let mut chart = chart("Units", "ATKM-UNIT-02", &["unit", "men", "points"], rows);
    let routs = format!(
        "at men at the start / {}, rounded down, at least {}",
        rules.breaking.divisor, rules.breaking.least
    );
    chart.rows.push(vec!["a unit routs".into(), routs, String::new()]);
    chart
}

fn moves(rules: &Rulebook, options: &Options) -> ReferenceChart {
    let mut rows: Vec<Vec<String>> = Kind::ALL
        .into_iter()
        .map(|k| {
            let p = rules.profile(k);
            vec![kind_name(k).into(), far(p.line), far(p.column), far(p.loose), p.fall_back.to_string()]
        })
        .collect();
    let mut note = |what: &str, how: String| {
        rows.push(vec![what.into(), how, String::new(), String::new(), String::new()]);
    };
    note("halved", "sideways, back, facing back, slow ground, uphill; never twice".into());
    note("a column by road", format!("x {}", rules.march.road_factor));
    note("from enemies", format!("{} at least", rules.march.enemy_gap));
    if options.adv_square {
        note("a square", rules.advanced.square_move.to_string());
    }
    chart("Movement", "ATKM-MOVE-01", &["unit", "line", "column", "loose", "falls back"], rows)
}

fn ranges(rules: &Rulebook, options: &Options) -> ReferenceChart {
    let range = |k: Kind| match k {
        Kind::Infantry if options.adv_rifles => Some(rules.advanced.rifle_infantry),
        Kind::Skirmisher if options.adv_rifles => Some(rules.advanced.rifle_skirmisher),
        k => rules.profile(k).range,
    };
    let rows = Kind::ALL.into_iter().map(|k| vec![kind_name(k).into(), far(range(k))]).collect();
    chart("Range", "ATKM-FIRE-04", &["unit", "range"], rows)
}

fn colours(rules: &Rulebook) -> ReferenceChart {
    let rows = [Colour::Green, Colour::Yellow, Colour::Red]
        .into_iter()
        .map(|c| vec![c.name().to_owned(), format!("{}+", rules.needs(c))])
        .collect();
    chart("Colours", "ATKM-DICE-02", &["colour", "succeeds on"], rows)
}

fn fire(rules: &Rulebook, options: &Options) -> ReferenceChart {
    let mut rows = Vec::new();
    for kind in Kind::ALL {
        let all = rules.fire_rows(kind);
        for (i, upto) in all.iter().enumerate() {
            let name = match upto {
                _ if all.len() == 1 => kind_name(kind).to_owned(),
                Some(upto) => format!("{}, to {upto}", kind_name(kind)),
                None => format!("{}, beyond", kind_name(kind)),
            };
            let mut row = vec![name];
            row.extend(
                COLUMNS[1..]
                    .iter()
                    .map(|(t, _)| pair(rules.fire_row(kind, i, *t, options).unwrap_or([Share::NONE; 2]))),
            );
            rows.push(row);
        }
    }
    let head: Vec<&str> =
        std::iter::once("dice a man: firer / target").chain(COLUMNS[1..].iter().map(|c| c.1)).collect();
    chart("Fire", "ATKM-FIRE-15", &head, rows)
}

fn melee(rules: &Rulebook) -> ReferenceChart {
    let rows = Kind::ALL
        .into_iter()
        .filter(|&k| rules.melee_dice(k, Target::Infantry).is_some())
        .map(|k| {
            let mut row = vec![kind_name(k).to_owned()];
            row.extend(
                COLUMNS.iter().map(|(t, _)| pair(rules.melee_dice(k, *t).unwrap_or([Share::NONE; 2]))),
            );
            row
        })
        .collect();
    let head: Vec<&str> =
        std::iter::once("dice a man: charger / charged").chain(COLUMNS.iter().map(|c| c.1)).collect();
    chart("Melee", "ATKM-MELEE-09", &head, rows)
}

fn shifts(rules: &Rulebook, options: &Options) -> ReferenceChart {
    let (fire, melee) = (&rules.worse.fire, &rules.worse.melee);
    let charger = if options.adv_cavalry_green {
        "cavalry green, others one better than their counter"
    } else {
        "green"
    };
    let rows = vec![
        vec!["a mob".into(), fire.mob.signed(), melee.mob.signed()],
        vec!["in flank".into(), fire.flank.signed(), melee.flank.signed()],
        vec!["in rear".into(), fire.rear.signed(), melee.rear.signed()],
        vec!["the charger rolls".into(), String::new(), charger.into()],
    ];
    chart("The target rolls worse by", "ATKM-MELEE-13", &["", "under fire", "in melee"], rows)
}

fn cover(rules: &Rulebook) -> ReferenceChart {
    let c = &rules.cover;
    let rows = vec![
        vec!["soft".into(), c.soft_fire.signed(), c.soft_melee.signed()],
        vec!["hard".into(), c.hard_fire.signed(), c.hard_melee.signed()],
        vec!["a fence or wall covers within".into(), c.reach.to_string(), c.reach.to_string()],
        vec!["the charger".into(), String::new(), "rolls its own colour".into()],
    ];
    chart("Cover: more dice for the target", "ATKM-TERR-17", &["cover", "under fire", "in melee"], rows)
}

fn cards(rules: &Rulebook) -> ReferenceChart {
    let rows = vec![
        texts(&["Ace", "two activations"]),
        vec!["King".into(), format!("the general rides {}, or one activation", rules.general.ride)],
        texts(&["Queen", "one activation without loss of colour"]),
        texts(&["Jack", "one activation with full movement"]),
        texts(&["Two", "a unit of the same army loses its turn"]),
        texts(&["Joker", "a unit of the other army loses its turn"]),
        texts(&["all others", "one activation"]),
    ];
    chart("Cards", "ATKM-CARD-01", &["card", "what it does"], rows)
}

fn generals(rules: &Rulebook, options: &Options) -> ReferenceChart {
    let g = &rules.general;
    let mut rows = vec![
        vec!["command radius".into(), g.radius.to_string()],
        vec!["rides at the end of a turn".into(), g.ride.to_string()],
        vec!["command points".into(), "the best of as many dice as the rating".into()],
        vec!["a Lieutenant holds at most".into(), g.most_points.to_string()],
    ];
    for (i, points) in g.points.iter().enumerate() {
        rows.push(vec![format!("rated {}", i + 1), format!("{points} points")]);
    }
    if options.generals_at_risk {
        rows.push(vec!["at risk within".into(), g.risk_radius.to_string()]);
        rows.push(vec!["killed by fire on".into(), format!("{} or less", rules.dice.killed_by_fire)]);
        rows.push(vec!["killed in melee on".into(), format!("{} or less", rules.dice.killed_in_melee)]);
    }
    chart("Generals", "ATKM-GEN-02", &["", ""], rows)
}

/// T9: forces and ratings by dice, and how large a battle is.
fn forces(rules: &Rulebook) -> ReferenceChart {
    let dice = &rules.dice;
    let kinds: Vec<String> = dice.unit_kind.iter().map(|k| k.replace('_', " ")).collect();
    let guns: Vec<String> = dice.artillery_kind.iter().map(|&k| kind_name(k).to_lowercase()).collect();
    let ratings: Vec<String> = dice.general_rating.iter().map(ToString::to_string).collect();
    let s = &rules.score;
    let sizes = format!("small {}, medium {}, large {}", s.small_game, s.medium_game, s.large_game);
    let rows = vec![
        vec!["a unit by two dice, from the lowest total".into(), kinds.join(", ")],
        vec!["its guns by one die".into(), guns.join(", ")],
        vec!["a general's rating by one die".into(), ratings.join(", ")],
        vec!["units a side".into(), sizes],
        vec!["points a side".into(), s.budget.to_string()],
        vec!["the smallest army".into(), format!("{} units", s.smallest_army)],
    ];
    chart("Forces", "ATKM-FORCE-03", &["", ""], rows)
}

fn ground(rules: &Rulebook) -> ReferenceChart {
    let word = |c: Cover| match c {
        Cover::None => "none",
        Cover::Soft => "soft",
        Cover::Hard => "hard",
    };
    let rows = rules
        .ground
        .kind
        .iter()
        .map(|(name, g)| {
            let moving = match g.moving {
                Moving::Open => "open",
                Moving::Half => "half",
                Moving::Uphill => "half going up",
                Moving::Impassable => "not entered",
                Moving::Road => "road",
            };
            let sight = match g.sight {
                Sight::Clear => "clear".to_owned(),
                Sight::Woods => format!("more than {} hides", rules.ground.woods_depth),
                Sight::Blocks => "hides".to_owned(),
                Sight::Hill => "hides what is beyond".to_owned(),
            };
            let shape = if g.shape == Outline::Area { "area" } else { "line" };
            vec![
                name.replace('_', " "),
                shape.into(),
                moving.into(),
                sight,
                word(g.cover).into(),
                word(g.melee_cover).into(),
            ]
        })
        .collect();
    let head = ["ground", "shape", "moving", "sight", "cover from fire", "cover in melee"];
    chart("Ground", "ATKM-SETUP-10", &head, rows)
}

fn ending(rules: &Rulebook, options: &Options) -> ReferenceChart {
    let s = &rules.score;
    let limit = if options.turn_limit == 0 {
        format!(
            "none; scored after {} turns without a loss, drawn if nobody has fallen by turn {}",
            s.quiet_turns, s.bloodless_turns
        )
    } else {
        options.turn_limit.to_string()
    };
    let counted = match options.army_strength {
        crate::options::ArmyStrength::Units => "units",
        crate::options::ArmyStrength::Privates => "men",
    };
    let rows = vec![
        vec!["turns".into(), limit],
        vec!["an army routs at".into(), format!("{} of its {counted}", rules.breaking.army_share)],
        vec!["decisive with".into(), format!("{} of its units left", rules.breaking.decisive_share)],
        vec!["victory by".into(), format!("{} of score", s.victory)],
        vec!["marginal victory by".into(), format!("{} of score", s.marginal)],
        vec!["deployment from the edge".into(), options.deploy_depth.to_string()],
    ];
    chart("The end", "ATKM-END-09", &["", ""], rows)
}

/// Advanced options that are played.
fn advanced(rules: &Rulebook, options: &Options) -> Option<ReferenceChart> {
    let a = &rules.advanced;
    let mut rows = Vec::new();
    let mut add = |what: &str, how: String| rows.push(vec![what.to_owned(), how]);
    if options.adv_square {
        add(
            "square",
            format!(
                "{} men at least; one man in {} fires, all round; guns have {} more die a gunner at it",
                a.square_least, a.square_fire_divisor, a.square_gun_dice.value
            ),
        );
    }
    if options.adv_light_infantry {
        add(
            "light infantry",
            format!(
                "parts of {} to {} men, each routs at {}; form again within {}; with {} men they are lost",
                a.light_part[0], a.light_part[1], a.light_break, a.light_gather, a.light_least
            ),
        );
    }
    if options.adv_high_ground {
        add(
            "high ground",
            format!(
                "guns on a hill see over what is {} from both ends; a defender uphill has {} more dice",
                a.high_ground_clear, a.high_ground_dice.value
            ),
        );
    }
    if options.adv_quality {
        add(
            "elite",
            format!("{} points: shrugs off the first loss of colour by fire each turn", a.elite_points),
        );
        add("militia", format!("{} points: starts each turn yellow", a.militia_points));
    }
    if options.adv_dense_targets {
        add(
            "dense targets",
            format!("{} more die a gunner against columns and mobs", a.dense_gun_dice.value),
        );
    }
    if options.adv_pursuit {
        add(
            "pursuit",
            format!("one die a trooper, each {} a man of the mob; then a marker", rules.dice.pursuit),
        );
    }
    (!rows.is_empty()).then(|| chart("Advanced options", "ATKM-ADV-01", &["", ""], rows))
}

/// What is played otherwise than by default.
fn house(choices: &Choices) -> Option<ReferenceChart> {
    let rows: Vec<Vec<String>> = OPTIONS
        .specs
        .iter()
        .filter_map(|spec| {
            let value = choices.options.get(&spec.id).filter(|v| **v != spec.default)?;
            Some(vec![spec.id.clone(), value.clone(), spec.about.clone()])
        })
        .collect();
    (!rows.is_empty())
        .then(|| chart("Played otherwise than usual", "ATKM-SETUP-05", &["option", "value", "about"], rows))
}
