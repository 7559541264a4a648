// How the dice fell for each side: what they brought against what dice bring on the whole. Only rolls that can be judged count:
// pools of dice that hit or miss, and sums against a number. A unit's dice are its side's.

import type { Moment, Told, View } from "../protocol";

export interface Luck {
  /** Rolls that were judged, and dice in them. */
  rolls: number;
  dice: number;
  /** Dice that hit and tests that were passed, and how many were to be expected. */
  came: number;
  due: number;
  /** How far that is from the usual, in standard deviations; above nought is lucky. */
  off: number;
  /** Of a hundred armies with the same rolls to make, how many would have had less luck. */
  better: number;
}

/** The chance that so many dice of six make at least this sum. */
export function atLeast(dice: number, sum: number): number {
  let ways = new Map<number, number>([[0, 1]]);
  for (let i = 0; i < dice; i++) {
    const next = new Map<number, number>();
    for (const [s, p] of ways) for (let f = 1; f <= 6; f++) next.set(s + f, (next.get(s + f) ?? 0) + p / 6);
    ways = next;
  }
  let p = 0;
  for (const [s, q] of ways) if (s >= sum) p += q;
  return Math.min(1, p);
}

interface Judged { came: number; due: number; variance: number; dice: number }

/** What a roll brought and what was due; none for one that cannot be judged by its own numbers. */
export function judged(e: Told): Judged | null {
  const faces = e.faces ?? [];
  const [needed, made] = [e.needed ?? null, e.made ?? null];
  if (!faces.length || needed === null || made === null || faces.some((f) => f < 1 || f > 6)) return null;
  const added = (e.modifiers ?? []).reduce((a, m) => a + m.value, 0);
  const sum = faces.reduce((a, b) => a + b, 0);
  if (e.dice !== "sum") {
    const hits = faces.filter((f) => f >= needed).length;
    const p = Math.min(1, Math.max(0, (7 - needed) / 6));
    return { came: hits, due: faces.length * p, variance: faces.length * p * (1 - p), dice: faces.length };
  }
  if (made !== sum + added) return null;
  const p = atLeast(faces.length, needed - added);
  return { came: made >= needed ? 1 : 0, due: p, variance: p * (1 - p), dice: faces.length };
}

/** The share of a normal spread below so many deviations (Abramowitz and Stegun 7.1.26, to four places). */
export function below(z: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(z)) / Math.SQRT2);
  const erf = 1 - ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp((-z * z) / 2);
  return z >= 0 ? (1 + erf) / 2 : (1 - erf) / 2;
}

/** The luck of each side. */
export function luck(moments: Moment[], view: View): Luck[] {
  const side = new Map(view.units.map((u) => [u.id as string, u.side]));
  const sums = view.sides.map(() => ({ rolls: 0, dice: 0, came: 0, due: 0, variance: 0 }));
  for (const m of moments) {
    for (const e of m.events) {
      const whose = sums[side.get(e.who ?? "") ?? -1];
      const roll = whose ? judged(e) : null;
      if (!whose || !roll) continue;
      whose.rolls += 1;
      whose.dice += roll.dice;
      whose.came += roll.came;
      whose.due += roll.due;
      whose.variance += roll.variance;
    }
  }
  return sums.map(({ rolls, dice, came, due, variance }) => {
    const off = variance > 0 ? (came - due) / Math.sqrt(variance) : 0;
    return { rolls, dice, came, due, off, better: Math.round(below(off) * 100) };
  });
}

/** In words. */
export function inWords(l: Luck): string {
  if (!l.rolls) return "no rolls to judge by";
  if (Math.abs(l.off) < 0.5) return "about what dice bring";
  const much = Math.abs(l.off) < 1.2 ? "a little " : Math.abs(l.off) < 2 ? "" : "very ";
  return `${much}${l.off > 0 ? "lucky" : "unlucky"}`;
}
