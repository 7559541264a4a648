//! What the rule systems bring: rulesets, scenarios, clauses, schemas.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::HeaderName;
use axum::http::header::CONTENT_TYPE;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::task::spawn_blocking;
use tricorne_agents::Level;
use tricorne_chance::Seed;
use tricorne_game::view::View;
use tricorne_game::{AnySystem, Choices, Clause, Fault, OptionSpec, SeatInfo, Source, Umpire, system_of};

use crate::JsonSchema;
use crate::error::ApiError;
use crate::openapi::MESSAGES;
use crate::picture::{InLight, Svg};
use crate::posted::Posted;
use crate::turn::Who;
use crate::{App, accounts, bounds};

/// What this server is.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AboutServer {
    /// The version of the program.
    version: String,
    /// Levels of the programs that play, weakest first.
    programs: Vec<String>,
    /// Whether a new game may name its seed, and a general's budget in tries.
    chosen_seeds: bool,
    /// The person logged in.
    user: Option<accounts::Person>,
}

pub(crate) async fn about(
    State(app): State<Arc<App>>,
    headers: axum::http::HeaderMap,
) -> Result<Json<AboutServer>, ApiError> {
    let user = accounts::user(&app, &headers).await?;
    Ok(Json(AboutServer {
        version: env!("CARGO_PKG_VERSION").into(),
        programs: Level::ALL
            .iter()
            .map(Level::to_string)
            .chain(app.config.bots.keys().map(|name| format!("{}{name}", crate::BOT)))
            .collect(),
        chosen_seeds: app.config.chosen_seeds,
        user: user.map(|name| accounts::Person { name }),
    }))
}

/// A rule system.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Ruleset {
    /// Its id.
    id: String,
    /// Its title.
    title: String,
    /// One line about it.
    blurb: String,
    /// `inch` or `cm`, as the view has it.
    unit: Value,
    /// The revision of its rules.
    revision: u32,
    /// Ids of its scenarios.
    scenarios: Vec<String>,
    /// Its options.
    options: Vec<OptionSpec>,
}

pub(crate) async fn rulesets(State(app): State<Arc<App>>) -> Json<Vec<Ruleset>> {
    let list = app.config.systems.iter().map(|system| {
        let about = system.about();
        Ruleset {
            id: about.id.into(),
            title: about.title.into(),
            blurb: about.blurb.into(),
            unit: serde_json::to_value(about.unit).unwrap_or_default(),
            revision: about.revision,
            scenarios: system.scenarios().iter().map(|s| s.id.into()).collect(),
            options: system.options().specs.clone(),
        }
    });
    Json(list.collect())
}

/// A scenario.
#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct Scenario {
    /// Its id.
    id: String,
    /// The rule system.
    ruleset: String,
    /// Its title.
    title: String,
    /// Who sits at the table.
    seats: Vec<SeatInfo>,
    /// The names of the sides.
    sides: Vec<String>,
    /// Who comes out ahead between equal programs and how often, where it is not about even.
    favours: Option<String>,
}

/// A scenario with its text and its table.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ScenarioPage {
    #[serde(flatten)]
    scenario: Scenario,
    /// The TOML.
    text: String,
    /// What its file says of it, in a sentence or two; empty where it says nothing.
    story: String,
    /// What a spectator sees before the first action. Where a scenario rolls for something, this is one way it may fall.
    view: View,
}

/// Scenarios of one rule system, or all.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct OfRuleset {
    /// Only those of this rule system.
    ruleset: Option<String>,
}

pub(crate) async fn scenarios(
    State(app): State<Arc<App>>,
    Query(of): Query<OfRuleset>,
) -> Result<Json<Vec<Scenario>>, ApiError> {
    let systems = app.config.systems;
    let list = app
        .scenarios
        .get_or_try_init(|| async move {
            spawn_blocking(move || {
                systems
                    .iter()
                    .flat_map(|system| system.scenarios().iter().map(move |s| (*system, s.id)))
                    .filter_map(|(system, id)| look(system, id).ok())
                    .map(|page| page.scenario)
                    .collect::<Vec<_>>()
            })
            .await
        })
        .await?;
    let list = list.iter().filter(|s| of.ruleset.as_ref().is_none_or(|r| *r == s.ruleset));
    Ok(Json(list.cloned().collect()))
}

