//! Scenarios, choices and journals as the command line names them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use clap::Args;
use tricorne_game::case::Case;
use tricorne_game::journal::{Journal, JournalError};
use tricorne_game::{AnyBattle, AnySystem, Choices, Fault, Purpose, Source};

use crate::failure::{Failure, Outcome};
use crate::files;

/// Data files of one's own by the names of the rulebook's files they are used in place of.
static GIVEN: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// A fault in a rulebook's data file is one in the file that was given in its place, and is told by its name.
pub fn as_given(fault: Fault) -> Fault {
    let given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    match given.get(&fault.file) {
        Some(file) => Fault { file: file.clone(), ..fault },
        None => fault,
    }
}

/// House rules and data of one's own.
#[derive(Args, Clone, Debug, Default)]
pub struct ChoiceArgs {
    /// A house-rule option, as NAME=VALUE (`tricorne rules RULESET --options` lists them)
    #[arg(long = "option", value_name = "K=V")]
    options: Vec<String>,
    /// A rulebook data file of your own (for example profiles.toml), used in place of the rulebook's file of that name;
    /// under another name, or on standard input, as NAME=FILE
    #[arg(long = "data", value_name = "FILE")]
    data: Vec<String>,
}

impl ChoiceArgs {
    /// Refuses choices for what has made its own.
    pub fn none_for(&self, what: &str) -> Outcome {
        let given = self.options.first().map(|pair| format!("--option {pair}"));
        match given.or_else(|| self.data.first().map(|file| format!("--data {file}"))) {
            Some(given) => Err(Failure::wrong(format!(
                "{given}: {what} has its own options and data; leave it out, or name a scenario"
            ))),
            None => Ok(()),
        }
    }

    /// The choices, checked against the system's options.
    pub fn choices(&self, system: &dyn AnySystem) -> Result<Choices, Failure> {
        let mut options = BTreeMap::new();
        for pair in &self.options {
            let (name, value) = pair
                .split_once('=')
                .ok_or_else(|| Failure::wrong(format!("--option {pair}: write it as NAME=VALUE")))?;
            system
                .options()
                .check(name, value)
                .map_err(|why| why.replace("rules RULESET", &format!("rules {}", system.about().id)))
                .map_err(|why| Failure::wrong(format!("--option {pair}: {why}")))?;
            if options.insert(name.to_owned(), value.to_owned()).is_some() {
                return Err(Failure::wrong(format!(
                    "--option {pair}: {name} is named twice; keep one of them"
                )));
            }
        }
        let mut data = BTreeMap::new();
        let known: Vec<&str> = system.data_files().iter().map(|(name, _)| *name).collect();
        for given in &self.data {
            let (name, path) = match given.split_once('=') {
                Some((name, path)) if known.contains(&name) => (name.to_owned(), Path::new(path)),
                _ => {
                    let path = Path::new(given);
                    (path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(), path)
                }
            };
            if !known.contains(&name.as_str()) {
                // Written as NAME=FILE the name is before the sign, whatever the file's.
                let name = given.split_once('=').map_or(name, |(name, _)| name.to_owned());
                let there = format!("it has {}.", known.join(", "));
                let hint = tricorne_game::did_you_mean(&name, known.iter().copied(), there);
                return Err(Failure::wrong(format!(
                    "--data {given}: this rulebook has no file `{name}`; {hint} Write NAME=FILE for a file of another \
                     name"
                )));
            }
            if path.as_os_str().is_empty() {
                return Err(Failure::wrong(format!("--data {given}: name a file, as in {name}=mine.toml")));
            }
            let file = files::name(path);
            let text = files::read_text(path)?;
            if data.insert(name.clone(), text).is_some() {
                return Err(Failure::wrong(format!(
                    "--data {given}: {name} is named twice; keep one of them"
                )));
            }
            GIVEN.lock().unwrap_or_else(PoisonError::into_inner).insert(name, file);
        }
        Ok(Choices { options, data })
    }
}

/// A scenario by id, by file name, or from standard input.
pub fn scenario(name: &str) -> Result<(&'static dyn AnySystem, Source), Failure> {
    let path = Path::new(name);
    if files::is_there(path) {
        let file = Source::new(files::name(path), files::read_text(path)?);
        return Ok((tricorne_shelf::system_of(&file)?, file));
    }
    let shipped = tricorne_shelf::scenario(name);
    if shipped.is_err() && path.symlink_metadata().is_ok() {
        // Something of that name is there, and why it can't be read says more than that it is no scenario's id.
        files::read_bytes(path)?;
    }
    Ok(shipped?)
}

