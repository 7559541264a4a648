//! Every request there is, and the OpenAPI description made from the same list.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::routing::{get, post};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};
use tricorne_game::Clause;
use tricorne_game::army::ArmyList;
use tricorne_game::drafting::Drafting;
use tricorne_game::view::View;

use crate::error::ErrorBody;
use crate::facts::{ForkGame, GameFacts, MadeGame, NewGame};
use crate::messages::{Request, Saying};
use crate::notices::{LobbyAsk, LobbySay};
use crate::{App, accounts, keeper, live, lobby, notices, page, replay, rulebooks, sessions, workshop};

/// Requests and their description, grown side by side.
struct Routes {
    router: Router<Arc<App>>,
    paths: Map<String, Value>,
    generator: SchemaGenerator,
    /// The same types as they are read and as they are written, for the page.
    read: SchemaGenerator,
    written: SchemaGenerator,
}

/// What a request answers with.
enum Answer {
    Json(Value),
    Type(&'static str),
}

/// One request.
struct Line<'a> {
    method: &'a str,
    path: &'a str,
    about: &'a str,
    query: &'a [(&'a str, &'a str)],
}

impl Routes {
    fn schema<T: JsonSchema>(&mut self) -> Value {
        self.generator.subschema_for::<T>().to_value()
    }

    fn describe(&mut self, line: &Line<'_>, body: Option<Value>, answer: Answer) {
        let error = self.schema::<ErrorBody>();
        let in_path = line.path.split('{').skip(1).filter_map(|p| p.split('}').next());
        let mut parameters: Vec<Value> = in_path
            .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}))
            .collect();
        parameters.extend(line.query.iter().map(
            |(name, kind)| json!({"name": name, "in": "query", "required": false, "schema": {"type": kind}}),
        ));
        let content = match answer {
            Answer::Json(schema) => json!({"application/json": {"schema": schema}}),
            Answer::Type(kind) => Value::Object(Map::from_iter([(kind.to_owned(), json!({}))])),
        };
        let mut operation = json!({
            "summary": line.about,
            "parameters": parameters,
            "responses": {
                "2XX": {"description": "Done", "content": content},
                "default": {
                    "description": "Not done, and why",
                    "content": {"application/json": {"schema": error}}
                }
            }
        });
        if let Some(schema) = body {
            operation["requestBody"] =
                json!({"required": true, "content": {"application/json": {"schema": schema}}});
        }
        let path = self.paths.entry(line.path).or_insert_with(|| json!({}));
        path[line.method] = operation;
    }

    fn get<A: JsonSchema, H: Handler<T, Arc<App>>, T: 'static>(
        self,
        path: &str,
        about: &str,
        handler: H,
    ) -> Self {
        self.find::<A, H, T>(path, about, &[], handler)
    }

    fn find<A: JsonSchema, H: Handler<T, Arc<App>>, T: 'static>(
        mut self,
        path: &str,
        about: &str,
        query: &[(&str, &str)],
        handler: H,
    ) -> Self {
        let answer = Answer::Json(self.schema::<A>());
        self.written.subschema_for::<A>();
        self.describe(&Line { method: "get", path, about, query }, None, answer);
        self.router = self.router.route(path, get(handler));
        self
    }

    fn fetch<H: Handler<T, Arc<App>>, T: 'static>(
        mut self,
        path: &str,
        about: &str,
        kind: &'static str,
        query: &[(&str, &str)],
        handler: H,
    ) -> Self {
        self.describe(&Line { method: "get", path, about, query }, None, Answer::Type(kind));
        self.router = self.router.route(path, get(handler));
        self
    }

    fn post<B: JsonSchema, A: JsonSchema, H: Handler<T, Arc<App>>, T: 'static>(
        mut self,
        path: &str,
        about: &str,
        most: usize,
        handler: H,
    ) -> Self {
        let (body, answer) = (self.schema::<B>(), Answer::Json(self.schema::<A>()));
        self.read.subschema_for::<B>();
        self.written.subschema_for::<A>();
        self.describe(&Line { method: "post", path, about, query: &[] }, Some(body), answer);
        self.router = self.router.route(path, post(handler).layer(DefaultBodyLimit::max(most)));
        self
    }
}

const SMALL: usize = 64 * 1024;
const SCENARIO: usize = 1024 * 1024;
const JOURNAL: usize = 16 * 1024 * 1024;

