//! Programs of the keeper's own in a seat: only those that the keeper has named, and a bad one costs nobody a battle.

use std::time::Duration;

use crate::support::Serving;
use serde_json::json;
use tricorne_agents::Outsider;

async fn serving(bots: &[(&str, &str)]) -> Serving {
    let bots = bots.iter().map(|(name, command)| {
        // Long enough for any machine that is busy; those that fail here fail at once.
        ((*name).to_owned(), Outsider::new(command).unwrap().by_clock(Duration::from_mins(2)))
    });
    let bots = bots.collect();
    Serving::with(|config| config.bots = bots).await
}

const WISH: &str = "/api/games";

#[tokio::test(flavor = "multi_thread")]
async fn strangers_start_nothing() {
    let server = serving(&[("fred", "sh fred.sh")]).await;
    let about = server.get("/api/about").await.json();
    assert!(about["programs"].as_array().unwrap().contains(&json!("bot:fred")), "{about}");
    assert!(!about.to_string().contains("fred.sh"), "the command is the keeper's business");
    for kind in ["program:exec:touch /tmp/owned", "program:bot:touch", "program:bot:", "program:bot:exec:sh"]
    {
        let seats = json!([{ "kind": kind }, { "kind": "me" }]);
        let made = server.post(WISH, json!({ "ruleset": "toy", "scenario": "hill", "seats": seats })).await;
        assert_eq!(made.status, 422, "{kind}: {}", made.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_plays_plays_and_one_that_fails_is_told_of() {
    let answer = r#"python3 -c "import json,sys; q=json.loads(sys.stdin.readline()); print(json.dumps({'answer': q['listed'][-1]}))""#;
    let server = serving(&[("good", answer), ("bad", "echo nonsense")]).await;
    let game = server.new_game(&["program:bot:good", "program:bot:bad"]).await;
    let mut watcher = server.join(&game.id, None).await;
    let said = watcher.until("chat").await;
    let text = said["lines"].to_string();
    assert!(text.contains("a subaltern decided for me") && !text.contains("nonsense"), "{text}");
    // It stands still for neither of them.
    watcher.until("over").await;
}
