//! What goes on paper: an army's roster, and the charts as played. Every number is read from the data.

use tricorne_game::Choices;
use tricorne_game::army::{Army, ReferenceChart, ReferenceSheet, Roster, RosterBase, RosterUnit};
use tricorne_game::view::{Arm, Note};

use super::{ARMY_COMMANDER, WAGON, WING_COMMANDER, called, check_army};
use crate::model::formation::{BASE, SKIRMISHER, size};
use crate::model::ground::{Going, GroundKind, Mover, Piece};
use crate::model::{Formation, Kind, Level, Quality};
use crate::options::{
    CrewLoss, FireThenCharge, HalfMoveLimit, MeleeHalving, Options, QuarterOf, RoutRoll, WoodsCover,
};
use crate::rulebook::{Pace, Profiles, Rulebook, options};

fn pace(p: Pace) -> String {
    match (p.inches, p.dice) {
        (0, dice) => format!("{dice}d6"),
        (inches, 0) => inches.to_string(),
        (inches, dice) => format!("{inches} + {dice}d6"),
    }
}

fn share([part, of]: [u8; 2]) -> String {
    format!("{part}/{of}")
}

fn signed(n: i32) -> String {
    format!("{n:+}")
}

fn arm(kind: Kind) -> Arm {
    match kind {
        Kind::Infantry => Arm::Infantry,
        Kind::Heavy | Kind::Light => Arm::Cavalry,
        Kind::Artillery => Arm::Artillery,
        Kind::Skirmish => Arm::Skirmishers,
        Kind::Wagon => Arm::Train,
    }
}

/// A unit's move by kind, the bonuses in words.
fn moves(p: &Profiles, kind: Kind) -> String {
    let m = &p.moves;
    match kind {
        Kind::Infantry => format!("{}, column {:+}", pace(m.infantry), m.swift),
        Kind::Heavy => format!("{}, column {:+}", pace(m.cavalry), m.swift),
        Kind::Light => format!("{} {:+}", pace(m.cavalry), m.swift),
        Kind::Skirmish => format!("{} {:+}", pace(m.skirmish), m.swift),
        Kind::Artillery => format!("limbered {}, by hand {}", pace(m.limbered), pace(m.unlimbered)),
        Kind::Wagon => pace(m.wagon),
    }
}

fn fires(p: &Profiles, kind: Kind) -> Option<String> {
    let f = &p.fire;
    let musket =
        |m: crate::rulebook::Musket| format!("{}+ to {}, {}+ to {}", m.short, f.short, m.long, f.long);
    match kind {
        Kind::Infantry => Some(musket(f.infantry)),
        Kind::Skirmish => Some(musket(f.skirmish)),
        Kind::Artillery => {
            let a = f.artillery;
            Some(format!("{}+: {} dice to {}, {} to {}", a.hit, a.near_dice, a.near, a.far_dice, a.far))
        }
        _ => None,
    }
}

