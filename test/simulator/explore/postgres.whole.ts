/** Races on a real Postgres, statement by statement, end as in memory; without a lock they would not. */
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

/** Every script that is marked for it: `simulate outcomes scenarios` is the same with many more runs. */
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

describe("a race on Postgres", () => {
  it.each(races)(
    "ends as in memory, whatever the order of its statements: $file",
    async ({ scenario }) => {
      const { other, seen, unjudged, runs } = await compare(scenario, { runs: 6 })
      assert.isUndefined(other, other?.happened.join("\n"))
      assert.isAbove(seen, 0)
      assert.isBelow(unjudged, runs)
    },
    300_000
  )

  it("is the same run again where the same is chosen, statement by statement", async () => {
    const prepared = prepare(scenarioOf("120-pause-race"))
    await Effect.runPromise(usual.keep(prepared.from.stage.store!.content))
    const round = async () => {
      const { next } = randomWalk(3)
      return [await attemptOn(usual, prepared, next()!), await attemptOn(usual, prepared, next()!)]
    }
    // Whoever connects for the first time sets up its session, and learns what it will ask for again.
    await round()
    const [one, other] = [await round(), await round()]
    assert.deepEqual(
      one.map(({ happened }) => happened),
      other.map(({ happened }) => happened)
    )
  })

  it("is decided again and again, waits for locks, and comes to whatever memory knows", async () => {
    const { decisions, waits, seen, known } = await compare(scenarioOf("123-two-renewals"), { runs: 18 })
    assert.isAbove(decisions, 0)
    assert.isAbove(waits, 0)
    assert.strictEqual(seen, known)
  })
})

// No organization has the id of something else: what is to lock a row finds none.
const locked = (kind: "project" | "connection" | "invitation"): Locks => ({ ...rootTables, [kind]: Organizations })

describe("a race on Postgres without a lock", () => {
  it("ends otherwise where the row of a project is not locked: twice the same delivery", async () => {
    const file = fileOf("120-pause-race")
    const script = readFileSync(file, "utf8").replace(/( +- as: courier\n +do: submit[^]*?)( +- as: dana)/, "$1$1$2")
    const { other } = await compare(scenarioIn(file, script), { runs: 9, locks: locked("project") })
    assert.isDefined(other)
  })

  it("ends otherwise where a connection is not locked: it is approved and denied", async () => {
    const scenario = scenarioOf("147-approved-and-denied")
    const { other } = await compare(scenario, { runs: 30, locks: locked("connection") })
    assert.isDefined(other)
    assert.isUndefined(other?.defect)
  })

  it("ends otherwise where an invitation is not locked: it is used twice", async () => {
    const scenario = scenarioOf("146-an-invitation-used-twice")
    const { other } = await compare(scenario, { runs: 30, locks: locked("invitation") })
    assert.isDefined(other)
  })
})

const fileOf = (name: string) => `scenarios/${name}.yaml`

const scenarioOf = (name: string) => Result.getOrThrow(readScript(fileOf(name)))

/** Its parts lie beside it. */
const scenarioIn = (file: string, script: string) =>
  Result.getOrThrow(
    readScenario(file, script, (name) => {
      const part = join(dirname(file), name)
      return { file: part, text: readFileSync(part, "utf8") }
    })
  )
