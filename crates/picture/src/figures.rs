//! The toys, seen from above: a foot soldier with hat and musket, a rider, a gun, the colours.
//!
//! Every toy is a symbol that looks north and fits the box given by [`half_box`]; a base stamps it at its own
//! facing and size.

use std::fmt::Write as _;

use tricorne_game::view::{Arm, Role};

use crate::paint::{Coat, Hat};
use crate::sheet::Sheet;

/// A kind of toy there is a symbol for; stands are made of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Toy {
    Foot,
    Horse,
    Leader,
    MountedLeader,
    Ensign,
    MountedEnsign,
    Crew,
    Gun,
    LimberedGun,
    MachineGun,
    Wagon,
    General,
}

impl Toy {
    /// The toy that stands on a base of a unit of this arm, and how many of it. The colours and the officers of
    /// cavalry are mounted.
    pub fn of(role: Role, arm: Arm) -> (Self, u8) {
        match role {
            Role::Ensign if arm == Arm::Cavalry => (Self::MountedEnsign, 1),
            Role::Leader if arm == Arm::Cavalry => (Self::MountedLeader, 1),
            Role::Foot => (Self::Foot, 1),
            Role::Horse => (Self::Horse, 1),
            Role::Leader => (Self::Leader, 1),
            Role::MountedLeader => (Self::MountedLeader, 1),
            Role::Ensign => (Self::Ensign, 1),
            Role::Crew => (Self::Crew, 1),
            Role::Gun => (Self::Gun, 1),
            Role::LimberedGun => (Self::LimberedGun, 1),
            Role::MachineGun => (Self::MachineGun, 1),
            Role::FootStand(men) => (Self::Foot, men),
            Role::HorseStand(men) => (Self::Horse, men),
            Role::Wagon => (Self::Wagon, 1),
            Role::General => (Self::General, 1),
        }
    }

    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Foot,
        Self::Horse,
        Self::Leader,
        Self::MountedLeader,
        Self::Ensign,
        Self::MountedEnsign,
        Self::Crew,
        Self::Gun,
        Self::LimberedGun,
        Self::MachineGun,
        Self::Wagon,
        Self::General,
    ];

    /// The end of its symbol's id, after the side's.
    pub fn name(self) -> &'static str {
        match self {
            Self::Foot => "foot",
            Self::Horse => "horse",
            Self::Leader => "leader",
            Self::MountedLeader => "mounted-leader",
            Self::Ensign => "ensign",
            Self::MountedEnsign => "mounted-ensign",
            Self::Crew => "crew",
            Self::Gun => "gun",
            Self::LimberedGun => "limbered-gun",
            Self::MachineGun => "machine-gun",
            Self::Wagon => "wagon",
            Self::General => "general",
        }
    }

    /// Half the width and half the length of the box its symbol fits.
    pub fn half_box(self) -> (f64, f64) {
        match self {
            Self::Foot | Self::Crew => (0.8, 0.85),
            Self::Leader | Self::Ensign => (0.85, 0.9),
            Self::Horse | Self::MountedLeader | Self::MountedEnsign => (0.75, 1.5),
            Self::General => (0.95, 1.5),
            Self::Gun => (0.95, 1.6),
            Self::MachineGun => (0.85, 1.05),
            Self::LimberedGun => (0.9, 3.2),
            Self::Wagon => (0.95, 2.9),
        }
    }
}

const EDGE: &str = "#1d1710";
const WOOD: &str = "#7a5a34";
const IRON: &str = "#4a4a4c";
const BRASS: &str = "#c79a3b";

