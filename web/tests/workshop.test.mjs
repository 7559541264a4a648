// The evening before: an army picked and printed, a scenario drawn from nothing, saved, opened again, tried.

import { readFileSync } from "node:fs";
import { drag, expect, middle, seated, sound, test, wentOn } from "./harness.mjs";
import { decide, decision, whim } from "./player.mjs";

const SYSTEMS = ["would-be-kings", "all-the-kings-men", "von-futsch", "seven-years-war"];

/** What a click saves, as bytes. */
async function saved(page, click) {
  const [file] = await Promise.all([page.waitForEvent("download"), click()]);
  return readFileSync(await file.path());
}

test("an army picked to its limit, a wrong one told why, a roster printed", async ({ open }) => {
  const page = await open("/armies?ruleset=would-be-kings");
  await page.getByRole("button", { name: "Pick from it" }).first().click();
  const tally = page.locator(".tally");
  await expect(tally).toHaveText(/^\s*0 of \d+ points/);
  // Add the first entry until there is no room, and see that too many is said.
  const add = page.getByRole("button", { name: /^Add / }).first();
  for (let i = 0; i < 12 && !(await page.locator(".tally.over").count()); i++) {
    const before = await tally.textContent();
    await add.click();
    await page.waitForFunction((t) => document.querySelector(".tally").textContent !== t, before);
  }
  await expect(tally).toHaveText(/too many/);
  const problem = page.locator(".problem").first();
  await expect(problem, "the limit is named with its clause").toHaveText(/WBK-FORCE/);
  await expect(page.getByRole("button", { name: "Roster (PDF)" })).toBeDisabled();
  // The last ones out again, and the gaps filled to the very point: nothing more fits, and nothing is wrong.
  const left = async () => /(-?[\d.]+) left/.exec(await tally.textContent())?.[1] ?? "-1";
  while (await page.locator(".tally.over").count()) {
    const before = await tally.textContent();
    await page
      .getByRole("button", { name: /^Take .* out$/ })
      .last()
      .click();
    await page.waitForFunction((t) => document.querySelector(".tally").textContent !== t, before);
  }
  const costs = await page.locator(".entries li").evaluateAll((all) => all.map((li) => Number(li.querySelector(".cost").textContent)));
  for (let i = 0; i < 30; i++) {
    const room = Number(await left());
    const fits = costs.findIndex((cost) => cost > 0 && cost <= room);
    if (fits < 0) break;
    const before = await tally.textContent();
    await page.locator(".entries li").nth(fits).getByRole("button").click();
    await page.waitForFunction((t) => document.querySelector(".tally").textContent !== t, before);
  }
  expect(Number(await left())).toBeGreaterThanOrEqual(0);
  expect(Number(await left())).toBeLessThan(Math.min(...costs.filter((c) => c > 0)));
  // An upgrade costs, and is taken back.
  const chip = page.locator(".chip").first();
  const spent = await tally.textContent();
  await chip.click();
  await page.waitForFunction((t) => document.querySelector(".tally").textContent !== t, spent);
  await chip.click();
  await page.waitForFunction((t) => document.querySelector(".tally").textContent === t, spent);
  // One by chance is legal, leaders and all.
  await page.getByRole("button", { name: "Another list" }).click();
  await page.getByRole("button", { name: "Muster by chance" }).first().click();
  await page.locator(".units > li").nth(1).waitFor();
  await expect(page.locator(".units"), "the leaders are rolled").toHaveText(/leadership: \d/);
  await expect(page.locator(".problem")).toHaveCount(0);
  const paper = await saved(page, () => page.getByRole("button", { name: "Roster (PDF)" }).click());
  expect(paper.subarray(0, 5).toString()).toBe("%PDF-");
  const counters = await saved(page, () => page.getByRole("button", { name: "Counters (PDF)" }).click());
  expect(counters.subarray(0, 5).toString()).toBe("%PDF-");
  // The file and the link bring the same army back.
  const text = (await saved(page, () => page.getByRole("button", { name: "Save the file" }).click())).toString();
  await page.getByRole("button", { name: "Link to share" }).click();
  await page.waitForFunction(() => location.hash.length > 10);
  const other = await open(new URL(page.url()).pathname + new URL(page.url()).search + new URL(page.url()).hash);
  await other.locator(".units > li").nth(1).waitFor();
  const again = (await saved(other, () => other.getByRole("button", { name: "Save the file" }).click())).toString();
  expect(again).toBe(text);
});

