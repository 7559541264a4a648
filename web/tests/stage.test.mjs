// What the others do is played on the table: each action once, in order, and yours to skip, to step through and to see again.

import { begin, expect, test } from "./harness.mjs";
import { decide, decision, whim } from "./player.mjs";

const veld = [/Men Who Would Be Kings/, /Crossing the Veld/];
const ford = [/von Futsch/, /The Ford/];
const moving = { reducedMotion: "no-preference" };

/** Writes down which actions are played, in order, and how many places a unit on its way was seen at. */
const watch = (page) =>
  page.evaluate(() => {
    window.played = [];
    window.places = new Set();
    const look = () => {
      const n = document.querySelector("[data-played]")?.dataset.played;
      if (n && window.played.at(-1) !== Number(n)) window.played.push(Number(n));
      const man = document.querySelector("[data-actor] > g");
      if (man) window.places.add(man.getAttribute("transform"));
      requestAnimationFrame(look);
    };
    look();
  });
const board = (page) => page.evaluate(() => ({ ...document.querySelector(".board").dataset }));
/** Until we are asked again and nothing is left to play: while the others think, what they did so far may have been played. */
const settled = (page) =>
  page.waitForFunction(() => {
    const { yours, ready, playing } = document.querySelector(".board")?.dataset ?? {};
    return yours === "true" && ready === "true" && playing === "false";
  });

/** Ends our turn, so that the others have theirs. */
async function endTurn(page) {
  const now = await decision(page);
  await page.locator("[data-answer='\"end_turn\"'], [data-answer*='end_turn']").first().click();
  return Number(now.n);
}

test("the enemy's turn is played, each action once and in order, then shown again", async ({ open }) => {
  const page = await open("/", moving);
  await page.evaluate(() => localStorage.setItem("pace", '"fast"'));
  await page.reload();
  await begin(page, ...veld, ["me", "program:subaltern"]);
  await watch(page);
  const before = await endTurn(page);
  await page.locator("[data-actor]").first().waitFor();
  expect((await board(page)).ready, "nothing is asked while it is played").toBe("false");
  await settled(page);
  const { played, places } = await page.evaluate(() => ({ played: window.played, places: window.places.size }));
  const last = Number((await board(page)).n);
  // Our own may be among them, if the others were as quick as that.
  expect(played.filter((n) => n > before + 1)).toEqual(Array.from({ length: last - before - 1 }, (_, i) => before + 2 + i));
  expect(places, "units march, they do not leap").toBeGreaterThan(10);
  await expect(page.locator("[data-trail]").first(), "where they went stays to be seen").toBeAttached();

  await page.evaluate(() => (window.played = []));
  await page.locator("[data-again]").click();
  await page.locator("[data-played]").waitFor();
  await settled(page);
  expect(await page.evaluate(() => window.played), "the same once more").toEqual(played.filter((n) => n > before + 1));
});

test("what is played can be skipped, or gone through step by step", async ({ open }) => {
  const page = await open("/", moving);
  await begin(page, ...veld, ["me", "program:subaltern"]);
  await endTurn(page);
  await page.getByRole("button", { name: "Step by step" }).click();
  await page.locator("[data-next]").waitFor();
  const at = () => page.evaluate(() => Number(document.querySelector("[data-played]")?.dataset.played || 0));
  // Each press brings one more, and no press none.
  for (let i = 0; i < 3; i++) {
    await page.getByText("the next waits for you").waitFor();
    const now = await at();
    await page.locator("[data-next]").click();
    await expect.poll(at).toBe(now + 1);
  }
  // Whatever comes after a skip is stepped through again.
  const skip = page.locator("[data-skip]");
  const asked = page.locator(".board[data-yours='true'][data-ready='true'][data-playing='false']");
  while (!(await asked.count())) {
    await skip.or(asked).first().waitFor();
    if (await skip.isVisible()) await skip.click({ timeout: 5000 }).catch(() => undefined);
  }
  await settled(page);
  await expect(page.locator("[data-actor]")).toHaveCount(0);
});

test("a reload in the middle of it shows the present", async ({ open }) => {
  const page = await open("/", moving);
  await begin(page, ...veld, ["me", "program:subaltern"]);
  await endTurn(page);
  await page.locator("[data-actor]").first().waitFor();
  await page.waitForFunction(() => document.querySelector(".board").dataset.yours === "true");
  const n = (await board(page)).n;
  await page.reload();
  await page.locator(".board[data-ready=true]").waitFor();
  expect(await board(page)).toMatchObject({ n, playing: "false", yours: "true" });
});

test("where no motion is wanted there are arrows instead", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...veld, ["me", "program:subaltern"]);
  const before = await endTurn(page);
  await page.waitForFunction((n) => Number(document.querySelector(".board").dataset.n) > n + 1 && document.querySelector(".board").dataset.yours === "true", before);
  await expect(page.locator("[data-trail]").first()).toBeAttached();
  await expect(page.locator("[data-played]")).toHaveCount(0);
});

