//! The evening before the battle: armies picked, paper printed, ground rolled, scenarios drawn.
//!
//! Nothing here is kept by the server. The page holds the army or the scenario as text and sends it along, so there is
//! nothing to lose, and a link or a file is enough to go on elsewhere.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use tricorne_chance::{Seed, Seeded};
use tricorne_draft::{Absent, Draft, DraftError, Edit, Feature, Placed};
use tricorne_game::army::{Army, ArmyList, ArmyReport, MusterCall, ReferenceSheet};
use tricorne_game::drafting::{DraftSide, Drafting};
use tricorne_game::view::View;
use tricorne_game::{AnySystem, Choices, Fault, Source};
use tricorne_paper::{Leaf, PaperError, PaperSize, counters, html, labels, pdf, reference_pages, roster};
use tricorne_table::Point;

use crate::JsonSchema;
use crate::error::ApiError;
use crate::picture::{Light, Svg};
use crate::posted::Posted;
use crate::turn::Who;
use crate::{App, bounds};

/// Something in a file that must be mended.
#[derive(Serialize, JsonSchema)]
pub(crate) struct FaultFacts {
    /// The line, from 1, where known.
    line: Option<usize>,
    /// The place in the file's own terms: `units[3].kind`.
    place: String,
    /// What is wrong and what was expected.
    problem: String,
}

impl From<Fault> for FaultFacts {
    fn from(fault: Fault) -> Self {
        Self { line: fault.at.map(|(line, _)| line), place: fault.place(), problem: fault.problem }
    }
}

/// An army with its file and its reckoning.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Reckoned {
    /// The army.
    army: Army,
    /// Its file.
    text: String,
    /// What it costs and which limits it breaks.
    report: ArmyReport,
}

fn reckon(system: &dyn AnySystem, army: Army) -> Reckoned {
    Reckoned { text: army.text(), report: system.check_army(&army), army }
}

/// The lists of a system.
pub(crate) async fn army_lists(
    State(app): State<Arc<App>>,
    Path(ruleset): Path<String>,
) -> Result<Json<Vec<ArmyList>>, ApiError> {
    Ok(Json(app.known_system(&ruleset)?.army_lists()))
}

/// A wish for an army by chance.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Muster {
    /// The rule system.
    ruleset: String,
    /// The list; none picks one by chance.
    list: Option<String>,
    /// The points; none takes the list's own.
    points: Option<f64>,
    /// The seed of the dice.
    seed: String,
}

pub(crate) async fn muster(
    State(app): State<Arc<App>>,
    who: Who,
    Posted(wish): Posted<Muster>,
) -> Result<Json<Reckoned>, ApiError> {
    let system = app.known_system(&wish.ruleset)?;
    let seed = seed(&wish.seed)?;
    let call = MusterCall { list: wish.list, points: wish.points };
    let made =
        app.long(who, move || system.muster(&call, &mut Seeded::new(seed)).map(|army| reckon(system, army)));
    Ok(Json(made.await?.map_err(ApiError::bad)?))
}

/// An army, picked or as a file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub(crate) enum ArmyGiven {
    /// Picked on the page.
    Army(Army),
    /// The text of an army file.
    Text(String),
}

impl ArmyGiven {
    fn read(self) -> Result<Army, ApiError> {
        match self {
            Self::Army(army) => Ok(army),
            Self::Text(text) => {
                bounds::file(&text).map_err(ApiError::bad)?;
                Army::read(&Source::new("army", text)).map_err(|fault| ApiError::bad(fault.to_string()))
            }
        }
    }
}

pub(crate) async fn check(
    State(app): State<Arc<App>>,
    who: Who,
    Posted(given): Posted<ArmyGiven>,
) -> Result<Json<Reckoned>, ApiError> {
    let army = given.read()?;
    let system = app.known_system(&army.ruleset)?;
    Ok(Json(app.long(who, move || reckon(system, army)).await?))
}

/// What goes on paper, and in which form.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Form {
    /// A page to print from a browser.
    #[default]
    Html,
    /// A file to print from anywhere.
    Pdf,
}

