//! The units of a set-up file.

use arrayvec::ArrayVec;
use smallvec::SmallVec;
use tricorne_game::{Place, Purpose, written};
use tricorne_table::{Point, Pose};

use super::{Found, Reader, bought_later, by_name};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::stands;
use crate::model::state::{Cached, Direction, Formation, Presence, Stand, Unit, UnitInfo, UnitPhase};
use crate::options::MilitiaDrill;
use crate::rulebook::{Arm, Drill, Grade, Kind, Weapon};
use crate::setup::file::{File, UnitFile};

impl Reader<'_> {
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
        let own = &u.own;
        let listed = own.code.is_none() && self.book.entry(&u.kind).is_some();
        let code = if listed { Some(&u.kind) } else { own.code.as_ref() };
        let entry =
            match code {
                Some(code) => Some(self.book.entry(code).ok_or_else(|| {
                    self.fault(&at("code"), format!("there is no `{code}` in any army list"))
                })?),
                None => None,
            };
        let mut kind = match entry {
            Some(e) if listed => e.kind,
            _ => Kind::named(&u.kind, &self.book).ok_or_else(|| {
                let all: Vec<&str> = Kind::ALL.iter().map(|k| k.code()).collect();
                self.fault(&at("kind"), format!("`{}` is no troop type; there is {}", u.kind, all.join(", ")))
            })?,
        };
        let weapon: Option<Weapon> =
            self.grade(own.weapon.as_ref(), &at("weapon"), "the weapons of T2 (musket, rifle, bow …)")?;
        // SYW-ARMY-16
        if kind == Kind::LI && weapon == Some(Weapon::Rifle) {
            kind = Kind::Rif;
        }
        let profile = self.book.profile(kind);
        let options = &battle.fixed.options;
        let drill: Option<Drill> = self.grade(own.drill.as_ref(), &at("drill"), "well, normal, badly")?;
        let militia = match options.militia_drill {
            MilitiaDrill::Badly => Drill::Badly,
            MilitiaDrill::Normal => Drill::Normal,
        };
        let usual = if kind == Kind::Mil { militia } else { Drill::Normal };
        let mut drill = drill.or(entry.and_then(|e| e.drill)).unwrap_or(usual);
        if kind == Kind::Mil && entry.is_some_and(|e| e.drill == Some(Drill::Badly)) && own.drill.is_none() {
            drill = militia;
        }
        if own.upgraded_drill {
            if kind != Kind::Mil {
                return Err(self.fault(&at("upgraded_drill"), "only Militia is upgraded [SYW-POINTS-03]"));
            }
            drill = Drill::Normal;
        }
        let morale: Option<Grade> = self.grade(own.morale.as_ref(), &at("morale"), "high, normal, poor")?;
        let mut arms = weapon.or(entry.and_then(|e| e.weapon)).unwrap_or(profile.weapon);
        if own.upgraded_shots {
            if kind != Kind::Mil {
                return Err(self.fault(&at("upgraded_shots"), "only Militia is upgraded [SYW-POINTS-03]"));
            }
            arms = Weapon::Musket;
        } else if kind == Kind::Mil && arms == Weapon::Musket {
            arms = Weapon::MilitiaMusket; // SYW-ARMY-13
        }
        let depth = own.depth.unwrap_or(profile.depth);
        if !(0.5..=6.0).contains(&depth) {
            return Err(self.fault(&at("depth"), "must be between 0.5 and 6"));
        }
        let mut info = UnitInfo {
            name: match entry {
                _ if !u.name.is_empty() => u.name.clone(),
                Some(e) => e.called().to_owned(),
                None => profile.name.clone(),
            },
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
            poor_shots: own.poor_shots.or(entry.map(|e| e.poor_shots)).unwrap_or(false),
            upgraded_drill: own.upgraded_drill,
            upgraded_shots: own.upgraded_shots,
            tag: own.tag.clone().or(entry.map(|e| e.tag.clone())).unwrap_or_default(),
            price: 0.0,
        };
        info.price = own.points.unwrap_or_else(|| self.book.stand_price(&info));
        if !info.price.is_finite() {
            return Err(self.fault(&at("points"), "is no number"));
        }
        let usual = entry.map_or_else(
            || if profile.sizes.contains(&4) { 4 } else { profile.sizes.first().copied().unwrap_or(1) },
            |e| e.stands,
        );
        Ok((info, usual))
    }

    pub(super) fn units(&self, f: &File, battle: &mut SevenYearsBattle) -> Found<Vec<UnitInfo>> {
        let mut infos = Vec::new();
        if f.units.len() > 200 {
            return Err(self.fault(&["unit".into()], "are more than 200"));
        }
        if f.units.is_empty() && self.purpose == Purpose::Scenario && !bought_later(f) {
            return Err(self.fault(&["unit".into()], "are missing; a battle needs troops"));
        }
        for (i, u) in by_name(&f.units, |u| (u.side, u.id.as_str())) {
            let at = |key: &str| [Place::from("unit"), i.into(), key.into()];
            let (own, id, side) = (&u.own, u.id, u.side);
            self.named_once(id, battle, &at("id"))?;
            let (info, usual) = self.info(i, u, battle)?;
            let started = own.started.or_else(|| own.stands.zip(own.lost).map(|(s, l)| s.saturating_add(l)));
            let started = started.or(if own.lost.is_some() { None } else { own.stands }).unwrap_or(usual);
            let now = own.stands.unwrap_or_else(|| started.saturating_sub(own.lost.unwrap_or(0)));
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
            let gone = battle.group(group).off.is_some();
            let presence = match (u.at, gone, now) {
                (_, _, 0) => Presence::Gone,
                (_, true, _) => Presence::Off,
                (Some(_), _, _) if own.hidden => Presence::Hidden,
                (Some(_), _, _) => Presence::OnTable,
                (None, _, _) if battle.fixed.free => Presence::Waiting,
                (None, _, _) => return Err(self.fault(&at("at"), "is missing; where does it stand?")),
            };
            let mut laid = stands::layout(own.formation, usize::from(now), &info);
            if now < started && own.formation.is_line() && own.stand_places.is_empty() {
                laid = worn_line(usize::from(started), usize::from(now), own.formation, &info);
            }
            if !own.stand_places.is_empty() {
                if own.stand_places.len() != usize::from(now) {
                    return Err(
                        self.fault(&at("stand_places"), format!("needs {now} places, one for each stand"))
                    );
                }
                laid = stands::Layout::new();
                for (k, place) in own.stand_places.iter().enumerate() {
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
                match &own.terrain {
                    Some(t) => {
                        Some(
                            battle.fixed.pieces.iter().position(|p| p.id == *t).ok_or_else(|| {
                                self.fault(&at("terrain"), format!("there is no ground `{t}`"))
                            })? as u8,
                        )
                    }
                    None => None,
                };
            let turned = match own.turned.as_deref() {
                None => None,
                Some("left") => Some(Direction::Left),
                Some("right") => Some(Direction::Right),
                Some("rear") => Some(Direction::Rear),
                Some(other) => {
                    return Err(self.fault(&at("turned"), format!("`{other}` is none of left, right, rear")));
                }
            };
            let place = u.at.unwrap_or(Point::ORIGIN).round_to(0.01);
            let facing = tricorne_table::angle::normalise(tricorne_table::round_to(facing, 0.1));
            battle.s.units.push(Unit {
                id,
                info: infos.len() as u8,
                side,
                group,
                presence,
                at: place,
                facing,
                formation: own.formation,
                stands: laid,
                started,
                disordered: own.disordered,
                moved_before: own.moved_before,
                moved_own: own.moved_before,
                fired: own.fired.unwrap_or(self.position()),
                fired_before: own.fired_before,
                stood_since: 0,
                turned,
                was: Formation::Line,
                was_at: place,
                was_facing: facing,
                surrendered: own.surrendered,
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
                    moved: own.moved,
                    fired: own.fired_phase,
                    charged: own.charged,
                    charging: own.charging,
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
