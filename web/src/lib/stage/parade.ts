// Units as they stand, drawn by the page from the symbols and paints that the server's picture brings: the ground is fetched
// once, and an action sends what changed of the units alone. The same drawing as crates/picture/src/units.rs.

import { corners, turned } from "../geometry";
import { colourOf, facingOf, flagged } from "../livery";
import type { Point, Token, UnitView, View } from "../protocol";
import { heart } from "./scene";
import { basePath, stamps, statures, type Paint } from "./toys";

const n = (value: number) => String(Math.round(value * 1000) / 1000);
const inchOf = (view: View) => (view.table.unit === "inch" ? 1 : 2.54);

/** A chevron ahead of the unit: which way it looks. Four points, from its left wing. */
export function chevron(unit: UnitView, size: number): Point[] {
  if (unit.facing === null || !unit.figures.length) return [];
  const all = [...unit.outline, ...unit.figures.flatMap((f) => corners(f.shape))];
  const span = (i: 0 | 1) => { const v = all.map((p) => p[i]); return (Math.min(...v) + Math.max(...v)) / 2; };
  const middle: Point = [span(0), span(1)];
  const local = (p: Point): Point => { const q = turned(p, middle, -unit.facing!); return [q[0] - middle[0], q[1] - middle[1]]; };
  const boxes = unit.figures.map((f) => {
    const r = "radius" in f.shape ? f.shape.radius : 0;
    const ps = corners(f.shape).map(local);
    return { left: Math.min(...ps.map((p) => p[0])) - r, right: Math.max(...ps.map((p) => p[0])) + r, front: Math.max(...ps.map((p) => p[1])) + r };
  });
  const across = (Math.min(...boxes.map((b) => b.left)) + Math.max(...boxes.map((b) => b.right))) / 2;
  // Ahead of whoever stands in the middle; of everybody, where nobody stands there.
  const near = boxes.filter((b) => b.left < across + size && b.right > across - size);
  const ahead = Math.max(...(near.length ? near : boxes).map((b) => b.front)) + size * 0.3;
  const at = (x: number, y: number): Point => turned([middle[0] + across + x * size, middle[1] + ahead + y * size], middle, unit.facing!);
  return [at(-1, 0), at(0, 1), at(1, 0), at(0, 0.36)];
}

/** The pattern over the bases of every side but the first: strokes, dots, a lattice. */
export function hatch(side: number, rim: string, inch: number, id = `hatch${side}`): string {
  const step = 0.2 * inch;
  const mark = side === 2 ? `<circle cx="${n(step / 2)}" cy="${n(step / 2)}" r="${n(step * 0.2)}" fill="${rim}"/>` : `<path d="M0 0H${n(step)}${side > 2 ? `M0 0V${n(step)}` : ""}" stroke="${rim}" stroke-width="${n(step * 0.2)}"/>`;
  return `<pattern id="${id}" patternUnits="userSpaceOnUse" width="${n(step)}" height="${n(step)}" patternTransform="rotate(45)">${mark}</pattern>`;
}

/** Room about the table, so that whoever stands at its edge is drawn whole. */
export const rim = (view: View): number => 2 * inchOf(view);

/** What is to be held or reached, and who holds it: a disc with a sign, under the flag of its holder, upright however the table is turned. */
function goal(token: Token, i: number, view: View, paint: Paint, turn: number): string {
  const inch = inchOf(view);
  const size = Math.max(0.62 * inch, (9 * view.table.width) / 1300);
  const within = (v: number, most: number) => Math.max(size, Math.min(v, most - size));
  const [x, y] = [within(token.at[0], view.table.width), within(token.at[1], view.table.height)];
  const held = token.side ?? null;
  const coat = held === null ? null : paint.coats[held];
  const [fill, ink] = [coat?.base ?? "#e6deb0", coat?.rim ?? "#2f261c"];
  const ring = token.radius ? `<circle cx="${n(token.at[0])}" cy="${n(token.at[1])}" r="${n(token.radius)}" fill="${ink}" fill-opacity=".06" stroke="${ink}" stroke-opacity=".8" stroke-width="${n(size * 0.12)}" stroke-dasharray="${n(size * 0.5)} ${n(size * 0.4)}"/>` : "";
  const kind = token.kind.toLowerCase();
  // It points the way one goes: on from the nearest edge, or off over it.
  const gaps: [number, number][] = [[token.at[1], 0], [token.at[0], -90], [view.table.height - token.at[1], 180], [view.table.width - token.at[0], 90]];
  const inward = gaps.sort((a, b) => a[0] - b[0])[0]![1];
  const star = Array.from({ length: 10 }, (_, k) => { const [r, a] = [k % 2 ? 0.3 : 0.72, (k * Math.PI) / 5]; return `${n(Math.sin(a) * r)} ${n(Math.cos(a) * r)}`; }).join("L");
  const sign = /arriv|entry|exit/.test(kind) ? `<path transform="rotate(${inward + (kind.includes("exit") ? 180 : 0)})" d="M-.25 -.6V0H-.55L0 .65L.55 0H.25V-.6Z" fill="${ink}"/>`
    : /objective|goal|victory/.test(kind) ? `<path transform="rotate(${turn})" d="M${star}Z" fill="${ink}"/>` : `<path d="M0 .6L.45 0L0 -.6L-.45 0Z" fill="${ink}"/>`;
  const flag = held === null ? "" : `<g transform="rotate(${turn}) translate(.5 .2)"><path d="M0 0V2.1" stroke="#2b2620" stroke-width=".14" stroke-linecap="round"/><g transform="translate(.05 2.05) scale(.1 -.1)">${flagged(colourOf(view.sides, held), `goal${i}`)}</g></g>`;
  return `${ring}<g data-goal="${i}" transform="translate(${n(x)} ${n(y)})scale(${n(size)})"><circle cx=".12" cy="-.15" r="1" fill="#2b2a17" fill-opacity=".35"/><circle r="1" fill="${fill}" stroke="${ink}" stroke-width=".14"/>${sign}${flag}</g>`;
}

