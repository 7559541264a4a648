// How a test is written, and what a person at the page does in all of them.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test as plain } from "@playwright/test";

export { expect };

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The real binary with a database of its own; resolves once it has said where it listens. */
export async function serve() {
  const folder = mkdtempSync(join(tmpdir(), "tricorne-page-"));
  const server = spawn(process.env.TRICORNE, ["play", "--no-open", "--games", join(folder, "games.db")], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const base = await new Promise((resolve, reject) => {
    let said = "";
    server.stdout.on("data", (data) => {
      said += data;
      const at = /http:\/\/[\d.:]+/.exec(said)?.[0];
      if (at) resolve(process.env.BASE ?? at);
    });
    server.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  const stop = async () => {
    server.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { base, stop };
}

/**
 * A test gets `base`, the address of a server that it shares with the tests before and after it, and `open`, a window of its own:
 * nothing kept from other tests, dice at once, no motion. A fault on any of its pages fails it.
 */
export const test = plain.extend({
  base: [
    async ({}, use) => {
      const { base, stop } = await serve();
      await use(base);
      await stop();
    },
    { scope: "worker" },
  ],
  open: async ({ browser, base, viewport, locale }, use, info) => {
    const contexts = [];
    const faults = [];
    await use(async (path = "/", how = {}) => {
      const { light = "light", general = null, late = null, ...rest } = how;
      const context = await browser.newContext({ viewport, locale, colorScheme: light, reducedMotion: "reduce", baseURL: base, ...rest });
      contexts.push(context);
      context.setDefaultTimeout(180_000);
      await sow(context, info.title, general);
      await delay(context, late);
      const page = await context.newPage();
      page.on("pageerror", (e) => faults.push(`error on the page: ${e.message}`));
      page.on("console", (m) => {
        if (m.type() === "error" && !/ERR_INTERNET_DISCONNECTED|WebSocket|Failed to load resource/.test(m.text())) faults.push(`console: ${m.text()}`);
      });
      await page.goto(path);
      return page;
    });
    for (const context of contexts) await context.close();
    expect(faults, "faults on the page").toEqual([]);
  },
});

/** A number out of a text, the same each time. */
const numbered = (text) => [...text].reduce((n, c) => (Math.imul(n, 31) + c.codePointAt(0)) >>> 0, 7);

/** Battles made through the page get a seed by the test's name, so that the same dice and cards come each time, and programs choose the same;
 * `SEED=2` tries all tests on other ones. `general` says how long generals think: by the clock no two battles are the same. */
export async function sow(context, name, general = null) {
  const seed = (numbered(name) + Number(process.env.SEED ?? 0)) >>> 0;
  await context.addInitScript(
    ([seed, general]) => {
      // Nor is anything on the page itself left to chance: random ground, random armies, names.
      let state = seed || 1;
      Math.random = () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 4294967296;
      };
      // Here and not by a route of Playwright's: for one such request that would stop and ask about all of them.
      const ask = window.fetch;
      window.fetch = (to, how) => {
        if (how?.method !== "POST" || !/^\/api\/games(\/\w+\/fork)?$/.test(new URL(to, location.href).pathname)) return ask(to, how);
        const wish = { seed: String(seed), ...JSON.parse(how.body) };
        if (general) for (const seat of wish.seats) if (seat.kind === "program:general") seat.kind = `program:general:${general}`;
        return ask(to, { ...how, body: JSON.stringify(wish) });
      };
    },
    [seed, general],
  );
}

/** Answers to addresses that match `late`, or what `holdBack` of the page was last told, come only once the page's `letCome()` is called.
 * With `LAG=300` in the environment every answer and every live message comes up to 300 ms later, by chance, so that answers overtake each other:
 * a page that minds is found within a run or two. */
async function delay(context, late) {
  await context.addInitScript(
    ([late, lag]) => {
      const ask = window.fetch;
      const held = [];
      window.holdBack = (these) => (late = these);
      window.letCome = () => {
        late = null;
        for (const come of held.splice(0)) come();
      };
      // Not Math.random: that is sown.
      const chance = () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32;
      const pause = () => new Promise((done) => setTimeout(done, lag * chance()));
      window.fetch = async (to, how) => {
        const waits = late && new RegExp(late).test(new URL(to, location.href).pathname) ? new Promise((come) => held.push(come)) : null;
        const answer = await ask(to, how);
        await waits;
        if (lag) await pause();
        return answer;
      };
      if (!lag) return;
      const Live = window.WebSocket;
      window.WebSocket = class extends Live {
        constructor(...where) {
          super(...where);
          // In their order, as a socket keeps it, and none later than that for the sake of those before it.
          const line = [];
          let last = 0;
          let hear = null;
          Object.defineProperty(this, "onmessage", {
            set(to) {
              hear = to;
            },
          });
          super.addEventListener("message", (event) => {
            last = Math.max(last, performance.now() + lag * chance());
            line.push(event);
            setTimeout(() => hear?.call(this, line.shift()), last - performance.now());
          });
        }
      };
    },
    [late, Number(process.env.LAG ?? 0)],
  );
}

/** A new battle in three clicks, as a person makes one: rules, battle, who sits where. */
export async function begin(page, rules, battle, seats = null, { curtain = false } = {}) {
  await page.locator("fieldset").getByRole("button", { name: rules }).first().click();
  await page.locator("fieldset").getByRole("button", { name: battle }).first().click();
  if (seats) for (const [i, kind] of seats.entries()) await page.locator("fieldset select").nth(i).selectOption(kind);
  await page.getByRole("button", { name: "Begin the battle" }).click();
  // Away from the front page, or told why not.
  const refused = page.locator("[role=alert]");
  await expect(async () => {
    const why = page.url().includes("/game/") ? [] : await refused.allTextContents();
    expect({ why, at: new URL(page.url()).pathname.split("/")[1] }).toEqual({ why: [], at: "game" });
  }).toPass({ timeout: 1_200_000 });
  await (curtain ? page.locator(".curtain").waitFor() : seated(page));
}

/** A new battle made by asking the server itself; says where its table is. */
export async function make(base, wish) {
  const answer = await fetch(`${base}/api/games`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(wish) });
  const made = await answer.json();
  if (!made.link) throw new Error(`no battle was made: ${JSON.stringify(made)}`);
  return made;
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
  expect(box, "it is on the screen").toBeTruthy();
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
export const seen = (page) => page.evaluate(glance);

/** What is seen in one look, inside the page. */
function glance() {
  const text = (q) => document.querySelector(q)?.textContent ?? "";
  return {
    over: [...document.querySelectorAll("a")].some((a) => a.textContent === "Replay"),
    asked: text(".asked"),
    answers: [...document.querySelectorAll("[data-answer]")].filter((b) => !b.disabled).map((b) => b.dataset.answer),
    // Something is on its way to the umpire: nothing can be pressed.
    held: Boolean(document.querySelector("[data-answer]:disabled")),
    suggested: [...document.querySelectorAll("[data-suggested]")].map((b) => b.dataset.suggested),
    drags: [...document.querySelectorAll(".unit.drags")].map((u) => u.dataset.unit),
    more: Boolean(document.querySelector("[data-suggest]:not(:disabled)")),
    reserves: [...document.querySelectorAll("[data-reserve]")].map((b) => b.dataset.reserve),
    offered: Boolean(document.querySelector("[data-do]:not(:disabled)")),
    odd:
      /[{}_]|(?<![0-9])"|undefined|\bnull\b|NaN|\[object/.exec(
        [...document.querySelectorAll(".ask button, .ask p, .ask h3, .few button, .tip")].map((e) => e.textContent).join("\n"),
      )?.[0] ?? "",
    n: document.querySelector(".board")?.dataset.n ?? "",
    yours: document.querySelector(".board")?.dataset.yours === "true",
    ready: document.querySelector(".board")?.dataset.ready === "true",
  };
}

/** Waits until the battle has gone on from a decision. */
export const wentOn = (page, now) => page.waitForFunction((n) => document.querySelector(".board")?.dataset.n !== n, now.n);

/** The ghost lies there and the umpire has looked at it: whether there is an answer for it. */
export async function offered(page) {
  await expect(page.locator(".wish[data-answered=true]").first()).toBeAttached();
  return (await page.locator("[data-do]").count()) > 0;
}

/** Axe finds nothing serious here. What has just been enabled or opened is first drawn to its end. */
export async function sound(page, where) {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    await Promise.allSettled(document.getAnimations().map((a) => a.finished));
  });
  await page.evaluate(axe); // not a script of the page: its content policy would refuse that, and rightly
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const bad = violations.filter((v) => v.impact === "serious" || v.impact === "critical");
  expect(
    bad.map(
      (v) =>
        `${v.id}: ${v.help}: ${v.nodes
          .slice(0, 3)
          .map((n) => n.html.slice(0, 160))
          .join(" | ")}`,
    ),
    where,
  ).toEqual([]);
}
