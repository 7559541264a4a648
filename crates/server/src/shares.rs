//! Fair shares of the machine: so much work at a time, and whoever has had least of it comes first.
//!
//! Work is counted by the time it took, for an address (or for a game, where programs think) and, among the work of one
//! address, for each of its connections. Whoever asks a little is served next, however long others queue; whoever keeps the
//! machine busy waits behind everybody else. What was had counts half after some seconds, and less and less.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

/// After so long, what somebody had counts half.
const HALF_LIFE: Duration = Duration::from_secs(4);

/// Those remembered at most that wait for nothing; beyond that the ones who had least are forgotten.
const REMEMBERED: usize = 10_000;

/// A number of places to work at.
pub(crate) struct Shares<K: Ord + Clone + Debug> {
    queue: usize,
    book: Mutex<Book<K>>,
}

struct Book<K: Ord + Clone + Debug> {
    places: usize,
    running: usize,
    served: u64,
    who: BTreeMap<K, Account<K>>,
}

/// What somebody had, and what they wait for.
struct Account<K: Ord + Clone + Debug> {
    had: f64,
    at: Instant,
    running: usize,
    waiting: usize,
    lanes: BTreeMap<u64, Lane<K>>,
}

struct Lane<K: Ord + Clone + Debug> {
    last: u64,
    rank: u8,
    queue: VecDeque<oneshot::Sender<Turn<K>>>,
}

impl<K: Ord + Clone + Debug> Account<K> {
    fn had(&self, now: Instant) -> f64 {
        let faded = 1.0 + (now - self.at).as_secs_f64() / HALF_LIFE.as_secs_f64();
        // Work that goes on is not counted yet; each piece of it stands for a moment.
        self.had / faded + self.running as f64 * 0.05
    }

    fn rank(&self) -> u8 {
        self.lanes.values().map(|lane| lane.rank).min().unwrap_or(u8::MAX)
    }
}

/// There is too much of somebody's waiting already.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooMuch;

/// A place at work, until it is dropped.
pub(crate) struct Turn<K: Ord + Clone + Debug> {
    shares: Arc<Shares<K>>,
    who: K,
    since: Instant,
}

impl<K: Ord + Clone + Debug> Shares<K> {
    /// So many places, and at most so much of one's work waiting for them.
    pub(crate) fn new(places: usize, queue: usize) -> Arc<Self> {
        let book = Book { places: places.max(1), running: 0, served: 0, who: BTreeMap::new() };
        Arc::new(Self { queue, book: Mutex::new(book) })
    }

    /// From now on so many places. Where there are fewer than before, whoever works goes on.
    pub(crate) fn resize(self: &Arc<Self>, places: usize) {
        self.book.lock().unwrap_or_else(PoisonError::into_inner).places = places.max(1);
        self.give();
    }

    /// Waits for a place. Lower ranks come first; in one rank, whoever had least.
    pub(crate) async fn turn(self: &Arc<Self>, who: K, lane: u64, rank: u8) -> Result<Turn<K>, TooMuch> {
        let (place, given) = oneshot::channel();
        {
            let mut book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
            book.forget_some();
            let served = book.served;
            let account = book.who.entry(who).or_insert_with(|| Account {
                had: 0.0,
                at: Instant::now(),
                running: 0,
                waiting: 0,
                lanes: BTreeMap::new(),
            });
            if account.waiting >= self.queue {
                return Err(TooMuch);
            }
            account.waiting += 1;
            let lane = account.lanes.entry(lane).or_insert_with(|| Lane {
                last: served,
                rank,
                queue: VecDeque::new(),
            });
            lane.rank = lane.rank.min(rank);
            lane.queue.push_back(place);
        }
        self.give();
        // The sender is dropped with the book only.
        given.await.map_err(|_| TooMuch)
    }

    /// How many work and how many wait.
    pub(crate) fn load(&self) -> (usize, usize) {
        let book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        (book.running, book.who.values().map(|account| account.waiting).sum())
    }

    /// Gives every free place to whoever comes next.
    fn give(self: &Arc<Self>) {
        loop {
            let (place, turn) = {
                let mut book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
                if book.running >= book.places {
                    return;
                }
                let Some((who, place)) = book.next() else { return };
                book.running += 1;
                (place, Turn { shares: Arc::clone(self), who, since: Instant::now() })
            };
            // Who went away meanwhile gives the place back by dropping it.
            let _ = place.send(turn);
        }
    }
}

impl<K: Ord + Clone + Debug> Book<K> {
    fn next(&mut self) -> Option<(K, oneshot::Sender<Turn<K>>)> {
        let now = Instant::now();
        let waiting = self.who.iter().filter(|(_, account)| account.waiting > 0);
        let first =
            waiting.min_by(|(_, a), (_, b)| a.rank().cmp(&b.rank()).then(a.had(now).total_cmp(&b.had(now))));
        let who = first.map(|(who, _)| who.clone())?;
        self.served += 1;
        let account = self.who.get_mut(&who)?;
        let lane =
            account.lanes.iter().min_by_key(|(_, lane)| (lane.rank, lane.last)).map(|(lane, _)| *lane)?;
        let chosen = account.lanes.get_mut(&lane)?;
        chosen.last = self.served;
        let place = chosen.queue.pop_front();
        if chosen.queue.is_empty() {
            account.lanes.remove(&lane);
        }
        account.waiting -= 1;
        account.running += 1;
        place.map(|place| (who, place))
    }

