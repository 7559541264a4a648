// What the server says and is asked; see docs/server.md. The types are generated from the Rust ones; here they get the
// names the page knows them by. The page holds no rules: actions are opaque JSON.

import type * as G from "../generated";

export type {
  Because, Changes, ChatLine, Clause, Course, Device, Draw, Dye, Ending, FigureView, Flag, GameFacts, Marker, Modifier, Moment, Note, OddsLine, Overlay, OverlayShape, Pending, Point, Present, Preview, Reach,
  Refused, Role, Ruleset, Scenario, ScenarioPage, SeatInfo, Shape, SideView, Sight, Space, State, TerrainView, Told, Token, Tone, UnitView, View, Wish,
} from "../generated";

export type Action = unknown;
export type About = G.AboutServer;
export type BattleClock = G.Clock;
export type CardPile = G.CardView;
export type PlayClock = G.ClockState;
export type Turned = G.Happened;
export type Replay = G.ReplayFacts;
export type NewGame = G.MadeGame;
export type Why = G.Illegal;
/** A decision that is waited for. */
export type Decision = Extract<G.Pending, { decision: unknown }>["decision"];
/** The answers to the pending decision. */
export type Legal = Extract<G.Saying, { legal: unknown }>["legal"];
/** The legal answer nearest to a wish. */
export type Steered = Extract<G.Saying, { steer: unknown }>["steer"];
/** Games that are open, and those of the person logged in. */
export type Games = G.Listed;

/** Whether something thrown is a word of the umpire's (or of the lost line), and not a fault of the page. */
export function isRefused(thrown: unknown): thrown is G.Refused {
  return typeof thrown === "object" && thrown !== null && typeof (thrown as G.Refused).why === "string" && typeof (thrown as G.Refused).kind === "string";
}

export async function get<T>(path: string): Promise<T> {
  return answer(await asked(path));
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  return answer(await asked(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }));
}

/** Sends a text as it is: a journal. */
export async function send<T>(path: string, text: string): Promise<T> {
  return answer(await asked(path, { method: "POST", headers: { "content-type": "text/plain" }, body: text }));
}

/** How often something is asked for that a busy server puts off. */
const PATIENCE = 20;

/** Asks; where the server says when to come again, nothing was done yet, and we do. */
async function asked(path: string, how?: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(path, how);
    const after = Number(response.headers.get("retry-after") ?? NaN);
    if (response.status !== 429 || !(after <= 10) || tries === PATIENCE) return response;
    await new Promise((resolve) => setTimeout(resolve, after * 1000));
  }
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
