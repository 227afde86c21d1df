/** What `npm pack` makes, installed into an empty folder: packs and installs once. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/package/**/*.package.ts"],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    maxWorkers: 1
  }
})
