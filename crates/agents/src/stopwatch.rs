//! How a general's time is told: by the clock on the wall, or by what the processor did for it.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

/// How a general's time is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timing {
    /// By the clock on the wall: somebody waits.
    #[default]
    Wall,
    /// By what the processor did for this thread: nobody waits, and a general that shares the machine with other work
    /// should think as far as one that has it alone.
    Processor,
}

/// Time as it runs.
pub(crate) struct Stopwatch {
    wall: Instant,
    processor: Option<ThreadTime>,
}

impl Stopwatch {
    pub(crate) fn start(timing: Timing) -> Self {
        let processor = (timing == Timing::Processor).then(ThreadTime::now);
        Self { wall: Instant::now(), processor }
    }

    /// By the clock on the wall, begun some time ago.
    pub(crate) fn since(wall: Instant) -> Self {
        Self { wall, processor: None }
    }

    /// When it was begun, by the clock on the wall.
    pub(crate) fn begun(&self) -> Instant {
        self.wall
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.processor.map_or_else(|| self.wall.elapsed(), |begun| begun.elapsed())
    }

    /// Whether so much time has passed.
    pub(crate) fn reached(&self, time: Duration) -> bool {
        // The processor can't have worked for longer than it is by the wall, and that clock is read much faster.
        self.wall.elapsed() >= time && self.elapsed() >= time
    }
}
