//! Fire (FIRE): who may fire at whom, with how many dice, and what comes of it.

use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_drill::{Line, Reasons, refuse};
use tricorne_game::{Event, Illegal, Log, UnitId};
use tricorne_table::{Point, within};

use crate::combat::exchange::{Exchange, Lie, Pools, Rolled};
use crate::field::Engagement;
use crate::formations::{self, Formation};
use crate::movement::measured;
use crate::movement::terrain::Cover;
use crate::options::ArtilleryColumnFire;
use crate::rulebook::{Colour, Kind, Share, Target};
use crate::state::{Unit, UnitNo};

/// A shot that was judged legal: both pools before they are rolled.
#[derive(Clone, Debug)]
pub struct Shot {
    pub(crate) distance: f64,
    pub(crate) pools: Pools,
}

/// What losses by fire do to a unit's colour.
enum Nerve {
    /// Nothing: it is red already (ATKM-RES-09).
    Steady,
    /// Nothing yet: elite troops pass over the first of them (ATKM-ADV-05). What they passed over is nothing if they were
    /// red already.
    ShruggedOff { red: bool },
    /// It turns a worse one, for a reason (ATKM-RES-04).
    Worse(Colour, Line),
}

impl Nerve {
    fn tell(self, who: UnitId, log: &mut Log) {
        match self {
            Self::Steady => {}
            Self::ShruggedOff { red } => log.say(|| {
                let event = Event::new("shrugged_off", "ATKM-ADV-05").who(who);
                if red { event.outcome("red") } else { event }
            }),
            Self::Worse(colour, why) => log.say(|| {
                let event = Event::new("worsened", why.clause).who(who);
                event.with("colour", colour.name()).with("because", why.reason)
            }),
        }
    }
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
            Kind::Infantry if self.options().adv_rifles => Some(advanced.rifle_infantry),
            Kind::Skirmisher if self.options().adv_rifles => Some(advanced.rifle_skirmisher),
            kind => self.rules().profile(kind).range,
        }
    }

    /// ATKM-FIRE-09, ATKM-FORM-03, ATKM-FORM-08: privates who may fire.
    pub(crate) fn firing_privates(&self, unit: &Unit) -> u8 {
        let ranks = self.rules().volley.ranks;
        match unit.formation {
            Formation::Line(r) => unit.n.min(ranks.saturating_mul(formations::files(unit.n, r))),
            Formation::Column(c) if !unit.kind.is_artillery() => unit.n.min(ranks.saturating_mul(c)),
            Formation::Square => unit.n / self.rules().advanced.square_fire_divisor.max(1),
            _ => unit.n,
        }
    }

    /// Whether a unit may fire at all in its formation (ATKM-FIRE-01..03), and anybody in it (ATKM-ADV-01).
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
        if self.firing_privates(unit) == 0 {
            return refuse("ATKM-ADV-01", "so few are left in the square that none of them fires");
        }
        Ok(range)
    }

    /// The one judge of fire.
    pub(crate) fn judge_fire(&self, no: UnitNo, target: UnitNo) -> Result<Shot, Illegal> {
        self.judge_fire_as(no, self.unit(no), target, self.unit(target))
    }

    /// The same as if firer or target stood otherwise than they do.
    pub(crate) fn judge_fire_as(
        &self,
        no: UnitNo,
        us: &Unit,
        target: UnitNo,
        them: &Unit,
    ) -> Result<Shot, Illegal> {
        let rules = self.rules();
        let range = self.judge_firer(us)?;
        if them.army == us.army {
            return refuse("ATKM-TEAM-14", format!("{} is a friend", them.id));
        }
        // Cheap no before exact measuring.
        let distance = them.distance(rules, us.at);
        if !within(distance, range) {
            let [far, most] = measured(distance, range);
            return refuse("ATKM-FIRE-04", format!("{} is {far} away; the range is {most}", them.id));
        }
        if !self.in_arc(us, them) {
            let arc = rules.volley.arc;
            return refuse(
                "ATKM-FIRE-07",
                format!("{} is not within the {arc} in front; turn first", them.id),
            );
        }
        self.judge_sight(no, us, target, them)?;
        let lie = self.lie(us, them, false);
        Ok(Shot { distance, pools: self.volley(us, self.firing_privates(us), them, distance, lie) })
    }

    /// How a target lies to a unit that would attack it straight from where it stands.
    pub(crate) fn lie(&self, us: &Unit, them: &Unit, melee: bool) -> Lie {
        let mut line = self.line_of_attack(us);
        line.push(them.centre(self.rules()));
        Lie { zone: self.zone(them, us.at), cover: self.cover_of(them, melee, &line) }
    }

    /// Both pools of a volley by so many men (ATKM-FIRE-09..19).
    pub(crate) fn volley(&self, us: &Unit, men: u8, them: &Unit, distance: f64, lie: Lie) -> Pools {
        let rules = self.rules();
        let [each, each_defence] = rules
            .fire_dice(us.kind, Self::target_of(them), distance, self.options())
            .unwrap_or([Share::NONE; 2]);
        let mut dice = Reasons::new();
        dice.note(each.of(men), "firing", "ATKM-FIRE-09");
        if us.kind.is_artillery() {
            let each = |applies: bool| if applies { i32::from(men) } else { 0 };
            dice.line_times(each(them.formation == Formation::Square), &rules.advanced.square_gun_dice);
            let packed = them.is_mob()
                || (matches!(them.formation, Formation::Column(_))
                    && matches!(them.kind, Kind::Infantry | Kind::Cavalry));
            let dense = self.options().adv_dense_targets && packed;
            dice.line_times(each(dense), &rules.advanced.dense_gun_dice);
        }
        let mut defence = Reasons::new();
        defence.note(each_defence.of(them.n), "under fire", "ATKM-FIRE-10");
        match lie.cover {
            Cover::None => {}
            Cover::Soft => defence.line(&rules.cover.soft_fire),
            Cover::Hard => defence.line(&rules.cover.hard_fire),
        }
        let worse = rules.worse.fire.of(them.is_mob(), lie.zone);
        let defence_colour = them.colour.worse(worse.sum().clamp(0, 2) as u8);
        let shares = [(men, each), (them.n, each_defence)];
        Pools { dice, colour: us.colour, defence, defence_colour, worse, shares, own: them.colour }
    }

    /// M24: from the middle of an attacker's rear edge to its measuring point; the rest is the attack's.
    pub(crate) fn line_of_attack(&self, attacker: &Unit) -> SmallVec<[Point; 8]> {
        let (_, depth) = attacker.extent(self.rules());
        let rear = attacker.frame().to_world(Point::new(0.0, -depth));
        if attacker.is_skirmish_line() {
            smallvec::smallvec![attacker.at]
        } else {
            smallvec::smallvec![rear, attacker.at]
        }
    }

    /// ATKM-TERR-17, ATKM-TERR-18: the cover a target has against an attack along a line.
    pub(crate) fn cover_of(&self, target: &Unit, melee: bool, line: &[Point]) -> Cover {
        if target.kind == Kind::Cavalry || target.is_mob() {
            return Cover::None;
        }
        let rules = self.rules();
        let near = |p: Point| crate::state::nearest(&target.solids(rules), p);
        self.land().cover(melee, target.centre(rules), line, near, |piece| target.is_astride(rules, piece))
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
        let rules = self.rules();
        let Rolled { attack, defence, theirs: hits, .. } =
            Exchange::of(rules, &shot.pools).fire(them.n, chance);
        log.say(|| {
            shot.pools
                .attack_event("fire", "ATKM-FIRE-09", rules, &attack)
                .clause("ATKM-FIRE-11")
                .who(us.id)
                .whom(them.id)
                .with("distance", crate::movement::round(shot.distance))
        });
        log.say(|| {
            shot.pools
                .defence_event("fire_defence", "ATKM-FIRE-10", rules, &defence)
                .clause("ATKM-FIRE-12")
                .who(them.id)
                .whom(us.id)
                .with("casualties", hits)
                .outcome(if hits > 0 { "hit" } else { "missed" })
        });
        if let Some(a) = &mut self.state.activation {
            a.fired = true;
        }
        if hits == 0 {
            return;
        }
        let at_risk = self.at_risk(&[target]);
        self.lose(target, hits);
        // ATKM-FIRE-22 gives the order; of who is gone no colour is told.
        let nerve = self.worsen_by_fire(target);
        if !self.rout_if_broken(target, log) {
            nerve.tell(them.id, log);
        }
        self.risk_generals(&at_risk, false, chance, log);
    }

    /// ATKM-RES-04, ATKM-RES-09; elite troops shrug the first one off (ATKM-ADV-05).
    fn worsen_by_fire(&mut self, no: UnitNo) -> Nerve {
        let (elite, losses) = (self.options().adv_quality, self.rules().tires.losses);
        let unit = self.unit_mut(no);
        if elite && unit.quality == crate::state::Quality::Elite && !unit.shrugged {
            unit.shrugged = true;
            return Nerve::ShruggedOff { red: unit.colour == Colour::Red };
        }
        let colour = unit.colour.worse(losses.value.clamp(0, 2) as u8);
        if colour == unit.colour {
            return Nerve::Steady;
        }
        unit.colour = colour;
        Nerve::Worse(colour, losses)
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
