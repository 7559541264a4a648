//! How strong people and programs are, by system: reckoned from the battles that were fought out here, week by week, and
//! never kept. Who is deleted takes their battles out of it.

mod glicko;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::{Path, Query, State};
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use tricorne_game::Ending;
use tricorne_store::FoughtRow;

use crate::App;
use crate::JsonSchema;
use crate::error::ApiError;
use glicko::{Played, Rating};

/// A week, in milliseconds: the time whose battles are reckoned together.
const PERIOD: i64 = 7 * 24 * 3600 * 1000;

/// Whoever is less sure than this has not played enough to be placed.
const SURE: f64 = 160.0;

/// Of which time.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Season {
    /// Battles that ended at this moment or later, in milliseconds since 1970; without it, from the first.
    pub(crate) from: Option<i64>,
    /// And before this one.
    pub(crate) to: Option<i64>,
}

/// Who plays how strongly.
#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct Board {
    /// The rule system.
    ruleset: String,
    /// Everybody who fought a battle to its end, the strongest first; those who have not played enough last.
    list: Vec<Place>,
}

/// Somebody on the board.
#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct Place {
    /// The name, or `program:LEVEL`.
    name: String,
    /// Whether it is a program.
    program: bool,
    /// The rating; 1500 is where everybody begins.
    rating: f64,
    /// It is within twice this of the truth, in 95 of 100 cases.
    deviation: f64,
    /// Whether enough was played for a place.
    placed: bool,
    /// Battles won.
    won: u32,
    /// Drawn.
    drawn: u32,
    /// Lost.
    lost: u32,
}

/// A system and a time.
type OfTime = (String, Option<i64>, Option<i64>);

/// What was reckoned last for each system and time, and from how many battles.
#[derive(Default)]
pub(crate) struct Reckoned(Mutex<BTreeMap<OfTime, (usize, Board)>>);

/// Boards at hand.
const AT_HAND: usize = 50;

pub(crate) async fn board(
    State(app): State<Arc<App>>,
    Path(ruleset): Path<String>,
    Query(season): Query<Season>,
) -> Result<Json<Board>, ApiError> {
    app.known_system(&ruleset)?;
    let fought = app.store.fought(&ruleset).await?;
    let key = (ruleset.clone(), season.from, season.to);
    {
        let at_hand = app.ratings.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, board)) = at_hand.get(&key).filter(|(battles, _)| *battles == fought.len()) {
            return Ok(Json(board.clone()));
        }
    }
    let rows = fought.len();
    let board = spawn_blocking(move || Board { list: places(&battles(&fought, &season)), ruleset }).await?;
    let mut at_hand = app.ratings.0.lock().unwrap_or_else(PoisonError::into_inner);
    if at_hand.len() >= AT_HAND {
        at_hand.clear();
    }
    at_hand.insert(key, (rows, board.clone()));
    Ok(Json(board))
}

/// A battle between two who are known by name, and what the first made of it.
#[derive(Clone, Debug, PartialEq)]
struct Fought {
    ended: i64,
    who: [String; 2],
    score: f64,
}

/// The battles that count: between two sides, each played by one throughout, and not the same one.
fn battles(rows: &[FoughtRow], season: &Season) -> Vec<Fought> {
    let mut games: BTreeMap<&str, Vec<&FoughtRow>> = BTreeMap::new();
    for row in rows {
        let within =
            season.from.is_none_or(|from| row.ended >= from) && season.to.is_none_or(|to| row.ended < to);
        if within {
            games.entry(&row.game).or_default().push(row);
        }
    }
    let mut fought: Vec<Fought> = games.into_values().filter_map(|seats| battle(&seats)).collect();
    fought.sort_by_key(|battle| battle.ended);
    fought
}

fn battle(seats: &[&FoughtRow]) -> Option<Fought> {
    let of = |side: u8| {
        let mut names: Vec<String> = Vec::new();
        for seat in seats.iter().filter(|seat| seat.side == side) {
            let name = match &seat.owner {
                Some(owner) => owner.clone(),
                None => seat.kind.starts_with("program:").then(|| seat.kind.clone())?,
            };
            names.push(name);
        }
        names.dedup();
        let [only] = &names[..] else { return None };
        Some(only.clone())
    };
    let (first, second) = (of(0)?, of(1)?);
    if first == second || seats.iter().any(|seat| seat.side > 1) {
        return None;
    }
    let ending: Ending = serde_json::from_str(&seats.first()?.ending).ok()?;
    let score = ending.winner.map_or(0.5, |side| if side.0 == 0 { 1.0 } else { 0.0 });
    Some(Fought { ended: seats.first()?.ended, who: [first, second], score })
}

#[derive(Clone, Copy, Default)]
struct Tally {
    rating: Rating,
    won: u32,
    drawn: u32,
    lost: u32,
}

