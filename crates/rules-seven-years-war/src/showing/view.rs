//! What a seat may know, with every shape computed. Hidden enemies are not in it (SYW-HIDE-01).

use tricorne_drill::Rules;
use tricorne_game::view::{
    Arm as Figure, Clock, Detail, FigureView, Livery, Look, Marker, Note, Overlay, OverlayShape, Role,
    SideView, TableView, TerrainView, Token, Tone, UnitView, View,
};
use tricorne_game::{InOrder, Pending, Seat, SeatInfo, Side};
use tricorne_table::{LengthUnit, Point, Shape};

use crate::generals::counters::{Counter, General};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Order, Presence};
use crate::questions::Questions;
use crate::rulebook::{Arm, Class, Cover, cm};
use crate::terrain::ground::{Lie, Piece, PieceKind};
use crate::victory::quarters;

impl SevenYearsBattle {
    pub(crate) fn seen_from(&self, seat: Option<Seat>, detail: Detail) -> View {
        let mut units: Vec<UnitView> = Vec::new();
        for u in self.unit_ids() {
            let unit = self.unit(u);
            let own = seat.is_some_and(|s| s.0 == unit.side.0);
            if self.is_secret(u) && !own {
                continue;
            }
            units.push(self.unit_view(u, detail));
        }
        for general in &self.s.generals {
            let own = seat.is_some_and(|s| s.0 == general.side.0);
            if general.placed || own {
                units.push(self.general_view(general, own, detail));
            }
        }
        units.put_in_order_of(|u| !u.on_table);
        let mut view = View {
            ruleset: "seven-years-war".into(),
            title: self.fixed.title.clone(),
            seat,
            sides: (0..2).map(|k| self.side_view(k, seat)).collect(),
            seats: (0..2)
                .map(|k| SeatInfo {
                    seat: Seat(k as u8),
                    side: Side(k as u8),
                    name: self.fixed.sides[k].name.clone(),
                })
                .collect(),
            table: TableView {
                width: self.fixed.table.width(),
                height: self.fixed.table.depth(),
                unit: LengthUnit::Centimetre,
            },
            terrain: self.fixed.pieces.iter().map(|p| self.piece_view(p)).collect(),
            units,
            tokens: self.tokens(),
            clock: Clock {
                turn: self.s.turn,
                of: Some(self.fixed.turns),
                phase: self.s.step.name().replace('_', " "),
                active: Some(self.s.phasing),
            },
            cards: Vec::new(),
            pending: self.pending_for(seat),
        };
        let nation = |k: usize| Some(self.fixed.book.nations()[self.fixed.sides.get(k)?.nation].id.as_str());
        crate::rulebook::wardrobe().dress(&mut view, nation);
        view
    }

    /// What is asked, without betraying a hidden unit to the other side.
    fn pending_for(&self, seat: Option<Seat>) -> Pending {
        let pending = self.pending();
        let Pending::Decision { seat: asked, .. } = &pending else { return pending };
        let asked = *asked;
        let instead = match self.asking() {
            _ if seat == Some(asked) => return pending,
            Some(Questions::Lurk(_)) => None,
            Some(Questions::ComeBack(q)) if self.is_secret_group(q.group) => self.without_arrivals(),
            _ => return pending,
        };
        // Who would be asked for his moves next is taken to be asked for them now.
        if let Some(other) = instead.filter(|b| b.s.step == self.s.step && b.pending().seat() == Some(asked))
        {
            return other.pending_for(seat);
        }
        Pending::Decision {
            seat: asked,
            kind: "wait".into(),
            unit: None,
            prompt: "The other side decides.".into(),
        }
    }

    fn side_view(&self, k: usize, seat: Option<Seat>) -> SideView {
        let army = &self.s.armies[k];
        let side = Side(k as u8);
        // To the other side an army is what it has seen of it; hidden troops must not show in a total.
        let own = seat.is_some_and(|s| usize::from(s.0) == k);
        let (secret_stands, secret_points) = if own { (0, 0.0) } else { self.secret(side) };
        let secret_losses = if own { 0 } else { self.secret_losses(side).0 };
        let started = u32::from(army.started).saturating_sub(secret_stands);
        let mut tallies = vec![
            Note::new(
                "Stands lost",
                format!("{} of {}", self.lost_stands(side).saturating_sub(secret_losses), started),
                Some("SYW-WIN-02"),
            ),
            Note::new("Points", quarters(army.points - secret_points), Some("SYW-POINTS-01")),
        ];
        if army.generals_lost + army.cincs_lost > 0 {
            tallies.push(Note::new(
                "Generals lost",
                format!("{}", army.generals_lost + army.cincs_lost),
                Some("SYW-WIN-05"),
            ));
        }
        // Flank marchers count as off the table for the enemy's score, but he does not know of them yet.
        let told = seat.is_some_and(|s| usize::from(s.0) != k);
        let marching =
            if told { 0.0 } else { self.marching_points(side.enemy()) + self.secret_losses(side.enemy()).1 };
        SideView {
            name: self.fixed.sides[k].name.clone(),
            livery: Livery::Black,
            flag: None,
            score: Some(quarters(self.victory_points(side) - marching)),
            tallies,
        }
    }