fn all() -> Routes {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    // The messages come first, so that their types keep their names if others have the same.
    let mut read = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    read.subschema_for::<Request>();
    read.subschema_for::<LobbyAsk>();
    let mut written = SchemaSettings::draft2020_12().for_serialize().into_generator();
    written.subschema_for::<Saying>();
    written.subschema_for::<LobbySay>();
    let routes = Routes {
        router: Router::new(),
        paths: Map::new(),
        generator: settings.into_generator(),
        read,
        written,
    };
    routes
        .get::<rulebooks::AboutServer, _, _>(
            "/api/about",
            "What this server is, and who is logged in",
            rulebooks::about,
        )
        .get::<keeper::Health, _, _>("/api/health", "Whether the program runs", keeper::health)
        .get::<keeper::Health, _, _>("/api/ready", "Whether a change would be kept", keeper::ready)
        .get::<Vec<rulebooks::Ruleset>, _, _>("/api/rulesets", "Every rule system", rulebooks::rulesets)
        .find::<Vec<rulebooks::Scenario>, _, _>(
            "/api/scenarios",
            "Every scenario",
            &[("ruleset", "string")],
            rulebooks::scenarios,
        )
        .post::<rulebooks::OwnScenario, rulebooks::ScenarioPage, _, _>(
            "/api/scenarios",
            "Looks a scenario of one's own over, and keeps nothing",
            SCENARIO,
            rulebooks::own_scenario,
        )
        .get::<rulebooks::ScenarioPage, _, _>(
            "/api/scenarios/{ruleset}/{id}",
            "One scenario",
            rulebooks::scenario,
        )
        .fetch(
            "/api/scenarios/{ruleset}/{id}/picture.svg",
            "A picture of a scenario",
            "image/svg+xml",
            &[("light", "string")],
            rulebooks::scenario_picture,
        )
        .get::<Vec<Clause>, _, _>("/api/rules/{ruleset}", "The clauses of a rulebook", rulebooks::rules)
        .get::<Clause, _, _>("/api/rules/{ruleset}/{clause}", "One clause", rulebooks::clause)
        .get::<Value, _, _>(
            "/api/schema",
            "JSON schemas of the WebSocket messages",
            rulebooks::message_schemas,
        )
        .get::<Value, _, _>("/api/schema/{ruleset}", "JSON schemas of a system", rulebooks::system_schemas)
        .get::<lobby::Listed, _, _>("/api/games", "Games to join or watch, and one's own", lobby::games)
        .post::<NewGame, MadeGame, _, _>("/api/games", "Makes a game", SCENARIO, lobby::new_game)
        .get::<GameFacts, _, _>("/api/games/{id}", "Facts of a game", lobby::game)
        .post::<lobby::JoinGame, lobby::Joined, _, _>(
            "/api/games/{id}/join",
            "Takes an open seat",
            SMALL,
            lobby::join,
        )
        .post::<lobby::ClaimGame, lobby::Claimed, _, _>(
            "/api/games/{id}/claim",
            "Puts seats under one's name",
            SMALL,
            lobby::claim,
        )
        .fetch(
            "/api/games/{id}/picture.svg",
            "A picture of the table as a spectator sees it; `n` and `seat` for battles that are over",
            "image/svg+xml",
            &[("n", "integer"), ("seat", "integer"), ("light", "string")],
            lobby::picture,
        )
        .fetch(
            "/api/games/{id}/journal",
            "The journal of a battle that is over",
            "application/x-ndjson",
            &[],
            replay::journal,
        )
        .get::<replay::ReplayFacts, _, _>(
            "/api/games/{id}/replay",
            "A battle that is over, moment by moment",
            replay::replay,
        )
        .find::<View, _, _>(
            "/api/games/{id}/view",
            "A moment of a battle that is over",
            &[("n", "integer"), ("seat", "integer")],
            replay::view,
        )
        .post::<ForkGame, MadeGame, _, _>(
            "/api/games/{id}/fork",
            "Plays on from a moment",
            SMALL,
            replay::fork,
        )
        .post::<String, replay::Brought, _, _>(
            "/api/journals",
            "Keeps a journal",
            JOURNAL,
            replay::bring_journal,
        )
        .post::<accounts::Credentials, accounts::Person, _, _>(
            "/api/register",
            "Makes a name",
            SMALL,
            accounts::register,
        )
        .post::<accounts::Credentials, accounts::Person, _, _>(
            "/api/login",
            "Logs in",
            SMALL,
            accounts::login,
        )
        .post::<sessions::NewPassword, accounts::Person, _, _>(
            "/api/password",
            "Changes one's password, and ends every other session",
            SMALL,
            sessions::password,
        )
        .get::<Vec<sessions::SessionFacts>, _, _>("/api/sessions", "One's own sessions", sessions::sessions)
        .post::<sessions::EndSessions, Value, _, _>(
            "/api/sessions/end",
            "Ends one session, or all but this",
            SMALL,
            sessions::end,
        )
        .post::<Value, Value, _, _>("/api/logout", "Logs out", SMALL, accounts::logout)
        .workshop()
        .fetch(
            "/api/games/{id}/live",
            "Live play: a WebSocket, whose messages /api/schema describes",
            "application/json",
            &[],
            live::live,
        )
        .fetch(
            "/api/live",
            "The bell: a WebSocket that tells when it is one's decision in any of one's games",
            "application/json",
            &[],
            notices::listen,
        )
}

