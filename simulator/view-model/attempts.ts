/** The attempts of webhook deliveries: the number of each, and the attempt before it. */
import { isObject, type Json, type JsonObject } from "../vocabulary/json.ts"
import { deliveryOf } from "./line-summary.ts"

export interface Attempt {
  /** 1-based, as in the service. */
  readonly attempt: number
  /** The line of the same kind in the previous attempt. */
  readonly earlier: number | undefined
}

/** Numbers the attempts of a trace, line by line. */
export class Attempts {
  readonly #claims: AttemptsByDelivery = new Map()
  readonly #sends: AttemptsByDelivery = new Map()

  /** The attempt that the line claims (a commit) or sends, if any; `index` is the number of the line. */
  add(line: JsonObject, index: number): Attempt | undefined {
    const written = attemptInCommit(line)
    if (written?.isClaim === true) return advance(this.#claims, written.delivery, written.attempt, index)
    const delivery = line["kind"] === "callback" ? deliveryOf(line) : undefined
    if (delivery === undefined) return undefined
    const next = (this.#sends.get(delivery)?.attempt ?? 0) + 1
    return advance(this.#sends, delivery, Math.max(next, this.#claims.get(delivery)?.attempt ?? 0), index)
  }
}

type AttemptsByDelivery = Map<string, { readonly attempt: number; readonly line: number }>

const advance = (attempts: AttemptsByDelivery, delivery: string, attempt: number, line: number): Attempt => {
  const earlier = attempts.get(delivery)?.line
  attempts.set(delivery, { attempt, line })
  return { attempt, earlier }
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