    /// Stands and points of a side that only its own seat may know of: troops, generals not yet placed, works not yet laid
    /// out.
    fn secret(&self, side: Side) -> (u32, f64) {
        let mut found = (0, 0.0);
        for u in self.unit_ids().filter(|&u| self.unit(u).side == side && self.is_secret(u)) {
            let started = u32::from(self.unit(u).started);
            found.0 += started;
            found.1 += f64::from(started) * self.info(u).price;
        }
        let unplaced = |g: &&General| g.side == side && !g.cinc && !g.placed;
        let subs = self.s.generals.iter().filter(unplaced).count();
        found.1 += subs as f64 * f64::from(self.fixed.book.market.prices.generals.sub_general)
            + self.unlaid_works(side);
        found
    }

    /// Stands and points that hidden troops of a side have lost.
    pub(crate) fn secret_losses(&self, side: Side) -> (u32, f64) {
        let mut found = (0, 0.0);
        for u in self.unit_ids() {
            let unit = self.unit(u);
            if unit.side == side && unit.presence == Presence::Hidden {
                let lost = u32::from(unit.started).saturating_sub(unit.strength() as u32);
                found.0 += lost;
                found.1 += f64::from(lost) * self.info(u).price;
            }
        }
        found
    }

    pub(crate) fn marching_points(&self, side: Side) -> f64 {
        self.unit_ids()
            .filter(|&u| {
                // Those not placed yet are no loss either: a score that falls as they are hidden would betray them.
                self.unit(u).side == side
                    && matches!(self.unit(u).presence, Presence::Off | Presence::Waiting)
                    && self.is_secret(u)
            })
            .map(|u| f64::from(self.unit(u).started) * self.info(u).price)
            .sum()
    }

    /// Hidden units, flank marchers and troops not yet placed are their owner's secret.
    pub(crate) fn is_secret(&self, u: UnitIx) -> bool {
        let unit = self.unit(u);
        match unit.presence {
            Presence::Hidden | Presence::Waiting => true,
            Presence::Off => self.group(unit.group).off.is_some_and(|o| o.march),
            Presence::OnTable => false,
            // Given up for ground before anybody saw it (SYW-POINTS-09).
            Presence::Gone => unit.started == 0,
        }
    }

    /// Whether the other side may know of nobody in a group.
    pub(crate) fn is_secret_group(&self, g: GroupIx) -> bool {
        let units = &self.group(g).units;
        !units.is_empty() && units.iter().all(|&u| self.is_secret(u))
    }

    fn piece_view(&self, p: &Piece) -> TerrainView {
        let (points, closed) = match &p.lie {
            Lie::Area(a) => (a.corners().to_vec(), true),
            Lie::Line(l) => (l.points().to_vec(), false),
        };
        let look = match p.kind {
            PieceKind::Hill if p.level >= 2 => Look::SteepHill,
            PieceKind::Hill => Look::Hill,
            PieceKind::Wood if p.level >= 4 => Look::Forest,
            PieceKind::Wood => Look::Wood,
            PieceKind::Scrub => Look::Scrub,
            PieceKind::Marsh => Look::Marsh,
            PieceKind::Town => Look::Town,
            PieceKind::Earthwork => Look::Earthwork,
            PieceKind::Crossing => Look::Crossing,
            PieceKind::River => Look::Water,
            PieceKind::Stream => Look::Stream,
            PieceKind::Hedge => Look::Hedge,
            PieceKind::Wall => Look::Wall,
            PieceKind::Barricade => Look::Fence,
            PieceKind::Abatis => Look::Abatis,
            PieceKind::Road => Look::Road,
        };
        let mut notes = vec![Note::new("Type", p.level.to_string(), Some("SYW-TERR-01"))];
        match p.cover {
            Cover::None => {}
            Cover::Soft => notes.push(Note::new("Cover", "soft", Some("SYW-TERR-14"))),
            Cover::Hard => notes.push(Note::new("Cover", "hard", Some("SYW-TERR-14"))),
        }
        if p.impassable {
            notes.push(Note::new("Passage", "barred", Some("SYW-TERR-13")));
        }
        TerrainView {
            id: p.id.clone(),
            kind: p.kind.key().into(),
            look,
            points,
            closed,
            width: if matches!(p.kind, PieceKind::Stream | PieceKind::Road) { 2.0 } else { 0.0 },
            level: if p.kind == PieceKind::Hill { p.level + 1 } else { 0 },
            peak: (p.kind == PieceKind::Hill).then_some(p.middle),
            notes,
        }
    }

