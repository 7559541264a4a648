//! House rules as types: each reading of part 6, named as in `options.toml`, which says what it means.

tricorne_drill::options! {
    /// Every option, resolved.
    pub struct Options {
        /// SYW-MODEL-07.
        cav_deep_line: bool,
        /// SYW-MODEL-17.
        group_centre: GroupCentre { MeanOfStands, BoundingBox },
        /// SYW-MODEL-20.
        artillery_arc: ArtilleryArc { N45EachSide = "45_each_side", N45Total = "45_total" },
        /// SYW-LOS-07.
        units_block_sight: UnitsBlockSight { ShootingOnly, Always },
        /// SYW-MODEL-28.
        wheel_cost: WheelCost { OuterArc, Chord, FreeTo45 = "free_to_45" },
        /// SYW-ARMY-15.
        militia_drill: MilitiaDrill { Badly, Normal },
        /// SYW-ARMY-20.
        wing_commanders: u8,
        /// SYW-GROUP-05.
        mixed_group_class: MixedGroupClass { LightsIfAny, MajorityOfStands, ForbidMixing },
        /// SYW-SEQ-04.
        movement_order: MovementOrder { RetreatsThird, RetreatsFree },
        /// SYW-SEQ-05.
        charge_answer_time: ChargeAnswerTime { InMovement, BeforeChargeMove },
        /// SYW-DICE-03.
        or_lines_stack: bool,
        /// SYW-GEN-05.
        training_penalty_scope: TrainingPenaltyScope { WholeBrigade, PerOrder },
        /// SYW-GEN-06.
        cinc_training: CincTraining { PerOrder, Ignored, WholeArmy },
        /// SYW-GEN-08.
        brave_scope: BraveScope { OwnOrCinc, AnyFriend },
        /// SYW-GEN-11.
        cinc_orders: CincOrders { Fixed, D4, FixedPlusD4 },
        /// SYW-GEN-13.
        cinc_ability_source: CincAbilitySource { Counter, Table },
        /// SYW-GEN-20.
        general_loss_die: GeneralLossDie { ShootingOnlyExtraD6, AlwaysExtraD6 },
        /// SYW-GEN-24.
        replacement_cinc_draw: ReplacementCincDraw { One, Three },
        /// SYW-ORDER-02.
        uncommanded_start: UncommandedStart { Choice, Stand },
        /// SYW-ORDER-13.
        disorder_blocks_orders: bool,
        /// SYW-ORDER-17.
        uncommanded_rally: UncommandedRally { RetreatOnly, RetreatOrRout },
        /// SYW-ORDER-18.
        uncommanded_self_cure: bool,
        /// SYW-ORDER-22.
        column_leaves_reserve: ColumnLeavesReserve { AutoLine, AutoLineDisordered, RefuseOrder },
        /// SYW-ORDER-30.
        artillery_halt: ArtilleryHalt { LongRange, OptionalOnly },
        /// SYW-ORDER-33.
        missile_charge: MissileCharge { Allowed, OnlyWithoutMissiles },
        /// SYW-ORDER-41.
        artillery_reserve: ArtilleryReserve { MoveOrPivot, PivotOnly, MoveAndPivot },
        /// SYW-ORDER-44.
        square_undo: SquareUndo { ReserveOnly, StandToo },
        /// SYW-MOVE-11.
        square_lights: SquareLights { No, LightInfantryToo },
        /// SYW-TERR-05.
        minus_6d4_line: Minus6d4Line { Type4, RiverCrossing, Ignore },
        /// SYW-TERR-06.
        terrain_cost: TerrainCost { Proportional, WholeMove },
        /// SYW-TERR-10.
        light_terrain_disorder: LightTerrainDisorder { Never, ByLoweredType },
        /// SYW-INTER-05.
        light_massed_disorder: LightMassedDisorder { None, Both },
        /// SYW-SHOOT-02.
        shot_die: ShotDie { PerUnitAndTarget, PerStand },
        /// SYW-SHOOT-06.
        result_bands: ResultBands { Floor, Strict },
        /// SYW-SHOOT-12.
        moved_span: MovedSpan { CurrentPhase, OwnLastMove },
        /// SYW-SHOOT-14.
        hard_cover_small_arms: i32,
        /// SYW-SHOOT-24.
        lights_second_shot: LightsSecondShot { TwoShots, ShotPerPair, SecondShotNoExtra },
        /// SYW-SHOOT-25.
        rear_rank_fires: RearRankFires { FrontOnly, AllRanks },
        /// SYW-SHOOT-27.
        bounce_trigger: BounceTrigger { Score4 = "score_4", KillOnly },
        /// SYW-SHOOT-29.
        bounce_chain: bool,
        /// SYW-SHOOT-40.
        overhead_friends: OverheadFriends { OnLine, Any },
        /// SYW-SHOOT-41.
        howitzer_overhead: HowitzerOverhead { NoHill, Hill },
        /// SYW-SHOOT-49.
        support_range: SupportRange { ActualPosition, At5FromTarget = "at_5_from_target" },
        /// SYW-SHOOT-54.
        chargers_shoot: bool,
        /// SYW-SHOOT-56.
        fallback_no_shoot_span: FallbackNoShootSpan { Phase, GameTurn },
        /// SYW-CHARGE-06.
        charge_allowance: ChargeAllowance { OneAllowance, Separate },
        /// SYW-CHARGE-13.
        charge_after_evade: ChargeAfterEvade { Follow, Halt },
        /// SYW-EVADE-11.
        evader_caught: EvaderCaught { ByCase, AlwaysRout, AlwaysDestroyed },
        /// SYW-FLANK-07.
        column_flank_turn: ColumnFlankTurn { NeedsRoll, Automatic },
        /// SYW-FLANK-09.
        militia_upgraded_turn: u8,
        /// SYW-FLANK-10.
        flank_fail: FlankFail { GroupRouts, UnitRouts },
        /// SYW-FLANK-11.
        flank_no_attempt: FlankNoAttempt { Routs, FightsOn },
        /// SYW-FLANK-13.
        flank_mods_after_turn: FlankModsAfterTurn { Apply, DoNotApply },
        /// SYW-MELEE-04.
        melee_hits: MeleeHits { Both, WinnerOnly },
        /// SYW-MELEE-09.
        turned_column_bonus: bool,
        /// SYW-MELEE-11.
        overlap_from: OverlapFrom { AnyFriend, OwnUnit },
        /// SYW-MELEE-19.
        terrain_double_penalty: TerrainDoublePenalty { Both, Once },
        /// SYW-BREAK-05.
        square_breakthrough: SquareBreakthrough { Eligible, LineOnly, Margin2 = "margin_2" },
        /// SYW-BREAK-09.
        breakthrough_melee: BreakthroughMelee { SameSubphase, NextSubphase },
        /// SYW-BREAK-15.
        wiped_out_breakthrough: WipedOutBreakthrough { MovesOn, Stays },
        /// SYW-ROUT-07.
        rout_speed: RoutSpeed { Plus2 = "plus_2", Normal },
        /// SYW-ROUT-11.
        surrender_trigger: SurrenderTrigger { ContactAndSlower, CaughtAtOnce, NoRouteOnly },
        /// SYW-PURSUE-06.
        pursuit_check: PursuitCheck { BeforeMove, AfterMove },
        /// SYW-MORALE-04.
        shooting_test_time: ShootingTestTime { EndOfSubphase, EndOfPhase },
        /// SYW-MORALE-05.
        melee_test_who: MeleeTestWho { AllThatFought, LostOrCasualties },
        /// SYW-MORALE-09.
        infantry_charge_test: InfantryChargeTest { D6Instead, D6Then2d6 = "d6_then_2d6" },
        /// SYW-DEPLOY-04.
        initiative_lc: InitiativeLc { BothKinds, LcOnly },
        /// SYW-DEPLOY-06.
        attacker_is: AttackerIs { InitiativeWinner, SeparateRoll },
        /// SYW-DEPLOY-16.
        ottoman_flank_roll: OttomanFlankRoll { D4AgainstD4, Totals },
        /// SYW-POINTS-07.
        wood_price: WoodPrice { PerLevelPlusWidth, Example },
        /// SYW-MODEL-01.
        table_size: TableSize { N180x120 = "180x120", N150x100 = "150x100", N240x150 = "240x150" },
        /// SYW-LOS-02, SYW-VIS-03.
        wood_sight: f64,
        /// SYW-GEN-22.
        campaign: bool,
        /// SYW-WIN-01.
        turn_limit: u32,
        /// SYW-WIN-02.
        army_break_percent: u32,
        /// SYW-WIN-06.
        victory_lead_percent: u32,
        /// SYW-TERR-19.
        garrison_order: GarrisonOrder { LinedEdge, Type3 = "type_3" },
        /// SYW-MELEE-34.
        work_terrain_penalty: WorkTerrainPenalty { Once, Both },
    }
}
