/** No property is violated in the default run of some shipped scenarios; the others are in `shipped.whole.ts`. */
import { assert, describe, it } from "vitest"
import { properties } from "../../../simulator/properties/all-properties.ts"
import { checkedDeclarations } from "../support/declared-properties.ts"
import { shippedScenarios, monitorRun } from "../support/monitored-run.ts"

// Scenarios that fill a limit are slow.
const slow = /\/(full-grant|limits-of-texts|limits-of-storage)\//
const some = shippedScenarios.filter((file, index) => index % 6 === 0 && !slow.test(file))

describe("default runs of shipped scenarios", () => {
  it.each(some)(
    "The default run of %s violates no property, and no property changes its state at an undeclared observation",
    (file) => {
      const { properties: judging, wrong } = checkedDeclarations()
      assert.deepEqual(monitorRun(file, judging).violation, undefined)
      assert.deepEqual(wrong, [])
    }
  )

  it("The default run of a scenario with a pause reaches only reachability properties, among them a refusal by a pause", () => {
    const { reached } = monitorRun("scenarios/stop-controls/both-sides-pause/scenario.yaml")
    const sometimes = properties.filter(({ kind }) => kind === "sometimes").map(({ name }) => name)
    assert.include([...reached], "refusal by a pause")
    assert.includeMembers(sometimes, [...reached])
  })
})
