// Files and links: what is made here belongs to the player, not to the server.

/** Offers a text as a file to keep. */
export function save(name: string, text: string, type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A file name of a title: `The Ford` becomes `the-ford`. */
export function slug(title: string): string {
  return title.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "untitled";
}

/** A text folded small enough for a link; it stays behind the #, where no server log sees it. */
export async function fold(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What {@link fold} folded; throws on anything else. */
export async function unfold(folded: string): Promise<string> {
  const binary = atob(folded.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

/** A scenario being drawn. */
export interface Draft { ruleset: string; title: string; text: string }

/** Keeps a draft: for this tab, so that a reload loses nothing, and for this browser, so that tomorrow it can be gone on with. */
export function keepDraft(draft: Draft): void {
  for (const shelf of [() => sessionStorage, () => localStorage]) {
    try {
      shelf().setItem("draft", JSON.stringify(draft));
    } catch { /* a browser that keeps nothing: the file can still be saved */ }
  }
}

/** The draft this tab was at, or the last one in this browser. */
export function keptDraft(where: "tab" | "browser"): Draft | null {
  try {
    const kept = JSON.parse((where === "tab" ? sessionStorage : localStorage).getItem("draft") ?? "null") as Draft | null;
    return kept && typeof kept.text === "string" && typeof kept.ruleset === "string" ? kept : null;
  } catch {
    return null;
  }
}

/** This tab is at no draft any more. */
export function leaveDraft(): void {
  try {
    sessionStorage.removeItem("draft");
  } catch { /* nothing was kept there */ }
}

/** A seed nobody has to think of. */
export const seed = (): string => String(Math.floor(Math.random() * 1_000_000));
