//! What a player might think of for a unit, whether the rules allow it now or not.

use tricorne_game::InOrder;
use tricorne_game::UnitId;
use tricorne_table::Point;

use crate::action::Action;
use crate::field::Engagement;
use crate::formations::Formation;
use crate::state::Activation;

impl Engagement {
    /// One answer or several of each kind for the activated unit, with their names. Whether one is allowed, the judge says.
    pub(crate) fn courses_of(&self, a: &Activation) -> Vec<(String, Action)> {
        let named = |name: &str, action: Action| (name.to_owned(), action);
        let us = self.unit(a.unit);
        let ahead = us.frame().to_world(Point::new(0.0, 1.0));
        let mut enemies: Vec<(UnitId, Point)> = self
            .present()
            .filter(|(_, them)| them.army != us.army)
            .map(|(_, them)| (them.id, them.centre(self.rules())))
            .collect();
        enemies.put_in_order(|x, y| us.at.distance(x.1).total_cmp(&us.at.distance(y.1)));
        let step = Action::Move { path: vec![ahead], facing: None, spread: None };
        let turn = Action::Move { path: Vec::new(), facing: Some((us.facing + 90.0) % 360.0), spread: None };
        let mut all = vec![named("move", step), named("turn", turn)];
        for shape in [
            Formation::Line(2),
            Formation::Line(3),
            Formation::Column(2),
            Formation::Column(3),
            Formation::Loose,
            Formation::Square,
        ] {
            if shape.is_like(us.formation) {
                continue;
            }
            let name = format!("form {}", shape.name());
            let again = us.is_mob();
            let action =
                if again { Action::Reform { shape, facing: None } } else { Action::Change { shape } };
            all.push((name, action));
        }
        // The nearest first: what keeps it from that one is what a player asks.
        for (target, _) in &enemies {
            all.push(named("fire", Action::Fire { target: *target }));
        }
        for (target, at) in enemies.iter().take(3) {
            all.push(named("charge", Action::Charge { target: *target, path: vec![*at], facing: None }));
        }
        all.push(named("end", Action::End));
        all
    }
}
