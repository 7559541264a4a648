//! The generals of a set-up file (SYW-GEN, SYW-ARMY-19).

use smallvec::SmallVec;
use tricorne_game::{Place, UnitId};
use tricorne_table::Point;

use super::{Found, Reader, bought_later, by_name};
use crate::generals::counters::{Counter, General};
use crate::model::field::SevenYearsBattle;
use crate::setup::file::File;

impl Reader<'_> {
    pub(super) fn generals(&self, f: &File, battle: &mut SevenYearsBattle) -> Found<()> {
        let rows = by_name(&f.own.general, |g| (&g.side, g.id.as_str()));
        for &(i, g) in &rows {
            let at = |key: &str| [Place::from("general"), i.into(), key.into()];
            let id: UnitId = g.id.parse().map_err(|why: String| self.fault(&at("id"), why))?;
            self.named_once(id, battle, &at("id"))?;
            let side = self.side(battle, g.side.as_deref(), &at("side"))?;
            let counter = match &g.counter {
                Some(code) => Counter::parse(code).ok_or_else(|| {
                    self.fault(
                        &at("counter"),
                        format!("`{code}` is no counter; write for example Ab+ or Ic-"),
                    )
                })?,
                None => Counter::PLAIN,
            };
            let place = match g.at {
                Some([x, y]) => {
                    let p = Point::new(x, y);
                    if !p.is_finite() || !battle.fixed.table.contains(p) {
                        return Err(self.fault(&at("at"), "lies off the table"));
                    }
                    Some(p.round_to(0.01))
                }
                None if battle.fixed.free => None,
                None => return Err(self.fault(&at("at"), "is missing; where does he stand?")),
            };
            let depth = g.depth.unwrap_or(self.book.general.depth);
            if !(1.5..=4.0).contains(&depth) {
                return Err(self.fault(&at("depth"), "a general's stand is 1.5 to 4 deep [SYW-MODEL-04]"));
            }
            let facing = g.facing.unwrap_or_else(|| Self::facing_of(battle, side));
            if !facing.is_finite() {
                return Err(self.fault(&at("facing"), "is no number"));
            }
            battle.s.generals.push(General {
                id,
                side,
                cinc: g.cinc,
                counter,
                number: 0,
                at: place.unwrap_or(Point::ORIGIN),
                facing: tricorne_table::angle::normalise(facing),
                depth,
                wing: None,
                placed: place.is_some(),
                off_with: None,
                lost: false,
                attempts: g.attempts.unwrap_or(0),
                addressed: SmallVec::new(),
                moved: false,
            });
        }
        for (k, (i, g)) in rows.into_iter().enumerate() {
            let Some(name) = &g.wing else { continue };
            let side = battle.s.generals[k].side;
            let wing = name.parse().ok().and_then(|id| battle.find_general(id)).filter(|&w| {
                let wing = &battle.s.generals[usize::from(w)];
                wing.cinc && wing.side == side
            });
            let Some(wing) = wing else {
                let place = ["general".into(), i.into(), "wing".into()];
                return Err(self.fault(&place, format!("there is no wing commander `{name}` on that side")));
            };
            battle.s.generals[k].wing = Some(wing);
        }
        if battle.s.generals.len() > 60 {
            return Err(self.fault(&["general".into()], "are more than 60"));
        }
        let wings = usize::from(battle.fixed.options.wing_commanders);
        for side in 0..2 {
            let cincs = battle.s.generals.iter().filter(|g| g.cinc && g.side.index() == side).count();
            let most = wings.max(1);
            if cincs > most {
                return Err(self.fault(
                    &["general".into()],
                    format!(
                        "{} has {cincs} C-in-Cs; it may have {most} [SYW-ARMY-19]",
                        battle.fixed.sides[side].name
                    ),
                ));
            }
            if cincs == 0 && !self.position() && !bought_later(f) {
                return Err(self.fault(
                    &["general".into()],
                    format!(
                        "{} has no C-in-C; mark one with cinc = true [SYW-ARMY-19]",
                        battle.fixed.sides[side].name
                    ),
                ));
            }
        }
        Ok(())
    }
}
