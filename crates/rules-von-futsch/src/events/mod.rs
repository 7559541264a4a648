//! The events deck (ledger 4.13).

pub(crate) mod choose;
use serde::{Deserialize, Serialize};
use tricorne_chance::{Card, Chance};
use tricorne_drill::refuse;
use tricorne_game::{Event, Illegal, Log, Side, UnitId};

use crate::action::Action;
use crate::field::{Field, bits};
use crate::model::measure::{Decimal, exact};
use crate::model::{Cr, Formation, Kind, Level, Nr, Quality};
use crate::rulebook::inch;
use crate::state::Fate;

macro_rules! cards {
    ($($name:ident = $text:literal),+ $(,)?) => {
        /// A card of the events deck.
        #[allow(missing_docs, reason = "events.toml says what each one does")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum EventCard { $($name),+ }

        impl EventCard {
            /// All sixteen.
            pub const ALL: [EventCard; 16] = [$(EventCard::$name),+];

            /// The card of that name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|card| card.name() == name)
            }

            /// Its name in files and scripts.
            pub fn name(self) -> &'static str {
                match self { $(EventCard::$name => $text),+ }
            }
        }
    };
}

cards! {
    PowderCart = "powder_cart",
    LostGalloper = "lost_galloper",
    ForcedMarch = "forced_march",
    Stragglers = "stragglers",
    Cloudburst = "cloudburst",
    BankOfSmoke = "bank_of_smoke",
    AMarkForEveryBall = "a_mark_for_every_ball",
    CryOfTreason = "cry_of_treason",
    DrummerBoy = "drummer_boy",
    SecondWind = "second_wind",
    Deserters = "deserters",
    DinnerHour = "dinner_hour",
    TheGeneralsGout = "the_generals_gout",
    HeavyClay = "heavy_clay",
    BurstGun = "burst_gun",
    Parley = "parley",
}

impl Card for EventCard {
    fn label(&self) -> String {
        self.name().to_owned()
    }
}

/// What was chosen for a card.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    /// The unit, or a unit of the group.
    pub unit: Nr,
    /// The commander aimed at.
    pub commander: Option<Cr>,
    /// The facing taken.
    pub facing: Option<Decimal>,
}

impl Field {
    /// Whether a card asks for a choice.
    pub(crate) fn event_chooses(card: EventCard) -> bool {
        !matches!(
            card,
            EventCard::Cloudburst
                | EventCard::BankOfSmoke
                | EventCard::TheGeneralsGout
                | EventCard::HeavyClay
                | EventCard::Parley
        )
    }

    /// Whether a unit fits a card (VF-EVENT-11 to -25).
    pub(crate) fn event_fits(&self, side: Side, card: EventCard, u: Nr) -> Result<(), Illegal> {
        let unit = self.unit(u);
        let id = || self.name(u);
        let clause = self.b.rulebook.event(card).map_or("VF-EVENT-02", |t| t.clause.as_str());
        let own = !matches!(
            card,
            EventCard::LostGalloper
                | EventCard::CryOfTreason
                | EventCard::Deserters
                | EventCard::DinnerHour
                | EventCard::BurstGun
        );
        if !unit.here() || (self.side(u) == side) != own {
            return refuse(clause, format!("{} is not on the side this card is about", id()));
        }
        let ordered = !unit.disordered && !unit.shaken;
        let kind = self.kind(u);
        let n = &self.p().events;
        let fits = match card {
            EventCard::PowderCart => {
                ordered
                    && (matches!(kind, Kind::Infantry | Kind::Skirmish)
                        || unit.formation == Formation::Unlimbered)
            }
            EventCard::LostGalloper | EventCard::ForcedMarch => self.fresh(self.group_of(u)) != 0,
            EventCard::Stragglers => {
                self.lost(u) > 0 && !self.enemy_within(side, &unit.body, inch(n.stragglers_clear))
            }
            EventCard::AMarkForEveryBall => ordered && matches!(kind, Kind::Infantry | Kind::Skirmish),
            EventCard::CryOfTreason | EventCard::Deserters => true,
            EventCard::DrummerBoy => unit.disordered && !unit.shaken,
            EventCard::SecondWind => unit.turn.activated && ordered && !self.near_enemy(side, &unit.body),
            EventCard::DinnerHour => {
                let group = self.group_of(u);
                self.fresh(group) != 0
                    && bits(group)
                        .all(|m| !self.enemy_within(self.side(m), &self.unit(m).body, inch(n.dinner_clear)))
            }
            EventCard::BurstGun => unit.formation == Formation::Unlimbered,
            _ => false,
        };
        if fits { Ok(()) } else { refuse(clause, format!("{} does not fit this card", id())) }
    }

