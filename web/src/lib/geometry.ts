// Shapes of the table as SVG paths. The table's y goes north, the screen's goes down: `h` is the table's height.

import type { Overlay, Point, Shape } from "./protocol";

const radians = Math.PI / 180;

/** A point turned about another, clockwise as a compass turns. */
export function turned(p: Point, about: Point, degrees: number): Point {
  const [s, c] = [Math.sin(degrees * radians), Math.cos(degrees * radians)];
  const [x, y] = [p[0] - about[0], p[1] - about[1]];
  return [about[0] + x * c + y * s, about[1] - x * s + y * c];
}

/** Where a point of a unit comes to lie when the unit goes from one place and facing to another. */
export function carried(p: Point, from: Point, to: Point, degrees: number): Point {
  const q = degrees ? turned(p, from, degrees) : p;
  return [q[0] + to[0] - from[0], q[1] + to[1] - from[1]];
}

/** So far from a place, that way. */
export function ahead(p: Point, facing: number, far: number): Point {
  return [p[0] + Math.sin(facing * radians) * far, p[1] + Math.cos(facing * radians) * far];
}

/** The bearing from one place to another, in degrees clockwise from north. */
export function bearing(from: Point, to: Point): number {
  return ((Math.atan2(to[0] - from[0], to[1] - from[1]) / radians) % 360 + 360) % 360;
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

export function middle(points: Point[]): Point {
  const sum = points.reduce<Point>((a, p) => [a[0] + p[0], a[1] + p[1]], [0, 0]);
  return [sum[0] / Math.max(1, points.length), sum[1] / Math.max(1, points.length)];
}

const n = (value: number) => String(Math.round(value * 1000) / 1000);

export function line(points: Point[], h: number, closed: boolean): string {
  if (!points.length) return "";
  return `M${points.map((p) => `${n(p[0])} ${n(h - p[1])}`).join("L")}${closed ? "Z" : ""}`;
}

export function circle(centre: Point, radius: number, h: number): string {
  const [x, y, r] = [n(centre[0]), h - centre[1], n(radius)];
  return `M${x} ${n(y - radius)}A${r} ${r} 0 1 1 ${x} ${n(y + radius)}A${r} ${r} 0 1 1 ${x} ${n(y - radius)}Z`;
}

export function corners(shape: Shape): Point[] {
  switch (shape.shape) {
    case "rect": {
      const { centre, facing, width, depth } = shape;
      const at = (right: number, fore: number): Point => turned([centre[0] + right, centre[1] + fore], centre, facing);
      return [at(-width / 2, depth / 2), at(width / 2, depth / 2), at(width / 2, -depth / 2), at(-width / 2, -depth / 2)];
    }
    case "hull": return shape.corners;
    case "disc": return [shape.centre];
    case "pill": return [shape.a, shape.b];
  }
}

export function outline(shape: Shape, h: number): string {
  switch (shape.shape) {
    case "disc": return circle(shape.centre, shape.radius, h);
    case "pill": {
      const b = bearing(shape.a, shape.b);
      const side = (p: Point, degrees: number) => ahead(p, b + degrees, shape.radius);
      const [p, q, s, t] = [side(shape.a, -90), side(shape.b, -90), side(shape.b, 90), side(shape.a, 90)];
      const at = (x: Point) => `${n(x[0])} ${n(h - x[1])}`;
      const r = n(shape.radius);
      return `M${at(p)}L${at(q)}A${r} ${r} 0 0 1 ${at(s)}L${at(t)}A${r} ${r} 0 0 1 ${at(p)}Z`;
    }
    default: return line(corners(shape), h, true);
  }
}

/** An overlay as one path. */
export function overlayPath(overlay: Overlay, h: number): string {
  const s = overlay.shape;
  if ("circle" in s) return circle(s.circle.centre, s.circle.radius, h);
  if ("outline" in s) return line(s.outline, h, true);
  if ("path" in s) return line(s.path, h, false);
  return s.bases.map((base) => outline(base, h)).join("");
}

/** Where an overlay's word may be written: along it, from its upper edge (northern unless the table is turned) downwards. */
export function overlaySpots(overlay: Overlay, up: Point = [0, 1]): Point[] {
  const s = overlay.shape;
  const high = (p: Point) => p[0] * up[0] + p[1] * up[1];
  if ("circle" in s) {
    const { centre, radius } = s.circle;
    const turn = (degrees: number): Point => {
      const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
      return [centre[0] + radius * (up[0] * cos + up[1] * sin), centre[1] + radius * (up[1] * cos - up[0] * sin)];
    };
    return [0, 180, 20, -20, 40, -40, 160, -160, 60, -60, 140, -140, 90, -90].map(turn);
  }
  const points = "outline" in s ? s.outline : "path" in s ? s.path : s.bases.flatMap(corners);
  const between = "outline" in s ? points.map((p, i): Point => [(p[0] + points[(i + 1) % points.length]![0]) / 2, (p[1] + points[(i + 1) % points.length]![1]) / 2]) : [];
  return [...points, ...between].sort((a, b) => high(b) - high(a));
}

/** Whether a place lies within a ring of corners. */
export function inside(p: Point, ring: Point[]): boolean {
  let within = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [a, b] = [ring[i]!, ring[j]!];
    if (a[1] > p[1] !== b[1] > p[1] && p[0] < ((b[0] - a[0]) * (p[1] - a[1])) / (b[1] - a[1]) + a[0]) within = !within;
  }
  return within;
}

/** The place of a ring nearest to another place. */
export function nearest(p: Point, ring: Point[]): Point {
  let best: Point = ring[0] ?? p;
  ring.forEach((s, i) => {
    const t = ring[(i + 1) % ring.length]!;
    const [dx, dy] = [t[0] - s[0], t[1] - s[1]];
    const along = Math.min(1, Math.max(0, ((p[0] - s[0]) * dx + (p[1] - s[1]) * dy) / (dx * dx + dy * dy || 1)));
    const q: Point = [s[0] + dx * along, s[1] + dy * along];
    if (distance(p, q) < distance(p, best)) best = q;
  });
  return best;
}
