//! An army on paper.

use tricorne_game::Choices;
use tricorne_game::army::{Army, Roster, RosterBase, RosterUnit};
use tricorne_game::view::{Arm as Figure, Note};

use super::lists::{profile, values};
use super::{GENERAL, PIECE, check_army, market, read, work_of};
use crate::model::stands::WIDTH;
use crate::points::{Drill, Morale};
use crate::rulebook::{Arm, Class, Rulebook};

/// The army on paper; none if its list is not known.
pub(crate) fn roster(army: &Army) -> Option<Roster> {
    let market = market()?;
    let book = Rulebook::of(&Choices::default()).ok()?;
    let nation = market.lists.nation(&army.list)?;
    let report = check_army(army);
    let read = read(army);
    let mut units = vec![commander("C-in-C", "C-in-C", 0.0, &book)];
    let mut rules = Rules::default();
    let mut generals = 0;
    for (i, unit) in army.units.iter().enumerate() {
        let points = report.each.get(i).copied().unwrap_or_default();
        let own = |usual: &str| if unit.name.is_empty() { usual.to_owned() } else { unit.name.clone() };
        if unit.entry == GENERAL {
            generals += 1;
            units.push(commander(&own(&format!("Sub-general {generals}")), "Sub-general", points, &book));
            continue;
        }
        if work_of(&unit.entry).is_some() {
            units.push(RosterUnit {
                name: own(&unit.entry),
                kind: "Field work".into(),
                points,
                boxes: Vec::new(),
                values: vec![Note::new("Length", format!("{PIECE} cm"), Some("SYW-POINTS-05"))],
                bases: vec![RosterBase::new("", 1_u32, (PIECE, 1.0))],
                arm: Figure::Train,
            });
            rules.works = true;
            continue;
        }
        let Some((_, entry)) = market.lists.entry(&unit.entry) else { continue };
        let Some((_, p)) = profile(&book, &entry.kind) else { continue };
        let bought = read.places.iter().position(|&k| k == i).map(|k| &read.bought.units[k]);
        let stands = bought.and_then(|b| b.stands).unwrap_or(entry.stands);
        let mut notes = values(&book, entry);
        if let Some(b) = bought {
            if b.upgraded_drill {
                notes.push(Note::new("Upgraded", "normal drill", Some("SYW-POINTS-03")));
            }
            if b.upgraded_shots {
                notes.push(Note::new("Upgraded", "short range", Some("SYW-POINTS-03")));
            }
            if let Some(n) = b.command {
                notes.push(Note::new("General", format!("Sub-general {n}"), Some("SYW-ARMY-22")));
            }
            if let Some(group) = &b.group {
                notes.push(Note::new("Group", group.clone(), Some("SYW-GROUP-01")));
            }
        }
        rules.meet(entry, p.arm, p.class);
        units.push(RosterUnit {
            name: own(&entry.name),
            kind: p.name.clone(),
            points,
            boxes: vec![("Stands".into(), u32::from(stands)), ("Disordered".into(), 1)],
            values: notes,
            bases: vec![RosterBase::new("", stands, (WIDTH, p.depth))],
            arm: match (p.arm, p.class) {
                (Arm::Infantry, Class::Light) => Figure::Skirmishers,
                (Arm::Infantry, Class::Massed) => Figure::Infantry,
                (Arm::Cavalry, _) => Figure::Cavalry,
                (Arm::Artillery, _) => Figure::Artillery,
            },
        });
    }
    Some(Roster {
        title: army.name.clone(),
        subtitle: format!("{}, {} of {} points", nation.name, report.points, army.points),
        units,
        rules: rules.told(),
    })
}

