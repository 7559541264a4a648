import { expect, it } from "vitest";
import { boxOf, crosses, flat, forms, groundNames, noted, placed, type Box } from "../src/lib/labels";
import type { UnitView, View } from "../src/lib/protocol";
import { unit, view } from "./view";

const none = new Set<string>();
const measure = (text: string) => text.length * 6;
const named = (id: string, at: [number, number], name: string): UnitView =>
  unit(id, at, { name, side: 0, arm: "infantry", strength: [12, 12], markers: [] } as unknown as Partial<UnitView>);
const apart = (a: Box, b: Box) => a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
const crowd = (): View => view({ units: Array.from({ length: 30 }, (_, i) => named(`U${i}`, [4 + (i % 10) * 4.5, 8 + Math.floor(i / 10) * 4], `Regiment of the Guard ${i}`)) });

it("no label lies over another or over anybody's men, at any distance", () => {
  for (const k of [6, 9, 14, 30]) {
    const table = crowd();
    const labels = placed(table, k, none, measure);
    labels.forEach((a, i) => {
      for (const b of labels.slice(i + 1)) expect(apart(a, b), `${a.id} and ${b.id} at ${k}`).toBe(true);
      for (const u of table.units) expect(apart(a, boxOf(u, flat(table.table), k)), `${a.id} over ${u.id} at ${k}`).toBe(true);
      expect(a.x >= 0 && a.y >= 0 && a.x + a.w <= table.table.width * k && a.y + a.h <= table.table.height * k).toBe(true);
    });
  }
});

it("who is near is named in full, who is far in fewer words", () => {
  const near = placed(crowd(), 40, none, measure);
  const far = placed(crowd(), 7, none, measure);
  expect(near.every((l) => /^Regiment of the Guard/.test(l.text))).toBe(true);
  expect(far.some((l) => l.text === "" || /^Regi\./.test(l.text))).toBe(true);
});

it("what is picked comes first", () => {
  const ids = placed(crowd(), 6, new Set(["U17"]), measure).map((l) => l.id);
  expect(ids[0]).toBe("U17");
});

it("a label away from its unit has a line to it", () => {
  for (const l of placed(crowd(), 9, none, measure)) {
    const men = boxOf(
      crowd().units.find((u) => u.id === l.id)!,
      flat(crowd().table),
      9,
    );
    const beside = Math.max(men.x - l.x - l.w, l.x - men.x - men.w, men.y - l.y - l.h, l.y - men.y - men.h) <= 4;
    expect(beside || l.leader !== null, l.id).toBe(true);
  }
});

it("a line to a unit runs over nobody else", () => {
  for (const k of [7, 9, 12]) {
    const labels = placed(crowd(), k, none, measure);
    for (const l of labels) {
      if (!l.leader) continue;
      for (const other of labels) if (other !== l) expect(crosses(l.leader, other), `${l.id} over ${other.id}`).toBe(false);
      for (const u of crowd().units) if (u.id !== l.id) expect(crosses(l.leader, boxOf(u, flat(crowd().table), k)), `${l.id} over ${u.id}`).toBe(false);
    }
  }
});

it("names, not codes", () => {
  expect(forms(named("R1", [0, 0], "Champagne II"))).toEqual(["Champagne II", "Cham. II", ""]);
  expect(forms(named("R1", [0, 0], "R1"))[0]).toBe("line infantry");
});

it("the ground is named where there is room for it, never over men or labels, and less from far off", () => {
  const wood = (units: UnitView[], k: number) => {
    const table = view({ units, tokens: [] } as never);
    return groundNames(table, k, placed(table, k, none, measure), measure, flat(table.table)).map((g) => g.text);
  };
  expect(wood([], 20)).toEqual(["open wood", "road"]);
  expect(wood([], 4), "a wood that is narrower than its name").not.toContain("open wood");
  const inside = [22, 25, 28].map((y, i) => named(`U${i}`, [35, y], "Rangers"));
  expect(wood(inside, 8), "they stand all over it").not.toContain("open wood");
  const table = view({ units: inside, tokens: [{ kind: "objective", label: "The road", at: [24, 5], radius: null, side: null }] } as never);
  const names = groundNames(table, 8, [], measure, flat(table.table));
  for (const g of names) for (const u of inside) expect(apart({ x: g.x - 20, y: g.y - 8, w: 40, h: 16 }, boxOf(u, flat(table.table), 8)), `${g.text} over ${u.id}`).toBe(true);
});

it("a regiment goes by its own name where there is no room for the whole of it", () => {
  const short = (name: string) => forms(unit("U1", [1, 1], { name })).at(-2);
  expect(
    ["Regiment Kalkstein", "Battery Holtzmann", "Regiment Wuthenau-Dessau II", "colonel of Picardie", "The 45th Line", "Picardie II", "Regiment of the Guard"].map(short),
  ).toEqual(["Kalkstein", "Holtzmann", "Wuthena. II", "Col. Pica.", "The 45th", "Pica. II", "Regi."]);
});

it("what is written at a line stands where no name is, and nothing of it off the table", () => {
  const lie = flat(view().table);
  const name = { x: 200, y: 80, w: 100, h: 16 };
  const spots = [
    [25, 26],
    [25, 10],
    [25, 60],
  ] as [number, number][];
  const [range, move] = noted(
    [
      { text: "long range 24″", spots },
      { text: "move 6″", spots },
    ],
    [name],
    10,
    measure,
    lie,
  );
  expect([name, move!].every((other) => apart(range!, other)) && apart(move!, name)).toBe(true);
  expect(
    noted(
      [
        {
          text: "far",
          spots: [
            [25, 60],
            [25, 10],
          ],
        },
      ],
      [],
      10,
      measure,
      lie,
    )[0]!.y,
    "not at the place that is off the table",
  ).toBeGreaterThan(200);
  expect(noted([{ text: "nowhere", spots: [] }], [], 10, measure, lie)).toEqual([]);
});

it("a colonel and a general are called so in short, whether or not they have an article", () => {
  expect(forms(named("G", [5, 5], "The French general"))).toContain("General");
  expect(forms(named("C", [5, 5], "The colonel of Champagne"))).toContain("Col. Cham.");
});
