//! T6b: what the winner of an Attack does: follow up, strike another, occupy or stay (WBK-ATT-30 to 38).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Preview, Seat, Steer, UnitId, Wish};

use super::{Assault, Reach};
use crate::action::{Action, Occupy};
use crate::battle::Fray;
use crate::morale::Loosened;
use crate::options::FollowUpReach;
use crate::state::{Layout, No, Places, Spot};
use crate::tables::rulebook::Class;

/// A melee has been won by the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AfterMelee {
    /// The unit beaten.
    pub loser: No,
    /// Where its anchor was.
    pub ground: Spot,
    /// The piece of ground it defended.
    pub defended: Option<u8>,
}

/// What the winner does.
pub enum Triumph {
    /// After the loser, or at another.
    Pursue(Assault),
    /// Into the building.
    Garrison(usize),
    /// Along the obstacle.
    Line(Spot, u16, Layout, Places),
    /// Nothing more.
    Stay,
}

impl AfterMelee {
    /// Whether the winner has anything to decide.
    pub(crate) fn offers_anything(&self, fray: &Fray, u: No) -> bool {
        if fray.state.act.melees > 1 {
            return false; // WBK-ATT-44
        }
        let pursuit = Self::may_pursue(fray, u).is_ok()
            && (self.follow_up(fray, u).is_ok() || fray.enemies(u).any(|v| self.strike(fray, u, v).is_ok()));
        pursuit
            || self.defended.map(usize::from).is_some_and(|piece| {
                if fray.field.land.pieces[piece].building {
                    fray.may_hold(u, piece).is_ok()
                } else {
                    fray.some_occupation(u, piece, self.ground).is_some()
                }
            })
    }

    fn may_pursue(fray: &Fray, u: No) -> Result<(), Illegal> {
        if fray.card(u).class != Class::Cavalry {
            return refuse("WBK-ATT-36", format!("{} is not cavalry", fray.card(u).called()));
        }
        if fray.state.act.melees > 1 {
            return refuse("WBK-ATT-32", "there is one follow-up in an activation");
        }
        Ok(())
    }

    /// How far the loser is followed (WBK-ATT-35); none if there is no limit.
    fn reach(fray: &Fray, u: No) -> Option<f64> {
        let inches = |thousandths: i32| Some(f64::from(thousandths) / 1000.0);
        match fray.field.options.follow_up_reach {
            FollowUpReach::BasicMove => inches(fray.pace(u)),
            FollowUpReach::HalfMove => inches(fray.pace(u) / 2),
            FollowUpReach::Unlimited => None,
        }
    }

    /// WBK-ATT-30 to 35.
    fn follow_up(&self, fray: &Fray, u: No) -> Result<Assault, Illegal> {
        Self::may_pursue(fray, u)?;
        let loser = self.loser;
        if !fray.unit(loser).is_on_table() {
            let why = format!("{} is gone; strike another enemy instead", fray.card(loser).called());
            return refuse("WBK-ATT-33", why);
        }
        fray.slide(u, loser, &[], Reach::follow_up(Self::reach(fray, u).unwrap_or(1000.0)))
    }

    fn strike(&self, fray: &Fray, u: No, v: No) -> Result<Assault, Illegal> {
        Self::may_pursue(fray, u)?;
        let loser = self.loser;
        if fray.unit(loser).is_on_table() {
            let why =
                format!("{} is still on the table: only it may be followed up", fray.card(loser).called());
            return refuse("WBK-ATT-33", why);
        }
        let half = f64::from(fray.pace(u) / 2) / 1000.0;
        fray.assault(u, v, &[], Reach::attack(half)).map_err(|e| Illegal::new("WBK-ATT-35", e.why))
    }

    /// WBK-ATT-37, 38.
    fn occupy(&self, fray: &Fray, u: No, occupy: &Occupy) -> Result<Triumph, Illegal> {
        let Some(piece) = self.defended.map(usize::from) else {
            return refuse("WBK-ATT-37", "the loser defended no obstacle and no building");
        };
        let ground = &fray.field.land.pieces[piece];
        if ground.building {
            if occupy.building.as_deref() != Some(ground.id.as_str()) {
                return refuse("WBK-ATT-38", format!("the loser held {}; name that building", ground.id));
            }
            return match fray.may_hold(u, piece) {
                Ok(()) => Ok(Triumph::Garrison(piece)),
                Err(e) => refuse("WBK-ATT-38", e.why),
            };
        }
        let (Some(at), None) = (occupy.at, &occupy.building) else {
            return refuse("WBK-ATT-38", format!("{} is an obstacle; name an anchor beside it", ground.id));
        };
        if !at.is_finite() || occupy.facing.is_some_and(|f| f >= 360) {
            return refuse("WBK-ATT-38", "a place needs ordinary numbers, and a facing of 0 to 359");
        }
        let facing = occupy.facing.unwrap_or(fray.unit(u).facing);
        let layout = occupy.layout.unwrap_or(Layout::Cluster);
        let spot = Spot::of(at);
        let places = fray.may_occupy(u, piece, self.ground, spot, layout, facing)?;
        Ok(Triumph::Line(spot, facing, layout, places))
    }

    /// Taking over what the loser defended, where there is room for it.
    pub(crate) fn occupation(&self, fray: &Fray, u: No) -> Option<Action> {
        let piece = self.defended.map(usize::from)?;
        let ground = &fray.field.land.pieces[piece];
        if ground.building {
            return Some(Action::Occupy(Occupy { building: Some(ground.id.clone()), ..Occupy::default() }));
        }
        let (at, layout, facing) = fray.some_occupation(u, piece, self.ground)?;
        Some(Action::Occupy(Occupy {
            building: None,
            at: Some(at.point()),
            layout: Some(layout),
            facing: Some(facing),
        }))
    }
}

