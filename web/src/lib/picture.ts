// The server's drawing of the ground, laid where it belongs, with our type in it: a picture shown as an image can't see the page's
// fonts, so those that are written in it travel inside.

import bold from "../fonts/Alegreya-Bold.woff2?url";
import slanted from "../fonts/Alegreya-MediumItalic.woff2?url";
import sansBold from "../fonts/AlegreyaSans-Bold.woff2?url";
import sans from "../fonts/AlegreyaSans-Medium.woff2?url";
import type { View } from "./protocol";

/** A drawing and the ground it covers, in the table's unit, y downwards from the table's north edge. */
export interface Laid { x: number; y: number; w: number; h: number; svg: string }

/** The faces by the classes that the drawing writes them with (crates/picture/src/letters.rs). */
const faces: Record<string, { url: string; family: string; weight: number; style: string }> = {
  ft: { url: bold, family: "Alegreya", weight: 700, style: "normal" },
  fi: { url: slanted, family: "Alegreya", weight: 500, style: "italic" },
  fp: { url: sans, family: "Alegreya Sans", weight: 500, style: "normal" },
  fb: { url: sansBold, family: "Alegreya Sans", weight: 700, style: "normal" },
};
const fetched = new Map<string, Promise<string>>();

async function face(name: string): Promise<string> {
  const { url, family, weight, style } = faces[name]!;
  const file = await (await fetch(url)).blob();
  // The browser's own way to base64: it leaves the page alone meanwhile.
  const inside = await new Promise<string>((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result as string);
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(file);
  });
  return `@font-face{font-family:'${family}';font-weight:${weight};font-style:${style};src:url(${inside})}`;
}

/** The faces that a drawing is written in. */
export function written(svg: string): string[] {
  return Object.keys(faces).filter((name) => svg.includes(`class="${name}"`));
}

async function type(svg: string): Promise<string> {
  const all = written(svg).map((name) => {
    if (!fetched.has(name)) fetched.set(name, face(name).catch(() => ""));
    return fetched.get(name)!;
  });
  return (await Promise.all(all)).join("");
}

/** The drawing says where its table lies (in pixels) and how many pixels one of the table's unit is. */
export function laid(svg: string): Laid {
  const root = /<svg[^>]*>/.exec(svg)?.[0] ?? "";
  const read = (name: string) => (new RegExp(` ${name}="([^"]*)"`).exec(root)?.[1] ?? "").split(/[ ,]+/).map(parseFloat);
  const scale = read("data-scale")[0] || 1;
  const [left = 0, top = 0] = read("data-table");
  return { x: -left / scale, y: -top / scale, w: (read("width")[0] ?? 0) / scale, h: (read("height")[0] ?? 0) / scale, svg };
}

/** What the ground is drawn from, as a text: while it stays the same, so does the picture. Who holds what is none of it. */
export function sceneryOf(view: Pick<View, "terrain" | "table">, night: boolean): string {
  return JSON.stringify([night, view.table, view.terrain.map(({ id, kind, look, points, closed, width, level, peak }) => [id, kind, look, points, closed, width, level, peak])]);
}

/** A drawing with its address as an image. */
export type Shown = Laid & { href: string };

export async function shown(svg: string): Promise<Shown> {
  const drawing = laid(svg);
  return { ...drawing, href: await address(svg, "") };
}

/** How the numbers along the table's edge are written where one of its unit is so many pixels: as they are, larger, or not at all,
 * for what is smaller than 11 pixels nobody reads. */
export function letters(picture: Laid, k: number): string {
  const scale = Number(/ data-scale="([\d.]+)"/.exec(picture.svg)?.[1] ?? 1);
  const size = Number(/<g id="border">[\s\S]*?font-size="([\d.]+)"/.exec(picture.svg)?.[1] ?? 0);
  const [seen, wanted] = [(size * k) / scale, (11 * scale) / k];
  if (!size || seen >= 11) return "";
  // Beside the table there is no room for three large figures.
  return seen * 2.1 < 11 ? "#border text,#scale text{display:none}" : `#border text,#scale text{font-size:${wanted.toFixed(1)}px}${picture.h > 100 ? "#border text[text-anchor=end]{display:none}" : ""}`;
}

/** The ground as an image's address, its words upright however the table is turned: units and markers are drawn by the page. */
export async function ground(picture: Laid, turn: number, edge = ""): Promise<string> {
  const upright = turn ? `#border text,#scale text,#compass text{transform-box:fill-box;transform-origin:center;transform:rotate(${-turn}deg)}` : "";
  const rules = upright + edge;
  // The N of the compass is the only letter of its face: not worth a font.
  return address(picture.svg.replace('class="fi"', 'class="fp"'), rules);
}

async function address(svg: string, rules: string): Promise<string> {
  const dressed = svg.replace("<style>", `<style>${await type(svg)}${rules}`);
  return URL.createObjectURL(new Blob([dressed], { type: "image/svg+xml" }));
}
