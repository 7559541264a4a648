// One player: levels of program, take-back, replay and playing on, keys alone, a phone.

import assert from "node:assert/strict";
import { begin, middle, drag, seated, seen, test } from "./harness.mjs";
import { decide, decision, playOut, whim } from "./player.mjs";

const wbk = [/Men Who Would Be Kings/, /Bordj/];
const farm = [/^All the King/, /Walled Farm/];

test("against each level of program", async ({ open, base }) => {
  const { programs } = await (await fetch(`${base}/api/about`)).json();
  assert(programs.length > 0);
  await Promise.all(programs.map(async (level) => {
    // A general counts its tries here: by the clock it would choose otherwise on another machine.
    const page = await open("/", { general: "12it" });
    await begin(page, ...wbk, ["me", `program:${level}`]);
    await page.getByRole("tab", { name: /Talk/ }).click();
    await page.getByText(level === "general" ? "the computer (general:12it)" : `the computer (${level})`).waitFor();
    const made = await playOut(page, { seed: 8, hurry: 0.75, drags: 0.2, patience: 120_000 });
    const n = Number((await seen(page)).n);
    assert(n > made.answer + made.suggested, `${level} has decided too`);
    console.log(`        ${level}: ${n} decisions, ${JSON.stringify(made)} of them ours`);
  }));
}, { long: true });

test("take-back until a die is out", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...wbk, ["me", "program:random"]);
  const random = whim(2);
  let before = await decision(page);
  const find = () => before.answers.find((a) => a.includes("activate"));
  while (!find()) {
    await decide(page, random, before, { drags: 0 });
    await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, before.n);
    before = await decision(page);
  }
  const activate = find();
  await page.locator(`[data-answer='${activate}']`).click();
  await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, before.n);
  await page.getByRole("button", { name: "Take back" }).click();
  await page.waitForFunction((n) => document.querySelector(".board").dataset.n === n, before.n);
  const after = await decision(page);
  assert.deepEqual(after.answers, before.answers);
  assert.equal(after.asked, before.asked);
});

test("a unit dragged: the ghost, the inches, the reason, and no", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...farm, ["hotseat", "hotseat"]);
  // Activate a unit that can be dragged, whoever's turn it is.
  let now = await decision(page);
  for (let i = 0; i < 40 && !now.drags.length; i++) {
    const activate = now.answers.find((a) => a.includes("activate")) ?? now.answers.find((a) => !/concede|withdraw/.test(a));
    await page.locator(`[data-answer='${activate}']`).click();
    await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
    now = await decision(page);
  }
  assert(now.drags.length, "something can be dragged");
  const unit = page.locator(`[data-unit='${now.drags[0]}']`);
  const from = await middle(unit);
  // Within reach: the umpire has an answer, and says how far it is.
  await drag(page, from, { x: from.x, y: from.y - 40 }, { drop: false });
  await page.locator(".wished").waitFor();
  await page.mouse.up();
  await page.locator("[data-do]").waitFor();
  await page.locator(".tip strong").waitFor();
  assert.match(await page.locator(".tip strong").textContent(), /″ of /);
  // Far beyond: it snaps back to what is allowed and says why in words.
  const table = await page.locator(".table").boundingBox();
  await drag(page, await middle(page.locator(".wished")), { x: table.x + table.width - 30, y: table.y + 30 });
  await page.locator(".tip .why").waitFor();
  assert((await page.locator(".tip .why").textContent()).length > 10);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".wished").count(), 0);
  // By its handle: turned.
  await drag(page, await middle(page.locator(".handle .knob")), { x: from.x + 120, y: from.y });
  await page.locator(".wish").waitFor();
  assert.equal((await seen(page)).n, now.n, "nothing was done yet");
});

