/** The command line: its commands, run with one list of arguments. */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Configuration } from "../adapters/configuration.ts"
import { migrateDatabase } from "../adapters/database.ts"
import { admin } from "./admin/admin.ts"
import { backup, restore } from "./backup.ts"
import { doctor } from "./doctor.ts"
import { reportFailure } from "./production.ts"
import { serve, worker } from "./serve.ts"

const migrate = Command.make("migrate", {}, () =>
  migrateDatabase.pipe(
    Effect.flatMap((names) => Console.log(names.length === 0 ? "nothing to do" : `migrated: ${names.join(", ")}`)),
    Effect.scoped,
    Effect.provide(Configuration.layer),
    reportFailure
  )
).pipe(Command.withDescription("Bring the database to this program's schema; serve does it too"))

const countersign = Command.make("countersign").pipe(
  Command.withDescription("Agree on exact terms, deliver by digest, decide, and keep a record that verifies offline"),
  Command.withSubcommands([serve, worker, migrate, doctor, backup, restore, admin])
)

export const runCountersign = Command.run(countersign, { version: "0.1.0" })
