// The odds in plain words and in one form: what is expected, what can go wrong, and a bar of both.

import type { OddsLine } from "./protocol";
import { capital, plain } from "./words";

/** What the umpire told of an answer; `supposed` where others are asked on the way, and it supposes what they say. */
export interface Told { lines: OddsLine[]; supposed: boolean }
export const UNTOLD: Told = { lines: [], supposed: false };

/** `sure` is how likely it comes to it at all, `give` is how far off the chance may be, with 95 % confidence; 0 where it was counted out. */
export interface Odd { label: string; p: number; give: number }
export interface Chance { about: string; ways: Odd[]; /** How many, on average, in words; empty where it is not counted. */ average: string; /** The same number. */ mean: string; sure: number }

export function percent(p: number): string {
  if (p > 0 && p < 0.005) return "under 1 %";
  if (p < 1 && p > 0.995) return "over 99 %";
  return `${Math.round(p * 100)} %`;
}

/** The same, with how far off it may be where it is from samples. */
export function reckoned({ p, give }: { p: number; give: number }): string {
  return give > 0 ? `about ${Math.round(p * 100)} % (±${Math.max(1, Math.round(give * 100))})` : percent(p);
}

/** Two shares added up lie no further off than both together. */
function gather<K>(into: Map<K, { p: number; give: number }>, key: K, way: { p: number; give: number }): void {
  const had = into.get(key) ?? { p: 0, give: 0 };
  into.set(key, { p: had.p + way.p, give: Math.hypot(had.give, way.give) });
}

/** Whether a line counts what somebody loses: it is feared by whom it is about. */
const toll = (line: OddsLine) => /^(losses|casualties)$/.test(line.what);
/** Some and none say less than how many. */
const vague = (outcome: string) => outcome === "some" || outcome === "none";

/** What can come of it, one entry for each sort of thing that is rolled for; what is certain is left out. */
export function chances(lines: OddsLine[], name: (id: string) => string = (id) => id): Chance[] {
  return lines.flatMap((line) => {
    const about = capital(`${plain(line.what)}${line.who ? `: ${name(line.who)}` : ""}${line.whom ? ` → ${name(line.whom)}` : ""}`);
    const outcomes = new Map<string, { p: number; give: number }>();
    for (const w of line.ways) if (w.outcome) gather(outcomes, w.outcome, w);
    const told = [...outcomes.values()].reduce((sum, { p }) => sum + p, 0);
    const counted = new Map<number, { p: number; give: number }>();
    for (const w of line.ways) if (w.made !== null) gather(counted, w.made, w);
    const sure = [...counted.values()].reduce((sum, { p }) => sum + p, 0);
    const mean = sure > 0 ? [...counted].reduce((sum, [made, { p }]) => sum + made * p, 0) / sure : 0;
    const sampled = line.ways.some((w) => w.give > 0);
    const many = `${sampled ? "about " : ""}${mean.toFixed(1)}`;
    const average = counted.size > 1 ? `${many} on average` : "";
    if ([...outcomes.keys()].every(vague) && counted.size > 1) { /* told by their number */ }
    else if (outcomes.size > 1) {
      // Like numbers, outcomes are shares of what comes to it.
      return [{ about, ways: [...outcomes].map(([label, { p, give }]) => ({ label: plain(label), p: p / told, give: give / told })), average: "", mean: "", sure: told }];
    } else if (outcomes.size === 1 && told < 0.9995) {
      // It comes to this or to nothing.
      return [{ about, ways: [...outcomes].map(([label, odd]) => ({ label: plain(label), ...odd })), average: "", mean: "", sure: 1 }];
    }
    if (counted.size < 2) return [];
    const ways = [...counted].sort((a, b) => a[0] - b[0]).map(([made, { p, give }]) => ({ label: String(made), p: p / sure, give: give / sure }));
    return [{ about, ways, average, mean: many, sure }];
  });
}

/** A part of the bar: good for whoever asks, bad, or neither. */
export interface Part extends Odd { tone: "good" | "bad" | "even" }

/** One thing that is rolled for, as it is told everywhere. */
export interface Verdict {
  about: string;
  expected: string;
  /** What can go wrong; empty where nothing can. */
  wrong: string;
  /** What may still be hoped for, where the likeliest is what nobody wants. */
  hoped: string;
  parts: Part[];
  sure: number;
}

/** Who asks: which units are theirs, and what units are called. */
export interface Asker { ours: (id: string) => boolean; name: (id: string) => string }

