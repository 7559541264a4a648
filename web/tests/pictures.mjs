// Screenshots of the page for the README: TRICORNE=… CHROMIUM=… node pictures.mjs FOLDER [WORD…]. They are looked at, then
// made small (`pngquant --nofs --quality 50-92 120`) and kept in docs/pictures.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { begin, drag, make, middle, seated, sow } from "./harness.mjs";
import { decide, decision, playOut, whim } from "./player.mjs";

const [out, ...words] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "tricorne-pictures-"));
const server = spawn(process.env.TRICORNE, ["play", "--no-open", "--games", join(folder, "games.db")], { stdio: ["ignore", "pipe", "inherit"] });
const said = await new Promise((resolve) =>
  server.stdout.on("data", (d) => {
    const at = /http:\/\/[\d.:]+/.exec(String(d))?.[0];
    if (at) resolve(at);
  }),
);
const base = process.env.BASE ?? said;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

let taking = "";
const open = async (path = "/", { light = "light", general = null, ...how } = {}) => {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 }, colorScheme: light, reducedMotion: "reduce", baseURL: base, locale: "en-GB", ...how });
  context.setDefaultTimeout(30_000);
  await sow(context, taking, general);
  const page = await context.newPage();
  await page.goto(path);
  return page;
};
const settle = (page) => page.waitForTimeout(1200);
const turn = (page, n) => page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, n);
const answer = async (page, now, want) => {
  const found = now.answers.find((a) => want.test(a));
  if (!found) return false;
  await page.locator(`[data-answer='${found}']`).click();
  await turn(page, now.n);
  return true;
};
/** Plays on until the decision is as wanted. */
async function until(page, wanted, { seed = 1, most = 300, ...how } = {}) {
  const random = whim(seed);
  for (let i = 0; i < most; i++) {
    const now = await decision(page);
    if (now.over || (await wanted(now))) return now;
    await decide(page, random, now, how);
    await turn(page, now.n);
  }
  throw new Error("never came to it");
}

/** The guide has said what to do in the decision that stands. */
const advised = (page) =>
  page.waitForFunction(() => {
    const board = document.querySelector(".board");
    return board?.dataset.ready === "true" && document.querySelector("[data-guide]")?.dataset.guide === board.dataset.n;
  });

/** Plays on until something is seen while the others act, and holds it there. */
async function held(page, seen, { seed = 1, most = 200, ...how } = {}) {
  const random = whim(seed);
  await page.evaluate((seen) => {
    const look = () => {
      const hold = [...document.querySelectorAll(".rolls button")].find((b) => b.textContent === "Hold");
      if (!hold || !seen.every((q) => document.querySelector(q))) return requestAnimationFrame(look);
      hold.click();
      document.body.dataset.caught = "yes";
    };
    look();
  }, seen);
  for (let i = 0; i < most; i++) {
    const now = await page.waitForFunction(() => {
      const board = document.querySelector(".board");
      return (
        document.body.dataset.caught ?? (board.dataset.ready === "true" && board.dataset.yours === "true" ? "ours" : document.querySelector("a[href^='/after/']") ? "over" : null)
      );
    });
    if ((await now.jsonValue()) === "yes") return;
    if ((await now.jsonValue()) === "over") break;
    const asked = await decision(page);
    await decide(page, random, asked, how);
    await page.waitForFunction((n) => document.body.dataset.caught || document.querySelector(".board").dataset.n !== n, asked.n);
  }
  throw new Error("never came to it");
}

