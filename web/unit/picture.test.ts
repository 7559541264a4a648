import { expect, test, vi } from "vitest";

// The page's type is fetched as soon as the module is there.
vi.stubGlobal("fetch", () => Promise.resolve(new Response("")));
const { symbolsOf } = await import("../src/lib/picture");

test("a drawing says itself which toys it has symbols for", () => {
  const svg = '<svg><g id="s0-foot" stroke="x"/><g id="s1-limbered-gun"/><g id="units"/><g id="scale"/><use href="#s1-gun"/></svg>';
  expect([...symbolsOf({ svg })].sort()).toEqual(["s0-foot", "s1-limbered-gun"]);
});
