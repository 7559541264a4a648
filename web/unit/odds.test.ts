import { describe, expect, test } from "vitest";
import { brief, chances, percent, reckoned, verdicts } from "../src/lib/odds";
import type { OddsLine } from "../src/lib/protocol";

const way = (outcome: string | null, made: number | null, p: number, give = 0) => ({ outcome, made, p, give });
const odds = (what: string, who: string, ways: ReturnType<typeof way>[]) => ({ what, who, whom: null, ways }) as unknown as OddsLine;

test("no chance is told as none and none as sure that is not", () => {
  expect([0, 0.001, 0.25, 0.999, 1].map(percent)).toEqual(["0 %", "under 1 %", "25 %", "over 99 %", "100 %"]);
});

test("what is from samples says so, and how far off it may be", () => {
  expect(reckoned({ p: 0.432, give: 0.031 })).toBe("about 43 % (±3)");
  expect(reckoned({ p: 0.002, give: 0.004 })).toBe("about 0 % (±1)");
  expect(reckoned({ p: 0.432, give: 0 })).toBe("43 %");
  const fire = odds("fire", "A", [way(null, 0, 0.3, 0.03), way(null, 2, 0.7, 0.03)]);
  expect(brief([fire], ["A"])).toBe("about 1.4 on average");
  const [morale] = chances([odds("morale", "A", [way("passed", 5, 0.5, 0.03), way("passed", 6, 0.2, 0.04), way("failed", 2, 0.3, 0.04)])]);
  expect(morale!.ways[0]!.give).toBeCloseTo(0.05);
});

describe("what can come of it", () => {
  test("the same outcome by several ways is told once", () => {
    const [one] = chances([odds("morale_test", "A", [way("passed", 5, 0.5), way("passed", 6, 0.25), way("failed", 2, 0.25)])]);
    expect(one).toEqual({
      about: "Morale test: A",
      ways: [
        { label: "passed", p: 0.75, give: 0 },
        { label: "failed", p: 0.25, give: 0 },
      ],
      average: "",
      mean: "",
      sure: 1,
    });
  });

  test("hits are told by their number, in order, with the average", () => {
    const [hits] = chances([odds("fire", "A", [way(null, 2, 0.25), way(null, 0, 0.25), way(null, 1, 0.5)])]);
    expect(hits!.ways.map((w) => w.label)).toEqual(["0", "1", "2"]);
    expect(hits!.average).toBe("1.0 on average");
  });

  test("what may not come to it at all is shared among what comes", () => {
    const [hits] = chances([odds("fire", "A", [way(null, 0, 0.25), way(null, 1, 0.25)])]);
    expect(hits!.sure).toBe(0.5);
    expect(hits!.ways.map((w) => w.p)).toEqual([0.5, 0.5]);
  });

  test("outcomes too; and one that comes or does not is told by how likely it comes", () => {
    const [morale] = chances([odds("morale", "A", [way("steady", null, 0.3), way("wavers", null, 0.1)])]);
    expect(morale!.sure).toBeCloseTo(0.4);
    expect(morale!.ways.map((w) => w.p)).toEqual([expect.closeTo(0.75), expect.closeTo(0.25)]);
    const [back] = chances([odds("fall_back", "A", [way("back", null, 0.03)])]);
    expect(back).toMatchObject({ sure: 1, ways: [{ label: "back", p: 0.03 }] });
  });

  test("what is certain is left out", () => expect(chances([odds("fire", "A", [way("passed", null, 1)])])).toEqual([]));
});

describe("in one line", () => {
  const test1 = odds("activation", "A", [way("passed", null, 0.6), way("failed", null, 0.4)]);

  test("the hope, not the fear", () => expect(brief([test1], ["A"])).toBe("passed 60 %"));

  test("and what follows if it goes well", () => {
    const fire = odds("fire", "A", [way(null, 0, 0.3), way(null, 2, 0.3)]);
    expect(brief([test1, fire], ["A"])).toBe("passed 60 %, then 1.0 on average");
  });

  test("others' dice are no reason to choose it", () => expect(brief([test1], ["B"])).toBe(""));
});

describe("in one form: what is expected, what can go wrong, a bar of both", () => {
  const asker = { ours: (id: string) => id === "A", name: (id: string) => ({ A: "The Buffs", B: "Afridis" })[id] ?? id };
  const morale = (who: string, passed: number) => odds("morale", who, [way("passed", null, passed), way("failed", null, 1 - passed)]);

  test("by name, the likely first", () => {
    const [one] = verdicts([morale("A", 0.75)], asker);
    expect(one).toMatchObject({ about: "Morale: The Buffs", expected: "passed 75 %", wrong: "failed 25 %", hoped: "" });
    expect(one!.parts.map((p) => p.tone)).toEqual(["good", "bad"]);
  });

  test("where the likely is what nobody wants, what may be hoped for", () => {
    expect(verdicts([morale("A", 0.25)], asker)[0]).toMatchObject({ expected: "failed 75 %", wrong: "", hoped: "passed 25 %" });
  });

  test("what the enemy fails is good for us", () => {
    const [one] = verdicts([morale("B", 0.75)], asker);
    expect(one!.parts.map((p) => p.tone)).toEqual(["bad", "good"]);
    expect(one).toMatchObject({ expected: "passed 75 %", hoped: "failed 25 %" });
  });

  test("of our own dice we fear none, of theirs many", () => {
    const hits = (who: string) => odds("fire", who, [way(null, 0, 0.25), way(null, 1, 0.5), way(null, 2, 0.25)]);
    expect(verdicts([hits("A")], asker)[0]).toMatchObject({ expected: "1.0 on average", wrong: "none 25 %" });
    expect(verdicts([hits("B")], asker)[0]).toMatchObject({ expected: "1.0 on average", wrong: "2 25 %" });
  });
});

test("fire is told by what it costs them and whether they stand it, not by a die thrown again", () => {
  const about = (what: string, who: string, whom: string | null, ways: ReturnType<typeof way>[]) => ({ what, who, whom, ways }) as unknown as OddsLine;
  const lines = [
    about("fire", "A", "B", [way(null, 3, 0.5), way(null, 5, 0.5)]),
    about("reroll", "A", null, [way("hit", 1, 0.3), way("missed", 0, 0.7)]),
    about("losses", "B", "A", [way("none", 0, 0.2), way("some", 1, 0.3), way("some", 3, 0.5)]),
    about("pinning", "B", null, [way("failed", 1, 0.4), way("passed", 6, 0.6)]),
  ];
  expect(brief(lines, ["A", "B"])).toBe("1.8 lost, pinning failed 40 %");
  expect(brief([odds("activation", "A", [way("passed", null, 0.6), way("failed", null, 0.4)]), ...lines], ["A", "B"])).toBe("passed 60 %, then 1.8 lost, pinning failed 40 %");
  // Their losses are what we hope for, and ours what we fear.
  const told = (ours: string) => verdicts([lines[2]!], { ours: (id) => id === ours, name: (id) => id })[0]!;
  expect(told("A")).toMatchObject({ expected: "1.8 on average", wrong: "none 20 %" });
  expect(told("B")).toMatchObject({ expected: "1.8 on average", wrong: "3 50 %" });
  expect(told("B").parts.map((p) => p.tone)).toEqual(["good", "bad", "bad"]);
});
