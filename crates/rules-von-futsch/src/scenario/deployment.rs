//! Set-up of a points game: terrain dice, roll-off, placing in turns (VF-SCEN-02 to -06).

use std::sync::Arc;

use serde::Serialize;
use tricorne_chance::Chance;
use tricorne_game::{Event, Log, Side};
use tricorne_table::{Area, Point};

use crate::action::{Action, PutDown};
use crate::charts::RandomGround;
use crate::field::{Field, bit, bits};
use crate::model::ground::{GroundKind, Piece};
use crate::model::measure::Decimal;
use crate::model::{Cr, Formation, Level, Nr};
use crate::questions::Deploy;
use crate::rulebook::{Profiles, Rulebook};
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
        let dice = chance.faces("terrain", SECTORS, 6);
        let ground = &self.p().ground;
        let told = pieces_told(ground, &dice);
        let laid: Vec<Piece> = sectors(ground, [self.b.width, self.b.height], &dice)
            .into_iter()
            .filter_map(|(id, kind, a, b)| Some(Piece::new(id, kind, false, Area::rectangle(a, b).ok()?)))
            .collect();
        Arc::make_mut(&mut self.b).terrain.extend(laid);
        log.say(|| Event::new("terrain", "VF-SCEN-03").faces(&dice).with("pieces", told));
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
    pub(crate) fn lots(&self, side: Side) -> impl Iterator<Item = Lot> + '_ {
        let waiting = move |u: Nr| self.unit(u).gone == Some(Fate::Undeployed) && self.side(u) == side;
        let units = move || (0..self.s.units.len()).map(|i| Nr(i as u8)).filter(move |&u| waiting(u));
        let regiments = (0..self.b.regiments.len() as u8)
            .filter(move |&r| units().any(|u| self.spec(u).regiment == Some(r)))
            .map(Lot::Regiment);
        let alone = units().filter(|&u| self.spec(u).regiment.is_none()).map(Lot::Unit);
        let chiefs = (0..self.s.commanders.len()).map(|i| Cr(i as u8)).filter(move |&c| {
            self.commander(c).gone == Some(Fate::Undeployed)
                && self.chief(c).side == side
                && self.chief(c).level != Level::Regimental
        });
        regiments.chain(alone).chain(chiefs.map(Lot::Commander))
    }

    pub(crate) fn lot_name(&self, lot: Lot) -> &str {
        match lot {
            Lot::Regiment(r) => self.b.regiments.get(usize::from(r)).map_or("", String::as_str),
            Lot::Unit(u) => self.spec(u).id.as_str(),
            Lot::Commander(c) => self.chief(c).id.as_str(),
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
        let lots: Vec<Lot> = self.lots(side).collect();
        if !lots.is_empty() && lots.iter().all(|&lot| self.first_placing(side, lot).is_none()) {
            for lot in lots {
                self.skip_lot(lot);
            }
            self.push(Step::DeployNext);
        } else if !lots.is_empty() {
            self.push(Step::DeployNext);
            self.ask(Deploy { side });
        } else if self.lots(side.enemy()).next().is_some() {
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
            let (width, _) = self.p().base.size(formation);
            x += width * 0.5;
            units.push(PutDown { id: self.spec(*u).id, at: put(x, depth - back), facing, formation });
            x += width * 0.5 + 0.5;
        }
        let commander = chief.map(|c| {
            let half = self.chief(c).level.base(self.p()) * 0.5;
            let behind = if members.is_empty() { half } else { self.p().base.troops * 2.0 + 0.1 + half };
            put(along + half, depth - back - behind)
        });
        Action::Deploy { piece: self.lot_name(lot).to_owned(), units, commander }
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

/// How many dice are thrown for random ground: three sectors along each half of the table (VF-SCEN-03).
pub(crate) const SECTORS: usize = 6;
/// The largest table anybody has.
const MOST: f64 = 240.0;

/// The smallest table whose sectors hold the largest piece and whose deployments are clear of each other.
fn least_table(p: &Profiles) -> [f64; 2] {
    let [w, h] = p.ground.largest().map(f64::from);
    let apart = 2 * u16::from(p.table.deployment) + u16::from(p.distance.near_enemy);
    [3.0 * w, (2.0 * h).max(f64::from(apart))]
}

/// Why no ground can be laid by chance on a table; none if it can.
pub(crate) fn no_sectors(p: &Profiles, [width, height]: [f64; 2]) -> Option<String> {
    let [least_width, least_height] = least_table(p);
    let fits = width >= least_width && height >= least_height && width <= MOST && height <= MOST;
    (!fits).then(|| {
        format!(
            "a table of {width} by {height} can't be divided into the six sectors of random ground; take one from \
             {least_width} by {least_height} to {MOST} by {MOST} [VF-SCEN-03]"
        )
    })
}

/// The pieces of a points game, as a file has them (VF-SCEN-03).
pub(crate) fn terrain_text(table: Option<[f64; 2]>, dice: &[u8]) -> Result<String, String> {
    let p = &Rulebook::own().profiles;
    let table = table.unwrap_or(p.usual_table());
    if let Some(why) = no_sectors(p, table) {
        return Err(why);
    }
    let piece = |(id, kind, a, b): (String, GroundKind, Point, Point)| {
        format!(
            "[[terrain]]\nid = \"{id}\"\nkind = \"{}\"\noutline = {{ rect = [{}, {}, {}, {}] }}\n",
            kind.word(),
            a.x,
            a.y,
            b.x,
            b.y
        )
    };
    Ok(sectors(&p.ground, table, dice).into_iter().map(piece).collect::<Vec<_>>().join("\n"))
}

/// What the dice brought, sector by sector.
fn pieces_told(ground: &RandomGround, dice: &[u8]) -> String {
    let piece = |&die: &u8| match ground.piece(die).map(|piece| piece.kind) {
        Some(GroundKind::Difficult) => format!("{die} a marsh"),
        Some(kind) => format!("{die} {}", kind.name()),
        None => format!("{die} nothing"),
    };
    dice.iter().map(piece).collect::<Vec<_>>().join(", ")
}

/// The road and the six sectors of a table (VF-SCEN-03).
fn sectors(
    ground: &RandomGround,
    [width, height]: [f64; 2],
    dice: &[u8],
) -> Vec<(String, GroundKind, Point, Point)> {
    let (middle, half) = (width * 0.5, ground.road.get() * 0.5);
    let road = (Point::new(middle - half, 0.0), Point::new(middle + half, height));
    let mut all = vec![("road".to_owned(), GroundKind::Road, road.0, road.1)];
    let sectors = [1.0, 3.0].into_iter().flat_map(|row: f64| {
        [1.0, 3.0, 5.0].into_iter().map(move |column: f64| (width * column / 6.0, height * row / 4.0))
    });
    for (i, (&die, (x, y))) in dice.iter().zip(sectors).enumerate() {
        let Some(piece) = ground.piece(die) else { continue };
        let [w, h] = piece.size.map(f64::from);
        let half = Point::new(w * 0.5, h * 0.5);
        let centre = Point::new(x, y).round_to(0.25);
        all.push((format!("sector {}", i + 1), piece.kind, centre - half, centre + half));
    }
    all
}
