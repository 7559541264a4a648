//! A seat has the same thoughts whichever army the other side bought, and wherever that side has got with placing it.

use std::collections::BTreeSet;

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle as _, Choices, Log, Purpose, Seat, Side, Source, System, UnitId};

use crate::model::state::Presence;
use crate::points::Army;
use crate::questions::Questions;
use crate::sequence::turn::Task;
use crate::{Action, Battle, SevenYearsWar};

/// The same battle twice, but for a secret of one side.
struct Pair {
    battles: [Battle; 2],
    dice: [Seeded; 2],
    owner: Seat,
}

impl Pair {
    fn begun(text: &str, seed: u64, owner: Seat) -> Self {
        let set_up = || {
            SevenYearsWar
                .set_up(&Source::new("field.toml", text), &Choices::default(), Purpose::Scenario)
                .unwrap_or_else(|fault| panic!("{fault}"))
        };
        let mut pair =
            Self { battles: [set_up(), set_up()], dice: [Seeded::new(seed), Seeded::new(seed)], owner };
        for (battle, dice) in pair.battles.iter_mut().zip(&mut pair.dice) {
            battle.begin(dice, &mut Log::off());
        }
        pair
    }

    fn other(&self) -> Seat {
        Seat(1 - self.owner.0)
    }

    fn apply(&mut self, actions: [&Action; 2]) {
        for ((battle, dice), action) in self.battles.iter_mut().zip(&mut self.dice).zip(actions) {
            battle.apply(action, dice, &mut Log::off()).unwrap_or_else(|e| panic!("{action:?}: {e}"));
        }
    }

    /// What the other seat imagines is the same in both, fits what it sees, and is an army it may have to do with.
    fn same_thoughts(&self, n: u64) {
        for k in 0..3 {
            let [one, two] = self.battles.each_ref().map(|b| b.imagined(self.other(), &mut Whim::new(n, k)));
            assert_eq!(one.hash(), two.hash(), "step {n}: {:?}", self.battles[0].pending());
            for (battle, imagined) in self.battles.iter().zip([&one, &two]) {
                assert_eq!(battle.view(Some(self.other())), imagined.view(Some(self.other())), "step {n}");
                assert_eq!(imagined.broken_invariants(), Vec::<String>::new());
                // To its owner it is what it is.
                assert_eq!(
                    battle.imagined(self.owner, &mut Whim::new(n, k)).s.armies[self.owner.index()].bought,
                    battle.s.armies[self.owner.index()].bought
                );
            }
            if let Some(army) = &one.s.armies[self.owner.index()].bought {
                assert_eq!(one.judge_army(Side(self.owner.0), army), Ok(()), "step {n}: {army:?}");
            }
        }
    }

    /// An answer of the seat that is asked which is legal in both and shows nothing that differs.
    fn in_common(&self, n: u64, alike: &[UnitId]) -> Option<Action> {
        let asked = self.battles[0].seat()?;
        let mut whim = Whim::new(n, 9);
        if asked == self.owner && matches!(self.battles[0].asking(), Some(Questions::Deploy(_))) {
            let shown = |action: &Action| match action {
                Action::Deploy { unit, .. } => alike.contains(unit),
                Action::DeployGeneral { .. } => true,
                _ => false,
            };
            let mut found = self.battles[0].proposals(24, &mut whim).into_iter().map(|p| p.action);
            return found.find(|a| shown(a) && self.battles[1].check(a).is_ok());
        }
        if asked == self.owner {
            return self.battles[0].legal().listed.into_iter().find(|a| self.battles[1].check(a).is_ok());
        }
        let imagined = self.battles[0].imagined(asked, &mut whim);
        let mut found = imagined.proposals(24, &mut whim).into_iter().map(|p| p.action);
        found.find(|a| self.battles.iter().all(|b| b.check(a).is_ok()))
    }
}

fn encounter() -> &'static str {
    SevenYearsWar.scenarios().iter().find(|s| s.id == "a-chance-encounter").map_or("", |s| s.text)
}

/// The usual army, and one that has the same three units first and the same light horse (which tells in the initiative,
/// SYW-DEPLOY-03), the others in another order and one of them not at all.
fn armies(battle: &Battle, side: Side) -> [Army; 2] {
    let usual = battle.usual_army(side);
    let mut other = usual.clone();
    other.units[3..].reverse();
    let light = |code: &str| battle.fixed.book.entry(code).is_some_and(|e| e.kind.is_light_cavalry());
    let n = other.units.iter().rposition(|u| !light(&u.code)).expect("not all are light horse");
    other.units.remove(n);
    [usual, other]
}

fn is_buying(pair: &Pair) -> bool {
    pair.battles[0].seat() == Some(pair.owner)
        && matches!(pair.battles[0].asking(), Some(Questions::Enlist(_)))
}

