/** `admin log`: the acts of operators, newest first. */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { listActs, cursorOf, type ActCursor } from "../../administration/log.ts"
import { isInstant } from "../../vocabulary/instant.ts"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { instant } from "./flags.ts"
import { listCommand } from "./read-commands.ts"

const since = instant("since", "Only from this instant on")

export const log = listCommand(
  "log",
  {
    since,
    who: Flag.String("who").pipe(Flag.withDescription("Only acts of exactly this operator"), Flag.optional),
    command: Flag.String("command").pipe(Flag.withDescription("Only acts of this command"), Flag.optional)
  },
  {
    description: "The acts of operators, the newest first: who, why, which command, and its outcome",
    read: ({ since, who, command }, { after, limit }) =>
      Effect.gen(function* () {
        const cursor = after === undefined ? undefined : yield* cursorFrom(after)
        const filter = {
          since: Option.getOrUndefined(since),
          who: Option.getOrUndefined(who),
          command: Option.getOrUndefined(command)
        }
        const { rows, hasMore } = yield* listActs(filter, { after: cursor, limit })
        return { items: rows, next: hasMore ? cursorOf(rows.at(-1)!).join("/") : null }
      }),
    columns: {
      AT: (act) => act.at,
      WHO: (act) => act.who,
      COMMAND: (act) => act.command,
      OUTCOME: (act) => act.outcome,
      WHY: (act) => act.why,
      ARGUMENTS: (act) => act.arguments,
      CHANGED: (act) => act.changed.join(" "),
      ACT: (act) => act.actId
    }
  }
)

const cursorFrom = (text: string): Effect.Effect<ActCursor, Refusal> => {
  const [at = "", actId = "", step = ""] = text.split("/")
  return isInstant(at) && actId !== "" && /^[1-9]\d{0,5}$/.test(step)
    ? Effect.succeed([at, actId, Number(step)])
    : refuse("INVALID_REQUEST", { detail: "--after is not a cursor; use the next of an earlier page of the log." })
}
