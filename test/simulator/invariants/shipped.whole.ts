/** No invariant is broken in the ordinary run of any shipped script. */
import { assert, describe, it } from "vitest"
import { shippedScripts, watchRun } from "../support/watched-run.ts"

describe("an ordinary run", () => {
  it.each(shippedScripts)(
    "of %s breaks nothing",
    (file) => {
      assert.deepEqual(watchRun(file).violation, undefined)
    },
    120_000
  )
})
