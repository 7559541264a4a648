//! `tricorne terrain`: random ground by the system's own rule.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use tricorne_chance::{Seed, Seeded};
use tricorne_game::{Choices, Purpose, Source};
use tricorne_picture::Style;

use super::lists::find;
use super::{json, picture, say};
use crate::failure::{Failure, Outcome};
use crate::{files, load};

/// Random terrain by the system's own rule.
#[derive(Args)]
pub struct Terrain {
    /// The rule system
    #[arg(long, value_name = "R")]
    ruleset: String,
    /// The seed of the dice
    #[arg(long, default_value = "1")]
    seed: String,
    /// The table's width and depth; the usual ones without it
    #[arg(long, value_name = "WxH", value_parser = load::table_size)]
    table: Option<[f64; 2]>,
    /// Draw it too: .svg or .png (`-`: SVG on standard output, and the ground on stderr)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Terrain {
    /// Makes it.
    pub fn run(self) -> Outcome {
        files::outputs(self.json, [self.output.as_deref()])?;
        let system = find(&self.ruleset)?;
        let seed: Seed = self.seed.parse().map_err(Failure::wrong)?;
        let text = system.random_terrain(self.table, &mut Seeded::new(seed)).map_err(Failure::wrong)?;
        // Read back as a position, so that what is printed is ground the rules accept.
        let on = self.table.map(|size| system.drafting().map_or_else(String::new, |d| d.table(size)));
        let file =
            Source::new(format!("terrain of seed {seed}"), format!("{}{text}", on.unwrap_or_default()));
        let battle = system.set_up(&file, &Choices::default(), Purpose::Position)?;
        let mut view = battle.view(None);
        view.title = format!("Terrain of seed {seed}");
        if let Some(path) = &self.output {
            picture::write(&view, &Style { panel: false, ..Style::default() }, path, None)?;
        }
        if self.json {
            let list: Vec<Value> = view
                .terrain
                .iter()
                .map(|t| json!({ "id": t.id, "kind": t.kind, "level": t.level, "points": t.points }))
                .collect();
            return json(&list);
        }
        say(text.trim_end())
    }
}
