// The bell: one connection for all our games, so that the front page says which of them wait for us.

import type { LobbySay, News } from "../generated";
import { settings } from "./settings.svelte";

export class Bell {
  news = $state.raw<News[]>([]);
  waiting = $derived.by(() => this.news.filter((n) => n.yours));
  #socket: WebSocket | null = null;
  #closed = false;
  #patience = 1000;

  constructor() {
    this.#listen();
  }

  about(id: string): News | null {
    return this.news.find((n) => n.game === id) ?? null;
  }

  close(): void {
    this.#closed = true;
    this.#socket?.close();
  }

  #listen(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/live`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#patience = 1000;
      const games = settings.games.flatMap((g) => g.link.split("#")[1]?.split(",").filter(Boolean).map((token) => ({ id: g.id, token })) ?? []);
      socket.send(JSON.stringify({ watch: { games: games.slice(0, 200) } }));
    };
    socket.onmessage = (event) => {
      const said = JSON.parse(event.data as string) as LobbySay;
      if ("games" in said) this.news = said.games.list;
      if ("news" in said) {
        const fresh = said.news;
        this.news = [fresh, ...this.news.filter((n) => n.game !== fresh.game)];
        if (fresh.yours && document.hidden && "Notification" in window && Notification.permission === "granted") {
          new Notification("Tricorne", { body: `${fresh.title}: it is your decision.`, tag: fresh.game });
        }
      }
    };
    socket.onclose = () => {
      if (!this.#closed) setTimeout(() => this.#listen(), (this.#patience = Math.min(this.#patience * 2, 30_000)));
    };
  }
}
