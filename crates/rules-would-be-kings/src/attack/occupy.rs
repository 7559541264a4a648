//! Taking over an obstacle the loser defended (WBK-ATT-38).

use smallvec::SmallVec;
use tricorne_game::Illegal;

use crate::battle::Fray;
use crate::model::base::{CONTACT, FIGURE, TOLERANCE};
use crate::movement::bearing;
use crate::state::{Layout, No, Places, Spot};

impl Fray {
    /// Where an obstacle may be occupied (WBK-ATT-38): judged for an anchor and a layout.
    pub(crate) fn may_occupy(
        &self,
        u: No,
        obstacle: usize,
        ground: Spot,
        at: Spot,
        layout: Layout,
        facing: u16,
    ) -> Result<Places, Illegal> {
        let name = self.card(u).called();
        let piece = &self.field.land.pieces[obstacle];
        if self.card(u).is_crewed() {
            return Err(Illegal::new(
                "WBK-ATT-38",
                format!("{name} is a crewed weapon and occupies nothing"),
            ));
        }
        let Some(line) = piece.line() else {
            return Err(Illegal::new(
                "WBK-ATT-38",
                format!("{} is no obstacle; name the building", piece.id),
            ));
        };
        if !matches!(layout, Layout::Cluster | Layout::Line) {
            let why = format!("{name} occupies {} as `cluster` or `line`", piece.id);
            return Err(Illegal::new("WBK-ATT-38", why));
        }
        let near = &self.field.rulebook.charts.near;
        let gap = line.distance_to(at.point());
        if gap > near.obstacle_occupied + TOLERANCE {
            let why = format!(
                "the anchor must stand within {}\" of {}; it is {gap:.3}\" away",
                near.obstacle_occupied, piece.id
            );
            return Err(Illegal::new("WBK-ATT-38", why));
        }
        let off = at.point().distance(ground.point());
        if off > near.ground_of_the_loser + TOLERANCE {
            let why = format!(
                "the anchor must stand within {}\" of where the loser's was; it is {off:.3}\" away",
                near.ground_of_the_loser
            );
            return Err(Illegal::new("WBK-ATT-38", why));
        }
        let n = usize::from(self.unit(u).models);
        let places = self.lay_out(u, at, layout, facing, n, false).map_err(|unfit| {
            let refusal = self.unfit(u, unfit);
            Illegal::new("WBK-ATT-38", refusal.why)
        })?;
        let (way, most) = (self.furthest_way(u, &places), f64::from(self.card(u).pace) / 1000.0);
        if way > most + TOLERANCE {
            let why = format!("a model of {name} would go {way:.3}\" to its place and may go {most}\"");
            return Err(Illegal::new("WBK-ATT-38", why));
        }
        Ok(places)
    }

    /// Some place where an obstacle can be occupied, tried on both sides of it: facing it at a few places, and where there is
    /// no room at those, further off, every half inch and square to it besides.
    pub(crate) fn some_occupation(
        &self,
        u: No,
        obstacle: usize,
        ground: Spot,
    ) -> Option<(Spot, Layout, u16)> {
        let near = &self.field.rulebook.charts.near;
        let reach = if self.card(u).mounted { 2.0 * FIGURE } else { FIGURE + CONTACT };
        let slips = [0.0, 1.5, -1.5, 3.0, -3.0];
        self.occupation_among(u, obstacle, ground, &slips, &[reach], &[0]).or_else(|| {
            let most = near.ground_of_the_loser;
            let steps = (most / 0.5) as i32;
            let slips: SmallVec<[f64; 16]> = (-steps..=steps).map(|step| f64::from(step) * 0.5).collect();
            self.occupation_among(u, obstacle, ground, &slips, &[reach, near.obstacle_occupied], &[0, 90])
        })
    }

    /// The first of some places where an obstacle can be occupied: so far along it, so deep beside it, so turned from facing
    /// it.
    fn occupation_among(
        &self,
        u: No,
        obstacle: usize,
        ground: Spot,
        slips: &[f64],
        depths: &[f64],
        turns: &[u16],
    ) -> Option<(Spot, Layout, u16)> {
        let line = self.field.land.pieces[obstacle].line()?;
        let here = ground.point();
        let most = self.field.rulebook.charts.near.ground_of_the_loser;
        let n = usize::from(self.unit(u).models);
        for segment in line.segments() {
            let Some(along) = segment.way().unit() else { continue };
            let near = segment.nearest(here);
            for side in [1.0, -1.0] {
                let normal = along.quarter_left() * side;
                for (&slip, &depth) in slips.iter().flat_map(|slip| depths.iter().map(move |d| (slip, d))) {
                    let at = Spot::of(near + along * slip + normal * depth);
                    if at.point().distance(here) > most + TOLERANCE {
                        continue;
                    }
                    // Whether there is room is asked without words first: most places have none.
                    let around = self.around(u, at.point(), 6.0, false);
                    for facing in turns.iter().map(|turn| (bearing(normal * -1.0) + turn) % 360) {
                        for layout in [Layout::Line, Layout::Cluster] {
                            if self.lay_out_in(u, at, layout, facing, n, &around).is_ok()
                                && self.may_occupy(u, obstacle, ground, at, layout, facing).is_ok()
                            {
                                return Some((at, layout, facing));
                            }
                        }
                    }
                }
            }
        }
        None
    }
}
