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

/** The pages that are opened by an address of their own, and what each asks for first. */
const ROOMS: Record<string, { page: string; asks: string[] }> = {
  index: { page: "Home", asks: ["/api/about", "/api/rulesets", "/api/scenarios", "/api/games"] },
  game: { page: "Game", asks: [] },
  replay: { page: "Replay", asks: [] },
  after: { page: "After", asks: [] },
};

/** A head for each page, so that a browser fetches all it will need at once and not one thing after another. */
const heads: Plugin = {
  name: "heads",
  apply: "build",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      const plain = bundle["index.html"];
      if (plain?.type !== "asset") return;
      const text = String(plain.source);
      for (const [room, { page, asks }] of Object.entries(ROOMS)) {
        const files = new Set<string>();
        const gather = (name: string) => {
          const chunk = bundle[name];
          if (files.has(name) || chunk?.type !== "chunk") return;
          files.add(name);
          for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css);
          chunk.imports.forEach(gather);
        };
        for (const [name, chunk] of Object.entries(bundle)) if (chunk.type === "chunk" && chunk.facadeModuleId?.endsWith(`/pages/${page}.svelte`)) gather(name);
        const links = [...files]
          .filter((name) => !text.includes(name))
          .map((name) => (name.endsWith(".css") ? `<link rel="stylesheet" crossorigin href="/${name}">` : `<link rel="modulepreload" crossorigin href="/${name}">`));
        links.push(...asks.map((path) => `<link rel="preload" as="fetch" crossorigin href="${path}">`));
        const headed = text.replace("</head>", `${links.map((link) => `  ${link}\n  `).join("")}</head>`);
        if (room === "index") plain.source = headed;
        else this.emitFile({ type: "asset", fileName: `${room}.html`, source: headed });
      }
    },
  },
};

export default defineConfig({
  plugins: [svelte(), source, heads],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    // One sheet of ten kilobytes for all pages, and the small things that every page takes in one file: what is waited for before
    // the first letter costs a way to the server and back for each file.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: "common",
              test: /\/(rulebooks\/[^/]+\/answers\.json|src\/lib\/(words|phrases|protocol|geometry|briefing|livery|picture|copy|Briefing|Menu|Concede|Confirm|DrawOffer|SeatChoice)\b[^/]*)$/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": { target: process.env.TRICORNE_AT ?? "http://127.0.0.1:8080", ws: true } } },
});
