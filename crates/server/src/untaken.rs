//! What was made for somebody and is not taken yet: long answers that are read slowly, messages that wait for a connection
//! which reads nothing. They stand in memory, so they are counted, for each address and for all of them, and there is an end
//! to it.
//!
//! An address may have an eighth of what is still free: alone that is a ninth of all, and the more others have, the less.
//! Who has nothing waiting may have one long thing, up to half of what is free. So nobody can take it all, whoever comes new finds
//! room, and a little is everybody's at any time. What was done is said to be done however much waits.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use tokio::sync::mpsc;

use crate::error::ApiError;

/// The part of what is free that one address may have.
const SHARE: usize = 8;

/// What an address may have however little is free: some tables and a picture.
const ALWAYS: usize = 256 * 1024;

/// Answers up to this are not counted: a connection's own buffers are larger.
const SMALL: usize = 16 * 1024;

/// What is handed to a connection at once; it asks for more when that is taken.
const PIECE: usize = 16 * 1024;

/// Counts what is not taken yet. Clones share the count.
#[derive(Clone)]
pub(crate) struct Untaken(Arc<Mutex<Book>>);

struct Book {
    most: usize,
    all: usize,
    of: BTreeMap<IpAddr, usize>,
}

impl Untaken {
    /// With room for so many bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self(Arc::new(Mutex::new(Book { most, all: 0, of: BTreeMap::new() })))
    }

    /// Bytes that wait, for anybody.
    pub(crate) fn all(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).all
    }

    /// Room for something of an address, until it is dropped; none if too much of its waits already.
    pub(crate) fn room(&self, whose: IpAddr, bytes: usize) -> Option<Room> {
        let mut book = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let free = book.most.saturating_sub(book.all);
        let had = book.of.get(&whose).copied().unwrap_or_default();
        // Who has nothing waiting may have one long thing, a film, and leaves as much to others.
        let may_have = if had == 0 { free / 2 } else { free / SHARE }.max(ALWAYS);
        (had + bytes <= may_have).then(|| self.taken_up(&mut book, whose, bytes))
    }

    /// The same, however much waits.
    fn room_anyhow(&self, whose: IpAddr, bytes: usize) -> Room {
        let mut book = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.taken_up(&mut book, whose, bytes)
    }

    fn taken_up(&self, book: &mut Book, whose: IpAddr, bytes: usize) -> Room {
        book.all += bytes;
        *book.of.entry(whose).or_default() += bytes;
        Room { untaken: self.clone(), whose, bytes }
    }

    /// An answer that is counted until it is taken; instead of one too many, that there are, if it may be refused.
    pub(crate) async fn counted(&self, whose: IpAddr, may_refuse: bool, response: Response) -> Response {
        let long = response.body().size_hint().exact().filter(|bytes| *bytes > SMALL as u64);
        let Some(bytes) = long.map(|bytes| bytes as usize) else { return response };
        let room = if may_refuse { self.room(whose, bytes) } else { Some(self.room_anyhow(whose, bytes)) };
        let Some(room) = room else { return ApiError::untaken().into_response() };
        let (parts, body) = response.into_parts();
        match to_bytes(body, usize::MAX).await {
            Ok(bytes) => Response::from_parts(parts, Body::new(Parcel { bytes, _room: room })),
            Err(e) => ApiError::internal(&e).into_response(),
        }
    }
}

/// Room that is taken up, until it is dropped.
pub(crate) struct Room {
    untaken: Untaken,
    whose: IpAddr,
    bytes: usize,
}

impl Drop for Room {
    fn drop(&mut self) {
        let mut book = self.untaken.0.lock().unwrap_or_else(PoisonError::into_inner);
        book.all -= self.bytes;
        if let Some(had) = book.of.get_mut(&self.whose) {
            *had -= self.bytes;
            if *had == 0 {
                book.of.remove(&self.whose);
            }
        }
    }
}

/// A long answer, handed over in pieces, so that it stands here and is counted until nearly all of it is taken. The pieces are
/// copies: one that is still on its way does not keep the whole.
struct Parcel {
    bytes: Bytes,
    _room: Room,
}

impl HttpBody for Parcel {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.bytes.is_empty() {
            return Poll::Ready(None);
        }
        let length = self.bytes.len().min(PIECE);
        let piece = Bytes::copy_from_slice(&self.bytes.split_to(length));
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.len() as u64)
    }
}

/// Messages that may wait for a slow connection before it is let go.
const WAITING: usize = 512;

/// Where a table puts what it says to one connection.
#[derive(Clone)]
pub(crate) struct Outbox {
    untaken: Untaken,
    whose: IpAddr,
    /// Bytes in it.
    bytes: Arc<AtomicUsize>,
    messages: mpsc::Sender<Message>,
}

/// A message on its way; it is counted until it is dropped.
pub(crate) struct Message {
    text: String,
    length: usize,
    of: Arc<AtomicUsize>,
    _room: Room,
}

