/** One upgrade after the other, each on a database of its own, with the next seed. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Console, Effect } from "effect"
import { upgradeUnderLoad } from "../processes/upgrade/upgrade.ts"
import { buildProgram, buildVersion, programOfTests } from "../support/built-program.ts"
import { installationOn, temporaryDirectory } from "../support/installation.ts"
import { temporaryDatabase } from "../soak/database.ts"
import type { DrillOptions } from "./options.ts"

export const upgrade = Effect.fnUntraced(function* ({ seed, duration }: DrillOptions) {
  const directory = yield* temporaryDirectory
  const versions = yield* Effect.promise(async () => {
    const [older, newer] = ["older", "newer"].map((name) => path.join(directory, name)) as [string, string]
    for (const place of [older, newer]) fs.mkdirSync(place)
    await buildProgram(older)
    const migrations = path.join(import.meta.dirname, "../processes/upgrade/newer-migrations.ts")
    return { newer: await buildVersion(newer, migrations), older: programOfTests() }
  })
  const wrong: Array<string> = []
  const began = performance.now()
  for (let round = seed; round === seed || performance.now() - began < duration; round++) {
    const outcome = yield* Effect.scoped(
      Effect.gen(function* () {
        const installation = yield* installationOn(yield* temporaryDatabase)
        return yield* upgradeUnderLoad(installation, versions, { seed: round, projects: 12, acts: 60 })
      })
    )
    yield* Console.log(
      `seed ${round}: ${outcome.acknowledged} acts acknowledged, ${outcome.repeated} requests repeated, ${outcome.wrong.length} wrong`
    )
    wrong.push(...outcome.wrong.map((text) => `seed ${round}: ${text}`))
  }
  return wrong
})
