import { afterEach, expect, test, vi } from "vitest";
import { post } from "../src/lib/protocol";

const said = (status: number, body: unknown, headers = {}) => new Response(JSON.stringify(body), { status, headers });

afterEach(() => vi.unstubAllGlobals());

test("a server that is busy is asked again when it says", async () => {
  const answers = [said(429, {}, { "retry-after": "0" }), said(429, {}, { "retry-after": "0" }), said(201, { id: "g" })];
  const fetch = vi.fn(async () => answers.shift()!);
  vi.stubGlobal("fetch", fetch);
  expect(await post("/api/games", { seats: [] })).toEqual({ id: "g" });
  expect(fetch.mock.calls).toEqual(Array(3).fill(fetch.mock.calls[0]));
});

test("what is refused for good is said at once, and a server that stays busy is believed in the end", async () => {
  const no = vi.fn(async () => said(429, { error: { why: "too many games" } }));
  vi.stubGlobal("fetch", no);
  await expect(post("/api/games", {})).rejects.toThrow("too many games");
  expect(no).toHaveBeenCalledTimes(1);
  const busy = vi.fn(async () => said(429, { error: { why: "busy" } }, { "retry-after": "0" }));
  vi.stubGlobal("fetch", busy);
  await expect(post("/api/games", {})).rejects.toThrow("busy");
  expect(busy).toHaveBeenCalledTimes(20);
});
