/** Probes an engine and runs the suites on it; everything is made in databases of its own. */
import { Console, Duration, Effect, Redacted, Result } from "effect"
import { PgConnection } from "@effect/sql-pg"
import { ownDatabase } from "../../simulator/storage/databases.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { sqlMessage } from "../../src/adapters/sql-message.ts"
import { features, probeTable } from "./features.ts"
import type { Options } from "./options.ts"
import { openSession, type Deviation } from "./probe.ts"
import { runSuite, suitesOn } from "./suites.ts"

/** The exit code. */
export const checkConformance = Effect.fnUntraced(function* ({ url, isLong, isFeaturesOnly, seed }: Options) {
  const server: ConnectionOptions = { url: Redacted.make(url) }
  const state = yield* Effect.result(stateOf(server))
  if (Result.isFailure(state)) {
    yield* Console.error(`--database-url cannot be used: ${sqlMessage(state.failure)}`)
    return 2
  }
  const { version, tables, isPooled } = state.success
  if (tables > 0) {
    yield* Console.error(`--database-url names a database with ${tables} tables: name an empty one`)
    return 2
  }
  yield* Console.log(version)
  const lacking = yield* probeFeatures(server)
  let failed = lacking
  for (const suite of isFeaturesOnly ? [] : suitesOn(url, isLong, seed)) {
    if (isPooled && suite.needsServerProcesses === true) {
      yield* Console.log(`not run  ${suite.name}: a pooler hides the processes of the server; give its own address`)
      continue
    }
    const [took, { passed, output }] = yield* Effect.timed(runSuite(suite, url))
    if (!passed) failed += 1
    const seconds = Duration.toSeconds(took).toFixed(0)
    yield* Console.log(`${passed ? "passes " : "FAILS  "}  ${suite.name} (${seconds} s): ${suite.says}`)
    if (!passed) yield* Console.log(lastLines(output))
  }
  yield* Console.log(failed === 0 ? "nothing is lacking" : `${failed} of the above fail`)
  return failed === 0 ? 0 : 1
}, Effect.scoped)

const stateOf = (server: ConnectionOptions) =>
  Effect.gen(function* () {
    const session = yield* PgConnection.make(server)
    const [[version, process, tables] = []] = yield* session.queryValues(
      "select version(), pg_backend_pid(), (select count(*)::int from pg_class c join pg_namespace n on n.oid = relnamespace" +
        " where relkind in ('r', 'p') and nspname <> 'information_schema' and nspname !~ '^pg_')",
      [],
      false
    )
    return { version: String(version), tables: Number(tables), isPooled: process !== session.processId }
  }).pipe(Effect.scoped)

/** Prints a line for each feature; returns how many the engine lacks. */
const probeFeatures = Effect.fnUntraced(function* (server: ConnectionOptions) {
  const database = { ...server, database: yield* ownDatabase(server, "template0") }
  const made = yield* Effect.result(
    Effect.scoped(
      Effect.flatMap(openSession(database), ({ run }) => Effect.forEach(probeTable, run, { discard: true }))
    )
  )
  if (Result.isFailure(made)) {
    yield* Console.log(lackOf("the columns of the tables", "the schema", made.failure))
    return 1
  }
  let lacking = 0
  for (const { name, neededBy, probe } of features) {
    const probed = yield* Effect.result(Effect.scoped(probe(database)))
    if (Result.isFailure(probed)) lacking += 1
    yield* Console.log(Result.isFailure(probed) ? lackOf(name, neededBy, probed.failure) : `has      ${name}`)
  }
  return lacking
})

const lackOf = (name: string, neededBy: string, { statement, answer }: Deviation): string =>
  [`LACKS    ${name}, needed by ${neededBy}`, `           ${statement}`, `           ${answer}`].join("\n")

const lastLines = (output: string): string =>
  output
    .trimEnd()
    .split("\n")
    .slice(-40)
    .map((line) => `    ${line}`)
    .join("\n")
