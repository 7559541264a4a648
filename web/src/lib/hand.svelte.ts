// The player's hand over the table: what is picked up, where it would be put, what the umpire says to it. Every answer
// it offers came from the server; nothing here knows a rule.

import { nextStep, type Errand } from "./errand";
import { ahead, carried, corners, middle } from "./geometry";
import type { Live } from "./live.svelte";
import { manner } from "./manner.svelte";
import { UNTOLD, type Told } from "./odds";
import { phraseBook, type ErrandKind, type Errands } from "./phrases";
import type { Action, Because, Course, Decision, Legal, Overlay, OddsLine, Point, Preview, Reach, Refused, Sight, Space, State, Steered, UnitView, Wish } from "./protocol";
import { isRefused } from "./protocol";
import { members, speaker, unitsIn, type Spoken } from "./words";

export interface Answer { key: string; action: Action; spoken: Spoken; units: string[] }
export interface Place extends Answer { preview: Preview; /** What speaks for it and against it. */ because?: Because[] }
/** An answer that an officer would give. */
export interface Hint extends Answer { because: Because[] }

/** Suggestions at a time: few enough to be weighed against each other. */
const FEW = 6;

export class Hand {
  live: Live;
  picked = $state<string | null>(null);
  second = $state<string | null>(null);
  legal = $state.raw<Legal | null>(null);
  places = $state.raw<Place[]>([]);
  wish = $state.raw<Wish | null>(null);
  steered = $state.raw<Steered | null>(null);
  /** Set down, waiting for yes or no; while it is dragged this is false. */
  dropped = $state(false);
  means = $state<string | null>(null);
  sight = $state.raw<Sight | null>(null);
  courses = $state.raw<Course[]>([]);
  odds = $state.raw<Map<string, Told>>(new Map());
  reach = $state.raw<Point[] | null>(null);
  #sending = $state(false);
  /** The decision that has been answered; what comes of it may be on its way to us still. */
  #answered = $state.raw<State | null>(null);
  /** Something is on its way to the umpire, or what came of it to us: nothing can be answered. */
  busy = $derived.by(() => this.#sending || (this.#answered !== null && this.#answered === this.live.state));
  looking = $state(false);
  /** Units named in the answer that is looked at. */
  hint = $state.raw<string[]>([]);
  /** All that is offered is there; in which decision, `#met` tells. */
  settled = $state(false);
  #met = $state.raw<State | null>(null);
  /** All that is offered in the decision that stands now is there, not only what was offered in the last. */
  ready = $derived.by(() => this.settled && !this.busy && this.#met === this.live.state);
  /** The answer a guide points at, and where on the table if it is given by hand there. */
  advised = $state.raw<{ key: string; at: Point | null } | null>(null);
  /** The same laid out, where it is a place or a path. */
  advisedPlace = $state.raw<Place | null>(null);

  /** The umpire has not answered the last wish yet. */
  steering = $state(false);
  /** Counts the times we were asked: after a take-back the same number of actions is not the same decision. */
  #round = 0;
  #again = false;
  /** What was last sent to the umpire; the battle may have gone on before its receipt is here. */
  #acting: Promise<boolean> = Promise.resolve(true);
  #weighing = 0;
  #counting: Promise<void> | null = null;
  #about: string | null = null;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(live: Live) {
    this.live = live;
  }

  view = $derived.by(() => this.live.view);
  asked = $derived.by((): Decision | null => {
    const pending = this.live.state?.pending;
    return pending && "decision" in pending ? pending.decision : null;
  });
  mine = $derived.by(() => this.live.state?.yours ?? false);
  unit = $derived.by(() => this.find(this.picked));
  answers = $derived.by((): Answer[] => {
    const view = this.view;
    if (!view || !this.legal) return [];
    const speak = speaker(view);
    // Giving up is not among the orders: it is asked for elsewhere, and twice.
    return this.legal.listed.filter((action) => action !== "concede").map((action) => ({ key: JSON.stringify(action), action, spoken: speak(action), units: unitsIn(action, view) }));
  });
  /** Units that the decision is about, in one answer or another. */
  marked = $derived.by(() => new Set([...this.answers.flatMap((a) => a.units), ...this.bright, ...this.able]));
  /** The answers of the picked unit, if it has any, and those about no unit; else all. */
  shown = $derived.by(() => {
    const picked = this.picked;
    if (!picked || picked === this.asked?.unit || !this.answers.some((a) => a.units.includes(picked))) return this.answers;
    return this.answers.filter((a) => a.units.includes(picked) || !a.units.length);
  });
  movable = $derived.by((): string[] => {
    const view = this.view;
    if (!view || !this.mine) return [];
    return view.units.filter((u) => this.spacesOf(u).length > 0).map((u) => u.id);
  });
  /** Those of them that the decision names; all where it names none. Who can be sent is as bright. */
  bright = $derived.by((): Set<string> => {
    const named = this.movable.filter((id) => this.spacesOf(this.find(id)!).some((s) => s.unit ?? this.asked?.unit));
    return new Set([...(named.length ? named : this.movable), ...this.#goes]);
  });
  /** What is drawn of the picked unit; of none, where those may be set up who still wait for their place. */
  overlays = $derived.by((): Overlay[] => {
    if (this.unit) return this.unit.overlays;
    const zones = (this.view?.units ?? []).filter((u) => !u.on_table && this.movable.includes(u.id)).flatMap((u) => u.overlays);
    return [...new Map(zones.map((o) => [JSON.stringify(o), o])).values()];
  });
  ghost = $derived.by((): Overlay[] => this.steered?.preview?.overlays ?? []);
  offer = $derived.by((): Action | null => (this.wish && this.steered?.action !== undefined ? this.steered.action : null));

  find(id: string | null): UnitView | null {
    return (id && this.view?.units.find((u) => u.id === id)) || null;
  }

  /** How units of this system are sent, if it says. */
  errands = $derived.by((): Errands | null => (this.view ? (phraseBook(this.view.ruleset).errands ?? null) : null));
  /** What a unit has been sent to do and is still on the way to. */
  errand = $state.raw<Errand | null>(null);
  /** What the next tap is to mean, where somebody said so; none leaves it to what is likely. */
  sent = $state.raw<ErrandKind | null>(null);
  /** Somebody is being taught: nothing is answered for them. */
  taught = false;

  /** Whether a unit can be sent on such an errand now, as far as the first step is known. */
  #opens(unit: UnitView, kinds: ErrandKind[]): boolean {
    const [errands, asked, legal, view] = [this.errands, this.asked, this.legal, this.view];
    if (!errands || !asked || !legal || !view || !this.mine || unit.seat !== asked.seat) return false;
    if (asked.unit && asked.unit !== unit.id) return false;
    // Towards anybody at all: the nearest answer that names an enemy will do.
    const foes = [null, ...new Set(this.answers.filter((a) => a.units.includes(unit.id) || asked.unit === unit.id).flatMap((a) => a.units).filter((id) => this.find(id)?.side !== unit.side))];
    const errand = (kind: ErrandKind, target: string | null): Errand => ({ unit: unit.id, seat: asked.seat, place: unit.at, target, kind, asks: true, given: [], from: 0 });
    return kinds.some((kind) => foes.some((foe) => (kind.goal === "unit" || !foe) && nextStep(errand(kind, foe), errands, asked, legal, view, (s) => this.#fits(s, unit))));
  }

  /** Units that can be sent somewhere or against somebody. */
  able = $derived.by((): Set<string> => new Set((this.view?.units ?? []).filter((u) => u.on_table && this.#opens(u, this.errands?.kinds ?? [])).map((u) => u.id)));
  /** Those of them that can be sent to a place, and so be dragged there. */
  #goes = $derived.by((): string[] => {
    const kinds = (this.errands?.kinds ?? []).filter((k) => k.goal === "place");
    return (this.view?.units ?? []).filter((u) => this.able.has(u.id) && this.#opens(u, kinds)).map((u) => u.id);
  });
  /** What the picked unit can be sent to do. */
  meanings = $derived.by((): ErrandKind[] => (this.unit && this.able.has(this.unit.id) ? (this.errands?.kinds ?? []).filter((k) => this.#opens(this.unit!, [k])) : []));

  /** What can be dragged. */
  draggable = $derived.by((): Set<string> => new Set([...this.movable, ...this.#goes]));
  /** A unit lies where it should go, and must be taken up before the umpire can say whether it may. */
  hauled = $derived.by((): UnitView | null => (this.#hauls ? this.find(this.wish?.unit ?? null) : null));
  #hauls = $state(false);

  /** Sends a unit to a place, or against another; what lies between is answered on the way. Says whether it has set out. */
  send(unit: UnitView, to: Point | UnitView, asks = manner.asksAll || this.taught): boolean {
    const asked = this.asked;
    if (!asked || !this.errands || !this.able.has(unit.id)) return false;
    const target = Array.isArray(to) ? null : to;
    const place = Array.isArray(to) ? to : to.at;
    this.errand = { unit: unit.id, seat: asked.seat, place, target: target?.id ?? null, kind: this.sent, asks, given: [], from: this.live.state?.n ?? 0 };
    if (!this.#step()) { this.errand = null; return false; }
    if (this.picked !== unit.id) this.pick(unit.id, true);
    this.cancel();
    this.settled = false;
    this.#begun = this.errand.from;
    const round = this.#round;
    // Once it is answered there is nothing to be offered until the battle has gone on.
    void this.#pursue(round).then((answered) => { if (!answered && !this.#past(round)) this.settled = true; });
    return true;
  }

  #step() {
    const [errand, errands, asked, legal, view] = [this.errand, this.errands, this.asked, this.legal, this.view];
    const unit = this.find(errand?.unit ?? null);
    if (!errand || !errands || !asked || !legal || !view || !unit || asked.seat !== errand.seat) return null;
    return nextStep(errand, errands, asked, legal, view, (s) => this.#fits(s, unit));
  }

  /** The next step of the errand. Says whether the decision has been answered by it. */
  async #pursue(round: number): Promise<boolean> {
    const errand = this.errand;
    const step = this.#step();
    if (!errand || !step) { this.errand = null; return false; }
    if ("take" in step) {
      const key = JSON.stringify(step.take);
      // What was sent to do by name stays so on the way.
      this.errand = step.last ? null : { ...errand, kind: step.kind ?? errand.kind, given: [...errand.given, key] };
      if (step.last && errand.asks) { this.lay(step.take); return false; }
      const taken = await this.#act(step.take);
      if (!taken) this.errand = null;
      return taken;
    }
    this.errand = null;
    const unit = this.find(errand.unit);
    if (!unit) return false;
    const named = errand.kind && step.kind.say === errand.kind.say;
    this.means = named && this.errands!.kinds.filter((k) => k.hand?.includes(step.steer.action)).length < 2 ? step.steer.action : null;
    const given = this.means;
    // Not set down before it is known whether it is asked about: nothing is offered for the blink of an eye.
    this.#wants(unit, errand.place, null, false);
    while (this.steering) await new Promise((rest) => setTimeout(rest, 15));
    if (given !== null) this.means = null;
    // Done at once where it is just what was wished for: a march to a place; and a charge that was named.
    const just = this.steered?.action !== undefined && this.steered?.action !== null && !this.steered.why;
    if (this.#past(round) || !this.wish) return false;
    if (errand.asks || !just || (errand.target && !named)) {
      this.dropped = true;
      if (this.offer) void this.weigh(this.offer);
      return false;
    }
    return this.#act(this.steered!.action);
  }

  /** An answer laid out to be said yes to. */
  lay(action: Action): void {
    const view = this.view!;
    const round = this.#round;
    this.live.ask({ preview: { action } }).then(({ preview }) => {
      if (!this.#past(round)) this.choose({ key: JSON.stringify(action), action, spoken: speaker(view)(action), units: unitsIn(action, view), preview: preview.preview as Preview });
    }, () => {});
  }

  /** Takes back all that the last gesture did, as far as that can be. */
  async takeBack(): Promise<void> {
    const to = this.#begun;
    this.#begun = null;
    this.errand = null;
    do {
      const n = this.live.state?.n ?? 0;
      await this.live.takeBack();
      if (this.live.refused || (this.live.state?.n ?? 0) >= n) return;
    } while (to !== null && (this.live.state?.n ?? 0) > to && this.live.state?.can_take_back);
  }
  /** Where the last gesture began. */
  #begun: number | null = null;

  /** Which families of answers the umpire was found to lead by the hand; see `#feel`. */
  #led = $state.raw<Map<string, boolean>>(new Map());

  /** The families of answers in which this unit can be put somewhere by hand. */
  spacesOf(unit: UnitView): Space[] {
    return (this.legal?.spaces ?? []).filter((s) => this.#fits(s, unit) && this.#led.get(this.#sort(s, unit)));
  }

  /** Whether a family names this unit, or its group; one that names nobody may be anybody's of the seat. */
  #fits(space: Space, unit: UnitView): boolean {
    const whose = space.unit ?? this.asked?.unit ?? null;
    if (whose === unit.id) return true;
    if (unit.seat !== this.asked?.seat) return false;
    return whose === null || members(this.view!, whose).includes(unit) || this.#sameGroup(whose, unit);
  }

  /** Units of one sort are led alike: where a family names nobody, generals apart from troops, those to come apart. */
  #sort(space: Space, unit: UnitView): string {
    return space.unit ?? this.asked?.unit ? space.action : `${space.action}, ${unit.arm === "command"}, ${unit.on_table}`;
  }

  #sameGroup(whose: string, unit: UnitView): boolean {
    const group = this.find(whose)?.group;
    return Boolean(group) && group === unit.group;
  }

  /** The battle has gone on: forget what was offered, ask anew. */
  async begin(): Promise<void> {
    const round = ++this.#round;
    this.#met = this.live.state;
    this.legal = null;
    this.#led = new Map();
    this.places = [];
    this.advised = null;
    this.advisedPlace = null;
    this.odds = new Map();
    this.courses = [];
    this.means = null;
    this.consider(null);
    this.cancel();
    this.#weighing++;
    this.sent = null;
    // What the last decision was about is let go, unless this one is about it too.
    if (this.asked?.unit && this.mine) this.pick((this.#about = this.asked.unit), true);
    else if (this.picked === this.#about) this.pick(null);
    this.settled = !this.mine;
    if (!this.mine) return;
    try {
      const answer = await this.live.ask({ legal: {} });
      if (this.#past(round)) return;
      await this.#acting;
      if (this.#past(round)) return;
      const legal = (this.legal = answer.legal as Legal);
      if (this.errand && (await this.#pursue(round))) return;
      if (this.#past(round)) return;
      // What has one answer only is not asked, unless something could still be taken back.
      const open = legal.listed.filter((action) => action !== "concede");
      if (open.length === 1 && !legal.spaces.length && !this.taught && !manner.asksAll && !this.live.state?.can_take_back) {
        if (await this.#act(open[0])) return;
      }
      const led = legal.spaces.length > 0 && (await this.#feel(round));
      if (this.#past(round)) return;
      if (this.picked) void this.#ask(this.picked);
      this.weighAll();
      if (legal.spaces.length && !led) await this.suggest();
    } catch (refused) {
      if (!this.#past(round)) this.#complain(refused);
    }
    if (!this.#past(round)) this.settled = true;
  }

  /** Whether we have been asked something else since: the battle has gone on, or was taken back. */
  #past(round: number): boolean {
    return round !== this.#round;
  }

  /** Feels once for each sort of unit and family whether the umpire leads it; says whether anything can be moved so. */
  async #feel(round: number): Promise<boolean> {
    const [view, legal] = [this.view, this.legal];
    if (!view || !legal) return false;
    const led = new Map<string, boolean>();
    for (const space of legal.spaces) {
      for (const unit of view.units) {
        const sort = this.#sort(space, unit);
        if (led.has(sort) || !this.#fits(space, unit)) continue;
        const place: Point = unit.on_table ? ahead(unit.at, unit.facing ?? 0, Math.max(1, (space.allowance ?? 4) / 2)) : [view.table.width / 2, view.table.height / 4];
        try {
          const { steer } = await this.live.ask({ steer: { action: space.action, unit: unit.id, place } });
          // Where nobody is named, another answer than the family's own is not this family.
          const name = steer?.action && (typeof steer.action === "string" ? steer.action : Object.keys(steer.action)[0]);
          led.set(sort, Boolean(steer?.action) && (Boolean(space.unit ?? this.asked?.unit) || name === space.action));
        } catch {
          led.set(sort, false);
        }
        if (this.#past(round)) return true;
      }
    }
    this.#led = led;
    return [...led.values()].includes(true);
  }

  /** What an officer at our elbow would do, the best first, with what speaks for it and against it. */
  async counsel(most: number): Promise<Hint[]> {
    const view = this.view;
    if (!view) return [];
    const { counsel } = await this.live.ask({ counsel: { n: most } });
    const speak = speaker(view);
    const list = counsel.list as { action: Action; because?: Because[] }[];
    return list.filter(({ action }) => action !== "concede").map(({ action, because }) => ({ key: JSON.stringify(action), action, spoken: speak(action), units: unitsIn(action, view), because: because ?? [] }));
  }

  /** Asks for a few places and paths worth going, to be picked as dots: an officer's, or any that are legal where he has none. */
  async suggest(): Promise<void> {
    const round = this.#round;
    const [view, legal] = [this.view, this.legal];
    if (!legal || !view) return;
    this.looking = true;
    try {
      const listed = new Set(legal.listed.map((a) => JSON.stringify(a)));
      const speak = speaker(view);
      let fresh: (Answer & { because?: Because[] })[] = (await this.counsel(FEW + listed.size)).filter((h) => !listed.has(h.key)).slice(0, FEW);
      if (!fresh.length) {
        const { candidates } = await this.live.ask({ candidates: { n: listed.size + FEW } });
        const any = (candidates.list as Action[]).map((action) => ({ key: JSON.stringify(action), action, spoken: speak(action), units: unitsIn(action, view) }));
        fresh = any.filter((c) => !listed.has(c.key));
      }
      const found: Place[] = [];
      for (const answer of fresh) {
        const { preview } = await this.live.ask({ preview: { action: answer.action } });
        if (this.#past(round)) return;
        found.push({ ...answer, preview: preview.preview as Preview });
      }
      this.places = found;
    } catch (refused) {
      if (!this.#past(round)) this.#complain(refused);
    } finally {
      this.looking = false;
    }
  }

  pick(id: string | null, quiet = false): void {
    if (this.picked && id && id !== this.picked && this.looking2) {
      this.compare(id);
      return;
    }
    this.second = null;
    this.sight = null;
    this.reach = null;
    if (this.wish && id !== this.wish.unit) this.cancel();
    this.picked = id === this.picked && !quiet ? null : id;
    if (this.picked && this.legal) void this.#ask(this.picked);
  }

  /** Waits for the second unit of a look from one to the other. */
  looking2 = $state(false);

  /** The line of sight and the gap between the picked unit and another. */
  compare(id: string): void {
    this.looking2 = false;
    if (!this.picked || id === this.picked) return;
    this.second = id;
    const from = this.picked;
    this.live.ask({ sight: { from, to: id } }).then(
      (m) => { if (this.picked === from && this.second === id) this.sight = m.sight?.sight ?? null; },
      () => { this.sight = null; },
    );
  }

  /** A suggested place, chosen but not yet done. */
  chosen = $state.raw<Place | null>(null);

  choose(place: Place | null): void {
    this.cancel();
    this.chosen = place;
    if (place) void this.weigh(place.action);
  }

  /** Where a preview ends: the end of its path, or the middle of its ghost. */
  ends(preview: Preview): Point | null {
    for (const o of [...preview.overlays].reverse()) if ("path" in o.shape && o.shape.path.length) return o.shape.path.at(-1)!;
    for (const o of preview.overlays) {
      const points = "outline" in o.shape ? o.shape.outline : "bases" in o.shape ? o.shape.bases.flatMap(corners) : [];
      if (points.length) return middle(points);
    }
    return null;
  }

  /** What a unit may do and why not the rest, and the ground it can reach. */
  async #ask(id: string): Promise<void> {
    const round = this.#round;
    this.courses = [];
    if (!this.mine || this.find(id)?.seat !== this.asked?.seat) return;
    try {
      const { courses } = await this.live.ask({ courses: { unit: id } });
      if (!this.#past(round) && this.picked === id) this.courses = courses?.list ?? [];
    } catch { /* nothing is told of it */ }
    setTimeout(() => void this.#survey(id, round), 400);
  }

  /** The ground a unit can reach, once it has stayed picked for a moment. */
  async #survey(id: string, round: number): Promise<void> {
    const still = () => !this.#past(round) && this.picked === id;
    const unit = this.find(id);
    if (!still() || !unit || !this.spacesOf(unit).some((s) => s.allowance)) return;
    try {
      const { reach } = await this.live.ask({ reach: { unit: id } });
      if (still()) this.reach = (reach.reach as Reach | null)?.ends ?? null;
    } catch { /* nothing is drawn of it */ }
  }

  /** Puts the picked unit there, as a wish; the umpire says what comes of it. */
  want(unit: UnitView, place: Point, facing: number | null, dropped: boolean): void {
    this.chosen = null;
    const places = (this.errands?.kinds ?? []).filter((k) => k.goal === "place").flatMap((k) => k.hand ?? []);
    if (this.#goes.includes(unit.id) && !this.spacesOf(unit).some((s) => places.includes(s.action))) {
      // It must be taken up first: the umpire has nothing to say to it yet.
      this.wish = { unit: unit.id, place };
      this.#hauls = true;
      this.steered = null;
      this.dropped = dropped;
      return;
    }
    this.#wants(unit, place, facing, dropped);
  }

  #wants(unit: UnitView, place: Point, facing: number | null, dropped: boolean): void {
    const by = this.wish?.unit === unit.id ? this.wish.by : undefined;
    this.#hauls = false;
    this.wish = { unit: unit.id, place, ...(facing === null ? {} : { facing: Math.round(facing * 10) / 10 }), ...(this.means ? { action: this.means } : {}), ...(by?.length ? { by } : {}) };
    this.dropped = dropped;
    void this.#steer();
  }

  /** What a drag is to mean, where it could mean several things; none leaves it to the umpire. */
  intend(means: string | null): void {
    this.means = means;
    const unit = this.find(this.wish?.unit ?? null);
    if (unit && this.wish) this.want(unit, this.wish.place, this.wish.facing ?? null, this.dropped);
  }

  /** A place to pass on the way: where the wish is now. */
  waypoint(): void {
    if (!this.wish) return;
    this.wish = { ...this.wish, by: [...(this.wish.by ?? []), this.wish.place] };
    void this.#steer();
  }

  /** Moves the wish by so much, or begins one where the unit stands (the table's middle for one still to come). */
  nudge(dx: number, dy: number, turn: number): boolean {
    const unit = this.unit;
    const view = this.view;
    if (!unit || !view || !this.mine || (this.spacesOf(unit).length === 0 && !this.#goes.includes(unit.id))) return false;
    const start: Point = unit.on_table ? unit.at : [view.table.width / 2, view.table.height / 2];
    const from = this.wish?.unit === unit.id ? this.wish.place : start;
    const facing = this.wish?.unit === unit.id ? (this.wish.facing ?? null) : null;
    const faced = turn ? ((facing ?? this.steered?.end?.facing ?? unit.facing ?? 0) + turn + 360) % 360 : facing;
    const inside = (v: number, most: number) => Math.min(Math.max(v, 0), most);
    this.want(unit, [inside(from[0] + dx, view.table.width), inside(from[1] + dy, view.table.height)], faced, true);
    return true;
  }

  async #steer(): Promise<void> {
    if (this.steering) {
      this.#again = true;
      return;
    }
    this.steering = true;
    do {
      this.#again = false;
      const wish = this.wish;
      const round = this.#round;
      if (!wish) break;
      try {
        const { steer } = await this.live.ask({ steer: wish });
        if (!this.#past(round) && this.wish) this.steered = steer as Steered;
      } catch (refused) {
        if (!isRefused(refused)) throw refused;
        const { kind, why, clause } = refused;
        if (kind === "overtaken") this.#again = true;
        else if (!this.#past(round)) {
          this.steered = { n: this.live.state?.n ?? 0, action: null, end: null, why: { clause: clause ?? "", why }, preview: null };
        }
      }
    } while (this.#again);
    this.steering = false;
    if (this.dropped && this.offer) void this.weigh(this.offer);
  }

  cancel(): void {
    this.wish = null;
    this.#hauls = false;
    this.steered = null;
    this.dropped = false;
    this.chosen = null;
  }

  /** The outline of the wish, before the umpire has answered. */
  wished = $derived.by((): Point[] | null => {
    const unit = this.find(this.wish?.unit ?? null);
    if (!unit || !this.wish || unit.outline.length < 3) return null;
    const degrees = typeof this.wish.facing === "number" ? this.wish.facing - (unit.facing ?? 0) : 0;
    return unit.outline.map((p) => carried(p, unit.at, this.wish!.place, degrees));
  });

  async take(action: Action): Promise<void> {
    if (this.busy) return;
    this.errand = null;
    this.#begun = this.live.state?.n ?? null;
    await this.#act(action);
  }

  async #act(action: Action): Promise<boolean> {
    if (this.busy) return false;
    const asked = this.live.state;
    this.#sending = true;
    this.#acting = this.live.act(action);
    try {
      const taken = await this.#acting;
      if (taken) this.#answered = asked;
      return taken;
    } finally {
      this.#sending = false;
    }
  }

  /** Weighs an answer. The umpire counts one at a time for us; whoever looks at an answer waits for no more than that one. */
  async weigh(action: Action): Promise<void> {
    const key = JSON.stringify(action);
    const round = this.#round;
    while (this.#counting) await this.#counting;
    if (this.odds.has(key) || this.#past(round)) return;
    this.#counting = this.#count(action, key, round);
    await this.#counting;
  }

  async #count(action: Action, key: string, round: number): Promise<void> {
    try {
      const answer = await this.live.ask({ odds: { action } });
      if (!this.#past(round)) this.odds = new Map(this.odds).set(key, { lines: answer.odds.lines as OddsLine[], supposed: answer.odds.supposed as boolean });
    } catch (refused) {
      // Others are still being counted: this one is asked for again when it is looked at.
      if (!this.#past(round) && (refused as Refused).kind !== "too_fast") this.odds = new Map(this.odds).set(key, UNTOLD);
    } finally {
      this.#counting = null;
    }
  }

  /** Weighs the listed answers one after another, once the player seems to be thinking. The umpire does nothing else for us
   * meanwhile, so where the counting takes long he has rest between two of them. */
  weighAll(): void {
    const weighing = ++this.#weighing;
    const round = this.#round;
    const still = () => weighing === this.#weighing && !this.#past(round) && !this.busy;
    setTimeout(async () => {
      for (const answer of this.shown.slice(0, 16)) {
        if (!still()) return;
        const began = performance.now();
        if (!this.steering) await this.weigh(answer.action);
        const took = performance.now() - began;
        if (took > 300) await new Promise((rest) => setTimeout(rest, 2 * took));
      }
    }, 700);
  }

  /** An answer is looked at: weighed, once the eye rests on it. */
  consider(answer: Answer | null): void {
    this.hint = answer?.units ?? [];
    clearTimeout(this.#rest);
    if (!answer) return;
    const still = () => this.hint === answer.units;
    const count = async () => {
      await this.weigh(answer.action);
      if (still() && !this.odds.has(answer.key)) this.#rest = setTimeout(count, 400);
    };
    this.#rest = setTimeout(count, 250);
  }

  /** Tells what was refused. What was not refused but went wrong is a fault of ours and is not dressed up as one. */
  #complain(refused: unknown): void {
    if (!isRefused(refused)) throw refused;
    if (refused.kind !== "stale" && refused.kind !== "offline" && refused.kind !== "not_yours") this.live.refused = refused;
  }
}
