//! Setting up: a scenario file, or the position of a rule case, into a battle. Every fault names its place.

use std::sync::Arc;

use arrayvec::ArrayVec;
use tricorne_game::{Choices, Fault, Place, Purpose, Source, UnitId};
use tricorne_table::Point;

use crate::battle::Fray;
use crate::field::{Arrival, Card, Field};
use crate::model::layout::Unfit;
use crate::options::Options;
use crate::scenario::survey::{read_land, read_strips, read_victory};
use crate::scenario::words::{File, LostWord, SideName, UnitFile, UnitWords};
use crate::state::{
    Activation, Extent, Fate, IMPERIAL, Layout, MAX_MODELS, MAX_UNITS, NATIVE, No, Places, Roster, Spot,
    State, Unit,
};
use crate::tables::forces::Pick;
use crate::tables::rulebook::{self, Rulebook};
use crate::turn::pick::Picking;

pub(crate) fn key(parts: &[&str]) -> Vec<Place> {
    parts.iter().map(|p| Place::from(*p)).collect()
}

pub(crate) fn nth(list: &str, n: usize, rest: &str) -> Vec<Place> {
    vec![list.into(), n.into(), rest.into()]
}

/// Sets a battle up from a file of either format.
pub fn set_up(source: &Source, choices: &Choices, purpose: Purpose) -> Result<Fray, Fault> {
    File::open(source, choices, purpose, |source, file| build(source, file, choices, purpose))
}

fn build(source: &Source, mut file: File, choices: &Choices, purpose: Purpose) -> Result<Fray, Fault> {
    let scenario = purpose == Purpose::Scenario;
    let rulebook = Rulebook::with(choices)?;
    let options: Options = tricorne_drill::readings(rulebook::options(), source, &file.options, choices)?;
    for (name, value) in [("width", file.table.width()), ("height", file.table.depth())] {
        if !(12.0..=240.0).contains(&value) {
            return Err(source.fault(&key(&["table", name]), format!("is {value}; use 12 to 240 inches")));
        }
    }
    let rounds = file.turns.unwrap_or(12);
    let rounds = u8::try_from(rounds)
        .ok()
        .filter(|rounds| (1..=99).contains(rounds))
        .ok_or_else(|| source.fault(&key(&["turns"]), format!("is {rounds}; use 1 to 99")))?;
    let land = read_land(source, &file, &rulebook)?;
    add_forces(source, &mut file, &rulebook)?;
    let cards = read_cards(source, &file, &rulebook, scenario)?;
    let arrivals = file.arrivals.iter().map(|a| Arrival { id: a.id.clone(), at: a.at }).collect();
    let victory = read_victory(source, &file, &land)?;
    let (homes, strips) = read_strips(source, &file, &rulebook)?;
    let present = [IMPERIAL, NATIVE].map(|side| cards.iter().any(|c| c.side == side));
    let first = file.first.unwrap_or(IMPERIAL);
    let field = Field {
        rulebook,
        options,
        title: file.title.clone(),
        width: file.table.width(),
        height: file.table.depth(),
        land,
        cards: cards.into_iter().collect(),
        arrivals,
        rounds,
        first,
        victory,
        strips,
        present,
        home: homes,
    };
    if scenario && field.program().is_some() && field.arrivals.is_empty() {
        return Err(source.fault(&key(&["arrival"]), "solo play needs arrival points; give P1 to P6"));
    }
    place_units(source, &file, field, scenario)
}

/// Field forces named by id become units to be placed.
fn add_forces(source: &Source, file: &mut File, rulebook: &Rulebook) -> Result<(), Fault> {
    for (n, side) in [IMPERIAL, NATIVE].into_iter().enumerate() {
        let Some(id) = &file.sides[n].own.force else { continue };
        let place = nth("side", n, "force");
        let Some(force) = rulebook.force(id) else {
            let all: Vec<&str> = rulebook.forces.iter().map(|f| f.id.as_str()).collect();
            let why = format!("there is no field force `{id}`; there is {}", all.join(", "));
            return Err(source.fault(&place, why));
        };
        let letter = if side == IMPERIAL { 'I' } else { 'N' };
        for (i, unit) in force.units.iter().enumerate() {
            let id: UnitId =
                format!("{letter}{}", i + 1).parse().map_err(|why: String| source.fault(&place, why))?;
            if file.units.iter().any(|u| u.id == id) {
                return Err(source.fault(
                    &place,
                    format!("has a unit `{id}`, and so has the file; call that one otherwise"),
                ));
            }
            file.units.push(UnitFile {
                id,
                side,
                seat: None,
                kind: unit.kind.clone(),
                name: unit.name.clone(),
                at: None,
                facing: None,
                arrives: None,
                own: UnitWords {
                    upgrades: unit.upgrades.clone(),
                    weapon: unit.weapon.clone(),
                    ..UnitWords::default()
                },
            });
        }
    }
    Ok(())
}

