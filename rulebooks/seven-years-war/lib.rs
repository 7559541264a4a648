//! *Seven Years War, 15mm* as data: what `tricorne-rules-seven-years-war` reads. Everything in this folder can be read, and most of it
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
    page!("drill.toml"),
    page!("generals.toml"),
    page!("judgement.toml"),
    page!("options.toml"),
    page!("points.toml"),
    page!("profiles.toml"),
    page!("scenario.schema.json"),
    page!("scenarios/a-chance-encounter.toml"),
    page!("scenarios/kettle-brook.toml"),
    page!("scenarios/manoeuvres-at-spandau.toml"),
    page!("scenarios/minden.toml"),
    page!("scenarios/rossbach.toml"),
    page!("scenarios/the-heath-before-thalheim.toml"),
    page!("scenarios/the-redoubt-at-kagul-brook.toml"),
    page!("sheet.toml"),
    page!("story.toml"),
    page!("terrain.toml"),
    page!("uniforms.toml"),
    page!("weapons.toml"),
];
