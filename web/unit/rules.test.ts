import { expect, test } from "vitest";
import type { Clause } from "../src/lib/protocol";
import { chapter, excerpt, found, meanings, sectionFor } from "../src/lib/rules";

const clause = (id: string, section: string, plain: string): Clause => ({ id, section, plain, text: plain, tag: "source", option: null });
const book = [
  clause("X-TURN-01", "4.2 The turn", "Each side has a turn in every round."),
  clause("X-FIRE-01", "4.6 Fire", "A unit fires at the nearest enemy."),
  clause("X-TURN-09", "4.2 The turn", "When no enemy is left the other side wins the battle."),
  clause("X-MOVE-01", "4.4 Move — MOVE", "A unit that fires does not move."),
];

test("victory is found where the book speaks of winning", () => {
  expect(found(book, "victory").map((c) => c.id)).toEqual(["X-TURN-09"]);
});

test("what is called so comes before what mentions it, and a clause by its name before all", () => {
  expect(found(book, "fire").map((c) => c.id)).toEqual(["X-FIRE-01", "X-MOVE-01"]);
  expect(found(book, "shooting")[0]!.id).toBe("X-FIRE-01");
  expect(found(book, "x-move-01")[0]!.id).toBe("X-MOVE-01");
  expect(found(book, "f")).toEqual([]);
  expect(found(book, "hippopotamus")).toEqual([]);
});

test("what is about it comes before what mentions it at its end, and the piece shown has the word", () => {
  const long = clause("X-TURN-02", "4.2 The turn", `${"At the start of a turn flags are cleared and dice are thrown again. ".repeat(4)}Then victory is looked at.`);
  const hits = found([long, ...book], "victory");
  expect(hits.map((c) => c.id)).toEqual(["X-TURN-09", "X-TURN-02"]);
  expect(excerpt(long, "victory")).toMatch(/^….*victory/);
  expect(excerpt(book[1]!, "fire")).toBe("A unit fires at the nearest enemy.");
});

test("the book opens at the chapter of what goes on", () => {
  const sections = [...new Set(book.map((c) => c.section))];
  expect(sectionFor(sections, "fire Choose a target")).toBe("4.6 Fire");
  expect(sectionFor(sections, "shooting")).toBe("4.6 Fire");
  expect(sectionFor(sections, "")).toBeNull();
  expect(chapter("4.4 Move — MOVE")).toBe("Move");
  expect(meanings("shoots")).toContain("fire");
});