fn read_cards(source: &Source, file: &File, rulebook: &Rulebook, scenario: bool) -> Result<Vec<Card>, Fault> {
    let mut cards: Vec<Card> = Vec::new();
    // A position may be ground alone: an editor draws it before anybody stands on it.
    if file.units.is_empty() && scenario {
        return Err(source.fault(&key(&["unit"]), "there is no unit; write at least one [[unit]]"));
    }
    if file.units.len() > MAX_UNITS {
        return Err(source.fault(&key(&["unit"]), format!("a battle has at most {MAX_UNITS} units")));
    }
    for (i, unit) in file.units.iter().enumerate() {
        let fault = |part: &str, why: String| Err(source.fault(&nth("unit", i, part), why));
        let pick = Pick {
            kind: &unit.kind,
            upgrades: &unit.own.upgrades,
            weapon: unit.own.weapon.as_deref(),
            any_weapon: !scenario,
        };
        let mut card = match rulebook.card(unit.id, unit.side, &unit.name, &pick) {
            Ok(card) => card,
            Err(e) => return fault(e.key, e.problem),
        };
        card.leadership = unit.own.leadership.unwrap_or(7);
        card.character = unit.own.character.unwrap_or_default();
        if !(2..=12).contains(&card.leadership) {
            return fault("leadership", format!("is {}; use 2 to 12", card.leadership));
        }
        if scenario && let Some(models) = unit.own.models {
            if models == 0 || models > card.start {
                return fault(
                    "models",
                    format!("is {models}; a unit of {} has 1 to {}", card.kind, card.start),
                );
            }
            card.start = models;
        }
        cards.push(card);
    }
    let limit = file.own.limits.as_ref().and_then(|l| l.points).unwrap_or(rulebook.charts.forces.points);
    if scenario && file.own.limits.as_ref().is_none_or(|l| l.enforce) {
        for side in [IMPERIAL, NATIVE] {
            let force: Vec<&Card> = cards.iter().filter(|c| c.side == side).collect();
            if let Some(why) = rulebook.force_faults(&force, limit).into_iter().next() {
                let name = crate::turn::side_name(side);
                let why = format!("{name}: {why}; or set `enforce = false` under [limits]");
                return Err(source.fault(&key(&["unit"]), why));
            }
        }
    }
    Ok(cards)
}

/// A unit before it is put down.
fn fresh_unit(card: &Card, unit: &UnitFile, facing: u16, scenario: bool) -> Unit {
    let models = if scenario { card.start } else { unit.own.models.unwrap_or(card.start) };
    let fate = match unit.own.lost {
        Some(LostWord::Destroyed) => Fate::Destroyed,
        Some(LostWord::Routed) => Fate::Routed,
        Some(LostWord::OffTable) => Fate::OffTable,
        Some(LostWord::Exited) => Fate::Exited,
        None | Some(LostWord::ToCome) => Fate::ToCome,
    };
    Unit {
        side: card.side,
        fate,
        models: if fate == Fate::Destroyed { 0 } else { models },
        anchor: Spot::default(),
        facing,
        layout: if card.is_crewed() { Layout::Gun } else { Layout::Cluster },
        places: Places::new(),
        garrison: None,
        pinned: unit.own.pinned,
        gone_to_ground: unit.own.gone_to_ground,
        close_order: unit.own.close_order || unit.own.layout == Some(Layout::Block),
        leader: !unit.own.leaderless,
        commander: unit.own.commander,
        leadership: card.leadership,
        character: card.character,
        charm_spent: unit.own.charm_spent,
        activated: unit.own.activated,
        returned: unit.own.returned,
        return_due: fate.is_lost(),
        times_lost: u8::from(fate.is_lost()),
        silent: u8::from(unit.own.jammed),
        carried: unit.own.carried,
        exit_models: if fate == Fate::Exited { models } else { 0 },
        exit_by: 0,
        bounds: Extent::default(),
    }
}

