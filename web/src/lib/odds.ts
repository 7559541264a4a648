// The odds in words.

import type { OddsLine } from "./protocol";
import { capital, plain } from "./words";

/** `sure` is how likely it comes to it at all. */
export interface Chance { about: string; ways: { label: string; p: number }[]; average: string; sure: number }

export function percent(p: number): string {
  if (p > 0 && p < 0.005) return "under 1 %";
  if (p < 1 && p > 0.995) return "over 99 %";
  return `${Math.round(p * 100)} %`;
}

/** What can come of it, one entry for each sort of thing that is rolled for; what is certain is left out. */
export function chances(lines: OddsLine[]): Chance[] {
  return lines.flatMap((line) => {
    const about = capital(`${plain(line.what)}${line.who ? ` ${line.who}` : ""}${line.whom ? ` → ${line.whom}` : ""}`);
    const outcomes = new Map<string, number>();
    for (const w of line.ways) if (w.outcome) outcomes.set(w.outcome, (outcomes.get(w.outcome) ?? 0) + w.p);
    const told = [...outcomes.values()].reduce((sum, p) => sum + p, 0);
    const counted = new Map<number, number>();
    for (const w of line.ways) if (w.made !== null) counted.set(w.made, (counted.get(w.made) ?? 0) + w.p);
    const sure = [...counted.values()].reduce((sum, p) => sum + p, 0);
    const mean = sure > 0 ? [...counted].reduce((sum, [made, p]) => sum + made * p, 0) / sure : 0;
    const average = counted.size > 1 ? `${mean.toFixed(1)} on average` : "";
    if (outcomes.size > 1 || (outcomes.size === 1 && told < 0.9995)) {
      return [{ about, ways: [...outcomes].map(([label, p]) => ({ label: plain(label), p })), average: "", sure: told }];
    }
    if (counted.size < 2) return [];
    const ways = [...counted].sort((a, b) => a[0] - b[0]).map(([made, p]) => ({ label: String(made), p: p / sure }));
    return [{ about, ways, average, sure }];
  });
}

/** The whole in one short line, for the answer's button: what the units it is about can hope for, the first thing that is
 * rolled for and what follows if that goes well. What others do after it, or what comes of failing, is no reason to choose it. */
export function brief(lines: OddsLine[], about: string[]): string {
  const own = lines.filter((l) => [l.who, l.whom].some((u) => u && about.includes(u)));
  const [first, second] = chances(own);
  if (!first) return "";
  const hoped = (c: Chance) => {
    const bright = c.ways.filter((w) => w.label !== "failed");
    return (bright.length ? bright : c.ways).reduce((a, b) => (b.p > a.p ? b : a));
  };
  const say = (c: Chance) => c.average || `${hoped(c).label} ${percent(hoped(c).p)}`;
  const follows = second && (second.sure > 0.9995 || Math.abs(second.sure - hoped(first).p) < 0.001);
  return follows ? `${say(first)}, then ${say(second)}` : say(first);
}
