//! Forces (FORCE): dice, points and period lists.

use tricorne_chance::Chance;
use tricorne_game::{Event, Log, Seat, Side, UnitId};
use tricorne_table::Point;

use crate::field::{ARMIES, Engagement, army_name};
use crate::formations::{Formation, Spots};
use crate::rulebook::{Colour, Kind, PeriodList, Rulebook};
use crate::state::{Presence, Quality, Unit, UnitNo};

/// A unit as it comes, green and unmarked (ATKM-SETUP-09).
pub(crate) fn recruit(rules: &Rulebook, id: UnitId, kind: Kind, army: Side, owner: Seat) -> Unit {
    let n = rules.profile(kind).privates;
    let formation = match kind {
        Kind::Infantry => Formation::Line(2),
        Kind::Cavalry => Formation::Line(1),
        _ => Formation::Loose,
    };
    let mut unit = Unit {
        id,
        kind,
        army,
        owner,
        n,
        n0: n,
        formation,
        at: Point::ORIGIN,
        facing: 0.0,
        forward: Point::new(0.0, 1.0),
        spots: Spots::default(),
        colour: Colour::Green,
        disorder: false,
        presence: Presence::Waiting,
        quality: Quality::Line,
        shrugged: false,
        light: false,
        parent: None,
    };
    unit.set_pose(Point::ORIGIN, if army == Side(0) { 0.0 } else { 180.0 });
    unit
}

/// A limit that an army breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The clause.
    pub clause: &'static str,
    /// What is wrong and what is allowed.
    pub why: String,
}

impl std::fmt::Display for Breach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} [{}]", self.why, self.clause)
    }
}

/// What an army is made of, for the checks of ATKM-FORCE-07..09.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Muster {
    /// Units of each type, in the order of [`Kind::ALL`].
    pub units: [u32; 5],
    /// Ratings of its generals.
    pub ratings: Vec<u8>,
    /// Points for quality (ATKM-ADV-05).
    pub extra: i32,
}

impl Muster {
    /// All units.
    pub fn size(&self) -> u32 {
        self.units.iter().sum()
    }

    /// What it costs: units and generals (T1).
    pub fn cost(&self, rules: &Rulebook) -> i32 {
        let units: i32 =
            Kind::ALL.iter().map(|&k| self.units[k as usize] as i32 * rules.profile(k).points).sum();
        let generals: i32 = self
            .ratings
            .iter()
            .filter_map(|&r| rules.general.points.get(usize::from(r).wrapping_sub(1)))
            .sum();
        units + generals + self.extra
    }

    /// What is wrong with it as an army of a period list (ATKM-FORCE-08) or a budget (ATKM-FORCE-07).
    pub fn faults(&self, rules: &Rulebook, list: Option<&PeriodList>, budget: Option<i32>) -> Vec<Breach> {
        let mut faults = Vec::new();
        let mut breach = |clause: &'static str, why: String| faults.push(Breach { clause, why });
        let size = self.size();
        let smallest = rules.score.smallest_army;
        let units = |n: u32| format!("{n} unit{}", if n == 1 { "" } else { "s" });
        if size < smallest {
            breach("ATKM-FORCE-09", format!("has {}; the smallest army has {smallest}", units(size)));
        }
        if let Some(list) = list {
            for kind in Kind::ALL {
                let have = self.units[kind as usize];
                let [least, most] = share(list, kind, size);
                if have < least || have > most {
                    breach(
                        "ATKM-FORCE-08",
                        format!(
                            "has {have} {}; {} allows {least} to {most} of {}",
                            kind.name().replace('_', " "),
                            list.name,
                            units(size)
                        ),
                    );
                }
            }
            for rating in &self.ratings {
                if !(list.ratings[0]..=list.ratings[1]).contains(rating) {
                    breach(
                        "ATKM-FORCE-08",
                        format!(
                            "has a general rated {rating}; {} has {} to {}",
                            list.name, list.ratings[0], list.ratings[1]
                        ),
                    );
                }
            }
        }
        if let Some(budget) = budget {
            let cost = self.cost(rules);
            if cost > budget {
                breach("ATKM-FORCE-07", format!("costs {cost} points of a budget of {budget}"));
            }
        }
        faults
    }
}

/// Least and most of a type in an army of `size` units: the share of the list, scaled, halves up (ATKM-FORCE-08).
pub fn share(list: &PeriodList, kind: Kind, size: u32) -> [u32; 2] {
    list.share(kind).map(|share| (share * size * 2 + list.of) / (2 * list.of).max(1))
}

