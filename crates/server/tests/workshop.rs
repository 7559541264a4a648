//! The evening before: armies, paper, ground and scenarios over HTTP. Good answers, wrong input with its remedy, limits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::support::{Answer, Serving};
use serde_json::{Value, json};
use tricorne_server::Fairness;

const RULES: &str = "would-be-kings";

fn why(answer: &Answer) -> String {
    answer.json()["error"]["why"].as_str().unwrap_or_default().to_owned()
}

/// That a request was refused, in words that hold all of these.
fn refused(answer: &Answer, status: u16, words: &[&str]) {
    assert_eq!(answer.status, status, "{}", answer.text());
    let why = why(answer);
    assert!(words.iter().all(|word| why.contains(word)), "{why}");
}

async fn mustered(server: &Serving, seed: &str) -> Value {
    let call = json!({"ruleset": RULES, "list": null, "points": null, "seed": seed});
    let made = server.post("/api/armies/muster", call).await;
    assert_eq!(made.status, 200, "{}", made.text());
    made.json()
}

#[tokio::test(flavor = "multi_thread")]
async fn armies_are_listed_mustered_checked_and_refused() {
    let server = Serving::start().await;
    let lists = server.get(&format!("/api/armies/{RULES}")).await.json();
    let list = &lists[0];
    assert!(list["entries"].as_array().is_some_and(|e| !e.is_empty()), "{list}");
    let made = mustered(&server, "7").await;
    assert_eq!(made["report"]["broken"], json!([]));
    assert!(made["report"]["points"].as_f64() <= made["report"]["limit"].as_f64());
    assert_eq!(mustered(&server, "7").await, made, "the same seed is the same army");
    // Its file brings it back.
    let again = server.post("/api/armies/check", json!({"text": made["text"]})).await.json();
    assert_eq!(again, made);
    // Too many points, a name that is none, a file that is none.
    let mut many = made["army"].clone();
    let units = many["unit"].as_array_mut().unwrap();
    let first = units[0].clone();
    units.extend(std::iter::repeat_n(first, 20));
    let broken = server.post("/api/armies/check", json!({"army": many})).await.json();
    let limits = broken["report"]["broken"].as_array().unwrap();
    assert!(limits.iter().any(|b| b["why"].as_str().unwrap().contains("points")), "{broken}");
    assert!(limits.iter().all(|b| b["clause"].as_str().unwrap().starts_with("WBK-")), "{broken}");
    let mut strange = made["army"].clone();
    strange["unit"][0]["entry"] = json!("elephants");
    let broken = server.post("/api/armies/check", json!({"army": strange})).await.json();
    assert_eq!(broken["report"]["broken"][0]["unit"], json!(0), "{broken}");
    refused(
        &server.post("/api/armies/check", json!({"text": "format = 1\nlist = 3"})).await,
        422,
        &["army:2:"],
    );
    refused(&server.post("/api/armies/check", json!({"text": "[[unit"})).await, 422, &["army:1:"]);
    let call = json!({"ruleset": "chess", "list": null, "points": null, "seed": "1"});
    assert_eq!(server.post("/api/armies/muster", call).await.status, 404);
    let call = json!({"ruleset": RULES, "list": "nobody", "points": null, "seed": "1"});
    refused(&server.post("/api/armies/muster", call).await, 422, &["nobody"]);
    let call = json!({"ruleset": RULES, "list": null, "points": null, "seed": "not a seed!"});
    refused(&server.post("/api/armies/muster", call).await, 422, &["seed"]);
    // A list as long as a book is not read.
    let long = json!({"text": "#".repeat(2_000_000)});
    assert_eq!(server.post("/api/armies/check", long).await.status, 413);
}

