/** No property is violated in the default run of any shipped scenario. */
import { assert, describe, it } from "vitest"
import { shippedScripts, watchRun } from "../support/watched-run.ts"

describe("default runs of shipped scenarios", () => {
  it.each(shippedScripts)(
    "The default run of %s violates no property",
    (file) => {
      assert.deepEqual(watchRun(file).violation, undefined)
    },
    120_000
  )
})
