//! What a seat sees. Nothing in this game is hidden but the order of the cards, which nobody knows.

use tricorne_drill::Rules;
use tricorne_game::view::{
    Arm, CardView, Clock, Detail, FigureView, Livery, Marker, Note, Overlay, OverlayShape, Role, SideView,
    TableView, TerrainView, Token, Tone, UnitView, View,
};
use tricorne_game::{Seat, SeatInfo, UnitId};
use tricorne_table::{Frame, Ground, LengthUnit, Point, Rect, Shape, angle};

use crate::field::{ARMIES, Engagement, Objective};
use crate::formations::{self, Figure, Formation};
use crate::movement::terrain::{Cover, Feature, Moving, Sight};
use crate::options::TerrainHalving;
use crate::rulebook::{Colour, Kind};
use crate::shown::facts::stage_name;
use crate::state::{Presence, Quality, State, Unit};

impl Engagement {
    pub(crate) fn seen_by(&self, seat: Option<Seat>, detail: Detail) -> View {
        let state: &State = &self.state;
        let mut units: Vec<UnitView> = Vec::new();
        let shown = |u: &&Unit| !matches!(u.presence, Presence::Split | Presence::Merged);
        for unit in state.units.iter().filter(shown).filter(|u| u.present()) {
            units.push(self.unit_view(unit, detail));
        }
        units.extend(self.general_views(detail));
        for unit in state.units.iter().filter(shown).filter(|u| !u.present()) {
            units.push(self.unit_view(unit, detail));
        }
        let limit = self.options().turn_limit;
        let mut view = View {
            ruleset: "all-the-kings-men".into(),
            title: self.field.title.clone(),
            seat,
            sides: ARMIES.map(|a| self.side_view(a)).to_vec(),
            seats: self.seat_infos(),
            table: TableView {
                width: self.land().table.width(),
                height: self.land().table.depth(),
                unit: LengthUnit::Inch,
            },
            terrain: self.land().features.iter().map(|f| self.terrain_view(f)).collect(),
            units,
            tokens: self.tokens(),
            clock: Clock {
                turn: u32::from(state.turn),
                of: (limit > 0).then_some(limit),
                phase: stage_name(state.stage).into(),
                active: state.play.as_ref().map(|p| p.army),
            },
            cards: vec![CardView {
                pile: "turned".into(),
                up: state
                    .deck
                    .spent()
                    .iter()
                    .chain(state.play.as_ref().map(|p| &p.card))
                    .map(ToString::to_string)
                    .collect(),
                down: state.deck.left().len(),
            }],
            pending: self.pending(),
        };
        crate::rulebook::wardrobe().dress(&mut view, |_| None);
        view
    }

    fn seat_infos(&self) -> Vec<SeatInfo> {
        self.state
            .generals
            .iter()
            .enumerate()
            .map(|(i, g)| SeatInfo {
                seat: Seat(i as u8),
                side: g.army,
                name: self.field.seats[i].name.clone(),
            })
            .collect()
    }

    fn side_view(&self, army: tricorne_game::Side) -> SideView {
        let i = army.index();
        let purse: Vec<String> =
            self.seats_of(army).map(|s| self.state.generals[s.index()].points.to_string()).collect();
        SideView {
            name: self.field.army_names[i].clone(),
            livery: if i == 0 { Livery::Red } else { Livery::Black },
            flag: None,
            score: Some(self.score(army).to_string()),
            tallies: vec![
                Note::new(
                    "Units",
                    match self.state.began[i] {
                        // They are still being set up.
                        0 => self.units_left(army).to_string(),
                        began => format!("{} of {began}", self.units_left(army)),
                    },
                    Some("ATKM-ROUT-05"),
                ),
                Note::new("Command points", purse.join(" + "), Some("ATKM-CMD-17")),
            ],
        }
    }

    fn tokens(&self) -> Vec<Token> {
        let mut out = Vec::new();
        for objective in &self.field.objectives {
            let token = match objective {
                Objective::Hold { at, radius, .. } => Token {
                    kind: "objective".into(),
                    label: "objective".into(),
                    at: *at,
                    radius: Some(*radius),
                    side: None,
                },
                Objective::Seize { area } | Objective::Occupy { area, .. } => Token {
                    kind: "objective".into(),
                    label: "objective".into(),
                    at: area.centroid(),
                    radius: None,
                    side: None,
                },
            };
            out.push(token);
        }
        out
    }

