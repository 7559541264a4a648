//! The readings of the rulebook as typed options (ledger 6.1); `options.toml` names their values.

use std::str::FromStr;

use serde::{Deserialize, Deserializer};

macro_rules! readings {
    ($($(#[$doc:meta])* $name:ident { $($value:ident),+ })+) => {
        $($(#[$doc])*
        #[allow(missing_docs, reason = "options.toml says what each value means")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($value),+ })+
    };
}

readings! {
    /// VF-MODEL-04.
    Rounding { Up, Down }
    /// VF-MODEL-37.
    CommandSight { TerrainOnly, Full }
    /// VF-MODEL-40.
    WheelCost { Arc, Chord }
    /// VF-ARMY-06.
    TurnEnd { UnitsOnly, UnitsWagonsCommanders }
    /// VF-TURN-13.
    CourtCards { SpecialOnly, SpecialPlusActivation }
    /// VF-TURN-15.
    QueenEffect { RestoreFigures, HalfRestore }
    /// VF-TURN-16.
    JackUse { Either, SpecialOnly, Both }
    /// VF-TURN-18.
    JackController { Owner, JackPlayer }
    /// VF-CMD-01.
    Cohesion { Connected, Neighbour }
    /// VF-CMD-02.
    GoodOrder { DistanceOnly, AllOrdered }
    /// VF-CMD-07.
    CommandLink { AnyCommander, RegimentalAndArmy }
    /// VF-CMD-11.
    InitiativeReference { NearestEnemy, HomeEdge }
    /// VF-CMD-12.
    InitiativeLimits { MovementOnly, NoFireOnRetreat }
    /// VF-CMD-14.
    RegimentSequence { OneAtATime, MoveThenFire }
    /// VF-CMD-15.
    RegimentAction { PerSubUnit, SameForAll }
    /// VF-CMD-16.
    MovementRoll { PerSubUnit, PerRegiment }
    /// VF-CMD-25.
    AttachScope { HostSubUnit, WholeGroup }
    /// VF-FIRE-05.
    SquareFire { PerFace, OneFace }
    /// VF-FIRE-13.
    CrewLoss { FullDice, Proportional }
    /// VF-MORALE-02.
    QuarterOf { Current, Start }
    /// VF-MORALE-03.
    SingleFiring { SubUnit, Regiment }
    /// VF-MORALE-11.
    WaverAtEdge { Removed, Halts }
    /// VF-MORALE-12.
    RoutRoll { OneRollDoubled, TwoRolls }
    /// VF-MORALE-13.
    RetreatDirection { AwayFromCause, HomeEdge }
    /// VF-MOVE-02.
    ProximityCheck { Continuous, StartOnly }
    /// VF-MOVE-04.
    SkirmishProximity { Exempt, TowardOrAway }
    /// VF-MOVE-24.
    HalfMoveLimit { AtMostHalf, StrictlyLess }
    /// VF-MOVE-27.
    ShortMarchFire { DeclaredOnly, ByDistance }
    /// VF-TERR-02.
    RoadBonus { WholeMove, AnyPart }
    /// VF-TERR-05.
    SkirmishDifficult { Half, Full }
    /// VF-TERR-10.
    WoodsCover { None, Hard }
    /// VF-CHARGE-06.
    FireThenCharge { Allowed, NotAllowed }
    /// VF-MELEE-10.
    MeleeHalving { Suffered, Inflicted }
    /// VF-MELEE-15.
    MeleeLoser { KillsSuffered, HitsRolled }
    /// VF-SHAKEN-02.
    ShakenTrigger { Crossing, EveryLoss }
    /// VF-SHAKEN-04.
    ShakenModifier { Cumulative, InsteadOfHalf }
    /// VF-SHAKEN-06.
    ShakenPass { Clears, Stays }
    /// VF-SHAKEN-09.
    RallyPenalty { Always, FirstOnly }
    /// VF-ARMYMORALE-03.
    BreakCount { OncePerUnit, EachEvent, WhileRouted }
}

/// Every option with its chosen value.
#[allow(clippy::struct_excessive_bools, reason = "each is a mark of the rulebook")]
#[allow(missing_docs, reason = "options.toml says what each one decides")]
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Options {
    #[serde(deserialize_with = "parsed")]
    pub within_inclusive: bool,
    pub half_rounding: Rounding,
    pub command_los: CommandSight,
    pub wheel_cost: WheelCost,
    pub turn_end_counts: TurnEnd,
    #[serde(deserialize_with = "parsed")]
    pub jokers_in_deck: u8,
    pub court_cards: CourtCards,
    pub queen_effect: QueenEffect,
    pub jack_use: JackUse,
    pub jack_controller: JackController,
    pub cohesion: Cohesion,
    pub good_order: GoodOrder,
    pub command_link: CommandLink,
    pub initiative_reference: InitiativeReference,
    pub initiative_limits: InitiativeLimits,
    pub regiment_sequence: RegimentSequence,
    pub regiment_action: RegimentAction,
    pub movement_roll: MovementRoll,
    pub attach_scope: AttachScope,
    pub square_fire: SquareFire,
    pub artillery_crew_loss: CrewLoss,
    #[serde(deserialize_with = "parsed")]
    pub halving_stacks: bool,
    #[serde(deserialize_with = "parsed")]
    pub artillery_enfilade: bool,
    pub quarter_of: QuarterOf,
    pub single_firing: SingleFiring,
    pub waver_at_edge: WaverAtEdge,
    pub rout_roll: RoutRoll,
    pub retreat_direction: RetreatDirection,
    pub proximity_check: ProximityCheck,
    pub skirmish_proximity: SkirmishProximity,
    #[serde(deserialize_with = "parsed")]
    pub plus3_stacks: bool,
    #[serde(deserialize_with = "parsed")]
    pub commander_move_in_retreat: bool,
    pub half_move_limit: HalfMoveLimit,
    pub short_march_fire: ShortMarchFire,
    pub road_bonus: RoadBonus,
    pub skirmish_difficult: SkirmishDifficult,
    pub woods_cover: WoodsCover,
    pub fire_then_charge: FireThenCharge,
    #[serde(deserialize_with = "parsed")]
    pub square_when_flanked: bool,
    #[serde(deserialize_with = "parsed")]
    pub countercharge_when_activated: bool,
    #[serde(deserialize_with = "parsed")]
    pub elite_heavy_stack: bool,
    pub melee_halving: MeleeHalving,
    #[serde(deserialize_with = "parsed")]
    pub halving_vs_square: bool,
    pub melee_loser: MeleeLoser,
    #[serde(deserialize_with = "parsed")]
    pub pursuit_charges: bool,
    #[serde(deserialize_with = "parsed")]
    pub countercharger_pursuit: bool,
    pub shaken_trigger: ShakenTrigger,
    pub shaken_modifier: ShakenModifier,
    pub shaken_pass: ShakenPass,
    pub rally_penalty: RallyPenalty,
    #[serde(deserialize_with = "parsed")]
    pub rally_reforms: bool,
    pub break_count: BreakCount,
}

/// Option values come as text, `"true"` and `"2"` included.
fn parsed<'de, D: Deserializer<'de>, T: FromStr>(d: D) -> Result<T, D::Error> {
    let text = String::deserialize(d)?;
    text.parse().map_err(|_| serde::de::Error::custom(format!("`{text}` is no value of this option")))
}

impl Options {
    /// Whether a distance is within a limit, both in thousandths (VF-MODEL-02).
    pub fn within(&self, distance: i32, limit: i32) -> bool {
        if self.within_inclusive { distance <= limit } else { distance < limit }
    }

    /// Half of something on which the source is silent (VF-MODEL-04).
    pub fn half(&self, n: u32) -> u32 {
        match self.half_rounding {
            Rounding::Up => n.div_ceil(2),
            Rounding::Down => n / 2,
        }
    }
}
