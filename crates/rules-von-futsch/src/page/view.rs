//! What a seat sees. Nothing is hidden in this game but the order of the cards, and that is not in the state.

use tricorne_chance::Playing;
use tricorne_drill::{Asks, Rules};
use tricorne_game::view::{
    Arm, CardView, Clock, Detail, FigureView, Livery, Look, Marker, Note, Overlay, OverlayShape, Role,
    SideView, TableView, TerrainView, Token, Tone, UnitView, View,
};
use tricorne_game::{InOrder, Seat, SeatInfo, Side};
use tricorne_table::{LengthUnit, Point, Pose, Shape, angle};

use crate::brief::Objective;
use crate::field::Field;
use crate::model::formation::bases;
use crate::model::ground::{GroundKind, Piece};
use crate::model::measure::exact;
use crate::model::{Cr, Formation, Kind, Level, Nr};
use crate::options::{SkirmishDifficult, WoodsCover};
use crate::rulebook::Share;
use crate::state::{BLACK, Fate, RED};

impl Field {
    pub(crate) fn seen_by(&self, seat: Option<Seat>, detail: Detail) -> View {
        let units = (0..self.s.units.len()).map(|i| self.unit_view(Nr(i as u8), detail));
        let chiefs = (0..self.s.commanders.len()).map(|i| self.commander_view(Cr(i as u8), detail));
        let mut units: Vec<UnitView> = units.chain(chiefs).collect();
        units.put_in_order_of(|u| !u.on_table);
        let question = self.question();
        let mut view = View {
            ruleset: "von-futsch".into(),
            title: self.b.title.clone(),
            seat,
            sides: [RED, BLACK].map(|s| self.side_view(s)).to_vec(),
            seats: [RED, BLACK]
                .map(|s| SeatInfo { seat: Seat(s.0), side: s, name: self.b.names[s.index()].clone() })
                .to_vec(),
            table: TableView { width: self.b.width, height: self.b.height, unit: LengthUnit::Inch },
            terrain: self.b.terrain.iter().map(|piece| terrain_view(self, piece)).collect(),
            units,
            tokens: self.tokens(),
            clock: Clock {
                turn: self.s.turn,
                of: Some(self.b.limit),
                phase: question.map_or("over", |q| q.phase(self)).to_owned(),
                active: question.map(|q| Side(q.seat(self).0)),
            },
            cards: self.cards(),
            pending: self.pending(),
        };
        crate::rulebook::wardrobe().dress(&mut view, |_| None);
        view
    }

    fn side_view(&self, side: Side) -> SideView {
        let morale = format!("{} of {}", self.army_morale(side), self.b.break_point[side.index()]);
        SideView {
            name: self.b.names[side.index()].clone(),
            livery: if side == RED { Livery::Red } else { Livery::Black },
            flag: None,
            score: Some(format!("army morale {morale}")),
            tallies: vec![
                Note::new("Army morale", morale, Some("VF-ARMYMORALE-01")),
                Note::new("Trophies", self.trophies(side).to_string(), Some("VF-CAPTURE-04")),
                Note::new("Kings held", self.s.kings[side.index()].len().to_string(), Some("VF-TURN-09")),
            ],
        }
    }

    fn cards(&self) -> Vec<CardView> {
        let names = |cards: &[Playing]| cards.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut up = names(self.s.deck.spent());
        up.extend(self.s.card.map(|c| c.to_string()));
        let mut piles = vec![CardView { pile: "turned".into(), up, down: self.s.deck.left().len() }];
        for side in [RED, BLACK] {
            let kings = &self.s.kings[side.index()];
            if !kings.is_empty() {
                let pile = format!("held by {}", self.b.names[side.index()]);
                piles.push(CardView { pile, up: names(kings), down: 0 });
            }
        }
        piles.push(CardView {
            pile: "events".into(),
            up: self.s.events.spent().iter().map(|c| c.name().replace('_', " ")).collect(),
            down: self.s.events.left().len(),
        });
        piles
    }

