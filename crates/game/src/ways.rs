//! The ways units went in an action, so that a page can show them go. The engine says them: they are the lines of the
//! action's own preview. Which line is whose is seen from where units stood before it and stand after.

use serde::Serialize;
use serde_json::Value;
use tricorne_chance::{Draw, Drawn};
use tricorne_table::Point;

use crate::JsonSchema;
use crate::view::{OverlayShape, UnitView, View};
use crate::{AnyBattle, DiceRead, Event, Seat, Umpire, UnitId};

/// The way a unit went.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Way {
    /// The unit.
    pub unit: UnitId,
    /// From where it stood, point by point. A die may have halted it short of the last, or driven it beyond.
    pub points: Vec<Point>,
}

/// Dice that one unit threw at another of the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shot {
    /// Who.
    pub who: UnitId,
    /// At whom.
    pub whom: UnitId,
    /// How many dice.
    pub dice: usize,
    /// How many told.
    pub hits: usize,
}

/// Whatever in these events is seen as fire or as blows, in order. Who bears it throws dice as well, but fires nothing: an answer of
/// another kind to what has just been fired.
pub fn shots<'a>(events: impl IntoIterator<Item = &'a Event>) -> Vec<Shot> {
    let mut last: Option<&Event> = None;
    let shot = |event: &'a Event| {
        let (who, whom) = (event.who?, event.whom?);
        let hits = match event.needed {
            Some(needed) => event.faces.iter().filter(|face| i32::from(**face) >= needed).count(),
            None => usize::try_from(event.made.unwrap_or(0)).unwrap_or(0),
        };
        if event.faces.is_empty() {
            return None;
        }
        let before = last.replace(event);
        let bears =
            before.is_some_and(|b| b.who == event.whom && b.whom == event.who && b.what != event.what);
        (!bears).then_some(Shot { who, whom, dice: event.faces.len(), hits })
    };
    events.into_iter().filter_map(shot).collect()
}

/// Dice that a unit threw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Throw {
    /// Who.
    pub who: UnitId,
    /// The faces, in order.
    pub faces: Vec<u8>,
    /// What each die needed; none where they are added up, or say something by themselves.
    pub needed: Option<i32>,
}

/// What each unit threw last in these events, in order.
pub fn throws<'a>(events: impl IntoIterator<Item = &'a Event>) -> Vec<Throw> {
    let mut throws: Vec<Throw> = Vec::new();
    for event in events {
        let Some(who) = event.who.filter(|_| !event.faces.is_empty()) else { continue };
        let needed = event.needed.filter(|_| event.dice() == Some(DiceRead::Hits));
        throws.retain(|known| known.who != who);
        throws.push(Throw { who, faces: event.faces.clone(), needed });
    }
    throws
}

/// The cards among draws that can be read. A counter with nothing but a code on it (`10:Ac0`) cannot: what it means is told.
pub fn cards<'a>(draws: impl IntoIterator<Item = &'a Draw>) -> Vec<String> {
    let coded = |card: &str| card.split_once(':').is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    let card = |draw: &Draw| match &draw.came {
        Drawn::Card(card) if !draw.hidden() && !coded(card) => Some(card.clone()),
        _ => None,
    };
    draws.into_iter().filter_map(card).collect()
}

/// A moment of a battle to be shown: the table, what is said of it, and what led to it from the one before.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The table.
    pub view: View,
    /// What is said of it.
    pub caption: String,
    /// The ways units went since the scene before.
    pub ways: Vec<Way>,
    /// Who fired at whom since then, or fought him.
    pub shots: Vec<Shot>,
    /// What was thrown since then.
    pub throws: Vec<Throw>,
    /// Cards that were turned since then, by what is on them.
    pub cards: Vec<String>,
}

/// Goes on along these ways and then along others, each unit from where it was.
pub fn go_on(ways: &mut Vec<Way>, more: &[Way]) {
    for way in more {
        match ways.iter_mut().find(|known| known.unit == way.unit) {
            Some(known) => known.points.extend(&way.points),
            None => ways.push(way.clone()),
        }
    }
}

