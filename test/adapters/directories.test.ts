import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeDirectories, nearestExisting, tryWriting } from "../../src/adapters/directories.ts"
import { temporaryDirectory } from "../support/installation.ts"

describe("the way to a file", () => {
  it.live("is made with the mode given, and may be there already", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const root = yield* temporaryDirectory
        const directory = path.join(root, "a", "b", "c")
        assert.strictEqual(nearestExisting(directory), root)
        makeDirectories(directory, 0o700)
        makeDirectories(directory, 0o711)
        for (const one of ["a", "a/b", "a/b/c"]) {
          assert.strictEqual(fs.statSync(path.join(root, one)).mode & 0o777, 0o700)
        }
        tryWriting(directory)
        assert.deepStrictEqual(fs.readdirSync(directory), [])
      })
    )
  )

  it("fails at once where the parent exists and takes no entry", () => {
    assert.throws(() => makeDirectories("/proc/nothing/here", 0o700), /ENOENT/)
    assert.throws(() => tryWriting("/proc"), /ENOENT/)
  })
})
