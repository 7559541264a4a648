//! Who plays whom on a club evening: everybody against everybody, or the Swiss way, in which those with like scores meet
//! and nobody meets anybody twice. Evenings that are kept are in `evenings`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};

use crate::App;
use crate::JsonSchema;
use crate::error::ApiError;
use crate::posted::Posted;
use crate::turn::Who;

/// Players of one evening.
pub(crate) const MOST: usize = 200;

/// How an evening is paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "PairingWay")]
pub(crate) enum Way {
    /// Those with like scores meet, nobody twice.
    Swiss,
    /// Everybody meets everybody.
    RoundRobin,
}

/// A game of an evening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pair {
    /// The first player, who has the first side.
    pub(crate) first: String,
    /// The second; none has a round off, which counts as won.
    pub(crate) second: Option<String>,
    /// Who won; none while it is not known, or drawn.
    #[serde(default)]
    pub(crate) winner: Option<String>,
    /// Whether it is over.
    #[serde(default)]
    pub(crate) over: bool,
    /// The game on this server in which it is fought out, if it is.
    #[serde(default)]
    pub(crate) game: Option<String>,
}

/// An evening so far.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Evening {
    /// How it is paired.
    pub(crate) way: Way,
    /// Everybody who plays, the strongest first where that is known.
    #[schemars(length(max = 200))]
    pub(crate) players: Vec<String>,
    /// The rounds so far.
    #[serde(default)]
    #[schemars(length(max = 200))]
    pub(crate) rounds: Vec<Vec<Pair>>,
    /// Those of the players who have gone home: they are paired no more, and keep what they have.
    #[serde(default)]
    #[schemars(length(max = 200))]
    pub(crate) gone: Vec<String>,
}

/// The next round and how everybody stands.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct NextRound {
    /// Who plays whom; empty when everybody has met everybody.
    pub(crate) pairs: Vec<Pair>,
    /// How everybody stands, the best first.
    pub(crate) table: Vec<Standing>,
}

/// How somebody stands.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Standing {
    /// Who.
    pub(crate) player: String,
    /// A game won counts one, one drawn a half.
    pub(crate) score: f64,
    /// The scores of everybody they have met, together: of two with the same score, who met the stronger is before.
    pub(crate) met: f64,
    /// Games that are over.
    pub(crate) games: u32,
}

pub(crate) async fn pairings(
    State(app): State<Arc<App>>,
    who: Who,
    Posted(evening): Posted<Evening>,
) -> Result<axum::Json<NextRound>, ApiError> {
    looked_over(&evening)?;
    Ok(axum::Json(app.long(who, move || next(&evening)).await?))
}

/// Refuses an evening that can't be.
pub(crate) fn looked_over(evening: &Evening) -> Result<(), ApiError> {
    let known: BTreeSet<&String> = evening.players.iter().collect();
    if evening.players.len() > MOST || evening.rounds.len() > MOST {
        return Err(ApiError::bad(format!("an evening has at most {MOST} players and as many rounds")));
    }
    if known.len() < evening.players.len() {
        return Err(ApiError::bad("two players have the same name; give one of them another"));
    }
    if let Some(stranger) = evening.gone.iter().find(|name| !known.contains(name)) {
        return Err(ApiError::bad(format!("`{stranger}` has gone and is not among the players")));
    }
    for pair in evening.rounds.iter().flatten() {
        let named = [Some(&pair.first), pair.second.as_ref()];
        if let Some(stranger) = named.into_iter().flatten().find(|name| !known.contains(name)) {
            return Err(ApiError::bad(format!("`{stranger}` is in a round and not among the players")));
        }
        if pair
            .winner
            .as_ref()
            .is_some_and(|w| Some(w) != Some(&pair.first) && Some(w) != pair.second.as_ref())
        {
            return Err(ApiError::bad(format!(
                "the game of `{}` was won by somebody who did not play it",
                pair.first
            )));
        }
    }
    Ok(())
}

/// The next round and how everybody stands.
pub(crate) fn next(evening: &Evening) -> NextRound {
    let table = table(evening);
    let pairs = match evening.way {
        Way::RoundRobin => round_robin(&evening.players, evening.rounds.len(), &evening.gone),
        Way::Swiss => swiss(evening, &table),
    };
    NextRound { pairs, table }
}

