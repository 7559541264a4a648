// Manners of the page: it briefs, it asks before what can't be undone, it keeps keys to itself, it fits a small screen.

import { begin, expect, make, over, seated, sound, test, wentOn } from "./harness.mjs";
import { decide, decision, whim } from "./player.mjs";

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
    await expect(told.getByText(/it takes (a few|about) /), "how long it takes").toBeVisible();
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
  // What sticks out, by name, where something does.
  const fits = (where) =>
    expect
      .poll(
        () =>
          page.evaluate(() => {
            const wide = document.documentElement.scrollWidth;
            if (wide <= 320) return "";
            const out = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > 321).slice(-3);
            return `${wide}: ${out.map((e) => e.outerHTML.slice(0, 90)).join(" | ")}`;
          }),
        where,
      )
      .toBe("");
  await page.locator("fieldset").getByRole("button", { name: bordj[0] }).first().click();
  await page.locator("fieldset").getByRole("button", { name: bordj[1] }).first().click();
  await page.getByRole("article", { name: "Briefing" }).waitFor();
  await fits("the front page");
  await page.getByText("More: title, clock, house rules").click();
  await page.getByText(/^House rules/).click();
  await page.locator(".chapters > details summary").first().click();
  await fits("the front page with all open");
  for (const name of ["Log in", "Settings"]) {
    await page.getByRole("button", { name }).first().click();
    await fits(name);
    await page.getByRole("button", { name }).first().click();
  }
  await page.getByRole("button", { name: "Begin the battle" }).click();
  await page.waitForURL(/\/game\//);
  await seated(page);
  await fits("the table");
  for (const tab of ["Briefing", "Unit", "Log", "Rules", "Talk"]) {
    await page.getByRole("tab", { name: tab }).click();
    await fits(`the tab ${tab}`);
  }
  await page.getByRole("tab", { name: "Rules" }).click();
  await page.getByText("Quick reference").click();
  await fits("the quick reference");
  await page.getByRole("button", { name: "Settings" }).click();
  await fits("the settings at the table");
  const id = /game\/(\w+)/.exec(page.url())[1];
  await page.goto(`/replay/${id}`);
  await page.locator(".scrub").waitFor();
  await fits("a replay");
  await page.goto("/");
  await begin(page, ...bordj, ["program:random", "program:random"]);
  await page.getByRole("link", { name: "The dispatch" }).click();
  await page.locator(".columns section").first().waitFor();
  await fits("the dispatch");
  await page.goto("/programs");
  await page.getByRole("heading", { name: "Programs that play here" }).waitFor();
  await fits("for programs");
  await page.goto("/armies?ruleset=would-be-kings");
  await page.getByRole("button", { name: "Muster by chance" }).first().click();
  await page.locator(".units > li").nth(1).waitFor();
  await fits("the army builder");
  await page.goto("/editor?ruleset=would-be-kings");
  await page.locator(".verdict").waitFor();
  await fits("the editor");
  await page.goto("/game/abcabcabcabcabcabcab");
  await page.getByText("no such game").waitFor();
  await fits("no such table");
});