    fn general_views(&self, detail: Detail) -> Vec<UnitView> {
        let rules = self.rules();
        let mut out = Vec::new();
        for (i, g) in self.state.generals.iter().enumerate() {
            if !g.present() {
                continue;
            }
            let Ok(id) = format!("general-{i}").parse::<UnitId>() else { continue };
            let base = g.base(rules);
            let facing = if g.army.0 == 0 { 0.0 } else { 180.0 };
            let rank = if g.commander { "Commanding General" } else { "Lieutenant General" };
            let mut view = UnitView {
                id,
                name: self.field.seats[i].name.clone(),
                kind: rank.into(),
                side: g.army,
                seat: Seat(i as u8),
                arm: Arm::Command,
                on_table: true,
                at: g.at,
                facing: Some(facing),
                figures: Vec::new(),
                outline: base.corners().to_vec(),
                strength: (1, 1),
                markers: Vec::new(),
                notes: vec![
                    Note::new("Rating", g.rating.to_string(), Some("ATKM-GEN-02")),
                    Note::new("Command points", g.points.to_string(), Some("ATKM-CMD-01")),
                ],
                overlays: Vec::new(),
                group: None,
                facings: None,
                flag: None,
            };
            if detail == Detail::Drawn {
                view.figures.push(FigureView { shape: Shape::Rect(base), facing, role: Role::General });
                view.overlays.push(Overlay {
                    kind: "command radius".into(),
                    shape: OverlayShape::Circle { centre: g.at, radius: rules.general.radius },
                    label: Some(format!("{}", rules.general.radius)),
                });
            }
            out.push(view);
        }
        out
    }

    fn unit_view(&self, unit: &Unit, detail: Detail) -> UnitView {
        let rules = self.rules();
        let frame = unit.frame();
        let drawn = detail == Detail::Drawn;
        let figures: Vec<FigureView> = if drawn && unit.presence == Presence::Present {
            formations::figures(rules, unit.kind, unit.formation, unit.n, &unit.spots)
                .iter()
                .map(|f| figure_view(f, &frame, unit.facing))
                .collect()
        } else {
            Vec::new()
        };
        let outline = if unit.is_skirmish_line() {
            let shapes: Vec<Shape> = unit.solids(rules).iter().map(|r| Shape::Rect(*r)).collect();
            Shape::hull_of(&shapes).map(|h| h.corners().to_vec()).unwrap_or_default()
        } else {
            unit.footprint(rules).iter().flat_map(Rect::corners).collect()
        };
        UnitView {
            id: unit.id,
            name: self.field.names.get(&unit.id).cloned().unwrap_or_else(|| self.rolled_name(unit)),
            kind: unit.kind.name().replace('_', " "),
            side: unit.army,
            seat: unit.owner,
            arm: match unit.kind {
                Kind::Infantry => Arm::Infantry,
                Kind::Skirmisher => Arm::Skirmishers,
                Kind::Cavalry => Arm::Cavalry,
                Kind::FootArtillery | Kind::HorseArtillery => Arm::Artillery,
            },
            on_table: unit.present(),
            at: unit.at,
            facing: (!unit.is_mob()).then_some(unit.facing),
            figures,
            outline,
            strength: (u32::from(unit.n), u32::from(unit.n0)),
            markers: self.markers(unit),
            notes: self.notes(unit),
            overlays: match unit.presence {
                _ if !drawn => Vec::new(),
                Presence::Waiting => self.zone_of(unit),
                _ if unit.present() => self.overlays(unit),
                _ => Vec::new(),
            },
            group: None,
            facings: None,
            flag: None,
        }
    }

    /// Where a unit may be set up (ATKM-SETUP-03, -14).
    fn zone_of(&self, unit: &Unit) -> Vec<Overlay> {
        let Some(no) = self.find(unit.id) else { return Vec::new() };
        let (zone, by) = self.room_of(no);
        zone.outlines(by).map(Overlay::zone).collect()
    }

    fn markers(&self, unit: &Unit) -> Vec<Marker> {
        let mut out = Vec::new();
        if !unit.present() {
            return out;
        }
        let marker = |kind: &str, tone: Tone, clause: &str| Marker {
            kind: kind.into(),
            count: 1,
            tone,
            clause: Some(clause.into()),
        };
        let tone = match unit.colour {
            Colour::Green => Tone::Good,
            Colour::Yellow => Tone::Fair,
            Colour::Red => Tone::Bad,
        };
        out.push(marker(unit.colour.name(), tone, "ATKM-RES-01"));
        if unit.disorder {
            out.push(marker("disordered", Tone::Bad, "ATKM-RES-12"));
        }
        if unit.is_mob() {
            out.push(marker("mob", Tone::Bad, "ATKM-FORM-15"));
        }
        if self.options().adv_quality && unit.quality != Quality::Line {
            let word = if unit.quality == Quality::Elite { "elite" } else { "militia" };
            out.push(marker(word, Tone::Plain, "ATKM-ADV-05"));
        }
        out
    }

