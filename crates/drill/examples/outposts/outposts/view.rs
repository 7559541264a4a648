//! The table as everybody sees it: there are no secrets in this game.

use tricorne_game::view::{Arm, Clock, FigureView, Role, SideView, TableView, UnitView, View};
use tricorne_game::{Seat, SeatInfo, Side};
use tricorne_table::{Disc, LengthUnit, Shape, angle};

use super::battle::Skirmish;
use tricorne_drill::Rules;

pub fn view(b: &Skirmish, seat: Option<Seat>) -> View {
    let side = |i: usize| SideView {
        name: b.field.sides[i].clone(),
        livery: b.field.liveries[i],
        flag: None,
        score: None,
        tallies: Vec::new(),
    };
    let seats = [0, 1].map(|i: u8| SeatInfo {
        seat: Seat(i),
        side: Side(i),
        name: b.field.sides[usize::from(i)].clone(),
    });
    View {
        ruleset: "outposts".into(),
        title: b.field.title.clone(),
        seat,
        sides: vec![side(0), side(1)],
        seats: seats.to_vec(),
        table: TableView { width: b.field.size[0], height: b.field.size[1], unit: LengthUnit::Inch },
        terrain: Vec::new(),
        units: (0..b.s.units.len()).map(|u| company(b, u)).collect(),
        tokens: Vec::new(),
        clock: Clock {
            turn: b.s.round.into(),
            of: Some(b.field.options.rounds.into()),
            phase: "orders".into(),
            active: Some(Side(b.s.active)),
        },
        cards: Vec::new(),
        pending: b.pending(),
    }
}

fn company(b: &Skirmish, u: usize) -> UnitView {
    let company = &b.s.units[u];
    let facing = if company.side == 0 { 0.0 } else { 180.0 };
    let place = |i: u8| {
        let (file, rank) = (f64::from(i % 6) - 2.5, f64::from(i / 6));
        company.place() + angle::right(facing) * (file * 0.3) - angle::forward(facing) * (rank * 0.3)
    };
    let figures = (0..company.men).map(|i| FigureView {
        shape: Shape::Disc(Disc { centre: place(i), radius: 0.12 }),
        facing,
        role: Role::Foot,
    });
    UnitView {
        id: company.id,
        name: b.field.names[u].clone(),
        kind: "company".into(),
        side: Side(company.side),
        seat: Seat(company.side),
        arm: Arm::Infantry,
        on_table: company.men > 0,
        at: company.place(),
        facing: Some(facing),
        figures: figures.collect(),
        outline: [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| company.place() + tricorne_table::Point::new(x, y))
            .to_vec(),
        strength: (company.men.into(), b.field.starts[u].into()),
        markers: Vec::new(),
        notes: Vec::new(),
        overlays: Vec::new(),
        group: None,
        facings: None,
        flag: None,
    }
}
