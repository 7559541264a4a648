// Two gestures: a unit, and where it should go or whom it should meet. What lies between (taking it up, naming the order) is
// answered on the way. Which answers lead where is said by the system's own data (`errands` in rulebooks/SYSTEM/answers.json);
// which of them are open is said by the umpire, decision by decision.

import type { Errands, ErrandKind } from "./phrases";
import type { Action, Decision, Legal, Point, Space, View } from "./protocol";
import { unitsIn } from "./words";

export interface Errand {
  unit: string;
  seat: number;
  place: Point;
  /** The unit it is to meet; none where it is to go to a place. */
  target: string | null;
  /** What was wished for by name; none leaves it to what is likely. */
  kind: ErrandKind | null;
  /** It is laid out and asked about before it is done. */
  asks: boolean;
  /** Answers given on the way: none is given twice. */
  given: string[];
  /** How many actions had been taken when it was begun. */
  from: number;
}

/** What is to be done about an errand in a decision. */
export type Step =
  /** An answer; `last` if it is what was wished for. */
  | { take: Action; kind: ErrandKind | null; last: boolean }
  /** The umpire is asked where the hand points, in this family of answers. */
  | { steer: Space; kind: ErrandKind };

/** Whether an answer is of a sort: by its name, or by all that the sort says of it. */
export function isOf(sort: unknown, answer: unknown): boolean {
  if (typeof sort === "string") return answer === sort || (typeof answer === "object" && answer !== null && !Array.isArray(answer) && sort in answer);
  if (typeof sort !== "object" || sort === null || typeof answer !== "object" || answer === null) return sort === answer;
  return Object.entries(sort).every(([key, inner]) => {
    const value = (answer as Record<string, unknown>)[key];
    return typeof inner === "string" ? value === inner : isOf(inner, value);
  });
}

const named = (sorts: unknown[], answer: unknown) => sorts.some((sort) => isOf(sort, answer));

/** The next step of an errand, or none: then it has come to nothing here. `fits` says whether a family is open to the unit. */
export function nextStep(errand: Errand, errands: Errands, asked: Decision, legal: Pick<Legal, "listed" | "spaces">, view: View, fits: (space: Space) => boolean): Step | null {
  const { unit, target } = errand;
  const fresh = legal.listed.filter((a) => !errand.given.includes(JSON.stringify(a)));
  const about = (a: Action) => unitsIn(a, view);
  const ours = (a: Action) => asked.unit === unit || about(a).includes(unit);
  const kinds = errand.kind ? [errand.kind] : errands.kinds.filter((k) => k.goal === (target ? "unit" : "place"));
  const side = view.units.find((u) => u.id === unit)?.side;
  const aims = (a: Action) => about(a).some((id) => view.units.find((u) => u.id === id)?.side !== side);
  for (const kind of kinds) {
    const met = target ? fresh.find((a) => named(kind.by, a) && about(a).includes(target) && ours(a)) : undefined;
    if (met !== undefined) return { take: met, kind, last: true };
  }
  for (const kind of kinds) {
    const space = legal.spaces.find((s) => kind.hand?.includes(s.action) && fits(s));
    if (space) return { steer: space, kind };
    const order = fresh.find((a) => named(kind.by, a) && ours(a) && !aims(a));
    if (order !== undefined) return { take: order, kind, last: false };
  }
  const passed = errands.passed_over?.[asked.kind];
  if (errand.given.length && passed !== undefined) {
    const way = legal.listed.find((a) => isOf(passed, a));
    if (way !== undefined) return { take: way, kind: errand.kind, last: false };
  }
  const up = fresh.find((a) => named(errands.take_up, a) && about(a).includes(unit));
  return up === undefined ? null : { take: up, kind: errand.kind, last: false };
}
