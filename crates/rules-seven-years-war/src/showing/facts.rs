//! Everything about a position as readable JSON, for rule cases.

use serde_json::{Map, Value, json};
use tricorne_drill::Rules;
use tricorne_game::Pending;

use crate::generals::counters::{Ability, Psychology, Training};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{OPEN, Order, Presence};
use crate::questions::Questions;
use crate::rulebook::{Arm, Class, Drill, Grade};

fn number(x: f64) -> Value {
    if x.is_finite() { json!(tricorne_table::round_to(x, 0.0001)) } else { Value::Null }
}

fn place(p: tricorne_table::Point) -> Value {
    json!([number(p.x), number(p.y)])
}

impl SevenYearsBattle {
    pub(crate) fn all_facts(&self) -> Value {
        let units: Map<String, Value> =
            self.unit_ids().map(|u| (self.unit(u).id.to_string(), self.unit_facts(u))).collect();
        let groups: Map<String, Value> =
            self.group_ids().map(|g| (self.group(g).id.to_string(), self.group_facts(g))).collect();
        let generals: Map<String, Value> = (0..self.s.generals.len())
            .map(|i| (self.s.generals[i].id.to_string(), self.general_facts(i)))
            .collect();
        let sides: Map<String, Value> =
            (0..2).map(|k| (self.fixed.sides[k].id.clone(), self.side_facts(k))).collect();
        let pending = self.pending();
        let ending = match &pending {
            Pending::Over(e) => json!({
                "winner": e.winner.map(|w| self.fixed.sides[w.index().min(1)].id.clone()),
                "grade": e.grade,
                "reason": e.reason,
                "clause": e.clause,
                "scores": e.scores,
            }),
            Pending::Decision { .. } => Value::Null,
        };
        let asked = match &pending {
            Pending::Decision { seat, kind, unit, .. } => json!({
                "kind": kind,
                "seat": seat.0,
                "side": self.fixed.sides[usize::from(seat.0.min(1))].id,
                "unit": unit.map(|u| u.to_string()),
                "group": self.asked_group().map(|g| self.group(g).id.to_string()),
            }),
            Pending::Over(_) => json!({ "kind": "over" }),
        };
        let lead = i32::from(self.s.armies[self.s.initiative.index().min(1)].initiative)
            - i32::from(self.s.armies[self.s.initiative.enemy().index()].initiative);
        json!({
            "turn": self.s.turn,
            "turns": self.fixed.turns,
            "break_percent": self.fixed.break_percent,
            "table": [self.fixed.table.width(), self.fixed.table.depth()],
            "phasing": self.fixed.sides[self.s.phasing.index().min(1)].id,
            "attacker": self.fixed.sides[self.s.attacker.index().min(1)].id,
            "first": self.fixed.sides[self.s.attacker.index().min(1)].id,
            "initiative": self.fixed.sides[self.s.initiative.index().min(1)].id,
            "lead": lead,
            "step": self.s.step.name(),
            "pending": asked,
            "units": units,
            "groups": groups,
            "generals": generals,
            "sides": sides,
            "melees": self.s.contacts.iter().map(|c| json!({
                "attacker": self.unit(c.attacker).id.to_string(),
                "defender": self.unit(c.defender).id.to_string(),
                "from": c.from.name(),
                "partial": c.partial,
                "fought": c.fought,
                "defences": c.across.is_some_and(|k| self.is_work(usize::from(k))),
                "stands": c.count,
                "overlaps": c.overlap,
            })).collect::<Vec<_>>(),
            "objectives": (0..self.fixed.objectives.len()).map(|k| json!({
                "terrain": self.fixed.pieces.get(self.fixed.objectives[k].piece).map(|p| p.id.clone()),
                "points": self.fixed.objectives[k].points,
                "held": self.objective_holder(k).map(|s| self.fixed.sides[s.index().min(1)].id.clone()),
            })).collect::<Vec<_>>(),
            "ending": ending,
        })
    }

    fn asked_group(&self) -> Option<GroupIx> {
        match self.asking()? {
            Questions::Facing(q) => Some(q.group),
            Questions::ComeBack(q) => Some(q.group),
            Questions::Halt(q) => Some(q.group),
            Questions::Passed(q) => Some(q.group),
            Questions::MeetCharge(q) => Some(q.group),
            Questions::Resolution(q) => Some(q.group),
            Questions::AfterMelee(q) => Some(q.group),
            Questions::MeetGuns(q) => Some(q.group),
            _ => None,
        }
    }

