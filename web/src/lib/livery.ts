// One identity a side, everywhere: the coat it wears on the table is the colour of its mark in the header, the log, the questions
// and the arrows, and its flag is on all of them. Regiments have facings and a standard of their own; both come with the table, from
// the rulebook's data. Colours are never alone: sides differ by the cut of their flags, regiments by the hatching on them.

import type { Device, Dye, Flag, SideView, UnitView, View } from "./protocol";

type Livery = SideView["livery"];

const byDay: Record<Livery, string> = { red: "#b8232f", blue: "#24508f", black: "#4b4549", white: "#757a84", khaki: "#7a6834", ochre: "#a9620a", green: "#2d6e49" };
const byNight: Record<Livery, string> = { red: "#f08a8d", blue: "#86b4f2", black: "#b6adb2", white: "#eceae2", khaki: "#cdb977", ochre: "#f0b258", green: "#86cfa5" };

/** The colour of each side; none where two wear the same coat: then the page's own two are told apart better. */
export function colours(sides: Pick<SideView, "livery">[], night: boolean): (string | null)[] {
  const coats = sides.map((s) => s.livery);
  if (new Set(coats).size < coats.length) return coats.map(() => null);
  return coats.map((coat) => (night ? byNight : byDay)[coat] ?? null);
}

export interface Standard { field: string; charge: string; device: Device; /** The regiment's own colour in it. */ own: Dye | null; /** The cut of the cloth, one a side. */ cut: number }

/** The paint of each dye; the same as in crates/picture/src/paint.rs. */
const dyes: Record<Dye, string> = {
  white: "#f4f1e6", grey: "#9a9a98", black: "#2b2620", red: "#c4273a", crimson: "#8c1f3f", rose: "#e39aa8", orange: "#e07b39", yellow: "#e8c547", straw: "#eadcab",
  green: "#2d6e49", light_green: "#8fbf7f", blue: "#24407c", light_blue: "#7fb2dc", violet: "#6b4a8e", brown: "#7a5433",
};

/** Each dye has a hatching of its own, as heralds print colours: whoever tells no colours tells regiments by it. In a square of 4. */
const hatchings: Record<Dye, string> = {
  white: "", straw: "M2 2h.1", yellow: "M1 1h.1M3 3h.1", red: "M2 0V4", crimson: "M1 0V4M3 0V4", rose: "M2 0V2", blue: "M0 2H4", light_blue: "M0 2H2", green: "M0 0L4 4",
  light_green: "M1 1L3 3", violet: "M4 0L0 4", black: "M2 0V4M0 2H4", orange: "M2 0V4M0 2h.1M4 2h.1", brown: "M2 0V4M0 0L4 4", grey: "M0 1H2M2 3H4",
};

const byCoat: Record<Livery, [string, string]> = {
  red: ["#b8232f", "#f3e3b5"], blue: ["#24508f", "#f4f1e6"], black: ["#3a3538", "#e8c547"], white: ["#eceae2", "#b8232f"], khaki: ["#a08d54", "#2b2620"], ochre: ["#c98a2b", "#2b2620"], green: ["#2d6e49", "#f3e3b5"],
};

/** Facings of the coat's own colour would not be seen; it keeps its lace. */
const alike: Partial<Record<Livery, Dye[]>> = { red: ["red", "crimson"], blue: ["blue"], black: ["black"], white: ["white", "straw"], green: ["green"] };

/** The facings of a unit's regiment, as the rulebook's data have them; none where they say nothing, or nothing that is seen on its coat. */
export function facingOf(unit: Pick<UnitView, "facings" | "side">, view: Pick<View, "sides">): string | null {
  const coat = view.sides[unit.side]?.livery;
  return !unit.facings || (coat && alike[coat]?.includes(unit.facings)) ? null : dyes[unit.facings];
}

const painted = (flag: Flag, cut: number): Standard => ({ field: dyes[flag.field], charge: dyes[flag.charge], device: flag.device, own: flag.own ?? null, cut });

/** The colours of a side: its nation's where the rulebook's data say, else by its coat. Two of one nation differ by the cut. */
export function colourOf(sides: Pick<SideView, "flag" | "livery">[], side: number): Standard {
  const mine = sides[side];
  if (mine?.flag) return painted(mine.flag, side);
  const [field, charge] = byCoat[mine?.livery ?? "black"];
  return { field, charge, device: side % 2 ? "bands" : "cross", own: null, cut: side };
}

/** The standard of a unit's regiment: its nation's, with the regiment's colour in it; else its side's. */
export function standardOf(unit: Pick<UnitView, "flag" | "facings" | "side">, view: Pick<View, "sides">): Standard {
  return unit.flag ? painted(unit.flag, unit.side) : { ...colourOf(view.sides, unit.side), own: unit.facings ?? null };
}

const shapes: Record<Device, (charge: string, own: string) => string> = {
  plain: () => "",
  cross: (c, o) => `<path d="M0 0H7V5H0zM11 7H18V12H11z" fill="${o}"/><path d="M9 0V12M0 6H18" stroke="${c}" stroke-width="3"/>`,
  saltire: (c, o) => `<path d="M0 0L9 6L0 12zM18 0L9 6L18 12z" fill="${o}"/><path d="M0 0L18 12M18 0L0 12" stroke="${c}" stroke-width="2.6"/>`,
  union: (c, o) => `<path d="M0 0H18V12H0z" fill="${o}"/><path d="M0 0H10V7H0z" fill="#24407c"/><path d="M0 0L10 7M10 0L0 7" stroke="#f4f1e6" stroke-width="1.6"/><path d="M5 0V7M0 3.5H10" stroke="${c}" stroke-width="1.6"/>`,
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
  const ink = s.own && ["black", "blue", "crimson", "violet", "brown", "green"].includes(s.own) ? "#f4f1e6" : "#2b2620";
  const own = s.own ? `<pattern id="${id}o" width="4" height="4" patternUnits="userSpaceOnUse"><path d="M0 0H4V4H0z" fill="${dyes[s.own]}"/><path d="${hatchings[s.own]}" stroke="${ink}" stroke-opacity=".5" stroke-width=".7" stroke-linecap="round"/></pattern>` : "";
  return `<clipPath id="${id}"><path d="${cut}"/></clipPath>${own}<g clip-path="url(#${id})"><path d="M0 0H18V12H0z" fill="${s.field}"/>${shapes[s.device](s.charge, s.own ? `url(#${id}o)` : s.field)}</g><path d="${cut}" fill="none" stroke="#2b2620" stroke-width=".9" stroke-linejoin="round"/>`;
}

/** A flag as an address for an image. */
export function flagUrl(s: Standard): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-.5 -.5 19 13" width="38" height="26">${flagged(s, "c")}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Paints the page's marks in them: the colour and the flag of each side. */
export function dress(sides: Pick<SideView, "livery" | "flag">[], night: boolean): void {
  const root = document.documentElement.style;
  colours(sides, night).forEach((colour, i) => {
    if (colour) root.setProperty(`--side-${i}`, colour);
    else root.removeProperty(`--side-${i}`);
    root.setProperty(`--flag-${i}`, `url("${flagUrl(colourOf(sides, i))}")`);
  });
}
