import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { composed, groundOf, lasting, parts } from "../src/lib/briefing";
import type { ScenarioPage, View } from "../src/lib/protocol";
import { view } from "./view";

const books = join(import.meta.dirname, "../../rulebooks");
const sides = (...names: string[]) => names.map((name) => ({ name, livery: "red", score: null, tallies: [] })) as unknown as View["sides"];

it("a written account is taken apart under its headings, its marks left out", () => {
  const [top, one] = parts(
    "# Abu Klea\n\n*Kings · `tricorne play abu-klea` · 12 rounds*\n\nThe column *marched*.\nIt was hot.\n\n## For Stewart\nThere is **no** water.\n\n**How you win.** Get off.",
  );
  expect(top).toEqual({ head: "Abu Klea", paragraphs: ["The column marched. It was hot."] });
  expect(one).toEqual({ head: "For Stewart", paragraphs: ["There is no water.", "How you win. Get off."] });
});

it("each side gets its own task, and how it wins", () => {
  const table = view({ sides: sides("Imperial", "Native"), terrain: [] });
  const told = composed(null, table, null, "# X\n\nStory.\n\n## For A\nGo.\n\n**How you win.** By going.\n\n## For B\nStay.", "x");
  expect(told.tasks).toEqual([
    { side: "Imperial", paragraphs: ["Go."], wins: "By going." },
    { side: "Native", paragraphs: ["Stay."], wins: "" },
  ]);
  expect(told.story).toEqual(["Story."]);
});

it("a battle nobody wrote about is told by its own line and its ground", () => {
  const bare = view({ sides: sides("A", "B") });
  bare.terrain.forEach((t) => (t.notes = []));
  const told = composed({ story: "A ford.", favours: "A, 60 of 100" } as ScenarioPage, bare, null, null, "own");
  expect(told).toMatchObject({ story: ["A ford."], favours: "A, 60 of 100", more: [], first: false });
  expect(groundOf(bare).map((g) => g.what)).toEqual(["open wood", "road"]);
});

it("how long it takes grows with units and turns, and is told as one would say it", () => {
  const told = (units: number, turns: number | null) =>
    lasting({ ...view(), clock: { turn: 1, of: turns, phase: "" } as never, units: Array.from({ length: units }, () => ({ arm: "infantry" })) as never }, 9);
  const all = [told(2, 4), told(8, 10), told(20, 12), told(40, 20)];
  expect(new Set(all).size).toBe(4);
  for (const words of all) expect(words).toMatch(/^(a few minutes|about (\d+ minutes|half an hour|three quarters of an hour|an hour( and a half)?|\d+ hours))$/);
  expect(told(8, null), "no limit is ten turns or so").toBe(told(8, 10));
  expect(told(0, 10), "who knows nothing says nothing").toBe("");
});

describe("every scenario that comes with the rules", () => {
  for (const system of readdirSync(books)) {
    const book = JSON.parse(readFileSync(join(books, system, "briefings.json"), "utf8"));
    for (const file of readdirSync(join(books, system, "scenarios"))) {
      const id = file.replace(/\.toml$/, "");
      it(`${system}: ${id} says what both sides are to do and how they win`, () => {
        const toml = readFileSync(join(books, system, "scenarios", file), "utf8");
        const fights = join(books, system, "fights");
        const fight = readdirSync(fights).includes(`${id}.md`) ? readFileSync(join(fights, `${id}.md`), "utf8") : null;
        const names = Object.keys(book.scenarios[id]?.sides ?? { One: 0, Two: 0 });
        const told = composed({ story: /^story = "(.*)"$/m.exec(toml)?.[1] ?? "" } as ScenarioPage, view({ sides: sides(...names), terrain: [] }), book, fight, id);
        expect(told.story.join("").length).toBeGreaterThan(20);
        for (const t of told.tasks) {
          expect(t.paragraphs.join("").length, t.side).toBeGreaterThan(20);
          expect(t.wins.length, t.side).toBeGreaterThan(20);
        }
        // The names of the sides are those of the file, or nobody would ever read them.
        if (!fight && !system.startsWith("would")) for (const name of names) expect(toml).toContain(`"${name}"`);
      });
    }
  }
});
