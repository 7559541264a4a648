//! The readings, switches and advanced options of the rulebook, typed.

use serde::{Deserialize, Deserializer};

/// Switches that are `on` or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Switch {
    /// Played.
    On,
    /// Not played.
    Off,
}

impl Switch {
    /// Whether it is played.
    pub fn is_on(self) -> bool {
        self == Switch::On
    }
}

fn number<'de, D: Deserializer<'de>>(d: D) -> Result<u32, D::Error> {
    String::deserialize(d)?.parse().map_err(|_| serde::de::Error::custom("expected a whole number"))
}

/// Does 'infantry' include skirmishers: yes lets them fill the infantry share of a period list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkirmisherIsInfantry {
    /// `no`, the default.
    No,
    /// `yes`.
    Yes,
}

/// Block as wide as deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SquareBlock {
    /// `line`, the default.
    Line,
    /// `column`.
    Column,
}

/// Other ranks or files as a formation change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankChange {
    /// `change`, the default.
    Change,
    /// `free`.
    Free,
}

/// Where generals start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GeneralStart {
    /// `zone`, the default.
    Zone,
    /// `anywhere`.
    Anywhere,
}

/// What a riding general may cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GeneralPath {
    /// `free`, the default.
    Free,
    /// `blocked`.
    Blocked,
}

/// Who acts first on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TeammateOrder {
    /// `commander_first`, the default.
    CommanderFirst,
    /// `commander_decides`.
    CommanderDecides,
}

/// Extra price of a distant allied unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AlliedDistanceCost {
    /// `none`, the default.
    None,
    /// `extra`.
    Extra,
}

/// Price of a teammate's skirmishers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AlliedSkirmishers {
    /// `one`, the default.
    One,
    /// `free`.
    Free,
}

/// One unit activated by two teammates on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SameUnitSameCard {
    /// `allowed`, the default.
    Allowed,
    /// `forbidden`.
    Forbidden,
}

/// Which units keep the turn going.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EligibleMeans {
    /// `unmarked`, the default.
    Unmarked,
    /// `affordable`.
    Affordable,
}

/// Refusing an activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Passing {
    /// `allowed`, the default.
    Allowed,
    /// `forced`.
    Forced,
}

/// Who gets J, Q, K, A in a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpecialBeneficiary {
    /// `commander`, the default.
    Commander,
    /// `rotate`.
    Rotate,
}

/// Target of Joker and Two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisorderChoice {
    /// `unmarked_first`, the default.
    UnmarkedFirst,
    /// `any`.
    Any,
}

/// Colour of a Queen's charger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueenAndMelee {
    /// `red`, the default.
    Red,
    /// `keeps_colour`.
    KeepsColour,
}

/// When in the activation fire may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FireSlot {
    /// `first_or_last`, the default.
    FirstOrLast,
    /// `anywhere`.
    Anywhere,
}

/// Marker for a fresh unit made red by melee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MeleeThenMarker {
    /// `none`, the default.
    None,
    /// `marker`.
    Marker,
}

/// Mob's colour at turn start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MobRecovery {
    /// `green`, the default.
    Green,
    /// `yellow`.
    Yellow,
}

/// Price of a green unit outside the radius.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DistantGreen {
    /// `free`, the default.
    Free,
    /// `one`.
    One,
}

/// Whose radius counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RadiusOf {
    /// `own_general`, the default.
    OwnGeneral,
    /// `any_allied`.
    AnyAllied,
}

/// What is forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForwardArc {
    /// `180`, the default.
    #[serde(rename = "180")]
    HalfCircle,
    /// `90`.
    #[serde(rename = "90")]
    QuarterCircle,
}

/// Bent paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathShape {
    /// `polyline`, the default.
    Polyline,
    /// `straight`.
    Straight,
}

/// Skirmishers through formed friends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkirmishersPass {
    /// `no`, the default.
    No,
    /// `mutual`.
    Mutual,
}

/// May a mob move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MobMove {
    /// `none`, the default.
    None,
    /// `half`.
    Half,
}

/// Whole move or the rest of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TerrainHalving {
    /// `whole`, the default.
    Whole,
    /// `remaining`.
    Remaining,
}

/// What must be on the road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoadTest {
    /// `front_centre`, the default.
    FrontCentre,
    /// `whole_unit`.
    WholeUnit,
}

/// Where sight starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LosFrom {
    /// `measuring_point`, the default.
    MeasuringPoint,
    /// `any_figure`.
    AnyFigure,
}

/// Guns firing in column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArtilleryColumnFire {
    /// `forbidden`, the default.
    Forbidden,
    /// `allowed`.
    Allowed,
}

/// What must be in the arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArcTest {
    /// `centre`, the default.
    Centre,
    /// `any_figure`.
    AnyFigure,
}

/// Whom skirmishers may charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkirmisherCharges {
    /// `any`, the default.
    Any,
    /// `loose_targets_only`.
    LooseTargetsOnly,
}

