// Answers in plain words. The phrases come from the system's own data; what they do not name is read from the answer.

import { bearing, distance, inside, nearest } from "./geometry";
import { phraseBook, type Phrase, type PhraseBook } from "./phrases";
import type { Action, Point, UnitView, View } from "./protocol";

/** An answer as it is offered: under a heading, in short, and in full for those who hear it. */
export interface Spoken { head: string; say: string; full: string }

type Fields = Record<string, unknown>;

const winds = ["north", "north-north-east", "north-east", "east-north-east", "east", "east-south-east", "south-east", "south-south-east",
  "south", "south-south-west", "south-west", "west-south-west", "west", "west-north-west", "north-west", "north-north-west"];

/** Degrees clockwise from north as a wind: 44 is north-east. */
export function compass(degrees: number): string {
  return winds[Math.round((((degrees % 360) + 360) % 360) / 22.5) % 16]!;
}

export function plain(text: string): string {
  return text.replaceAll("_", " ");
}

/** Numbers as one says them: 12 and not 12.00. */
export function rounded(text: string): string {
  return text.replace(/(\d)\.(\d*?)0+(?!\d)/g, (_, whole: string, rest: string) => (rest ? `${whole}.${rest}` : whole));
}

/** How a side stands; a bare number is points. */
export function scored(score: string): string {
  const told = rounded(score);
  return /^-?[\d.]+$/.test(told) ? `${told} ${told === "1" ? "point" : "points"}` : told;
}

/** With a capital letter; nothing where there is nothing to say yet. */
export function capital(text: string | null | undefined): string {
  return text ? text.charAt(0).toUpperCase() + text.slice(1) : "";
}

/** Where in the battle it is, for the line above the table. */
export function when(clock: { turn: number; of: number | null; phase: string }): string {
  return `Turn ${clock.turn}${clock.of ? ` of ${clock.of}` : ""} · ${capital(clock.phase)}`;
}

/** What each unit at the table we look at is called, by its id. No two are called the same, and none by its code. */
let roster = new Map<string, string>();
/** Its name as it comes with the table, which stands behind its code in sentences. */
let written = new Map<string, string>();
/** The table that the numbers of namesakes were given at: whoever comes on later takes the next. */
let numbered = { table: "", given: new Map<string, string>() };
let codes: RegExp | null = null;
/** The same, with groups by who is in them and ground by its kind. */
let spoken = new Map<string, string>();

/** What a group is called: its only unit's name, or that of its first and how many more. */
function company(units: UnitView[]): string {
  const names = units.map(called);
  if (names.length === 2) return `${names[0]} and ${names[1]}`;
  return names.length > 2 ? `${names[0]} and ${names.length - 1} more` : (names[0] ?? "");
}

/** 1st, 2nd, 11th. */
export function ordinal(n: number): string {
  const teen = n % 100 > 10 && n % 100 < 14;
  return `${n}${(!teen && { 1: "st", 2: "nd", 3: "rd" }[n % 10]) || "th"}`;
}

/** The name of a unit, or what it is where it has none. */
const proper = (u: Pick<UnitView, "name" | "id" | "kind">): string => (u.name && u.name !== u.id ? u.name : plain(u.kind));

