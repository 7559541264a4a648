// The battle told as a dispatch from the field, put together from what was told of it: the result, each turn with what it cost and
// what was worst in it, the end. Every sentence comes from the battle's own story or its numbers.

import type { Moment, Replay, Told, View } from "../protocol";
import { byName, capital } from "../words";

export interface Dispatch { headline: string; under: string; paragraphs: { head: string; text: string; n: number }[]; close: string }

const listed = (parts: string[]) => (parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`);
const sentence = (text: string) => { const t = capital(text.trim()); return t && !/[.!?]$/.test(t) ? `${t}.` : t; };

/** Of what came of an action, the thing to be told again: one that speaks for itself sooner than one that was diced for. */
const best = (events: Told[]) => {
  const notable = events.filter((e) => e.notable);
  return notable.find((e) => !e.faces?.length) ?? notable[0];
};

export function dispatch(replay: Replay, view: View): Dispatch {
  const names = view.sides.map((s) => s.name);
  const ending = replay.ending;
  const headline = !ending ? `${view.title}: no decision` : ending.winner === null ? `${view.title}: ${ending.grade || "a drawn battle"}` : `${capital(ending.grade || "victory")} for ${replay.sides[ending.winner] ?? ""} at ${view.title.replace(/^(At|The) /, (t) => t.toLowerCase())}`;
  const cost = (m: Moment | undefined, before: Moment | undefined) => names.map((_, i) => (m?.lost[i] ?? 0) - (before?.lost[i] ?? 0));
  const moments = replay.moments;
  const last = moments.at(-1);
  const full = names.map((_, i) => view.units.filter((u) => u.side === i).reduce((a, u) => a + u.strength[1], 0));
  const under = listed(replay.sides.map((side, i) => `${side} lost ${last?.lost[i] ?? 0} of ${full[i] ?? 0}`)) + ".";

  const turns = [...new Set(moments.map((m) => m.clock.turn))].filter((t) => t > 0);
  const paragraphs = turns.map((turn) => {
    const of = moments.filter((m) => m.clock.turn === turn);
    const first = of[0]!;
    const before = moments[moments.indexOf(first) - 1];
    const lost = cost(of.at(-1), before);
    // The worst of the turn first found, told in its order: at most three things.
    const heavy = [...of].map((m) => ({ m, swing: cost(m, moments[moments.indexOf(m) - 1]).reduce((a, b) => a + b, 0) }))
      .filter(({ m }) => best(m.events)).sort((a, b) => b.swing - a.swing || a.m.n - b.m.n).slice(0, 3).sort((a, b) => a.m.n - b.m.n);
    const told = heavy.map(({ m }) => {
      const e = best(m.events)!;
      return sentence(byName(e.gist ?? e.brief));
    });
    const toll = lost.some((l) => l > 0) ? `It cost ${listed(replay.sides.flatMap((side, i) => ((lost[i] ?? 0) > 0 ? [`${side} ${lost[i]}`] : [])))}.` : "";
    return { head: `Turn ${turn}`, text: [...new Set(told), toll].filter(Boolean).join(" ") || "The lines stood and looked at each other.", n: heavy[0]?.m.n ?? first.n };
  });
  const close = ending ? sentence(ending.reason) : replay.over ? "The battle was broken off." : "The battle goes on.";
  return { headline, under: sentence(under), paragraphs, close };
}
