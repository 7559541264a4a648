//! Running a rule case.

use std::collections::BTreeMap;

use serde_json::Value;
use tricorne_chance::{Script, Scripted};

use super::{Case, Scalar, Step, expect};
use crate::{AnyBattle, AnySystem, Choices, Event, Fault, Log, Pending, Purpose, Refusal, Source, Story};

/// How a case came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything was as expected.
    Passed,
    /// Something was not: each disagreement in a line.
    Failed(Vec<String>),
    /// The file is wrong (bad TOML, unknown unit, dice that do not fit), so the case says nothing about the rules.
    Broken(String),
}

/// A case that was run.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it came out.
    pub verdict: Verdict,
    /// What happened, told in sentences.
    pub story: Vec<String>,
    /// All events, in order.
    pub events: Vec<Event>,
}

/// Runs a case under a system.
pub fn run(system: &dyn AnySystem, source: &Source, case: &Case) -> Report {
    run_with(system, source, case, &BTreeMap::new())
}

/// Runs a case under a system with data files of one's own, by name.
pub fn run_with(
    system: &dyn AnySystem,
    source: &Source,
    case: &Case,
    data: &BTreeMap<String, String>,
) -> Report {
    let broken =
        |why: String| Report { verdict: Verdict::Broken(why), story: Vec::new(), events: Vec::new() };
    // As a position it may be of use; as a case it says nothing about the rules.
    if case.steps.is_empty() && case.expect.is_empty() {
        let why = "it shows nothing: say what is done in a [[step]], or what must be true in `expect`";
        return broken(source.fault(&[], why).to_string());
    }
    let mut runner = match Runner::start(system, source, case, data) {
        Ok(runner) => runner,
        Err(fault) => return broken(fault.to_string()),
    };
    if runner.broken.is_none() {
        runner.compare("at the start", &case.expect);
    }
    for (i, step) in case.steps.iter().enumerate() {
        if runner.broken.is_some() || !runner.wrong.is_empty() {
            break;
        }
        runner.step(i, step);
    }
    runner.finish(system)
}

/// The battle of a case after `n` of its actions (refused ones are left out), and the action that comes next.
pub fn moment(
    system: &dyn AnySystem,
    source: &Source,
    case: &Case,
    n: usize,
) -> Result<(Box<dyn AnyBattle>, Option<Value>), String> {
    let mut runner =
        Runner::start(system, source, case, &BTreeMap::new()).map_err(|fault| fault.to_string())?;
    let mut done = 0;
    for (index, step) in case.steps.iter().enumerate().filter(|(_, step)| step.refused.is_none()) {
        runner.feed(index, step);
        for action in actions_of(step) {
            if let Some(broken) = runner.broken {
                return Err(broken);
            }
            if done == n {
                return Ok((runner.battle, Some(action)));
            }
            runner.act(&format!("step {}", index + 1), index, &action, None, None);
            if let Some(wrong) = runner.wrong.first() {
                return Err(format!("{}: {wrong}", source.name));
            }
            done += 1;
        }
    }
    match runner.broken {
        Some(broken) => Err(broken),
        None if done < n => Err(format!("{}: the case has {done} actions, not {n}", source.name)),
        None => Ok((runner.battle, None)),
    }
}

/// The actions of a step.
fn actions_of(step: &Step) -> Vec<Value> {
    match &step.action {
        None => Vec::new(),
        Some(Value::Array(actions)) => actions.clone(),
        Some(action) => vec![action.clone()],
    }
}

struct Runner<'a> {
    source: &'a Source,
    battle: Box<dyn AnyBattle>,
    chance: Scripted,
    log: Log,
    wrong: Vec<String>,
    broken: Option<String>,
}

