// How a test is written, and what a person at the page does in all of them.

import assert from "node:assert/strict";

export const tests = [];

/** Registers a test. */
export function test(name, run, { long = false } = {}) {
  tests.push({ name, run, long });
}

/** A number out of a text, the same each time. */
const numbered = (text) => [...text].reduce((n, c) => (Math.imul(n, 31) + c.codePointAt(0)) >>> 0, 7);

/** Battles made through the page get a seed by the test's name, so that the same dice and cards come each time, and programs choose the same;
 * `SEED=2` tries all tests on other ones. `general` says how long generals think: by the clock no two battles are the same. */
export async function sow(context, name, general = null) {
  const seed = (numbered(name) + Number(process.env.SEED ?? 0)) >>> 0;
  await context.route(/\/api\/games(\/\w+\/fork)?$/, async (route) => {
    const request = route.request();
    if (request.method() !== "POST") return route.continue();
    const wish = { seed: String(seed), ...request.postDataJSON() };
    if (general) for (const seat of wish.seats) if (seat.kind === "program:general") seat.kind = `program:general:${general}`;
    return route.continue({ postData: JSON.stringify(wish) });
  });
}

/** A new battle in three clicks, as a person makes one: rules, battle, who sits where. */
export async function begin(page, rules, battle, seats = null, { curtain = false } = {}) {
  await page.getByRole("button", { name: rules }).first().click();
  await page.getByRole("button", { name: battle }).first().click();
  if (seats) for (const [i, kind] of seats.entries()) await page.locator("fieldset select").nth(i).selectOption(kind);
  await page.getByRole("button", { name: "Begin the battle" }).click();
  await page.waitForURL(/\/game\//);
  await (curtain ? page.locator(".curtain").waitFor() : seated(page));
}

/** The table is up. */
export async function seated(page) {
  // Before a battle is laid out there may be nothing on the table yet, only what waits to be placed.
  await page.locator("[data-unit], [data-reserve]").first().waitFor();
}

/** Whether the battle is over, as the page says it. */
export const over = (page) => page.getByRole("link", { name: "Replay" }).isVisible();

/** Where a unit or ghost is on the screen. */
export async function middle(locator) {
  const box = await locator.boundingBox();
  assert(box, "it is on the screen");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Drags from one place to another as a hand does, in steps. */
export async function drag(page, from, to, { drop = true, steps = 6 } = {}) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let i = 1; i <= steps; i++) await page.mouse.move(from.x + ((to.x - from.x) * i) / steps, from.y + ((to.y - from.y) * i) / steps);
  if (drop) await page.mouse.up();
}

/** What the page shows of the decision now; changes whenever the battle goes on. */
export function seen(page) {
  return page.evaluate(() => {
    const text = (q) => document.querySelector(q)?.textContent ?? "";
    return {
      over: [...document.querySelectorAll("a")].some((a) => a.textContent === "Replay"),
      asked: text(".asked"),
      answers: [...document.querySelectorAll("[data-answer]")].filter((b) => !b.disabled).map((b) => b.dataset.answer),
      suggested: [...document.querySelectorAll("[data-suggested]")].map((b) => b.dataset.suggested),
      drags: [...document.querySelectorAll(".unit.drags")].map((u) => u.dataset.unit),
      reserves: [...document.querySelectorAll("[data-reserve]")].map((b) => b.dataset.reserve),
      offered: Boolean(document.querySelector("[data-do]:not(:disabled)")),
      odd: /[{}_]|(?<![0-9])"|undefined|\bnull\b|NaN|\[object/.exec([...document.querySelectorAll(".ask button, .ask p, .ask h3, .few button, .tip")].map((e) => e.textContent).join("\n"))?.[0] ?? "",
      n: document.querySelector(".board")?.dataset.n ?? "",
      yours: document.querySelector(".board")?.dataset.yours === "true",
      ready: document.querySelector(".board")?.dataset.ready === "true",
    };
  });
}
