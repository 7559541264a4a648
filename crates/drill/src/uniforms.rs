//! What armies wear and carry, from a rulebook's `uniforms.toml`: coats and flags by nation, facings by regiment. A view is
//! dressed in it once it is made; whoever draws it knows no regiment by name.
//!
//! ```
//! use tricorne_drill::Wardrobe;
//! use tricorne_game::Source;
//!
//! let text = r#"
//! [[nation]]
//! id = "british"
//! sides = ["Britain"]
//! livery = "red"
//! facings = "yellow"
//! flag = { field = "white", charge = "red", device = "union" }
//!
//! [[regiment]]
//! name = "7th Foot"
//! nation = "british"
//! facings = "blue"
//! "#;
//! assert!(Wardrobe::read(&Source::new("uniforms.toml", text)).is_ok());
//! assert!(Wardrobe::read(&Source::new("uniforms.toml", &text.replace("\nnation = \"british\"", "\nnation = \"hun\""))).is_err());
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;
use tricorne_game::view::{Arm, Dye, Flag, Livery, SideView, UnitView, View};
use tricorne_game::{Fault, Place, Source};

/// Uniforms and flags of a rulebook's armies.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wardrobe {
    #[serde(default, rename = "nation")]
    nations: Vec<Nation>,
    #[serde(default, rename = "regiment")]
    regiments: Vec<Regiment>,
}

/// What a nation's troops wear and carry, unless their regiment has something of its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nation {
    id: String,
    /// What scenarios call a side of this nation.
    #[serde(default)]
    sides: Vec<String>,
    /// Nations whose regiments fight on its side.
    #[serde(default)]
    allies: Vec<String>,
    livery: Option<Livery>,
    /// What it wears against its own like, so that the two can be told apart.
    second: Option<Livery>,
    facings: Option<Dye>,
    /// The facings of an arm that has others.
    #[serde(default)]
    arms: BTreeMap<String, Dye>,
    flag: Option<Flag>,
}

/// A regiment that is known by its facings.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Regiment {
    /// Words of its units' names: `Forcade` is the regiment of `Forcade Musketeers II`.
    name: String,
    nation: String,
    facings: Option<Dye>,
    /// The colour of its flag, where that is not the facings'.
    colour: Option<Dye>,
}

impl Wardrobe {
    /// Reads `uniforms.toml`.
    pub fn read(source: &Source) -> Result<Self, Fault> {
        let read: Self = source.parse()?;
        let known = |id: &str| read.nations.iter().any(|nation| nation.id == id);
        let fault = |list: &str, i: usize, field: &str, id: &str| {
            let place = [Place::from(list), i.into(), field.into()];
            Err(source.fault(&place, format!("no nation here is called `{id}`")))
        };
        for (i, nation) in read.nations.iter().enumerate() {
            if let Some(id) = nation.allies.iter().find(|id| !known(id)) {
                return fault("nation", i, "allies", id);
            }
            if let Some(arm) = nation.arms.keys().find(|arm| !ARMS.iter().any(|(name, _)| name == arm)) {
                let place = [Place::from("nation"), i.into(), "arms".into()];
                return Err(source.fault(&place, format!("`{arm}` is no arm of service")));
            }
        }
        match read.regiments.iter().position(|regiment| !known(&regiment.nation)) {
            Some(i) => fault("regiment", i, "nation", &read.regiments[i].nation),
            None => Ok(read),
        }
    }