/// An army on paper.
pub(crate) fn roster(army: &Army) -> Option<Roster> {
    let book = Rulebook::own();
    let p = &book.profiles;
    let list = book.armies.get(&army.list)?;
    let report = check_army(army);
    let mut units = Vec::new();
    let mut kinds: Vec<Kind> = Vec::new();
    let mut regiments = false;
    for unit in &army.units {
        let commander = |level: Level, points: u32, name: &str| RosterUnit {
            name: if unit.name.is_empty() { name.into() } else { unit.name.clone() },
            kind: format!("{} commander", level.name()),
            points: f64::from(points),
            boxes: vec![],
            values: vec![
                Note::new("Move", pace(p.moves.commander), Some("VF-CMD-22")),
                Note::new("Commands within", p.distance.command.to_string(), Some("VF-CMD-07")),
                Note::new("Attaches within", p.distance.attach.to_string(), Some("VF-CMD-23")),
            ],
            bases: vec![RosterBase::new("", 1_u32, (level.base(), level.base()))],
            arm: Arm::Command,
        };
        match unit.entry.as_str() {
            ARMY_COMMANDER => {
                units.push(commander(Level::Army, p.points.army_commander, "Army commander"));
                continue;
            }
            WING_COMMANDER => {
                units.push(commander(Level::Wing, p.points.wing_commander, "Wing commander"));
                continue;
            }
            WAGON => {
                units.push(troops(
                    p,
                    "Wagon",
                    Kind::Wagon,
                    Quality::Normal,
                    f64::from(p.points.wagon),
                    false,
                ));
                kinds.push(Kind::Wagon);
                continue;
            }
            _ => {}
        }
        let Some(entry) = list.entry.iter().find(|e| e.id == unit.entry) else { continue };
        let name = if unit.name.is_empty() { entry.name.clone() } else { unit.name.clone() };
        kinds.push(entry.kind);
        let mut price = f64::from(entry.price);
        if entry.sub_units > 1 {
            regiments = true;
            units.push(commander(
                Level::Regimental,
                p.points.regimental_commander,
                &format!("Colonel of {name}"),
            ));
            price -= f64::from(p.points.regimental_commander);
        }
        for n in 0..entry.sub_units {
            let own = if entry.sub_units > 1 { format!("{name} {}", roman(n + 1)) } else { name.clone() };
            let points = price / f64::from(entry.sub_units.max(1));
            units.push(troops(p, &own, entry.kind, entry.quality, points, entry.colours));
        }
    }
    let fighting = units.iter().filter(|u| u.arm != Arm::Command && u.arm != Arm::Train).count();
    let subtitle = format!(
        "{}, {} of {} points, break point {}",
        list.name,
        report.points,
        report.limit,
        fighting.div_ceil(2)
    );
    Some(Roster { title: army.name.clone(), subtitle, units, rules: rules(p, &kinds, regiments) })
}

fn roman(n: u8) -> &'static str {
    ["", "I", "II", "III", "IV", "V", "VI"].get(usize::from(n)).copied().unwrap_or("")
}

fn troops(p: &Profiles, name: &str, kind: Kind, quality: Quality, points: f64, colours: bool) -> RosterUnit {
    let start = kind.start(p);
    let figures = match kind {
        Kind::Artillery => "Crew",
        Kind::Wagon => "Drovers",
        _ => "Figures",
    };
    let [part, of] = p.shaken.of(quality);
    let shaken = (u32::from(start) * u32::from(part)).div_ceil(u32::from(of.max(1)));
    let mut values = vec![
        Note::new("Quality", quality.name(), Some("VF-MODEL-15")),
        Note::new("Move", moves(p, kind), Some("VF-MOVE-06")),
    ];
    if let Some(fire) = fires(p, kind) {
        values.push(Note::new("Fire", fire, Some("VF-FIRE-10")));
    }
    values.push(Note::new("Shaken at", format!("{shaken} lost"), Some("VF-SHAKEN-01")));
    if colours && !matches!(kind, Kind::Skirmish | Kind::Wagon) {
        let what = if kind == Kind::Artillery { "guns" } else { "colours" };
        values.push(Note::new("Trophy", format!("its {what}"), Some("VF-CAPTURE-01")));
    }
    // VF-MODEL-09 to -13.
    let bases = match kind {
        Kind::Infantry | Kind::Heavy | Kind::Light => RosterBase::new("", 2_u32, (BASE, BASE)),
        Kind::Artillery => RosterBase::new("", 1_u32, size(Formation::Unlimbered)),
        Kind::Skirmish => RosterBase::new("", start, (SKIRMISHER, SKIRMISHER)),
        Kind::Wagon => RosterBase::new("", 1_u32, size(Formation::Wagon)),
    };
    RosterUnit {
        name: name.into(),
        kind: format!("{} {}", quality.name(), called(kind)),
        points,
        boxes: vec![(figures.into(), u32::from(start))],
        values,
        bases: vec![bases],
        arm: arm(kind),
    }
}

