import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { violationsOf } from "../../migrations/rules.ts"
import { buildVersion, programOfTests } from "../../support/built-program.ts"
import { installationOn, temporaryDirectory } from "../../support/installation.ts"
import { freshService } from "../../support/service.ts"
import { migrations } from "./newer-migrations.ts"
import { upgradeUnderLoad } from "./upgrade.ts"

it("The migrations of the next version keep the rules of migrations.", async () => {
  assert.deepStrictEqual((await Promise.all(migrations.slice(-2).map(violationsOf))).flat(), [])
})

it.live(
  "Two versions serve side by side through expand, switch and contract: no answer is 5xx, and each acknowledged effect is there once.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const newer = yield* Effect.promise(() =>
          buildVersion(directory, path.join(import.meta.dirname, "newer-migrations.ts"))
        )
        const installation = yield* installationOn(yield* freshService)
        const versions = { older: programOfTests(), newer }
        const outcome = yield* upgradeUnderLoad(installation, versions, { seed: 30, projects: 4, acts: 5 })
        assert.deepStrictEqual(outcome.wrong, [])
        assert.isAbove(outcome.acknowledged, 35)
      })
    ),
  600_000
)
