//! `tricorne think`: thinks for servers, in a process of its own, on the same machine or another.

use std::time::Duration;

use clap::Args;
use tokio::process::{Child, Command};
use tricorne_server::{ThinkerConfig, Whom, think, told_to_stop};

use super::say;
use crate::failure::{Failure, Outcome};
use crate::files;

/// What a server's own thinkers are told its key by: not on their command line, where anybody on the machine could read it.
const KEY: &str = "TRICORNE_KEY";

/// Think for servers: play the part of their programs, so that they have time for the people.
#[derive(Args)]
pub struct Think {
    /// The database of the servers to think for: sqlite:FILE or postgres://…
    #[arg(long, value_name = "URL", default_value = "sqlite:tricorne.db")]
    database: String,
    /// Decisions thought about at the same time; without it, as many as this machine has processors
    #[arg(long)]
    places: Option<usize>,
    /// Think for the server at this address, as long as it is there
    #[arg(long, hide = true, value_name = "HOST:PORT")]
    at: Option<String>,
}

impl Think {
    /// Thinks until the program is stopped.
    pub fn run(self) -> Outcome {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let places = self.places.unwrap_or(cores);
        if !(1..=1024).contains(&places) {
            return Err(Failure::wrong("--places: from 1 to 1024"));
        }
        let whom = match self.at {
            Some(address) => {
                let key = std::env::var(KEY).map_err(|_| Failure::wrong(format!("{KEY} is not set")))?;
                Whom::Server { address, key }
            }
            None => {
                super::keeping::there(&self.database)?;
                say(&format!("Thinking at {places} places (Ctrl-C ends it; nothing is lost by that)"))?;
                Whom::Database(self.database)
            }
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(places + 2)
            .enable_all()
            .build()?;
        let config = ThinkerConfig { systems: tricorne_shelf::systems(), whom, places };
        runtime.block_on(think(config, told_to_stop())).map_err(Failure::wrong)
    }
}

/// Keeps a thinker of a server's own: one that dies is started again. Never done.
pub async fn keep_thinker(address: String, key: String, places: usize) {
    loop {
        match start(&address, &key, places) {
            Ok(mut child) => {
                let _ = child.wait().await;
            }
            Err(e) => files::remark(&format!("tricorne: a thinker can't be started: {e}")),
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

fn start(address: &str, key: &str, places: usize) -> std::io::Result<Child> {
    let me = std::env::current_exe()?;
    // After everybody else on this machine, where it knows a way to say so.
    let polite = cfg!(unix) && std::path::Path::new("/usr/bin/nice").exists();
    let mut command = if polite {
        let mut command = Command::new("/usr/bin/nice");
        command.args(["-n", "10"]).arg(me);
        command
    } else {
        Command::new(me)
    };
    command.args(["think", "--at", address, "--places", &places.to_string()]).env(KEY, key);
    command.kill_on_drop(true).spawn()
}
