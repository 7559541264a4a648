import { describe, expect, test } from "vitest";
import { blamed, fieldsOf, pointsOf, snapped, standing, stepOf, titleOf, valueAt } from "../src/workshop/drawing";
import { fold, slug, unfold } from "../src/workshop/files";
import type { Drafting, Drawn, Extent } from "../src/workshop/types";

describe("a hand snaps", () => {
  test("to the grid where nobody is near", () => {
    expect(snapped([1.1, 2.4], [], 0.25, 0.2)).toEqual({ at: [1, 2.5], guides: { x: undefined, y: undefined } });
  });

  test("to the line somebody stands on, the nearest first, in each direction by itself", () => {
    const { at, guides } = snapped(
      [10.15, 5],
      [
        [10.2, 30],
        [10.01, 8],
      ],
      0.25,
      0.2,
    );
    expect(at).toEqual([10.2, 5]);
    expect(guides).toEqual({ x: 10.2, y: undefined });
  });

  test("by a quarter of an inch, or half a centimetre on a large table", () => expect([stepOf(72), stepOf(180)]).toEqual([0.25, 0.5]));
});

test("what a file says at a way, and nothing where there is none", () => {
  const file = { unit: [{ name: "A" }, { name: "B" }] };
  expect(valueAt(file, "unit.1.name")).toBe("B");
  expect(valueAt(file, "unit.7.name")).toBeUndefined();
  expect(valueAt(file, "title.of.nothing")).toBeUndefined();
});

test("how many points a feature is drawn by", () => {
  const of = (extent: unknown) => pointsOf(extent as Extent);
  expect([of("nowhere"), of({ area: "zone" }), of({ line: "ridge" }), of({ corners: "zone" }), of({ place: "at" })]).toEqual([
    [0, 0],
    [3, 0],
    [2, 0],
    [2, 2],
    [1, 1],
  ]);
});

const drafting = {
  terrain_key: "terrain",
  fields: [{ path: "title" }, { path: "unit.*.name" }, { path: "unit.*.at" }, { path: "terrain.*.kind" }],
  features: [],
} as unknown as Drafting;
const drawn = (place: string) =>
  ({
    placed: [
      { array: "unit", nth: 0 },
      { array: "unit", nth: 1 },
    ],
    ground: [{}, {}],
    features: [{ kind: "hold", path: "objective.0.hold" }],
    file: {},
    fault: { place },
  }) as unknown as Drawn;

test("a fault is about the thing whose place it names", () => {
  expect(blamed(drafting, drawn("unit[1].at"))).toEqual({ kind: "placed", n: 1 });
  expect(blamed(drafting, drawn("terrain[0]"))).toEqual({ kind: "ground", n: 0 });
  expect(blamed(drafting, drawn("objective[0]"))).toEqual({ kind: "feature", n: 0 });
  expect(blamed(drafting, drawn("unit[11].at"))).toBeNull();
  expect(blamed(drafting, drawn(""))).toBeNull();
});

test("what is picked has the fields of its sort, each with its own way", () => {
  const paths = (pick: Parameters<typeof fieldsOf>[2]) => fieldsOf(drafting, drawn(""), pick).map((f) => f.path);
  expect(paths({ kind: "placed", n: 1 })).toEqual(["unit.1.name", "unit.1.at"]);
  expect(paths({ kind: "ground", n: 0 })).toEqual(["terrain.0.kind"]);
  expect(paths(null)).toEqual(["title"]);
  expect(paths({ kind: "placed", n: 9 })).toEqual([]);
});

test("a text folded into a link unfolds to itself, and nothing else does", async () => {
  const text = 'title = "Höhen von Kunersdorf"\n'.repeat(50);
  const link = await fold(text);
  expect(link).toMatch(/^[\w-]+$/);
  expect(link.length).toBeLessThan(text.length / 5);
  expect(await unfold(link)).toBe(text);
  await expect(unfold("no-such-link!")).rejects.toThrow();
});

test("a title becomes a file's name", () => {
  expect(slug("  The Ford: Höhe 3! ")).toBe("the-ford-ho-he-3");
  expect(slug("…")).toBe("untitled");
});

test("what stands in the file is called as people call it, and where it is is told as at a table", () => {
  const drafting = {
    unit_key: "units",
    troops: [
      { name: "Regular infantry", array: null, body: 'kind = "RI"' },
      { name: "Sharp regulars", array: null, body: 'kind = "RI"\nsharp = true' },
    ],
  } as Drafting;
  const drawn = {
    file: {
      units: [
        { id: "U1", kind: "RI" },
        { id: "U2", kind: "RI" },
        { id: "U3", kind: "RI", sharp: true },
        { id: "U4", name: "The Buffs", kind: "RI" },
        { id: "U5", kind: "dry_river" },
      ],
    },
  } as unknown as Drawn;
  expect([0, 1, 2, 3, 4].map((n) => titleOf(drafting, drawn, "units", n))).toEqual(["1st Regular infantry", "2nd Regular infantry", "Sharp regulars", "The Buffs", "Dry river"]);
  expect(standing([12, 30.5], 180, "inch")).toBe("12″ from the west edge, 30.5″ from the south, facing south");
});
