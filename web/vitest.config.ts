import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The page's own logic, without a page: geometry, words, odds, camera, tape, workshop. What a person sees is tried in a
// real browser (tests/).
export default defineConfig({
  plugins: [svelte()],
  resolve: { conditions: ["browser"] },
  test: { include: ["unit/**/*.test.ts"], environment: "happy-dom", reporters: ["default"] },
});