    fn unit_view(&self, u: UnitIx, detail: Detail) -> UnitView {
        let unit = self.unit(u);
        let info = self.info_of(unit);
        let on_table =
            matches!(unit.presence, Presence::OnTable | Presence::Hidden) && !unit.stands.is_empty();
        let role = match info.arm {
            Arm::Infantry => Role::FootStand(if info.class == Class::Light { 2 } else { 4 }),
            Arm::Cavalry => Role::HorseStand(if info.class == Class::Light { 2 } else { 3 }),
            Arm::Artillery => Role::Gun,
        };
        let drawn = on_table && detail == Detail::Drawn;
        let figures = if drawn {
            let rects = self.rects(u);
            rects.iter().map(|r| FigureView { shape: Shape::Rect(*r), facing: r.facing(), role }).collect()
        } else {
            Vec::new()
        };
        let e = unit.extent(info.depth);
        let outline: Vec<Point> = if on_table {
            [(e.left, e.front), (e.right, e.front), (e.right, e.rear), (e.left, e.rear)]
                .iter()
                .map(|&(x, y)| unit.pose().to_world(Point::new(x, y)))
                .collect()
        } else {
            Vec::new()
        };
        UnitView {
            id: unit.id,
            name: info.name.clone(),
            kind: self.fixed.book.profile(info.kind).name.clone(),
            side: unit.side,
            seat: Seat(unit.side.0),
            arm: match (info.arm, info.class) {
                (Arm::Infantry, Class::Light) => Figure::Skirmishers,
                (Arm::Infantry, Class::Massed) => Figure::Infantry,
                (Arm::Cavalry, _) => Figure::Cavalry,
                (Arm::Artillery, _) => Figure::Artillery,
            },
            on_table,
            at: unit.at,
            facing: Some(unit.facing),
            figures,
            outline,
            strength: (unit.strength() as u32, u32::from(unit.started)),
            markers: self.markers(u),
            notes: self.card(u),
            overlays: match unit.presence {
                _ if detail != Detail::Drawn => Vec::new(),
                Presence::Waiting if matches!(self.asking(), Some(Questions::Deploy(_))) => {
                    vec![Overlay::zone(self.deployment_open(unit.side).corners())]
                }
                _ if drawn => self.reach(u),
                _ => Vec::new(),
            },
            group: Some(self.group_of(u).id),
            facings: None,
            flag: None,
        }
    }

    fn markers(&self, u: UnitIx) -> Vec<Marker> {
        let unit = self.unit(u);
        let order = self.order_of(u);
        let mut markers = Vec::new();
        let mut mark = |kind: String, tone: Tone, clause: &str| {
            markers.push(Marker { kind, count: 1, tone, clause: Some(clause.into()) });
        };
        let tone = match order {
            Order::Advance => Tone::Good,
            Order::Reserve | Order::Stand => Tone::Plain,
            Order::Retreat => Tone::Fair,
            Order::Rout => Tone::Bad,
        };
        mark(format!("orders: {}", order.name()), tone, "SYW-ORDER-03");
        if unit.is_present() && self.is_disordered(u) {
            mark("disordered".into(), Tone::Fair, "SYW-DIS-01");
        }
        if unit.surrendered {
            mark("surrendered".into(), Tone::Bad, "SYW-ROUT-12");
        }
        if unit.presence == Presence::Hidden {
            mark("hidden".into(), Tone::Good, "SYW-HIDE-01");
        }
        if self.in_melee(u) {
            mark("in melee".into(), Tone::Plain, "SYW-MELEE-01");
        }
        if self.group(unit.group).phase.charging {
            mark("charging".into(), Tone::Good, "SYW-CHARGE-07");
        }
        markers
    }

    fn card(&self, u: UnitIx) -> Vec<Note> {
        let unit = self.unit(u);
        let info = self.info_of(unit);
        let group = self.group(unit.group);
        let ranges = self.fixed.book.ranges(info.weapon);
        let melee = match (info.melee, info.melee_against_infantry) {
            (any, foot) if any == foot => any.to_string(),
            (any, foot) => format!("{any} ({foot} against infantry)"),
        };
        let mut notes = vec![
            Note::new("Group", group.id.to_string(), Some("SYW-GROUP-01")),
            Note::new("Move", format!("{} cm", info.speed), Some("SYW-MOVE-01")),
            Note::new("Melee", melee, Some("SYW-MELEE-29")),
            Note::new("Drill", info.drill.name(), Some("SYW-ARMY-14")),
            Note::new("Morale", info.morale.name(), Some("SYW-ARMY-14")),
            Note::new("Formation", unit.formation.name().replace('_', " "), Some("SYW-MODEL-06")),
        ];
        if let Some(ranges) = ranges.told() {
            notes.push(Note::new("Range", ranges, Some("SYW-SHOOT-01")));
        }
        if info.poor_shots {
            notes.push(Note::new("Shots", "poor", Some("SYW-SHOOT-10")));
        }
        if let Some(c) = group.command {
            notes.push(Note::new("General", self.general(c).id.to_string(), Some("SYW-ARMY-21")));
        }
        notes
    }

