// What the editor's panels and its table both need: what is picked, where a value stands in the file, how a hand snaps.
import type { Point, View } from "../lib/protocol";
import { capital, compass, length, ordinal, plain } from "../lib/words";
import type { Drafting, DraftField, Drawn, Extent, FeatureKind } from "./types";

/** What is picked: a piece of ground, something placed, or a feature, by its number in what the server drew. */
export interface Pick { kind: "ground" | "placed" | "feature"; n: number }
export type Tool = "pick" | "lay" | "place" | "mark" | "station";

/** What the file says at a way such as `unit.3.name`. */
export function valueAt(file: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, step) => (at && typeof at === "object" ? (at as Record<string, unknown>)[step] : undefined), file);
}

/** The fields of what is picked, each with its own way in the file. */
export function fieldsOf(drafting: Drafting, drawn: Drawn, pick: Pick | null): { field: DraftField; path: string }[] {
  if (!pick) {
    // What a feature has for itself stands in that feature's form.
    const owned = drafting.features.filter((k) => k.told_by && !k.path.includes("*")).map((k) => `${k.path}.`);
    return drafting.fields.filter((f) => !f.path.includes("*") && !owned.some((o) => f.path.startsWith(o))).map((field) => ({ field, path: field.path }));
  }
  let pattern = "";
  let own = "";
  let others = new Set<string>();
  if (pick.kind === "ground") {
    pattern = `${drafting.terrain_key}.*`;
    own = `${drafting.terrain_key}.${pick.n}`;
  } else if (pick.kind === "placed") {
    const p = drawn.placed[pick.n];
    if (!p) return [];
    pattern = `${p.array}.*`;
    own = `${p.array}.${p.nth}`;
  } else {
    const f = drawn.features[pick.n];
    const kind = drafting.features.find((k) => k.id === f?.kind);
    if (!f || !kind) return [];
    // The top of a hill has the hill's form, an edge of a side the side's own.
    pattern = kind.path;
    own = wholeOf(kind, f.path);
    // Keys of its own, and those that no other kind on the same way has for itself: a place to hold has no wagon.
    const keysOf = (k: FeatureKind) => [k.told_by, k.body].flatMap((t) => t.split("\n")).map((l) => l.split("=")[0].trim()).concat(typeof k.extent === "object" ? Object.values(k.extent).flat() : []);
    const alike = (k: FeatureKind) => k.path === kind.path && k.told_by === kind.told_by;
    const mine = new Set(drafting.features.filter(alike).flatMap(keysOf));
    others = new Set(drafting.features.filter((k) => k.path === kind.path && !alike(k)).flatMap(keysOf).filter((key) => !mine.has(key)));
  }
  return drafting.fields
    .filter((f) => f.path.startsWith(`${pattern}.`))
    .map((field) => ({ field, path: own + field.path.slice(pattern.length) }))
    .filter(({ path }) => !others.has(path.slice(own.length + 1)) || valueAt(drawn.file, path) !== undefined);
}

/** The list a kind is drawn in, where its zone may have several parts: `zone` of `zone.0.polygon`. */
export function listOf(kind: FeatureKind): string | null {
  if (typeof kind.extent !== "object") return null;
  const keys = Object.values(kind.extent).flat() as string[];
  return keys.flatMap((k) => /^([\w-]+)\.0\./.exec(k)?.[1] ?? [])[0] ?? null;
}

/** The way to the whole of a feature, from the way to one of its parts. */
export function wholeOf(kind: FeatureKind, path: string): string {
  const list = listOf(kind);
  return list ? path.replace(new RegExp(`\\.${list}\\.\\d+$`), "") : path;
}

/** How many points a feature is drawn by: at least, and at most (0 for as many as one likes). */
export function pointsOf(extent: Extent): [number, number] {
  if (extent === "nowhere") return [0, 0];
  // A part of a zone may be a rectangle, by two opposite corners.
  if ("area" in extent) return [extent.area.includes(".0.") ? 2 : 3, 0];
  if ("line" in extent) return [2, 0];
  if ("corners" in extent || "stretch" in extent) return [2, 2];
  return [1, 1];
}

/** The step a hand snaps to: a quarter of an inch, half a centimetre. */
export const stepOf = (width: number): number => (width > 100 ? 0.5 : 0.25);

/** A place snapped to the grid, and to the lines others stand on where it is near one. */
export function snapped(at: Point, others: Point[], step: number, reach: number): { at: Point; guides: { x?: number; y?: number } } {
  const near = (v: number, lines: number[]): number | undefined => {
    const best = lines.filter((l) => Math.abs(l - v) <= reach).sort((a, b) => Math.abs(a - v) - Math.abs(b - v));
    return best[0];
  };
  const x = near(at[0], others.map((o) => o[0]));
  const y = near(at[1], others.map((o) => o[1]));
  const grid = (v: number) => Math.round(v / step) * step;
  return { at: [x ?? grid(at[0]), y ?? grid(at[1])], guides: { x, y } };
}

/** Which thing a loader's fault is about, by the place it names: `unit[3].at`. */
export function blamed(drafting: Drafting, drawn: Drawn): Pick | null {
  const place = drawn.fault?.place.replace(/\[(\d+)\]/g, ".$1") ?? "";
  if (!place) return null;
  const begins = (way: string) => place === way || place.startsWith(`${way}.`);
  const placed = drawn.placed.findIndex((p) => begins(`${p.array}.${p.nth}`));
  if (placed >= 0) return { kind: "placed", n: placed };
  const ground = drawn.ground.findIndex((_, n) => begins(`${drafting.terrain_key}.${n}`));
  if (ground >= 0) return { kind: "ground", n: ground };
  const feature = drawn.features.findIndex((f) => begins(f.path) || f.path.startsWith(`${place}.`));
  return feature >= 0 ? { kind: "feature", n: feature } : null;
}

/** What an entry of the file is called by people: its own name, else what it is, numbered among its like. */
export function titleOf(drafting: Drafting, drawn: Drawn, array: string, nth: number): string {
  const entries = valueAt(drawn.file, array);
  if (!Array.isArray(entries)) return "";
  const bare = (entry: Record<string, unknown> | undefined): string => {
    if (!entry) return "";
    if (typeof entry.name === "string" && entry.name) return capital(entry.name);
    const of = drafting.troops.filter((t) => (t.array ?? drafting.unit_key) === array);
    const says = (body: string) => body.split("\n").flatMap((l) => { const [, key, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(l) ?? []; return key ? [[key, value!.replace(/^"|"$/g, "")] as const] : []; });
    // The sort that says most of what stands there.
    const fits = of.map((t) => ({ t, keys: says(t.body) })).filter(({ keys }) => keys.every(([key, value]) => String(entry[key]) === value)).sort((a, b) => b.keys.length - a.keys.length)[0];
    const kind = entry.kind ?? entry.code;
    return fits?.t.name ?? (typeof kind === "string" ? capital(plain(kind)) : capital(plain(array).replace(/s$/, "")));
  };
  const names = (entries as Record<string, unknown>[]).map(bare);
  const alike = names.map((name, i) => (name === names[nth] ? i : -1)).filter((i) => i >= 0);
  return alike.length > 1 ? `${ordinal(alike.indexOf(nth) + 1)} ${names[nth]}` : (names[nth] ?? "");
}

/** Where something stands, as one would say it at a table. */
export function standing(at: Point, facing: number | null, unit: View["table"]["unit"]): string {
  return `${length(at[0], unit)} from the west edge, ${length(at[1], unit)} from the south${facing === null ? "" : `, facing ${compass(facing)}`}`;
}
