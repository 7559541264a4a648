// Words of the club's pages.

import type { Pair } from "../generated";

/** A day, as people write it. */
export function day(ms: number): string {
  return new Date(ms).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}

/** Points with halves as they are written: 2½. */
export function points(score: number): string {
  const whole = Math.floor(score);
  const half = score - whole >= 0.5 ? "½" : "";
  return whole || !half ? `${whole}${half}` : half;
}

/** What came of a game, in words. */
export function outcome(pair: Pair): string {
  if (!pair.second) return "has this round off";
  if (!pair.over) return "not over yet";
  return pair.winner ? `${pair.winner} won` : "drawn";
}

/** Names out of lines or commas, each once; how they are written elsewhere is the server's to judge. */
export function namesIn(text: string): string[] {
  return [...new Set(text.split(/[\n,;]/).map((name) => name.trim()).filter(Boolean))];
}
