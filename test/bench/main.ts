/** `npm run bench`: performance as ratios of measurements of the same run on the same machine, with their aims. */
import * as os from "node:os"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { migrate } from "../../src/adapters/migrator.ts"
import { migrations } from "../../src/migrations/all.ts"
import { temporaryDatabase } from "../soak/database.ts"
import { postgresStorage, testService } from "../support/service.ts"
import { inDatabase } from "./backlog.ts"
import { compareWebhooks } from "./webhooks.ts"
import { compareCommands } from "./commands/compare.ts"
import { profileCommands } from "./commands/profile.ts"
import { countOperations, renderOperations } from "./commands/statements.ts"
import { measureExploration } from "./exploration.ts"
import { type Extent, full, quick } from "./extent.ts"
import { help, readOptions, type Options } from "./options.ts"
import { measureSimulator } from "./simulation.ts"
import { compareVerification } from "./verification.ts"

type Database = Effect.Success<typeof temporaryDatabase>

const parts = {
  commands: Effect.fnUntraced(function* (database: Database, extent: Extent, { against }: Options) {
    yield* compareCommands(database, { extent, against })
    yield* Console.log(renderOperations(yield* countOperations(yield* newDatabase(database, "bench_statements"))))
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

/** A migrated database beside this one. */
const newDatabase = Effect.fnUntraced(function* (server: Database, name: string) {
  yield* inDatabase(server, [`create database ${name} template template0`])
  const database = { ...server, database: name }
  yield* migrate(database, migrations)
  return database
})

const report = Effect.fnUntraced(function* (options: Options) {
  const cores = os.availableParallelism()
  yield* Console.log(
    `${os.cpus()[0]?.model}, ${cores} cores, which client, server and Postgres share; Node ${process.version}`
  )
  const database = yield* temporaryDatabase
  if (options.isProfile) return yield* profileCommands(database)
  for (const name of options.parts) yield* parts[name](database, options.isQuick ? quick : full, options)
}, Effect.scoped)

const options = readOptions(process.argv.slice(2))
if (options === "HELP") console.log(help)
else if ("problem" in options) {
  console.error(options.problem)
  process.exitCode = 2
} else NodeRuntime.runMain(report(options))