    /// Dresses a view. `nation` says the nation of a side where the rules know it; else it goes by what the side is called, or by
    /// the first of its regiments that is known.
    pub fn dress<'a>(&self, view: &mut View, nation: impl Fn(usize) -> Option<&'a str>) {
        let nations: Vec<Option<&Nation>> = (0..view.sides.len())
            .map(|k| {
                let side = &view.sides[k];
                nation(k).and_then(|id| self.nation(id)).or_else(|| self.of_side(side)).or_else(|| {
                    // In the order of their ids, which does not change with who falls.
                    let own = view.units.iter().filter(|unit| unit.side.index() == k);
                    let known = own.filter_map(|unit| Some((unit.id, self.longest(unit, |_| true)?)));
                    self.nation(&known.min_by_key(|(id, _)| *id)?.1.nation)
                })
            })
            .collect();
        clothe(&mut view.sides, &nations);
        for unit in &mut view.units {
            let Some(Some(nation)) = nations.get(unit.side.index()) else { continue };
            let at_home = self.longest(unit, |regiment| regiment.nation == nation.id);
            let regiment =
                at_home.or_else(|| self.longest(unit, |regiment| nation.allies.contains(&regiment.nation)));
            let nation = regiment.and_then(|regiment| self.nation(&regiment.nation)).unwrap_or(nation);
            // Generals and wagons belong to no regiment.
            if matches!(unit.arm, Arm::Command | Arm::Train) {
                continue;
            }
            let facings = regiment.and_then(|regiment| regiment.facings).or_else(|| nation.worn_by(unit.arm));
            unit.facings = facings;
            let own = regiment.and_then(|regiment| regiment.colour).or(facings);
            unit.flag = nation.flag.map(|flag| Flag { own: own.or(flag.own), ..flag });
        }
    }

    fn nation(&self, id: &str) -> Option<&Nation> {
        self.nations.iter().find(|nation| nation.id == id)
    }

    fn of_side(&self, side: &SideView) -> Option<&Nation> {
        self.nations.iter().find(|nation| nation.sides.contains(&side.name))
    }

    /// The regiment with the longest name among those whose words are in a unit's.
    fn longest(&self, unit: &UnitView, fits: impl Fn(&Regiment) -> bool) -> Option<&Regiment> {
        let named =
            self.regiments.iter().filter(|regiment| fits(regiment) && names(&unit.name, &regiment.name));
        named.max_by_key(|regiment| regiment.name.len())
    }
}

const ARMS: [(&str, Arm); 4] = [
    ("infantry", Arm::Infantry),
    ("skirmishers", Arm::Skirmishers),
    ("cavalry", Arm::Cavalry),
    ("artillery", Arm::Artillery),
];

impl Nation {
    fn worn_by(&self, arm: Arm) -> Option<Dye> {
        let own = ARMS.iter().find(|(_, known)| *known == arm).and_then(|(name, _)| self.arms.get(*name));
        own.copied().or(self.facings)
    }
}

/// Coats and flags of the sides. Where two would look alike the later wears its second coat; and where it has none, all keep what
/// the rules gave them, as far as that tells them apart.
fn clothe(sides: &mut [SideView], nations: &[Option<&Nation>]) {
    let alike = |coats: &[Livery]| (1..coats.len()).any(|k| coats[..k].contains(&coats[k]));
    let given: Vec<Livery> = sides.iter().map(|side| side.livery).collect();
    let mut coats: Vec<Livery> = Vec::new();
    for (livery, nation) in given.iter().zip(nations) {
        let first = nation.and_then(|nation| nation.livery).unwrap_or(*livery);
        let second = nation.and_then(|nation| nation.second).unwrap_or(first);
        coats.push(if coats.contains(&first) { second } else { first });
    }
    if alike(&coats) && !alike(&given) {
        coats = given;
    }
    for ((side, coat), nation) in sides.iter_mut().zip(coats).zip(nations) {
        side.livery = coat;
        side.flag = nation.and_then(|nation| nation.flag);
    }
}

