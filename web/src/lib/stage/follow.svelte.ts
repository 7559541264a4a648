// The view follows what is played, where that is wanted: to each scene as it begins, and back to where it was when all is played.

import { untrack } from "svelte";
import type { Camera, Held } from "../camera.svelte";
import type { Point } from "../protocol";
import type { Scene } from "./scene";
import type { Stage } from "./stage.svelte";

/** Milliseconds from one view to the next. */
const gliding = 380;

/** Where a scene is played: everybody's way, every shot, every roll; who is named, where nothing of it is seen. */
export function places(scene: Scene): Point[] {
  const found = [...scene.actors.flatMap((a) => [...a.march, ...a.driven]), ...scene.shots.flatMap((s) => [s.from, s.to]), ...scene.throws.map((t) => t.at)];
  if (found.length) return found;
  return scene.named.flatMap((id) => { const unit = scene.after.units.find((u) => u.id === id && u.on_table); return unit ? [unit.at] : []; });
}

/** Called while a component is made. `wanted` says whether the view should follow now. */
export function follow(stage: Stage, camera: Camera, wanted: () => boolean): void {
  /** Where we were before; nothing while we are at home. */
  let home: { at: Held | null } | null = null;
  let frame = 0;

  function glide(to: Held, then: () => void = () => {}) {
    const from = { ...camera.at };
    const began = performance.now();
    cancelAnimationFrame(frame);
    const step = (now: number) => {
      const s = Math.min(1, Math.max(0, now - began) / gliding);
      const e = s * s * (3 - 2 * s);
      camera.held = { x: from.x + (to.x - from.x) * e, y: from.y + (to.y - from.y) * e, k: from.k * (to.k / from.k) ** e };
      if (s < 1) frame = requestAnimationFrame(step);
      else then();
    };
    frame = requestAnimationFrame(step);
  }

  $effect(() => {
    const scene = stage.scene;
    const on = wanted();
    untrack(() => {
      if (!on) {
        if (!home) return;
        const { at } = home;
        home = null;
        glide(at ?? camera.fit, () => (camera.held = at));
        return;
      }
      if (!scene) return;
      const there = places(scene);
      if (!there.length) return;
      home ??= { at: camera.held };
      glide(camera.about(there));
    });
  });
  $effect(() => () => cancelAnimationFrame(frame));
}
