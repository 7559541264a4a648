// How quick the page is, in Chromium: the first picture, the frames of a drag with sixty units a side, the ghost.
// TRICORNE=path/to/tricorne CHROMIUM=/usr/bin/chromium node measure.mjs — figures to be read, no test.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { middle } from "./harness.mjs";
import { decide, decision, whim } from "./player.mjs";

/** Sixty battalions a side, five brigades of three groups. */
function sixtyASide() {
  const out = [
    "format = 1",
    'ruleset = "seven-years-war"',
    'title = "Sixty a side"',
    'blurb = "For measuring."',
    "table = [300, 180]",
    "turns = 12",
    "break_percent = 40",
    'first = "prussian"',
  ];
  const sides = [
    ["prussian", "p", 50, -10, 0, "south", "P-MUS"],
    ["austrian", "a", 130, 10, 180, "north", "A-MUS"],
  ];
  for (const [side, , , , , edge] of sides) out.push("[[sides]]", `id = "${side}"`, `name = "${side[0].toUpperCase()}${side.slice(1)}"`, `nation = "${side}"`, `edge = "${edge}"`);
  out.push("[[terrain]]", 'id = "H1"', 'kind = "hill"', "level = 0", "points = [[100, 80], [140, 76], [150, 90], [140, 100], [105, 98]]");
  out.push("[[terrain]]", 'id = "W1"', 'kind = "wood"', "level = 2", "points = [[190, 80], [225, 82], [228, 100], [195, 102]]");
  for (const [side, c, y, dy, facing, , code] of sides) {
    const C = c.toUpperCase();
    for (let b = 0; b < 5; b++) out.push("[[generals]]", `id = "${C}${b + 1}"`, `side = "${side}"`, `at = [${40 + b * 55}, ${y + dy * 4}]`, `facing = ${facing}`);
    out.push("[[generals]]", `id = "${C}C"`, `side = "${side}"`, "cinc = true", `at = [150, ${y + dy * 4.4}]`, `facing = ${facing}`);
    let n = 0;
    for (let b = 0; b < 5; b++)
      for (let r = 0; r < 3; r++)
        for (let k = 0; k < 4; k++) {
          out.push(
            "[[units]]",
            `id = "${c}${++n}"`,
            `side = "${side}"`,
            `code = "${code}"`,
            `group = "${C}G${b * 3 + r + 1}"`,
            `command = "${C}${b + 1}"`,
            `at = [${20 + b * 55 + k * 9 + (b ? 2 : 0)}, ${y + dy * r}]`,
            `facing = ${facing}`,
          );
        }
  }
  return `${out.join("\n")}\n`;
}

const folder = mkdtempSync(join(tmpdir(), "tricorne-measure-"));
const server = spawn(process.env.TRICORNE, ["play", "--no-open", "--games", join(folder, "games.db")], { stdio: ["ignore", "pipe", "inherit"] });
const base =
  process.env.BASE ??
  (await new Promise((resolve) =>
    server.stdout.on("data", (d) => {
      const at = /http:\/\/[\d.:]+/.exec(String(d))?.[0];
      if (at) resolve(at);
    }),
  ));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const post = async (body) => (await fetch(`${base}/api/games`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();
const spread = (list) => {
  const s = [...list].sort((a, b) => a - b);
  const at = (q) => s[Math.min(s.length - 1, Math.floor(q * s.length))] ?? NaN;
  return `median ${at(0.5).toFixed(1)}, 95 % ${at(0.95).toFixed(1)}, worst ${at(1).toFixed(1)} ms (${s.length})`;
};

async function firstPicture(game, name) {
  const times = [];
  for (let i = 0; i < 5; i++) {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, baseURL: base });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const watch = () => {
        const img = document.querySelector("img.picture");
        if (img?.complete && img.naturalWidth)
          requestAnimationFrame(() =>
            requestAnimationFrame(() => {
              window.pictured = performance.now();
            }),
          );
        else requestAnimationFrame(watch);
      };
      requestAnimationFrame(watch);
    });
    await page.goto(game.link);
    times.push(await page.waitForFunction(() => window.pictured).then((h) => h.jsonValue()));
    await context.close();
  }
  console.log(`first picture, ${name}, cold cache: ${spread(times)}`);
}

/** What comes over the wire, as it comes: packed. A page opened with nothing kept, then so many actions of ours and the others'. */
async function wire(path, name, actions = 0) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, baseURL: base, reducedMotion: "reduce" });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  let bytes = 0;
  let frames = [];
  client.on("Network.loadingFinished", (e) => (bytes += e.encodedDataLength));
  client.on("Network.webSocketFrameReceived", ({ response: r }) => frames.push(r.opcode === 2 ? Math.floor((r.payloadData.length * 3) / 4) : r.payloadData.length));
  await page.addInitScript(() => {
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const e of list.getEntries()) if (!e.hadRecentInput) window.shift += e.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(path, { waitUntil: "networkidle" });
  // On a busy machine the net may be idle before the ground has been drawn.
  if (actions) await page.waitForFunction(() => document.querySelector("img.picture.men")?.complete && document.querySelector(".board").dataset.ready === "true");
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const kB = (n) => `${(n / 1000).toFixed(1)} kB`;
  console.log(`${name}: ${kB(bytes)} in files, ${kB(sum(frames))} live in ${frames.length} messages, layout shift ${(await page.evaluate(() => window.shift)).toFixed(3)}`);
  const worst = [];
  const random = whim(3);
  for (let i = 0; i < actions; i++) {
    const now = await decision(page);
    if (now.over) break;
    frames = [];
    await decide(page, random, now, { drags: 0, hurry: 0.5 });
    await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
    await decision(page);
    worst.push(Math.max(...frames));
  }
  if (actions)
    console.log(`  the longest message of each of ${worst.length} actions: median ${kB([...worst].sort((a, b) => a - b)[worst.length >> 1])}, worst ${kB(Math.max(...worst))}`);
  await context.close();
}

