// Two gestures for the usual things, counted: a unit and a place, a unit and a target; three at most for a charge.

import { readFileSync } from "node:fs";
import { drag, expect, make, middle, test } from "./harness.mjs";
import { decision } from "./player.mjs";

const guided = (system) => readFileSync(new URL(`../../rulebooks/${system}/guided.toml`, import.meta.url), "utf8");
const moved = (text, id, at) => text.replace(new RegExp(`(id = "${id}"\\n(?:(?!\\n\\n)[\\s\\S])*?at = )\\[[^\\]]*\\]`), `$1[${at}]`);

/** The first battle of each system, with two units near each other; who is sent, whom against, and what the umpire should be told. */
const systems = {
  "would-be-kings": {
    text: moved(guided("would-be-kings"), "N1", "17, 13.5"),
    pairs: { I1: "N1" },
    settle: /^$/,
    // Whether they obey is rolled for: the order is what the hand can give.
    move: /"go"|"action":"move"/,
    fire: /"fire"/,
    charge: [/"attack"/, "Attack"],
  },
  "all-the-kings-men": {
    text: moved(guided("all-the-kings-men"), "BI1", "17, 14.5"),
    pairs: { RI1: "BI1", BI1: "RI1" },
    settle: /^$/,
    move: /"move"/,
    fire: /"fire"/,
    charge: [/"charge"/, "Charge"],
  },
  "von-futsch": {
    text: moved(guided("von-futsch"), "B1", "16, 15.5"),
    pairs: { R1: "B1", B1: "R1" },
    settle: /use_now|begin|pass/,
    move: /"path"/,
    fire: /"target"/,
    charge: [/"charge_at"/, "Charge"],
  },
  "seven-years-war": {
    // Only a group on Advance charges, and only one without a general begins so.
    text: moved(guided("seven-years-war"), "a1", "50, 40").replace(/(id = "p[12]"\n[^[]*?)command = "P1"/g, '$1order = "advance"'),
    pairs: { p1: "a1", a1: "p1" },
    settle: /keep_counter|done|morale|passed|stay|no|stand/,
    move: /"move"/,
    fire: /"shoot"/,
    charge: [/"charge"/, "Charge"],
  },
};

/** A fresh table for both hands: the guided battle of a system, or another text for it. */
const laid = (base, ruleset, text = guided(ruleset)) => make(base, { ruleset, text, seats: [{ kind: "me" }, { kind: "me" }], seed: "5" });

/** A hand that counts what it does, and what it told the umpire by it. */
function counting(page) {
  const told = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const { act } = JSON.parse(payload);
      if (act) told.push(JSON.stringify(act.action));
    }),
  );
  const hand = {
    told,
    count: 0,
    begin: () => ((hand.count = 0), (told.length = 0)),
    at: async (x, y) => ((hand.count += 1), page.mouse.click(x, y)),
    unit: async (id) => {
      const { x, y } = await middle(page.locator(`[data-unit='${id}']`));
      await hand.at(x, y);
    },
    press: async (button) => ((hand.count += 1), button.click()),
  };
  return hand;
}

/** Answers what comes before until one of these units can be sent; says which. */
async function untilSent(page, { pairs, settle }, wanted = () => true) {
  for (let i = 0; i < 60; i++) {
    const now = await decision(page);
    const unit = Object.keys(pairs).find((id) => now.drags.includes(id) || now.answers.some((a) => a.includes(`"${id}"`) && a.includes(`"${pairs[id]}"`)));
    if (unit && wanted(now, unit)) return unit;
    const calm = now.answers.find((a) => settle.test(a)) ?? now.answers.find((a) => /pass|end|done|hold|stay/.test(a)) ?? now.answers[0];
    await page.locator(`[data-answer='${calm}']`).first().click();
    await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
  }
  throw new Error("nobody could be sent");
}