test("every roll is on the screen: hits lit, what was needed and why, and none is lost", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...ford, ["me", "program:subaltern"]);
  // We let the others do until somebody has fired at somebody.
  const rolls = page.locator(".rolls");
  // Looked, leafed back and held in one: what lies there is put away after a while.
  const look = () =>
    page.evaluate(() => {
      document.querySelector(".sign")?.click();
      const dice = document.querySelector(".rolls");
      const found = /each needs/.test(dice?.textContent ?? "");
      const button = dice?.querySelector(found ? "[aria-pressed=false]" : "[aria-label='The rolls before']:enabled");
      button?.click();
      return found ? "found" : Boolean(dice && button);
    });
  let looked = false;
  for (let i = 0; i < 60 && looked !== "found"; i++) {
    const now = await decision(page);
    const calm = now.answers.find((a) => /pass|decline|stay|end|hold/.test(a)) ?? now.answers[0];
    if (calm) await page.locator(`[data-answer='${calm}']`).click();
    else {
      await page.getByRole("button", { name: "Suggest some" }).click();
      await page.locator("[data-suggested]").first().click();
      await page.locator("[data-do]").click();
    }
    await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
    await decision(page);
    // The rolls of the actions before, one after another; the first look may only open them.
    looked = await look();
    for (let j = 0; j < 12 && looked !== "found" && (j < 1 || looked); j++) looked = await look();
  }
  const pool = rolls.locator("li").filter({ hasText: "each needs" }).first();
  await pool.waitFor();
  const needs = Number(/each needs (\d)/.exec(await pool.textContent())[1]);
  const faces = (await pool.locator(".dice").getAttribute("aria-label")).match(/\d+/g).map(Number);
  expect(await pool.locator(".lit").count()).toBe(faces.filter((f) => f >= needs).length);
  expect(await pool.locator(".dice .one").count()).toBe(faces.length);
});

test("a replay plays by the same means", async ({ open }) => {
  const page = await open("/", moving);
  await begin(page, ...veld, ["me", "program:subaltern"]);
  await endTurn(page);
  await page.locator("[data-skip]").click();
  await page.waitForFunction(() => document.querySelector(".board").dataset.yours === "true");
  const id = /game\/(\w+)/.exec(page.url())[1];
  await page.goto(`/replay/${id}`);
  await page.locator(".scrub").waitFor();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator("[data-actor]").first().waitFor();
  const places = await page.evaluate(async () => {
    const seen = new Set();
    for (let i = 0; i < 40; i++) {
      seen.add(document.querySelector("[data-actor] > g")?.getAttribute("transform") ?? "");
      await new Promise((next) => requestAnimationFrame(next));
    }
    return seen.size;
  });
  expect(places, "units march here too").toBeGreaterThan(4);
});

test("sound is off until it is wanted, and is written for those who do not hear it", async ({ open }) => {
  const page = await open("/", moving);
  await begin(page, ...veld, ["me", "program:subaltern"]);
  await page.getByRole("button", { name: "Settings" }).click();
  const wanted = page.getByLabel("Sound, with captions");
  await expect(wanted).not.toBeChecked();
  await wanted.check();
  await page.getByRole("button", { name: "Settings" }).click();
  await endTurn(page);
  // Whose pointer rests on the rolls dwells on them.
  await page.mouse.move(300, 700);
  await expect(page.locator("[data-caption]").first()).toHaveText(/^♪ \S+/);
});

test("dice are thrown on the table where it happens, and lie there while they are looked at", async ({ open }) => {
  const page = await open("/", moving);
  await begin(page, /Men Who Would Be Kings/, /Bordj/, ["me", "program:subaltern"]);
  await page.evaluate(() => {
    window.thrown = [];
    const look = () => {
      for (const g of document.querySelectorAll("[data-thrown]")) {
        const unit = document.querySelector(`[data-unit="${CSS.escape(g.dataset.thrown)}"]`)?.getBoundingClientRect();
        const at = g.getBoundingClientRect();
        const far = unit ? Math.hypot(at.x + at.width / 2 - unit.x - unit.width / 2, at.y + at.height / 2 - unit.y - unit.height / 2) : null;
        const faces = [...g.querySelectorAll(":scope > g")].length;
        const wide = g.querySelector(".die").getBoundingClientRect().width;
        if (window.thrown.length < 500) window.thrown.push({ who: g.dataset.thrown, far, faces, wide });
      }
      requestAnimationFrame(look);
    };
    look();
  });
  const random = whim(6);
  for (let i = 0; i < 30 && !(await page.evaluate(() => window.thrown.length)); i++) {
    const now = await decision(page);
    if (now.over) break;
    await decide(page, random, now, { drags: 0, hurry: 0.8 });
    await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
  }
  await page.waitForFunction(() => window.thrown.length);
  const [one] = await page.evaluate(() => window.thrown);
  expect(one.faces).toBeGreaterThan(0);
  expect(one.wide, "large enough to be read").toBeGreaterThan(11);
  expect(one.far, "beside whoever throws").toBeLessThan(90);
  await page.waitForFunction(() => document.querySelector(".board").dataset.playing === "false");
  await expect(page.locator("[data-thrown]")).toHaveCount(0);
});

