//! `tricorne picture`: the table drawn.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;
use tricorne_chance::Seed;
use tricorne_game::case::{Case, moment};
use tricorne_game::journal::Journal;
use tricorne_game::view::View;
use tricorne_game::ways::{Scene, Way, cards, go_on, lines, shots, throws, ways};
use tricorne_game::{AnyBattle, AnySystem, Event, Source, Story, Umpire};
use tricorne_picture::{Style, Theme, svg};

use crate::failure::{Failure, Outcome};
use crate::files;
use crate::left_out::{Pace, film, png};
use crate::load::{self, ChoiceArgs};

/// A film has at most so many scenes; longer battles skip actions evenly.
const SCENES: usize = 160;

/// Draw the table of a scenario, a journal or a rule case, and what an action would come to.
///
/// With --do the action is not taken but drawn over the table: the way of the unit's middle as a bold dashed line with
/// its cost and allowance, what is measured beside it (the outer front corner of a wheel, with its length) as a dotted
/// line, and the bases where they would stand as a ghost.
///
/// A rule case shows its position and the preview of its first action; actions before it that move nobody (naming a
/// march, say) are taken first, with the case's own dice.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Picture {
    /// A scenario's id, a scenario file, a journal, or a rule case (`-` reads one from standard input)
    what: String,
    /// After so many actions of the journal (a GIF stops there) or of the rule case
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// A GIF begins after so many actions of the journal: with --at, one turn of it
    #[arg(long, value_name = "N")]
    from: Option<usize>,
    /// An action, as JSON: its preview is drawn over the table
    #[arg(long = "do", value_name = "ACTION")]
    action: Option<String>,
    /// The picture: .svg, .png or .gif (`-`: standard output)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Draw this, whatever the file's name ends in
    #[arg(long, value_parser = ["svg", "png", "gif"])]
    format: Option<String>,
    /// Width in pixels
    #[arg(long, value_parser = clap::value_parser!(u32).range(200..=6000))]
    width: Option<u32>,
    /// Chalk on slate instead of ink on paper
    #[arg(long)]
    dark: bool,
    /// The unit whose arcs, ranges and card are shown
    #[arg(long, value_name = "ID")]
    unit: Option<String>,
    /// The seed of what is rolled before a scenario begins; 1 if not said
    #[arg(long)]
    seed: Option<String>,
    #[command(flatten)]
    choices: ChoiceArgs,
}

impl Picture {
    /// Draws it.
    pub fn run(self) -> Outcome {
        let path = Path::new(&self.what);
        files::outputs(false, [Some(self.output.as_path())])?;
        let is_journal = files::is_there(path) && files::read_bytes(path)?.starts_with(b"{");
        let kind = extension(&self.output, self.format.as_deref())?;
        if is_journal {
            self.chosen("a journal")?;
            let (system, journal) = load::journal(path)?;
            load::within(&journal, self.at)?;
            let last = self.at.unwrap_or(journal.entries.len());
            if let Some(from) = self.from.filter(|&from| from >= last) {
                return Err(Failure::wrong(format!(
                    "--from {from}: the film would end after {last} actions"
                )));
            }
            if kind == "gif" {
                if self.action.is_some() {
                    return Err(Failure::wrong(
                        "--do is drawn over one moment: an .svg or a .png, not a GIF",
                    ));
                }
                return self.film(system, &journal);
            }
            if self.from.is_some() {
                return Err(Failure::wrong("--from is where a GIF begins; one moment is named by --at"));
            }
            let umpire = journal.replay(system, self.at)?;
            let view = umpire.battle().view(None);
            let caption = umpire.turned().last().map(|t| caption(&umpire, &view, &t.events));
            return self.still(umpire.battle(), self.asked()?.as_ref(), caption.unwrap_or_default());
        }
        if kind == "gif" {
            return Err(Failure::wrong(
                "a GIF needs a journal: `tricorne battle … --journal FILE` writes one",
            ));
        }
        if self.from.is_some() {
            return Err(Failure::wrong("--from is where the GIF of a journal begins; leave it out"));
        }
        if files::is_there(path)
            && let Some((system, source, case)) = load::case(path)?
        {
            self.chosen("a rule case")?;
            return self.case(system, &source, &case);
        }
        if self.at.is_some() {
            return Err(Failure::wrong(
                "--at needs a journal or a rule case: `tricorne battle … --journal FILE` writes a journal",
            ));
        }
        let (system, file) = load::scenario(&self.what)?;
        let choices = self.choices.choices(system)?;
        let seed: Seed = self.seed.as_deref().unwrap_or("1").parse().map_err(Failure::wrong)?;
        let umpire = Umpire::begin(system, &file, &choices, seed)?;
        self.still(umpire.battle(), self.asked()?.as_ref(), String::new())
    }