/// The special rules that units of these kinds need.
fn rules(p: &Profiles, kinds: &[Kind], regiments: bool) -> Vec<Note> {
    let has = |kind: Kind| kinds.contains(&kind);
    let mut notes = Vec::new();
    if regiments {
        let why = format!(
            "sub-units within {} of each other act on one card; those further off need their own",
            p.distance.cohesion
        );
        notes.push(Note::new("Regiments", why, Some("VF-CMD-01")));
    }
    let near = p.distance.near_enemy;
    let words = format!("within {near} of an enemy only straight ahead or straight back");
    notes.push(Note::new("Near the enemy", words, Some("VF-MOVE-01")));
    if has(Kind::Infantry) {
        notes.push(Note::new(
            "Foot",
            "fires and fights with two ranks to its front while in order; may meet horse in square",
            Some("VF-FIRE-04"),
        ));
    }
    if has(Kind::Heavy) || has(Kind::Light) {
        let words = format!(
            "never fires; {} in melee when it charges, {} more if heavy; follows up a beaten enemy",
            signed(p.melee.charge),
            signed(p.melee.elite_or_heavy)
        );
        notes.push(Note::new("Horse", words, Some("VF-MELEE-06")));
    }
    if has(Kind::Light) || has(Kind::Skirmish) {
        notes.push(Note::new(
            "Light troops",
            "may evade a charge, whatever their order",
            Some("VF-CHARGE-17"),
        ));
    }
    if has(Kind::Skirmish) {
        notes.push(Note::new(
            "Skirmishers",
            "shoot all round, move any way, pass through friends, have no flank",
            Some("VF-MOVE-11"),
        ));
    }
    if has(Kind::Artillery) {
        notes.push(Note::new(
            "Guns",
            "must unlimber to fire; may unlimber and fire in one activation; never charge",
            Some("VF-CMD-20"),
        ));
    }
    if has(Kind::Wagon) {
        notes.push(Note::new("Wagons", "do not fight, shoot or count for army morale", Some("VF-ARMY-06")));
    }
    notes
}

struct Charts<'a> {
    p: &'a Profiles,
    o: &'a Options,
    drawn: Vec<ReferenceChart>,
}

impl Charts<'_> {
    fn add(&mut self, title: &str, head: &[&str], rows: Vec<Vec<String>>, clause: &str) {
        self.drawn.push(ReferenceChart {
            title: title.into(),
            head: head.iter().map(ToString::to_string).collect(),
            rows,
            clause: clause.into(),
        });
    }
}

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(ToString::to_string).collect()
}

/// The charts as played under these choices; none if the choices are no choices of this system.
pub(crate) fn reference(choices: &Choices) -> Option<ReferenceSheet> {
    let book = Rulebook::read(choices).ok()?;
    let o: Options = options().resolve(&choices.options).ok()?;
    let mut c = Charts { p: &book.profiles, o: &o, drawn: Vec::new() };
    movement(&mut c);
    fire(&mut c);
    figures(&mut c);
    morale(&mut c);
    melee(&mut c);
    charges(&mut c);
    command(&mut c);
    ground(&mut c);
    let events = book.events.iter().map(|(_, e)| row(&[&e.title, &e.text, &e.clause])).collect();
    c.add("Events", &["Card", "What happens", "Clause"], events, "VF-EVENT-01");
    let changed: Vec<Vec<String>> = options()
        .specs
        .iter()
        .filter_map(|spec| {
            let value = choices.options.get(&spec.id).filter(|v| **v != spec.default)?;
            Some(vec![spec.id.clone(), value.clone(), spec.about.clone()])
        })
        .collect();
    if !changed.is_empty() {
        c.add("House rules in force", &["Option", "Value", "Question"], changed, "VF-TURN-25");
    }
    Some(ReferenceSheet { title: "Mit von Futsch zum Rheinland-Pfalz".into(), charts: c.drawn })
}

