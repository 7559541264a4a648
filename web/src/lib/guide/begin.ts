// Beginning a first battle, and the whole one after it: one click each.

import { get, post, type About, type NewGame, type Scenario } from "../protocol";
import { battleOf, lessonOf } from "./lesson";

const shelf = (id: string) => `guided-${id}`;

/** Whether a game is somebody's first battle in this browser. */
export function isGuided(id: string): boolean {
  try {
    return localStorage.getItem(shelf(id)) !== null;
  } catch {
    return false;
  }
}

/** How often each tip was given in a game. */
export function givenIn(id: string): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(shelf(id)) ?? "{}") as Record<string, number>;
  } catch {
    return {};
  }
}

export function keepGiven(id: string, given: Record<string, number>): void {
  try {
    localStorage.setItem(shelf(id), JSON.stringify(given));
  } catch { /* a browser that keeps nothing: after a reload the tips begin again */ }
}

/** Makes the guided battle of a system and goes there. */
export async function beginFirst(ruleset: string): Promise<void> {
  const [lesson, text, about] = await Promise.all([lessonOf(ruleset), battleOf(ruleset), get<About>("/api/about")]);
  if (!lesson || !text) throw new Error("these rules have no first battle yet");
  const game = await post<NewGame>("/api/games", {
    ruleset, text, title: lesson.title, seats: [{ kind: "me" }, { kind: `program:${lesson.foe}` }], public: false, watch: true,
    ...(about.chosen_seeds ? { seed: lesson.seed } : {}),
  });
  keepGiven(game.id, {});
  location.href = game.link ?? `/game/${game.id}`;
}

/** Makes the whole battle that comes after it: our side against the same sort of program. */
export async function beginWhole(ruleset: string, scenario: string, foe: string): Promise<void> {
  const found = (await get<Scenario[]>(`/api/scenarios?ruleset=${ruleset}`)).find((s) => s.id === scenario);
  if (!found) throw new Error("that battle is not on this server");
  const mine = found.seats[0]?.side;
  const game = await post<NewGame>("/api/games", { ruleset, scenario, seats: found.seats.map((s) => ({ kind: s.side === mine ? "me" : `program:${foe}` })), public: false, watch: true, options: {} });
  location.href = game.link ?? `/game/${game.id}`;
}
