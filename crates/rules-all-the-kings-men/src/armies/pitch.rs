//! Two armies drawn up against each other: the deployment is the one that our own officers choose under the rules.

use std::fmt::Write as _;

use tricorne_chance::{Seeded, Whim};
use tricorne_drill::{Rules, Umpired};
use tricorne_game::army::Army;
use tricorne_game::{Battle, Choices, Log, Purpose, Source};

use super::{Pick, Upgrade, books, check_army, list_of, picked};
use crate::action::Action;
use crate::battle::Questions;
use crate::field::Engagement;
use crate::rulebook::Kind;

/// A string as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A place as TOML writes it.
fn place(p: tricorne_table::Point) -> String {
    format!("[{:?}, {:?}]", p.x, p.y)
}

/// A scenario file of two armies on this ground.
pub(crate) fn pitch(armies: &[Army; 2], terrain: &str, table: Option<[f64; 2]>) -> Result<String, String> {
    for army in armies {
        if let Some(broken) = check_army(army).broken.first() {
            return Err(format!("{}: {} [{}]", army.name, broken.why, broken.clause));
        }
    }
    let (rules, _) = books().ok_or("the rulebook can't be read")?;
    let mut head = String::new();
    let mut add = |text: String| {
        head.push_str(&text);
        head.push('\n');
    };
    add("format = 2\nruleset = \"all-the-kings-men\"".into());
    add(format!("title = {}", quoted(&format!("{} against {}", armies[0].name, armies[1].name))));
    let [width, depth] = table.unwrap_or(super::ground::TABLE);
    add(format!(
        "story = \"Two armies of their own making meet in the open.\"\ntable = {{ width = {width}, height = {depth} }}\n\n[options]"
    ));
    for option in ["adv_quality", "adv_light_infantry"] {
        let played = Upgrade::ALL.into_iter().filter(|u| u.option() == option).any(|u| {
            armies.iter().any(|a| a.units.iter().any(|unit| unit.with.iter().any(|id| id == u.id())))
        });
        if played {
            add(format!("{option} = \"on\""));
        }
    }
    for (army, key) in armies.iter().zip(["red", "black"]) {
        add(format!("\n[[side]]\nid = \"{key}\"\nname = {}", quoted(&army.name)));
        if let Some(list) = list_of(&rules, &army.list)? {
            add(format!("list = {}", quoted(&list.name)));
        }
        add(format!("budget = {}", army.points.floor() as i64));
    }
    // First without places: officers draw the armies up, and the file keeps where they stand.
    let waiting = format!("{head}{}\n{terrain}\n", troops(armies, None)?);
    let drawn_up = draw_up(&waiting)?;
    let text = format!("{head}{}\n{terrain}", troops(armies, Some(&drawn_up))?);
    super::super::setup::set_up(
        &Source::new("pitched battle", text.as_str()),
        &Choices::default(),
        Purpose::Scenario,
    )
    .map_err(|fault| fault.to_string())?;
    Ok(text)
}

/// Generals and units, with their places once they have them.
fn troops(armies: &[Army; 2], drawn_up: Option<&Engagement>) -> Result<String, String> {
    let (rules, _) = books().ok_or("the rulebook can't be read")?;
    let mut out = String::new();
    for (seat, (army, key)) in armies.iter().zip(["red", "black"]).enumerate() {
        let name = if key == "red" { "Red" } else { "Black" };
        for unit in &army.units {
            if let Some(Pick::General(rating)) = picked(&rules, &unit.entry) {
                let called = if unit.name.is_empty() { name } else { &unit.name };
                let _ = write!(
                    out,
                    "\n[[seat]]\nside = \"{key}\"\nname = {}\nrating = {rating}\n",
                    quoted(called)
                );
                if let Some(general) = drawn_up.and_then(|b| b.state.generals.get(seat)) {
                    let _ = writeln!(out, "general = {}", place(general.at));
                }
            }
        }
    }
    for (army, key) in armies.iter().zip(["red", "black"]) {
        let mut number = 0;
        for unit in &army.units {
            let Some(Pick::Troops(kind)) = picked(&rules, &unit.entry) else { continue };
            number += 1;
            let letter = if key == "red" { 'R' } else { 'B' };
            let id = format!("{letter}{number}");
            let _ = write!(out, "\n[[unit]]\nid = \"{id}\"\nkind = \"{}\"\nside = \"{key}\"\n", kind.name());
            if !unit.name.is_empty() {
                let _ = writeln!(out, "name = {}", quoted(&unit.name));
            }
            for up in Upgrade::ALL.into_iter().filter(|u| unit.with.iter().any(|w| w == u.id())) {
                let line = match up {
                    Upgrade::Light => "light = true".to_owned(),
                    up => format!("quality = \"{}\"", up.id()),
                };
                let _ = writeln!(out, "{line}");
            }
            if let Some(battle) = drawn_up {
                let stands = battle.state.units.iter().find(|u| u.id == *id.as_str());
                let stands = stands.ok_or_else(|| format!("{id} found no room"))?;
                let _ = write!(
                    out,
                    "shape = \"{}\"\nat = {}\nfacing = {:?}\n",
                    stands.formation,
                    place(stands.at),
                    stands.facing
                );
                if kind == Kind::Skirmisher {
                    // As they were spread, whatever is placed round them.
                    let spots: Vec<String> =
                        stands.spots.iter().take(usize::from(stands.n)).map(|s| place(s.point())).collect();
                    if stands.spots.iter().take(usize::from(stands.n)).all(|s| !s.is_stacked()) {
                        let _ = writeln!(out, "spread = {{ custom = [{}] }}", spots.join(", "));
                    }
                }
            }
        }
    }
    Ok(out)
}

/// The armies where their officers put them.
fn draw_up(waiting: &str) -> Result<Engagement, String> {
    let source = Source::new("armies to be drawn up", waiting);
    let battle = crate::setup::set_up(&source, &Choices::default(), Purpose::Scenario)
        .map_err(|fault| fault.to_string())?;
    let (mut battle, mut chance, mut whim) = (Umpired::new(battle), Seeded::new(0), Whim::new(0, 0));
    battle.begin(&mut chance, &mut Log::off());
    loop {
        let general = match battle.question() {
            Some(Questions::Deploy(_)) => None,
            Some(Questions::PlaceGeneral(question)) => Some(question.seat),
            _ => return Ok(Engagement::clone(&battle)),
        };
        let before = Engagement::clone(&battle);
        let best = battle.proposals(1, &mut whim).into_iter().next();
        let action = best.map_or_else(|| battle.sample(&mut whim), |p| p.action);
        if action == Action::Concede {
            return Err("there is no room to draw the armies up on this ground".into());
        }
        battle.apply(&action, &mut chance, &mut Log::off()).map_err(|e| e.to_string())?;
        // The last general placed, the first turn begins; what stood before it is what is wanted, with him in his place.
        if let (Some(seat), &Action::PlaceGeneral { at }) = (general, &action)
            && !matches!(battle.question(), Some(Questions::PlaceGeneral(_)))
        {
            let mut drawn = before;
            drawn.do_place_general(seat, at, &mut Log::off());
            return Ok(drawn);
        }
    }
}
