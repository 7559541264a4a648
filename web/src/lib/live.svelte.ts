// One game, live: the WebSocket, what it said last, and requests with their answers.

import type { Action, Changes, ChatLine, Ending, GameFacts, Present, Refused, State, Turned, View } from "./protocol";

import { enroll } from "./words";

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a message holds is known where it is read
type Message = Record<string, any> & { id?: number };

const lost: Refused = { kind: "offline", why: "the connection was lost; trying again", clause: null, seat: null };

export class Live {
  game = $state.raw<GameFacts | null>(null);
  state = $state.raw<State | null>(null);
  /** Kept apart from `state`, because the server sends only what changed. */
  view = $state.raw<View | null>(null);
  turned = $state.raw<Turned[]>([]);
  /** What happened, as far as the seat we look from may know it: of several seats at one screen each has its own secrets. */
  told = $derived.by(() => this.turned.map((t) => this.#heard(t)));
  chat = $state.raw<ChatLine[]>([]);
  presence = $state.raw<{ seats: Present[]; watching: number } | null>(null);
  over = $state.raw<{ ending: Ending | null; seed: string; commitment: string } | null>(null);
  /** The draw that is offered, or what became of it. */
  draw = $state.raw<{ offered: number[]; declined: number | null } | null>(null);
  refused = $state.raw<Refused | null>(null);
  connected = $state(false);
  /** Called with each table we are sent, and with the action that led to it if it has just been taken. `jumped` says that what is
   * sent does not follow from what we had: we came anew, or something was taken back. */
  onview: (before: View | null, after: View, turned: Turned[], jumped: boolean) => void = () => {};

  #id: string;
  #tokens: string[];
  #socket: WebSocket | null = null;
  #waiting = new Map<number, { resolve: (m: Message) => void; reject: (r: Refused) => void }>();
  #next = 1;
  #closed = false;
  #patience = 250;
  #caughtUp = false;
  #fresh: Turned[] = [];
  #jumped = false;

  constructor(id: string, tokens: string[]) {
    this.#id = id;
    this.#tokens = tokens;
    this.#connect();
    // Browsers may hold the line of a tab that is gone for a while, and the others would think us still here. One that is only
    // put aside comes back as after any lost line.
    window.addEventListener("pagehide", () => this.#socket?.close());
  }

  /** Asks something; the answer is the message with the same id. */
  ask(request: Message): Promise<Message> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) {
        reject(lost);
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
    this.refused = null;
    try {
      await this.ask({ take_back: { n: this.state?.n ?? 0 } });
    } catch (refused) {
      this.refused = refused as Refused;
    }
  }

  look(seat: number | null): void {
    void this.ask({ look: { seat } }).catch((r: Refused) => (this.refused = r));
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
      this.#caughtUp = false;
      // All events again: some may have been taken back while we were away.
      socket.send(JSON.stringify({ hello: { tokens: this.#tokens, views: "changes", packed: "DecompressionStream" in window } }));
    };
    // Long messages come packed, and unpacking takes a moment: whatever comes meanwhile waits its turn.
    socket.binaryType = "arraybuffer";
    let line: Promise<void> | null = null;
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      const hear = (text: string) => { if (this.#socket === socket) this.#hear(JSON.parse(text)); };
      if (typeof event.data === "string" && !line) { hear(event.data); return; }
      const text = typeof event.data === "string" ? event.data : unpacked(event.data);
      const before: Promise<void> = line ?? Promise.resolve();
      const mine: Promise<void> = Promise.all([text, before])
        .then(([t]) => { if (line === mine) line = null; hear(t); })
        // What cannot be read is not skipped over: we come anew and are told all of it.
        .catch((e: unknown) => { reportError(e); socket.close(); });
      line = mine;
    };
    socket.onclose = () => {
      this.connected = false;
      for (const { reject } of this.#waiting.values()) reject(lost);
      this.#waiting.clear();
      if (!this.#closed) setTimeout(() => this.#connect(), (this.#patience = Math.min(this.#patience * 2, 8_000)));
    };
  }

  #heard(turned: Turned): Turned {
    const seat = this.state?.seat ?? null;
    if ((this.state?.your_seats.length ?? 0) < 2 || this.over) return turned;
    const may = (only: number[] | undefined) => !only?.length || (seat !== null && only.includes(seat));
    return { ...turned, events: turned.events.filter((e) => may(e.only)), draws: may(turned.draws_only) ? turned.draws : [] };
  }

  #hear(message: Message): void {
    if (message.welcome) {
      this.connected = true;
      this.#patience = 250;
      this.chat = [];
      this.draw = null;
      this.game = message.welcome.game;
    }
    if (message.events) {
      const last = this.turned.at(-1)?.n ?? -1;
      // Nothing is told twice, whatever is sent again.
      const fresh = (message.events.turned as Turned[]).filter((t) => !this.#caughtUp || t.n > last);
      // Long stories come in several messages.
      this.turned = this.#caughtUp || message.events.from > 0 ? [...this.turned, ...fresh] : fresh;
      if (this.#caughtUp) this.#fresh = [...this.#fresh, ...fresh];
    }
    if (message.state) {
      const state = message.state as State;
      const before = this.view;
      if (state.view) {
        enroll(state.view);
        this.view = state.view;
      }
      else if (state.changes && this.view) {
        this.view = changed(this.view, state.changes);
        if (state.changes.units_order) enroll(this.view);
      }
      this.state = state;
      const fresh = this.#fresh.map((t) => this.#heard(t));
      const jumped = !this.#caughtUp || this.#jumped;
      [this.#fresh, this.#jumped, this.#caughtUp] = [[], false, true];
      if (this.view) this.onview(before, this.view, fresh, jumped);
    }
    if (message.taken_back) {
      this.turned = this.turned.filter((t) => t.n <= message.taken_back.n);
      this.#jumped = true;
    }
    if (message.chat) this.chat = [...this.chat, ...message.chat.lines];
    if (message.draw) this.draw = message.draw;
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

/** A packed message as text. */
function unpacked(bytes: ArrayBuffer): Promise<string> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

/** A view with what changed put in; a unit that is in no order any more is gone. */
function changed(view: View, changes: Changes): View {
  const { units: fresh = [], units_order: order, ...rest } = changes;
  const told = Object.fromEntries(Object.entries(rest).filter(([, v]) => v !== null && v !== undefined));
  const byId = new Map(view.units.map((u) => [u.id, u]));
  for (const unit of fresh ?? []) byId.set(unit.id, unit);
  const units = order ? order.flatMap((id) => byId.get(id) ?? []) : view.units.map((u) => byId.get(u.id) ?? u);
  return { ...view, ...told, units };
}
