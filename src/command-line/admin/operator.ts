/** The operator of a command, as the operating system identifies them. */
import * as os from "node:os"
import { Config, Effect, Option } from "effect"
import type { Operator } from "../../administration/act.ts"
import { CommandFailure } from "../production.ts"

/** `given` replaces the account as the operator's name in the log; the account is recorded beside it. */
export const readOperator = Effect.fnUntraced(function* (given: Option.Option<string>) {
  const sudoUser = yield* Config.option(Config.String("SUDO_USER")).pipe(
    Effect.mapError(() => new CommandFailure({ message: "SUDO_USER cannot be read" }))
  )
  const host = os.hostname()
  const user = userName()
  return {
    who: Option.getOrElse(given, () => `${Option.getOrElse(sudoUser, () => user)}@${host}`),
    account: Option.match(sudoUser, {
      onNone: () => `${user}@${host}`,
      onSome: (sudo) => `${user}@${host} by sudo of ${sudo}`
    })
  } satisfies Operator
})

/** A container may run under a user id without a name. */
const userName = (): string => {
  try {
    return os.userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? "unknown"}`
  }
}
