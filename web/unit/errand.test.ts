import { expect, test } from "vitest";
import { isOf, nextStep, type Errand } from "../src/lib/errand";
import type { Errands } from "../src/lib/phrases";
import type { Action, Decision, Space } from "../src/lib/protocol";
import { unit, view } from "./view";

const errands: Errands = {
  take_up: ["activate"],
  passed_over: { attach: "pass" },
  kinds: [
    { say: "March", goal: "place", by: ["march"], hand: ["path"] },
    { say: "Fire", goal: "unit", by: ["fire", "target"] },
    { say: "Charge", goal: "unit", by: ["charge"], hand: ["charge"] },
  ],
};
const table = view({ units: [unit("A", [10, 10], { side: 0, seat: 0 }), unit("B", [20, 10], { side: 1, seat: 1 }), unit("C", [30, 10], { side: 1, seat: 1 })] });
const errand = (more: Partial<Errand> = {}): Errand => ({ unit: "A", seat: 0, place: [5, 5], target: null, kind: null, asks: false, given: [], from: 0, ...more });
const asked = (kind: string, unit: string | null = null) => ({ seat: 0, kind, unit, prompt: "" }) as unknown as Decision;
const path = { action: "path", unit: "A", allowance: 4, shape: "" } as unknown as Space;
const step = (e: Errand, d: Decision, listed: Action[], spaces: Space[] = []) => nextStep(e, errands, d, { listed, spaces }, table, () => true);

test("a sort of answers is told by its name, or by all that is said of it", () => {
  expect(isOf("fire", "fire")).toBe(true);
  expect(isOf("fire", { fire: { target: "B" } })).toBe(true);
  expect(isOf("fire", { fire_first: true })).toBe(false);
  expect(isOf({ declare: { action: "move" } }, { declare: { action: "move", open_out: true } })).toBe(true);
  expect(isOf({ declare: { action: "move" } }, { declare: { action: "fire", target: "B" } })).toBe(false);
});

test("to a place: taken up, ordered, led by hand", () => {
  expect(step(errand(), asked("pick"), ["pass", { activate: "C" }, { activate: "A" }])).toMatchObject({ take: { activate: "A" }, last: false });
  expect(step(errand(), asked("action", "A"), ["fire", "march"])).toMatchObject({ take: "march", last: false });
  expect(step(errand(), asked("path", "A"), [], [path])).toMatchObject({ steer: path });
});

test("against another: the answer that names it, and none that names somebody else", () => {
  const shots = [{ target: "C" }, { target: "B" }];
  expect(step(errand({ target: "B" }), asked("target", "A"), shots)).toMatchObject({ take: { target: "B" }, last: true });
  expect(step(errand({ target: "B" }), asked("target", "A"), [{ target: "C" }])).toBeNull();
});

test("what was named is done and nothing else", () => {
  const charge = errands.kinds[2]!;
  expect(step(errand({ target: "B", kind: charge }), asked("action", "A"), ["fire", "charge"])).toMatchObject({ take: "charge", last: false });
  expect(step(errand({ target: "B" }), asked("action", "A"), ["fire", "charge"])).toMatchObject({ take: "fire" });
});

test("questions on the way are passed over, but only on the way; and nothing is answered twice", () => {
  expect(step(errand(), asked("attach", "G"), ["pass", { attach: "A" }])).toBeNull();
  expect(step(errand({ given: ['{"activate":"A"}'] }), asked("attach", "G"), ["pass"])).toMatchObject({ take: "pass" });
  expect(step(errand({ given: ['{"activate":"A"}'] }), asked("pick"), [{ activate: "A" }])).toBeNull();
});

test("every system says how its units are sent", async () => {
  const { phraseBook } = await import("../src/lib/phrases");
  for (const system of ["would-be-kings", "all-the-kings-men", "von-futsch", "seven-years-war"]) {
    const goals = phraseBook(system).errands?.kinds.map((k) => k.goal) ?? [];
    expect(goals, system).toContain("place");
    expect(goals.filter((g) => g === "unit").length, system).toBeGreaterThanOrEqual(2);
  }
});
