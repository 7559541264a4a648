// What an action sounds like, told from the scene that is played: which sound, when in it, how loud, and what is written for those
// who do not hear it.

import { distance } from "../geometry";
import { long, type Actor, type Scene } from "../stage/scene";
import { called } from "../words";

export type Kind = "drums" | "musketry" | "cannon" | "steel" | "hooves" | "tramp" | "cheer";
export interface Cue { kind: Kind; /** Milliseconds into the scene, at the usual pace. */ at: number; /** From 0 to 1. */ loud: number; caption: string }

const name = (scene: Scene, id: string) => {
  const unit = scene.before.units.find((u) => u.id === id) ?? scene.after.units.find((u) => u.id === id);
  return unit ? called(unit) : "";
};

/** Whether somebody is driven: off, or back from the enemy. Who only changes his ranks or closes up is not, nor is a general who rides. */
function givesWay({ unit, driven, leaves }: Actor, scene: Scene): boolean {
  if (unit.arm === "command") return false;
  if (leaves) return scene.shots.length > 0;
  const inch = scene.before.table.unit === "inch" ? 1 : 2.54;
  if (driven.length < 2 || long(driven) < 0.5 * inch) return false;
  const foes = scene.before.units.filter((u) => u.side !== unit.side && u.on_table);
  const near = (p: (typeof driven)[number]) => Math.min(...foes.map((u) => distance(u.at, p)));
  return !foes.length || near(driven.at(-1)!) > near(driven[0]!);
}

/** So many sounds of what is shown at once are heard, and no more: together they would be a noise. */
const most = 3;

/** The chief sounds of scenes that are shown at once: the loudest, each said once, in the order they came. */
export function chief(scenes: Scene[]): Cue[] {
  const all = scenes.flatMap(cues);
  const fresh = all.filter((cue, i) => all.findIndex((c) => c.caption === cue.caption) === i);
  const loudest = [...fresh].sort((a, b) => b.loud - a.loud).slice(0, most);
  return fresh.filter((cue) => loudest.includes(cue));
}

/** The sounds of a scene, in their order. A new turn begins with drums. */
export function cues(scene: Scene): Cue[] {
  const found: Cue[] = [];
  if (scene.after.clock.turn !== scene.before.clock.turn) found.push({ kind: "drums", at: 0, loud: 0.5, caption: `drums beat for turn ${scene.after.clock.turn}` });
  const marching = scene.actors.filter((a) => a.march.length > 1);
  const horse = marching.find((a) => a.unit.arm === "cavalry" || a.unit.arm === "command");
  if (horse) found.push({ kind: "hooves", at: scene.march[0], loud: horse.unit.arm === "command" ? 0.25 : 0.6, caption: horse.unit.arm === "command" ? "a rider gallops" : `the hooves of ${name(scene, horse.unit.id) || "horse"}` });
  else if (marching.length) found.push({ kind: "tramp", at: scene.march[0], loud: 0.35, caption: "the tramp of marching men" });
  for (const shot of scene.shots) {
    const loud = Math.min(1, 0.3 + shot.dice / 24);
    if (shot.near) found.push({ kind: "steel", at: scene.fire[0], loud, caption: "shouting and steel" });
    else if (shot.big) found.push({ kind: "cannon", at: scene.fire[0], loud, caption: `the guns of ${name(scene, shot.who)}` });
    else found.push({ kind: "musketry", at: scene.fire[0], loud, caption: `${shot.dice > 12 ? "a rolling volley" : shot.dice > 5 ? "a volley" : "scattered shots"} from ${name(scene, shot.who)}` });
  }
  const runs = scene.actors.find((a) => givesWay(a, scene));
  if (runs) found.push({ kind: "cheer", at: scene.drive[0], loud: 0.5, caption: `a cheer goes up; ${name(scene, runs.unit.id) || "they"} give way` });
  return found;
}
