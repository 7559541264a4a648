import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte()],
  build: { target: "es2022", assetsInlineLimit: 0 },
  server: { proxy: { "/api": { target: process.env.TRICORNE_AT ?? "http://127.0.0.1:8080", ws: true } } },
});
