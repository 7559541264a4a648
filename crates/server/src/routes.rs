//! Every request there is; the OpenAPI description is made from the same list (`description`).

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::routing::{get, post};
use serde_json::Value;
use tricorne_game::Clause;
use tricorne_game::army::ArmyList;
use tricorne_game::drafting::Drafting;
use tricorne_game::view::View;

use crate::description::{Description, JsonSchema};
use crate::facts::{ForkGame, GameFacts, MadeGame, NewGame};
use crate::messages::{Request, Saying};
use crate::notices::{LobbyAsk, LobbySay};
use crate::openapi::openapi;
use crate::picture::InLight;
use crate::request_line::{Answer, Body, Line};
use crate::{
    App, Systems, accounts, evenings, keeper, keepsake, live, lobby, notices, page, pairings, ratings,
    replay, rulebooks, sessions, workshop,
};

/// Requests and their description, grown side by side.
struct Routes {
    router: Router<Arc<App>>,
    description: Description,
}

/// No query.
type Plain = ();

impl Routes {
    fn get<A: JsonSchema, H: Handler<T, Arc<App>>, T: 'static>(
        self,
        path: &str,
        about: &str,
        handler: H,
    ) -> Self {
        self.find::<Plain, A, H, T>(path, about, handler)
    }

    /// A request with a query.
    fn find<Q: JsonSchema, A: JsonSchema, H: Handler<T, Arc<App>>, T: 'static>(
        mut self,
        path: &str,
        about: &str,
        handler: H,
    ) -> Self {
        let answer = self.description.told::<A>();
        let (method, body, status) = ("get", Body::Nothing, "200");
        self.description.add::<Q>(Line { method, path, about, body, status, answer });
        self.router = self.router.route(path, get(handler));
        self
    }

    /// A request that is answered with a document.
    fn fetch<Q: JsonSchema, H: Handler<T, Arc<App>>, T: 'static>(
        mut self,
        path: &str,
        about: &str,
        kinds: &'static [&'static str],
        handler: H,
    ) -> Self {
        let answer = Answer::Document(kinds);
        let (method, body, status) = ("get", Body::Nothing, "200");
        self.description.add::<Q>(Line { method, path, about, body, status, answer });
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
        let (body, answer) = (self.description.asked::<B>(), self.description.told::<A>());
        self.posted(path, about, most, "200", body, answer, handler)
    }

    /// A request that makes something.
    fn make<B: JsonSchema, A: JsonSchema, H: Handler<T, Arc<App>>, T: 'static>(
        mut self,
        path: &str,
        about: &str,
        most: usize,
        handler: H,
    ) -> Self {
        let (body, answer) = (self.description.asked::<B>(), self.description.told::<A>());
        self.posted(path, about, most, "201", body, answer, handler)
    }

    #[allow(clippy::too_many_arguments, reason = "all there is to a request")]
    fn posted<H: Handler<T, Arc<App>>, T: 'static>(
        mut self,
        path: &str,
        about: &str,
        most: usize,
        status: &str,
        body: Body,
        answer: Answer,
        handler: H,
    ) -> Self {
        self.description.add::<Plain>(Line { method: "post", path, about, body, status, answer });
        self.router = self.router.route(path, post(handler).layer(DefaultBodyLimit::max(most)));
        self
    }

    /// A request whose body is answered with a document.
    fn print<B: JsonSchema, H: Handler<T, Arc<App>>, T: 'static>(
        mut self,
        path: &str,
        about: &str,
        most: usize,
        kinds: &'static [&'static str],
        handler: H,
    ) -> Self {
        let body = self.description.asked::<B>();
        self.posted(path, about, most, "200", body, Answer::Document(kinds), handler)
    }

    /// A WebSocket.
    fn socket<B: JsonSchema, A: JsonSchema, H: Handler<T, Arc<App>>, T: 'static>(
        mut self,
        path: &str,
        about: &str,
        handler: H,
    ) -> Self {
        self.description.socket::<B, A>(path, about);
        self.router = self.router.route(path, get(handler));
        self
    }

    /// The request added last is for those who are logged in.
    fn for_members(mut self) -> Self {
        self.description.for_members();
        self
    }
}

/// Paper, to print from a browser or from anywhere.
const PAPER: &[&str] = &["text/html", "application/pdf"];
const SVG: &[&str] = &["image/svg+xml"];

