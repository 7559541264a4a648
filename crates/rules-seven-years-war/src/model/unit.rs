//! A unit: what is fixed about it, what changes, and what it has done in a phase (SYW-MODEL).

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use tricorne_game::{Side, UnitId};
use tricorne_table::{Bounds, Frame, Point, Pose, Rect};

use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::stands::WIDTH;
use crate::model::state::{Direction, Formation, MOST_STANDS};
use crate::rulebook::{Arm, Class, Drill, Grade, Kind, Weapon};
use crate::shooting::shots::Mark;

/// One stand, in its unit's terms: right and forward of the origin, and turned against the unit's facing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stand {
    pub u: f64,
    pub v: f64,
    pub turn: f64,
    /// 0 is the front rank.
    pub rank: u8,
}

/// Whether and where a unit is in the battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Presence {
    /// Not yet placed.
    Waiting,
    OnTable,
    /// Marked on the owner's map only (SYW-HIDE-01).
    Hidden,
    /// Gone over the edge, or still to come (SYW-OFF).
    Off,
    /// No stands left, or lost for good.
    Gone,
}

/// An enemy in touch with prisoners (SYW-ROUT-14).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Guard {
    pub unit: UnitIx,
    /// How it stood when it came up, or when they surrendered, and with how many stands.
    pub pose: Pose,
    pub stands: u8,
    /// Until it does more than stand and shoot; who has done so guards nobody until he comes up again.
    pub watches: bool,
}

/// What is fixed about a unit.
#[derive(Clone, Debug)]
pub struct UnitInfo {
    pub name: String,
    pub code: String,
    pub kind: Kind,
    pub arm: Arm,
    pub class: Class,
    pub tests_as: Class,
    pub speed: f64,
    pub march: f64,
    pub melee: i32,
    pub melee_against_infantry: i32,
    pub depth: f64,
    pub drill: Drill,
    pub morale: Grade,
    pub weapon: Weapon,
    pub poor_shots: bool,
    pub upgraded_drill: bool,
    pub upgraded_shots: bool,
    pub tag: String,
    pub price: f64,
}

/// A unit: a battery, a battalion or some squadrons; or stands detached from one (SYW-MOVE-17).
#[derive(Clone, Debug, Serialize)]
pub struct Unit {
    pub id: UnitId,
    pub info: u8,
    pub side: Side,
    pub group: GroupIx,
    pub presence: Presence,
    pub at: Point,
    pub facing: f64,
    pub formation: Formation,
    pub stands: ArrayVec<Stand, MOST_STANDS>,
    pub started: u8,
    /// Disorder that lasts until it is cured; disorder by ground comes on top (SYW-DIS-04).
    pub disordered: bool,
    /// The phase it last moved in, counted from the beginning (SYW-MODEL-24).
    pub stood_since: u32,
    /// Moved in the phase before, and in its own side's last phase.
    pub moved_before: bool,
    pub moved_own: bool,
    /// Shot at least once today (SYW-SHOOT-21).
    pub fired: bool,
    /// Shot in the phase before (SYW-LOS-05).
    pub fired_before: bool,
    /// To which side it has turned stands to meet a charge.
    pub turned: Option<Direction>,
    /// What it stood in before it turned.
    pub was: Formation,
    pub was_at: Point,
    pub was_facing: f64,
    pub surrendered: bool,
    /// Who has stood by it since its surrender (SYW-ROUT-14).
    pub guards: SmallVec<[Guard; 2]>,
    /// The enemy has ended a phase of his own without anybody in touch with it (SYW-ROUT-15).
    pub waited: bool,
    /// Did not outscore somebody it fought in this sub-phase (SYW-BREAK-03).
    pub held: bool,
    /// Just drawn up: its owner may still say where the rear rank stands (SYW-MODEL-06).
    pub formed: bool,
    /// Stand it broke through to while its group fights on (SYW-BREAK-11).
    pub on_stand: bool,
    /// The parent, for detached stands.
    pub parent: Option<UnitIx>,
    /// Terrain piece it is marked in while hidden.
    pub lair: Option<u8>,
    /// The piece it was marked in at deployment (SYW-HIDE-07).
    pub first_lair: Option<u8>,
    /// Whom it is split around, and where he stood then (SYW-INTER-10).
    pub split: Option<(UnitIx, Pose)>,
    /// Least distance of each stand from a known massed enemy when its group began to move (SYW-ORDER-26).
    pub began: ArrayVec<f64, MOST_STANDS>,
    /// What it has done in this phase.
    pub phase: UnitPhase,
    #[serde(skip)]
    pub frame: Cached,
}