    fn tokens(&self) -> Vec<Token> {
        match self.b.objective {
            Objective::Hold { at, within } => vec![Token {
                kind: "objective".into(),
                label: self.b.objective_name.clone(),
                at,
                radius: Some(exact(within)),
                side: None,
            }],
            Objective::Storm { attacker, piece, .. } => self
                .b
                .terrain
                .get(piece)
                .map(|p| Token {
                    kind: "objective".into(),
                    label: p.id.clone(),
                    at: p.area.centroid(),
                    radius: None,
                    side: Some(attacker.enemy()),
                })
                .into_iter()
                .collect(),
            Objective::Convoy { attacker, from, to, .. } => vec![Token {
                kind: "exit".into(),
                label: self.b.objective_name.clone(),
                at: Point::new(exact(i32::midpoint(from, to)), self.b.height),
                radius: None,
                side: Some(attacker),
            }],
            Objective::Morale => vec![],
        }
    }

    fn unit_view(&self, u: Nr, detail: Detail) -> UnitView {
        let drawn = detail == Detail::Drawn;
        let (spec, unit) = (self.spec(u), self.unit(u));
        let mut markers = Vec::new();
        let mut mark = |set: bool, kind: &str, tone: Tone, clause: &str| {
            if set {
                markers.push(Marker { kind: kind.into(), count: 1, tone, clause: Some(clause.into()) });
            }
        };
        mark(unit.shaken, "shaken", Tone::Bad, "VF-SHAKEN-07");
        mark(unit.routed, "routed", Tone::Bad, "VF-MORALE-09");
        mark(unit.disordered, "disordered", Tone::Fair, "VF-MORALE-07");
        mark(unit.turn.held_fire, "holds fire", Tone::Good, "VF-FIRE-24");
        mark(unit.turn.activated, "activated", Tone::Plain, "VF-TURN-07");
        mark(unit.turn.silenced, "silenced", Tone::Fair, "VF-EVENT-25");
        mark(unit.colours_lost, "colours lost", Tone::Fair, "VF-CAPTURE-05");
        mark(unit.gone == Some(Fate::Exited), "exited", Tone::Plain, "VF-SCEN-13");
        let mut notes = vec![
            Note::new("Quality", spec.quality.name(), Some("VF-MODEL-15")),
            Note::new("Formation", unit.formation.name(), Some("VF-MODEL-18")),
            Note::new("Move", self.move_told(u), Some("VF-MOVE-06")),
        ];
        if let Some(r) = spec.regiment.and_then(|r| self.b.regiments.get(usize::from(r))) {
            notes.push(Note::new("Regiment", r.clone(), Some("VF-ARMY-03")));
        }
        if unit.trophies > 0 {
            notes.push(Note::new("Trophies", unit.trophies.to_string(), Some("VF-CAPTURE-04")));
        }
        UnitView {
            id: spec.id,
            name: spec.name.clone(),
            kind: kind_name(spec.kind).into(),
            side: spec.side,
            seat: Seat(spec.side.0),
            arm: match spec.kind {
                Kind::Infantry => Arm::Infantry,
                Kind::Heavy | Kind::Light => Arm::Cavalry,
                Kind::Artillery => Arm::Artillery,
                Kind::Skirmish => Arm::Skirmishers,
                Kind::Wagon => Arm::Train,
            },
            on_table: unit.here(),
            at: unit.place.at(),
            facing: Some(exact(unit.place.t)),
            figures: if drawn { self.figures_view(u) } else { vec![] },
            outline: unit.body.rect.corners().to_vec(),
            strength: (u32::from(unit.strength), u32::from(spec.start)),
            markers,
            notes,
            overlays: match unit.gone {
                _ if !drawn => vec![],
                None => self.arcs(u),
                Some(Fate::Undeployed) => vec![Overlay::zone(self.deployment_zone(self.side(u)).corners())],
                Some(_) => vec![],
            },
            group: None,
            facings: None,
            flag: None,
        }
    }

