//! The position as readable JSON, and what must hold between any two actions.

use serde_json::{Map, Value, json};

use crate::battle::Fray;
use crate::model::base::TOLERANCE;
use crate::state::{Fate, IMPERIAL, Layout, NATIVE, No};
use crate::turn::side_name;
use tricorne_drill::Asks;

/// A fate's name in facts and positions; none on the table.
pub(crate) fn fate_name(fate: Fate) -> Option<&'static str> {
    match fate {
        Fate::OnTable => None,
        Fate::ToCome => Some("to_come"),
        Fate::Destroyed => Some("destroyed"),
        Fate::Routed => Some("routed"),
        Fate::OffTable => Some("off_table"),
        Fate::Exited => Some("exited"),
        Fate::LeftOut => Some("left_out"),
    }
}

impl Fray {
    pub(crate) fn all_facts(&self) -> Value {
        let mut units = Map::new();
        for u in self.state.units.numbers() {
            units.insert(self.id(u).to_string(), self.unit_facts(u));
        }
        let markers: Map<String, Value> = self
            .field
            .victory
            .markers
            .iter()
            .enumerate()
            .map(|(i, m)| (m.id.clone(), json!(self.holder(i).map(side_name))))
            .collect();
        let pool: Vec<String> = self.state.pool.iter().map(|&u| self.id(u).to_string()).collect();
        let ending = self.how_it_ended();
        json!({
            "units": units,
            "round": self.state.round,
            "rounds": self.field.rounds,
            "turn": self.state.turn + 1,
            "active": side_name(self.state.active),
            "first": side_name(self.state.first),
            "score": { "imperial": self.score(IMPERIAL), "native": self.score(NATIVE) },
            "markers": markers,
            "pool": pool,
            "pending": self.pending_kind(),
            "seat": self.decider().map(|s| s.0),
            "acting": self.state.asked.and_then(|q| q.unit(self)).map(|id| id.to_string()),
            "allowance": self.inches(),
            "over": ending.is_some(),
            "winner": ending.as_ref().and_then(|e| e.winner).map(side_name),
            "grade": ending.as_ref().map(|e| e.grade.clone()),
            "reason": ending.as_ref().map(|e| e.reason.clone()),
        })
    }

    fn unit_facts(&self, u: No) -> Value {
        let (unit, card) = (self.unit(u), self.card(u));
        let place = |s: &crate::state::Spot| <[f64; 2]>::from(s.point());
        let building =
            unit.garrison.and_then(|b| self.field.land.pieces.get(usize::from(b))).map(|p| p.id.clone());
        let close = unit.close_order;
        json!({
            "side": side_name(unit.side),
            "kind": card.kind,
            "name": card.name,
            "models": unit.models,
            "start": card.start,
            "on_table": unit.is_on_table(),
            "at": place(&unit.anchor),
            "facing": unit.facing,
            "layout": unit.layout.name(),
            "places": unit.places.iter().map(place).collect::<Vec<_>>(),
            "pinned": unit.pinned,
            "gone_to_ground": unit.gone_to_ground,
            "close_order": close,
            "leader": unit.leader,
            "leaderless": !unit.leader,
            "commander": self.field.options.one_leader_only && unit.commander,
            "leadership": self.leadership(u),
            "character": unit.character.name(),
            "charm_spent": unit.charm_spent,
            "activated": unit.activated,
            "garrison": building,
            "lost": fate_name(unit.fate).filter(|_| unit.fate.is_lost() || unit.fate == Fate::Exited),
            "fate": fate_name(unit.fate).unwrap_or("on_table"),
            "returned": unit.returned,
            "times_lost": unit.times_lost,
            "points": card.points,
            "firing": card.firing,
            "fighting": card.fighting,
            "discipline": card.discipline,
            "weapon": card.weapon.name,
            "short": card.weapon.short,
            "long": card.weapon.long,
            "move": f64::from(self.pace(u)) / 1000.0,
            "upgrades": card.upgrades,
            "fieldcraft": card.fieldcraft,
            "veteran": card.veteran,
            "silent": unit.silent > 0,
            "carried": unit.carried,
            "level": if unit.is_on_table() { self.level(u) } else { 0 },
            "engaged": unit.is_on_table() && self.is_engaged(u),
        })
    }

    /// What must hold between any two actions, and does not.
    pub(crate) fn what_is_broken(&self) -> Vec<String> {
        let mut broken = Vec::new();
        let mut wrong = |u: No, what: String| broken.push(format!("{}: {what}", self.id(u)));
        for u in self.state.units.numbers() {
            let (unit, card) = (self.unit(u), self.card(u));
            if unit.models > card.start {
                wrong(u, format!("{} models of {}", unit.models, card.start));
            }
            if !unit.is_on_table() {
                continue;
            }
            if unit.models == 0 {
                wrong(u, "no models but on the table".into());
            }
            if unit.garrison.is_none() && unit.places.len() != usize::from(unit.models) {
                wrong(u, format!("{} places for {} models", unit.places.len(), unit.models));
            }
            if unit.is_pinned() && (unit.close_order || unit.gone_to_ground) {
                wrong(u, "Pinned and in Close Order or gone to ground".into());
            }
            if unit.close_order != (unit.layout == Layout::Block) {
                wrong(u, "Close Order without a block, or a block without it".into());
            }
            if unit.close_order && unit.models < self.field.rulebook.charts.close_order.minimum {
                wrong(u, "Close Order with too few models".into());
            }
            let loose = matches!(unit.layout, Layout::Cluster | Layout::Line | Layout::Block);
            if loose && unit.places.first() != Some(&unit.anchor) && unit.layout != Layout::Block {
                wrong(u, "the leader is not on the anchor".into());
            }
            for base in self.bases(u) {
                let bounds = base.bounds();
                if bounds.min.x < -0.01
                    || bounds.min.y < -0.01
                    || bounds.max.x > self.field.width + 0.01
                    || bounds.max.y > self.field.height + 0.01
                {
                    wrong(u, format!("a base over the edge at {}", base.centre));
                }
                let inner = crate::model::base::Base { radius: base.radius - 0.01, ..base };
                let land = &self.field.land;
                if let Some(&i) = land.blocks.iter().find(|&&i| land.pieces[i].overlaps(&inner)) {
                    wrong(u, format!("stands in {} at {}", land.pieces[i].id, base.centre));
                }
            }
            for v in self.on_table().filter(|&v| v > u) {
                if self.unit(v).garrison.is_none() && unit.garrison.is_none() {
                    let gap = self.gap(u, v);
                    if gap < -2.0 * TOLERANCE {
                        wrong(u, format!("overlaps {} by {:.4}", self.id(v), -gap));
                    }
                }
            }
            let expected = self.bounds(u);
            let fresh = match self.outline(u) {
                Some(outline) => outline.bounds(),
                None => self
                    .bases(u)
                    .iter()
                    .fold(tricorne_table::Bounds::NOTHING, |all, base| all.join(&base.bounds())),
            };
            if expected != fresh {
                wrong(u, "its box is stale".into());
            }
        }
        broken
    }
}
