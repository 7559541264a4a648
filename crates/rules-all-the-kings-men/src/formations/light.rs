//! Light infantry that goes apart and forms again (ATKM-ADV-02).

use std::fmt::Write as _;

use arrayvec::ArrayString;
use tricorne_drill::refuse;
use tricorne_game::{Event, Illegal, Log, UnitId};
use tricorne_table::angle::forward;
use tricorne_table::{Point, within};

use crate::action::{Action, Part};
use crate::field::Engagement;
use crate::formations::{Formation, SHAPES, Spots, Spread};
use crate::rout::Broken;
use crate::rulebook::{Colour, Kind};
use crate::state::{Activation, Presence, Unit, UnitNo};

const CLAUSE: &str = "ATKM-ADV-02";

impl Engagement {
    /// Whether there is anything to split or to gather now.
    pub(crate) fn may_split_or_gather(&self, a: &Activation) -> bool {
        let unit = self.unit(a.unit);
        if unit.is_mob() || self.judge_light_slot(a).is_err() {
            return false;
        }
        let Some(parent) = unit.parent else { return unit.light && self.goes_into_parts(unit.n) };
        let near = self.rules().advanced.light_gather;
        let joins = |(no, u): (UnitNo, &Unit)| {
            no != a.unit && u.parent == unit.parent && !u.is_mob() && within(u.at.distance(unit.at), near)
        };
        self.unit(parent).presence == Presence::Split && self.present().any(joins)
    }

    /// Whether so many men can go apart at all, without a man too many or too few in any part.
    fn goes_into_parts(&self, men: u8) -> bool {
        let [least, most] = self.rules().advanced.light_part.map(u16::from);
        (2..=u16::from(men)).any(|parts| (parts * least..=parts * most).contains(&u16::from(men)))
    }

    fn judge_light_slot(&self, a: &Activation) -> Result<(), Illegal> {
        if !self.options().adv_light_infantry {
            return refuse(CLAUSE, "light infantry is played only with the option adv_light_infantry");
        }
        if a.changed {
            return refuse("ATKM-FORM-17", "only one formation change is made in an activation");
        }
        self.judge_change_after_fire(a)
    }

    /// Whether a unit may go apart so; gives the parts as they would stand.
    pub(crate) fn judge_split(&self, a: &Activation, parts: &[Part]) -> Result<Vec<Unit>, Illegal> {
        self.judge_light_slot(a)?;
        let unit = self.unit(a.unit);
        if unit.kind != Kind::Infantry || !unit.light || unit.is_mob() {
            return refuse(CLAUSE, format!("{} was not named as light infantry", unit.id));
        }
        let [least, most] = self.rules().advanced.light_part;
        let men: u32 = parts.iter().map(|p| u32::from(p.n)).sum();
        if parts.len() < 2 || men != u32::from(unit.n) || parts.iter().any(|p| p.n < least || p.n > most) {
            return refuse(
                CLAUSE,
                format!("split all {} men into two or more parts of {least} to {most}", unit.n),
            );
        }
        let first = self.state.units.len();
        if first + parts.len() > UnitNo::MOST {
            return refuse(CLAUSE, "there are too many units on the table");
        }
        let apart_by = self.rules().advanced.light_apart;
        // Each spreads round those that have their places already; the unit itself is gone by then.
        let mut apart: Vec<Unit> = Vec::with_capacity(parts.len());
        for (i, part) in parts.iter().enumerate() {
            if !part.at.is_finite() || !within(part.at.distance(unit.middle(self.rules())), apart_by) {
                return refuse(CLAUSE, format!("part {} must stand within {apart_by} of the unit", i + 1));
            }
            let mut stands = self.part_of(a.unit, first + i, part.n, part.at);
            self.spread_out_beside(a.unit, &mut stands, Some(&Spread::Line), &apart)
                .map_err(|i| Illegal::new("ATKM-FORM-22", i.why))?;
            apart.push(stands);
        }
        Ok(apart)
    }

    pub(crate) fn do_split(&mut self, a: Activation, parts: Vec<Unit>, log: &mut Log) {
        let id = self.unit(a.unit).id;
        self.unit_mut(a.unit).presence = Presence::Split;
        let first = UnitNo::at(self.state.units.len());
        log.say(|| {
            let names: Vec<String> = parts.iter().map(|p| p.id.to_string()).collect();
            Event::new("split", CLAUSE).who(id).with("parts", names.join(", "))
        });
        let all = first.index()..first.index() + parts.len();
        self.state.units.extend(parts);
        for part in all.map(UnitNo::at) {
            self.displace_generals(part, log);
        }
        if let Some(a) = &mut self.state.activation {
            a.changed = true;
            a.split = true;
            a.unit = first;
        }
    }

    /// A way for a unit to go apart, or for its parts to form again, if there is any.
    pub(crate) fn some_split_or_gather(&self, a: &Activation) -> Option<Action> {
        if !self.may_split_or_gather(a) {
            return None;
        }
        if self.unit(a.unit).parent.is_some() { self.some_gather(a) } else { self.some_split(a) }
    }

