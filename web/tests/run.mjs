// Runs the tests of the page: one Chromium, one server of ours, a few tests at a time, and a line with the count.

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { sow, tests } from "./harness.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const words = process.argv.slice(2);
const atOnce = Number(process.env.AT_ONCE ?? 3);
const limit = Number(process.env.TEST_SECONDS ?? 600) * 1000;
const folder = mkdtempSync(join(tmpdir(), "tricorne-page-"));

/** Starts the real binary; resolves with its address once it has said it. */
function serve() {
  const server = spawn(process.env.TRICORNE, ["play", "--no-open", "--games", join(folder, "games.db")], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let said = "";
    server.stdout.on("data", (data) => {
      said += data;
      const at = /http:\/\/[\d.:]+/.exec(said)?.[0];
      if (at) resolve({ server, base: process.env.BASE ?? at });
    });
    server.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
}

const { server, base } = await serve();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  headless: process.env.HEADED ? false : true,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

for (const file of readdirSync(here).filter((f) => f.endsWith(".test.mjs")).sort()) await import(join(here, file));
const picked = tests.filter((t) => !words.length || words.every((w) => t.name.includes(w)));
// The longest first, so that the last to end is not one that began late.
const queue = [...picked].sort((a, b) => (b.long ? 1 : 0) - (a.long ? 1 : 0));
let passed = 0;
let failed = 0;

async function one(test) {
  const began = Date.now();
  const contexts = [];
  const faults = [];
  /** A window of its own: nothing kept from other tests, dice at once, no motion. */
  const open = async (path = "/", how = {}) => {
    const { light = "light", general = null, ...rest } = how;
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, colorScheme: light, reducedMotion: "reduce", baseURL: base, locale: "en-GB", ...rest });
    contexts.push(context);
    context.setDefaultTimeout(40_000);
    await sow(context, test.name, general);
    const page = await context.newPage();
    page.on("pageerror", (e) => faults.push(`error on the page: ${e.message}`));
    page.on("console", (m) => { if (m.type() === "error" && !/ERR_INTERNET_DISCONNECTED|WebSocket|Failed to load resource/.test(m.text())) faults.push(`console: ${m.text()}`); });
    await page.goto(path);
    return page;
  };
  try {
    await Promise.race([
      test.run({ base, open, browser }),
      new Promise((_, reject) => setTimeout(() => reject(new Error(`took longer than ${limit / 1000} s`)), limit)),
    ]);
    if (faults.length) throw new Error(faults.slice(0, 5).join("\n"));
    passed += 1;
    console.log(`ok      ${test.name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (e) {
    failed += 1;
    console.log(`FAILED  ${test.name} (${((Date.now() - began) / 1000).toFixed(1)} s)\n        ${String(e.stack ?? e).split("\n").slice(0, 14).join("\n        ")}${faults.length ? `\n        ${faults.join("\n        ")}` : ""}`);
    if (process.env.SHOTS) {
      for (const [i, context] of contexts.entries()) {
        for (const page of context.pages()) await page.screenshot({ path: join(process.env.SHOTS, `failed-${test.name.replace(/\W+/g, "-")}-${i}.png`) }).catch(() => {});
      }
    }
  }
  for (const context of contexts) await context.close().catch(() => {});
}

await Promise.all(Array.from({ length: atOnce }, async () => {
  for (let test = queue.shift(); test; test = queue.shift()) await one(test);
}));
await browser.close();
server.removeAllListeners("exit");
server.kill("SIGTERM");
rmSync(folder, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);
