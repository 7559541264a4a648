// The server's drawing of the table, laid where it belongs, with our type in it: a picture shown as an image can't see
// the page's fonts, so they travel inside it.

import bold from "../fonts/Alegreya-Bold.woff2?url";
import slanted from "../fonts/Alegreya-MediumItalic.woff2?url";
import sansBold from "../fonts/AlegreyaSans-Bold.woff2?url";
import sans from "../fonts/AlegreyaSans-Medium.woff2?url";

/** A drawing and the ground it covers, in the table's unit, y downwards from the table's north edge. */
export interface Laid { href: string; x: number; y: number; w: number; h: number; svg: string }

let fonts: Promise<string> | null = null;

async function face(url: string, family: string, weight: number, style: string): Promise<string> {
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

function faces(): Promise<string> {
  fonts ??= Promise.all([
    face(bold, "Alegreya", 700, "normal"), face(slanted, "Alegreya", 500, "italic"),
    face(sans, "Alegreya Sans", 500, "normal"), face(sansBold, "Alegreya Sans", 700, "normal"),
  ]).then((all) => all.join(""), () => "");
  return fonts;
}

// Fetched while the connection is still being made: the first picture waits for nothing else.
void faces();

/** The drawing says where its table lies (in pixels) and how many pixels one of the table's unit is. */
export async function laid(svg: string): Promise<Laid> {
  const root = /<svg[^>]*>/.exec(svg)?.[0] ?? "";
  const read = (name: string) => (new RegExp(` ${name}="([^"]*)"`).exec(root)?.[1] ?? "").split(/[ ,]+/).map(parseFloat);
  const scale = read("data-scale")[0] || 1;
  const [left = 0, top = 0] = read("data-table");
  const dressed = svg.replace(root, `${root}<style>${await faces()}</style>`);
  const href = URL.createObjectURL(new Blob([dressed], { type: "image/svg+xml" }));
  return { href, x: -left / scale, y: -top / scale, w: (read("width")[0] ?? 0) / scale, h: (read("height")[0] ?? 0) / scale, svg: dressed };
}

/** The toys that a drawing has symbols for, each with its side: `s0-foot`. */
export function symbolsOf(picture: Pick<Laid, "svg">): Set<string> {
  return new Set([...picture.svg.matchAll(/ id="(s\d+-[a-z-]+)"/g)].map((found) => found[1]!));
}

/** The ground alone, its words upright however the table is turned: units, and what is written beside them, are drawn by the page. */
export function ground(picture: Laid, turn: number): string {
  const upright = turn ? `#ground-names text,#border text,#scale text,#compass text{transform-box:fill-box;transform-origin:center;transform:rotate(${-turn}deg)}` : "";
  return URL.createObjectURL(new Blob([picture.svg.replace("<style>", `<style>#units,#labels{display:none}${upright}`)], { type: "image/svg+xml" }));
}
