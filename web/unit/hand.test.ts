import { expect, test, vi } from "vitest";
import { Hand } from "../src/lib/hand.svelte";
import type { Live } from "../src/lib/live.svelte";
import { view } from "./view";

/** A connection that answers when it is told to. */
function slow() {
  const waiting: { asked: Record<string, unknown>; answer: (m: unknown) => void; refuse: (r: unknown) => void }[] = [];
  const live = {
    view: view(),
    state: { n: 0, yours: true, pending: { decision: { seat: 0, kind: "act", unit: null, prompt: "?" } } },
    refused: null as unknown,
    ask: (asked: Record<string, unknown>) => new Promise((answer, refuse) => waiting.push({ asked, answer, refuse })),
  };
  const next = async (name: string) => {
    for (let i = 0; i < 20 && !waiting.some((w) => name in w.asked); i++) await Promise.resolve();
    const at = waiting.findIndex((w) => name in w.asked);
    expect(at, `${name} was asked`).toBeGreaterThanOrEqual(0);
    return waiting.splice(at, 1)[0]!;
  };
  return { live, next, hand: new Hand(live as unknown as Live) };
}

test("what is answered late, after an action and its taking back, is not taken for an answer to what is asked now", async () => {
  const { live, next, hand } = slow();
  const first = hand.begin();
  (await next("legal")).answer({ legal: { n: 0, listed: ["pass"], spaces: [{ action: "move", unit: "A", allowance: 4 }] } });
  const feeling = await next("steer");
  // An action is taken, and taken back: the same number of actions, and nothing looked up yet.
  live.state = { ...live.state, n: 1 };
  void hand.begin();
  live.state = { ...live.state, n: 0 };
  void hand.begin();
  feeling.answer({ steer: { action: null } });
  await first;
  expect(live.refused, "no fault of ours is shown as a refusal").toBeNull();
  expect(hand.legal).toBeNull();
  expect(hand.settled).toBe(false);
});

test("a refusal is told, a fault is not dressed up as one", async () => {
  const { live, next, hand } = slow();
  const asking = hand.begin();
  (await next("legal")).refuse({ kind: "busy", why: "much is being worked on", clause: null, seat: null });
  await asking;
  expect(live.refused).toMatchObject({ kind: "busy" });
  const broken = hand.begin();
  (await next("legal")).answer({ legal: undefined });
  await expect(broken).rejects.toThrow(TypeError);
});

test("an answer whose odds take long keeps nobody from the odds of the others", async () => {
  vi.useFakeTimers();
  try {
    const { next, hand } = slow();
    void hand.begin();
    (await next("legal")).answer({ legal: { n: 0, listed: ["pass", "fire", "charge"], spaces: [] } });
    const odds = async (after: number) => {
      await vi.advanceTimersByTimeAsync(after);
      return next("odds");
    };
    const lines = [{ what: "test", who: "A", whom: null, ways: [] }];
    for (const [i, took] of [900, 40, 40].entries()) {
      const asked = await odds(i === 1 ? 1800 : 700);
      await vi.advanceTimersByTimeAsync(took);
      asked.answer({ odds: { lines } });
      await vi.advanceTimersByTimeAsync(0);
      expect(hand.odds.size).toBe(i + 1);
    }
  } finally {
    vi.useRealTimers();
  }
});
