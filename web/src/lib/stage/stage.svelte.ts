// The stage: actions are played one after another on the table, live and in replays. What came while one was playing waits;
// each is played once; what is shown lags behind the battle by just what is still to be played.

import type { Moment, Turned, View } from "../protocol";
import { settings, type Pace } from "../settings.svelte";
import { staged, trails, type Scene, type Trail } from "./scene";

/** One action with the table before and after it. */
export interface Step { turned: Turned | Moment; before: View; after: View; own: boolean }

export const speeds: Record<Pace, number> = { slow: 0.55, normal: 1, fast: 2.4, off: 0 };

/** Arrows that are left on the table at most. */
const arrows = 14;
/** Actions that can be shown again at most. */
const kept = 80;

export class Stage {
  #again = $state(false);
  #own = $state<boolean | null>(null);
  /** The table as it is shown. */
  view = $state.raw<View | null>(null);
  scene = $state.raw<Scene | null>(null);
  /** The action that is played, or was played last. */
  n = $state(0);
  /** How far into the scene we are, in milliseconds at the usual pace. */
  at = $state(0);
  queue = $state.raw<Step[]>([]);
  /** Waits after each action until it is told to go on. */
  stepping = $state(false);
  /** Stands still: after an action while stepping. */
  resting = $state(false);
  /** Somebody dwells on a roll: the scene stands still. */
  held = $state(false);
  trail = $state.raw<Trail[]>([]);
  /** What was played since we last did something ourselves. */
  last = $state.raw<Step[]>([]);
  busy = $derived(this.scene !== null || this.queue.length > 0);
  /** Somebody else's doings are being shown: our own decision waits for them. */
  watching = $derived(this.busy && (this.#own === false || this.queue.some((s) => !s.own)));
  /** The last action that may be told while what follows is still to be shown; none when all may. */
  upTo = $derived(this.#again || !this.busy ? null : (this.scene?.n ?? this.queue[0]!.turned.n - 1));
  /** What was not played but shown at once, the last time that happened: it is heard all the same. */
  unplayed = $state.raw<Scene[]>([]);
  /** Called as each action begins to be shown. */
  onbegin: (turned: Turned | Moment) => void = () => {};

  #frame = 0;
  #then = 0;
  #turn = "";
  /** The pace of a page that has its own; else the player's. */
  #pace: (() => Pace) | null;

  constructor(pace: (() => Pace) | null = null) {
    this.#pace = pace;
  }

  get pace(): Pace {
    return this.#pace?.() ?? settings.pace;
  }

  /** The battle as it stands, shown at once: at the beginning, and when something was taken back. */
  set(view: View): void {
    this.#still();
    this.view = view;
  }

  /** Forgets what was played: it was taken back, or another sits here. */
  clear(view: View): void {
    this.set(view);
    this.trail = [];
    this.last = [];
  }

  /** An action that has just been taken. */
  play(step: Step): void {
    this.last = step.own ? [] : [...this.last, step].slice(-kept);
    if (this.pace === "off" && !this.busy) {
      this.onbegin(step.turned);
      const scene = staged(step.turned, step.before, step.after);
      this.#leave(scene);
      this.unplayed = [scene];
      this.view = step.after;
      return;
    }
    this.queue = [...this.queue, step];
    if (this.scene || this.resting) return;
    // Step by step also waits for what the others take their time over; the first of it begins by itself.
    if (this.stepping && this.last.length > 1) this.resting = true;
    else this.#next();
  }

  /** Everything at once as it stands after the last action. */
  skip(): void {
    const end = this.queue.at(-1)?.after ?? this.scene?.after ?? null;
    const left = this.queue;
    if (this.scene) this.#leave(this.scene);
    this.#still();
    const scenes = left.map((step) => staged(step.turned, step.before, step.after));
    scenes.forEach((scene, i) => {
      this.onbegin(left[i]!.turned);
      this.#leave(scene);
    });
    if (scenes.length) this.unplayed = scenes;
    if (end) this.view = end;
  }

  /** Goes on to the next action, while stepping. */
  next(): void {
    if (this.scene) this.#end();
    this.resting = false;
    if (!this.scene) this.#next();
  }

  /** Plays what the others did last once more. */
  again(): void {
    if (this.busy || !this.last.length) return;
    this.trail = this.trail.filter((t) => t.n < this.last[0]!.turned.n);
    this.view = this.last[0]!.before;
    this.queue = this.last;
    this.#again = true;
    this.#next();
  }

  step(on: boolean): void {
    this.stepping = on;
    if (!on && this.resting) this.next();
  }

  #next(): void {
    const step = this.queue[0];
    if (!step) { this.#own = null; this.#again = false; return; }
    this.queue = this.queue.slice(1);
    this.#own = step.own;
    const scene = staged(step.turned, step.before, step.after);
    this.view = step.before;
    this.scene = scene;
    this.n = scene.n;
    this.at = 0;
    this.onbegin(step.turned);
    this.#then = performance.now();
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now: number): void {
    if (!this.scene) return;
    // A page that was put aside goes on where it was.
    const gone = Math.min(100, Math.max(0, now - this.#then));
    this.#then = now;
    if (!this.held) this.at += gone * (speeds[this.pace] || 1000);
    if (this.at >= this.scene.lasts) this.#end();
    else this.#frame = requestAnimationFrame((then) => this.#tick(then));
  }

  #end(): void {
    const scene = this.scene;
    if (!scene) return;
    this.#leave(scene);
    this.view = scene.after;
    this.scene = null;
    if (this.stepping && this.queue.length) this.resting = true;
    else this.#next();
  }

  /** Where everybody went stays to be seen until the next turn's first move. */
  #leave(scene: Scene): void {
    const fresh = trails(scene);
    if (!fresh.length) return;
    const { turn, active } = scene.before.clock;
    const now = `${turn} ${active ?? ""}`;
    const old = now === this.#turn ? this.trail.filter((t) => t.n !== scene.n) : [];
    this.#turn = now;
    this.trail = [...old, ...fresh].slice(-arrows);
  }

  #still(): void {
    cancelAnimationFrame(this.#frame);
    this.scene = null;
    this.queue = [];
    this.resting = false;
    this.held = false;
    this.#again = false;
    this.#own = null;
    this.at = 0;
  }
}