fn place_units(source: &Source, file: &File, field: Field, scenario: bool) -> Result<Fray, Fault> {
    let active = file.own.active.map_or(field.first, SideName::side);
    let turn = file.own.turn.map_or(u8::from(active != field.first), |t| t.saturating_sub(1).min(1));
    let first = if turn == 0 { active } else { active.enemy() };
    let score = file.own.score.unwrap_or_default();
    let state = State {
        round: if scenario { 0 } else { file.own.round.unwrap_or(1).max(1) },
        turn: if scenario { 0 } else { turn },
        active: if scenario { field.first } else { active },
        first: if scenario { field.first } else { first },
        asked: (!scenario).then_some(Picking.into()),
        act: Activation::default(),
        units: Roster::default(),
        ending_turn: false,
        pool: ArrayVec::new(),
        gained: [score.imperial, score.native],
        finish: None,
    };
    let mind = Arc::clone(&field.rulebook.mind);
    let mut battle = Fray { field: Arc::new(field), state, mind };
    if scenario {
        let only = [
            (file.own.active.is_some(), "active"),
            (file.own.round.is_some(), "round"),
            (file.own.turn.is_some(), "turn"),
            (file.own.score.is_some(), "score"),
            (!file.own.pool.is_empty(), "pool"),
        ];
        if let Some((_, name)) = only.iter().find(|o| o.0) {
            return Err(
                source.fault(&key(&[name]), "belongs to the position of a rule case, not to a scenario")
            );
        }
    }
    for (i, unit) in file.units.iter().enumerate() {
        let fault = |part: &str, why: String| Err(source.fault(&nth("unit", i, part), why));
        let card = &battle.field.cards[No::of(i)];
        let facing = match unit.facing {
            Some(f) if !(0.0..360.0).contains(&f) || f.fract() != 0.0 => {
                return fault("facing", format!("is {f}; use whole degrees from 0 to 359"));
            }
            Some(f) => f as u16,
            None => match (&battle.field.strips, unit.at) {
                (Some(strips), None) => strips.edges[card.side.index()].opposite().bearing() as u16 % 360,
                _ => 0,
            },
        };
        let fresh = fresh_unit(card, unit, facing, scenario);
        let most = if card.mounted { crate::state::MAX_MOUNTED } else { MAX_MODELS };
        let most = if card.is_crewed() { 4 } else { most };
        if fresh.fate != Fate::Destroyed && (fresh.models == 0 || usize::from(fresh.models) > most) {
            return fault("models", format!("is {}; use 1 to {most}", fresh.models));
        }
        if !scenario && fresh.models > card.start {
            // A rule case may have more than the profile; the start is then what it says.
            let start = fresh.models;
            if let Some(field) = Arc::get_mut(&mut battle.field) {
                field.cards[No::of(i)].start = start;
            }
        }
        battle.state.units.push(fresh);
        check_states(source, i, unit, &battle, scenario)?;
    }
    for (i, unit) in file.units.iter().enumerate() {
        stand(source, i, unit, &mut battle, scenario)?;
    }
    for (i, id) in file.own.pool.iter().enumerate() {
        let found = id.parse().ok().and_then(|id| battle.find(id));
        match found {
            Some(u) => {
                battle.remove(u, Fate::ToCome);
                battle.state.pool.push(u);
            }
            None => {
                let place = [key(&["pool"]), vec![i.into()]].concat();
                return Err(source.fault(&place, format!("there is no unit `{id}`")));
            }
        }
    }
    Ok(battle)
}

/// States that no scenario may start with, and that no unit can be in.
fn check_states(
    source: &Source,
    i: usize,
    unit: &UnitFile,
    battle: &Fray,
    scenario: bool,
) -> Result<(), Fault> {
    let card = &battle.field.cards[No::of(i)];
    let fresh = &battle.state.units[No::of(i)];
    let fault = |part: &str, why: &str| Err(source.fault(&nth("unit", i, part), why));
    if scenario {
        if fresh.close_order {
            return fault("layout", "no unit begins in Close Order [WBK-CLOSE-11]");
        }
        if unit.own.gone_to_ground {
            return fault("gone_to_ground", "no unit begins gone to ground [WBK-GTG-11]");
        }
        if unit.own.pinned > 0 {
            return fault("pinned", "no unit begins Pinned [WBK-SCEN-03]");
        }
        let later = [
            (unit.own.leaderless, "leaderless"),
            (unit.own.activated, "activated"),
            (unit.own.lost.is_some(), "lost"),
            (unit.own.returned, "returned"),
            (unit.own.jammed, "jammed"),
            (unit.own.charm_spent, "charm_spent"),
            (unit.own.carried > 0, "carried"),
            (!unit.own.places.is_empty(), "places"),
            (unit.own.commander, "commander"),
        ];
        if let Some((_, name)) = later.iter().find(|l| l.0) {
            return fault(name, "belongs to the position of a rule case, not to a scenario");
        }
    }
    if fresh.close_order && !card.closes {
        return fault("close_order", "only Regular Infantry forms Close Order [WBK-CLOSE-01]");
    }
    let least = battle.field.rulebook.charts.close_order.minimum;
    if fresh.close_order && fresh.models < least {
        return fault("close_order", &format!("Close Order needs at least {least} models [WBK-CLOSE-02]"));
    }
    if fresh.pinned > 0 && (fresh.close_order || fresh.gone_to_ground) {
        return fault("pinned", "a Pinned unit is neither in Close Order nor gone to ground [WBK-PIN-19]");
    }
    Ok(())
}

