//! Pairs of battles that differ only in a secret, played through the tables and the requests themselves, without a socket
//! between: everybody who may not know it hears the same of both, to the byte, on every way the server has of telling.
//!
//! Eight pairs in every run; `TRICORNE_FULL=1` for a thousand, `TRICORNE_PAIRS` for any number.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::Request as HttpRequest;
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc, oneshot};
use tower::ServiceExt;
use tricorne_game::{AnySystem, Effort};
use tricorne_rules_seven_years_war::SevenYearsWar;

use crate::hall::Hall;
use crate::messages::Request;
use crate::sitting::Note;
use crate::turn::Who;
use crate::untaken::{Message, Outbox};
use crate::{App, PageFile, Server, ServerConfig, headers, light, routes};

/// A page that has a head for a card, and no more.
const PAGE: &[u8] = b"<html><head></head></html>";

static SYSTEMS: &[&dyn AnySystem] = &[&SevenYearsWar];

/// Steps of a battle that are watched; and of some, long enough for the hidden ones to steal away (from the second turn on).
const STEPS: usize = 48;
const LONG: usize = 240;

/// A secret that was kept for so many steps lasts.
const LASTS: usize = 12;

/// Seconds on the clocks, and gained with each action.
const DAY: u64 = 24 * 3600;

/// The seat that must not know, and the one whose secret it is.
const ENEMY: usize = 0;
const OWNER: usize = 1;
const SPECTATOR: usize = 2;

/// A server without a door.
struct House {
    app: Arc<App>,
    router: Router,
    _folder: tempfile::TempDir,
}

impl House {
    async fn open() -> Self {
        // In memory where there is such a place: nothing here is about disks.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let url = format!("sqlite:{}", folder.path().join("games.db").display());
        let mut config = ServerConfig::local(SYSTEMS, url);
        config.picture =
            Some(|view, _| format!("<svg><title>{}</title></svg>", serde_json::to_string(view).unwrap()));
        config.ground = config.picture;
        // By no clock: how far a count comes must not hang on what else the machine does.
        config.limits.odds = Effort { paths: 400, samples: 60, within: None };
        config.plate = Some(|view| serde_json::to_vec(view).ok());
        config.page = |path| (path == "index.html").then_some(PageFile { bytes: PAGE, packed: false });
        let app = Server::bind(config).await.unwrap().app;
        let router = routes::router(SYSTEMS)
            .layer(axum::middleware::from_fn_with_state(Arc::clone(&app), light::lighten))
            .layer(axum::middleware::from_fn_with_state(Arc::clone(&app), headers::guard))
            .with_state(Arc::clone(&app));
        Self { app, router, _folder: folder }
    }

    async fn ask(&self, from: IpAddr, method: &str, path: &str, body: Option<Value>) -> (u16, String) {
        let mut request = HttpRequest::builder().method(method).uri(path).header("host", "localhost");
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let mut request = request.body(body).unwrap();
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(from, 1)));
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let status = answer.status().as_u16();
        let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        (status, String::from_utf8_lossy(&body).into_owned())
    }
}

/// Somebody at a table, and what they heard.
struct Person {
    connection: u64,
    inbox: mpsc::Receiver<Message>,
    heard: Vec<String>,
    state: Value,
}

impl Person {
    /// Asks, and hears everything up to the answer.
    async fn ask(&mut self, app: &Arc<App>, game: &str, ask: &Value) -> Value {
        let request = Request::read(&ask.to_string()).unwrap_or_else(|(_, why)| panic!("{ask}: {why}"));
        let note = Note::Ask { connection: self.connection, id: Some(7), ask: request.ask };
        Hall::tell_here(app, game, note).await;
        loop {
            let text = self.inbox.recv().await.expect("the table is there").text();
            if text.starts_with("{\"id\":7,") {
                return serde_json::from_str(&text).unwrap();
            }
            self.note(text);
        }
    }

    fn note(&mut self, text: String) {
        if text.starts_with("{\"state\":") {
            self.state = serde_json::from_str::<Value>(&text).unwrap()["state"].take();
        }
        // Who sits there is told in the order people came, and the greeting has the game's own id in it.
        if !text.starts_with("{\"welcome\":") && !text.starts_with("{\"presence\":") {
            self.heard.push(text);
        }
    }

    fn n(&self) -> u64 {
        self.state["n"].as_u64().unwrap_or_default()
    }

    fn asked(&self) -> Option<usize> {
        self.state["pending"]["decision"]["seat"].as_u64().map(|seat| seat as usize)
    }
}

