//! `tricorne sheet`: a system's charts on one page.

use std::path::{Path, PathBuf};

use clap::Args;
use tricorne_paper::{Leaf, PaperSize, html, pdf, reference};

use super::json;
use super::lists::find;
use crate::failure::{Failure, Outcome};
use crate::load::{self, ChoiceArgs};

/// A quick-reference sheet: a system's charts as played, on one page.
#[derive(Args)]
pub struct SheetArgs {
    /// The rule system
    ruleset: String,
    /// What to write: .html or .pdf
    #[arg(short, long, value_name = "FILE", required_unless_present = "json")]
    output: Option<PathBuf>,
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
        let system = find(&self.ruleset)?;
        let sheet = system
            .reference(&self.choices.choices(system)?)
            .ok_or_else(|| Failure::wrong(format!("{} has no quick reference", self.ruleset)))?;
        if self.json {
            json(&sheet)?;
        }
        match &self.output {
            None => Ok(()),
            Some(path) => write(&[reference(&sheet, self.paper).map_err(Failure::wrong)?], path),
        }
    }
}

/// Writes leaves to a file, by its ending.
pub fn write(leaves: &[Leaf], path: &Path) -> Outcome {
    let kind = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match kind.as_str() {
        "html" | "htm" => load::write(path, html(leaves).as_bytes()),
        "pdf" => load::write(path, &pdf(leaves).map_err(Failure::wrong)?),
        _ => Err(Failure::wrong(format!("{}: a sheet ends in .html or .pdf", path.display()))),
    }
}
