// What a person likes, kept in the browser: the light, the dice, where their games are.

export type Light = "auto" | "light" | "dark";
/** How fast what others do is played on the table; off leaves arrows. */
export type Pace = "slow" | "normal" | "fast" | "off";
export type Curtain = "auto" | "always" | "never";
/** `owner` is the name whose game it is known to be. */
export interface KeptGame { id: string; title: string; link: string; at: number; owner?: string }

function kept<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(name);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch { /* a browser that keeps nothing: it holds for this page */ }
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

class Settings {
  light = $state<Light>(kept<Light>("light", "auto"));
  instant = $state(kept("instant-dice", still.matches));
  pace = $state<Pace>(kept<Pace>("pace", still.matches ? "off" : "normal"));
  /** Whether a curtain falls between two at one screen: only where one may not see what the other sees, always, never. */
  curtain = $state<Curtain>(kept<Curtain>("curtain", "auto"));
  /** The view goes where something is played, if that is wanted. */
  follow = $state(kept("follow", false));
  /** Nobody is startled: off until it is wanted. */
  sound = $state(kept("sound", false));
  games = $state.raw<KeptGame[]>(kept<KeptGame[]>("games", []));

  constructor() {
    dark.addEventListener("change", () => this.shine());
    this.shine();
  }

  /** Whether it is dark now, whoever wanted it so. */
  night = $state(false);

  shine(): void {
    this.night = this.light === "dark" || (this.light === "auto" && dark.matches);
    document.documentElement.dataset.theme = this.night ? "dark" : "light";
  }

  setLight(light: Light): void {
    this.light = light;
    keep("light", light);
    this.shine();
  }

  setInstant(instant: boolean): void {
    this.instant = instant;
    keep("instant-dice", instant);
  }

  setPace(pace: Pace): void {
    this.pace = pace;
    keep("pace", pace);
  }

  setSound(sound: boolean): void {
    this.sound = sound;
    keep("sound", sound);
  }

  setFollow(follow: boolean): void {
    this.follow = follow;
    keep("follow", follow);
  }

  setCurtain(curtain: Curtain): void {
    this.curtain = curtain;
    keep("curtain", curtain);
  }

  /** A game with our seat in it; the newest first, at most thirty. */
  remember(game: KeptGame): void {
    const { owner } = this.games.find((g) => g.id === game.id) ?? {};
    this.games = [{ ...(owner ? { owner } : {}), ...game }, ...this.games.filter((g) => g.id !== game.id)].slice(0, 30);
    keep("games", this.games);
  }

  /** These are games of somebody with a name. */
  owned(ids: string[], owner: string): void {
    if (!this.games.some((g) => ids.includes(g.id) && g.owner !== owner)) return;
    this.games = this.games.map((g) => (ids.includes(g.id) ? { ...g, owner } : g));
    keep("games", this.games);
  }

  forget(id: string): void {
    this.games = this.games.filter((g) => g.id !== id);
    keep("games", this.games);
    try {
      sessionStorage.removeItem(`seat-${id}`);
    } catch { /* nothing was kept there */ }
  }

  /** Up to when we have read what was said at a table, in milliseconds. */
  readUpTo(id: string): number {
    return kept<number>(`read-${id}`, 0);
  }

  read(id: string, at: number): void {
    keep(`read-${id}`, at);
  }
}

export const settings = new Settings();
