// Actions in words. The page knows no system: it reads the action's own names.

import type { Action, UnitView } from "./protocol";

function plain(text: string): string {
  return text.replaceAll("_", " ");
}

/** `{"declare": {"action": "fire", "target": "B"}}` becomes "declare: action fire, target B Zulus". */
export function words(action: Action, units: UnitView[]): string {
  const named = (text: string) => {
    const unit = units.find((u) => u.id === text);
    return unit ? `${unit.id}${unit.name && unit.name !== unit.id ? ` ${unit.name}` : ""}` : plain(text);
  };
  const value = (v: unknown): string => {
    if (v === null || v === undefined) return "";
    if (typeof v === "string") return named(v);
    if (typeof v === "number") return String(Math.round(v * 100) / 100);
    if (typeof v === "boolean") return v ? "yes" : "no";
    if (Array.isArray(v)) {
      if (v.length === 2 && v.every((x) => typeof x === "number")) return `(${v.map((x) => Math.round(x * 10) / 10).join(", ")})`;
      return v.map(value).filter(Boolean).join(" → ");
    }
    return Object.entries(v as Record<string, unknown>)
      .filter(([, inner]) => inner !== null && !(Array.isArray(inner) && inner.length === 0))
      .map(([key, inner]) => (key === "action" || key === "target" ? value(inner) : `${plain(key)} ${value(inner)}`))
      .join(", ");
  };
  if (typeof action === "string") return plain(action);
  const entries = Object.entries((action ?? {}) as Record<string, unknown>);
  return entries.map(([key, inner]) => (key === "declare" ? value(inner) : `${plain(key)} ${value(inner)}`)).join(", ");
}

/** Units an action names, so that clicking one on the table can pick it. */
export function unitsIn(action: Action, ids: Set<string>): string[] {
  const found: string[] = [];
  const walk = (v: unknown) => {
    if (typeof v === "string" && ids.has(v)) found.push(v);
    else if (Array.isArray(v)) v.forEach(walk);
    else if (v && typeof v === "object") Object.values(v).forEach(walk);
  };
  walk(action);
  return found;
}
