//! How a picture is wanted: its size, light or dark, what is written on it.

use tricorne_game::UnitId;
use tricorne_game::view::Overlay;

/// What the caller wants of a picture.
///
/// ```
/// use tricorne_picture::{Style, Theme};
/// let style = Style { theme: Theme::Dark, ..Style::wide(800) };
/// assert_eq!(style.width, 800);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Pixels from left to right. Lettering keeps its size as far as it can, so a wide picture has more room.
    pub width: u32,
    /// Light or dark.
    pub theme: Theme,
    /// The colour of the table.
    pub cloth: Cloth,
    /// The unit whose arcs, ranges and card are shown.
    pub chosen: Option<UnitId>,
    /// What an action would come to, drawn over the table: paths, ghosts of bases.
    pub shown: Vec<Overlay>,
    /// A line of text under the table.
    pub caption: Option<String>,
    /// What is written beside units.
    pub labels: Labels,
    /// Whether the pieces of ground are named.
    pub ground_names: bool,
    /// Title, scores and the decision that is waited for. Without them the picture is the table and its frame.
    pub panel: bool,
    /// Units and markers. Without them the picture is the ground, and brings the symbols of all toys for whoever draws units on it.
    pub pieces: bool,
}

impl Style {
    /// A light picture of this width with everything on it.
    pub fn wide(width: u32) -> Self {
        Self {
            width,
            theme: Theme::Light,
            cloth: Cloth::Fitting,
            chosen: None,
            shown: Vec::new(),
            caption: None,
            labels: Labels::Full,
            ground_names: true,
            panel: true,
            pieces: true,
        }
    }
}

impl Default for Style {
    fn default() -> Self {
        Self::wide(1400)
    }
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Ink on paper.
    #[default]
    Light,
    /// Chalk on slate.
    Dark,
}

/// The colour of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cloth {
    /// What fits the ground on it: dry where there are palms, thorns and dry river beds, green elsewhere.
    #[default]
    Fitting,
    /// Pasture.
    Green,
    /// Sand and dry grass.
    Dry,
}

/// What is written beside units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// Name, strength and states.
    #[default]
    Full,
    /// Name and strength.
    Short,
    /// Nothing.
    Nothing,
}
