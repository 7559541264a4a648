//! The rulebooks on the shelf: every rule system by its id. The only place that lists them all.
//!
//! ```
//! let (system, file) = tricorne_shelf::scenario("the-ford").unwrap();
//! assert_eq!((system.about().id, file.name.as_str()), ("von-futsch", "the-ford"));
//! let why = tricorne_shelf::scenario("the-fort").err().unwrap().to_string();
//! assert!(why.contains("`the-ford`")); // the nearest name is offered for a mistyped one
//! ```

use std::sync::LazyLock;

use tricorne_game::{AnySystem, Fault, Source, System};
use tricorne_rules_all_the_kings_men::AllTheKingsMen;
use tricorne_rules_seven_years_war::SevenYearsWar;
use tricorne_rules_von_futsch::VonFutsch;
use tricorne_rules_would_be_kings::WouldBeKings;

/// Every system, in the order they are shown.
pub fn systems() -> &'static [&'static dyn AnySystem] {
    static SYSTEMS: LazyLock<[&'static dyn AnySystem; 4]> = LazyLock::new(|| {
        [
            tricorne_rules_would_be_kings::any(),
            tricorne_rules_all_the_kings_men::any(),
            tricorne_rules_von_futsch::any(),
            tricorne_rules_seven_years_war::any(),
        ]
    });
    &*SYSTEMS
}

/// The system of that id.
pub fn system(id: &str) -> Option<&'static dyn AnySystem> {
    systems().iter().copied().find(|s| s.about().id == id)
}

/// Something to do with a system whose type is known: where speed matters and JSON would not do.
pub trait Visitor {
    /// What comes of it.
    type Out;

    /// Does it.
    fn visit<S: System>(self, system: S) -> Self::Out;
}

/// Shows a visitor the system of that id.
pub fn visit<V: Visitor>(id: &str, visitor: V) -> Option<V::Out> {
    match id {
        "all-the-kings-men" => Some(visitor.visit(AllTheKingsMen)),
        "seven-years-war" => Some(visitor.visit(SevenYearsWar)),
        "von-futsch" => Some(visitor.visit(VonFutsch)),
        "would-be-kings" => Some(visitor.visit(WouldBeKings)),
        _ => None,
    }
}

/// Why no scenario was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFound {
    /// No scenario of that id, and no file of that name.
    Nothing(String),
    /// Several rulebooks have one of that id.
    Several(Vec<String>),
    /// A file that names no ruleset, or one that is not on the shelf.
    Ruleset(Fault),
}

impl std::fmt::Display for NotFound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotFound::Nothing(name) => {
                let id = name.rsplit('/').next().unwrap_or(name);
                let id = id.strip_suffix(".toml").unwrap_or(id);
                let all = systems().iter().flat_map(|s| s.scenarios()).map(|s| s.id);
                let list = "`tricorne scenarios` lists the scenarios";
                let hint = match tricorne_game::did_you_mean(id, all, "") {
                    none if none.is_empty() => list.to_owned(),
                    near => format!("{near} {list}"),
                };
                write!(f, "there is no scenario `{name}` and no file of that name; {hint}")
            }
            NotFound::Several(ids) => write!(f, "which one? say {}", ids.join(" or ")),
            NotFound::Ruleset(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for NotFound {}

/// Finds a shipped scenario by its id, alone or as `ruleset/id`.
pub fn scenario(name: &str) -> Result<(&'static dyn AnySystem, Source), NotFound> {
    let (ruleset, id) = name.split_once('/').map_or((None, name), |(r, i)| (Some(r), i));
    let mut found = Vec::new();
    for system in systems().iter().copied().filter(|s| ruleset.is_none_or(|r| r == s.about().id)) {
        for text in system.scenarios().iter().filter(|s| s.id == id) {
            found.push((system, Source::new(text.id, text.text)));
        }
    }
    if found.len() > 1 {
        return Err(NotFound::Several(
            found.iter().map(|(s, t)| format!("{}/{}", s.about().id, t.name)).collect(),
        ));
    }
    found.pop().ok_or_else(|| NotFound::Nothing(name.into()))
}

/// The system that a scenario file is for, by its `ruleset` line.
pub fn system_of(file: &Source) -> Result<&'static dyn AnySystem, NotFound> {
    tricorne_game::system_of(systems(), file).map_err(NotFound::Ruleset)
}
