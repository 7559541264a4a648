import { describe, expect, test } from "vitest";
import { byName, called, compass, enroll, grouped, length, members, ordinal, rounded, scored, speaker, unitsIn } from "../src/lib/words";
import type { UnitView, View } from "../src/lib/protocol";
import { unit, view } from "./view";

test("a wind for every bearing, round the compass", () => {
  expect([0, 44, 90, 191, 348.74, 348.76, 360, -90].map(compass)).toEqual(["north", "north-east", "east", "south", "north-north-west", "north", "north", "west"]);
});

test("lengths in the table's unit, without needless noughts", () => {
  expect(length(7, "inch")).toBe("7″");
  expect(length(7.06, "inch")).toBe("7.1″");
  expect(length(12.04, "centimetre")).toBe("12 cm");
});

test("a unit is called by its name, else by its kind", () => {
  expect(called(unit("A", [0, 0], { name: "The Buffs" }))).toBe("The Buffs");
  expect(called(unit("A", [0, 0]))).toBe("line infantry");
});

describe("answers", () => {
  const say = speaker(view());

  test("by the system's own phrases, under a heading", () => {
    expect(say({ activate: "A" })).toEqual({ head: "Activate", say: "The Buffs", full: "Activate: The Buffs" });
    expect(say("end_turn").full).toBe("End the turn");
    expect(say({ declare: { action: "fire", target: "B" } })).toMatchObject({ head: "Fire at", say: "Line infantry" });
  });

  test("what is missing is left out, what is there is told", () => {
    expect(say({ declare: { action: "move" } }).say).toBe("Move");
    expect(say({ declare: { action: "move", open_out: true } }).say).toBe("Move and open out");
    const way = say({
      declare: {
        action: "attack",
        target: "B",
        waypoints: [
          [35, 25],
          [1, 2],
        ],
      },
    });
    expect(way.say).toBe("Line infantry by way of the open wood, then 41″ south-west");
  });

  test("how far one goes is said as people say it, and a place is a place", () => {
    const pending = { decision: { seat: 0, kind: "go", prompt: "", unit: "A", clause: "" } } as unknown as View["pending"];
    const from = view().units.find((u) => u.id === "A")!.at;
    const ahead = [from[0], from[1] + 6];
    for (const ruleset of ["would-be-kings", "all-the-kings-men"]) {
      const said = speaker(view({ ruleset, pending }));
      const march = ruleset === "would-be-kings" ? { go: { path: [ahead] } } : { move: { path: [ahead] } };
      expect(said(march).full).toMatch(/^Move 6″ north/);
    }
    const said = speaker(view({ ruleset: "all-the-kings-men", pending }));
    expect(said({ move_general: { to: ahead } }).full).toBe("Ride the general to a place 6″ north");
    expect(speaker(view())({ go: { path: [[35, 25]] } }).full, "who stands nowhere goes to the ground itself").toBe("Move to the open wood");
  });

  test("a system without phrases is read from its names, in words", () => {
    const strange = speaker(view({ ruleset: "a-rulebook-nobody-has" }));
    expect(strange({ wheel_left: { unit: "A", by: 30 } }).full).toBe("Wheel left The Buffs, by 30");
    expect(strange("hold_fire").full).toBe("Hold fire");
    expect(strange({ form: [] }).full).not.toMatch(/undefined|\[object/);
  });

  test("name their units, also by the group", () => {
    expect(unitsIn({ declare: { action: "fire", target: "B" } }, view())).toEqual(["B"]);
    expect(unitsIn({ march: ["G1", "A"] }, view())).toEqual(["B", "A"]);
    expect(members(view(), "G1").map((u) => u.id)).toEqual(["B"]);
  });

  test("stand under their headings in the order they came, giving up last", () => {
    const answer = (head: string, n: number) => ({ spoken: { head, say: "", full: "" }, n });
    const groups = grouped([answer("Give up", 0), answer("Fire at", 1), answer("", 2), answer("Fire at", 3)]);
    expect(groups.map((g) => [g.head, g.answers.map((a) => a.n)])).toEqual([
      ["Fire at", [1, 3]],
      ["", [2]],
      ["Give up", [0]],
    ]);
  });
});

describe("names in place of codes", () => {
  const two = {
    units: [
      unit("I1", [0, 0], { name: "The Buffs" }),
      unit("I12", [1, 1], { name: "Sikhs" }),
      unit("p1", [2, 2], { name: "Musketeers" }),
      unit("p2", [3, 3], { name: "Musketeers" }),
      unit("A", [4, 4], { name: "Guard" }),
    ],
  };
  test("nobody is called by a code: who shares his name has a number, or his side", () => {
    enroll(two);
    expect(two.units.map(called)).toEqual(["The Buffs", "Sikhs", "1st Musketeers", "2nd Musketeers", "Guard"]);
    const sides = [{ name: "Prussia" }, { name: "Austria" }] as never;
    const battery = (id: string, side: number) => unit(id, [0, 0], { name: "", kind: "foot_artillery", side });
    const units = [battery("RF1", 0), battery("BF1", 1)];
    enroll({ title: "Farm", units, sides });
    expect(units.map(called)).toEqual(["foot artillery (Prussia)", "foot artillery (Austria)"]);
  });
  test("and a number once given stays, whoever comes and goes", () => {
    const [first, second, third] = ["p2", "p10", "p1"].map((id) => unit(id, [0, 0], { name: "Croats", side: 0 })) as [UnitView, UnitView, UnitView];
    enroll({ title: "Brook", units: [second, first] });
    expect([first, second].map(called)).toEqual(["1st Croats", "2nd Croats"]);
    enroll({ title: "Brook", units: [third, second] });
    expect([second, third].map(called)).toEqual(["2nd Croats", "3rd Croats"]);
    expect([11, 21, 22, 103, 112].map(ordinal)).toEqual(["11th", "21st", "22nd", "103rd", "112th"]);
  });
  test("and so in sentences, but a code is not found in other words", () => {
    enroll(two);
    expect(byName("I1 The Buffs fires at p2 Musketeers; I12 Sikhs stands.")).toBe("The Buffs fires at 2nd Musketeers; Sikhs stands.");
    expect(byName("What shall I1 do? A Jack: I12-3 and XI1 stay.")).toBe("What shall The Buffs do? A Jack: I12-3 and XI1 stay.");
    enroll({ units: [] });
    expect(byName("I1 The Buffs")).toBe("I1 The Buffs");
  });
});

test("numbers as one says them, and a bare one is points", () => {
  expect(["0.00", "219.50", "army morale 6 of 6", "1.00", "10", "-2.50", "100"].map(scored)).toEqual([
    "0 points",
    "219.5 points",
    "army morale 6 of 6",
    "1 point",
    "10 points",
    "-2.5 points",
    "100 points",
  ]);
  expect(rounded("Points 200.00 of 1.05")).toBe("Points 200 of 1.05");
});
