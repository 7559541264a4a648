import { expect, test } from "vitest";
import { Camera, facingUs } from "../src/lib/camera.svelte";
import type { Point } from "../src/lib/protocol";
import { unit, view } from "./view";

function camera(): Camera {
  const it = new Camera();
  [it.w, it.h] = [1040, 520];
  it.table = { width: 48, height: 36, unit: "inch" };
  return it;
}

const close = (a: readonly number[], b: readonly number[]) => a.forEach((v, i) => expect(v).toBeCloseTo(b[i]!, 9));

test("the whole table fits the window, whichever way it is the larger", () => {
  const it = camera();
  const corners = [it.pixel([0, 0]), it.pixel([48, 36])];
  for (const [x, y] of corners) {
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(1040);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(520);
  }
  expect(it.pixel([0, 36])[1]).toBeLessThan(it.pixel([0, 0])[1]);
});

test("a pixel's place is under that pixel, however it is looked at", () => {
  const it = camera();
  it.zoom(3, 200, 100);
  it.pan(-70, 40);
  close(it.pixel(it.place(333, 222)), [333, 222]);
});

test("what is under the pointer stays there when it comes nearer", () => {
  const it = camera();
  const before = it.place(400, 200);
  it.zoom(2, 400, 200);
  close(it.place(400, 200), before);
});

test("nobody zooms out to nothing or into a pixel", () => {
  const it = camera();
  const whole = it.at.k;
  for (let i = 0; i < 50; i++) it.zoom(2);
  expect(it.at.k).toBeCloseTo(whole * 14, 9);
  for (let i = 0; i < 50; i++) it.zoom(0.5);
  expect(it.at.k).toBeCloseTo(whole * 0.7, 9);
});

test("the table is never out of sight", () => {
  const it = camera();
  it.pan(1e6, -1e6);
  expect(it.at.x).toBe(0);
  expect(it.at.y).toBe(36);
  it.whole();
  close([it.at.x, it.at.y], [24, 18]);
});

test("what is in sight is left where it is, what is not is brought", () => {
  const it = camera();
  it.zoom(8);
  const held = it.at;
  it.show(it.place(500, 260));
  expect(it.at).toBe(held);
  const far: Point = [1, 1];
  it.show(far);
  close(it.pixel(far), [520, 260]);
});

test("turned by any quarter, a pixel's place is still under that pixel, and the whole table is in sight", () => {
  for (const turn of [0, 90, 180, 270] as const) {
    const it = camera();
    it.turn = turn;
    for (const p of [
      [0, 0],
      [48, 0],
      [48, 36],
      [0, 36],
      [7, 31],
    ] as Point[]) {
      const [x, y] = it.pixel(p);
      expect(x >= 0 && x <= 1040 && y >= 0 && y <= 520, `${p} at ${turn}`).toBe(true);
      close(it.place(x, y), p);
    }
  }
});

test("turned about, south is up; by a quarter, north is to the right", () => {
  const it = camera();
  const up = (turn: 0 | 90 | 180 | 270) => ((it.turn = turn), it.along(0, 1));
  close(up(0), [0, 1]);
  close(up(180), [0, -1]);
  close(up(90), [-1, 0]);
  close(it.along(1, 0), [0, 1]);
  close(up(270), [1, 0]);
  // What the arrows mean is what is seen to happen.
  for (const turn of [0, 90, 180, 270] as const) {
    it.turn = turn;
    const [from, [east, north]] = [[20, 20] as Point, it.along(0, 2)];
    const [a, b] = [it.pixel(from), it.pixel([from[0] + east, from[1] + north])];
    expect(b[0]).toBeCloseTo(a[0], 9);
    expect(b[1]).toBeLessThan(a[1]);
  }
});

test("what is in the middle stays there when the table is turned", () => {
  const it = camera();
  it.zoom(6, 200, 100);
  const middle = it.place(520, 260);
  it.turn = 180;
  close(it.place(520, 260), middle);
});

test("the table is turned so that one's own army is at the bottom", () => {
  const armies = (a: Point, b: Point) => view({ units: [unit("A", a, { side: 0 }), unit("B", b, { side: 1 })] });
  const northSouth = armies([20, 30], [20, 5]);
  expect(facingUs(northSouth, 0, false)).toBe(180);
  expect(facingUs(northSouth, 1, false)).toBe(0);
  const eastWest = armies([5, 18], [40, 20]);
  expect(facingUs(eastWest, 0, false), "on a wide screen it stays").toBe(0);
  for (const side of [0, 1]) {
    const it = camera();
    it.turn = facingUs(eastWest, side, true);
    const [ours, theirs] = side
      ? [
          [40, 20],
          [5, 18],
        ]
      : [
          [5, 18],
          [40, 20],
        ];
    expect(it.pixel(ours as Point)[1]).toBeGreaterThan(it.pixel(theirs as Point)[1]);
  }
  expect(facingUs(northSouth, null, false)).toBe(0);
});

test("what is played is brought into view with ground about it, never farther than the whole table", () => {
  const it = camera();
  it.held = it.about([
    [10, 10],
    [14, 12],
  ]);
  for (const p of [
    [10, 10],
    [14, 12],
  ] as Point[]) {
    const [x, y] = it.pixel(p);
    expect(x).toBeGreaterThan(1040 * 0.2);
    expect(x).toBeLessThan(1040 * 0.8);
    expect(y).toBeGreaterThan(520 * 0.2);
    expect(y).toBeLessThan(520 * 0.8);
  }
  expect(it.about([[10, 10]]).k, "one place is not stared at").toBeCloseTo(it.fit.k * 2.2);
  const all = it.about([
    [0, 0],
    [48, 36],
  ]);
  expect(all.k).toBe(it.fit.k);
  it.held = null;
  expect(it.at).toEqual(it.fit);
});