fn movement(c: &mut Charts<'_>) {
    let m = c.p.moves;
    let swift = signed(i32::from(m.swift));
    let stacks = if c.o.plus3_stacks { "each" } else { "once" };
    let rows = vec![
        row(&["foot in line", &pace(m.infantry), ""]),
        row(&["foot in column", &pace(m.infantry), &swift]),
        row(&["skirmishers", &pace(m.skirmish), &swift]),
        row(&["heavy horse in line", &pace(m.cavalry), ""]),
        row(&["heavy horse in column", &pace(m.cavalry), &swift]),
        row(&["light horse", &pace(m.cavalry), &format!("{swift} (a column's too: {stacks})")]),
        row(&["limbered gun", &pace(m.limbered), ""]),
        row(&["gun by hand", &pace(m.unlimbered), ""]),
        row(&["wagon", &pace(m.wagon), ""]),
        row(&["commander", &pace(m.commander), ""]),
        row(&["army commander attached", &format!("+{}d6", m.army_commander_dice), "not in retreats"]),
        row(&["column, limbered gun or wagon by road", &signed(i32::from(m.road)), ""]),
        row(&["square", "does not move", ""]),
    ];
    c.add("Moves", &["Who", "Move", "Bonus"], rows, "VF-MOVE-06");
    let limit = match c.o.half_move_limit {
        HalfMoveLimit::AtMostHalf => "at most half a move",
        HalfMoveLimit::StrictlyLess => "less than half a move",
    };
    let near = c.p.distance.near_enemy;
    let rows = vec![
        row(&["march", "straight ahead and wheels, up to the roll"]),
        row(&["march and fire, march and hold", limit]),
        row(&["manoeuvre", "half a move to one side or back, or a new facing or formation"]),
        row(&["a wheel", "costs the way of the outer front corner"]),
        row(&[&format!("within {near} of an enemy"), "straight ahead or straight back only"]),
        row(&["near an enemy", &format!("stop {} short, unless charging", c.p.distance.clear)]),
    ];
    c.add("How to move", &["What", "How"], rows, "VF-MOVE-05");
}

fn fire(c: &mut Charts<'_>) {
    let f = c.p.fire;
    let a = f.artillery;
    let per = format!("one for each {} figures", f.figures_per_die);
    let guns = match c.o.artillery_crew_loss {
        CrewLoss::FullDice => format!("{} near, {} far", a.near_dice, a.far_dice),
        CrewLoss::Proportional => format!("{} near, {} far, by the crew left", a.near_dice, a.far_dice),
    };
    let short = format!("to {}", f.short);
    let long = format!("to {}", f.long);
    let far = format!("to {}", a.far);
    let need = |n: u8| format!("{n}+");
    let rows = vec![
        row(&["formed foot", &per, &need(f.infantry.short), &need(f.infantry.long), ""]),
        row(&["skirmishers", &per, &need(f.skirmish.short), &need(f.skirmish.long), ""]),
        row(&["gun", &guns, &need(a.hit), &need(a.hit), &need(a.hit)]),
    ];
    c.add("Fire", &["Shooter", "Dice", &short, &long, &far], rows, "VF-FIRE-10");
    let halves = if c.o.halving_stacks { "halve kills for each ground" } else { "halve kills once" };
    let woods = match c.o.woods_cover {
        WoodsCover::None => "hard cover, skirmishers, horse, guns",
        WoodsCover::Hard => "hard cover, woods, skirmishers, horse, guns",
    };
    let enfilade = if c.o.artillery_enfilade {
        "column, square, or line, gun or wagon not taken in front"
    } else {
        "column, square, or line not taken in front"
    };
    let rows = vec![
        row(&["difficult", woods, halves]),
        row(&["vulnerable", enfilade, "roll every miss again"]),
        row(&["gun near", &format!("to {}", a.near), &format!("{} dice", a.near_dice)]),
    ];
    c.add("Targets", &["Target", "Who", "Effect"], rows, "VF-FIRE-15");
}

