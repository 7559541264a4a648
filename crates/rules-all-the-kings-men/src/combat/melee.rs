//! Melee (MELEE): the charge, one exchange of dice, and who gives way.

use tricorne_chance::Chance;
use tricorne_drill::{Reasons, refuse};
use tricorne_game::{Event, Illegal, Log};
use tricorne_table::{Point, Shape, angle, sweep, within};

use crate::combat::exchange::{Exchange, Lie, Pools, Rolled};
use crate::field::Engagement;
use crate::formations::Formation;
use crate::movement::sight::Zone;
use crate::movement::terrain::{CONTACT, Cover, overlap};
use crate::movement::{legs, measured};
use crate::options::{BeatenGuns, QueenAndMelee, RoutedSide, SkirmisherCharges};
use crate::rout::Broken;
use crate::rulebook::{Colour, Kind, Share, Target};
use crate::state::{Activation, Benefit, Unit, UnitNo};

/// A charge that was judged legal.
#[derive(Clone, Debug)]
pub struct Charge {
    /// The charger as it stands at contact.
    pub(crate) unit: Unit,
    pub(crate) length: f64,
    pub(crate) allowance: f64,
    pub(crate) zone: Zone,
    pub(crate) pools: Pools,
}

impl Engagement {
    /// Whether a unit may charge at all (ATKM-MELEE-10).
    pub(crate) fn judge_charger(unit: &Unit) -> Result<(), Illegal> {
        let able = match unit.formation {
            Formation::Line(_) => true,
            Formation::Column(_) => !unit.kind.is_artillery(),
            Formation::Loose => unit.kind == Kind::Skirmisher,
            Formation::Mob | Formation::Square => false,
        };
        if able { Ok(()) } else { refuse("ATKM-MELEE-10", "artillery, mobs and squares do not charge") }
    }

    fn judge_charged(&self, us: &Unit, them: &Unit) -> Result<(), Illegal> {
        if them.army == us.army {
            return refuse("ATKM-TEAM-14", format!("{} is a friend", them.id));
        }
        let loose_only = self.options().skirmisher_charges == SkirmisherCharges::LooseTargetsOnly;
        if us.kind == Kind::Skirmisher
            && loose_only
            && !(them.kind == Kind::Skirmisher || them.kind.is_artillery())
        {
            return refuse("ATKM-MELEE-10", "here skirmishers charge only skirmishers and artillery");
        }
        Ok(())
    }

    /// The one judge of charges.
    pub(crate) fn judge_charge(
        &self,
        no: UnitNo,
        benefit: Benefit,
        target: UnitNo,
        path: &[Point],
        facing: Option<f64>,
    ) -> Result<Charge, Illegal> {
        let us = self.unit(no);
        let them = self.unit(target);
        Self::judge_charger(us)?;
        self.judge_charged(us, them)?;
        self.judge_path(path)?;
        let facing = facing.unwrap_or(us.facing);
        if !facing.is_finite() {
            return refuse("ATKM-MELEE-11", "a facing is a number of degrees clockwise from north");
        }
        let Some((&last, before)) = path.split_last() else {
            return refuse("ATKM-MELEE-12", "a charge needs a leg that ends in contact");
        };
        if !us.is_skirmish_line() {
            if !self.within_front(us, facing) {
                let turn = self.rules().march.turn;
                let why = format!("a charger faces within {turn} degrees of its first facing");
                return refuse("ATKM-MELEE-11", why);
            }
            if legs(us.at, path).any(|(a, b)| !self.is_forward(us, b - a)) {
                return refuse("ATKM-MELEE-11", "every leg of a charge goes forward");
            }
        }
        let from = before.last().copied().unwrap_or(us.at);
        let Some(way) = (last - from).unit() else {
            return refuse("ATKM-MELEE-12", "the last leg of a charge needs a length");
        };
        for (a, b) in legs(us.at, before) {
            self.judge_charge_leg(no, us, a, b, None)?;
        }
        let mut poised = *us;
        poised.set_pose(from, angle::normalise(facing));
        let Some(travel) = self.contact(&poised, them, way, from.distance(last) + CONTACT) else {
            return refuse(
                "ATKM-MELEE-12",
                format!("that path does not touch {}; lead it into the target", them.id),
            );
        };
        let at = from + way * travel;
        let mut end = poised;
        end.set_pose(at, facing);
        let mut gone: smallvec::SmallVec<[Point; 8]> = before.into();
        gone.push(at);
        let length: f64 = legs(us.at, &gone).map(|(a, b)| a.distance(b)).sum();
        // Ground slows skirmishers as they will stand (M9, M18).
        let spread_out = self.spread_as_they_stand(no, &mut end, None)?;
        let (allowance, halved) = self.charge_allowance(us, &end, &gone, length, benefit)?;
        if !within(length, allowance) {
            let (clause, because) = match halved {
                Some((why, clause)) => (clause, format!(" because {why}")),
                None => ("ATKM-MOVE-19", String::new()),
            };
            let [far, most] = measured(length, allowance);
            return refuse(
                clause,
                format!("contact is {far} away; the charge may go {most} at most{because}"),
            );
        }
        self.judge_charge_leg(no, &poised, from, at, Some(target))?;
        spread_out?;
        self.judge_contact(no, target, &end)?;
        let zone = self.zone(them, us.at);
        let mut line = self.line_of_attack(us);
        line.extend(gone.iter().copied());
        // A hair further, so that what stands at the very place of contact is met.
        line.push(at + way * CONTACT);
        let lie = Lie { zone, cover: self.cover_of(them, true, &line) };
        let pools = self.melee(us, them, lie);
        Ok(Charge { unit: end, length, allowance, zone, pools })
    }

