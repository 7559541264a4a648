//! One game being played: a task that holds the battle, hears every request about it in turn, and tells everybody.
//!
//! Whatever it tells of an action is told after the action is on disk. When it is left alone it puts the battle
//! away, and plays it again from its actions when somebody comes back.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::spawn_blocking;
use tokio::time::Instant;
use tricorne_agents::{Level, Player};
use tricorne_chance::Whim;
use tricorne_game::view::View;
use tricorne_game::{AnySystem, Pending, Seat, Umpire};
use tricorne_store::{ActionRow, ChatRow, Game, Next, SeatRow, Status, StoreError};

use crate::advice::{courses, sight, steer};
use crate::facts::{GameFacts, Lobby, header_of};
use crate::messages::{Ask, ChatLine, Hello, Present, Refused, Say};
use crate::odds::odds;
use crate::render::{ClockFacts, Eye, Listener, Occasion, Rendered, render};
use crate::{App, clock, now, secret};

/// What a table hears.
pub(crate) enum Note {
    /// Somebody comes; true if they were let in.
    Join {
        connection: u64,
        hello: Hello,
        user: Option<String>,
        out: mpsc::Sender<String>,
        too_slow: Arc<Notify>,
        let_in: oneshot::Sender<bool>,
    },
    /// Somebody asks.
    Ask { connection: u64, id: Option<u64>, ask: Ask },
    /// Somebody goes.
    Leave { connection: u64 },
    /// A program has decided.
    Thought { at: (usize, u64), seat: Seat, action: Option<Value> },
    /// Somebody took a seat, or a game was just made.
    Reseated,
    /// What a spectator sees.
    Look { seen: oneshot::Sender<Result<Arc<View>, Refused>> },
}

/// Somebody at the table.
struct Person {
    out: mpsc::Sender<String>,
    too_slow: Arc<Notify>,
    hashes: Vec<String>,
    user: Option<String>,
    listener: Listener,
}

impl Person {
    fn holds(&self, row: &SeatRow) -> bool {
        row.kind == "person"
            && (row.token_hash.as_ref().is_some_and(|h| self.hashes.contains(h))
                || self.user.as_ref().is_some_and(|u| row.owner.as_ref() == Some(&u.to_lowercase())))
    }
}

/// Notes taken from the queue at once.
const AT_ONCE: usize = 64;

struct Sitting {
    app: Arc<App>,
    game: Game,
    lobby: Lobby,
    seats: Vec<SeatRow>,
    umpire: Option<Box<Umpire>>,
    acted: Vec<(Seat, i64)>,
    views: BTreeMap<Eye, Arc<View>>,
    names: BTreeMap<Eye, Arc<View>>,
    people: BTreeMap<u64, Person>,
    thinking: Option<(usize, u64)>,
    /// Decisions that a program could not make; not tried again until somebody acts.
    given_up: Option<(usize, u64)>,
    own: mpsc::Sender<Note>,
    used: Instant,
}

/// Serves one game until it is left alone.
pub(crate) async fn sit(app: Arc<App>, id: String, own: mpsc::Sender<Note>, mut notes: mpsc::Receiver<Note>) {
    let opened = open(&app, &id, own).await;
    let mut sitting = match opened {
        Ok(sitting) => sitting,
        Err(refused) => {
            // Whoever waits is told, and the table is cleared away.
            while !app.hall.clear(&id, &mut notes) {
                if let Some(note) = notes.recv().await {
                    turn_away(note, &refused).await;
                }
            }
            while let Some(note) = notes.recv().await {
                turn_away(note, &refused).await;
            }
            return;
        }
    };
    let mut waiting = Vec::new();
    loop {
        let wake = sitting.wake();
        tokio::select! {
            heard = notes.recv_many(&mut waiting, AT_ONCE) => {
                if heard == 0 {
                    return;
                }
                sitting.used = Instant::now();
                let newest = newest_wishes(&waiting);
                for (i, note) in waiting.drain(..).enumerate() {
                    if let Some((connection, id)) = overtaken(i, &note, &newest) {
                        sitting.say(connection, id, Say::Refused(Refused::overtaken()));
                    } else {
                        sitting.hear(note).await;
                    }
                }
            },
            () = tokio::time::sleep_until(wake) => {
                sitting.ring().await;
                if sitting.left_alone() && app.hall.clear(&id, &mut notes) {
                    return;
                }
            }
        }
    }
}

