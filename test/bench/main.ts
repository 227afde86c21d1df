/**
 * `npm run bench`: speed as ratios, both sides of each measured in this run on this machine, beside the aims that they
 * should meet. It asserts nothing. `--quick` takes under a minute; `--profile` shows where the time of a command goes.
 */
import * as os from "node:os"
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { ownDatabase } from "../soak/database.ts"
import { postgresStorage, testService } from "../support/service.ts"
import { compareCallbacks } from "./callbacks.ts"
import { compareCommands } from "./commands.ts"
import { full, quick } from "./extent.ts"
import { profileCommands } from "./profile.ts"
import { measureSimulator } from "./simulation.ts"
import { countStatements } from "./statements.ts"
import { compareVerification } from "./verification.ts"

const { values: flags } = parseArgs({ options: { quick: { type: "boolean" }, profile: { type: "boolean" } } })

const report = Effect.gen(function* () {
  const extent = flags.quick === true ? quick : full
  const cores = os.availableParallelism()
  yield* Console.log(
    `${os.cpus()[0]?.model}, ${cores} cores, which client, server and Postgres share; Node ${process.version}`
  )
  const database = yield* ownDatabase
  yield* Console.log(yield* compareCommands(database, extent))
  yield* countStatements(database)
  yield* Console.log(yield* compareCallbacks(database, extent))
  yield* Console.log(yield* measureSimulator(database, extent))
  yield* Console.log(yield* compareVerification(extent).pipe(Effect.provide(testService(postgresStorage(database)))))
})

NodeRuntime.runMain(Effect.scoped(flags.profile === true ? Effect.flatMap(ownDatabase, profileCommands) : report))