for (const [ruleset, system] of Object.entries(systems)) {
  /** A fresh table with the hand at it. */
  const sit = async (open, base, text = system.text) => {
    const made = await laid(base, ruleset, text);
    const page = await open("/");
    const hand = counting(page);
    await page.goto(made.link);
    return { page, hand };
  };
  const done = (hand, what) => expect.poll(() => hand.told.join(" "), "the umpire was told").toMatch(what);

  test(`${ruleset}: a move takes two gestures`, async ({ open, base }) => {
    const { page, hand } = await sit(open, base, guided(ruleset));
    const unit = await untilSent(page, system, (now, id) => now.drags.includes(id));
    hand.begin();
    const box = await page.locator(`[data-unit='${unit}']`).boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await hand.at(x, y);
    await hand.at(x, box.y - 22);
    await done(hand, system.move);
    expect(hand.count).toBeLessThanOrEqual(2);
  });

  test(`${ruleset}: fire takes two gestures`, async ({ open, base }) => {
    const { page, hand } = await sit(open, base);
    const unit = await untilSent(page, system, (now) => ruleset !== "seven-years-war" || now.answers.some((a) => /"shoot"/.test(a)));
    hand.begin();
    await hand.unit(unit);
    await hand.unit(system.pairs[unit]);
    await done(hand, system.fire);
    expect(hand.count).toBeLessThanOrEqual(2);
  });

  test(`${ruleset}: a charge takes three gestures at most`, async ({ open, base }) => {
    const { page, hand } = await sit(open, base);
    const unit = await untilSent(page, system, (now, id) => now.drags.includes(id));
    hand.begin();
    await hand.unit(unit);
    await hand.press(page.locator(`[data-errand="${system.charge[1]}"]`));
    await hand.unit(system.pairs[unit]);
    await done(hand, system.charge[0]);
    expect(hand.count).toBeLessThanOrEqual(3);
  });

  test(`${ruleset}: a charge is laid out with its odds: what is expected, what can go wrong, a bar`, async ({ open, base }) => {
    const { page, hand } = await sit(open, base);
    const unit = await untilSent(page, system, (now, id) => now.drags.includes(id));
    await page.getByLabel("Ask before each order").check();
    hand.begin();
    await hand.unit(unit);
    await hand.press(page.locator(`[data-errand="${system.charge[1]}"]`));
    await hand.unit(system.pairs[unit]);
    await page.locator("[data-do]").waitFor();
    const odds = page.getByRole("group", { name: "The odds" });
    await expect(odds).toContainText(/Expected: \S/);
    await expect(odds).toContainText(/Can go wrong: \S/);
    const shares = await odds
      .locator(".bar")
      .first()
      .locator("span")
      .evaluateAll((parts) => parts.map((part) => Number(part.style.flexGrow)));
    expect(shares.length).toBeGreaterThan(1);
    expect(
      shares.reduce((a, b) => a + b),
      "all that can come of it is on the bar",
    ).toBeCloseTo(1, 1);
    // Where the other side is asked how it meets the charge, the odds say whose answers they suppose.
    if (ruleset === "von-futsch") await expect(odds).toContainText("If the other side meets it as a subaltern would.");
    expect(hand.told.join(" "), "nobody has charged yet").not.toMatch(system.charge[0]);
  });
}

test("who wants to be asked is: the second tap lays it out and does nothing yet", async ({ open, base }) => {
  const made = await laid(base, "seven-years-war");
  const page = await open("/");
  const hand = counting(page);
  await page.goto(made.link);
  const unit = await untilSent(page, systems["seven-years-war"], (now, id) => now.drags.includes(id));
  await page.getByLabel("Ask before each order").check();
  hand.begin();
  const box = await page.locator(`[data-unit='${unit}']`).boundingBox();
  await hand.at(box.x + box.width / 2, box.y + box.height / 2);
  await hand.at(box.x + box.width / 2, box.y - 22);
  await page.locator("[data-do]").waitFor();
  expect(hand.told, "nothing was told the umpire").toEqual([]);
  await page.locator("[data-do]").click();
  await expect.poll(() => hand.told.join(" ")).toMatch(/"move"/);
});

test("who pulls at a unit that can't be moved does not pull the table away", async ({ open, base }) => {
  const made = await laid(base, "would-be-kings");
  const page = await open("/");
  await page.goto(made.link);
  const now = await decision(page);
  // Once one is taken up, no other can be moved.
  const mine = now.drags;
  expect(mine.length).toBeGreaterThan(1);
  await page.locator(`[data-answer*='"activate"'][data-answer*='"${mine[0]}"']`).first().click();
  await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
  const then = await decision(page);
  const still = mine.find((id) => !then.drags.includes(id));
  const seen = () => page.evaluate(() => document.querySelector(".table > svg").getAttribute("viewBox"));
  const before = await seen();
  const from = await middle(page.locator(`[data-unit='${still}']`));
  await drag(page, from, { x: from.x + 60, y: from.y - 40 });
  expect(await seen()).toBe(before);
  await expect(page.locator(`[data-unit='${still}']`), "it is shown why not").toHaveAttribute("aria-pressed", "true");
  // Bare ground still pans.
  const table = await page.locator(".table").boundingBox();
  await drag(page, { x: table.x + table.width / 2, y: table.y + 60 }, { x: table.x + table.width / 2 + 50, y: table.y + 80 });
  expect(await seen()).not.toBe(before);
});

test("what can be pressed stands beside the table and never over it", async ({ open, base }) => {
  const made = await laid(base, "all-the-kings-men");
  const page = await open("/", { viewport: { width: 390, height: 844 } });
  await page.goto(made.link);
  const over = page.locator(".field button:not(.tools button)");
  const now = await decision(page);
  const { x, y } = await middle(page.locator(`[data-unit='${now.drags[0]}']`));
  await page.mouse.click(x, y);
  await decision(page);
  await expect(over).toHaveCount(0);
  // Taken up, with its formations to choose from; then laid out far beyond its reach.
  await page.locator(`[data-answer*='"${now.drags[0]}"']`).first().click();
  await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
  await decision(page);
  await expect(over).toHaveCount(0);
  await drag(page, { x, y }, { x, y: y - 110 });
  await page.locator("[data-do]").waitFor();
  await expect(over).toHaveCount(0);
  const yes = await page.locator("[data-do]").boundingBox();
  expect(yes.y + yes.height, "and is seen without scrolling").toBeLessThan(844);
});
