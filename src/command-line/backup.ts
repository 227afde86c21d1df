/** `countersign backup` and `countersign restore` for the embedded database; each prints one JSON object. */
import * as path from "node:path"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { requireBackupPossible, writeBackup } from "../adapters/backup/backup.ts"
import { restoreBackup } from "../adapters/backup/restore.ts"
import { Configuration } from "../adapters/configuration.ts"
import { unmigratedDatabase } from "../adapters/database.ts"
import { now } from "../vocabulary/instant.ts"
import { reportFailure, CommandFailure } from "./production.ts"

const printJson = (value: unknown) => Console.log(JSON.stringify(value, null, 2))

/** The exit code of an interrupted command is that of its signal. */
const reportInterruption = (result: string) =>
  Effect.onInterrupt(() => Console.error(`countersign: interrupted: ${result} is complete or absent`))

/** The data directory of an installation with an embedded database. */
const embeddedInstallation = Effect.flatMap(Configuration, ({ databaseUrl, dataDirectory }) =>
  Option.isNone(databaseUrl)
    ? Effect.succeed(dataDirectory)
    : Effect.fail(
        new CommandFailure({
          message: "backup and restore are for the embedded default: with DATABASE_URL use the tools of Postgres"
        })
      )
)

const directory = Argument.Path("directory")

const withKeys = Flag.Boolean("with-keys").pipe(
  Flag.withDefault(false),
  Flag.withDescription("Copy keys/ too: such a backup is enough to sign records and compute credentials")
)

export const backup = Command.make(
  "backup",
  { directory: directory.pipe(Argument.withDescription("A new directory for the backup")), withKeys },
  ({ directory: target, withKeys }) =>
    Effect.gen(function* () {
      const options = { installation: yield* embeddedInstallation, target, withKeys, madeAt: yield* now }
      yield* requireBackupPossible(options)
      const summary = yield* writeBackup(yield* unmigratedDatabase, options)
      yield* printJson({ backup: path.resolve(target), madeAt: options.madeAt, ...summary, withKeys })
    }).pipe(Effect.scoped, Effect.provide(Configuration.layer), reportFailure, reportInterruption("the backup"))
).pipe(Command.withDescription("Copy the embedded default, running or stopped, into a new directory"))

export const restore = Command.make(
  "restore",
  { directory: directory.pipe(Argument.withDescription("A backup that `countersign backup` made")) },
  ({ directory: source }) =>
    Effect.gen(function* () {
      const installation = yield* embeddedInstallation
      const summary = yield* restoreBackup(installation, source)
      yield* printJson({ restored: path.resolve(installation), ...summary, next: nextStep })
    }).pipe(Effect.provide(Configuration.layer), reportFailure, reportInterruption("the restored database"))
).pipe(Command.withDescription("Put a backup into an empty DATA_DIR, after a check of every file"))

const nextStep =
  "Put keys/ back where the backup had none, then run `countersign admin after-restore`: until then every other command is refused."