    /// Refuses options and a seed for what was fought, or is to be, with its own.
    fn chosen(&self, what: &str) -> Outcome {
        self.choices.none_for(what)?;
        match &self.seed {
            Some(seed) => {
                Err(Failure::wrong(format!("--seed {seed}: {what} has its own dice; leave it out")))
            }
            None => Ok(()),
        }
    }

    /// The action of `--do`.
    fn asked(&self) -> Result<Option<Value>, Failure> {
        let Some(text) = &self.action else { return Ok(None) };
        serde_json::from_str(text).map(Some).map_err(|e| {
            Failure::wrong(format!("--do {text}: is no JSON ({e}); write for example --do '\"pass\"'"))
        })
    }

    /// A rule case: its position with the preview of the action asked for, or of its own.
    fn case(&self, system: &'static dyn AnySystem, source: &Source, case: &Case) -> Outcome {
        let asked = self.asked()?;
        let moment = |n: usize| moment(system, source, case, n).map_err(Failure::wrong);
        if self.at.is_some() || asked.is_some() {
            let (battle, next) = moment(self.at.unwrap_or(0))?;
            return self.still(&*battle, asked.or(next).as_ref(), case.title.clone());
        }
        // On to the first action with something to draw, as long as everybody stays where he is.
        let (first, mut next) = moment(0)?;
        let mut battle = first.boxed_clone();
        for n in 1.. {
            let Some(action) = &next else { break };
            if battle.preview(action).is_ok_and(|p| !p.overlays.is_empty()) {
                return self.still(&*battle, Some(action), case.title.clone());
            }
            let after = moment(n)?;
            if places(&*after.0) != places(&*first) {
                break;
            }
            (battle, next) = after;
        }
        self.still(&*first, None, case.title.clone())
    }

    fn style(&self, usual: u32) -> Result<Style, Failure> {
        let chosen = match &self.unit {
            Some(id) => Some(id.parse().map_err(Failure::wrong)?),
            None => None,
        };
        let theme = if self.dark { Theme::Dark } else { Theme::Light };
        Ok(Style { theme, chosen, ..Style::wide(self.width.unwrap_or(usual)) })
    }

    fn still(&self, battle: &dyn AnyBattle, action: Option<&Value>, caption: String) -> Outcome {
        let view = battle.view(None);
        if let Some(id) = &self.unit
            && !view.units.iter().any(|u| u.id == *id.as_str())
        {
            return Err(Failure::wrong(format!("--unit {id}: there is no such unit")));
        }
        let mut caption = caption;
        let mut shown = Vec::new();
        if let Some(action) = action {
            let preview = battle
                .preview(action)
                .map_err(|why| Failure::wrong(format!("{action} can't be done here: {why}")))?;
            if self.action.is_some() || caption.is_empty() {
                caption = preview.notes.iter().map(|note| note.text.as_str()).collect::<Vec<_>>().join("; ");
            }
            shown = preview.overlays;
        }
        let caption = Some(caption).filter(|c| !c.is_empty());
        write(&view, &Style { caption, shown, ..self.style(1400)? }, &self.output, self.format.as_deref())
    }

