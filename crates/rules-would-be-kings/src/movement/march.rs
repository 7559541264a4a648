//! T4: how far and where a unit goes, by a Move, At the Double, or in its Skirmish (WBK-MOVE-12, WBK-DBL-06,
//! WBK-SKIRM-04).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Preview, Seat, Steer, UnitId, Wish};

use super::{Pace, Walk};
use crate::action::{Action, Charge, Go};
use crate::attack::charge::charge_at;
use crate::attack::{Assault, Reach};
use crate::battle::Fray;
use crate::fire::shoot::Shooting;
use crate::model::base::forward;
use crate::options::DoubleTarget;
use crate::state::Layout;

/// Where the acting unit goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Marching {
    /// A Move, At the Double, or half a Skirmish.
    pub pace: Pace,
    /// The fire of the Skirmish comes afterwards.
    pub then_fire: bool,
}

/// What a march comes to.
pub enum Marched {
    /// A walk.
    Go(Walk),
    /// Into a building.
    Enter(usize),
    /// Into the enemy, At the Double.
    Charge(Assault),
    /// Nowhere.
    Stay,
}

impl Marching {
    /// WBK-DBL-04 to 06, 09.
    fn charge(fray: &Fray, charge: &Charge) -> Result<Assault, Illegal> {
        if fray.field.options.double_target == DoubleTarget::DeclareFirst {
            return refuse("WBK-DBL-06", "an attack At the Double is named with the order");
        }
        let u = fray.acting();
        fray.may_double_into(u)?;
        let v = fray.enemy_named(u, charge.target)?;
        fray.assault(u, v, &charge.waypoints, Reach::double(fray.inches()))
    }

    /// A walk of this march.
    pub(crate) fn walk(self, fray: &Fray, go: &Go) -> Result<Walk, Illegal> {
        fray.walk(fray.acting(), go, fray.inches(), self.pace)
    }

    fn doors(fray: &Fray) -> impl Iterator<Item = Action> + '_ {
        let land = &fray.field.land;
        land.buildings.iter().map(|&b| Action::Enter(land.pieces[b].id.clone()))
    }
}

impl Question<Fray> for Marching {
    type Judged = Marched;

