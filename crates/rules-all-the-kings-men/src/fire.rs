//! Fire (FIRE): who may fire at whom, with how many dice, and what comes of it.

use tricorne_chance::Chance;
use tricorne_game::{Event, Illegal, Log};
use tricorne_table::within;

use crate::exchange::{Exchange, Rolled};
use crate::field::{Engagement, Reasons, refuse, sum, told};
use crate::formations::{self, Formation};
use crate::options::ArtilleryColumnFire;
use crate::rulebook::{Colour, Kind, Target};
use crate::sight::Zone;
use crate::state::{Unit, UnitNo};
use crate::terrain::Cover;

/// A shot that was judged legal: both pools before they are rolled.
#[derive(Clone, Debug)]
pub(crate) struct Shot {
    pub distance: f64,
    pub dice: Reasons,
    pub colour: Colour,
    pub defence: Reasons,
    pub defence_colour: Colour,
    pub worse: Reasons,
}

/// Dice for so many men at so many each; a half is rounded up (ATKM-DICE-06).
pub(crate) fn dice(men: u8, each: f64) -> i32 {
    (f64::from(men) * each).ceil() as i32
}

impl Engagement {
    /// The chart column of a target.
    pub(crate) fn target_of(unit: &Unit) -> Target {
        if unit.is_mob() {
            return Target::Mob;
        }
        match unit.kind {
            Kind::Infantry => Target::Infantry,
            Kind::Skirmisher => Target::Skirmisher,
            Kind::Cavalry => Target::Cavalry,
            Kind::FootArtillery | Kind::HorseArtillery => Target::Artillery,
        }
    }

    /// T3, and the longer ranges of ATKM-ADV-06.
    pub(crate) fn range(&self, kind: Kind) -> Option<f64> {
        let advanced = &self.rules().advanced;
        match kind {
            Kind::Infantry if self.options().adv_rifles.is_on() => Some(advanced.rifle_infantry),
            Kind::Skirmisher if self.options().adv_rifles.is_on() => Some(advanced.rifle_skirmisher),
            kind => self.rules().profile(kind).range,
        }
    }

    /// ATKM-FIRE-09, ATKM-FORM-03, ATKM-FORM-08: privates who may fire.
    pub(crate) fn firing_privates(&self, unit: &Unit) -> u8 {
        match unit.formation {
            Formation::Line(r) => unit.n.min(2 * formations::files(unit.n, r)),
            Formation::Column(c) if !unit.kind.is_artillery() => unit.n.min(2 * c),
            Formation::Square => unit.n / self.rules().advanced.square_fire_divisor.max(1),
            _ => unit.n,
        }
    }

    /// Whether a unit may fire at all in its formation (ATKM-FIRE-01..03).
    pub(crate) fn judge_firer(&self, unit: &Unit) -> Result<f64, Illegal> {
        if unit.is_mob() {
            return refuse("ATKM-FIRE-03", "a mob does not fire; reform it first");
        }
        let Some(range) = self.range(unit.kind) else {
            return refuse("ATKM-FIRE-01", "cavalry does not fire; charge instead");
        };
        if unit.kind.is_artillery()
            && unit.formation != Formation::Loose
            && self.options().artillery_column_fire == ArtilleryColumnFire::Forbidden
        {
            return refuse("ATKM-FIRE-02", "guns fire only in loose formation; change first");
        }
        Ok(range)
    }

    /// The one judge of fire.
    pub(crate) fn judge_fire(&self, no: UnitNo, target: UnitNo) -> Result<Shot, Illegal> {
        let rules = self.rules();
        let us = self.unit(no);
        let range = self.judge_firer(us)?;
        let them = self.unit(target);
        if them.army == us.army {
            return refuse("ATKM-TEAM-14", format!("{} is a friend", them.id));
        }
        // Cheap no before exact measuring.
        let distance = them.distance(rules, us.at);
        if !within(distance, range) {
            return refuse(
                "ATKM-FIRE-04",
                format!("{} is {distance:.2} away; the range is {range}", them.id),
            );
        }
        if !self.in_arc(us, them) {
            return refuse("ATKM-FIRE-07", format!("{} is not within the 180 in front; turn first", them.id));
        }
        self.judge_sight(no, target)?;
        Ok(self.shot(us, them, distance))
    }

    /// Both pools of a shot (ATKM-FIRE-09..19).
    fn shot(&self, us: &Unit, them: &Unit, distance: f64) -> Shot {
        let rules = self.rules();
        let column = Self::target_of(them);
        // `skirmisher_long_dice` 2 reads the near row at any distance (ATKM-FIRE-16).
        let read_at = if us.kind == Kind::Skirmisher && self.options().skirmisher_long_dice == 2 {
            0.0
        } else {
            distance
        };
        let [each, each_defence] = rules.fire_dice(us.kind, column, read_at).unwrap_or([0.0, 0.0]);
        let men = self.firing_privates(us);
        let mut pool = Reasons::new();
        pool.push((dice(men, each), "privates who may fire", "ATKM-FIRE-09"));
        if us.kind.is_artillery() {
            if them.formation == Formation::Square && rules.advanced.square_gun_dice > 0 {
                pool.push((
                    i32::from(men * rules.advanced.square_gun_dice),
                    "guns against a square",
                    "ATKM-ADV-01",
                ));
            }
            let packed = them.is_mob()
                || (matches!(them.formation, Formation::Column(_))
                    && matches!(them.kind, Kind::Infantry | Kind::Cavalry));
            if self.options().adv_dense_targets.is_on() && packed {
                pool.push((i32::from(men * rules.advanced.dense_gun_dice), "a dense target", "ATKM-ADV-07"));
            }
        }
        let mut defence = Reasons::new();
        defence.push((dice(them.n, each_defence), "all its privates", "ATKM-FIRE-10"));
        match self.cover_of(them, false, us.at, them.centre(rules)) {
            Cover::None => {}
            Cover::Soft => defence.push((rules.cover.soft_fire, "soft cover", "ATKM-FIRE-19")),
            Cover::Hard => defence.push((rules.cover.hard_fire, "hard cover", "ATKM-FIRE-19")),
        }
        let mut worse = Reasons::new();
        if them.is_mob() {
            worse.push((i32::from(rules.worse.mob), "a mob", "ATKM-FIRE-17"));
        }
        match self.zone(them, us.at) {
            Zone::Front => {}
            Zone::Flank => {
                worse.push((i32::from(rules.worse.flank_fire), "fired on in flank", "ATKM-FIRE-18"));
            }
            Zone::Rear => worse.push((i32::from(rules.worse.rear_fire), "fired on in rear", "ATKM-FIRE-18")),
        }
        Shot {
            distance,
            dice: pool,
            colour: us.colour,
            defence,
            defence_colour: them.colour.worse(sum(&worse).clamp(0, 2) as u8),
            worse,
        }
    }

