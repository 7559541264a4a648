// Axe finds no serious or critical fault on any page, by light and by dark.

import { begin, seen, sound, test, wentOn } from "./harness.mjs";
import { decide, decision, whim } from "./player.mjs";

for (const light of ["light", "dark"]) {
  test(`axe, ${light}: front page, table, replay`, async ({ open }) => {
    const page = await open("/", { light });
    await page
      .locator("fieldset")
      .getByRole("button", { name: /Men Who Would Be Kings/ })
      .waitFor();
    await sound(page, "front page");
    await page
      .getByRole("button", { name: /^All the King/ })
      .first()
      .click();
    await page
      .getByRole("button", { name: /Walled Farm/ })
      .first()
      .click();
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
      await wentOn(page, now);
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
    await other.getByRole("link", { name: "Replay" }).waitFor();
    await sound(other, "the end");
    await other.getByRole("link", { name: "Replay" }).click();
    await other.getByText("The dice were fair").waitFor();
    await other.getByRole("button", { name: "Play on from here" }).waitFor();
    await sound(other, "the replay");
  });

  test(`axe, ${light}: names, tables in the list, a wrong file, the curtain, the tape, no such table`, async ({ open }) => {
    const page = await open("/", { light });
    await page.getByLabel(/scenario file of your own/).setInputFiles({ name: "bad.toml", mimeType: "text/plain", buffer: Buffer.from("title = ") });
    await page.getByRole("alert").waitFor();
    await sound(page, "a wrong file");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByLabel("Name").fill("Nobody");
    await page.getByLabel("Password").fill("a wrong password");
    await page.locator("form").getByRole("button", { name: "Log in" }).click();
    await page.locator("form").getByRole("alert").waitFor();
    await sound(page, "a wrong password");
    await page.getByLabel("Name").fill(`Axe ${light} ${test.info().repeatEachIndex}`);
    await page.getByRole("button", { name: "Make a new name" }).click();
    await page.getByRole("button", { name: "Log out" }).waitFor();
    await begin(page, /^Seven Years War/, /Redoubt at Kagul/, ["hotseat", "hotseat"], { curtain: true });
    await sound(page, "the curtain");
    await page.getByRole("button", { name: /^I am / }).click();
    await decision(page);
    await page.keyboard.press("u");
    await page.keyboard.press("m");
    await page.keyboard.press("Shift+ArrowRight");
    await page.locator("path.cross").waitFor();
    await sound(page, "measuring");
    await page.goto("/");
    await page.getByRole("heading", { name: "Your games" }).waitFor();
    await page
      .getByRole("link", { name: /Redoubt/ })
      .first()
      .waitFor();
    await sound(page, "the games of a name");
    await page.goto("/game/abcabcabcabcabcabcab");
    await page.getByText("no such game").waitFor();
    await sound(page, "no such table");
    await page.goto("/replay/abcabcabcabcabcabcab");
    await page.getByRole("alert").waitFor();
    await sound(page, "no such replay");
  });

  test(`axe, ${light}: the workshop`, async ({ open }) => {
    const page = await open("/armies", { light });
    await page.getByRole("button", { name: "Pick from it" }).first().waitFor();
    await sound(page, "the army lists");
    await page.getByRole("button", { name: "Muster by chance" }).first().click();
    await page.locator(".units > li").nth(1).waitFor();
    await sound(page, "an army");
    await page.goto("/editor?ruleset=would-be-kings");
    await page.locator(".verdict").waitFor();
    await sound(page, "an empty table");
    await page.getByRole("button", { name: "Random ground" }).click();
    await page.locator("[data-ground]").first().waitFor();
    await sound(page, "ground");
    await page.locator("[data-ground]").first().focus();
    await sound(page, "a piece of ground picked");
  });
}
