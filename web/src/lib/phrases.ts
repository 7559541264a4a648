// The sentences in which answers are put. Each system brings its own as data (rulebooks/SYSTEM/answers.json), so the
// page knows no system by name: one without a file is read from the names in its answers.

export type Phrase = string | { [key: string]: Phrase };

export interface PhraseBook {
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