    /// ATKM-TERR-17, ATKM-TERR-18: the cover a target has against an attack along a line.
    pub(crate) fn cover_of(
        &self,
        target: &Unit,
        melee: bool,
        from: tricorne_table::Point,
        to: tricorne_table::Point,
    ) -> Cover {
        if target.kind == Kind::Cavalry || target.is_mob() {
            return Cover::None;
        }
        let rules = self.rules();
        self.land()
            .cover(melee, target.centre(rules), from, to, |p| crate::state::nearest(&target.solids(rules), p))
    }

    /// Enemy units that may be fired at.
    pub(crate) fn targets(&self, no: UnitNo) -> impl Iterator<Item = UnitNo> + '_ {
        let us = self.unit(no);
        let able = self.judge_firer(us).is_ok();
        let army = us.army.enemy();
        self.present()
            .filter(move |(_, u)| able && u.army == army)
            .map(|(t, _)| t)
            .filter(move |&t| self.judge_fire(no, t).is_ok())
    }

    /// Carries out a fire attack (ATKM-DICE-09, ATKM-FIRE-11, ATKM-FIRE-12, ATKM-FIRE-22).
    pub(crate) fn do_fire(
        &mut self,
        no: UnitNo,
        target: UnitNo,
        shot: &Shot,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let (us, them) = (*self.unit(no), *self.unit(target));
        let need = self.rules().needs(shot.colour);
        let need_defence = self.rules().needs(shot.defence_colour);
        let exchange = Exchange::of_shot(self.rules(), shot);
        let Rolled { attack, defence, theirs: hits, .. } = exchange.fire(them.n, chance);
        log.say(|| {
            Event::new("fire", "ATKM-FIRE-09")
                .clause("ATKM-FIRE-11")
                .who(us.id)
                .whom(them.id)
                .faces(&attack.faces)
                .needed(need)
                .made(attack.hits() as i32)
                .modifiers(told(&shot.dice))
                .with("colour", shot.colour.name())
                .with("dice", sum(&shot.dice))
                .with("distance", crate::movement::round(shot.distance))
        });
        log.say(|| {
            let mut modifiers = told(&shot.defence);
            modifiers.extend(told(&shot.worse).into_iter().map(|mut m| {
                m.reason = format!("colour worse: {}", m.reason);
                m
            }));
            let mut event = Event::new("fire_defence", "ATKM-FIRE-10")
                .clause("ATKM-FIRE-12")
                .who(them.id)
                .whom(us.id)
                .faces(&defence.faces)
                .needed(need_defence)
                .made(defence.hits() as i32)
                .modifiers(modifiers)
                .with("colour", shot.defence_colour.name())
                .with("dice", sum(&shot.defence))
                .with("casualties", hits);
            event.outcome = Some(if hits > 0 { "hit" } else { "missed" }.into());
            event
        });
        if let Some(a) = &mut self.state.activation {
            a.fired = true;
        }
        if hits == 0 {
            return;
        }
        let at_risk = self.at_risk(&[target]);
        self.lose(target, hits);
        self.worsen_by_fire(target, log);
        self.rout_if_broken(target, log);
        self.risk_generals(&at_risk, false, chance, log);
    }

    /// ATKM-RES-04, ATKM-RES-09; elite troops shrug the first one off (ATKM-ADV-05).
    fn worsen_by_fire(&mut self, no: UnitNo, log: &mut Log) {
        let elite = self.options().adv_quality.is_on();
        let unit = self.unit_mut(no);
        let id = unit.id;
        if elite && unit.quality == crate::state::Quality::Elite && !unit.shrugged {
            unit.shrugged = true;
            log.say(|| Event::new("shrugged_off", "ATKM-ADV-05").who(id));
            return;
        }
        let colour = unit.colour.worse(1);
        if colour != unit.colour {
            unit.colour = colour;
            log.say(|| Event::new("worsened", "ATKM-RES-04").who(id).with("colour", colour.name()));
        }
    }

    /// Privates fall (ATKM-UNIT-10) and the ranks close (ATKM-FORM-25).
    pub(crate) fn lose(&mut self, no: UnitNo, men: u8) {
        if men == 0 {
            return;
        }
        let unit = self.unit_mut(no);
        unit.n -= men.min(unit.n);
        self.state.blood = true;
        if self.unit(no).n > 0 {
            self.close_ranks(no);
        }
    }
}