/** All units on the table but some, as one drawing that covers the table and its rim; below them what they fight for. */
export function paraded(view: View, paint: Paint, omit: ReadonlySet<string>, turn = 0): string {
  const [inch, edge] = [inchOf(view), rim(view)];
  const { width, height } = view.table;
  const most = statures(view);
  const size = Math.max(0.42 * inch, (5.5 * width) / 1300);
  const units = view.units.filter((u) => u.on_table && !omit.has(u.id));
  // Commanders last: they stand among their men.
  units.sort((a, b) => Number(a.arm === "command") - Number(b.arm === "command"));
  const body = units.map((u) => {
    const coat = paint.coats[u.side] ?? { base: "#d8cfb8", rim: "#4b4340", trim: "#f3e3b5" };
    const facing = facingOf(u, view);
    const outline = u.outline.length > 2 ? `<path d="M${u.outline.map((p) => `${n(p[0])} ${n(p[1])}`).join("L")}Z" fill="${coat.rim}" fill-opacity=".07"/>` : "";
    const men = u.figures.map((f) => {
      const at = heart(f.shape);
      const d = basePath(f);
      const pattern = u.side > 0 ? `<path d="${d}" fill="url(#hatch${Math.min(u.side, 3)})" fill-opacity=".38"/>` : "";
      const toys = stamps(f, u, most).map((s) => `<use href="#${paint.dyed(s.symbol, facing)}" transform="translate(${n(s.x)} ${n(s.y)})scale(${n(s.scale)})"/>`).join("");
      return `<g transform="translate(${n(at[0])} ${n(at[1])})rotate(${n(-f.facing)})"><path d="${d}" fill="${coat.base}" stroke="${coat.rim}" stroke-width="${n(0.06 * inch)}" stroke-linejoin="round"/>${pattern}${toys}</g>`;
    }).join("");
    const wing = chevron(u, size);
    const front = wing.length ? `<path d="M${wing.map((p) => `${n(p[0])} ${n(p[1])}`).join("L")}Z" fill="${coat.rim}" stroke="#f6efdd" stroke-width="${n(size * 0.15)}" stroke-linejoin="round"/>` : "";
    return `<g>${outline}${men}${front || (u.figures.length ? "" : garrison(u.at, coat, facing ?? coat.trim, size * 1.9))}</g>`;
  }).join("");
  const goals = view.tokens.map((token, i) => goal(token, i, view, paint, turn)).join("");
  const hatches = view.sides.map((_, i) => (i ? hatch(i, paint.coats[i]?.rim ?? "#4b4340", inch) : "")).join("");
  const box = `${n(-edge)} ${n(-edge)} ${n(width + 2 * edge)} ${n(height + 2 * edge)}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="${n(width + 2 * edge)}" height="${n(height + 2 * edge)}"><defs>${hatches}${paint.cupboard()}</defs><g transform="matrix(1 0 0 -1 0 ${n(height)})">${goals}${body}</g></svg>`;
}

/** A flag where a unit is that shows no figures: in a building, or hidden by it. */
function garrison(at: Point, coat: { base: string; rim: string }, cloth: string, size: number): string {
  const p = (x: number, y: number) => `${n(at[0] + x * size)} ${n(at[1] + y * size)}`;
  return `<path d="M${p(0, 0)}L${p(0, 1.7)}" stroke="${coat.rim}" stroke-width="${n(size * 0.14)}" stroke-linecap="round"/><path d="M${p(0, 1.5)}L${p(1.4, 1.5)}L${p(1.4, 0.75)}L${p(0, 0.75)}Z" fill="${coat.base}" stroke="${coat.rim}" stroke-width="${n(size * 0.08)}"/><path d="M${p(0, 1.12)}L${p(1.4, 1.12)}" stroke="${cloth}" stroke-width="${n(size * 0.2)}"/>`;
}