    fn unit_facts(&self, u: UnitIx) -> Value {
        let unit = self.unit(u);
        let info = self.info_of(unit);
        let group = self.group(unit.group);
        let on_table = unit.presence == Presence::OnTable;
        let ranks: Vec<usize> = (0..=9)
            .map(|r| unit.stands.iter().filter(|s| s.rank == r).count())
            .take_while(|&n| n > 0)
            .collect();
        let contact: Vec<String> = self.opponents(u).iter().map(|&e| self.unit(e).id.to_string()).collect();
        let engaged: Vec<u8> = self.engaged(u).to_vec();
        let presence = match unit.presence {
            Presence::Waiting => "waiting",
            Presence::OnTable => "on_table",
            Presence::Hidden => "hidden",
            Presence::Off => "off_table",
            Presence::Gone => "gone",
        };
        let e = unit.extent(info.depth);
        let corners: Vec<Value> =
            [(e.left, e.front), (e.right, e.front), (e.right, e.rear), (e.left, e.rear)]
                .iter()
                .map(|&(x, y)| place(unit.pose().to_world(tricorne_table::Point::new(x, y))))
                .collect();
        let mut facts = json!({
            "side": self.fixed.sides[unit.side.index().min(1)].id,
            "name": info.name,
            "code": info.code,
            "kind": info.kind.code(),
            "arm": match info.arm { Arm::Infantry => "infantry", Arm::Cavalry => "cavalry", Arm::Artillery => "artillery" },
            "class": match info.class { Class::Massed => "massed", Class::Light => "light" },
            "drill": match info.drill { Drill::Well => "well", Drill::Normal => "normal", Drill::Badly => "badly" },
            "morale": match info.morale { Grade::High => "high", Grade::Normal => "normal", Grade::Poor => "poor" },
            "weapon": serde_json::to_value(info.weapon).unwrap_or_default(),
            "poor_shots": info.poor_shots,
            "upgraded_drill": info.upgraded_drill,
            "upgraded_shots": info.upgraded_shots,
            "tag": info.tag,
            "speed": info.speed,
            "melee": info.melee,
            "depth": info.depth,
            "points": number(info.price * f64::from(unit.started)),
            "points_per_stand": number(info.price),
            "group": group.id.to_string(),
            "command": group.command.map(|c| self.general(c).id.to_string()),
            "order": self.order_of(u).name(),
        });
        let state = json!({
            "stands": unit.strength(),
            "started": unit.started,
            "lost": usize::from(unit.started).saturating_sub(unit.strength()),
            "ranks": ranks,
            "at": place(unit.at),
            "facing": number(unit.facing),
            "formation": unit.formation.name(),
            "outline": corners,
            "centre": place(self.centre_of(&[u])),
            "disordered": self.is_disordered(u),
            "lasting_disorder": unit.disordered,
            "ground": if unit.frame.ground == OPEN { Value::Null } else { json!(unit.frame.ground) },
            "in_open": on_table && self.in_open(u),
            "moved": unit.phase.moved,
            "moved_before": unit.moved_before,
            "fired": unit.fired,
            "fired_phase": unit.phase.fired,
            "shot": unit.phase.shots > 0,
            "shots": unit.phase.shots,
            "hidden": unit.presence == Presence::Hidden,
            "terrain": unit.lair.and_then(|l| self.fixed.pieces.get(usize::from(l))).map(|p| p.id.clone()),
            "presence": presence,
            "on_table": on_table,
            "off_table": unit.presence == Presence::Off,
            "gone": unit.presence == Presence::Gone,
            "in_melee": self.in_melee(u),
            "in_contact": contact,
            "engaged": engaged,
            "charged": unit.phase.charged,
            "charging": unit.phase.charging || (group.phase.charging && group.phase.aims.iter().any(|a| a.unit == u)),
            "turned": unit.turned.map(crate::model::state::Direction::name),
            "surrendered": unit.surrendered,
            "detached_from": unit.parent.map(|p| self.unit(p).id.to_string()),
            "split_around": unit.split.map(|(p, _)| self.unit(p).id.to_string()),
            "stand_places": unit.stands.iter().map(|s| {
                json!([number(s.u), number(s.v), number(tricorne_table::angle::normalise(s.turn))])
            }).collect::<Vec<_>>(),
            "stand_centres": (0..unit.strength()).map(|i| {
                let r = self.rect(u, i);
                json!([number(r.centre().x), number(r.centre().y), number(tricorne_table::angle::normalise(r.facing()))])
            }).collect::<Vec<_>>(),
        });
        if let (Some(a), Value::Object(b)) = (facts.as_object_mut(), state) {
            a.extend(b);
        }
        facts
    }

