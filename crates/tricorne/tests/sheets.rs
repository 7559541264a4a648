//! A quick-reference sheet is the same on the command line and over HTTP, with the options of the day and without.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use tricorne_shelf::systems;

/// A server, ended with the test.
struct Served(Child, String);

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

impl Served {
    fn start(database: &str) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_tricorne"))
            .args(["serve", "--listen", "127.0.0.1:0", "--database", database])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit("http://").next().unwrap_or_default().to_owned();
        Self(server, address)
    }

    /// The body of an answer.
    fn get(&self, path: &str) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.1).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.1).unwrap();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        let head = all.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        assert!(all.starts_with(b"HTTP/1.1 200"), "{path}: {}", String::from_utf8_lossy(&all[..head]));
        all.split_off(head + 4)
    }
}

fn printed(args: &[&str]) -> Vec<u8> {
    let out = Command::new(env!("CARGO_BIN_EXE_tricorne")).args(args).output().unwrap();
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    out.stdout
}

#[test]
fn a_sheet_is_the_same_on_the_command_line_and_over_http() {
    let folder = tempfile::tempdir().unwrap();
    let server = Served::start(&format!("sqlite:{}", folder.path().join("club.db").display()));
    for system in systems() {
        let id = system.about().id;
        let other = system
            .options()
            .specs
            .iter()
            .find_map(|s| Some(format!("{}={}", s.id, s.others.iter().find(|o| *o != "number")?)));
        let other = other.unwrap_or_default();
        for option in ["", other.as_str()] {
            let played = if option.is_empty() { Vec::new() } else { vec!["--option", option] };
            for form in ["html", "pdf"] {
                let mut args = vec!["sheet", id, "--format", form, "-o", "-"];
                args.extend(&played);
                let served = server.get(&format!("/api/sheets/{id}?form={form}&options={option}"));
                assert!(printed(&args) == served, "the {form} of {id} with `{option}` differs");
            }
            let mut args = vec!["sheet", id, "--json"];
            args.extend(&played);
            let json = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).unwrap();
            let served = json(&server.get(&format!("/api/charts/{id}?options={option}")));
            assert_eq!(json(&printed(&args)), served, "{id} with `{option}`");
        }
    }
}