    /// Nobody but the target may be in a charger's way.
    fn judge_charge_leg(
        &self,
        no: UnitNo,
        unit: &Unit,
        from: Point,
        to: Point,
        target: Option<UnitNo>,
    ) -> Result<(), Illegal> {
        match self.obstacle(no, unit, from, to, target) {
            Some(by) => Err(self.stopped(by, "ATKM-MELEE-12")),
            None => Ok(()),
        }
    }

    /// M21: how far a charger slides until a base of its own touches one of the target.
    fn contact(&self, charger: &Unit, target: &Unit, way: Point, reach: f64) -> Option<f64> {
        let theirs = target.solids(self.rules());
        let way = way * reach;
        let mut least: Option<f64> = None;
        for own in charger.solids(self.rules()) {
            let own = Shape::Rect(own);
            for other in &theirs {
                if let Some(travel) = sweep::travel_to(&own, way, &Shape::Rect(*other))
                    && least.is_none_or(|l| travel < l)
                {
                    least = Some(travel);
                }
            }
        }
        least
    }

    /// M21: the touch lies on the front edge and is no more than a touch, and nobody else stands there. Loose skirmishers
    /// touch with anybody, and have found their places.
    fn judge_contact(&self, no: UnitNo, target: UnitNo, end: &Unit) -> Result<(), Illegal> {
        let rules = self.rules();
        if end.is_skirmish_line() {
            return Ok(());
        }
        let footprint = end.footprint(rules);
        self.standable(&footprint)?;
        let passable = |other: UnitNo, u: &Unit| {
            other == no || other == target || (u.army == end.army && u.is_skirmish_line())
        };
        if let Some(met) = self.overlapped(&footprint, passable) {
            return refuse("ATKM-MELEE-12", format!("it would stand on {}", self.unit(met).id));
        }
        let (ours, theirs) = (end.solids(rules), self.unit(target).solids(rules));
        let pairs = || {
            let theirs = &theirs;
            ours.iter().flat_map(move |own| theirs.iter().map(move |r| (Shape::Rect(*own), Shape::Rect(*r))))
        };
        // Whoever turns where he touches already would come to stand among them.
        if pairs().any(|(own, other)| overlap(&own, &other)) {
            let why = format!("turned so it would stand on {}; face it as it slides", self.unit(target).id);
            return refuse("ATKM-MELEE-12", why);
        }
        // The middle of the edge they share lies on the front; a touch with a flank does not count.
        let frame = end.frame();
        let on_front = |own: &Shape, other: &Shape| frame.to_local(own.contact(other)).y >= -CONTACT;
        if pairs().any(|(own, other)| own.is_within(&other, CONTACT) && on_front(&own, &other)) {
            Ok(())
        } else {
            refuse("ATKM-MELEE-12", "the charger must touch with its front edge; face the target")
        }
    }

