import { describe, expect, test } from "vitest";
import { ahead, bearing, carried, circle, corners, distance, inside, line, middle, nearest, outline, overlayPath, overlaySpots, turned } from "../src/lib/geometry";
import type { Overlay, Point, Shape } from "../src/lib/protocol";

const square: Point[] = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
];
const close = (a: Point, b: Point) => {
  expect(a[0]).toBeCloseTo(b[0], 9);
  expect(a[1]).toBeCloseTo(b[1], 9);
};

describe("turning", () => {
  test("goes clockwise, as a compass does", () => {
    close(turned([0, 1], [0, 0], 90), [1, 0]);
    close(turned([3, 2], [3, 1], 180), [3, 0]);
  });

  test("back again is where it was", () => close(turned(turned([4, 7], [1, 2], 33), [1, 2], -33), [4, 7]));

  test("a unit carried elsewhere takes its corners along, turned about its middle", () => {
    close(carried([0, 1], [0, 0], [10, 10], 90), [11, 10]);
    close(carried([2, 1], [2, 2], [5, 5], 0), [5, 4]);
  });
});

test("bearings are of the compass and lead there", () => {
  expect(bearing([0, 0], [0, 5])).toBe(0);
  expect(bearing([0, 0], [5, 0])).toBe(90);
  expect(bearing([0, 0], [-5, 0])).toBe(270);
  const to = ahead([1, 1], 237, 4);
  expect(bearing([1, 1], to)).toBeCloseTo(237, 9);
  expect(distance([1, 1], to)).toBeCloseTo(4, 9);
});

test("the middle of nothing is no number that breaks a path", () => {
  expect(middle([])).toEqual([0, 0]);
  expect(middle(square)).toEqual([5, 5]);
});

describe("paths", () => {
  test("turn the table's north to the screen's up", () => {
    expect(
      line(
        [
          [1, 2],
          [3, 4],
        ],
        10,
        false,
      ),
    ).toBe("M1 8L3 6");
    expect(line(square, 10, true)).toBe("M0 10L10 10L10 0L0 0Z");
    expect(line([], 10, true)).toBe("");
  });

  test("are written to a thousandth", () =>
    expect(
      line(
        [
          [1 / 3, 0],
          [2 / 3, 0],
        ],
        0,
        false,
      ),
    ).toBe("M0.333 0L0.667 0"));

  test("a circle goes round once and closes", () => expect(circle([5, 5], 2, 10)).toBe("M5 3A2 2 0 1 1 5 7A2 2 0 1 1 5 3Z"));

  test("a base that faces east is as deep east as it was wide north", () => {
    const base = { shape: "rect", centre: [10, 10], facing: 90, width: 6, depth: 2 } as unknown as Shape;
    const all = corners(base);
    expect(Math.max(...all.map((p) => p[0]))).toBeCloseTo(11, 9);
    expect(Math.max(...all.map((p) => p[1]))).toBeCloseTo(13, 9);
  });

  test("a pill has two straight sides and two round ends", () => {
    const pill = { shape: "pill", a: [0, 0], b: [0, 10], radius: 1 } as unknown as Shape;
    expect(outline(pill, 10)).toBe("M-1 10L-1 0A1 1 0 0 1 1 0L1 10A1 1 0 0 1 -1 10Z");
  });

  test("an overlay of bases is one path, and its word stands at the north of it", () => {
    const disc = (y: number) => ({ shape: "disc", centre: [5, y], radius: 1 });
    const overlay = { shape: { bases: [disc(3), disc(8)] } } as unknown as Overlay;
    expect(overlayPath(overlay, 10).match(/M/g)).toHaveLength(2);
    expect(overlaySpots(overlay)[0]).toEqual([5, 8]);
    expect(overlaySpots({ shape: { path: [] } } as unknown as Overlay)).toEqual([]);
    const round = overlaySpots({ shape: { circle: { centre: [1, 2], radius: 3 } } } as unknown as Overlay);
    expect(round[0]).toEqual([1, 5]);
    expect(round.every((p) => Math.abs(distance(p, [1, 2]) - 3) < 1e-9)).toBe(true);
  });
});

describe("rings", () => {
  const bay: Point[] = [
    [0, 0],
    [10, 0],
    [10, 10],
    [5, 2],
    [0, 10],
  ];

  test("a place is inside or it is not, in bays too", () => {
    expect(inside([5, 1], bay)).toBe(true);
    expect(inside([5, 6], bay)).toBe(false);
    expect(inside([11, 1], bay)).toBe(false);
    expect(inside([5, 5], [])).toBe(false);
  });

  test("the nearest place is on a side, not only at a corner", () => {
    close(nearest([4, -3], square), [4, 0]);
    close(nearest([12, 12], square), [10, 10]);
    close(nearest([9, 5], square), [10, 5]);
    expect(nearest([1, 1], [])).toEqual([1, 1]);
  });
});