/// One of two battles.
struct Table {
    id: String,
    from: IpAddr,
    people: [Person; 3],
}

impl Table {
    async fn lay(house: &House, from: IpAddr, scenario: &Value, seed: u64) -> Self {
        let mut wish = json!({"ruleset": "seven-years-war", "seed": seed.to_string(), "public": true, "title": "A pair",
            "clock": {"seconds": DAY, "increment": DAY}, "seats": [{"kind": "link"}, {"kind": "link"}]});
        wish.as_object_mut().unwrap().extend(scenario.as_object().unwrap().clone());
        let (status, made) = house.ask(from, "POST", "/api/games", Some(wish)).await;
        assert_eq!(status, 201, "{made}");
        let made: Value = serde_json::from_str(&made).unwrap();
        let id = made["id"].as_str().unwrap().to_owned();
        let token = |seat: usize| made["seats"][seat]["token"].clone();
        let views = ["changes", "full", "none"][seed as usize % 3];
        let people = [
            come(house, &id, from, json!({"token": token(ENEMY), "views": views})).await,
            come(house, &id, from, json!({"token": token(OWNER)})).await,
            come(house, &id, from, json!({})).await,
        ];
        Self { id, from, people }
    }

    fn asked(&self) -> Option<usize> {
        self.people[OWNER].asked()
    }

    /// What the owner is asked.
    fn kind(&self) -> &str {
        self.people[OWNER].state["pending"]["decision"]["kind"].as_str().unwrap_or_default()
    }

    async fn ask(&mut self, house: &House, who: usize, ask: &Value) -> Value {
        self.people[who].ask(&house.app, &self.id, ask).await
    }

    async fn legal(&mut self, house: &House, action: &Value) -> bool {
        let who = self.asked().unwrap_or_default();
        self.ask(house, who, &json!({"check": {"action": action}})).await.get("checked").is_some()
    }

    /// Where an answer would lead, as whoever is asked is shown it; of an order its odds too, which go by how far away everybody
    /// of a group is, the hidden ones among them.
    async fn foreseen(&mut self, house: &House, action: &Value) -> [Value; 2] {
        let who = self.asked().unwrap_or_default();
        let odds = if self.kind() == "command" {
            self.ask(house, who, &json!({"odds": {"action": action}})).await
        } else {
            Value::Null
        };
        [self.ask(house, who, &json!({"preview": {"action": action}})).await, odds]
    }

    /// Takes an action; true if it was taken. Afterwards everybody has heard what there is to hear.
    async fn act(&mut self, house: &House, action: &Value) -> bool {
        let who = self.asked().unwrap_or_default();
        let n = self.people[who].n();
        let answer = self.ask(house, who, &json!({"act": {"n": n, "action": action}})).await;
        for who in 0..3 {
            self.ask(house, who, &json!({"ping": {}})).await;
        }
        answer.get("acted").is_some()
    }

    async fn candidates(&mut self, house: &House) -> Vec<Value> {
        let who = self.asked().unwrap_or_default();
        let said = self.ask(house, who, &json!({"candidates": {"n": 24}})).await;
        said["candidates"]["list"].as_array().cloned().unwrap_or_default()
    }

    /// Whether the enemy knows a unit that is on the table.
    async fn knows(&mut self, house: &House, unit: &str) -> bool {
        let view = house.ask(self.from, "GET", &format!("/api/games/{}/view", self.id), None).await.1;
        let view: Value = serde_json::from_str(&view).unwrap_or_default();
        let units = view["units"].as_array().cloned().unwrap_or_default();
        units.iter().any(|u| u["id"] == unit && u["on_table"] == true)
    }
}

async fn come(house: &House, game: &str, from: IpAddr, hello: Value) -> Person {
    static CONNECTIONS: AtomicU64 = AtomicU64::new(1 << 40);
    let connection = CONNECTIONS.fetch_add(1, Ordering::Relaxed);
    let (out, inbox) = Outbox::new(&house.app.untaken, from);
    let (let_in, inside) = oneshot::channel();
    let who = Who { address: from, connection };
    let (hello, too_slow) = (serde_json::from_value(hello).unwrap(), Arc::new(Notify::new()));
    let note = Note::Join { who, hello, user: None, out, too_slow, let_in };
    Hall::tell_here(&house.app, game, note).await;
    assert!(inside.await.unwrap(), "let in");
    let mut person = Person { connection, inbox, heard: Vec::new(), state: Value::Null };
    person.ask(&house.app, game, &json!({"ping": {}})).await;
    person
}

