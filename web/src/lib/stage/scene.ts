// One action as it is seen: who goes along which way, who fires at whom, who falls. All of it comes from what the server
// told: the table before and after, the events, the ways. Plain numbers, no page and no rule in it.

import { bearing, carried, distance, middle, turned as about } from "../geometry";
import type { FigureView, Moment, Point, Role, Shape, Told, Turned, UnitView, View } from "../protocol";
import { read } from "./rolls";

/** Where a unit stands and which way it looks. */
export interface Stance { at: Point; facing: number }

/** A base with its toys, told from its unit's stance: it goes with it, and may change its place in the ranks on the way. */
export interface Stand { figure: FigureView; from: Stance; to: Stance; fate: "stays" | "falls" | "comes" }

/** A unit that is not afterwards as it was before. */
export interface Actor {
  unit: UnitView;
  stands: Stand[];
  /** The way it goes of its own will, and where it is driven after that. */
  march: Point[];
  driven: Point[];
  facing: [number, number];
  /** It was not there before, or is not there afterwards. */
  comes: boolean;
  leaves: boolean;
}

/** Dice of one unit against another. Near to each other they fight hand to hand. */
export interface Shot { who: string; whom: string; from: Point; to: Point; hits: number; dice: number; near: boolean; big: boolean }

/** Dice that are thrown where it happens: by which unit, where it is, and when they are to be seen. */
export interface Throw { who: string; at: Point; dice: { face: number; lit: boolean | null }[]; from: number; to: number }