/// ATKM-FORCE-03, ATKM-FORCE-04: a type by dice, with their total and faces.
pub(crate) fn roll_kind(rules: &Rulebook, chance: &mut dyn Chance) -> (Kind, i32, Vec<u8>) {
    let roll = chance.sum("force", 2, 6);
    let drafted = rules.dice.unit_kind[(roll.total.clamp(2, 12) - 2) as usize];
    let mut faces = roll.faces.to_vec();
    let kind = drafted.kind().unwrap_or_else(|| {
        // Which artillery is settled at once.
        let die = chance.d6("battery");
        faces.push(die);
        rules.dice.artillery_kind[usize::from(die.clamp(1, 6)) - 1]
    });
    (kind, roll.total, faces)
}

/// ATKM-GEN-03: a rating by one die.
pub(crate) fn roll_rating(rules: &Rulebook, chance: &mut dyn Chance) -> (u8, u8) {
    let die = chance.d6("rating");
    (rules.dice.general_rating[usize::from(die.clamp(1, 6)) - 1], die)
}

impl Engagement {
    /// R0, R1: forces by dice, ratings by dice, Commanding Generals (ATKM-FORCE-02..06, ATKM-GEN-03).
    pub(crate) fn muster(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        for army in ARMIES {
            let seats: Vec<Seat> = self.seats_of(army).collect();
            for _ in 0..self.field.forces.rolls[army.index()] {
                let kind = self.roll_kind(army, chance, log);
                let number = self.state.units.iter().filter(|u| u.army == army).count() + 1;
                let letter = if army == Side(0) { 'R' } else { 'B' };
                // The file may have given the name away.
                let mut names = (number..).filter_map(|n| format!("{letter}{n}").parse::<UnitId>().ok());
                let id = names.find(|&id| self.find(id).is_none());
                // ATKM-TEAM-06: dealt to seats in turn, whoever has the fewest.
                let command = |seat: &Seat| self.state.units.iter().filter(|u| u.owner == *seat).count();
                let owner = seats.iter().copied().min_by_key(command).unwrap_or(Seat(army.0));
                if let Some(id) = id
                    && self.state.units.len() < UnitNo::MOST
                {
                    let unit = recruit(&self.field.rules, id, kind, army, owner);
                    self.state.units.push(unit);
                }
            }
        }
        for army in ARMIES {
            for seat in 0..self.state.generals.len() {
                if self.state.generals[seat].army != army || !self.field.seats[seat].roll_rating {
                    continue;
                }
                let (rating, die) = roll_rating(self.rules(), chance);
                self.state.generals[seat].rating = rating;
                log.say(|| {
                    Event::new("rating", "ATKM-GEN-03")
                        .faces(&[die])
                        .made(i32::from(rating))
                        .with("seat", seat)
                        .with("general", self.field.seats[seat].name.clone())
                });
            }
        }
        self.name_commanders();
        self.state.placing = self.first_to_place();
    }

    /// What a unit that the dice gave is called, `2nd Red Infantry`; nothing where no dice were thrown.
    pub(crate) fn rolled_name(&self, unit: &Unit) -> String {
        if self.field.forces.rolls[unit.army.index()] == 0 {
            return String::new();
        }
        let alike = self.state.units.iter().filter(|u| u.army == unit.army && u.kind == unit.kind);
        let nth = 1 + alike.take_while(|u| u.id != unit.id).count();
        let ending = match (nth % 10, nth % 100) {
            (_, 11..=13) => "th",
            (1, _) => "st",
            (2, _) => "nd",
            (3, _) => "rd",
            _ => "th",
        };
        let arm = match unit.kind {
            Kind::Infantry => "Infantry",
            Kind::Cavalry => "Cavalry",
            Kind::Skirmisher => "Skirmishers",
            Kind::FootArtillery => "Foot Battery",
            Kind::HorseArtillery => "Horse Battery",
        };
        format!("The {nth}{ending} {} {arm}", self.field.army_names[unit.army.index()])
    }

    fn roll_kind(&self, army: Side, chance: &mut dyn Chance, log: &mut Log) -> Kind {
        let (kind, total, faces) = roll_kind(self.rules(), chance);
        log.say(|| {
            let event = Event::new("force", "ATKM-FORCE-03");
            // Two dice name the type, a third the kind of artillery.
            let event = if faces.len() > 2 { event.clause("ATKM-FORCE-04") } else { event };
            event
                .faces(&faces)
                .made(total)
                .with("army", army_name(army))
                .with("side", self.called(army))
                .with("kind", kind.name())
                .with("named", kind.name().replace('_', " "))
        });
        kind
    }
}
