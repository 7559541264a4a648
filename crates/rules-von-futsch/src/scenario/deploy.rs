//! D-DEPLOY: a regiment, a unit or a commander is placed (VF-SCEN-05).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Side};
use tricorne_table::{Bounds, Point, Pose};

use crate::action::{Action, PutDown};
use crate::field::Field;
use crate::model::formation::Body;
use crate::model::ground::Mover;
use crate::model::measure::{Decimal, Place, exact, mils};
use crate::model::{Cr, Formation, Nr};
use crate::questions::asks;
use crate::rulebook::inch;
use crate::scenario::deployment::Lot;
use crate::state::{RED, Unit};

/// What is placed, and where?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Deploy {
    /// Who places.
    pub side: Side,
}

/// A lot with its units and commander where they go.
#[derive(Clone, Debug)]
pub struct Placing {
    /// Its units, each with its place and formation.
    pub units: Vec<(Nr, Place, Formation)>,
    /// Its commander.
    pub commander: Option<(Cr, Point)>,
}

impl Question<Field> for Deploy {
    type Judged = Placing;

    asks!("deploy", "deployment", |field| format!(
        "Place a regiment, an independent unit or a commander within {} of your edge.",
        field.p().table.deployment
    ));

    crate::questions::of_side!();

    fn answers(&self, _: &Field, out: &mut Answers<Action>) {
        out.space("deploy", None, None, "units: id, at, facing, formation; commander: [x, y]");
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Placing, Illegal> {
        match answer {
            Action::Deploy { piece, units, commander } => {
                field.judge_deploy(self.side, piece, units, *commander)
            }
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, placing: Placing, now: &mut Now<'_>) {
        field.deploy(placing, now.log);
    }

    fn usual(&self, field: &Field) -> Action {
        // It is only asked when there is room for something.
        let mut lots = field.lots(self.side);
        lots.find_map(|lot| field.first_placing(self.side, lot)).unwrap_or(Action::Pass)
    }

    fn preview(&self, field: &Field, placing: &Placing) -> Preview {
        let mut preview = Preview::default();
        let units = placing.units.iter();
        preview.overlays.extend(units.map(|&(u, place, formation)| field.ghost(u, place, formation)));
        preview.overlays.extend(placing.commander.map(|(c, at)| field.commander_ghost(c, at)));
        preview
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        let lots: Vec<Lot> = field.lots(self.side).collect();
        let Some(&lot) = whim.one_of(&lots) else { return Action::Pass };
        let formation = [None, Some(Formation::Column), Some(Formation::Line)][whim.below(3)];
        let x = (whim.unit() * field.b.width * 4.0).floor() * 0.25;
        let back = (whim.unit() * 8.0).floor() * 0.5;
        field.placing_at(self.side, lot, x, back, formation)
    }

    crate::questions::guessed!();
}

impl Field {
    /// Where a side deploys (VF-SCEN-05).
    pub(crate) fn deployment_zone(&self, side: Side) -> Bounds {
        let depth = f64::from(self.p().table.deployment);
        let (low, high) = if side == RED { (0.0, depth) } else { (self.b.height - depth, self.b.height) };
        Bounds { min: Point::new(0.0, low), max: Point::new(self.b.width, high) }
    }

    fn in_zone(&self, side: Side, body: &Body) -> bool {
        let depth = mils(f64::from(self.p().table.deployment));
        body.on_table(self.b.width, self.b.height)
            && body.parts().iter().all(|part| {
                part.corners().iter().all(|c| {
                    let y = if side == RED { mils(c.y) } else { mils(self.b.height - c.y) };
                    self.o().within(y, depth)
                })
            })
    }

    /// Judges a placing (D-DEPLOY).
    pub(crate) fn judge_deploy(
        &self,
        side: Side,
        piece: &str,
        units: &[PutDown],
        commander: Option<[Decimal; 2]>,
    ) -> Result<Placing, Illegal> {
        let Some(lot) = self.lots(side).find(|&lot| self.lot_name(lot) == piece) else {
            return refuse("VF-SCEN-05", format!("`{piece}` is nothing of yours that is still to be placed"));
        };
        let (members, chief) = self.lot_members(lot);
        let mut placing = Placing { units: Vec::new(), commander: None };
        let mut bodies: Vec<Body> = Vec::new();
        if units.len() != members.len() {
            return refuse("VF-SCEN-05", format!("{piece} has {} units; place them all", members.len()));
        }
        for put in units {
            let u = self.named(put.id)?;
            if !members.contains(&u) || placing.units.iter().any(|(o, ..)| *o == u) {
                return refuse("VF-SCEN-05", format!("{} is not of {piece}, or is placed twice", put.id));
            }
            if !self.kind(u).formations().contains(&put.formation) {
                let why = format!("{} may not stand in {}", put.id, put.formation.name());
                return refuse("VF-MOVE-18", why);
            }
            let pose = Pose::new(Point::new(put.at[0].get(), put.at[1].get()), put.facing.get());
            let place = Place::of(pose);
            let body = self.p().base.body(place.pose(), put.formation, self.unit(u).strength);
            if !self.in_zone(side, &body) {
                return refuse(
                    "VF-SCEN-05",
                    format!(
                        "{} must lie wholly within {} of its home edge",
                        put.id,
                        self.p().table.deployment
                    ),
                );
            }
            if !self.room_for(&body, None, Mover::Unit(self.kind(u)))
                || bodies.iter().any(|b| b.overlaps(&body))
            {
                return refuse("VF-MODEL-44", format!("there is no room for {} there", put.id));
            }
            bodies.push(body);
            placing.units.push((u, place, put.formation));
        }
        // One chain of links (VF-CMD-01).
        let reach = inch(self.p().distance.cohesion);
        let mut linked = 1_u64;
        for _ in 0..bodies.len() {
            for (i, a) in bodies.iter().enumerate() {
                if bodies
                    .iter()
                    .enumerate()
                    .any(|(j, b)| linked & (1 << j) != 0 && self.o().within(a.gap_mils(b), reach))
                {
                    linked |= 1 << i;
                }
            }
        }
        if (linked.count_ones() as usize) < bodies.len() {
            let links = self.p().distance.cohesion;
            return refuse("VF-SCEN-05", format!("the sub-units of a regiment stand in a chain of {links}"));
        }
        match (chief, commander) {
            (Some(c), Some([x, y])) => {
                let at = Point::new(x.get(), y.get());
                let body = Body::of_commander(at, self.chief(c).level.base(self.p()));
                if !self.in_zone(side, &body) {
                    let why = format!(
                        "the commander must be within {} of his home edge",
                        self.p().table.deployment
                    );
                    return refuse("VF-SCEN-05", why);
                }
                if !self.room_for(&body, None, Mover::Commander) || bodies.iter().any(|b| b.overlaps(&body)) {
                    return refuse("VF-MODEL-44", "there is no room for the commander there");
                }
                placing.commander = Some((c, at));
            }
            (Some(_), None) => {
                return refuse("VF-SCEN-05", format!("place the commander of {piece} as well"));
            }
            (None, Some(_)) => return refuse("VF-SCEN-05", format!("{piece} has no commander")),
            (None, None) => {}
        }
        Ok(placing)
    }

    pub(crate) fn deploy(&mut self, placing: Placing, log: &mut Log) {
        for (u, place, formation) in placing.units {
            let strength = self.unit(u).strength;
            *self.unit_mut(u) = Unit::new(place, formation, strength, self.p().base);
            self.put(u, place);
            self.s.moved = 0;
            let id = self.spec(u).id;
            log.say(|| {
                Event::new("deployed", "VF-SCEN-05")
                    .who(id)
                    .with("x", exact(place.x))
                    .with("y", exact(place.y))
            });
        }
        if let Some((c, at)) = placing.commander {
            let commander = self.commander_mut(c);
            commander.gone = None;
            commander.x = mils(at.x);
            commander.y = mils(at.y);
            let id = self.chief(c).id;
            log.say(|| Event::new("deployed", "VF-SCEN-05").who(id).with("x", at.x).with("y", at.y));
        }
    }
}
