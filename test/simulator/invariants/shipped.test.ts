/** No invariant is broken in the ordinary run of some shipped scripts; the others are in `shipped.whole.ts`. */
import { assert, describe, it } from "vitest"
import { invariants } from "../../../simulator/invariants/every.ts"
import { shippedScripts, watchRun } from "../support/watched-run.ts"

// Those that fill something to its limit take long.
const some = shippedScripts.filter((file, index) => index % 6 === 0 && !/\/9[0-2]-/.test(file))

describe("an ordinary run", () => {
  it.each(some)("of %s breaks nothing", (file) => {
    assert.deepEqual(watchRun(file).violation, undefined)
  })

  it("comes to something that has to come about sometimes", () => {
    const { reached } = watchRun("scenarios/19-both-sides-pause.yaml")
    const sometimes = invariants.filter(({ kind }) => kind === "sometimes").map(({ name }) => name)
    assert.include([...reached], "a pause refuses somebody")
    assert.includeMembers(sometimes, [...reached])
  })
})
