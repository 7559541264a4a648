//! What a side gains at the end of a round or of the battle, and what for (WBK-SCEN-01).

use smallvec::SmallVec;
use tricorne_drill::Now;
use tricorne_game::{Event, Side};

use crate::battle::Fray;
use crate::state::{IMPERIAL, NATIVE};
use crate::turn::side_name;

/// What points are for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    /// A marker was held.
    Marker,
    /// A building was held.
    Held(usize),
    /// A building was taken.
    Taken(usize),
    /// What nobody was left to hinder (WBK-TURN-10).
    Unhindered,
    /// The enemy was wiped out.
    Annihilation,
    /// Enemies were left on the table at the end.
    LeftOver,
}

/// Points gained together, by side, with the deeds they are for.
#[derive(Debug, Default)]
pub(super) struct Gains {
    points: [i32; 2],
    deeds: [SmallVec<[Deed; 4]>; 2],
    /// The last of the battle, not those of a round.
    last: bool,
}

impl Gains {
    /// Those of the battle's end.
    pub fn of_the_end() -> Self {
        Self { last: true, ..Self::default() }
    }

    pub fn add(&mut self, side: Side, points: i32, deed: Deed) {
        if points != 0 {
            self.points[side.index()] += points;
            self.deeds[side.index()].push(deed);
        }
    }

    /// The deeds of a side in words: `holding two markers and taking the storehouse`.
    fn told(&self, side: Side, fray: &Fray) -> String {
        const COUNTS: [&str; 5] = ["no markers", "a marker", "two markers", "three markers", "four markers"];
        let deeds = &self.deeds[side.index()];
        let markers = deeds.iter().filter(|deed| matches!(deed, Deed::Marker)).count();
        let to = if self.last { " to the last" } else { "" };
        let held = (markers > 0)
            .then(|| format!("holding {}{to}", COUNTS.get(markers).copied().unwrap_or("all those markers")));
        let building = |piece: usize| fray.field.land.pieces[piece].called();
        let others = deeds.iter().filter_map(|deed| match *deed {
            Deed::Marker => None,
            Deed::Held(piece) => Some(format!("holding the {}{to}", building(piece))),
            Deed::Taken(piece) => Some(format!("taking the {}", building(piece))),
            Deed::Unhindered => Some("what nobody was left to hinder".to_owned()),
            Deed::Annihilation => Some("wiping out the enemy".to_owned()),
            Deed::LeftOver => Some("the enemies left on the table".to_owned()),
        });
        held.into_iter().chain(others).collect::<Vec<_>>().join(" and ")
    }
}

impl Fray {
    /// Points are put down for both sides.
    pub(super) fn gain(&mut self, gains: &Gains, now: &mut Now<'_>) {
        for side in [IMPERIAL, NATIVE] {
            let points = gains.points[side.index()];
            if points != 0 {
                let total = &mut self.state.gained[side.index()];
                *total = total.saturating_add(points as i16);
                let score = self.score(side);
                now.say(|| {
                    Event::new("score", "WBK-SCEN-01")
                        .outcome(side_name(side))
                        .made(points)
                        .with("side", side_name(side))
                        .with("because", format!("for {}", gains.told(side, self)))
                        .with("score", score)
                });
            }
        }
    }
}
