/** No property is violated in the default run of some shipped scenarios; the others are in `shipped.whole.ts`. */
import { assert, describe, it } from "vitest"
import { invariants } from "../../../simulator/invariants/every.ts"
import { shippedScripts, watchRun } from "../support/watched-run.ts"

// Scenarios that fill a limit are slow.
const some = shippedScripts.filter((file, index) => index % 6 === 0 && !/\/9[0-2]-/.test(file))

describe("default runs of shipped scenarios", () => {
  it.each(some)("The default run of %s violates no property", (file) => {
    assert.deepEqual(watchRun(file).violation, undefined)
  })

  it("The default run of a scenario with a pause reaches only reachability properties, among them a refusal by a pause", () => {
    const { reached } = watchRun("scenarios/19-both-sides-pause.yaml")
    const sometimes = invariants.filter(({ kind }) => kind === "sometimes").map(({ name }) => name)
    assert.include([...reached], "a pause refuses somebody")
    assert.includeMembers(sometimes, [...reached])
  })
})
