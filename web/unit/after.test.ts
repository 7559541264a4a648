import { describe, expect, test } from "vitest";
import { dispatch } from "../src/lib/after/dispatch";
import { atLeast, below, inWords, judged, luck } from "../src/lib/after/luck";
import type { Moment, Replay, Told, View } from "../src/lib/protocol";
import { unit, view } from "./view";

const told = (more: Partial<Told>) => ({ text: "", brief: "", what: "x", ...more }) as Told;
const moment = (n: number, turn: number, lost: number[], events: Told[]) =>
  ({ n, seat: 0, events, draws: [], strength: [], lost, standing: [], clock: { turn, of: null, phase: "" } }) as unknown as Moment;

describe("luck", () => {
  test("sums of dice have the chances they have", () => {
    expect(atLeast(2, 7)).toBeCloseTo(21 / 36);
    expect(atLeast(1, 5)).toBeCloseTo(1 / 3);
    expect([atLeast(2, 2), atLeast(2, 13)]).toEqual([expect.closeTo(1), 0]);
  });
  test("a pool is judged die by die, a sum with what is added to it", () => {
    expect(judged(told({ dice: "hits", faces: [6, 5, 1, 2, 2, 3], needed: 5, made: 2 }))).toMatchObject({ came: 2, due: 2, dice: 6 });
    const sum = judged(told({ dice: "sum", faces: [2, 5], needed: 8, made: 6, modifiers: [{ value: -1, reason: "", clause: "" }] }));
    expect(sum).toMatchObject({ came: 0, due: expect.closeTo(10 / 36) });
    // What does not add up is not judged: somebody threw again, or a card spoke.
    expect(judged(told({ dice: "sum", faces: [2, 5], needed: 8, made: 3 }))).toBeNull();
    expect(judged(told({ faces: [2] }))).toBeNull();
  });
  test("each side has its own, and the spread is the usual one", () => {
    const two = { ...view(), sides: [{ name: "Red" }, { name: "Blue" }], units: [unit("A", [1, 1], { side: 0 }), unit("B", [2, 2], { side: 1 })] } as unknown as View;
    const all = moment(
      1,
      1,
      [0, 0],
      [told({ who: "A", dice: "hits", faces: [6, 6, 6, 6], needed: 4, made: 4 }), told({ who: "B", dice: "hits", faces: [1, 1, 1, 2], needed: 4, made: 0 })],
    );
    const [red, blue] = luck([all], two);
    expect(red).toMatchObject({ rolls: 1, dice: 4, came: 4, due: 2, off: 2, better: 98 });
    expect(blue).toMatchObject({ off: -2, better: 2 });
    expect([inWords(red!), inWords(blue!)]).toEqual(["very lucky", "very unlucky"]);
    expect([below(0), below(1.96), below(-1.96)].map((p) => p.toFixed(3))).toEqual(["0.500", "0.975", "0.025"]);
  });
});

test("a dispatch tells each turn by its worst and its cost, and the end", () => {
  const table = {
    ...view(),
    title: "The Ford",
    sides: [{ name: "Red" }, { name: "Blue" }],
    units: [unit("A", [1, 1], { side: 0, strength: [8, 12] }), unit("B", [2, 2], { side: 1, strength: [0, 10] })],
  } as unknown as View;
  const replay = {
    over: true,
    sides: ["Red", "Blue"],
    ending: { winner: 0, grade: "victory", reason: "Blue has broken", scores: [], clause: "" },
    decisive: [],
    moments: [
      moment(0, 0, [0, 0], []),
      moment(1, 1, [0, 0], [told({ brief: "A moves 4 inches." })]),
      moment(2, 1, [0, 3], [told({ brief: "A fires at B: two hits.", gist: "A fires at B.", notable: true, faces: [6, 6] }), told({ brief: "B loses 3.", notable: true })]),
      moment(3, 2, [4, 10], [told({ brief: "B tests: 3 against 4. They run!", gist: "B tests. They run!", notable: true, faces: [3] })]),
    ],
  } as unknown as Replay;
  const d = dispatch(replay, table);
  expect(d.headline).toBe("Victory for Red at the Ford");
  expect(d.under).toBe("Red lost 4 of 12 and Blue lost 10 of 10.");
  expect(d.paragraphs).toEqual([
    { head: "Turn 1", text: "B loses 3. It cost Blue 3.", n: 2 },
    { head: "Turn 2", text: "B tests. They run! It cost Red 4 and Blue 7.", n: 3 },
  ]);
  expect(d.close).toBe("Blue has broken.");
});

test("a side is told as the umpire calls it", () => {
  const sides = [{ name: "French" }, { name: "Prussia" }] as never;
  const replay = {
    moments: [moment(0, 0, [0, 0], []), moment(1, 1, [2, 3], [told({ brief: "B routs!", notable: true })])],
    ending: { winner: 0, grade: "victory", reason: "done" },
    over: true,
    sides: ["the French", "Prussia"],
    game: { title: "X" },
  } as unknown as Replay;
  const paper = dispatch(replay, view({ title: "The Ford", sides, units: [] } as never));
  expect(paper.headline).toBe("Victory for the French at the Ford");
  expect(paper.under).toMatch(/^The French lost 2 /);
  expect(paper.paragraphs[0]!.text).toContain("It cost the French 2 and Prussia 3.");
});
