//! The battle as a seat sees it. Nothing is hidden in this game but the dice to come.

use tricorne_drill::Rules;
use tricorne_game::view::{
    Arm, Clock, Detail, FigureView, Livery, Marker, Note, Overlay, OverlayShape, Role, SideView, TableView,
    TerrainView, Token, Tone, UnitView, View,
};
use tricorne_game::{InOrder, Seat, SeatInfo, Side};
use tricorne_table::{LengthUnit, Point, Shape};

use crate::battle::{Asked, Fray};
use crate::facts::fate_name;
use crate::model::base::{FIGURE, GUN, forward};
use crate::options::CrewedWeaponArc;
use crate::state::{Character, IMPERIAL, Layout, NATIVE, No};
use crate::tables::rulebook::{Class, Cover};

/// How near, in inches, the line drawn round a unit keeps to the round of its bases.
const DRAWN: f64 = 0.01;

impl Fray {
    pub(crate) fn look(&self, seat: Option<Seat>, detail: Detail) -> View {
        let field = &self.field;
        let mut order: Vec<No> = self.state.units.numbers().collect();
        order.put_in_order_of(|&u| !self.unit(u).is_on_table());
        let side_view = |side: Side, name: &str, livery| SideView {
            name: name.into(),
            livery,
            flag: None,
            score: Some(self.score(side).to_string()),
            tallies: self.tallies(side),
        };
        let mut view = View {
            ruleset: "would-be-kings".into(),
            title: field.title.clone(),
            seat,
            sides: vec![
                side_view(IMPERIAL, "Imperial", Livery::Khaki),
                side_view(NATIVE, "Native", Livery::Ochre),
            ],
            seats: vec![
                SeatInfo { seat: Seat(0), side: IMPERIAL, name: "Imperial".into() },
                SeatInfo { seat: Seat(1), side: NATIVE, name: "Native".into() },
            ],
            table: TableView { width: field.width, height: field.height, unit: LengthUnit::Inch },
            terrain: self.terrain_views(),
            units: order.into_iter().map(|u| self.unit_view(u, detail)).collect(),
            tokens: self.tokens(),
            clock: Clock {
                turn: u32::from(self.state.round),
                of: Some(u32::from(field.rounds)),
                phase: self.phase(),
                active: (self.state.finish.is_none()).then_some(self.state.active),
            },
            cards: Vec::new(),
            pending: self.pending(),
        };
        crate::tables::rulebook::wardrobe().dress(&mut view, |_| None);
        view
    }

    fn phase(&self) -> String {
        match self.state.asked {
            None if self.state.finish.is_some() => "over".into(),
            None => "muster".into(),
            Some(Asked::Commanding(_)) => "commanders".into(),
            Some(Asked::Placing(_)) => "deployment".into(),
            Some(_) => format!("{} turn", if self.state.active == IMPERIAL { "Imperial" } else { "Native" }),
        }
    }

    fn tallies(&self, side: Side) -> Vec<Note> {
        let own = || self.state.units.iter().filter(move |u| u.side == side);
        let lost: u32 = own().map(|u| u32::from(u.times_lost)).sum();
        let models: u32 = own().filter(|u| u.is_on_table()).map(|u| u32::from(u.models)).sum();
        let mut notes = vec![
            Note::new("units lost", lost.to_string(), Some("WBK-SCEN-06")),
            Note::new("models on the table", models.to_string(), None),
        ];
        if self.field.program() == Some(side) {
            notes.push(Note::new("in the pool", self.state.pool.len().to_string(), Some("WBK-SOLO-01")));
        }
        notes
    }

    fn terrain_views(&self) -> Vec<TerrainView> {
        self.field
            .land
            .pieces
            .iter()
            .map(|piece| {
                let (points, closed) = match (piece.area(), piece.line()) {
                    (Some(area), _) => (area.corners().to_vec(), true),
                    (None, Some(line)) => (line.points().to_vec(), false),
                    (None, None) => (Vec::new(), false),
                };
                let hits = &self.field.rulebook.charts.hits;
                let mut notes = Vec::new();
                let mut note = |label: &str, text: &str, clause: &str| {
                    notes.push(Note::new(label, text, Some(clause)));
                };
                if piece.difficult {
                    note("difficult", &self.difficult_in_words(), "WBK-MOVE-06");
                }
                match piece.cover {
                    Cover::None => {}
                    Cover::Soft => note("soft cover", &self.more_hits_in_words(hits.soft), "WBK-FIRE-20"),
                    Cover::Hard => note("hard cover", &self.more_hits_in_words(hits.hard), "WBK-FIRE-21"),
                }
                if piece.obstacle {
                    note("obstacle", "halts a move that reaches it", "WBK-MOVE-09");
                }
                if piece.impassable {
                    note("impassable", "nobody enters", "WBK-MOVE-13");
                }
                if piece.building {
                    note("building", &format!("room for {} models on foot", piece.capacity), "WBK-MOD-32");
                }
                if piece.level > 0 {
                    note("hill", &format!("level {}", piece.level), "WBK-MOD-29");
                }
                TerrainView {
                    id: piece.id.clone(),
                    kind: piece.kind.clone(),
                    look: piece.look,
                    points,
                    closed,
                    width: if piece.kind == "road" { 2.0 } else { 0.0 },
                    level: piece.level,
                    peak: None,
                    notes,
                }
            })
            .collect()
    }

