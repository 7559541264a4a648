// What the server says and is asked; see docs/server.md. The page holds no rules: actions are opaque JSON.

export type Point = [number, number];
export type Action = unknown;

export interface Note { label: string; text: string; clause: string | null }
export interface Marker { kind: string; count: number; tone: Tone; clause: string | null }
export type Tone = "good" | "fair" | "bad" | "plain";
export type Shape =
  | { shape: "disc"; centre: Point; radius: number }
  | { shape: "pill"; a: Point; b: Point; radius: number }
  | { shape: "rect"; centre: Point; facing: number; width: number; depth: number }
  | { shape: "hull"; corners: Point[]; radius?: number };
export type OverlayShape =
  | { outline: Point[] }
  | { path: Point[] }
  | { circle: { centre: Point; radius: number } }
  | { bases: Shape[] };
export interface Overlay { kind: string; shape: OverlayShape; label: string | null }

export interface UnitView {
  id: string; name: string; kind: string; side: number; seat: number; arm: string; on_table: boolean;
  at: Point; facing: number | null; figures: { shape: Shape; facing: number }[]; outline: Point[]; strength: [number, number];
  markers: Marker[]; notes: Note[]; overlays: Overlay[];
}
export interface SideView { name: string; livery: string; score: string | null; tallies: Note[] }
export interface SeatInfo { seat: number; side: number; name: string }
export interface Ending { winner: number | null; grade: string; reason: string; scores: number[]; clause: string }
export interface Decision { seat: number; kind: string; unit: string | null; prompt: string }
export type Pending = { decision: Decision } | { over: Ending };
export interface TerrainView { id: string; kind: string; points: Point[]; closed: boolean; notes: Note[] }
export interface Token { kind: string; label: string; at: Point; radius: number | null; side: number | null }
export interface CardPile { pile: string; up: string[]; down: number }
export interface BattleClock { turn: number; of: number | null; phase: string; active: number | null }
export interface View {
  ruleset: string; title: string; seat: number | null; sides: SideView[]; seats: SeatInfo[];
  table: { width: number; height: number; unit: "inch" | "centimetre" };
  terrain: TerrainView[]; units: UnitView[]; tokens: Token[]; clock: BattleClock; cards: CardPile[]; pending: Pending;
}
export type Changes = Partial<Pick<View, "sides" | "terrain" | "tokens" | "clock" | "cards" | "pending" | "units">> & { units_order?: string[] };
export interface Modifier { value: number; reason: string; clause: string }
export interface Told {
  what: string; outcome?: string; who?: string; whom?: string; faces?: number[]; needed?: number; made?: number;
  modifiers?: Modifier[]; clauses?: string[]; text: string;
}
export type Draw = { purpose: string; came: { dice: number[] } | { card: string } };
export interface Turned { n: number; seat: number | null; events: Told[]; draws: Draw[] }
export interface PlayClock { left: number[]; running: number | null }
export interface State {
  n: number; take_backs: number; seat: number | null; your_seats: number[]; yours: boolean; pending: Pending;
  can_take_back: boolean; view: View | null; changes?: Changes | null; clock: PlayClock | null;
}
export interface Space { action: string; unit: string | null; allowance: number | null; shape: string }
export interface Legal { n: number; listed: Action[]; spaces: Space[] }
export interface Preview { cost: number | null; allowance: number | null; overlays: Overlay[]; notes: string[] }
export interface Why { clause: string; why: string }
export interface Wish { action?: string; unit?: string; place: Point; facing?: number; by?: Point[] }
export interface Steered { n: number; action: Action | null; end: { at: Point; facing: number } | null; why: Why | null; preview: Preview | null }
export interface Sight { clear: boolean; line: [Point, Point]; why: Why | null }
export interface Course { action: string; why: Why | null }
export interface Refused { kind: string; why: string; clause: string | null; seat: number | null }
export interface OddsLine { what: string; who: string | null; whom: string | null; ways: { outcome: string | null; made: number | null; p: number }[] }
export interface ChatLine { at: number; seat: number | null; name: string; text: string }
export interface Present { seat: number; kind: string; name: string | null; here: boolean }
export interface GameFacts {
  id: string; ruleset: string; scenario: string | null; title: string; created: number; status: "playing" | "finished" | "replay"; n: number;
  waiting: number | null; public: boolean; watch: boolean; commitment: string; seed: string | null; seed_chosen: boolean;
  forked_from: { game: string; n: number } | null; clock: { seconds: number; increment: number } | null; ending: Ending | null;
  seats: { seat: number; side: number; seat_name: string; kind: string; name: string | null; user: string | null }[];
}
export interface Moment {
  n: number; seat: number | null; action: Action | null; events: Told[]; draws: Draw[]; strength: [number, number][]; clock: BattleClock;
}
export interface Replay { game: GameFacts; commitment: string; seed: string; seed_fits: boolean; ending: Ending | null; moments: Moment[] }
export interface NewGame { id: string; token: string | null; link: string | null; seats: { seat: number; kind: string; token: string | null; link: string | null }[] }
export interface Clause { id: string; section: string; text: string; tag: "source" | "reading" | "house"; option: string | null }
export interface Ruleset {
  id: string; title: string; blurb: string; unit: string; scenarios: string[];
  options: { id: string; default: unknown; others: unknown[]; clauses: string[]; about: string }[];
}
export interface Scenario { id: string; ruleset: string; title: string; seats: SeatInfo[]; sides: string[] }
export interface About { version: string; programs: string[]; user: { name: string } | null }

export async function get<T>(path: string): Promise<T> {
  return answer(await fetch(path));
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  return answer(await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }));
}

/** Sends a text as it is: a journal. */
export async function send<T>(path: string, text: string): Promise<T> {
  return answer(await fetch(path, { method: "POST", headers: { "content-type": "text/plain" }, body: text }));
}

async function answer<T>(response: Response): Promise<T> {
  const text = await response.text();
  let value: { error?: { why?: string } } = {};
  try {
    value = text ? JSON.parse(text) : {};
  } catch { /* no JSON: the status says it */ }
  if (!response.ok) throw new Error(value?.error?.why ?? `the server answered ${response.status}`);
  return value as T;
}
