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
pub(crate) enum Stopwatch {
    Wall(Instant),
    Processor(ThreadTime),
}

impl Stopwatch {
    pub(crate) fn start(timing: Timing) -> Self {
        match timing {
            Timing::Wall => Self::Wall(Instant::now()),
            Timing::Processor => Self::Processor(ThreadTime::now()),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        match self {
            Self::Wall(begun) => begun.elapsed(),
            Self::Processor(begun) => begun.elapsed(),
        }
    }
}
