// The page in a real Chromium, against a binary that is built anyway: TRICORNE=path/to/tricorne npx playwright test.
// scripts/browser-tests finds the binary and the browser.

import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  testMatch: "*.test.mjs",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A test that fails once has found something.
  retries: 0,
  workers: Number(process.env.AT_ONCE ?? 2),
  // How long a thing may take says nothing about whether it is right: these limits are for what never comes.
  timeout: 3_600_000,
  expect: { timeout: 1_200_000 },
  reporter: [["list"], ["./count.mjs"]],
  outputDir: process.env.SHOTS ?? "results",
  use: {
    actionTimeout: 1_200_000,
    navigationTimeout: 1_200_000,
    viewport: { width: 1400, height: 900 },
    locale: "en-GB",
    trace: "off",
    video: "off",
    screenshot: process.env.SHOTS ? "only-on-failure" : "off",
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      headless: !process.env.HEADED,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    },
  },
});