/// Writes the symbol of a toy in a coat under an id.
pub(crate) fn symbol(sheet: &mut Sheet, toy: Toy, coat: &Coat, id: &str) {
    let body = match toy {
        Toy::Foot => format!("{}{}", musket(), man(coat, (0.0, 0.0), true)),
        Toy::Crew => format!("{}{}", rammer(), man(coat, (0.0, 0.0), false)),
        Toy::Leader => {
            format!("{}{}{}", sword(0.52), man(coat, (0.0, 0.0), false), honours(coat, (0.0, 0.0), 1.0))
        }
        Toy::Ensign => format!("{}{}", man(coat, (0.1, -0.3), false), flag(coat)),
        Toy::Horse => format!("{}{}{}", horse("#8a5a33", "#3d2616", 0.0), sword(0.4), rider(coat)),
        Toy::MountedLeader => format!(
            "{}{}{}{}",
            horse("#5a3a24", "#241509", 0.0),
            sword(0.4),
            rider(coat),
            honours(coat, (0.0, -0.3), 0.74)
        ),
        Toy::MountedEnsign => {
            format!("{}{}{}", horse("#5a3a24", "#241509", 0.0), rider(coat), flag(coat))
        }
        Toy::General => format!(
            "{}{}{}{}{}",
            horse("#dcd6c8", "#8f877a", 0.0),
            drape(coat),
            baton(),
            rider(coat),
            honours(coat, (0.0, -0.3), 0.74)
        ),
        Toy::Gun => gun(0.0),
        Toy::MachineGun => machine_gun(),
        Toy::LimberedGun => limbered(),
        Toy::Wagon => wagon(),
    };
    sheet.put(format_args!(
        "<g id=\"{id}\" stroke=\"{EDGE}\" stroke-width=\".09\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\">{body}</g>\n"
    ));
}

/// Shoulders, crossbelt or pack, and a hat.
fn man(coat: &Coat, (x, y): (f64, f64), pack: bool) -> String {
    man_sized(coat, (x, y), 1.0, pack)
}

/// A man on horseback: smaller than his horse.
fn rider(coat: &Coat) -> String {
    man_sized(coat, (0.0, -0.3), 0.74, false)
}

fn man_sized(coat: &Coat, (x, y): (f64, f64), size: f64, pack: bool) -> String {
    let mut body = format!("<g transform=\"translate({x} {y})scale({size})\">");
    if pack {
        let _ = write!(
            body,
            "<rect x=\"-.3\" y=\"-.72\" width=\".6\" height=\".34\" rx=\".08\" fill=\"{}\"/>",
            coat.trim
        );
    }
    let _ = write!(
        body,
        "<path d=\"M-.76 -.06C-.76 -.46 -.42 -.54 0 -.54S.76 -.46 .76 -.06C.76 .24 .56 .3 .42 .22L.16 .34H-.16L-.42 .22\
         C-.56 .3 -.76 .24 -.76 -.06Z\" fill=\"{}\"/>\
         <path d=\"M-.34 -.44L.34 .1M.34 -.44L-.34 .1\" fill=\"none\" stroke=\"{}\" stroke-width=\".1\"/>",
        coat.cloth, coat.trim
    );
    body.push_str(&hat(coat));
    body.push_str("</g>");
    body
}

fn hat(coat: &Coat) -> String {
    match coat.hat {
        Hat::Tricorne => format!(
            "<path d=\"M0 .42Q-.14 .18 -.37 -.22Q0 -.32 .37 -.22Q.14 .18 0 .42Z\" fill=\"#262122\" stroke=\"{}\" \
             stroke-width=\".06\"/><circle cx=\"0\" cy=\"-.03\" r=\".13\" fill=\"#4b4340\" stroke=\"none\"/>",
            coat.trim
        ),
        Hat::Helmet => format!(
            "<ellipse cx=\"0\" cy=\"0\" rx=\".3\" ry=\".37\" fill=\"{}\"/>\
             <circle cx=\"0\" cy=\"0\" r=\".09\" fill=\"{BRASS}\" stroke=\"none\"/>",
            coat.trim
        ),
        Hat::Turban => "<circle cx=\"0\" cy=\"0\" r=\".34\" fill=\"#7c2f1d\"/><path d=\"M-.27 .1Q0 .3 .29 .07M-.3 -.08Q0 .12 \
                        .27 -.14\" fill=\"none\" stroke=\"#e9c9a0\" stroke-width=\".07\"/>"
            .into(),
    }
}

