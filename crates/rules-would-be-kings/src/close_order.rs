//! Close Order (WBK-CLOSE): who may form it, where there is room, and which way it faces (T4).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Event, Illegal, Preview, Seat, Steer, UnitId, Wish};
use tricorne_table::{Point, Segment};

use crate::action::{Action, Form, Go};
use crate::battle::Fray;
use crate::model::base::{TOLERANCE, forward, touches};
use crate::model::ground::Shape;
use crate::model::layout::Unfit;
use crate::model::places::furthest;
use crate::movement::{Pace, bearing};
use crate::options::FormCloseMove;
use crate::state::{Layout, No, Places, Spot};

/// Which way a unit forms Close Order, and where.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Forming;

/// A block about to form: where, which way, and its models.
pub type Formed = (Spot, u16, Places);

impl Question<Fray> for Forming {
    type Judged = Formed;

    fn kind(&self, _: &Fray) -> &'static str {
        "form"
    }

    fn clause(&self, _: &Fray) -> &'static str {
        "WBK-CLOSE-16"
    }

    fn seat(&self, fray: &Fray) -> Seat {
        fray.chooser()
    }

    fn unit(&self, fray: &Fray) -> Option<UnitId> {
        Some(fray.acting_id())
    }

    fn prompt(&self, fray: &Fray) -> String {
        format!("Which way does {} form?", fray.actor())
    }

    fn answers(&self, fray: &Fray, out: &mut Answers<Action>) {
        out.list_all((0..24).map(|turn| Action::Form(Form { facing: turn * 15, at: None })));
        let shift = fray.field.rulebook.charts.close_order.shift;
        let shape = format!("a facing, and a place up to {shift}\" from the anchor");
        out.space("form", Some(fray.acting_id()), None, &shape);
    }

    fn judge(&self, fray: &Fray, answer: &Action) -> Result<Formed, Illegal> {
        let Action::Form(form) = answer else { return Err(self.other(fray)) };
        fray.form(fray.acting(), form).map(|(spot, places)| (spot, form.facing, places))
    }

    fn carry_out(self, fray: &mut Fray, (spot, facing, places): Formed, now: &mut Now<'_>) {
        let u = fray.acting();
        let gone = spot.point().distance(fray.unit(u).anchor.point());
        fray.has_gone(gone);
        fray.put(u, spot, facing, Layout::Block, places);
        fray.state.units[u].close_order = true;
        now.say(|| Event::new("form_close_order", "WBK-CLOSE-16").who(fray.id(u)));
        fray.end_activation(u, now);
    }

    fn usual(&self, fray: &Fray) -> Action {
        fray.some_form(fray.acting()).map_or(Action::NoMove, Action::Form)
    }

    fn preview(&self, fray: &Fray, (spot, facing, places): &Formed) -> Preview {
        let u = fray.acting();
        let here = fray.unit(u).anchor.point();
        let shift = spot.point().distance(here);
        let mut preview = fray.preview_post(u, places, *spot, *facing);
        preview.cost = Some(shift);
        preview.allowance = Some(fray.field.rulebook.charts.close_order.shift);
        if shift > 1e-6 {
            preview.overlays.insert(0, Fray::path_overlay(&[here, spot.point()]));
        }
        preview
    }

    fn wander(&self, _: &Fray, whim: &mut Whim) -> Action {
        Action::Form(Form { facing: whim.below(360) as u16, at: None })
    }

    fn ways(&self, fray: &Fray, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        out.extend((0..most).map(|_| self.wander(fray, whim)));
    }

    fn steer(&self, fray: &Fray, wish: &Wish) -> Steer<Action> {
        fray.steered(wish, &["form"], || fray.steer_form(wish))
    }

    fn weigh(&self, fray: &Fray, _most: usize, _whim: &mut Whim) -> Vec<(f64, Action)> {
        fray.with_officer(|officer| fray.form_values(officer))
    }
}

impl Fray {
    /// Whether a unit may form at all (WBK-CLOSE-01, 02, WBK-ACT-15).
    pub(crate) fn may_form(&self, u: No) -> Result<(), Illegal> {
        let (card, unit) = (self.card(u), self.unit(u));
        let name = card.called();
        let least = self.field.rulebook.charts.close_order.minimum;
        if !card.closes {
            return Err(Illegal::new("WBK-CLOSE-01", format!("{name} is not Regular Infantry")));
        }
        if unit.close_order {
            return Err(Illegal::new("WBK-ACT-16", format!("{name} is in Close Order already")));
        }
        if unit.models < least {
            let why = format!("{name} has {} models; Close Order needs {least}", unit.models);
            return Err(Illegal::new("WBK-CLOSE-02", why));
        }
        if unit.garrison.is_some() {
            return Err(Illegal::new(
                "WBK-MOD-34",
                format!("{name} holds a building and may not form Close Order"),
            ));
        }
        if self.some_form(u).is_none() {
            return Err(Illegal::new("WBK-ACT-15", format!("there is no room here for {name} to form")));
        }
        Ok(())
    }

