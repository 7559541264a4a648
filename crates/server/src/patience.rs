//! A connection whose other end must take what it is sent. One that asks for much and reads nothing, or a byte now and then,
//! would have its answers kept in memory for as long as it likes.

use std::future::Future;
use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// The slowest that is waited for, in bytes a second: a bad line in the country is faster.
const SLOWEST: u64 = 8 * 1024;

/// A stream that is broken off when what is sent is not taken.
pub(crate) struct Patient<S> {
    stream: S,
    within: Duration,
    /// Until when what waits must be taken.
    late: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    /// Something must be taken within so long.
    pub(crate) fn new(stream: S, within: Duration) -> Self {
        Self { stream, within, late: None }
    }

    fn waited(
        &mut self,
        cx: &mut Context<'_>,
        taken: Poll<Result<usize>>,
        offered: usize,
    ) -> Poll<Result<usize>> {
        match taken {
            Poll::Ready(Ok(n)) if n < offered => {
                // More waits behind it, and time is given for what was taken.
                let more = Duration::from_millis(n as u64 * 1000 / SLOWEST);
                let late =
                    self.late.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + self.within)));
                let until = late.deadline() + more;
                late.as_mut().reset(until.min(Instant::now() + self.within));
                Poll::Ready(Ok(n))
            }
            Poll::Ready(taken) => {
                self.late = None;
                Poll::Ready(taken)
            }
            Poll::Pending => {
                let late =
                    self.late.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + self.within)));
                ready!(late.as_mut().poll(cx));
                Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "what was asked for is not taken")))
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<Result<usize>> {
        let taken = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.waited(cx, taken, buf.len())
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let taken = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        let offered = bufs.iter().map(|buf| buf.len()).sum();
        self.waited(cx, taken, offered)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const WITHIN: Duration = Duration::from_millis(200);

    #[tokio::test]
    async fn who_takes_nothing_is_broken_off() {
        let (ours, _theirs) = duplex(1000);
        let mut ours = Patient::new(ours, WITHIN);
        let began = Instant::now();
        let why = ours.write_all(&[0; 5000]).await.unwrap_err();
        assert_eq!(why.kind(), ErrorKind::TimedOut);
        assert!(began.elapsed() >= WITHIN);
    }

    #[tokio::test]
    async fn a_byte_now_and_then_is_not_enough() {
        let (ours, mut theirs) = duplex(1000);
        tokio::spawn(async move {
            let mut byte = [0];
            let mut beat = tokio::time::interval(WITHIN / 10);
            while theirs.read_exact(&mut byte).await.is_ok() {
                beat.tick().await;
            }
        });
        let mut ours = Patient::new(ours, WITHIN);
        assert!(ours.write_all(&vec![0; 100_000]).await.is_err());
    }

    #[tokio::test]
    async fn who_reads_is_sent_everything() {
        let (ours, mut theirs) = duplex(1000);
        let reads = tokio::spawn(async move {
            let mut all = Vec::new();
            theirs.read_to_end(&mut all).await.map(|_| all.len())
        });
        let mut ours = Patient::new(ours, Duration::from_secs(20));
        ours.write_all(&vec![0; 1_000_000]).await.unwrap();
        drop(ours);
        assert_eq!(reads.await.unwrap().unwrap(), 1_000_000);
    }
}