    fn figures_view(&self, u: Nr) -> Vec<FigureView> {
        let unit = self.unit(u);
        if unit.body.cloud > 0 {
            return unit
                .body
                .parts()
                .into_iter()
                .map(|part| FigureView { shape: Shape::Rect(part), facing: part.facing(), role: Role::Foot })
                .collect();
        }
        if unit.formation == Formation::Wagon {
            return vec![FigureView {
                shape: Shape::Rect(unit.body.rect),
                facing: exact(unit.place.t),
                role: Role::Wagon,
            }];
        }
        let all = bases(&unit.body, unit.formation, unit.square);
        let per_base = self.spec(u).start.div_ceil(all.len().max(1) as u8);
        let mut left = unit.strength;
        let side = unit.bases.troops;
        all.into_iter()
            .map(|(centre, facing)| {
                let here = left.min(per_base);
                left -= here;
                let role = match (self.kind(u), unit.formation) {
                    (Kind::Infantry, _) => Role::FootStand(here),
                    (Kind::Artillery, Formation::Limbered) => Role::LimberedGun,
                    (Kind::Artillery, _) => Role::Gun,
                    _ => Role::HorseStand(here),
                };
                let rect = tricorne_table::Rect::centred(Pose::new(centre, facing), side, side);
                FigureView { shape: Shape::Rect(rect), facing, role }
            })
            .collect()
    }

    /// Arcs of fire at either range, drawn when the unit is picked.
    fn arcs(&self, u: Nr) -> Vec<Overlay> {
        if self.can_fire(u).is_err() {
            return vec![];
        }
        let f = &self.p().fire;
        let ranges = if self.kind(u) == Kind::Artillery {
            [("near range", f.artillery.near), ("far range", f.artillery.far)]
        } else {
            [("short range", f.short), ("long range", f.long)]
        };
        let mut overlays = Vec::new();
        for (kind, range) in ranges {
            let far = f64::from(range);
            if self.unit(u).formation == Formation::Cloud {
                let rect = &self.unit(u).body.rect;
                let radius = far + rect.width() * 0.5;
                let shape = OverlayShape::Circle { centre: rect.centre(), radius };
                overlays.push(Overlay { kind: kind.into(), shape, label: None });
                continue;
            }
            for front in self.fronts(u) {
                let across = front.pose.right() * (front.width * 0.5);
                let (left, right) = (front.pose.at - across, front.pose.at + across);
                let facing = front.pose.facing;
                let arc = f64::from(self.p().fire.arc.degrees);
                let rim = [
                    (left, -arc),
                    (left, -arc * 0.5),
                    (left, 0.0),
                    (right, 0.0),
                    (right, arc * 0.5),
                    (right, arc),
                ];
                let mut outline = vec![right, left];
                outline.extend(rim.map(|(from, by)| from + angle::forward(facing + by) * far));
                overlays.push(Overlay {
                    kind: kind.into(),
                    shape: OverlayShape::Outline(outline),
                    label: None,
                });
            }
        }
        overlays
    }

    fn commander_view(&self, c: Cr, detail: Detail) -> UnitView {
        let (spec, commander) = (self.chief(c), self.commander(c));
        let body = self.commander_body(c);
        let at = body.centroid();
        let mut markers = Vec::new();
        if commander.turn.activated {
            markers.push(Marker {
                kind: "activated".into(),
                count: 1,
                tone: Tone::Plain,
                clause: Some("VF-TURN-07".into()),
            });
        }
        let mut notes = vec![Note::new("Commander", spec.level.name(), Some("VF-ARMY-05"))];
        if let Some(host) = commander.host {
            notes.push(Note::new("Attached to", self.name(host), Some("VF-CMD-23")));
        }
        let side = spec.level.base(self.p());
        let base = tricorne_table::Rect::centred(Pose { at, facing: 0.0 }, side, side);
        let name = if spec.name.is_empty() { self.office(c) } else { spec.name.clone() };
        let mut view = UnitView {
            id: spec.id,
            name,
            kind: format!("{} commander", spec.level.name()),
            side: spec.side,
            seat: Seat(spec.side.0),
            arm: Arm::Command,
            on_table: commander.gone.is_none(),
            at,
            facing: None,
            figures: vec![],
            outline: base.corners().to_vec(),
            strength: (1, 1),
            markers,
            notes,
            overlays: vec![],
            group: None,
            facings: None,
            flag: None,
        };
        if detail == Detail::Drawn {
            view.figures.push(FigureView {
                shape: Shape::Rect(base),
                facing: Self::home_bearing(spec.side) + 180.0,
                role: if spec.level == Level::Army { Role::General } else { Role::MountedLeader },
            });
            match commander.gone {
                None => view.overlays.push(Overlay {
                    kind: "command".into(),
                    shape: OverlayShape::Circle { centre: at, radius: f64::from(self.command_reach(c)) },
                    label: None,
                }),
                Some(Fate::Undeployed) => {
                    view.overlays.push(Overlay::zone(self.deployment_zone(spec.side).corners()));
                }
                Some(_) => {}
            }
        }
        view
    }