    fn notes(&self, unit: &Unit) -> Vec<Note> {
        let rules = self.rules();
        let mut out = vec![
            Note::new(
                "Formation",
                format!("{} ({})", unit.formation.name(), unit.formation),
                Some("ATKM-FORM-16"),
            ),
            Note::new("Breaks at", self.break_point(unit).to_string(), Some("ATKM-ROUT-02")),
        ];
        if let Some(stride) = self.stride(unit) {
            // What a mob may go is half already (ATKM-MOVE-12).
            let moves = if unit.is_mob() {
                stride.to_string()
            } else {
                format!("{stride}, or {} when halved", stride * rules.march.halved)
            };
            out.push(Note::new("Moves", moves, Some("ATKM-MOVE-01")));
        }
        if let Some(range) = self.range(unit.kind) {
            out.push(Note::new("Range", range.to_string(), Some("ATKM-FIRE-04")));
        }
        out.push(Note::new("Rolls", format!("{}+", self.rules().needs(unit.colour)), Some("ATKM-DICE-02")));
        out
    }

    fn overlays(&self, unit: &Unit) -> Vec<Overlay> {
        let mut out = Vec::new();
        if let Ok(range) = self.judge_firer(unit) {
            let all_round = unit.kind == Kind::Skirmisher || unit.formation == Formation::Square;
            let shape = if all_round {
                OverlayShape::Circle { centre: unit.at, radius: range }
            } else {
                let mut arc: Vec<Point> = (-18..=18)
                    .map(|k| unit.at + angle::forward(unit.facing + 5.0 * f64::from(k)) * range)
                    .collect();
                arc.push(unit.at);
                OverlayShape::Outline(arc)
            };
            out.push(Overlay { kind: "range".into(), shape, label: Some(format!("{range}")) });
        }
        if let Some(stride) = self.stride(unit) {
            out.push(Overlay {
                kind: "reach".into(),
                shape: OverlayShape::Circle { centre: unit.at, radius: stride },
                label: Some(format!("{stride}")),
            });
        }
        out
    }
}

fn figure_view(figure: &Figure, frame: &Frame, facing: f64) -> FigureView {
    // A base keeps the ranks' lines; only the toy on it is turned, save the faces of a square, which are square anyway.
    let rect = Rect::in_frame(frame, facing, figure.at, figure.width, figure.depth);
    FigureView {
        shape: Shape::Rect(rect),
        facing: angle::normalise(facing + figure.turned),
        role: figure.role,
    }
}

impl Engagement {
    fn terrain_view(&self, feature: &Feature) -> TerrainView {
        let (points, closed) = match &feature.ground {
            Ground::Area(area) => (area.corners().to_vec(), true),
            Ground::Line(line) => (line.points().to_vec(), false),
            Ground::Road(road) => (road.line().points().to_vec(), false),
        };
        let mut notes = Vec::new();
        let halved = match self.options().terrain_halving {
            TerrainHalving::Whole => "a move",
            TerrainHalving::Remaining => "the rest of a move",
        };
        let moving = match feature.moving {
            Moving::Open => None,
            Moving::Half => Some((format!("halves {halved} that touches it"), "ATKM-TERR-02")),
            Moving::Uphill => {
                Some((format!("halves {halved} that goes up it with any figure"), "ATKM-TERR-13"))
            }
            Moving::Impassable => Some(("cannot be entered".into(), "ATKM-TERR-08")),
            Moving::Road => {
                let far = self.rules().march.road_factor;
                Some((format!("columns that keep to it go {far} times as far"), "ATKM-TERR-09"))
            }
        };
        if let Some((text, clause)) = moving {
            notes.push(Note::new("Movement", text, Some(clause)));
        }
        let sight = match feature.sight {
            Sight::Clear => None,
            Sight::Woods => Some(format!("more than {} of it hides", self.land().woods_depth)),
            Sight::Blocks => Some("hides what is behind it".into()),
            Sight::Hill => Some("hides what is beyond it".into()),
        };
        if let Some(text) = sight {
            notes.push(Note::new("Sight", text, Some("ATKM-LOS-04")));
        }
        let dice = &self.rules().cover;
        let cover = match feature.cover {
            Cover::None => None,
            Cover::Soft => Some(format!("soft: {} dice under fire", dice.soft_fire.signed())),
            Cover::Hard => Some(format!("hard: {} dice under fire", dice.hard_fire.signed())),
        };
        if let Some(text) = cover {
            notes.push(Note::new("Cover", text, Some("ATKM-TERR-17")));
        }
        TerrainView {
            id: feature.id.clone(),
            kind: feature.kind.replace('_', " "),
            look: feature.look,
            points,
            closed,
            width: 0.0,
            level: u8::from(feature.moving == Moving::Uphill),
            peak: feature.peak,
            notes,
        }
    }
}