impl Message {
    /// What it says.
    pub(crate) fn text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

impl Drop for Message {
    fn drop(&mut self) {
        self.of.fetch_sub(self.length, Ordering::Relaxed);
    }
}

impl Outbox {
    /// One for a connection from an address, and where its messages come out.
    pub(crate) fn new(untaken: &Untaken, whose: IpAddr) -> (Self, mpsc::Receiver<Message>) {
        let (messages, waiting) = mpsc::channel(WAITING);
        (Self { untaken: untaken.clone(), whose, bytes: Arc::default(), messages }, waiting)
    }

    /// Puts a message in; false if the connection has gone, or does not read what it is sent. Some of a connection's own finds
    /// room always: others behind the same address may have left none.
    pub(crate) fn put(&self, text: String) -> bool {
        let length = text.len();
        let had = self.bytes.fetch_add(length, Ordering::Relaxed);
        let room = if had + length <= ALWAYS {
            Some(self.untaken.room_anyhow(self.whose, length))
        } else {
            self.untaken.room(self.whose, length)
        };
        let Some(room) = room else {
            self.bytes.fetch_sub(length, Ordering::Relaxed);
            return false;
        };
        let of = Arc::clone(&self.bytes);
        self.messages.try_send(Message { text, length, of, _room: room }).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const MOST: usize = 9 << 20;

    fn address(k: u8) -> IpAddr {
        Ipv4Addr::new(192, 0, 2, k).into()
    }

    #[test]
    fn nobody_takes_it_all_and_who_comes_new_finds_room() {
        let untaken = Untaken::new(MOST);
        let mut held = Vec::new();
        let mut fill = |k: u8| {
            let before = held.len();
            held.extend(std::iter::from_fn(|| untaken.room(address(k), 64 * 1024)).take(1_000));
            (held.len() - before) * 64 * 1024
        };
        // A ninth of all for the first, and less for each that follows, down to what everybody may have.
        let had: Vec<usize> = (0..60).map(&mut fill).collect();
        assert_eq!(had[0], MOST / 9);
        assert!(had.is_sorted_by(|a, b| a >= b), "{had:?}");
        assert_eq!(had.last(), Some(&ALWAYS));
        assert!(untaken.all() <= MOST + 60 * ALWAYS);
        drop(held);
        assert_eq!(untaken.all(), 0);
        assert!(untaken.0.lock().unwrap().of.is_empty(), "nobody is remembered for nothing");
    }

    #[test]
    fn one_long_thing_is_anybodys_and_a_second_is_not() {
        let untaken = Untaken::new(MOST);
        let film = untaken.room(address(1), MOST / 2).unwrap();
        assert!(untaken.room(address(1), ALWAYS).is_none());
        assert!(untaken.room(address(2), MOST / 2).is_none(), "half of what is left is for others");
        let second = untaken.room(address(2), MOST / 4).unwrap();
        drop((film, second));
        assert!(untaken.room(address(1), MOST).is_none());
        assert_eq!(untaken.all(), 0);
    }

    #[tokio::test]
    async fn an_answer_is_counted_until_it_is_taken() {
        let untaken = Untaken::new(MOST);
        let answer = |bytes: usize| Response::new(Body::from(vec![7; bytes]));
        let long = untaken.counted(address(1), true, answer(1 << 20)).await;
        assert_eq!((long.status().as_u16(), untaken.all()), (200, 1 << 20));
        assert_eq!(long.body().size_hint().exact(), Some(1 << 20));
        let second = untaken.counted(address(1), true, answer(1 << 20)).await;
        assert_eq!((second.status().as_u16(), untaken.all()), (429, 1 << 20));
        // What was done is said to be done.
        let done = untaken.counted(address(1), false, answer(1 << 20)).await;
        assert_eq!((done.status().as_u16(), untaken.all()), (200, 2 << 20));
        drop(done);
        let small = untaken.counted(address(1), true, answer(SMALL)).await;
        assert_eq!(small.status().as_u16(), 200);
        assert_eq!(to_bytes(long.into_body(), usize::MAX).await.unwrap(), vec![7; 1 << 20]);
        assert_eq!(untaken.all(), 0);
    }

    #[test]
    fn who_reads_nothing_has_little_waiting_and_takes_nothing_from_others() {
        let untaken = Untaken::new(MOST);
        let (deaf, unread) = Outbox::new(&untaken, address(1));
        let picture = "p".repeat(100_000);
        let taken = (0..WAITING).take_while(|_| deaf.put(picture.clone())).count();
        assert!((2..=MOST / 9 / picture.len() + 1).contains(&taken), "{taken} pictures wait");
        // Another behind the same address, and one elsewhere.
        let (other, mut inbox) = Outbox::new(&untaken, address(1));
        let (elsewhere, heard) = Outbox::new(&untaken, address(2));
        assert!(other.put(picture.clone()) && elsewhere.put(picture.clone()));
        assert_eq!(inbox.try_recv().unwrap().text(), picture);
        drop((inbox, unread, heard));
        assert_eq!(untaken.all(), 0);
    }
}