test("a replay: scrubbed, shared, downloaded, uploaded, and played on from", async ({ open }) => {
  const page = await open("/", { acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"] });
  await begin(page, ...wbk, ["program:random", "program:random"]);
  await page.getByRole("link", { name: "Replay" }).click({ timeout: 60_000 });
  const slider = page.getByRole("slider", { name: "Moment" });
  await slider.waitFor();
  await page.getByText("The dice were fair").waitFor();
  await page.locator("[data-unit]").first().waitFor();
  await slider.focus();
  await page.keyboard.press("End");
  const last = Number(await slider.inputValue());
  assert(last > 20, `${last} moments`);
  await page.getByRole("button", { name: "To the beginning" }).click();
  await page.getByLabel("Pace").selectOption("120");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => Number(document.querySelector("input[type=range]").value) > 3);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.locator(".moment").first().click();
  await page.getByRole("button", { name: /Copy a link/ }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const shared = await open(link);
  await shared.getByRole("slider", { name: "Moment" }).waitFor();
  assert.equal(await shared.getByRole("slider", { name: "Moment" }).inputValue(), await slider.inputValue());

  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download the journal" }).click()]);
  const path = await download.path();
  const again = await open("/");
  await again.getByLabel(/A journal/).setInputFiles({ name: "battle.jsonl", mimeType: "text/plain", buffer: (await import("node:fs")).readFileSync(path) });
  await again.waitForURL(/replay/);
  await again.getByText("The dice were fair").waitFor();

  await slider.fill("10");
  await page.getByRole("button", { name: "Play on from here" }).click();
  await page.locator(".ask select").first().selectOption("me");
  await page.getByRole("button", { name: "Begin after action 10" }).click();
  await page.waitForURL(/game/);
  await seated(page);
  const now = await decision(page);
  assert(Number(now.n) >= 10);
  assert(now.answers.length > 0);
}, { long: true });

test("keys alone", async ({ open }) => {
  const page = await open("/");
  await page.getByRole("button", { name: wbk[0] }).first().waitFor();
  // To the battle by Tab and Enter only.
  const reach = async (what, most = 60) => {
    for (let i = 0; i < most; i++) {
      if (await page.evaluate((what) => new RegExp(what).test(document.activeElement?.textContent ?? ""), what)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`Tab never came to ${what}`);
  };
  await reach("^The Men Who Would Be Kings");
  await page.keyboard.press("Enter");
  await reach("Crossing the Veld");
  await page.keyboard.press("Enter");
  await reach("^Begin the battle");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/game\//);
  await seated(page);
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Keys" }).waitFor({ state: "detached" });
  const random = whim(21);
  let moved = 0;
  for (let i = 0; i < 60 && (i < 8 || !moved); i++) {
    const now = await decision(page);
    if (now.over) break;
    if (now.drags.length) {
      // Take up the unit, put its ghost a little on, do it.
      await page.keyboard.press("n");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowRight");
      const offered = await page.locator("[data-do]").waitFor({ timeout: 3000 }).then(() => true, () => false);
      if (offered) {
        await page.keyboard.press("Enter");
        moved += 1;
      } else await page.keyboard.press("Escape");
      if (offered) { await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n); continue; }
    }
    await page.keyboard.press("g");
    // Tab on to an answer that leads to a move, else to any.
    const going = now.answers.find((a) => /"(move|double|march|manoeuvre)"/.test(a));
    const wanted = going ?? now.answers[Math.floor(random() * now.answers.length)] ?? "";
    const there = () => page.evaluate((a) => document.activeElement?.dataset?.answer === a, wanted);
    for (let j = 0; j < 60 && wanted && !(await there()); j++) await page.keyboard.press("Tab");
    await page.evaluate(() => document.activeElement?.matches("[data-answer], [data-suggested]") || document.querySelector("[data-answer], [data-suggested]")?.focus());
    await page.keyboard.press("Enter");
    if (await page.locator("[data-suggested][aria-pressed=true]").count()) {
      await page.keyboard.press("Escape");
      await page.keyboard.press("g");
      await page.keyboard.press("Enter");
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press("Enter");
      moved += 1;
    }
    await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
  }
  assert(moved > 0, "a unit was moved by keys");
});

test("a phone-sized screen, by touch", async ({ open }) => {
  const page = await open("/", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  const fits = async (where) => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, `${where} is no wider than the screen`);
  await fits("the front page");
  await page.getByRole("button", { name: wbk[0] }).first().tap();
  await page.getByRole("button", { name: wbk[1] }).first().tap();
  await page.getByRole("button", { name: "Begin the battle" }).tap();
  await seated(page);
  await fits("the table");
  for (let i = 0; i < 6; i++) {
    const now = await decision(page);
    if (now.over) break;
    if (now.drags.length) {
      const at = await middle(page.locator(`[data-unit='${now.drags[0]}']`));
      await page.touchscreen.tap(at.x + 25, at.y - 25);
      const offered = await page.locator("[data-do]").waitFor({ timeout: 3000 }).then(() => true, () => false);
      if (offered) {
        await page.getByRole("button", { name: "Do it" }).first().tap();
        await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
        continue;
      }
    }
    await page.locator(`[data-answer='${now.answers[0]}']`).tap();
    await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
  }
  await fits("the decision");
  await page.getByRole("tab", { name: "Rules" }).tap();
  await page.getByLabel("Find in the rules").fill("pinned");
  await page.locator(".book .clause").first().tap();
  await fits("the rules");
});

test("units, sight, measuring, the rule book", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...wbk, ["me", "program:random"]);
  await decision(page);
  const mine = page.locator("[data-unit]").first();
  const at = await middle(mine);
  await page.mouse.click(at.x, at.y);
  await page.getByRole("tab", { name: "Unit" }).click();
  await page.locator("article dl").waitFor();
  assert(await page.locator(".overlay").count() > 0, "ranges and reach are drawn");
  // Sight and distance to another.
  await page.getByRole("button", { name: /Sight and distance/ }).click();
  const other = await middle(page.locator("[data-unit]").last());
  await page.mouse.click(other.x, other.y);
  await page.locator("line.sight").waitFor();
  assert.match(await page.locator(".note").last().textContent(), /\d″/);
  // Measuring.
  await page.getByRole("button", { name: "Measure" }).click();
  await drag(page, at, { x: at.x + 100, y: at.y + 60 });
  await page.locator("line.tape").waitFor();
  await page.getByRole("button", { name: "Measure" }).click();
  // A clause of the card in the rule book.
  await page.locator("article .clause").first().click();
  await page.locator(".book article h3").waitFor();
  assert.match(await page.locator(".book article h3").textContent(), /^WBK-/);
});

