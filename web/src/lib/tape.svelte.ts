// The measuring tape: laid by dragging, or by keys with a crosshair.

import { distance, inside, nearest } from "./geometry";
import type { Point, View } from "./protocol";
import { called, compass, length, plain } from "./words";

export class Tape {
  /** It is in the hand: dragging measures. */
  out = $state(false);
  from = $state.raw<Point | null>(null);
  to = $state.raw<Point | null>(null);
  /** It is laid by keys, its end under a crosshair. */
  cross = $state(false);
  /** What has just been done with it, for those who hear the page. */
  said = $state("");
  #unit: string | null = null;

  put(away = true): void {
    this.out = !away;
    this.from = null;
    this.to = null;
    this.cross = false;
    this.said = "";
    this.#unit = null;
  }

  toggle(): void {
    this.put(this.out);
  }

  /** Laid by hand. */
  lay(from: Point, to: Point): void {
    this.from = from;
    this.to = to;
    this.cross = false;
  }

  /** Taken out by key: begins where something is picked, else in the middle of the table. */
  begin(view: View, picked: string | null): void {
    this.put(false);
    const unit = view.units.find((u) => u.id === picked && u.on_table);
    this.#unit = unit?.id ?? null;
    this.from = unit?.at ?? [view.table.width / 2, view.table.height / 2];
    this.to = this.from;
    this.cross = true;
    this.said = `Measuring from ${this.#where(view, this.from)}. Arrows move the other end, U goes to the next unit, Enter begins there, Escape ends.`;
  }

  /** A key while it is out; whether it was one of the tape's. `along` says which way on the table the arrows point. */
  key(event: KeyboardEvent, view: View, along: (right: number, up: number) => Point = (right, up) => [right, up]): boolean {
    if (!this.out) return false;
    const step = (event.shiftKey ? 5 : event.altKey ? 0.1 : 1) * (view.table.unit === "inch" ? 1 : 2.5);
    const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const arrow = arrows[event.key];
    if (event.key === "Escape" || event.key === "m") this.put();
    else if (arrow) {
      const at = this.to ?? [view.table.width / 2, view.table.height / 2];
      const within = (v: number, most: number) => Math.min(Math.max(v, 0), most);
      const [east, north] = along(arrow[0] * step, arrow[1] * step);
      this.#end(view, [within(at[0] + east, view.table.width), within(at[1] + north, view.table.height)]);
      this.#unit = null;
    } else if (event.key === "u" || event.key === "U") {
      const units = view.units.filter((u) => u.on_table && u.outline.length > 2);
      if (!units.length) return true;
      const at = units.findIndex((u) => u.id === this.#unit);
      const unit = units[(at + (event.key === "u" ? 1 : -1) + units.length) % units.length]!;
      this.#unit = unit.id;
      const from = this.from ?? unit.at;
      this.#end(view, inside(from, unit.outline) ? unit.at : nearest(from, unit.outline));
    } else if (event.key === "Enter" && this.to) {
      this.from = this.to;
      this.cross = true;
      this.said = `From here: ${this.#where(view, this.to)}.`;
    } else return false;
    return true;
  }

  #end(view: View, to: Point): void {
    this.from ??= to;
    this.to = to;
    this.cross = true;
    const bearing = (Math.atan2(to[0] - this.from[0], to[1] - this.from[1]) * 180) / Math.PI;
    const far = distance(this.from, to);
    this.said = `${length(far, view.table.unit)}${far ? ` ${compass(bearing)}` : ""}, ${this.#where(view, to)}`;
  }

  #where(view: View, p: Point): string {
    const unit = view.units.find((u) => u.on_table && (u.id === this.#unit || inside(p, u.outline)));
    if (unit) return called(unit);
    const ground = view.terrain.find((t) => t.closed && inside(p, t.points));
    return ground ? plain(ground.kind) : "open ground";
  }
}