fn places(fought: &[Fought]) -> Vec<Place> {
    let mut all: BTreeMap<&str, Tally> = BTreeMap::new();
    let (Some(first), Some(last)) = (fought.first(), fought.last()) else { return Vec::new() };
    let mut rest = fought;
    for period in first.ended.div_euclid(PERIOD)..=last.ended.div_euclid(PERIOD) {
        let here = rest.partition_point(|battle| battle.ended.div_euclid(PERIOD) <= period);
        let (now, later) = rest.split_at(here);
        rest = later;
        // Everybody's rating is the one from before the week, whatever the order of its battles.
        let before = all.clone();
        let known = |name: &str| before.get(name).map_or_else(Rating::default, |tally| tally.rating);
        let mut played: BTreeMap<&str, Vec<Played>> = BTreeMap::new();
        for battle in now {
            let [a, b] = &battle.who;
            for (who, against, score) in [(a, b, battle.score), (b, a, 1.0 - battle.score)] {
                played.entry(who).or_default().push(Played { against: known(against), score });
                let tally = all.entry(who).or_default();
                *match score {
                    0.0 => &mut tally.lost,
                    1.0 => &mut tally.won,
                    _ => &mut tally.drawn,
                } += 1;
            }
        }
        for (name, tally) in &mut all {
            tally.rating = tally.rating.after(played.get(name).map_or(&[], Vec::as_slice));
        }
    }
    let mut list: Vec<Place> = all
        .into_iter()
        .map(|(name, Tally { rating, won, drawn, lost })| Place {
            name: name.into(),
            program: name.starts_with("program:"),
            rating: (rating.rating * 10.0).round() / 10.0,
            deviation: (rating.deviation * 10.0).round() / 10.0,
            placed: rating.deviation < SURE,
            won,
            drawn,
            lost,
        })
        .collect();
    list.sort_by(|a, b| {
        b.placed.cmp(&a.placed).then(b.rating.total_cmp(&a.rating)).then(a.name.cmp(&b.name))
    });
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(
        game: &str,
        side: u8,
        kind: &str,
        owner: Option<&str>,
        ended: i64,
        winner: Option<u8>,
    ) -> FoughtRow {
        let ending =
            serde_json::json!({"winner": winner, "grade": "win", "reason": "", "scores": [], "clause": ""});
        FoughtRow {
            game: game.into(),
            side,
            kind: kind.into(),
            owner: owner.map(Into::into),
            ended,
            ending: ending.to_string(),
        }
    }

    const ALL: Season = Season { from: None, to: None };

    #[test]
    fn only_battles_between_two_who_are_known_count() {
        let rows = [
            row("a", 0, "person", Some("anna"), 5, Some(0)),
            row("a", 1, "program:subaltern", None, 5, Some(0)),
            // A stranger, oneself, and two on one side.
            row("b", 0, "person", Some("anna"), 6, Some(0)),
            row("b", 1, "person", None, 6, Some(0)),
            row("c", 0, "person", Some("anna"), 7, Some(0)),
            row("c", 1, "person", Some("anna"), 7, Some(0)),
            row("d", 0, "person", Some("anna"), 8, None),
            row("d", 0, "person", Some("bob"), 8, None),
            row("d", 1, "person", Some("carl"), 8, None),
        ];
        let fought = battles(&rows, &ALL);
        let who = ["anna".to_owned(), "program:subaltern".to_owned()];
        assert_eq!(fought, [Fought { ended: 5, who, score: 1.0 }]);
        assert_eq!(battles(&rows, &Season { from: Some(6), to: None }), []);
        assert_eq!(battles(&rows, &Season { from: None, to: Some(5) }), []);
    }

    #[test]
    fn who_wins_more_is_higher_and_who_has_played_little_is_not_placed() {
        let fight = |ended, a: &str, b: &str, score| Fought { ended, who: [a.into(), b.into()], score };
        let mut fought = Vec::new();
        for week in 0..12 {
            let at = week * PERIOD;
            fought.extend([fight(at, "anna", "bob", 1.0), fight(at + 1, "bob", "carl", 1.0)]);
            fought.extend([fight(at + 2, "carl", "anna", 0.0), fight(at + 3, "bob", "carl", 0.5)]);
        }
        fought.push(fight(11 * PERIOD + 9, "anna", "guest", 1.0));
        let list = places(&fought);
        let names: Vec<&str> = list.iter().map(|place| place.name.as_str()).collect();
        assert_eq!(names, ["anna", "bob", "carl", "guest"]);
        assert_eq!(list.iter().map(|p| p.placed).collect::<Vec<_>>(), [true, true, true, false]);
        assert_eq!((list[0].won, list[0].lost, list[1].drawn), (25, 0, 12));
        assert!(list[0].rating > 1600.0 && list[2].rating < 1400.0, "{} {}", list[0].rating, list[2].rating);
    }
}