const SMALL: usize = 64 * 1024;
const SCENARIO: usize = 1024 * 1024;
const JOURNAL: usize = 16 * 1024 * 1024;

fn all() -> Routes {
    let routes = Routes { router: Router::new(), description: Description::new() };
    routes
        .get::<rulebooks::AboutServer, _, _>(
            "/api/about",
            "What this server is, and who is logged in",
            rulebooks::about,
        )
        .get::<keeper::Health, _, _>("/api/health", "Whether the program runs", keeper::health)
        .get::<keeper::Health, _, _>("/api/ready", "Whether a change would be kept", keeper::ready)
        .get::<Vec<rulebooks::Ruleset>, _, _>("/api/rulesets", "Every rule system", rulebooks::rulesets)
        .find::<rulebooks::OfRuleset, Vec<rulebooks::Scenario>, _, _>(
            "/api/scenarios",
            "Every scenario",
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
        .fetch::<InLight, _, _>(
            "/api/scenarios/{ruleset}/{id}/picture.svg",
            "A picture of a scenario",
            SVG,
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
        .make::<NewGame, MadeGame, _, _>("/api/games", "Makes a game", SCENARIO, lobby::new_game)
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
        .for_members()
        .post::<lobby::ClaimGame, lobby::Agreed, _, _>(
            "/api/games/{id}/leave",
            "Would leave the battle at that; when everybody would, it is closed without a result",
            SMALL,
            lobby::leave,
        )
        .fetch::<lobby::OfPicture, _, _>(
            "/api/games/{id}/picture.svg",
            "A picture of the table as a spectator sees it; `n` and `seat` for battles that are over",
            SVG,
            lobby::picture,
        )
        .fetch::<Plain, _, _>(
            "/api/games/{id}/journal",
            "The journal of a battle that is over",
            &["application/x-ndjson"],
            replay::journal,
        )
        .fetch::<Plain, _, _>(
            "/api/games/{id}/card.png",
            "The table as a spectator sees it, for the card of a link",
            &["image/png"],
            keepsake::card,
        )
        .fetch::<Plain, _, _>(
            "/api/games/{id}/film.gif",
            "A battle that is over, as a film",
            &["image/gif"],
            keepsake::film,
        )
        .get::<replay::ReplayFacts, _, _>(
            "/api/games/{id}/replay",
            "A battle that is over, moment by moment",
            replay::replay,
        )
        .find::<replay::AtMoment, View, _, _>(
            "/api/games/{id}/view",
            "A moment of a battle that is over",
            replay::view,
        )
        .make::<ForkGame, MadeGame, _, _>(
            "/api/games/{id}/fork",
            "Plays on from a moment",
            SMALL,
            replay::fork,
        )
        .journals()
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
        .for_members()
        .get::<Vec<sessions::SessionFacts>, _, _>("/api/sessions", "One's own sessions", sessions::sessions)
        .for_members()
        .post::<sessions::EndSessions, Done, _, _>(
            "/api/sessions/end",
            "Ends one session, or all but this",
            SMALL,
            sessions::end,
        )
        .for_members()
        .logout()
        .make::<sessions::NewToken, sessions::Token, _, _>(
            "/api/tokens",
            "A token for a program that plays under one's name: `Authorization: Bearer TOKEN`",
            SMALL,
            sessions::token,
        )
        .for_members()
        .find::<ratings::Season, ratings::Board, _, _>(
            "/api/ratings/{ruleset}",
            "How strong people and programs are (Glicko-2), of all time or of a season",
            ratings::board,
        )
        .post::<pairings::Evening, pairings::NextRound, _, _>(
            "/api/pairings",
            "The next round of a club evening; nothing is kept",
            SMALL,
            pairings::pairings,
        )
        .evenings()
        .workshop()
        .socket::<Request, Saying, _, _>(
            "/api/games/{id}/live",
            "Live play: requests and what the table says",
            live::live,
        )
        .socket::<LobbyAsk, LobbySay, _, _>(
            "/api/live",
            "The bell: tells when it is one's decision in any of one's games",
            notices::listen,
        )
}

/// It was done, and there is nothing more to say.
#[derive(serde::Serialize, crate::JsonSchema)]
pub(crate) struct Done {}

/// What every request is, as the types have it.
#[cfg(feature = "schemas")]
pub(crate) fn description() -> Description {
    all().description
}

impl Routes {
    /// Journals are brought as they are: text, a JSON object a line.
    fn journals(mut self) -> Self {
        let (body, answer) = (Body::Text(&["text/plain"]), self.description.told::<replay::Brought>());
        let about = "Keeps a journal, whatever type it is sent as";
        self.posted("/api/journals", about, JOURNAL, "201", body, answer, replay::bring_journal)
    }

    fn logout(mut self) -> Self {
        let answer = self.description.told::<Done>();
        self.posted("/api/logout", "Logs out", SMALL, "200", Body::Nothing, answer, accounts::logout)
    }

    /// Club evenings and seasons.
    fn evenings(self) -> Self {
        self.get::<Vec<evenings::EveningLine>, _, _>(
            "/api/evenings",
            "Club evenings, the newest first",
            evenings::evenings,
        )
        .make::<evenings::NewEvening, evenings::EveningFacts, _, _>(
            "/api/evenings",
            "Begins an evening, which whoever asks keeps",
            SMALL,
            evenings::new_evening,
        )
        .for_members()
        .get::<evenings::EveningFacts, _, _>(
            "/api/evenings/{id}",
            "An evening: its rounds, and how everybody stands",
            evenings::evening,
        )
        .post::<evenings::Nothing, evenings::EveningFacts, _, _>(
            "/api/evenings/{id}/round",
            "Pairs the next round of an evening of one's own",
            SMALL,
            evenings::round,
        )
        .for_members()
        .post::<evenings::EveningResult, evenings::EveningFacts, _, _>(
            "/api/evenings/{id}/result",
            "Enters what came of a game of an evening of one's own, or where it is fought out",
            SMALL,
            evenings::result,
        )
        .for_members()
        .post::<evenings::Comings, evenings::EveningFacts, _, _>(
            "/api/evenings/{id}/players",
            "Lets players come later, or go home, on an evening of one's own",
            SMALL,
            evenings::comings,
        )
        .for_members()
        .post::<evenings::Nothing, evenings::EveningFacts, _, _>(
            "/api/evenings/{id}/close",
            "Ends an evening of one's own",
            SMALL,
            evenings::close,
        )
        .for_members()
        .get::<Vec<evenings::SeasonFacts>, _, _>("/api/seasons", "The seasons", evenings::seasons)
        .get::<evenings::SeasonPage, _, _>(
            "/api/seasons/{id}",
            "A season: how strong everybody was, and what they won on its evenings",
            evenings::season,
        )
    }

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
        .print::<workshop::PrintArmy, _, _>(
            "/api/armies/print",
            "A roster, or counters or labels to cut out, as HTML or PDF",
            SMALL,
            PAPER,
            workshop::print,
        )
        .post::<workshop::Pitch, workshop::ScenarioFile, _, _>(
            "/api/armies/pitch",
            "A scenario of two armies against each other",
            SMALL,
            workshop::pitch,
        )
        .fetch::<workshop::SheetQuery, _, _>(
            "/api/sheets/{ruleset}",
            "A system's charts, to be printed",
            PAPER,
            workshop::sheet,
        )
        .find::<workshop::AsPlayed, tricorne_game::army::ReferenceSheet, _, _>(
            "/api/charts/{ruleset}",
            "The same charts, to be shown elsewhere",
            workshop::charts,
        )
        .find::<workshop::OfSeed, workshop::Ground, _, _>(
            "/api/terrain/{ruleset}",
            "Ground by chance, for a table of this width and depth or for the usual one",
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
        .print::<workshop::DraftGiven, _, _>(
            "/api/drafts/picture",
            "The same as a picture",
            SCENARIO,
            SVG,
            workshop::draft_picture,
        )
    }
}

/// The requests.
pub(crate) fn router(systems: Systems) -> Router<Arc<App>> {
    let ids: Vec<&str> = systems.iter().map(|system| system.about().id).collect();
    // Filled in once: it is long, and asked for by whoever likes.
    let described = axum::body::Bytes::from(openapi(&ids));
    let kind = [(axum::http::header::CONTENT_TYPE, "application/json")];
    all()
        .router
        // Not for players, and in no description for them.
        .route("/api/think", get(crate::thinking::come))
        .route("/api/openapi.json", get(move || async move { (kind, described) }))
        .fallback(page::page)
}
