//! The readings of part 6.1 as types: a value nobody offers can't be written.

tricorne_drill::options! {
    /// All readings in force in a battle.
    #[derive(Copy)]
    pub struct Options {
        /// WBK-TURN-01.
        turn_order: TurnOrder { Igougo, Cards },
        /// WBK-TURN-03.
        activation_sequence: ActivationSequence { FreeOrder, RallyFirst },
        /// WBK-ACT-05.
        failed_order_status: FailedOrderStatus { Keeps, LosesGround },
        /// WBK-ACT-13.
        activation_discipline: ActivationDiscipline { NotAdded, Added },
        /// WBK-ACT-14.
        declare_detail: DeclareDetail { ActionAndTarget, ActionOnly },
        /// WBK-CONV-10.
        halving_minimum: u8,
        /// WBK-CONV-05.
        value_plus_one: ValuePlusOne { Easier, Harder },
        /// WBK-CONV-06.
        best_value: i32,
        /// WBK-CONV-07.
        remainder_hits: RemainderHits { Lost, CarryInTurn },
        /// WBK-MOD-30.
        units_block_sight: UnitsBlockSight { All, FriendsOnly, None },
        /// WBK-MOD-30.
        unit_block_shape: UnitBlockShape { Hull, Bases },
        /// WBK-MOVE-06.
        difficult_cost: DifficultCost { DoubleCost, HalfTotal },
        /// WBK-ATT-03.
        attack_reach: AttackReach { Path, Straight },
        /// WBK-ATT-07.
        crewed_attack: CrewedAttack { Forbidden, Allowed },
        /// WBK-ATT-41.
        hits_required_mode: HitsRequiredMode { PerCasualty, FlatDeduction },
        /// WBK-ATT-42.
        uphill_applies_to: UphillAppliesTo { EitherSide, DefenderOnly },
        /// WBK-ATT-15.
        melee_plus_one_stack: MeleePlusOneStack { Single, Cumulative },
        /// WBK-ATT-22.
        melee_casualty_count: MeleeCasualtyCount { Removed, Scored },
        /// WBK-ATT-27.
        loser_sequence: LoserSequence { RetreatThenTest, TestThenRetreat },
        /// WBK-ATT-34.
        follow_up_timing: FollowUpTiming { AfterTest, BeforeTest },
        /// WBK-ATT-35.
        follow_up_reach: FollowUpReach { BasicMove, HalfMove, Unlimited },
        /// WBK-FIRE-05.
        crewed_weapon_arc: CrewedWeaponArc { Front90 = "front_90", Front180 = "front_180", None },
        /// WBK-FIRE-07.
        charge_range_measure: ChargeRangeMeasure { Straight, Path },
        /// WBK-FIRE-10.
        ignored_targets: IgnoredTargets { May, NeverObligeNorSatisfy },
        /// WBK-FIRE-17.
        range_boundary: RangeBoundary { ShortInclusive, LongInclusive },
        /// WBK-FIRE-35.
        cover_long_combine: CoverLongCombine { Add, Multiply, Highest },
        /// WBK-FIRE-23.
        cover_majority: CoverMajority { OverHalf, HalfOrMore },
        /// WBK-FIRE-27.
        mg_jam: MgJam { ShotLost, HitsCount, HitsCountThenSilent },
        /// WBK-FIRE-32.
        cavalry_double_hits: CavalryDoubleHits { MeleeOnly, MeleeAndFire },
        /// WBK-DBL-06.
        double_target: DoubleTarget { ChooseAfterDie, DeclareFirst },
        /// WBK-CLOSE-14.
        leave_close_order: LeaveCloseOrder { WithMove, OwnAction, Free },
        /// WBK-CLOSE-16.
        form_close_move: FormCloseMove { None, HalfMove },
        /// WBK-PIN-10.
        pin_markers: PinMarkers { Stack, Single },
        /// WBK-PIN-12.
        leaderless_tests: LeaderlessTests { Eight, OldValue },
        /// WBK-PIN-14.
        off_table_counts: OffTableCounts { LostNoTest, AsRout },
        /// WBK-GTG-10.
        gtg_kept_by: GtgKeptBy { StandToOnly, StandToOrFire },
        /// WBK-RALLY-09.
        rally_rout_on: RallyRoutOn { Modified, Natural },
        /// WBK-RETREAT-18.
        retreat_clearance: f64,
        /// WBK-RETREAT-07.
        retreat_shortfall: RetreatShortfall { WholeInches, AnyPart },
        /// WBK-RETREAT-19.
        retreat_friend_block: RetreatFriendBlock { Free, Casualties },
        /// WBK-RETREAT-10.
        retreat_off_edges: RetreatOffEdges { Any, OwnEdge },
        /// WBK-RETREAT-11.
        retreat_direction: RetreatDirection { AwayFromEnemy, OwnEdge },
        /// WBK-RETREAT-15.
        retreat_losses: RetreatLosses { Bare, CountForTest, LeaderRoll },
        /// WBK-LEAD-04.
        leader_loss: LeaderLoss { AmongLosses, ExtraModel },
        /// WBK-LEAD-02.
        leadership_source: LeadershipSource { Rolled, Fixed },
        /// WBK-LEAD-07.
        leader_traits: bool,
        /// WBK-LEAD-09.
        one_leader_only: bool,
        /// WBK-FORCE-13.
        theoretical_strength: SideSwitch { Off, On, Imperial, Native },
        /// WBK-SOLO-01.
        solo: SideSwitch,
    }
}

impl Options {
    /// Half of a number, rounded down (WBK-CONV-01), at least what WBK-CONV-10 says.
    pub fn half(&self, n: u8) -> u8 {
        (n / 2).max(n.min(self.halving_minimum))
    }
}
