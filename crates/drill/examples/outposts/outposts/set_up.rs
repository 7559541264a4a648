//! The scenario file.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use tricorne_game::{Choices, Fault, Source, UnitId};
use tricorne_table::Point;

use super::battle::{Company, Field, Skirmish, State};
use super::{CHARTS, OPTIONS, Options};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    format: u32,
    ruleset: String,
    title: String,
    table: Size,
    side: Vec<Named>,
    unit: Vec<Unit>,
    /// A moment in the middle of a battle: who has had his order.
    #[serde(default)]
    done: Vec<UnitId>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Size {
    width: f64,
    height: f64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Unit {
    id: UnitId,
    side: String,
    name: String,
    men: u8,
    at: [f64; 2],
}

/// Reads a file and sets the companies out; what is wrong is said with its place.
pub fn set_up(file: &Source, choices: &Choices) -> Result<Skirmish, Fault> {
    let scenario: Scenario = file.parse()?;
    if scenario.format != 2 || scenario.ruleset != "outposts" {
        return Err(file.fault(&["ruleset".into()], "this is no scenario of Outposts, format 2"));
    }
    if scenario.side.len() != 2 {
        return Err(file.fault(&["side".into()], "two sides are needed"));
    }
    for (id, value) in &choices.options {
        OPTIONS.check(id, value).map_err(|e| file.fault(&[], e))?;
    }
    let options: Options = OPTIONS.resolve(&choices.options).map_err(|e| file.fault(&[], e))?;
    let charts = choices.data.get("charts.toml").map_or(CHARTS, String::as_str);
    let charts = Source::new("charts.toml", charts).parse()?;
    let mut units = Vec::new();
    for (i, unit) in scenario.unit.iter().enumerate() {
        let fault = |key: &str, why: &str| file.fault(&["unit".into(), i.into(), key.into()], why);
        let side = scenario.side.iter().position(|s| s.name == unit.side);
        let side = side.ok_or_else(|| fault("side", "no side has that name"))? as u8;
        if unit.men == 0 || unit.men > 40 {
            return Err(fault("men", "a company has 1 to 40 men"));
        }
        let at = Point::from(unit.at);
        if !(0.0..=scenario.table.width).contains(&at.x) || !(0.0..=scenario.table.height).contains(&at.y) {
            return Err(fault("at", "that is not on the table"));
        }
        let done = scenario.done.contains(&unit.id);
        units.push(Company { id: unit.id, side, men: unit.men, at: unit.at, done });
    }
    let field = Field {
        title: scenario.title,
        sides: scenario.side.into_iter().map(|s| s.name).collect(),
        names: scenario.unit.iter().map(|u| u.name.clone()).collect(),
        starts: scenario.unit.iter().map(|u| u.men).collect(),
        size: [scenario.table.width, scenario.table.height],
        options,
        charts,
    };
    Ok(Skirmish { field: Arc::new(field), s: State { round: 1, active: 0, units, asked: None } })
}