/// What was tried over all pairs.
#[derive(Clone, Copy, Debug, Default)]
struct Tried {
    pairs: usize,
    secrets: usize,
    lasting: usize,
    stolen: usize,
    actions: usize,
    asked: usize,
    compared: usize,
}

impl Tried {
    fn and(self, other: Self) -> Self {
        Self {
            pairs: self.pairs + other.pairs,
            secrets: self.secrets + other.secrets,
            lasting: self.lasting + other.lasting,
            stolen: self.stolen + other.stolen,
            actions: self.actions + other.actions,
            asked: self.asked + other.asked,
            compared: self.compared + other.compared,
        }
    }
}

/// Without what is a game's own: its id, when it was made, the id of a request; and how long somebody has thought, which is the
/// same only where time stands still.
fn scrubbed(text: &str, id: &str) -> String {
    let mut text = text.replace(id, "ID");
    for (key, ends) in [("\"created\":", ",}"), ("\"request\":", ",}"), ("\"left\":[", "]")] {
        let mut at = 0;
        while let Some(found) = text[at..].find(key) {
            let from = at + found + key.len();
            let to = text[from..].find(|c| ends.contains(c)).map_or(text.len(), |to| from + to);
            let kept = if key == "\"left\":[" { about(&text[from..to]) } else { String::new() };
            text.replace_range(from..to, &kept);
            at = from;
        }
    }
    text
}

/// Milliseconds on the clocks as whole days: an increment shows, a slow machine does not.
fn about(left: &str) -> String {
    let days =
        left.split(',').map(|ms| (ms.parse::<f64>().unwrap_or_default() / 1000.0 / DAY as f64).round());
    days.map(|day| day.to_string()).collect::<Vec<_>>().join(",")
}

fn apart(a: &str, b: &str) -> String {
    let at = a.bytes().zip(b.bytes()).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
    let near = |t: &str| {
        let (from, to) = (at.saturating_sub(200).min(t.len()), (at + 200).min(t.len()));
        String::from_utf8_lossy(&t.as_bytes()[from..to]).into_owned()
    };
    format!("\n…{}…\n…{}…", near(a), near(b))
}

/// Everything that the enemy and a spectator have heard since it was last looked at, and can fetch.
async fn alike(house: &House, tables: &mut [Table; 2], at: &str, by_http: bool, tried: &mut Tried) {
    let [a, b] = tables;
    for who in [ENEMY, SPECTATOR] {
        let (one, two) = (std::mem::take(&mut a.people[who].heard), std::mem::take(&mut b.people[who].heard));
        for (one, two) in one.iter().zip(&two) {
            let (one, two) = (scrubbed(one, &a.id), scrubbed(two, &b.id));
            assert!(one == two, "{at}: {who} is told otherwise: {}", apart(&one, &two));
            tried.compared += 1;
        }
        assert_eq!(one.len(), two.len(), "{at}: {who} heard more of one:\n{one:?}\n{two:?}");
    }
    if !by_http {
        return;
    }
    let paths = [
        ("GET", "/api/games/ID"),
        ("GET", "/api/games/ID/replay"),
        ("GET", "/api/games/ID/view"),
        ("GET", "/api/games/ID/view?n=1"),
        ("GET", "/api/games/ID/view?n=9999"),
        ("GET", "/api/games/ID/view?seat=1"),
        ("GET", "/api/games/ID/picture.svg"),
        ("GET", "/api/games/ID/picture.svg?n=3"),
        ("GET", "/api/games/ID/card.png"),
        ("GET", "/api/games/ID/film.gif"),
        ("GET", "/api/games/ID/journal"),
        ("POST", "/api/games/ID/fork"),
        ("POST", "/api/games/ID/join"),
        ("POST", "/api/games/ID/leave"),
        ("POST", "/api/games/ID/claim"),
        ("GET", "/game/ID"),
        ("GET", "/replay/ID"),
    ];
    for (method, path) in paths {
        let body = (method == "POST").then(|| match path.rsplit('/').next() {
            Some("fork") => json!({"n": 2, "seats": [{"kind": "me"}, {"kind": "me"}]}),
            Some("join") => json!({"seat": 1}),
            _ => json!({"token": "x".repeat(43)}),
        });
        let (status_a, one) = house.ask(a.from, method, &path.replace("ID", &a.id), body.clone()).await;
        let (status_b, two) = house.ask(b.from, method, &path.replace("ID", &b.id), body).await;
        let (one, two) = (scrubbed(&one, &a.id), scrubbed(&two, &b.id));
        assert!(status_a == status_b && one == two, "{at}, {path}: {}", apart(&one, &two));
        tried.compared += 1;
    }
    // In the list they stand side by side.
    let list = house.ask(a.from, "GET", "/api/games", None).await.1;
    let list: Value = serde_json::from_str(&list).unwrap();
    let facts = |id: &str| {
        let open = list["open"].as_array().unwrap();
        open.iter().find(|game| game["id"] == id).map(|game| scrubbed(&game.to_string(), id))
    };
    assert_eq!(facts(&a.id), facts(&b.id), "{at}: the list");
}

