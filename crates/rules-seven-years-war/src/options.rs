//! House rules as types: one enum for each reading of part 6, named as in `options.toml`.

use serde::{Deserialize, Deserializer, de};

/// Numbers come out of `options.toml` as text.
fn number<'de, D: Deserializer<'de>, T: std::str::FromStr>(d: D) -> Result<T, D::Error> {
    let text = String::deserialize(d)?;
    text.parse().map_err(|_| de::Error::custom(format!("`{text}` is no number")))
}

/// Two-way readings.
fn switch<'de, D: Deserializer<'de>>(d: D) -> Result<bool, D::Error> {
    match String::deserialize(d)?.as_str() {
        "yes" | "on" | "allowed" => Ok(true),
        "no" | "off" | "not_allowed" => Ok(false),
        other => Err(de::Error::custom(format!("`{other}` is neither yes nor no"))),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum GroupCentre {
    #[serde(rename = "mean_of_stands")]
    MeanOfStands,
    #[serde(rename = "bounding_box")]
    BoundingBox,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ArtilleryArc {
    #[serde(rename = "45_each_side")]
    N45EachSide,
    #[serde(rename = "45_total")]
    N45Total,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum UnitsBlockSight {
    #[serde(rename = "shooting_only")]
    ShootingOnly,
    #[serde(rename = "always")]
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum WheelCost {
    #[serde(rename = "outer_arc")]
    OuterArc,
    #[serde(rename = "chord")]
    Chord,
    #[serde(rename = "free_to_45")]
    FreeTo45,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum MilitiaDrill {
    #[serde(rename = "badly")]
    Badly,
    #[serde(rename = "normal")]
    Normal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum MixedGroupClass {
    #[serde(rename = "lights_if_any")]
    LightsIfAny,
    #[serde(rename = "majority_of_stands")]
    MajorityOfStands,
    #[serde(rename = "forbid_mixing")]
    ForbidMixing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum MovementOrder {
    #[serde(rename = "retreats_third")]
    RetreatsThird,
    #[serde(rename = "retreats_free")]
    RetreatsFree,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ChargeAnswerTime {
    #[serde(rename = "in_movement")]
    InMovement,
    #[serde(rename = "before_charge_move")]
    BeforeChargeMove,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum TrainingPenaltyScope {
    #[serde(rename = "whole_brigade")]
    WholeBrigade,
    #[serde(rename = "per_order")]
    PerOrder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum CincTraining {
    #[serde(rename = "per_order")]
    PerOrder,
    #[serde(rename = "ignored")]
    Ignored,
    #[serde(rename = "whole_army")]
    WholeArmy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum BraveScope {
    #[serde(rename = "own_or_cinc")]
    OwnOrCinc,
    #[serde(rename = "any_friend")]
    AnyFriend,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum CincOrders {
    #[serde(rename = "fixed")]
    Fixed,
    #[serde(rename = "d4")]
    D4,
    #[serde(rename = "fixed_plus_d4")]
    FixedPlusD4,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum CincAbilitySource {
    #[serde(rename = "counter")]
    Counter,
    #[serde(rename = "table")]
    Table,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum GeneralLossDie {
    #[serde(rename = "shooting_only_extra_d6")]
    ShootingOnlyExtraD6,
    #[serde(rename = "always_extra_d6")]
    AlwaysExtraD6,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ReplacementCincDraw {
    #[serde(rename = "one")]
    One,
    #[serde(rename = "three")]
    Three,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum UncommandedStart {
    #[serde(rename = "choice")]
    Choice,
    #[serde(rename = "stand")]
    Stand,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum UncommandedRally {
    #[serde(rename = "retreat_only")]
    RetreatOnly,
    #[serde(rename = "retreat_or_rout")]
    RetreatOrRout,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ColumnLeavesReserve {
    #[serde(rename = "auto_line")]
    AutoLine,
    #[serde(rename = "auto_line_disordered")]
    AutoLineDisordered,
    #[serde(rename = "refuse_order")]
    RefuseOrder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ArtilleryHalt {
    #[serde(rename = "long_range")]
    LongRange,
    #[serde(rename = "optional_only")]
    OptionalOnly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum MissileCharge {
    #[serde(rename = "allowed")]
    Allowed,
    #[serde(rename = "only_without_missiles")]
    OnlyWithoutMissiles,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ArtilleryReserve {
    #[serde(rename = "move_or_pivot")]
    MoveOrPivot,
    #[serde(rename = "pivot_only")]
    PivotOnly,
    #[serde(rename = "move_and_pivot")]
    MoveAndPivot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum SquareUndo {
    #[serde(rename = "reserve_only")]
    ReserveOnly,
    #[serde(rename = "stand_too")]
    StandToo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum SquareLights {
    #[serde(rename = "no")]
    No,
    #[serde(rename = "light_infantry_too")]
    LightInfantryToo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Minus6d4Line {
    #[serde(rename = "type4")]
    Type4,
    #[serde(rename = "river_crossing")]
    RiverCrossing,
    #[serde(rename = "ignore")]
    Ignore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum TerrainCost {
    #[serde(rename = "proportional")]
    Proportional,
    #[serde(rename = "whole_move")]
    WholeMove,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum LightTerrainDisorder {
    #[serde(rename = "never")]
    Never,
    #[serde(rename = "by_lowered_type")]
    ByLoweredType,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum LightMassedDisorder {
    #[serde(rename = "none")]
    None,
    #[serde(rename = "both")]
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ShotDie {
    #[serde(rename = "per_unit_and_target")]
    PerUnitAndTarget,
    #[serde(rename = "per_stand")]
    PerStand,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ResultBands {
    #[serde(rename = "floor")]
    Floor,
    #[serde(rename = "strict")]
    Strict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum MovedSpan {
    #[serde(rename = "current_phase")]
    CurrentPhase,
    #[serde(rename = "own_last_move")]
    OwnLastMove,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum LightsSecondShot {
    #[serde(rename = "two_shots")]
    TwoShots,
    #[serde(rename = "shot_per_pair")]
    ShotPerPair,
    #[serde(rename = "second_shot_no_extra")]
    SecondShotNoExtra,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum RearRankFires {
    #[serde(rename = "front_only")]
    FrontOnly,
    #[serde(rename = "all_ranks")]
    AllRanks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum BounceTrigger {
    #[serde(rename = "score_4")]
    Score4,
    #[serde(rename = "kill_only")]
    KillOnly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum OverheadFriends {
    #[serde(rename = "on_line")]
    OnLine,
    #[serde(rename = "any")]
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum HowitzerOverhead {
    #[serde(rename = "no_hill")]
    NoHill,
    #[serde(rename = "hill")]
    Hill,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum SupportRange {
    #[serde(rename = "actual_position")]
    ActualPosition,
    #[serde(rename = "at_5_from_target")]
    At5FromTarget,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum FallbackNoShootSpan {
    #[serde(rename = "phase")]
    Phase,
    #[serde(rename = "game_turn")]
    GameTurn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ChargeAllowance {
    #[serde(rename = "one_allowance")]
    OneAllowance,
    #[serde(rename = "separate")]
    Separate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ChargeAfterEvade {
    #[serde(rename = "follow")]
    Follow,
    #[serde(rename = "halt")]
    Halt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum EvaderCaught {
    #[serde(rename = "by_case")]
    ByCase,
    #[serde(rename = "always_rout")]
    AlwaysRout,
    #[serde(rename = "always_destroyed")]
    AlwaysDestroyed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ColumnFlankTurn {
    #[serde(rename = "needs_roll")]
    NeedsRoll,
    #[serde(rename = "automatic")]
    Automatic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum FlankFail {
    #[serde(rename = "group_routs")]
    GroupRouts,
    #[serde(rename = "unit_routs")]
    UnitRouts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum FlankNoAttempt {
    #[serde(rename = "routs")]
    Routs,
    #[serde(rename = "fights_on")]
    FightsOn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum FlankModsAfterTurn {
    #[serde(rename = "apply")]
    Apply,
    #[serde(rename = "do_not_apply")]
    DoNotApply,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum MeleeHits {
    #[serde(rename = "both")]
    Both,
    #[serde(rename = "winner_only")]
    WinnerOnly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum OverlapFrom {
    #[serde(rename = "any_friend")]
    AnyFriend,
    #[serde(rename = "own_unit")]
    OwnUnit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum TerrainDoublePenalty {
    #[serde(rename = "both")]
    Both,
    #[serde(rename = "once")]
    Once,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum SquareBreakthrough {
    #[serde(rename = "eligible")]
    Eligible,
    #[serde(rename = "line_only")]
    LineOnly,
    #[serde(rename = "margin_2")]
    Margin2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum BreakthroughMelee {
    #[serde(rename = "same_subphase")]
    SameSubphase,
    #[serde(rename = "next_subphase")]
    NextSubphase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum WipedOutBreakthrough {
    #[serde(rename = "moves_on")]
    MovesOn,
    #[serde(rename = "stays")]
    Stays,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum RoutSpeed {
    #[serde(rename = "plus_2")]
    Plus2,
    #[serde(rename = "normal")]
    Normal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum SurrenderTrigger {
    #[serde(rename = "contact_and_slower")]
    ContactAndSlower,
    #[serde(rename = "caught_at_once")]
    CaughtAtOnce,
    #[serde(rename = "no_route_only")]
    NoRouteOnly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum PursuitCheck {
    #[serde(rename = "before_move")]
    BeforeMove,
    #[serde(rename = "after_move")]
    AfterMove,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ShootingTestTime {
    #[serde(rename = "end_of_subphase")]
    EndOfSubphase,
    #[serde(rename = "end_of_phase")]
    EndOfPhase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum MeleeTestWho {
    #[serde(rename = "all_that_fought")]
    AllThatFought,
    #[serde(rename = "lost_or_casualties")]
    LostOrCasualties,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum InfantryChargeTest {
    #[serde(rename = "d6_instead")]
    D6Instead,
    #[serde(rename = "d6_then_2d6")]
    D6Then2d6,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum InitiativeLc {
    #[serde(rename = "both_kinds")]
    BothKinds,
    #[serde(rename = "lc_only")]
    LcOnly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum AttackerIs {
    #[serde(rename = "initiative_winner")]
    InitiativeWinner,
    #[serde(rename = "separate_roll")]
    SeparateRoll,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum OttomanFlankRoll {
    #[serde(rename = "d4_against_d4")]
    D4AgainstD4,
    #[serde(rename = "totals")]
    Totals,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum WoodPrice {
    #[serde(rename = "per_level_plus_width")]
    PerLevelPlusWidth,
    #[serde(rename = "example")]
    Example,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum TableSize {
    #[serde(rename = "180x120")]
    N180x120,
    #[serde(rename = "150x100")]
    N150x100,
    #[serde(rename = "240x150")]
    N240x150,
}

/// Every option, resolved.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Options {
    #[serde(deserialize_with = "switch")]
    pub cav_deep_line: bool,
    pub group_centre: GroupCentre,
    pub artillery_arc: ArtilleryArc,
    pub units_block_sight: UnitsBlockSight,
    pub wheel_cost: WheelCost,
    pub militia_drill: MilitiaDrill,
    #[serde(deserialize_with = "number")]
    pub wing_commanders: u8,
    pub mixed_group_class: MixedGroupClass,
    pub movement_order: MovementOrder,
    pub charge_answer_time: ChargeAnswerTime,
    #[serde(deserialize_with = "switch")]
    pub or_lines_stack: bool,
    pub training_penalty_scope: TrainingPenaltyScope,
    pub cinc_training: CincTraining,
    pub brave_scope: BraveScope,
    pub cinc_orders: CincOrders,
    pub cinc_ability_source: CincAbilitySource,
    pub general_loss_die: GeneralLossDie,
    pub replacement_cinc_draw: ReplacementCincDraw,
    pub uncommanded_start: UncommandedStart,
    #[serde(deserialize_with = "switch")]
    pub disorder_blocks_orders: bool,
    pub uncommanded_rally: UncommandedRally,
    #[serde(deserialize_with = "switch")]
    pub uncommanded_self_cure: bool,
    pub column_leaves_reserve: ColumnLeavesReserve,
    pub artillery_halt: ArtilleryHalt,
    pub missile_charge: MissileCharge,
    pub artillery_reserve: ArtilleryReserve,
    pub square_undo: SquareUndo,
    pub square_lights: SquareLights,
    pub minus_6d4_line: Minus6d4Line,
    pub terrain_cost: TerrainCost,
    pub light_terrain_disorder: LightTerrainDisorder,
    pub light_massed_disorder: LightMassedDisorder,
    pub shot_die: ShotDie,
    pub result_bands: ResultBands,
    pub moved_span: MovedSpan,
    #[serde(deserialize_with = "number")]
    pub hard_cover_small_arms: i32,
    pub lights_second_shot: LightsSecondShot,
    pub rear_rank_fires: RearRankFires,
    pub bounce_trigger: BounceTrigger,
    #[serde(deserialize_with = "switch")]
    pub bounce_chain: bool,
    pub overhead_friends: OverheadFriends,
    pub howitzer_overhead: HowitzerOverhead,
    pub support_range: SupportRange,
    #[serde(deserialize_with = "switch")]
    pub chargers_shoot: bool,
    pub fallback_no_shoot_span: FallbackNoShootSpan,
    pub charge_allowance: ChargeAllowance,
    pub charge_after_evade: ChargeAfterEvade,
    pub evader_caught: EvaderCaught,
    pub column_flank_turn: ColumnFlankTurn,
    #[serde(deserialize_with = "number")]
    pub militia_upgraded_turn: u8,
    pub flank_fail: FlankFail,
    pub flank_no_attempt: FlankNoAttempt,
    pub flank_mods_after_turn: FlankModsAfterTurn,
    pub melee_hits: MeleeHits,
    #[serde(deserialize_with = "switch")]
    pub turned_column_bonus: bool,
    pub overlap_from: OverlapFrom,
    pub terrain_double_penalty: TerrainDoublePenalty,
    pub square_breakthrough: SquareBreakthrough,
    pub breakthrough_melee: BreakthroughMelee,
    pub wiped_out_breakthrough: WipedOutBreakthrough,
    pub rout_speed: RoutSpeed,
    pub surrender_trigger: SurrenderTrigger,
    pub pursuit_check: PursuitCheck,
    pub shooting_test_time: ShootingTestTime,
    pub melee_test_who: MeleeTestWho,
    pub infantry_charge_test: InfantryChargeTest,
    pub initiative_lc: InitiativeLc,
    pub attacker_is: AttackerIs,
    pub ottoman_flank_roll: OttomanFlankRoll,
    pub wood_price: WoodPrice,
    pub table_size: TableSize,
    #[serde(deserialize_with = "number")]
    pub wood_sight: f64,
    #[serde(deserialize_with = "switch")]
    pub campaign: bool,
    #[serde(deserialize_with = "number")]
    pub turn_limit: u32,
    #[serde(deserialize_with = "number")]
    pub army_break_percent: u32,
}