    fn charge_allowance(
        &self,
        us: &Unit,
        end: &Unit,
        path: &[Point],
        length: f64,
        benefit: Benefit,
    ) -> Result<(f64, Option<crate::movement::Why>), Illegal> {
        self.allowance(us, end, path, length, benefit).map(|(allowance, halved, _)| (allowance, halved))
    }

    /// ATKM-MELEE-24: fresh foot in line, struck in front; foot in square against horse in any colour (ATKM-ADV-01).
    fn is_steady(us: &Unit, them: &Unit, zone: Zone) -> bool {
        let formed = matches!(them.formation, Formation::Line(_) | Formation::Square);
        let fresh =
            them.colour == Colour::Green || (them.formation == Formation::Square && us.kind == Kind::Cavalry);
        them.kind == Kind::Infantry && formed && fresh && zone == Zone::Front
    }

    /// Both pools of a melee (ATKM-MELEE-02, 03, 09, 13..15, 24).
    pub(crate) fn melee(&self, us: &Unit, them: &Unit, lie: Lie) -> Pools {
        let rules = self.rules();
        let horse_on_square = us.kind == Kind::Cavalry && them.formation == Formation::Square;
        let steady = Self::is_steady(us, them, lie.zone);
        let column = if steady { Target::SteadyInfantry } else { Self::target_of(them) };
        let [each, mut each_defence] = rules.melee_dice(us.kind, column).unwrap_or([Share::NONE; 2]);
        // ATKM-ADV-01.
        if horse_on_square {
            each_defence = each_defence.max(rules.advanced.square_dice);
        }
        let mut dice = Reasons::new();
        dice.note(each.of(us.n), "charging", "ATKM-MELEE-09");
        let mut defence = Reasons::new();
        let (who, clause) =
            if steady { ("standing steady", "ATKM-MELEE-24") } else { ("charged", "ATKM-MELEE-09") };
        defence.note(each_defence.of(them.n), who, clause);
        let colour = match lie.cover {
            Cover::Soft | Cover::Hard => us.colour,
            Cover::None if self.options().adv_cavalry_green && us.kind != Kind::Cavalry => {
                us.colour.better(rules.advanced.charger_better)
            }
            Cover::None => Colour::Green,
        };
        match lie.cover {
            Cover::None => {}
            Cover::Soft => defence.line(&rules.cover.soft_melee),
            Cover::Hard => defence.line(&rules.cover.hard_melee),
        }
        let higher = self.options().adv_high_ground && self.stands_higher(them, us.at);
        defence.line_if(higher, &rules.advanced.high_ground_dice);
        let worse = rules.worse.melee.of(them.is_mob(), lie.zone);
        let defence_colour = them.colour.worse(worse.sum().clamp(0, 2) as u8);
        let shares = [(us.n, each), (them.n, each_defence)];
        Pools { dice, colour, defence, worse, defence_colour, shares, own: them.colour }
    }

    /// ATKM-ADV-03: the defender is on a hill and the charger started off it, or lower on it.
    fn stands_higher(&self, them: &Unit, charger_from: Point) -> bool {
        let centre = them.centre(self.rules());
        self.land().hill_at(centre).is_some_and(|hill| {
            !hill.ground.contains(charger_from)
                || hill.peak.is_some_and(|p| !within(charger_from.distance(p), centre.distance(p)))
        })
    }

