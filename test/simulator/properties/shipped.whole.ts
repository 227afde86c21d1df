/** No property is violated in the default run of any shipped scenario. */
import { assert, describe, it } from "vitest"
import { checkedDeclarations } from "../support/declared-properties.ts"
import { shippedScenarios, monitorRun } from "../support/monitored-run.ts"

describe("default runs of shipped scenarios", () => {
  it.each(shippedScenarios)(
    "The default run of %s violates no property, and no property changes its state at an undeclared observation",
    (file) => {
      const { properties, wrong } = checkedDeclarations()
      assert.deepEqual(monitorRun(file, properties).violation, undefined)
      assert.deepEqual(wrong, [])
    },
    120_000
  )
})
