// One player: levels of program, take-back, replay and playing on, keys alone, a phone.

import { readFileSync } from "node:fs";
import { begin, drag, expect, middle, offered, seated, seen, test, wentOn } from "./harness.mjs";
import { decide, decision, playOut, whim } from "./player.mjs";

const wbk = [/Men Who Would Be Kings/, /Bordj/];
const farm = [/^All the King/, /Walled Farm/];

test("against each level of program", async ({ open, base }) => {
  const { programs } = await (await fetch(`${base}/api/about`)).json();
  expect(programs.length).toBeGreaterThan(0);
  await Promise.all(
    programs.map(async (level) => {
      // A general counts its tries here: by the clock it would choose otherwise on another machine.
      const page = await open("/", { general: "12it" });
      await begin(page, ...wbk, ["me", `program:${level}`]);
      await page.getByRole("tab", { name: /Talk/ }).click();
      await page.getByText(level === "general" ? "the computer (general:12it)" : `the computer (${level})`).waitFor();
      const made = await playOut(page, { seed: 8, hurry: 0.75, drags: 0.2 });
      const n = Number((await seen(page)).n);
      expect(n, `${level} has decided too`).toBeGreaterThan(made.answer + made.suggested);
      console.log(`        ${level}: ${n} decisions, ${JSON.stringify(made)} of them ours`);
    }),
  );
});

test("take-back until a die is out", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...wbk, ["me", "program:random"]);
  const random = whim(2);
  let before = await decision(page);
  const find = () => before.answers.find((a) => a.includes("activate"));
  while (!find()) {
    await decide(page, random, before, { drags: 0 });
    await wentOn(page, before);
    before = await decision(page);
  }
  const activate = find();
  await page.locator(`[data-answer='${activate}']`).click();
  await wentOn(page, before);
  await page.getByRole("button", { name: "Take back" }).click();
  await page.waitForFunction((n) => document.querySelector(".board").dataset.n === n, before.n);
  const after = await decision(page);
  expect(after.answers).toEqual(before.answers);
  expect(after.asked).toBe(before.asked);
});

test("a unit dragged: the ghost, the inches, the reason, and no", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...farm, ["hotseat", "hotseat"]);
  // Activate a unit that can be dragged, whoever's turn it is.
  let now = await decision(page);
  for (let i = 0; i < 40 && !now.drags.length; i++) {
    const activate = now.answers.find((a) => a.includes("activate")) ?? now.answers.find((a) => !/concede|withdraw/.test(a));
    await page.locator(`[data-answer='${activate}']`).click();
    await wentOn(page, now);
    now = await decision(page);
  }
  expect(now.drags.length, "something can be dragged").toBeGreaterThan(0);
  const unit = page.locator(`[data-unit='${now.drags[0]}']`);
  const from = await middle(unit);
  // Within reach: the umpire has an answer, and says how far it is.
  await drag(page, from, { x: from.x, y: from.y - 40 }, { drop: false });
  await page.locator(".wished").waitFor();
  await page.mouse.up();
  await page.locator("[data-do]").waitFor();
  await expect(page.locator(".tip strong")).toHaveText(/″ of /);
  // Far beyond: it snaps back to what is allowed and says why in words.
  const table = await page.locator(".table").boundingBox();
  await drag(page, await middle(page.locator(".wished")), { x: table.x + table.width - 30, y: table.y + 30 });
  await expect(page.locator(".tip .why")).toHaveText(/.{11}/);
  await page.keyboard.press("Escape");
  await expect(page.locator(".wished")).toHaveCount(0);
  // By its handle: turned.
  const up = (await seen(page)).n;
  await drag(page, await middle(page.locator(".handle .knob")), { x: from.x + 120, y: from.y });
  await page.locator(".wish").waitFor();
  expect((await seen(page)).n, "nothing more was done yet").toBe(up);
});

