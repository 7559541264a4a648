//! Two armies drawn up against each other: the deployment is the one that our own officers choose under the rules.

use tricorne_chance::{Seeded, Whim};
use tricorne_drill::armies::fielded;
use tricorne_drill::scenario::Scribe;
use tricorne_drill::words::capital;
use tricorne_drill::{Rules, Umpired};
use tricorne_game::army::Army;
use tricorne_game::{Battle, Choices, Log, Purpose, Source};

use super::{Pick, Upgrade, check_army, list_of, picked};
use crate::battle::Questions;
use crate::field::Engagement;
use crate::rulebook::{Kind, Rulebook};
use crate::setup::set_up;
use crate::state::Unit;

/// The sides, as files name them.
const ARMIES: [&str; 2] = ["red", "black"];

/// A scenario file of two armies on this ground.
pub(crate) fn pitch(armies: &[Army; 2], terrain: &str, table: Option<[f64; 2]>) -> Result<String, String> {
    for army in armies {
        fielded(army, &check_army(army))?;
    }
    let rules = Rulebook::own();
    let mut head = Scribe::pitched("all-the-kings-men", armies);
    head.text("story", "Two armies of their own making meet in the open.");
    head.table(table.unwrap_or(super::ground::TABLE));
    for option in ["adv_quality", "adv_light_infantry"] {
        let has = |up: &Upgrade| {
            let mut units = armies.iter().flat_map(|army| &army.units);
            up.option() == option && units.any(|unit| unit.with.iter().any(|id| id == up.id()))
        };
        if Upgrade::ALL.iter().any(has) {
            head.text(&format!("options.{option}"), "on");
        }
    }
    for (army, key) in armies.iter().zip(ARMIES) {
        head.entry("side").text("id", key).text("name", &army.name);
        head.some("list", list_of(&rules, &army.list).map(|list| list.name.as_str()));
        head.value("budget", army.points.floor());
    }
    // First without places: officers draw the armies up, and the file keeps where they stand.
    let mut waiting = head.clone();
    troops(&mut waiting, &rules, armies, None)?;
    waiting.with(terrain);
    let drawn_up = draw_up(&waiting.written())?;
    troops(&mut head, &rules, armies, Some(&drawn_up))?;
    head.with(terrain);
    let text = head.written();
    let source = Source::new("pitched battle", text.as_str());
    set_up(&source, &Choices::default(), Purpose::Scenario).map_err(|fault| fault.to_string())?;
    Ok(text)
}

/// Generals and units, with their places once they have them.
fn troops(
    file: &mut Scribe,
    rules: &Rulebook,
    armies: &[Army; 2],
    drawn_up: Option<&Engagement>,
) -> Result<(), String> {
    for (seat, (army, key)) in armies.iter().zip(ARMIES).enumerate() {
        for unit in &army.units {
            let Some(Pick::General(rating)) = picked(rules, &unit.entry) else { continue };
            let name = if unit.name.is_empty() { capital(key) } else { unit.name.clone() };
            file.entry("seat").text("side", key).text("name", &name).value("rating", rating);
            if let Some(general) = drawn_up.and_then(|b| b.state.generals.get(seat)) {
                file.place("general", general.at);
            }
        }
    }
    for (army, key) in armies.iter().zip(ARMIES) {
        let letter = if key == "red" { 'R' } else { 'B' };
        let kinds = army.units.iter().filter_map(|unit| match picked(rules, &unit.entry) {
            Some(Pick::Troops(kind)) => Some((unit, kind)),
            _ => None,
        });
        for (n, (unit, kind)) in kinds.enumerate() {
            let id = format!("{letter}{}", n + 1);
            file.entry("unit").text("id", &id).text("kind", kind.name()).text("side", key);
            file.some("name", Some(&unit.name));
            for up in Upgrade::ALL.into_iter().filter(|u| unit.with.iter().any(|w| w == u.id())) {
                match up {
                    Upgrade::Light => file.value("light", true),
                    up => file.text("quality", up.id()),
                };
            }
            let Some(battle) = drawn_up else { continue };
            let stands = battle.state.units.iter().find(|u| u.id == *id.as_str());
            let stands = stands.ok_or_else(|| format!("{id} found no room"))?;
            file.text("shape", &stands.formation.to_string()).place("at", stands.at);
            file.value("facing", stands.facing);
            let spots = stands.spots.iter().take(usize::from(stands.n));
            if kind == Kind::Skirmisher && spots.clone().all(|s| !s.is_stacked()) {
                // As they were spread, whatever is placed round them.
                file.places("spread.custom", &spots.map(|s| s.point()).collect::<Vec<_>>());
            }
        }
    }
    Ok(())
}

/// The armies where their officers put them.
fn draw_up(waiting: &str) -> Result<Engagement, String> {
    let source = Source::new("armies to be drawn up", waiting);
    let battle =
        set_up(&source, &Choices::default(), Purpose::Scenario).map_err(|fault| fault.to_string())?;
    let (mut battle, mut chance, mut whim) = (Umpired::new(battle), Seeded::new(0), Whim::new(0, 0));
    battle.begin(&mut chance, &mut Log::off());
    while let Some(Questions::Deploy(_) | Questions::PlaceGeneral(_)) = battle.question() {
        let best = battle.proposals(1, &mut whim).into_iter().next();
        let action = best.map_or_else(|| battle.sample(&mut whim), |p| p.action);
        battle.answer(&action, &mut chance, &mut Log::off()).map_err(|e| e.to_string())?;
        // With the last general in his place the first turn would begin; what stands before it is what is wanted.
        if battle.is_drawn_up() {
            break;
        }
        while battle.step(&mut chance, &mut Log::off()) {}
    }
    let battle = battle.into_rules();
    if battle.state.units.iter().all(Unit::present) {
        Ok(battle)
    } else {
        Err("there is no room to draw the armies up on this ground".into())
    }
}
