//! A process that is talked with by lines. Nothing here waits longer than it is told to, whatever the process does.

use std::collections::BTreeSet;
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

/// The processes that run, by their numbers. A number is taken out before its process is buried: until then nobody else can
/// have it.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> std::sync::MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every outside program of this process, in the middle of a thought or not: for one that is about to end itself, and
/// would leave them behind. Whoever waits for one of them hears that it ended.
pub fn send_outsiders_away() {
    for &process in running().iter() {
        end_group(process);
    }
}

/// Ends a process and what it started.
fn end_group(process: u32) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = process;
}

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
        running().insert(process.id());
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            running().remove(&process.id());
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
        // The group while its leader is not yet buried.
        end_group(self.process.id());
        running().remove(&self.process.id());
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn whoever_goes_sends_his_programs_away() {
        let outsider = Outsider::new("sh -c 'echo here; sleep 1000; echo there'").unwrap();
        let child = Child::start(&outsider).unwrap();
        let number = child.process.id();
        let until = || Instant::now() + Duration::from_mins(10);
        assert_eq!(child.hear(until()), Ok(b"here\n".to_vec()));
        send_outsiders_away();
        assert_eq!(child.hear(until()), Err(Silence::Ended));
        drop(child);
        assert!(!running().contains(&number));
    }
}
