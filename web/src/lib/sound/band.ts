// The sounds, made here out of noise and a few waves; nothing is fetched. The browser lets a page sound only after somebody has
// pressed something, so the band is set up when sound is switched on.

import type { Cue } from "./cues";

export class Band {
  #context: AudioContext | null = null;
  #noise: AudioBuffer | null = null;
  /** How many sounds were begun: for those who look whether any were. */
  played = 0;

  #ready(): AudioContext {
    const context = (this.#context ??= new AudioContext());
    if (context.state === "suspended") void context.resume();
    if (!this.#noise) {
      const noise = context.createBuffer(1, context.sampleRate * 2, context.sampleRate);
      const data = noise.getChannelData(0);
      // White noise by a small generator: the same each time.
      let state = 1;
      for (let i = 0; i < data.length; i++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        data[i] = state / 2147483648 - 1;
      }
      this.#noise = noise;
    }
    return context;
  }

  /** A burst of noise through a filter, dying away. */
  #burst(at: number, { loud, lasts, pitch, kind = "lowpass", q = 0.7, attack = 0.003 }: { loud: number; lasts: number; pitch: number; kind?: BiquadFilterType; q?: number; attack?: number }): void {
    const context = this.#ready();
    const source = context.createBufferSource();
    source.buffer = this.#noise;
    const filter = context.createBiquadFilter();
    filter.type = kind;
    filter.frequency.value = pitch;
    filter.Q.value = q;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(Math.max(0.0002, loud), at + attack);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + attack + lasts);
    source.connect(filter).connect(gain).connect(context.destination);
    source.start(at, (this.played * 0.137) % 1.2);
    source.stop(at + attack + lasts + 0.05);
  }

  /** A tone that falls, as of a skin or of something heavy. */
  #thump(at: number, loud: number, from: number, to: number, lasts: number): void {
    const context = this.#ready();
    const wave = context.createOscillator();
    wave.frequency.setValueAtTime(from, at);
    wave.frequency.exponentialRampToValueAtTime(to, at + lasts);
    const gain = context.createGain();
    gain.gain.setValueAtTime(loud, at);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
    wave.connect(gain).connect(context.destination);
    wave.start(at);
    wave.stop(at + lasts + 0.05);
  }

  /** Plays a sound so many milliseconds from now. */
  play(cue: Cue, after = 0): void {
    const start = this.#ready().currentTime + after / 1000;
    const loud = cue.loud * 0.5;
    this.played += 1;
    switch (cue.kind) {
      case "musketry": {
        const shots = Math.round(4 + cue.loud * 26);
        for (let i = 0; i < shots; i++) this.#burst(start + ((i * 7919) % 100) / 100 * (0.25 + cue.loud * 0.5), { loud: loud * 0.5, lasts: 0.09, pitch: 1900 + ((i * 337) % 900), kind: "bandpass" });
        break;
      }
      case "cannon":
        this.#thump(start, loud, 95, 28, 0.9);
        this.#burst(start, { loud, lasts: 1.1, pitch: 420 });
        break;
      case "steel":
        for (let i = 0; i < 9; i++) this.#burst(start + i * 0.09 + ((i * 53) % 7) / 100, { loud: loud * 0.35, lasts: 0.12, pitch: 3200 + ((i * 611) % 2400), kind: "bandpass", q: 9 });
        this.#burst(start, { loud: loud * 0.4, lasts: 1, pitch: 700, kind: "bandpass", q: 1.2, attack: 0.2 });
        break;
      case "hooves":
        for (let i = 0; i < 14; i++) this.#thump(start + Math.floor(i / 3) * 0.26 + (i % 3) * 0.07, loud * 0.5, 190, 80, 0.07);
        break;
      case "tramp":
        for (let i = 0; i < 6; i++) this.#burst(start + i * 0.32, { loud: loud * 0.4, lasts: 0.1, pitch: 300 });
        break;
      case "drums":
        for (let i = 0; i < 16; i++) this.#burst(start + i * 0.06 + (i > 11 ? (i - 11) * 0.06 : 0), { loud: loud * (i % 4 ? 0.25 : 0.6), lasts: 0.07, pitch: 1100, kind: "bandpass", q: 1.5 });
        this.#thump(start, loud * 0.5, 150, 90, 0.12);
        break;
      case "cheer":
        for (const pitch of [520, 780, 1150]) this.#burst(start, { loud: loud * 0.35, lasts: 0.9, pitch, kind: "bandpass", q: 5, attack: 0.25 });
        break;
    }
  }

  close(): void {
    void this.#context?.close();
    this.#context = null;
    this.#noise = null;
  }
}
