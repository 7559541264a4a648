// Names on the table can be read at any size of the window, none over another; a side has one colour everywhere.

import { begin, expect, make, test } from "./harness.mjs";

const battles = [
  [/^Seven Years War/, /Minden/],
  [/von Futsch/, /San Pietro/],
];

for (const [rules, battle] of battles) {
  test(`${battle.source}: names are large enough and apart from each other on a desk, a tablet and a phone`, async ({ open }) => {
    const page = await open("/");
    await begin(page, rules, battle, ["hotseat", "hotseat"]);
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [390, 844],
    ]) {
      await page.setViewportSize({ width, height });
      await page.locator("[data-label]").first().waitFor();
      const look = () =>
        page.evaluate(() => {
          const boxes = [...document.querySelectorAll("[data-label]")].map((g) => ({
            id: g.dataset.label,
            box: g.querySelector("rect").getBoundingClientRect(),
            text: g.querySelector("text"),
          }));
          // Names of the ground are written as large, and keep clear of those of units.
          boxes.push(...[...document.querySelectorAll("[data-ground], .goal")].map((t) => ({ id: t.dataset.ground ?? t.textContent, box: t.getBoundingClientRect(), text: t })));
          const scale = (e) => e.getScreenCTM().a * parseFloat(getComputedStyle(e).fontSize);
          const over = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
          return {
            many: boxes.length,
            least: Math.min(...boxes.map((b) => scale(b.text))),
            clashes: boxes.flatMap((a, i) => boxes.slice(i + 1).flatMap((b) => (over(a.box, b.box) ? [`${a.id} ${b.id}`] : []))),
          };
        });
      // The table takes its new size a moment after the window has.
      const told = async () => {
        const { clashes, least, many } = await look();
        return { clashes, legible: least >= 11, several: many > 6 };
      };
      await expect.poll(told, `at ${width}`).toEqual({ clashes: [], legible: true, several: true });
    }
  });
}

test("a side has one colour and one flag in the header, in the question and on the table", async ({ open }) => {
  const page = await open("/");
  await begin(page, /von Futsch/, /The Ford/, ["hotseat", "hotseat"]);
  await page.locator("[data-label=R1]").waitFor();
  const colours = await page.evaluate(() => ({
    header: getComputedStyle(document.querySelector(".sides .m0"), "::before").backgroundImage,
    other: getComputedStyle(document.querySelector(".sides .m1"), "::before").backgroundImage,
    asked: getComputedStyle(document.querySelector(".asked .mark"), "::before").backgroundImage,
    flags: [...document.querySelectorAll("[data-label]")].every((l) => l.querySelector("[data-flag]")),
    label: getComputedStyle(document.querySelector("[data-label=R1] rect")).stroke,
  }));
  expect(colours.label).toBe("rgb(184, 35, 47)");
  expect(colours.header).toMatch(/^url\("data:image\/svg/);
  expect(colours.other, "each its own").not.toBe(colours.header);
  expect([colours.header, colours.other], "the same where it is asked").toContain(colours.asked);
  expect(colours.flags, "and every name on the table has one").toBe(true);
});

test("nothing is pushed about while a table opens", async ({ open, base }) => {
  const wish = { ruleset: "seven-years-war", scenario: "the-heath-before-thalheim", seed: "7", seats: [{ kind: "me" }, { kind: "program:random" }] };
  const made = await make(base, wish);
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 412, height: 823 },
  ]) {
    const page = await open("/programs", { viewport });
    await page.addInitScript(() => {
      window.shifted = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((e) => (window.shifted += e.value))).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(made.link);
    await page.locator("[data-label]").first().waitFor();
    await page.locator("[data-answer]").first().waitFor();
    await page.getByRole("tab", { name: "Briefing" }).waitFor();
    await page.locator(".briefing .task").first().waitFor();
    expect(await page.evaluate(() => window.shifted)).toBeLessThan(0.02);
  }
});

test("the table's tools lie beside it and never over it, whatever the window", async ({ open }) => {
  const page = await open("/");
  await page.locator("[data-first='von-futsch']").click();
  await page.waitForURL(/\/game\//);
  await page.locator("[data-label]").first().waitFor();
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [820, 1180],
    [390, 844],
    [320, 640],
  ]) {
    await page.setViewportSize({ width, height });
    const over = () =>
      page.evaluate(() => {
        const svg = document.querySelector(".table > svg");
        const [x, y, wide] = svg.getAttribute("viewBox").split(" ").map(Number);
        const box = svg.getBoundingClientRect();
        const k = box.width / wide;
        const edge = document.querySelector("#edge rect");
        const size = [Number(edge.getAttribute("width")), Number(edge.getAttribute("height"))];
        if (Number(document.querySelector("[data-turn]").dataset.turn) % 180) size.reverse();
        const [left, top] = [box.left - x * k, box.top - y * k];
        const [right, foot] = [left + size[0] * k, top + size[1] * k];
        const tools = [...document.querySelectorAll(".tools button")].map((b) => b.getBoundingClientRect());
        return { many: tools.length > 4, over: tools.filter((t) => t.left < right && t.right > left && t.top < foot && t.bottom > top).length };
      });
    await expect.poll(over, `at ${width}`).toEqual({ many: true, over: 0 });
  }
});