/// Which paper of an army is wanted.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sheet {
    /// Its units with a box for every figure, and the rules they need.
    #[default]
    Roster,
    /// Its bases to cut out, true to size.
    Counters,
    /// A label for each unit.
    Labels,
}

/// An army to be printed.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PrintArmy {
    /// The army.
    army: Army,
    /// Roster, counters or labels.
    #[serde(default)]
    sheet: Sheet,
    /// HTML or PDF.
    #[serde(default)]
    form: Form,
    /// The paper's size; without it, A4.
    #[serde(default)]
    paper: Option<Paper>,
}

pub(crate) async fn print(
    State(app): State<Arc<App>>,
    who: Who,
    Posted(wish): Posted<PrintArmy>,
) -> Result<Response, ApiError> {
    let system = app.known_system(&wish.army.ruleset)?;
    let paper = paper(wish.paper);
    app.long(who, move || {
        let report = system.check_army(&wish.army);
        if let Some(broken) = report.broken.first() {
            return Err(ApiError::bad(format!("{} [{}]", broken.why, broken.clause)));
        }
        let on_paper = system
            .roster(&wish.army)
            .ok_or_else(|| ApiError::bad(format!("{} has no rosters", system.about().title)))?;
        let leaves = match wish.sheet {
            Sheet::Roster => roster(&on_paper, paper).map(|leaf| vec![leaf]),
            Sheet::Counters => counters(&on_paper, system.about().unit, paper),
            Sheet::Labels => Ok(labels(&on_paper, paper)),
        };
        printed(leaves, wish.form)
    })
    .await?
}

/// How a sheet is wanted.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct SheetQuery {
    /// HTML or PDF.
    #[serde(default)]
    form: Form,
    /// The paper's size; without it, A4.
    paper: Option<Paper>,
    /// House rules as they are played, `NAME=VALUE` each, with commas between them.
    #[serde(default)]
    options: String,
}

/// House rules as a query says them.
fn chosen(system: &dyn AnySystem, text: &str) -> Result<Choices, ApiError> {
    let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').ok_or_else(|| {
            ApiError::bad(format!(
                "`{pair}` is no house rule; write for example options=NAME=VALUE,NAME=VALUE"
            ))
        })?;
        let (name, value) = (name.trim(), value.trim());
        system.options().check(name, value).map_err(|why| ApiError::bad(format!("{pair}: {why}")))?;
        Ok((name.to_owned(), value.to_owned()))
    });
    let options = pairs.collect::<Result<_, ApiError>>()?;
    Ok(Choices { options, ..Choices::default() })
}

pub(crate) async fn sheet(
    State(app): State<Arc<App>>,
    who: Who,
    Path(ruleset): Path<String>,
    Query(wish): Query<SheetQuery>,
) -> Result<Response, ApiError> {
    let system = app.known_system(&ruleset)?;
    let paper = paper(wish.paper);
    app.long(who, move || {
        let sheet = reference(system, &wish.options)?;
        printed(reference_pages(&sheet, paper), wish.form)
    })
    .await?
}

/// House rules that charts are wanted with.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct AsPlayed {
    /// `NAME=VALUE` each, with commas between them.
    #[serde(default)]
    options: String,
}

/// The charts of a sheet, for a page that shows them itself.
pub(crate) async fn charts(
    State(app): State<Arc<App>>,
    Path(ruleset): Path<String>,
    Query(wish): Query<AsPlayed>,
) -> Result<Json<ReferenceSheet>, ApiError> {
    let system = app.known_system(&ruleset)?;
    reference(system, &wish.options).map(Json)
}

/// A system's charts as played.
fn reference(system: &dyn AnySystem, options: &str) -> Result<ReferenceSheet, ApiError> {
    let sheet = system.reference(&chosen(system, options)?);
    sheet.ok_or_else(|| ApiError::not_found(format!("{} has no sheet", system.about().title)))
}

fn printed(leaves: Result<Vec<Leaf>, PaperError>, form: Form) -> Result<Response, ApiError> {
    let leaves = leaves.map_err(|why| ApiError::bad(why.to_string()))?;
    // A printed page is a document of its own: its fonts and styles are inside it, and it may do nothing else.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox allow-modals";
    Ok(match form {
        Form::Html => (
            [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)],
            html(&leaves),
        )
            .into_response(),
        Form::Pdf => {
            let file = pdf(&leaves).map_err(|why| ApiError::internal(&why))?;
            ([(header::CONTENT_TYPE, "application/pdf")], file).into_response()
        }
    })
}

