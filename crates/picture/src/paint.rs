//! The paint box: colours of paper, ground and coats, by light and by dark.
//!
//! The colours that carry meaning (sides, tones of markers) stay apart for colour-blind readers too, and none of
//! them carries it alone: a side also has a hatch and a corner shape, a tone also has a sign.

use tricorne_game::view::{Dye, Livery, Look, TerrainView, Tone};

use crate::style::{Cloth, Style, Theme};

/// The colours of one picture.
#[derive(Clone, Debug)]
pub(crate) struct Paint {
    /// Chalk on slate.
    pub dark: bool,
    /// Round the table and under labels.
    pub paper: &'static str,

    /// Letters and lines.
    pub ink: &'static str,
    /// Lesser letters.
    pub faint: &'static str,
    /// Rules between columns.
    pub rule: &'static str,
    /// The table's cloth, its light and dark patches and blades of grass.
    pub cloth: [&'static str; 4],
    /// Shadows.
    pub shade: &'static str,
    /// Leaves: dark, middle, light, edge.
    pub leaf: [&'static str; 4],
    /// Needles and deep wood: dark, middle, light, edge.
    pub pine: [&'static str; 4],
    /// Dry bushes: dark, middle, light, edge.
    pub bush: [&'static str; 4],
    /// Tall grass and straw: under, blade, light.
    pub straw: [&'static str; 3],
    /// Stone: dark, middle, light, edge.
    pub stone: [&'static str; 4],
    /// Bare earth: dark, middle, light.
    pub earth: [&'static str; 3],
    /// Water: deep, middle, light.
    pub water: [&'static str; 3],
    /// Roofs: lit, shaded, edge.
    pub roof: [&'static str; 3],
    /// Roads: casing, surface, rut.
    pub road: [&'static str; 3],
    /// Hachures of hills.
    pub hachure: &'static str,
    /// The lit top of a hill.
    pub crest: &'static str,
    /// What is pointed out: the unit that must decide.
    pub glow: &'static str,
    /// Overlays of the chosen unit.
    pub overlay: &'static str,
}

const LIGHT: Paint = Paint {
    dark: false,
    paper: "#f6efdd",
    ink: "#2f261c",
    faint: "#75664d",
    rule: "#c4b18a",
    cloth: ["#bcc48f", "#b0ba81", "#c8cf9f", "#93a166"],
    shade: "#2b2a17",
    leaf: ["#4d6a38", "#688746", "#8ba65c", "#35492a"],
    pine: ["#2f4a35", "#3f6045", "#587a59", "#1f3325"],
    bush: ["#767a3c", "#93964f", "#b0b26c", "#545629"],
    straw: ["#d3c479", "#a08a3a", "#eadf9f"],
    stone: ["#8d877b", "#aca698", "#cfcaba", "#5d574c"],
    earth: ["#8b6b45", "#b4946a", "#d6bc91"],
    water: ["#6f9fb8", "#8fb9cc", "#cfe3e8"],
    roof: ["#bd6c4c", "#9a4f38", "#5b2b1f"],
    road: ["#a5875a", "#dcc79c", "#b99a6a"],
    hachure: "#6b5330",
    crest: "#e6deb0",
    glow: "#f2b705",
    overlay: "#7a1f6b",
};

const DARK: Paint = Paint {
    dark: true,
    paper: "#1c1a17",
    ink: "#ece2cb",
    faint: "#a89b80",
    rule: "#4d4536",
    cloth: ["#4c5638", "#444e31", "#556041", "#647049"],
    shade: "#060604",
    leaf: ["#2c4222", "#3d5730", "#557342", "#17240f"],
    pine: ["#1b3022", "#284331", "#3c5b43", "#0e1a12"],
    bush: ["#4a4c25", "#5f6233", "#7c7e48", "#2b2d14"],
    straw: ["#6f6434", "#a8974c", "#c9ba74"],
    stone: ["#57534b", "#726d62", "#938e81", "#2c2924"],
    earth: ["#3f3122", "#66523a", "#8a7352"],
    water: ["#2b536b", "#3b687f", "#7fa9b8"],
    roof: ["#8a4a34", "#6b3525", "#2b130d"],
    road: ["#4a3c28", "#7d6c4d", "#5e4f36"],
    hachure: "#221a0e",
    crest: "#7d7a52",
    glow: "#ffc933",
    overlay: "#f29ad9",
};

impl Paint {
    /// The colours for a picture of this ground.
    pub fn of(style: &Style, ground: &[TerrainView]) -> Self {
        let dry = match style.cloth {
            Cloth::Green => false,
            Cloth::Dry => true,
            Cloth::Fitting => is_dry(ground),
        };
        match (style.theme, dry) {
            (Theme::Light, false) => LIGHT,
            (Theme::Light, true) => {
                Paint { cloth: ["#dccb9b", "#d2be8a", "#e6d9b2", "#b89f62"], crest: "#f0e4bd", ..LIGHT }
            }
            (Theme::Dark, false) => DARK,
            (Theme::Dark, true) => {
                Paint { cloth: ["#5d5238", "#544a31", "#675b41", "#7a6c4a"], crest: "#8c7d57", ..DARK }
            }
        }
    }
}

impl Paint {
    /// The colour of a coat's lines on this paper.
    pub fn rim(&self, coat: &Coat) -> &'static str {
        if self.dark { coat.base } else { coat.rim }
    }

    /// The colour of a coat's pips on this paper.
    pub fn pip(&self, coat: &Coat) -> &'static str {
        if self.dark && coat.rim == BLACK_RIM { coat.base } else { coat.pip }
    }
}

/// The rim of the black coat, which slate would swallow.
const BLACK_RIM: &str = "#151214";

fn is_dry(ground: &[TerrainView]) -> bool {
    let weight = |look| match look {
        Look::Palms | Look::Donga => 3,
        Look::Scrub | Look::Grass | Look::Rocks => 1,
        Look::Wood | Look::Forest | Look::Crops | Look::Marsh | Look::Stream => -2,
        Look::Hedge => -1,
        _ => 0,
    };
    ground.iter().map(|piece| weight(piece.look)).sum::<i32>() > 0
}

/// The paint of a livery.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coat {
    /// The coat.
    pub cloth: &'static str,
    /// Facings, sash, the second colour of the flag.
    pub trim: &'static str,
    /// The rim of bases and labels.
    pub rim: &'static str,
    /// The coat where it must show up on paper: pips and signs.
    pub pip: &'static str,
    /// The top of a base.
    pub base: &'static str,
    /// What is worn on the head.
    pub hat: Hat,
}

/// What is worn on the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hat {
    /// Three corners.
    Tricorne,
    /// A round helmet.
    Helmet,
    /// A turban.
    Turban,
}

/// The paint of a livery.
pub(crate) fn coat(livery: Livery) -> Coat {
    let (cloth, trim, rim, base, hat) = match livery {
        Livery::Red => ("#b8232f", "#f3e3b5", "#7a0f1c", "#ecc9bb", Hat::Tricorne),
        Livery::Blue => ("#24508f", "#f0dfa6", "#12305f", "#bccde4", Hat::Tricorne),
        Livery::Black => ("#4b4549", "#e6d7ae", BLACK_RIM, "#d3ccc0", Hat::Tricorne),
        Livery::White => ("#f7f5ee", "#a9403a", "#4c4f57", "#c3c6c8", Hat::Tricorne),
        Livery::Khaki => ("#8f7d4a", "#f6eed6", "#453818", "#e6dcbc", Hat::Helmet),
        Livery::Ochre => ("#e2901b", "#fff3d6", "#7d4204", "#f6dca6", Hat::Turban),
        Livery::Green => ("#2d6e49", "#ead9a0", "#123b25", "#c0d8bf", Hat::Tricorne),
    };
    let pip = if livery == Livery::White { "#80848c" } else { cloth };
    Coat { cloth, trim, rim, pip, base, hat }
}

/// The paint of a dye and its name.
pub(crate) fn dye(dye: Dye) -> (&'static str, &'static str) {
    match dye {
        Dye::White => ("#f4f1e6", "white"),
        Dye::Grey => ("#9a9a98", "grey"),
        Dye::Black => ("#2b2620", "black"),
        Dye::Red => ("#c4273a", "red"),
        Dye::Crimson => ("#8c1f3f", "crimson"),
        Dye::Rose => ("#e39aa8", "rose"),
        Dye::Orange => ("#e07b39", "orange"),
        Dye::Yellow => ("#e8c547", "yellow"),
        Dye::Straw => ("#eadcab", "straw"),
        Dye::Green => ("#2d6e49", "green"),
        Dye::LightGreen => ("#8fbf7f", "light-green"),
        Dye::Blue => ("#24407c", "blue"),
        Dye::LightBlue => ("#7fb2dc", "light-blue"),
        Dye::Violet => ("#6b4a8e", "violet"),
        Dye::Brown => ("#7a5433", "brown"),
    }
}

/// A coat with facings; those of the coat's own colour would not be seen, so it keeps its lace.
pub(crate) fn faced(livery: Livery, facings: Option<Dye>) -> Coat {
    let coat = coat(livery);
    let same = matches!(
        (livery, facings),
        (Livery::Red, Some(Dye::Red | Dye::Crimson))
            | (Livery::Blue, Some(Dye::Blue))
            | (Livery::Black, Some(Dye::Black))
            | (Livery::White, Some(Dye::White | Dye::Straw))
            | (Livery::Green, Some(Dye::Green))
    );
    match facings {
        Some(facings) if !same => Coat { trim: dye(facings).0, ..coat },
        _ => coat,
    }
}

/// The colour of a tone; its sign is in `markers`.
pub(crate) fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "#0b8f6c",
        Tone::Fair => "#e8a200",
        Tone::Bad => "#cf4a12",
        Tone::Plain => "#5f6b7a",
    }
}