    /// Carries out a charge (ATKM-MELEE-23 gives the order).
    pub(crate) fn do_charge(
        &mut self,
        activation: Activation,
        target: UnitNo,
        charge: &Charge,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let no = activation.unit;
        if let Some(a) = &mut self.state.activation {
            a.fought = true;
        }
        let mut at_contact = charge.unit;
        at_contact.colour = self.unit(no).colour;
        *self.unit_mut(no) = at_contact;
        let (us, them) = (*self.unit(no), *self.unit(target));
        let centres = [us.centre(self.rules()), them.centre(self.rules())];
        let at_risk = self.at_risk(&[target, no]);
        let rules = self.rules();
        let Rolled { attack, defence, ours: our_loss, theirs: their_loss } =
            Exchange::of(rules, &charge.pools).fight(us.n, them.n, chance);
        log.say(|| {
            charge
                .pools
                .attack_event("charge", "ATKM-MELEE-02", rules, &attack)
                .clause("ATKM-MELEE-09")
                .who(us.id)
                .whom(them.id)
                .with("length", crate::movement::round(charge.length))
                .with("zone", charge.zone.name())
        });
        log.say(|| {
            charge
                .pools
                .defence_event("charge_defence", "ATKM-MELEE-03", rules, &defence)
                .clause("ATKM-MELEE-04")
                .who(them.id)
                .whom(us.id)
                .with("their_losses", their_loss)
                .with("our_losses", our_loss)
                .outcome(match (their_loss > 0, our_loss > 0) {
                    (true, true) => "both",
                    (true, false) => "charged",
                    (false, true) => "chargers",
                    (false, false) => "nobody",
                })
        });
        // Its move has ended here: friends make way, and generals under it, before anybody falls back (ATKM-MOVE-17,
        // ATKM-GEN-10).
        self.settle(no, us, log);
        let stood = [no, target].map(|unit| self.unit(unit).at);
        self.lose(target, their_loss);
        self.lose(no, our_loss);
        let they_rout = self.rout_if_broken(target, log);
        let we_rout = self.rout_if_broken(no, log);
        self.risk_generals(&at_risk, true, chance, log);
        self.redden(no, activation.benefit, log);
        self.redden(target, Benefit::None, log);
        let by_losses = self.options().routed_side == RoutedSide::ByLosses;
        match (we_rout, they_rout) {
            (true, true) => {}
            (true, false) => {
                if by_losses && their_loss > our_loss {
                    self.beaten(target, no, centres[1], centres[0], log);
                }
            }
            (false, true) => {
                if by_losses && our_loss > their_loss {
                    self.beaten(no, target, centres[0], centres[1], log);
                }
            }
            (false, false) if their_loss > our_loss => {
                self.beaten(target, no, centres[1], centres[0], log);
                // Only an enemy that this melee made a mob is pursued.
                if !them.is_mob() {
                    self.offer_pursuit(no, target);
                }
            }
            (false, false) if our_loss > their_loss => {
                self.beaten(no, target, centres[0], centres[1], log);
            }
            (false, false) => self.controlled_retreat(target, no, centres, log),
        }
        for (unit, stood) in [no, target].into_iter().zip(stood) {
            let stands = *self.unit(unit);
            // Ranks that could not close stay as they are until the unit moves (M12).
            if stands.present() && stands.at != stood {
                self.settle(unit, stands, log);
            }
        }
    }

    /// ATKM-RES-05; a Queen may excuse her charger (`queen_and_melee`).
    fn redden(&mut self, no: UnitNo, benefit: Benefit, log: &mut Log) {
        let spared =
            benefit == Benefit::Queen && self.options().queen_and_melee == QueenAndMelee::KeepsColour;
        let unit = self.unit_mut(no);
        if unit.present() && !spared && unit.colour != Colour::Red {
            unit.colour = Colour::Red;
            let id = unit.id;
            log.say(|| {
                let event = Event::new("worsened", "ATKM-RES-05").who(id);
                event.with("colour", "red").with("because", "in the melee")
            });
        }
    }

    /// ATKM-MELEE-05, ATKM-MOB-13: the loser becomes a mob and falls back.
    fn beaten(&mut self, loser: UnitNo, winner: UnitNo, centre: Point, from: Point, log: &mut Log) {
        let unit = *self.unit(loser);
        if unit.kind.is_artillery() && self.options().beaten_guns == BeatenGuns::Lost {
            self.rout(loser, Broken::GunsLost, log);
            return;
        }
        self.fall_back(loser, winner, centre, from, log);
    }
}