    fn tokens(&self) -> Vec<Token> {
        let victory = &self.field.victory;
        let markers = victory.markers.iter().enumerate().map(|(i, m)| Token {
            kind: "objective".into(),
            label: m.id.clone(),
            at: m.at,
            radius: Some(victory.marker_within),
            side: self.holder(i),
        });
        let arrives =
            self.field.program().is_some() || self.field.returns(IMPERIAL) || self.field.returns(NATIVE);
        // The die that brings somebody on names a point by its number; a code in the file says no more than that.
        let named = |i: usize, id: &str, at: Point| {
            let coded = id.strip_prefix('P').is_some_and(|number| number.parse::<u8>().is_ok());
            let compass = self.whereabouts(at).trim_start_matches("in the ");
            if coded { format!("Arrival {}, {compass}", i + 1) } else { id.to_owned() }
        };
        let arrivals = self.field.arrivals.iter().enumerate().filter(|_| arrives).map(|(i, a)| Token {
            kind: "arrival point".into(),
            label: named(i, &a.id, a.at),
            at: a.at,
            radius: None,
            side: None,
        });
        markers.chain(arrivals).collect()
    }

    fn unit_view(&self, u: No, detail: Detail) -> UnitView {
        let (unit, card) = (self.unit(u), self.card(u));
        let mounted = card.mounted;
        let facing = f64::from(unit.facing);
        let mut figures = Vec::new();
        let drawn = unit.is_on_table() && detail == Detail::Drawn;
        if drawn {
            for (i, spot) in unit.places.iter().enumerate() {
                let base = self.base_at(u, spot.point(), unit.facing);
                let core = base.core();
                let shape = if mounted {
                    Shape::pill(core.a, core.b, FIGURE)
                } else {
                    Shape::disc(base.centre, FIGURE)
                };
                let leads = i == 0 && unit.leader;
                let role = match (card.class, leads) {
                    (Class::Cavalry, true) => Role::MountedLeader,
                    (Class::Cavalry, false) => Role::Horse,
                    (_, true) => Role::Leader,
                    (Class::Crewed, false) => Role::Crew,
                    (Class::Infantry, false) => Role::Foot,
                };
                figures.extend(shape.ok().map(|shape| FigureView { shape, facing, role }));
            }
            if unit.layout == Layout::Gun {
                let role = if card.weapon.jams { Role::MachineGun } else { Role::Gun };
                figures.extend(Shape::disc(unit.anchor.point(), GUN).ok().map(|shape| FigureView {
                    shape,
                    facing,
                    role,
                }));
            }
        }
        let outline = match self.outline(u) {
            Some(area) => area.corners().to_vec(),
            None if unit.is_on_table() => {
                self.hull(u).map(|h| h.outline_within(DRAWN).to_vec()).unwrap_or_default()
            }
            None => Vec::new(),
        };
        let faces = matches!(unit.layout, Layout::Line | Layout::Block | Layout::Gun) || mounted;
        UnitView {
            id: card.id,
            name: card.name.clone(),
            kind: card.kind_name.clone(),
            side: unit.side,
            seat: Seat(unit.side.0),
            arm: match card.class {
                Class::Infantry => Arm::Infantry,
                Class::Cavalry => Arm::Cavalry,
                Class::Crewed => Arm::Artillery,
            },
            on_table: unit.is_on_table(),
            at: unit.anchor.point(),
            facing: faces.then_some(facing),
            figures,
            outline,
            strength: (u32::from(unit.models), u32::from(card.start)),
            markers: self.markers(u),
            notes: self.notes(u),
            overlays: if drawn {
                self.overlays(u)
            } else if detail == Detail::Drawn && self.is_being_placed(u) {
                vec![Overlay::zone(self.strip(unit.side).corners())]
            } else {
                Vec::new()
            },
            group: None,
            facings: None,
            flag: None,
        }
    }