fn figures(c: &mut Charts<'_>) {
    let f = c.p.figures;
    let n = |x: u8| x.to_string();
    let rows = vec![
        row(&["battalion", &n(f.battalion), &n(f.infantry_rank.line), &n(f.infantry_rank.column)]),
        row(&["squadron", &n(f.squadron), &n(f.cavalry_rank.line), &n(f.cavalry_rank.column)]),
        row(&["skirmish unit", &n(f.skirmish), "all", ""]),
        row(&["gun crew", &n(f.artillery), "all", ""]),
        row(&["wagon", &n(f.wagon), "all", ""]),
    ];
    c.add("Figures", &["Unit", "Strength", "In a rank of a line", "Of a column"], rows, "VF-MODEL-23");
}

fn morale(c: &mut Charts<'_>) {
    let m = c.p.morale;
    let of = match c.o.quarter_of {
        QuarterOf::Current => "of what it had before",
        QuarterOf::Start => "of its full strength",
    };
    let rout = match c.o.rout_roll {
        RoutRoll::OneRollDoubled => "back twice a move, disordered, routed",
        RoutRoll::TwoRolls => "back two moves, disordered, routed",
    };
    let rows = vec![
        row(&["test when one firing kills", &format!("{} {of}", share(m.quarter))]),
        row(&[&format!("{} or more", m.steady), "steady"]),
        row(&[&format!("{} or more", m.waver), "wavers: back a move, disordered"]),
        row(&["less", rout]),
        row(&["elite", &signed(m.elite)]),
        row(&["poor", &signed(m.poor)]),
        row(&["army commander attached", &signed(m.army_commander)]),
        row(&[&format!("{} lost", share(m.half)), &signed(m.half_lost)]),
        row(&["Shaken", &signed(m.shaken)]),
        row(&["routed again", "removed"]),
    ];
    c.add("Morale", &["Die, or what", "Result, or modifier"], rows, "VF-MORALE-04");
    let s = c.p.shaken;
    let rows = vec![
        row(&["elite", &share(s.elite)]),
        row(&["normal", &share(s.normal)]),
        row(&["poor", &share(s.poor)]),
    ];
    c.add("Shaken when lost", &["Quality", "Share"], rows, "VF-SHAKEN-01");
}

fn melee(c: &mut Charts<'_>) {
    let m = c.p.melee;
    let stack = if c.o.elite_heavy_stack { "for each" } else { "once" };
    let whose = match c.o.melee_halving {
        MeleeHalving::Suffered => "halve what it suffers",
        MeleeHalving::Inflicted => "halve what it inflicts",
    };
    let square = if c.o.halving_vs_square {
        "horse charging in the open"
    } else {
        "horse charging in the open, not at a square"
    };
    let rows = vec![
        row(&["horse", "a die for each figure of its rank"]),
        row(&["others", &format!("a die for each {} figures", m.figures_per_die)]),
        row(&["ordered foot to its front", "counts two ranks"]),
        row(&["kills on", &format!("{}+", m.kill)]),
        row(&["horse that charges", &signed(m.charge)]),
        row(&["elite or heavy horse", &format!("{} {stack}", signed(m.elite_or_heavy))]),
        row(&["horse against a square in order", &signed(m.against_square)]),
        row(&["defender in hard cover; on flank or rear; skirmishers in rough ground", whose]),
        row(&[square, whose]),
        row(&[
            "army commander in the press",
            &format!("{}+ saves one, {} he falls", m.commander_saves, m.commander_falls),
        ]),
        row(&["trophy of a routed enemy", &format!("{}+", c.p.capture.trophy)]),
    ];
    c.add("Melee", &["What", "How"], rows, "VF-MELEE-03");
}

