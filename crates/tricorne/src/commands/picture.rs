//! `tricorne picture`: the table drawn.

use std::path::{Path, PathBuf};

use clap::Args;
use tricorne_chance::Seed;
use tricorne_game::journal::Journal;
use tricorne_game::view::View;
use tricorne_game::{AnySystem, Event, Story, Umpire};
use tricorne_picture::{Pace, Style, Theme, gif, png, svg};

use crate::failure::{Failure, Outcome};
use crate::load::{self, ChoiceArgs};

/// A film has at most so many frames; longer battles skip actions evenly.
const FRAMES: usize = 160;

/// Draw the table of a scenario or a journal.
#[derive(Args)]
pub struct Picture {
    /// A scenario's id, a scenario file, a journal, or a rule case (its position)
    what: String,
    /// After so many actions of the journal (a GIF stops there)
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// The picture: .svg, .png or .gif
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Width in pixels
    #[arg(long, value_parser = clap::value_parser!(u32).range(200..=6000))]
    width: Option<u32>,
    /// Chalk on slate instead of ink on paper
    #[arg(long)]
    dark: bool,
    /// The unit whose arcs, ranges and card are shown
    #[arg(long, value_name = "ID")]
    unit: Option<String>,
    /// The seed of what is rolled before a scenario begins
    #[arg(long, default_value = "1")]
    seed: String,
    #[command(flatten)]
    choices: ChoiceArgs,
}

impl Picture {
    /// Draws it.
    pub fn run(self) -> Outcome {
        let path = Path::new(&self.what);
        let is_journal = path.is_file() && load::read_bytes(path)?.starts_with(b"{");
        let kind = extension(&self.output)?;
        if is_journal {
            let (system, journal) = load::journal(path, false)?;
            if let Some(at) = self.at.filter(|&at| at > journal.entries.len()) {
                return Err(Failure::wrong(format!(
                    "--at {at}: the journal has {} actions",
                    journal.entries.len()
                )));
            }
            if kind == "gif" {
                return self.film(system, &journal);
            }
            let umpire = journal.replay(system, self.at)?;
            let view = umpire.battle().view(None);
            let caption = umpire.turned().last().map(|t| caption(&umpire, &view, &t.events));
            return self.still(&view, caption.unwrap_or_default());
        }
        if self.at.is_some() {
            return Err(Failure::wrong(
                "--at needs a journal: `tricorne battle … --journal FILE` writes one",
            ));
        }
        if kind == "gif" {
            return Err(Failure::wrong(
                "a GIF needs a journal: `tricorne battle … --journal FILE` writes one",
            ));
        }
        if path.is_file()
            && let Some(battle) = load::case_position(path)?
        {
            return self.still(&battle.view(None), String::new());
        }
        let (system, file) = load::scenario(&self.what)?;
        let choices = self.choices.choices(system)?;
        let seed: Seed = self.seed.parse().map_err(Failure::wrong)?;
        let umpire = Umpire::begin(system, &file, &choices, seed)?;
        self.still(&umpire.battle().view(None), String::new())
    }

    fn style(&self, usual: u32) -> Result<Style, Failure> {
        let chosen = match &self.unit {
            Some(id) => Some(id.parse().map_err(Failure::wrong)?),
            None => None,
        };
        let theme = if self.dark { Theme::Dark } else { Theme::Light };
        Ok(Style { theme, chosen, ..Style::wide(self.width.unwrap_or(usual)) })
    }

    fn still(&self, view: &View, caption: String) -> Outcome {
        if let Some(id) = &self.unit
            && !view.units.iter().any(|u| u.id == *id.as_str())
        {
            return Err(Failure::wrong(format!("--unit {id}: there is no such unit")));
        }
        let caption = Some(caption).filter(|c| !c.is_empty());
        write(view, &Style { caption, ..self.style(1400)? }, &self.output)
    }

    /// A frame for the set-up and for each action that moved or hurt somebody.
    fn film(&self, system: &'static dyn AnySystem, journal: &Journal) -> Outcome {
        let whole = journal.replay(system, self.at)?;
        let telling: Vec<usize> = whole
            .turned()
            .iter()
            .enumerate()
            .filter(|(_, t)| !t.events.is_empty())
            .map(|(i, _)| i + 1)
            .collect();
        let step = telling.len().div_ceil(FRAMES).max(1);
        let mut wanted: Vec<usize> = telling.iter().copied().step_by(step).collect();
        wanted.extend(telling.last());
        wanted.dedup();
        let mut umpire = journal.replay(system, Some(0))?;
        let mut frames = vec![(umpire.battle().view(None), String::new())];
        let mut events: Vec<Event> = Vec::new();
        for (i, entry) in journal.entries.iter().enumerate().take(whole.turned().len()) {
            let turned = umpire.act(entry.seat, &entry.action).map_err(Failure::wrong)?;
            events.extend(turned.events.iter().cloned());
            if wanted.contains(&(i + 1)) {
                let view = umpire.battle().view(None);
                let told = caption(&umpire, &view, &events);
                frames.push((view, told));
                events.clear();
            }
        }
        let film = gif(&frames, &self.style(800)?, Pace::default()).map_err(Failure::wrong)?;
        load::write(&self.output, &film)
    }
}

/// The first thing that happened, in a sentence without its clauses.
fn caption(umpire: &Umpire, view: &View, events: &[Event]) -> String {
    let story = Story::new(umpire.system().stories(), view).told_to(None);
    let told = events.iter().find_map(|e| story.tell(e)).unwrap_or_default();
    told.split(" [").next().unwrap_or_default().to_owned()
}

fn extension(path: &Path) -> Result<String, Failure> {
    let kind = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match kind.as_str() {
        "svg" | "png" | "gif" => Ok(kind),
        _ => Err(Failure::wrong(format!("{}: a picture ends in .svg, .png or .gif", path.display()))),
    }
}

/// Draws a view to a file, by its ending.
pub fn write(view: &View, style: &Style, path: &Path) -> Outcome {
    let drawing = svg(view, style);
    match extension(path)?.as_str() {
        "svg" => load::write(path, drawing.as_bytes()),
        "png" => load::write(path, &png(&drawing, style.width).map_err(Failure::wrong)?),
        _ => Err(Failure::wrong(format!("{}: one moment is an .svg or a .png", path.display()))),
    }
}