    /// A scene for where it begins and for each action that moved or hurt somebody, with the ways that led to it.
    fn film(&self, system: &'static dyn AnySystem, journal: &Journal) -> Outcome {
        let whole = journal.replay(system, self.at)?;
        let from = self.from.unwrap_or(0);
        let telling = whole.turned().iter().enumerate().skip(from).filter(|(_, t)| !t.events.is_empty());
        let telling: Vec<usize> = telling.map(|(i, _)| i + 1).collect();
        let step = telling.len().div_ceil(SCENES).max(1);
        let mut wanted: Vec<usize> = telling.iter().copied().step_by(step).collect();
        wanted.extend(telling.last());
        wanted.dedup();
        let mut umpire = journal.replay(system, Some(from))?;
        let mut before = umpire.battle().view(None);
        let mut scenes = vec![Scene {
            view: before.clone(),
            caption: String::new(),
            ways: Vec::new(),
            shots: Vec::new(),
            throws: Vec::new(),
            cards: Vec::new(),
        }];
        let (mut events, mut gone, mut turned_up): (Vec<Event>, Vec<Way>, Vec<String>) = Default::default();
        for (i, entry) in journal.entries.iter().enumerate().take(whole.turned().len()).skip(from) {
            let lines = lines(umpire.battle(), entry.seat, &entry.action);
            let turned = umpire.act(entry.seat, &entry.action).map_err(Failure::wrong)?;
            events.extend(turned.events.iter().cloned());
            // Where part of what happened is somebody's secret, so may be the card.
            if turned.events.iter().all(|event| event.only.is_empty()) {
                turned_up.extend(cards(&turned.draws));
            }
            let view = umpire.battle().view(None);
            go_on(&mut gone, &ways(&lines, &before, &view));
            if wanted.contains(&(i + 1)) {
                let caption = caption(&umpire, &view, &events);
                // What only some may know is not shown to all.
                let open = || events.iter().filter(|event| event.only.is_empty());
                let (shots, throws) = (shots(open()), throws(open()));
                scenes.push(Scene {
                    view: view.clone(),
                    caption,
                    ways: std::mem::take(&mut gone),
                    shots,
                    throws,
                    cards: std::mem::take(&mut turned_up),
                });
                events.clear();
            }
            before = view;
        }
        let film = film(&scenes, &self.style(800)?, Pace::default()).map_err(Failure::wrong)?;
        files::write(&self.output, &film)
    }
}

/// Where everybody is.
fn places(battle: &dyn AnyBattle) -> Vec<(bool, f64, f64, Option<f64>)> {
    battle.view(None).units.iter().map(|u| (u.on_table, u.at.x, u.at.y, u.facing)).collect()
}

/// The first thing that happened, in a sentence without its clauses.
fn caption(umpire: &Umpire, view: &View, events: &[Event]) -> String {
    let story = Story::new(umpire.system().stories(), view).told_to(None);
    let told = events.iter().find_map(|e| story.tell(e)).unwrap_or_default();
    told.split(" [").next().unwrap_or_default().to_owned()
}

/// The form of a picture: the one that is said, or by the file's ending.
fn extension(path: &Path, format: Option<&str>) -> Result<&'static str, Failure> {
    files::form(path, format, &["svg", "png", "gif"], "a picture ends")
}

/// Draws a view to a file, in the form that is said or by its ending.
pub fn write(view: &View, style: &Style, path: &Path, format: Option<&str>) -> Outcome {
    let drawing = svg(view, style);
    match extension(path, format)? {
        "svg" => files::write(path, drawing.as_bytes()),
        "png" => files::write(path, &png(&drawing, style.width).map_err(Failure::wrong)?),
        _ => Err(Failure::wrong(format!("{}: one moment is an .svg or a .png", path.display()))),
    }
}