fn look(system: &'static dyn AnySystem, id: &str) -> Result<ScenarioPage, ApiError> {
    let found = system.scenarios().iter().find(|s| s.id == id);
    let found = found.ok_or_else(|| {
        ApiError::not_found(format!("there is no scenario `{id}`; /api/scenarios lists them"))
    })?;
    let source = Source::new(format!("{id}.toml"), found.text);
    let mut page = laid(system, id, source).map_err(|e| ApiError::internal(&e))?;
    page.scenario.favours = found.favours.map(str::to_owned);
    Ok(page)
}

/// The table of a scenario, laid once to look at it.
fn laid(system: &'static dyn AnySystem, id: &str, source: Source) -> Result<ScenarioPage, Fault> {
    #[derive(Deserialize)]
    struct Head {
        #[serde(default)]
        story: String,
    }
    let umpire = Umpire::begin(system, &source, &Choices::default(), Seed::from(1))?;
    let view = umpire.battle().view(None);
    // Files of the older form have other words for it.
    let written = system.upgraded(&source)?.map(|text| Source::new(source.name.clone(), text));
    let Head { story } = written.as_ref().unwrap_or(&source).parse()?;
    Ok(ScenarioPage {
        scenario: Scenario {
            id: id.into(),
            ruleset: system.about().id.into(),
            title: view.title.clone(),
            seats: view.seats.clone(),
            sides: view.sides.iter().map(|s| s.name.clone()).collect(),
            favours: None,
        },
        text: source.text,
        story,
        view,
    })
}

/// A scenario file of somebody's own.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OwnScenario {
    /// The file's name, for what is said about it.
    name: String,
    /// Its TOML.
    text: String,
}

pub(crate) async fn own_scenario(
    State(app): State<Arc<App>>,
    who: Who,
    Posted(OwnScenario { name, text }): Posted<OwnScenario>,
) -> Result<Json<ScenarioPage>, ApiError> {
    let name: String = name.chars().filter(|c| !c.is_control()).take(80).collect();
    let systems = app.config.systems;
    let page = app.long(who, move || {
        bounds::file(&text)?;
        let source = Source::new(name, text);
        let system = system_of(systems, &source).map_err(|fault| fault.to_string())?;
        laid(system, "own", source).map_err(|fault| fault.to_string())
    });
    Ok(Json(page.await?.map_err(ApiError::bad)?))
}

pub(crate) async fn scenario(
    State(app): State<Arc<App>>,
    who: Who,
    Path((ruleset, id)): Path<(String, String)>,
) -> Result<Json<ScenarioPage>, ApiError> {
    let system = app.known_system(&ruleset)?;
    Ok(Json(app.long(who, move || look(system, &id)).await??))
}

pub(crate) async fn scenario_picture(
    State(app): State<Arc<App>>,
    who: Who,
    Path((ruleset, id)): Path<(String, String)>,
    axum::extract::Query(InLight { light }): axum::extract::Query<InLight>,
) -> Result<Svg, ApiError> {
    let system = app.known_system(&ruleset)?;
    let draw = app.config.picture;
    app.long(who, move || Svg::draw(draw, &look(system, &id)?.view, light)).await?
}

pub(crate) async fn rules(
    State(app): State<Arc<App>>,
    Path(ruleset): Path<String>,
) -> Result<Json<&'static Vec<Clause>>, ApiError> {
    Ok(Json(&app.known_system(&ruleset)?.book().clauses))
}

pub(crate) async fn clause(
    State(app): State<Arc<App>>,
    Path((ruleset, clause)): Path<(String, String)>,
) -> Result<Json<&'static Clause>, ApiError> {
    let found = app.known_system(&ruleset)?.book().clause(&clause);
    found.map(Json).ok_or_else(|| ApiError::not_found(format!("`{ruleset}` has no clause `{clause}`")))
}

pub(crate) async fn message_schemas() -> ([(HeaderName, &'static str); 1], &'static str) {
    ([(CONTENT_TYPE, "application/json")], MESSAGES)
}

pub(crate) async fn system_schemas(
    State(app): State<Arc<App>>,
    who: Who,
    Path(ruleset): Path<String>,
) -> Result<Json<BTreeMap<&'static str, Value>>, ApiError> {
    let system = app.known_system(&ruleset)?;
    let schemas = app.long(who, move || {
        BTreeMap::from([("action", system.action_schema()), ("scenario", system.scenario_schema())])
    });
    Ok(Json(schemas.await?))
}