/// The schemas of every message and body, as it is read, and of every message and answer, as it is written, by name.
pub(crate) fn schemas() -> (BTreeMap<String, Value>, BTreeMap<String, Value>) {
    let mut routes = all();
    routes.written.subschema_for::<ErrorBody>();
    let read = routes.read.take_definitions(true).into_iter().collect();
    (read, routes.written.take_definitions(true).into_iter().collect())
}

impl Routes {
    /// Armies, paper, ground and scenarios of one's own.
    fn workshop(self) -> Self {
        self.get::<Vec<ArmyList>, _, _>(
            "/api/armies/{ruleset}",
            "The lists armies are picked from",
            workshop::army_lists,
        )
        .post::<workshop::Muster, workshop::Reckoned, _, _>(
            "/api/armies/muster",
            "A legal army by chance",
            SMALL,
            workshop::muster,
        )
        .post::<workshop::ArmyGiven, workshop::Reckoned, _, _>(
            "/api/armies/check",
            "What an army costs and which limits it breaks",
            SMALL,
            workshop::check,
        )
        .post::<workshop::PrintArmy, Value, _, _>(
            "/api/armies/print",
            "A roster, or counters or labels to cut out, as HTML or PDF",
            SMALL,
            workshop::print,
        )
        .post::<workshop::Pitch, workshop::ScenarioFile, _, _>(
            "/api/armies/pitch",
            "A scenario of two armies against each other",
            SMALL,
            workshop::pitch,
        )
        .fetch(
            "/api/sheets/{ruleset}",
            "A system's charts on one page",
            "text/html",
            &[("form", "string"), ("paper", "string")],
            workshop::sheet,
        )
        .find::<workshop::Ground, _, _>(
            "/api/terrain/{ruleset}",
            "Ground by chance, for a table of this width and depth or for the usual one",
            &[("seed", "string"), ("width", "number"), ("depth", "number")],
            workshop::terrain,
        )
        .get::<Drafting, _, _>(
            "/api/drafts/{ruleset}",
            "What an editor must know of a system's scenario files",
            workshop::drafting,
        )
        .post::<workshop::DraftGiven, workshop::Drawn, _, _>(
            "/api/drafts",
            "Opens or begins a scenario, makes an edit, and tells what the loader thinks",
            SCENARIO,
            workshop::draft,
        )
        .post::<workshop::FairnessAsked, workshop::Fairness, _, _>(
            "/api/drafts/fairness",
            "How a scenario falls out between equal players",
            SCENARIO,
            workshop::fairness,
        )
        .post::<workshop::DraftGiven, Value, _, _>(
            "/api/drafts/picture",
            "The same as a picture",
            SCENARIO,
            workshop::draft_picture,
        )
    }
}

/// The requests.
pub(crate) fn router() -> Router<Arc<App>> {
    all().router.route("/api/openapi.json", get(|| async { axum::Json(openapi()) })).fallback(page::page)
}

/// Their description.
pub(crate) fn openapi() -> Value {
    let mut routes = all();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Tricorne",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "A digital tabletop for horse-and-musket battles. Live play is on a WebSocket; see docs/server.md."
        },
        "paths": routes.paths,
        "components": {"schemas": routes.generator.take_definitions(true)}
    })
}
