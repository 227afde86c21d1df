/** Races on a real Postgres, statement by statement, end as in memory; without a lock they would not. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Exit, Result, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { databaseServer, type DatabaseServer } from "../../../simulator/databases.ts"
import { openStepped, type Locks } from "../../../simulator/explore/postgres/database.ts"
import { compareOutcomes, outcomesInMemory } from "../../../simulator/explore/postgres/outcomes.ts"
import { prepare } from "../../../simulator/explore/prepared.ts"
import { readScenario } from "../../../simulator/script/read.ts"
import { Organizations } from "../../../src/people/store.ts"

let scope: Scope.Closeable
let server: DatabaseServer
beforeAll(async () => {
  scope = Effect.runSync(Scope.make())
  server = await Effect.runPromise(Effect.provideService(databaseServer(undefined), Scope.Scope, scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

/** Its parts lie beside it. */
const scenarioOf = (file: string, script: string) =>
  Result.getOrThrow(
    readScenario(file, script, (name) => {
      const part = join(dirname(file), name)
      return { file: part, text: readFileSync(part, "utf8") }
    })
  )

const compare = (file: string, script: string, { runs, locks }: { readonly runs: number; readonly locks?: Locks }) =>
  Effect.gen(function* () {
    const database = yield* openStepped(server, locks)
    const prepared = prepare(scenarioOf(file, script))
    const { isComplete, outcomes } = outcomesInMemory(prepared, 5_000)
    assert.isTrue(isComplete)
    yield* database.keep(prepared.from.stage.store!.content)
    return yield* Effect.promise(() => compareOutcomes(database, prepared, { known: outcomes, runs, seed: 1 }))
  }).pipe(Effect.scoped, Effect.runPromise)

const races = ["120-pause-race", "122-renewal-race", "125-acceptance-beside-withdrawal"]
const fileOf = (name: string) => `scenarios/${name}.yaml`

describe("a race on Postgres", () => {
  it.each(races)("ends as in memory, whatever the order of its statements: %s", async (name) => {
    const compared = await compare(fileOf(name), readFileSync(fileOf(name), "utf8"), { runs: 9 })
    assert.isUndefined(compared.other)
    assert.isAbove(compared.decisions, compared.runs)
    assert.isAbove(compared.seen, 0)
  })

  it("ends otherwise where the row of a project is not locked", async () => {
    const file = fileOf("120-pause-race")
    const script = readFileSync(file, "utf8").replace(/( +- as: courier\n +do: submit[^]*?)( +- as: dana)/, "$1$1$2")
    // No organization has the id of a project: what is to lock its row finds none.
    const { other } = await compare(file, script, { runs: 9, locks: { project: Organizations } })
    assert.isDefined(other)
  })
})
