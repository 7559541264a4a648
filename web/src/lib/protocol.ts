// What the server says and is asked; see docs/server.md. The page holds no rules: actions are opaque JSON.

export type Point = [number, number];
export type Action = unknown;

export interface Note { label: string; text: string; clause: string | null }
export interface Marker { kind: string; count: number; tone: "good" | "fair" | "bad" | "plain"; clause: string | null }
export type OverlayShape =
  | { outline: Point[] }
  | { path: Point[] }
  | { circle: { centre: Point; radius: number } }
  | { bases: Shape[] };
export interface Overlay { kind: string; shape: OverlayShape; label: string | null }
export type Shape = Record<string, unknown> & { shape: string };

export interface UnitView {
  id: string; name: string; kind: string; side: number; seat: number; on_table: boolean;
  at: Point; facing: number | null; outline: Point[]; strength: [number, number];
  markers: Marker[]; notes: Note[]; overlays: Overlay[];
}
export interface SideView { name: string; livery: string; score: string | null; tallies: Note[] }
export interface SeatInfo { seat: number; side: number; name: string }
export interface Ending { winner: number | null; grade: string; reason: string; scores: number[]; clause: string }
export type Pending = { decision: { seat: number; kind: string; unit: string | null; prompt: string } } | { over: Ending };
export interface View {
  ruleset: string; title: string; sides: SideView[]; seats: SeatInfo[];
  table: { width: number; height: number; unit: "inch" | "centimetre" };
  units: UnitView[];
  clock: { turn: number; of: number | null; phase: string; active: number | null };
  cards: { pile: string; up: string[]; down: number }[];
  pending: Pending;
}
export interface Told {
  what: string; outcome?: string; who?: string; whom?: string; faces?: number[]; needed?: number; made?: number;
  modifiers?: { value: number; reason: string; clause: string }[]; clauses?: string[]; text: string;
}
export type Draw = { purpose: string; came: { dice: number[] } | { card: string } };
export interface Turned { n: number; seat: number | null; events: Told[]; draws: Draw[] }
export interface State {
  n: number; take_backs: number; seat: number | null; your_seats: number[]; yours: boolean; pending: Pending;
  can_take_back: boolean; view: View | null;
}
export interface Space { action: string; unit: string | null; allowance: number | null; shape: string }
export interface Legal { n: number; listed: Action[]; spaces: Space[] }
export interface Preview { cost: number | null; allowance: number | null; overlays: Overlay[]; notes: string[] }
export interface Refused { kind: string; why: string; clause: string | null; seat: number | null }
export interface OddsLine { what: string; who: string | null; whom: string | null; ways: { outcome: string | null; made: number | null; p: number }[] }
export interface ChatLine { at: number; seat: number | null; name: string; text: string }
export interface GameFacts {
  id: string; ruleset: string; scenario: string; title: string; created: number; status: string; n: number;
  commitment: string; seed: string | null; ending: Ending | null;
  seats: { seat: number; side: number; seat_name: string; kind: string; name: string | null; user: string | null }[];
}
export interface Clause { id: string; section: string; text: string; tag: "source" | "reading" | "house"; option: string | null }
export interface Ruleset { id: string; title: string; blurb: string; scenarios: string[] }
export interface Scenario { id: string; ruleset: string; title: string; seats: SeatInfo[]; sides: string[] }
export interface About { version: string; programs: string[]; user: { name: string } | null }

export async function get<T>(path: string): Promise<T> {
  return answer(await fetch(path));
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  return answer(await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }));
}

async function answer<T>(response: Response): Promise<T> {
  const text = await response.text();
  const value = text ? JSON.parse(text) : {};
  if (!response.ok) throw new Error(value?.error?.why ?? `the server answered ${response.status}`);
  return value as T;
}
