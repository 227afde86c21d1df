/** The attempts of webhook deliveries: the number of each, and the attempt before it. */
import { isObject, type Json, type JsonObject } from "../../vocabulary/json.ts"
import { deliveryOf } from "./line-summary.ts"

export interface Attempt {
  /** 1-based, as in the service. */
  readonly attempt: number
  /** The line of the same kind in the previous attempt. */
  readonly earlier: number | undefined
}

/** By line number: the commit that claims an attempt, and its send, if any. */
export const attemptsOf = (lines: ReadonlyArray<JsonObject>): ReadonlyMap<number, Attempt> => {
  const claims = new Map<string, Place>()
  const sends = new Map<string, Place>()
  const attempts = new Map<number, Attempt>()
  const note = (places: Map<string, Place>, delivery: string, attempt: number, line: number) => {
    attempts.set(line, { attempt, earlier: places.get(delivery)?.line })
    places.set(delivery, { attempt, line })
  }
  lines.forEach((line, index) => {
    const written = attemptInCommit(line)
    if (written?.isClaim === true) note(claims, written.delivery, written.attempt, index)
    const delivery = line["kind"] === "callback" ? deliveryOf(line) : undefined
    if (delivery === undefined) return
    const after = (sends.get(delivery)?.attempt ?? 0) + 1
    note(sends, delivery, Math.max(after, claims.get(delivery)?.attempt ?? 0), index)
  })
  return attempts
}

interface Place {
  readonly attempt: number
  readonly line: number
}

/** The attempt that a commit claims (before the DNS look-up) or settles. */
export const attemptInCommit = (
  line: JsonObject
): { readonly delivery: string; readonly attempt: number; readonly isClaim: boolean } | undefined => {
  for (const { table, change, key } of writesOf(line)) {
    const [delivery, attempt] = Array.isArray(key) ? (key as ReadonlyArray<Json>) : []
    if (table !== "webhook_attempts" || typeof delivery !== "string" || typeof attempt !== "number") continue
    return { delivery, attempt, isClaim: change === "insert" }
  }
  return undefined
}

const writesOf = ({ kind, writes }: JsonObject): ReadonlyArray<JsonObject> =>
  kind === "commit" && Array.isArray(writes) ? (writes as ReadonlyArray<Json>).filter(isObject) : []