fn musket() -> String {
    format!(
        "<path d=\"M.44 -.5V.82\" stroke-width=\".2\"/><path d=\"M.44 -.48V.3\" stroke=\"{WOOD}\" stroke-width=\".12\"/>\
         <path d=\"M.44 .3V.8\" stroke=\"#c9c9c9\" stroke-width=\".08\"/>"
    )
}

fn rammer() -> String {
    format!(
        "<path d=\"M-.75 .5L.72 .62\" stroke-width=\".18\"/><path d=\"M-.75 .5L.72 .62\" stroke=\"{WOOD}\" \
         stroke-width=\".09\"/><circle cx=\".72\" cy=\".62\" r=\".13\" fill=\"#cfc8b8\"/>"
    )
}

fn sword(x: f64) -> String {
    format!(
        "<path d=\"M{x} -.05L{} .95\" stroke-width=\".17\"/><path d=\"M{x} -.05L{} .95\" stroke=\"#e6e6e6\" \
         stroke-width=\".09\"/>",
        x + 0.16,
        x + 0.16
    )
}

fn baton() -> String {
    format!(
        "<path d=\"M.42 .05L.78 .8\" stroke-width=\".24\"/><path d=\"M.42 .05L.78 .8\" stroke=\"{BRASS}\" stroke-width=\".14\"/>"
    )
}

/// Sash and plume: somebody to aim at.
fn honours(coat: &Coat, (x, y): (f64, f64), size: f64) -> String {
    let sash = if coat.pip == coat.cloth { "#f2c230" } else { coat.trim };
    format!(
        "<g transform=\"translate({x} {y})scale({size})\"><path d=\"M-.6 .06Q-.3 -.46 .56 -.36\" fill=\"none\" stroke=\"{EDGE}\" \
         stroke-width=\".25\"/><path d=\"M-.6 .06Q-.3 -.46 .56 -.36\" fill=\"none\" stroke=\"{sash}\" \
         stroke-width=\".16\"/><path d=\"M-.1 -.05Q-.5 .1 -.62 -.42Q-.34 -.22 -.08 -.3Z\" fill=\"#fbf7ea\" \
         stroke-width=\".06\"/></g>"
    )
}

/// The colours, streaming back from a staff held before the bearer.
fn flag(coat: &Coat) -> String {
    format!(
        "<path d=\"M.42 -.5L.24 1.1\" stroke-width=\".18\"/><path d=\"M.42 -.5L.24 1.1\" stroke=\"{WOOD}\" \
         stroke-width=\".09\"/><path d=\"M.25 1.05Q-.25 .78 -.6 .98T-1.25 .9L-1.15 .0Q-.65 .22 -.4 .02T.36 .14Z\" \
         fill=\"{}\"/><path d=\"M-1.2 .45Q-.7 .66 -.4 .44T.3 .6M-.44 .92L-.36 .06\" fill=\"none\" stroke=\"{}\" \
         stroke-width=\".2\"/><circle cx=\".24\" cy=\"1.1\" r=\".1\" fill=\"{BRASS}\"/>",
        coat.cloth, coat.trim
    )
}

fn horse(hide: &str, mane: &str, y: f64) -> String {
    format!(
        "<g transform=\"translate(0 {y})\"><path d=\"M0 -1.1Q-.16 -1.3 .04 -1.5\" fill=\"none\" stroke=\"{mane}\" \
         stroke-width=\".2\"/><path d=\"M-.38 -.85C-.52 -.4 -.38 0 -.36 .32C-.34 .6 -.2 .62 -.15 .82L-.25 1.06L-.15 \
         1.36Q0 1.56 .15 1.36L.25 1.06L.15 .82C.2 .62 .34 .6 .36 .32C.38 0 .52 -.4 .38 -.85Q0 -1.22 -.38 -.85Z\" \
         fill=\"{hide}\"/><path d=\"M0 .3V1.1\" fill=\"none\" stroke=\"{mane}\" stroke-width=\".13\"/><path \
         d=\"M-.2 1.05L-.26 .86M.2 1.05L.26 .86\" stroke-width=\".08\"/></g>"
    )
}

