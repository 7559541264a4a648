//! How fast a system plays, on one core.

use std::time::{Duration, Instant};

use serde::Serialize;
use tricorne_agents::{Budget, Level, Player};
use tricorne_chance::Seeded;
use tricorne_game::{Battle, Choices, Fault, InOrder, Log, Purpose, ScenarioText, Seat, Source, System};
use tricorne_shelf::Visitor;

/// The speed of one scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// The scenario.
    pub id: String,
    /// Battles fought for the measurement.
    pub battles: u64,
    /// Decisions a battle, on average.
    pub decisions_per_battle: f64,
    /// Decisions a second: choosing one, checking it, carrying it out.
    pub decisions_per_second: f64,
    /// Whole battles a second.
    pub battles_per_second: f64,
    /// One clone of a battle, in nanoseconds.
    pub clone_ns: f64,
    /// What one more battle takes in memory, in bytes (its share of the process's growth; 0 where that is not known).
    pub state_bytes: usize,
    /// The state as it is hashed, in bytes.
    pub encoded_bytes: usize,
    /// How long a player with a budget of time took to answer and the umpire to carry it out, in milliseconds: 99 of 100 within the first, all within
    /// the second. None for players that answer at once.
    pub answer_ms: Option<[f64; 2]>,
}

/// Measures every scenario of a ruleset for about `each` of time, with the same player in every seat.
pub fn bench(ruleset: &str, player: Level, each: Duration) -> Option<Result<Vec<Figures>, Fault>> {
    tricorne_shelf::visit(ruleset, Bench { player, each })
}

struct Bench {
    player: Level,
    each: Duration,
}

impl Visitor for Bench {
    type Out = Result<Vec<Figures>, Fault>;

    fn visit<S: System>(self, system: S) -> Self::Out {
        system.scenarios().iter().map(|scenario| measure(system, scenario, self.player, self.each)).collect()
    }
}

fn measure<S: System>(
    system: S,
    scenario: &ScenarioText,
    player: Level,
    each: Duration,
) -> Result<Figures, Fault> {
    let source = Source::new(scenario.id, scenario.text);
    let fresh = system.set_up(&source, &Choices::default(), Purpose::Scenario)?;
    let seats = fresh.view(None).seats.len();
    let mut decisions = 0_u64;
    let mut battles = 0_u64;
    let mut halfway = fresh.clone();
    let thinks = matches!(player.budget(), Some(Budget::Time(_)));
    let mut answers: Vec<f64> = Vec::new();
    let start = Instant::now();
    while battles == 0 || start.elapsed() < each {
        let mut battle = fresh.clone();
        let mut chance = Seeded::new(battles);
        let mut log = Log::off();
        let mut players: Vec<Player> =
            (0..seats).map(|s| Player::new(player, battles.into(), Seat(s as u8))).collect();
        battle.begin(&mut chance, &mut log);
        let mut n = 0;
        while let Some(seat) = battle.seat() {
            let asked = thinks.then(Instant::now);
            if players[seat.index()].answer(&mut battle, &mut chance, &mut log).is_err() {
                break;
            }
            answers.extend(asked.map(|asked| asked.elapsed().as_secs_f64() * 1e3));
            n += 1;
            if battles == 0 && n == 60 {
                halfway = battle.clone();
            }
        }
        decisions += n;
        battles += 1;
    }
    let spent = start.elapsed().as_secs_f64();
    Ok(Figures {
        id: scenario.id.to_owned(),
        battles,
        decisions_per_battle: decisions as f64 / battles as f64,
        decisions_per_second: decisions as f64 / spent,
        battles_per_second: battles as f64 / spent,
        clone_ns: clone_time(&halfway),
        state_bytes: footprint(&halfway),
        encoded_bytes: postcard::to_allocvec(halfway.state()).map_or(0, |bytes| bytes.len()),
        answer_ms: slowest(answers),
    })
}

/// What 99 of 100 stay within, and all.
fn slowest(mut times: Vec<f64>) -> Option<[f64; 2]> {
    times.put_in_order(f64::total_cmp);
    let longest = *times.last()?;
    Some([times[(times.len() - 1) * 99 / 100], longest])
}

fn clone_time<B: Battle>(battle: &B) -> f64 {
    const ROUNDS: u32 = 20_000;
    let start = Instant::now();
    for _ in 0..ROUNDS {
        std::hint::black_box(battle.clone());
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(ROUNDS)
}

/// What one battle adds to the process, from keeping many. Clones first fill what earlier battles gave back without
/// the process growing, so only a run of batches that all made it grow counts.
fn footprint<B: Battle>(battle: &B) -> usize {
    const BATCH: usize = 400;
    const MOST: usize = 100_000;
    let mut kept: Vec<B> = Vec::with_capacity(MOST);
    let mut grown: Vec<usize> = Vec::new();
    while grown.len() < 9 && kept.len() + BATCH <= MOST {
        let Some(before) = resident() else { return 0 };
        kept.extend((0..BATCH).map(|_| battle.clone()));
        let growth = resident().unwrap_or(before).saturating_sub(before);
        if growth < BATCH * size_of::<B>() / 2 {
            grown.clear();
        } else {
            grown.push(growth);
        }
    }
    drop(std::hint::black_box(kept));
    grown.sort_unstable();
    grown.get(grown.len() / 2).map_or(size_of::<B>(), |growth| growth / BATCH)
}

/// Bytes of this process in memory, where the system says (Linux).
fn resident() -> Option<usize> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