/** Namesakes by their side, or numbered where a side has several; a number once given stays. */
function christen(view: Pick<View, "units"> & Partial<Pick<View, "title" | "sides">>): Map<string, string> {
  const table = `${view.title ?? ""} ${view.sides?.map((s) => s.name).join() ?? ""}`;
  if (numbered.table !== table) numbered = { table, given: new Map() };
  const { given } = numbered;
  const inOrder = [...view.units].sort((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
  const names = new Map<string, string>();
  for (const u of inOrder) {
    const name = proper(u);
    const same = inOrder.filter((o) => proper(o) === name);
    const ours = same.filter((o) => o.side === u.side);
    const side = view.sides?.[u.side]?.name ?? "";
    if (same.length === 1 && !given.has(u.id)) names.set(u.id, name);
    else if (ours.length === 1 && !given.has(u.id) && side) names.set(u.id, `${name} (${side})`);
    else {
      if (!given.has(u.id)) {
        const taken = new Set(given.values());
        const called = (n: number) => `${ordinal(n)} ${name}${same.length > ours.length && side ? ` (${side})` : ""}`;
        let n = 1;
        while (taken.has(called(n))) n++;
        given.set(u.id, called(n));
      }
      names.set(u.id, given.get(u.id)!);
    }
  }
  return names;
}

/** Learns the names of a table. */
export function enroll(view: Pick<View, "units"> & Partial<Pick<View, "terrain" | "title" | "sides">>): void {
  roster = christen(view);
  written = new Map(view.units.filter((u) => u.name && u.name !== u.id).map((u) => [u.id as string, u.name]));
  // Groups and pieces of ground have codes as well.
  spoken = new Map(roster);
  const groups = new Map<string, UnitView[]>();
  for (const u of view.units) if (u.group) groups.set(u.group, [...(groups.get(u.group) ?? []), u]);
  for (const [id, units] of groups) if (!spoken.has(id) && id !== units[0]?.name) spoken.set(id, company(units));
  for (const t of view.terrain ?? []) if (!spoken.has(t.id) && t.id !== t.kind) spoken.set(t.id, `the ${plain(t.kind)}`);
  // A code by itself is one only if it looks like one: an army may have a unit A.
  const alone = [...spoken.keys()].filter((id) => (/\d/.test(id) && /[A-Za-z]/.test(id)) || /^[A-Z]{2,}$/.test(id)).map((id) => id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  codes = alone.length ? new RegExp(`(?<![\\w-])(${alone.sort((a, b) => b.length - a.length).join("|")})(?![\\w-])`, "g") : null;
}

/** A sentence with names in place of codes. */
export function byName(text: string): string {
  let told = text;
  for (const [id, name] of written) told = told.replaceAll(`${id} ${name}`, roster.get(id) ?? name);
  return codes ? told.replace(codes, (id) => spoken.get(id) ?? id) : told;
}

/** What a place on the table is called; nothing where it has only a number on a list. */
export function placeName(label: string): string {
  return /^[A-Z]{1,2}\d+$/.test(label) ? "" : byName(label);
}

/** What a unit is called: its name, with a number or its side where others have the same. */
export function called(unit: UnitView): string {
  return roster.get(unit.id) ?? proper(unit);
}

/** A length in the table's unit, without needless noughts. */
export function length(value: number, unit: View["table"]["unit"]): string {
  const text = (Math.round(value * 10) / 10).toString();
  return unit === "inch" ? `${text}″` : `${text} cm`;
}

/** Units that go by a group's name. */
export function members(view: View, group: string): UnitView[] {
  return view.units.filter((u) => u.group === group);
}

class Speaker {
  #view: View;
  #book: PhraseBook;
  constructor(view: View) {
    this.#view = view;
    this.#book = phraseBook(view.ruleset);
  }

  speak(action: Action): Spoken {
    const [name, payload] = typeof action === "string" ? [action, undefined] : (Object.entries((action ?? {}) as Fields)[0] ?? ["", undefined]);
    const { head, say } = this.#phrased(this.#book.answers[name], name, payload);
    const tidy = (text: string) => capital(text.replace(/\s+/g, " ").replace(/\s+([,.])/g, "$1").replace(/^[,\s]+/, "").trim());
    const [h, s] = [tidy(head), tidy(say)];
    return { head: h, say: s, full: h ? `${h}: ${s}` : s };
  }

  #phrased(phrase: Phrase | undefined, name: string, payload: unknown): { head: string; say: string } {
    if (phrase === undefined) return { head: "", say: this.#bare(name, payload) };
    if (typeof phrase === "string") return { head: "", say: this.#fill(phrase, payload) };
    if (typeof phrase.say === "string") {
      const empty = Array.isArray(payload) && payload.length === 0;
      const say = empty && typeof phrase.none === "string" ? phrase.none : this.#fill(phrase.say, payload);
      const bare = say.trim() === "" || /^\s*,/.test(say);
      return {
        head: typeof phrase.head === "string" ? this.#fill(phrase.head, payload) : "",
        say: bare && typeof phrase.bare === "string" ? this.#fill(phrase.bare, payload) : say,
      };
    }
    const which = typeof phrase.by === "string" ? (payload as Fields)?.[phrase.by] : payload;
    const inner = phrase[String(which)];
    return inner === undefined ? { head: "", say: this.#bare(name, payload) } : this.#phrased(inner, name, payload);
  }

  /** Fills a phrase: optional parts in [ ] go where a value is missing. */
  #fill(phrase: string, payload: unknown): string {
    const part = (text: string): { text: string; missing: boolean } => {
      let missing = false;
      const filled = text.replace(/\{([^}|?]+)(?:\|(\w+))?(?:\?([^}]*))?\}/g, (_, path: string, form?: string, yes?: string) => {
        const value = this.#at(payload, path);
        if (yes !== undefined) return value ? yes : "";
        if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)) {
          missing = true;
          return "";
        }
        return this.#value(value, form);
      });
      return { text: filled, missing };
    };
    const opened = phrase.replace(/\[([^\]]*)\]/g, (_, inner: string) => {
      const { text, missing } = part(inner);
      return missing ? "" : text;
    });
    return part(opened).text;
  }

  #at(payload: unknown, path: string): unknown {
    if (path === ".") return payload;
    let value = payload;
    for (const key of path.split(".").filter(Boolean)) value = (value as Fields | undefined)?.[key];
    return value;
  }

  #named(text: string): string {
    const unit = this.#view.units.find((u) => u.id === text);
    if (unit) return called(unit);
    const group = members(this.#view, text);
    if (group.length) return company(group);
    return this.#book.words?.[text] ?? plain(text);
  }

  #value(value: unknown, form?: string): string {
    const unit = this.#view.table.unit;
    switch (form) {
      case "compass": return compass(Number(value));
      case "degrees": return `${Math.round(Math.abs(Number(value)))}°`;
      case "length": return length(Number(value), unit);
      case "place": return this.#place(value as Point, this.#stand, "a place ");
      case "places": return this.#places(value as Point[], "a place ");
      case "way": return this.#places(value as Point[], "");
      case "count": return String(Array.isArray(value) ? value.length : value);
      case "list": return (value as unknown[]).map((v) => (typeof v === "number" ? String(v + 1) : this.#value(v))).join(", ");
      case "seat": return this.#view.seats.find((s) => s.seat === value)?.name ?? `seat ${String(value)}`;
      case "gifts": return (value as { to: number; points: number }[]).map((g) => `${g.points} to ${this.#value(g.to, "seat")}`).join(", ");
      case "shift": {
        const [east = 0, north = 0] = value as number[];
        return `${length(Math.hypot(east, north), unit)} ${compass((Math.atan2(east, north) * 180) / Math.PI)}`;
      }
      case "legs": return (value as unknown[]).map((leg) => this.#leg(leg)).join(", then ");
      case "moves": return (value as { unit: string; legs: unknown[] }[]).map((m) => `${this.#named(m.unit)} ${this.#value(m.legs, "legs") || "stays"}`).join("; ");
      case "targets": return (value as { unit: string; target: string }[]).map((t) => `${this.#named(t.unit)} at ${this.#named(t.target)}`).join("; ");
    }
    if (typeof value === "string") return this.#named(value);
    if (typeof value === "number") return String(Math.round(value * 100) / 100);
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (Array.isArray(value)) return value.map((v) => this.#value(v)).join(", ");
    return this.#bare("", value);
  }

  /** A place is told by how far it is from where the unit stands, by the ground it is in or near, or by the part of the table; never
   * by coordinates, which nobody at a table knows. */
  #place(place: Point, from: Point | null, put: string): string {
    const { table, terrain } = this.#view;
    const ground = terrain.find((t) => t.closed && inside(place, t.points));
    const way = (a: Point, b: Point) => `${length(distance(a, b), table.unit)} ${compass(bearing(a, b))}`;
    if (from) return `${put}${way(from, place)}${ground ? ` (${plain(ground.kind)})` : ""}`;
    if (ground) return `the ${plain(ground.kind)}`;
    const near = terrain.filter((t) => t.closed && t.points.length > 2).map((t) => ({ t, at: nearest(place, t.points) })).sort((a, b) => distance(a.at, place) - distance(b.at, place))[0];
    if (near && distance(near.at, place) < table.width / 5) return `a place ${way(near.at, place)} of the ${plain(near.t.kind)}`;
    const part = [place[1] > table.height * 0.62 ? "north" : place[1] < table.height * 0.38 ? "south" : "", place[0] > table.width * 0.62 ? "east" : place[0] < table.width * 0.38 ? "west" : ""].filter(Boolean).join("-");
    return part ? `the ${part} of the table` : "the middle of the table";
  }

  /** One after another. `put` stands before the first distance: nothing where it says how one goes (*6″ north*), else *a place*. */
  #places(path: Point[], put: string): string {
    return path.map((p, i) => {
      const from = i ? path[i - 1]! : this.#stand;
      return (put || from ? "" : "to ") + this.#place(p, from, i ? "" : put);
    }).join(", then ");
  }

  /** Where the unit stands that is asked about. */
  get #stand(): Point | null {
    const pending = this.#view.pending;
    const id = pending && "decision" in pending ? pending.decision.unit : null;
    const unit = this.#view.units.find((u) => u.id === id);
    return unit?.on_table ? unit.at : null;
  }

  #leg(leg: unknown): string {
    if (typeof leg === "string") return this.#named(leg);
    const [name, payload] = Object.entries(leg as Fields)[0] ?? ["", undefined];
    const phrase = this.#book.legs?.[name];
    return phrase ? this.#fill(phrase, payload) : this.#bare(name, payload);
  }

  /** With no phrase at hand: the names in the answer, one after another. */
  #bare(name: string, payload: unknown): string {
    if (payload === undefined || payload === null) return plain(name);
    if (typeof payload !== "object") return `${plain(name)} ${this.#value(payload)}`;
    if (Array.isArray(payload)) return `${plain(name)} ${payload.map((v) => this.#value(v)).join(", ")}`;
    const inner = Object.entries(payload as Fields)
      .filter(([, v]) => v !== null && v !== false && !(Array.isArray(v) && v.length === 0))
      .map(([key, v]) => (typeof v === "string" ? this.#value(v) : `${plain(key)} ${this.#value(v)}`))
      .join(", ");
    return `${plain(name)} ${inner}`;
  }
}

