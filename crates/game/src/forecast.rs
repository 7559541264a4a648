//! What an action may come to, roll by roll, as the seat that must decide may be told it. There is always an answer: exact
//! where every way the dice can fall can be walked, otherwise from samples, with how far off they may be. Where somebody
//! is asked how a unit of his meets it (a charge, mostly), samples go on by the answers that look best at first sight.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tricorne_chance::{Chance, Seeded, Whim, enumerate};

use crate::JsonSchema;
use crate::{AnyBattle, Battle, Event, Illegal, Log, Pending, Refusal, Seat, StateHash, UnitId, first_sight};

/// The odds of an action, roll by roll.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Forecast {
    /// How many samples these odds are from; none where every way was walked and they are exact. What comes first may
    /// have been counted all the same: the `give` of its ways is 0 then.
    pub samples: Option<u32>,
    /// Whether others were asked on the way and these odds suppose that they answer as a subaltern would.
    #[serde(default)]
    pub supposed: bool,
    /// What is rolled for, in the order it comes.
    pub rolls: Vec<Roll>,
    /// How often the action was played out for it.
    #[serde(skip)]
    pub runs: usize,
}

/// Something that an action has rolled for, and how it may come out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Roll {
    /// The event.
    pub what: String,
    /// The unit it is about.
    pub who: Option<UnitId>,
    /// And the other unit.
    pub whom: Option<UnitId>,
    /// Each way it can come out. What does not happen on some path counts there as no way at all, so these may add up
    /// to less than one.
    pub ways: Vec<RollWay>,
}

/// One way a roll can come out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RollWay {
    /// How it came out.
    pub outcome: Option<String>,
    /// The total or the hits.
    pub made: Option<i32>,
    /// How likely.
    pub chance: f64,
    /// With 95 % confidence the true chance lies no further off than this; 0 where it is exact.
    pub give: f64,
}

/// How much work a forecast may be: each run is the action played out once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Runs that walk every way the dice can fall, before samples are taken instead.
    pub paths: usize,
    /// How many samples.
    pub samples: u32,
    /// How long it may take by the clock on the wall, where somebody waits; a slow battle has fewer samples then.
    pub within: Option<Duration>,
}

impl Effort {
    /// What a player who points at an answer waits for.
    pub const HOVER: Effort =
        Effort { paths: 4_000, samples: 1_000, within: Some(Duration::from_millis(80)) };
    /// What somebody who asks in earnest waits for.
    pub const PATIENT: Effort = Effort { paths: 60_000, samples: 4_000, within: None };
}

/// Samples that are taken whatever the clock says: fewer tell nothing.
const FEWEST: u32 = 64;

/// So many answers of others are supposed at most; what comes after more of them is no longer this action's doing.
const ANSWERS: usize = 12;

type Sort = (String, Option<UnitId>, Option<UnitId>);
type Came = (Option<String>, Option<i32>);

/// Rolls as they are gathered over runs.
#[derive(Default)]
struct Gathered {
    /// In the order they were first met.
    order: Vec<Sort>,
    ways: BTreeMap<Sort, BTreeMap<Came, f64>>,
}

/// Which sorts a run has met already, by their place in the order.
type Met = BTreeSet<usize>;

impl Gathered {
    /// What one run told and how much it weighs. The first of its sort stands for the rest: the second volley of a path
    /// hangs on the first.
    fn add(&mut self, told: Vec<(Sort, Came)>, weight: f64, met: &mut Met) {
        for (sort, came) in told {
            let place = self.order.iter().position(|s| *s == sort).unwrap_or_else(|| {
                self.order.push(sort.clone());
                self.order.len() - 1
            });
            if met.insert(place) {
                *self.ways.entry(sort).or_default().entry(came).or_default() += weight;
            }
        }
    }

    /// Whether a run that has met these sorts did anything to a unit.
    fn touched(&self, met: &Met, unit: UnitId) -> bool {
        let sorts = met.iter().filter_map(|&place| self.order.get(place));
        sorts.into_iter().any(|(_, who, whom)| [*who, *whom].contains(&Some(unit)))
    }