/// What the enemy and a spectator ask is answered alike.
async fn answered_alike(
    house: &House,
    tables: &mut [Table; 2],
    at: &str,
    action: &Value,
    unit: &str,
    odds: bool,
    tried: &mut Tried,
) {
    let mut asks = vec![
        json!({"legal": {}}),
        json!({"candidates": {"n": 24}}),
        json!({"preview": {"action": action}}),
        json!({"check": {"action": {"shoot": {"unit": "p1", "target": unit}}}}),
        json!({"check": {"action": {"move": {"group": unit, "legs": [{"forward": 5}]}}}}),
        json!({"act": {"n": 9999, "action": {"reveal": {"unit": unit}}}}),
        json!({"act": {"n": tables[0].people[ENEMY].n(), "action": {"reveal": {"unit": unit}}}}),
        json!({"steer": {"place": [67, 103], "unit": unit}}),
        json!({"sight": {"from": unit, "to": unit}}),
        json!({"courses": {"unit": unit}}),
        json!({"reach": {"unit": unit}}),
        json!({"take_back": {"n": 9999}}),
        json!({"take_back": {"n": tables[0].people[ENEMY].n()}}),
        json!({"look": {"seat": 1}}),
        json!({"picture": {}}),
    ];
    if odds {
        asks.push(json!({"odds": {"action": action}}));
        asks.push(json!({"counsel": {"n": 6}}));
    }
    for who in [ENEMY, SPECTATOR] {
        for ask in &asks {
            // Who takes something back in earnest would have to take it again.
            if who == ENEMY && ask.get("take_back").is_some() && tables[0].asked() != Some(ENEMY) {
                continue;
            }
            let one = tables[0].ask(house, who, ask).await;
            let two = tables[1].ask(house, who, ask).await;
            assert!(one == two, "{at}: {who} asks {ask}: {}", apart(&one.to_string(), &two.to_string()));
            tried.asked += 1;
        }
    }
}

/// Kettle Brook with troops to be placed by their owners, and two woods where the Austrians deploy; or an army that may
/// march round, in their place.
fn kettle_brook(marches: bool) -> String {
    let text = include_str!("../../rules-seven-years-war/tests/format-1/kettle-brook.toml");
    let woods = "[deployment]\nfree = true\n\n\
        [[terrain]]\nid = \"N1\"\nkind = \"wood\"\nlevel = 2\npoints = [[50, 90], [84, 90], [84, 116], [50, 116]]\n\n\
        [[terrain]]\nid = \"N2\"\nkind = \"wood\"\nlevel = 2\npoints = [[96, 90], [130, 90], [130, 116], [96, 116]]\n\n";
    let placed = |line: &&str| line.starts_with("at = ") || line.starts_with("facing = ");
    let text: Vec<&str> = text.lines().filter(|line| !placed(line)).collect();
    let text = text.join("\n").replacen("[[objectives]]", &format!("{woods}[[objectives]]"), 1);
    if marches { text.replace("nation = \"austrian\"", "nation = \"ottoman\"") } else { text }
}

/// Units of Kettle Brook that are a group by themselves.
fn alone(unit: &str) -> bool {
    let text = kettle_brook(false);
    let group = |block: &str| block.lines().find(|line| line.starts_with("group = ")).map(str::to_owned);
    let groups: Vec<_> = text.split("[[units]]").skip(1).map(|block| (block, group(block))).collect();
    let own = groups.iter().find(|(block, _)| block.contains(&format!("id = \"{unit}\"")));
    own.is_some_and(|(_, own)| groups.iter().filter(|(_, group)| group == own).count() == 1)
}

