import { svelte } from "@sveltejs/vite-plugin-svelte";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** What the page is made of; the same list is in `web/build.rs`. */
const SOURCES = ["src", "public", "index.html", "package-lock.json", "svelte.config.js", "tsconfig.json", "vite.config.ts", "../rulebooks"];

function gather(part: string): string[] {
  const path = join(import.meta.dirname, part);
  return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => gather(`${part}/${name}`)) : [part];
}

/** Names and contents of the sources in one number (FNV-1a, 32 bits), line ends as Git keeps them. */
function digest(): string {
  const names = SOURCES.flatMap(gather).filter((name) => !name.startsWith("../rulebooks") || /\/(answers|briefings|guided)\.json$|\/guided\.toml$|\/fights\/[^/]*\.md$/.test(name));
  let sum = 0x811c9dc5;
  const add = (byte: number) => {
    sum = Math.imul(sum ^ byte, 0x01000193);
  };
  for (const name of names.sort()) {
    for (const byte of Buffer.from(name)) add(byte);
    for (const byte of readFileSync(join(import.meta.dirname, name))) if (byte !== 13) add(byte);
  }
  return (sum >>> 0).toString(16).padStart(8, "0");
}

/** Says in `source.txt` what the page was built from, so that cargo knows whether the page in the repository is the newest. */
const source: Plugin = {
  name: "source",
  apply: "build",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "source.txt", source: `${digest()}\n` });
  },
};

export default defineConfig({
  plugins: [svelte(), source],
  build: { target: "es2022", assetsInlineLimit: 0 },
  server: { proxy: { "/api": { target: process.env.TRICORNE_AT ?? "http://127.0.0.1:8080", ws: true } } },
});
