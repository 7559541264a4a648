import { expect, test, vi } from "vitest";
import type { View } from "../src/lib/protocol";
import { paraded } from "../src/lib/stage/parade";
import { Paint } from "../src/lib/stage/toys";
import { unit, view } from "./view";

// The page's type is fetched as soon as the module is there.
vi.stubGlobal("fetch", () => Promise.resolve(new Response("")));
const { laid, letters, sceneryOf } = await import("../src/lib/picture");

const token = (side: number | null) => ({ kind: "objective", label: "The farm", at: [20, 20], radius: 3, side });
const table = (more: object = {}) =>
  view({
    units: [
      unit("A", [10, 10], {
        side: 0,
        arm: "infantry",
        markers: [],
        strength: [1, 1],
        facings: "yellow",
        figures: [{ shape: { shape: "disc", centre: [10, 10], radius: 0.5 }, facing: 0, role: "foot" }],
      } as never),
    ],
    sides: [{ livery: "red", flag: { field: "white", charge: "red", device: "union" } }, { livery: "blue" }],
    tokens: [token(null)],
    ...more,
  } as never);

test("the ground is not drawn anew for what changes hands, and is for what is built", () => {
  const before = table();
  const taken = table({ tokens: [token(1)], terrain: before.terrain.map((t) => ({ ...t, notes: [{ label: "Held by", text: "them", clause: null }] })) });
  expect(sceneryOf(taken, false)).toBe(sceneryOf(before, false));
  expect(sceneryOf(before, true)).not.toBe(sceneryOf(before, false));
  expect(sceneryOf({ ...before, terrain: before.terrain.slice(1) } as View, false)).not.toBe(sceneryOf(before, false));
});

test("units stand in their regiments' facings, and what is held is under its holder's flag", () => {
  const paint = new Paint('<svg data-coats="#aaa #bbb #ccc;#ddd #eee #fff"><defs><g id="s0-foot" stroke="x"><path fill="#ccc"/></g>\n</defs></svg>');
  expect(paint.coats[1]).toEqual({ base: "#ddd", rim: "#eee", trim: "#fff" });
  const free = paraded(table(), paint, new Set());
  expect(free).toContain('id="s0-foot-e8c547"');
  expect(free).toContain('<path fill="#e8c547"/>');
  expect(free).toContain('data-goal="0"');
  expect(free).not.toContain('id="goal0"');
  expect(paraded(table({ tokens: [token(0)] }), paint, new Set())).toContain('id="goal0"');
});

test("numbers along the edge are large enough to be read, or not there", () => {
  const drawing = laid('<svg width="1600" height="1132" data-table="37 23 1538 1025" data-scale="20"><g id="border"><text font-size="10">12</text></g></svg>');
  expect(letters(drawing, 24), "large enough").toBe("");
  expect(letters(drawing, 13), "made so").toBe(`#border text,#scale text{font-size:${((11 * 20) / 13).toFixed(1)}px}`);
  expect(letters(drawing, 5), "a phone has no room for them").toBe("#border text,#scale text{display:none}");
});
