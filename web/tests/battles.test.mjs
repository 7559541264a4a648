// A whole battle of each system, finished through the page against a program.

import { begin, expect, test } from "./harness.mjs";
import { playOut } from "./player.mjs";

const battles = [
  { rules: /Men Who Would Be Kings/, battle: /Bordj/, seed: 3, hurry: 0.5, seats: ["program:random", "me"] },
  { rules: /^All the King/, battle: /Kessel Crossroads/, seed: 5, hurry: 0.9 },
  { rules: /^Mit von Futsch/, battle: /The Ford/, seed: 7, hurry: 0.85 },
  { rules: /^Seven Years War/, battle: /Kettle Brook/, seed: 11 },
];
for (const { rules, battle, seed, hurry = 0.75, seats = ["me", "program:random"] } of battles) {
  test(`a whole battle: ${battle.source}`, async ({ open }) => {
    const page = await open("/");
    await begin(page, rules, battle, seats);
    const made = await playOut(page, { seed, hurry });
    console.log(`        ${battle.source}: ${JSON.stringify(made)}`);
    expect(made.drag + made.suggested, "something was moved on the table").toBeGreaterThan(0);
    await page.getByRole("link", { name: "Replay" }).waitFor();
  });
}
