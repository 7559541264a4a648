// Which part of the table is seen, and how large. The table's y goes north; here it is turned downwards once.

import type { Point, View } from "./protocol";

const margin = 0.02;

export class Camera {
  /** The size of the window on the table, in pixels. */
  w = $state(1);
  h = $state(1);
  #table = $state.raw<View["table"]>({ width: 1, height: 1, unit: "inch" });
  /** The middle of what is seen and pixels to one of the table's unit; none is the whole table. */
  #held = $state.raw<{ x: number; y: number; k: number } | null>(null);

  set table(table: View["table"]) {
    this.#table = table;
  }

  fit = $derived.by(() => {
    const { width, height } = this.#table;
    const k = Math.min(this.w / (width * (1 + 2 * margin)), this.h / (height * (1 + 2 * margin)));
    return { x: width / 2, y: height / 2, k: k > 0 ? k : 1 };
  });
  at = $derived.by(() => this.#held ?? this.fit);
  left = $derived.by(() => this.at.x - this.w / 2 / this.at.k);
  top = $derived.by(() => this.at.y - this.h / 2 / this.at.k);
  box = $derived.by(() => `${this.left} ${this.top} ${this.w / this.at.k} ${this.h / this.at.k}`);

  /** The place on the table under a pixel of the window. */
  place(px: number, py: number): Point {
    return [this.left + px / this.at.k, this.#table.height - (this.top + py / this.at.k)];
  }

  /** The pixel of the window over a place on the table. */
  pixel(p: Point): [number, number] {
    return [(p[0] - this.left) * this.at.k, (this.#table.height - p[1] - this.top) * this.at.k];
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

  /** Brings a place into sight if it is out of it. */
  show(p: Point): void {
    const [x, y] = this.pixel(p);
    if (x < 20 || y < 20 || x > this.w - 20 || y > this.h - 20) this.#held = this.#kept({ x: p[0], y: this.#table.height - p[1], k: this.at.k });
  }

  #kept(to: { x: number; y: number; k: number }) {
    const within = (v: number, most: number) => Math.min(Math.max(v, 0), most);
    return { x: within(to.x, this.#table.width), y: within(to.y, this.#table.height), k: to.k };
  }
}