/// Puts a unit where its file says.
fn stand(source: &Source, i: usize, unit: &UnitFile, battle: &mut Fray, scenario: bool) -> Result<(), Fault> {
    let u = No::of(i);
    let fault = |part: &str, why: String| Err(source.fault(&nth("unit", i, part), why));
    if unit.own.lost.is_some() {
        return Ok(());
    }
    let free = battle.field.strips.is_some();
    if let Some(id) = &unit.own.garrison {
        let Some(building) = battle.field.land.building(id) else {
            return fault("garrison", format!("there is no building `{id}`"));
        };
        battle.state.units[u].fate = Fate::OnTable;
        if let Err(e) = battle.may_hold(u, building) {
            return fault("garrison", e.to_string());
        }
        battle.garrison(u, building);
        return Ok(());
    }
    let at = match (unit.at, unit.own.places.first()) {
        (Some(at), _) => at,
        (None, Some(&at)) => at.into(),
        (None, None) if free || (!scenario && battle.field.program().is_some()) => return Ok(()),
        (None, None) => return fault("at", "is missing; give the anchor's place, or a garrison".into()),
    };
    let on_table =
        |at: Point| (0.0..=battle.field.width).contains(&at.x) && (0.0..=battle.field.height).contains(&at.y);
    if !on_table(at) {
        return fault("at", format!("({}, {}) is not on the table", at.x, at.y));
    }
    let anchor = Spot::of(at);
    let fresh = &battle.state.units[u];
    let crewed = battle.field.cards[u].is_crewed();
    let usual = if crewed {
        Layout::Gun
    } else if fresh.close_order {
        Layout::Block
    } else {
        Layout::Cluster
    };
    let layout = unit.own.layout.unwrap_or(usual);
    let fits = match layout {
        Layout::Gun => crewed,
        Layout::Block => fresh.close_order,
        Layout::Cluster | Layout::Line => !crewed && !fresh.close_order,
        Layout::Garrison => false,
    };
    if !fits {
        return fault(
            "layout",
            format!("`{}` does not fit this unit; use `{}`", layout.name(), usual.name()),
        );
    }
    let (facing, n) = (fresh.facing, usize::from(fresh.models));
    battle.state.units[u].layout = layout;
    let places = if unit.own.places.is_empty() {
        // In the middle of a battle units may be in contact; at its start they may not.
        match battle.lay_out(u, anchor, layout, facing, n, !scenario) {
            Ok(places) => places,
            Err(unfit) => return fault("at", stand_problem(battle, u, unfit)),
        }
    } else {
        if unit.own.places.len() != n {
            return fault("places", format!("has {} places for {n} models", unit.own.places.len()));
        }
        if !unit.own.places.iter().all(|&p| on_table(p.into())) {
            return fault("places", "holds a place that is not on the table".into());
        }
        unit.own.places.iter().map(|&p| Spot::of(p.into())).collect()
    };
    battle.state.units[u].fate = Fate::OnTable;
    battle.put(u, anchor, facing, layout, places);
    Ok(())
}

fn stand_problem(battle: &Fray, u: No, unfit: Unfit) -> String {
    let other = |v: No| battle.field.cards[v].called();
    match unfit {
        Unfit::OffTable => "a base would stand over the table's edge; move it in".into(),
        Unfit::Impassable => "it would stand in impassable ground or a building; move it out".into(),
        Unfit::Obstacle => "it would stand across an obstacle; move it to one side".into(),
        Unfit::Friend(v) | Unfit::Enemy(v) => {
            format!("{} would stand on or touch {}; move it away", other(u), other(v))
        }
        Unfit::CutOff | Unfit::NoRoom => "there is no room there for all its models".into(),
    }
}