    /// What a piece of ground does, as it is played.
    fn ground_told(&self, piece: &Piece) -> String {
        let (p, o) = (self.p(), self.o());
        let half = [1, p.moves.slow].told();
        let broken = format!("{half} rate for all but skirmishers");
        let foot = match o.skirmish_difficult {
            SkirmishDifficult::Half => format!("foot only, at {half} rate"),
            SkirmishDifficult::Full => format!("foot only, at {half} rate but for skirmishers"),
        };
        let d = &p.distance;
        let sight = format!("sight {} within, {} in or out", d.woods_inside, d.woods_edge);
        match piece.kind {
            GroundKind::Difficult => foot,
            GroundKind::Woods if o.woods_cover == WoodsCover::Hard => format!("{foot}; hard cover; {sight}"),
            GroundKind::Woods => format!("{foot}; {sight}"),
            GroundKind::Town => format!("{foot}; hard cover; {sight}"),
            GroundKind::Hill => "hides what is behind it; those on it see over others".into(),
            GroundKind::River => "nobody enters".into(),
            GroundKind::Road => format!("{} more for columns, limbered guns and wagons", p.moves.road),
            GroundKind::Crossing => "carries over the water under it".into(),
            GroundKind::Obstacle if piece.hard => {
                format!("{broken}; hard cover for who stands within {} behind it", d.cover)
            }
            GroundKind::Broken | GroundKind::Obstacle => broken,
        }
    }

    /// What a commander without a name is called.
    fn office(&self, c: Cr) -> String {
        let spec = self.chief(c);
        let of =
            |list: &[String]| spec.body.and_then(|b| list.get(usize::from(b)).cloned()).unwrap_or_default();
        match spec.level {
            Level::Army => format!("The commander of the {}", self.b.names[spec.side.index()]),
            Level::Regimental => format!("The colonel of {}", of(&self.b.regiments)),
            Level::Wing => format!("The commander of {}", of(&self.b.wings)),
        }
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Infantry => "Infantry battalion",
        Kind::Heavy => "Heavy squadron",
        Kind::Light => "Light squadron",
        Kind::Artillery => "Artillery",
        Kind::Skirmish => "Skirmishers",
        Kind::Wagon => "Wagon",
    }
}

fn terrain_view(field: &Field, piece: &Piece) -> TerrainView {
    let (look, clause) = match piece.kind {
        GroundKind::Broken => (Look::Rough, "VF-TERR-03"),
        GroundKind::Difficult => (Look::Marsh, "VF-TERR-04"),
        GroundKind::Woods => (Look::Wood, "VF-TERR-08"),
        GroundKind::Town => (Look::Town, "VF-MODEL-33"),
        GroundKind::Hill => (Look::Hill, "VF-MODEL-36"),
        GroundKind::River => (Look::Water, "VF-MODEL-31"),
        GroundKind::Road => (Look::Road, "VF-TERR-01"),
        GroundKind::Crossing => (Look::Crossing, "VF-MODEL-31"),
        GroundKind::Obstacle => (if piece.hard { Look::Earthwork } else { Look::Hedge }, "VF-MODEL-31"),
    };
    let note = field.ground_told(piece);
    TerrainView {
        id: piece.id.clone(),
        kind: piece.kind.bare().into(),
        look,
        points: piece.area.corners().to_vec(),
        closed: true,
        width: 0.0,
        level: u8::from(piece.kind == GroundKind::Hill),
        peak: None,
        notes: vec![Note::new("Ground", note, Some(clause))],
    }
}
