// Together: two browsers, one of which goes and comes back; one screen for two; watching; talk.

import { encode } from "uqr";
import { begin, expect, seated, seen, test, wentOn } from "./harness.mjs";
import { decide, decision, playOut, whim } from "./player.mjs";

const wbk = [/Men Who Would Be Kings/, /Bordj/];

/** Plays this seat's decisions until so many are made or the battle is over. */
async function some(page, random, most, how) {
  for (let i = 0; i < most; i++) {
    const now = await decision(page);
    if (now.over) return;
    await decide(page, random, now, how);
    await wentOn(page, now);
  }
}

test("two browsers play each other, one goes and comes back", async ({ open }) => {
  const red = await open("/", { permissions: ["clipboard-read", "clipboard-write"] });
  await begin(red, ...wbk, ["me", "link"]);
  await red.getByRole("tab", { name: /Talk/ }).click();
  await red.getByRole("button", { name: /Copy the link for/ }).click();
  const link = await red.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/game\/[A-Za-z0-9]+#[\w-]{43}$/);
  let blue = await open(link);
  await seated(blue);
  await red.getByText("●").nth(1).waitFor();

  await blue.getByRole("tab", { name: /Talk/ }).click();
  await blue.getByLabel("Say something").fill("Good day, sir.");
  await blue.getByLabel("Say something").press("Enter");
  await red.getByText("Good day, sir.").waitFor();

  const quick = { hurry: 0.9, drags: 0.2 };
  await Promise.all([some(red, whim(1), 3, quick), some(blue, whim(2), 3, quick)]);

  // The other goes away, and is seen to be gone; comes back through the front page, exactly where it was.
  const context = blue.context();
  await blue.close({ runBeforeUnload: true }); // as a tab is closed
  // Picking a unit may have brought up its card.
  await red.getByRole("tab", { name: /Talk/ }).click();
  await red.getByText("away").waitFor();
  const n = (await seen(red)).n;
  blue = await context.newPage();
  await blue.goto("/");
  await blue.getByRole("link", { name: /Bordj/ }).click();
  await seated(blue);
  await blue.waitForFunction((n) => Number(document.querySelector(".board")?.dataset.n) >= n, Number(n));
  await red.getByText("away").waitFor({ state: "detached" });
  await blue.getByRole("tab", { name: /Talk/ }).click();
  await blue.getByText("Good day, sir.").waitFor();

  await Promise.all([some(red, whim(3), 400, { hurry: 0.97, drags: 0 }), some(blue, whim(4), 400, { hurry: 0.97, drags: 0 })]);
  await red.getByRole("link", { name: "Replay" }).waitFor();
  await blue.getByRole("link", { name: "Replay" }).waitFor();
});

test("a lost connection is told, and mended", async ({ open }) => {
  const page = await open("/");
  // The socket is cut from outside once, as a bad line would.
  await page.addInitScript(() => {
    const Real = WebSocket;
    window.sockets = [];
    window.WebSocket = class extends Real {
      constructor(...a) {
        super(...a);
        window.sockets.push(this);
      }
    };
  });
  await begin(page, ...wbk, ["me", "program:random"]);
  await decision(page);
  await page.evaluate(() => window.sockets.at(-1).close());
  await page.getByText("The connection is lost").waitFor();
  await page.getByText("The connection is lost").waitFor({ state: "detached" });
  const now = await decision(page);
  expect(now.answers.length, "the same decision is offered again").toBeGreaterThan(0);
});

test("hotseat: two at one screen", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...wbk, ["me", "hotseat"]);
  const asked = new Set();
  await playOut(page, { seed: 6, hurry: 0.97, drags: 0, each: async () => asked.add((await page.locator(".asked h2").textContent()).trim()) });
  expect([...asked], "both were asked").toEqual(expect.arrayContaining(["Imperial", "Native"]));
});