/// The place in the queue of each connection's newest wish. A drag asks with every frame; only where the hand is now
/// matters.
fn newest_wishes(waiting: &[Note]) -> BTreeMap<u64, usize> {
    let wishes = waiting.iter().enumerate().filter_map(|(i, note)| match note {
        Note::Ask { connection, ask: Ask::Steer(_), .. } => Some((*connection, i)),
        _ => None,
    });
    wishes.collect()
}

/// Whether a note is a wish with a newer one behind it, and whom to tell so.
fn overtaken(i: usize, note: &Note, newest: &BTreeMap<u64, usize>) -> Option<(u64, Option<u64>)> {
    match note {
        Note::Ask { connection, id, ask: Ask::Steer(_) }
            if newest.get(connection).is_some_and(|n| *n > i) =>
        {
            Some((*connection, *id))
        }
        _ => None,
    }
}

async fn turn_away(note: Note, refused: &Refused) {
    match note {
        Note::Join { out, let_in, .. } => {
            let _ = out.send(Say::Refused(refused.clone()).text(None)).await;
            let _ = let_in.send(false);
        }
        Note::Look { seen } => {
            let _ = seen.send(Err(refused.clone()));
        }
        Note::Ask { .. } | Note::Leave { .. } | Note::Thought { .. } | Note::Reseated => {}
    }
}

async fn open(app: &Arc<App>, id: &str, own: mpsc::Sender<Note>) -> Result<Sitting, Refused> {
    let kept = async {
        let game = app.store.game(id).await?;
        Ok::<_, StoreError>(match game {
            Some(game) => Some((game, app.store.seats(id).await?)),
            None => None,
        })
    };
    match kept.await {
        Ok(Some((game, seats))) => Ok(Sitting {
            app: Arc::clone(app),
            lobby: serde_json::from_str(&game.lobby).unwrap_or_default(),
            game,
            seats,
            umpire: None,
            acted: Vec::new(),
            views: BTreeMap::new(),
            names: BTreeMap::new(),
            people: BTreeMap::new(),
            thinking: None,
            given_up: None,
            own,
            used: Instant::now(),
        }),
        Ok(None) => Err(Refused::new("gone", "there is no such game here; look at the link again")),
        Err(e) => {
            eprintln!("tricorne: {e}");
            Err(Refused::internal())
        }
    }
}

/// Plays a kept game again up to its last action; every hash must be what it was.
pub(crate) fn play_again(
    system: &'static dyn AnySystem,
    game: &Game,
    actions: &[ActionRow],
) -> Result<Umpire, String> {
    let header = header_of(game).map_err(|e| e.why)?;
    let mut umpire = Umpire::begin(system, &header.scenario(), &header.choices, header.seed)
        .map_err(|fault| fault.to_string())?;
    let moved_on = || {
        let (then, today) = (header.revision, system.about().revision);
        if then == today {
            String::new()
        } else {
            format!(" (it was begun under revision {then} of the rules, these are of revision {today})")
        }
    };
    if umpire.header().start != header.start {
        return Err(format!("the set-up comes out differently{}", moved_on()));
    }
    for row in actions {
        let action: Value = serde_json::from_str(&row.action).map_err(|e| e.to_string())?;
        let turned = umpire
            .act(Seat(row.seat), &action)
            .map_err(|e| format!("action {} is refused: {e}{}", row.n, moved_on()))?;
        if turned.hash.to_string() != row.hash {
            return Err(format!("action {} comes out differently{}", row.n, moved_on()));
        }
    }
    Ok(umpire)
}

impl Sitting {
    // ---- time ----

    fn wake(&self) -> Instant {
        let limits = &self.app.config.limits;
        let idle = if self.people.is_empty() { limits.linger } else { limits.idle };
        let mut wake = self.used + idle;
        if self.umpire.is_none() && !self.people.is_empty() {
            wake = Instant::now() + Duration::from_hours(1);
        }
        match self.flag() {
            Some(left) => wake.min(Instant::now() + left),
            None => wake,
        }
    }

