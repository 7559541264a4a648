import { expect, it } from "vitest";
import { rolled } from "../src/lib/stage/rolls";
import type { Told, Turned } from "../src/lib/protocol";

const action = (...events: Partial<Told>[]): Turned => ({ n: 7, seat: 0, events: events.map((e) => ({ brief: "", brief: "", what: "x", ...e }) as Told), draws: [] });
const why = (value: number, reason: string) => ({ value, reason, clause: "TOY-01" });

it("dice that hit are lit, each told what it needed and why so many", () => {
  const [roll] = rolled(action({ brief: "The Buffs fire at the Zulus.", dice: "hits", faces: [6, 5, 2, 1], needed: 5, made: 2, modifiers: [why(4, "muskets")] })).rolls;
  expect(roll).toMatchObject({ kind: "pool", needs: "each needs 5+", made: "2 hits", good: true });
  expect(roll!.dice.map((d) => d.lit)).toEqual([true, true, false, false]);
  expect(roll!.why).toEqual([why(4, "muskets")]);
});

it("dice that are added up are told by their total", () => {
  const [roll] = rolled(action({ dice: "sum", faces: [3, 2], needed: 7, made: 4, modifiers: [why(-1, "pinned")] })).rolls;
  expect(roll).toMatchObject({ kind: "sum", needs: "needs 7+", made: "makes 4", good: false });
  expect(roll!.dice.every((d) => d.lit === null)).toBe(true);
});

it("all rolls of an action in order, each with what it did", () => {
  const all = rolled(
    action(
      { brief: "They fire.", faces: [6], needed: 5, made: 1 },
      { brief: "One man falls." },
      { brief: "They waver.", faces: [1], needed: 4, made: 1 },
      { brief: "They run." },
      { brief: "They are gone." },
    ),
  );
  expect(all.rolls.map((r) => [r.text, r.did])).toEqual([
    ["They fire.", ["One man falls."]],
    ["They waver.", ["They run.", "They are gone."]],
  ]);
});

it("what no event tells is shown from the draws, and so are cards", () => {
  const drawn = {
    ...action({ brief: "A card." }),
    draws: [
      { purpose: "roll_off", came: { dice: [4, 2] } },
      { purpose: "turn", came: { card: "KH" } },
      { purpose: "counter", came: { card: "10:Ac0" } },
    ],
  } as Turned;
  const { rolls, cards } = rolled(drawn);
  expect(rolls.map((r) => [r.text, r.dice.map((d) => d.face)])).toEqual([["Roll off", [4, 2]]]);
  expect(cards).toEqual([{ name: "KH", purpose: "Turn" }]);
});

it("dice that no event tells stand among those that are told, in their order, and none is shown twice", () => {
  const dice = (purpose: string, ...faces: number[]) => ({ purpose, came: { dice: faces } });
  const tests = action({ brief: "They test before the charge.", faces: [3, 4], made: 8 }, { brief: "They go." }, { brief: "The others test.", faces: [3, 1], made: 4 });
  const shown = (draws: unknown[]) => rolled({ ...tests, draws: draws as Turned["draws"] }).rolls.map((r) => `${r.text} ${r.dice.map((d) => d.face).join("")}`);
  const told = ["They test before the charge. 34", "The others test. 31"];
  expect(shown([dice("morale", 3, 4), dice("morale", 3, 1)])).toEqual(told);
  expect(shown([dice("general_near", 4), dice("morale", 3, 4), dice("morale", 3, 1)])).toEqual(["General near 4", ...told]);
  expect(shown([dice("morale", 3, 4), dice("general_near", 3), dice("morale", 3, 1), dice("flight", 6)])).toEqual([told[0], "General near 3", told[1], "Flight 6"]);
  expect(shown([dice("blue", 4), dice("red", 3), dice("morale", 3, 1)]), "an event may tell several draws").toEqual(told);
});

it("dice that save are told as saves", () => {
  const bore = (faces: number[], made: number) => rolled(action({ brief: "They bore it.", dice: "saves", faces, needed: 6, made })).rolls[0]!.made;
  expect([bore([6, 6, 1], 2), bore([6, 2, 1], 1), bore([3, 2, 1], 0)]).toEqual(["2 saves", "one save", "no saves"]);
});