/// The cloth under a general's saddle.
fn drape(coat: &Coat) -> String {
    format!(
        "<path d=\"M-.56 .02H.56L.5 -.84Q0 -.98 -.5 -.84Z\" fill=\"{}\" stroke=\"{BRASS}\" stroke-width=\".11\"/>",
        coat.cloth
    )
}

fn wheels(y: f64, half: f64) -> String {
    let mut body = format!("<path d=\"M{} {y}H{}\" stroke=\"{WOOD}\" stroke-width=\".16\"/>", -half, half);
    for x in [-half, half] {
        let _ = write!(
            body,
            "<rect x=\"{}\" y=\"{}\" width=\".24\" height=\"1.16\" rx=\".1\" fill=\"{WOOD}\"/><path d=\"M{} {y}H{}\" \
             stroke-width=\".2\"/>",
            x - 0.12,
            y - 0.58,
            x - 0.06,
            x + 0.06
        );
    }
    body
}

fn gun(y: f64) -> String {
    format!(
        "<g transform=\"translate(0 {y})\"><path d=\"M-.2 .2L-.1 -1.5H.1L.2 .2Z\" fill=\"{WOOD}\"/>{}<path \
         d=\"M-.17 -.5Q-.2 .4 -.13 1.35H.13Q.2 .4 .17 -.5Q0 -.72 -.17 -.5Z\" fill=\"{BRASS}\"/><path d=\"M-.17 1.4H.17\
         M-.17 .1H.17\" stroke-width=\".14\"/></g>",
        wheels(0.25, 0.76)
    )
}

fn machine_gun() -> String {
    format!(
        "<path d=\"M0 -.2L-.62 -.95M0 -.2L.62 -.95M0 .1L0 .5\" stroke-width=\".26\"/><path d=\"M0 -.2L-.62 -.95M0 -.2L.62 \
         -.95\" stroke=\"{WOOD}\" stroke-width=\".12\"/><rect x=\"-.19\" y=\"-.5\" width=\".38\" height=\"1.15\" rx=\".1\" \
         fill=\"{IRON}\"/><path d=\"M0 .65V1.0\" stroke-width=\".2\"/><path d=\"M-.19 -.1H.19M-.19 .14H.19M-.19 .38H.19\" \
         stroke=\"#8a8a8c\" stroke-width=\".07\"/><rect x=\".2\" y=\"-.3\" width=\".5\" height=\".36\" fill=\"{BRASS}\"/>"
    )
}

fn team(y: f64) -> String {
    format!(
        "<path d=\"M0 {}V{}\" stroke=\"{WOOD}\" stroke-width=\".14\"/><g transform=\"translate(-.42 {y})scale(.82)\">{}</g>\
         <g transform=\"translate(.42 {y})scale(.82)\">{}</g>",
        y - 1.7,
        y + 0.3,
        horse("#8a5a33", "#3d2616", 0.0),
        horse("#70472a", "#2c1a0e", 0.0)
    )
}

fn limbered() -> String {
    format!(
        "{}<rect x=\"-.38\" y=\"-.35\" width=\".76\" height=\".6\" fill=\"{WOOD}\"/>{}<g transform=\"translate(0 \
         -1.72)rotate(180)\">{}</g>",
        team(1.9),
        wheels(-0.1, 0.72),
        gun(0.0)
    )
}

fn wagon() -> String {
    format!(
        "{}{}{}<path d=\"M-.62 .05V-2.4H.62V.05Z\" fill=\"{WOOD}\"/><path d=\"M-.56 -.15Q0 .12 .56 -.15V-2.25Q0 -2.5 -.56 \
         -2.25Z\" fill=\"#ece3cb\"/><path d=\"M-.56 -.65Q0 -.4 .56 -.65M-.56 -1.2Q0 -.95 .56 -1.2M-.56 -1.75Q0 -1.5 .56 \
         -1.75\" fill=\"none\" stroke=\"#a3977c\"/><path d=\"M-.32 -.3V-2.2\" stroke=\"#fffaf0\" stroke-width=\".1\"/>",
        team(1.6),
        wheels(-0.35, 0.8),
        wheels(-1.95, 0.8)
    )
}