if (process.env.WIRE) {
  await wire("/", "front page");
  const seats = [{ kind: "me" }, { kind: "program:subaltern" }];
  await wire((await post({ ruleset: "would-be-kings", scenario: "the-bordj", seats, seed: "7" })).link, "The Bordj", 12);
  await wire((await post({ ruleset: "seven-years-war", scenario: "the-heath-before-thalheim", seats, seed: "7" })).link, "The Heath before Thalheim", 20);
  await browser.close();
  server.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

/** Frames while the others' brigades march, with sixty units a side on the table. */
async function march() {
  const game = await post({ ruleset: "seven-years-war", text: sixtyASide(), seats: [{ kind: "me" }, { kind: "program:subaltern" }], seed: "0".repeat(64) });
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, baseURL: base, reducedMotion: "no-preference" });
  const page = await context.newPage();
  await page.goto(game.link);
  await page.waitForFunction(() => document.querySelector("img.picture.men")?.complete);
  await page.evaluate(() => {
    window.marching = [];
    window.actors = 0;
    let last = performance.now();
    const frame = () => {
      const now = performance.now();
      const actors = document.querySelectorAll("[data-actor]").length;
      if (actors) window.marching.push(now - last);
      window.actors = Math.max(window.actors, actors);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const random = whim(5);
  const began = Date.now();
  const enough = () => page.evaluate(() => window.marching.length >= 400);
  while (Date.now() - began < 150_000) {
    await page.waitForFunction(
      () => window.marching.length >= 400 || (document.querySelector(".board").dataset.ready === "true" && document.querySelector(".board").dataset.yours === "true"),
      null,
      { timeout: 120_000 },
    );
    if (await enough()) break;
    const now = await decision(page);
    if (now.over) break;
    await decide(page, random, now, { drags: 0, hurry: 1 });
    await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
  }
  const { frames, actors } = await page.evaluate(() => ({ frames: window.marching, actors: window.actors }));
  console.log(`frames while up to ${actors} of 132 units march: ${spread(frames)}`);
  await context.close();
}

if (process.env.MARCH) {
  await march();
  await browser.close();
  server.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

if (!process.env.DRAG)
  for (const [ruleset, scenario] of [
    ["would-be-kings", "the-bordj"],
    ["all-the-kings-men", "stony-ridge"],
    ["von-futsch", "san-pietro"],
    ["seven-years-war", "kettle-brook"],
  ]) {
    await firstPicture(await post({ ruleset, scenario }), scenario);
  }
const big = await post({ ruleset: "seven-years-war", text: sixtyASide(), seed: "0".repeat(64) });
if (!big.link) throw new Error(JSON.stringify(big));
if (!process.env.DRAG) await firstPicture(big, "sixty a side");

const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, baseURL: base });
const page = await context.newPage();
await page.goto(big.link);
const random = whim(5);
let now = await decision(page);
for (let i = 0; i < 80 && now.drags.length < 4; i++) {
  await decide(page, random, now, { drags: 0, hurry: 1 });
  await page.waitForFunction((n) => document.querySelector(".board").dataset.n !== n, now.n);
  now = await decision(page);
}
console.log(`dragging at "${now.asked.trim()}", ${now.drags.length} units can be dragged`);
await page.waitForTimeout(2500);
await page.evaluate(() => {
  window.frames_ = [];
  window.wished = [];
  window.snapped = [];
  let last = performance.now();
  let moved = null;
  let asked = null;
  const frame = () => {
    const now = performance.now();
    window.frames_.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  addEventListener(
    "pointermove",
    (e) => {
      moved ??= e.timeStamp;
      asked ??= e.timeStamp;
    },
    true,
  );
  new MutationObserver((all) => {
    for (const m of all) {
      const c = m.target.getAttribute?.("class") ?? "";
      const added = [...(m.addedNodes ?? [])].map((n) => n.getAttribute?.("class") ?? "").join(" ");
      if (/wished/.test(c + added) && moved !== null) {
        const t0 = moved;
        moved = null;
        requestAnimationFrame(() => window.wished.push(performance.now() - t0));
      }
      if (/ghost/.test(c + added) && asked !== null) {
        const t0 = asked;
        asked = null;
        requestAnimationFrame(() => window.snapped.push(performance.now() - t0));
      }
    }
  }).observe(document.querySelector(".table > svg"), { subtree: true, attributes: true, childList: true, attributeFilter: ["d"] });
});
const from = await middle(page.locator(`[data-unit='${now.drags[Math.floor(now.drags.length / 2)]}']`));
await page.mouse.move(from.x, from.y);
await page.mouse.down();
const start = Date.now();
for (let i = 0; Date.now() - start < 4000; i++) {
  await page.mouse.move(from.x + Math.sin(i / 12) * 60, from.y - 40 - Math.cos(i / 15) * 35);
  await page.waitForTimeout(8);
}
const { frames, wished, snapped } = await page.evaluate(() => ({ frames: window.frames_.slice(5), wished: window.wished, snapped: window.snapped }));
await page.mouse.up();
console.log(`frames while dragging: ${spread(frames)}`);
console.log(`hand to wished ghost on screen: ${spread(wished)}`);
console.log(`hand to the umpire's ghost on screen: ${spread(snapped)}`);
await browser.close();
server.kill("SIGTERM");
rmSync(folder, { recursive: true, force: true });
