/** Every order of every script that is marked for it: what CI proves, in minutes rather than seconds. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/simulator/explore/exhaustive.whole.ts", "test/simulator/explore/mutants.whole.ts"],
    testTimeout: 600_000,
    maxWorkers: 1
  }
})
