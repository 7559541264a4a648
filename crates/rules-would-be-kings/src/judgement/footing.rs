//! What shelters a unit where it stands or would stand: cover, height, walls, a house.

use arrayvec::ArrayVec;
use tricorne_table::{Bounds, Point};

use crate::battle::Fray;
use crate::model::base::FIGURE;
use crate::model::ground::Land;
use crate::state::{Layout, No, Spot};
use crate::tables::rulebook::Cover;

/// A wall at hand.
#[derive(Clone, Copy, Debug)]
struct Wall {
    piece: usize,
    /// Most of the unit is near enough to be covered by it (WBK-MOD-25).
    covers: bool,
    /// Its foremost is near enough to defend it (WBK-MOD-26).
    defends: bool,
}

/// A place to stand, and what shelters there.
#[derive(Clone, Debug)]
pub(crate) struct Footing {
    pub(crate) at: Point,
    /// The unit stays as it is.
    pub(crate) still: bool,
    /// In a building.
    pub(crate) housed: bool,
    /// Markers that somebody there is near enough to, by bit (WBK-SCEN-09).
    on: u16,
    cover: Cover,
    level: u8,
    walls: ArrayVec<Wall, 4>,
}

impl Footing {
    /// In the open.
    pub(crate) fn bare(at: Point) -> Self {
        Self { at, still: false, housed: false, on: 0, cover: Cover::None, level: 0, walls: ArrayVec::new() }
    }

    /// In a building.
    pub(crate) fn housed(at: Point) -> Self {
        Self { housed: true, ..Self::bare(at) }
    }

    /// What shelters from an enemy at a place: cover from its fire, and whether its blows are met from behind
    /// something or from above (WBK-ATT-13, 16, 43).
    pub(crate) fn against(&self, land: &Land, from: Point, level: u8) -> (Cover, bool) {
        if self.housed {
            return (Cover::Hard, true);
        }
        let mut cover = self.cover;
        let mut defended = cover == Cover::Hard || self.level > level;
        for wall in &self.walls {
            let piece = &land.pieces[wall.piece];
            if piece.crossed_by(self.at, from) {
                if wall.covers {
                    cover = cover.max(piece.cover);
                }
                defended |= wall.defends;
            }
        }
        (cover, defended)
    }

    /// Whether somebody there is near enough to a marker to hold it.
    pub(crate) fn is_on(&self, marker: usize) -> bool {
        self.on >> marker & 1 == 1
    }

    /// Whether there is any shelter at all.
    pub(crate) fn shelters(&self) -> bool {
        self.housed || self.cover != Cover::None || !self.walls.is_empty()
    }
}

impl Fray {
    /// What shelters a unit as it stands.
    pub(crate) fn footing(&self, u: No) -> Footing {
        let unit = self.unit(u);
        if unit.garrison.is_some() {
            return Footing { still: true, ..Footing::housed(unit.anchor.point()) };
        }
        Footing { still: true, ..self.footing_of(unit.anchor.point(), &unit.places) }
    }

    /// What shelters models at their places.
    pub(crate) fn footing_of(&self, at: Point, places: &[Spot]) -> Footing {
        let land = &self.field.land;
        let mut footing =
            Footing { on: self.markers_near(FIGURE, places.iter().map(|s| s.point())), ..Footing::bare(at) };
        if land.covering.is_empty() && land.obstacles.is_empty() && land.hills.is_empty() {
            return footing;
        }
        let mut around = Bounds::NOTHING;
        for spot in places {
            around = around.join(&Bounds::of_pair(spot.point(), spot.point()));
        }
        let most = |n: usize| n * 2 > places.len();
        if land.covering.iter().any(|&i| land.pieces[i].bounds.meets(&around)) {
            let (mut soft, mut hard) = (0, 0);
            for spot in places {
                match land.cover_at(spot.point()) {
                    Cover::None => {}
                    Cover::Soft => soft += 1,
                    Cover::Hard => hard += 1,
                }
            }
            footing.cover = if most(hard) {
                Cover::Hard
            } else if most(soft + hard) {
                Cover::Soft
            } else {
                Cover::None
            };
        }
        if land.hills_within(&around) {
            let high = places.iter().filter(|s| land.level_at(s.point()) > 0).count();
            if most(high) {
                footing.level = land.level_at(at).max(1);
            }
        }
        let near = &self.field.rulebook.charts.near;
        for &i in &land.obstacles {
            let piece = &land.pieces[i];
            let Some(line) = piece.line().filter(|_| piece.bounds.grown(near.obstacle_covers).meets(&around))
            else {
                continue;
            };
            let (mut close, mut least) = (0, f64::INFINITY);
            for spot in places {
                let gap = line.distance_to(spot.point()) - FIGURE;
                least = least.min(gap);
                close += usize::from(gap <= near.obstacle_covers);
            }
            let wall =
                Wall { piece: i, covers: most(close), defends: least <= near.obstacle_defended + 0.05 };
            if wall.covers || wall.defends {
                let _ = footing.walls.try_push(wall);
            }
        }
        footing
    }

    /// What would shelter a unit about a place, judged by its middle.
    pub(crate) fn footing_at(&self, u: No, at: Point, layout: Layout) -> Footing {
        let land = &self.field.land;
        let ahead = FIGURE + self.depth_ahead(u);
        let mut footing = Footing { on: self.markers_near(ahead, std::iter::once(at)), ..Footing::bare(at) };
        if !land.covering.is_empty() {
            footing.cover = land.cover_at(at);
        }
        if !land.hills.is_empty() {
            footing.level = land.level_at(at);
        }
        if land.obstacles.is_empty() {
            return footing;
        }
        let near = &self.field.rulebook.charts.near;
        // A line has its men along the wall, others have half of them behind their middle.
        let (covers, defends) = match layout {
            Layout::Line => (near.obstacle_covers - 1.0, near.obstacle_defended + FIGURE),
            _ => (near.obstacle_covers + 0.3, near.obstacle_defended + FIGURE + self.depth_ahead(u)),
        };
        let far = covers.max(defends);
        for &i in &land.obstacles {
            let piece = &land.pieces[i];
            if piece.bounds.grown(far).contains(at)
                && let Some(line) = piece.line()
            {
                let gap = line.distance_to(at);
                let wall = Wall { piece: i, covers: gap <= covers, defends: gap <= defends };
                if wall.covers || wall.defends {
                    let _ = footing.walls.try_push(wall);
                }
            }
        }
        footing
    }

    /// Markers within reach of some places, by bit; whoever stands there reaches so far himself.
    fn markers_near(&self, own: f64, places: impl Iterator<Item = Point> + Clone) -> u16 {
        let victory = &self.field.victory;
        let reach = victory.marker_within + own;
        let near = |at: Point| places.clone().any(|p| p.distance_squared(at) <= reach * reach);
        let markers = victory.markers.iter().enumerate().take(16);
        markers.fold(0, |on, (i, marker)| on | u16::from(near(marker.at)) << i)
    }

    /// How far a cluster's foremost stand before its middle, roughly.
    pub(crate) fn depth_ahead(&self, u: No) -> f64 {
        let wide = if self.card(u).mounted { 2.0 } else { 1.5 };
        match self.unit(u).models {
            0 | 1 => 0.0,
            2..=7 => wide * 0.87,
            8..=13 => wide * 1.6,
            _ => wide * 1.8,
        }
    }
}
