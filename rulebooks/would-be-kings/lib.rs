//! *The Men Who Would Be Kings* as data: what `tricorne-rules-would-be-kings` reads. Everything in this folder can be read, and most of it
//! replaced by a file of one's own (`--data`), without knowing Rust.

macro_rules! page {
    ($name:literal) => {
        ($name, include_str!($name))
    };
}

/// Every file that the rules read, by its name in this folder.
pub const FILES: &[(&str, &str)] = &[
    page!("action.schema.json"),
    page!("characters.toml"),
    page!("charts.toml"),
    page!("clauses.md"),
    page!("drafting.toml"),
    page!("forces.toml"),
    page!("judgement.toml"),
    page!("leaders.toml"),
    page!("options.toml"),
    page!("profiles.toml"),
    page!("scenario.schema.json"),
    page!("scenarios/abu-klea.toml"),
    page!("scenarios/crossing-the-veld.toml"),
    page!("scenarios/rorkes-drift.toml"),
    page!("scenarios/the-bordj.toml"),
    page!("scenarios/the-disputed-valley.toml"),
    page!("scenarios/the-high-road.toml"),
    page!("scenarios/wells-of-tamai.toml"),
    page!("sheet.toml"),
    page!("story.toml"),
    page!("terrain.toml"),
    page!("uniforms.toml"),
    page!("upgrades.toml"),
    page!("weapons.toml"),
];
