//! Everything about the position as readable JSON, for rule cases.

use serde_json::{Map, Value, json};

use tricorne_drill::{Asks, Rules};

use crate::field::{Field, bits};
use crate::model::formation::bases;
use crate::model::measure::exact;
use crate::model::{Cr, Nr};
use crate::state::{BLACK, Initiative, RED};

impl Field {
    pub(crate) fn all_facts(&self) -> Value {
        let units: Map<String, Value> =
            (0..self.s.units.len()).map(|i| (self.name(Nr(i as u8)), self.unit_facts(Nr(i as u8)))).collect();
        let commanders: Map<String, Value> = (0..self.s.commanders.len())
            .map(|i| (self.chief(Cr(i as u8)).id.to_string(), self.commander_facts(Cr(i as u8))))
            .collect();
        let side = |s: tricorne_game::Side| {
            json!({
                "name": self.b.names[s.index()],
                "army_morale": self.army_morale(s),
                "break_point": self.b.break_point[s.index()],
                "morale_lost": self.s.morale_lost[s.index()],
                "kings": self.s.kings[s.index()].iter().map(ToString::to_string).collect::<Vec<_>>(),
                "trophies": self.trophies(s),
                "units": self.present_of(s).count(),
            })
        };
        let side_name = |s: tricorne_game::Side| if s == RED { "red" } else { "black" };
        json!({
            "turn": self.s.turn,
            "turns": self.b.limit,
            "active": self.s.group.as_ref().map(|g| side_name(g.owner)),
            "decides": self.question().map(|q| side_name(tricorne_game::Side(q.seat(self).0))),
            "units": units,
            "commanders": commanders,
            "red": side(RED),
            "black": side(BLACK),
            "card": self.s.card.map(|c| c.to_string()),
            "last_card": self.s.last_owner.map(side_name),
            "cards_left": self.s.deck.left().len(),
            "cards_spent": self.s.deck.spent().iter().map(ToString::to_string).collect::<Vec<_>>(),
            "events_left": self.s.events.left().len(),
            "events_spent": self.s.events.spent().iter().map(|c| c.name()).collect::<Vec<_>>(),
            "spells": {
                "cloudburst": self.s.spell.cloudburst,
                "bank_of_smoke": self.s.spell.smoke,
                "heavy_clay": self.s.spell.clay,
            },
            "group": self.s.group.as_ref().map(|g| json!({
                "owner": side_name(g.owner),
                "controller": side_name(g.controller),
                "units": bits(g.all).map(|u| self.name(u)).collect::<Vec<_>>(),
                "left": bits(g.left).map(|u| self.name(u)).collect::<Vec<_>>(),
                "initiative": match g.initiative {
                    Initiative::Free => "free",
                    Initiative::AdvanceOnly => "advance_only",
                    Initiative::RetreatOnly => "retreat_only",
                },
                "forced": g.forced,
            })),
            "acting": self.s.acting.map(|a| json!({
                "unit": self.name(a.unit),
                "action": a.kind,
                "allowance": exact(a.allowance),
            })),
            "charge": self.s.charge.map(|c| json!({
                "charger": self.name(c.charger),
                "target": self.name(c.target),
                "aspect": c.aspect,
                "allowance": exact(c.allowance),
                "needed": c.path.map(|p| exact(p.cost)),
                "wheel": c.path.map(|p| p.wheel),
            })),
            "melee": self.s.melee.map(|m| json!({
                "attacker": self.name(m.attacker),
                "defender": self.name(m.defender),
                "round": m.round,
                "aspect": m.aspect,
                "others": m.others.iter().flatten().map(|f| self.name(f.unit)).collect::<Vec<_>>(),
            })),
            "terrain": self.b.terrain.iter().map(|p| json!({ "id": p.id, "kind": p.kind })).collect::<Vec<_>>(),
            "over": self.s.over.is_some(),
            "result": self.s.over.as_ref().map(|o| json!({
                "winner": o.winner.map(side_name),
                "grade": o.grade,
                "reason": o.reason,
                "clause": o.clause,
            })),
        })
    }

