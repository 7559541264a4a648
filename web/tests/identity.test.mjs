// One identity a side, from the rulebook's data: flags and facings by nation and regiment, names and no codes; and the ground, which is
// fetched once whoever holds what on it.

import { begin, expect, test } from "./harness.mjs";
import { decide, decision, whim } from "./player.mjs";

const minden = [/^Seven Years War/, /Minden/];

test("regiments carry their nation's flag with their own colour in it, and nobody is called by a code", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...minden, ["me", "program:random"]);
  await decision(page);
  await page.locator("[data-label]").first().waitFor();
  const seen = await page.evaluate(() => {
    const flag = (unit) => {
      const use = document.querySelector(`[data-label='${unit}'] use`);
      return use ? document.querySelector(use.getAttribute("href")).innerHTML : null;
    };
    const words = [...document.querySelectorAll("[data-label] text, [data-answer], .asked, .ask p, [data-ground]")].map((e) => e.textContent);
    const ids = [...document.querySelectorAll("[data-unit]")].map((u) => u.dataset.unit);
    return { ids, words, british: flag("b1"), french: flag("f5") ?? flag("f8"), hanover: flag("b4") };
  });
  expect(seen.british, "the 12th Foot has yellow facings, hatched with dots").toContain("#e8c547");
  expect(seen.british).toContain("<pattern");
  expect(seen.french, "another cut for the other side").not.toBe(seen.british);
  expect(seen.hanover, "Hanoverians fight under a flag of their own").not.toBe(seen.british);
  const codes = seen.words.filter((text) => seen.ids.some((id) => new RegExp(`(^|[^\\w-])${id}($|[^\\w-])`).test(text)));
  expect(codes).toEqual([]);
  // The flag of the header is the flag of the question.
  const mark = (where) =>
    page
      .locator(where)
      .first()
      .evaluate((e) => getComputedStyle(e, "::before").backgroundImage);
  expect(await mark(".sides .mark.m0")).toBe(await mark(".asked .mark.m0"));
});

test("what is held is shown under its holder's flag, and the ground is fetched once", async ({ open }) => {
  const page = await open("/");
  const asked = [];
  const heard = [];
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => asked.push(String(payload)));
    socket.on("framereceived", ({ payload }) => heard.push(payload.length));
  });
  await begin(page, /^Seven Years War/, /Heath before Thalheim/, ["me", "program:random"]);
  const random = whim(4);
  let now = await decision(page);
  await page.waitForFunction(() => document.querySelector("img.picture.men")?.complete);
  const pictures = () => asked.filter((text) => text.includes('"picture"')).length;
  expect(pictures()).toBe(1);
  heard.length = 0;
  // What is drawn of the units is a picture that the page makes: it is looked at where it is made.
  await page.evaluate(() => {
    const make = URL.createObjectURL;
    URL.createObjectURL = (made) => {
      void made.text().then((text) => (window.goalsDrawn = Math.max(window.goalsDrawn ?? 0, text.match(/data-goal=/g)?.length ?? 0)));
      return make.call(URL, made);
    };
  });
  for (let i = 0; i < 12 && !now.over; i++) {
    await decide(page, random, now, { drags: 0 });
    await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
    now = await decision(page);
  }
  expect(pictures(), "nothing was built, so the ground is as it was").toBe(1);
  expect(Math.max(...heard), "the longest message of any action, in bytes").toBeLessThan(10_000);
  await page.waitForFunction(() => window.goalsDrawn > 0);
});

test("the sides have their flags and names on the front page too, and places on the table no codes", async ({ open }) => {
  const page = await open("/");
  await page
    .locator("fieldset")
    .getByRole("button", { name: /^All the King/ })
    .first()
    .click();
  await page
    .locator("fieldset")
    .getByRole("button", { name: /Kessel/ })
    .first()
    .click();
  await page.getByText("Lestwitz, Prussia").waitFor();
  const mark = (where) =>
    page
      .locator(where)
      .first()
      .evaluate((e) => getComputedStyle(e, "::before").backgroundImage);
  await expect.poll(() => mark(".briefing .mark.m0")).toMatch(/^url\("data:image\/svg/);
  const flag = await mark(".briefing .mark.m0");
  await page.getByRole("button", { name: "Begin the battle" }).click();
  await page.waitForURL(/\/game\//);
  await decision(page);
  expect(await mark(".sides .mark.m0"), "the same as at the table").toBe(flag);
  await expect(page.locator(".sides .score").first(), "a number is told as what it is").toHaveText(/^\d+ points$/);
  await page.goto("/");
  await begin(page, /Men Who Would Be Kings/, /Bordj/, ["me", "program:random"]);
  await page.locator("[data-label]").first().waitFor();
  const ways = await page.locator(".goal").allTextContents();
  expect(ways.length).toBeGreaterThan(2);
  for (const way of ways) expect(way, "where bands arrive is said in words").toMatch(/^Arrival [1-6], (the )?(middle|(north|south)?-?(east|west)?)$/);
});
