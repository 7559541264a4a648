//! Two battles that differ only in a secret: everybody who may not know it hears the same of both, to the byte, on every
//! way the server has of telling.

use crate::support::{Answer, Client, Jumps, Serving};
use serde_json::{Value, json};

/// Kettle Brook with troops to be placed by their owners, and two woods where the Austrians deploy.
fn scenario() -> String {
    let text = include_str!("../../rules-seven-years-war/tests/format-1/kettle-brook.toml");
    let woods = "[deployment]\nfree = true\n\n\
        [[terrain]]\nid = \"N1\"\nkind = \"wood\"\nlevel = 2\npoints = [[50, 90], [84, 90], [84, 116], [50, 116]]\n\n\
        [[terrain]]\nid = \"N2\"\nkind = \"wood\"\nlevel = 2\npoints = [[96, 90], [130, 90], [130, 116], [96, 116]]\n\n";
    let placed = |line: &&str| line.starts_with("at = ") || line.starts_with("facing = ");
    let text: Vec<&str> = text.lines().filter(|line| !placed(line)).collect();
    text.join("\n").replacen("[[objectives]]", &format!("{woods}[[objectives]]"), 1)
}

/// One of the two battles: the owner of the secret, the other player, and somebody who watches.
struct Table {
    id: String,
    owner: Client,
    others: [Client; 2],
}

const ENEMY: usize = 0;

impl Table {
    async fn lay(server: &Serving, seed: u64) -> Self {
        let wish = json!({"ruleset": "seven-years-war", "text": scenario(), "seed": seed.to_string(),
            "seats": [{"kind": "link"}, {"kind": "link"}]});
        let made = server.post("/api/games", wish).await;
        assert_eq!(made.status, 201, "{}", made.text());
        let made = made.json();
        let id = made["id"].as_str().unwrap().to_owned();
        let token = |seat: usize| made["seats"][seat]["token"].as_str().unwrap().to_owned();
        let owner = server.join(&id, Some(&token(1))).await;
        let others = [server.join(&id, Some(&token(0))).await, server.join(&id, None).await];
        Self { id, owner, others }
    }

    /// Whose decision it is.
    fn asked(&self) -> Option<u64> {
        self.owner.pending_seat()
    }

    fn who(&mut self) -> &mut Client {
        if self.asked() == Some(1) { &mut self.owner } else { &mut self.others[ENEMY] }
    }

    async fn legal(&mut self, action: &Value) -> bool {
        self.who().ask(77, json!({"check": {"action": action}})).await.get("checked").is_some()
    }

    /// Takes an action; true if it was taken. Afterwards everybody has heard what there is to hear.
    async fn act(&mut self, action: &Value) -> bool {
        let n = self.who().n();
        let answer = self.who().ask(78, json!({"act": {"n": n, "action": action}})).await;
        for client in [&mut self.owner].into_iter().chain(&mut self.others) {
            client.ask(79, json!({"ping": {}})).await;
        }
        answer.get("acted").is_some()
    }

    /// What somebody has heard since it was last looked at; the greeting has the game's own id in it.
    fn heard(&mut self, who: usize) -> Vec<String> {
        let heard = std::mem::take(&mut self.others[who].heard);
        // Answers to what this one asked are compared where it is asked.
        heard
            .into_iter()
            .filter(|text| !text.contains("\"welcome\"") && !text.starts_with("{\"id\":"))
            .collect()
    }

    /// Whether the other player knows a unit.
    fn knows(&self, unit: &str) -> bool {
        let units = self.others[ENEMY].state["view"]["units"].as_array().unwrap();
        units.iter().any(|u| u["id"] == unit && u["on_table"] == true)
    }
}

/// An answer over HTTP without what is a game's own.
fn scrubbed(answer: &Answer, id: &str) -> String {
    let mut value: Value = serde_json::from_slice(&answer.body).unwrap_or_else(|_| json!(answer.text()));
    for facts in ["", "/game"] {
        if let Some(map) = value.pointer_mut(facts).and_then(Value::as_object_mut) {
            map.remove("created");
        }
    }
    value.to_string().replace(id, "ID")
}

async fn same_for_the_others(server: &Serving, tables: &mut [Table; 2], at: &str, by_http: bool) {
    let [a, b] = tables;
    for who in 0..2 {
        let (heard_a, heard_b) = (a.heard(who), b.heard(who));
        for (one, two) in heard_a.iter().zip(&heard_b) {
            assert!(one == two, "{at}: {}", apart(one, two));
        }
        assert_eq!(heard_a.len(), heard_b.len(), "{at}: {who} heard more of one: {heard_a:?}\n{heard_b:?}");
    }
    if !by_http {
        return;
    }
    for path in ["", "/replay", "/view", "/view?n=1", "/view?n=9999", "/picture.svg", "/journal"] {
        let one = server.get(&format!("/api/games/{}{path}", a.id)).await;
        let two = server.get(&format!("/api/games/{}{path}", b.id)).await;
        let (one, two) = (scrubbed(&one, &a.id), scrubbed(&two, &b.id));
        // Every answer has an id of its own.
        let plain = |text: &str| text.split("\"request\":").next().unwrap_or_default().to_owned();
        assert!(plain(&one) == plain(&two), "{at}, {path}: {}", apart(&one, &two));
    }
}

