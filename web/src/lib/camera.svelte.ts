// Which part of the table is seen, how large, and which way it is turned. The table's y goes north; here it is turned downwards
// once, and then the whole table by quarters of a circle: whoever sits on the far side sees their own army at the bottom.

import type { Point, View } from "./protocol";

const margin = 0.02;

/** How far the table is turned, in degrees clockwise. */
export type Turn = 0 | 90 | 180 | 270;

/** The middle of what is seen, and pixels to one of the table's unit. */
export interface Held { x: number; y: number; k: number }

export class Camera {
  /** The size of the window on the table, in pixels. */
  w = $state(1);
  h = $state(1);
  #table = $state.raw<View["table"]>({ width: 1, height: 1, unit: "inch" });
  #turn = $state<Turn>(0);
  /** The middle of what is seen and pixels to one of the table's unit; none is the whole table. */
  #held = $state.raw<Held | null>(null);

  set table(table: View["table"]) {
    this.#table = table;
  }

  get turn(): Turn {
    return this.#turn;
  }

  /** Turns the table; what was in the middle of the window stays there. */
  set turn(turn: Turn) {
    if (turn === this.#turn) return;
    const middle = this.place(this.w / 2, this.h / 2);
    this.#turn = turn;
    const [x, y] = this.over(middle);
    if (this.#held) this.#held = this.#kept({ x, y, k: this.#held.k });
  }

  /** The table as it lies: its width and height as they are seen. */
  size = $derived.by(() => {
    const { width, height } = this.#table;
    return this.#turn % 180 ? { w: height, h: width } : { w: width, h: height };
  });
  /** From the table (y downwards) to the table as it lies, as the six numbers of a matrix. */
  matrix = $derived.by((): [number, number, number, number, number, number] => {
    const { width, height } = this.#table;
    switch (this.#turn) {
      case 0: return [1, 0, 0, 1, 0, 0];
      case 90: return [0, 1, -1, 0, height, 0];
      case 180: return [-1, 0, 0, -1, width, height];
      case 270: return [0, -1, 1, 0, 0, width];
    }
  });
  fit = $derived.by(() => {
    const { w, h } = this.size;
    const k = Math.min(this.w / (w * (1 + 2 * margin)), this.h / (h * (1 + 2 * margin)));
    return { x: w / 2, y: h / 2, k: k > 0 ? k : 1 };
  });
  at = $derived.by(() => this.#held ?? this.fit);
  left = $derived.by(() => this.at.x - this.w / 2 / this.at.k);
  top = $derived.by(() => this.at.y - this.h / 2 / this.at.k);
  box = $derived.by(() => `${this.left} ${this.top} ${this.w / this.at.k} ${this.h / this.at.k}`);

  /** A place on the table as it lies, in the table's unit from the corner that is at the top left. */
  over(p: Point): [number, number] {
    const [a, b, c, d, e, f] = this.matrix;
    const [x, y] = [p[0], this.#table.height - p[1]];
    return [a * x + c * y + e, b * x + d * y + f];
  }

  /** Which way on the table (east, north) so far to the right and up on the screen is. */
  along(right: number, up: number): Point {
    const [a, b, c, d] = this.matrix;
    // The matrix only turns, so that it is undone by its transpose.
    return [a * right - b * up + 0, -(c * right - d * up) + 0];
  }

  /** The place on the table under a pixel of the window. */
  place(px: number, py: number): Point {
    const [a, b, c, d, e, f] = this.matrix;
    const [x, y] = [this.left + px / this.at.k - e, this.top + py / this.at.k - f];
    return [a * x + b * y, this.#table.height - (c * x + d * y)];
  }

  /** The pixel of the window over a place on the table. */
  pixel(p: Point): [number, number] {
    const [x, y] = this.over(p);
    return [(x - this.left) * this.at.k, (y - this.top) * this.at.k];
  }

  zoom(factor: number, px = this.w / 2, py = this.h / 2): void {
    const k = Math.min(Math.max(this.at.k * factor, this.fit.k * 0.7), this.fit.k * 14);
    const [x, y] = [this.left + px / this.at.k, this.top + py / this.at.k];
    this.#held = this.#kept({ x: x - (px - this.w / 2) / k, y: y - (py - this.h / 2) / k, k });
  }

  pan(dx: number, dy: number): void {
    this.#held = this.#kept({ x: this.at.x - dx / this.at.k, y: this.at.y - dy / this.at.k, k: this.at.k });
  }

  whole(): void {
    this.#held = null;
  }

  /** What is seen, to come back to. */
  get held(): Held | null {
    return this.#held;
  }

  set held(to: Held | null) {
    this.#held = to && this.#kept(to);
  }

  /** What shows all these places with some ground about them: never farther than the whole table, nor too near to know where it is. */
  about(places: Point[]): Held {
    const seen = places.map((p) => this.over(p));
    const [xs, ys] = [seen.map((p) => p[0]), seen.map((p) => p[1])];
    const [left, right, top, foot] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const room = 0.55;
    const k = Math.min((this.w * room) / Math.max(right - left, 1e-6), (this.h * room) / Math.max(foot - top, 1e-6), this.fit.k * 2.2);
    return this.#kept({ x: (left + right) / 2, y: (top + foot) / 2, k: Math.max(k, this.fit.k) });
  }

  /** Brings a place into sight if it is out of it. */
  show(p: Point): void {
    const [x, y] = this.pixel(p);
    const [mx, my] = this.over(p);
    if (x < 20 || y < 20 || x > this.w - 20 || y > this.h - 20) this.#held = this.#kept({ x: mx, y: my, k: this.at.k });
  }

  #kept(to: Held): Held {
    const within = (v: number, most: number) => Math.min(Math.max(v, 0), most);
    return { x: within(to.x, this.size.w), y: within(to.y, this.size.h), k: to.k };
  }
}

/** How the table is turned so that a side has its own army at the bottom. Where the armies stand left and right of each other
 * it stays as it is, unless the window is taller than it is wide. */
export function facingUs(view: Pick<View, "units" | "table">, side: number | null, upright: boolean): Turn {
  const middle = (ours: boolean): Point | null => {
    const units = view.units.filter((u) => u.on_table && (u.side === side) === ours);
    const sum = units.reduce<Point>((a, u) => [a[0] + u.at[0], a[1] + u.at[1]], [0, 0]);
    return units.length ? [sum[0] / units.length, sum[1] / units.length] : null;
  };
  const ours = middle(true);
  if (side === null || !ours) return 0;
  const theirs = middle(false) ?? [view.table.width / 2, view.table.height / 2];
  const [east, north] = [theirs[0] - ours[0], theirs[1] - ours[1]];
  if (Math.abs(east) > 1.2 * Math.abs(north)) return upright ? (east > 0 ? 270 : 90) : 0;
  return north < 0 ? 180 : 0;
}