    fn forget_some(&mut self) {
        if self.who.len() > REMEMBERED {
            let now = Instant::now();
            self.who
                .retain(|_, account| account.waiting > 0 || account.running > 0 || account.had(now) > 0.01);
        }
    }
}

impl<K: Ord + Clone + Debug> Drop for Turn<K> {
    fn drop(&mut self) {
        {
            let mut book = self.shares.book.lock().unwrap_or_else(PoisonError::into_inner);
            book.running -= 1;
            let now = Instant::now();
            if let Some(account) = book.who.get_mut(&self.who) {
                account.running -= 1;
                account.had =
                    account.had(now) - account.running as f64 * 0.05 + (now - self.since).as_secs_f64();
                account.at = now;
            }
        }
        self.shares.give();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn settle() {
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
    }

    /// Queues work and notes the order in which it is done; each piece takes `took`.
    async fn order(work: &[(&'static str, u64, u8)], took: &[(&str, u64)]) -> Vec<(&'static str, u64)> {
        let shares = Shares::new(1, 100);
        let hold = shares.turn("holder", 0, 0).await.unwrap();
        let done = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = Vec::new();
        for &(who, lane, rank) in work {
            let (shares, done) = (Arc::clone(&shares), Arc::clone(&done));
            let took = took.iter().find(|(name, _)| *name == who).map_or(1, |(_, took)| *took);
            tasks.push(tokio::spawn(async move {
                let mut turn = shares.turn(who, lane, rank).await.unwrap();
                done.lock().unwrap().push((who, lane));
                // As if it had taken so long.
                turn.since -= Duration::from_secs(took);
                drop(turn);
            }));
            settle().await;
        }
        drop(hold);
        for task in tasks {
            task.await.unwrap();
        }
        done.lock().unwrap().clone()
    }

    #[tokio::test]
    async fn who_asks_little_is_served_before_who_asks_much() {
        let work = [("much", 0, 0), ("much", 0, 0), ("much", 0, 0), ("little", 0, 0), ("little", 0, 0)];
        let order = order(&work, &[("much", 500), ("little", 1)]).await;
        // Both had nothing at first; then whoever had much waits for all that had little.
        let order: Vec<&str> = order.into_iter().map(|(who, _)| who).collect();
        assert_eq!(order, ["little", "much", "little", "much", "much"]);
    }

    #[tokio::test]
    async fn lower_ranks_come_first() {
        let order = order(&[("nobody looks", 0, 1), ("watched", 0, 0), ("watched", 0, 0)], &[]).await;
        let order: Vec<&str> = order.into_iter().map(|(who, _)| who).collect();
        assert_eq!(order, ["watched", "watched", "nobody looks"]);
    }

    #[tokio::test]
    async fn too_much_is_refused_and_who_goes_away_gives_the_place_back() {
        let shares = Shares::new(1, 2);
        let hold = shares.turn("a", 0, 0).await.unwrap();
        let waiting: Vec<_> = (0..2)
            .map(|_| {
                let shares = Arc::clone(&shares);
                tokio::spawn(async move { shares.turn("a", 0, 0).await.map(drop) })
            })
            .collect();
        settle().await;
        assert_eq!(shares.turn("a", 0, 0).await.err(), Some(TooMuch));
        assert_eq!(shares.load(), (1, 2));
        for task in waiting {
            task.abort();
            let _ = task.await;
        }
        drop(hold);
        // The places of those who went are free again.
        drop(shares.turn("b", 0, 0).await.unwrap());
        drop(shares.turn("a", 0, 0).await.unwrap());
        assert_eq!(shares.load(), (0, 0));
    }

    #[tokio::test]
    async fn places_come_and_go() {
        let shares = Shares::new(1, 100);
        let first = shares.turn("a", 0, 0).await.unwrap();
        let waiting = {
            let shares = Arc::clone(&shares);
            tokio::spawn(async move { shares.turn("b", 0, 0).await.unwrap() })
        };
        settle().await;
        assert_eq!(shares.load(), (1, 1));
        shares.resize(2);
        let second = waiting.await.unwrap();
        // With one place again, both go on and nobody else comes before both are done.
        shares.resize(1);
        drop(first);
        let third = {
            let shares = Arc::clone(&shares);
            tokio::spawn(async move { shares.turn("c", 0, 0).await.map(drop).unwrap() })
        };
        settle().await;
        assert_eq!(shares.load(), (1, 1));
        drop(second);
        third.await.unwrap();
        assert_eq!(shares.load(), (0, 0));
    }

    #[tokio::test]
    async fn connections_of_one_address_take_turns() {
        let work = [("a", 1, 0), ("a", 1, 0), ("a", 1, 0), ("a", 2, 0)];
        let lanes: Vec<u64> = order(&work, &[]).await.into_iter().map(|(_, lane)| lane).collect();
        assert_eq!(lanes, [1, 2, 1, 1]);
    }
}
