// The club's pages: an evening kept from its first round to its end, looked at by others, and the leader board.

import { expect, sound, test } from "./harness.mjs";

test("an evening: begun, paired, results entered, somebody comes later, ended; others only look", async ({ open }) => {
  const page = await open("/club");
  await expect(page.getByText("log in, above")).toBeVisible();
  const name = `Keeper ${test.info().repeatEachIndex}`;
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Make a new name" }).click();
  await page.getByLabel("What it is called").fill("The first Tuesday");
  const begin = page.getByRole("button", { name: /^Begin the evening/ });
  await expect(begin).toBeDisabled();
  await page.getByRole("textbox", { name: /^Who plays/ }).fill("Anna\nBerta\nCarl\nDora");
  await begin.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The first Tuesday");
  await page.getByRole("button", { name: "Pair round 1" }).click();
  await expect(page.getByRole("heading", { name: "Round 1" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Pair round 2" }), "two games are not over").toBeDisabled();
  const games = page.getByRole("group", { name: /^What came of/ });
  await expect(games).toHaveCount(2);
  const winner = (await games.nth(0).getByRole("button").first().textContent()).replace(" won", "");
  await games.nth(0).getByRole("button").first().click();
  await games.nth(1).getByRole("button", { name: "Drawn" }).click();
  await expect(page.locator("tbody tr").first().locator("th")).toHaveText(winner);
  await expect(page.locator("tbody tr").first().locator("td").nth(1)).toHaveText("1");
  await page.getByLabel("Who comes later").fill("Emil");
  await page.getByRole("button", { name: "Let them in" }).click();
  await expect(page.locator("tbody tr")).toHaveCount(5);
  await page.getByRole("button", { name: "Pair round 2" }).click();
  await expect(page.getByText("has this round off")).toBeVisible();
  await sound(page, "an evening");
  // Somebody else sees it and can change nothing.
  const other = await open(new URL(page.url()).pathname);
  await expect(other.getByRole("heading", { name: "Round 2" })).toBeVisible();
  await expect(other.getByRole("button", { name: /won$/ })).toHaveCount(0);
  await expect(other.getByRole("button", { name: /^Pair/ })).toHaveCount(0);
  // What can't be undone is asked about.
  await page.getByRole("button", { name: "End the evening" }).click();
  await page.getByRole("button", { name: "Yes, end it" }).click();
  await expect(page.getByText(/· over/)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Pair/ })).toHaveCount(0);
  await page.getByRole("link", { name: "The club" }).click();
  await expect(page.getByRole("link", { name: "The first Tuesday" }).first()).toBeVisible();
  await sound(page, "the club");
});