fn commander(name: &str, kind: &str, points: f64, book: &Rulebook) -> RosterUnit {
    RosterUnit {
        name: name.into(),
        kind: kind.into(),
        points,
        boxes: vec![("Lost".into(), 1)],
        values: vec![
            Note::new("Move", format!("{}", book.general.speed), Some("SYW-GEN-15")),
            Note::new("Counter", "____", Some("SYW-GEN-01")),
        ],
        bases: vec![RosterBase::new("", 1_u32, (WIDTH, book.general.depth))],
        arm: Figure::Command,
    }
}

/// Which special rules an army needs.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools)] // One for each rule that may be needed.
struct Rules {
    militia: bool,
    lights: bool,
    riflemen: bool,
    bows: bool,
    shock_lights: bool,
    guns: bool,
    howitzers: bool,
    horse: bool,
    high: bool,
    poor: bool,
    well: bool,
    badly: bool,
    poor_shots: bool,
    works: bool,
}

impl Rules {
    fn meet(&mut self, entry: &crate::points::Entry, arm: Arm, class: Class) {
        let grades = entry.grades();
        self.militia |= entry.kind == "MIL";
        self.riflemen |= entry.kind == "RIF";
        self.shock_lights |= entry.kind == "LCa";
        self.lights |= class == Class::Light && entry.kind != "LCa";
        self.bows |= entry.weapon.as_deref() == Some("mounted_bow");
        self.guns |= arm == Arm::Artillery;
        self.howitzers |= entry.kind == "HOW";
        self.horse |= arm == Arm::Cavalry;
        self.high |= grades.morale == Morale::High;
        self.poor |= grades.morale == Morale::Poor;
        self.well |= grades.drill == Drill::Well;
        self.badly |= grades.drill == Drill::Badly;
        self.poor_shots |= entry.poor_shots;
    }

    fn told(&self) -> Vec<Note> {
        let all: [(bool, &str, &str, &str); 14] = [
            (
                self.militia,
                "Militia",
                "It is shaky in the open and has no short range unless it is upgraded.",
                "SYW-ARMY-13",
            ),
            (
                self.lights,
                "Lights",
                "In the open they give way before massed enemies who come at them, and may have to evade a charge.",
                "SYW-EVADE-01",
            ),
            (
                self.riflemen,
                "Rifles",
                "They have ranges of their own and fight badly hand to hand.",
                "SYW-ARMY-16",
            ),
            (
                self.bows,
                "Mounted bows",
                "They may shoot even in a phase in which they evaded.",
                "SYW-EVADE-12",
            ),
            (
                self.shock_lights,
                "Light Cavalry (a)",
                "It is light to move and to shoot at, tests as massed, and never gives way by the rules for lights.",
                "SYW-EVADE-15",
            ),
            (
                self.guns,
                "Guns",
                "They shoot on Stand orders only, and not when they moved in this phase or the one before.",
                "SYW-SHOOT-33",
            ),
            (self.howitzers, "Howitzers", "Their shells do not bounce on.", "SYW-SHOOT-26"),
            (
                self.horse,
                "Cavalry",
                "When a charge of it wins, it breaks through the enemy's line if there is room beyond.",
                "SYW-BREAK-01",
            ),
            (self.high, "High morale", "It helps in melee and in every test.", "SYW-MELEE-06"),
            (self.poor, "Poor morale", "It hurts in melee and in every test.", "SYW-MELEE-17"),
            (
                self.well,
                "Well drilled",
                "It inclines at full speed, and may change formation and move.",
                "SYW-ORDER-39",
            ),
            (
                self.badly,
                "Badly drilled",
                "It wheels slowly, does not incline, and changes formation or moves.",
                "SYW-MOVE-06",
            ),
            (self.poor_shots, "Poor shots", "Their fire tells less.", "SYW-SHOOT-10"),
            (
                self.works,
                "Works",
                "A barricade covers those behind it; an abatis lets only infantry pass.",
                "SYW-TERR-11",
            ),
        ];
        all.iter().filter(|r| r.0).map(|r| Note::new(r.1, r.2, Some(r.3))).collect()
    }
}
