// Axe finds no serious or critical fault on any page, by light and by dark.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { begin, seen, test } from "./harness.mjs";
import { decide, decision, whim } from "./player.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function sound(page, where) {
  await page.evaluate(axe); // not a script of the page: its content policy would refuse that, and rightly
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const bad = violations.filter((v) => v.impact === "serious" || v.impact === "critical");
  assert.deepEqual(bad.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`), [], where);
}

for (const light of ["light", "dark"]) {
  test(`axe, ${light}: front page, table, replay`, async ({ open }) => {
    const page = await open("/", { light });
    await page.getByRole("button", { name: /Men Who Would Be Kings/ }).waitFor();
    await sound(page, "front page");
    await page.getByRole("button", { name: /^All the King/ }).first().click();
    await page.getByRole("button", { name: /Walled Farm/ }).first().click();
    await page.getByText("More: title").click();
    await page.getByText(/^House rules/).click();
    await page.getByRole("button", { name: "Log in" }).click();
    await sound(page, "front page with all open");
    await page.getByRole("button", { name: "Log in" }).first().click();
    await begin(page, /^All the King/, /Walled Farm/, ["me", "program:random"]);
    const random = whim(12);
    for (let i = 0; i < 3; i++) {
      await decision(page);
      if (i === 0) await page.keyboard.press("n");
      await sound(page, `the table, decision ${i}`);
      const now = await seen(page);
      await decide(page, random, now, { drags: 0, hurry: 0.3 });
      await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
    }
    await page.getByRole("button", { name: "Settings" }).click();
    await sound(page, "the settings");
    await page.keyboard.press("Escape");
    for (const tab of ["Unit", "Rules", "Talk"]) {
      await page.getByRole("tab", { name: tab }).click();
      await sound(page, `the tab ${tab}`);
    }
    await page.locator(".table").click({ position: { x: 5, y: 5 } });
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    await sound(page, "the keys");
    const other = await open("/", { light });
    await begin(other, /Men Who Would Be Kings/, /Bordj/, ["program:random", "program:random"]);
    await other.getByRole("link", { name: "Replay" }).waitFor({ timeout: 60_000 });
    await sound(other, "the end");
    await other.getByRole("link", { name: "Replay" }).click();
    await other.getByText("The dice were fair").waitFor();
    await other.getByRole("button", { name: "Play on from here" }).waitFor();
    await sound(other, "the replay");
  });
}