test("the view follows what is played only if that is wanted, and comes back", async ({ open }) => {
  const page = await open("/", moving);
  await begin(page, ...veld, ["me", "program:subaltern"]);
  const seen = () => page.evaluate(() => document.querySelector(".table > svg").getAttribute("viewBox"));
  const wide = (box) => Number(box.split(" ")[2]);
  await decision(page);
  const whole = await seen();
  await endTurn(page);
  await page.locator("[data-actor]").first().waitFor();
  expect(await seen(), "it stays where it is").toBe(whole);
  await page.locator("[data-follow]").click();
  await expect.poll(async () => wide(await seen()), "nearer, to what is played").toBeLessThan(wide(whole) * 0.9);
  await page.locator("[data-skip]").click();
  await page.waitForFunction(() => document.querySelector(".board").dataset.yours === "true" && document.querySelector(".board").dataset.playing === "false");
  await expect.poll(seen, "and back").toBe(whole);
});

test("the log of a replay has the marks of the sides, as at the table", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...veld, ["program:random", "program:random"]);
  await page.getByRole("link", { name: "Replay" }).click();
  await page.getByRole("slider", { name: "Moment" }).fill("12");
  await expect(page.locator(".log .mark").first()).toBeVisible();
});

test("dice that come to lie under a resting pointer hold nothing up; whoever moves over them does", async ({ open }) => {
  const page = await open("/");
  await begin(page, /Men Who Would Be Kings/, /Bordj/, ["me", "program:subaltern"]);
  const random = whim(8);
  for (let i = 0; i < 40 && !(await page.locator(".rolls, .sign").count()); i++) {
    const now = await decision(page);
    await decide(page, random, now, { drags: 0, hurry: 0.3 });
    await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
  }
  const rolls = page.locator(".rolls");
  await page.mouse.move(200, 300);
  // So a browser tells a pointer that has not moved what lies under it now, however long the dice have lain there. All of it
  // in one: meanwhile no dice are put away, and no message and no pointer comes.
  const seen = await page.evaluate(async () => {
    const atOnce = async () => {
      for (let i = 0; i < 50; i++) await null;
    };
    document.querySelector(".sign")?.click();
    await atOnce();
    const dice = document.querySelector(".rolls");
    const held = async (kind, movementX = 0) => {
      dice.dispatchEvent(new PointerEvent(kind, { pointerType: "mouse", bubbles: true, movementX }));
      await atOnce();
      return Boolean(dice.querySelector("[aria-pressed=true]"));
    };
    const rests = [await held("pointerenter"), await held("pointerover"), await held("pointermove")];
    const seen = { rests, moves: await held("pointermove", 3), leaves: await held("pointerleave") };
    dice.querySelector("[aria-label='Put the dice away']").click();
    return seen;
  });
  expect(seen, "whoever moves over them looks at them").toEqual({ rests: [false, false, false], moves: true, leaves: false });
  // And in the very moment they are shown: what counts is that the pointer moved, and no clock. They are shown by an action, so the next rolls are waited for.
  await page.mouse.move(200, 300);
  await page.evaluate(() => {
    new MutationObserver(async (_, watcher) => {
      const dice = document.querySelector(".rolls");
      if (!dice) return;
      watcher.disconnect();
      window.held = [];
      for (const movementX of [0, 3]) {
        dice.dispatchEvent(new PointerEvent("pointermove", { pointerType: "mouse", bubbles: true, movementX }));
        // What follows from it at once, and nothing that comes meanwhile: no message, and no pointer of the player below.
        for (let i = 0; i < 50; i++) await null;
        window.held.push(Boolean(dice.querySelector("[aria-pressed=true]")));
      }
    }).observe(document.querySelector(".board"), { childList: true, subtree: true });
  });
  for (let i = 0; i < 40 && !(await rolls.count()); i++) {
    const now = await decision(page);
    await decide(page, random, now, { drags: 0, hurry: 0.3 });
    await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
  }
  await page.waitForFunction(() => window.held?.length === 2);
  expect(await page.evaluate(() => window.held), "whether they are held: the pointer rests, the pointer moves").toEqual([false, true]);
});
