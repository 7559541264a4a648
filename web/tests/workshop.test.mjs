// The evening before: an army picked and printed, a scenario drawn from nothing, saved, opened again, tried.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { drag, middle, seated, test } from "./harness.mjs";
import { decide, decision, whim } from "./player.mjs";

/** What a click saves, as bytes. */
async function saved(page, click) {
  const [file] = await Promise.all([page.waitForEvent("download"), click()]);
  return readFileSync(await file.path());
}

test("an army picked to its limit, a wrong one told why, a roster printed", async ({ open }) => {
  const page = await open("/armies?ruleset=would-be-kings");
  await page.getByRole("button", { name: "Pick from it" }).first().click();
  const tally = page.locator(".tally");
  await tally.waitFor();
  assert.match(await tally.textContent(), /^\s*0 of \d+ points/);
  // Add the first entry until there is no room, and see that too many is said.
  const add = page.getByRole("button", { name: /^Add / }).first();
  for (let i = 0; i < 12 && !(await page.locator(".tally.over").count()); i++) {
    const before = await tally.textContent();
    await add.click();
    await page.waitForFunction((t) => document.querySelector(".tally").textContent !== t, before);
  }
  assert.match(await tally.textContent(), /too many/);
  const problem = page.locator(".problem").first();
  assert.match(await problem.textContent(), /points.*WBK-FORCE|WBK-FORCE/s, "the limit is named with its clause");
  assert(await page.getByRole("button", { name: "Roster (PDF)" }).isDisabled());
  // A mustered one is legal to the last point it finds use for.
  await page.getByRole("button", { name: "Another list" }).click();
  await page.getByRole("button", { name: "Muster by chance" }).first().click();
  await page.locator(".units > li").nth(1).waitFor();
  assert.equal(await page.locator(".problem").count(), 0);
  const paper = await saved(page, () => page.getByRole("button", { name: "Roster (PDF)" }).click());
  assert.equal(paper.subarray(0, 5).toString(), "%PDF-");
  const counters = await saved(page, () => page.getByRole("button", { name: "Counters (PDF)" }).click());
  assert.equal(counters.subarray(0, 5).toString(), "%PDF-");
  // The file and the link bring the same army back.
  const text = (await saved(page, () => page.getByRole("button", { name: "Save the file" }).click())).toString();
  await page.getByRole("button", { name: "Link to share" }).click();
  await page.waitForFunction(() => location.hash.length > 10);
  const other = await open(new URL(page.url()).pathname + new URL(page.url()).search + new URL(page.url()).hash);
  await other.locator(".units > li").nth(1).waitFor();
  const again = (await saved(other, () => other.getByRole("button", { name: "Save the file" }).click())).toString();
  assert.equal(again, text);
});

test("a scenario from nothing: ground, units, saved, opened unchanged, tried", async ({ open }) => {
  const page = await open("/editor?ruleset=would-be-kings");
  const verdict = page.locator(".verdict");
  await verdict.waitFor();
  assert.match(await verdict.textContent(), /Not playable yet: \S+/, "an empty table says what it wants");
  // The same ground each time, so that the units below have room on it.
  await page.evaluate(() => { Math.random = () => 0.42; });
  await page.getByRole("button", { name: "Random ground" }).click();
  await page.locator("[data-ground]").first().waitFor();
  const table = page.locator("[aria-label='The table being drawn']");
  const box = await table.boundingBox();
  const at = (x, y) => ({ x: box.x + box.width * x, y: box.y + box.height * y });
  const sides = page.locator("aside label", { hasText: /^Side/ }).locator("select");
  const across = [0.38, 0.5, 0.62];
  for (const [n, row] of [0.86, 0.14].entries()) {
    await sides.selectOption({ index: n });
    const foot = await page.locator("aside label", { hasText: /^What/ }).locator("option").evaluateAll((all) => all.find((o) => /infantry/i.test(o.textContent)).value);
    await page.locator("aside label", { hasText: /^What/ }).locator("select").selectOption(foot);
    await page.getByRole("button", { name: "Place by clicking" }).click();
    for (const x of across) {
      const before = await page.locator("[data-placed]").count();
      const spot = at(x, row);
      await page.mouse.click(spot.x, spot.y);
      await page.waitForFunction((n) => document.querySelectorAll("[data-placed]").length !== n, before);
    }
  }
  await page.getByRole("button", { name: "Pick", exact: true }).click();
  await page.waitForFunction(() => document.querySelector(".verdict").textContent.includes("can be played"));
  // A unit dragged off the table is refused in words, and undo brings it back.
  const unit = page.locator("[data-placed]").first();
  const from = await middle(unit);
  await drag(page, from, { x: box.x - 30, y: from.y });
  await page.waitForFunction(() => document.querySelector(".verdict").textContent.includes("Not playable"));
  assert.match(await verdict.textContent(), /table|edge/, "the words say what is wrong");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => document.querySelector(".verdict").textContent.includes("can be played"));
  const text = (await saved(page, () => page.getByRole("button", { name: "Save the file" }).click())).toString();
  const other = await open("/editor");
  await other.locator("input[type=file]").setInputFiles({ name: "mine.toml", mimeType: "text/plain", buffer: Buffer.from(text) });
  await other.locator(".verdict").waitFor();
  const again = (await saved(other, () => other.getByRole("button", { name: "Save the file" }).click())).toString();
  assert.equal(again, text, "opened and saved, byte for byte");
  // And it plays.
  const [game] = await Promise.all([page.context().waitForEvent("page"), page.getByRole("button", { name: "Try it" }).click()]);
  await seated(game);
  const random = whim(5);
  for (let i = 0; i < 4; i++) {
    const now = await decision(game);
    if (now.over) break;
    await decide(game, random, now, { drags: 0, hurry: 0.2 });
    await game.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
  }
});