impl<'a> Runner<'a> {
    fn start(
        system: &dyn AnySystem,
        source: &'a Source,
        case: &Case,
        data: &BTreeMap<String, String>,
    ) -> Result<Self, Fault> {
        for (i, clause) in case.clauses.iter().enumerate() {
            if system.book().clause(clause).is_none() {
                return Err(
                    source.fault(&["clauses".into(), i.into()], format!("there is no clause {clause}"))
                );
            }
        }
        let mut options = BTreeMap::new();
        for (name, value) in &case.options {
            let value = value.to_string();
            let place = ["options".into(), name.as_str().into()];
            system.options().check(name, &value).map_err(|why| source.fault(&place, why))?;
            options.insert(name.clone(), value);
        }
        let choices = Choices { options, data: data.clone() };
        let mut battle = match &case.scenario {
            Some(id) => {
                let found = system.scenarios().iter().find(|s| s.id == id).ok_or_else(|| {
                    let all: Vec<&str> = system.scenarios().iter().map(|s| s.id).collect();
                    let there = format!("there is {}", all.join(", "));
                    let hint = crate::did_you_mean(id, all.iter().copied(), there);
                    source.fault(&["scenario".into()], format!("there is no scenario `{id}`; {hint}"))
                })?;
                crate::ready(system, &Source::new(found.id, found.text), &choices)?.1
            }
            None => {
                // The position as a file of its own: its faults are placed in the case's file by their key.
                let position = Source::new(source.name.clone(), case.position_text());
                crate::ready::obeyed(system, &position, &choices)
                    .and_then(|position| system.set_up(&position, &choices, Purpose::Position))
                    .map_err(|fault| fault.within(source, &["position".into()]))?
            }
        };
        let mut chance = Scripted::default();
        for (i, line) in case.dice.iter().enumerate() {
            let script: Script = line.parse().map_err(|e: tricorne_chance::ScriptError| {
                source.fault(&["dice".into(), i.into()], e.to_string())
            })?;
            chance.extend([script]);
        }
        let mut log = Log::on();
        if case.begin {
            battle.begin(&mut chance, &mut log);
        }
        let broken = tricorne_chance::Chance::fault(&chance).map(|f| format!("{}: {f}", source.name));
        if broken.is_some() {
            log = Log::on();
        }
        Ok(Self { source, battle, chance, log, wrong: Vec::new(), broken })
    }

    /// Lays a step's dice ready.
    fn feed(&mut self, index: usize, step: &Step) {
        for (i, line) in step.dice.iter().enumerate() {
            match line.parse::<Script>() {
                Ok(script) => self.chance.extend([script]),
                Err(e) => {
                    let place = ["step".into(), index.into(), "dice".into(), i.into()];
                    self.broken = Some(self.source.fault(&place, e.to_string()).to_string());
                    return;
                }
            }
        }
    }

    fn step(&mut self, index: usize, step: &Step) {
        let name = format!("step {}", index + 1);
        self.feed(index, step);
        if self.broken.is_some() {
            return;
        }
        let from = self.log.events().len();
        let actions = actions_of(step);
        let last = actions.len().saturating_sub(1);
        for (i, action) in actions.iter().enumerate() {
            let refused = step.refused.as_ref().filter(|_| i == last);
            self.act(&name, index, action, refused.map(String::as_str), step.why.as_deref());
            if self.broken.is_some() || !self.wrong.is_empty() {
                return;
            }
        }
        if step.refused.is_some() && actions.is_empty() {
            self.wrong.push(format!("{name}: `refused` without a `do`"));
        }
        self.afterwards(&name, step, from);
    }

    fn act(&mut self, name: &str, index: usize, action: &Value, refused: Option<&str>, why: Option<&str>) {
        let before = self.battle.hash();
        let told = self.log.events().len();
        match (self.battle.apply(action, &mut self.chance, &mut self.log), refused) {
            (Ok(()), None) => {}
            (Ok(()), Some(clause)) => {
                self.wrong.push(format!("{name}: {action} was allowed, expected a refusal under {clause}"));
            }
            (Err(Refusal::Chance(fault)), _) => {
                // What came after the last die of the script was made up, so the story stops before this action.
                self.log.forget(told);
                self.broken = Some(format!("{}: {name}: {fault}", self.source.name));
            }
            (Err(Refusal::Malformed(e)), _) => {
                let place = ["step".into(), index.into(), "do".into()];
                self.broken =
                    Some(self.source.fault(&place, format!("{action} is no action: {e}")).to_string());
            }
            (Err(Refusal::Illegal(illegal)), Some(clause)) => {
                if illegal.clause != clause {
                    self.wrong.push(format!(
                        "{name}: {action} was refused under {}, expected {clause}: {}",
                        illegal.clause, illegal.why
                    ));
                }
                if why.is_some_and(|w| !illegal.why.contains(w)) {
                    self.wrong.push(format!(
                        "{name}: refused because \"{}\", expected \"{}\"",
                        illegal.why,
                        why.unwrap_or_default()
                    ));
                }
                if self.battle.hash() != before {
                    self.wrong.push(format!("{name}: the refused action changed the battle"));
                }
            }
            (Err(refusal), _) => self.wrong.push(format!("{name}: {action} was refused: {refusal}")),
        }
    }

