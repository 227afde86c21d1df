/** Device authorization (RFC 8628): an agent requests, a person decides, the agent collects; and its polling interval. */
import type { Effect } from "effect"
import { addMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, type Refusal } from "../vocabulary/refusals.ts"
import type { ConnectionRow } from "./store.ts"

export const connectionStates = ["PENDING", "APPROVED", "DENIED", "COLLECTED", "ENDED"] as const
export type ConnectionState = (typeof connectionStates)[number]

export const isExpired = ({ expiresAt }: Pick<ConnectionRow, "expiresAt">, now: Instant): boolean => expiresAt <= now

export interface PollingInterval {
  readonly interval: number
  readonly polledAt: Instant
  readonly isTooEarly: boolean
}

/** The polling interval after one poll: an early poll increases it by five seconds, permanently. */
export const nextPollingInterval = (
  { interval, polledAt }: Pick<ConnectionRow, "interval" | "polledAt">,
  now: Instant
): PollingInterval => {
  const isTooEarly = polledAt !== null && now < addMilliseconds(polledAt, interval * 1000)
  return { interval: isTooEarly ? interval + limits.connectionInterval : interval, polledAt: now, isTooEarly }
}

export type ConnectionEnd = Effect.Effect<never, Refusal<"CONNECTION_DENIED" | "CONNECTION_EXPIRED">>

/** The refusal of a poll that cannot lead to a credential any more; undefined where it still can. */
export const endRefusal = (connection: ConnectionRow, now: Instant): ConnectionEnd | undefined => {
  if (connection.state === "DENIED") return refuse("CONNECTION_DENIED")
  return connection.state === "ENDED" || isExpired(connection, now) ? refuse("CONNECTION_EXPIRED") : undefined
}

/** Consonants only, so that no code forms a word (RFC 8628, 6.1). */
const letters = "BCDFGHJKLMNPQRSTVWXZ"

/** Eight letters out of 256 random bits given in hexadecimal, as `XXXX-XXXX`. */
export const userCodeFrom = (secret: string): string => {
  let rest = BigInt(`0x${secret}`)
  let code = ""
  for (let place = 0; place < limits.userCodeCharacters; place++) {
    code += letters[Number(rest % 20n)]!
    rest /= 20n
  }
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** A code as typed: any case, with or without the hyphen or spaces. Undefined for anything else. */
export const parseUserCode = (typed: string): string | undefined => {
  const code = typed.toUpperCase().replace(/[\s-]/g, "")
  const isCode = code.length === limits.userCodeCharacters && [...code].every((letter) => letters.includes(letter))
  return isCode ? `${code.slice(0, 4)}-${code.slice(4)}` : undefined
}