/// The lines that an action's preview draws for whoever takes it: every way he knows of that anybody goes in it. The battle as
/// it is would tell more: of somebody in hiding whom the way goes round.
pub fn lines(before: &dyn AnyBattle, seat: Seat, action: &Value) -> Vec<Vec<Point>> {
    let Ok(preview) = before.as_seen(seat).preview(action) else { return Vec::new() };
    let lines = preview.overlays.into_iter().filter(|o| o.kind == "path").filter_map(|o| match o.shape {
        OverlayShape::Path(points) if points.len() > 1 => Some(points),
        _ => None,
    });
    lines.collect()
}

/// The lines of the last action, where it is the only one after the first `since`.
pub fn last_lines(umpire: &Umpire, since: Option<usize>) -> Vec<Vec<Point>> {
    let n = umpire.turned().len();
    match (since, umpire.turned().last()) {
        (Some(since), Some(last)) if since + 1 == n => umpire
            .battle_after(since)
            .map_or_else(Vec::new, |before| lines(&*before, last.seat, &last.action)),
        _ => Vec::new(),
    }
}

/// Each line with the unit that went along it, as far as whoever has these two views saw it stand at both ends.
pub fn ways(lines: &[Vec<Point>], before: &View, after: &View) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    for line in lines {
        let Some(start) = line.first() else { continue };
        let stood = |now: &&UnitView| {
            let then = before.units.iter().find(|u| u.id == now.id && u.on_table)?;
            let far = then.at.distance(*start);
            (now.on_table && moved(then, now) && far <= reach(then)).then_some((now.id, far))
        };
        let near = after
            .units
            .iter()
            .filter_map(|unit| stood(&unit))
            .filter(|(id, _)| ways.iter().all(|way| way.unit != *id))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((unit, _)) = near {
            ways.push(Way { unit, points: line.clone() });
        }
    }
    ways
}

fn moved(then: &UnitView, now: &UnitView) -> bool {
    then.at != now.at || then.facing != now.facing || then.outline != now.outline
}

