// One identity a side, everywhere: the coat it wears on the table is the colour of its mark in the header, the log, the questions
// and the arrows, and its flag is on all of them. Regiments have facings and a standard of their own, by their name. Colours are
// never alone: sides differ by the cut of their flags, regiments by what is on them.

import type { SideView, UnitView, View } from "./protocol";

type Livery = SideView["livery"];

const byDay: Record<Livery, string> = { red: "#b8232f", blue: "#24508f", black: "#4b4549", white: "#757a84", khaki: "#7a6834", ochre: "#a9620a", green: "#2d6e49" };
const byNight: Record<Livery, string> = { red: "#f08a8d", blue: "#86b4f2", black: "#b6adb2", white: "#eceae2", khaki: "#cdb977", ochre: "#f0b258", green: "#86cfa5" };

/** The colour of each side; none where two wear the same coat: then the page's own two are told apart better. */
export function colours(sides: Pick<SideView, "livery">[], night: boolean): (string | null)[] {
  const coats = sides.map((s) => s.livery);
  if (new Set(coats).size < coats.length) return coats.map(() => null);
  return coats.map((coat) => (night ? byNight : byDay)[coat] ?? null);
}

/** What is on a flag: a cross, a saltire, bands, a disc, a border of flames, quarters. */
type Device = "cross" | "saltire" | "bands" | "disc" | "flames" | "quarters" | "plain";
export interface Standard { field: string; charge: string; device: Device; /** The second colour of a regiment's own. */ own: string | null; /** The cut of the cloth, one a side. */ cut: number }

/** Nations by their names, with the field and charge of their colours in the century of the horse and musket. */
const nations: [RegExp, Omit<Standard, "own" | "cut">][] = [
  [/pruss|branden/i, { field: "#f4f1e6", charge: "#2b2620", device: "cross" }],
  [/austria|imperial\b.*habs|habsburg/i, { field: "#e8c547", charge: "#2b2620", device: "flames" }],
  [/fran[ck]|french|légion|legion/i, { field: "#3d5c9e", charge: "#f4f1e6", device: "cross" }],
  [/brit|engl|english|hanover/i, { field: "#24407c", charge: "#c4273a", device: "saltire" }],
  [/russia/i, { field: "#f4f1e6", charge: "#24508f", device: "saltire" }],
  [/saxon/i, { field: "#f4f1e6", charge: "#2d6e49", device: "bands" }],
  [/americ|continental/i, { field: "#f4f1e6", charge: "#b8232f", device: "bands" }],
  [/turk|ottoman|egypt/i, { field: "#b8232f", charge: "#f4f1e6", device: "disc" }],
  [/zulu|mahdi|dervish|tribes|native|pathan|afghan|ouled|tuareg/i, { field: "#e6dcc0", charge: "#2d6e49", device: "disc" }],
];
const byCoat: Record<Livery, [string, string]> = {
  red: ["#b8232f", "#f3e3b5"], blue: ["#24508f", "#f4f1e6"], black: ["#3a3538", "#e8c547"], white: ["#eceae2", "#b8232f"], khaki: ["#a08d54", "#2b2620"], ochre: ["#c98a2b", "#2b2620"], green: ["#2d6e49", "#f3e3b5"],
};

function hash(text: string): number {
  return [...text].reduce((sum, c) => Math.imul(sum ^ c.codePointAt(0)!, 0x01000193) >>> 0, 0x811c9dc5);
}

/** The regiment a unit is of: its name without the number of its battalion. */
export function regiment(unit: Pick<UnitView, "name" | "kind" | "id">): string {
  const name = unit.name && unit.name !== unit.id ? unit.name : unit.kind;
  return name.replace(/\s+([IVX]+|\d+)$/, "").replace(/^\d+(st|nd|rd|th)\s+/i, "") || name;
}

const facings = ["#e8c547", "#b8232f", "#3f6fb5", "#2d6e49", "#2b2620", "#e07b39", "#f4f1e6", "#c07aa0"];

/** How far two colours are from each other, roughly as the eye sees it. */
function apart(a: string, b: string): number {
  const part = (c: string, i: number) => parseInt(c.slice(1 + 2 * i, 3 + 2 * i), 16);
  return Math.hypot(2 * (part(a, 0) - part(b, 0)), 3 * (part(a, 1) - part(b, 1)), part(a, 2) - part(b, 2)) / 3.7;
}

