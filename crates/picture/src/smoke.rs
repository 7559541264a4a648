//! Fire and blows: the flash, the smoke along a front, crossed steel, and those who fall. The same forms as on the page
//! (`web/src/lib/stage/StageLayer.svelte`).

use tricorne_game::view::{Arm, FigureView, UnitView};
use tricorne_game::ways::{Shot, Throw};
use tricorne_table::{Bounds, Point};
#[cfg(feature = "png")]
use {std::borrow::Cow, tricorne_game::UnitId, tricorne_game::view::View, tricorne_game::ways::Scene};

use crate::pen::Pen;
use crate::sheet::{N, Trace};
use crate::units::bounds_of;

const SMOKE: &str = "#f4f1ea";
const FLASH: [&str; 2] = ["#ffd75e", "#ff8a1f"];
const STEEL: [&str; 2] = ["#2b2620", "#e9e9ee"];
const STRUCK: &str = "#b3261e";

/// From this age of the smoke on the fallen lie.
#[cfg(feature = "png")]
const FALL: f64 = 0.5;

/// Fire as it is seen at one moment.
#[derive(Default)]
pub(crate) struct Powder<'a> {
    shots: Vec<(&'a UnitView, &'a UnitView, &'a Shot)>,
    /// How old the smoke is, from 0 to 1.
    age: f64,
    /// Who has just fallen, each with his unit.
    pub fallen: Vec<(&'a UnitView, &'a FigureView)>,
    /// What was thrown, each with whoever threw it.
    pub thrown: Vec<(&'a UnitView, &'a Throw)>,
    /// Cards that were drawn.
    pub cards: &'a [String],
    /// How far they are turned, from 0 to 1.
    pub turned: f64,
}

#[cfg(feature = "png")]
impl<'a> Powder<'a> {
    /// The fire on a table, with those fallen whom the next table does not have.
    pub fn of(table: &'a View, after: &View, scene: &'a Scene, age: f64) -> Self {
        let on = |id: UnitId| table.units.iter().find(|unit| unit.id == id && unit.on_table);
        let seen = |shot: &'a Shot| {
            let (who, whom) = (on(shot.who)?, on(shot.whom)?);
            (who.side != whom.side).then_some((who, whom, shot))
        };
        let shots: Vec<_> = scene.shots.iter().filter_map(seen).collect();
        let mut fallen = Vec::new();
        if age >= FALL {
            for unit in table.units.iter().filter(|unit| unit.on_table) {
                let now = after.units.iter().find(|now| now.id == unit.id && now.on_table);
                // Who was not shot at and is gone has marched off.
                if now.is_some() || shots.iter().any(|(_, whom, _)| whom.id == unit.id) {
                    fallen.extend(crate::march::lost(unit, now).into_iter().map(|figure| (unit, figure)));
                }
            }
        }
        Self { shots, age, fallen, thrown: thrown(table, scene), ..Self::default() }
    }

    /// The cards of a scene, turned so far.
    pub fn cards(scene: &'a Scene, turned: f64) -> Self {
        Self { cards: &scene.cards, turned, ..Self::default() }
    }

    /// What is left when the smoke is gone: the dice, and the cards, turned so far.
    pub fn settled(table: &'a View, scene: &'a Scene, turned: f64) -> Self {
        Self { thrown: thrown(table, scene), ..Self::cards(scene, turned) }
    }

    /// The table with the fallen out of their ranks.
    pub fn without_fallen<'t>(&self, table: &'t View) -> Cow<'t, View> {
        if self.fallen.is_empty() {
            return Cow::Borrowed(table);
        }
        let mut view = table.clone();
        for unit in &mut view.units {
            let gone = |figure: &FigureView| {
                self.fallen.iter().any(|(of, fallen)| of.id == unit.id && fallen.shape == figure.shape)
            };
            unit.figures.retain(|figure| !gone(figure));
        }
        Cow::Owned(view)
    }
}

