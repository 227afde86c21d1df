/** `admin log`: the acts of operators, the newest first. */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { listActs, placeOf, type ActPlace } from "../../administration/log.ts"
import { isInstant, Instant } from "../../vocabulary/instant.ts"
import { refuse, type Refused } from "../../vocabulary/refusals.ts"
import { listCommand } from "./listed.ts"

const since: Flag.Flag<Option.Option<Instant>> = Flag.String("since").pipe(
  Flag.withSchema(Instant),
  Flag.withDescription("Only from this instant on, like 2027-11-21T00:00:00.000Z"),
  Flag.optional
)

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
        const place = after === undefined ? undefined : yield* placeFrom(after)
        const filter = {
          since: Option.getOrUndefined(since),
          who: Option.getOrUndefined(who),
          command: Option.getOrUndefined(command)
        }
        const { rows, hasMore } = yield* listActs(filter, { after: place, limit })
        return { items: rows, next: hasMore ? placeOf(rows.at(-1)!).join("/") : null }
      }),
    columns: {
      AT: (one) => one.at,
      WHO: (one) => one.who,
      COMMAND: (one) => one.command,
      OUTCOME: (one) => one.outcome,
      WHY: (one) => one.why,
      ARGUMENTS: (one) => one.arguments,
      CHANGED: (one) => one.changed.join(" "),
      ACT: (one) => one.actId
    }
  }
)

const placeFrom = (text: string): Effect.Effect<ActPlace, Refused> => {
  const [at = "", actId = "", step = ""] = text.split("/")
  return isInstant(at) && actId !== "" && /^[1-9]\d{0,5}$/.test(step)
    ? Effect.succeed([at, actId, Number(step)])
    : refuse("INVALID_REQUEST", { detail: "--after is what an earlier page of the log named as its next." })
}
