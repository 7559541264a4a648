//! The readings of part 6.1 as types: a value nobody offers can't be written.

use serde::Deserialize;

macro_rules! readings {
    ($($(#[$doc:meta])* $name:ident { $($(#[$rename:meta])* $value:ident),+ })+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
            #[serde(rename_all = "snake_case")]
            #[allow(missing_docs)]
            pub enum $name { $($(#[$rename])* $value),+ }
        )+
    };
}

readings! {
    /// WBK-TURN-01.
    TurnOrder { Igougo, Cards }
    /// WBK-TURN-03.
    ActivationSequence { FreeOrder, RallyFirst }
    /// WBK-ACT-05.
    FailedOrderStatus { Keeps, LosesGround }
    /// WBK-ACT-13.
    ActivationDiscipline { NotAdded, Added }
    /// WBK-ACT-14.
    DeclareDetail { ActionAndTarget, ActionOnly }
    /// WBK-CONV-10.
    HalvingMinimum { #[serde(rename = "0")] None, #[serde(rename = "1")] One }
    /// WBK-CONV-05.
    ValuePlusOne { Easier, Harder }
    /// WBK-CONV-06.
    BestValue { #[serde(rename = "2")] Two, #[serde(rename = "3")] Three }
    /// WBK-CONV-07.
    RemainderHits { Lost, CarryInTurn }
    /// WBK-MOD-30.
    UnitsBlockSight { All, FriendsOnly, None }
    /// WBK-MOD-30.
    UnitBlockShape { Hull, Bases }
    /// WBK-MOVE-06.
    DifficultCost { DoubleCost, HalfTotal }
    /// WBK-ATT-03.
    AttackReach { Path, Straight }
    /// WBK-ATT-07.
    CrewedAttack { Forbidden, Allowed }
    /// WBK-ATT-41.
    HitsRequiredMode { PerCasualty, FlatDeduction }
    /// WBK-ATT-42.
    UphillAppliesTo { EitherSide, DefenderOnly }
    /// WBK-ATT-15.
    MeleePlusOneStack { Single, Cumulative }
    /// WBK-ATT-22.
    MeleeCasualtyCount { Removed, Scored }
    /// WBK-ATT-27.
    LoserSequence { RetreatThenTest, TestThenRetreat }
    /// WBK-ATT-34.
    FollowUpTiming { AfterTest, BeforeTest }
    /// WBK-ATT-35.
    FollowUpReach { BasicMove, HalfMove, Unlimited }
    /// WBK-FIRE-05.
    CrewedWeaponArc { #[serde(rename = "front_90")] Front90, #[serde(rename = "front_180")] Front180, None }
    /// WBK-FIRE-07.
    ChargeRangeMeasure { Straight, Path }
    /// WBK-FIRE-10.
    IgnoredTargets { May, NeverObligeNorSatisfy }
    /// WBK-FIRE-17.
    RangeBoundary { ShortInclusive, LongInclusive }
    /// WBK-FIRE-35.
    CoverLongCombine { Add, Multiply, Highest }
    /// WBK-FIRE-23.
    CoverMajority { OverHalf, HalfOrMore }
    /// WBK-FIRE-27.
    MgJam { ShotLost, HitsCount, HitsCountThenSilent }
    /// WBK-FIRE-32.
    CavalryDoubleHits { MeleeOnly, MeleeAndFire }
    /// WBK-DBL-06.
    DoubleTarget { ChooseAfterDie, DeclareFirst }
    /// WBK-CLOSE-14.
    LeaveCloseOrder { WithMove, OwnAction, Free }
    /// WBK-CLOSE-16.
    FormCloseMove { None, HalfMove }
    /// WBK-PIN-10.
    PinMarkers { Stack, Single }
    /// WBK-PIN-12.
    LeaderlessTests { Eight, OldValue }
    /// WBK-PIN-14.
    OffTableCounts { LostNoTest, AsRout }
    /// WBK-GTG-10.
    GtgKeptBy { StandToOnly, StandToOrFire }
    /// WBK-RALLY-09.
    RallyRoutOn { Modified, Natural }
    /// WBK-RETREAT-18.
    RetreatClearance {
        #[serde(rename = "1")] OneInch,
        #[serde(rename = "0.05")] Contact,
        #[serde(rename = "2")] TwoInches
    }
    /// WBK-RETREAT-07.
    RetreatShortfall { WholeInches, AnyPart }
    /// WBK-RETREAT-19.
    RetreatFriendBlock { Free, Casualties }
    /// WBK-RETREAT-10.
    RetreatOffEdges { Any, OwnEdge }
    /// WBK-RETREAT-11.
    RetreatDirection { AwayFromEnemy, OwnEdge }
    /// WBK-RETREAT-15.
    RetreatLosses { Bare, CountForTest, LeaderRoll }
    /// WBK-LEAD-04.
    LeaderLoss { AmongLosses, ExtraModel }
    /// WBK-LEAD-02.
    LeadershipSource { Rolled, Fixed }
    /// A switch.
    Switch { Off, On }
    /// A switch for one side or the other.
    SideSwitch { Off, On, Imperial, Native }
}

/// All readings in force in a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[allow(missing_docs)]
pub struct Options {
    pub turn_order: TurnOrder,
    pub activation_sequence: ActivationSequence,
    pub failed_order_status: FailedOrderStatus,
    pub activation_discipline: ActivationDiscipline,
    pub declare_detail: DeclareDetail,
    pub halving_minimum: HalvingMinimum,
    pub value_plus_one: ValuePlusOne,
    pub best_value: BestValue,
    pub remainder_hits: RemainderHits,
    pub units_block_sight: UnitsBlockSight,
    pub unit_block_shape: UnitBlockShape,
    pub difficult_cost: DifficultCost,
    pub attack_reach: AttackReach,
    pub crewed_attack: CrewedAttack,
    pub hits_required_mode: HitsRequiredMode,
    pub uphill_applies_to: UphillAppliesTo,
    pub melee_plus_one_stack: MeleePlusOneStack,
    pub melee_casualty_count: MeleeCasualtyCount,
    pub loser_sequence: LoserSequence,
    pub follow_up_timing: FollowUpTiming,
    pub follow_up_reach: FollowUpReach,
    pub crewed_weapon_arc: CrewedWeaponArc,
    pub charge_range_measure: ChargeRangeMeasure,
    pub ignored_targets: IgnoredTargets,
    pub range_boundary: RangeBoundary,
    pub cover_long_combine: CoverLongCombine,
    pub cover_majority: CoverMajority,
    pub mg_jam: MgJam,
    pub cavalry_double_hits: CavalryDoubleHits,
    pub double_target: DoubleTarget,
    pub leave_close_order: LeaveCloseOrder,
    pub form_close_move: FormCloseMove,
    pub pin_markers: PinMarkers,
    pub leaderless_tests: LeaderlessTests,
    pub off_table_counts: OffTableCounts,
    pub gtg_kept_by: GtgKeptBy,
    pub rally_rout_on: RallyRoutOn,
    pub retreat_clearance: RetreatClearance,
    pub retreat_shortfall: RetreatShortfall,
    pub retreat_friend_block: RetreatFriendBlock,
    pub retreat_off_edges: RetreatOffEdges,
    pub retreat_direction: RetreatDirection,
    pub retreat_losses: RetreatLosses,
    pub leader_loss: LeaderLoss,
    pub leadership_source: LeadershipSource,
    pub leader_traits: Switch,
    pub one_leader_only: Switch,
    pub theoretical_strength: SideSwitch,
    pub solo: SideSwitch,
}

impl Options {
    /// How near a retreat may bring a model to an enemy, in inches.
    pub fn clearance(&self) -> f64 {
        match self.retreat_clearance {
            RetreatClearance::OneInch => 1.0,
            RetreatClearance::Contact => 0.05,
            RetreatClearance::TwoInches => 2.0,
        }
    }

    /// The best value a unit can have.
    pub fn best(&self) -> i32 {
        match self.best_value {
            BestValue::Two => 2,
            BestValue::Three => 3,
        }
    }

    /// Half of a number, rounded down (WBK-CONV-01), at least what WBK-CONV-10 says.
    pub fn half(&self, n: u8) -> u8 {
        match self.halving_minimum {
            HalvingMinimum::None => n / 2,
            HalvingMinimum::One => (n / 2).max(n.min(1)),
        }
    }
}
