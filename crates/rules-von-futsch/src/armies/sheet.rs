//! The quick-reference sheet: every chart as played, from the data and the options in force.

use tricorne_game::Choices;
use tricorne_game::army::{ReferenceChart, ReferenceSheet};

use super::paper::{pace, share, signed};
use crate::model::Kind;
use crate::model::ground::{Going, GroundKind, Mover, Piece};
use crate::options::{
    BreakCount, CrewLoss, FireThenCharge, HalfMoveLimit, MeleeHalving, Options, QuarterOf, RoutRoll,
    WaverAtEdge, WoodsCover,
};
use crate::rulebook::{ByQuality, Profiles, Rulebook, options};

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
    order_and_end(&mut c);
    ground(&mut c);
    points(&mut c);
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
    let rows = [
        rows,
        vec![
            row(&["ranks counted", "two of formed foot in order, one of others", "", "", ""]),
            row(&["arc", "45 degrees to each side of the front; skirmishers all round", "", "", ""]),
            row(&["never", "horse, wagons, limbered guns, the disordered", "", "", ""]),
        ],
    ]
    .concat();
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
    let edge = match c.o.waver_at_edge {
        WaverAtEdge::Halts => "only a router leaves; others halt at it",
        WaverAtEdge::Removed => "who ends a forced retreat beyond it is removed",
    };
    let rows = vec![
        row(&["test when one firing kills", &format!("{} {of}", share(m.quarter))]),
        row(&[&format!("{} or more", m.steady), "steady"]),
        row(&[&format!("{} or more", m.waver), "wavers: back a move, disordered"]),
        row(&["less", rout]),
        row(&["elite", &m.elite.signed()]),
        row(&["poor", &m.poor.signed()]),
        row(&["army commander attached", &m.army_commander.signed()]),
        row(&[&format!("{} lost", share(m.half)), &m.half_lost.signed()]),
        row(&["Shaken", &m.shaken.signed()]),
        row(&["routed again", "removed"]),
        row(&["a rout barred before half its way", "removed"]),
        row(&["at the table's edge", edge]),
        row(&["wavers in melee, cannot get clear", "lays down its arms: removed"]),
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
        row(&["horse that charges", &m.charge.signed()]),
        row(&["elite or heavy horse", &format!("{} {stack}", m.elite_or_heavy.signed())]),
        row(&["horse against a square in order", &m.against_square.signed()]),
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
        row(&[
            "fire",
            &format!(
                "ordered, in front, fresh or holding fire; at {}, or where a short charge ends within {}",
                c.p.fire.short, c.p.fire.long
            ),
        ]),
        row(&["countercharge", counter]),
        row(&["form square", square]),
        row(&[
            "evade",
            "skirmishers and light horse, whatever their order; a full move, or just out of reach",
        ]),
        row(&["through friends", "skirmishers pass and are passed; others bar the way"]),
    ];
    let rows = [vec![row(&["who", "foot and horse in order; only horse charges horse"])], rows].concat();
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
        row(&["elite", &i.elite.signed()]),
        row(&["poor", &i.poor.signed()]),
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

/// What becomes of fire, disorder and losses.
fn order_and_end(c: &mut Charts<'_>) {
    let counted = match c.o.break_count {
        BreakCount::OncePerUnit => "once a unit",
        BreakCount::EachEvent => "each time",
        BreakCount::WhileRouted => "a rout until it reforms",
    };
    let second = if c.o.pursuit_charges { "as a charge" } else { "not as a charge" };
    let rows = vec![
        row(&["return fire", "at the shooter, once: steady, in order, and fresh or holding fire"]),
        row(&["disordered", "no shot, charge or countercharge; reforms with its next activation"]),
        row(&["reforming", "any facing, same formation; back up to half a move, or hold fire"]),
        row(&["Shaken", "tests at once, and in place of anything else; half its dice"]),
        row(&["after a round of melee", "who suffered more tests; who is Shaken already routs"]),
        row(&[
            "the defender gives way",
            &format!("horse that charged may follow a move and fight again, {second}"),
        ]),
        row(&[
            "both in place",
            "a second round without charging; then the attacker goes back half to all of a move",
        ]),
        row(&["all that fought", "are disordered"]),
        row(&[
            &format!("a loose commander within {} of an enemy", c.p.distance.capture),
            "a die each: lower, he is taken; else he rides for it, a full move",
        ]),
        row(&["army morale", "half of battalions, squadrons, guns and skirmish units, rounded up"]),
        row(&[
            "less one",
            &format!(
                "for each of them routed, destroyed or off the table ({counted}), and each commander lost"
            ),
        ]),
        row(&["at 0 at the end of a turn", "the battle is lost"]),
    ];
    c.add("Order, and the end", &["What", "How"], rows, "VF-ARMYMORALE-05");
}

fn points(c: &mut Charts<'_>) {
    let p = c.p.points;
    let n = |x: u32| x.to_string();
    let by = |name: &str, q: ByQuality<u32>| row(&[name, &n(q.poor), &n(q.normal), &n(q.elite)]);
    let one = |name: &str, x: u32| row(&[name, "", &n(x), ""]);
    let rows = vec![
        by("battalion", p.battalion),
        by("heavy squadron", p.heavy),
        by("light squadron", p.light),
        by("skirmish unit", p.skirmish),
        by("gun", p.artillery),
        one("wagon", p.wagon),
        one("regimental commander", p.regimental_commander),
        one("wing commander", p.wing_commander),
        one("army commander", p.army_commander),
        one("an army", p.budget),
    ];
    c.add("Points", &["What", "Poor", "Normal", "Elite"], rows, "VF-SCEN-04");
    let t = c.p.table;
    let rows = vec![
        row(&["table", &format!("{} by {} inches", t.width, t.height)]),
        row(&["turns", &t.turns.to_string()]),
        row(&["placing", &format!("within {} of the home edge", t.deployment)]),
    ];
    c.add("A game of points", &["What", "How much"], rows, "VF-SCEN-02");
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
