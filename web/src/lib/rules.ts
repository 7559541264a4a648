// Finding one's way in a rule book: by the words players use, whatever the book calls it.

import type { Clause } from "./protocol";

/** What players say, and what books call it. Each word stands for all of its line. */
const alike = [
  ["victory", "win", "wins", "won", "winner", "wins the battle", "ends the battle", "end of the battle", "battle ends", "score"],
  ["fire", "fires", "firing", "shoot", "shoots", "shooting", "volley"],
  ["move", "moves", "moving", "movement", "march"],
  ["charge", "charges", "charging", "attack", "attacks"],
  ["melee", "hand to hand", "close combat"],
  ["morale", "nerve", "resolve", "pinned", "pinning", "shaken", "rally", "rout"],
  ["turn", "sequence", "round", "phase"],
  ["order", "orders", "activation", "activate", "command"],
  ["cover", "terrain", "ground", "woods"],
  ["casualties", "losses", "removed"],
  ["set-up", "deploy", "deployment", "setting up"],
];

/** Chapters that a player looks for, in the words of the list above. */
export const asked = ["turn", "order", "move", "fire", "charge", "melee", "morale", "cover", "victory"] as const;

/** The words that mean the same as one, itself first. */
export function meanings(word: string): string[] {
  const w = word.trim().toLowerCase();
  if (!w) return [];
  const line = alike.find((words) => words.includes(w));
  return line ? [w, ...line.filter((other) => other !== w)] : [w];
}

/** The name of a section without its number: `4.6 Fire` is Fire, `Fire — FIRE` too. */
export const chapter = (section: string): string => section.replace(/^[\d.]+\s*/, "").replace(/\s+—.*$/, "");

const pattern = (word: string) => new RegExp(`(^|[^a-z])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`, "i");
const place = (text: string, word: string): number => text.search(pattern(word));
const has = (text: string, word: string): boolean => pattern(word).test(text);

/** How well a clause answers what was typed; 0 if it does not. What is called so comes before what mentions it. */
function fitness(c: Clause, typed: string, words: string[]): number {
  if (c.id.toLowerCase() === typed) return 1000;
  const [word, ...others] = words;
  const named = (w: string) => has(chapter(c.section), w);
  const told = (w: string) => has(c.plain, w);
  let fits = 0;
  if (c.id.toLowerCase().includes(typed)) fits += 40;
  if (named(word!)) fits += 30;
  else if (others.some(named)) fits += 15;
  if (told(word!)) fits += 20;
  else if (others.some(told)) fits += 8;
  // What speaks of it in several words, and early, is about it; what mentions it once at its end is not.
  if (fits > 0) {
    fits += 4 * words.filter(told).length;
    const at = words.map((w) => place(c.plain, w)).filter((i) => i >= 0);
    if (at.length && Math.min(...at) < 120) fits += 12;
  }
  return fits;
}


/** A piece of a clause that shows why it was found. */
export function excerpt(c: Clause, typed: string, long = 140): string {
  const at = meanings(typed).map((w) => place(c.plain, w)).find((i) => i >= 0) ?? 0;
  const from = at < long - 30 ? 0 : c.plain.indexOf(" ", at - 60) + 1;
  const piece = c.plain.slice(from, from + long);
  return `${from > 0 ? "…" : ""}${piece}${from + long < c.plain.length ? "…" : ""}`;
}

/** Clauses that answer what was typed, the best first. */
export function found(all: Clause[], typed: string, most = 40): Clause[] {
  const t = typed.trim().toLowerCase();
  if (t.length < 2) return [];
  const words = meanings(t);
  return all
    .map((c, i) => ({ c, i, fits: fitness(c, t, words) }))
    .filter((x) => x.fits > 0)
    .sort((a, b) => b.fits - a.fits || a.i - b.i)
    .slice(0, most)
    .map((x) => x.c);
}

/** The section that deals with what goes on now, by the words of it; none if none does. */
export function sectionFor(sections: string[], now: string): string | null {
  const words = [...new Set(now.toLowerCase().split(/[^a-z-]+/).filter((w) => w.length > 3))];
  const fits = (section: string) => words.reduce((sum, w) => sum + (has(chapter(section), w) ? 3 : meanings(w).some((m) => has(chapter(section), m)) ? 1 : 0), 0);
  const best = sections.map((s) => ({ s, fits: fits(s) })).sort((a, b) => b.fits - a.fits)[0];
  return best && best.fits > 0 ? best.s : null;
}
