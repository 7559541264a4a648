// One game, live: the WebSocket, what it said last, and requests with their answers.

import type { Action, ChatLine, Ending, GameFacts, Refused, State, Turned, View } from "./protocol";

type Message = Record<string, any> & { id?: number };

export class Live {
  game = $state<GameFacts | null>(null);
  state = $state<State | null>(null);
  turned = $state<Turned[]>([]);
  chat = $state<ChatLine[]>([]);
  presence = $state<{ seats: { seat: number; kind: string; name: string | null; here: boolean }[]; watching: number } | null>(null);
  over = $state<{ ending: Ending; seed: string; commitment: string } | null>(null);
  refused = $state<Refused | null>(null);
  connected = $state(false);

  #id: string;
  #tokens: string[];
  #socket: WebSocket | null = null;
  #waiting = new Map<number, { resolve: (m: Message) => void; reject: (r: Refused) => void }>();
  #next = 1;
  #closed = false;
  #patience = 500;

  constructor(id: string, tokens: string[]) {
    this.#id = id;
    this.#tokens = tokens;
    this.#connect();
  }

  get view(): View | null {
    return this.state?.view ?? null;
  }

  /** Asks something; the answer is the message with the same id. */
  ask(request: Message): Promise<Message> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) {
        reject({ kind: "offline", why: "not connected; trying again", clause: null, seat: null });
        return;
      }
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ ...request, id }));
    });
  }

  async act(action: Action): Promise<boolean> {
    if (!this.state) return false;
    this.refused = null;
    try {
      await this.ask({ act: { n: this.state.n, action, take_backs: this.state.take_backs } });
      return true;
    } catch (refused) {
      this.refused = refused as Refused;
      return false;
    }
  }

  async takeBack(): Promise<void> {
    try {
      await this.ask({ take_back: { n: this.state?.n ?? 0 } });
    } catch (refused) {
      this.refused = refused as Refused;
    }
  }

  say(text: string): void {
    void this.ask({ chat: { text } }).catch((r: Refused) => (this.refused = r));
  }

  close(): void {
    this.#closed = true;
    this.#socket?.close();
  }

  #connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${this.#id}/live`);
    this.#socket = socket;
    socket.onopen = () => {
      this.connected = true;
      this.#patience = 500;
      const since = this.turned.length ? this.turned[this.turned.length - 1]!.n + 1 : 0;
      socket.send(JSON.stringify({ hello: { tokens: this.#tokens, since } }));
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data as string));
    socket.onclose = () => {
      this.connected = false;
      for (const { reject } of this.#waiting.values()) reject({ kind: "offline", why: "the connection was lost", clause: null, seat: null });
      this.#waiting.clear();
      if (!this.#closed) setTimeout(() => this.#connect(), (this.#patience = Math.min(this.#patience * 2, 10_000)));
    };
  }

  #hear(message: Message): void {
    if (message.welcome) this.game = message.welcome.game;
    if (message.state) this.state = message.state;
    if (message.events) {
      const fresh = (message.events.turned as Turned[]).filter((t) => !this.turned.some((o) => o.n === t.n));
      this.turned = [...this.turned, ...fresh];
    }
    if (message.taken_back) this.turned = this.turned.filter((t) => t.n <= message.taken_back.n);
    if (message.chat) this.chat = [...this.chat, ...message.chat.lines];
    if (message.presence) this.presence = message.presence;
    if (message.over) this.over = message.over;
    const waiting = message.id === undefined ? undefined : this.#waiting.get(message.id);
    if (waiting && message.id !== undefined) {
      this.#waiting.delete(message.id);
      if (message.refused) waiting.reject(message.refused);
      else waiting.resolve(message);
    } else if (message.refused) {
      this.refused = message.refused;
    }
  }
}
