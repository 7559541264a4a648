// A small table to try things on.

import type { UnitView, View } from "../src/lib/protocol";

export function unit(id: string, at: [number, number], more: Partial<UnitView> = {}): UnitView {
  const [x, y] = at;
  const outline = [
    [x - 2, y - 1],
    [x + 2, y - 1],
    [x + 2, y + 1],
    [x - 2, y + 1],
  ];
  return { id, name: id, kind: "line infantry", at, facing: 0, on_table: true, outline, notes: [], ...more } as unknown as UnitView;
}

/** A table of 48 by 36 inches with two units, a wood and a road. */
export function view(more: Partial<View> = {}): View {
  const terrain = [
    {
      id: "W1",
      kind: "open_wood",
      closed: true,
      points: [
        [30, 20],
        [40, 20],
        [40, 30],
        [30, 30],
      ],
    },
    {
      id: "R1",
      kind: "road",
      closed: false,
      points: [
        [0, 5],
        [48, 5],
      ],
    },
  ];
  return {
    ruleset: "would-be-kings",
    clock: { turn: 1, of: null, phase: "", active: null },
    table: { width: 48, height: 36, unit: "inch" },
    seats: [
      { seat: 0, name: "Imperial" },
      { seat: 1, name: "Native" },
    ],
    units: [unit("A", [10, 10], { name: "The Buffs" }), unit("B", [20, 10], { group: "G1" })],
    terrain,
    ...more,
  } as unknown as View;
}
