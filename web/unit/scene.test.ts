import { describe, expect, it } from "vitest";
import { along, altered, head, matched, share, staged, stanceAt, standAt, trails, turn, upTo } from "../src/lib/stage/scene";
import type { FigureView, Point, Told, Turned, UnitView } from "../src/lib/protocol";
import { unit, view } from "./view";

const figure = (at: Point, facing = 0): FigureView => ({ shape: { shape: "disc", centre: at, radius: 0.4 }, facing, role: "foot" }) as FigureView;
const company = (id: string, at: Point, men: number, more: Partial<UnitView> = {}): UnitView =>
  unit(id, at, {
    side: 0,
    arm: "infantry",
    strength: [men, men],
    markers: [],
    figures: Array.from({ length: men }, (_, i) => figure([at[0] + i - (men - 1) / 2, at[1]])),
    ...more,
  } as Partial<UnitView>);
const table = (...units: UnitView[]) => view({ units, sides: [], tokens: [], cards: [], clock: { turn: 1, of: null, phase: "", active: 0 } } as never);
const happened = (more: Partial<Turned> = {}): Turned => ({ n: 1, seat: 1, events: [], draws: [], ...more });
const told = (more: Partial<Told>): Told => ({ text: "It happened.", brief: "It happened.", what: "fire", ...more }) as Told;

describe("a unit on its way", () => {
  const way: Point[] = [
    [10, 10],
    [10, 14],
    [14, 14],
  ];
  const [before, after] = [table(company("A", [10, 10], 4)), table(company("A", [14, 14], 4, { facing: 90 }))];
  const scene = staged(happened({ ways: [{ unit: "A", points: way }] }), before, after);

  it("goes along what the server tells, not straight", () => {
    const actor = scene.actors[0]!;
    expect(stanceAt(actor, scene, 0).at).toEqual([10, 10]);
    expect(stanceAt(actor, scene, scene.march[1] / 2).at).toEqual([10, 14]);
    expect(stanceAt(actor, scene, scene.lasts).at).toEqual([14, 14]);
  });

  it("has wheeled when it is there, each man in his place", () => {
    const actor = scene.actors[0]!;
    const end = stanceAt(actor, scene, scene.lasts);
    expect(end.facing).toBeCloseTo(90);
    actor.stands.forEach((stand, i) => {
      const [x, y] = standAt(stand, end).at;
      const there = after.units[0]!.figures[i]!.shape as { centre: Point };
      expect([x, y].map((v) => Math.round(v * 1000) / 1000)).toEqual(there.centre);
    });
  });

  it("leaves an arrow of the whole way", () => {
    expect(trails(scene)).toEqual([{ n: 1, unit: "A", side: 0, way: [...way, [14, 14]] }]);
    expect(head(way, 1)[1]).toEqual([14, 14]);
  });

  it("that was halted goes no farther than it stands", () => {
    const short = staged(happened({ ways: [{ unit: "A", points: way }] }), before, table(company("A", [10, 12], 4)));
    expect(stanceAt(short.actors[0]!, short, short.march[1]).at).toEqual([10, 12]);
  });

  it("that was thrown back went there first", () => {
    const back = staged(happened({ ways: [{ unit: "A", points: way }] }), before, table(company("A", [10, 9], 4)));
    expect(stanceAt(back.actors[0]!, back, back.march[1]).at).toEqual([14, 14]);
    expect(stanceAt(back.actors[0]!, back, back.lasts).at).toEqual([10, 9]);
  });

  it("with no way told goes straight", () => {
    const straight = staged(happened(), before, after);
    const middle = (straight.drive[0] + straight.drive[1]) / 2;
    expect(stanceAt(straight.actors[0]!, straight, middle).at).toEqual([12, 12]);
  });
});

describe("losses", () => {
  it("the men who are no longer there fall where they stood", () => {
    const [before, after] = [company("A", [10, 10], 4), company("A", [10, 10], 4)];
    after.figures = [before.figures[0]!, before.figures[2]!, before.figures[3]!];
    const fates = matched(before, after);
    expect(fates.filter((s) => s.fate === "falls").map((s) => s.figure)).toEqual([before.figures[1]]);
    expect(fates.filter((s) => s.fate === "stays")).toHaveLength(3);
  });

  it("a unit that leaves the table is there until it falls", () => {
    const scene = staged(happened(), table(company("A", [10, 10], 2)), table(company("A", [10, 10], 2, { on_table: false })));
    expect(scene.actors.map((a) => [a.unit.id, a.leaves, a.stands.length])).toEqual([["A", true, 2]]);
  });
});

