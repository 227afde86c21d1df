/** The commands over all scenarios, and what starts many processes: a suite of its own beside `npm test`. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/simulator/**/*.whole.ts"],
    exclude: ["test/simulator/explore/exhaustive.whole.ts", "test/simulator/explore/mutants.whole.ts"],
    testTimeout: 60_000,
    maxWorkers: 1
  }
})