fn charges(c: &mut Charts<'_>) {
    let first = match c.o.fire_then_charge {
        FireThenCharge::Allowed => "foot may fire first",
        FireThenCharge::NotAllowed => "no fire first",
    };
    let counter = if c.o.countercharge_when_activated {
        "horse in order, charged in front"
    } else {
        "fresh horse in order, charged in front"
    };
    let square = if c.o.square_when_flanked {
        "foot that could fire, against horse, from any side"
    } else {
        "foot that could fire, against horse in front"
    };
    let rows = vec![
        row(&[
            "charge",
            &format!("one wheel of up to {} degrees, then straight; {first}", c.p.moves.charge_wheel),
        ]),
        row(&["stand", "anybody"]),
        row(&["fire", &format!("ordered, in front, fresh or holding fire; at {}", c.p.fire.short)]),
        row(&["countercharge", counter]),
        row(&["form square", square]),
        row(&["evade", "skirmishers and light horse, whatever their order"]),
    ];
    c.add("Charges and answers", &["What", "Who and how"], rows, "VF-CHARGE-09");
}

fn command(c: &mut Charts<'_>) {
    let (d, i) = (c.p.distance, c.p.initiative);
    let rows = vec![
        row(&["commands within", &d.command.to_string()]),
        row(&["a regiment hangs together within", &d.cohesion.to_string()]),
        row(&["attaches within", &d.attach.to_string()]),
        row(&["a loose commander is taken within", &d.capture.to_string()]),
        row(&["out of command: die of", "elite or poor change it"]),
        row(&[&format!("{} or more", i.advance), "advance only"]),
        row(&[&format!("{} or more", i.free), "free"]),
        row(&["less", "retreat only"]),
        row(&["elite", &signed(i.elite)]),
        row(&["poor", &signed(i.poor)]),
    ];
    c.add("Command", &["What", "How"], rows, "VF-CMD-07");
    let rows = vec![
        row(&["number card", "its side wakes a group or a loose commander"]),
        row(&["Jack", "an activation, or force an enemy group out of command"]),
        row(&["Queen", "figures back for a unit"]),
        row(&["King", "an activation now or later this turn"]),
        row(&["Ace", "an event"]),
        row(&["Joker", "the turn is over"]),
    ];
    c.add("Cards", &["Card", "What it does"], rows, "VF-TURN-04");
}

fn ground(c: &mut Charts<'_>) {
    use GroundKind::{Broken, Crossing, Difficult, Hill, Obstacle, River, Road, Town, Woods};
    let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let corners: Vec<tricorne_table::Point> =
        square.iter().map(|&(x, y)| tricorne_table::Point::new(x, y)).collect();
    let Ok(area) = tricorne_table::Area::new(corners) else { return };
    let rate = |kind: GroundKind, mover: Mover| match Piece::new(String::new(), kind, false, area.clone())
        .going(mover, c.o)
    {
        Going::Full => "full",
        Going::Half => "half",
        Going::Closed => "no",
    };
    let mut rows = Vec::new();
    for kind in [Broken, Difficult, Woods, Town, Hill, River, Road, Crossing, Obstacle] {
        let unit = |k: Kind| rate(kind, Mover::Unit(k));
        rows.push(row(&[
            kind.name().trim_start_matches("a ").trim_start_matches("an "),
            unit(Kind::Infantry),
            unit(Kind::Skirmish),
            unit(Kind::Heavy),
            unit(Kind::Artillery),
            rate(kind, Mover::Commander),
        ]));
    }
    let head = ["Ground", "Foot", "Skirmishers", "Horse", "Guns, wagons", "Commanders"];
    c.add("Ground", &head, rows, "VF-TERR-03");
    let d = c.p.distance;
    let rows = vec![
        row(&["within woods or a town one sees", &d.woods_inside.to_string()]),
        row(&["into or out of them", &d.woods_edge.to_string()]),
        row(&["a hard obstacle covers within", &d.cover.to_string()]),
    ];
    c.add("Sight and cover", &["What", "Inches"], rows, "VF-TERR-08");
}
