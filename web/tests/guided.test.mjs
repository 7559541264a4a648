// The first battle of each system: somebody who has never seen the game does what the page says, and nothing else, to the end.

import { drag, expect, middle, offered, test } from "./harness.mjs";

const systems = ["would-be-kings", "all-the-kings-men", "von-futsch", "seven-years-war"];

/** Waits until the guide has something to say about the decision that is asked now, or the battle is over. */
async function said(page) {
  await page.waitForFunction(() => {
    const board = document.querySelector(".board");
    if (document.querySelector("[data-whole]")) return true;
    return board?.dataset.ready === "true" && board.dataset.yours === "true" && document.querySelector("[data-guide]")?.dataset.guide === board.dataset.n;
  });
  return page.evaluate(() => ({
    over: Boolean(document.querySelector("[data-whole]")),
    n: document.querySelector(".board").dataset.n,
    where: document.querySelector("[data-guide]").dataset.guideAt,
    words: document.querySelector(".guide .say")?.textContent ?? "",
    answer: document.querySelector("[data-advice]")?.textContent ?? "",
    unit: document.querySelector("[data-advised-unit]")?.dataset.advisedUnit ?? "",
  }));
}

/** Does what the guide says, by its words and by the ring it draws. Says how. */
async function follow(page, now) {
  if (now.where === "table") {
    // As it says: the unit is dragged to the ring, and then it is done. Where something lies on top of it and nothing is taken up, or
    // the hand comes to rest on ground that will not do, there is the other button.
    const ring = await middle(page.locator("[data-ring]"));
    await drag(page, await middle(page.locator(`[data-unit='${now.unit}']`)), ring);
    if (!(await page.locator(".wish").count()) || !(await offered(page))) {
      await page.keyboard.press("Escape");
      await page.locator("[data-show]").click();
    }
    await page.locator("[data-do]").click();
    return "table";
  }
  const button = page
    .locator(".ask")
    .getByRole("button")
    .and(page.locator(`[aria-label^="${now.answer.replaceAll('"', '\\"')}"]`));
  await button.first().click();
  // Either that was the answer, or it lies on the table and waits for a yes.
  await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n || document.querySelector("[data-do], .refused, [data-whole]"), now.n);
  if ((await page.locator(".board").getAttribute("data-n")) === now.n && (await page.locator("[data-do]").count())) {
    await page.locator("[data-do]").click();
    return "place";
  }
  return "button";
}

for (const system of systems) {
  test(`the first battle of ${system} is fought by following the page's own tips`, async ({ open }) => {
    const page = await open("/");
    await page.locator(`[data-first='${system}']`).click();
    await page.waitForURL(/\/game\//);
    const made = { table: 0, place: 0, button: 0 };
    const words = new Set();
    let decisions = 0;
    for (; ; decisions++) {
      const now = await said(page);
      if (now.over) break;
      expect(decisions, "it is a short battle").toBeLessThan(160);
      expect(now.words, "there is always something to do, in words").not.toBe("");
      words.add(now.words);
      made[await follow(page, now)] += 1;
      await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n || document.querySelector(".refused") || document.querySelector("[data-whole]"), now.n);
      expect(await page.locator(".refused").allTextContents(), "nothing advised is refused").toEqual([]);
    }
    console.log(`        ${system}: ${decisions} decisions, ${JSON.stringify(made)}, ${words.size} different tips`);
    // What a first battle must teach, by the page's own account: all of it. Where a change of rules or programs has it miss a subject,
    // first-battles.mjs finds another seed, or says that the battle must be laid out anew.
    for (const subject of ["Command", "Move", "Fire", "Charge", "Morale"]) await expect(page.locator(".learned .done", { hasText: subject }), `${subject} was met`).toHaveCount(1);
    expect(made.table + made.place, "something was moved on the table").toBeGreaterThan(0);
    // Tips can be read again, and the whole battle is one click away.
    await page.getByText(/^Tips so far/).click();
    await expect.poll(() => page.locator(".guide ol li").count()).toBeGreaterThan(3);
    const here = new URL(page.url()).pathname;
    await page.locator("[data-whole]").click();
    await page.waitForURL((url) => url.pathname !== here);
    await page.locator("[data-unit], [data-reserve]").first().waitFor();
    await expect(page.locator("[data-guide]")).toHaveCount(0);
  });
}

test("tips can be put away and called back, and a reload keeps the place", async ({ open }) => {
  const page = await open("/");
  await page.locator("[data-first='would-be-kings']").click();
  await page.waitForURL(/\/game\//);
  const first = await said(page);
  await page.getByRole("button", { name: "Hide the tips" }).click();
  await expect(page.locator(".guide .say")).toHaveCount(0);
  await page.getByRole("button", { name: "Show the tips" }).click();
  await expect(page.locator(".guide .say")).toHaveText(first.words);
  await follow(page, first);
  await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, first.n);
  await said(page);
  await page.reload();
  const again = await said(page);
  expect(again.words, "what was said is not begun anew").not.toBe(first.words);
});
