// How a person likes to sit at the table, kept in the browser: which way it is turned, and whether every order is asked about twice.

import type { Turn } from "./camera.svelte";

function kept<T>(name: string, otherwise: T): T {
  try {
    return (JSON.parse(localStorage.getItem(name) ?? "null") as T | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function keep(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch { /* a browser that keeps nothing: it holds for this page */ }
}

class Manner {
  /** Every order is laid out first and asked about, and so is every question, however plain its answer. */
  asksAll = $state(kept("asks-all", false));

  setAsksAll(on: boolean): void {
    this.asksAll = on;
    keep("asks-all", on);
  }

  /** How far somebody turned the table of a game; none leaves it to who sits there. */
  turnOf(game: string): Turn | null {
    return kept<Turn | null>(`turn-${game}`, null);
  }

  setTurn(game: string, turn: Turn | null): void {
    keep(`turn-${game}`, turn);
  }
}

export const manner = new Manner();