/// How the two battles of a pair differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Secret {
    /// Units lie hidden in one wood or in the other, and steal about in one of the battles.
    Woods,
    /// A unit lies hidden in a wood, or goes round a flank.
    WoodOrMarch,
    /// A group goes round by the east or by the west.
    EastOrWest,
    /// The armies that were bought.
    Armies,
}

impl Secret {
    fn of(pair: u64) -> Self {
        match pair % 8 {
            0..=3 => Self::Woods,
            4 => Self::WoodOrMarch,
            7 => Self::Armies,
            _ => Self::EastOrWest,
        }
    }

    fn marches(self) -> bool {
        matches!(self, Self::WoodOrMarch | Self::EastOrWest)
    }

    fn scenario(self) -> Value {
        match self {
            Self::Armies => json!({"scenario": "a-chance-encounter"}),
            _ => json!({"text": kettle_brook(self.marches())}),
        }
    }
}

struct Jumps(u64);

impl Jumps {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize
    }
}

/// Stands of light horse in an army that is bought.
fn hussars(enlist: &Value) -> u64 {
    let units = enlist["enlist"]["units"].as_array().into_iter().flatten();
    let light = units.filter(|unit| unit["code"].as_str().is_some_and(|code| code.contains("HUS")));
    light.map(|unit| unit["stands"].as_u64().unwrap_or(4)).sum()
}

/// What the owner does otherwise in the two battles now, if anything, and whose secret it is.
async fn differ(
    house: &House,
    tables: &mut [Table; 2],
    secret: Secret,
    list: &[Value],
    hidden: &[String],
) -> Option<([Value; 2], String)> {
    let most = if secret == Secret::Woods { 2 } else { 1 };
    if hidden.len() >= most {
        return None;
    }
    let mut tries = Vec::new();
    if secret == Secret::Armies {
        let mut armies = list.iter().filter(|action| action.get("enlist").is_some());
        if let Some(first) = armies.next() {
            // As many hussars: they weigh in the initiative, which is told by the rule (SYW-DEPLOY-03).
            let second = armies.find(|army| *army != first && hussars(army) == hussars(first));
            tries.extend(second.map(|second| ([first.clone(), second.clone()], "nobody")));
        }
    }
    let mut units: Vec<&str> = list.iter().filter_map(|action| action["deploy"]["unit"].as_str()).collect();
    units.dedup();
    for unit in units.into_iter().filter(|_| secret != Secret::Armies) {
        let hide = |wood: &str, x: f64| json!({"hide": {"unit": unit, "terrain": wood, "at": [x, 100.0], "facing": 180.0}});
        let march = |edge: &str| json!({"flank_march": {"group": unit, "edge": edge}});
        let along = [66.0, 60.0, 72.0, 78.0, 56.0];
        // A march must be won by the dice (SYW-DEPLOY-16); where it is not, there are the woods.
        match secret {
            Secret::WoodOrMarch if alone(unit) => {
                tries.extend(along.map(|x| ([hide("N1", x), march("east")], unit)));
            }
            Secret::EastOrWest => tries.push(([march("east"), march("west")], unit)),
            _ => {}
        }
        tries.extend(along.map(|x| ([hide("N1", x), hide("N2", x + 46.0)], unit)));
    }
    for (ways, unit) in tries {
        if tables[0].legal(house, &ways[0]).await && tables[1].legal(house, &ways[1]).await {
            return Some((ways, unit.to_owned()));
        }
    }
    None
}