    /// How long until the running clock runs out.
    fn flag(&self) -> Option<Duration> {
        let rule = self.lobby.clock.as_ref()?;
        let pending = self.game.waiting.map(Seat)?;
        let row = self.seats.get(pending.index())?;
        if row.kind != "person" || self.umpire.is_none() {
            return None;
        }
        let state = clock::reckon(rule, self.seats.len(), &self.acted, Some(pending), now());
        let seat = state.running?;
        let left = u64::try_from(*state.left.get(seat.index())?).unwrap_or_default();
        Some(Duration::from_millis(left))
    }

    async fn ring(&mut self) {
        if self.flag().is_some_and(|left| left.is_zero()) {
            self.out_of_time().await;
        } else if self.thinking.is_none() && self.used.elapsed() >= self.app.config.limits.idle {
            self.put_away();
        }
    }

    fn left_alone(&self) -> bool {
        self.people.is_empty()
            && self.thinking.is_none()
            && self.used.elapsed() >= self.app.config.limits.linger
    }

    fn put_away(&mut self) {
        self.umpire = None;
        self.views.clear();
        self.names.clear();
        self.acted = Vec::new();
        for person in self.people.values_mut() {
            person.listener.shown = None;
        }
    }

    /// The seat that must decide has no time left: a program plays on for it.
    async fn out_of_time(&mut self) {
        let Some(row) = self.game.waiting.and_then(|s| self.seats.get(usize::from(s))).cloned() else {
            return;
        };
        let level = Level::ALL.first().map(Level::to_string).unwrap_or_default();
        let then = self.lobby.clock.as_ref().and_then(|c| c.then.clone());
        let kind = then.unwrap_or_else(|| format!("program:{level}"));
        let row = SeatRow { kind, token_hash: None, owner: None, ..row };
        if let Err(e) = self.app.store.sit(&self.game.id, "person", row).await {
            eprintln!("tricorne: {e}");
        }
        self.reseated().await;
    }

    // ---- the battle ----

    async fn load(&mut self) -> Result<(), Refused> {
        if self.umpire.is_some() {
            return Ok(());
        }
        let Some(system) = self.app.system(&self.game.ruleset) else {
            return Err(Refused::new("gone", format!("there are no rules `{}` here", self.game.ruleset)));
        };
        let id = self.game.id.clone();
        let kept = async {
            let game = self.app.store.game(&id).await?;
            Ok::<_, StoreError>((game, self.app.store.actions(&id).await?))
        };
        let (game, actions) = kept.await.map_err(|e| {
            eprintln!("tricorne: {e}");
            Refused::internal()
        })?;
        self.game = game.ok_or_else(|| Refused::new("gone", "there is no such game here"))?;
        self.acted = actions.iter().map(|a| (Seat(a.seat), a.moment)).collect();
        let game = self.game.clone();
        let umpire = spawn_blocking(move || play_again(system, &game, &actions)).await;
        match umpire {
            Ok(Ok(umpire)) => {
                self.umpire = Some(Box::new(umpire));
                self.consider();
                Ok(())
            }
            Ok(Err(why)) => {
                eprintln!("tricorne: game {id} can't be played again: {why}");
                Err(Refused::new("internal", format!("this battle can't be played again: {why}")))
            }
            Err(e) => {
                eprintln!("tricorne: {e}");
                Err(Refused::internal())
            }
        }
    }

