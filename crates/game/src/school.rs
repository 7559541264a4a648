//! Which judgement a battle's programs go by, and the weights it is made of.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::frailty::{Frailties, Frailty, Lapse};
use crate::near::did_you_mean;
use crate::source::{Fault, Place, Source};

/// A school of judgement: what [`crate::Battle::standing`] and [`crate::Battle::proposals`] go by.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum School {
    /// The best there is, by the weights of the rulebook.
    #[default]
    Present,
    /// The first judgement of each system as it was in November 2026, frozen: the rung that progress is measured from.
    First,
    /// As [`School::Present`], by weights of one's own: what is tried before it goes into the rulebook.
    Own(Arc<Judgement>),
}

/// Weights by name, as a rulebook's `judgement.toml` holds them. What is weighed stands in code under the same names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// What each feature of a position is worth, in log-odds of winning the battle.
    #[serde(default)]
    pub worth: BTreeMap<String, f64>,
    /// How much an officer makes of each thing that he weighs in an answer.
    #[serde(default)]
    pub weighs: BTreeMap<String, f64>,
    /// What a bold officer makes of some of them: factors on `weighs`, by the same names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bold: BTreeMap<String, f64>,
    /// What a cautious one makes of them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cautious: BTreeMap<String, f64>,
    /// How weak the ranks below a subaltern are; see [`Frailty`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub frailty: Frailties,
    /// The temper of whoever goes by these weights. In no file: it belongs to a player.
    #[serde(skip)]
    pub temper: Temper,
    /// What slips whoever goes by these weights. In no file either.
    #[serde(skip)]
    pub lapse: Lapse,
}

/// How an officer takes risks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Temper {
    /// By the weights as they are.
    #[default]
    Even,
    /// Looks for the blow more than for cover.
    Bold,
    /// Looks for cover more than for the blow.
    Cautious,
}

impl Judgement {
    /// Reads a file of weights where it is not known yet which names are weighed.
    pub fn alone(file: &Source) -> Result<Self, Fault> {
        let own: Judgement = file.parse()?;
        Frailty::check(&own.frailty).map_err(|(place, why)| file.fault(&place, why))?;
        Ok(own)
    }

    /// Reads a file of weights. What it leaves out is as in `standard`; a name that is not there is refused.
    pub fn read(file: &Source, standard: &Judgement) -> Result<Self, Fault> {
        let own = Judgement::alone(file)?;
        let mut all = standard.clone();
        Frailty::over(&mut all.frailty, &own.frailty);
        // A factor may be named wherever there is a weight; one that is not named is 1.
        for factors in [&mut all.bold, &mut all.cautious] {
            for name in standard.weighs.keys() {
                factors.entry(name.clone()).or_insert(1.0);
            }
        }
        let tables = [
            ("worth", own.worth, &mut all.worth),
            ("weighs", own.weighs, &mut all.weighs),
            ("bold", own.bold, &mut all.bold),
            ("cautious", own.cautious, &mut all.cautious),
        ];
        for (table, own, all) in tables {
            for (name, value) in own {
                let fault = |why| Err(file.fault(&[Place::from(table), Place::from(name.as_str())], why));
                if !value.is_finite() {
                    return fault("a weight is a finite number".to_owned());
                }
                match all.get_mut(&name) {
                    Some(known) => *known = value,
                    None => {
                        let names = || all.keys().map(String::as_str);
                        let all = format!("there is {}", names().collect::<Vec<_>>().join(", "));
                        let near = did_you_mean(&name, names(), all);
                        return fault(format!("nothing called `{name}` is weighed here; {near}"));
                    }
                }
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_ones_own_go_over_the_rulebooks() {
        let standard: Judgement =
            Source::new("judgement.toml", "[worth]\nlead = 1.0\nmen = 0.5\n[weighs]\npress = 2")
                .parse()
                .unwrap();
        let read = |text: &str| Judgement::read(&Source::new("mine.toml", text), &standard);
        let own = read("[worth]\nmen = 0.75").unwrap();
        assert_eq!((own.worth["lead"], own.worth["men"], own.weighs["press"]), (1.0, 0.75, 2.0));
        let wrong = read("[weighs]\nprress = 1.0").unwrap_err().to_string();
        assert!(wrong.contains("did you mean `press`?") && wrong.contains("weighs.prress"), "{wrong}");
        let tempers = read("[bold]\npress = 1.5").unwrap();
        assert_eq!(
            (tempers.bold["press"], tempers.cautious["press"], tempers.weighs["press"]),
            (1.5, 1.0, 2.0)
        );
        assert!(read("[bold]\nlead = 1.5").unwrap_err().to_string().contains("bold.lead"));
        let weak = read("[frailty.recruit]\nforgets = 0.5").unwrap();
        assert_eq!(Frailty::of("recruit", &weak.frailty).forgets, 0.5);
        assert!(read("[weighs]\npress = nan").unwrap_err().to_string().contains("finite"));
    }

    #[test]
    fn a_wrong_weakness_is_refused_with_its_place() {
        let why = |text: &str| {
            let file = Source::new("mine.toml", text);
            let alone = Judgement::alone(&file).unwrap_err().to_string();
            assert_eq!(Judgement::read(&file, &Judgement::default()).unwrap_err().to_string(), alone);
            alone
        };
        let rank = why("[frailty.recrut]\nforgets = 0.5");
        assert!(rank.contains("did you mean `recruit`?") && rank.contains("frailty.recrut"), "{rank}");
        let none = why("[frailty.captain]\nforgets = 0.5");
        assert!(none.contains("recruit, corporal, sergeant"), "{none}");
        let name = why("[frailty.recruit]\nforget = 0.5");
        assert!(name.contains("did you mean `forgets`?") && name.contains("mine.toml:2"), "{name}");
        for wrong in ["forgets = 1.5", "forgets = -0.1", "second_best = nan", "misjudges = inf"] {
            let why = why(&format!("[worth]\n[frailty.corporal]\n{wrong}"));
            assert!(why.contains("is not from 0 to") && why.contains("mine.toml:3"), "{wrong}: {why}");
        }
        assert!(why("frailty = 3").contains("mine.toml:1"));
    }
}
