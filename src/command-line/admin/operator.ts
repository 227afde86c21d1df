/** Who runs a command, as the operating system knows them. */
import * as os from "node:os"
import { Config, Effect, Option } from "effect"
import type { Operator } from "../../administration/act.ts"
import { Stopped } from "../production.ts"

/** `given` names the operator in the log in the place of the account; the account is in it as well. */
export const operatorNamed = Effect.fnUntraced(function* (given: Option.Option<string>) {
  const sudoUser = yield* Config.option(Config.String("SUDO_USER")).pipe(
    Effect.mapError(() => new Stopped({ message: "SUDO_USER cannot be read" }))
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

/** A container may run under a number that has no name. */
const userName = (): string => {
  try {
    return os.userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? "unknown"}`
  }
}
