//! *All the King's Men* as data: what `tricorne-rules-all-the-kings-men` reads. Everything in this folder can be read, and most of it
//! replaced by a file of one's own (`--data`), without knowing Rust.

macro_rules! page {
    ($name:literal) => {
        ($name, include_str!($name))
    };
}

/// Every file that the rules read, by its name in this folder.
pub const FILES: &[(&str, &str)] = &[
    page!("action.schema.json"),
    page!("armies.toml"),
    page!("charts.toml"),
    page!("clauses.md"),
    page!("drafting.toml"),
    page!("judgement.toml"),
    page!("options.toml"),
    page!("profiles.toml"),
    page!("scenario.schema.json"),
    page!("scenarios/a-meeting-at-dawn.toml"),
    page!("scenarios/cowpens.toml"),
    page!("scenarios/kessel-crossroads.toml"),
    page!("scenarios/lobositz.toml"),
    page!("scenarios/stony-ridge.toml"),
    page!("scenarios/the-parade-ground.toml"),
    page!("scenarios/the-walled-farm.toml"),
    page!("sheet.toml"),
    page!("story.toml"),
    page!("terrain.toml"),
    page!("uniforms.toml"),
];
