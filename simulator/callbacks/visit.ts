/** What becomes of one attempt to call a receiver back: at its name, on the way, and at the receiver, as scripts say it. */
import { Schema } from "effect"
import { isDuration } from "../script/duration.ts"
import { Answers } from "../script/words.ts"

/** `HANDSHAKE`: the connection is not open before the script lets it go on. `ANSWER`: it is given and has not arrived. */
export const stalls = ["HANDSHAKE", "ANSWER"] as const

/** `NOTHING` takes the request and never answers; `RESET` ends the connection unread; `LOST` is an answer lost on the way. */
export const failures = ["NOTHING", "RESET", "LOST"] as const

/** `REFUSED` takes no connection; the certificate of an `UNTRUSTED` one is not its own. */
export const connects = ["REFUSED", "UNTRUSTED"] as const

export const Visit = Schema.Struct({
  /** What a look-up of its name brings; the addresses that were given where absent. */
  finds: Schema.optionalKey(Answers),
  connects: Schema.optionalKey(Schema.Literals(connects)),
  /** A status that it answers without looking; what it makes of the request itself where absent. */
  answers: Schema.optionalKey(
    Schema.Union([
      Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 })),
      Schema.Literals(failures)
    ]).annotate({ expected: `a status from 200 to 599, ${failures.slice(0, -1).join(", ")} or ${failures.at(-1)}` })
  ),
  /** How long the answer takes. */
  after: Schema.optionalKey(
    Schema.String.check(Schema.makeFilter((text) => isDuration(text), { expected: "a span of time such as 4s" }))
  ),
  stalls: Schema.optionalKey(Schema.Literals(stalls)),
  /** `TWICE` in a row, or `LATE`: not before the request that comes after it. */
  arrives: Schema.optionalKey(Schema.Literals(["TWICE", "LATE"]))
})

export type Visit = typeof Visit.Type
