//! `tricorne completions` and `tricorne man`: what a shell and a manual know of the commands, made from the commands
//! themselves.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use crate::failure::{Failure, Outcome};
use crate::files;

/// Completions for your shell: what Tab offers.
#[derive(Args)]
pub struct Completions {
    /// bash, zsh, fish, powershell or elvish
    shell: Shell,
}

impl Completions {
    /// Prints them.
    pub fn run(self) -> Outcome {
        let mut bytes = Vec::new();
        clap_complete::generate(self.shell, &mut crate::help::command(), "tricorne", &mut bytes);
        files::write(std::path::Path::new("-"), &bytes)
    }
}

/// Manual pages: one for the program, one for each command.
#[derive(Args)]
pub struct Man {
    /// The folder to write them to (`man -l FOLDER/tricorne.1` shows one); without it, the first page is printed
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl Man {
    /// Writes them.
    pub fn run(self) -> Outcome {
        let command = crate::help::command();
        let Some(folder) = self.output else {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            return files::write(std::path::Path::new("-"), &page);
        };
        files::no_dash(&folder, "the pages go to a folder; without -o the first of them is printed")?;
        let named = |e: std::io::Error| Failure::wrong(format!("{}: {e}", folder.display()));
        std::fs::create_dir_all(&folder).map_err(named)?;
        clap_mangen::generate_to(command, &folder).map_err(named)?;
        let pages = std::fs::read_dir(&folder).map_err(named)?.flatten();
        let count = pages.filter(|p| p.path().extension().is_some_and(|e| e == "1")).count();
        files::remark(&format!("wrote {count} pages to {}", folder.display()));
        Ok(())
    }
}
