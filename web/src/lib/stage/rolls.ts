// The rolls of an action, told from its events: every die, what each needed and why, and what came of it.

import type { Modifier, Moment, Told, Turned } from "../protocol";
import { byName, capital, plain } from "../words";

export interface Roll {
  /** Dice that hit or miss, dice that are added up, or dice that say something by themselves. */
  kind: "pool" | "sum" | "plain";
  dice: { face: number; lit: boolean | null }[];
  /** What it was about. */
  text: string;
  /** What each die needed, or the sum. */
  needs: string;
  /** What was made of it: hits, or the total. */
  made: string;
  /** It came out well for whoever rolled. */
  good: boolean | null;
  why: Modifier[];
  clauses: string[];
  /** What it did: what was told after it, up to the next roll. */
  did: string[];
}

export interface Rolled { n: number; seat: number | null; rolls: Roll[]; cards: { name: string; purpose: string }[] }

const count = (n: number, one: string, many: string) => (n === 1 ? `one ${one}` : n === 0 ? `no ${many}` : `${n} ${many}`);

/** One roll, from the event that tells it. */
export function read(e: Told): Roll {
  const faces = e.faces ?? [];
  const why = e.modifiers ?? [];
  const needed = e.needed ?? null;
  const made = e.made ?? null;
  const hits = needed === null ? 0 : faces.filter((f) => f >= needed).length;
  const kind = e.dice === "hits" || e.dice === "saves" ? "pool" : (e.dice ?? "plain");
  const good = kind === "pool" ? hits > 0 : kind === "sum" ? made! >= needed! : null;
  return {
    kind, why, good,
    dice: faces.map((face) => ({ face, lit: kind === "pool" ? face >= needed! : null })),
    text: byName(e.brief),
    needs: kind === "pool" ? `each needs ${needed}${needed! < 6 ? "+" : ""}` : kind === "sum" ? `needs ${needed}+` : "",
    made: kind === "pool" ? (e.dice === "saves" ? count(hits, "save", "saves") : count(hits, "hit", "hits")) : made === null ? "" : `makes ${made}`,
    clauses: [...new Set(e.clauses ?? [])].filter((c) => !why.some((m) => m.clause === c)),
    did: [],
  };
}

/** The cards of an action that can be read. A counter with nothing but a code on it (`10:Ac0`) cannot: what it means is told. */
export function cardsOf(draws: Turned["draws"]): { name: string; purpose: string }[] {
  return draws.flatMap((d) => ("card" in d.came && !/^\d+:\S+$/.test(d.came.card) ? [{ name: d.came.card, purpose: /^cards?$/i.test(d.purpose) ? "" : capital(plain(d.purpose)) }] : []));
}

/** Dice that were drawn and that no event tells, each with the roll it came before. One event may tell several draws. */
function untold(turned: Turned | Moment, rolls: Roll[]): { draw: { purpose: string; dice: number[] }; before: number }[] {
  const draws = turned.draws.flatMap((d) => ("dice" in d.came ? [{ purpose: d.purpose, dice: d.came.dice }] : []));
  const left: (number[] | null)[] = rolls.map((r) => r.dice.map((d) => d.face));
  const key = (faces: number[]) => [...faces].sort((a, b) => a - b).join();
  // Just these dice first; then a part of what an event tells of several.
  const found = draws.map((d) => {
    const i = left.findIndex((faces) => faces !== null && key(faces) === key(d.dice));
    if (i >= 0) left[i] = null;
    return i;
  });
  draws.forEach((d, n) => {
    if (found[n]! >= 0) return;
    found[n] = left.findIndex((faces) => {
      const rest = faces === null ? null : [...faces];
      return rest !== null && d.dice.every((face) => { const at = rest.indexOf(face); if (at < 0) return false; rest.splice(at, 1); return true; });
    });
    if (found[n]! >= 0) for (const face of d.dice) left[found[n]!]!.splice(left[found[n]!]!.indexOf(face), 1);
  });
  return draws.flatMap((draw, n) => {
    if (found[n]! >= 0) return [];
    const next = found.slice(n + 1).find((i) => i >= 0);
    return [{ draw, before: next ?? rolls.length }];
  });
}

/** All rolls of an action in the order they were made. */
export function rolled(turned: Turned | Moment): Rolled {
  const rolls: Roll[] = [];
  for (const e of turned.events) {
    if (e.faces?.length) rolls.push(read(e));
    else if (rolls.length && e.brief) rolls.at(-1)!.did.push(byName(e.brief));
  }
  // Dice that no event tells are shown all the same: nothing that was rolled is kept from anybody who may know it.
  for (const { draw, before } of untold(turned, rolls).reverse().sort((a, b) => b.before - a.before)) {
    rolls.splice(before, 0, { kind: "plain", dice: draw.dice.map((face) => ({ face, lit: null })), text: capital(plain(draw.purpose)), needs: "", made: "", good: null, why: [], clauses: [], did: [] });
  }
  const cards = cardsOf(turned.draws);
  return { n: turned.n, seat: turned.seat, rolls, cards };
}
