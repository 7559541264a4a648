//! Set-up of a points game: terrain dice, roll-off, placing in turns (VF-SCEN-02 to -06).

use std::sync::Arc;

use serde::Serialize;
use tricorne_chance::Chance;
use tricorne_game::{Event, Illegal, Log, Side};
use tricorne_table::{Area, Point, Pose};

use crate::action::{Action, PutDown};
use crate::field::{Field, bit, bits, no};
use crate::formation::Body;
use crate::ground::{GroundKind, Mover, Piece};
use crate::measure::{Decimal, Place, exact, mils};
use crate::model::{Cr, Formation, Level, Nr};
use crate::state::{BLACK, Fate, RED, Step, Unit};

/// What the set-up has rolled, and whose turn it is to place.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Deployment {
    /// The six terrain dice.
    pub terrain: Vec<u8>,
    /// Who places next.
    pub next: Side0,
}

/// A side, defaulting to Red.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Side0(pub u8);

/// Something placed in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lot {
    Regiment(u8),
    Unit(Nr),
    Commander(Cr),
}

/// A lot with its units and commander where they go.
#[derive(Clone, Debug)]
pub(crate) struct Placing {
    pub units: Vec<(Nr, Place, Formation)>,
    pub commander: Option<(Cr, Point)>,
}

impl Field {
    /// The dice before the first piece is placed (S-SETUP).
    pub(crate) fn set_up_points_game(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        let dice = chance.faces("terrain", 6, 6);
        let brief = Arc::make_mut(&mut self.b);
        lay_terrain(brief, &dice);
        log.say(|| Event::new("terrain", "VF-SCEN-03").faces(&dice));
        let first = loop {
            let roll = chance.faces("roll_off", 2, 6);
            let (red, black) = (roll.first().copied().unwrap_or(1), roll.get(1).copied().unwrap_or(2));
            log.say(|| Event::new("roll_off", "VF-SCEN-05").faces(&roll));
            if red != black {
                break if red < black { RED } else { BLACK };
            }
        };
        self.s.deployment = Some(Deployment { terrain: dice.to_vec(), next: Side0(first.0) });
        self.push(Step::DeployNext);
    }

    /// The lots a side has still to place.
    pub(crate) fn lots(&self, side: Side) -> Vec<Lot> {
        let mut lots = Vec::new();
        let waiting = |u: Nr| self.unit(u).gone == Some(Fate::Undeployed) && self.side(u) == side;
        for r in 0..self.b.regiments.len() as u8 {
            let any = (0..self.s.units.len())
                .map(|i| Nr(i as u8))
                .any(|u| waiting(u) && self.spec(u).regiment == Some(r));
            if any {
                lots.push(Lot::Regiment(r));
            }
        }
        for i in 0..self.s.units.len() {
            let u = Nr(i as u8);
            if waiting(u) && self.spec(u).regiment.is_none() {
                lots.push(Lot::Unit(u));
            }
        }
        for i in 0..self.s.commanders.len() {
            let c = Cr(i as u8);
            if self.commander(c).gone == Some(Fate::Undeployed)
                && self.chief(c).side == side
                && self.chief(c).level != Level::Regimental
            {
                lots.push(Lot::Commander(c));
            }
        }
        lots
    }

    pub(crate) fn lot_name(&self, lot: Lot) -> String {
        match lot {
            Lot::Regiment(r) => self.b.regiments.get(usize::from(r)).cloned().unwrap_or_default(),
            Lot::Unit(u) => self.name(u),
            Lot::Commander(c) => self.chief(c).id.to_string(),
        }
    }

    /// The units of a lot and its commander.
    pub(crate) fn lot_members(&self, lot: Lot) -> (Vec<Nr>, Option<Cr>) {
        match lot {
            Lot::Unit(u) => (vec![u], None),
            Lot::Commander(c) => (vec![], Some(c)),
            Lot::Regiment(r) => {
                let units: Vec<Nr> = (0..self.s.units.len())
                    .map(|i| Nr(i as u8))
                    .filter(|&u| self.spec(u).regiment == Some(r))
                    .collect();
                let side = units.first().map(|&u| self.side(u));
                let chief = (0..self.s.commanders.len()).map(|i| Cr(i as u8)).find(|&c| {
                    let spec = self.chief(c);
                    spec.level == Level::Regimental && spec.body == Some(r) && Some(spec.side) == side
                });
                (units, chief)
            }
        }
    }

    /// The next side with something to place; the turn begins when nobody has.
    pub(crate) fn deploy_next(&mut self) {
        let Some(d) = &mut self.s.deployment else { return };
        let side = Side(d.next.0);
        d.next = Side0(side.enemy().0);
        let lots = self.lots(side);
        if !lots.is_empty() && lots.iter().all(|&lot| self.first_placing(side, lot).is_none()) {
            for lot in lots {
                self.skip_lot(lot);
            }
            self.push(Step::DeployNext);
        } else if !lots.is_empty() {
            self.push(Step::DeployNext);
            self.push(Step::AskDeploy(side));
        } else if !self.lots(side.enemy()).is_empty() {
            self.push(Step::DeployNext);
        } else {
            self.push(Step::TurnStart);
        }
    }

