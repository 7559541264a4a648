//! Rows to keep.

use tricorne_store::{ActionRow, Game, SeatRow, Status};

pub fn game(id: &str) -> Game {
    Game {
        id: id.into(),
        created: 1,
        ruleset: "toy".into(),
        scenario: "hill".into(),
        title: "A game".into(),
        header: "{}".into(),
        seed: "07".repeat(32),
        commitment: "c".into(),
        status: Status::Playing,
        public: true,
        watch: true,
        lobby: "{}".into(),
        ending: None,
        waiting: Some(0),
        take_backs: 0,
        untold: 0,
        actions: 0,
    }
}

pub fn seat(seat: u8, kind: &str) -> SeatRow {
    SeatRow {
        seat,
        side: seat,
        seat_name: format!("Seat {seat}"),
        kind: kind.into(),
        name: String::new(),
        token_hash: Some(format!("hash {seat}")),
        owner: None,
    }
}

pub fn action(n: i64) -> ActionRow {
    ActionRow {
        n,
        seat: (n % 2) as u8,
        action: format!("{{\"go\":{n}}}"),
        hash: "00".into(),
        events: String::new(),
        moment: n,
    }
}
