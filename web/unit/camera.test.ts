import { expect, test } from "vitest";
import { Camera } from "../src/lib/camera.svelte";
import type { Point } from "../src/lib/protocol";

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