/// Melee in which one side routs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoutedSide {
    /// `survivor_wins`, the default.
    SurvivorWins,
    /// `by_losses`.
    ByLosses,
}

/// Shapes for artillery and skirmisher mobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MobReformShapes {
    /// `by_type`, the default.
    ByType,
    /// `column_only`.
    ColumnOnly,
}

/// Fall-back at the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableEdge {
    /// `wall`, the default.
    Wall,
    /// `exit_routs`.
    ExitRouts,
}

/// What half strength counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArmyStrength {
    /// `units`, the default.
    Units,
    /// `privates`.
    Privates,
}

/// When it is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArmyRoutTiming {
    /// `end_of_activation`, the default.
    EndOfActivation,
    /// `end_of_turn`.
    EndOfTurn,
}

/// Cannon of a beaten crew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BeatenGuns {
    /// `carried`, the default.
    Carried,
    /// `lost`.
    Lost,
}

/// Every option of the rulebook, as chosen for a battle.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Options {
    /// Does 'infantry' include skirmishers: yes lets them fill the infantry share of a period list.
    pub skirmisher_is_infantry: SkirmisherIsInfantry,
    /// Block as wide as deep.
    pub square_block: SquareBlock,
    /// Other ranks or files as a formation change.
    pub rank_change: RankChange,
    /// Where generals start.
    pub general_start: GeneralStart,
    /// What a riding general may cross.
    pub general_path: GeneralPath,
    /// Who acts first on a card.
    pub teammate_order: TeammateOrder,
    /// Extra price of a distant allied unit.
    pub allied_distance_cost: AlliedDistanceCost,
    /// Price of a teammate's skirmishers.
    pub allied_skirmishers: AlliedSkirmishers,
    /// One unit activated by two teammates on a card.
    pub same_unit_same_card: SameUnitSameCard,
    /// Inches from the edge.
    #[serde(deserialize_with = "number")]
    pub deploy_depth: u32,
    /// Which units keep the turn going.
    pub eligible_means: EligibleMeans,
    /// Refusing an activation.
    pub passing: Passing,
    /// Who gets J, Q, K, A in a team.
    pub special_beneficiary: SpecialBeneficiary,
    /// Target of Joker and Two.
    pub disorder_choice: DisorderChoice,
    /// Colour of a Queen's charger.
    pub queen_and_melee: QueenAndMelee,
    /// When in the activation fire may come.
    pub fire_slot: FireSlot,
    /// Marker for a fresh unit made red by melee.
    pub melee_then_marker: MeleeThenMarker,
    /// Mob's colour at turn start.
    pub mob_recovery: MobRecovery,
    /// Price of a green unit outside the radius.
    pub distant_green: DistantGreen,
    /// Whose radius counts.
    pub radius_of: RadiusOf,
    /// What is forward.
    pub forward_arc: ForwardArc,
    /// Bent paths.
    pub path_shape: PathShape,
    /// Skirmishers through formed friends.
    pub skirmishers_pass: SkirmishersPass,
    /// May a mob move.
    pub mob_move: MobMove,
    /// Whole move or the rest of it.
    pub terrain_halving: TerrainHalving,
    /// What must be on the road.
    pub road_test: RoadTest,
    /// Where sight starts.
    pub los_from: LosFrom,
    /// Guns firing in column.
    pub artillery_column_fire: ArtilleryColumnFire,
    /// What must be in the arc.
    pub arc_test: ArcTest,
    /// Whom skirmishers may charge.
    pub skirmisher_charges: SkirmisherCharges,
    /// Melee in which one side routs.
    pub routed_side: RoutedSide,
    /// Shapes for artillery and skirmisher mobs.
    pub mob_reform_shapes: MobReformShapes,
    /// Fall-back at the edge.
    pub table_edge: TableEdge,
    /// What half strength counts.
    pub army_strength: ArmyStrength,
    /// When it is tested.
    pub army_rout_timing: ArmyRoutTiming,
    /// Generals can be killed.
    pub generals_at_risk: Switch,
    /// Dice per skirmisher beyond 12.
    #[serde(deserialize_with = "number")]
    pub skirmisher_long_dice: u32,
    /// Cannon of a beaten crew.
    pub beaten_guns: BeatenGuns,
    /// Length of the battle.
    #[serde(deserialize_with = "number")]
    pub turn_limit: u32,
    /// Square formation.
    pub adv_square: Switch,
    /// Infantry splitting into skirmishers.
    pub adv_light_infantry: Switch,
    /// Guns and melee on hills.
    pub adv_high_ground: Switch,
    /// Only cavalry charges green.
    pub adv_cavalry_green: Switch,
    /// Elite and militia.
    pub adv_quality: Switch,
    /// Longer ranges.
    pub adv_rifles: Switch,
    /// Guns against columns and mobs.
    pub adv_dense_targets: Switch,
    /// Cavalry pursuit.
    pub adv_pursuit: Switch,
}
