//! What a keeper's instruments read: counts and times, in the text form of Prometheus.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::App;

/// Upper ends of the times that are counted, in milliseconds.
const ENDS: [u64; 11] = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000];

/// How long something took, counted.
#[derive(Default)]
pub(crate) struct Times {
    within: [AtomicU64; ENDS.len()],
    count: AtomicU64,
    micros: AtomicU64,
}

impl Times {
    pub(crate) fn took(&self, time: Duration) {
        for (end, within) in ENDS.iter().zip(&self.within) {
            if time <= Duration::from_millis(*end) {
                within.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn tell(&self, name: &str, about: &str, out: &mut String) {
        let _ = writeln!(out, "# HELP {name} {about}\n# TYPE {name} histogram");
        for (end, within) in ENDS.iter().zip(&self.within) {
            let _ = writeln!(
                out,
                "{name}_bucket{{le=\"{}\"}} {}",
                *end as f64 / 1000.0,
                within.load(Ordering::Relaxed)
            );
        }
        let count = self.count.load(Ordering::Relaxed);
        let seconds = self.micros.load(Ordering::Relaxed) as f64 / 1e6;
        let _ =
            writeln!(out, "{name}_bucket{{le=\"+Inf\"}} {count}\n{name}_sum {seconds}\n{name}_count {count}");
    }
}

/// Everything that is counted.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Requests over HTTP, by the first digit of their status.
    answered: [AtomicU64; 6],
    pub(crate) requests: Times,
    /// From hearing an action to having it on disk and told.
    pub(crate) actions: Times,
    pub(crate) thoughts: Times,
    pub(crate) refused_writes: AtomicU64,
    pub(crate) turned_away: AtomicU64,
    pub(crate) live: AtomicU64,
    /// Battles nobody asked for that were put out of memory, to be played again when somebody does.
    pub(crate) put_away: AtomicU64,
}

impl Metrics {
    pub(crate) fn answered(&self, status: u16, time: Duration) {
        if let Some(count) = self.answered.get(usize::from(status / 100)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.requests.took(time);
    }

    pub(crate) fn one_more(count: &AtomicU64) {
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// All of it as text.
pub(crate) fn text(app: &App) -> String {
    let m = &app.metrics;
    let mut out = String::new();
    out.push_str("# HELP tricorne_requests_total Requests over HTTP, by status.\n# TYPE tricorne_requests_total counter\n");
    for (digit, count) in m.answered.iter().enumerate().skip(1) {
        let _ = writeln!(
            out,
            "tricorne_requests_total{{status=\"{digit}xx\"}} {}",
            count.load(Ordering::Relaxed)
        );
    }
    m.requests.tell("tricorne_request_seconds", "From a request to its answer.", &mut out);
    m.actions.tell(
        "tricorne_action_seconds",
        "From an action heard to the action on disk and told.",
        &mut out,
    );
    m.thoughts.tell(
        "tricorne_thought_seconds",
        "Decisions of programs, waiting for a place included.",
        &mut out,
    );
    let mut count = |name: &str, about: &str, kind: &str, value: u64| {
        let _ = writeln!(out, "# HELP {name} {about}\n# TYPE {name} {kind}\n{name} {value}");
    };
    let read = |n: &AtomicU64| n.load(Ordering::Relaxed);
    count(
        "tricorne_writes_refused_total",
        "Changes the database did not take.",
        "counter",
        read(&m.refused_writes),
    );
    count("tricorne_turned_away_total", "Requests over somebody's ration.", "counter", read(&m.turned_away));
    count(
        "tricorne_battles_put_away_total",
        "Battles put out of memory until somebody asks again.",
        "counter",
        read(&m.put_away),
    );
    count(
        "tricorne_untaken_bytes",
        "Answers and messages in memory that whoever asked for them has not read yet.",
        "gauge",
        app.untaken.all() as u64,
    );
    count("tricorne_live_connections", "Connections for live play.", "gauge", read(&m.live));
    count(
        "tricorne_thinkers",
        "Places at which other processes think for this one.",
        "gauge",
        app.thinking.elsewhere() as u64,
    );
    count("tricorne_tables", "Games with a table laid.", "gauge", app.hall.tables() as u64);
    for (name, (running, waiting)) in [
        ("short", app.short.load()),
        ("soon", app.soon.load()),
        ("long", app.long.load()),
        ("thinking", app.thinking.load()),
    ] {
        count(&format!("tricorne_{name}_running"), "Pieces of work being done.", "gauge", running as u64);
        count(
            &format!("tricorne_{name}_waiting"),
            "Pieces of work waiting for a place.",
            "gauge",
            waiting as u64,
        );
    }
    out
}
