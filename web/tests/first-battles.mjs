// Which seeds let a first battle teach all it should: the guide's own advice followed to the end, without a page, for many seeds.
//   TRICORNE=path/to/tricorne node --experimental-websocket first-battles.mjs [SYSTEM …] [--seeds 40] [--foe ensign]
// Says for each seed which subjects were met. The seed that is played stands in rulebooks/SYSTEM/guided.json; whoever changes rules
// or programs so that guided.test.mjs misses a subject finds another one here.

import { createServer } from "vite";
import { join } from "node:path";
import { make, serve } from "./harness.mjs";

const words = process.argv.slice(2);
const flag = (name, otherwise) => (words.includes(name) ? words.splice(words.indexOf(name), 2)[1] : otherwise);
const seeds = Number(flag("--seeds", 40));
const foe = flag("--foe", null);
const systems = words.length ? words : ["would-be-kings", "all-the-kings-men", "von-futsch", "seven-years-war"];

const vite = await createServer({
  root: join(import.meta.dirname, ".."),
  server: { middlewareMode: true, hmr: false, watch: null },
  appType: "custom",
  logLevel: "error",
  optimizeDeps: { noDiscovery: true },
});
const { lessonOf, battleOf, tipFor, remarksOn, subjects } = await vite.ssrLoadModule("/src/lib/guide/lesson.ts");
const { base, stop } = await serve();

/** Plays one first battle by its own tips. */
async function fight(ruleset, lesson, text, seed) {
  const game = await make(base, { ruleset, text, seed: String(seed), seats: [{ kind: "me" }, { kind: `program:${foe ?? lesson.foe}` }] });
  const socket = new WebSocket(`${base.replace("http", "ws")}/api/games/${game.id}/live`);
  const waiting = [];
  const heard = [];
  socket.onmessage = ({ data }) => {
    heard.push(JSON.parse(data));
    waiting.shift()?.();
  };
  const hear = async () => {
    while (!heard.length) await new Promise((resolve) => waiting.push(resolve));
    return heard.shift();
  };
  await new Promise((resolve) => (socket.onopen = resolve));
  const say = (message) => socket.send(JSON.stringify(message));
  const given = {};
  const count = (id) => given[id] ?? 0;
  const met = new Set();
  const learn = (what) => {
    given[what.id] = count(what.id) + 1;
    if (what.teaches) met.add(what.teaches);
  };
  let [decisions, told, state, over, id] = [0, [], null, null, 0];
  const take = (m) => {
    if (m.events) told.push(...m.events.turned.flatMap((t) => t.events));
    if (m.state) state = m.state;
    if (m.over) over = m.over;
    return m;
  };
  const ask = async (request) => {
    say({ ...request, id: ++id });
    for (;;) {
      const m = take(await hear());
      if (m.id === id) return m;
    }
  };
  say({ hello: { token: game.token } });
  let last = -1;
  while (!over) {
    if (!state?.yours || state.n === last) {
      take(await hear());
      continue;
    }
    last = state.n;
    for (const r of remarksOn(lesson, told, count)) learn(r);
    told = [];
    const asked = state.pending.decision;
    const legal = (await ask({ legal: {} })).legal;
    const counsel = (await ask({ counsel: { n: 24 } })).counsel.list.map((c) => c.action);
    const found = tipFor(lesson, { kind: asked.kind, unit: asked.unit ?? null, turn: state.view.clock.turn }, counsel, legal.listed, count);
    if (!found) throw new Error(`nothing to say to ${asked.kind}`);
    learn(found.tip);
    const done = await ask({ act: { n: state.n, action: found.action } });
    if (done.refused) throw new Error(JSON.stringify(done.refused));
    decisions += 1;
  }
  for (const r of remarksOn(lesson, told, count)) learn(r);
  socket.close();
  return { decisions, met: subjects.filter((s) => met.has(s)), winner: over.ending?.winner ?? null };
}

for (const ruleset of systems) {
  const [lesson, text] = [await lessonOf(ruleset), await battleOf(ruleset)];
  const good = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const { decisions, met, winner } = await fight(ruleset, lesson, text, seed);
    if (met.length === subjects.length) good.push(`${seed} (${decisions} decisions, ${winner === 0 ? "won" : winner === null ? "drawn" : "lost"})`);
    if (process.env.ALL) console.log(`${ruleset} ${seed}: ${decisions} decisions, ${met.join(" ")}`);
  }
  console.log(`${ruleset}, seed ${lesson.seed} against ${foe ?? lesson.foe}: all met with ${good.length} of ${seeds}: ${good.join(", ")}`);
}
await stop();
await vite.close();
process.exit(0);