    /// Whether an enemy commander can be aimed at (VF-EVENT-17).
    pub(crate) fn event_aim(&self, u: Nr, c: Cr) -> Result<(), Illegal> {
        let id = self.chief(c).id;
        if self.chief(c).side == self.side(u) || self.commander(c).gone.is_some() {
            return refuse("VF-EVENT-17", format!("{id} is no enemy commander in play"));
        }
        let body = self.commander_body(c);
        let range = self.p().events.mark_range;
        if !self.o().within(self.unit(u).body.gap_mils(&body), inch(range)) {
            return refuse("VF-EVENT-17", format!("{id} is more than {range} from {}", self.name(u)));
        }
        if self.aims_at_commander(u, c).is_none() {
            return refuse("VF-EVENT-17", format!("{id} is not in the arc and sight of {}", self.name(u)));
        }
        Ok(())
    }

    /// Judges the choice for a card (D-EVENT).
    pub(crate) fn judge_event(
        &self,
        side: Side,
        card: EventCard,
        unit: UnitId,
        commander: Option<UnitId>,
        facing: Option<Decimal>,
    ) -> Result<Chosen, Illegal> {
        let u = self.named(unit)?;
        self.event_fits(side, card, u)?;
        let commander = match (card, commander) {
            (EventCard::AMarkForEveryBall, Some(id)) => {
                let Some(c) = self.b.commander_named(id) else {
                    return refuse("VF-EVENT-17", format!("there is no commander {id}"));
                };
                self.event_aim(u, c)?;
                Some(c)
            }
            (EventCard::AMarkForEveryBall, None) => {
                return refuse("VF-EVENT-17", "name the enemy commander aimed at as well");
            }
            _ => None,
        };
        if card == EventCard::DrummerBoy
            && let Some(facing) = facing
        {
            self.judge_face(u, facing)?;
        }
        Ok(Chosen { unit: u, commander, facing })
    }

    /// Every choice that can be listed for a card.
    pub(crate) fn event_choices(&self, side: Side, card: EventCard) -> Vec<Action> {
        let mut list = Vec::new();
        for u in self.present() {
            if self.event_fits(side, card, u).is_err() {
                continue;
            }
            let unit = self.spec(u).id;
            if card == EventCard::AMarkForEveryBall {
                for c in self.chiefs() {
                    if self.event_aim(u, c).is_ok() {
                        list.push(Action::Choose { unit, commander: Some(self.chief(c).id), facing: None });
                    }
                }
            } else {
                list.push(Action::Choose { unit, commander: None, facing: None });
            }
        }
        list
    }

    /// Carries out a card without a choice, or one that nothing fits (VF-EVENT-02).
    pub(crate) fn event_at_large(&mut self, side: Side, card: EventCard, log: &mut Log) {
        match card {
            card if self.s.spell.cast(card) => {}
            EventCard::TheGeneralsGout => {
                let general = self.loose_chiefs(side.enemy()).find(|&c| self.chief(c).level == Level::Army);
                match general {
                    Some(c) => {
                        let commander = self.commander_mut(c);
                        commander.turn.activated = true;
                        commander.turn.gout = true;
                    }
                    None => self.nothing_fitted(card, log),
                }
            }
            _ => self.nothing_fitted(card, log),
        }
    }