/// Whether the words of a regiment's name stand in a unit's, one after another.
fn names(unit: &str, regiment: &str) -> bool {
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-');
    unit.match_indices(regiment).any(|(at, _)| {
        edge(unit[..at].chars().next_back()) && edge(unit[at + regiment.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TEXT: &str = r#"
        [[nation]]
        id = "french"
        sides = ["French"]
        allies = ["swiss"]
        livery = "white"
        second = "blue"
        facings = "red"
        arms = { cavalry = "blue" }
        flag = { field = "white", charge = "white", device = "cross" }

        [[nation]]
        id = "swiss"
        flag = { field = "red", charge = "white", device = "flames" }

        [[nation]]
        id = "imperial"
        sides = ["Imperials"]
        livery = "white"

        [[regiment]]
        name = "Royal"
        nation = "french"
        facings = "black"

        [[regiment]]
        name = "Royal Foreign"
        nation = "french"
        facings = "green"
        colour = "violet"

        [[regiment]]
        name = "Diesbach"
        nation = "swiss"
        facings = "light_blue"
    "#;

    fn dressed(sides: [&str; 2], units: &[(&str, u8, &str)]) -> View {
        let side = |(name, livery): (&str, &str)| json!({ "name": name, "livery": livery, "score": null, "tallies": [] });
        let unit = |(name, side, arm): &(&str, u8, &str)| {
            json!({
                "id": "A", "name": name, "kind": "Line", "side": side, "seat": side, "arm": arm, "on_table": true,
                "at": [1, 1], "facing": 0.0, "figures": [], "outline": [], "strength": [4, 4], "markers": [],
                "notes": [], "overlays": []
            })
        };
        let ending = json!({ "winner": null, "grade": "draw", "reason": "", "scores": [], "clause": "" });
        let mut view: View = serde_json::from_value(json!({
            "ruleset": "toy", "title": "Parade", "seat": null,
            "sides": sides.into_iter().zip(["red", "black"]).map(side).collect::<Vec<_>>(), "seats": [],
            "table": { "width": 40, "height": 40, "unit": "inch" }, "terrain": [],
            "units": units.iter().map(unit).collect::<Vec<_>>(), "tokens": [], "cards": [], "pending": { "over": ending },
            "clock": { "turn": 1, "of": null, "phase": "", "active": null }
        }))
        .unwrap_or_else(|e| panic!("{e}"));
        Wardrobe::read(&Source::new("uniforms.toml", TEXT))
            .unwrap_or_else(|e| panic!("{e}"))
            .dress(&mut view, |_| None);
        view
    }

    #[test]
    fn a_regiment_wears_its_own_and_the_rest_what_their_nation_wears() {
        let units = [
            ("1st Royal", 0, "infantry"),
            ("Royal Foreign II", 0, "infantry"),
            ("Royalists", 0, "infantry"),
            ("Horse", 0, "cavalry"),
            ("Diesbach", 0, "infantry"),
            ("Royal", 1, "infantry"),
            ("The general", 0, "command"),
        ];
        let view = dressed(["French", "Nobody"], &units);
        let facings: Vec<Option<Dye>> = view.units.iter().map(|unit| unit.facings).collect();
        let want =
            [Some(Dye::Black), Some(Dye::Green), Some(Dye::Red), Some(Dye::Blue), Some(Dye::LightBlue)];
        assert_eq!(facings[..5], want);
        assert_eq!(facings[6], None, "a general is of no regiment");
        let own = |i: usize| view.units[i].flag.and_then(|flag| flag.own);
        assert_eq!((own(0), own(1)), (Some(Dye::Black), Some(Dye::Violet)));
        assert_eq!(
            view.units[4].flag.map(|flag| flag.field),
            Some(Dye::Red),
            "the Swiss have a flag of their own"
        );
        assert_eq!(view.sides[0].flag.and_then(|flag| flag.own), None);
        assert_eq!(view.sides[0].livery, Livery::White);
        assert_eq!(
            view.sides[1].livery,
            Livery::Blue,
            "nobody says so, but its first regiment is French too"
        );
    }

    #[test]
    fn two_of_one_coat_are_told_apart() {
        let coats = |sides: [&str; 2]| dressed(sides, &[]).sides.iter().map(|s| s.livery).collect::<Vec<_>>();
        assert_eq!(coats(["French", "Tribes"]), [Livery::White, Livery::Black]);
        assert_eq!(coats(["Imperials", "French"]), [Livery::White, Livery::Blue], "its second coat");
        assert_eq!(coats(["French", "Imperials"]), [Livery::Red, Livery::Black], "as the rules have it");
    }

    #[test]
    fn faults_name_their_place() {
        let wrong = |from: &str, to: &str| {
            let read = Wardrobe::read(&Source::new("uniforms.toml", TEXT.replace(from, to)));
            read.map(|_| ()).map_err(|fault| fault.to_string()).expect_err("it is wrong")
        };
        assert!(wrong("allies = [\"swiss\"]", "allies = [\"poles\"]").contains("nation[0].allies"));
        assert!(wrong("cavalry = ", "camelry = ").contains("nation[0].arms"));
        assert!(wrong("facings = \"black\"", "facings = \"puce\"").contains("regiment[0].facings"));
    }
}