test("a scenario from nothing: ground, units, saved, opened unchanged, tried", async ({ open }) => {
  const page = await open("/editor?ruleset=would-be-kings");
  const verdict = page.locator(".verdict");
  await expect(verdict, "an empty table says what it wants").toHaveText(/Not playable yet: \S+/);
  // The same ground each time, so that the units below have room on it.
  await page.evaluate(() => {
    Math.random = () => 0.42;
  });
  await page.getByRole("button", { name: "Random ground" }).click();
  await page.locator("[data-ground]").first().waitFor();
  const table = page.locator("[aria-label='The table being drawn']");
  const box = await table.boundingBox();
  const at = (x, y) => ({ x: box.x + box.width * x, y: box.y + box.height * y });
  const sides = page.locator("aside label", { hasText: /^Side/ }).locator("select");
  const across = [0.38, 0.5, 0.62];
  for (const [n, row] of [0.86, 0.14].entries()) {
    await sides.selectOption({ index: n });
    const foot = await page
      .locator("aside label", { hasText: /^What/ })
      .first()
      .locator("option")
      .evaluateAll((all) => all.find((o) => /infantry/i.test(o.textContent)).value);
    await page.locator("aside label", { hasText: /^What/ }).first().locator("select").selectOption(foot);
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
  await expect(verdict, "the words say what is wrong").toHaveText(/table|edge/);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => document.querySelector(".verdict").textContent.includes("can be played"));
  const text = (await saved(page, () => page.getByRole("button", { name: "Save the file" }).click())).toString();
  const other = await open("/editor");
  await other.locator("input[type=file]").setInputFiles({ name: "mine.toml", mimeType: "text/plain", buffer: Buffer.from(text) });
  await other.locator(".verdict").waitFor();
  const again = (await saved(other, () => other.getByRole("button", { name: "Save the file" }).click())).toString();
  expect(again, "opened and saved, byte for byte").toBe(text);
  // And it plays: a turn by hand.
  const [game] = await Promise.all([page.context().waitForEvent("page"), page.getByRole("button", { name: "Try it" }).click()]);
  await seated(game);
  const random = whim(5);
  const turn = async () => Number(/Turn (\d+)/.exec(await game.locator(".turn").textContent())[1]);
  const first = await turn();
  let over = false;
  for (let i = 0; i < 200 && !over && (await turn()) === first; i++) {
    const now = await decision(game);
    over = now.over;
    if (over) break;
    await decide(game, random, now, { drags: 0.3, hurry: 0.3 });
    await wentOn(game, now);
  }
  expect(over || (await turn()) > first, "a whole turn was played by hand").toBe(true);
});

/** Opens a copy of a shipped scenario in the editor. */
async function copyOf(open, ruleset, title) {
  const page = await open("/editor");
  await page.locator(".begin select").first().waitFor();
  const at = await page.locator(".begin").evaluateAll((all, title) => all.findIndex((b) => [...b.querySelectorAll("option")].some((o) => o.textContent === title)), title);
  await page.locator(".begin").nth(at).locator("select").selectOption({ label: title });
  await page.locator(".verdict").waitFor();
  return page;
}

const playable = (page, yes = true) => page.waitForFunction((yes) => document.querySelector(".verdict").textContent.includes("can be played") === yes, yes);
const textOf = async (page) => (await saved(page, () => page.getByRole("button", { name: "Save the file" }).click())).toString();

/** Where a place of the table is on the screen, by shares of its width and depth from the top left. */
const spot = (page, x, y) =>
  page.locator("[aria-label='The table being drawn']").evaluate(
    (svg, [x, y]) => {
      const box = svg.viewBox.baseVal;
      const at = new DOMPoint(x * (box.width + 2 * box.x), y * (box.height + 2 * box.y)).matrixTransform(svg.getScreenCTM());
      return { x: at.x, y: at.y };
    },
    [x, y],
  );

