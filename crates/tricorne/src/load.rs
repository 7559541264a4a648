//! Scenarios, choices and journals as the command line names them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use tricorne_game::case::Case;
use tricorne_game::journal::Journal;
use tricorne_game::{AnyBattle, AnySystem, Choices, Purpose, Source};

use crate::failure::Failure;

/// House rules and data of one's own.
#[derive(Args, Clone, Debug, Default)]
pub struct ChoiceArgs {
    /// A house-rule option, as NAME=VALUE (`tricorne rules RULESET` lists them)
    #[arg(long = "option", value_name = "K=V")]
    options: Vec<String>,
    /// A rulebook data file of your own (for example profiles.toml), used in place of the rulebook's file of that name
    #[arg(long = "data", value_name = "FILE")]
    data: Vec<PathBuf>,
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
        for path in &self.data {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            data.insert(name, read_text(path)?);
        }
        Ok(Choices { options, data })
    }
}

/// Reads a text file; an error names it.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = read_bytes(path)?;
    String::from_utf8(bytes).map_err(|_| Failure::wrong(format!("{}: is not text (UTF-8)", path.display())))
}

/// Reads a file; an error names it.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|e| Failure::wrong(format!("{}: {e}", path.display())))
}

/// Writes a file; an error names it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).map_err(|e| Failure::wrong(format!("{}: {e}", path.display())))
}

/// A scenario by id or by file name.
pub fn scenario(name: &str) -> Result<(&'static dyn AnySystem, Source), Failure> {
    let path = Path::new(name);
    if path.is_file() {
        let file = Source::new(name, read_text(path)?);
        return Ok((tricorne_shelf::system_of(&file)?, file));
    }
    Ok(tricorne_shelf::scenario(name)?)
}

/// The position of a rule case; none if the file is no case.
pub fn case_position(path: &Path) -> Result<Option<Box<dyn AnyBattle>>, Failure> {
    let source = Source::new(path.display().to_string(), read_text(path)?);
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
    let source = Source::new(path.display().to_string(), read_text(path)?);
    let Ok(case) = Case::read(&source) else { return Ok(None) };
    let system = crate::commands::lists::find(&case.ruleset)?;
    Ok(Some((system, source, case)))
}

/// A journal and the system it was fought under.
pub fn journal(path: &Path, salvage: bool) -> Result<(&'static dyn AnySystem, Journal), Failure> {
    let bytes = read_bytes(path)?;
    let read = if salvage { Journal::salvage(&bytes) } else { Journal::read(&bytes) };
    let journal = read.map_err(|e| match Failure::from(e) {
        Failure::No(why) => Failure::No(format!("{}: {why}", path.display())),
        Failure::Wrong(why) => Failure::Wrong(format!("{}: {why}", path.display())),
        Failure::PipeClosed => Failure::PipeClosed,
    })?;
    let system = tricorne_shelf::system(&journal.header.ruleset).ok_or_else(|| {
        Failure::wrong(format!("{}: there is no ruleset `{}`", path.display(), journal.header.ruleset))
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
