//! What an editor needs to know of these scenario files: `drafting.toml`, with the troops and grounds of the rulebook.

use tricorne_drill::drafting::{ground, read, troop};
use tricorne_game::drafting::Drafting;

use super::arm;
use crate::state::MAX_MODELS;
use crate::tables::rulebook::{self, GroundShape, Rulebook, Sight};

/// What an editor needs to know.
///
/// # Panics
/// When the compiled-in file is wrong, which the tests rule out.
pub(crate) fn drafting(book: &Rulebook) -> Drafting {
    let given = [
        ("weapons", book.weapons.iter().map(|w| w.name.clone()).collect()),
        ("characters", book.characters.iter().map(|c| c.name.name().to_owned()).collect()),
        ("forces", book.forces.iter().map(|f| f.id.clone()).collect()),
        ("models", vec![MAX_MODELS.to_string()]),
    ];
    let mut draft = rulebook::shipped(read(rulebook::DRAFTING, &given));
    draft.grounds.extend(book.ground.iter().map(|(kind, piece)| {
        let extra = match piece.sight {
            Sight::Hill => "level = 1",
            Sight::Building => "capacity = 12",
            Sight::Clear | Sight::Wood => "",
        };
        ground(kind, piece.look, piece.shape == GroundShape::Area, extra)
    }));
    for profile in &book.profiles {
        let (code, name) = (&profile.code, &profile.name);
        let many = profile.weapons.len() > 1;
        for (i, weapon) in profile.weapons.iter().enumerate() {
            let id = if i == 0 { code.clone() } else { format!("{code} {weapon}") };
            let (name, body) = if many {
                (format!("{name}, {weapon}"), format!("kind = \"{code}\"\nweapon = \"{weapon}\""))
            } else {
                (name.clone(), format!("kind = \"{code}\""))
            };
            draft.troops.push(troop(&id, name, arm(profile.class), body));
        }
    }
    draft
}