    fn kind(&self, _: &Fray) -> &'static str {
        match self.pace {
            Pace::Move => "move",
            Pace::Double => "double",
            Pace::Skirmish => "skirmish_move",
        }
    }

    fn clause(&self, _: &Fray) -> &'static str {
        match self.pace {
            Pace::Move => "WBK-MOVE-12",
            Pace::Double => "WBK-DBL-06",
            Pace::Skirmish => "WBK-SKIRM-04",
        }
    }

    fn seat(&self, fray: &Fray) -> Seat {
        fray.chooser()
    }

    fn unit(&self, fray: &Fray) -> Option<UnitId> {
        Some(fray.acting_id())
    }

    fn prompt(&self, fray: &Fray) -> String {
        let (unit, inches) = (fray.actor(), fray.inches());
        match self.pace {
            Pace::Move => format!("{unit} moves up to {inches}\"."),
            Pace::Double => format!("{unit} goes up to {inches}\" at the double."),
            Pace::Skirmish => format!("{unit} moves up to {inches}\" in its skirmish."),
        }
    }

    fn answers(&self, fray: &Fray, out: &mut Answers<Action>) {
        let (u, inches) = (fray.acting(), Some(fray.inches()));
        out.list(Action::NoMove);
        let go = "a path of up to 8 legs for the anchor, with a layout and a facing at its end";
        out.space("go", Some(fray.acting_id()), inches, go);
        match self.pace {
            Pace::Move => out.list_all(Self::doors(fray)),
            Pace::Double => {
                out.list_all(fray.enemies(u).map(|v| charge_at(fray.id(v), Vec::new())));
                if fray.may_double_into(u).is_ok() {
                    out.space("charge", Some(fray.acting_id()), inches, "an attack by up to 3 waypoints");
                }
            }
            Pace::Skirmish => {}
        }
    }

    fn judge(&self, fray: &Fray, answer: &Action) -> Result<Marched, Illegal> {
        match (answer, self.pace) {
            (Action::NoMove, _) => Ok(Marched::Stay),
            (Action::Go(go), _) => self.walk(fray, go).map(Marched::Go),
            (Action::Enter(id), Pace::Move) => fray.may_enter(fray.acting(), id).map(Marched::Enter),
            (Action::Enter(_), _) => refuse("WBK-MOD-33", "a building is entered with a Move"),
            (Action::Charge(charge), Pace::Double) => Self::charge(fray, charge).map(Marched::Charge),
            _ => Err(self.other(fray)),
        }
    }

    fn carry_out(self, fray: &mut Fray, marched: Marched, now: &mut Now<'_>) {
        let u = fray.acting();
        match marched {
            Marched::Charge(assault) => {
                fray.charge(u, &assault, now);
                return;
            }
            Marched::Enter(building) => {
                fray.go_in(u, building);
                let piece = &fray.field.land.pieces[building];
                now.say(|| {
                    Event::new("enter", "WBK-MOD-33")
                        .who(fray.id(u))
                        .with("building", piece.id.as_str())
                        .with("called", piece.called())
                });
            }
            Marched::Go(walk) => fray.go(u, &walk, now),
            Marched::Stay => {
                now.say(|| Event::new("stays_put", "WBK-MOVE-12").who(fray.id(u)));
            }
        }
        if self.then_fire && fray.unit(u).is_on_table() {
            Shooting::in_skirmish(fray, u, false, now);
        } else {
            fray.end_activation(u, now);
        }
    }

    fn usual(&self, _: &Fray) -> Action {
        Action::NoMove
    }

    fn preview(&self, fray: &Fray, marched: &Marched) -> Preview {
        let u = fray.acting();
        match marched {
            Marched::Go(walk) => fray.preview_walk(u, walk),
            Marched::Enter(building) => fray.preview_garrison(u, *building),
            Marched::Charge(assault) => fray.preview_assault(u, assault, Some(fray.inches())),
            Marched::Stay => Preview::default(),
        }
    }

    fn wander(&self, fray: &Fray, whim: &mut Whim) -> Action {
        let (u, inches) = (fray.acting(), fray.inches());
        let unit = fray.unit(u);
        if self.pace == Pace::Double
            && whim.chance(0.5)
            && let Some(v) = fray.likely_enemy(u, whim)
        {
            return charge_at(fray.id(v), Vec::new());
        }
        let buildings = &fray.field.land.buildings;
        if self.pace == Pace::Move && !buildings.is_empty() && whim.chance(0.1) {
            return Self::doors(fray).nth(whim.below(buildings.len())).unwrap_or(Action::NoMove);
        }
        let here = unit.anchor.point();
        let aim = match fray.likely_enemy(u, whim) {
            Some(v) if whim.chance(0.4) => (fray.unit(v).anchor.point() - here).unit(),
            _ => None,
        };
        let aim = aim.unwrap_or_else(|| forward(whim.below(360) as u16));
        let far = if whim.chance(0.5) { inches } else { whim.between(0.0, inches) };
        let from = match fray.outline(u) {
            Some(outline) => outline.nearest_boundary(here + aim * 20.0),
            None => here,
        };
        let mut path = vec![(from + aim * far).round_to(0.001)];
        if whim.chance(0.15) {
            let middle = from + aim * (far * 0.5);
            let turn = whim.between(-60.0, 60.0);
            path = vec![middle.round_to(0.001), (middle + aim.turned(turn) * (far * 0.45)).round_to(0.001)];
        }
        let loose = matches!(unit.layout, Layout::Cluster | Layout::Line | Layout::Garrison);
        let layout = (loose && whim.chance(0.2))
            .then(|| if whim.chance(0.5) { Layout::Line } else { Layout::Cluster });
        let turns = !fray.card(u).mounted && whim.chance(0.3);
        let facing = turns.then(|| whim.below(360) as u16);
        Action::Go(Go { path, layout, facing })
    }

    fn ways(&self, fray: &Fray, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        let u = fray.acting();
        if self.pace == Pace::Double && fray.field.options.double_target == DoubleTarget::ChooseAfterDie {
            let ways = fray.likely_flank_attacks(u, fray.inches());
            out.extend(ways.map(|(v, by)| charge_at(fray.id(v), by)));
        }
        out.extend(fray.likely_moves(u));
        out.extend((0..most * 2).map(|_| self.wander(fray, whim)));
    }

    fn steer(&self, fray: &Fray, wish: &Wish) -> Steer<Action> {
        let offered: &[&str] = match self.pace {
            Pace::Move => &["go", "enter"],
            Pace::Double => &["go", "charge"],
            Pace::Skirmish => &["go"],
        };
        fray.steered(wish, offered, || {
            let asked = wish.action.as_deref();
            match self.pace {
                Pace::Double if asked != Some("go") => {
                    let pointed = fray.pointed_at(wish.place).is_some();
                    if asked == Some("charge") || pointed {
                        let charge = fray.steer_attack(wish, |v, waypoints| {
                            let charge = Charge { target: fray.id(v), waypoints };
                            Self::charge(fray, &charge).map(|assault| (Action::Charge(charge), assault))
                        });
                        if charge.action.is_some() || asked == Some("charge") {
                            return charge;
                        }
                        // The enemy is out of reach: as near as a walk comes, and why it is no attack.
                        let mut walk = fray.steer_walk(*self, wish);
                        walk.why = charge.why.or(walk.why);
                        return walk;
                    }
                    fray.steer_walk(*self, wish)
                }
                Pace::Move if asked != Some("go") => fray.steer_door(wish).unwrap_or_else(|why| {
                    let mut walk = fray.steer_walk(*self, wish);
                    walk.why = why.or(walk.why);
                    walk
                }),
                _ => fray.steer_walk(*self, wish),
            }
        })
    }

    fn weigh(&self, fray: &Fray, most: usize, _whim: &mut Whim) -> Vec<(f64, Action)> {
        fray.with_officer(|officer| {
            let mut all = fray.move_values(officer, *self, most);
            if self.pace == Pace::Double {
                all.extend(fray.charge_values(officer));
            }
            all
        })
    }
}