/** Adds a feature by clicks at shares of the table, from the top left. */
async function add(page, name, clicks) {
  await page
    .locator("aside label", { hasText: /^Objective or zone/ })
    .locator("select")
    .selectOption({ label: name });
  await page.getByRole("button", { name: "Add it" }).click();
  for (const [x, y] of clicks) {
    const at = await spot(page, x, y);
    await page.mouse.click(at.x, at.y);
  }
  if (await page.getByRole("button", { name: "Done", exact: true }).count()) await page.getByRole("button", { name: "Done", exact: true }).click();
}

test("objectives and zones of shipped scenarios, dragged on the table", async ({ open }) => {
  // All the King's Men: a place to hold, ground to occupy, a deployment zone, the top of a hill.
  const page = await copyOf(open, "all-the-kings-men", "Kessel Crossroads");
  await playable(page);
  const before = await textOf(page);
  const flag = page.locator("[data-mark='hold objective.0']");
  const from = await middle(flag.locator("circle"));
  await drag(page, from, { x: from.x + 40, y: from.y + 20 });
  await page.waitForFunction(() => document.querySelector("h2 + p abbr, .picked h2"));
  await page.waitForFunction(() => !document.querySelector("button[disabled]")?.textContent.includes("Undo"));
  const moved = await textOf(page);
  const changed = moved.split("\n").filter((line, i) => line !== before.split("\n")[i]);
  expect(changed).toEqual([expect.stringMatching(/^at = \[[\d.]+, [\d.]+\]$/)]);
  // The ring is a handle of its own.
  await page.locator("[data-feature='hold objective.0']").click();
  const rim = await middle(page.locator("[data-corner='1']"));
  await drag(page, rim, { x: rim.x + 30, y: rim.y });
  await page.waitForFunction(() => Number([...document.querySelectorAll(".picked label")].find((l) => l.textContent.startsWith("Within"))?.querySelector("input").value) > 6.2);
  // Its score is in the form, and undo goes back over all of it.
  await page
    .locator(".picked label", { hasText: /^Score/ })
    .locator("input")
    .fill("25");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "The text" }).click();
  const text = page.getByLabel("The scenario's text");
  await page.waitForFunction(() => document.querySelector("textarea").value.includes("points = 25"));
  for (let i = 0; i < 3; i++) {
    const now = await text.inputValue();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction((t) => document.querySelector("textarea").value !== t, now);
  }
  await expect(text, "undone byte for byte").toHaveValue(before);
  await page.getByRole("button", { name: "Redo" }).click();
  await page.waitForFunction((t) => document.querySelector("textarea").value === t, moved);
  await add(page, "Ground to occupy", [
    [0.3, 0.3],
    [0.5, 0.3],
    [0.5, 0.5],
  ]);
  await page.locator("[data-mark^='occupy']").waitFor();
  await add(page, "Red's deployment zone", [
    [0.2, 0.99],
    [0.8, 0.8],
  ]);
  await page.locator("[data-mark^='zone-red']").waitFor();
  await expect(text).toHaveValue(/zone = \[\{\s*rect = \[/);
  // A zone that its own army does not stand in, and the words of the loader with the place.
  await page.locator("[data-feature^='occupy']").click();
  await page.keyboard.press("Escape");

  // Seven Years War: an objective on a piece of ground, a ridge, a side's edge; units of the file's own sides.
  const syw = await copyOf(open, "seven-years-war", "Kettle Brook");
  await playable(syw);
  await expect(syw.locator("[data-mark='massed_on objective.0']")).toHaveCount(1);
  await expect(syw.locator("[data-mark^='edge side.']")).toHaveCount(2);
  const hill = await middle(syw.locator("[data-mark='massed_on objective.0'] circle"));
  const wood = await middle(syw.locator("[data-ground='1']"));
  await drag(syw, hill, wood);
  await syw.getByRole("button", { name: "The text" }).click();
  await syw.waitForFunction(() => /kind = "massed_on"\nterrain = "W1"/.test(document.querySelector("textarea").value));
  await add(syw, "Ridge of a hill", [
    [0.38, 0.5],
    [0.48, 0.5],
  ]);
  await syw.waitForFunction(() => /ridge = \[\[/.test(document.querySelector("textarea").value));
  await playable(syw);
  await expect(syw.locator("aside label", { hasText: /^Side/ }).locator("option")).toHaveText(["Prussian", "Austrian"]);

  // Von Futsch: the exit of a wagon is a stretch of the edge.
  const vf = await copyOf(open, "von-futsch", "The convoy to Danzig, 1734");
  await playable(vf);
  await vf.locator("[data-feature='convoy objective.0']").click();
  const end = await middle(vf.locator("[data-corner='1']"));
  await drag(vf, end, { x: end.x + 60, y: end.y + 3 });
  await vf.getByRole("button", { name: "The text" }).click();
  await vf.waitForFunction(() => /north.*to = (?!33\b)\d/.test(document.querySelector("textarea").value));
  await playable(vf);

  // Would-Be Kings: markers, and a fault shown where it is.
  const wbk = await copyOf(open, "would-be-kings", "The Wells of Tamai");
  await playable(wbk);
  await expect(wbk.locator("[data-mark^='marker ']")).toHaveCount(5);
  const marker = await middle(wbk.locator("[data-mark='marker objective.0'] circle"));
  await drag(wbk, marker, await spot(wbk, -0.03, 0.5));
  await playable(wbk, false);
  await expect(wbk.locator(".verdict"), "the fault names its place").toHaveText(/objective\[0\]/);
  await wbk.getByRole("button", { name: "Show where" }).click();
  await wbk.locator(".picked h2", { hasText: "wells" }).waitFor();
  await wbk.getByRole("button", { name: "Undo" }).click();
  await playable(wbk);
});

test("every shipped scenario opens in the editor and is saved unchanged", async ({ open }) => {
  const page = await open("/editor");
  await page.locator(".begin select").first().waitFor();
  const all = await page.evaluate(async () => (await (await fetch("/api/scenarios")).json()).map((s) => [s.ruleset, s.id, s.title]));
  expect(all.length).toBeGreaterThanOrEqual(20);
  // One of each system by hand; the rest by the same request that the page makes.
  for (const ruleset of SYSTEMS) {
    const [, id, title] = all.find((s) => s[0] === ruleset);
    const copy = await copyOf(open, ruleset, title);
    const shipped = await page.evaluate(async (way) => (await (await fetch(way)).json()).text, `/api/scenarios/${ruleset}/${id}`);
    expect(await textOf(copy), title).toBe(shipped);
    await copy.context().close();
  }
});

test("how fair it is, with its interval", async ({ open }) => {
  const page = await copyOf(open, "would-be-kings", "The Disputed Valley");
  await playable(page);
  await page.getByRole("button", { name: "How fair is it?" }).click();
  const told = page.locator("p", { hasText: /of 100;/ });
  await expect(told).toHaveText(/\d+ %.*lies between \d+ % and \d+ %/s, { timeout: 600_000 });
});

test("printed by Chromium: every sheet is one leaf and every roster one page, on A4 and on Letter", async ({ open }) => {
  const page = await open("/armies");
  const pages = async (html, paper) => {
    const sheet = await page.context().newPage();
    await sheet.setContent(html);
    const file = await sheet.pdf({ preferCSSPageSize: true });
    await sheet.close();
    const raw = file.toString("latin1");
    const size = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(raw);
    const [w, h] = paper === "a4" ? [595, 842] : [612, 792];
    expect(Math.abs(Number(size[1]) - w), `${paper}: ${size[0]}`).toBeLessThan(2);
    expect(Math.abs(Number(size[2]) - h), `${paper}: ${size[0]}`).toBeLessThan(2);
    return raw.match(/\/Type \/Page\b(?!s)/g).length;
  };
  for (const ruleset of SYSTEMS) {
    for (const paper of ["a4", "letter"]) {
      const [sheet, roster] = await page.evaluate(
        async ([ruleset, paper]) => {
          const post = (way, body) => fetch(way, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
          const { army } = await (await post("/api/armies/muster", { ruleset, list: null, points: null, seed: "11" })).json();
          const roster = await (await post("/api/armies/print", { army, sheet: "roster", form: "html", paper })).text();
          return [await (await fetch(`/api/sheets/${ruleset}?paper=${paper}`)).text(), roster];
        },
        [ruleset, paper],
      );
      // A leaf has two sides; what one page cannot hold stands on its back.
      expect(await pages(sheet, paper), `the sheet of ${ruleset} on ${paper}`).toBeLessThanOrEqual(2);
      expect(await pages(roster, paper), `the roster of ${ruleset} on ${paper}`).toBe(1);
    }
  }
});

for (const light of ["light", "dark"]) {
  test(`axe, ${light}: armies and editor`, async ({ open }) => {
    for (const ruleset of SYSTEMS) {
      const page = await open(`/armies?ruleset=${ruleset}`, { light });
      await page.getByRole("button", { name: "Pick from it" }).first().waitFor();
      await sound(page, `lists of ${ruleset}`);
      await page.getByRole("button", { name: "Muster by chance" }).first().click();
      await page.locator(".units > li").nth(1).waitFor();
      await sound(page, `an army of ${ruleset}`);
      await page.context().close();
      const editor = await open(`/editor?ruleset=${ruleset}`, { light });
      await editor.locator(".verdict").waitFor();
      await editor.getByText(/^The scenario: title/).click();
      await editor.getByText(/^House rules/).click();
      await editor.getByRole("button", { name: "Random ground" }).click();
      await editor.locator("[data-ground]").first().waitFor();
      await editor.locator("[aria-label='The table being drawn'] image").waitFor();
      await editor.locator("button:enabled", { hasText: "Random ground" }).waitFor();
      await editor.locator("[data-ground]").first().focus();
      await sound(editor, `the editor of ${ruleset}`);
      await editor.context().close();
    }
    const page = await open("/editor", { light });
    await page.locator(".begin select").first().waitFor();
    await sound(page, "the editor's first page");
  });
}

test("a draft outlives a reload, and can be gone on with another day", async ({ open }) => {
  const page = await open("/editor?ruleset=would-be-kings");
  await page.locator(".verdict").waitFor();
  await page.getByRole("button", { name: "Random ground" }).click();
  await page.locator("[data-ground]").first().waitFor();
  const pieces = await page.locator("[data-ground]").count();
  await page.goto("/editor");
  await expect(page.locator("[data-ground]"), "in the same tab it is simply there").toHaveCount(pieces);
  await page.getByRole("button", { name: "Another scenario" }).click();
  await expect(page.locator("[data-ground]")).toHaveCount(0);
  await page.reload();
  await page.locator("[data-go-on]").click();
  await expect(page.locator("[data-ground]"), "and it is not lost by leaving it").toHaveCount(pieces);
});

test("commanders of von Futsch are placed like anybody else", async ({ open }) => {
  const page = await open("/editor?ruleset=von-futsch");
  const verdict = page.locator(".verdict");
  await verdict.waitFor();
  const before = await page.locator("[data-placed]").count();
  await page.getByLabel(/^What ?Battalion/).selectOption({ label: "Army commander" });
  await page.getByRole("button", { name: "Place by clicking" }).click();
  const box = await page.locator("[aria-label='The table being drawn']").boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.8);
  await expect(page.locator("[data-placed]")).toHaveCount(before + 1);
  await expect(verdict).not.toHaveText(/missing field/);
});

test("the editor over a slow line: who sees the table can use it, and no click is lost", async ({ open }) => {
  // The picture of the empty table has not come yet.
  const page = await open("/editor?ruleset=von-futsch", { late: "^/api/drafts/picture$" });
  await page.locator(".verdict").waitFor();
  await page.getByLabel(/^What ?Battalion/).selectOption({ label: "Skirmishers" });
  await page.getByRole("button", { name: "Place by clicking" }).click();
  const click = async (x, y) => {
    const at = await spot(page, x, y);
    await page.mouse.click(at.x, at.y);
  };
  await click(0.5, 0.8);
  await expect(page.locator("[data-placed]")).toHaveCount(1);
  await expect(page.locator(".problem")).toHaveCount(0);
  // Two more, before the server has answered for the first of them.
  await page.evaluate(() => window.holdBack("^/api/drafts$"));
  await click(0.3, 0.8);
  await click(0.7, 0.8);
  await page.evaluate(() => window.letCome());
  await expect(page.locator("[data-placed]")).toHaveCount(3);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("[data-placed]"), "each is a step of its own").toHaveCount(2);
});

test("an army over a slow line: an older answer does not undo what came since", async ({ open }) => {
  const page = await open("/armies?ruleset=would-be-kings");
  await page.getByRole("button", { name: "Pick from it" }).first().click();
  const add = page.getByRole("button", { name: /^Add / }).first();
  const taken = page.getByRole("button", { name: /^Take .* out$/ });
  await add.click();
  await expect(taken).toHaveCount(1);
  await page.evaluate(() => window.holdBack("^/api/armies/check$"));
  await add.click();
  await page.evaluate(() => window.holdBack(null));
  await add.click();
  await expect(taken).toHaveCount(3);
  await expect(page.locator(".units .cost").nth(2), "this one is answered").toHaveText(/\d/);
  await page.evaluate(() => window.letCome());
  // By the time that some more questions have been asked and answered the old answer is long there.
  for (let i = 0; i < 5; i++) await page.evaluate(() => fetch("/api/rulesets").then((answer) => answer.text()));
  await add.click();
  await expect(taken).toHaveCount(4);
});

test("a zone of several parts: a rectangle, a polygon, each drawn, moved and taken away", async ({ open }) => {
  const page = await copyOf(open, "all-the-kings-men", "Kessel Crossroads");
  await playable(page);
  await page.getByRole("button", { name: "The text" }).click();
  const text = page.getByLabel("The scenario's text");
  // Two opposite corners are a rectangle.
  await add(page, "Ground to occupy", [
    [0.3, 0.3],
    [0.45, 0.42],
  ]);
  await expect(text).toHaveValue(/zone = \[\{\s*rect = \[/);
  const marks = page.locator("[data-mark^='occupy']");
  await expect(marks).toHaveCount(1);
  // Another part, of three corners.
  await page.getByRole("button", { name: "Add a part" }).click();
  for (const [x, y] of [
    [0.6, 0.3],
    [0.7, 0.3],
    [0.65, 0.45],
  ]) {
    const at = await spot(page, x, y);
    await page.mouse.click(at.x, at.y);
  }
  await page.locator(".picked").getByRole("button", { name: "Done", exact: true }).click();
  await expect(marks).toHaveCount(2);
  await expect(text).toHaveValue(/polygon = \[\[/);
  await expect(page.locator("[data-feature^='occupy']").nth(1)).toHaveText(/part 2/);
  // The second is bent by its corner; the first stays.
  const rect = async () => /rect = \[[^\]]*\]/.exec(await text.inputValue())?.[0];
  const first = await rect();
  await page.locator("[data-feature^='occupy']").nth(1).click();
  const before = await text.inputValue();
  const corner = await middle(page.locator("[data-corner='2']").first());
  await drag(page, corner, { x: corner.x + 20, y: corner.y + 25 });
  await expect(text).not.toHaveValue(before);
  expect(await rect()).toBe(first);
  // And goes alone.
  await page.locator("[data-feature^='occupy']").nth(1).locator("xpath=..").getByRole("button", { name: /^Take/ }).click();
  await expect(marks).toHaveCount(1);
  await expect(text).not.toHaveValue(/polygon = \[\[/);
  expect(await rect()).toBe(first);
});

test("the editor speaks of things: names and places as at a table, no codes and no ways in a file", async ({ open, base }) => {
  for (const [ruleset, scenario] of [
    ["would-be-kings", "the-bordj"],
    ["von-futsch", "the-ford"],
    ["all-the-kings-men", "the-walled-farm"],
    ["seven-years-war", "kettle-brook"],
  ]) {
    const { text } = await (await fetch(`${base}/api/scenarios/${ruleset}/${scenario}`)).json();
    const page = await open("/editor");
    await page.getByLabel("A scenario file").setInputFiles({ name: "a.toml", mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.locator(".verdict").waitFor();
    const seen = await page.evaluate(() =>
      [...document.querySelectorAll("[data-placed], [data-ground]")].map((e) => ({ id: e.dataset.placed ?? "", label: e.getAttribute("aria-label") })),
    );
    for (const { id, label } of seen) {
      expect(label, `${scenario}: ${id}`).toMatch(/^\p{Lu}|^\d+(st|nd|rd|th) /u);
      expect(label).not.toMatch(/\bunits? \d|_|\[\d/);
      if (/\d/.test(id)) expect(label.startsWith(`${id},`), label).toBe(false);
    }
    await page.locator("[data-placed]").first().focus();
    await expect(page.locator(".picked p").first()).toHaveText(/from the west edge.*from the south/);
    const mark = page.locator("[data-mark]").first();
    if (await mark.count()) {
      await mark.focus();
      expect(await mark.evaluate((e) => getComputedStyle(e).outlineStyle), "no frame of the table's own inches about it").toBe("none");
    }
  }
});
