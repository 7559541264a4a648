import { expect, test } from "vitest";
import { cues } from "../src/lib/sound/cues";
import type { Actor, Scene, Shot } from "../src/lib/stage/scene";
import { unit, view } from "./view";

const table = (turn: number) =>
  view({
    clock: { turn, of: null, phase: "" } as never,
    units: [unit("A", [1, 1], { name: "The Buffs", arm: "infantry" } as never), unit("K", [2, 2], { name: "Hussars", arm: "cavalry" } as never)],
  });
const scene = (more: Partial<Scene>) =>
  ({
    n: 1,
    seat: 0,
    before: table(1),
    after: table(1),
    events: [],
    actors: [],
    shots: [],
    named: [],
    march: [0, 10],
    fire: [20, 30],
    fall: [30, 40],
    drive: [40, 50],
    lasts: 60,
    ...more,
  }) as Scene;
const shot = (more: Partial<Shot>) => ({ who: "A", whom: "B", from: [0, 0], to: [1, 1], hits: 0, dice: 12, near: false, big: false, ...more }) as Shot;
const goes = (id: string, more: Partial<Actor> = {}) =>
  ({
    unit: table(1).units.find((u) => u.id === id),
    march: [
      [0, 0],
      [1, 1],
    ],
    driven: [],
    leaves: false,
    ...more,
  }) as unknown as Actor;

test("a volley is as loud as it has muskets, and says whose it is", () => {
  const [few] = cues(scene({ shots: [shot({ dice: 3 })] }));
  const [many] = cues(scene({ shots: [shot({ dice: 20 })] }));
  expect(few).toMatchObject({ kind: "musketry", at: 20, caption: "scattered shots from The Buffs" });
  expect(many!.caption).toBe("a rolling volley from The Buffs");
  expect(many!.loud).toBeGreaterThan(few!.loud);
});

test("guns, steel, hooves, drums and a cheer each have their own", () => {
  expect(cues(scene({ shots: [shot({ big: true })] }))[0]?.kind).toBe("cannon");
  expect(cues(scene({ shots: [shot({ near: true })] }))[0]?.kind).toBe("steel");
  expect(cues(scene({ actors: [goes("K")] }))[0]).toMatchObject({ kind: "hooves", caption: "the hooves of Hussars" });
  expect(cues(scene({ actors: [goes("A")] }))[0]?.kind).toBe("tramp");
  expect(cues(scene({ after: table(2) }))[0]).toMatchObject({ kind: "drums", caption: "drums beat for turn 2" });
  expect(
    cues(
      scene({
        actors: [
          goes("A", {
            march: [],
            driven: [
              [0, 0],
              [0, 5],
            ] as never,
          }),
        ],
      }),
    )[0]?.kind,
  ).toBe("cheer");
  expect(cues(scene({}))).toEqual([]);
});

test("who marches, closes up or follows is not cheered away; who is driven back is", () => {
  const enemy = unit("E", [0, 9], { name: "The Enemy", arm: "infantry", side: 1 } as never);
  const before = { ...table(1), units: [...table(1).units.map((u) => ({ ...u, side: 0 })), enemy] } as Scene["before"];
  const gone = (driven: [number, number][]) => cues(scene({ before, actors: [goes("A", { unit: before.units[0], driven } as never)] })).map((c) => c.kind);
  const here: [number, number] = [1, 1];
  expect(gone([here, here]), "marched, and came where it wanted").toEqual(["tramp"]);
  expect(gone([here, [1, 4]]), "goes on at the enemy").toEqual(["tramp"]);
  expect(gone([here, [1, -3]]), "goes back from him").toEqual(["tramp", "cheer"]);
});
