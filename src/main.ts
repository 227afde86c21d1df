#!/usr/bin/env node
/** The production composition root and command line. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Configuration } from "./adapters/configuration.ts"
import { migrateDatabase } from "./adapters/database.ts"
import { admin } from "./command-line/admin/admin.ts"
import { backup, restore } from "./command-line/backup.ts"
import { doctor } from "./command-line/doctor.ts"
import { reportFailure } from "./command-line/production.ts"
import { serve, worker } from "./command-line/serve.ts"
import { installShutdown, Shutdown } from "./command-line/shutdown.ts"

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

const { shutdown, teardown } = installShutdown()
Command.run(countersign, { version: "0.1.0" }).pipe(
  Effect.provideService(Shutdown, shutdown),
  Effect.provide(NodeServices.layer),
  (program) => NodeRuntime.runMain(program, { teardown })
)
