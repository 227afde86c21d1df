import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeDirectories, nearestExisting, tryWriting } from "../../src/adapters/directories.ts"
import { temporaryDirectory } from "../support/installation.ts"

describe("creation of directories", () => {
  it.live("Missing parents are created with the given mode, and existing ones are kept.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const root = yield* temporaryDirectory
        const directory = path.join(root, "a", "b", "c")
        assert.strictEqual(nearestExisting(directory), root)
        makeDirectories(directory, 0o700)
        makeDirectories(directory, 0o711)
        for (const name of ["a", "a/b", "a/b/c"]) {
          assert.strictEqual(fs.statSync(path.join(root, name)).mode & 0o777, 0o700)
        }
        tryWriting(directory)
        assert.deepStrictEqual(fs.readdirSync(directory), [])
      })
    )
  )

  it("Creating a directory fails at once where the parent exists and takes no entry.", () => {
    assert.throws(() => makeDirectories("/proc/nothing/here", 0o700), /ENOENT/)
    assert.throws(() => tryWriting("/proc"), /ENOENT/)
  })
})
