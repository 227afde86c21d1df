/** `countersign admin after-restore`: invalidates the credentials of a restored backup, and lists what a person must check. */
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { beginEpoch } from "../../adapters/after-restore.ts"
import { Configuration } from "../../adapters/configuration.ts"
import { afterRestore } from "../../adapters/database.ts"
import { requireTexts } from "../../administration/recording.ts"
import { errorBody } from "../../vocabulary/refusals.ts"
import { reportFailure, CommandFailure } from "../production.ts"
import { by, optionalReason } from "./act.ts"
import { readOperator } from "./operator.ts"
import { jsonText } from "./text.ts"

const forgetSecretKey = Flag.Boolean("forget-secret-key").pipe(
  Flag.withDefault(false),
  Flag.withDescription("The secret key is lost: let the next start use another; webhook secrets must then be rotated")
)

/** Not made by `act`, since it needs the database to itself: it writes its row of `admin log` in its own transaction. */
export const afterRestoreCommand = Command.make(
  "after-restore",
  { forgetSecretKey, by, reason: optionalReason },
  ({ forgetSecretKey, by, reason }) =>
    Effect.gen(function* () {
      const options = { forgetSecretKey, operator: yield* readOperator(by), why: Option.getOrNull(reason) }
      yield* Effect.mapError(
        requireTexts(options),
        (refused) => new CommandFailure({ message: errorBody(refused).detail })
      )
      const report = yield* afterRestore((connection) => beginEpoch(connection, options))
      yield* Console.log(jsonText({ ...report, next: nextStep }))
    }).pipe(Effect.scoped, Effect.provide(Configuration.layer), reportFailure)
).pipe(
  Command.withDescription(
    "After a restore: end every credential, session, connection and invitation, and list what to check"
  )
)

const nextStep =
  "Compare the lists with what was ended, revoked or paused after the backup: end memberships, revoke grants and pause" +
  " projects again, then start the servers. People renew their grants, and do the rest, on their pages."