/// Refuses to go further than a journal does.
pub fn within(journal: &Journal, at: Option<usize>) -> Outcome {
    match at.filter(|&at| at > journal.entries.len()) {
        Some(at) => {
            Err(Failure::wrong(format!("--at {at}: the journal has {} actions", journal.entries.len())))
        }
        None => Ok(()),
    }
}

/// The position of a rule case; none if the file is no case.
pub fn case_position(path: &Path) -> Result<Option<Box<dyn AnyBattle>>, Failure> {
    let source = Source::new(files::name(path), files::read_text(path)?);
    let Ok(case) = Case::read(&source) else { return Ok(None) };
    let system = crate::commands::lists::find(&case.ruleset)?;
    let options = case.options.iter().map(|(k, v)| (k.clone(), v.to_string())).collect();
    let choices = Choices { options, ..Choices::default() };
    let position = Source::new(source.name.clone(), case.position_text());
    let battle = system.set_up(&position, &choices, Purpose::Position);
    Ok(Some(battle.map_err(|fault| fault.within(&source, &["position".into()]))?))
}

/// A rule case and its system; none if the file is no case.
pub fn case(path: &Path) -> Result<Option<(&'static dyn AnySystem, Source, Case)>, Failure> {
    let source = Source::new(files::name(path), files::read_text(path)?);
    let Ok(case) = Case::read(&source) else { return Ok(None) };
    let system = crate::commands::lists::find(&case.ruleset)?;
    Ok(Some((system, source, case)))
}

/// A journal and the system it was fought under.
pub fn journal(path: &Path) -> Result<(&'static dyn AnySystem, Journal), Failure> {
    let journal = Journal::read(&files::read_bytes(path)?).map_err(|e| of_file(path, e))?;
    Ok((system_of(path, &journal)?, journal))
}

/// What holds of a journal, and what is wrong with the rest.
pub fn salvaged(path: &Path) -> Result<(&'static dyn AnySystem, Journal, Option<String>), Failure> {
    let (mut journal, wrong) = Journal::salvage(&files::read_bytes(path)?).map_err(|e| of_file(path, e))?;
    let system = system_of(path, &journal)?;
    let Some(mut wrong) = wrong else { return Ok((system, journal, None)) };
    // A changed byte may have left an action that can be read and was never taken.
    while let Err(differs) = journal.replay(system, None) {
        match differs {
            JournalError::Differs { action, .. } if action > 0 => journal.keep(action - 1),
            _ => return Err(of_file(path, differs)),
        }
        wrong = differs;
    }
    Ok((system, journal, Some(wrong.to_string())))
}

/// What is wrong with a journal, by the name of its file.
pub fn of_file(path: &Path, wrong: JournalError) -> Failure {
    match Failure::from(wrong) {
        Failure::No(why) => Failure::No(format!("{}: {why}", files::name(path))),
        Failure::Wrong(why) => Failure::Wrong(format!("{}: {why}", files::name(path))),
        other => other,
    }
}

fn system_of(path: &Path, journal: &Journal) -> Result<&'static dyn AnySystem, Failure> {
    let ruleset = &journal.header.ruleset;
    tricorne_shelf::system(ruleset)
        .ok_or_else(|| Failure::wrong(format!("{}: there is no ruleset `{ruleset}`", files::name(path))))
}

/// No table is wider or deeper; a scenario file takes no larger number either.
const WIDEST: f64 = 2000.0;

/// Reads a table's size: `72x48`.
pub fn table_size(text: &str) -> Result<[f64; 2], String> {
    let side = |part: &str| part.trim().parse::<f64>().ok().filter(|n| n.is_finite() && *n > 0.0);
    let size = text
        .split_once(['x', 'X', '×'])
        .and_then(|(width, depth)| Some([side(width)?, side(depth)?]))
        .ok_or_else(|| format!("`{text}` is no table; write its width and depth like 72x48"))?;
    if size.iter().any(|side| *side > WIDEST) {
        return Err(format!("`{text}`: no table is wider or deeper than {WIDEST}; write for example 72x48"));
    }
    Ok(size)
}
