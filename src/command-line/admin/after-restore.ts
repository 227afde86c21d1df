/** `countersign admin after-restore`: ends what a restored backup would revive, and lists what a person must look at. */
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { beginEpoch } from "../../adapters/after-restore.ts"
import { Configuration } from "../../adapters/configuration.ts"
import { afterRestore } from "../../adapters/database.ts"
import { reported } from "../production.ts"
import { by, optionalReason } from "./act.ts"
import { operatorNamed } from "./operator.ts"
import { jsonText } from "./text.ts"

const forgetSecretKey = Flag.Boolean("forget-secret-key").pipe(
  Flag.withDefault(false),
  Flag.withDescription("The secret key is lost: let the next start bring another; callbacks need new secrets then")
)

/** No `act`, since it needs the database to itself: it writes its row of `admin log` in its own transaction. */
export const afterRestoreCommand = Command.make(
  "after-restore",
  { forgetSecretKey, by, reason: optionalReason },
  ({ forgetSecretKey, by, reason }) =>
    Effect.gen(function* () {
      const options = { forgetSecretKey, operator: yield* operatorNamed(by), why: Option.getOrNull(reason) }
      const begun = yield* afterRestore((connection) => beginEpoch(connection, options))
      yield* Console.log(jsonText({ ...begun, next }))
    }).pipe(Effect.scoped, Effect.provide(Configuration.layer), reported)
).pipe(
  Command.withDescription(
    "After a restore: end every credential, session, connection and invitation, and list what to check"
  )
)

const next =
  "Have the person of each grant renew it, or revoke it; look through the other lists for what was ended, revoked or" +
  " paused after the backup was made, and end, revoke or pause it again; then start the servers."