    fn afterwards(&mut self, name: &str, step: &Step, from: usize) {
        self.compare(name, &step.expect);
        let pending = self.battle.pending();
        if let Some(kind) = &step.pending
            && pending.kind() != kind
        {
            self.wrong.push(format!(
                "{name}: expected the decision `{kind}` to be pending, came {}",
                asked(&pending)
            ));
        }
        if let Some(seat) = &step.seat {
            let came = pending.seat();
            let ok = match seat {
                Scalar::Whole(n) => came.is_some_and(|s| i64::from(s.0) == *n),
                other => came.is_some_and(|s| {
                    self.battle
                        .seats()
                        .iter()
                        .any(|i| i.seat == s && i.name.eq_ignore_ascii_case(&other.to_string()))
                }),
            };
            if !ok {
                self.wrong.push(format!("{name}: expected seat {seat} to decide, came {}", asked(&pending)));
            }
        }
        for action in &step.offered {
            if let Err(refusal) = self.battle.check(action) {
                self.wrong.push(format!("{name}: {action} should be offered, but: {refusal}"));
            }
        }
        for action in &step.not_offered {
            match self.battle.check(action) {
                Ok(()) => self.wrong.push(format!("{name}: {action} should not be offered, but is")),
                Err(Refusal::Malformed(e)) => {
                    self.broken = Some(format!("{}: {name}: {action} is no action: {e}", self.source.name));
                }
                Err(_) => {}
            }
        }
        let events: Vec<Value> =
            self.log.events()[from..].iter().map(|e| serde_json::to_value(e).unwrap_or_default()).collect();
        let mut next = 0;
        for listed in &step.events {
            match events[next..].iter().position(|e| expect::matches(e, listed)) {
                Some(i) => next += i + 1,
                None => self.wrong.push(format!("{name}: no event like {{ {} }} in order", inline(listed))),
            }
        }
        for listed in &step.no_events {
            if events.iter().any(|e| expect::matches(e, listed)) {
                self.wrong.push(format!("{name}: there is an event like {{ {} }}", inline(listed)));
            }
        }
    }

    fn compare(&mut self, name: &str, expected: &toml::Table) {
        if !expected.is_empty() {
            let lines = expect::compare(&self.battle.facts(), expected);
            self.wrong.extend(lines.into_iter().map(|line| format!("{name}: {line}")));
        }
    }

    fn finish(mut self, system: &dyn AnySystem) -> Report {
        let left = self.chance.left_over();
        if self.broken.is_none() && self.wrong.is_empty() && !left.is_empty() {
            self.wrong.push(format!("dice left over that nobody rolled: {}", left.join(" | ")));
        }
        let verdict = match self.broken {
            Some(why) => Verdict::Broken(why),
            None if self.wrong.is_empty() => Verdict::Passed,
            None => Verdict::Failed(self.wrong),
        };
        let story = Story::of(system.stories(), &*self.battle);
        let events = self.log.take();
        Report { verdict, story: events.iter().filter_map(|e| story.tell(e)).collect(), events }
    }
}

fn inline(listed: &toml::Table) -> String {
    listed.iter().map(|(k, v)| format!("{k} = {v}")).collect::<Vec<_>>().join(", ")
}

fn asked(pending: &Pending) -> String {
    match pending {
        Pending::Decision { seat, kind, .. } => format!("`{kind}` of seat {}", seat.0),
        Pending::Over(ending) => format!("the end ({})", ending.reason),
    }
}
