// One colour a side, everywhere: the coat it wears on the table is the colour of its mark in the header, the log, the questions
// and the arrows. By night the same coats, lighter, so that they stand out from the slate.

import type { SideView } from "./protocol";

type Livery = SideView["livery"];

const byDay: Record<Livery, string> = { red: "#b8232f", blue: "#24508f", black: "#4b4549", white: "#757a84", khaki: "#7a6834", ochre: "#a9620a", green: "#2d6e49" };
const byNight: Record<Livery, string> = { red: "#f08a8d", blue: "#86b4f2", black: "#b6adb2", white: "#eceae2", khaki: "#cdb977", ochre: "#f0b258", green: "#86cfa5" };

/** The colour of each side; none where two wear the same coat: then the page's own two are told apart better. */
export function colours(sides: Pick<SideView, "livery">[], night: boolean): (string | null)[] {
  const coats = sides.map((s) => s.livery);
  if (new Set(coats).size < coats.length) return coats.map(() => null);
  return coats.map((coat) => (night ? byNight : byDay)[coat] ?? null);
}

/** Paints the page's marks in them. */
export function dress(sides: Pick<SideView, "livery">[], night: boolean): void {
  const root = document.documentElement.style;
  colours(sides, night).forEach((colour, i) => {
    if (colour) root.setProperty(`--side-${i}`, colour);
    else root.removeProperty(`--side-${i}`);
  });
}