describe("fire", () => {
  const stands = table(company("A", [10, 10], 4), company("B", [10, 22], 4, { side: 1 } as Partial<UnitView>));
  it("dice of one side against the other are seen as a shot, near ones hand to hand", () => {
    const fire = told({ who: "A", whom: "B", faces: [6, 5, 2], needed: 5, made: 2 });
    const scene = staged(happened({ events: [fire] }), stands, stands);
    expect(scene.shots).toMatchObject([{ who: "A", whom: "B", hits: 2, dice: 3, near: false }]);
    expect(scene.fire[1]).toBeGreaterThan(scene.fire[0]);
    const close = table(company("A", [10, 10], 4), company("B", [10, 12], 4, { side: 1 } as Partial<UnitView>));
    expect(staged(happened({ events: [fire] }), close, close).shots[0]!.near).toBe(true);
  });

  it("who bears it fires nothing, who answers it does", () => {
    const fire = told({ who: "A", whom: "B", faces: [6, 5, 2], needed: 5 });
    const saves = told({ what: "saves", who: "B", whom: "A", faces: [6, 1] });
    const answer = told({ who: "B", whom: "A", faces: [4] });
    const who = (...events: Told[]) => staged(happened({ events }), stands, stands).shots.map((s) => s.who);
    expect(who(fire, saves)).toEqual(["A"]);
    expect(who(fire, answer)).toEqual(["A", "B"]);
    expect(who(fire, saves, answer)).toEqual(["A", "B"]);
  });

  it("a test of one's own is no shot", () => {
    expect(staged(happened({ events: [told({ who: "A", faces: [4] })] }), stands, stands).shots).toEqual([]);
  });
});

it("who stands as before is not drawn anew", () => {
  const [a, b] = [company("A", [10, 10], 2), company("A", [10, 10], 2)];
  expect(altered(a, b)).toBe(false);
  expect(altered(a, { ...b, markers: [] })).toBe(false);
  expect(altered(a, { ...b, facing: 10 })).toBe(true);
  expect(altered(undefined, b)).toBe(true);
});

it("ways and shares", () => {
  const way: Point[] = [
    [0, 0],
    [0, 10],
  ];
  expect(along(way, 0.25)).toEqual([0, 2.5]);
  expect(along(way, 2)).toEqual([0, 10]);
  expect(upTo(way, [1, 4])).toEqual([
    [0, 0],
    [0, 4],
  ]);
  expect(turn(350, 10)).toBe(20);
  expect(turn(10, 350)).toBe(-20);
  expect([share([0, 0], 0), share([10, 20], 15), share([10, 20], 5)]).toEqual([1, 0.5, 0]);
});

describe("dice where it happens", () => {
  const way: Point[] = [
    [10, 10],
    [10, 14],
  ];
  const foe = company("B", [10, 20], 4, { side: 1 });
  const before = table(company("A", [10, 10], 4), foe);
  const shot = { who: "A", whom: "B", faces: [5, 2, 6], needed: 5, made: 2, what: "fire", dice: "hits" as const };

  it("whether they obey is rolled before they march, the volley where they have come to, hits lit", () => {
    const after = table(company("A", [10, 14], 4), foe);
    const scene = staged(
      happened({ ways: [{ unit: "A", points: way }], events: [told({ who: "A", what: "test", faces: [3, 4], needed: 6, made: 7 }), told(shot)] }),
      before,
      after,
    );
    const [obeys, volley] = scene.throws;
    expect(obeys).toMatchObject({ who: "A", at: [10, 10], from: 0 });
    expect(volley!.at).toEqual([10, 14]);
    expect(volley!.from).toBeGreaterThanOrEqual(scene.march[1]);
    expect(volley!.dice.map((d) => d.lit)).toEqual([true, false, true]);
    expect(obeys!.to, "one roll of a unit at a time").toBe(volley!.from);
    expect(scene.lasts - volley!.from, "long enough to be read").toBeGreaterThanOrEqual(800);
  });

  it("who is not on the table throws nothing there", () => {
    expect(staged(happened({ events: [told({ ...shot, who: "nobody" })] }), before, before).throws).toEqual([]);
  });

  it("the flag of who is worse off wavers, if he still stands", () => {
    const mark = (tone: string) => [{ kind: "pinned", count: 1, tone, clause: null }] as unknown as UnitView["markers"];
    const after = table(company("A", [10, 10], 4, { markers: mark("bad") }), company("B", [10, 20], 4, { side: 1, markers: mark("good") }));
    expect(staged(happened(), before, after).shaken).toEqual(["A"]);
    expect(staged(happened(), after, after).shaken).toEqual([]);
    expect(staged(happened(), before, table(company("A", [10, 10], 4, { on_table: false, markers: mark("bad") }))).shaken).toEqual([]);
  });
});