    fn markers(&self, u: No) -> Vec<Marker> {
        let unit = self.unit(u);
        let mut markers = Vec::new();
        let mut add = |kind: &str, count: u8, tone: Tone, clause: &str| {
            markers.push(Marker {
                kind: kind.into(),
                count: u32::from(count),
                tone,
                clause: Some(clause.into()),
            });
        };
        if unit.is_pinned() {
            add("pinned", unit.pinned, Tone::Bad, "WBK-PIN-09");
        }
        if unit.gone_to_ground {
            add("gone to ground", 1, Tone::Plain, "WBK-GTG-04");
        }
        if unit.close_order {
            add("close order", 1, Tone::Good, "WBK-CLOSE-08");
        }
        if !unit.leader && unit.is_on_table() {
            add("leaderless", 1, Tone::Fair, "WBK-ACT-03");
        }
        if unit.silent > 0 {
            add("jammed", 1, Tone::Bad, "WBK-FIRE-27");
        }
        if unit.activated && unit.side == self.state.active && unit.is_on_table() {
            add("activated", 1, Tone::Plain, "WBK-TURN-02");
        }
        if let Some(fate) = fate_name(unit.fate) {
            add(
                &fate.replace('_', " "),
                1,
                if unit.fate.is_lost() { Tone::Bad } else { Tone::Plain },
                "WBK-SCEN-06",
            );
        }
        markers
    }

    fn notes(&self, u: No) -> Vec<Note> {
        let (unit, card) = (self.unit(u), self.card(u));
        let weapon = &card.weapon;
        let range = match weapon.long {
            Some(long) => format!("{} {}\"/{}\"", weapon.name, weapon.short, long),
            None => format!("{} {}\"", weapon.name, weapon.short),
        };
        let mut notes = vec![
            Note::new("Leadership", format!("{}+", self.leadership(u)), Some("WBK-ACT-02")),
            Note::new("Move", format!("{}\"", f64::from(self.pace(u)) / 1000.0), Some("WBK-MOVE-02")),
            Note::new("Firing", value_text(card.firing), Some("WBK-FIRE-18")),
            Note::new("Fighting", value_text(card.fighting), Some("WBK-ATT-08")),
            Note::new("Discipline", format!("{:+}", card.discipline), Some("WBK-PIN-07")),
            Note::new("Weapon", range, Some(weapon.clause.as_str())),
            Note::new("Points", card.points.to_string(), Some("WBK-FORCE-02")),
        ];
        if unit.leader && unit.character != Character::Unremarkable {
            notes.push(Note::new("Leader", unit.character.name(), Some("WBK-LEAD-07")));
        }
        if !card.upgrades.is_empty() {
            notes.push(Note::new("Upgrades", card.upgrades.join(", "), Some("WBK-FORCE-03")));
        }
        if let Some(piece) = unit.garrison.and_then(|b| self.field.land.pieces.get(usize::from(b))) {
            notes.push(Note::new("Garrison", piece.id.clone(), Some("WBK-MOD-34")));
        }
        notes
    }

    fn overlays(&self, u: No) -> Vec<Overlay> {
        let (unit, card) = (self.unit(u), self.card(u));
        let at = unit.anchor.point();
        let spread = match unit.layout {
            Layout::Gun => GUN,
            _ => unit.places.iter().map(|s| s.point().distance(at)).fold(0.0, f64::max) + FIGURE,
        };
        let circle = |kind: &str, reach: f64| Overlay {
            kind: kind.into(),
            shape: OverlayShape::Circle { centre: at, radius: reach + spread },
            label: Some(format!("{reach}\"")),
        };
        let mut overlays = vec![circle("short range", card.weapon.short)];
        if let Some(long) = card.weapon.long {
            overlays.push(circle("long range", long));
        }
        overlays.push(circle("move", f64::from(self.pace(u)) / 1000.0));
        let half = match self.arc_of(u) {
            CrewedWeaponArc::None => None,
            CrewedWeaponArc::Front90 => Some(45),
            CrewedWeaponArc::Front180 => Some(90),
        };
        if let Some(half) = half {
            let reach = card.weapon.long.unwrap_or(card.weapon.short) + spread;
            let edge = |turn: i32| -> Point {
                let bearing = (i32::from(unit.facing) + turn).rem_euclid(360) as u16;
                at + forward(bearing) * reach
            };
            let mut outline = vec![at];
            outline.extend((-6..=6).map(|i| edge(i * half / 6)));
            overlays.push(Overlay { kind: "arc".into(), shape: OverlayShape::Outline(outline), label: None });
        }
        overlays
    }
}

fn value_text(value: i32) -> String {
    if value > 6 { "never".into() } else { format!("{value}+") }
}
