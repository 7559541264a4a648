//! What an answer would come to, before any die is rolled.

use tricorne_game::Preview;
use tricorne_game::view::{Overlay, OverlayShape};
use tricorne_table::Shape;

use crate::attack::Assault;
use crate::battle::{Deed, WbkBattle};
use crate::state::{Order, Places, Stage};

impl WbkBattle {
    pub(crate) fn preview_of(&self, deed: &Deed) -> Preview {
        let u = usize::from(self.state.act.unit);
        let mut preview = Preview::default();
        let inches = f64::from(self.state.act.allowance) / 1000.0;
        let ghost = |u: usize, places: &Places, facing: u16| {
            let shapes: Vec<Shape> = places
                .iter()
                .filter_map(|s| {
                    let core = self.base_at(u, s.point(), facing).core();
                    Shape::pill(core.a, core.b, crate::base::FIGURE).ok()
                })
                .collect();
            Overlay { kind: "ghost".into(), shape: OverlayShape::Bases(shapes), label: None }
        };
        let path = |track: &[tricorne_table::Point]| Overlay {
            kind: "path".into(),
            shape: OverlayShape::Path(track.to_vec()),
            label: None,
        };
        let assault = |preview: &mut Preview, a: &Assault| {
            preview.cost = Some(a.cost);
            preview.allowance = Some(f64::from(self.pace(u)) / 1000.0);
            preview.overlays = vec![path(&a.track), ghost(u, &a.places, a.facing)];
            if let Some(piece) = a.defended.and_then(|p| self.field.land.pieces.get(p)) {
                preview.notes.push(format!(
                    "{} defends {}: one more hit for each casualty",
                    self.card(a.target).called(),
                    piece.id
                ));
            }
            let (dice, against) =
                (self.fighting_models(u, a.target, false), self.fighting_models(a.target, u, true));
            preview.notes.push(format!(
                "{dice} dice at {}+ against {against} at {}+",
                self.fighting_value(u).0,
                self.fighting_value(a.target).0
            ));
        };
        match deed {
            Deed::Go(walk) => {
                preview.cost = Some(walk.cost);
                preview.allowance = Some(inches);
                preview.overlays = vec![path(&walk.track), ghost(u, &walk.places, walk.facing)];
                if let Some(piece) = walk.halted.and_then(|p| self.field.land.pieces.get(p)) {
                    preview.notes.push(format!("halted by {} ({})", piece.id, piece.kind));
                }
                if walk.exit.is_some() {
                    preview.notes.push("leaves the table by its exit edge".into());
                }
            }
            Deed::Charge(a) | Deed::FollowUp(a) => assault(&mut preview, a),
            Deed::Declare(declared) => {
                if let Some(a) = &declared.assault {
                    assault(&mut preview, a);
                } else if let (Order::Fire | Order::Volley, Some(v)) = (declared.order, declared.target) {
                    self.note_fire(u, v, declared.order == Order::Volley, false, &mut preview);
                }
                let free = self.state.act.idiot || self.is_free(u, declared.order);
                preview.notes.push(if free {
                    "free: no activation roll".into()
                } else {
                    format!("an order: needs {}+ on two dice", self.leadership(u))
                });
            }
            Deed::Shoot(v) => {
                let skirmish = matches!(self.state.stage, Stage::Shoot { skirmish: true, .. });
                self.note_fire(u, *v, self.state.act.volley, skirmish, &mut preview);
            }
            Deed::Form(_, facing, places) | Deed::OccupyObstacle(_, facing, _, places) => {
                preview.overlays = vec![ghost(u, places, *facing)];
            }
            Deed::Place(u, _, facing, _, places) => preview.overlays = vec![ghost(*u, places, *facing)],
            _ => {}
        }
        preview
    }

    fn note_fire(&self, u: usize, v: usize, volley: bool, skirmish: bool, preview: &mut Preview) {
        let Ok(aim) = self.may_aim(u, v, volley) else { return };
        let cover = self.cover(u, v);
        let (basic, extra) = self.fire_hits(u, v, aim.short, cover);
        preview.notes.push(format!(
            "{} dice at {}+, {} range, cover {}: {} hits for a casualty",
            self.fire_dice(u, skirmish),
            self.firing_value(u, v, volley).0,
            if aim.short { "short" } else { "long" },
            cover.name(),
            basic + extra
        ));
    }
}
