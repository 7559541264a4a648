// What the workshop's requests send and answer (crates/server/src/workshop.rs).
import type { Point, Ruleset, View } from "../lib/protocol";

export interface OptionSpec { id: string; default: string; others: string[]; about: string; clauses: string[] }
export interface RulesetPage extends Ruleset { options: OptionSpec[] }

export interface Note { label: string; text: string; clause: string | null }
export interface ArmyUpgrade { id: string; name: string; points: number; clause: string | null }
export interface ArmyEntry {
  id: string; name: string; group: string; points: number; least: number; most: number | null; notes: Note[]; upgrades: ArmyUpgrade[];
}
export interface ArmyList { id: string; name: string; points: number; limits: Note[]; entries: ArmyEntry[] }
export interface ArmyUnit { entry: string; name?: string; with?: string[]; set?: Record<string, unknown> }
export interface Army { format: 1; ruleset: string; list: string; name: string; points: number; set?: Record<string, unknown>; unit: ArmyUnit[] }
export interface BrokenLimit { unit: number | null; clause: string; why: string }
export interface ArmyReport { points: number; limit: number; each: number[]; broken: BrokenLimit[] }
export interface Reckoned { army: Army; text: string; report: ArmyReport }

export interface GroundKind { id: string; kind: string; name: string; look: string; closed: boolean; extra: string }
export interface TroopKind { id: string; name: string; arm: string; sides: string[]; array: string | null; body: string; place_key: string; faces: boolean }
export interface DraftSide { id: string; name: string; prefix: string }
export type FieldForm = "text" | "switch" | { whole: [number, number] } | { number: [number, number] } | { one_of: string[] } | { named: string };
export interface DraftField { path: string; label: string; form: FieldForm; clause: string | null }
export interface Drafting {
  blank: string; terrain_key: string; points_key: string; line_key: string | null; grounds: GroundKind[]; unit_key: string; sides: DraftSide[];
  sides_key: string | null; side_key: string | null; troops: TroopKind[]; features: FeatureKind[]; fields: DraftField[];
}
export type Extent =
  | "nowhere" | { point: string } | { circle: [string, string] } | { area: string } | { corners: string } | { line: string } | { edge: string }
  | { stretch: [string, string, string] } | { strip: [string, string] } | { level: string } | { on: string };
export interface FeatureKind {
  id: string; name: string; path: string; told_by: string; body: string; id_prefix: string | null; id_key: string; extent: Extent;
  belongs: "itself" | "ground" | "other"; clause: string | null;
}
export interface Feature { kind: string; path: string; name: string; handles: Point[]; outline: Point[]; closed: boolean }
export interface Absent { array: string; nth: number; id: string | null }
export interface Placed { array: string; nth: number; id: string | null; at: Point; facing: number | null }
export interface Drawn {
  text: string; anew: boolean; fault: { line: number | null; place: string; problem: string } | null; placed: Placed[]; absent: Absent[];
  ground: (Point[] | null)[]; features: Feature[]; sides: DraftSide[]; table: [number, number]; file: Record<string, unknown>; view: View | null;
}
export type Edit =
  | { do: "lay"; kind: string; points: Point[] }
  | { do: "reshape"; piece: number; points: Point[] }
  | { do: "shift"; piece: number; by: Point }
  | { do: "lift"; piece: number }
  | { do: "reground"; terrain: string }
  | { do: "place"; troop: string; side: string; at: Point; facing: number | null }
  | { do: "move"; array: string; nth: number; at: Point | null; facing: number | null }
  | { do: "remove"; array: string; nth: number }
  | { do: "mark"; feature: string; points: Point[] }
  | { do: "extend"; feature: string; path: string; points: Point[] }
  | { do: "redraw"; feature: string; path: string; points: Point[] }
  | { do: "erase"; feature: string; path: string }
  | { do: "set"; path: string; value: string | null };