/** The facings of a unit's regiment: of a colour that stands out from its coat. Commanders and trains have none. */
export function facingOf(unit: Pick<UnitView, "name" | "kind" | "id" | "side" | "arm">, view: Pick<View, "sides">): string | null {
  if (unit.arm === "command" || unit.arm === "train") return null;
  const coat = byDay[view.sides[unit.side]?.livery ?? "black"] ?? "#4b4549";
  const fit = facings.filter((f) => apart(f, coat) > 55);
  return fit[hash(regiment(unit)) % fit.length] ?? null;
}

/** The colours of a side: by its nation where its name says one, else by its coat. Two of the same differ by their coats. */
export function colourOf(sides: Pick<SideView, "name" | "livery">[], side: number): Standard {
  const mine = sides[side];
  const found = (s: Pick<SideView, "name"> | undefined) => nations.find(([name]) => name.test(s?.name ?? ""))?.[1];
  const nation = found(mine);
  const shared = sides.some((s, i) => i !== side && found(s) === nation);
  const [field, charge] = byCoat[mine?.livery ?? "black"];
  const plain: Device = side % 2 ? "bands" : "cross";
  return { ...(nation && !shared ? nation : { field, charge, device: plain }), own: null, cut: side };
}

/** The standard of a unit's regiment: its side's, with the regiment's facings in it. */
export function standardOf(unit: UnitView, view: Pick<View, "sides">): Standard {
  return { ...colourOf(view.sides, unit.side), own: facingOf(unit, view) };
}

const shapes: Record<Device, (charge: string, own: string) => string> = {
  plain: () => "",
  cross: (c, o) => `<path d="M0 0H7V5H0zM11 7H18V12H11z" fill="${o}"/><path d="M9 0V12M0 6H18" stroke="${c}" stroke-width="3"/>`,
  saltire: (c, o) => `<path d="M0 0H18V12H0z" fill="${o}"/><path d="M0 0H10V7H0z" fill="#24407c"/><path d="M0 0L10 7M10 0L0 7" stroke="#f4f1e6" stroke-width="1.6"/><path d="M5 0V7M0 3.5H10" stroke="${c}" stroke-width="1.6"/>`,
  bands: (c, o) => `<path d="M0 2H18M0 10H18" stroke="${c}" stroke-width="2.4"/><circle cx="9" cy="6" r="2.4" fill="${o}"/>`,
  disc: (c, o) => `<path d="M0 0H5V12H0z" fill="${o}"/><circle cx="11" cy="6" r="3.4" fill="${c}"/>`,
  flames: (c, o) => `<path d="M0 0H18V12H0zM2.5 2.5V9.5H15.5V2.5z" fill-rule="evenodd" fill="${o}"/><path d="M0 0h3l1.5 2.5L6 0h3l1.5 2.5L12 0h3l1.5 2.5L18 0v12h-3l-1.5-2.5L12 12H9l-1.5-2.5L6 12H3l-1.5-2.5L0 12z" fill="none" stroke="${c}" stroke-width=".9"/><path d="M9 3.4l2.2 2.1L9 8.8 6.8 5.5z" fill="${c}"/>`,
  quarters: (c, o) => `<path d="M0 0H9V6H0z" fill="${c}"/><path d="M9 6H18V12H9z" fill="${o}"/>`,
};

/** The cut of the cloth: square for the first side, swallow-tailed for the second, pointed and rounded for more. */
const cuts = ["M0 0H18V12H0z", "M0 0H18L14 6L18 12H0z", "M0 0H12L18 6L12 12H0z", "M0 0H12A6 6 0 0 1 12 12H0z"];

/** The inside of a flag's drawing, 18 by 12. `id` names its cut, which must be its own in a document. */
export function flagged(s: Standard, id: string): string {
  const cut = cuts[s.cut % cuts.length]!;
  return `<clipPath id="${id}"><path d="${cut}"/></clipPath><g clip-path="url(#${id})"><path d="M0 0H18V12H0z" fill="${s.field}"/>${shapes[s.device](s.charge, s.own ?? s.field)}</g><path d="${cut}" fill="none" stroke="#2b2620" stroke-width=".9" stroke-linejoin="round"/>`;
}

/** A flag as an address for an image. */
export function flagUrl(s: Standard): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-.5 -.5 19 13" width="38" height="26">${flagged(s, "c")}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Paints the page's marks in them: the colour and the flag of each side. */
export function dress(sides: Pick<SideView, "livery" | "name">[], night: boolean): void {
  const root = document.documentElement.style;
  colours(sides, night).forEach((colour, i) => {
    if (colour) root.setProperty(`--side-${i}`, colour);
    else root.removeProperty(`--side-${i}`);
    root.setProperty(`--flag-${i}`, `url("${flagUrl(colourOf(sides, i))}")`);
  });
}
