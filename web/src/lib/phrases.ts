// The sentences in which answers are put. Each system brings its own as data (rulebooks/SYSTEM/answers.json), so the
// page knows no system by name: one without a file is read from the names in its answers.

export type Phrase = string | { [key: string]: Phrase };

/** Something that a unit is sent to do: to a place, or to another unit. `by` are the answers that lead there, `hand` the families of
 * answers in which the umpire is shown by hand where. */
export interface ErrandKind { say: string; goal: "place" | "unit"; by: unknown[]; hand?: string[] }

/** How units are sent: what takes one up, what is passed over on the way, and what they are sent to do, the likeliest first. */
export interface Errands { take_up: string[]; passed_over?: Record<string, string>; kinds: ErrandKind[] }

export interface PhraseBook {
  errands?: Errands;
  unit?: string;
  words?: Record<string, string>;
  legs?: Record<string, string>;
  answers: Record<string, Phrase>;
}

const files = import.meta.glob<PhraseBook>("../../../rulebooks/*/answers.json", { eager: true, import: "default" });

const books = new Map<string, PhraseBook>();
for (const [path, book] of Object.entries(files)) {
  const id = /rulebooks\/([^/]+)\//.exec(path)?.[1];
  if (id) books.set(id, book);
}

const nothing: PhraseBook = { answers: {} };

/** The phrases of a system, or none. */
export function phraseBook(ruleset: string): PhraseBook {
  return books.get(ruleset) ?? nothing;
}