    /// The field of fire of a unit, cut off at its ranges.
    fn reach(&self, u: UnitIx) -> Vec<Overlay> {
        let unit = self.unit(u);
        let info = self.info_of(unit);
        let ranges = self.fixed.book.ranges(info.weapon);
        let (left, right) = self.front_of(unit);
        let mut overlays = Vec::new();
        for (kind, range) in
            [("short range", ranges.short), ("long range", ranges.long), ("extreme range", ranges.extreme)]
        {
            let Some(range) = range else { continue };
            let frame = unit.pose();
            let outline = if info.weapon.is_gun() {
                let mut points = vec![frame.at];
                let step = self.gun_arc() * 0.25;
                for k in -4..=4 {
                    points.push(frame.along(frame.facing + f64::from(k) * step, range).at);
                }
                points
            } else {
                let aside = cm(self.distances().strip);
                let (left, right) = (left - aside, right + aside);
                [(left, 0.0), (left, range), (right, range), (right, 0.0)]
                    .iter()
                    .map(|&(x, y)| frame.to_world(Point::new(x, y)))
                    .collect()
            };
            overlays.push(Overlay {
                kind: kind.into(),
                shape: OverlayShape::Outline(outline),
                label: Some(format!("{range:.0}")),
            });
        }
        overlays
    }

    /// A general by his army, and his number in it where there are several of his rank.
    pub(crate) fn general_name(&self, general: &General) -> String {
        if let Some(name) = self.fixed.general_names.get(&general.id) {
            return name.clone();
        }
        let army = &self.fixed.sides[general.side.index().min(1)].name;
        let rank = if general.cinc { "C-in-C" } else { "General" };
        let mut peers = self.s.generals.iter().filter(|g| g.side == general.side && g.cinc == general.cinc);
        if peers.clone().count() < 2 {
            return format!("The {army} {rank}");
        }
        let n = peers.position(|g| g.id == general.id).unwrap_or(0) + 1;
        format!("The {} {army} {rank}", crate::setup::ordinal(n))
    }

    fn general_view(&self, general: &General, own: bool, detail: Detail) -> UnitView {
        let rect = general.rect();
        let here = general.is_present();
        let Counter { psychology, ability, .. } = general.counter;
        let mut markers = Vec::new();
        if general.lost {
            markers.push(Marker {
                kind: "lost".into(),
                count: 1,
                tone: Tone::Bad,
                clause: Some("SYW-GEN-20".into()),
            });
        }
        // SYW-GEN-14: his qualities are open. What he has left to give is not: it would tell of orders to hidden troops.
        let mut notes = vec![
            Note::new("Counter", general.counter.code(), Some("SYW-GEN-14")),
            Note::new("Psychology", psychology.name().unwrap_or("neither"), Some("SYW-GEN-03")),
            Note::new("Ability", ability.name().unwrap_or("neither"), Some("SYW-GEN-03")),
        ];
        if own {
            notes.push(Note::new("Attempts", general.attempts.to_string(), Some("SYW-ORDER-05")));
        }
        UnitView {
            id: general.id,
            name: self.general_name(general),
            kind: "General".into(),
            side: general.side,
            seat: Seat(general.side.0),
            arm: Figure::Command,
            on_table: here,
            at: general.at,
            facing: Some(general.facing),
            figures: if here && detail == Detail::Drawn {
                vec![FigureView { shape: Shape::Rect(rect), facing: general.facing, role: Role::General }]
            } else {
                Vec::new()
            },
            outline: if here { rect.corners().to_vec() } else { Vec::new() },
            strength: (u32::from(here), 1),
            markers,
            notes,
            overlays: Vec::new(),
            group: None,
            facings: None,
            flag: None,
        }
    }

    fn tokens(&self) -> Vec<Token> {
        self.fixed
            .objectives
            .iter()
            .enumerate()
            .filter_map(|(k, o)| {
                let piece = self.fixed.pieces.get(o.piece)?;
                Some(Token {
                    kind: "objective".into(),
                    label: format!("{} ({:.0})", piece.id, o.points),
                    at: piece.middle,
                    radius: None,
                    side: self.objective_holder(k),
                })
            })
            .collect()
    }
}