fn apart(a: &str, b: &str) -> String {
    let at = a.bytes().zip(b.bytes()).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
    let near = |t: &str| t.chars().skip(at.saturating_sub(200)).take(400).collect::<String>();
    format!("\n…{}…\n…{}…", near(a), near(b))
}

/// What was tried in a battle.
#[derive(Debug, Default)]
struct Tried {
    hidden: usize,
    stolen: usize,
    actions: usize,
    asked: usize,
}

async fn watch(server: &Serving, seed: u64, tried: &mut Tried) {
    let mut tables = [Table::lay(server, seed).await, Table::lay(server, seed).await];
    let mut jumps = Jumps(seed);
    let mut hidden: Vec<String> = Vec::new();
    for step in 0..48 {
        let at = format!("seed {seed}, step {step}");
        same_for_the_others(server, &mut tables, &at, step % 5 == 0).await;
        assert_eq!(tables[0].asked(), tables[1].asked(), "{at}");
        let Some(asked) = tables[0].asked() else { return };
        if hidden.iter().any(|unit| tables.iter().any(|table| table.knows(unit))) {
            return;
        }
        let list =
            tables[0].who().ask(70, json!({"candidates": {"n": 30}})).await["candidates"]["list"].clone();
        let list = list.as_array().cloned().unwrap_or_default();
        let choice = [json!({"side": "south"}), json!({"side": "north"})][asked as usize].clone();
        if list.contains(&choice) {
            // The woods are in the north.
            assert!(tables[0].act(&choice).await && tables[1].act(&choice).await, "{at}");
            continue;
        }
        if asked == 1 {
            // A unit to be placed is hidden, in one battle in the one wood, in the other in the other.
            let to_place =
                list.iter().find_map(|action| action["deploy"]["unit"].as_str()).map(str::to_owned);
            if let Some(unit) = to_place.filter(|_| hidden.len() < 2) {
                let hide = |wood: &str, x: f64| {
                    let x = x + 4.0 * hidden.len() as f64;
                    json!({"hide": {"unit": unit, "terrain": wood, "at": [x, 100.0], "facing": 180.0}})
                };
                let ways = [hide("N1", 66.0), hide("N2", 112.0)];
                if tables[0].legal(&ways[0]).await && tables[1].legal(&ways[1]).await {
                    assert!(tables[0].act(&ways[0]).await && tables[1].act(&ways[1]).await, "{at}");
                    hidden.push(unit);
                    tried.hidden += 1;
                    continue;
                }
            }
            // Later it goes to another place in one of them, and in the other nothing is done.
            if let Some(unit) = hidden.first().filter(|_| jumps.next().is_multiple_of(2)) {
                let x = 60.0 + (jumps.next() % 16) as f64;
                let steal = json!({"steal": {"unit": unit, "terrain": "N1", "at": [x, 103.0]}});
                if tables[0].legal(&steal).await {
                    let before = tables[0].others[ENEMY].n();
                    assert!(tables[0].act(&steal).await, "{at}");
                    assert_eq!(tables[0].others[ENEMY].n(), before, "{at}: it is numbered for the others");
                    tried.stolen += 1;
                    continue;
                }
            }
        } else {
            // What the other player asks is answered alike.
            let first = list.first().cloned().unwrap_or_default();
            let unit = hidden.first().map_or("nobody", String::as_str);
            for ask in [
                json!({"legal": {}}),
                json!({"candidates": {"n": 30}}),
                json!({"preview": {"action": first}}),
                json!({"odds": {"action": first}}),
                json!({"check": {"action": {"shoot": {"unit": "p1", "target": unit}}}}),
                json!({"sight": {"from": unit, "to": unit}}),
                json!({"courses": {"unit": unit}}),
                json!({"take_back": {"n": 9999}}),
            ] {
                let (one, two) = (
                    tables[0].others[ENEMY].ask(71, ask.clone()).await,
                    tables[1].others[ENEMY].ask(71, ask.clone()).await,
                );
                // In the time there is for odds a busy machine tries fewer battles out; so many are alike, others not.
                let samples = |answer: &Value| answer["odds"]["samples"].as_u64();
                if samples(&one).zip(samples(&two)).is_some_and(|(one, two)| one != two) {
                    continue;
                }
                assert!(one == two, "{at}: {ask}: {}", apart(&one.to_string(), &two.to_string()));
                tried.asked += 1;
            }
        }
        let mut done = false;
        for _ in 0..list.len() {
            let action = &list[jumps.next() % list.len()];
            // What names the hidden ones, or runs into them, is another matter.
            let named = hidden.iter().any(|unit| action.to_string().contains(&format!("\"{unit}\"")));
            if !named && tables[1].legal(action).await {
                assert!(tables[0].act(action).await && tables[1].act(action).await, "{at}: {action}");
                done = true;
                break;
            }
        }
        if !done {
            return;
        }
        tried.actions += 1;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_hidden_shows_nowhere() {
    let server = Serving::with(|c| {
        c.picture =
            Some(|view, _| format!("<svg><title>{}</title></svg>", serde_json::to_string(view).unwrap()));
    })
    .await;
    let mut tried = Tried::default();
    for seed in 0..4 {
        watch(&server, seed, &mut tried).await;
    }
    println!("{tried:?}");
    assert!(tried.hidden >= 4 && tried.actions > 80 && tried.asked > 150, "{tried:?}");
}