test("the rule book opens at what goes on, finds victory and shows the charts", async ({ open }) => {
  const page = await open("/");
  for (const battle of [bordj, farm, ford, brook]) {
    await page.goto("/");
    await begin(page, ...battle, ["me", "program:random"]);
    await decision(page);
    await page.getByRole("tab", { name: "Rules" }).click();
    await page.getByLabel("Find in the rules").fill("victory");
    await expect(page.locator(".book li").first(), "the first that is found speaks of winning").toContainText(/victor|win|won|ends/i);
    await page.locator(".book li button").first().click();
    await expect(page.locator(".book article .text")).toContainText(/victor|win|won|ends/i);
    await page.getByRole("button", { name: "all sections" }).click();
    await page.getByText("Quick reference").click();
    await expect(page.locator(".sheet table").first()).toBeVisible();
    await expect(page.getByRole("link", { name: "The sheet to print" })).toHaveAttribute("href", /\/api\/sheets\//);
  }
});

test("the charts at a table are those of its house rules: the scenario's own and those chosen", async ({ open, base }) => {
  const seats = [{ kind: "me" }, { kind: "program:random" }];
  for (const [wish, rule] of [
    [{ ruleset: "all-the-kings-men", scenario: "cowpens" }, "elite and militia"],
    [{ ruleset: "would-be-kings", scenario: "the-bordj", options: { turn_order: "cards" } }, "turn order"],
  ]) {
    const made = await make(base, { ...wish, seats, seed: "5" });
    const page = await open(made.link);
    await seated(page);
    await page.getByRole("tab", { name: "Rules" }).click();
    await page.getByText("Quick reference").click();
    await expect(page.locator(".sheet").getByText(/^Played otherwise/)).toBeVisible();
    await expect(page.locator(".sheet td").getByText(rule)).toBeVisible();
    const paper = await page.getByRole("link", { name: "The sheet to print" }).getAttribute("href");
    expect(paper).toContain("options=");
    expect((await fetch(base + paper)).status).toBe(200);
  }
});

test("what programs can do here is told to people", async ({ open }) => {
  const page = await open("/");
  await page.getByRole("link", { name: "for programs" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("For programs");
  await expect(page.getByText("subaltern", { exact: true })).toBeVisible();
  await sound(page, "for programs");
});

test("with motion put aside what others do is heard all the same, and written", async ({ open }) => {
  const page = await open("/");
  await page.evaluate(() => localStorage.setItem("sound", "true"));
  await begin(page, ...bordj, ["me", "program:subaltern"]);
  const random = whim(8);
  const caption = page.locator("[data-caption]");
  // Captions come and go: whoever was written is kept.
  await page.evaluate(() => {
    window.written = [];
    new MutationObserver(() => {
      const now = document.querySelector("[data-caption]")?.textContent;
      if (now && window.written.at(-1) !== now) window.written.push(now);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const written = () => page.evaluate(() => window.written.length);
  for (let i = 0; i < 60 && !(await written()); i++) {
    const now = await decision(page);
    if (now.over) break;
    await decide(page, random, now, { drags: 0, hurry: 0.5 });
    await wentOn(page, now);
  }
  expect(await written(), `a caption was written; the last is ${await caption.count()}`).toBeGreaterThan(0);
});

test("the page has its sign", async ({ open, base }) => {
  await open("/");
  const icon = await fetch(`${base}/favicon.ico`);
  expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/x-icon"]);
});

test("where those who wait may be set up is drawn, and nobody leaves their list before he is placed", async ({ open }) => {
  const page = await open("/");
  await begin(page, /^All the King/, /Meeting at Dawn/, ["me", "program:random"]);
  await seated(page);
  await page.locator(".board[data-ready=true][data-yours=true] [data-reserve]").first().waitFor();
  await expect(page.getByText("deployment zone", { exact: true }).first()).toBeVisible();
  await expect(page.locator(".overlay").first()).toBeVisible();
  const waiting = await page.locator("[data-reserve]").count();
  await page.locator("[data-reserve]").first().click();
  await expect(page.getByText("deployment zone", { exact: true }).first()).toBeVisible();
  expect(await page.locator("[data-reserve]").count()).toBe(waiting);
});

test("a zone of slanted sides is drawn with them, and not as the box round it", async ({ open, base }) => {
  const zones = { red: "[30, 2], [60, 2], [52, 14], [38, 14]", black: "[30, 46], [60, 46], [52, 34], [38, 34]" };
  const armies = Object.entries(zones).map(([army, corners]) => `[armies.${army}]\nzone = [{ polygon = [${corners}] }]\n`);
  const units = Object.keys(zones).flatMap((army) => [1, 2].map((n) => `[[unit]]\nid = "${army[0].toUpperCase()}${n}"\nkind = "I"\narmy = "${army}"\n`));
  const text = `format = 1\nruleset = "all-the-kings-men"\ntitle = "Over the bridge"\ntable = [72, 48]\n${armies.join("")}${units.join("")}`;
  const made = await make(base, { ruleset: "all-the-kings-men", text, seats: [{ kind: "me" }, { kind: "me" }], seed: "5" });
  const page = await open(made.link);
  await page.locator(".board[data-ready=true][data-yours=true] [data-reserve]").first().waitFor();
  const d = await page.locator(".overlay").first().getAttribute("d");
  const across = d.match(/-?[\d.]+/g).filter((_, i) => i % 2 === 0);
  expect(across.map(Number).sort(), d).toEqual([30, 38, 52, 60]);
});
