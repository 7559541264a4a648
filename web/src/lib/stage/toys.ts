// The toys of a base, stamped from the symbols that the server's picture brings, as large as the picture draws them.

import { ahead, corners, turned } from "../geometry";
import type { FigureView, Point, Role, UnitView, View } from "../protocol";
import { heart } from "./scene";

/** Half the width and length of the box that each symbol fits; the same numbers as in crates/picture/src/figures.rs. */
const boxes: Record<string, [number, number]> = {
  "foot": [0.8, 0.85], "crew": [0.8, 0.85], "leader": [0.85, 0.9], "ensign": [0.85, 0.9], "horse": [0.75, 1.5], "mounted-leader": [0.75, 1.5], "mounted-ensign": [0.75, 1.5],
  "general": [0.95, 1.5], "gun": [0.95, 1.6], "machine-gun": [0.85, 1.05], "limbered-gun": [0.9, 3.2], "wagon": [0.95, 2.9],
};

/** A symbol at a place within its base, `x` to the right and `y` ahead of the base's middle. */
export interface Stamp { symbol: string; x: number; y: number; scale: number }

export function toyOf(role: Role, arm: UnitView["arm"]): { toy: string; count: number; stand: boolean } {
  if (typeof role !== "string") return "foot_stand" in role ? { toy: "foot", count: role.foot_stand, stand: true } : { toy: "horse", count: role.horse_stand, stand: true };
  const mounted = arm === "cavalry" && (role === "ensign" || role === "leader") ? "mounted-" : "";
  return { toy: mounted + role.replaceAll("_", "-"), count: 1, stand: false };
}

/** Half the width and depth of a base as its toy sees them. */
function extent(figure: FigureView): { wide: number; deep: number } {
  const shape = figure.shape;
  const radius = "radius" in shape ? shape.radius : 0;
  const local = corners(shape).map((p) => turned(p, heart(shape), -figure.facing));
  const span = (i: 0 | 1) => (Math.max(...local.map((p) => p[i])) - Math.min(...local.map((p) => p[i]))) / 2 + radius;
  return { wide: span(0), deep: span(1) };
}

function ranks(figure: FigureView, toy: string, count: number): { columns: number; rows: number; scale: number; wide: number; deep: number } {
  const { wide, deep } = extent(figure);
  const [w, l] = boxes[toy] ?? [0.8, 0.85];
  let best = { columns: 1, rows: count, scale: 0 };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const scale = Math.min(wide / columns / w, deep / rows / l);
    if (scale >= best.scale) best = { columns, rows, scale };
  }
  return { ...best, scale: best.scale * 0.94, wide, deep };
}

const within = (count: number) => Math.min(24, Math.max(1, count));

/** The size of men on stands all over the table: as large as the fullest stand allows. */
export function statures(view: View): Record<string, number> {
  const most: Record<string, number> = {};
  for (const unit of view.units) {
    if (!unit.on_table) continue;
    for (const figure of unit.figures) {
      const { toy, count, stand } = toyOf(figure.role, "infantry");
      if (!stand) continue;
      const { scale } = ranks(figure, toy, within(count));
      if (scale > 0) most[toy] = Math.min(most[toy] ?? Infinity, scale);
    }
  }
  return most;
}

export function stamps(figure: FigureView, unit: UnitView, most: Record<string, number>): Stamp[] {
  const { toy, count: many, stand } = toyOf(figure.role, unit.arm);
  const count = stand ? within(many) : 1;
  const fit = ranks(figure, toy, count);
  const [w, l] = boxes[toy] ?? [0.8, 0.85];
  let { scale } = fit;
  let cell: Point = [fit.wide / fit.columns, fit.deep / fit.rows];
  const limit = stand ? most[toy] : undefined;
  if (limit !== undefined && limit < scale) {
    cell = [Math.min(cell[0], w * limit * 1.15), Math.min(cell[1], l * limit * 1.15)];
    scale = limit;
  }
  if (!Number.isFinite(scale) || scale <= 0) return [];
  return Array.from({ length: count }, (_, man) => {
    const [row, column] = [Math.floor(man / fit.columns), man % fit.columns];
    const inRow = Math.min(fit.columns, count - row * fit.columns);
    return { symbol: `s${unit.side}-${toy}`, x: (column - (inRow - 1) / 2) * 2 * cell[0], y: ((fit.rows - 1) / 2 - row) * 2 * cell[1], scale };
  });
}

/** The outline of a base about its own middle, looking north, `y` northwards. */
export function basePath(figure: FigureView): string {
  const shape = figure.shape;
  const centre = heart(shape);
  const local = (p: Point): Point => { const q = turned(p, centre, -figure.facing); return [q[0] - centre[0], q[1] - centre[1]]; };
  const n = (v: number) => Math.round(v * 1000) / 1000;
  if (shape.shape === "disc") return `M0 ${n(shape.radius)}A${n(shape.radius)} ${n(shape.radius)} 0 1 1 0 ${n(-shape.radius)}A${n(shape.radius)} ${n(shape.radius)} 0 1 1 0 ${n(shape.radius)}Z`;
  const ring = shape.shape === "pill" ? pill(shape.a, shape.b, shape.radius) : corners(shape);
  return `M${ring.map(local).map((p) => `${n(p[0])} ${n(p[1])}`).join("L")}Z`;
}

function pill(a: Point, b: Point, radius: number): Point[] {
  const facing = (Math.atan2(b[0] - a[0], b[1] - a[1]) * 180) / Math.PI;
  const arc = (p: Point, from: number) => Array.from({ length: 7 }, (_, i) => ahead(p, facing + from + i * 30, radius));
  return [...arc(b, -90), ...arc(a, 90)];
}

/** What the picture brings for drawing units: the symbols, and the paint of each side's bases. */
export interface Coat { base: string; rim: string; /** Belts, lace and flags, unless a regiment has its own. */ trim: string }

export class Paint {
  coats: Record<number, Coat> = {};
  /** Symbols as the picture has them, by name. */
  #drawn = new Map<string, string>();
  /** Those that are asked for: also in regiments' own colours. */
  #asked = new Map<string, string>();

  constructor(svg: string) {
    const defs = /<defs>([\s\S]*?)<\/defs>/.exec(svg)?.[1] ?? "";
    for (const [text, name] of defs.matchAll(/<g id="(s\d+-[a-z-]+)"[\s\S]*?<\/g>\n/g)) this.#drawn.set(name!, text);
    const coats = / data-coats="([^"]*)"/.exec(svg)?.[1]?.split(";") ?? [];
    coats.forEach((coat, side) => {
      const [base = "#d8cfb8", rim = "#4b4340", trim = "#f3e3b5"] = coat.split(" ");
      this.coats[side] = { base, rim, trim };
    });
  }

  /** Whether the picture has brought this symbol. */
  has(symbol: string): boolean {
    return this.#drawn.has(symbol);
  }

  /** A symbol in a regiment's own colour; its name. */
  dyed(symbol: string, colour: string | null): string {
    const text = this.#drawn.get(symbol);
    if (!text) return symbol;
    const name = colour ? `${symbol}-${colour.slice(1)}` : symbol;
    if (!this.#asked.has(name)) {
      const trim = this.coats[Number(/^s(\d+)-/.exec(symbol)?.[1] ?? 0)]?.trim;
      this.#asked.set(name, (colour && trim ? text.replaceAll(trim, colour) : text).replace(`id="${symbol}"`, `id="${name}"`));
    }
    return name;
  }

  /** All symbols that were asked for, to be put into a drawing. */
  cupboard(): string {
    return [...this.#asked.values()].join("");
  }
}