    fn in_zone(&self, side: Side, body: &Body) -> bool {
        let depth = mils(f64::from(self.p().table.deployment));
        body.on_table(self.b.width, self.b.height)
            && body.parts().iter().all(|part| {
                part.corners().iter().all(|c| {
                    let y = if side == RED { mils(c.y) } else { mils(self.b.height - c.y) };
                    y <= depth
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
        let Some(lot) = self.lots(side).into_iter().find(|&l| self.lot_name(l) == piece) else {
            return no("VF-SCEN-05", format!("`{piece}` is nothing of yours that is still to be placed"));
        };
        let (members, chief) = self.lot_members(lot);
        let mut placing = Placing { units: Vec::new(), commander: None };
        let mut bodies: Vec<Body> = Vec::new();
        if units.len() != members.len() {
            return no("VF-SCEN-05", format!("{piece} has {} units; place them all", members.len()));
        }
        for put in units {
            let u = self.named(put.id)?;
            if !members.contains(&u) || placing.units.iter().any(|(o, ..)| *o == u) {
                return no("VF-SCEN-05", format!("{} is not of {piece}, or is placed twice", put.id));
            }
            if !self.kind(u).formations().contains(&put.formation) {
                let why = format!("{} may not stand in {}", put.id, put.formation.name());
                return no("VF-MOVE-18", why);
            }
            let pose = Pose::new(Point::new(put.at[0].get(), put.at[1].get()), put.facing.get());
            let place = Place::of(pose);
            let body = Body::new(place.pose(), put.formation, self.unit(u).strength);
            if !self.in_zone(side, &body) {
                return no("VF-SCEN-05", format!("{} must lie wholly within 12 of its home edge", put.id));
            }
            if !self.room_for(&body, None, Mover::Unit(self.kind(u)))
                || bodies.iter().any(|b| b.overlaps(&body))
            {
                return no("VF-MODEL-44", format!("there is no room for {} there", put.id));
            }
            bodies.push(body);
            placing.units.push((u, place, put.formation));
        }
        // One chain of links of 12 (VF-CMD-01).
        let mut linked = 1_u64;
        for _ in 0..bodies.len() {
            for (i, a) in bodies.iter().enumerate() {
                if bodies
                    .iter()
                    .enumerate()
                    .any(|(j, b)| linked & (1 << j) != 0 && self.o().within(a.gap_mils(b), 12_000))
                {
                    linked |= 1 << i;
                }
            }
        }
        if (linked.count_ones() as usize) < bodies.len() {
            return no("VF-SCEN-05", "the sub-units of a regiment stand in a chain of 12");
        }
        match (chief, commander) {
            (Some(c), Some([x, y])) => {
                let at = Point::new(x.get(), y.get());
                let body = Body::of_commander(at, self.chief(c).level.base());
                if !self.in_zone(side, &body) {
                    return no("VF-SCEN-05", "the commander must be within 12 of his home edge");
                }
                if !self.room_for(&body, None, Mover::Commander) || bodies.iter().any(|b| b.overlaps(&body)) {
                    return no("VF-MODEL-44", "there is no room for the commander there");
                }
                placing.commander = Some((c, at));
            }
            (Some(_), None) => return no("VF-SCEN-05", format!("place the commander of {piece} as well")),
            (None, Some(_)) => return no("VF-SCEN-05", format!("{piece} has no commander")),
            (None, None) => {}
        }
        Ok(placing)
    }

    pub(crate) fn deploy(&mut self, placing: Placing, log: &mut Log) {
        for (u, place, formation) in placing.units {
            let strength = self.unit(u).strength;
            *self.unit_mut(u) = Unit::new(place, formation, strength);
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

    /// A placing of a lot with its first unit's corner at a place: side by side from there.
    pub(crate) fn placing_at(
        &self,
        side: Side,
        lot: Lot,
        x: f64,
        back: f64,
        formation: Option<Formation>,
    ) -> Action {
        let (members, chief) = self.lot_members(lot);
        let (facing, y) = if side == RED { (0.0, 12.0 - back) } else { (180.0, self.b.height - 12.0 + back) };
        let mut units = Vec::new();
        let mut at = x;
        for u in &members {
            let formations = self.kind(*u).formations();
            let formation = formation.filter(|f| formations.contains(f)).unwrap_or(formations[0]);
            let (width, _) = crate::formation::size(formation);
            at += width * 0.5;
            units.push(PutDown {
                id: self.spec(*u).id,
                at: [Decimal::of(at), Decimal::of(y)],
                facing: Decimal::of(facing),
                formation,
            });
            at += width * 0.5 + 0.5;
        }
        let commander = chief.map(|c| {
            let half = self.chief(c).level.base() * 0.5;
            let behind = if members.is_empty() { half } else { 5.1 + half };
            let cy = if side == RED { y - behind } else { y + behind };
            [Decimal::of(x + half), Decimal::of(cy)]
        });
        Action::Deploy { piece: self.lot_name(lot), units, commander }
    }

    /// The first free place for a lot, scanning x, then y (the default of D-DEPLOY).
    pub(crate) fn first_placing(&self, side: Side, lot: Lot) -> Option<Action> {
        let columns = (self.b.width * 2.0) as u32;
        for back in 0..24_u32 {
            for x in 0..columns {
                for formation in [None, Some(Formation::Column)] {
                    let action =
                        self.placing_at(side, lot, f64::from(x) * 0.5, f64::from(back) * 0.5, formation);
                    if let Action::Deploy { piece, units, commander } = &action
                        && self.judge_deploy(side, piece, units, *commander).is_ok()
                    {
                        return Some(action);
                    }
                }
            }
        }
        None
    }

    /// Lots for which there is no room left anywhere stay off the table; the game goes on.
    pub(crate) fn skip_lot(&mut self, lot: Lot) {
        let (members, chief) = self.lot_members(lot);
        for u in bits(members.iter().map(|&u| bit(u)).sum()) {
            self.unit_mut(u).gone = Some(Fate::LeftTable);
        }
        if let Some(c) = chief {
            self.commander_mut(c).gone = Some(Fate::LostWithHost);
        }
    }
}

/// The pieces of a points game, as a file has them (VF-SCEN-03).
pub(crate) fn terrain_text(table: Option<[f64; 2]>, dice: &[u8]) -> Result<String, String> {
    let [width, height] = table.unwrap_or(TABLE);
    if !(width >= LEAST[0] && height >= LEAST[1] && width <= MOST && height <= MOST) {
        return Err(format!(
            "a table of {width} by {height} can't be divided into the six sectors of random ground; take one from {} by {} to \
             {MOST} by {MOST} [VF-SCEN-03]",
            LEAST[0], LEAST[1]
        ));
    }
    let piece = |(id, kind, a, b): (String, GroundKind, Point, Point)| {
        let kind = serde_json::to_value(kind).ok().and_then(|v| v.as_str().map(str::to_owned));
        format!(
            "[[terrain]]\nid = \"{id}\"\nkind = \"{}\"\nrect = [{}, {}, {}, {}]\n",
            kind.unwrap_or_default(),
            a.x,
            a.y,
            b.x,
            b.y
        )
    };
    Ok(sectors([width, height], dice).into_iter().map(piece).collect::<Vec<_>>().join("\n"))
}

/// The usual table (VF-SCEN-01).
pub(crate) const TABLE: [f64; 2] = [72.0, 48.0];
/// The smallest table whose sectors hold the largest piece, and the largest anybody has.
const LEAST: [f64; 2] = [36.0, 30.0];
const MOST: f64 = 240.0;

fn lay_terrain(brief: &mut crate::state::Brief, dice: &[u8]) {
    for (id, kind, a, b) in sectors(TABLE, dice) {
        if let Ok(area) = Area::rectangle(a, b) {
            brief.terrain.push(Piece::new(id, kind, false, area));
        }
    }
}

/// The road and the six sectors (VF-SCEN-03).
fn sectors([width, height]: [f64; 2], dice: &[u8]) -> Vec<(String, GroundKind, Point, Point)> {
    let mut all = Vec::new();
    let mut lay = |id: String, kind: GroundKind, a: Point, b: Point| all.push((id, kind, a, b));
    let middle = width * 0.5;
    lay("road".into(), GroundKind::Road, Point::new(middle - 1.25, 0.0), Point::new(middle + 1.25, height));
    let sectors = [1.0, 3.0].into_iter().flat_map(|row: f64| {
        [1.0, 3.0, 5.0].into_iter().map(move |column: f64| (width * column / 6.0, height * row / 4.0))
    });
    for (i, (&die, (x, y))) in dice.iter().zip(sectors).enumerate() {
        let (kind, w, h) = match die {
            2 => (GroundKind::Woods, 8.0, 6.0),
            3 => (GroundKind::Hill, 10.0, 8.0),
            4 => (GroundKind::Broken, 8.0, 8.0),
            5 => (GroundKind::Town, 6.0, 6.0),
            6 => (GroundKind::Difficult, 6.0, 6.0),
            _ => continue,
        };
        let half = Point::new(w * 0.5, h * 0.5);
        let centre = Point::new(x, y).round_to(0.25);
        lay(format!("sector {}", i + 1), kind, centre - half, centre + half);
    }
    all
}