    /// What was rolled for, where all that was added weighs `whole`.
    fn rolls(mut self, whole: f64, samples: Option<u32>) -> Vec<Roll> {
        let rolls = self.order.into_iter().filter_map(|sort| {
            let ways = self.ways.remove(&sort)?;
            let (what, who, whom) = sort;
            let ways = ways.into_iter().map(|((outcome, made), weight)| {
                let chance = weight / whole;
                RollWay { outcome, made, chance, give: samples.map_or(0.0, |n| give(chance, n)) }
            });
            Some(Roll { what, who, whom, ways: ways.collect() })
        });
        rolls.collect()
    }
}

/// Whether somebody else must now say how a unit meets what was done to it.
fn asks_back<B: Battle>(battle: &B, seat: Option<Seat>, touched: impl Fn(UnitId) -> bool) -> bool {
    battle.seat().is_some_and(|asked| Some(asked) != seat)
        && matches!(battle.pending(), Pending::Decision { unit: Some(unit), .. } if touched(unit))
}

/// Half of Wilson's interval for a share of so many samples, at 95 %.
fn give(share: f64, samples: u32) -> f64 {
    const Z: f64 = 1.959_963_984_540_054;
    let n = f64::from(samples.max(1));
    Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).max(0.0).sqrt() / (1.0 + Z * Z / n)
}

/// What a run told that a seat may know.
fn told(events: Vec<Event>, seat: Option<Seat>) -> Vec<(Sort, Came)> {
    let known = events.into_iter().filter(|e| e.known_to(seat));
    known.map(|e| ((e.what, e.who, e.whom), (e.outcome, e.made))).collect()
}

/// A position on the way, and how likely it is.
struct Position<B> {
    battle: B,
    weight: f64,
    met: Met,
}

/// How far the ways that the dice can fall were walked.
struct Counted {
    gathered: Gathered,
    /// To the end.
    whole: bool,
    /// And somebody else is asked there how he meets it.
    asked: bool,
}

impl Counted {
    /// What was rolled for and is certain by now: of a walk that was broken off, what every way came by.
    fn rolls(self) -> Vec<Roll> {
        let whole = self.whole;
        let mut rolls = self.gathered.rolls(1.0, None);
        rolls.retain(|roll| whole || roll.ways.iter().map(|way| way.chance).sum::<f64>() > 1.0 - 1e-9);
        rolls
    }
}

/// Every way the dice can fall, walked from one draw to the next; positions that are equal then, and have told of the same
/// sorts of things, go on as one. It is broken off after so many runs, or when `go_on` says no.
fn count<B: Battle>(
    battle: &B,
    action: &B::Action,
    most: usize,
    go_on: &dyn Fn() -> bool,
    runs: &mut usize,
) -> Counted {
    let seat = battle.seat();
    let (mut gathered, mut asked) = (Gathered::default(), false);
    let (mut answered, mut stopped) = (false, false);
    let mut level = vec![Position { battle: battle.clone(), weight: 1.0, met: Met::new() }];
    while !level.is_empty() {
        let mut next: BTreeMap<(StateHash, Met), Position<B>> = BTreeMap::new();
        for position in level {
            let walked = enumerate(most, |chance| {
                stopped = stopped || *runs == most || (*runs % 16 == 15 && !go_on());
                if stopped {
                    return;
                }
                *runs += 1;
                let mut after = position.battle.clone();
                let mut log = Log::on();
                let mut more = answered || after.answer(action, chance, &mut log).is_ok();
                // What draws nothing changes no odds: on to the end of the first thing that does.
                while more && !chance.has_drawn() {
                    more = after.step(chance, &mut log);
                }
                let weight = position.weight * chance.weight();
                let mut met = position.met.clone();
                gathered.add(told(log.take(), seat), weight, &mut met);
                if more {
                    let key = (after.hash(), met.clone());
                    next.entry(key).or_insert_with(|| Position { battle: after, weight: 0.0, met }).weight +=
                        weight;
                } else {
                    asked = asked || asks_back(&after, seat, |unit| gathered.touched(&met, unit));
                }
            });
            if stopped || walked.is_none() {
                return Counted { gathered, whole: false, asked };
            }
        }
        answered = true;
        level = next.into_values().collect();
    }
    Counted { gathered, whole: true, asked }
}