/// What a unit has done and suffered in a phase; it goes with the phase.
#[derive(Clone, Debug, Default, Serialize)]
pub struct UnitPhase {
    /// Changed place or facing (SYW-SHOOT-12).
    pub moved: bool,
    /// Shot (SYW-LOS-05).
    pub fired: bool,
    /// First shooting of the day is going on: every shot of this sub-phase has the bonus.
    pub first_fire: bool,
    /// Stands that shot, a bit each, and how many shots were made.
    pub shot: u16,
    pub shots: u8,
    /// Whom it shot at (SYW-SHOOT-02).
    pub shot_at: SmallVec<[Mark; 2]>,
    /// Was charged, and held against it while on Stand (SYW-MELEE-23).
    pub charged: bool,
    /// Charged home (SYW-BREAK-01).
    pub charging: bool,
    /// Where its charge, pursuit or break-through began (SYW-FLANK-01).
    pub set_out: Option<Pose>,
    /// What of its charge it has ridden already, up to hidden enemies (SYW-VIS-06).
    pub ridden: f64,
    /// Turned stands to meet a charge (SYW-SHOOT-36).
    pub turned_now: bool,
    /// Formation change, shift or pivot done on its move.
    pub changed: bool,
    /// A change that leaves it no march in this phase (SYW-ORDER-39).
    pub rooted: bool,
    /// Set down from hiding elsewhere than it was marked, or stolen away: that was its move (SYW-HIDE-06, -08).
    pub set_down: bool,
    /// How much less of its move it has used than that of its group which has used most (SYW-CHARGE-05, SYW-VIS-06).
    pub spare: f64,
    /// Ground whose lump it has paid in its move (SYW-TERR-05, -07).
    pub paid: SmallVec<[u8; 4]>,
    /// Moved by stealth (SYW-HIDE-06), or tried to put itself in order (SYW-ORDER-18).
    pub stole: bool,
    /// Generals its move goes over, until it is set down and they are driven off (SYW-GEN-25).
    pub overrun: SmallVec<[GeneralIx; 1]>,
    /// Where it stood when movement began, and whether everybody knew of it then (SYW-CHARGE-02).
    pub start_at: Point,
    pub start_facing: f64,
    pub start_known: bool,
}

impl UnitPhase {
    /// A phase about to begin, for a unit that stands somewhere.
    pub fn from(pose: Pose) -> Self {
        Self { start_at: pose.at, start_facing: pose.facing, ..Self::default() }
    }
}

/// Worked out again whenever the unit is placed.
#[derive(Clone, Copy, Debug)]
pub struct Cached {
    pub frame: Frame,
    /// The facing the frame was worked out for.
    pub facing: f64,
    pub bounds: Bounds,
    /// Worst type of ground it stands in; 255 for open ground.
    pub ground: u8,
}

/// Open ground, which is none of the types 0 to 4.
pub const OPEN: u8 = 255;

impl Default for Cached {
    fn default() -> Self {
        let nowhere = Point::ORIGIN;
        Self {
            frame: Frame { at: nowhere, forward: Point::new(0.0, 1.0) },
            facing: 0.0,
            bounds: Bounds { min: nowhere, max: nowhere },
            ground: OPEN,
        }
    }
}

impl Unit {
    /// Works its frame out again after it was moved or turned.
    pub fn reframe(&mut self) {
        self.frame.frame = self.pose().frame();
        self.frame.facing = self.facing;
    }

    /// Stands left.
    pub fn strength(&self) -> usize {
        self.stands.len()
    }

