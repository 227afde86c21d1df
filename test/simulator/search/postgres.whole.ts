/** Races on a real Postgres, statement by statement, have the outcomes of memory; without a lock they have others. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Exit, Result, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { databaseServer, type DatabaseServer } from "../../../simulator/storage/databases.ts"
import { executeRunOnPostgres } from "../../../simulator/search/postgres/postgres-run.ts"
import {
  openSteppedDatabase,
  type LockTables,
  type SteppedDatabase
} from "../../../simulator/search/postgres/stepped-database.ts"
import { compareOutcomes, outcomesInMemory } from "../../../simulator/search/postgres/outcome-comparison.ts"
import { exclusionReason } from "../../../simulator/search/postgres/eligibility.ts"
import { prepareSearchRoot } from "../../../simulator/search/search-root.ts"
import { exploreStep } from "../../../simulator/scenario/explore-step.ts"
import { randomWalk } from "../../../simulator/search/strategies/random-walk.ts"
import { findScripts, readScript } from "../../../simulator/scenario/files.ts"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import type { Scenario } from "../../../simulator/scenario/format/scenario.ts"
import { Organizations } from "../../../src/people/store.ts"
import { lockTables } from "../../../src/tables.ts"

let scope: Scope.Closeable
let server: DatabaseServer
let usual: SteppedDatabase
beforeAll(async () => {
  scope = Effect.runSync(Scope.make())
  const open = Effect.gen(function* () {
    server = yield* databaseServer(undefined)
    usual = yield* openSteppedDatabase(server)
  })
  await Effect.runPromise(Effect.provideService(open, Scope.Scope, scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const fileOf = (name: string) => `scenarios/${name}/scenario.yaml`

/** The scripts whose schedules in memory take more than half a minute to enumerate. */
const large = ["revocation-beside-three-sends", "rotation-beside-three-sends", "pause-beside-two-sends"].map((name) =>
  fileOf(`races/${name}`)
)

/** Every eligible script that is not large; `simulate outcomes scenarios` does the same with all of them and with more runs. */
const races = Result.getOrThrow(findScripts(["scenarios"])).flatMap(({ file, scenario: read }) => {
  if (large.includes(file)) return []
  const scenario = Result.getOrThrow(read)
  return exploreStep(scenario) !== undefined && exclusionReason(scenario) === undefined ? [{ file, scenario }] : []
})

const compare = (
  scenario: Scenario,
  { runs, seed = 1, locks }: { readonly runs: number; readonly seed?: number; readonly locks?: LockTables }
) =>
  Effect.gen(function* () {
    const database = locks === undefined ? usual : yield* openSteppedDatabase(server, locks)
    const root = prepareSearchRoot(scenario)
    const { isComplete, outcomes } = outcomesInMemory(root, 20_000)
    assert.isTrue(isComplete)
    yield* database.saveSnapshot(root.from.setup.store!.content)
    return yield* Effect.promise(() => compareOutcomes(database, root, { known: outcomes, runs, seed }))
  }).pipe(Effect.scoped, Effect.runPromise)

describe("outcomes on Postgres", () => {
  it.each(races)(
    "Every interleaving of statements on Postgres has an outcome of memory: $file",
    async ({ scenario }) => {
      const { divergentRun, seen, unjudged, runs } = await compare(scenario, { runs: 6 })
      assert.isUndefined(divergentRun, divergentRun?.events.join("\n"))
      assert.isAbove(seen, 0)
      assert.isBelow(unjudged, runs)
    },
    300_000
  )

  it("Equal choices on Postgres replay the same statements", async () => {
    const root = prepareSearchRoot(scenarioOf("races/pause-and-submission"))
    await Effect.runPromise(usual.saveSnapshot(root.from.setup.store!.content))
    const round = async () => {
      const { next } = randomWalk(3)
      return [await executeRunOnPostgres(usual, root, next()!), await executeRunOnPostgres(usual, root, next()!)]
    }
    // A new connection sets up its session and prepares its statements.
    await round()
    const [one, other] = [await round(), await round()]
    assert.deepEqual(
      one.map(({ events }) => events),
      other.map(({ events }) => events)
    )
  })

  it("A race on Postgres has choices and lock waits, and reaches every outcome of memory", async () => {
    const { decisions, waits, seen, known } = await compare(scenarioOf("races/two-renewals"), { runs: 18 })
    assert.isAbove(decisions, 0)
    assert.isAbove(waits, 0)
    assert.strictEqual(seen, known)
  })
})

// No organization has such an id, so that the lock finds no row.
const locked = (kind: "project" | "connection" | "invitation"): LockTables => ({ ...lockTables, [kind]: Organizations })

describe("outcomes on Postgres without a lock", () => {
  it("Without the lock on a project, a race on Postgres accepts the same delivery twice", async () => {
    const file = fileOf("races/pause-and-submission")
    const script = readFileSync(file, "utf8").replace(/( +- as: courier\n +do: submit[^]*?)( +- as: dana)/, "$1$1$2")
    const { divergentRun } = await compare(scenarioIn(file, script), { runs: 9, locks: locked("project") })
    assert.isDefined(divergentRun)
  })

  it("Without the lock on a connection, a race on Postgres approves and denies it", async () => {
    const scenario = scenarioOf("races/approval-denial-and-poll")
    const { divergentRun } = await compare(scenario, { runs: 30, locks: locked("connection") })
    assert.isDefined(divergentRun)
    assert.isUndefined(divergentRun?.defect)
  })

  it("Without the lock on an invitation, a race on Postgres uses it twice", async () => {
    const scenario = scenarioOf("races/two-uses-of-an-invitation")
    const { divergentRun } = await compare(scenario, { runs: 30, locks: locked("invitation") })
    assert.isDefined(divergentRun)
  })
})

const scenarioOf = (name: string) => Result.getOrThrow(readScript(fileOf(name)))

/** Reads the parts from the folder of the script. */
const scenarioIn = (file: string, script: string) =>
  Result.getOrThrow(
    readScenario(file, script, (name) => {
      const part = join(dirname(file), name)
      return { file: part, text: readFileSync(part, "utf8") }
    })
  )