#[tokio::test(flavor = "multi_thread")]
async fn paper_of_legal_armies_in_both_forms_and_sizes() {
    let server = Serving::start().await;
    let army = mustered(&server, "3").await["army"].clone();
    for sheet in ["roster", "counters", "labels"] {
        for paper in ["a4", "letter"] {
            let wish = |form: &str| json!({"army": army, "sheet": sheet, "form": form, "paper": paper});
            let pdf = server.post("/api/armies/print", wish("pdf")).await;
            assert_eq!(pdf.status, 200, "{}", pdf.text());
            assert!(pdf.body.starts_with(b"%PDF-"), "{sheet}");
            assert_eq!(pdf.header("content-type").as_deref(), Some("application/pdf"));
            let html = server.post("/api/armies/print", wish("html")).await;
            assert!(html.text().contains("<svg "), "{sheet}");
            // A page of its own that may do nothing.
            let policy = html.header("content-security-policy").unwrap();
            assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{policy}");
        }
    }
    let sheet = server.get(&format!("/api/sheets/{RULES}?form=pdf&paper=letter")).await;
    assert!(sheet.body.starts_with(b"%PDF-"));
    assert!(server.get(&format!("/api/sheets/{RULES}")).await.text().contains("Quick reference"));
    let charts = async |options: &str| server.get(&format!("/api/charts/{RULES}?options={options}")).await;
    let (usual, played) = (charts("").await.json(), charts("turn_order=cards").await);
    assert!(usual["charts"].as_array().is_some_and(|all| all.iter().all(|c| c["clause"] != "")), "{usual}");
    assert_eq!(played.status, 200, "{}", played.text());
    refused(&charts("turn_order=lots").await, 422, &["turn_order", "lots", "cards"]);
    refused(&charts("turn_order").await, 422, &["turn_order", "NAME=VALUE"]);
    refused(&server.get(&format!("/api/sheets/{RULES}?options=hat=off")).await, 422, &["hat"]);
    assert_eq!(server.get("/api/sheets/toy").await.status, 404, "the toy has no sheet");
    refused(&server.get(&format!("/api/sheets/{RULES}?paper=a5")).await, 400, &["a5", "a4", "letter"]);
    let mut many = army.clone();
    many["points"] = json!(2);
    let wish = json!({"army": many, "sheet": "roster", "form": "pdf"});
    refused(&server.post("/api/armies/print", wish).await, 422, &["points", "WBK-FORCE"]);
    let wish = json!({"army": army, "sheet": "poster"});
    assert_eq!(server.post("/api/armies/print", wish).await.status, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn ground_and_pitched_battles() {
    let server = Serving::start().await;
    let ground = |query: &str| format!("/api/terrain/{RULES}?{query}");
    let usual = server.get(&ground("seed=5")).await.json();
    assert!(usual["terrain"].as_str().unwrap().contains("[[terrain]]"));
    assert_eq!(server.get(&ground("seed=5")).await.json(), usual);
    assert_ne!(server.get(&ground("seed=6")).await.json(), usual);
    let wide = server.get(&ground("seed=5&width=96&depth=60")).await.json();
    assert_ne!(wide, usual);
    refused(&server.get(&ground("seed=5&width=9&depth=9")).await, 422, &["9 by 9", "take one from"]);
    assert_eq!(server.get(&ground("")).await.status, 400);
    refused(&server.get("/api/terrain/toy?seed=1").await, 422, &["no random ground"]);

    let armies = [mustered(&server, "1").await["army"].clone(), mustered(&server, "2").await["army"].clone()];
    for table in [json!(null), json!([96, 60])] {
        let wish = json!({"armies": armies, "terrain": "5", "table": table});
        let pitched = server.post("/api/armies/pitch", wish).await;
        assert_eq!(pitched.status, 200, "{}", pitched.text());
        let text = pitched.json()["text"].clone();
        let drawn = server.post("/api/drafts", json!({"ruleset": RULES, "text": text, "edit": null})).await;
        assert_eq!(drawn.json()["fault"], json!(null), "what is pitched can be played");
        let width = if table.is_null() { 72.0 } else { 96.0 };
        assert_eq!(drawn.json()["table"][0], json!(width));
    }
    let mut illegal = armies.clone();
    illegal[1]["points"] = json!(1);
    let wish = json!({"armies": illegal, "terrain": null});
    refused(&server.post("/api/armies/pitch", wish).await, 422, &["WBK-FORCE"]);
    let mut other = armies.clone();
    other[1]["ruleset"] = json!("toy");
    let wish = json!({"armies": other, "terrain": null});
    refused(&server.post("/api/armies/pitch", wish).await, 422, &["one rule system"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn scenarios_are_drawn_one_edit_at_a_time() {
    let server = Serving::start().await;
    let draw = async |text: &Value, edit: Value| {
        let given = json!({"ruleset": RULES, "text": text, "edit": edit});
        server.post("/api/drafts", given).await
    };
    let blank = draw(&json!(null), json!(null)).await.json();
    assert!(
        blank["fault"]["problem"].as_str().is_some_and(|p| !p.is_empty()),
        "an empty table says what it wants"
    );
    let told = server.get(&format!("/api/drafts/{RULES}")).await.json();
    assert!(told["features"].as_array().unwrap().iter().any(|f| f["id"] == "marker"));
    // A marker put down, moved and taken away again: the text is as it was.
    let marked =
        draw(&blank["text"], json!({"do": "mark", "feature": "marker", "points": [[30, 20]]})).await.json();
    let feature =
        marked["features"].as_array().unwrap().iter().find(|f| f["kind"] == "marker").unwrap().clone();
    assert_eq!(feature["handles"][0], json!([30.0, 20.0]));
    assert!(marked["text"].as_str().unwrap().contains("at = [30, 20]"), "{}", marked["text"]);
    let path = feature["path"].clone();
    let moved = json!({"do": "redraw", "feature": "marker", "path": path, "points": [[31.25, 20]]});
    let moved = draw(&marked["text"], moved).await.json();
    assert!(moved["text"].as_str().unwrap().contains("at = [31.25, 20]"));
    let gone = draw(&moved["text"], json!({"do": "erase", "feature": "marker", "path": path})).await.json();
    assert_eq!(gone["text"], blank["text"]);
    // What can't be done is told, with what there is.
    refused(
        &draw(&blank["text"], json!({"do": "mark", "feature": "flag", "points": []})).await,
        422,
        &["flag", "marker"],
    );
    refused(
        &draw(&blank["text"], json!({"do": "mark", "feature": "marker", "points": []})).await,
        422,
        &["place"],
    );
    refused(
        &draw(&blank["text"], json!({"do": "mark", "feature": "storm", "points": [[1, 1]]})).await,
        422,
        &["ground"],
    );
    refused(&draw(&json!("title = "), json!(null)).await, 422, &["line 1"]);
    refused(&draw(&blank["text"], json!({"do": "lift", "piece": 4})).await, 422, &["terrain 5"]);
    refused(&draw(&blank["text"], json!({"do": "lift", "piece": u64::MAX})).await, 422, &["terrain"]);
    assert_eq!(draw(&blank["text"], json!({"do": "explode"})).await.status, 400);
    assert_eq!(draw(&json!("#".repeat(4_000_000)), json!(null)).await.status, 413, "a file has its limit");
    // A fault names its line.
    let wrong = blank["text"].as_str().unwrap().replace("turns = 12", "turns = \"many\"");
    let fault = draw(&json!(wrong), json!(null)).await.json()["fault"].clone();
    assert_eq!(fault["line"], json!(4), "{fault}");
    assert!(fault["problem"].as_str().is_some_and(|p| p.contains("many")), "{fault}");
    // The table is drawn also while it can't be played.
    assert!(marked["view"]["table"].is_object(), "{marked}");
    let none = server.post("/api/drafts", json!({"ruleset": "toy", "text": null, "edit": null})).await;
    refused(&none, 422, &["can't be drawn"]);
}

static BEGUN: AtomicBool = AtomicBool::new(false);
static RELEASED: AtomicBool = AtomicBool::new(false);

/// A judge that waits for the test before it has judged the scenario `slow`.
fn judge(ruleset: &str, text: &str, battles: u64) -> Result<Fairness, String> {
    assert_eq!(ruleset, RULES);
    if text.is_empty() {
        return Err("line 1: there is nothing in it; write a scenario".into());
    }
    if text == "slow" {
        BEGUN.store(true, Ordering::SeqCst);
        while !RELEASED.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    Ok(Fairness { battles, draws: 1, shares: vec![0.5, 0.5], interval: (0.4, 0.6) })
}

#[tokio::test(flavor = "multi_thread")]
async fn fairness_one_scenario_at_a_time_and_a_hundred_battles_at_most() {
    let server = Serving::with(|config| config.judge = Some(judge)).await;
    let ask = |text: &str, battles: u64| {
        server.post("/api/drafts/fairness", json!({"ruleset": RULES, "text": text, "battles": battles}))
    };
    let (first, second) = tokio::join!(ask("slow", 50), async {
        while !BEGUN.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let second = ask("b", 50).await;
        RELEASED.store(true, Ordering::SeqCst);
        second
    });
    assert_eq!(first.json()["battles"], json!(50));
    assert_eq!((second.status, second.kind().as_str()), (429, "busy"));
    assert!(why(&second).contains("try again"));
    assert_eq!(second.header("retry-after").as_deref(), Some("1"), "and when");
    assert_eq!(ask("c", 1_000_000).await.json()["battles"], json!(100), "a hundred at most");
    assert_eq!(ask("c", 0).await.json()["battles"], json!(1));
    refused(&ask("", 10).await, 422, &["line 1"]);
    let none = Serving::start().await;
    let asked = json!({"ruleset": RULES, "text": "a", "battles": 10});
    assert_eq!(none.post("/api/drafts/fairness", asked).await.status, 404, "a server without a judge");
}

/// Whoever opens the charts at a table gets those of its house rules, so its facts tell them.
#[tokio::test(flavor = "multi_thread")]
async fn the_facts_of_a_game_tell_its_house_rules() {
    let server = Serving::start().await;
    let played = async |wish: Value| {
        let made = server.post("/api/games", wish).await;
        assert_eq!(made.status, 201, "{}", made.text());
        let id = made.json()["id"].as_str().unwrap().to_owned();
        server.get(&format!("/api/games/{id}")).await.json()["options"].clone()
    };
    let wish =
        |options: Value| json!({"ruleset": RULES, "scenario": "the-disputed-valley", "options": options});
    assert_eq!(played(wish(json!({}))).await, json!({"turn_order": "cards"}), "the scenario's own");
    let chosen = json!({"turn_order": "igougo", "theoretical_strength": "native"});
    assert_eq!(played(wish(chosen.clone())).await, chosen, "and over them what was chosen");
}
