/** The script of one delivery attempt: DNS, connection, transport and response of the receiver. */
import { Schema } from "effect"
import { isDuration } from "../../vocabulary/duration.ts"
import { DnsAnswers } from "../../vocabulary/value-schemas.ts"

/** `HANDSHAKE`: the connection opens after `goOn`. `ANSWER`: the response arrives after `goOn`. */
export const stalls = ["HANDSHAKE", "ANSWER"] as const

/** `NOTHING` reads the request and never responds; `RESET` closes the connection unread; `LOST` loses the response. */
export const failures = ["NOTHING", "RESET", "LOST"] as const

/** `REFUSED` accepts no connection; `UNTRUSTED` presents the certificate of another host. */
export const connects = ["REFUSED", "UNTRUSTED"] as const

export const AttemptScript = Schema.Struct({
  /** The result of the DNS look-up; the receiver's addresses if absent. */
  finds: Schema.optionalKey(DnsAnswers),
  connects: Schema.optionalKey(Schema.Literals(connects)),
  /** A status without verification of the request; if absent, the status depends on the verification. */
  answers: Schema.optionalKey(
    Schema.Union([
      Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 })),
      Schema.Literals(failures)
    ]).annotate({ expected: `a status from 200 to 599, ${failures.slice(0, -1).join(", ")} or ${failures.at(-1)}` })
  ),
  /** The delay of the response. */
  after: Schema.optionalKey(
    Schema.String.check(Schema.makeFilter((text) => isDuration(text), { expected: "a span of time such as 4s" }))
  ),
  stalls: Schema.optionalKey(Schema.Literals(stalls)),
  /** `TWICE`: a duplicate directly after it. `LATE`: after the next request. */
  arrives: Schema.optionalKey(Schema.Literals(["TWICE", "LATE"]))
})

export type AttemptScript = typeof AttemptScript.Type
