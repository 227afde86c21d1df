/** `countersign admin after-restore`: ends what a restored backup would revive, and lists what a person must look at. */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { beginEpoch } from "../../adapters/after-restore.ts"
import { Configuration } from "../../adapters/configuration.ts"
import { migrateDatabase } from "../../adapters/database.ts"
import { reported } from "../production.ts"

const forgetSecretKey = Flag.Boolean("forget-secret-key").pipe(
  Flag.withDescription("The secret key is lost: let the next start bring another; callbacks need new secrets then")
)

export const afterRestoreCommand = Command.make("after-restore", { forgetSecretKey }, (options) =>
  Effect.gen(function* () {
    const { connection } = yield* migrateDatabase
    const begun = yield* beginEpoch(connection, options)
    yield* Console.log(JSON.stringify({ ...begun, next }, null, 2))
  }).pipe(Effect.scoped, Effect.provide(Configuration.layer), reported)
).pipe(
  Command.withDescription(
    "After a restore: end every credential, session, connection and invitation, and list what to check"
  )
)

const next =
  "Have the person of each grant renew it, or revoke it; look through the other lists for what was ended, revoked or" +
  " paused after the backup was made, and end, revoke or pause it again; then start the servers."