/// The throws of a scene, each with whoever threw it and is seen.
#[cfg(feature = "png")]
fn thrown<'a>(table: &'a View, scene: &'a Scene) -> Vec<(&'a UnitView, &'a Throw)> {
    let on = |id: UnitId| table.units.iter().find(|unit| unit.id == id && unit.on_table);
    scene.throws.iter().filter_map(|throw| Some((on(throw.who)?, throw))).collect()
}

/// Draws the fire over the units.
pub(crate) fn draw(pen: &mut Pen<'_>, powder: &Powder<'_>) {
    if powder.shots.is_empty() {
        return;
    }
    pen.sheet.open(format_args!("id=\"smoke\""));
    for (who, whom, shot) in &powder.shots {
        let (from, to) = (bounds_of(who), bounds_of(whom));
        let reach = |bounds: &Bounds| bounds.min.distance(bounds.max) * 0.5;
        let far = from.centre().distance(to.centre());
        if far < reach(&from) + reach(&to) + 1.2 * pen.inch {
            clash(pen, from.centre().lerp(to.centre(), 0.5), powder.age);
        } else {
            volley(pen, from.centre(), to.centre(), shot, who.arm == Arm::Artillery, powder.age);
        }
    }
    pen.sheet.close();
}

/// Puffs along the front of who fires, always the same ones for the same shot.
fn volley(pen: &mut Pen<'_>, from: Point, to: Point, shot: &Shot, big: bool, age: f64) {
    let Some(ahead) = (to - from).unit() else { return };
    let aside = ahead.quarter_left();
    let inch = pen.inch;
    let many = if big { 5 } else { shot.dice.clamp(3, 12) };
    let mut puffs = Vec::new();
    for i in 0..many {
        let spread = (if big { 0.25 } else { 0.34 }) * inch * (i as f64 - (many - 1) as f64 * 0.5);
        let out = (0.9 + (i * 37 % 10) as f64 / 14.0) * inch * if big { 1.4 } else { 1.0 };
        let size = (if big { 0.75 } else { 0.42 }) * inch * (0.8 + (i * 53 % 10) as f64 / 22.0);
        let old = (age - (i * 29 % 10) as f64 / 45.0).max(0.0);
        puffs.push((from + ahead * out + aside * spread, size, old));
    }
    if age < 0.3 {
        let mut ball = Trace::default();
        ball.stroke(from, to);
        let dashes =
            format!("stroke-dasharray=\"{} {}\" stroke-opacity=\".75\"", N(0.5 * inch), N(0.45 * inch));
        pen.stroke(&ball, STEEL[0], 0.1 * inch, &dashes);
    }
    for (at, size, old) in puffs {
        let mut puff = Trace::default();
        puff.circle(at + Point::new(0.0, old * 0.5 * inch), size * (0.5 + old * 1.5));
        pen.fill(&puff, SMOKE, 0.85 * (1.0 - old));
        if old < 0.16 {
            let mut flash = Trace::default();
            flash.circle(at, size * if big { 1.0 } else { 0.75 });
            let attributes =
                format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"", FLASH[0], FLASH[1], N(0.08 * inch));
            pen.sheet.path(&flash, format_args!("{attributes}"));
        }
    }
    if shot.hits > 0 && age > 0.2 {
        let mut ring = Trace::default();
        ring.circle(to, inch * (0.6 + age));
        pen.stroke(&ring, STRUCK, 0.14 * inch, &format!("stroke-opacity=\"{}\"", N(1.0 - age)));
    }
}

/// Blades that cross where they fight hand to hand.
fn clash(pen: &mut Pen<'_>, at: Point, age: f64) {
    let size = (0.9 + 0.5 * age) * pen.inch;
    for (colour, width) in [(STEEL[0], 0.34), (STEEL[1], 0.18)] {
        let mut blades = Trace::default();
        for slant in [1.0, -1.0] {
            let half = Point::new(size, slant * size).turned(40.0 * age);
            blades.stroke(at - half, at + half);
        }
        pen.stroke(&blades, colour, width * pen.inch, "stroke-linecap=\"round\"");
    }
}