/// A size of paper.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Paper {
    /// 210 by 297 millimetres.
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

fn paper(size: Option<Paper>) -> PaperSize {
    match size {
        None => PaperSize::default(),
        Some(Paper::A4) => PaperSize::A4,
        Some(Paper::Letter) => PaperSize::Letter,
    }
}

fn seed(text: &str) -> Result<Seed, ApiError> {
    text.parse().map_err(|why| ApiError::bad(format!("seed: {why}")))
}

/// Two armies to be pitched against each other.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pitch {
    /// The armies.
    armies: [Army; 2],
    /// The seed of the ground; none is an open table.
    terrain: Option<String>,
    /// Width and depth of the table; none is the usual one.
    table: Option<[f64; 2]>,
}

/// A scenario file.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ScenarioFile {
    /// The TOML.
    text: String,
}

pub(crate) async fn pitch(
    State(app): State<Arc<App>>,
    who: Who,
    Posted(wish): Posted<Pitch>,
) -> Result<Json<ScenarioFile>, ApiError> {
    let [first, second] = &wish.armies;
    if first.ruleset != second.ruleset {
        return Err(ApiError::bad(format!(
            "{} is of {}, {} of {}; both must be of one rule system",
            first.name, first.ruleset, second.name, second.ruleset
        )));
    }
    let system = app.known_system(&first.ruleset)?;
    let ground = wish.terrain.as_deref().map(seed).transpose()?;
    let text = app.long(who, move || {
        let terrain = match ground {
            Some(seed) => system.random_terrain(wish.table, &mut Seeded::new(seed))?,
            None => String::new(),
        };
        system.pitch(&wish.armies, &terrain, wish.table)
    });
    Ok(Json(ScenarioFile { text: text.await?.map_err(ApiError::bad)? }))
}

/// What an editor must know of a system's files.
pub(crate) async fn drafting(
    State(app): State<Arc<App>>,
    Path(ruleset): Path<String>,
) -> Result<Json<Drafting>, ApiError> {
    let system = app.known_system(&ruleset)?;
    let told = system.drafting();
    told.map(Json).ok_or_else(|| refuse(&DraftError::NoDrafting(system.about().title.into())))
}

/// Ground by chance.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Ground {
    /// The entries of a scenario file.
    terrain: String,
}

/// Which ground, on which table.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct OfSeed {
    /// The seed of the dice.
    seed: String,
    /// Width and depth of the table, both or neither.
    width: Option<f64>,
    /// Its depth.
    depth: Option<f64>,
}

pub(crate) async fn terrain(
    State(app): State<Arc<App>>,
    who: Who,
    Path(ruleset): Path<String>,
    Query(of): Query<OfSeed>,
) -> Result<Json<Ground>, ApiError> {
    let system = app.known_system(&ruleset)?;
    let seed = seed(&of.seed)?;
    let table = of.width.zip(of.depth).map(|(width, depth)| [width, depth]);
    let terrain = app.long(who, move || system.random_terrain(table, &mut Seeded::new(seed))).await?;
    Ok(Json(Ground { terrain: terrain.map_err(ApiError::bad)? }))
}

/// A scenario in the editor.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DraftGiven {
    /// The rule system.
    ruleset: String,
    /// The file's text; none begins a new one.
    text: Option<String>,
    /// The edit to make.
    edit: Option<Edit>,
}

/// A scenario as an editor shows it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Drawn {
    /// The file's text.
    text: String,
    /// The file given was of an older format; this is it in the present one.
    anew: bool,
    /// What the loader says against it; none when it can be played.
    fault: Option<FaultFacts>,
    /// What stands on the table, as the file has it.
    placed: Vec<Placed>,
    /// What could stand there and has no place in the file.
    absent: Vec<Absent>,
    /// The corners of each piece of ground; none for one written in a way of its own.
    ground: Vec<Option<Vec<Point>>>,
    /// Objectives, zones, exits, crests.
    features: Vec<Feature>,
    /// The sides, as the file names them.
    sides: Vec<DraftSide>,
    /// Width and depth of the table.
    table: (f64, f64),
    /// What the file says, for forms.
    file: serde_json::Value,
    /// The table; none when the file can't be drawn yet.
    view: Option<View>,
}