    /// Runs rules on a thread where they stall nobody. Rules that panic lose nothing: the battle is played again.
    async fn rules<R: Send + 'static>(
        &mut self,
        f: impl FnOnce(&mut Umpire) -> R + Send + 'static,
    ) -> Result<R, Refused> {
        self.load().await?;
        let Some(mut umpire) = self.umpire.take() else { return Err(Refused::internal()) };
        let run = spawn_blocking(move || {
            let result = f(&mut umpire);
            (umpire, result)
        });
        match run.await {
            Ok((umpire, result)) => {
                self.umpire = Some(umpire);
                Ok(result)
            }
            Err(e) => {
                eprintln!("tricorne: {e}");
                self.put_away();
                Err(Refused::internal())
            }
        }
    }

    fn at(&self) -> (usize, u64) {
        (self.game.actions as usize, self.game.take_backs as u64)
    }

    fn over(&self) -> bool {
        self.game.status != Status::Playing
    }

    fn occasion(&self, listeners: Vec<Listener>) -> Occasion {
        Occasion {
            listeners,
            take_backs: self.game.take_backs as u64,
            clock: self.lobby.clock.clone().map(|rule| ClockFacts {
                rule,
                acted: self.acted.clone(),
                now: now(),
            }),
            since: None,
            prologue: false,
            before: self.views.clone(),
            names: self.names.clone(),
        }
    }

    fn everybody(&self) -> Vec<Listener> {
        self.people.values().map(|p| p.listener.clone()).collect()
    }

    // ---- telling ----

    fn say(&mut self, connection: u64, id: Option<u64>, say: Say) {
        self.send(connection, say.text(id));
    }

    fn send(&mut self, connection: u64, text: String) {
        let slow = self.people.get(&connection).is_some_and(|p| p.out.try_send(text).is_err());
        // It does not read what it is sent. Its socket closes; it may come back and is told all again.
        if slow && let Some(person) = self.people.remove(&connection) {
            person.too_slow.notify_one();
        }
    }

    fn say_to_all(&mut self, say: Say) {
        let text = say.text(None);
        let connections: Vec<u64> = self.people.keys().copied().collect();
        for connection in connections {
            self.send(connection, text.clone());
        }
    }

    fn deliver(&mut self, rendered: Rendered) {
        for (connection, texts) in rendered.texts {
            for text in texts {
                self.send(connection, text);
            }
        }
        for (connection, seat) in rendered.shown {
            if let Some(person) = self.people.get_mut(&connection) {
                person.listener.shown = Some(seat);
            }
        }
        self.views.extend(rendered.views);
        self.names.extend(rendered.names);
    }

    fn say_presence(&mut self) {
        let seats = self.seats.iter().map(|row| Present {
            seat: Seat(row.seat),
            kind: row.kind.clone(),
            name: row.name.clone(),
            here: row.kind.starts_with("program:")
                || self.people.values().any(|p| p.listener.seats.contains(&Seat(row.seat))),
        });
        let watching = self.people.values().filter(|p| p.listener.seats.is_empty()).count();
        let say = Say::Presence { seats: seats.collect(), watching };
        self.say_to_all(say);
    }

    fn ending(&self) -> Say {
        let facts = GameFacts::of(&self.game, &[]);
        Say::Over { ending: facts.ending, seed: facts.seed.unwrap_or_default(), commitment: facts.commitment }
    }

    // ---- hearing ----

    async fn hear(&mut self, note: Note) {
        match note {
            Note::Join { connection, hello, user, out, too_slow, let_in } => {
                let person = self.newcomer(connection, &hello, user, out, too_slow);
                let out = person.out.clone();
                match self.join(person, &hello).await {
                    Ok(()) => {
                        let _ = let_in.send(true);
                    }
                    Err(refused) => {
                        self.people.remove(&connection);
                        let _ = out.try_send(Say::Refused(refused).text(None));
                        let _ = let_in.send(false);
                    }
                }
            }
            Note::Ask { connection, id, ask } => {
                if let Err(refused) = self.answer(connection, id, ask).await {
                    self.say(connection, id, Say::Refused(refused));
                }
            }
            Note::Leave { connection } => {
                if self.people.remove(&connection).is_some() {
                    self.say_presence();
                }
            }
            Note::Thought { at, seat, action } => self.thought(at, seat, action).await,
            Note::Reseated => self.reseated().await,
            Note::Look { seen } => {
                let view = match self.rules(|umpire| Arc::new(umpire.battle().view(None))).await {
                    Ok(_) if !self.game.watch => {
                        Err(Refused::new("unknown_token", "this battle is not to be watched"))
                    }
                    other => other,
                };
                let _ = seen.send(view);
            }
        }
    }

    fn newcomer(
        &self,
        connection: u64,
        hello: &Hello,
        user: Option<String>,
        out: mpsc::Sender<String>,
        too_slow: Arc<Notify>,
    ) -> Person {
        let hashes = hello.token.iter().chain(&hello.tokens).map(|t| secret::hash(t)).collect();
        let listener =
            Listener { connection, seats: Vec::new(), look: None, views: hello.views, shown: None };
        let mut person = Person { out, too_slow, hashes, user, listener };
        person.listener.seats =
            self.seats.iter().filter(|row| person.holds(row)).map(|row| Seat(row.seat)).collect();
        person
    }

    async fn join(&mut self, person: Person, hello: &Hello) -> Result<(), Refused> {
        let listener = person.listener.clone();
        let connection = listener.connection;
        if listener.seats.is_empty() {
            if !person.hashes.is_empty() {
                return Err(Refused::new(
                    "unknown_token",
                    "this link fits no seat of this game; ask for it again, or come without it to watch",
                ));
            }
            if !self.game.watch {
                return Err(Refused::new(
                    "unknown_token",
                    "this battle is not to be watched; a seat's link is needed",
                ));
            }
        }
        self.load().await?;
        let said = self.app.store.chats(&self.game.id, 200).await.map_err(|e| {
            eprintln!("tricorne: {e}");
            Refused::internal()
        })?;
        let mut occasion = self.occasion(vec![listener.clone()]);
        occasion.since = Some(hello.since as usize);
        occasion.prologue = hello.since == 0;
        let rendered = self.rules(move |umpire| render(umpire, &occasion)).await?;
        self.people.insert(connection, person);
        let game = Box::new(GameFacts::of(&self.game, &self.seats));
        self.say(connection, None, Say::Welcome { game, your_seats: listener.seats });
        if !said.is_empty() {
            let lines = said.into_iter().map(chat_line).collect();
            self.say(connection, None, Say::Chat { lines });
        }
        // Others with the same view keep theirs as the one they were sent last; this one is the same moment.
        self.deliver(rendered);
        if self.over() {
            let over = self.ending();
            self.say(connection, None, over);
        }
        self.say_presence();
        Ok(())
    }

    async fn reseated(&mut self) {
        match self.app.store.seats(&self.game.id).await {
            Ok(seats) => self.seats = seats,
            Err(e) => {
                eprintln!("tricorne: {e}");
                return;
            }
        }
        let seats = self.seats.clone();
        let mut changed = false;
        for person in self.people.values_mut() {
            let held: Vec<Seat> =
                seats.iter().filter(|row| person.holds(row)).map(|row| Seat(row.seat)).collect();
            if held != person.listener.seats {
                person.listener.seats = held;
                person.listener.shown = None;
                changed = true;
            }
        }
        self.say_presence();
        if changed {
            let occasion = self.occasion(self.everybody());
            if let Ok(rendered) = self.rules(move |umpire| render(umpire, &occasion)).await {
                self.deliver(rendered);
            }
        }
        if self.load().await.is_ok() {
            self.consider();
        }
    }

    async fn answer(&mut self, connection: u64, id: Option<u64>, ask: Ask) -> Result<(), Refused> {
        let Some(person) = self.people.get(&connection) else { return Ok(()) };
        let seats = person.listener.seats.clone();
        match ask {
            Ask::Hello(_) => return Err(Refused::new("malformed", "hello was said already")),
            Ask::Ping {} => self.say(connection, id, Say::Pong {}),
            Ask::Look { seat } => {
                if seat.is_some_and(|s| !seats.contains(&s)) {
                    return Err(Refused::new("not_yours", "you can look only from a seat of your own"));
                }
                let Some(person) = self.people.get_mut(&connection) else { return Ok(()) };
                person.listener.look = Some(seat);
                let listener = person.listener.clone();
                let mut occasion = self.occasion(vec![listener]);
                occasion.before = BTreeMap::new();
                let rendered = self.rules(move |umpire| render(umpire, &occasion)).await?;
                self.deliver(rendered);
            }
            Ask::Chat { text } => self.chat(&seats, &text).await?,
            Ask::Act { n, action, take_backs } => {
                let seat = self.may_decide(&seats).await?;
                self.not_stale(n, take_backs)?;
                let seat = seat.map_err(Refused::not_yours)?;
                self.act(Some((connection, id)), seat, action).await?;
            }
            Ask::TakeBack { n } => {
                self.may_decide(&seats).await?.ok();
                self.not_stale(n, None)?;
                self.take_back(&seats).await?;
            }
            Ask::Legal {} => {
                self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                let legal = self.rules(|umpire| umpire.battle().legal()).await?;
                let n = self.at().0 as u64;
                self.say(connection, id, Say::Legal { n, listed: legal.listed, spaces: legal.spaces });
            }
            Ask::Check { action } => {
                self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                self.rules(move |umpire| umpire.battle().check(&action)).await??;
                let n = self.at().0 as u64;
                self.say(connection, id, Say::Checked { n });
            }
            Ask::Preview { action } => {
                self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                let preview = self.rules(move |umpire| umpire.battle().preview(&action)).await??;
                let n = self.at().0 as u64;
                self.say(connection, id, Say::Preview { n, preview: Box::new(preview) });
            }
            Ask::Candidates { n: most } => {
                self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                let seed = secret::seed().map_err(|_| Refused::internal())?;
                let most = most.clamp(1, 500);
                let list = self
                    .rules(move |umpire| umpire.battle().candidates(most, &mut Whim::new(seed, 0)))
                    .await?;
                let n = self.at().0 as u64;
                self.say(connection, id, Say::Candidates { n, list });
            }
            Ask::Picture {} => {
                let draw = self
                    .app
                    .config
                    .picture
                    .ok_or_else(|| Refused::new("no_picture", "this server draws no pictures"))?;
                let listener = person.listener.clone();
                let svg = self
                    .rules(move |umpire| {
                        let battle = umpire.battle();
                        draw(&battle.view(listener.eye(&battle.pending())))
                    })
                    .await?;
                let n = self.at().0 as u64;
                self.say(connection, id, Say::Picture { n, svg });
            }
            Ask::Steer(wish) => {
                self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                let n = self.at().0 as u64;
                let steered = self.rules(move |umpire| steer(umpire.battle(), n, &wish)).await??;
                self.say(connection, id, steered);
            }
            Ask::Sight { from, to } => {
                let listener = person.listener.clone();
                let sight = self
                    .rules(move |umpire| {
                        let battle = umpire.battle();
                        sight(battle, listener.eye(&battle.pending()), from, to)
                    })
                    .await??;
                let n = self.at().0 as u64;
                self.say(connection, id, Say::Sight { n, sight });
            }
            Ask::Courses { unit } => {
                let seat = self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                let list = self.rules(move |umpire| courses(umpire.battle(), seat, unit)).await??;
                let n = self.at().0 as u64;
                self.say(connection, id, Say::Courses { n, unit, list });
            }
            Ask::Odds { action } => {
                let seat = self.may_decide(&seats).await?.map_err(Refused::not_yours)?;
                let lines = self.rules(move |umpire| odds(umpire.battle(), seat, &action)).await??;
                let n = self.at().0 as u64;
                self.say(connection, id, Say::Odds { n, lines });
            }
        }
        Ok(())
    }

    /// The seat that must decide, if it is one of ours; otherwise whose it is.
    async fn may_decide(&mut self, seats: &[Seat]) -> Result<Result<Seat, Seat>, Refused> {
        if seats.is_empty() {
            return Err(Refused::new("spectator", "you are watching; only seats decide"));
        }
        self.load().await?;
        let pending = self.umpire.as_ref().and_then(|u| u.battle().seat());
        match pending {
            Some(seat) if !self.over() => Ok(if seats.contains(&seat) { Ok(seat) } else { Err(seat) }),
            _ => Err(Refused::over()),
        }
    }

    fn not_stale(&self, n: u64, take_backs: Option<u64>) -> Result<(), Refused> {
        let (here, back) = self.at();
        if n == here as u64 && take_backs.is_none_or(|t| t == back) {
            Ok(())
        } else {
            Err(Refused::new(
                "stale",
                format!("the battle has gone on: {here} actions have been taken, yours answers {n}"),
            ))
        }
    }

    /// Takes an action, keeps it, and then tells everybody.
    async fn act(
        &mut self,
        who: Option<(u64, Option<u64>)>,
        seat: Seat,
        action: Value,
    ) -> Result<(), Refused> {
        let moment = now();
        // After an action everybody sees the table from the seat that matters, wherever they looked from before.
        let mut listeners = self.everybody();
        for listener in &mut listeners {
            listener.look = None;
        }
        let mut occasion = self.occasion(listeners);
        if let Some(clock) = &mut occasion.clock {
            clock.acted.push((seat, moment));
        }
        let before = self.at().0;
        occasion.since = Some(before);
        let done = self
            .rules(move |umpire| {
                let hash = umpire.act(seat, &action)?.hash.to_string();
                let rendered = render(umpire, &occasion);
                Ok::<_, Refused>((action.to_string(), hash, umpire.battle().pending(), rendered))
            })
            .await?;
        let (action, hash, pending, rendered) = done?;
        let n = before as i64 + 1;
        let next = match &pending {
            Pending::Decision { seat, .. } => Next::Waits(seat.0),
            Pending::Over(ending) => Next::Over(serde_json::to_string(ending).unwrap_or_default()),
        };
        let row = ActionRow { n, seat: seat.0, action, hash, moment };
        if let Err(e) = self.app.store.act(&self.game.id, row, next.clone()).await {
            return Err(self.not_kept(&e).await);
        }
        self.game.actions = n;
        self.acted.push((seat, moment));
        for person in self.people.values_mut() {
            person.listener.look = None;
        }
        match next {
            Next::Waits(seat) => self.game.waiting = Some(seat),
            Next::Over(ending) => {
                self.game.waiting = None;
                self.game.status = Status::Finished;
                self.game.ending = Some(ending);
            }
        }
        if let Some((connection, id)) = who {
            self.say(connection, id, Say::Acted { n: n as u64 });
        }
        self.deliver(rendered);
        if self.over() {
            let over = self.ending();
            self.say_to_all(over);
        }
        self.consider();
        Ok(())
    }

    /// The store did not take it: what is in memory is no longer what is kept, so it is read again and told to everybody.
    async fn not_kept(&mut self, e: &StoreError) -> Refused {
        let since = self.at().0;
        self.put_away();
        if self.load().await.is_ok() {
            let mut occasion = self.occasion(self.everybody());
            occasion.since = Some(since);
            if let Ok(rendered) = self.rules(move |umpire| render(umpire, &occasion)).await {
                self.deliver(rendered);
            }
        }
        match e {
            StoreError::Conflict => Refused::new("stale", "the battle has gone on meanwhile"),
            other => {
                eprintln!("tricorne: {other}");
                Refused::internal()
            }
        }
    }

    async fn take_back(&mut self, seats: &[Seat]) -> Result<(), Refused> {
        let no = |why: &str| Refused::new("no_take_back", why);
        let last = self.umpire.as_ref().and_then(|u| u.turned().last());
        let Some(last) = last else { return Err(no("nothing was done yet")) };
        let seat = last.seat;
        if !seats.contains(&seat) {
            return Err(no("the last action was not yours"));
        }
        if !last.draws.is_empty() {
            return Err(no("a die or a card is out"));
        }
        let n = self.at().0;
        if self.lobby.forked_from.as_ref().is_some_and(|f| f.n >= n as u64) {
            return Err(no("that action belongs to the battle this one goes on from"));
        }
        let mut occasion = self.occasion(self.everybody());
        occasion.take_backs += 1;
        if let Some(clock) = &mut occasion.clock {
            clock.acted.pop();
        }
        let rendered = self
            .rules(move |umpire| {
                let action = umpire.turned().last().map(|t| t.action.clone()).unwrap_or_default();
                let known = |umpire: &Umpire| -> Vec<_> {
                    umpire.battle().view(Some(seat)).units.iter().map(|u| u.id).collect()
                };
                let after = known(umpire);
                umpire.step_back(n - 1).map_err(|fault| {
                    eprintln!("tricorne: {fault}");
                    Refused::internal()
                })?;
                let before = known(umpire);
                if after.iter().any(|unit| !before.contains(unit)) {
                    // No die was rolled, so taking the action again brings it to the same place.
                    umpire.act(seat, &action)?;
                    return Err(Refused::new("no_take_back", "it uncovered something that was hidden"));
                }
                Ok(render(umpire, &occasion))
            })
            .await??;
        if let Err(e) = self.app.store.take_back(&self.game.id, n as i64, seat.0).await {
            return Err(self.not_kept(&e).await);
        }
        self.game.actions = n as i64 - 1;
        self.game.take_backs += 1;
        self.game.waiting = Some(seat.0);
        self.acted.pop();
        self.say_to_all(Say::TakenBack { n: n as u64 - 1, seat });
        self.deliver(rendered);
        self.consider();
        Ok(())
    }

    async fn chat(&mut self, seats: &[Seat], text: &str) -> Result<(), Refused> {
        let Some(seat) = seats.first() else {
            return Err(Refused::new("spectator", "you are watching; only seats speak"));
        };
        let text = text.trim();
        if text.is_empty() || text.chars().count() > 500 || text.chars().any(|c| c.is_control() && c != '\n')
        {
            return Err(Refused::new("malformed", "say something of at most 500 characters"));
        }
        let Some(row) = self.seats.get(seat.index()) else { return Err(Refused::internal()) };
        let name = if row.name.is_empty() { &row.seat_name } else { &row.name };
        let row = ChatRow { moment: now(), seat: seat.0, name: name.clone(), line: text.into() };
        self.app.store.chat(&self.game.id, row.clone()).await.map_err(|e| {
            eprintln!("tricorne: {e}");
            Refused::internal()
        })?;
        self.say_to_all(Say::Chat { lines: vec![chat_line(row)] });
        Ok(())
    }

    // ---- programs ----

    /// If a program must decide, lets it think, on a thread of its own and not more of them than the machine bears.
    fn consider(&mut self) {
        let at = self.at();
        let Some(umpire) = &self.umpire else { return };
        let Some(seat) = umpire.battle().seat() else { return };
        let Some(row) = self.seats.get(seat.index()) else { return };
        let Some(level) = row.kind.strip_prefix("program:").and_then(|l| l.parse::<Level>().ok()) else {
            return;
        };
        if self.thinking == Some(at) || self.given_up == Some(at) {
            return;
        }
        self.thinking = Some(at);
        let battle = umpire.battle().boxed_clone();
        let seed = secret::program_seed(umpire.header().seed, at.0, at.1);
        let (thinkers, own) = (Arc::clone(&self.app.thinkers), self.own.clone());
        tokio::spawn(async move {
            let permit = thinkers.acquire_owned().await;
            let thought = spawn_blocking(move || Player::new(level, seed, seat).choose_any(battle.as_ref()));
            let action = thought.await.map_err(|e| eprintln!("tricorne: a program failed: {e}")).ok();
            drop(permit);
            let _ = own.send(Note::Thought { at, seat, action }).await;
        });
    }

    async fn thought(&mut self, at: (usize, u64), seat: Seat, action: Option<Value>) {
        if self.thinking == Some(at) {
            self.thinking = None;
        }
        if at != self.at() {
            // The player it answered took the action back; it thinks again about what there is now.
            self.consider();
            return;
        }
        let first = match action {
            Some(action) => self.act(None, seat, action).await,
            None => Err(Refused::internal()),
        };
        let Err(refused) = first else { return };
        eprintln!("tricorne: a program's answer in game {} was refused: {}", self.game.id, refused.why);
        // Any legal answer is better than a battle that stands still.
        let seed = secret::program_seed(tricorne_chance::Seed([1; 32]), at.0, at.1);
        let any = self.rules(move |umpire| umpire.battle().sample(&mut Whim::new(seed, 0))).await;
        let second = match any {
            Ok(action) => self.act(None, seat, action).await,
            Err(refused) => Err(refused),
        };
        if let Err(refused) = second {
            eprintln!("tricorne: game {} stands still: {}", self.game.id, refused.why);
            self.given_up = Some(at);
        }
    }
}

fn chat_line(row: ChatRow) -> ChatLine {
    ChatLine { at: row.moment, seat: Seat(row.seat), name: row.name, text: row.line }
}