impl Question<Fray> for AfterMelee {
    type Judged = Triumph;

    fn kind(&self, _: &Fray) -> &'static str {
        "after_melee"
    }

    fn clause(&self, _: &Fray) -> &'static str {
        "WBK-ATT-30"
    }

    fn seat(&self, fray: &Fray) -> Seat {
        fray.chooser()
    }

    fn unit(&self, fray: &Fray) -> Option<UnitId> {
        Some(fray.acting_id())
    }

    fn prompt(&self, fray: &Fray) -> String {
        format!("{} has won: follow up, occupy or stay?", fray.actor())
    }

    fn answers(&self, fray: &Fray, out: &mut Answers<Action>) {
        let u = fray.acting();
        out.list(Action::FollowUp);
        out.list_all(fray.enemies(u).map(|v| Action::Strike(fray.id(v))));
        out.list_all(self.occupation(fray, u));
        out.list(Action::Stay);
        if self.defended.is_some() {
            let near = fray.field.rulebook.charts.near.obstacle_occupied;
            let shape = &format!("an anchor within {near}\" of the obstacle, with a layout and a facing");
            out.space("occupy", Some(fray.acting_id()), None, shape);
        }
    }

    fn judge(&self, fray: &Fray, answer: &Action) -> Result<Triumph, Illegal> {
        let u = fray.acting();
        match answer {
            Action::Stay => Ok(Triumph::Stay),
            Action::FollowUp => self.follow_up(fray, u).map(Triumph::Pursue),
            Action::Strike(id) => {
                let v = fray.enemy_named(u, *id)?;
                self.strike(fray, u, v).map(Triumph::Pursue)
            }
            Action::Occupy(occupy) => self.occupy(fray, u, occupy),
            _ => Err(self.other(fray)),
        }
    }

    fn carry_out(self, fray: &mut Fray, triumph: Triumph, now: &mut Now<'_>) {
        let u = fray.acting();
        let who = fray.id(u);
        match triumph {
            Triumph::Pursue(assault) => {
                let whom = fray.id(assault.target);
                let clause = if assault.target == self.loser { "WBK-ATT-31" } else { "WBK-ATT-33" };
                now.say(|| Event::new("follow_up", clause).who(who).whom(whom));
                fray.charge(u, &assault, now);
                return;
            }
            Triumph::Garrison(piece) => fray.go_in(u, piece),
            Triumph::Line(spot, facing, layout, places) => {
                // A cluster or a line is no block: who takes an obstacle over leaves Close Order for it.
                fray.open_out(u, Loosened::Ordered, now);
                fray.has_gone(fray.unit(u).anchor.point().distance(spot.point()));
                fray.put(u, spot, facing, layout, places);
            }
            Triumph::Stay => {
                now.say(|| Event::new("stay", "WBK-ATT-24").who(who));
                fray.end_activation(u, now);
                return;
            }
        }
        let piece = usize::from(self.defended.unwrap_or_default());
        let piece = &fray.field.land.pieces[piece];
        now.say(|| {
            Event::new("occupy", "WBK-ATT-37")
                .who(who)
                .with("place", piece.id.as_str())
                .with("kind", piece.kind.as_str())
                .with("called", piece.called())
        });
        fray.end_activation(u, now);
    }

    fn usual(&self, _: &Fray) -> Action {
        Action::Stay
    }

    fn preview(&self, fray: &Fray, triumph: &Triumph) -> Preview {
        let u = fray.acting();
        match triumph {
            Triumph::Pursue(assault) if assault.target == self.loser => {
                fray.preview_assault(u, assault, Self::reach(fray, u))
            }
            Triumph::Pursue(assault) => {
                fray.preview_assault(u, assault, Some(f64::from(fray.pace(u) / 2) / 1000.0))
            }
            Triumph::Garrison(building) => fray.preview_garrison(u, *building),
            Triumph::Line(spot, facing, _, places) => {
                let mut preview = fray.preview_post(u, places, *spot, *facing);
                preview.overlays.insert(0, Fray::path_overlay(&[fray.unit(u).anchor.point(), spot.point()]));
                preview
            }
            Triumph::Stay => Preview::default(),
        }
    }

    fn steer(&self, fray: &Fray, wish: &Wish) -> Steer<Action> {
        fray.steered(wish, &["occupy", "follow_up", "strike"], || {
            let target = fray.pointed_at(wish.place).filter(|_| wish.action.as_deref() != Some("occupy"));
            match target {
                Some(v) => {
                    let after_loser = v == self.loser;
                    let action = if after_loser { Action::FollowUp } else { Action::Strike(fray.id(v)) };
                    let assault = if after_loser {
                        self.follow_up(fray, fray.acting())
                    } else {
                        self.strike(fray, fray.acting(), v)
                    };
                    match assault {
                        Ok(assault) => fray.attack_found(action, &assault, wish.place).into(),
                        Err(why) => Steer::refused(why),
                    }
                }
                None => fray.steer_occupation(self, wish),
            }
        })
    }

    fn weigh(&self, fray: &Fray, _most: usize, _whim: &mut Whim) -> Vec<(f64, Action)> {
        fray.with_officer(|officer| fray.victor_values(officer, self))
    }
}
