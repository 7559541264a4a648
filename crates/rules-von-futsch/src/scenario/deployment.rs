//! Set-up of a points game: terrain dice, roll-off, placing in turns (VF-SCEN-02 to -06).

use std::sync::Arc;

use serde::Serialize;
use tricorne_chance::Chance;
use tricorne_game::{Event, Log, Side};
use tricorne_table::{Area, Point};

use crate::action::{Action, PutDown};
use crate::field::{Field, bit, bits};
use crate::model::ground::{GroundKind, Piece};
use crate::model::measure::Decimal;
use crate::model::{Cr, Formation, Level, Nr};
use crate::questions::Deploy;
use crate::state::{BLACK, Fate, RED, Step};

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

impl Field {
    /// The dice before the first piece is placed (S-SETUP).
    pub(crate) fn set_up_points_game(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        let dice = chance.faces("terrain", 6, 6);
        let brief = Arc::make_mut(&mut self.b);
        lay_terrain(brief, &dice);
        log.say(|| Event::new("terrain", "VF-SCEN-03").faces(&dice).with("pieces", pieces_told(&dice)));
        let first = loop {
            let roll = chance.faces("roll_off", 2, 6);
            let (red, black) = (roll.first().copied().unwrap_or(1), roll.get(1).copied().unwrap_or(2));
            let names = &self.b.names;
            log.say(|| {
                let event = Event::new("roll_off", "VF-SCEN-05").faces(&roll);
                let event = event.with("red", names[0].as_str()).with("black", names[1].as_str());
                let event = event.with("reds", red).with("blacks", black);
                match red.cmp(&black) {
                    std::cmp::Ordering::Less => event.outcome("first").with("side", names[0].as_str()),
                    std::cmp::Ordering::Equal => event.outcome("again"),
                    std::cmp::Ordering::Greater => event.outcome("first").with("side", names[1].as_str()),
                }
            });
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
            self.ask(Deploy { side });
        } else if !self.lots(side.enemy()).is_empty() {
            self.push(Step::DeployNext);
        } else {
            self.push(Step::TurnStart);
        }
    }

    /// A placing of a lot from the side's own left, so far along its front and so far back from it: side by side from
    /// there. What Red would put somewhere, Black puts half a turn away (VF-SCEN-14).
    pub(crate) fn placing_at(
        &self,
        side: Side,
        lot: Lot,
        along: f64,
        back: f64,
        formation: Option<Formation>,
    ) -> Action {
        let (members, chief) = self.lot_members(lot);
        let depth = f64::from(self.p().table.deployment);
        let put = |x: f64, y: f64| {
            let at = self.half_turn(side, Point::new(x, y));
            [Decimal::of(at.x), Decimal::of(at.y)]
        };
        let facing = Decimal::of(if side == RED { 0.0 } else { 180.0 });
        let mut units = Vec::new();
        let mut x = along;
        for u in &members {
            let formations = self.kind(*u).formations();
            let formation = formation.filter(|f| formations.contains(f)).unwrap_or(formations[0]);
            let (width, _) = crate::model::formation::size(formation);
            x += width * 0.5;
            units.push(PutDown { id: self.spec(*u).id, at: put(x, depth - back), facing, formation });
            x += width * 0.5 + 0.5;
        }
        let commander = chief.map(|c| {
            let half = self.chief(c).level.base() * 0.5;
            let behind = if members.is_empty() { half } else { 5.1 + half };
            put(along + half, depth - back - behind)
        });
        Action::Deploy { piece: self.lot_name(lot), units, commander }
    }

    /// A place as Red has it, for a side: Black's is half a turn away.
    pub(crate) fn half_turn(&self, side: Side, at: Point) -> Point {
        if side == RED { at } else { Point::new(self.b.width - at.x, self.b.height - at.y) }
    }

    /// Which of its kind a lot is within its side, from 0.
    pub(crate) fn lot_number(&self, side: Side, lot: Lot) -> usize {
        let first_unit = || (0..self.s.units.len()).map(|i| Nr(i as u8)).find(|&u| self.side(u) == side);
        match lot {
            Lot::Regiment(r) => {
                let of_side = |r: u8| self.b.units.iter().any(|u| u.side == side && u.regiment == Some(r));
                (0..r).filter(|&r| of_side(r)).count()
            }
            Lot::Unit(u) => usize::from(u.0 - first_unit().map_or(0, |f| f.0)),
            Lot::Commander(c) => (0..usize::from(c.0)).filter(|&i| self.b.commanders[i].side == side).count(),
        }
    }

    /// The first free place for a lot, along the front of its zone from the side's own left, then row by row towards its
    /// home edge (the default of D-DEPLOY).
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
            "[[terrain]]\nid = \"{id}\"\nkind = \"{}\"\noutline = {{ rect = [{}, {}, {}, {}] }}\n",
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

fn lay_terrain(brief: &mut crate::brief::Brief, dice: &[u8]) {
    for (id, kind, a, b) in sectors(TABLE, dice) {
        if let Ok(area) = Area::rectangle(a, b) {
            brief.terrain.push(Piece::new(id, kind, false, area));
        }
    }
}

/// What the six dice brought, sector by sector.
fn pieces_told(dice: &[u8]) -> String {
    let piece = |die: &u8| match die {
        2 => "2 woods",
        3 => "3 a hill",
        4 => "4 broken ground",
        5 => "5 a town",
        6 => "6 a marsh",
        _ => "1 nothing",
    };
    dice.iter().map(piece).collect::<Vec<_>>().join(", ")
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
