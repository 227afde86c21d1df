/** What this service makes, checked by other people's programs: they have to be installed. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/foreign/**/*.foreign.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 1
  }
})
