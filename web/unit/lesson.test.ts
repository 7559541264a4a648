import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fits, remarksOn, subjects, tipFor, type Lesson } from "../src/lib/guide/lesson";

const books = "../rulebooks";
const lessons = readdirSync(books).map((system) => ({ system, lesson: JSON.parse(readFileSync(`${books}/${system}/guided.json`, "utf8")) as Lesson }));
const never = () => 0;

test("an answer fits a sort that names a part of it", () => {
  expect(fits({ declare: { action: "fire" } }, { declare: { action: "fire", target: "N1" } })).toBe(true);
  expect(fits({ declare: { action: "fire" } }, { declare: { action: "move" } })).toBe(false);
  expect(fits({ move: "*" }, { move: { path: [] } })).toBe(true);
  expect(fits({ move: "*" }, "move")).toBe(false);
  expect(fits("pass", "pass")).toBe(true);
  expect(fits({ activate: "I1" }, { activate: ["I1"] })).toBe(false);
});

describe("which tip is given", () => {
  const lesson = {
    tips: [
      { id: "a", when: { kind: "act", from: 2 }, do: [{ charge: "*" }], say: "Charge" },
      { id: "b", when: { kind: "act" }, do: ["fire", "end"], say: "Fire", times: 0 },
      { id: "c", when: {}, say: "Anything", times: 0 },
    ],
    remarks: [{ id: "r", told: [{ what: "pinning", outcome: "failed" }], say: "Morale" }],
  } as unknown as Lesson;
  const asked = { kind: "act", unit: "I1", turn: 1 };

  test("the first whose answer there is; the sort named first is preferred to the answer listed first", () => {
    expect(tipFor(lesson, asked, [], ["end", "fire"], never)).toMatchObject({ tip: { id: "b" }, action: "fire" });
    expect(tipFor(lesson, { ...asked, turn: 2 }, [{ charge: { target: "B" } }], ["fire"], never)?.tip.id).toBe("a");
  });
  test("one that was given is not given again", () => {
    expect(tipFor(lesson, { ...asked, turn: 2 }, [{ charge: {} }], ["fire"], (id) => (id === "a" ? 1 : 0))?.tip.id).toBe("b");
  });
  test("where nothing fits the counsel is taken, and giving up never", () => {
    expect(tipFor(lesson, { ...asked, kind: "other" }, ["best"], ["concede", "pass"], never)).toMatchObject({ tip: { id: "c" }, action: "best" });
    expect(tipFor(lesson, { ...asked, kind: "other" }, [], ["concede"], never)).toBeNull();
  });
  test("a remark is made once", () => {
    expect(remarksOn(lesson, [{ what: "pinning", outcome: "failed" }], never).map((r) => r.id)).toEqual(["r"]);
    expect(remarksOn(lesson, [{ what: "pinning", outcome: "failed" }], () => 1)).toEqual([]);
    expect(remarksOn(lesson, [{ what: "pinning", outcome: "passed" }], never)).toEqual([]);
  });
});

describe.each(lessons)("the first battle of $system", ({ system, lesson }) => {
  test("has words for every decision and teaches all there is to teach", () => {
    expect(tipFor(lesson, { kind: "never heard of", unit: null, turn: 9 }, ["x"], [], never)?.tip.say).toBeTruthy();
    const taught = new Set([...lesson.tips, ...lesson.remarks].map((t) => t.teaches));
    for (const s of subjects) expect(taught, s).toContain(s);
  });
  test("names each tip once, and its remarks can be read", () => {
    const ids = [...lesson.tips, ...lesson.remarks].map((t) => t.id);
    expect(lesson.tips.map((t) => t.id)).toEqual([...new Set(lesson.tips.map((t) => t.id))]);
    expect(ids.length).toBeGreaterThan(8);
    // What a remark waits for is something the rulebook's own story tells.
    const story = readFileSync(`${books}/${system}/story.toml`, "utf8");
    for (const r of lesson.remarks) for (const { what } of r.told) expect(story, r.id).toMatch(new RegExp(`^\\[?"?${what}\\b`, "m"));
  });
});
