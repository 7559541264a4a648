// Names of units at a size that can be read, wherever one stands: as many words as there is room for, none over another and
// none over the men. In pixels of the screen, from the corner of the table that is at the top left, however it is turned.

import type { Point, UnitView, View } from "./protocol";
import { called, placeName, plain } from "./words";

export interface Box { x: number; y: number; w: number; h: number }
export interface Label extends Box {
  id: string;
  side: number;
  text: string;
  strength: string;
  /** The worst it is marked with: drawn as a sign of its own. */
  tone: "bad" | "fair" | null;
  /** From the label to its unit, where it does not stand beside it. */
  leader: [number, number, number, number] | null;
}

/** How the table lies: its size as it is seen, where a place on it is, and by how many degrees it is turned. */
export interface Lie { w: number; h: number; over: (p: Point) => [number, number]; turn: number }

/** Not turned. */
export function flat(table: View["table"]): Lie {
  return { w: table.width, h: table.height, over: (p) => [p[0], table.height - p[1]], turn: 0 };
}

export const height = 16;
const gap = 2;
/** The flag of its regiment. */
const mark = 17;

export const apart = (a: Box, b: Box) => a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;

/** What a unit is called on the table, in fewer and fewer words; at the end only how strong it is. From near its states are told, too. */
export function forms(unit: UnitView, near = false): string[] {
  const name = called(unit);
  const words = name.split(/\s+/);
  const last = words.at(-1)!;
  const number = /^([IVX]+|\d+)$/.test(last) && words.length > 1 ? ` ${last}` : "";
  const cut = (word: string) => (word.length > 5 ? `${word.slice(0, 4)}.` : word);
  // A number, an article or an adjective of rank names nobody: the word after it does.
  const bare = /^(\d+(st|nd|rd|th)|the|heavy|light)$/i.test(words[0]!) && words.length > 1;
  // What many are called tells nobody apart: a regiment goes by its own name.
  const own = /^(regiment|battery|battalion|company|freikorps)$/i.test(words[0]!) && /^\p{Lu}/u.test(words[1] ?? "") && !/^[IVX]+$/.test(words[1]!) ? words[1]! : null;
  const colonel = /^(?:the )?colonel of (\S+)/i.exec(name)?.[1];
  const short = own ? `${own.length > 9 ? `${own.slice(0, 7)}.` : own}${number && words.length > 2 ? number : ""}` : colonel ? `Col. ${cut(colonel)}` : /\bgeneral$/i.test(name) ? "General" : bare ? `${words[0]} ${cut(words[1]!)}${number && words.length > 2 ? number : ""}` : `${cut(words[0]!)}${number}`;
  const states = near ? (unit.markers ?? []).map((m) => plain(m.kind) + (m.count > 1 ? ` ×${m.count}` : "")).join(", ") : "";
  return [...new Set([states ? `${name}, ${states}` : name, ...(states ? [name] : []), short, ""])];
}

/** What is written at a line on the table, where it may stand: the best place first. */
export interface Note { text: string; spots: Point[] }

/** Each note at the first of its places where nothing else is written; where there is none, at its first. */
export function noted(notes: readonly Note[], taken: readonly Box[], k: number, measure: (text: string) => number, lie: Lie): (Box & { text: string })[] {
  const boxes = [...taken];
  return notes.flatMap(({ text, spots }) => {
    const w = measure(text) + 6;
    const h = 15;
    const within = (v: number, most: number) => Math.min(Math.max(v, 2), Math.max(2, most - 2));
    const places = spots.flatMap((spot) => {
      const [x, y] = lie.over(spot).map((v) => v * k) as [number, number];
      // Above the line, or below it; what lies off the table is not seen.
      const seen = x >= 0 && y >= 0 && x <= lie.w * k && y <= lie.h * k;
      return [y - h - 3, y + 4].map((top) => ({ x: within(x - w / 2, lie.w * k - w), y: within(top, lie.h * k - h), w, h, seen }));
    });
    const free = (box: Box) => boxes.every((other) => apart(box, other));
    const at = places.find((p) => p.seen && free(p)) ?? places.find((p) => p.seen) ?? places[0];
    if (!at) return [];
    const box = { x: at.x, y: at.y, w, h, text };
    boxes.push(box);
    return [box];
  });
}

