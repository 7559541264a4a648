//! What is kept comes back; what does not fit is refused. On SQLite always, on PostgreSQL where one can be started.

#![allow(clippy::doc_markdown, reason = "SQLite, PostgreSQL, WebSocket and OpenAPI are names, not code")]

#[cfg(feature = "postgres")]
use crate::support::postgres;
use crate::support::rows::{action, game, seat};
use tricorne_store::{ChatRow, EveningRow, Next, SeasonRow, Status, Store, StoreError};

async fn keeps_all(url: &str) {
    let store = Store::open(url).await.unwrap();
    store.create(game("a"), vec![seat(0, "person"), seat(1, "open")], Vec::new()).await.unwrap();
    assert_eq!(store.create(game("a"), Vec::new(), Vec::new()).await, Err(StoreError::Conflict));

    // Actions only in order, each once.
    assert_eq!(store.act("a", action(2), Next::Waits(0)).await, Err(StoreError::Conflict));
    for n in 1..=3 {
        store.act("a", action(n), Next::Waits(1)).await.unwrap();
    }
    assert_eq!(store.act("a", action(3), Next::Waits(0)).await, Err(StoreError::Conflict));
    assert_eq!(store.take_back("a", 2, 0).await, Err(StoreError::Conflict));
    store.take_back("a", 3, 0).await.unwrap();
    assert_eq!(store.game("a").await.unwrap().unwrap().take_backs, 1);
    // What nobody else knows of is counted apart, and not counted when it is taken back.
    store.act_in_secret("a", action(3), Next::Waits(1)).await.unwrap();
    assert_eq!(store.game("a").await.unwrap().unwrap().untold, 1);
    store.take_back_in_secret("a", 3, 0).await.unwrap();
    let kept = store.game("a").await.unwrap().unwrap();
    assert_eq!((kept.untold, kept.take_backs, kept.actions), (0, 1, 2));
    store.act("a", action(3), Next::Over("{\"grade\":\"draw\"}".into())).await.unwrap();
    assert_eq!(store.actions("a").await.unwrap(), (1..=3).map(action).collect::<Vec<_>>());
    let kept = store.game("a").await.unwrap().unwrap();
    assert_eq!((kept.status, kept.actions), (Status::Finished, 3));
    assert!(kept.ending.unwrap().contains("draw"));

    // An open seat is taken once.
    let mut row = seat(1, "person");
    row.name = "Berta".into();
    store.sit("a", "open", row.clone()).await.unwrap();
    assert_eq!(store.sit("a", "open", row).await, Err(StoreError::Conflict));
    assert_eq!(store.seats("a").await.unwrap()[1].name, "Berta");

    // Names, sessions, own games.
    store.add_user("Anna", "anna", "argon", 1).await.unwrap();
    assert_eq!(store.add_user("ANNA", "other", "argon", 1).await, Err(StoreError::Conflict));
    assert_eq!(store.user("anna").await.unwrap().unwrap().name, "Anna");
    store.add_session("s", "Anna", 100, 0).await.unwrap();
    assert_eq!(store.session("s", 50).await.unwrap().as_deref(), Some("Anna"));
    assert_eq!(store.session("s", 150).await.unwrap(), None);
    store.own("a", "hash 0", "Anna").await.unwrap();
    assert_eq!(store.own("a", "no such", "Anna").await, Err(StoreError::Conflict));
    store.own("a", "hash 0", "anna").await.unwrap();
    assert_eq!(store.own("a", "hash 0", "Berta").await, Err(StoreError::Conflict), "it is under Anna's name");
    assert_eq!(store.seats("a").await.unwrap()[0].owner.as_deref(), Some("anna"));
    assert_eq!(store.games_of("anna", 10).await.unwrap().len(), 1);
    store.drop_session("s").await.unwrap();
    assert_eq!(store.session("s", 50).await.unwrap(), None);

    // Evenings and seasons. A change that does not know the last one is refused.
    let season =
        SeasonRow { id: "autumn".into(), ruleset: "toy".into(), title: "Autumn".into(), begins: 5, ends: 10 };
    store.add_season(season.clone()).await.unwrap();
    assert_eq!(store.add_season(season.clone()).await, Err(StoreError::Conflict));
    assert_eq!(store.seasons().await.unwrap(), [season]);
    let evening = EveningRow {
        id: "e".into(),
        keeper: Some("anna".into()),
        title: "Tuesday".into(),
        season: Some("autumn".into()),
        created: 7,
        over: false,
        players: 4,
        rounds: 0,
        version: 0,
        pairings: "{}".into(),
    };
    store.add_evening(evening.clone()).await.unwrap();
    // Whose it is is told as they write their name.
    let told = EveningRow { keeper: Some("Anna".into()), ..evening.clone() };
    assert_eq!(store.evening("e").await.unwrap(), Some(told));
    let later = EveningRow { rounds: 1, pairings: "{\"rounds\":1}".into(), ..evening.clone() };
    store.set_evening(later.clone()).await.unwrap();
    assert_eq!(store.set_evening(later.clone()).await, Err(StoreError::Conflict));
    let kept = store.evening("e").await.unwrap().unwrap();
    assert_eq!((kept.version, kept.rounds, kept.pairings.as_str()), (1, 1, later.pairings.as_str()));
    assert_eq!(store.evenings(10).await.unwrap()[0].pairings, "", "a list has no pairings");
    assert_eq!(store.evenings_of_season("autumn", 10).await.unwrap(), [kept]);
    assert_eq!(store.evenings_going("ANNA").await.unwrap(), 1);
    store.drop_season("autumn").await.unwrap();
    assert_eq!(store.drop_season("autumn").await, Err(StoreError::Conflict));
    assert_eq!(store.evening("e").await.unwrap().unwrap().season, None);

    // Talk.
    for k in 0..3 {
        let row = ChatRow { moment: k, seat: 0, name: "Anna".into(), line: format!("line {k}") };
        store.chat("a", row).await.unwrap();
    }
    let lines: Vec<String> = store.chats("a", 2).await.unwrap().into_iter().map(|c| c.line).collect();
    assert_eq!(lines, ["line 1", "line 2"]);

    // Many at once share transactions and all arrive.
    let mut tasks = Vec::new();
    for i in 0..50 {
        let store = store.clone();
        tasks.push(tokio::spawn(async move {
            let id = format!("many{i}");
            store.create(game(&id), Vec::new(), Vec::new()).await.unwrap();
            for n in 1..=20 {
                store.act(&id, action(n), Next::Waits(1)).await.unwrap();
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    drop(store);

    let again = Store::open(url).await.unwrap();
    assert_eq!(again.ids().await.unwrap().len(), 51);
    assert_eq!(again.actions("many7").await.unwrap().len(), 20);
    assert_eq!(again.public_games(100, 0).await.unwrap().len(), 50);
    // Each was made at 1 and had its last action at 20; after that it is put away, until something is done in it.
    assert_eq!(again.public_games(100, 20).await.unwrap().len(), 50);
    assert_eq!(again.public_games(100, 21).await.unwrap().len(), 0);
    again.act("many7", action(21), Next::Waits(1)).await.unwrap();
    assert_eq!(again.public_games(100, 21).await.unwrap().len(), 1);
}

/// Changes of many people share a transaction; one that can't be kept is refused alone.
async fn refuses_one_alone(url: &str) {
    let store = Store::open(url).await.unwrap();
    for i in 0..20 {
        store.create(game(&format!("g{i}")), Vec::new(), Vec::new()).await.unwrap();
    }
    for n in 1..=5 {
        // On one thread, and none of them awaits anything but the store: all are handed in before the first is written.
        let others = (0..20).map(|i| {
            let store = store.clone();
            tokio::spawn(async move { store.act(&format!("g{i}"), action(n), Next::Waits(1)).await })
        });
        let others: Vec<_> = others.collect();
        let (a, b, c) = (store.clone(), store.clone(), store.clone());
        let nul = tokio::spawn(async move {
            let row = ChatRow { moment: 1, seat: 0, name: "Anna".into(), line: "a \0 in it".into() };
            a.chat("g0", row).await
        });
        let nobody = tokio::spawn(async move { b.add_session("s", "nobody of that name", 10, 0).await });
        let twice =
            tokio::spawn(
                async move { c.create(game("twice"), vec![seat(0, "open"); 2], vec![action(1)]).await },
            );
        for bad in [nul, nobody, twice] {
            assert!(matches!(bad.await.unwrap(), Err(StoreError::Unfit(_))));
        }
        for other in others {
            assert_eq!(other.await.unwrap(), Ok(()));
        }
    }
    // Nothing of a change that was refused half-way is there.
    assert_eq!(store.game("twice").await.unwrap(), None);
    assert_eq!(store.game("no\0such").await.unwrap(), None);
    assert_eq!(store.user("no\0such").await.unwrap(), None);
    for i in 0..20 {
        assert_eq!(store.actions(&format!("g{i}")).await.unwrap().len(), 5);
    }
    store.close().await;
    assert!(matches!(store.act("g0", action(6), Next::Waits(1)).await, Err(StoreError::Database(_))));
}

#[tokio::test]
async fn sqlite_refuses_one_alone() {
    let folder = tempfile::tempdir().unwrap();
    refuses_one_alone(&format!("sqlite:{}", folder.path().join("games.db").display())).await;
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn postgres_refuses_one_alone() {
    let Some(server) = postgres::Server::start() else {
        eprintln!("skipped: no PostgreSQL here");
        return;
    };
    refuses_one_alone(&server.url()).await;
}

#[tokio::test]
async fn a_second_server_of_one_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("games.db").display());
    let first = Store::serve(&url).await.unwrap();
    let Err(e) = Store::serve(&url).await else { panic!("two servers on one file") };
    assert!(e.to_string().contains("another Tricorne serves this file"), "{e}");
    // Others may look on, as the commands for a keeper do.
    Store::open(&url).await.unwrap().close().await;
    first.close().await;
    Store::serve(&url).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_keeps_all() {
    let folder = tempfile::tempdir().unwrap();
    keeps_all(&format!("sqlite:{}", folder.path().join("games.db").display())).await;
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn postgres_keeps_all() {
    let Some(server) = postgres::Server::start() else {
        eprintln!(
            "skipped: no PostgreSQL here (install postgresql, or set TRICORNE_POSTGRES to a database URL)"
        );
        return;
    };
    keeps_all(&server.url()).await;
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn tries_are_counted_by_all_servers_together() {
    const HOUR: i64 = 3_600_000;
    let Some(server) = postgres::Server::start() else {
        eprintln!("skipped: no PostgreSQL here");
        return;
    };
    let store = Store::open(&server.url()).await.unwrap();
    let [one, two] = ["one", "two"].map(|me| store.fellows(me, "nowhere").unwrap());
    for (fellow, allowed) in [(&one, true), (&two, true), (&one, true), (&two, false), (&one, false)] {
        assert_eq!(fellow.count_try("anna", HOUR, 3).await.unwrap(), allowed);
    }
    // One of them was right after all.
    two.forgive_try("anna", HOUR).await.unwrap();
    assert!(one.count_try("anna", HOUR, 3).await.unwrap());
    assert!(!two.count_try("anna", HOUR, 3).await.unwrap());
    assert!(two.count_try("berta", HOUR, 3).await.unwrap());
    // Only those that are forgiven are forgotten.
    one.sweep().await.unwrap();
    assert!(!two.count_try("anna", HOUR, 3).await.unwrap());
    store.close().await;
}

#[tokio::test]
async fn a_bad_address_is_explained_without_its_password() {
    for url in ["games.db", "mysql://a:secret@b/c", "postgres://anna:secret@127.0.0.1:1/x"] {
        let Err(e) = Store::open(url).await else { panic!("{url}") };
        assert!(e.to_string().contains("sqlite:FILE"), "{e}");
        assert!(!e.to_string().contains("secret"), "{e}");
    }
}
