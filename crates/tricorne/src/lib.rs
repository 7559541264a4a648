//! `tricorne`: one command per job; the work is done in the crates below.
//!
//! The commands are a library, and the program (`main.rs`) only starts it: a library is compiled beside the server and
//! the lab, as soon as their types are known, while a program waits until all it is linked from is there.

#![warn(clippy::print_stderr, clippy::print_stdout)] // They panic where nobody listens; `files` has what does not.

mod alarm;
mod commands;
mod failure;
mod files;
mod help;
mod left_out;
mod load;
mod table;
mod version;

use clap::{FromArgMatches, Parser, Subcommand};

use failure::Outcome;

/// A digital tabletop for horse-and-musket miniature battles.
#[derive(Parser)]
#[command(name = "tricorne", version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// A table on this machine: serves the page and opens it
    Play(commands::serve::Play),
    /// Serve the page to many people
    Serve(commands::serve::Serve),
    /// Think for servers: a process of its own for what their programs decide
    Think(commands::think::Think),
    /// Copy everything a server keeps into one file; it may go on serving meanwhile
    Backup(commands::keeping::Backup),
    /// Keep a club's server in order: tables, people, passwords, data
    Admin(commands::admin::Admin),
    /// What would become of every game being played, if this release went on with it
    CheckGames(commands::keeping::CheckGames),
    /// Put a copy made by `backup` into an empty database
    Restore(commands::keeping::Restore),
    /// Watch a battle step by step at this terminal, or play in it
    Watch(commands::watch::Watch),
    /// Fight a battle between programs
    Battle(commands::battle::BattleArgs),
    /// Play a journal again and verify every hash
    Replay(commands::replay::Replay),
    /// Draw the table of a scenario or a journal: SVG, PNG or animated GIF
    Picture(commands::picture::Picture),
    /// Run rule cases; the last line is 'N passed, N failed'
    Case(commands::case::CaseArgs),
    /// List the rule systems
    Rulesets(commands::lists::Rulesets),
    /// List the scenarios
    Scenarios(commands::lists::Scenarios),
    /// The rule help: a system's clauses and options, or one clause
    Rules(commands::rules::Rules),
    /// The exact distribution of what an action may come to
    Odds(commands::odds::OddsArgs),
    /// List the army lists
    Armies(commands::army::Armies),
    /// Armies of your own: muster, check, print, pitch two against each other
    Army(commands::army::ArmyArgs),
    /// A quick-reference sheet: a system's charts on one leaf
    Sheet(commands::sheet::SheetArgs),
    /// Random terrain by the system's own rule
    Terrain(commands::terrain::Terrain),
    /// Many battles: studies, sweeps, ladders, balance reports and speed figures
    Lab(commands::lab::Lab),
    /// A JSON-lines protocol on stdin and stdout, for bots and tools
    Engine(commands::engine::Engine),
    /// What is missing on this machine, which browser, where games are kept and whether the file is sound
    Doctor(commands::doctor::Doctor),
    /// Completions for your shell
    Completions(commands::shell::Completions),
    /// Manual pages
    Man(commands::shell::Man),
}

/// Does what the command line says.
pub fn run() -> std::process::ExitCode {
    alarm::set();
    let parsed = help::command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(e) => return failure::exit(help::answer(&e)),
    };
    let outcome: Outcome = match cli.command.unwrap_or(Command::Play(commands::serve::Play::default())) {
        Command::Play(args) => args.run(),
        Command::Serve(args) => args.run(),
        Command::Think(args) => args.run(),
        Command::Backup(args) => args.run(),
        Command::Restore(args) => args.run(),
        Command::Admin(args) => args.run(),
        Command::CheckGames(args) => args.run(),
        Command::Watch(args) => args.run(),
        Command::Battle(args) => args.run(),
        Command::Replay(args) => args.run(),
        Command::Picture(args) => args.run(),
        Command::Case(args) => args.run(),
        Command::Rulesets(args) => args.run(),
        Command::Scenarios(args) => args.run(),
        Command::Rules(args) => args.run(),
        Command::Odds(args) => args.run(),
        Command::Armies(args) => args.run(),
        Command::Army(args) => args.run(),
        Command::Sheet(args) => args.run(),
        Command::Terrain(args) => args.run(),
        Command::Lab(args) => args.run(),
        Command::Engine(args) => args.run(),
        Command::Doctor(args) => args.run(),
        Command::Completions(args) => args.run(),
        Command::Man(args) => args.run(),
    };
    failure::exit(outcome)
}
