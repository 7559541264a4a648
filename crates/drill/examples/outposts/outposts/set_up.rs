//! The scenario file: the common words of every rulebook, and `men` for a company.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use tricorne_drill::readings;
use tricorne_drill::scenario::{Dialect, Nothing, Scenario};
use tricorne_game::view::Livery;
use tricorne_game::{Choices, Fault, Source, UnitId};

use super::battle::{Company, Field, Skirmish, State};
use super::{Options, rulebook};

/// What Outposts adds to the common words.
pub struct Words;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompanyWords {
    men: u8,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeadWords {
    /// A moment in the middle of a battle: who has had his order.
    #[serde(default)]
    done: Vec<UnitId>,
}

impl Dialect for Words {
    const RULESET: &'static str = "outposts";
    type Head = HeadWords;
    type Side = Nothing;
    type Seat = Nothing;
    type Ground = Nothing;
    type Unit = CompanyWords;
    type Objective = Nothing;
}

/// Reads a file and sets the companies out; what is wrong is said with its place.
pub fn set_up(file: &Source, choices: &Choices) -> Result<Skirmish, Fault> {
    let scenario: Scenario<Words> = Scenario::read(file)?;
    let options: Options = readings(rulebook::options(), file, &scenario.options, choices)?;
    let own = tricorne_drill::page(rulebook::FILES, "charts.toml");
    let charts = choices.data.get("charts.toml").map_or(own, String::as_str);
    let charts = Source::new("charts.toml", charts).parse()?;
    let mut units = Vec::new();
    for (i, unit) in scenario.units.iter().enumerate() {
        let fault = |key: &str, why: &str| file.fault(&["unit".into(), i.into(), key.into()], why);
        if unit.own.men == 0 || unit.own.men > 40 {
            return Err(fault("men", "a company has 1 to 40 men"));
        }
        let at = unit.at.ok_or_else(|| fault("at", "every company stands somewhere"))?;
        let done = scenario.own.done.contains(&unit.id);
        units.push(Company { id: unit.id, side: unit.side.0, men: unit.own.men, at: at.into(), done });
    }
    let field = Field {
        title: scenario.title,
        liveries: [0, 1].map(|i| scenario.sides[i].livery.unwrap_or([Livery::Red, Livery::Green][i])),
        sides: scenario.sides.into_iter().map(|s| s.name).collect(),
        names: scenario.units.iter().map(|u| u.name.clone()).collect(),
        starts: scenario.units.iter().map(|u| u.own.men).collect(),
        size: [scenario.table.width(), scenario.table.depth()],
        options,
        charts,
    };
    Ok(Skirmish { field: Arc::new(field), s: State { round: 1, active: 0, units, asked: None } })
}
