//! The readings of the rulebook as typed options (ledger 6.1); `options.toml` says what each decides.

use crate::charts::Share;

tricorne_drill::options! {
    /// Every option with its chosen value.
    #[derive(Copy)]
    #[allow(clippy::struct_excessive_bools, reason = "each is a reading of the rulebook")]
    pub struct Options {
        /// VF-MODEL-02.
        within_inclusive: bool,
        /// VF-MODEL-04.
        half_rounding: Rounding { Up, Down },
        /// VF-MODEL-22.
        base_removal: BaseRemoval { Keep, RemoveEmpty },
        /// VF-MODEL-48.
        melee_scope: MeleeScope { Duel, AllTouching },
        /// VF-MODEL-37.
        command_los: CommandSight { TerrainOnly, Full },
        /// VF-MODEL-40.
        wheel_cost: WheelCost { Arc, Chord },
        /// VF-ARMY-06.
        turn_end_counts: TurnEnd { UnitsOnly, UnitsWagonsCommanders },
        /// VF-TURN-02.
        jokers_in_deck: u8,
        /// VF-TURN-13.
        court_cards: CourtCards { SpecialOnly, SpecialPlusActivation },
        /// VF-TURN-15.
        queen_effect: QueenEffect { RestoreFigures, HalfRestore },
        /// VF-TURN-16.
        jack_use: JackUse { Either, SpecialOnly, Both },
        /// VF-TURN-18.
        jack_controller: JackController { Owner, JackPlayer },
        /// VF-CMD-01.
        cohesion: Cohesion { Connected, Neighbour },
        /// VF-CMD-02.
        good_order: GoodOrder { DistanceOnly, AllOrdered },
        /// VF-CMD-07.
        command_link: CommandLink { AnyCommander, RegimentalAndArmy },
        /// VF-CMD-11.
        initiative_reference: InitiativeReference { NearestEnemy, HomeEdge },
        /// VF-CMD-12.
        initiative_limits: InitiativeLimits { MovementOnly, NoFireOnRetreat },
        /// VF-CMD-14.
        regiment_sequence: RegimentSequence { OneAtATime, MoveThenFire },
        /// VF-CMD-15.
        regiment_action: RegimentAction { PerSubUnit, SameForAll },
        /// VF-CMD-16.
        movement_roll: MovementRoll { PerSubUnit, PerRegiment },
        /// VF-CMD-25.
        attach_scope: AttachScope { HostSubUnit, WholeGroup },
        /// VF-FIRE-05.
        square_fire: SquareFire { PerFace, OneFace },
        /// VF-FIRE-13.
        artillery_crew_loss: CrewLoss { FullDice, Proportional },
        /// VF-FIRE-16.
        halving_stacks: bool,
        /// VF-FIRE-20.
        artillery_enfilade: bool,
        /// VF-MORALE-02.
        quarter_of: QuarterOf { Current, Start },
        /// VF-MORALE-03.
        single_firing: SingleFiring { SubUnit, Regiment },
        /// VF-MORALE-11.
        waver_at_edge: WaverAtEdge { Halts, Removed },
        /// VF-MORALE-12.
        rout_roll: RoutRoll { OneRollDoubled, TwoRolls },
        /// VF-MORALE-13.
        retreat_direction: RetreatDirection { AwayFromCause, HomeEdge },
        /// VF-MOVE-02.
        proximity_check: ProximityCheck { Continuous, StartOnly },
        /// VF-MOVE-04.
        skirmish_proximity: SkirmishProximity { Exempt, TowardOrAway },
        /// VF-MOVE-08.
        plus3_stacks: bool,
        /// VF-MOVE-10.
        commander_move_in_retreat: bool,
        /// VF-MOVE-24.
        half_move_limit: HalfMoveLimit { AtMostHalf, StrictlyLess },
        /// VF-MOVE-27.
        short_march_fire: ShortMarchFire { DeclaredOnly, ByDistance },
        /// VF-TERR-02.
        road_bonus: RoadBonus { WholeMove, AnyPart },
        /// VF-TERR-05.
        skirmish_difficult: SkirmishDifficult { Half, Full },
        /// VF-TERR-10.
        woods_cover: WoodsCover { None, Hard },
        /// VF-CHARGE-06.
        fire_then_charge: FireThenCharge { Allowed, NotAllowed },
        /// VF-CHARGE-14.
        square_when_flanked: bool,
        /// VF-CHARGE-15.
        countercharge_when_activated: bool,
        /// VF-MELEE-07.
        elite_heavy_stack: bool,
        /// VF-MELEE-10.
        melee_halving: MeleeHalving { Suffered, Inflicted },
        /// VF-MELEE-12.
        halving_vs_square: bool,
        /// VF-MELEE-15.
        melee_loser: MeleeLoser { KillsSuffered, HitsRolled },
        /// VF-MELEE-18.
        pursuit_charges: bool,
        /// VF-MELEE-19.
        countercharger_pursuit: bool,
        /// VF-SHAKEN-02.
        shaken_trigger: ShakenTrigger { Crossing, EveryLoss },
        /// VF-SHAKEN-04.
        shaken_modifier: ShakenModifier { Cumulative, InsteadOfHalf },
        /// VF-SHAKEN-06.
        shaken_pass: ShakenPass { Clears, Stays },
        /// VF-SHAKEN-09.
        rally_penalty: RallyPenalty { Always, FirstOnly },
        /// VF-SHAKEN-10.
        rally_reforms: bool,
        /// VF-ARMYMORALE-03.
        break_count: BreakCount { OncePerUnit, EachEvent, WhileRouted },
    }
}

impl Options {
    /// Whether a distance is within a limit, both in thousandths (VF-MODEL-02).
    pub fn within(&self, distance: i32, limit: i32) -> bool {
        if self.within_inclusive { distance <= limit } else { distance < limit }
    }

    /// The greatest distance that is within a limit, both in thousandths.
    pub fn most_within(&self, limit: i32) -> i32 {
        limit - i32::from(!self.within_inclusive)
    }

    /// A share, half as the charts have it, of something on which the source is silent (VF-MODEL-04).
    pub fn share_of(&self, share: [u8; 2], n: u32) -> u32 {
        match self.half_rounding {
            Rounding::Up => share.up(n),
            Rounding::Down => share.down(n),
        }
    }
}