/** Says answers in the words of the view's system. */
export function speaker(view: View): (action: Action) => Spoken {
  const it = new Speaker(view);
  return (action) => it.speak(action);
}

/** Units an answer names, by id or by their group, so that picking one on the table picks its answers. */
export function unitsIn(action: Action, view: View): string[] {
  const ids = new Set(view.units.map((u) => u.id));
  const found = new Set<string>();
  const walk = (v: unknown) => {
    if (typeof v === "string") {
      if (ids.has(v)) found.add(v);
      else for (const u of members(view, v)) found.add(u.id);
    } else if (Array.isArray(v)) v.forEach(walk);
    else if (v && typeof v === "object") Object.values(v).forEach(walk);
  };
  walk(action);
  return [...found];
}

/** Answers under their headings, in the order they came; those without a heading together. */
export function grouped<T extends { spoken: Spoken }>(answers: T[]): { head: string; answers: T[] }[] {
  const groups: { head: string; answers: T[] }[] = [];
  for (const answer of answers) {
    const found = groups.find((g) => g.head === answer.spoken.head);
    if (found) found.answers.push(answer);
    else groups.push({ head: answer.spoken.head, answers: [answer] });
  }
  // Giving up is offered last.
  return [...groups.filter((g) => g.head !== "Give up"), ...groups.filter((g) => g.head === "Give up")];
}

/** The program that sits opposite when nobody says otherwise: quick judgement where there is such a one, or the weakest that is more than chance. */
export const usualFoe = (programs: string[]): string => (programs.includes("subaltern") ? "subaltern" : (programs[Math.min(1, programs.length - 1)] ?? "random"));