const ill = /fail|miss|rout|brok|fle[ed]|flight|repuls|beat|los[te]|retreat|fall|halt|disorder|destroy|surrender|pinned|refus|waver|shaken|stop/i;

/** How likely any of several parts is. */
function together(parts: Part[]): Odd {
  return { label: parts.map((w) => w.label).join(" or "), p: parts.reduce((sum, w) => sum + w.p, 0), give: Math.hypot(...parts.map((w) => w.give)) };
}

/** Whether lower numbers are what the one who rolls fears: hits at somebody are wanted, and so is a good throw. */
function told(line: OddsLine, chance: Chance, asker: Asker): Verdict {
  const theirs = line.who !== null && asker.ours(line.who) === toll(line);
  const counted = chance.average !== "";
  const least = Number(chance.ways[0]?.label);
  const parts = chance.ways.map((w): Part => {
    const bad = counted ? Number(w.label) <= Math.max(0, least) : ill.test(w.label);
    return { ...w, tone: counted && theirs ? (bad ? "good" : "bad") : bad !== theirs ? "bad" : "good" };
  });
  const likely = parts.reduce((a, b) => (b.p > a.p ? b : a));
  const say = (o: Odd) => `${o.label} ${reckoned(o)}`;
  const base = { about: chance.about, parts, sure: chance.sure, hoped: "" };
  if (counted) {
    // What is feared of one's own dice is nothing at all; of others', as much as may well come.
    const none = parts.find((w) => w.label === "0");
    const much = [...parts].reverse().find((_, i, all) => all.slice(0, i + 1).reduce((sum, v) => sum + v.p, 0) >= 0.05);
    const from = parts.filter((w) => Number(w.label) >= Number(much?.label ?? 0));
    const wrong = theirs ? (much && Number(much.label) > 0 ? say({ ...together(from), label: `${much.label}${from.length > 1 ? " or more" : ""}` }) : "") : none ? say({ ...none, label: "none" }) : "";
    return { ...base, expected: chance.average, wrong };
  }
  const [good, bad] = [parts.filter((w) => w.tone !== "bad"), parts.filter((w) => w.tone === "bad")];
  if (likely.tone === "bad") return { ...base, expected: say(likely), wrong: bad.length > 1 ? say(together(bad.filter((w) => w !== likely))) : "", hoped: good.length ? say(together(good)) : "" };
  return { ...base, expected: say(likely), wrong: bad.length ? say(together(bad)) : "" };
}

/** Everything that is rolled for, in order, in one form. */
export function verdicts(lines: OddsLine[], asker: Asker): Verdict[] {
  return lines.flatMap((line) => chances([line], asker.name).map((chance) => told(line, chance, asker)));
}

/** The whole in one short line, for the answer's button: what the units it is about can hope for, the first thing that is
 * rolled for and what follows if that goes well. What others do after it, or what comes of failing, is no reason to choose it. */
export function brief(lines: OddsLine[], about: string[]): string {
  // A die thrown again is in the number already.
  const own = lines.filter((l) => l.what !== "reroll" && [l.who, l.whom].some((u) => u && about.includes(u)));
  const [first, second] = chances(own);
  if (!first) return "";
  const hoped = (c: Chance) => {
    const bright = c.ways.filter((w) => w.label !== "failed");
    return (bright.length ? bright : c.ways).reduce((a, b) => (b.p > a.p ? b : a));
  };
  const say = (c: Chance) => c.average || `${hoped(c).label} ${reckoned(hoped(c))}`;
  // What it costs them in men says more than how many dice hit; and whether they stand it.
  const cost = own.find((l) => toll(l) && l.whom && about.includes(l.whom));
  const fallen = cost ? chances([cost])[0] : undefined;
  if (cost && fallen?.average) {
    const nerve = lines.slice(lines.indexOf(cost) + 1).find((l) => l.who === cost.who && l.ways.some((w) => w.outcome === "failed"));
    const failed = nerve ? chances([nerve])[0]?.ways.find((w) => w.label === "failed") : undefined;
    const order = first.average ? "" : `${say(first)}, then `;
    return `${order}${fallen.mean} lost${nerve && failed ? `, ${plain(nerve.what)} failed ${reckoned(failed)}` : ""}`;
  }
  const follows = second && (second.sure > 0.9995 || Math.abs(second.sure - hoped(first).p) < 0.001);
  return follows ? `${say(first)}, then ${say(second)}` : say(first);
}