test("a curtain between two at one screen, where something is hidden", async ({ open }) => {
  const page = await open("/");
  await begin(page, /^Seven Years War/, /Redoubt at Kagul/, ["me", "hotseat"], { curtain: true });
  const curtain = page.locator(".curtain");
  /** Nothing of the table is in the page: no unit, no log, no answer, no picture of it. */
  const bare = async () =>
    page.evaluate(() => ({
      units: document.querySelectorAll("[data-unit], [data-answer], [data-reserve], .board, .picture, ol").length,
      pictures: [...document.images].map((i) => new URL(i.src).pathname).join(),
      asked: document.querySelector("main").innerText,
    }));
  expect(await bare()).toMatchObject({ units: 0, pictures: "/hat.svg" });
  await page.getByRole("button", { name: /^I am / }).click();
  // Tatars on a flank march: their own side knows of them, the other does not.
  const tatars = /Tatars/;
  const knew = {};
  const random = whim(17);
  let handed = 0;
  for (let i = 0; i < 120 && handed < 4; i++) {
    if (await curtain.count()) {
      handed += 1;
      expect(await bare(), "nothing of the table is behind the curtain").toMatchObject({ units: 0, pictures: "/hat.svg", asked: expect.stringContaining("Hand over to") });
      await page.getByRole("button", { name: /^I am / }).click();
    }
    const now = await decision(page);
    const who = (await page.locator(".asked h2").textContent()).replace(/:.*/, "").trim();
    await page.getByRole("tab", { name: "Unit" }).click();
    // Of a unit in hand its card is shown; of none, who is not on the table.
    if (!(await page.locator("[data-unit][aria-pressed=true]").count()))
      (knew[who] ??= new Set()).add(tatars.test(await page.evaluate(() => document.querySelector(".absent")?.innerText ?? "")));
    await decide(page, random, now, { hurry: 0.95, drags: 0 });
    // Either it goes on at this seat, with all that is offered, or the curtain has fallen: not the moment between the two.
    await page.waitForFunction((n) => {
      const board = document.querySelector(".board");
      return document.querySelector(".curtain") || (board && board.dataset.n !== n && board.dataset.ready === "true");
    }, now.n);
  }
  expect(handed, "handed over").toBeGreaterThanOrEqual(4);
  expect([[...knew.Ottoman], [...knew.Russian]], "who marches round the flank is known to one side alone").toEqual([[true], [false]]);
  // And without it, if that is what they want.
  await page.evaluate(() => localStorage.setItem("curtain", '"never"'));
  await page.reload();
  await seated(page);
});

test("a draw: offered, lapsed, declined, accepted", async ({ open }) => {
  const red = await open("/");
  await begin(red, ...wbk, ["me", "link"]);
  const blue = await open(await red.locator("[data-invite] input").inputValue());
  await seated(blue);
  const offer = async (page) => {
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Offer a draw…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Offer it" }).click();
    await page.keyboard.press("Escape");
  };
  const asked = (page) => page.getByRole("group", { name: "A draw" });
  // Who must decide acts instead: the offer has lapsed, for both.
  const [mover, other] = await Promise.race([decision(red).then(() => [red, blue]), decision(blue).then(() => [blue, red])]);
  await offer(other);
  await expect(asked(mover)).toContainText("offers a draw");
  await expect(asked(other)).toContainText("You offer a draw");
  const now = await decision(mover);
  await decide(mover, whim(3), now, { drags: 0, hurry: 0.9 });
  await wentOn(mover, now);
  await expect(asked(mover)).toHaveCount(0);
  await expect(asked(other)).toHaveCount(0);
  // Declined, and said so; what was said of it stands in the talk.
  await offer(red);
  await asked(blue).getByRole("button", { name: "Decline" }).click();
  await expect(asked(red)).toContainText("declines the draw");
  await blue.getByRole("tab", { name: /Talk/ }).click();
  await expect(blue.getByText("I offer a draw.").first()).toBeVisible();
  // Offered once more after the next action, and accepted: over for both, drawn, and so in the replay.
  const [next] = await Promise.race([decision(red).then(() => [red]), decision(blue).then(() => [blue])]);
  const then = await decision(next);
  await decide(next, whim(4), then, { drags: 0, hurry: 0.9 });
  await wentOn(next, then);
  await offer(blue);
  await asked(red).getByRole("button", { name: "Accept the draw" }).click();
  for (const page of [red, blue]) {
    await expect(page.locator(".asked")).toContainText("A draw was offered and accepted");
    await expect(asked(page)).toHaveCount(0);
  }
  await red.getByRole("link", { name: "Replay" }).click();
  await expect(red.getByText("A draw was offered and accepted")).toBeVisible();
});

for (const [rules, battle] of [
  [/Men Who Would Be Kings/, /Bordj/],
  [/^All the King/, /Walled Farm/],
  [/von Futsch/, /The Ford/],
  [/^Seven Years War/, /Kettle Brook/],
]) {
  test(`${battle.source}: a program answers an offered draw at once`, async ({ open }) => {
    const page = await open("/");
    await begin(page, rules, battle, ["me", "program:random"]);
    await decision(page);
    await page.getByRole("button", { name: "Settings" }).click();
    await expect(page.getByRole("button", { name: "Give up the battle…" })).toBeEnabled();
    await page.getByRole("button", { name: "Offer a draw…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Offer it" }).click();
    await expect(page.getByText("declines the draw").or(page.getByText("A draw was offered and accepted")).first()).toBeVisible();
  });
}

test("whoever has the link may watch, and only watch", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...wbk, ["me", "program:random"]);
  const id = /game\/(\w+)/.exec(page.url())[1];
  const other = await open(`/game/${id}`);
  await seated(other);
  await other.getByText("You are watching.").waitFor();
  await expect(other.locator("[data-answer]")).toHaveCount(0);
  await decision(page);
  await expect(page).toHaveTitle(/Your decision/);
  expect(await other.title()).not.toMatch(/Your decision/);
});