export interface Scene {
  n: number;
  seat: number | null;
  before: View;
  after: View;
  events: Told[];
  actors: Actor[];
  shots: Shot[];
  throws: Throw[];
  /** Units that are worse off for it and still stand: their flags waver. */
  shaken: string[];
  /** Units that the events name, in order. */
  named: string[];
  /** When each part begins and ends, in milliseconds at the usual pace. */
  march: [number, number];
  fire: [number, number];
  fall: [number, number];
  drive: [number, number];
  lasts: number;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Whether a unit is drawn otherwise than it was. */
export function altered(a: UnitView | undefined, b: UnitView | undefined): boolean {
  if (a === b) return false;
  if (!a || !b) return Boolean((a ?? b)?.on_table);
  if (!a.on_table && !b.on_table) return false;
  return a.on_table !== b.on_table || !same(a.at, b.at) || a.facing !== b.facing || !same(a.figures, b.figures);
}

export function heart(shape: Shape): Point {
  switch (shape.shape) {
    case "pill": return middle([shape.a, shape.b]);
    case "hull": return middle(shape.corners);
    default: return shape.centre;
  }
}

const plainRole = (role: Role) => (typeof role === "string" ? role : Object.keys(role)[0]!);

/** A base as its unit sees it. */
function within(figure: FigureView, unit: Stance): Stance {
  const [x, y] = about(heart(figure.shape), unit.at, -unit.facing);
  return { at: [x - unit.at[0], y - unit.at[1]], facing: figure.facing - unit.facing };
}

const stance = (unit: UnitView): Stance => ({ at: unit.at, facing: unit.facing ?? 0 });

/** Which base is which afterwards: the nearest of its kind in the ranks. Who is left over has fallen, or has come. */
export function matched(before: UnitView, after: UnitView): Stand[] {
  const [old, fresh] = [before.figures.map((f) => within(f, stance(before))), after.figures.map((f) => within(f, stance(after)))];
  const stands: Stand[] = [];
  const taken = new Set<number>();
  const alike = (i: number, j: number) => plainRole(before.figures[i]!.role) === plainRole(after.figures[j]!.role);
  const inOrder = before.figures.length === after.figures.length && before.figures.every((_, i) => alike(i, i));
  after.figures.forEach((figure, j) => {
    let best = -1;
    if (inOrder) best = j;
    else before.figures.forEach((_, i) => {
      if (taken.has(i) || !alike(i, j)) return;
      if (best < 0 || distance(old[i]!.at, fresh[j]!.at) < distance(old[best]!.at, fresh[j]!.at)) best = i;
    });
    if (best < 0) stands.push({ figure, from: fresh[j]!, to: fresh[j]!, fate: "comes" });
    else {
      taken.add(best);
      stands.push({ figure, from: old[best]!, to: fresh[j]!, fate: "stays" });
    }
  });
  before.figures.forEach((figure, i) => {
    if (!taken.has(i)) stands.push({ figure, from: old[i]!, to: old[i]!, fate: "falls" });
  });
  return stands;
}

export function long(way: Point[]): number {
  return way.slice(1).reduce((sum, p, i) => sum + distance(way[i]!, p), 0);
}

/** The place so far along a way, from 0 to 1. */
export function along(way: Point[], share: number): Point {
  let left = long(way) * Math.min(1, Math.max(0, share));
  for (let i = 1; i < way.length; i++) {
    const [a, b] = [way[i - 1]!, way[i]!];
    const far = distance(a, b);
    if (left <= far && far > 0) return [a[0] + ((b[0] - a[0]) * left) / far, a[1] + ((b[1] - a[1]) * left) / far];
    left -= far;
  }
  return way.at(-1) ?? [0, 0];
}

/** A way up to the place on it that is nearest to a point. */
export function upTo(way: Point[], end: Point): Point[] {
  let best = { i: 0, p: way[0]!, far: distance(way[0]!, end) };
  for (let i = 1; i < way.length; i++) {
    const [a, b] = [way[i - 1]!, way[i]!];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const share = Math.min(1, Math.max(0, ((end[0] - a[0]) * dx + (end[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)));
    const p: Point = [a[0] + dx * share, a[1] + dy * share];
    if (distance(p, end) < best.far - 1e-9) best = { i, p, far: distance(p, end) };
  }
  return [...way.slice(0, best.i), best.p];
}

/** A unit's way in an action: what the engine says it marched, and straight on to where it was driven from there. */
function goes(before: UnitView, after: UnitView, way: Point[] | undefined): { march: Point[]; driven: Point[] } {
  const here = before.at;
  if (!way?.length) return { march: [here], driven: [here, after.at] };
  // The line may begin at another corner of the unit than the one it is measured from.
  const shifted = way.map((p) => carried(p, way[0]!, here, 0));
  // Back and forth in one action (a charge thrown back) ends near where it began: it did go all the way first.
  const far = Math.max(...shifted.map((p) => distance(p, here)));
  const back = distance(here, after.at) < far / 3 && far > 0.5;
  const march = back ? shifted : upTo(shifted, after.at);
  return { march, driven: [march.at(-1)!, after.at] };
}

function shots(events: Told[], before: View, where: (unit: UnitView) => Point): Shot[] {
  const inch = before.table.unit === "inch" ? 1 : 2.54;
  const found: Shot[] = [];
  let last: Told | null = null;
  for (const e of events) {
    // Who bears it throws dice as well, but fires nothing: an answer of another kind to what has just been fired.
    const bears: boolean = last !== null && last.who === e.whom && last.whom === e.who && last.what !== e.what;
    if (e.faces?.length && e.who && e.whom) last = e;
    if (bears) continue;
    const who = before.units.find((u) => u.id === e.who && u.on_table);
    const whom = before.units.find((u) => u.id === e.whom && u.on_table);
    if (!who || !whom || who.side === whom.side || !e.faces?.length) continue;
    const [from, to] = [where(who), where(whom)];
    const wide = Math.max(...who.outline.map((p) => distance(p, middle(who.outline))), 0.5);
    const deep = Math.max(...whom.outline.map((p) => distance(p, middle(whom.outline))), 0.5);
    const hits = Math.max(0, e.needed === undefined || e.needed === null ? (e.made ?? 0) : e.faces.filter((f) => f >= e.needed!).length);
    found.push({ who: who.id, whom: whom.id, from, to, hits, dice: e.faces.length, near: distance(from, to) < wide + deep + 1.2 * inch, big: who.arm === "artillery" });
  }
  return found;
}

/** How many of a unit's marks are bad. */
const woes = (unit: UnitView | undefined) => (unit?.markers ?? []).reduce((sum, m) => sum + (m.tone === "bad" ? m.count : 0), 0);

/** How long dice lie on the table before the next are thrown, and at the end. */
const throwing = 380;
const lying = 900;

/** The scene of one action. */
export function staged(turned: Turned | Moment, before: View, after: View): Scene {
  const actors: Actor[] = [];
  const then = new Map(before.units.map((u) => [u.id, u]));
  for (const now of after.units) {
    const old = then.get(now.id);
    if (!altered(old, now)) continue;
    const comes = !old?.on_table;
    const leaves = !now.on_table;
    if (comes || leaves || !old) {
      const unit = leaves && old ? old : now;
      const stands = unit.figures.map((figure): Stand => { const at = within(figure, stance(unit)); return { figure, from: at, to: at, fate: "stays" }; });
      actors.push({ unit, stands, march: [unit.at], driven: [unit.at, unit.at], facing: [unit.facing ?? 0, unit.facing ?? 0], comes, leaves });
      continue;
    }
    const { march, driven } = goes(old, now, turned.ways?.find((w) => w.unit === now.id)?.points);
    actors.push({ unit: now, stands: matched(old, now), march, driven, facing: [old.facing ?? 0, now.facing ?? 0], comes, leaves });
  }
  for (const old of before.units) {
    if (!old.on_table || after.units.some((u) => u.id === old.id)) continue;
    const stands = old.figures.map((figure): Stand => { const at = within(figure, stance(old)); return { figure, from: at, to: at, fate: "stays" }; });
    actors.push({ unit: old, stands, march: [old.at], driven: [old.at, old.at], facing: [old.facing ?? 0, old.facing ?? 0], comes: false, leaves: true });
  }
  const inch = before.table.unit === "inch" ? 1 : 2.54;
  const marching = (far: number) => (far > 0.01 ? Math.min(2200, 450 + (far / inch) * 130) : 0);
  const where = (unit: UnitView) => {
    const end = actors.find((a) => a.unit.id === unit.id)?.march.at(-1) ?? unit.at;
    return carried(middle(unit.outline.length ? unit.outline : [unit.at]), unit.at, end, 0);
  };
  const fired = shots(turned.events, before, where);
  const turns = actors.some((a) => !a.comes && !a.leaves && a.march.length > 1 && Math.abs(turn(...a.facing)) > 1);
  const first = Math.max(turns ? 450 : 0, ...actors.map((a) => marching(long(a.march))));
  const volley = fired.length ? 550 + 350 * Math.min(4, fired.length) : 0;
  const falls = actors.some((a) => a.leaves || a.comes || a.stands.some((s) => s.fate !== "stays")) ? 650 : 0;
  const forms = actors.some((a) => a.march.length < 2) ? 450 : 0;
  const then2 = Math.max(forms, ...actors.map((a) => marching(long(a.driven)) * 0.7));
  // Something told, and nothing of it to be seen go: time to read a line.
  const rest = first + volley + falls + then2 ? 250 : turned.events.some((e) => e.text) ? 700 : 0;
  const ends = [first, first + volley, first + volley + falls, first + volley + falls + then2] as const;
  // Dice are thrown one roll after another, and each roll lies until its unit throws again: whether somebody obeys before anybody
  // marches, and from the first dice against somebody on, where everybody has come to.
  const fight = turned.events.findIndex((e) => e.faces?.length && e.whom);
  const cast = turned.events.flatMap((e, i) => {
    const unit = e.faces?.length && e.who ? (before.units.find((u) => u.id === e.who && u.on_table) ?? after.units.find((u) => u.id === e.who && u.on_table)) : undefined;
    const early = fight < 0 || i < fight;
    return unit ? [{ who: unit.id, early, at: early ? middle(unit.outline.length ? unit.outline : [unit.at]) : where(unit), dice: read(e).dice }] : [];
  });
  const tests = cast.filter((c) => c.early).length;
  const begins = (i: number) => (i < tests ? i * throwing : Math.max(first, tests * throwing) + (i - tests) * throwing);
  const lasts = Math.max(ends[3] + rest, cast.length ? begins(cast.length - 1) + lying : 0);
  const throws = cast.map(({ who, at, dice }, i): Throw => {
    const next = cast.findIndex((o, j) => j > i && o.who === who);
    return { who, at, dice, from: begins(i), to: next < 0 ? lasts : begins(next) };
  });
  const shaken = after.units.filter((u) => u.on_table && then.get(u.id)?.on_table && woes(u) > woes(then.get(u.id))).map((u) => u.id);
  return {
    n: turned.n, seat: turned.seat, before, after, events: turned.events, actors, shots: fired, throws, shaken,
    named: [...new Set(turned.events.flatMap((e) => [e.who, e.whom]).filter((id): id is string => Boolean(id)))],
    march: [0, ends[0]], fire: [ends[0], ends[1]], fall: [Math.max(ends[0], ends[1] - 250), ends[2]], drive: [ends[2], ends[3]], lasts,
  };
}

/** The shorter way round from one bearing to another. */
export function turn(from: number, to: number): number {
  return ((((to - from) % 360) + 540) % 360) - 180;
}

/** How far into a part of the scene a moment is, from 0 to 1; a part that takes no time is over when it begins. */
export function share(part: [number, number], at: number): number {
  if (at >= part[1]) return 1;
  return at <= part[0] ? 0 : (at - part[0]) / (part[1] - part[0]);
}

const eased = (s: number) => s * s * (3 - 2 * s);

/** Where an actor stands at a moment, and how far it has changed its ranks. */
export function stanceAt(actor: Actor, scene: Scene, at: number): Stance & { formed: number } {
  const [m, d] = [eased(share(scene.march, at)), eased(share(scene.drive, at))];
  const marches = actor.march.length > 1;
  const place = d > 0 && long(actor.driven) > 0 ? along(actor.driven, d) : marches ? along(actor.march, m) : actor.march[0]!;
  const formed = marches && long(actor.driven) < 0.01 ? m : marches ? (m + d) / 2 : d;
  return { at: place, facing: actor.facing[0] + turn(...actor.facing) * formed, formed };
}

/** Where one of its bases is then. */
export function standAt(stand: Stand, unit: Stance & { formed: number }): Stance {
  const s = unit.formed;
  const local: Point = [stand.from.at[0] + (stand.to.at[0] - stand.from.at[0]) * s, stand.from.at[1] + (stand.to.at[1] - stand.from.at[1]) * s];
  const at = about([unit.at[0] + local[0], unit.at[1] + local[1]], unit.at, unit.facing);
  return { at, facing: unit.facing + stand.from.facing + turn(stand.from.facing, stand.to.facing) * s };
}

/** What is left on the table of where it went: an arrow from where it stood to where it stands. */
export interface Trail { n: number; unit: string; side: number; way: Point[] }

export function trails(scene: Scene): Trail[] {
  const inch = scene.before.table.unit === "inch" ? 1 : 2.54;
  return scene.actors.flatMap((a): Trail[] => {
    const way = [...a.march, ...a.driven.slice(1)];
    return a.comes || a.leaves || long(way) < 0.4 * inch ? [] : [{ n: scene.n, unit: a.unit.id, side: a.unit.side, way }];
  });
}

/** The head of an arrow at the end of a way, as three points. */
export function head(way: Point[], size: number): Point[] {
  const end = way.at(-1)!;
  const last = [...way].reverse().find((p) => distance(p, end) > 0.01) ?? end;
  const b = bearing(last, end);
  const at = (degrees: number): Point => { const r = ((b + degrees) * Math.PI) / 180; return [end[0] + Math.sin(r) * size, end[1] + Math.cos(r) * size]; };
  return [at(155), end, at(-155)];
}