/// How far from where it is measured a unit's way may begin: at any corner of it.
fn reach(unit: &UnitView) -> f64 {
    unit.outline.iter().map(|corner| corner.distance(unit.at)).fold(0.5, f64::max)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn view(units: &[(&str, [f64; 2], bool)]) -> View {
        let unit = |(id, [x, y], on_table): &(&str, [f64; 2], bool)| {
            let corners = [[x - 1.0, *y], [x + 1.0, *y], [x + 1.0, y - 1.0], [x - 1.0, y - 1.0]];
            json!({
                "id": id, "name": id, "kind": "Line", "side": 0, "seat": 0, "arm": "infantry", "on_table": on_table,
                "at": [x, y], "facing": 0.0, "figures": [], "outline": corners, "strength": [4, 4], "markers": [],
                "notes": [], "overlays": []
            })
        };
        let ending = json!({ "winner": null, "grade": "draw", "reason": "", "scores": [], "clause": "" });
        serde_json::from_value(json!({
            "ruleset": "toy", "title": "Ways", "seat": null, "sides": [], "seats": [],
            "table": { "width": 40, "height": 40, "unit": "inch" }, "terrain": [],
            "units": units.iter().map(unit).collect::<Vec<_>>(), "tokens": [], "cards": [], "pending": { "over": ending },
            "clock": { "turn": 1, "of": null, "phase": "", "active": null }
        }))
        .unwrap()
    }

    fn line(points: &[[f64; 2]]) -> Vec<Point> {
        points.iter().map(|[x, y]| Point::new(*x, *y)).collect()
    }

    #[test]
    fn a_way_is_of_the_unit_that_stood_at_its_beginning() {
        let before = view(&[("A", [5.0, 5.0], true), ("B", [15.0, 5.0], true), ("C", [25.0, 5.0], true)]);
        let after = view(&[("A", [5.0, 9.0], true), ("B", [15.0, 8.0], true), ("C", [25.0, 5.0], true)]);
        let lines = [
            line(&[[15.0, 5.0], [15.0, 8.0]]),
            line(&[[5.5, 5.0], [5.0, 9.0]]),
            line(&[[25.0, 5.0], [25.0, 9.0]]),
        ];
        let ways = ways(&lines, &before, &after);
        let whose: Vec<&str> = ways.iter().map(|way| way.unit.as_str()).collect();
        assert_eq!(whose, ["B", "A"], "C has not moved, whatever the line says");
        assert_eq!(ways[1].points, lines[1]);
    }

    #[test]
    fn dice_against_somebody_are_a_shot() {
        let (a, b): (UnitId, UnitId) = ("A".parse().unwrap(), "B".parse().unwrap());
        let fire = Event::new("fire", "TOY-FIRE-01").who(a).whom(b).faces(&[2, 5, 6]).needed(5);
        let morale = Event::new("morale", "TOY-MORALE-01").who(b).faces(&[3]);
        let word = Event::new("charge", "TOY-CHARGE-01").who(a).whom(b);
        let told = shots([&fire, &morale, &word]);
        assert_eq!(told, [Shot { who: a, whom: b, dice: 3, hits: 2 }]);
        let saves = Event::new("saves", "TOY-FIRE-02").who(b).whom(a).faces(&[6]);
        let answer = Event::new("fire", "TOY-FIRE-01").who(b).whom(a).faces(&[6]);
        assert_eq!(shots([&fire, &saves]), told, "who bears it fires nothing");
        assert_eq!(shots([&fire, &answer]).len(), 2);
        assert_eq!(shots([&Event { needed: None, made: Some(-1), ..fire }])[0].hits, 0);
    }

    #[test]
    fn of_each_unit_the_last_throw_is_shown_and_hits_only_where_dice_hit() {
        let (a, b): (UnitId, UnitId) = ("A".parse().unwrap(), "B".parse().unwrap());
        let fire = Event::new("fire", "TOY-FIRE-01").who(a).whom(b).faces(&[2, 5, 6]).needed(5).made(2);
        let test = Event::new("morale", "TOY-MORALE-01").who(b).faces(&[3, 4]).needed(7).made(7);
        let word = Event::new("charge", "TOY-CHARGE-01").who(a).whom(b);
        let told = [
            Throw { who: a, faces: vec![2, 5, 6], needed: Some(5) },
            Throw { who: b, faces: vec![3, 4], needed: None },
        ];
        assert_eq!(throws([&fire, &test, &word]), told);
        let again = Event::new("rally", "TOY-MORALE-02").who(a).faces(&[1]);
        assert_eq!(throws([&fire, &test, &again])[1], Throw { who: a, faces: vec![1], needed: None });
    }

    #[test]
    fn cards_that_can_be_read_and_are_nobodys_secret_are_shown() {
        let draw = |purpose: &str, came| Draw { purpose: purpose.into(), came };
        let draws = [
            draw("card", Drawn::Card("KD".into())),
            draw("morale", Drawn::Dice([4].into_iter().collect())),
            draw("counter", Drawn::Card("10:Ac0".into())),
            draw("hidden_card", Drawn::Card("2C".into())),
            draw("turn_card", Drawn::Card("imperial".into())),
        ];
        assert_eq!(cards(&draws), ["KD", "imperial"]);
    }

    #[test]
    fn nobody_is_told_the_way_of_a_unit_he_did_not_see_at_both_ends() {
        let lines = [line(&[[5.0, 5.0], [5.0, 9.0]])];
        let seen = view(&[("A", [5.0, 9.0], true)]);
        assert_eq!(ways(&lines, &view(&[]), &seen), [], "it was hidden where it began");
        let gone = view(&[("A", [5.0, 9.0], false)]);
        assert_eq!(ways(&lines, &view(&[("A", [5.0, 5.0], true)]), &gone), [], "it went out of sight");
    }
}
