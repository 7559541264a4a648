//! `tricorne sheet`: a system's charts on one leaf.

use std::path::{Path, PathBuf};

use clap::Args;
use tricorne_game::{Purpose, Source};
use tricorne_paper::{Leaf, PaperSize, html, pdf, reference_pages};

use super::json;
use super::lists::find;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::load::ChoiceArgs;

/// A quick-reference sheet: a system's charts as played, on one leaf.
#[derive(Args)]
pub struct SheetArgs {
    /// The rule system
    ruleset: String,
    /// What to write: .html or .pdf (`-`: standard output)
    #[arg(short, long, value_name = "FILE", required_unless_present = "json")]
    output: Option<PathBuf>,
    /// Write this, whatever the file's name ends in
    #[arg(long, value_parser = ["html", "pdf"])]
    format: Option<String>,
    /// The paper in the printer: a4 or letter
    #[arg(long, default_value = "a4")]
    paper: PaperSize,
    /// The charts as JSON instead
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choices: ChoiceArgs,
}

impl SheetArgs {
    /// Makes it.
    pub fn run(self) -> Outcome {
        files::outputs(self.json, [self.output.as_deref()])?;
        let system = find(&self.ruleset)?;
        let choices = self.choices.choices(system)?;
        let Some(sheet) = system.reference(&choices) else {
            // Where the data can't be read there is no sheet either; a scenario set up with it says what is wrong.
            if let Some(text) = system.scenarios().first() {
                let file = Source::new(text.id, text.text);
                system.set_up(&file, &choices, Purpose::Scenario)?;
            }
            return Err(Failure::wrong(format!("{} has no quick reference", self.ruleset)));
        };
        if self.json {
            json(&sheet)?;
        }
        match &self.output {
            None => Ok(()),
            Some(path) => {
                let leaves = reference_pages(&sheet, self.paper).map_err(Failure::wrong)?;
                write(&leaves, path, self.format.as_deref())
            }
        }
    }
}

/// Writes leaves to a file, in the form that is said or by its ending.
pub fn write(leaves: &[Leaf], path: &Path, format: Option<&str>) -> Outcome {
    match files::form(path, format, &["html", "pdf"], "a sheet ends")? {
        "pdf" => files::write(path, &pdf(leaves).map_err(Failure::wrong)?),
        _ => files::write(path, html(leaves).as_bytes()),
    }
}
