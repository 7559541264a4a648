//! How much one address may ask.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::time::Instant;

/// A bucket of permissions that fills again with time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    pub(crate) fn full(burst: u32) -> Self {
        Self { left: f64::from(burst), at: Instant::now() }
    }

    /// Takes one permission, if there is one.
    pub(crate) fn take(&mut self, per_second: u32, burst: u32) -> bool {
        self.take_at(f64::from(per_second), burst)
    }

    fn take_at(&mut self, per_second: f64, burst: u32) -> bool {
        let now = Instant::now();
        let gained = (now - self.at).as_secs_f64() * per_second;
        self.at = now;
        self.left = (self.left + gained).min(f64::from(burst));
        if self.left >= 1.0 {
            self.left -= 1.0;
            true
        } else {
            false
        }
    }
}

/// What is rationed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ration {
    /// Any request.
    Request,
    /// One that makes or changes something.
    Change,
    /// A try at a password.
    Password,
    /// Something said at a table.
    Line,
}

/// How fast wrong tries at one name are forgiven, a second.
pub(crate) const FORGIVEN: f64 = 0.1;

#[derive(Default)]
struct Book {
    /// When those who ask for nothing were last forgotten: it takes a look at everybody.
    swept: Option<Instant>,
    tries: BTreeMap<String, Bucket>,
    buckets: BTreeMap<(IpAddr, Ration), Bucket>,
    inside: BTreeMap<IpAddr, u32>,
}

/// Counts what each address asks.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<Mutex<Book>>);

impl Book {
    /// Once a second at most: whoever comes from everywhere must not make every request a look at everybody.
    fn time_to_sweep(&mut self) -> bool {
        let now = Instant::now();
        let due = self.swept.is_none_or(|at| (now - at).as_secs() >= 1);
        if due {
            self.swept = Some(now);
        }
        due
    }
}

/// Addresses remembered at most; beyond that the fullest buckets are forgotten.
const REMEMBERED: usize = 50_000;

impl Gate {
    /// Whether an address may have one more of something.
    pub(crate) fn allows(&self, address: IpAddr, ration: Ration, per_second: u32, burst: u32) -> bool {
        let mut book = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if book.buckets.len() > REMEMBERED && book.time_to_sweep() {
            let now = Instant::now();
            book.buckets.retain(|_, b| (now - b.at).as_secs() < 60);
        }
        book.buckets.entry((address, ration)).or_insert_with(|| Bucket::full(burst)).take(per_second, burst)
    }

    /// Whether a password may be tried for a name, from anywhere.
    pub(crate) fn allows_try(&self, name: &str, burst: u32) -> bool {
        let mut book = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if book.tries.len() > REMEMBERED && book.time_to_sweep() {
            let now = Instant::now();
            book.tries.retain(|_, b| (now - b.at).as_secs_f64() * FORGIVEN < f64::from(burst));
        }
        book.tries.entry(name.to_owned()).or_insert_with(|| Bucket::full(burst)).take_at(FORGIVEN, burst)
    }

    /// It was the right one: it is not counted.
    pub(crate) fn right(&self, name: &str, burst: u32) {
        let mut book = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bucket) = book.tries.get_mut(name) {
            bucket.left = (bucket.left + 1.0).min(f64::from(burst));
        }
    }

    /// Lets a connection in; it is counted until the visit is dropped.
    pub(crate) fn enter(&self, address: IpAddr, most: u32) -> Option<Visit> {
        let mut book = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let inside = book.inside.entry(address).or_default();
        if *inside >= most {
            return None;
        }
        *inside += 1;
        Some(Visit { gate: self.clone(), address })
    }
}

/// A connection that is counted.
pub(crate) struct Visit {
    gate: Gate,
    address: IpAddr,
}

impl Drop for Visit {
    fn drop(&mut self) {
        let mut book = self.gate.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(inside) = book.inside.get_mut(&self.address) {
            *inside -= 1;
            if *inside == 0 {
                book.inside.remove(&self.address);
            }
        }
    }
}