export function boxOf(unit: UnitView, lie: Lie, k: number): Box {
  const points = (unit.outline.length ? unit.outline : [unit.at]).map(lie.over);
  const xs = points.map((p) => p[0] * k);
  const ys = points.map((p) => p[1] * k);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
}

/** Places beside a unit, behind it first. */
function* beside(unit: Box, w: number, behindIsBelow: boolean): Generator<Box> {
  const [mx, my] = [unit.x + unit.w / 2 - w / 2, unit.y + unit.h / 2 - height / 2];
  const below = (d: number) => ({ x: mx, y: unit.y + unit.h + d, w, h: height });
  const above = (d: number) => ({ x: mx, y: unit.y - height - d, w, h: height });
  const [first, second] = behindIsBelow ? [below, above] : [above, below];
  yield first(gap);
  yield second(gap);
  for (const slide of [-0.2, 0.2, -0.4, 0.4]) for (const at of [first(gap), second(gap)]) yield { ...at, x: at.x + slide * w };
  yield { x: unit.x + unit.w + gap, y: my, w, h: height };
  yield { x: unit.x - w - gap, y: my, w, h: height };
}

/** Places farther off, from which a line leads to the unit. */
function* aloof(unit: Box, w: number, behindIsBelow: boolean): Generator<Box> {
  const mx = unit.x + unit.w / 2 - w / 2;
  for (const d of [height + 2 * gap, 2 * (height + 2 * gap)]) {
    const [below, above] = [unit.y + unit.h + d, unit.y - height - d];
    for (const y of behindIsBelow ? [below, above] : [above, below]) for (const slide of [0, -0.4, 0.4]) yield { x: mx + slide * w, y, w, h: height };
  }
}

const heart = (b: Box): [number, number] => [b.x + b.w / 2, b.y + b.h / 2];
const far = (a: Box, b: Box) => Math.hypot(heart(a)[0] - heart(b)[0], heart(a)[1] - heart(b)[1]);

/** Whether a line runs over a box. */
export function crosses([x1, y1, x2, y2]: [number, number, number, number], box: Box): boolean {
  for (let i = 1; i < 12; i++) {
    const [x, y] = [x1 + ((x2 - x1) * i) / 12, y1 + ((y2 - y1) * i) / 12];
    if (x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h) return true;
  }
  return false;
}

/** What is fought for, each with its name below it. */
function goals(view: Pick<View, "tokens">, k: number, measure: (text: string) => number, lie: Lie): Box[] {
  return (view.tokens ?? []).filter((t) => placeName(t.label)).map((t) => {
    const [[x, y], w] = [lie.over(t.at), measure(placeName(t.label)) * 1.05 + 4];
    return { x: x * k - w / 2, y: y * k - 10, w, h: 37 };
  });
}

/** A name of the ground, about its middle. */
export interface GroundName { id: string; text: string; x: number; y: number }

/** Names of the ground where they fit on it and nobody stands or is named; a farther table has fewer. */
export function groundNames(view: Pick<View, "terrain" | "units" | "tokens">, k: number, labels: readonly Label[], measure: (text: string) => number, lie: Lie): GroundName[] {
  const taken: Box[] = view.units.filter((u) => u.on_table && u.outline.length > 2).map((u) => boxOf(u, lie, k));
  taken.push(...labels, ...goals(view, k, measure, lie));
  const out: GroundName[] = [];
  for (const piece of view.terrain) {
    const text = plain(piece.kind);
    const points = piece.points.map(lie.over).map(([x, y]): [number, number] => [x * k, y * k]);
    if (!points.length) continue;
    const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
    const [left, right, top, foot] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const w = measure(text) + 4;
    // A piece of ground is wide enough for its name; along a road or a stream it need only be long enough.
    if (piece.closed ? right - left < w || foot - top < height : Math.hypot(right - left, foot - top) < 2 * w) continue;
    const middles: [number, number][] = piece.closed ? [0.5, 0.25, 0.75].map((s) => [(left + right) / 2, top + (foot - top) * s]) : [0.5, 0.25, 0.75].map((s) => points[Math.round((points.length - 1) * s)]!);
    if (!piece.closed && points.length === 2) middles.unshift(...[0.5, 0.3, 0.7].map((s): [number, number] => [points[0]![0] + (points[1]![0] - points[0]![0]) * s, points[0]![1] + (points[1]![1] - points[0]![1]) * s]));
    for (const [x, y] of middles) {
      const box = { x: x - w / 2, y: y - height / 2, w, h: height };
      const on = box.x >= 0 && box.y >= 0 && box.x + box.w <= lie.w * k && box.y + box.h <= lie.h * k;
      if (!on || !taken.every((t) => apart(t, box)) || labels.some((l) => l.leader && crosses(l.leader, box))) continue;
      taken.push(box);
      out.push({ id: piece.id, text, x, y });
      break;
    }
  }
  return out;
}

