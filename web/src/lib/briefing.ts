// What a player should know before and during a battle, put together from what there is: the scenario's own line, the briefings of
// its system (rulebooks/SYSTEM/briefings.json), the written accounts of battles that were fought (rulebooks/SYSTEM/fights), and the
// table itself. A scenario of one's own has only the last of these, and its own line.

import type { ScenarioPage, View } from "./protocol";
import { plain } from "./words";

interface Task { task: string; wins: string }
/** `seconds` for each unit in each turn the scenario has: from how many decisions programs took (one battle of each scenario, many of
 * which ended early), ten seconds for each of ours and two for each of theirs to be shown. */
interface Book { seconds?: number; wins: string; clauses: string[]; scenarios: Record<string, { story?: string; first?: boolean; sides?: Record<string, Task> } | undefined> }

export interface Part { head: string; paragraphs: string[] }
export interface Briefing {
  story: string[];
  /** A good first battle. */
  first: boolean;
  /** Each side's own task, in the order of the sides. */
  tasks: { side: string; paragraphs: string[]; wins: string }[];
  /** How any battle of these rules is won. */
  wins: string;
  clauses: string[];
  ground: { what: string; notes: { text: string; clause: string | null }[] }[];
  more: Part[];
  favours: string | null;
  /** How long it takes, in words. */
  lasts: string;
}

const books = import.meta.glob<Book>("../../../rulebooks/*/briefings.json", { import: "default" });
const fights = import.meta.glob<string>("../../../rulebooks/*/fights/*.md", { query: "?raw", import: "default" });

/** Paragraphs under their headings; marks of emphasis are not shown. */
export function parts(markdown: string): Part[] {
  const found: Part[] = [{ head: "", paragraphs: [] }];
  for (const block of markdown.replaceAll("\r", "").split(/\n\s*\n|\n(?=#)|(?<=^#[^\n]*)\n/m)) {
    const text = block.trim();
    const head = /^#+\s+(.*)/.exec(text);
    if (head) found.push({ head: head[1]!, paragraphs: [] });
    else if (text && !/^\*[^*].*`tricorne /.test(text)) found.at(-1)!.paragraphs.push(text.replace(/\s*\n\s*/g, " ").replace(/\*\*|`/g, "").replace(/(^|\s)\*([^*]+)\*/g, "$1$2"));
  }
  return found.filter((p) => p.head || p.paragraphs.length);
}

/** What the table is made of, each kind once, with what it does. */
export function groundOf(view: View): Briefing["ground"] {
  const kinds = new Map<string, { many: number; notes: Map<string, string | null> }>();
  for (const t of view.terrain) {
    const kind = kinds.get(t.kind) ?? { many: 0, notes: new Map<string, string | null>() };
    kind.many += 1;
    for (const n of t.notes) kind.notes.set(n.label ? `${n.label}: ${n.text}` : n.text, n.clause);
    kinds.set(t.kind, kind);
  }
  return [...kinds].map(([kind, k]) => ({ what: k.many > 1 ? `${plain(kind)} (${k.many})` : plain(kind), notes: [...k.notes].map(([text, clause]) => ({ text, clause })) }));
}

/** How long it takes against a program, roughly and in words; nothing where nobody can say. */
export function lasting(view: Pick<View, "clock" | "units">, seconds: number): string {
  const units = view.units.filter((u) => u.arm !== "command").length;
  const minutes = (units * (view.clock.of ?? 10) * seconds) / 60;
  if (!units) return "";
  if (minutes < 8) return "a few minutes";
  if (minutes < 27) return `about ${Math.round(minutes / 5) * 5} minutes`;
  if (minutes < 38) return "about half an hour";
  if (minutes < 53) return "about three quarters of an hour";
  if (minutes < 75) return "about an hour";
  if (minutes < 105) return "about an hour and a half";
  return `about ${Math.round(minutes / 60)} hours`;
}

/** Puts a briefing together; what there is not is left out. */
export function composed(page: ScenarioPage | null, view: View, book: Book | null, fight: string | null, scenario: string): Briefing {
  const known = book?.scenarios[scenario];
  const written = fight ? parts(fight) : [];
  const tasks = written.filter((p) => /^For /.test(p.head));
  const intro = written[0]?.head ? written[0].paragraphs : [];
  return {
    story: [...(intro.length ? intro : [known?.story ?? page?.story ?? ""])].filter(Boolean),
    first: known?.first ?? false,
    tasks: view.sides.map((s, i) => {
      const own = known?.sides?.[s.name];
      const told = tasks.length === view.sides.length ? tasks[i] : undefined;
      const wins = told?.paragraphs.find((p) => /^How you win\./.test(p))?.replace(/^How you win\.\s*/, "") ?? own?.wins ?? "";
      return { side: s.name, paragraphs: told ? told.paragraphs.filter((p) => !/^How you win\./.test(p)) : own ? [own.task] : [], wins };
    }),
    wins: book?.wins ?? "",
    clauses: book?.clauses ?? [],
    ground: groundOf(view),
    more: written.filter((p) => /^(The ground|What is simplified)/.test(p.head)),
    favours: page?.favours ?? null,
    lasts: book?.seconds ? lasting(view, book.seconds) : "",
  };
}

async function file<T>(files: Record<string, () => Promise<T>>, end: string): Promise<T | null> {
  const found = Object.entries(files).find(([path]) => path.endsWith(end))?.[1];
  return found ? found().catch(() => null) : null;
}

/** Tells the briefing: at once what the page has with it, and again when the server has looked the scenario up. */
export async function briefing(ruleset: string, scenario: string, view: View, tell: (told: Briefing) => void): Promise<void> {
  const asked = scenario ? fetch(`/api/scenarios/${ruleset}/${scenario}`).then((r) => (r.ok ? (r.json() as Promise<ScenarioPage>) : null)) : Promise.resolve(null);
  const [book, fight] = await Promise.all([file(books, `/${ruleset}/briefings.json`), file(fights, `/${ruleset}/fights/${scenario}.md`)]);
  tell(composed(null, view, book, fight, scenario));
  const page = await asked.catch(() => null);
  if (page) tell(composed(page, view, book, fight, scenario));
}