fn score(pair: &Pair, player: &str) -> Option<f64> {
    let plays = pair.first == player || pair.second.as_deref() == Some(player);
    match (&pair.second, &pair.winner) {
        _ if !plays => None,
        (None, _) => Some(1.0),
        (_, Some(winner)) => Some(f64::from(u8::from(winner == player))),
        _ => pair.over.then_some(0.5),
    }
}

/// How everybody stands, the best first.
pub(crate) fn table(evening: &Evening) -> Vec<Standing> {
    let games = || evening.rounds.iter().flatten();
    let both = |pair: &'_ Pair| [Some(pair.first.clone()), pair.second.clone()];
    let mut scored: BTreeMap<String, (f64, u32)> = BTreeMap::new();
    for pair in games() {
        for player in both(pair).into_iter().flatten() {
            if let Some(points) = score(pair, &player) {
                let sum = scored.entry(player).or_default();
                *sum = (sum.0 + points, sum.1 + 1);
            }
        }
    }
    let had = |player: &str| scored.get(player).copied().unwrap_or_default();
    let mut met: BTreeMap<&str, f64> = BTreeMap::new();
    for pair in games() {
        if let Some(second) = &pair.second {
            *met.entry(&pair.first).or_default() += had(second).0;
            *met.entry(second).or_default() += had(&pair.first).0;
        }
    }
    let mut table: Vec<Standing> = evening
        .players
        .iter()
        .map(|player| {
            let ((score, games), met) = (had(player), met.get(player.as_str()).copied().unwrap_or_default());
            Standing { player: player.clone(), score, met, games }
        })
        .collect();
    // Who was named first stays before, where nothing else tells.
    table.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.met.total_cmp(&a.met)));
    table
}

/// The circle: the first stays, the others go round. With an odd number somebody has each round off, and so has whoever
/// would meet one who has gone.
fn round_robin(players: &[String], round: usize, gone: &[String]) -> Vec<Pair> {
    let mut circle: Vec<Option<&String>> = players.iter().map(Some).collect();
    if circle.len() % 2 == 1 {
        circle.push(None);
    }
    let n = circle.len();
    if n < 2 || round >= n - 1 {
        return Vec::new();
    }
    circle[1..].rotate_right(round);
    let mut pairs = Vec::new();
    for i in 0..n / 2 {
        // The sides change from round to round.
        let (a, b) = if (round + i).is_multiple_of(2) { (i, n - 1 - i) } else { (n - 1 - i, i) };
        let here = |player: Option<&'_ String>| player.filter(|player| !gone.contains(player)).cloned();
        match (here(circle[a]).as_ref(), here(circle[b]).as_ref()) {
            (Some(first), second) => pairs.push(pair(first, second)),
            (None, Some(first)) => pairs.push(pair(first, None)),
            (None, None) => {}
        }
    }
    pairs
}

fn pair(first: &str, second: Option<&String>) -> Pair {
    Pair { first: first.into(), second: second.cloned(), winner: None, over: second.is_none(), game: None }
}

/// From the top of the table down, each with the next he has not met; where that leaves two at the end who have met, some of
/// those before are paired otherwise.
fn swiss(evening: &Evening, table: &[Standing]) -> Vec<Pair> {
    let games = || evening.rounds.iter().flatten();
    let here = |player: &&str| !evening.gone.iter().any(|gone| gone == player);
    let mut left: Vec<&str> = table.iter().map(|standing| standing.player.as_str()).filter(here).collect();
    let mut pairs = Vec::new();
    if left.len() % 2 == 1 {
        // The last who has had no round off has one.
        let rested = |player: &str| games().any(|pair| pair.second.is_none() && pair.first == player);
        let off = left.iter().rposition(|player| !rested(player)).unwrap_or(left.len() - 1);
        pairs.push(pair(left.remove(off), None));
    }
    let met: BTreeSet<(&str, &str)> = games()
        .filter_map(|pair| Some((pair.first.as_str(), pair.second.as_deref()?)))
        .flat_map(|(a, b)| [(a, b), (b, a)])
        .collect();
    let mut tries = 100_000;
    let mut chosen = Vec::new();
    if !match_up(&left, &met, &mut chosen, &mut tries) {
        // Everybody has met everybody, as far as that can be seen in a moment.
        return Vec::new();
    }
    let firsts = |player: &str| games().filter(|pair| pair.second.is_some() && pair.first == player).count();
    for (a, b) in chosen {
        // Who had the first side less often has it now.
        let (first, second) = if firsts(a) <= firsts(b) { (a, b) } else { (b, a) };
        pairs.push(pair(first, Some(&second.to_owned())));
    }
    // The round off is told last.
    pairs.sort_by_key(|pair| pair.second.is_none());
    pairs
}

