/** The unit tests of the decider, the history and the commands alone: what their mutants are held against. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: [
      "acts",
      "circumstances",
      "dates",
      "decisions",
      "details",
      "history",
      "hints",
      "next-action",
      "obstacles",
      "order",
      "signing",
      "stored-history",
      "table"
    ]
      .map((name) => `test/projects/${name}.test.ts`)
      .concat(["hints", "table"].map((name) => `test/proposals/${name}.test.ts`)),
    maxWorkers: 1
  }
})