test("a replay: scrubbed, shared, downloaded, uploaded, and played on from", async ({ open }) => {
  const page = await open("/", { acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"] });
  await begin(page, ...wbk, ["program:random", "program:random"]);
  await page.getByRole("link", { name: "Replay" }).click();
  const slider = page.getByRole("slider", { name: "Moment" });
  await slider.waitFor();
  await page.getByText("The dice were fair").waitFor();
  await page.locator("[data-unit]").first().waitFor();
  await slider.focus();
  await page.keyboard.press("End");
  await expect.poll(async () => Number(await slider.inputValue()), "many moments").toBeGreaterThan(20);
  await page.getByRole("button", { name: "To the beginning" }).click();
  await page.getByLabel("Pace").selectOption("fast");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => Number(document.querySelector("input[type=range]").value) > 3);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.locator(".moment").first().click();
  await page.getByRole("button", { name: /Copy a link/ }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const shared = await open(link);
  await expect(shared.getByRole("slider", { name: "Moment" })).toHaveValue(await slider.inputValue());

  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download the journal" }).click()]);
  const path = await download.path();
  const again = await open("/");
  await again.getByLabel(/A journal/).setInputFiles({ name: "battle.jsonl", mimeType: "text/plain", buffer: readFileSync(path) });
  await again.waitForURL(/replay/);
  await again.getByText("The dice were fair").waitFor();

  await slider.fill("10");
  await page.getByRole("button", { name: "Play on from here" }).click();
  await page.locator(".ask select").first().selectOption("me");
  await page.getByRole("button", { name: "Begin after action 10" }).click();
  await page.waitForURL(/game/);
  await seated(page);
  const now = await decision(page);
  expect(Number(now.n)).toBeGreaterThanOrEqual(10);
  expect(now.answers.length).toBeGreaterThan(0);
});

test("keys alone", async ({ open }) => {
  const page = await open("/");
  await page.locator("fieldset").getByRole("button", { name: wbk[0] }).first().waitFor();
  // To the battle by Tab and Enter only.
  const reach = async (what, most = 60) => {
    for (let i = 0; i < most; i++) {
      if (await page.evaluate((what) => new RegExp(what).test(document.activeElement?.textContent ?? ""), what)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab never came to ${what}`);
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
      if (await offered(page)) {
        await page.keyboard.press("Enter");
        moved += 1;
        await wentOn(page, now);
        continue;
      }
      await page.keyboard.press("Escape");
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
    await wentOn(page, now);
  }
  expect(moved, "a unit was moved by keys").toBeGreaterThan(0);
});

test("a phone-sized screen, by touch", async ({ open }) => {
  const page = await open("/", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  const fits = (where) => expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${where} is no wider than the screen`).toBe(0);
  await fits("the front page");
  await page.locator("fieldset").getByRole("button", { name: wbk[0] }).first().tap();
  await page.locator("fieldset").getByRole("button", { name: wbk[1] }).first().tap();
  await page.getByRole("button", { name: "Begin the battle" }).tap();
  await seated(page);
  await fits("the table");
  for (let i = 0; i < 6; i++) {
    const now = await decision(page);
    if (now.over) break;
    if (now.drags.length) {
      // A unit, and where it should go: done at once, or asked about where it cannot go quite so far.
      const at = await middle(page.locator(`[data-unit='${now.drags[0]}']`));
      if (!(await page.locator(`[data-unit='${now.drags[0]}'][aria-pressed=true]`).count())) await page.touchscreen.tap(at.x, at.y);
      await page.touchscreen.tap(at.x + 25, at.y - 25);
      const laid = await decision(page);
      if (laid.offered) {
        await page.getByRole("button", { name: "Do it" }).first().tap();
        await wentOn(page, laid);
      }
      if ((await decision(page)).n !== now.n) continue;
    }
    await page.locator(`[data-answer='${now.answers[0]}']`).tap();
    await wentOn(page, now);
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
  await expect(page.locator(".overlay").first(), "ranges and reach are drawn").toBeAttached();
  // Sight and distance to another.
  await page.getByRole("button", { name: /Sight and distance/ }).click();
  const other = await middle(page.locator("[data-unit]").last());
  await page.mouse.click(other.x, other.y);
  await page.locator("line.sight").waitFor();
  await expect(page.locator(".note").last()).toHaveText(/\d″/);
  // Measuring.
  await page.getByRole("button", { name: "Measure" }).click();
  await drag(page, at, { x: at.x + 100, y: at.y + 60 });
  await page.locator("line.tape").waitFor();
  await page.getByRole("button", { name: "Measure" }).click();
  // A clause of the card in the rule book.
  await page.locator("article .clause").first().click();
  await expect(page.locator(".book article h3")).toHaveText(/^WBK-/);
});

test("a key pressed in the moment a dialog closes is not lost", async ({ open }) => {
  const page = await open("/");
  await begin(page, /Men Who Would Be Kings/, /Crossing the Veld/);
  await decision(page);
  // The browser says that it is closed a task later, and takes the focus out of it later still: the key comes before that.
  for (const from of ["body", "dialog button"]) {
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    await page.evaluate((from) => {
      document.querySelector("dialog[open]").close();
      document.querySelector(from).dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true }));
    }, from);
    await expect(page.locator(".unit.picked"), `from ${from}`).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(page.locator(".unit.picked")).toHaveCount(0);
  }
  // And the key that shows the dialog shows it again.
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Keys" }).waitFor();
  const shown = await page.evaluate(async () => {
    document.querySelector("dialog[open]").close();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    return document.querySelectorAll("dialog[open]").length;
  });
  expect(shown, "the keys are shown again").toBe(1);
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
  await expect(said).toHaveText(/Measuring from \S/);
  for (const key of ["ArrowRight", "ArrowRight", "Shift+ArrowRight", "Alt+ArrowRight"]) await page.keyboard.press(key);
  await expect(said).toHaveText(/^7\.1″ east, /);
  await expect(page.locator("text.note").last()).toHaveText("7.1″");
  // From there anew, three up and four left: five.
  await page.keyboard.press("Enter");
  for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft"]) await page.keyboard.press(key);
  await expect(said).toHaveText(/^5″ north-west, /);
  // To a unit: as far as its nearest edge, by name.
  await page.keyboard.press("u");
  await expect(said).not.toHaveText(/^5″ north-west, /);
  await expect(said).toHaveText(/^[\d.]+″ [a-z-]+, .*\S/);
  const first = await said.textContent();
  await page.keyboard.press("u");
  await expect(said).not.toHaveText(first);
  await page.keyboard.press("Escape");
  await expect(page.locator("path.cross, line.tape")).toHaveCount(0);
  await expect(page.locator("[data-unit][aria-pressed=true]"), "the unit is still in hand").toHaveAttribute("data-unit", picked);
  // The keys say so.
  await page.keyboard.press("?");
  await page
    .locator("dialog")
    .getByText(/measure: .*arrows/)
    .waitFor();
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
  await expect(wrong, "the place and what is wrong").toHaveText(new RegExp(`fort\\.toml:${line}:\\d+: \\w+\\[0\\].*battleship.*`));
  await expect(page.getByRole("button", { name: "Begin the battle" })).toBeHidden();
  await bring(mine);
  await page.getByRole("button", { name: /The Fort of My Own/ }).waitFor();
  await wrong.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Begin the battle" }).click();
  await page.waitForURL(/game/);
  await seated(page);
  await page.getByRole("heading", { name: "The Fort of My Own", level: 1 }).waitFor();
  const now = await decision(page);
  expect(now.answers.length).toBeGreaterThan(0);
});

test("the same seed brings the same battle", async ({ open }) => {
  const fight = async (seed) => {
    const page = await open("/");
    await page.locator("fieldset").getByRole("button", { name: wbk[0] }).first().click();
    await page.locator("fieldset").getByRole("button", { name: wbk[1] }).first().click();
    for (const i of [0, 1]) await page.locator("fieldset select").nth(i).selectOption("program:random");
    await page.getByText("More: title").click();
    await page.getByLabel(/Seed of the dice/).fill(seed);
    await page.getByRole("button", { name: "Begin the battle" }).click();
    await page.getByRole("link", { name: "Replay" }).waitFor();
    // Whoever came before the first move has the briefing open.
    await page.getByRole("tab", { name: "Log" }).click();
    return [(await seen(page)).n, await page.locator(".asked").textContent(), await page.getByRole("list", { name: "What happened" }).textContent()].join();
  };
  const [one, again, other] = await Promise.all(["77", "77", "78"].map(fight));
  expect(again).toBe(one);
  expect(other).not.toBe(one);
});

test("decisions are made again and again without a fault", async ({ open }) => {
  const page = await open("/");
  await begin(page, /^Mit von Futsch/, /Encounter|encounter/, ["me", "program:random"]);
  const random = whim(31);
  for (let i = 0; i < 12; i++) {
    const now = await decision(page);
    await decide(page, random, now, { drags: 0.8, hurry: 0.2 });
    await wentOn(page, now);
  }
});