async fn watch(house: &House, pair: u64, tried: &mut Tried) {
    let secret = Secret::of(pair);
    let scenario = secret.scenario();
    let from = IpAddr::V4(Ipv4Addr::from(0x0a00_0000 + pair as u32));
    let mut tables =
        [Table::lay(house, from, &scenario, pair).await, Table::lay(house, from, &scenario, pair).await];
    let mut jumps = Jumps(pair);
    let mut hidden: Vec<String> = Vec::new();
    let (mut last, mut kept) = (String::from("nothing"), 0);
    tried.pairs += 1;
    let steps = if secret == Secret::Woods && pair.is_multiple_of(4) { LONG } else { STEPS };
    for step in 0..steps {
        let at = format!("pair {pair}, {secret:?}, step {step}, after {last}");
        // The moment before a hidden group is set down, or shoots, is the end of its secret.
        if tables.iter().any(|t| ["come_back", "ambush", "lurk"].contains(&t.kind())) {
            return;
        }
        for unit in &hidden {
            if tables[0].knows(house, unit).await || tables[1].knows(house, unit).await {
                return;
            }
        }
        alike(house, &mut tables, &at, step % 6 == 0, tried).await;
        assert_eq!(tables[0].asked(), tables[1].asked(), "{at}");
        kept += usize::from(!hidden.is_empty());
        tried.lasting += usize::from(kept == LASTS && !hidden.is_empty());
        let Some(asked) = tables[0].asked() else { return };
        let list = tables[0].candidates(house).await;
        let choice = [json!({"side": "south"}), json!({"side": "north"})][asked.min(1)].clone();
        if secret != Secret::Armies && list.contains(&choice) {
            // The woods are in the north.
            assert!(tables[0].act(house, &choice).await && tables[1].act(house, &choice).await, "{at}");
            continue;
        }
        if asked == OWNER {
            if secret == Secret::Armies && !hidden.is_empty() && tables[0].kind() == "deploy" {
                // What was bought is seen as it is placed.
                return;
            }
            if let Some((ways, unit)) = differ(house, &mut tables, secret, &list, &hidden).await {
                assert!(
                    tables[0].act(house, &ways[0]).await && tables[1].act(house, &ways[1]).await,
                    "{at}: {ways:?}"
                );
                tried.secrets += usize::from(hidden.is_empty());
                hidden.push(unit);
                continue;
            }
            // Later it goes to another place in one of them, and in the other nothing is done.
            if let Some(unit) =
                hidden.first().filter(|_| secret == Secret::Woods && jumps.next().is_multiple_of(2))
            {
                let x = 60.0 + (jumps.next() % 16) as f64;
                let steal = json!({"steal": {"unit": unit, "terrain": "N1", "at": [x, 103.0]}});
                if tables[0].legal(house, &steal).await {
                    assert!(tables[0].act(house, &steal).await, "{at}");
                    tried.stolen += 1;
                    continue;
                }
            }
        } else if step % 3 == 0 {
            let first = list.first().cloned().unwrap_or_default();
            let unit = hidden.first().map_or("nobody", String::as_str).to_owned();
            answered_alike(house, &mut tables, &at, &first, &unit, step % 12 == 0, tried).await;
        }
        let mut done = false;
        for _ in 0..list.len() {
            let action = &list[jumps.next() % list.len()];
            // What names the hidden ones, runs into them, or is likelier for where they are, is another matter.
            let named = hidden.iter().any(|unit| action.to_string().contains(&format!("\"{unit}\"")));
            let runs_into = asked == OWNER
                && tables[0].foreseen(house, action).await != tables[1].foreseen(house, action).await;
            if !named && !runs_into && tables[1].legal(house, action).await {
                assert!(
                    tables[0].act(house, action).await && tables[1].act(house, action).await,
                    "{at}: {action}"
                );
                (done, last) = (true, action.to_string());
                break;
            }
        }
        if !done {
            return;
        }
        tried.actions += 1;
    }
}

/// Pairs of every run: in the first somebody steals away to other ground, the others told something once.
const ALWAYS: [u64; 3] = [48, 351, 619];

#[test]
fn a_thousand_pairs_of_battles_tell_no_secret() {
    let full = std::env::var_os("TRICORNE_FULL").is_some();
    // `1000`, or `352..1000` to go on from where another run ended.
    let wanted = std::env::var("TRICORNE_PAIRS").unwrap_or(if full { "1000" } else { "8" }.into());
    let (from, to) = wanted.split_once("..").unwrap_or(("0", &wanted));
    let (from, to): (u64, u64) = (from.parse().unwrap(), to.parse().unwrap());
    // As many at a time as there are processors, each in a house of its own.
    let lanes = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let tried = crate::runtime().unwrap().block_on(async {
        let mut watching = tokio::task::JoinSet::new();
        for lane in 0..lanes {
            watching.spawn(async move {
                let (house, mut tried) = (House::open().await, Tried::default());
                let again = ALWAYS.into_iter().filter(|pair| !(from..to).contains(pair));
                for pair in (from..to).chain(again).filter(|pair| pair % lanes == lane) {
                    watch(&house, pair, &mut tried).await;
                }
                tried
            });
        }
        watching.join_all().await.into_iter().reduce(Tried::and).unwrap()
    });
    println!("{tried:?}");
    let enough = (to - from) as usize * 8;
    assert!(tried.stolen > 0, "nobody stole away: {tried:?}");
    assert!(tried.secrets > 0 && tried.actions > enough && tried.asked > enough, "{tried:?}");
}
