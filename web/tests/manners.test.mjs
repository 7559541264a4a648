// Manners of the page: it briefs, it asks before what can't be undone, it keeps keys to itself, it fits a small screen.

import { begin, expect, over, seated, test } from "./harness.mjs";
import { decision } from "./player.mjs";

const bordj = [/Men Who Would Be Kings/, /Bordj/];
const farm = [/^All the King/, /Walled Farm/];
const ford = [/von Futsch/, /The Ford/];
const brook = [/^Seven Years War/, /Kettle Brook/];

for (const battle of [bordj, farm, ford, brook]) {
  test(`${battle[1].source}: a briefing before the battle and during it`, async ({ open }) => {
    const page = await open("/");
    await page.locator("fieldset").getByRole("button", { name: battle[0] }).first().click();
    await page.locator("fieldset").getByRole("button", { name: battle[1] }).first().click();
    const told = page.getByRole("article", { name: "Briefing" });
    await expect(told.getByText(/^Your task/)).toBeVisible();
    await expect(told.getByText("How you win.")).toBeVisible();
    await expect(told.getByText(/turns/).first()).toBeVisible();
    await page.getByRole("button", { name: "Begin the battle" }).click();
    await page.waitForURL(/\/game\//);
    await seated(page);
    await page.getByRole("tab", { name: "Briefing" }).click();
    await expect(told.getByText(/^Your task/)).toBeVisible();
    await expect(told.getByText(/^Now:/).first()).toBeVisible();
  });
}

test("giving up is away from the orders and asked for twice", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...ford, ["me", "program:random"]);
  const now = await decision(page);
  expect(now.answers.filter((a) => /concede/.test(a))).toEqual([]);
  const giveUp = async (answer) => {
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Give up the battle…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: answer }).click();
  };
  await giveUp("Fight on");
  expect((await decision(page)).n).toBe(now.n);
  await page.keyboard.press("Escape");
  await giveUp("Give up");
  await expect.poll(() => over(page)).toBe(true);
});

test("a seat's key leaves the address at once, and the seat is kept", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...bordj, ["me", "program:random"]);
  expect(new URL(page.url()).hash).toBe("");
  await page.reload();
  await seated(page);
  await expect(page.locator(".board")).toHaveAttribute("data-n", /\d/);
  await expect(page.getByText("You are watching.")).toHaveCount(0);
  // Another browser with the bare address only looks on.
  const other = await open(new URL(page.url()).pathname);
  await expect(other.getByText("You are watching.")).toBeVisible();
});

test("the link for a friend is shown at once, and forgetting a game asks", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...bordj, ["me", "link"]);
  const link = await page.locator("[data-invite] input").inputValue();
  expect(link).toMatch(/\/game\/[A-Za-z0-9]+#[\w-]{43}$/);
  const friend = await open(link);
  await seated(friend);
  await expect(page.locator("[data-invite]"), "once the friend is here it has done its work").toHaveCount(0);
  await page.goto("/");
  await page.getByRole("button", { name: /^Forget/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep it" }).click();
  await expect(page.getByRole("button", { name: /^Forget/ })).toHaveCount(1);
  await page.getByRole("button", { name: /^Forget/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Forget it" }).click();
  await expect(page.getByRole("button", { name: /^Forget/ })).toHaveCount(0);
});

test("what was said while we looked elsewhere is marked until it is read", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...bordj, ["me", "link"]);
  const friend = await open(await page.locator("[data-invite] input").inputValue());
  await seated(friend);
  await friend.getByRole("tab", { name: /Talk/ }).click();
  for (const line of ["Good evening.", "Shall we?"]) {
    await friend.getByLabel("Say something").fill(line);
    await friend.getByLabel("Say something").press("Enter");
  }
  await expect(page.getByRole("tab", { name: "Talk (2)" })).toBeVisible();
  await expect(friend.getByRole("tab", { name: "Talk", exact: true }), "one's own words are read").toBeVisible();
  await page.getByRole("tab", { name: /Talk/ }).click();
  await expect(page.getByRole("tab", { name: "Talk", exact: true })).toBeVisible();
  await page.reload();
  await seated(page);
  await expect(page.getByRole("tab", { name: "Talk", exact: true }), "and stay read").toBeVisible();
});

test("house rules stand under the chapters of the book, in words", async ({ open }) => {
  const page = await open("/");
  await page.locator("fieldset").getByRole("button", { name: bordj[0] }).first().click();
  await page.locator("fieldset").getByRole("button", { name: bordj[1] }).first().click();
  await page.getByText("More: title, clock, house rules").click();
  await page.getByText(/^House rules/).click();
  const chapters = page.locator(".chapters > details");
  await expect.poll(() => chapters.count()).toBeGreaterThan(3);
  await chapters.first().locator("summary").click();
  const label = await chapters.first().locator("label > span").first().textContent();
  expect(label).toMatch(/^[A-Z].* /);
  expect(label).not.toMatch(/_/);
});

test("nothing is wider than a screen of 320 points", async ({ open }) => {
  const page = await open("/", { viewport: { width: 320, height: 640 } });
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.locator("fieldset").getByRole("button", { name: bordj[0] }).first().click();
  await page.locator("fieldset").getByRole("button", { name: bordj[1] }).first().click();
  await page.getByRole("article", { name: "Briefing" }).waitFor();
  expect(await wide(), "the front page").toBeLessThanOrEqual(320);
  await page.getByRole("button", { name: "Begin the battle" }).click();
  await page.waitForURL(/\/game\//);
  await seated(page);
  expect(await wide(), "the table").toBeLessThanOrEqual(320);
  const id = /game\/(\w+)/.exec(page.url())[1];
  await page.goto(`/replay/${id}`);
  await page.locator(".scrub").waitFor();
  expect(await wide(), "a replay").toBeLessThanOrEqual(320);
});

test("the page has its sign", async ({ open, base }) => {
  await open("/");
  const icon = await fetch(`${base}/favicon.ico`);
  expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/x-icon"]);
});
