//! Scenarios, choices and journals as the command line names them.

use std::collections::BTreeMap;
use std::path::Path;

use clap::Args;
use tricorne_game::case::Case;
use tricorne_game::journal::Journal;
use tricorne_game::{AnyBattle, AnySystem, Choices, Purpose, Source};

use crate::failure::Failure;
use crate::files;

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
                .map_err(|why| Failure::wrong(format!("--option {pair}: {why}")))?;
            options.insert(name.to_owned(), value.to_owned());
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
                let there = format!("it has {}", known.join(", "));
                let hint = tricorne_game::did_you_mean(&name, known.iter().copied(), there);
                return Err(Failure::wrong(format!(
                    "--data {given}: this rulebook has no file `{name}`; {hint} Write NAME=FILE for a file of another \
                     name"
                )));
            }
            data.insert(name, files::read_text(path)?);
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
    Ok(tricorne_shelf::scenario(name)?)
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
pub fn journal(path: &Path, salvage: bool) -> Result<(&'static dyn AnySystem, Journal), Failure> {
    let bytes = files::read_bytes(path)?;
    let read = if salvage { Journal::salvage(&bytes) } else { Journal::read(&bytes) };
    let journal = read.map_err(|e| match Failure::from(e) {
        Failure::No(why) => Failure::No(format!("{}: {why}", files::name(path))),
        Failure::Wrong(why) => Failure::Wrong(format!("{}: {why}", files::name(path))),
        Failure::PipeClosed => Failure::PipeClosed,
    })?;
    let system = tricorne_shelf::system(&journal.header.ruleset).ok_or_else(|| {
        Failure::wrong(format!("{}: there is no ruleset `{}`", files::name(path), journal.header.ruleset))
    })?;
    Ok((system, journal))
}

/// Reads a table's size: `72x48`.
pub fn table_size(text: &str) -> Result<[f64; 2], String> {
    let side = |part: &str| part.trim().parse::<f64>().ok().filter(|n| n.is_finite() && *n > 0.0);
    text.split_once(['x', 'X', '×'])
        .and_then(|(width, depth)| Some([side(width)?, side(depth)?]))
        .ok_or_else(|| format!("`{text}` is no table; write its width and depth like 72x48"))
}
