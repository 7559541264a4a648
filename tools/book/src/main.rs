//! Builds the book (`docs/`) as pages: `scripts/book [FOLDER]`. What mdBook warns of is a fault, and told as one.

use std::fmt::{self, Write as _};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use mdbook_driver::MDBook;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

fn main() -> ExitCode {
    let mut given = std::env::args_os().skip(1);
    let (Some(root), folder, None) = (given.next(), given.next(), given.next()) else {
        eprintln!("usage: tricorne-book ROOT [FOLDER]");
        return ExitCode::from(2);
    };
    // Nobody else listens in this process.
    let _ = tracing::subscriber::set_global_default(Complaints);
    let built = MDBook::load(root).and_then(|mut book| {
        if let Some(folder) = folder {
            book.config.build.build_dir = std::path::absolute(folder)?;
        }
        book.build()?;
        Ok(book.build_dir_for("html"))
    });
    match (built, HEARD.load(Ordering::Relaxed)) {
        (Ok(folder), 0) => {
            println!("wrote the book to {}", folder.join("index.html").display());
            ExitCode::SUCCESS
        }
        (Ok(_), heard) => {
            eprintln!("the book: {heard} to mend");
            ExitCode::FAILURE
        }
        (Err(why), _) => {
            eprintln!("the book: {why:#}");
            ExitCode::FAILURE
        }
    }
}

static HEARD: AtomicUsize = AtomicUsize::new(0);

/// Prints and counts what mdBook complains of.
struct Complaints;

impl Subscriber for Complaints {
    fn enabled(&self, of: &Metadata<'_>) -> bool {
        *of.level() <= Level::WARN
    }

    fn event(&self, event: &Event<'_>) {
        HEARD.fetch_add(1, Ordering::Relaxed);
        let mut words = Words(String::new());
        event.record(&mut words);
        eprintln!("{}:{}", event.metadata().level(), words.0);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

struct Words(String);

impl Visit for Words {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let named = if field.name() == "message" { String::new() } else { format!("{}=", field.name()) };
        // Writing to a String does not fail.
        let _ = write!(self.0, " {named}{value:?}");
    }
}
