//! The position as readable JSON, and what must always hold.

use serde_json::{Map, Value, json};
use tricorne_drill::{Asks, Rules};
use tricorne_table::{Bounds, Shape};

use crate::field::{ARMIES, Engagement, army_name};
use crate::movement::round;
use crate::movement::terrain::OVERLAP;
use crate::state::{Benefit, Presence, Quality, Stage, UnitNo};
use crate::turn::cards;

impl Engagement {
    pub(crate) fn all_facts(&self) -> Value {
        let rules = self.rules();
        let mut units = Map::new();
        for (no, u) in self.state.units.iter().enumerate() {
            let frame = u.frame();
            let place = |p: tricorne_table::Point| json!([round(p.x), round(p.y)]);
            let spots: Vec<Value> = if u.is_skirmish_line() {
                u.spots.iter().take(usize::from(u.n)).map(|s| place(frame.to_world(s.point()))).collect()
            } else {
                Vec::new()
            };
            let (width, depth) = u.extent(rules);
            units.insert(
                u.id.to_string(),
                json!({
                    "side": army_name(u.army),
                    "army": army_name(u.army),
                    "seat": u.owner,
                    "kind": u.kind.name(),
                    "n": u.n,
                    "n0": u.n0,
                    "privates": u.n,
                    "lost": u.n0 - u.n,
                    "break_point": self.break_point(u),
                    "formation": u.formation.name(),
                    "shape": u.formation.to_string(),
                    "at": place(u.at),
                    "centre": place(u.centre(rules)),
                    "facing": round(u.facing),
                    "width": width,
                    "depth": depth,
                    "colour": u.colour.name(),
                    "disorder": u.disorder,
                    "mob": u.is_mob(),
                    "on_table": u.present(),
                    "routed": u.presence == Presence::Routed,
                    "state": match u.presence {
                        Presence::Waiting => "waiting",
                        Presence::Due => "due",
                        Presence::Present => "present",
                        Presence::Routed => "routed",
                        Presence::Split => "split",
                        Presence::Merged => "merged",
                    },
                    "arrives": self.arrival(UnitNo::at(no)).map(|a| a.turn),
                    "quality": match u.quality {
                        Quality::Line => "line",
                        Quality::Elite => "elite",
                        Quality::Militia => "militia",
                    },
                    "shrugged": u.shrugged,
                    "light": u.light,
                    "part_of": u.parent.map(|p| self.unit(p).id.to_string()),
                    "figures": spots,
                    "stacked": if u.is_skirmish_line() {
                        u.spots.iter().take(usize::from(u.n)).filter(|s| s.is_stacked()).count()
                    } else {
                        0
                    },
                    "in_command": u.present() && self.in_command(u),
                    "price": self.price(u.owner, u),
                    "points": self.worth(u),
                    "number": no,
                }),
            );
        }
        let generals: Map<String, Value> = self
            .state
            .generals
            .iter()
            .enumerate()
            .map(|(i, g)| {
                let touching: Vec<String> = self
                    .present()
                    .filter(|(no, _)| g.present() && self.touches(*no, g.at))
                    .map(|(_, u)| u.id.to_string())
                    .collect();
                let facts = json!({
                    "name": self.field.seats[i].name,
                    "army": army_name(g.army),
                    "rating": g.rating,
                    "at": [round(g.at.x), round(g.at.y)],
                    "placed": g.placed,
                    "killed": g.killed,
                    "on_table": g.present(),
                    "commander": g.commander,
                    "points": g.points,
                    "touching": touching,
                });
                (i.to_string(), facts)
            })
            .collect();
        let by_army = |f: &dyn Fn(tricorne_game::Side) -> Value| -> Value {
            json!({ "red": f(ARMIES[0]), "black": f(ARMIES[1]) })
        };
        let play = self.state.play.as_ref();
        let activation = self.state.activation.map(|a| {
            json!({
                "unit": self.unit(a.unit).id.to_string(),
                "seat": a.seat,
                "began": a.began.name(),
                "paid": a.paid,
                "benefit": benefit_name(a.benefit),
                "fired": a.fired,
                "moved": a.moved,
                "changed": a.changed,
            })
        });
        json!({
            "turn": self.state.turn,
            "phase": stage_name(self.state.stage),
            "pending": self.pending().kind(),
            "seat": self.question().map(|q| q.seat(self)),
            "card": play.map(|p| p.card.to_string()),
            "card_army": play.map(|p| army_name(p.army)),
            "acting": play.and_then(|p| p.queue.first().copied()),
            "activations_left": play.map(|p| p.left),
            "beneficiary": play.and_then(|p| p.beneficiary),
            "benefit": benefit_name(self.benefit()),
            "deck": {
                "left": self.state.deck.left().len(),
                "cards": self.state.deck.left().iter().map(ToString::to_string).collect::<Vec<_>>(),
                "drawn": self.state.deck.spent().iter().map(ToString::to_string).collect::<Vec<_>>(),
            },
            "active": self.state.activation.map(|a| self.unit(a.unit).id.to_string()),
            "activation": activation,
            "units": units,
            "generals": generals,
            "commander": by_army(&|a| json!(self.commander(a))),
            "units_left": by_army(&|a| json!(self.units_left(a))),
            "began_units": by_army(&|a| json!(self.state.began[a.index()])),
            "privates_left": by_army(&|a| json!(self.privates_left(a))),
            "points_lost": by_army(&|a| json!(self.points_lost(a))),
            "score": by_army(&|a| json!(self.score(a))),
            "scored": by_army(&|a| json!(self.state.scored[a.index()])),
            "zone": by_army(&|a| {
                let z = self.zone_boxes(a).into_iter().fold(Bounds::NOTHING, |all, zone| all.join(&zone));
                json!([[z.min.x, z.min.y], [z.max.x, z.max.y]])
            }),
            "zones": by_army(&|a| {
                let areas = self.zone_boxes(a);
                areas.iter().map(|z| json!([[z.min.x, z.min.y], [z.max.x, z.max.y]])).collect()
            }),
            "quiet_turns": self.state.quiet,
            "blood": self.state.blood,
            "ending": self.ending().map(|e| json!({
                "winner": e.winner.map(army_name),
                "grade": e.grade,
                "reason": e.reason,
                "clause": e.clause,
                "scores": e.scores,
            })),
        })
    }

