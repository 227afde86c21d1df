/**
 * `npm run bench`: performance as ratios of two measurements of the same run on the same machine, with their aims. It
 * asserts nothing. Arguments select parts: `npm run bench -- verification`. `--quick` takes under a minute; `--profile`
 * writes CPU profiles of commands.
 */
import * as os from "node:os"
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { temporaryDatabase } from "../soak/database.ts"
import { postgresStorage, testService } from "../support/service.ts"
import { compareWebhooks } from "./webhooks.ts"
import { compareCommands } from "./commands.ts"
import { measureExploration } from "./exploration.ts"
import { type Extent, full, quick } from "./extent.ts"
import { profileCommands } from "./profile.ts"
import { measureSimulator } from "./simulation.ts"
import { countStatements } from "./statements.ts"
import { compareVerification } from "./verification.ts"

type Database = Effect.Success<typeof temporaryDatabase>

const { values: flags, positionals: chosen } = parseArgs({
  options: { quick: { type: "boolean" }, profile: { type: "boolean" } },
  allowPositionals: true
})

const parts = {
  commands: Effect.fnUntraced(function* (database: Database, extent: Extent) {
    yield* Console.log(yield* compareCommands(database, extent))
    yield* countStatements(database)
  }),
  webhooks: (database: Database, extent: Extent) => Effect.flatMap(compareWebhooks(database, extent), Console.log),
  simulator: (database: Database, extent: Extent) => Effect.flatMap(measureSimulator(database, extent), Console.log),
  exploration: (_: Database, extent: Extent) => Console.log(measureExploration(extent)),
  verification: (database: Database, extent: Extent) =>
    compareVerification(extent).pipe(
      Effect.provide(testService(postgresStorage(database))),
      Effect.flatMap(Console.log)
    )
}

const report = Effect.gen(function* () {
  const unknown = chosen.filter((name) => !Object.hasOwn(parts, name))
  if (unknown.length > 0) {
    yield* Console.error(`Unknown part: ${unknown.join(", ")}. Choose from: ${Object.keys(parts).join(", ")}.`)
    process.exitCode = 2
    return
  }
  const extent = flags.quick === true ? quick : full
  const cores = os.availableParallelism()
  yield* Console.log(
    `${os.cpus()[0]?.model}, ${cores} cores, which client, server and Postgres share; Node ${process.version}`
  )
  const database = yield* temporaryDatabase
  for (const [name, measure] of Object.entries(parts)) {
    if (chosen.length === 0 || chosen.includes(name)) yield* measure(database, extent)
  }
})

NodeRuntime.runMain(Effect.scoped(flags.profile === true ? Effect.flatMap(temporaryDatabase, profileCommands) : report))