/// Samples as they are taken.
#[derive(Default)]
struct Sampled {
    gathered: Gathered,
    /// Sorts of things that some run met only after somebody had answered.
    later: Met,
    runs: u32,
}

impl Sampled {
    /// The action played out once, and on as long as others are asked how they meet it.
    fn run<B: Battle>(
        &mut self,
        battle: &B,
        action: &B::Action,
        chance: &mut dyn Chance,
        whim: &mut Whim,
    ) -> Result<(), Illegal> {
        let (seat, mut after) = (battle.seat(), battle.clone());
        let (mut log, mut met) = (Log::on(), Met::new());
        after.apply(action, chance, &mut log)?;
        self.gathered.add(told(log.take(), seat), 1.0, &mut met);
        let at_once = met.clone();
        for _ in 0..ANSWERS {
            if !asks_back(&after, seat, |unit| self.gathered.touched(&met, unit)) {
                break;
            }
            let Some(answer) = first_sight::answer(&after, whim) else { break };
            after.apply(&answer, chance, &mut log)?;
            self.gathered.add(told(log.take(), seat), 1.0, &mut met);
        }
        self.later.extend(met.difference(&at_once));
        self.runs += 1;
        Ok(())
    }

    /// What was rolled for: as it was counted where every run met it before anybody answered, otherwise from these.
    fn rolls(self, counted: Vec<Roll>) -> Vec<Roll> {
        let same =
            |roll: &Roll, (what, who, whom): &Sort| (&roll.what, roll.who, roll.whom) == (what, *who, *whom);
        let later: Vec<&Sort> =
            self.later.iter().filter_map(|&place| self.gathered.order.get(place)).collect();
        let mut rolls: Vec<Roll> =
            counted.into_iter().filter(|roll| !later.iter().any(|sort| same(roll, sort))).collect();
        let sampled = self.gathered.rolls(f64::from(self.runs.max(1)), Some(self.runs));
        for roll in sampled {
            let sort = (roll.what.clone(), roll.who, roll.whom);
            if !rolls.iter().any(|counted| same(counted, &sort)) {
                rolls.push(roll);
            }
        }
        rolls
    }
}

/// The odds of an action, roll by roll, as far as the seat that must decide may know of them.
pub fn rolls<B: Battle>(battle: &B, action: &B::Action, effort: Effort) -> Result<Forecast, Illegal> {
    battle.check(action)?;
    let began = Instant::now();
    let left = |share: f64| effort.within.is_none_or(|within| began.elapsed() < within.mul_f64(share));
    let mut runs = 0;
    let counted = count(battle, action, effort.paths, &|| left(0.5), &mut runs);
    if counted.whole && !counted.asked {
        return Ok(Forecast { samples: None, supposed: false, rolls: counted.rolls(), runs });
    }
    let (mut chance, mut whim, mut sampled) = (Seeded::new(0), Whim::new(0, 0), Sampled::default());
    while sampled.runs < effort.samples && (sampled.runs < FEWEST || left(1.0)) {
        if sampled.run(battle, action, &mut chance, &mut whim).is_err() {
            break;
        }
    }
    Ok(Forecast {
        samples: Some(sampled.runs),
        supposed: !sampled.later.is_empty(),
        runs: runs + sampled.runs as usize,
        rolls: sampled.rolls(counted.rolls()),
    })
}

/// The odds of an action as the seat that must decide may be told them. They are worked out in the battle [as it is
/// seen](Battle::as_seen), so nothing that is hidden shows in them, and tell of no unit that the seat does not know.
pub fn forecast(
    battle: &dyn AnyBattle,
    seat: Seat,
    action: &Value,
    effort: Effort,
) -> Result<Forecast, Refusal> {
    battle.check(action)?;
    // What is legal as things are may not be as they look: to say more would tell what is there.
    let Ok(mut forecast) = battle.as_seen(seat).rolls(action, effort) else {
        return Ok(Forecast { samples: None, supposed: false, rolls: Vec::new(), runs: 0 });
    };
    let known: BTreeSet<UnitId> = battle.view(Some(seat)).units.iter().map(|u| u.id).collect();
    forecast
        .rolls
        .retain(|roll| [roll.who, roll.whom].into_iter().flatten().all(|unit| known.contains(&unit)));
    Ok(forecast)
}
