import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["dist", "node_modules", "tests/node_modules", "tests/results", "src/generated.ts"] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    rules: {
      // The compiler and svelte-check know types better than the linter does.
      "no-undef": "off",
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      // What is not used is said so by an underscore.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig } },
    // Props are taken apart by one `let`, whichever of them are bound. Maps and sets are made anew and put into raw
    // state as a whole, never changed in place.
    rules: { "prefer-const": "off", "svelte/prefer-const": "error", "svelte/prefer-svelte-reactivity": "off" },
  },
  {
    files: ["tests/**/*.mjs"],
    // A fixture of Playwright that needs no other begins with an empty pattern.
    rules: { "no-empty-pattern": "off" },
  },
);
