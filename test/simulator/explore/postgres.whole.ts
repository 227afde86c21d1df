/** Races on a real Postgres, statement by statement, have the outcomes of memory; without a lock they have others. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Exit, Result, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { databaseServer, type DatabaseServer } from "../../../simulator/databases.ts"
import { attemptOn } from "../../../simulator/explore/postgres/attempt.ts"
import { openStepped, type Locks, type SteppedDatabase } from "../../../simulator/explore/postgres/database.ts"
import { compareOutcomes, outcomesInMemory } from "../../../simulator/explore/postgres/outcomes.ts"
import { leftOutFor } from "../../../simulator/explore/postgres/eligible.ts"
import { prepare } from "../../../simulator/explore/prepared.ts"
import { explorePoint } from "../../../simulator/explore/search-point.ts"
import { randomWalk } from "../../../simulator/explore/strategies/random-walk.ts"
import { findScripts, readScript } from "../../../simulator/files.ts"
import { readScenario } from "../../../simulator/script/read.ts"
import type { Scenario } from "../../../simulator/script/scenario.ts"
import { Organizations } from "../../../src/people/store.ts"
import { rootTables } from "../../../src/tables.ts"

let scope: Scope.Closeable
let server: DatabaseServer
let usual: SteppedDatabase
beforeAll(async () => {
  scope = Effect.runSync(Scope.make())
  const open = Effect.gen(function* () {
    server = yield* databaseServer(undefined)
    usual = yield* openStepped(server)
  })
  await Effect.runPromise(Effect.provideService(open, Scope.Scope, scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

/** Every eligible script; `simulate outcomes scenarios` does the same with more runs. */
const races = Result.getOrThrow(findScripts(["scenarios"])).flatMap(({ file, scenario: read }) => {
  const scenario = Result.getOrThrow(read)
  return explorePoint(scenario) !== undefined && leftOutFor(scenario) === undefined ? [{ file, scenario }] : []
})

const compare = (
  scenario: Scenario,
  { runs, seed = 1, locks }: { readonly runs: number; readonly seed?: number; readonly locks?: Locks }
) =>
  Effect.gen(function* () {
    const database = locks === undefined ? usual : yield* openStepped(server, locks)
    const prepared = prepare(scenario)
    const { isComplete, outcomes } = outcomesInMemory(prepared, 20_000)
    assert.isTrue(isComplete)
    yield* database.keep(prepared.from.stage.store!.content)
    return yield* Effect.promise(() => compareOutcomes(database, prepared, { known: outcomes, runs, seed }))
  }).pipe(Effect.scoped, Effect.runPromise)

describe("outcomes on Postgres", () => {
  it.each(races)(
    "Every interleaving of statements on Postgres has an outcome of memory: $file",
    async ({ scenario }) => {
      const { other, seen, unjudged, runs } = await compare(scenario, { runs: 6 })
      assert.isUndefined(other, other?.happened.join("\n"))
      assert.isAbove(seen, 0)
      assert.isBelow(unjudged, runs)
    },
    300_000
  )

  it("Equal choices on Postgres replay the same statements", async () => {
    const prepared = prepare(scenarioOf("120-pause-race"))
    await Effect.runPromise(usual.keep(prepared.from.stage.store!.content))
    const round = async () => {
      const { next } = randomWalk(3)
      return [await attemptOn(usual, prepared, next()!), await attemptOn(usual, prepared, next()!)]
    }
    // A new connection sets up its session and prepares its statements.
    await round()
    const [one, other] = [await round(), await round()]
    assert.deepEqual(
      one.map(({ happened }) => happened),
      other.map(({ happened }) => happened)
    )
  })

  it("A race on Postgres has choices and lock waits, and reaches every outcome of memory", async () => {
    const { decisions, waits, seen, known } = await compare(scenarioOf("123-two-renewals"), { runs: 18 })
    assert.isAbove(decisions, 0)
    assert.isAbove(waits, 0)
    assert.strictEqual(seen, known)
  })
})

// No organization has such an id, so that the lock finds no row.
const locked = (kind: "project" | "connection" | "invitation"): Locks => ({ ...rootTables, [kind]: Organizations })

describe("outcomes on Postgres without a lock", () => {
  it("Without the lock on a project, a race on Postgres accepts the same delivery twice", async () => {
    const file = fileOf("120-pause-race")
    const script = readFileSync(file, "utf8").replace(/( +- as: courier\n +do: submit[^]*?)( +- as: dana)/, "$1$1$2")
    const { other } = await compare(scenarioIn(file, script), { runs: 9, locks: locked("project") })
    assert.isDefined(other)
  })

  it("Without the lock on a connection, a race on Postgres approves and denies it", async () => {
    const scenario = scenarioOf("147-approved-and-denied")
    const { other } = await compare(scenario, { runs: 30, locks: locked("connection") })
    assert.isDefined(other)
    assert.isUndefined(other?.defect)
  })

  it("Without the lock on an invitation, a race on Postgres uses it twice", async () => {
    const scenario = scenarioOf("146-an-invitation-used-twice")
    const { other } = await compare(scenario, { runs: 30, locks: locked("invitation") })
    assert.isDefined(other)
  })
})

const fileOf = (name: string) => `scenarios/${name}.yaml`

const scenarioOf = (name: string) => Result.getOrThrow(readScript(fileOf(name)))

/** Reads the parts from the folder of the script. */
const scenarioIn = (file: string, script: string) =>
  Result.getOrThrow(
    readScenario(file, script, (name) => {
      const part = join(dirname(file), name)
      return { file: part, text: readFileSync(part, "utf8") }
    })
  )
