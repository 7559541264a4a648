//! The workroom: threads for what takes long (files looked over, pictures, battles played again, programs that think).
//! They come after everybody else on the machine, so that whoever asks a little does not wait for a processor that is busy
//! with them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// By so much this work comes after what somebody waits for: where both want a processor, it has a quarter.
#[cfg(target_os = "linux")]
const LATER: i32 = 5;

/// Threads that do long work.
pub(crate) struct Workroom(Sender<Job>);

/// The work came to nothing: it panicked.
#[derive(Debug, thiserror::Error)]
#[error("the work came to nothing")]
pub(crate) struct Failed;

impl Workroom {
    /// With so many threads. They go when the room does.
    pub(crate) fn new(threads: usize) -> std::io::Result<Self> {
        let (jobs, waiting) = channel::<Job>();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..threads.max(1) {
            let waiting = Arc::clone(&waiting);
            std::thread::Builder::new().name("workroom".into()).spawn(move || work(&waiting))?;
        }
        Ok(Self(jobs))
    }

    /// Does something; whoever goes away before it is done does not stop it.
    pub(crate) async fn does<R: Send + 'static>(
        &self,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, Failed> {
        let (done, result) = oneshot::channel();
        let job = Box::new(move || {
            // A rule that panics has been told of already; the thread has other work to do.
            if let Ok(result) = catch_unwind(AssertUnwindSafe(work)) {
                let _ = done.send(result);
            }
        });
        self.0.send(job).map_err(|_| Failed)?;
        result.await.map_err(|_| Failed)
    }
}

fn work(waiting: &Mutex<Receiver<Job>>) {
    // On Linux this is the thread's own; elsewhere it would be the whole program's.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(LATER);
    loop {
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(job) => job(),
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_panics_is_told_of_and_the_next_is_done() {
        let room = Workroom::new(1).unwrap();
        assert!(room.does(|| Vec::<u8>::new().remove(0)).await.is_err());
        assert_eq!(room.does(|| 6 * 7).await.unwrap(), 42);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn long_work_comes_after_everybody_else_and_nobody_else_does() {
        let own = || rustix::process::getpriority_process(None).unwrap();
        let before = own();
        let room = Workroom::new(1).unwrap();
        let there = room.does(own).await.unwrap();
        assert!(there > before || there == 19, "{there} after {before}");
        assert_eq!(own(), before);
    }
}
