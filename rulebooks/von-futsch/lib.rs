//! *Mit von Futsch zum Rheinland-Pfalz* as data: what `tricorne-rules-von-futsch` reads. Everything in this folder can be read, and most of it
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
    page!("clauses.md"),
    page!("drafting.toml"),
    page!("events.toml"),
    page!("judgement.toml"),
    page!("options.toml"),
    page!("profiles.toml"),
    page!("scenario.schema.json"),
    page!("scenarios/convoy-to-danzig.toml"),
    page!("scenarios/encounter.toml"),
    page!("scenarios/san-pietro.toml"),
    page!("scenarios/the-ford.toml"),
    page!("scenarios/the-two-millers.toml"),
    page!("sheet.toml"),
    page!("story.toml"),
    page!("uniforms.toml"),
];
