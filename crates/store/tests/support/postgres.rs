//! A PostgreSQL of our own for the length of a test.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A server on a socket in a temporary folder, or the one `TRICORNE_POSTGRES` names.
pub struct Server {
    folder: Option<tempfile::TempDir>,
    bin: PathBuf,
    url: String,
    user: Option<&'static str>,
}

impl Server {
    /// Starts one; none where PostgreSQL is not installed.
    pub fn start() -> Option<Self> {
        if let Ok(url) = std::env::var("TRICORNE_POSTGRES") {
            return Some(Self { folder: None, bin: PathBuf::new(), url, user: None });
        }
        let bin = find()?;
        let folder = tempfile::Builder::new().prefix("tricorne-pg").tempdir_in("/tmp").ok()?;
        // PostgreSQL refuses to run as root; a root machine (a container) has the user its package made.
        let root = Command::new("id").arg("-u").output().ok()?.stdout == b"0\n";
        let user = if root { Some("postgres") } else { None };
        if let Some(user) = user {
            let done = Command::new("chown").arg(user).arg(folder.path()).status().ok()?;
            if !done.success() {
                return None;
            }
        }
        let server = Self {
            url: format!(
                "postgres://postgres@localhost/postgres?host={}&port=5432",
                folder.path().display().to_string().replace('/', "%2F")
            ),
            folder: Some(folder),
            bin,
            user,
        };
        let path = server.folder.as_ref()?.path().to_owned();
        let data = path.join("data");
        let made = server
            .run("initdb")
            .args(["-U", "postgres", "-A", "trust", "-D"])
            .arg(&data)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .ok()?;
        let started = server
            .run("pg_ctl")
            .args(["-w", "-t", "60", "-o"])
            .arg(format!("-c listen_addresses='' -k {} -p 5432", path.display()))
            .arg("-l")
            .arg(path.join("log"))
            .arg("-D")
            .arg(&data)
            .arg("start")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .ok()?;
        (made.success() && started.success()).then_some(server)
    }

    /// Its address.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    fn run(&self, program: &str) -> Command {
        let program = self.bin.join(program);
        match self.user {
            Some(user) => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid", user, "--regid", user, "--clear-groups"]).arg(program);
                command.current_dir("/tmp");
                command
            }
            None => Command::new(program),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let data = folder.path().join("data");
            let _ = self
                .run("pg_ctl")
                .args(["-m", "immediate", "-D"])
                .arg(data)
                .arg("stop")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
        }
    }
}

/// The newest PostgreSQL on the machine.
fn find() -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path().join("bin"))
        .filter(|bin| bin.join("initdb").exists())
        .collect();
    found.sort();
    found.pop().or_else(|| {
        ["/usr/local/pgsql/bin", "/usr/local/bin", "/usr/bin"]
            .into_iter()
            .map(PathBuf::from)
            .find(|bin| bin.join("initdb").exists())
    })
}