    fn group_facts(&self, g: GroupIx) -> Value {
        let group = self.group(g);
        let members = self.members(g);
        let (started, left) = self.group_strength(g);
        let speed = members.iter().map(|&u| self.info(u).speed).fold(f64::MAX, f64::min);
        json!({
            "side": self.fixed.sides[group.side.index().min(1)].id,
            "arm": match group.arm { Arm::Infantry => "infantry", Arm::Cavalry => "cavalry", Arm::Artillery => "artillery" },
            "order": group.order.name(),
            "units": group.units.iter().filter(|&&u| self.unit(u).presence != Presence::Gone)
                .map(|&u| self.unit(u).id.to_string()).collect::<Vec<_>>(),
            "command": group.command.map(|c| self.general(c).id.to_string()),
            "morale": match self.group_grade(g) { Grade::High => "high", Grade::Normal => "normal", Grade::Poor => "poor" },
            "tests_as": if self.tests_as_lights(g) { "light" } else { "massed" },
            "moved": group.phase.moved,
            "halted": group.phase.halted,
            "charging": group.phase.charging,
            "targets": group.phase.aims.iter().map(|a| self.unit(a.target).id.to_string()).collect::<Vec<_>>(),
            "left": if members.is_empty() { Value::Null } else { number((speed - group.phase.used).max(0.0)) },
            "used": number(group.phase.used),
            "fell_back": number(group.phase.fell_back),
            "evaded": group.phase.evaded,
            "started": started,
            "stands": left,
            "lost": started.saturating_sub(left),
            "in_melee": self.group_in_melee(g),
            "pursuing": group.pursuing.map(|p| self.group(p).id.to_string()),
            "routing": group.order == Order::Rout,
            "surrendered": members.iter().any(|&u| self.unit(u).surrendered),
            "off": group.off.map(|o| json!({
                "at": place(o.at), "followed": o.followed, "routed": o.routed, "tries": o.tries, "flank_march": o.march,
            })),
            "off_table": group.off.is_some(),
            "centre": if members.is_empty() { Value::Null } else { place(self.centre_of(&members)) },
            "melees_won": group.phase.melees_won,
            "melees_lost": group.phase.melees_lost,
        })
    }

    fn general_facts(&self, i: usize) -> Value {
        let general = &self.s.generals[i];
        let (psychology, ability) = self.qualities(crate::model::ids::GeneralIx::of(i), None);
        let said = |p: Psychology| match p {
            Psychology::Brave => "brave",
            Psychology::Neither => "neither",
            Psychology::Cautious => "cautious",
        };
        let able = |a: Ability| match a {
            Ability::Competent => "competent",
            Ability::Neither => "neither",
            Ability::Incompetent => "incompetent",
        };
        json!({
            "side": self.fixed.sides[general.side.index().min(1)].id,
            "cinc": general.cinc,
            "at": place(general.at),
            "facing": number(general.facing),
            "counter": general.counter.code(),
            "number": general.number,
            "training": match general.counter.training {
                Training::Cavalry => "cavalry",
                Training::Average => "average",
                Training::Infantry => "infantry",
            },
            "psychology": said(general.counter.psychology),
            "ability": able(general.counter.ability),
            "counts_as": { "psychology": said(psychology), "ability": able(ability) },
            "attempts": general.attempts,
            "moved": general.moved,
            "lost": general.lost,
            "on_table": general.is_present(),
        })
    }

    fn side_facts(&self, k: usize) -> Value {
        let army = &self.s.armies[k];
        let side = tricorne_game::Side(k as u8);
        let lost = self.lost_stands(side);
        let edge = serde_json::to_value(army.edge).unwrap_or_default();
        json!({
            "name": self.fixed.sides[k].name,
            "nation": self.fixed.book.nations()[self.fixed.sides[k].nation].id,
            "table_edge": edge,
            "edge": edge,
            "started_stands": army.started,
            "lost_stands": lost,
            "lost_percent": number(100.0 * f64::from(lost) / f64::from(army.started.max(1))),
            "broken": u64::from(lost) * 100 >= u64::from(army.started) * u64::from(self.fixed.break_percent) && army.started > 0,
            "points": number(army.points),
            "victory_points": number(self.victory_points(side)),
            "generals_lost": army.generals_lost,
            "cincs_lost": army.cincs_lost,
            "ability": army.ability,
            "initiative": army.initiative,
            "strips": army.strips,
            "may_march": army.may_march,
            "counters_left": army.counters.to_vec(),
            "kept_back": army.kept_back.map(|g| self.general(g).id.to_string()),
        })
    }
}