fn match_up<'a>(
    left: &[&'a str],
    met: &BTreeSet<(&str, &str)>,
    chosen: &mut Vec<(&'a str, &'a str)>,
    tries: &mut u32,
) -> bool {
    let [first, rest @ ..] = left else { return true };
    for (i, second) in rest.iter().enumerate() {
        if met.contains(&(*first, *second)) {
            continue;
        }
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        chosen.push((*first, *second));
        let others: Vec<&str> = rest.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, p)| *p).collect();
        if match_up(&others, met, chosen, tries) {
            return true;
        }
        chosen.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evening(way: Way, n: usize) -> Evening {
        Evening {
            way,
            players: (0..n).map(|i| format!("p{i}")).collect(),
            rounds: Vec::new(),
            gone: Vec::new(),
        }
    }

    /// Plays rounds in which the one named first in the list wins; how often each two have met.
    fn play(evening: &mut Evening, rounds: usize) -> usize {
        let mut met = BTreeSet::new();
        for round in 0..rounds {
            let mut pairs = next(evening).pairs;
            if pairs.is_empty() {
                return round;
            }
            let mut seen = BTreeSet::new();
            for pair in &mut pairs {
                assert!(seen.insert(pair.first.clone()), "{pair:?}");
                if let Some(second) = &pair.second {
                    assert!(seen.insert(second.clone()), "{pair:?}");
                    let two = if pair.first < *second {
                        (pair.first.clone(), second.clone())
                    } else {
                        (second.clone(), pair.first.clone())
                    };
                    pair.winner = Some(two.0.clone());
                    assert!(met.insert(two), "{pair:?} met before");
                }
                pair.over = true;
            }
            assert_eq!(seen.len(), evening.players.len(), "everybody is paired or has the round off");
            evening.rounds.push(pairs);
        }
        rounds
    }

    #[test]
    fn everybody_meets_everybody_once() {
        for n in [2, 3, 5, 6, 8] {
            let mut all = evening(Way::RoundRobin, n);
            let rounds = n - 1 + n % 2;
            assert_eq!(play(&mut all, 50), rounds, "{n} players");
            assert!(next(&all).table.iter().all(|s| s.games as usize == rounds));
        }
    }

    #[test]
    fn the_swiss_way_finds_the_best_without_anybody_meeting_twice() {
        for n in [7, 8, 16, 21] {
            let mut all = evening(Way::Swiss, n);
            assert_eq!(play(&mut all, 4), 4, "{n} players");
            let table = next(&all).table;
            assert_eq!((table[0].player.as_str(), table[0].score), ("p0", 4.0));
            // Nobody had two rounds off.
            for player in &all.players {
                let off =
                    all.rounds.iter().flatten().filter(|p| p.second.is_none() && p.first == *player).count();
                assert!(off <= 1, "{player}");
            }
        }
    }

    #[test]
    fn whoever_has_gone_home_is_paired_no_more() {
        for way in [Way::Swiss, Way::RoundRobin] {
            let mut six = evening(way, 6);
            play(&mut six, 2);
            six.gone = vec!["p1".into(), "p4".into()];
            let round = next(&six);
            let named: Vec<&str> = round
                .pairs
                .iter()
                .flat_map(|p| [Some(p.first.as_str()), p.second.as_deref()])
                .flatten()
                .collect();
            assert_eq!(named.len(), 4, "{way:?}: {named:?}");
            assert!(!named.contains(&"p1") && !named.contains(&"p4"), "{way:?}: {named:?}");
            // What they won stays theirs.
            assert!(round.table.iter().any(|s| s.player == "p1" && s.games == 2), "{:?}", round.table);
        }
    }

    #[test]
    fn when_all_have_met_there_is_no_further_round() {
        let mut four = evening(Way::Swiss, 4);
        assert_eq!(play(&mut four, 10), 3);
    }
}