#[test]
fn nobody_can_tell_which_army_was_bought() {
    let (mut placed, mut faced) = (0, 0);
    for seed in 0..6 {
        let mut pair = Pair::begun(encounter(), seed, Seat((seed % 2) as u8));
        let owner = Side(pair.owner.0);
        let bought = armies(&pair.battles[0], owner);
        let ids = |army: usize, battle: &Battle| {
            let units = battle.s.units.iter().filter(|u| u.side == owner).zip(&bought[army].units);
            units.take(3).map(|(unit, _)| unit.id).collect::<Vec<_>>()
        };
        for n in 0..70 {
            pair.same_thoughts(n);
            if is_buying(&pair) {
                let [one, two] = bought.clone().map(|army| Action::Enlist(Box::new(army)));
                pair.apply([&one, &two]);
                continue;
            }
            let Some(action) = pair.in_common(n, &ids(0, &pair.battles[0])) else { break };
            if matches!(action, Action::Deploy { .. } | Action::DeployGeneral { .. }) {
                *(if pair.battles[0].seat() == Some(pair.owner) { &mut placed } else { &mut faced }) += 1;
            }
            pair.apply([&action, &action]);
        }
    }
    assert!(placed > 12 && faced > 20, "{placed} placed by who bought, {faced} by who did not know");
}

#[test]
fn nor_how_many_generals_it_has_before_they_are_told() {
    for owner in [Seat(0), Seat(1)] {
        let mut pair = Pair::begun(encounter(), 3, owner);
        let side = Side(owner.0);
        let usual = pair.battles[0].usual_army(side);
        let market = &pair.battles[0].fixed.book.market;
        let two = market.muster_at_random(&usual.nation, pair.battles[0].purse(), &mut Seeded::new(4));
        let armies = [usual, two.expect("there is such a list")];
        assert_ne!(armies[0].sub_generals, armies[1].sub_generals);
        let told = |pair: &Pair| !pair.battles[0].s.tasks.contains(&Task::SubCounters { side });
        let mut hands = 0;
        for n in 0..10 {
            if told(&pair) {
                break;
            }
            pair.same_thoughts(n);
            hands += u32::from(matches!(pair.battles[0].asking(), Some(Questions::KeepCounter(_))));
            if is_buying(&pair) {
                let [one, two] = armies.clone().map(|army| Action::Enlist(Box::new(army)));
                pair.apply([&one, &two]);
            } else {
                let action = pair.battles[0].legal().listed[0].clone();
                pair.apply([&action, &action]);
            }
        }
        assert_eq!(hands, 2, "both C-in-Cs choose before it is told");
    }
}

/// Kettle Brook with troops to be placed by their owners, and two woods where the Austrians deploy.
fn kettle_brook() -> String {
    let text = include_str!("../../../tests/format-1/kettle-brook.toml");
    let woods = "[deployment]\nfree = true\n\n\
        [[terrain]]\nid = \"N1\"\nkind = \"wood\"\nlevel = 2\npoints = [[50, 90], [84, 90], [84, 116], [50, 116]]\n\n\
        [[terrain]]\nid = \"N2\"\nkind = \"wood\"\nlevel = 2\npoints = [[96, 90], [130, 90], [130, 116], [96, 116]]\n\n";
    let placed = |line: &&str| line.starts_with("at = ") || line.starts_with("facing = ");
    let text: Vec<&str> = text.lines().filter(|line| !placed(line)).collect();
    text.join("\n").replacen("[[objectives]]", &format!("{woods}[[objectives]]"), 1)
}

/// Both battles where the Austrians, in the north, are asked to deploy.
fn austrians_deploy(seed: u64) -> Pair {
    let mut pair = Pair::begun(&kettle_brook(), seed, Seat(1));
    while !(pair.battles[0].seat() == Some(Seat(1))
        && matches!(pair.battles[0].asking(), Some(Questions::Deploy(_))))
    {
        let asked = pair.battles[0].seat().expect("it has not ended");
        let side = if asked == Seat(0) { "\"south\"" } else { "\"north\"" };
        let side: Action = serde_json::from_str(&format!("{{\"side\":{side}}}")).expect("an answer");
        let listed = pair.battles[0].legal().listed;
        let action = if listed.contains(&side) { side } else { listed[0].clone() };
        pair.apply([&action, &action]);
    }
    pair
}

/// A unit that may be marked in this wood.
fn mark(battle: &Battle, wood: &str, at: [f64; 2]) -> Option<(UnitId, Action)> {
    let units = battle.s.units.iter().filter(|u| u.side == Side(1) && u.presence == Presence::Waiting);
    let hide = |id: UnitId| Action::Hide {
        unit: id,
        terrain: wood.into(),
        at,
        facing: 180.0,
        formation: crate::model::state::Formation::Line,
    };
    units.map(|u| (u.id, hide(u.id))).find(|(_, action)| battle.check(action).is_ok())
}

#[test]
fn nobody_can_tell_who_is_marked_from_who_is_still_to_be_placed() {
    let mut pairs = 0;
    for seed in 0..6 {
        let mut pair = austrians_deploy(seed);
        let Some((id, hide)) = mark(&pair.battles[0], "N1", [66.0, 100.0]) else { continue };
        pairs += 1;
        let dice = &mut Seeded::new(1);
        pair.battles[0].apply(&hide, dice, &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
        pair.same_thoughts(seed);
        let role = |n: u64| {
            let imagined = pair.battles[n as usize % 2].imagined(Seat(0), &mut Whim::new(7, n));
            imagined.find_unit(id).map(|u| format!("{:?}", imagined.unit(u).presence))
        };
        let roles: BTreeSet<_> = (0..40).filter_map(role).collect();
        assert_eq!(roles.len(), 2, "sometimes it hides, sometimes it waits: {roles:?}");
    }
    assert!(pairs > 2, "{pairs} battles had a wood to hide in");
}