pub(crate) async fn draft(
    State(app): State<Arc<App>>,
    who: Who,
    Posted(given): Posted<DraftGiven>,
) -> Result<Json<Drawn>, ApiError> {
    let system = app.known_system(&given.ruleset)?;
    let drawn = app.long(who, move || {
        given.text.as_deref().map_or(Ok(()), bounds::file).map_err(ApiError::bad)?;
        drawn(system, given).map_err(|why| refuse(&why))
    });
    Ok(Json(drawn.await??))
}

fn drawn(system: &dyn AnySystem, given: DraftGiven) -> Result<Drawn, DraftError> {
    let mut draft = match &given.text {
        Some(text) => Draft::open(system, text)?,
        None => Draft::blank(system)?,
    };
    if let Some(edit) = &given.edit {
        draft.make(edit)?;
    }
    Ok(Drawn {
        text: draft.text(),
        anew: draft.is_written_anew(),
        fault: draft.fault(system).map(FaultFacts::from),
        placed: draft.placed(),
        absent: draft.absent(),
        ground: draft.ground(),
        features: draft.features(),
        sides: draft.sides(),
        table: draft.table(),
        file: draft.values(),
        view: draft.view(system).ok(),
    })
}

pub(crate) async fn draft_picture(
    State(app): State<Arc<App>>,
    who: Who,
    Posted(given): Posted<DraftGiven>,
) -> Result<Svg, ApiError> {
    let system = app.known_system(&given.ruleset)?;
    let draw = app.config.picture;
    app.long(who, move || {
        given.text.as_deref().map_or(Ok(()), bounds::file).map_err(ApiError::bad)?;
        let drawn = drawn(system, given).map_err(|why| refuse(&why))?;
        let view = drawn.view.ok_or_else(|| {
            ApiError::bad(drawn.fault.map_or_else(|| "it can't be drawn yet".to_owned(), |f| f.problem))
        })?;
        Svg::draw(draw, &view, Light::Light)
    })
    .await?
}

/// How a scenario falls out between equal players.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Fairness {
    /// Battles fought.
    pub battles: u64,
    /// Battles nobody won.
    pub draws: u64,
    /// Each side's share, a draw counted as half.
    pub shares: Vec<f64>,
    /// Where the first side's share lies with a confidence of 95 %.
    pub interval: (f64, f64),
}

/// Fights battles of a scenario (a rule system's id, the file's text, how many) between equal players.
pub type Judge = fn(&str, &str, u64) -> Result<Fairness, String>;

/// A scenario to be judged.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FairnessAsked {
    /// The rule system.
    ruleset: String,
    /// The file's text.
    text: String,
    /// How many battles; a hundred at most.
    battles: u64,
}

pub(crate) async fn fairness(
    State(app): State<Arc<App>>,
    who: Who,
    Posted(asked): Posted<FairnessAsked>,
) -> Result<Json<Fairness>, ApiError> {
    // Battles take every core there is: one scenario at a time, the others are told to wait.
    static ONE: Semaphore = Semaphore::const_new(1);
    let system = app.known_system(&asked.ruleset)?;
    let judge = app.config.judge.ok_or_else(|| ApiError::not_found("this server judges no scenarios"))?;
    let _turn = ONE.try_acquire().map_err(|_| {
        ApiError::new(
            StatusCode::TOO_MANY_REQUESTS,
            "busy",
            "another scenario is being judged; try again soon",
        )
    })?;
    let battles = asked.battles.clamp(1, 100);
    let id = system.about().id;
    let judged = app.long(who, move || {
        bounds::file(&asked.text)?;
        judge(id, &asked.text, battles)
    });
    let judged = judged.await?;
    Ok(Json(judged.map_err(ApiError::bad)?))
}

fn refuse(why: &DraftError) -> ApiError {
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "draft", why.to_string())
}
