// An officer's counsel: asked for and never pressed on anybody, a few answers, the best first, with what speaks for each.

import { begin, expect, test, wentOn } from "./harness.mjs";
import { decision } from "./player.mjs";

for (const [rules, battle] of [
  [/Men Who Would Be Kings/, /Bordj/],
  [/von Futsch/, /Two Millers/],
  [/^All the King/, /Walled Farm/],
  [/^Seven Years War/, /Kettle Brook/],
]) {
  test(`${battle.source}: an officer says what he would do, and why; who follows him acts`, async ({ open }) => {
    const page = await open("/");
    await begin(page, rules, battle, ["me", "program:random"]);
    const why = page.locator(".counsel .because");
    let reasons = 0;
    for (let i = 0; i < 40 && !reasons; i++) {
      const now = await decision(page);
      const ask = page.getByRole("button", { name: "What would an officer do?" });
      if (await ask.count()) {
        await ask.click();
        const first = page.locator("[data-counsel]").first();
        await first.waitFor();
        expect(await page.locator("[data-counsel]").count(), "few").toBeLessThanOrEqual(3);
        reasons = await why.count();
        await first.click();
        // What is a place or a path is laid out first.
        await page.waitForFunction((n) => document.querySelector(".board")?.dataset.n !== n || document.querySelector("[data-do]"), now.n);
        const yes = page.locator("[data-do]");
        if (await yes.count()) await yes.click();
      } else await page.locator("[data-answer]:not(:disabled)").first().click();
      await wentOn(page, now);
    }
    expect(reasons, "he has said why").toBeGreaterThan(0);
  });
}