    /// Carries out a card with its choice.
    pub(crate) fn event_on(
        &mut self,
        card: EventCard,
        chosen: Chosen,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let u = chosen.unit;
        let id = self.spec(u).id;
        log.say(|| {
            let event = Event::new("event_chosen", "VF-EVENT-02").who(id).with("card", card.name());
            // Some cards are about a whole group.
            match card {
                EventCard::LostGalloper | EventCard::ForcedMarch | EventCard::DinnerHour => {
                    event.with("called", self.told_together(self.group_of(u)))
                }
                _ => event.with("called", self.told(u)),
            }
        });
        match card {
            EventCard::PowderCart => self.unit_mut(u).turn.held_fire = true,
            EventCard::LostGalloper => {
                for m in bits(self.group_of(u)) {
                    self.unit_mut(m).turn.lost_galloper = true;
                }
            }
            EventCard::ForcedMarch => {
                for m in bits(self.group_of(u)) {
                    self.unit_mut(m).turn.forced_march = true;
                }
            }
            EventCard::Stragglers => self.restore(u, "VF-EVENT-14", chance, log),
            EventCard::AMarkForEveryBall => {
                if let Some(c) = chosen.commander {
                    self.aimed_shot(u, c, chance, log);
                }
            }
            EventCard::CryOfTreason => {
                self.test(u, None, false, "after the cry", chance, log);
            }
            EventCard::DrummerBoy => {
                self.restore_order(u);
                if let Some(facing) = chosen.facing
                    && let Ok(place) = self.judge_face(u, facing)
                {
                    self.turn_to(u, place);
                }
                let faces = exact(self.unit(u).place.t);
                log.say(|| {
                    Event::new("reforms", "VF-EVENT-19").who(id).outcome("stay").with("facing", faces)
                });
            }
            EventCard::SecondWind => self.unit_mut(u).turn.activated = false,
            EventCard::Deserters => {
                let die = (self.spec(u).quality == Quality::Poor).then(|| chance.d6("event_die"));
                self.event_losses(u, die, "VF-EVENT-21", chance, log);
            }
            EventCard::DinnerHour => {
                for m in bits(self.group_of(u)) {
                    self.unit_mut(m).turn.activated = true;
                }
            }
            EventCard::BurstGun => self.burst_gun(u, chance, log),
            _ => {}
        }
    }

    fn aimed_shot(&mut self, u: Nr, c: Cr, chance: &mut dyn Chance, log: &mut Log) {
        let die = chance.d6("event_die");
        let n = self.p().events;
        let (wounds, dazes) = (die >= n.mark_wounds, die >= n.mark_dazes);
        let (who, whom) = (self.spec(u).id, self.chief(c).id);
        log.say(|| {
            Event::new("aimed_shot", "VF-EVENT-17").who(who).whom(whom).faces(&[die]).outcome(
                match (wounds, dazes) {
                    (true, _) => "wounded",
                    (false, true) => "dazed",
                    (false, false) => "missed",
                },
            )
        });
        if wounds {
            self.lose_commander(c, Fate::Wounded, log);
        } else if dazes {
            self.commander_mut(c).turn.dazed = true;
        }
    }

    fn burst_gun(&mut self, u: Nr, chance: &mut dyn Chance, log: &mut Log) {
        let die = chance.d6("event_die");
        let n = self.p().events;
        let (crew, silent) = (die <= n.burst_crew, die <= n.burst_silent);
        let id = self.spec(u).id;
        log.say(|| {
            Event::new("burst_gun", "VF-EVENT-25").who(id).faces(&[die]).outcome(match (crew, silent) {
                (true, _) => "crew",
                (false, true) => "silent",
                (false, false) => "nothing",
            })
        });
        if crew {
            let die = chance.d6("event_die");
            self.event_losses(u, Some(die), "VF-EVENT-25", chance, log);
        } else if silent {
            let unit = self.unit_mut(u);
            unit.turn.silenced = true;
            unit.turn.held_fire = false;
        }
    }

    /// Losses from a card, half of a die or one man without it: no quarter check, but the unit can be Shaken or gone
    /// (VF-EVENT-21, -27).
    fn event_losses(
        &mut self,
        u: Nr,
        die: Option<u8>,
        clause: &'static str,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        let n = die.map_or(1, |die| die.div_ceil(2)).min(self.unit(u).strength);
        let shaken = self.take_off(u, n);
        let (id, left) = (self.spec(u).id, self.unit(u).strength);
        log.say(|| {
            let event = Event::new("event_losses", clause).who(id).made(i32::from(n)).with("left", left);
            event.faces(die.as_slice()).with("rounded", die.is_some_and(|die| !die.is_multiple_of(2)))
        });
        if left == 0 {
            self.remove(u, Fate::Destroyed, false, log);
            return;
        }
        self.take_off_base(u);
        if shaken {
            self.test(u, None, true, "after its losses", chance, log);
        }
    }

    /// A card that changes nothing, and why (VF-EVENT-02).
    fn nothing_fitted(&self, card: EventCard, log: &mut Log) {
        let why = self.b.rulebook.event(card).map_or("", |text| text.nobody.as_str());
        log.say(|| Event::new("no_effect", "VF-EVENT-02").with("card", card.name()).with("because", why));
    }
}