    /// What must hold between any two actions.
    pub(crate) fn broken(&self) -> Vec<String> {
        let mut out = Vec::new();
        let rules = self.rules();
        let all: Vec<_> = self.present().collect();
        for (i, (_, a)) in all.iter().enumerate() {
            if a.n == 0 || a.n > a.n0 {
                out.push(format!("{} has {} of {} privates", a.id, a.n, a.n0));
            }
            if a.n <= self.break_point(a)
                && self.state.stage != Stage::Over
                && self.state.activation.is_none()
            {
                out.push(format!("{} stands with {} men at its break point", a.id, a.n));
            }
            for r in a.solids(rules) {
                if !self.land().holds(&Shape::Rect(r)) {
                    out.push(format!("{} hangs over the edge", a.id));
                }
                if self.land().forbids(&Shape::Rect(r)) {
                    out.push(format!("{} stands in forbidden ground", a.id));
                }
            }
            for (_, b) in &all[i + 1..] {
                if !a.reach(rules).meets(&b.reach(rules)) {
                    continue;
                }
                for x in a.solids(rules) {
                    for y in b.solids(rules) {
                        let shared = Shape::Rect(x).overlap_area(&Shape::Rect(y));
                        if shared > 2.0 * OVERLAP {
                            out.push(format!("{} and {} overlap by {shared:.3}", a.id, b.id));
                        }
                    }
                }
            }
        }
        let cards = self.state.deck.left().len()
            + self.state.deck.spent().len()
            + usize::from(self.state.play.is_some());
        let all = cards::deck(self.field.suits).left().len();
        if cards != all {
            out.push(format!("there are {cards} cards, not {all} [ATKM-TURN-03]"));
        }
        for (i, g) in self.state.generals.iter().enumerate() {
            if self.commander(g.army).index() != i && g.points > rules.general.most_points {
                out.push(format!("seat {i} holds {} command points", g.points));
            }
        }
        let commanders =
            ARMIES.map(|a| self.seats_of(a).filter(|&s| self.state.generals[s.index()].commander).count());
        if self.state.stage != Stage::Muster && commanders != [1, 1] {
            out.push(format!("commanding generals: {commanders:?}"));
        }
        out
    }
}

fn benefit_name(benefit: Benefit) -> &'static str {
    match benefit {
        Benefit::None => "none",
        Benefit::Jack => "jack",
        Benefit::Queen => "queen",
        Benefit::King => "king",
        Benefit::Ace => "ace",
    }
}

/// The phase in a word.
pub(crate) fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Muster => "muster",
        Stage::Deploy => "deployment",
        Stage::PlaceGenerals => "placing generals",
        Stage::TurnStart | Stage::Replace | Stage::Command => "turn start",
        Stage::Arrive(_) => "arrivals",
        Stage::Gifts(_) => "command points",
        Stage::Draw => "next card",
        Stage::Disorder(_) => "disorder",
        Stage::Beneficiary => "special card",
        Stage::Order | Stage::Choose => "choosing a unit",
        Stage::Act | Stage::Finish => "activation",
        Stage::Pursue(_) => "pursuit",
        Stage::TurnEnd | Stage::Reckon => "turn end",
        Stage::Ride(_) => "generals move",
        Stage::Over => "over",
    }
}
