// A player at the page: clicks and drags what it offers, as a person would, until the battle is over.

import { drag, expect, middle, offered, seen } from "./harness.mjs";

/** A small generator of its own, so that a test plays the same way each time. */
export function whim(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

const quiet = /^\{?"?(end|end_turn|pass|done|stand|stay|no_move|stop|decline|hold|hold_fire)\b/;

/** What leads to a move on the table. */
const going = /"(move|double|march|manoeuvre)"/;

/** Waits until it is our decision and something can be answered to it, or the battle is over; says what is seen then, in one look. */
export async function decision(page) {
  for (;;) {
    await page.waitForFunction(() => {
      const board = document.querySelector(".board");
      return board?.dataset.ready === "true" && (board.dataset.yours === "true" || [...document.querySelectorAll("a")].some((a) => a.textContent === "Replay"));
    });
    // The page goes on between two looks: only what one look sees together is true.
    const now = await seen(page);
    const open = now.answers.length || now.suggested.length || now.more || now.drags.length || now.reserves.length;
    if (now.over || (now.ready && now.yours && open && !now.held)) return now;
  }
}

/** One decision: a drag where something can be dragged, else one of the answers. Says how it was made. */
export async function decide(page, random, now, { drags = 0.5, hurry = 0.6 } = {}) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const movable = now.drags.length ? "drag" : now.reserves.length ? "reserve" : "";
  if (movable && (random() < drags || (!now.answers.length && !now.suggested.length))) {
    const how = movable === "drag" ? await dragOne(page, random, pick(now.drags)) : await placeOne(page, random, pick(now.reserves));
    if (how) return how;
    const { n } = now;
    now = await decision(page);
    if (now.over || now.n !== n) return "drag";
  }
  const listed = now.answers.filter((a) => !/concede|withdraw/.test(a));
  const calm = listed.filter((a) => quiet.test(a));
  const keen = listed.filter((a) => going.test(a));
  const choice = calm.length && random() < hurry ? pick(calm) : keen.length && random() < 0.5 ? pick(keen) : pick(listed);
  if (choice && (!now.suggested.length || random() < 0.6)) {
    await page.locator(`[data-answer='${css(choice)}']`).click();
    return "answer";
  }
  const suggested = now.suggested.length ? pick(now.suggested) : null;
  if (suggested) {
    await page.locator(`[data-suggested='${css(suggested)}']`).click();
    await page.locator("[data-do]").click();
    return "suggested";
  }
  const last = now.answers.filter((a) => !/concede/.test(a));
  if (last.length) {
    await page.locator(`[data-answer='${css(pick(last))}']`).click();
    return "answer";
  }
  // Nothing listed and no drag that was taken: the umpire is asked for suggestions, unless there are some by now.
  await page.locator("[data-suggested], [data-suggest]:not(:disabled)").first().waitFor();
  if (!(await page.locator("[data-suggested]").count())) await page.locator("[data-suggest]").click();
  await page.locator("[data-suggested]").first().click();
  await page.locator("[data-do]").click();
  return "suggested";
}

const css = (text) => text.replaceAll("\\", "\\\\").replaceAll("'", "\\'");

async function dragOne(page, random, id) {
  const from = await middle(page.locator(`[data-unit='${css(id)}']`));
  const table = await page.locator(".table").boundingBox();
  const angle = random() * 2 * Math.PI;
  const far = 30 + random() * 120;
  const within = (v, least, most) => Math.min(Math.max(v, least), most);
  const to = {
    x: within(from.x + Math.cos(angle) * far, table.x + 20, table.x + table.width - 20),
    y: within(from.y + Math.sin(angle) * far, table.y + 20, table.y + table.height - 20),
  };
  const before = (await seen(page)).n;
  await drag(page, from, to);
  return settle(page, before);
}

async function placeOne(page, random, id) {
  const before = (await seen(page)).n;
  await page.locator(`[data-reserve='${css(id)}']`).click();
  const table = await page.locator(".table").boundingBox();
  await page.mouse.click(table.x + table.width * (0.15 + random() * 0.7), table.y + table.height * (0.1 + random() * 0.8));
  return settle(page, before);
}

/** The ghost lies there: yes if the umpire has an answer for it, else never mind. Who had to be taken up first has been by then. */
async function settle(page, before) {
  await page.waitForFunction(() => document.querySelector(".board")?.dataset.ready === "true" || document.querySelector("[data-played]"));
  const gone = async () => ((await seen(page)).n === before ? "" : "drag");
  // Nothing was taken up where something lies on top of it.
  if (!(await page.locator(".wish").count())) return gone();
  if (!(await offered(page))) {
    await page.keyboard.press("Escape");
    return gone();
  }
  await page.locator("[data-do]").click();
  return "drag";
}

/** Plays to the end; says how many decisions were made in which way. */
export async function playOut(page, { seed = 1, most = 600, each = null, ...how } = {}) {
  const random = whim(seed);
  const made = { drag: 0, answer: 0, suggested: 0 };
  for (let i = 0; i < most; i++) {
    const now = await decision(page);
    if (now.over) return made;
    expect(now.odd, `in plain words: ${JSON.stringify(now)}`).toBe("");
    // Until something has gone somewhere the player is keen to move, whatever dice and cards come.
    const keen = made.drag + made.suggested === 0 && how.drags !== 0;
    const way = await decide(page, random, now, keen ? { ...how, drags: 1, hurry: 0.1 } : how);
    made[way] += 1;
    await page.waitForFunction((n) => document.querySelector(".board")?.dataset.n !== n || document.querySelector(".refused"), now.n);
    expect(await page.locator(".refused").allTextContents(), "nothing that the page offered is refused").toEqual([]);
    if (each) await each(i, way);
  }
  throw new Error(`not over after ${most} decisions`);
}
