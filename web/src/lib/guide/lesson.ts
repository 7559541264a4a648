// A first battle that teaches: what is said when, as data of the rulebook (rulebooks/SYSTEM/guided.json) beside a small battle of
// its own (guided.toml). A tip has a trigger on the decision and words that say what to do and why; it may say which answer it
// means. Where it does not, or the dice have made that impossible, the umpire's own counsel says it. No rule is in here.

import type { Action, Told } from "../protocol";

export const subjects = ["command", "move", "fire", "charge", "morale"] as const;
export type Subject = (typeof subjects)[number];

export interface Tip {
  id: string;
  teaches?: Subject;
  when: { kind?: string | string[]; unit?: string; turn?: number; from?: number };
  /** What to do, in a sentence; and why. */
  say: string;
  why?: string;
  /** Answers that are meant, the best first, each in part: `{"declare": {"action": "fire"}}` is any fire. Without one it is the counsel's. */
  do?: unknown[];
  /** How often it is given; once, unless it says otherwise, and 0 is always. */
  times?: number;
}

/** Said when something has happened for the first time: an event of one of these sorts was told. */
export interface Remark {
  id: string;
  teaches?: Subject;
  told: { what: string; outcome?: string }[];
  say: string;
}

export interface Lesson {
  title: string;
  /** A line for the front page. */
  line: string;
  story: string;
  seed: string;
  foe: string;
  /** The scenario that is the whole battle, afterwards. */
  whole: string;
  over: { won: string; lost: string; drawn: string };
  tips: Tip[];
  remarks: Remark[];
}

/** Whether an answer is of the sort meant: everything that the sort names is in it. */
export function fits(sort: unknown, action: unknown): boolean {
  if (sort === "*") return action !== undefined;
  if (typeof sort !== "object" || sort === null) return sort === action;
  if (typeof action !== "object" || action === null || Array.isArray(sort) !== Array.isArray(action)) return false;
  return Object.entries(sort).every(([key, value]) => fits(value, (action as Record<string, unknown>)[key]));
}

export interface Asked { kind: string; unit: string | null; turn: number }

/** The first tip that fits, with the answer it means; what was given often enough is passed over. */
export function tipFor(lesson: Lesson, asked: Asked, counsel: Action[], listed: Action[], given: (id: string) => number): { tip: Tip; action: Action } | null {
  const offered = [...counsel, ...listed.filter((a) => a !== "concede")];
  for (const tip of lesson.tips) {
    const { kind, unit, turn, from } = tip.when;
    if (tip.times !== 0 && given(tip.id) >= (tip.times ?? 1)) continue;
    if (kind !== undefined && !(Array.isArray(kind) ? kind.includes(asked.kind) : kind === asked.kind)) continue;
    if (unit !== undefined && unit !== asked.unit) continue;
    if (turn !== undefined && turn !== asked.turn) continue;
    if (from !== undefined && from > asked.turn) continue;
    if (!tip.do) {
      if (offered.length) return { tip, action: offered[0] };
      continue;
    }
    for (const sort of tip.do) {
      const action = offered.find((a) => fits(sort, a));
      if (action !== undefined) return { tip, action };
    }
  }
  return null;
}

/** Remarks on what was told, those not made yet. */
export function remarksOn(lesson: Lesson, told: Pick<Told, "what" | "outcome">[], given: (id: string) => number): Remark[] {
  return lesson.remarks.filter((r) => !given(r.id) && told.some((e) => r.told.some((sort) => fits(sort, e))));
}

// The front page has the titles with it; the rest is fetched when somebody begins.
const lessons = import.meta.glob<string>("../../../../rulebooks/*/guided.json", { query: "?raw", import: "default" });
const battles = import.meta.glob<string>("../../../../rulebooks/*/guided.toml", { query: "?raw", import: "default" });
const titles = import.meta.glob<string>("../../../../rulebooks/*/guided.json", { eager: true, import: "title" });
const lines = import.meta.glob<string>("../../../../rulebooks/*/guided.json", { eager: true, import: "line" });

const of = <T>(files: Record<string, T>, ruleset: string): T | undefined => Object.entries(files).find(([path]) => path.includes(`/rulebooks/${ruleset}/`))?.[1];

/** What the front page says of a system's first battle; none where it has none. */
export function firstBattle(ruleset: string): { title: string; line: string } | null {
  const title = of(titles, ruleset);
  return title === undefined ? null : { title, line: of(lines, ruleset) ?? "" };
}

export async function lessonOf(ruleset: string): Promise<Lesson | null> {
  const text = await of(lessons, ruleset)?.();
  return text ? (JSON.parse(text) as Lesson) : null;
}

/** The scenario file of the first battle. */
export async function battleOf(ruleset: string): Promise<string | null> {
  return (await of(battles, ruleset)?.()) ?? null;
}
