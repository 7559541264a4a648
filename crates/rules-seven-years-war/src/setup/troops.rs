//! The generals, units and groups of a set-up file.

use arrayvec::ArrayVec;
use smallvec::SmallVec;
use tricorne_game::{Place, Purpose, Side, UnitId, written};
use tricorne_table::{Point, Pose};

use super::{Found, Reader, bought_later};
use crate::generals::counters::{Counter, General};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::stands;
use crate::model::state::{
    Aim, Cached, EdgeName, Formation, Group, GroupPhase, Left, Order, Presence, Stand, Unit, UnitInfo,
    UnitPhase, Units,
};
use crate::options::MilitiaDrill;
use crate::rulebook::{Arm, Drill, Grade, Kind, Weapon};
use crate::setup::file::{SetUpFile, UnitFile};

impl Reader<'_> {
    pub(super) fn generals(&self, f: &SetUpFile, battle: &mut SevenYearsBattle) -> Found<()> {
        for (i, g) in f.generals.iter().enumerate() {
            let at = |key: &str| [Place::from("general"), i.into(), key.into()];
            let id = self.id(&g.id, battle, &at("id"))?;
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
        for (i, g) in f.generals.iter().enumerate() {
            let Some(name) = &g.wing else { continue };
            let side = battle.s.generals[i].side;
            let wing = name.parse().ok().and_then(|id| battle.find_general(id)).filter(|&w| {
                let wing = &battle.s.generals[usize::from(w)];
                wing.cinc && wing.side == side
            });
            let Some(wing) = wing else {
                let place = ["general".into(), i.into(), "wing".into()];
                return Err(self.fault(&place, format!("there is no wing commander `{name}` on that side")));
            };
            battle.s.generals[i].wing = Some(wing);
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

    pub(super) fn grade<T: serde::de::DeserializeOwned>(
        &self,
        text: Option<&String>,
        place: &[Place],
        all: &str,
    ) -> Found<Option<T>> {
        text.map(|t| {
            written(&t.as_str().into()).map_err(|_| self.fault(place, format!("`{t}` is none of {all}")))
        })
        .transpose()
    }

    pub(super) fn info(&self, i: usize, u: &UnitFile, battle: &SevenYearsBattle) -> Found<(UnitInfo, u8)> {
        let at = |key: &str| [Place::from("unit"), i.into(), key.into()];
        // What kind a unit is may be said by the code of its army list.
        let by_code = |kind: &&String| u.code.is_none() && self.book.entry(kind).is_some();
        let listed = u.kind.as_ref().filter(by_code);
        let kind_said = u.kind.as_ref().filter(|_| listed.is_none());
        let code = u.code.as_ref().or(listed);
        let entry =
            match code {
                Some(code) => Some(self.book.entry(code).ok_or_else(|| {
                    self.fault(&at("code"), format!("there is no `{code}` in any army list"))
                })?),
                None => None,
            };
        let mut kind = match (kind_said, entry) {
            (Some(kind), _) => Kind::named(kind, &self.book).ok_or_else(|| {
                let all: Vec<&str> = Kind::ALL.iter().map(|k| k.code()).collect();
                self.fault(&at("kind"), format!("`{kind}` is no troop type; there is {}", all.join(", ")))
            })?,
            (None, Some(e)) => e.kind,
            (None, None) => {
                return Err(self.fault(&at("kind"), "is missing; give a code of an army list or a kind"));
            }
        };
        let weapon: Option<Weapon> =
            self.grade(u.weapon.as_ref(), &at("weapon"), "the weapons of T2 (musket, rifle, bow …)")?;
        // SYW-ARMY-16
        if kind == Kind::LI && weapon == Some(Weapon::Rifle) {
            kind = Kind::Rif;
        }
        let profile = self.book.profile(kind);
        let options = &battle.fixed.options;
        let drill: Option<Drill> = self.grade(u.drill.as_ref(), &at("drill"), "well, normal, badly")?;
        let militia = match options.militia_drill {
            MilitiaDrill::Badly => Drill::Badly,
            MilitiaDrill::Normal => Drill::Normal,
        };
        let usual = if kind == Kind::Mil { militia } else { Drill::Normal };
        let mut drill = drill.or(entry.and_then(|e| e.drill)).unwrap_or(usual);
        if kind == Kind::Mil && entry.is_some_and(|e| e.drill == Some(Drill::Badly)) && u.drill.is_none() {
            drill = militia;
        }
        if u.upgraded_drill {
            if kind != Kind::Mil {
                return Err(self.fault(&at("upgraded_drill"), "only Militia is upgraded [SYW-POINTS-03]"));
            }
            drill = Drill::Normal;
        }
        let morale: Option<Grade> = self.grade(u.morale.as_ref(), &at("morale"), "high, normal, poor")?;
        let mut arms = weapon.or(entry.and_then(|e| e.weapon)).unwrap_or(profile.weapon);
        if u.upgraded_shots {
            if kind != Kind::Mil {
                return Err(self.fault(&at("upgraded_shots"), "only Militia is upgraded [SYW-POINTS-03]"));
            }
            arms = Weapon::Musket;
        } else if kind == Kind::Mil && arms == Weapon::Musket {
            arms = Weapon::MilitiaMusket; // SYW-ARMY-13
        }
        let depth = u.depth.unwrap_or(profile.depth);
        if !(0.5..=6.0).contains(&depth) {
            return Err(self.fault(&at("depth"), "must be between 0.5 and 6"));
        }
        let mut info = UnitInfo {
            name: u
                .name
                .clone()
                .or(entry.map(|e| e.called().to_owned()))
                .unwrap_or_else(|| profile.name.clone()),
            code: code.cloned().unwrap_or_else(|| kind.code().to_owned()),
            kind,
            arm: profile.arm,
            class: profile.class,
            tests_as: profile.tests_as,
            speed: profile.speed,
            march: profile.march.unwrap_or(profile.speed),
            melee: profile.melee,
            melee_against_infantry: profile.melee_against_infantry.unwrap_or(profile.melee),
            depth,
            drill,
            morale: morale.or(entry.map(|e| e.morale)).unwrap_or_default(),
            weapon: arms,
            poor_shots: u.poor_shots.or(entry.map(|e| e.poor_shots)).unwrap_or(false),
            upgraded_drill: u.upgraded_drill,
            upgraded_shots: u.upgraded_shots,
            tag: u.tag.clone().or(entry.map(|e| e.tag.clone())).unwrap_or_default(),
            price: 0.0,
        };
        info.price = u.points.unwrap_or_else(|| self.book.stand_price(&info));
        if !info.price.is_finite() {
            return Err(self.fault(&at("points"), "is no number"));
        }
        let usual = entry.map_or_else(
            || if profile.sizes.contains(&4) { 4 } else { profile.sizes.first().copied().unwrap_or(1) },
            |e| e.stands,
        );
        Ok((info, usual))
    }

    pub(super) fn units(&self, f: &SetUpFile, battle: &mut SevenYearsBattle) -> Found<Vec<UnitInfo>> {
        let mut infos = Vec::new();
        if f.units.len() > 200 {
            return Err(self.fault(&["unit".into()], "are more than 200"));
        }
        if f.units.is_empty() && self.purpose == Purpose::Scenario && !bought_later(f) {
            return Err(self.fault(&["unit".into()], "are missing; a battle needs troops"));
        }
        for (i, u) in f.units.iter().enumerate() {
            let at = |key: &str| [Place::from("unit"), i.into(), key.into()];
            let id = self.id(&u.id, battle, &at("id"))?;
            let side = self.side(battle, u.side.as_deref(), &at("side"))?;
            let (info, usual) = self.info(i, u, battle)?;
            let started = u.started.or_else(|| u.stands.zip(u.lost).map(|(s, l)| s.saturating_add(l)));
            let started = started.or(if u.lost.is_some() { None } else { u.stands }).unwrap_or(usual);
            let now = u.stands.unwrap_or_else(|| started.saturating_sub(u.lost.unwrap_or(0)));
            if started == 0 || started > 10 || now > started {
                return Err(
                    self.fault(&at("stands"), "a unit has 1 to 10 stands and no more than it started with")
                );
            }
            if info.arm == Arm::Artillery && started != 1 {
                return Err(self.fault(&at("stands"), "a battery is one stand [SYW-ARMY-05]"));
            }
            if !self.position() && !self.book.profile(info.kind).sizes.contains(&started) {
                return Err(self.fault(
                    &at("stands"),
                    format!("{} is no size for {} [SYW-ARMY-08 to -10]", started, info.name),
                ));
            }
            let group = self.group_for(i, u, f, battle, side, &info)?;
            let facing = u.facing.unwrap_or_else(|| Self::facing_of(battle, side));
            if !facing.is_finite() {
                return Err(self.fault(&at("facing"), "is no number"));
            }
            let place = u.at.map(|[x, y]| Point::new(x, y));
            if place.is_some_and(|p| !p.is_finite()) {
                return Err(self.fault(&at("at"), "holds something that is no number"));
            }
            let gone = battle.group(group).off.is_some();
            let presence = match (place, gone, now) {
                (_, _, 0) => Presence::Gone,
                (_, true, _) => Presence::Off,
                (Some(_), _, _) if u.hidden => Presence::Hidden,
                (Some(_), _, _) => Presence::OnTable,
                (None, _, _) if battle.fixed.free => Presence::Waiting,
                (None, _, _) => return Err(self.fault(&at("at"), "is missing; where does it stand?")),
            };
            let mut laid = stands::layout(u.formation, usize::from(now), &info);
            if now < started && u.formation.is_line() && u.stand_places.is_empty() {
                laid = worn_line(usize::from(started), usize::from(now), u.formation, &info);
            }
            if !u.stand_places.is_empty() {
                if u.stand_places.len() != usize::from(now) {
                    return Err(
                        self.fault(&at("stand_places"), format!("needs {now} places, one for each stand"))
                    );
                }
                laid = stands::Layout::new();
                for (k, place) in u.stand_places.iter().enumerate() {
                    let fair = (2..=4).contains(&place.len()) && place.iter().all(|x| x.is_finite());
                    if !fair {
                        return Err(self.fault(
                            &["unit".into(), i.into(), "stand_places".into(), k.into()],
                            "needs right, forward, and perhaps turn and rank",
                        ));
                    }
                    let rank =
                        place.get(3).copied().unwrap_or_else(|| ((-place[1] - 0.01) / info.depth).floor());
                    laid.push(Stand {
                        u: place[0],
                        v: place[1],
                        turn: place.get(2).copied().unwrap_or(0.0),
                        rank: rank.clamp(0.0, 9.0) as u8,
                    });
                }
            }
            let lair =
                match &u.terrain {
                    Some(t) => {
                        Some(
                            battle.fixed.pieces.iter().position(|p| p.id == *t).ok_or_else(|| {
                                self.fault(&at("terrain"), format!("there is no ground `{t}`"))
                            })? as u8,
                        )
                    }
                    None => None,
                };
            let turned = match u.turned.as_deref() {
                None => None,
                Some("left") => Some(crate::model::state::Direction::Left),
                Some("right") => Some(crate::model::state::Direction::Right),
                Some("rear") => Some(crate::model::state::Direction::Rear),
                Some(other) => {
                    return Err(self.fault(&at("turned"), format!("`{other}` is none of left, right, rear")));
                }
            };
            let place = place.unwrap_or(Point::ORIGIN).round_to(0.01);
            let facing = tricorne_table::angle::normalise(tricorne_table::round_to(facing, 0.1));
            battle.s.units.push(Unit {
                id,
                info: infos.len() as u8,
                side,
                group,
                presence,
                at: place,
                facing,
                formation: u.formation,
                stands: laid,
                started,
                disordered: u.disordered,
                moved_before: u.moved_before,
                moved_own: u.moved_before,
                fired: u.fired.unwrap_or(self.position()),
                fired_before: u.fired_before,
                stood_since: 0,
                turned,
                was: Formation::Line,
                was_at: place,
                was_facing: facing,
                surrendered: u.surrendered,
                guards: SmallVec::new(),
                waited: false,
                held: false,
                on_stand: false,
                parent: None,
                lair,
                first_lair: lair,
                formed: false,
                split: None,
                began: ArrayVec::new(),
                phase: UnitPhase {
                    moved: u.moved,
                    fired: u.fired_phase,
                    charged: u.charged,
                    charging: u.charging,
                    ..UnitPhase::from(Pose { at: place, facing })
                },
                frame: Cached::default(),
            });
            let ix = UnitIx::of(battle.s.units.len() - 1);
            battle.group_mut(group).units.push(ix);
            infos.push(info);
        }
        if !self.position() {
            number_namesakes(&mut infos);
        }
        Ok(infos)
    }

    /// The group a unit is of, made when it is first named.
    pub(super) fn group_for(
        &self,
        i: usize,
        u: &UnitFile,
        f: &SetUpFile,
        battle: &mut SevenYearsBattle,
        side: Side,
        info: &UnitInfo,
    ) -> Found<GroupIx> {
        let at = |key: &str| [Place::from("unit"), i.into(), key.into()];
        let name = u.group.as_deref().unwrap_or(&u.id);
        let id: UnitId = name.parse().map_err(|why: String| self.fault(&at("group"), why))?;
        let row = f.groups.iter().find(|g| g.id == name);
        if let Some(g) = battle.find_group(id) {
            let group = battle.group(g);
            if group.side != side {
                return Err(self.fault(&at("group"), format!("`{name}` belongs to the other side")));
            }
            if group.arm != info.arm {
                return Err(self.fault(
                    &at("group"),
                    format!("`{name}` mixes arms; a group is all foot, all horse or all guns [SYW-GROUP-03]"),
                ));
            }
            let named = u.command.as_deref().filter(|&name| name != "none");
            if let Some(general) = named
                && group.command.is_none_or(|c| battle.s.generals[usize::from(c)].id.as_str() != general)
            {
                return Err(self.fault(
                    &at("command"),
                    format!("`{name}` is not under `{general}`; a group takes orders from one general [SYW-ARMY-22]"),
                ));
            }
            if let Some(order) = u.order {
                battle.group_mut(g).order = order;
            }
            return Ok(g);
        }
        let command = u.command.as_deref().or(row.and_then(|r| r.command.as_deref()));
        let command = match command {
            None | Some("none") => None,
            Some(name) => {
                let found = name.parse().ok().and_then(|id| battle.find_general(id)).filter(|&c| {
                    let general = &battle.s.generals[usize::from(c)];
                    general.side == side && (!general.cinc || battle.fixed.options.wing_commanders > 0)
                });
                Some(found.ok_or_else(|| {
                    self.fault(&at("command"), format!("there is no sub-general `{name}` on that side"))
                })?)
            }
        };
        let march = row.is_some_and(|r| r.flank_march);
        let off = row.and_then(|r| r.off.clone());
        let edge = row.and_then(|r| r.edge);
        let left = if march {
            Some(Left {
                at: Point::ORIGIN,
                edge: edge.unwrap_or(EdgeName::East),
                followed: false,
                routed: false,
                tries: 0,
                march: true,
                either: edge.is_none(),
                fresh: true,
                ready: false,
                tried: false,
            })
        } else {
            off.map(|o| {
                let p = Point::new(o.at[0], o.at[1]);
                Left {
                    at: p,
                    edge: EdgeName::of(battle.fixed.table.nearest_edge(p)),
                    followed: o.followed,
                    routed: o.routed,
                    tries: o.tries,
                    march: false,
                    either: false,
                    fresh: false,
                    ready: false,
                    tried: false,
                }
            })
        };
        let order = u.order.or(row.and_then(|r| r.order)).unwrap_or(if left.is_some() {
            Order::Reserve
        } else {
            Order::Stand
        });
        if !self.position() {
            let fair = if command.is_some() {
                order == Order::Stand
            } else {
                !matches!(order, Order::Retreat | Order::Rout)
            };
            if !fair {
                return Err(self.fault(
                    &at("order"),
                    "commanded groups start on Stand, others on Advance, Reserve or Stand [SYW-ORDER-01, -02]",
                ));
            }
        }
        battle.s.groups.push(Group {
            id,
            side,
            arm: info.arm,
            order,
            command,
            units: Units::new(),
            fell_back_before: false,
            pursuing: None,
            pursued: false,
            off: left,
            deferred: None,
            met_pursuers: false,
            ghosts_started: 0,
            near: None,
            phase: GroupPhase::default(),
        });
        Ok(GroupIx::of(battle.s.groups.len() - 1))
    }

    /// What the file says of groups beyond their units.
    pub(super) fn group_facts(&self, f: &SetUpFile, battle: &mut SevenYearsBattle) -> Found<()> {
        for u in battle.unit_ids() {
            battle.refresh(u);
        }
        for (i, row) in f.groups.iter().enumerate() {
            let at = |key: &str| [Place::from("group"), i.into(), key.into()];
            let found = row.id.parse().ok().and_then(|id| battle.find_group(id));
            let Some(g) = found else {
                return Err(self.fault(&at("id"), format!("no unit is of group `{}`", row.id)));
            };
            if let Some(name) = &row.pursuing {
                let prey = name.parse().ok().and_then(|id| battle.find_group(id));
                let Some(prey) = prey else {
                    return Err(self.fault(&at("pursuing"), format!("there is no group `{name}`")));
                };
                battle.group_mut(g).pursuing = Some(prey);
            }
            let speed = battle.members(g).iter().map(|&u| battle.info(u).speed).fold(f64::MAX, f64::min);
            let group = battle.group_mut(g);
            if let Some(order) = row.order {
                group.order = order;
            }
            group.phase.moved = row.moved;
            group.phase.charging = row.charging;
            group.phase.tested_charge = row.charging;
            group.phase.fell_back = row.fell_back;
            group.phase.evaded = row.evaded;
            if let Some(left) = row.left {
                group.phase.used = (speed - left).max(0.0);
            }
            for (k, [u, t]) in row.aims.iter().enumerate() {
                let place = [Place::from("group"), i.into(), "aims".into(), k.into()];
                let find = |name: &str| name.parse().ok().and_then(|id| battle.find_unit(id));
                let (Some(u), Some(t)) = (find(u), find(t)) else {
                    return Err(self.fault(&place, "names a unit that does not exist"));
                };
                let from = battle.charge_direction(u, t);
                let gap = battle.gap(u, t);
                battle.group_mut(g).phase.aims.push(Aim { gap, ..Aim::met(u, t, from) });
                battle.unit_mut(t).phase.charged = true;
            }
        }
        Ok(())
    }
}

/// `1st`, `2nd`, `11th`.
pub(crate) fn ordinal(n: usize) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// Units of one name are numbered, so that a story can tell them apart: `1st Musketeers`, `2nd Musketeers`.
fn number_namesakes(infos: &mut [UnitInfo]) {
    let names: Vec<String> = infos.iter().map(|info| info.name.clone()).collect();
    for (i, info) in infos.iter_mut().enumerate() {
        if names.iter().filter(|n| **n == info.name).count() > 1 {
            let n = names[..=i].iter().filter(|n| **n == names[i]).count();
            info.name = format!("{} {}", ordinal(n), names[i]);
        }
    }
}

/// A line that has lost stands from its rear rank first, then from the right of its front.
fn worn_line(started: usize, now: usize, formation: Formation, info: &UnitInfo) -> stands::Layout {
    let mut laid = stands::layout(formation, started, info);
    while laid.len() > now {
        let rank = laid.iter().map(|s| s.rank).max().unwrap_or(0);
        let Some(k) = (0..laid.len())
            .filter(|&k| laid[k].rank == rank)
            .max_by(|&a, &b| laid[a].u.total_cmp(&laid[b].u))
        else {
            break;
        };
        laid.remove(k);
    }
    // The origin stays the middle of the front rank.
    let front: SmallVec<[f64; 10]> = laid.iter().filter(|s| s.rank == 0).map(|s| s.u).collect();
    let (low, high) = front.iter().fold((f64::MAX, f64::MIN), |(l, h), &u| (l.min(u), h.max(u)));
    if low <= high {
        let middle = (low + high) * 0.5;
        for s in &mut laid {
            s.u -= middle;
        }
    }
    laid
}