test("measuring by keys alone", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...wbk, ["me", "program:random"]);
  await decision(page);
  const said = page.locator("[aria-live=polite]").filter({ hasText: /″|Measuring|From here/ });
  await page.keyboard.press("u");
  const picked = await page.locator("[data-unit][aria-pressed=true]").getAttribute("data-unit");
  await page.keyboard.press("m");
  await page.locator("path.cross").waitFor();
  assert.match(await said.textContent(), new RegExp(`Measuring from .*${picked}`));
  for (const key of ["ArrowRight", "ArrowRight", "Shift+ArrowRight", "Alt+ArrowRight"]) await page.keyboard.press(key);
  assert.match(await said.textContent(), /^7\.1″ east, /);
  assert.equal(await page.locator("text.note").last().textContent(), "7.1″");
  // From there anew, three up and four left: five.
  await page.keyboard.press("Enter");
  for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft"]) await page.keyboard.press(key);
  assert.match(await said.textContent(), /^5″ north-west, /);
  // To a unit: as far as its nearest edge, by name.
  await page.keyboard.press("u");
  const first = await said.textContent();
  assert.match(first, /^[\d.]+″ [a-z-]+, .*\S/);
  await page.keyboard.press("u");
  assert.notEqual(await said.textContent(), first);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("path.cross, line.tape").count(), 0);
  assert.equal(await page.locator("[data-unit][aria-pressed=true]").getAttribute("data-unit"), picked, "the unit is still in hand");
  // The keys say so.
  await page.keyboard.press("?");
  await page.locator("dialog").getByText(/measure: .*arrows/).waitFor();
});

test("a scenario of one's own: begun from its file; a wrong file told where and what", async ({ open, base }) => {
  const { text } = await (await fetch(`${base}/api/scenarios/would-be-kings/the-bordj`)).json();
  const mine = text.replace("The Bordj", "The Fort of My Own");
  const page = await open("/");
  const file = page.getByLabel(/scenario file of your own/);
  const bring = (text) => file.setInputFiles({ name: "fort.toml", mimeType: "text/plain", buffer: Buffer.from(text) });
  const line = mine.split("\n").findIndex((l) => l.startsWith("kind =")) + 1;
  await bring(mine.replace(/^kind = .*/m, 'kind = "battleship"'));
  const wrong = page.getByRole("alert");
  await wrong.waitFor();
  assert.match(await wrong.textContent(), new RegExp(`fort\\.toml:${line}:\\d+: \\w+\\[0\\].*battleship.*`), "the place and what is wrong");
  assert(await page.getByRole("button", { name: "Begin the battle" }).isHidden());
  await bring(mine);
  await page.getByRole("button", { name: /The Fort of My Own/ }).waitFor();
  await wrong.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Begin the battle" }).click();
  await page.waitForURL(/game/);
  await seated(page);
  await page.getByRole("heading", { name: "The Fort of My Own" }).waitFor();
  const now = await decision(page);
  assert(now.answers.length > 0);
});

test("the same seed brings the same battle", async ({ open }) => {
  const fight = async (seed) => {
    const page = await open("/");
    await page.getByRole("button", { name: wbk[0] }).first().click();
    await page.getByRole("button", { name: wbk[1] }).first().click();
    for (const i of [0, 1]) await page.locator("fieldset select").nth(i).selectOption("program:random");
    await page.getByText("More: title").click();
    await page.getByLabel(/Seed of the dice/).fill(seed);
    await page.getByRole("button", { name: "Begin the battle" }).click();
    await page.getByRole("link", { name: "Replay" }).waitFor({ timeout: 60_000 });
    return [(await seen(page)).n, await page.locator(".asked").textContent(), await page.locator("ol").textContent()].join();
  };
  const [one, again, other] = await Promise.all(["77", "77", "78"].map(fight));
  assert.equal(one, again);
  assert.notEqual(one, other);
});

test("decisions are made again and again without a fault", async ({ open }) => {
  const page = await open("/");
  await begin(page, /^Mit von Futsch/, /Encounter|encounter/, ["me", "program:random"]);
  const random = whim(31);
  for (let i = 0; i < 12; i++) {
    const now = await decision(page);
    await decide(page, random, now, { drags: 0.8, hurry: 0.2 });
    await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
  }
});
