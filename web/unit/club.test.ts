import { expect, test } from "vitest";
import { namesIn, outcome, points } from "../src/club/club";

test("points are written with halves", () => {
  expect([0, 0.5, 1, 2.5].map(points)).toEqual(["0", "½", "1", "2½"]);
});

test("names come a line each or between commas, each once", () => {
  expect(namesIn(" Anna\nBerta, Carl;\n\nAnna ")).toEqual(["Anna", "Berta", "Carl"]);
});

test("what came of a game is said in words", () => {
  const pair = { first: "Anna", second: "Berta", winner: null, over: false, game: null };
  expect(outcome(pair)).toBe("not over yet");
  expect(outcome({ ...pair, over: true })).toBe("drawn");
  expect(outcome({ ...pair, over: true, winner: "Berta" })).toBe("Berta won");
  expect(outcome({ ...pair, second: null, over: true, winner: "Anna" })).toBe("has this round off");
});
