/** The scenarios on Postgres and in separate processes: a suite of its own beside `npm test`, which has them in memory. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/simulator/scenarios.whole.ts"],
    globalSetup: ["test/support/postgres.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000
  }
})