test("who looks elsewhere is told when it is their decision", async ({ open }) => {
  const page = await open("/");
  // A window that is hidden when the test says so, and notifications that can be read.
  await page.addInitScript(() => {
    window.told = [];
    window.Notification = class {
      static permission = "granted";
      constructor(title, { body }) {
        window.told.push(`${title}: ${body}`);
      }
    };
    Object.defineProperty(document, "hidden", { get: () => window.away ?? false });
  });
  await begin(page, ...wbk, ["me", "program:random"]);
  const random = whim(5);
  const hurry = { hurry: 0.97, drags: 0 };
  let now = await decision(page);
  expect(await page.evaluate(() => window.told), "who is here is not told").toEqual([]);
  await page.evaluate(() => {
    window.away = true;
  });
  for (let i = 0; i < 60 && !(await page.evaluate(() => window.told.length)); i++) {
    await decide(page, random, now, hurry);
    await wentOn(page, now);
    now = await decision(page);
  }
  const [told] = await page.evaluate(() => window.told);
  expect(told).toMatch(/^Tricorne: \S+/);
  await expect(page).toHaveTitle(/^● Your decision/);
});

test("an open seat is taken from the front page; the clock runs", async ({ open }) => {
  const page = await open("/");
  await page.locator("fieldset").getByRole("button", { name: wbk[0] }).first().click();
  await page.locator("fieldset").getByRole("button", { name: wbk[1] }).first().click();
  await page.locator("fieldset select").nth(1).selectOption("open");
  await page.getByText("More: title").click();
  const title = `Open ${test.info().repeatEachIndex}`;
  await page.getByLabel("Title").fill(title);
  await page.getByLabel(/Minutes for each player/).fill("5");
  await page.getByRole("button", { name: "Begin the battle" }).click();
  await seated(page);
  await page.getByRole("list", { name: "Clocks" }).getByText("5:00").first().waitFor();
  const other = await open("/");
  await other.locator("li", { hasText: title }).getByRole("button", { name: /Play/ }).click();
  await seated(other);
  await other.getByText("is deciding").or(other.getByText("your decision")).first().waitFor();
});

test("a name and a password: the games follow the person", async ({ open }) => {
  const page = await open("/");
  const name = `Anna ${test.info().repeatEachIndex}`;
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill("a long enough word");
  await page.getByRole("button", { name: "Make a new name" }).click();
  await page.getByText(name).waitFor();
  await begin(page, ...wbk, ["me", "program:random"]);
  const elsewhere = await open("/");
  await elsewhere.getByRole("button", { name: "Log in" }).click();
  await elsewhere.getByLabel("Name").fill(name);
  await elsewhere.getByLabel("Password").fill("a long enough word");
  await elsewhere.locator("form").getByRole("button", { name: "Log in" }).click();
  await elsewhere.getByRole("heading", { name: "Your games" }).waitFor();
  await elsewhere.getByRole("link", { name: /Bordj/ }).first().click();
  const now = await decision(elsewhere);
  expect(now.answers.length, "the seat is theirs here too").toBeGreaterThan(0);
});

test("games begun before there was a name follow it once there is one, and stay with it", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...wbk, ["me", "program:random"]);
  await decision(page);
  const enter = async (page, name, button) => {
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Password").fill("a long enough word");
    await page.locator("form").getByRole("button", { name: button }).click();
    await page.getByRole("button", { name: "Log out" }).waitFor();
  };
  const name = `Berta ${test.info().repeatEachIndex}`;
  await page.goto("/");
  await enter(page, name, "Make a new name");
  const elsewhere = await open("/");
  await enter(elsewhere, name, "Log in");
  await elsewhere.getByRole("heading", { name: "Your games" }).waitFor();
  await elsewhere.getByRole("link", { name: /Bordj/ }).first().click();
  expect((await decision(elsewhere)).answers.length, "the seat came along").toBeGreaterThan(0);
  // Somebody else who logs in at the same machine does not take it away.
  await page.reload();
  await page.getByRole("button", { name: "Log out" }).click();
  await enter(page, `Carl ${test.info().repeatEachIndex}`, "Make a new name");
  await elsewhere.goto("/");
  await expect(elsewhere.getByRole("link", { name: /Bordj/ })).toHaveCount(1);
});

test("the friend's link as a square of dots, for a telephone", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...wbk, ["me", "link"]);
  const link = await page.locator("[data-invite] input").inputValue();
  await page.locator("[data-invite]").getByRole("button", { name: "QR" }).click();
  const path = await page
    .getByRole("img", { name: /as a QR code/ })
    .locator("path")
    .getAttribute("d");
  const { data } = encode(link, { border: 2, ecc: "M" });
  expect(path.match(/M\d+ \d+/g).length, "every dot of the link's code").toBe(data.flat().filter(Boolean).length);
});
