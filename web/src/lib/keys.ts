// The keys of our seats. They come in a link behind the #, and are taken out of the address at once, so that nobody reads
// them over a shoulder, in a picture of the screen or in the history. This tab keeps them; the list of our games does, too.

import { settings } from "./settings.svelte";

const shelf = (id: string) => `seat-${id}`;

/** The keys for a game: those of the link we came by, else those this tab or this browser has kept. `#watch` is to look on with none. */
export function keysFor(id: string): string[] {
  const split = (text: string) => text.split(",").filter(Boolean);
  const behind = location.hash.slice(1);
  if (behind === "watch") return [];
  const brought = split(behind);
  if (brought.length) {
    try {
      sessionStorage.setItem(shelf(id), brought.join(","));
      history.replaceState(history.state, "", location.pathname + location.search);
    } catch { /* a browser that keeps nothing: the key must stay where it is, or a reload would lose the seat */ }
    return brought;
  }
  const known = settings.games.find((g) => g.id === id)?.link.split("#")[1] ?? "";
  try {
    return split(sessionStorage.getItem(shelf(id)) ?? known);
  } catch {
    return split(known);
  }
}
