//! The readings, switches and advanced options of the rulebook, typed; `options.toml` says what each value means.

tricorne_drill::options! {
    /// Every option of the rulebook, as chosen for a battle.
    pub struct Options {
        /// ATKM-FORM-07: a block as wide as deep.
        square_block: SquareBlock { Line, Column },
        /// ATKM-FORM-21: other ranks or files as a formation change.
        rank_change: RankChange { Change, Free },
        /// ATKM-GEN-04: where generals start.
        general_start: GeneralStart { Zone, Anywhere },
        /// ATKM-GEN-07: what a riding general may cross.
        general_path: GeneralPath { Free, Blocked },
        /// ATKM-TEAM-08: who acts first on a card.
        teammate_order: TeammateOrder { CommanderFirst, CommanderDecides },
        /// ATKM-TEAM-10: the extra price of a distant allied unit.
        allied_distance_cost: AlliedDistanceCost { None, Extra },
        /// ATKM-TEAM-11: the price of a teammate's skirmishers.
        allied_skirmishers: AlliedSkirmishers { One, Free },
        /// ATKM-TEAM-13: one unit activated by two teammates on a card.
        same_unit_same_card: SameUnitSameCard { Allowed, Forbidden },
        /// ATKM-SETUP-03: inches from the edge.
        deploy_depth: u32,
        /// ATKM-TURN-09: which units keep the turn going.
        eligible_means: EligibleMeans { Unmarked, Affordable },
        /// ATKM-TURN-10: refusing an activation.
        passing: Passing { Allowed, Forced },
        /// ATKM-CARD-03: who gets J, Q, K, A in a team.
        special_beneficiary: SpecialBeneficiary { Commander, Rotate },
        /// ATKM-CARD-16: the target of Joker and Two.
        disorder_choice: DisorderChoice { UnmarkedFirst, Any },
        /// ATKM-CARD-20: the colour of a Queen's charger.
        queen_and_melee: QueenAndMelee { Red, KeepsColour },
        /// ATKM-ACT-03: when in the activation fire may come.
        fire_slot: FireSlot { FirstOrLast, Anywhere },
        /// ATKM-RES-08: a marker for a fresh unit made red by melee.
        melee_then_marker: MeleeThenMarker { None, Marker },
        /// ATKM-RES-13: a mob's colour at turn start.
        mob_recovery: MobRecovery { Green, Yellow },
        /// ATKM-CMD-11: the price of a green unit outside the radius.
        distant_green: DistantGreen { Free, One },
        /// ATKM-CMD-13: whose radius counts.
        radius_of: RadiusOf { OwnGeneral, AnyAllied },
        /// ATKM-MOVE-10: what is forward.
        forward_arc: ForwardArc { HalfCircle = "180", QuarterCircle = "90" },
        /// ATKM-MOVE-11: bent paths.
        path_shape: PathShape { Polyline, Straight },
        /// ATKM-MOVE-16: skirmishers through formed friends.
        skirmishers_pass: SkirmishersPass { No, Mutual },
        /// ATKM-MOVE-21: may a mob move.
        mob_move: MobMove { None, Half },
        /// ATKM-TERR-02: the whole move or the rest of it.
        terrain_halving: TerrainHalving { Whole, Remaining },
        /// ATKM-TERR-10: what must be on the road.
        road_test: RoadTest { FrontCentre, WholeUnit },
        /// ATKM-LOS-05: where sight starts.
        los_from: LosFrom { MeasuringPoint, AnyFigure },
        /// ATKM-FIRE-02: guns firing in column.
        artillery_column_fire: ArtilleryColumnFire { Forbidden, Allowed },
        /// ATKM-FIRE-08: what must be in the arc.
        arc_test: ArcTest { Centre, AnyFigure },
        /// ATKM-MELEE-10: whom skirmishers may charge.
        skirmisher_charges: SkirmisherCharges { Any, LooseTargetsOnly },
        /// ATKM-MELEE-17: a melee in which one side routs.
        routed_side: RoutedSide { SurvivorWins, ByLosses },
        /// ATKM-MOB-03: shapes for artillery and skirmisher mobs.
        mob_reform_shapes: MobReformShapes { ByType, ColumnOnly },
        /// ATKM-MOB-10: falling back at the edge.
        table_edge: TableEdge { Wall, ExitRouts },
        /// ATKM-ROUT-05: what half strength counts.
        army_strength: ArmyStrength { Units, Privates },
        /// ATKM-ROUT-06: when it is tested.
        army_rout_timing: ArmyRoutTiming { EndOfActivation, EndOfTurn },
        /// ATKM-GEN-09: generals can be killed.
        generals_at_risk: bool,
        /// ATKM-FIRE-16: dice per skirmisher beyond 12.
        skirmisher_long_dice: u32,
        /// ATKM-MOB-11: the cannon of a beaten crew.
        beaten_guns: BeatenGuns { Carried, Lost },
        /// ATKM-END-05: the length of the battle; 0 for no limit.
        turn_limit: u32,
        /// ATKM-ADV-01: squares.
        adv_square: bool,
        /// ATKM-ADV-02: infantry splitting into skirmishers.
        adv_light_infantry: bool,
        /// ATKM-ADV-03: guns and melee on hills.
        adv_high_ground: bool,
        /// ATKM-ADV-04: only cavalry charges green.
        adv_cavalry_green: bool,
        /// ATKM-ADV-05: elite and militia.
        adv_quality: bool,
        /// ATKM-ADV-06: longer ranges.
        adv_rifles: bool,
        /// ATKM-ADV-07: guns against columns and mobs.
        adv_dense_targets: bool,
        /// ATKM-ADV-08: cavalry pursuit.
        adv_pursuit: bool,
    }
}
