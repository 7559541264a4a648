// The rolls of an action, told from its events: every die, what each needed and why, and what came of it.

import type { Modifier, Moment, Told, Turned } from "../protocol";
import { capital, clauseOf, plain, unsummed } from "../words";

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

function read(e: Told): Roll {
  const faces = e.faces ?? [];
  const why = e.modifiers ?? [];
  const sum = faces.reduce((a, b) => a + b, 0) + why.reduce((a, m) => a + m.value, 0);
  const needed = e.needed ?? null;
  const made = e.made ?? null;
  const hits = needed === null ? 0 : faces.filter((f) => f >= needed).length;
  // Hits are fewer than a sum could be: only where both readings fit is the number of dice asked.
  const pool = needed !== null && made !== null && made === hits && (made !== sum || faces.length > 2);
  const kind = pool ? "pool" : needed !== null && made !== null ? "sum" : "plain";
  const good = kind === "pool" ? hits > 0 : kind === "sum" ? made! >= needed! : null;
  return {
    kind, why, good,
    dice: faces.map((face) => ({ face, lit: kind === "pool" ? face >= needed! : null })),
    text: unsummed(e.text),
    needs: kind === "pool" ? `each needs ${needed}${needed! < 6 ? "+" : ""}` : kind === "sum" ? `needs ${needed}+` : "",
    made: kind === "pool" ? count(hits, "hit", "hits") : made === null ? "" : `makes ${made}`,
    clauses: [...new Set([...(e.clauses ?? []), ...(clauseOf(e.text) ? [clauseOf(e.text)!] : [])])].filter((c) => !why.some((m) => m.clause === c)),
    did: [],
  };
}

/** The cards of an action that can be read. A counter with nothing but a code on it (`10:Ac0`) cannot: what it means is told. */
export function cardsOf(draws: Turned["draws"]): { name: string; purpose: string }[] {
  return draws.flatMap((d) => ("card" in d.came && !/^\d+:\S+$/.test(d.came.card) ? [{ name: d.came.card, purpose: capital(plain(d.purpose)) }] : []));
}

/** All rolls of an action in the order they were made. */
export function rolled(turned: Turned | Moment): Rolled {
  const rolls: Roll[] = [];
  for (const e of turned.events) {
    if (e.faces?.length) rolls.push(read(e));
    else if (rolls.length && e.text) rolls.at(-1)!.did.push(unsummed(e.text));
  }
  // Dice that no event tells are shown all the same: nothing that was rolled is kept from anybody who may know it.
  if (!rolls.length) {
    for (const d of turned.draws) {
      if ("dice" in d.came) rolls.push({ kind: "plain", dice: d.came.dice.map((face) => ({ face, lit: null })), text: capital(plain(d.purpose)), needs: "", made: "", good: null, why: [], clauses: [], did: [] });
    }
  }
  const cards = cardsOf(turned.draws);
  return { n: turned.n, seat: turned.seat, rolls, cards };
}