    /// On the table, hidden or not.
    pub fn is_present(&self) -> bool {
        matches!(self.presence, Presence::OnTable | Presence::Hidden) && !self.stands.is_empty()
    }

    /// On the table for everybody to see.
    pub fn is_known(&self) -> bool {
        self.presence == Presence::OnTable && !self.stands.is_empty()
    }

    /// The side all of it has turned to; none where some of its stands fight on as they stood.
    pub fn turned_whole(&self) -> Option<Direction> {
        self.turned.filter(|_| self.stands.iter().all(|s| s.turn == 0.0))
    }

    /// What a side of it as it stands now is to the unit: one that has turned to its left has its left in front of it, and is
    /// fighting there to its flank still (SYW-FLANK-13).
    pub fn named_side(&self, side: Direction) -> Direction {
        self.turned_whole().map_or(side, |turned| Direction::at(side.turn() + turned.turn()))
    }

    /// The side of it, as it stands now, that one of the unit's sides is.
    pub fn own_side(&self, named: Direction) -> Direction {
        self.turned_whole().map_or(named, |turned| Direction::at(named.turn() - turned.turn()))
    }

    /// Where it is and which way it looks.
    pub fn pose(&self) -> Pose {
        Pose { at: self.at, facing: self.facing }
    }

    /// The footprint of a stand in some frame with this unit's layout.
    pub fn rect_in(&self, frame: &Frame, facing: f64, i: usize, depth: f64) -> Rect {
        self.stands[i].rect_in(frame, facing, depth)
    }

    /// The footprints of all stands in some frame with this unit's layout.
    pub fn rects_in(&self, frame: &Frame, facing: f64, depth: f64) -> ArrayVec<Rect, MOST_STANDS> {
        // Pushed one by one: collected, all the room for them would be copied on its way out.
        let mut rects = ArrayVec::new();
        for stand in &self.stands {
            rects.push(stand.rect_in(frame, facing, depth));
        }
        rects
    }
}

impl Stand {
    /// Its footprint where the unit's frame is this.
    #[inline]
    fn rect_in(&self, frame: &Frame, facing: f64, depth: f64) -> Rect {
        let middle = Point::new(self.u, self.v);
        if self.turn == 0.0 {
            Rect::in_frame(frame, facing, middle, WIDTH, depth)
        } else {
            Rect::centred(Pose::new(frame.to_world(middle), facing + self.turn), WIDTH, depth)
        }
    }
}

impl Unit {
    /// The outline in the unit's own terms: left, right, rear, front (SYW-MODEL-15).
    pub fn extent(&self, depth: f64) -> Extent {
        let mut e = Extent { left: 0.0, right: 0.0, rear: 0.0, front: 0.0 };
        for (i, s) in self.stands.iter().enumerate() {
            let quarter = (s.turn.abs() - 90.0).abs() < 45.0;
            let (half_u, half_v) = if quarter { (depth, WIDTH) } else { (WIDTH, depth) };
            let (half_u, half_v) = (half_u * 0.5, half_v * 0.5);
            if i == 0 {
                e = Extent {
                    left: s.u - half_u,
                    right: s.u + half_u,
                    rear: s.v - half_v,
                    front: s.v + half_v,
                };
            } else {
                e.left = e.left.min(s.u - half_u);
                e.right = e.right.max(s.u + half_u);
                e.rear = e.rear.min(s.v - half_v);
                e.front = e.front.max(s.v + half_v);
            }
        }
        e
    }
}

/// An outline in a unit's own terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    pub left: f64,
    pub right: f64,
    pub rear: f64,
    pub front: f64,
}

impl Extent {
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn depth(&self) -> f64 {
        self.front - self.rear
    }

    /// The middle of one of its edges.
    pub fn middle(&self, edge: Direction) -> Point {
        let middle = Point::new((self.left + self.right) * 0.5, (self.front + self.rear) * 0.5);
        match edge {
            Direction::Front => Point::new(middle.x, self.front),
            Direction::Left => Point::new(self.left, middle.y),
            Direction::Right => Point::new(self.right, middle.y),
            Direction::Rear => Point::new(middle.x, self.rear),
        }
    }
}
