/** `npm run bench`: performance as ratios of measurements of the same run on the same machine, with their aims. */
import * as os from "node:os"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { migrate } from "../../src/adapters/migrator.ts"
import { migrations } from "../../src/migrations/all.ts"
import { temporaryDatabase } from "../soak/database.ts"
import { postgresStorage, testService } from "../support/service.ts"
import { inDatabase } from "./backlog.ts"
import { compareCommands } from "./commands/compare.ts"
import { profileCommands } from "./commands/profile.ts"
import { countOperations, renderOperations } from "./commands/statements.ts"
import { findWorse, ratiosOf, readRatios, writeRatios } from "./committed-ratios.ts"
import { measureExploration } from "./exploration.ts"
import { measureFairness } from "./fairness.ts"
import { type Extent, full, quick } from "./extent.ts"
import { renderSection } from "./figure.ts"
import { help, readOptions, type Options } from "./options.ts"
import { measureLists } from "./lists.ts"
import { measurePassports } from "./passports.ts"
import { measurePayments } from "./payments.ts"
import { compareAttemptClaims } from "./payment-claims.ts"
import { measureSimulator } from "./simulation.ts"
import { compareVerification } from "./verification.ts"
import { compareWebhooks } from "./webhooks.ts"
import { measureYear } from "./year.ts"

type Database = Effect.Success<typeof temporaryDatabase>

const parts = {
  commands: Effect.fnUntraced(function* (database: Database, extent: Extent, { against }: Options) {
    const ratios = yield* compareCommands(yield* newDatabase(database, "bench_commands"), { extent, against })
    const counts = yield* countOperations(yield* newDatabase(database, "bench_statements"))
    return [{ ...ratios, notes: [renderOperations(counts)] }]
  }),
  webhooks: (database: Database, extent: Extent) => compareWebhooks(database, extent),
  simulator: (database: Database, extent: Extent) => measureSimulator(database, extent),
  year: () => measureYear,
  exploration: (_: Database, extent: Extent) => Effect.sync(() => measureExploration(extent)),
  fairness: Effect.fnUntraced(function* (database: Database, extent: Extent) {
    return yield* measureFairness(yield* newDatabase(database, "bench_fairness"), extent)
  }),
  lists: Effect.fnUntraced(function* (server: Database, extent: Extent) {
    const database = yield* newDatabase(server, "bench_lists")
    return yield* measureLists(database, extent).pipe(Effect.provide(testService(postgresStorage(database))))
  }),
  passports: (database: Database, extent: Extent) =>
    measurePassports(extent).pipe(Effect.provide(testService(postgresStorage(database)))),
  payments: Effect.fnUntraced(function* (database: Database, extent: Extent) {
    const service = testService(postgresStorage(yield* newDatabase(database, "bench_payments")))
    const captures = yield* Effect.provide(measurePayments(extent), service)
    return [captures, yield* compareAttemptClaims(database, extent)]
  }),
  verification: (database: Database, extent: Extent) =>
    compareVerification(extent).pipe(Effect.provide(testService(postgresStorage(database))))
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
  const worse: Array<string> = []
  for (const name of options.parts) {
    const sections = yield* parts[name](database, options.isQuick ? quick : full, options)
    yield* Console.log(sections.map(renderSection).join("\n"))
    const figures = sections.flatMap((section) => section.figures)
    if (options.mode === "CHECK") worse.push(...findWorse(name, figures, readRatios()))
    if (options.mode === "UPDATE") writeRatios({ [name]: ratiosOf(figures) })
  }
  for (const sentence of worse) yield* Console.error(sentence)
  if (worse.length > 0) process.exitCode = 1
}, Effect.scoped)

const options = readOptions(process.argv.slice(2))
if (options === "HELP") console.log(help)
else if ("problem" in options) {
  console.error(options.problem)
  process.exitCode = 2
} else NodeRuntime.runMain(report(options))
