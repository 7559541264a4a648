//! The army lists (T11).

use std::collections::BTreeMap;

use serde::Deserialize;
use tricorne_game::{Fault, Source};

use super::{Grades, Points, Prices};
use crate::rulebook::{Drill, Grade, Kind, Profile, Weapon};

/// `armies.toml`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lists {
    format: u32,
    /// In the order of the file.
    pub nations: Vec<Nation>,
}

/// One nation's list.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nation {
    /// `prussian`.
    pub id: String,
    /// `Prussian`.
    pub name: String,
    /// The row of the ability table it rolls on (T8).
    pub ability: String,
    /// Whether it may use its flank zones and send flank marches (SYW-DEPLOY-15, -16).
    #[serde(default)]
    pub flank_marches: bool,
    /// Its units, in the order of the list.
    pub units: Vec<Entry>,
}

/// One line of a list.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// `P-MUS`.
    pub code: String,
    /// `Musketeers`.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Its drill; left out: normal, and for Militia bad.
    pub drill: Option<Drill>,
    /// Its morale.
    #[serde(default)]
    pub morale: Grade,
    /// Whether its fire discipline is weak.
    #[serde(default)]
    pub poor_shots: bool,
    /// Its weapon, if it is not that of its kind.
    pub weapon: Option<Weapon>,
    /// Stands in a unit of the usual size.
    pub stands: u8,
    /// What such a unit costs.
    pub points: Points,
    /// Who may share a group (SYW-GROUP-06).
    pub tag: String,
    /// The most such units in one army.
    pub most: Option<u8>,
}

impl Entry {
    /// What its units are called in the field, without what the list adds (`Line cavalry, grouped`).
    pub fn called(&self) -> &str {
        self.name.split(',').next().unwrap_or(&self.name)
    }

    /// Its grades, before any upgrade.
    pub fn grades(&self) -> Grades {
        let usual = if self.kind == Kind::Mil { Drill::Badly } else { Drill::Normal };
        Grades {
            kind: self.kind,
            rifles: self.kind == Kind::Rif,
            drill: self.drill.unwrap_or(usual),
            morale: self.morale,
            poor_shots: self.poor_shots,
            upgraded_drill: false,
            upgraded_shots: false,
        }
    }
}

/// The rows of T1.
pub type Kinds = BTreeMap<Kind, Profile>;

impl Lists {
    /// Reads `armies.toml` and checks every entry against the kinds and the prices.
    pub fn read(source: &Source, kinds: &Kinds, prices: &Prices) -> Result<Self, Fault> {
        let lists: Self = source.parse()?;
        if lists.format != 1 {
            return Err(source.fault(&["format".into()], "this program reads format 1"));
        }
        let mut codes: Vec<&str> = Vec::new();
        for (n, nation) in lists.nations.iter().enumerate() {
            for (i, entry) in nation.units.iter().enumerate() {
                let fault = |key: &str, why: String| {
                    let place = ["nations".into(), n.into(), "units".into(), i.into(), key.into()];
                    Err(source.fault(&place, format!("{}: {why}", entry.code)))
                };
                if codes.contains(&entry.code.as_str()) {
                    return fault(
                        "code",
                        "stands twice in the lists; give each entry a code of its own".into(),
                    );
                }
                codes.push(&entry.code);
                let Some(profile) = kinds.get(&entry.kind) else {
                    let why = format!("there is no kind `{}` in profiles.toml", entry.kind.code());
                    return fault("kind", why);
                };
                if !profile.sizes.contains(&entry.stands) {
                    let (kind, sizes) = (entry.kind.code(), &profile.sizes);
                    return fault("stands", format!("a unit of {kind} has one of {sizes:?} stands"));
                }
                let price = prices.stand(entry.grades()) * i32::from(entry.stands);
                if price != entry.points {
                    let why = format!("says {} points, but its stands and grades cost {price}", entry.points);
                    return fault("points", why);
                }
            }
        }
        Ok(lists)
    }

    /// The nation of that id or name.
    pub fn nation(&self, name: &str) -> Option<&Nation> {
        self.nations.iter().find(|n| n.id == name || n.name.eq_ignore_ascii_case(name))
    }

    /// The entry of that code, with its nation.
    pub fn entry(&self, code: &str) -> Option<(&Nation, &Entry)> {
        self.nations.iter().find_map(|n| n.units.iter().find(|e| e.code == code).map(|e| (n, e)))
    }
}
