// Lighthouse (mobile, simulated) on the front page, a table and a replay: TRICORNE=path/to/tricorne CHROMIUM=/usr/bin/chromium node lighthouse.mjs
// It is not part of the tests: what it says of speed is true of a quiet machine only. Lighthouse itself is fetched by npx.
// LIGHTHOUSE=path/to/lighthouse/cli/index.js takes one that is there; TRIES=3 takes the middle of three runs.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "./harness.mjs";

const folder = mkdtempSync(join(tmpdir(), "tricorne-lighthouse-"));
const { base, stop } = await serve();

const post = async (path, body) => (await fetch(`${base}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();
const battle = (kinds) => post("/api/games", { ruleset: "would-be-kings", scenario: "the-bordj", seed: "7", seats: kinds.map((kind) => ({ kind })) });

/** A battle that is over, fought by two programs. */
async function fought() {
  const { id } = await battle(["program:random", "program:random"]);
  // Each look keeps the table laid, and the programs at it.
  for (;;) {
    const facts = await (await fetch(`${base}/api/games/${id}`)).json();
    if (facts.status !== "playing") return id;
    await fetch(`${base}/api/games/${id}/picture.svg`);
  }
}

function examined(name, path) {
  const tries = Array.from({ length: Number(process.env.TRIES ?? 1) }, (_, i) => {
    const file = join(folder, `${name}-${i}.json`);
    const [command, ...first] = process.env.LIGHTHOUSE ? ["node", process.env.LIGHTHOUSE] : ["npx", "--yes", "lighthouse@12"];
    const flags = [`${base}${path}`, "--quiet", "--output=json", `--output-path=${file}`, "--chrome-flags=--headless=new --no-sandbox --disable-gpu"];
    execFileSync(command, [...first, ...flags], { env: { ...process.env, CHROME_PATH: process.env.CHROMIUM }, stdio: ["ignore", "ignore", "inherit"] });
    return JSON.parse(readFileSync(file, "utf8"));
  });
  const speed = (r) => r.categories.performance.score;
  return tries.sort((a, b) => speed(a) - speed(b))[Math.floor(tries.length / 2)];
}

try {
  const table = await battle(["me", "program:random"]);
  const pages = [
    ["front page", "/"],
    ["a table", table.link],
    ["a replay", `/replay/${await fought()}`],
  ];
  console.log(`load ${loadavg()[0].toFixed(1)} on ${cpus().length} processors`);
  for (const [name, path] of pages) {
    const r = examined(name.replaceAll(" ", "-"), path);
    const scores = Object.values(r.categories).map((c) => `${c.id} ${Math.round((c.score ?? 0) * 100)}`);
    const told = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift"].map((a) => `${a} ${r.audits[a]?.displayValue ?? "?"}`);
    console.log(`${name}: ${scores.join(", ")} (${told.join(", ")}; benchmark ${Math.round(r.environment.benchmarkIndex)})`);
    for (const a of Object.values(r.audits))
      if (a.score !== null && a.score < 0.9 && a.scoreDisplayMode !== "informative") console.log(`  ${a.id}: ${a.score} ${a.displayValue ?? ""}`);
  }
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
