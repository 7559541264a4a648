import { expect, test } from "vitest";
import { colourOf, facingOf, flagged, standardOf } from "../src/lib/livery";
import type { Dye, UnitView, View } from "../src/lib/protocol";

const sides = [{ livery: "white", flag: { field: "white", charge: "white", device: "cross" } }, { livery: "white" }] as unknown as View["sides"];
const unit = (more: Partial<UnitView>) => ({ side: 0, ...more }) as UnitView;

test("facings are the rulebook's, and those that would not be seen are left out", () => {
  expect(facingOf(unit({ facings: "blue" }), { sides })).toBe("#24407c");
  expect(facingOf(unit({ facings: "white" }), { sides })).toBe(null);
  expect(facingOf(unit({}), { sides })).toBe(null);
});

test("a regiment carries its own flag, else its side's, and no two sides have one cut", () => {
  expect(standardOf(unit({ flag: { field: "red", charge: "white", device: "flames", own: "blue" } }), { sides })).toMatchObject({ device: "flames", own: "blue", cut: 0 });
  expect(standardOf(unit({ facings: "green" }), { sides })).toMatchObject({ device: "cross", own: "green" });
  expect(colourOf(sides, 0).cut).not.toBe(colourOf(sides, 1).cut);
});

test("every dye is told apart by its hatching alone", () => {
  const all: Dye[] = ["white", "grey", "black", "red", "crimson", "rose", "orange", "yellow", "straw", "green", "light_green", "blue", "light_blue", "violet", "brown"];
  const strokes = all.map(
    (own) =>
      /stroke-opacity/.test(flagged({ field: "#fff", charge: "#000", device: "cross", own, cut: 0 }, "f")) &&
      flagged({ field: "#fff", charge: "#000", device: "cross", own, cut: 0 }, "f").match(/<path d="([^"]*)" stroke=/)![1],
  );
  expect(new Set(strokes).size).toBe(all.length);
});
