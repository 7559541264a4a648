// The guide at one's elbow in a first battle: what to do now, why, and where on the page.

import type { Hand, Place } from "../hand.svelte";
import type { Live } from "../live.svelte";
import type { Action, Point, Preview } from "../protocol";
import { speaker, unitsIn, type Spoken } from "../words";
import { givenIn, keepGiven } from "./begin";
import { lessonOf, remarksOn, tipFor, type Lesson, type Remark, type Subject, type Tip } from "./lesson";

/** What is advised in this decision. */
export interface Advice { n: number; tip: Tip; action: Action; spoken: Spoken; /** Where on the table, by hand; else there is a button. */ at: Point | null; unit: string | null; /** The same laid out, where it is a place or a path. */ place: Place | null }

export class Guide {
  lesson = $state.raw<Lesson | null>(null);
  advice = $state.raw<Advice | null>(null);
  remarks = $state.raw<Remark[]>([]);
  /** Everything that was said, to be read again. */
  past = $state.raw<{ say: string; why: string }[]>([]);
  open = $state(true);
  given = $state.raw<Record<string, number>>({});
  learned = $derived.by(() => new Set<Subject>([...(this.lesson?.tips ?? []), ...(this.lesson?.remarks ?? [])].filter((t) => this.given[t.id] && t.teaches).map((t) => t.teaches!)));

  #id: string;
  #live: Live;
  #hand: Hand;
  #heard = -1;

  constructor(id: string, live: Live, hand: Hand) {
    this.#id = id;
    this.#live = live;
    this.#hand = hand;
    this.given = givenIn(id);
  }

  async read(ruleset: string): Promise<void> {
    this.lesson = await lessonOf(ruleset);
  }

  #count = (id: string): number => this.given[id] ?? 0;

  #give(id: string, say: string, why: string): void {
    this.given = { ...this.given, [id]: this.#count(id) + 1 };
    keepGiven(this.#id, this.given);
    if (this.past.at(-1)?.say !== say) this.past = [...this.past, { say, why }];
  }

  /** What has happened since we last listened, if it is the first of its sort. */
  listen(): void {
    if (!this.lesson) return;
    const fresh = this.#live.told.filter((t) => t.n > this.#heard);
    this.#heard = this.#live.told.at(-1)?.n ?? this.#heard;
    const found = remarksOn(this.lesson, fresh.flatMap((t) => t.events), this.#count);
    for (const r of found) this.#give(r.id, r.say, "");
    if (found.length) this.remarks = [...this.remarks, ...found].slice(-2);
  }

  /** Thinks about the decision that is offered now, and says what to do. */
  async advise(): Promise<void> {
    const [hand, live, lesson] = [this.#hand, this.#live, this.lesson];
    const [asked, legal, view, n] = [hand.asked, hand.legal, hand.view, live.state?.n];
    if (!lesson || !asked || !legal || !view || n === undefined) return;
    // Asked the same again, after a lost line or a take-back: the same is advised, and not counted twice.
    if (this.advice?.n === n) {
      this.#point();
      return;
    }
    let counsel: Action[] = [];
    try {
      const answer = await live.ask({ counsel: { n: 24 } });
      counsel = (answer.counsel.list as { action: Action }[]).map((c) => c.action);
    } catch { /* what is listed is counsel enough */ }
    if (live.state?.n !== n) return;
    const found = tipFor(lesson, { kind: asked.kind, unit: asked.unit ?? null, turn: view.clock.turn }, counsel, legal.listed, this.#count);
    if (!found) return;
    const { tip, action } = found;
    const spoken = speaker(view)(action);
    const key = JSON.stringify(action);
    let [at, unit]: [Point | null, string | null] = [null, null];
    let place: Place | null = null;
    if (!legal.listed.some((a) => JSON.stringify(a) === key)) {
      try {
        const preview = (await live.ask({ preview: { action } })).preview.preview as Preview;
        if (live.state?.n !== n) return;
        [at, unit] = await this.#byHand(action, preview);
        if (live.state?.n !== n) return;
        place = { key, action, spoken, units: unitsIn(action, view), preview };
      } catch { /* it has a button all the same where it is listed */ }
    }
    this.#give(tip.id, tip.say, tip.why ?? "");
    this.advice = { n, tip, action, spoken, at, unit, place };
    this.#point();
  }

  /** Points at it: at its button, or at the ring on the table with its unit taken up. */
  #point(): void {
    const [hand, advice] = [this.#hand, this.advice];
    if (!advice) return;
    const { at, unit, place } = advice;
    const key = JSON.stringify(advice.action);
    if (place && !at) hand.places = [place, ...hand.places.filter((p) => p.key !== key)];
    hand.advisedPlace = place;
    hand.advised = { key, at };
    if (unit) hand.pick(unit, true);
    // What is pointed at must be in sight: the answers of a unit that happens to be picked may hide it.
    else if (!place && !hand.shown.some((a) => a.key === key)) hand.pick(null);
  }

  /** Where a hand would put which unit to say the same: nowhere if the umpire would understand something else by it. */
  async #byHand(action: Action, preview: Preview): Promise<[Point | null, string | null]> {
    const [hand, live] = [this.#hand, this.#live];
    const end = hand.ends(preview);
    const way = preview.overlays.flatMap((o) => ("path" in o.shape ? [o.shape.path] : []))[0];
    const start = way?.[0];
    const mine = hand.view!.units.filter((u) => u.on_table && hand.bright.has(u.id));
    const far = (p: Point, q: Point) => Math.hypot(p[0] - q[0], p[1] - q[1]);
    const unit = start ? [...mine].sort((a, b) => far(a.at, start) - far(b.at, start))[0] : mine.find((u) => u.id === hand.asked?.unit);
    if (!end || !unit || far(unit.at, end) < 0.8) return [null, null];
    const sort = (a: Action) => (typeof a === "string" ? a : Object.keys(a as object)[0]);
    const { steer } = await live.ask({ steer: { unit: unit.id, place: end } });
    return steer.action !== null && sort(steer.action) === sort(action) ? [end, unit.id] : [null, null];
  }

  /** Lays the advised answer out, to be said yes to. */
  show(): void {
    const place = this.#hand.advisedPlace;
    if (place) this.#hand.choose(place);
    else if (this.advice) document.querySelector<HTMLElement>(`[data-answer='${CSS.escape(JSON.stringify(this.advice.action))}']`)?.focus();
  }
}