/** Labels for all units that there is room for. `first` are those that must have theirs: what is picked or asked about. */
export function placed(view: View, k: number, first: ReadonlySet<string>, measure: (text: string) => number, lie: Lie = flat(view.table)): Label[] {
  const [width, high] = [lie.w * k, lie.h * k];
  // An inch is as wide as a finger: there is room for what is the matter with a unit.
  const near = k * (view.table.unit === "inch" ? 1 : 2.54) > 32;
  const units = view.units.filter((u) => u.on_table && u.outline.length > 2);
  const men = new Map(units.map((u) => [u.id, boxOf(u, lie, k)]));
  const fought = goals(view, k, measure, lie);
  const rank = (u: UnitView) => (first.has(u.id) ? 0 : u.arm === "command" ? 2 : 1);
  const out: Label[] = [];
  for (const unit of [...units].sort((a, b) => rank(a) - rank(b))) {
    const here = men.get(unit.id)!;
    const strength = unit.strength[1] > 1 ? String(unit.strength[0]) : "";
    const tone = unit.markers.some((m) => m.tone === "bad") ? "bad" : unit.markers.some((m) => m.tone === "fair") ? "fair" : null;
    const facing = ((((unit.facing ?? (unit.side === 0 ? 0 : 180)) + lie.turn) % 360) + 360) % 360;
    const below = facing < 90 || facing > 270;
    const found = search();
    if (found) out.push(found);
    function search(): Label | null {
      const wide = (text: string) => mark + 6 + (text ? measure(text) + 3 : 0) + (strength ? measure(strength) + 3 : 0) + (tone ? 10 : 0);
      const free = (box: Box) =>
        box.x >= 0 && box.y >= 0 && box.x + box.w <= width && box.y + box.h <= high && out.every((l) => apart(l, box) && !(l.leader && crosses(l.leader, box))) && [...men.values()].every((m) => apart(m, box)) && fought.every((g) => apart(g, box));
      const all = forms(unit, near);
      const [whole, short] = all.slice(-3);
      const full = all[0]!;
      // In full beside it, in short beside it, then farther off; a number alone stands beside its unit or nowhere.
      for (const [text, aside] of [[full, false], [whole!, false], [short || whole!, false], [whole!, true], [short || whole!, true], ["", false]] as const) {
        if (!text && !strength) continue;
        for (const box of (aside ? aloof : beside)(here, wide(text), below)) {
          if (!free(box)) continue;
          // Nearer to its own unit than to any other, or nobody could tell whose it is.
          if (!aside && [...men].some(([id, m]) => id !== unit.id && far(m, box) < far(here, box))) continue;
          const [middle] = heart(box);
          const over = box.y > here.y;
          const leader: Label["leader"] = aside ? [middle, over ? box.y : box.y + box.h, Math.min(Math.max(middle, here.x + 2), here.x + here.w - 2), over ? here.y + here.h : here.y] : null;
          if (leader && ([...men].some(([id, m]) => id !== unit.id && crosses(leader, m)) || out.some((l) => crosses(leader, l)))) continue;
          return { ...box, id: unit.id, side: unit.side, text, strength, tone, leader };
        }
      }
      if (!first.has(unit.id)) return null;
      // What is picked is named wherever it stands.
      const w = wide(whole!);
      const [box] = beside(here, w, below);
      return { ...box!, x: Math.min(Math.max(box!.x, 0), Math.max(0, width - w)), y: Math.min(Math.max(box!.y, 0), high - height), id: unit.id, side: unit.side, text: whole!, strength, tone, leader: null };
    }
  }
  return out;
}