    /// Some way to form Close Order here: all round, and where it is tight square to what stands in the way, shifted to
    /// either hand, and after half a move where that may come first (WBK-CLOSE-16).
    pub(crate) fn some_form(&self, u: No) -> Option<Form> {
        let facing = self.unit(u).facing;
        let here = self.unit(u).anchor.point();
        let formed = |facing: u16, at: Option<Point>| {
            let form = Form { facing: facing % 360, at };
            self.form(u, &form).is_ok().then_some(form)
        };
        if let Some(form) = (0..24).find_map(|turn| formed(facing + turn * 15, None)) {
            return Some(form);
        }
        let tight = self.bearings_about(u);
        let round: Vec<u16> = (0..12).map(|turn| turn * 30).collect();
        let among = |most: f64, parts: &[f64], bearings: &[u16]| {
            parts.iter().find_map(|part| {
                bearings.iter().find_map(|&way| {
                    let at = (here + forward(way) * (most * part)).round_to(0.001);
                    bearings.iter().find_map(|&facing| formed(facing, Some(at)))
                })
            })
        };
        let shift = self.field.rulebook.charts.close_order.shift;
        let half = f64::from(self.card(u).pace / 2) / 1000.0;
        let moves_first = self.field.options.form_close_move == FormCloseMove::HalfMove;
        tight
            .iter()
            .find_map(|&facing| formed(facing, None))
            .or_else(|| among(shift, &[0.5, 1.0], &round))
            .or_else(|| among(shift, &[0.25, 0.5, 0.75, 1.0], &tight))
            .or_else(|| moves_first.then(|| among(half, &[0.5, 0.75, 1.0], &round)).flatten())
    }

    /// The bearings of what a block that forms may have to fit in with, walls, banks and friends in Close Order, and those
    /// square to them.
    fn bearings_about(&self, u: No) -> Vec<u16> {
        let reach = self.bounds(u).grown(self.field.rulebook.charts.close_order.shift + 1.0);
        let land = &self.field.land;
        let near = land.blocks.iter().chain(&land.obstacles).map(|&i| &land.pieces[i]);
        let edges = near.filter(|piece| piece.bounds.meets(&reach)).flat_map(|piece| {
            let sides: Vec<Segment> = match &piece.shape {
                Shape::Area(area) => area.edges().collect(),
                Shape::Line(line) => line.segments().collect(),
            };
            sides.into_iter().filter(|side| reach.meets(&side.bounds())).map(|side| bearing(side.way()))
        });
        let blocks = self.on_table().filter(|&v| v != u && self.unit(v).close_order);
        let ranks = blocks.filter(|&v| self.bounds(v).meets(&reach)).map(|v| self.unit(v).facing);
        let mut all: Vec<u16> = edges
            .chain(ranks)
            .chain(std::iter::once(0))
            .flat_map(|along| [0, 90, 180, 270].map(|square| (along + square) % 360))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Judges forming Close Order on a facing and a place (WBK-CLOSE-16).
    pub(crate) fn form(&self, u: No, form: &Form) -> Result<(Spot, Places), Illegal> {
        let unit = self.unit(u);
        if form.facing >= 360 {
            return Err(Illegal::new("WBK-MOD-02", "a facing is a whole number of degrees from 0 to 359"));
        }
        let here = unit.anchor.point();
        let spot = form.at.map_or(unit.anchor, Spot::of);
        if !spot.point().is_finite() || form.at.is_some_and(|p| !p.is_finite()) {
            return Err(Illegal::new("WBK-MOD-01", "a place needs ordinary numbers"));
        }
        let shift = spot.point().distance(here);
        let most = self.field.rulebook.charts.close_order.shift;
        let mut from = unit.places.clone();
        if self.field.options.form_close_move == FormCloseMove::HalfMove && shift > most {
            // A half move first: judged as a move of a loose unit that ends where the block is to stand.
            let half = f64::from(self.card(u).pace / 2) / 1000.0;
            let go = Go { path: vec![spot.point()], layout: None, facing: None };
            let walk = self
                .walk(u, &go, half, Pace::Skirmish)
                .map_err(|e| Illegal::new("WBK-CLOSE-16", format!("before forming: {}", e.why)))?;
            if walk.exit.is_some() || walk.anchor != spot {
                let why = "before forming: an obstacle (WBK-MOVE-09) or the table's edge ends the half move on the way";
                return Err(Illegal::new("WBK-CLOSE-16", why));
            }
            from = walk.places;
        } else if shift > most + TOLERANCE {
            let why = format!("the anchor may shift {most}\" to make room, not {shift:.3}\"");
            return Err(Illegal::new("WBK-CLOSE-16", why));
        }
        let n = usize::from(unit.models);
        let places = self
            .lay_out(u, spot, Layout::Block, form.facing, n, true)
            .and_then(|places| {
                // Room to form does not mean leave to touch an enemy that was not touched before.
                let bases = self.bases_of(u, &places, spot, form.facing);
                let touched =
                    self.enemies(u).find(|&v| touches(self.gap_from(&bases, v)) && !self.in_contact(u, v));
                touched.map_or(Ok(places), |v| Err(Unfit::Enemy(v)))
            })
            .map_err(|unfit| Illegal::new("WBK-CLOSE-16", self.unfit(u, unfit).why))?;
        let (way, pace) = (furthest(&from, &places, false), f64::from(self.card(u).pace) / 1000.0);
        if way > pace + TOLERANCE {
            let why = format!("a model would go {way:.3}\" to its place in the block and may go {pace}\"");
            return Err(Illegal::new("WBK-CLOSE-16", why));
        }
        Ok((spot, places))
    }
}
