import { beforeEach, describe, expect, test } from "vitest";
import { Tape } from "../src/lib/tape.svelte";
import { view } from "./view";

const press = (key: string, more: KeyboardEventInit = {}) => new KeyboardEvent("keydown", { key, ...more });
let tape: Tape;
beforeEach(() => {
  tape = new Tape();
});

test("put away it listens to no key", () => {
  expect(tape.key(press("ArrowUp"), view())).toBe(false);
  expect(tape.to).toBeNull();
});

describe("by keys", () => {
  test("begins at what is picked, else in the middle of the table", () => {
    tape.begin(view(), "A");
    expect(tape.from).toEqual([10, 10]);
    expect(tape.said).toMatch(/^Measuring from The Buffs\./);
    tape.begin(view(), null);
    expect(tape.from).toEqual([24, 18]);
    expect(tape.said).toMatch(/^Measuring from open ground\./);
  });

  test("an inch, five with Shift, a tenth with Alt; in centimetres two and a half times that", () => {
    tape.begin(view(), null);
    for (const how of [{}, { shiftKey: true }, { altKey: true }]) tape.key(press("ArrowRight", how), view());
    expect(tape.to![0]).toBeCloseTo(30.1, 9);
    const metric = view({ table: { width: 100, height: 100, unit: "centimetre" } });
    tape.begin(metric, null);
    tape.key(press("ArrowUp"), metric);
    expect(tape.said).toBe("2.5 cm north, open ground");
  });

  test("three up and four left is five", () => {
    tape.begin(view(), null);
    for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft"]) tape.key(press(key), view());
    expect(tape.said).toBe("5″ north-west, open ground");
  });

  test("does not leave the table", () => {
    tape.begin(view(), null);
    for (let i = 0; i < 20; i++) tape.key(press("ArrowDown", { shiftKey: true }), view());
    expect(tape.to![1]).toBe(0);
  });

  test("says what ground it comes to", () => {
    tape.begin(view(), null);
    for (let i = 0; i < 11; i++) tape.key(press("ArrowRight"), view());
    for (let i = 0; i < 7; i++) tape.key(press("ArrowUp"), view());
    expect(tape.said).toMatch(/, open wood$/);
  });

  test("to a unit is to its nearest edge; u goes on and U back", () => {
    tape.begin(view(), "A");
    tape.key(press("u"), view());
    expect(tape.said).toBe("8″ east, line infantry");
    tape.key(press("U"), view());
    expect(tape.said).toMatch(/^0″, The Buffs/);
  });

  test("Enter begins anew where it ended", () => {
    tape.begin(view(), null);
    tape.key(press("ArrowUp"), view());
    tape.key(press("Enter"), view());
    expect(tape.from).toEqual([24, 19]);
    expect(tape.said).toBe("From here: open ground.");
  });

  test("Escape puts it away with all it said; other keys are not its own", () => {
    tape.begin(view(), null);
    expect(tape.key(press("x"), view())).toBe(false);
    expect(tape.key(press("Escape"), view())).toBe(true);
    expect([tape.out, tape.from, tape.to, tape.cross, tape.said]).toEqual([false, null, null, false, ""]);
  });
});

test("by hand it is laid without a crosshair", () => {
  tape.toggle();
  tape.lay([0, 0], [3, 4]);
  expect([tape.out, tape.cross, tape.to]).toEqual([true, false, [3, 4]]);
  tape.toggle();
  expect(tape.out).toBe(false);
});
