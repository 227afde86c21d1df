/** The unit tests of the decider, the history and the commands alone: what their mutants are held against. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: [
      "acts",
      "awaited-step",
      "command-inputs",
      "deadlines",
      "decisions",
      "folded-history",
      "guards",
      "hints",
      "history",
      "move-table",
      "next-action",
      "order-of-checks",
      "refusal-details",
      "related-projects",
      "signing",
      "stored-history"
    ]
      .map((name) => `test/projects/${name}.test.ts`)
      .concat(["hints", "table"].map((name) => `test/proposals/${name}.test.ts`)),
    maxWorkers: 1
  }
})