const wbk = [/Men Who Would Be Kings/, /Bordj/];
const shots = {
  async "enemy-turn"() {
    const page = await open("/", { reducedMotion: "no-preference" });
    await begin(page, /^All the King/, /Walled Farm/, ["me", "program:subaltern"]);
    await held(page, ["[data-shot=fire] .smoke", "[data-thrown] .lit", "[data-trail]"], { seed: 4, hurry: 0.5, drags: 0 });
    return page;
  },
  async roll() {
    const page = await open("/", { reducedMotion: "no-preference" });
    await begin(page, ...wbk, ["me", "program:subaltern"]);
    await held(page, ["[data-shot=melee]", "[data-thrown] .lit"], { seed: 6, hurry: 0.6, drags: 0 });
    await page.keyboard.press("0");
    return page;
  },
  async sound() {
    const page = await open("/", { reducedMotion: "no-preference" });
    await page.evaluate(() => localStorage.setItem("sound", "true"));
    await page.reload();
    await begin(page, /Men Who Would Be Kings/, /High Road/, ["me", "program:subaltern"]);
    await held(page, ["[data-shot=fire]", "[data-caption]", "[data-thrown] .lit"], { seed: 2, hurry: 0.5, drags: 0.3 });
    return page;
  },
  async briefing() {
    const page = await open("/", { viewport: { width: 1440, height: 900 } });
    await begin(page, /^All the King/, /Kessel/, ["me", "program:random"]);
    await decision(page);
    await page.getByRole("tab", { name: "Briefing" }).click();
    return page;
  },
  async identity() {
    const page = await open("/", { viewport: { width: 1440, height: 900 } });
    await begin(page, /^Seven Years War/, /Minden/, ["me", "program:random"]);
    const now = await decision(page);
    const at = await middle(page.locator(`[data-unit='${now.drags[0] ?? "b1"}']`));
    await page.mouse.click(at.x, at.y);
    await page.getByRole("tab", { name: "Unit" }).click();
    return page;
  },
  async editor() {
    const page = await open("/editor");
    await page.getByLabel(/shipped scenario of The Men Who/).selectOption("the-disputed-valley");
    await page.locator(".verdict").waitFor();
    await page.locator("[data-feature]", { hasText: "wells" }).first().click();
    return page;
  },
  async armies() {
    const page = await open("/armies?ruleset=would-be-kings");
    await page.getByRole("button", { name: "Pick from it" }).first().click();
    const add = page.getByRole("button", { name: /^Add / }).first();
    for (let i = 0; i < 12 && !(await page.locator(".tally.over").count()); i++) {
      await add.click();
      await page.waitForTimeout(400);
    }
    return page;
  },
  async desk() {
    const page = await open("/", { viewport: { width: 1024, height: 768 } });
    await begin(page, /^Mit von Futsch/, /San Pietro/, ["me", "program:random"]);
    await decision(page);
    return page;
  },
  async turned() {
    // The French deploy in the north: who has them sees them at the bottom.
    const page = await open();
    await begin(page, /^Seven Years War/, /Heath before Thalheim/, ["me", "program:random"]);
    await decision(page);
    return page;
  },
  async charge() {
    const page = await open();
    const text = readFileSync(new URL("../../rulebooks/all-the-kings-men/guided.toml", import.meta.url), "utf8").replace("at = [23, 21]", "at = [17, 14.5]");
    const wish = { ruleset: "all-the-kings-men", text, seats: [{ kind: "me" }, { kind: "me" }], seed: "5" };
    const made = await make(base, wish);
    await page.goto(made.link);
    const now = await decision(page);
    const [unit, foe] = now.drags.includes("RI1") ? ["RI1", "BI1"] : ["BI1", "RI1"];
    await page.getByLabel("Ask before each order").check();
    for (const id of [unit, null, foe]) {
      if (!id) await page.locator('[data-errand="Charge"]').click();
      else await page.mouse.click(...Object.values(await middle(page.locator(`[data-unit='${id}']`))));
    }
    await page.locator("[data-do]").waitFor();
    await page.locator("[aria-label='The odds']").waitFor();
    return page;
  },
  async guided() {
    const page = await open();
    await page.locator("[data-first='would-be-kings']").click();
    await page.waitForURL(/\/game\//);
    for (let i = 0; i < 2; i++) {
      await advised(page);
      const n = await page.evaluate(() => document.querySelector(".board").dataset.n);
      await page.locator("[data-answer].advised").first().click();
      await turn(page, n);
    }
    await advised(page);
    return page;
  },
  async after() {
    const page = await open("/", { viewport: { width: 1360, height: 1000 } });
    await begin(page, /^Mit von Futsch/, /The Ford/, ["program:subaltern", "program:subaltern"]);
    await page.getByRole("link", { name: "The dispatch" }).click({ timeout: 90_000 });
    await page.locator(".picture img").waitFor();
    return page;
  },
  async "new-battle"() {
    const page = await open();
    await page.getByRole("button", { name: /^Mit von Futsch/ }).click();
    await page.getByRole("button", { name: /San Pietro/ }).click();
    return page;
  },
  async drag() {
    const page = await open();
    await begin(page, /^All the King/, /Walled Farm/, ["hotseat", "hotseat"]);
    let now = await decision(page);
    while (!(await answer(page, now, /activate.*"RI4"|activate.*"BI2"/))) {
      await decide(page, whim(3), now, { drags: 0 });
      await turn(page, now.n);
      now = await decision(page);
    }
    now = await decision(page);
    await settle(page);
    const from = await middle(page.locator(`[data-unit='${now.drags[0]}']`));
    await drag(page, from, { x: from.x - 60, y: from.y + (from.y > 400 ? -170 : 170) });
    return page;
  },
  async odds() {
    const page = await open();
    await begin(page, /Men Who Would Be Kings/, /High Road/, ["me", "program:random"]);
    const now = await until(page, (now) => now.answers.filter((a) => /declare.*fire|shoot/.test(a)).length > 1, { seed: 4, hurry: 0.05 });
    await settle(page);
    await page.locator(`[data-answer='${now.answers.find((a) => /fire|shoot/.test(a))}']`).hover();
    return page;
  },
  async "von-futsch"() {
    const page = await open();
    await begin(page, /^Mit von Futsch/, /San Pietro/, ["me", "program:random"]);
    await until(page, (now) => Number(now.n) > 120 && now.answers.length > 4, { seed: 9, hurry: 0.3, drags: 0.9 });
    await page.keyboard.press("0");
    await page.getByRole("tab", { name: "Log" }).click();
    return page;
  },
  async "seven-years-war-dark"() {
    const page = await open("/", { light: "dark" });
    await begin(page, /^Seven Years War/, /Kettle Brook/, ["me", "program:random"]);
    const now = await until(page, (now) => Number(now.n) > 40 && now.drags.length > 2, { seed: 2, hurry: 0.5, drags: 0.9 });
    const at = await middle(page.locator(`[data-unit='${now.drags[1]}']`));
    await page.mouse.click(at.x, at.y);
    return page;
  },
  async online() {
    const red = await open("/", { permissions: ["clipboard-read", "clipboard-write"] });
    await begin(red, ...wbk, ["me", "link"]);
    await red.getByRole("tab", { name: /Talk/ }).click();
    await red.getByRole("button", { name: /Copy the link for/ }).click();
    const blue = await open(await red.evaluate(() => navigator.clipboard.readText()));
    await seated(blue);
    await blue.getByRole("tab", { name: /Talk/ }).click();
    await blue.getByLabel("Say something").fill("Your legion is surrounded, mon capitaine.");
    await blue.getByLabel("Say something").press("Enter");
    await red.getByLabel("Say something").fill("Then we can fire in every direction.");
    await red.getByLabel("Say something").press("Enter");
    return red;
  },
  async "take-back"() {
    const page = await open();
    await begin(page, ...wbk, ["me", "hotseat"]);
    const now = await decision(page);
    await answer(page, now, /activate/);
    await decision(page);
    return page;
  },
  async replay() {
    const page = await open();
    await begin(page, /^All the King/, /Kessel/, ["program:random", "program:random"]);
    await page.getByRole("link", { name: "Replay" }).click({ timeout: 90_000 });
    await page.locator(".moment").nth(2).click();
    return page;
  },
  async "play-on"() {
    const page = await open();
    await begin(page, /^Mit von Futsch/, /The Ford/, ["program:random", "program:random"]);
    await page.getByRole("link", { name: "Replay" }).click({ timeout: 90_000 });
    await page.locator(".moment").nth(1).click();
    await page.getByRole("button", { name: "Play on from here" }).click();
    return page;
  },
  async hotseat() {
    const page = await open();
    await begin(page, /^Seven Years War/, /Redoubt at Kagul/, ["me", "hotseat"], { curtain: true });
    await page.getByRole("button", { name: /^I am / }).click();
    for (let now = await decision(page); ; now = await decision(page)) {
      await decide(page, whim(17), now, { hurry: 0.95, drags: 0 });
      await page.waitForFunction((n) => document.querySelector(".curtain") || document.querySelector(".board")?.dataset.n !== n, now.n);
      if (await page.locator(".curtain").count()) return page;
    }
  },
  async general() {
    const page = await open("/", { general: "12it" });
    await begin(page, /Men Who Would Be Kings/, /Disputed Valley/, ["me", "program:general"]);
    await until(page, (now) => Number(now.n) > 60 && now.answers.some((a) => a.includes("activate")), { seed: 3, hurry: 0.2 });
    await page.getByRole("tab", { name: "Log" }).click();
    return page;
  },
  async measure() {
    const page = await open();
    await begin(page, /^All the King/, /Kessel/, ["me", "program:random"]);
    await decision(page);
    await page.keyboard.press("u");
    await page.keyboard.press("m");
    for (const key of ["Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowRight", "ArrowUp"]) await page.keyboard.press(key);
    return page;
  },
  async keys() {
    const page = await open();
    await begin(page, ...wbk, ["me", "program:random"]);
    await decision(page);
    await page.keyboard.press("n");
    await page.keyboard.press("?");
    return page;
  },
  async end() {
    const page = await open();
    await begin(page, ...wbk, ["me", "program:random"]);
    await playOut(page, { seed: 3, hurry: 0.3 });
    await page.getByRole("tab", { name: "Log" }).click();
    return page;
  },
  async phone() {
    const page = await open("/", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1.5 });
    await begin(page, /^All the King/, /Walled Farm/, ["hotseat", "hotseat"]);
    let now = await decision(page);
    while (!now.drags.length) {
      if (!(await answer(page, now, /activate.*"(RI4|BI2)"/))) await answer(page, now, /./);
      now = await decision(page);
    }
    await settle(page);
    const at = await middle(page.locator(`[data-unit='${now.drags[0]}']`));
    await page.touchscreen.tap(at.x + 10, at.y + (at.y > 280 ? -34 : 34));
    return page;
  },
};

for (const [name, take] of Object.entries(shots)) {
  if (words.length && !words.some((w) => name.includes(w))) continue;
  try {
    taking = name;
    const page = await take();
    await settle(page);
    await page.screenshot({ path: join(out, `page-${name}.png`) });
    console.log(`page-${name}.png`);
    await page.context().close();
  } catch (e) {
    console.log(`${name}: ${e.message}`);
  }
}
await browser.close();
server.kill("SIGTERM");
rmSync(folder, { recursive: true, force: true });