    /// Parts of like strength, each at the first place round the unit that has room for it.
    fn some_split(&self, a: &Activation) -> Option<Action> {
        let unit = self.unit(a.unit);
        let advanced = &self.rules().advanced;
        let most = advanced.light_part[1].max(1);
        let count = unit.n.div_ceil(most).max(2);
        let middle = unit.middle(self.rules());
        let places: Vec<Point> = (0..=12)
            .flat_map(|ring| (0..12).map(move |hour| (f64::from(ring) / 12.0, 30.0 * f64::from(hour))))
            .map(|(share, hour)| {
                (middle + forward(unit.facing + hour) * (advanced.light_apart * share)).round_to(0.001)
            })
            .collect();
        let mut stood: Vec<Unit> = Vec::new();
        let mut parts: Vec<Part> = Vec::new();
        for i in 0..count {
            let n = unit.n / count + u8::from(i < unit.n % count);
            let (at, stands) = places.iter().find_map(|&at| {
                let mut stands = self.part_of(a.unit, self.state.units.len() + usize::from(i), n, at);
                self.spread_out_beside(a.unit, &mut stands, Some(&Spread::Line), &stood).ok()?;
                Some((at, stands))
            })?;
            stood.push(stands);
            parts.push(Part { n, at });
        }
        self.judge_split(a, &parts).is_ok().then_some(Action::Split { parts })
    }

    fn some_gather(&self, a: &Activation) -> Option<Action> {
        let parent = self.unit(a.unit).parent;
        let others = || self.present().filter(|&(no, u)| no != a.unit && u.parent == parent);
        others().find_map(|(_, other)| {
            let with = vec![other.id];
            let shape = SHAPES.into_iter().find(|&shape| self.judge_gather(a, &with, shape).is_ok())?;
            Some(Action::Gather { with, shape })
        })
    }

    /// A part as it leaves its unit, its men not yet spread.
    fn part_of(&self, whole: UnitNo, no: usize, men: u8, at: Point) -> Unit {
        let unit = self.unit(whole);
        let mut part = *unit;
        part.id = part_id(unit.id, no);
        part.kind = Kind::Skirmisher;
        part.n = men;
        part.n0 = men;
        part.formation = Formation::Loose;
        part.spots = Spots::default();
        part.light = false;
        part.parent = Some(whole);
        part.set_pose(at, unit.facing);
        part
    }

    /// Whether parts may form again; gives the parent as it would stand.
    pub(crate) fn judge_gather(
        &self,
        a: &Activation,
        with: &[UnitId],
        shape: Formation,
    ) -> Result<(Unit, Vec<UnitNo>), Illegal> {
        self.judge_light_slot(a)?;
        let unit = self.unit(a.unit);
        let Some(parent) = unit.parent else {
            return refuse(CLAUSE, format!("{} is no part of light infantry", unit.id));
        };
        // Some of them may have formed again before; the rest have nobody's place to take.
        if self.unit(parent).presence != Presence::Split {
            let why = format!("{} has formed again without it; it stays a part", self.unit(parent).id);
            return refuse(CLAUSE, why);
        }
        let mut parts = vec![a.unit];
        for id in with {
            let no = self.named(*id, CLAUSE)?;
            if self.unit(no).parent != Some(parent) || parts.contains(&no) {
                return refuse(CLAUSE, format!("{id} is no other part of the same unit"));
            }
            parts.push(no);
        }
        if parts.iter().any(|&p| self.unit(p).is_mob()) {
            return refuse(CLAUSE, "a part that is a mob must reform first");
        }
        let near = self.rules().advanced.light_gather;
        let far_apart = parts
            .iter()
            .any(|&p| parts.iter().any(|&q| !within(self.unit(p).at.distance(self.unit(q).at), near)));
        if parts.len() < 2 || far_apart {
            return refuse(
                CLAUSE,
                format!("gather two or more parts whose centres are within {near} of each other"),
            );
        }
        let mut whole = *self.unit(parent);
        whole.presence = Presence::Present;
        whole.n = parts.iter().map(|&p| self.unit(p).n).sum();
        whole.colour = parts.iter().map(|&p| self.unit(p).colour).max().unwrap_or(Colour::Green);
        whole.disorder = parts.iter().any(|&p| self.unit(p).disorder);
        // Once a turn, whoever of them it was (ATKM-ADV-05).
        whole.shrugged = parts.iter().any(|&p| self.unit(p).shrugged);
        whole.formation = shape;
        whole.set_pose(unit.at, unit.facing);
        if !matches!(shape, Formation::Line(_) | Formation::Column(_)) {
            return refuse(CLAUSE, "light infantry gathers into line or column");
        }
        self.judge_shape(&whole, shape)?;
        let footprint = whole.footprint(self.rules());
        self.standable(&footprint).map_err(|i| Illegal::new("ATKM-FORM-22", i.why))?;
        if let Some(met) = self.overlapped(&footprint, |o, _| parts.contains(&o)) {
            return refuse("ATKM-FORM-22", format!("it would stand on {}", self.unit(met).id));
        }
        Ok((whole, parts))
    }

    pub(crate) fn do_gather(&mut self, whole: Unit, parts: &[UnitNo], log: &mut Log) {
        let Some(parent) = self.unit(parts[0]).parent else { return };
        for &part in parts {
            self.unit_mut(part).presence = Presence::Merged;
        }
        *self.unit_mut(parent) = whole;
        log.say(|| Event::new("gather", CLAUSE).who(whole.id).with("privates", whole.n));
        if let Some(a) = &mut self.state.activation {
            a.changed = true;
            a.unit = parent;
        }
        if whole.n <= self.rules().advanced.light_least {
            self.rout(parent, Broken::TooFew, log);
        } else if !self.rout_if_broken(parent, log) {
            self.displace_generals(parent, log);
        }
    }
}

/// A name for a part: the parent's with a number.
fn part_id(parent: UnitId, number: usize) -> UnitId {
    let mut text: ArrayString<16> = ArrayString::new();
    let keep = parent.as_str().len().min(11);
    let stem = parent.as_str().get(..keep).unwrap_or("part");
    let _ = write!(text, "{stem}-{number}");
    text.parse().unwrap_or(parent)
}
