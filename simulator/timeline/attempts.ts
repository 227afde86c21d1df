/** The attempts of one callback: which is which, and the one before it. */
import { isObject, type Json, type JsonObject } from "../script/json.ts"
import { deliveryOf } from "./words.ts"

export interface Attempt {
  /** From 1, as the service counts. */
  readonly attempt: number
  /** The line of the same sort in the attempt before. */
  readonly earlier: number | undefined
}

/** By the number of the line: the commit that claims an attempt, and the send of it where there is one. */
export const attemptsOf = (lines: ReadonlyArray<JsonObject>): ReadonlyMap<number, Attempt> => {
  const claims = new Map<string, Place>()
  const sends = new Map<string, Place>()
  const attempts = new Map<number, Attempt>()
  const note = (places: Map<string, Place>, delivery: string, attempt: number, line: number) => {
    attempts.set(line, { attempt, earlier: places.get(delivery)?.line })
    places.set(delivery, { attempt, line })
  }
  lines.forEach((line, index) => {
    const written = attemptWritten(line)
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

/** The attempt that a commit begins, before any name is looked up, or settles, once its end is known. */
export const attemptWritten = (
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
