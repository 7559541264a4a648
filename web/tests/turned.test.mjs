// The table turns: your army at the bottom, words upright, hands and keys as they are seen to move.

import { begin, drag, expect, middle, offered, test } from "./harness.mjs";
import { decide, decision, whim } from "./player.mjs";

const heath = [/^Seven Years War/, /Heath before Thalheim/];

/** Where the units of each side are on the screen, on average from the top. */
const heights = (page) =>
  page.evaluate(() => {
    const of = (side) => {
      const ids = [...document.querySelectorAll(`[data-label]:has([data-flag="${side}"])`)].map((g) => g.dataset.label);
      const ys = ids.map((id) => document.querySelector(`[data-unit="${CSS.escape(id)}"]`).getBoundingClientRect().top);
      return ys.reduce((a, b) => a + b, 0) / ys.length;
    };
    return [of(0), of(1)];
  });
const turn = (page) => page.locator("[data-turn]").getAttribute("data-turn");
/** Whether every word on the table stands upright. */
const upright = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".table > svg text")].every((t) => {
      const m = t.getScreenCTM();
      return m.a > 0 && m.d > 0 && Math.abs(m.b) < 1e-6 && Math.abs(m.c) < 1e-6;
    }),
  );

/** Goes on until a unit can be dragged. */
async function untilDrags(page) {
  const random = whim(4);
  let now = await decision(page);
  for (let i = 0; i < 60 && !now.drags.length; i++) {
    await decide(page, random, now, { drags: 0, hurry: 1 });
    await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
    now = await decision(page);
  }
  expect(now.drags.length, "something can be dragged").toBeGreaterThan(0);
  return now;
}

test("your army is at the bottom, whichever side you have", async ({ open }) => {
  const north = await open("/");
  await begin(north, ...heath, ["me", "program:random"]);
  await north.locator("[data-label]").first().waitFor();
  expect(await turn(north)).toBe("180");
  const [french, british] = await heights(north);
  expect(french).toBeGreaterThan(british);
  expect(await upright(north)).toBe(true);
  const south = await open("/");
  await begin(south, ...heath, ["program:random", "me"]);
  await south.locator("[data-label]").first().waitFor();
  expect(await turn(south)).toBe("0");
});

test("a turned table is dragged, measured and played by keys as it is seen", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...heath, ["me", "program:random"]);
  const now = await untilDrags(page);
  // A drag is laid out and not done at once, so that it can be looked at.
  await page.getByLabel("Ask before each order").check();
  for (const way of ["180", "270", "0", "90"]) {
    for (let i = 0; i < 4 && (await turn(page)) !== way; i++) await page.getByRole("button", { name: "Turn the table by a quarter" }).click();
    expect(await turn(page)).toBe(way);
    expect(await upright(page)).toBe(true);
    const unit = page.locator(`[data-unit='${now.drags[0]}']`);
    const from = await middle(unit);
    const to = { x: from.x + 12, y: from.y - 30 };
    await drag(page, from, to);
    await offered(page);
    const ghost = await middle(page.locator(".wished"));
    expect(Math.hypot(ghost.x - to.x, ghost.y - to.y), `the ghost is under the hand at ${way}`).toBeLessThan(3);
    // Up is up.
    await page.keyboard.press("ArrowUp");
    await offered(page);
    const higher = await middle(page.locator(".wished"));
    expect(higher.y).toBeLessThan(ghost.y - 2);
    expect(Math.abs(higher.x - ghost.x)).toBeLessThan(2);
    await page.keyboard.press("Escape");
    // The tape lies where it was drawn.
    const measure = page.getByRole("button", { name: "Measure" });
    await measure.click();
    await expect(measure).toHaveAttribute("aria-pressed", "true");
    await drag(page, { x: from.x + 30, y: from.y + 8 }, { x: from.x + 130, y: from.y + 58 });
    const tape = await page.locator("line.tape").boundingBox();
    expect(Math.abs(tape.width - 100)).toBeLessThan(6);
    expect(Math.abs(tape.height - 50)).toBeLessThan(6);
    await measure.click();
    await expect(measure).toHaveAttribute("aria-pressed", "false");
  }
});

test("whoever turns the table finds it so again", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...heath, ["me", "program:random"]);
  await decision(page);
  expect(await turn(page)).toBe("180");
  await page.getByRole("button", { name: "Turn the table about" }).click();
  expect(await turn(page)).toBe("0");
  await page.reload();
  await decision(page);
  expect(await turn(page)).toBe("0");
  await page.keyboard.press("Shift+R");
  expect(await turn(page)).toBe("90");
});
