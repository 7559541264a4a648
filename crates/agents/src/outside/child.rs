//! A process that is talked with by lines. Nothing here waits longer than it is told to, whatever the process does.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Outsider;

/// The longest line a program may write. An answer is a few hundred bytes.
const LONGEST: u64 = 1 << 20;

/// Lines read ahead. A program that writes more waits until they are wanted, and nothing piles up here.
const AHEAD: usize = 8;

/// How long a program has to go by itself when its input ends.
const FAREWELL: Duration = Duration::from_millis(250);

/// What comes from the process.
enum Heard {
    Line(Vec<u8>),
    TooLong,
}

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// The clock ran out.
    Late,
    /// It ended, or closed its output.
    Ended,
    /// It wrote more than a line may hold.
    TooLong,
}

/// The process. It and all it started end with this value.
pub(super) struct Child {
    process: std::process::Child,
    /// Lines for it go through a thread, for a process that does not read would hold us up. None once it is to go.
    to: Option<Sender<String>>,
    /// In a mutex only so that a player can be shared between threads.
    from: Mutex<Receiver<Heard>>,
}

impl Child {
    pub(super) fn start(outsider: &Outsider) -> Result<Self, String> {
        let (program, arguments) = outsider.words.split_first().ok_or("it names no command")?;
        let mut command = Command::new(program);
        let stderr = if outsider.heard { Stdio::inherit() } else { Stdio::null() };
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        // A group of its own, so that what it starts can be ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command
            .spawn()
            .map_err(|e| format!("`{program}` can't be started: {e}; name a program that runs here"))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(format!("`{program}` has no input or output"));
        };
        let (to, lines) = channel();
        let (heard, from) = sync_channel(AHEAD);
        // Neither is ever waited for: they end when the process or we are gone.
        thread::spawn(move || write_lines(input, &lines));
        thread::spawn(move || read_lines(output, &heard));
        Ok(Self { process, to: Some(to), from: Mutex::new(from) })
    }

    /// Sends a line. Whether it is read shows in what comes back.
    pub(super) fn say(&self, line: String) {
        if let Some(to) = &self.to {
            let _ = to.send(line);
        }
    }

    /// The next line, if it comes before `until`.
    pub(super) fn hear(&self, until: Instant) -> Result<Vec<u8>, Silence> {
        let from = self.from.lock().unwrap_or_else(PoisonError::into_inner);
        match from.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Heard::Line(line)) => Ok(line),
            Ok(Heard::TooLong) => Err(Silence::TooLong),
            Err(RecvTimeoutError::Timeout) => Err(Silence::Late),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::Ended),
        }
    }

    /// Lets it end by itself: its input ends, and it has a moment to put its things away.
    pub(super) fn farewell(mut self) {
        self.to = None;
        let until = Instant::now() + FAREWELL;
        while self.hear(until).is_ok() {}
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // The group while its leader is not yet buried: until then nobody else can have its number.
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.process),
            rustix::process::Signal::KILL,
        );
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn write_lines(mut input: impl Write, lines: &Receiver<String>) {
    for line in lines {
        let sent = input
            .write_all(line.as_bytes())
            .and_then(|()| input.write_all(b"\n"))
            .and_then(|()| input.flush());
        if sent.is_err() {
            return;
        }
    }
}

fn read_lines(output: impl Read, heard: &SyncSender<Heard>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.ends_with(b"\n") => {
                if heard.send(Heard::Line(line)).is_err() {
                    return;
                }
            }
            Ok(read) if read as u64 == LONGEST => {
                let _ = heard.send(Heard::TooLong);
                return;
            }
            // The last line of a program that ended counts without its newline.
            Ok(_) => {
                let _ = heard.send(Heard::Line(line));
                return;
            }
        }
    }
}
