/** No property is violated in the default run of any shipped scenario. */
import { assert, describe, it } from "vitest"
import { shippedScenarios, monitorRun } from "../support/monitored-run.ts"

describe("default runs of shipped scenarios", () => {
  it.each(shippedScenarios)(
    "The default run of %s violates no property",
    (file) => {
      assert.deepEqual(monitorRun(file).violation, undefined)
    },
    120_000
  )
})