    fn unit_facts(&self, u: Nr) -> Value {
        let (spec, unit) = (self.spec(u), self.unit(u));
        let (width, depth) = (round(unit.body.rect.width()), round(unit.body.rect.depth()));
        let corners: Vec<[f64; 2]> = if unit.here() {
            unit.body.rect.corners().iter().map(|c| [round(c.x), round(c.y)]).collect()
        } else {
            vec![]
        };
        let all_bases: Vec<Value> = if unit.body.cloud > 0 {
            unit.body
                .parts()
                .iter()
                .map(|p| json!({ "at": [round(p.centre().x), round(p.centre().y)] }))
                .collect()
        } else {
            bases(&unit.body, unit.formation, unit.square)
                .iter()
                .map(|(c, f)| json!({ "at": [round(c.x), round(c.y)], "facing": round(*f) }))
                .collect()
        };
        let centre = unit.body.centroid();
        let here = unit.here();
        let group = if here { self.group_of(u) } else { 0 };
        let mut facts = json!({
            "name": spec.name,
            "side": if spec.side == RED { "red" } else { "black" },
            "kind": spec.kind.name(),
            "quality": spec.quality.name(),
            "strength": unit.strength,
            "start": spec.start,
            "lost": self.lost(u),
            "at": [exact(unit.place.x), exact(unit.place.y)],
            "facing": exact(unit.place.t),
            "centroid": [round(centre.x), round(centre.y)],
            "formation": unit.formation.name(),
            "width": width,
            "depth": depth,
            "corners": corners,
            "bases": all_bases,
            "on_table": here,
            "gone": unit.gone.map(crate::state::Fate::name),
            "activated": unit.turn.activated,
            "disordered": unit.disordered,
            "ordered": !unit.disordered && !unit.shaken,
            "routed": unit.routed,
            "shaken": unit.shaken,
            "held_fire": unit.turn.held_fire,
            "silenced": unit.turn.silenced,
            "lost_galloper": unit.turn.lost_galloper,
            "forced_march": unit.turn.forced_march,
            "mishap": unit.mishap,
            "colours": spec.colours && !unit.colours_lost,
            "colours_lost": unit.colours_lost,
            "trophies": unit.trophies,
            "regiment": spec.regiment.and_then(|r| self.b.regiments.get(usize::from(r))),
            "wing": spec.wing.and_then(|w| self.b.wings.get(usize::from(w))),
            "group": bits(group).map(|o| self.name(o)).collect::<Vec<_>>(),
            "in_command": here && self.in_command(group),
            "regimental_square": unit.square.map(|s| json!({
                "index": s.index, "of": s.of, "open_rear": s.open_rear,
            })),
            "commander": self.chiefs().find(|&c| self.commander(c).host == Some(u)).map(|c| self.chief(c).id.to_string()),
            "near_enemy": here && self.near_enemy(spec.side, &unit.body),
            "nearest_enemy": self.nearest_enemy(spec.side, &unit.body).map(|(e, d)| json!({ "unit": self.name(e), "gap": exact(d) })),
        });
        facts["one_base"] = json!(unit.one_base);
        facts
    }

    fn commander_facts(&self, c: Cr) -> Value {
        let (spec, commander) = (self.chief(c), self.commander(c));
        let at = commander.host.map_or(commander.at(), |h| self.unit(h).body.centroid());
        json!({
            "name": spec.name,
            "side": if spec.side == RED { "red" } else { "black" },
            "level": spec.level.name(),
            "at": [round(at.x), round(at.y)],
            "attached": commander.host.map(|h| self.name(h)),
            "activated": commander.turn.activated,
            "in_play": commander.gone.is_none(),
            "gone": commander.gone.map(crate::state::Fate::name),
            "dazed": commander.turn.dazed,
            "gout": commander.turn.gout,
        })
    }
}

fn round(value: f64) -> f64 {
    exact(crate::model::measure::mils(value))
}
