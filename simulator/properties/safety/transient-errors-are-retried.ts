/** A transient storage error is retried and does not fail the request (spec 7). */
import { type Json, type JsonObject, valueAt } from "../../vocabulary/json.ts"
import { violation, monitoredProperty } from "../property.ts"

interface TransientErrors extends JsonObject {
  /** Actors with transient errors in their pending requests, one entry per error: the store retries once. */
  readonly errors: ReadonlyArray<string>
  /** Actors with pending requests, one entry per request: an error does not name its request. */
  readonly waiting: ReadonlyArray<string>
}

export const transientErrorsAreRetried = monitoredProperty<TransientErrors>({
  name: "transient errors are retried",
  kind: "always",
  says: "A single conflict or lost connection of the store fails no request, and no storage failure leads to 500.",
  judges: { kinds: ["request", "fault", "payments", "response", "process"] },
  initial: { errors: [], waiting: [] },
  next: (state, { observed }) => {
    const { errors, waiting } = state
    switch (observed.kind) {
      case "request": {
        const { actor } = observed
        return {
          errors: waiting.includes(actor) ? errors : without(errors, actor),
          waiting: [...waiting, actor].sort()
        }
      }
      case "fault": {
        const { actor, fault } = observed
        if (transient.has(fault)) return { errors: [...errors, actor].sort(), waiting }
        return afterPermanentError(state, actor)
      }
      case "payments":
        return observed.fault === undefined ? state : afterPermanentError(state, observed.actor)
      case "response": {
        const { actor, status, body } = observed
        if (status === 500) return violation(`${actor} got 500`)
        if (isUnavailable(body) && timesOf(actor, errors) === 1) {
          return violation(`${actor} got 503 because of a single transient error`)
        }
        const position = waiting.indexOf(actor)
        const remaining = position < 0 ? waiting : waiting.toSpliced(position, 1)
        return { errors: remaining.includes(actor) ? errors : without(errors, actor), waiting: remaining }
      }
      case "process":
        // Its callers get no responses.
        return observed.did === "CRASHED" ? { errors: [], waiting: [] } : state
      default:
        return state
    }
  }
})

/** A permanent error, also of the payment provider, may lead to 503; counted twice, since one error alone must not. */
const afterPermanentError = ({ errors, waiting }: TransientErrors, actor: string): TransientErrors => ({
  errors: [...errors, actor, actor].sort(),
  waiting
})

const timesOf = (actor: string, names: ReadonlyArray<string>): number => names.filter((one) => one === actor).length

/** True for the 503 of a storage failure; an issuer without a key has another code. */
const isUnavailable = (body: Json | undefined): boolean => valueAt(body ?? null, "error") === "TEMPORARILY_UNAVAILABLE"

/** Retriable errors, and a COMMIT whose outcome was determined. */
const transient: ReadonlySet<string> = new Set([
  "40001",
  "40P01",
  "connection-lost",
  "commit-lost-committed",
  "commit-lost-running",
  "commit-lost-aborted"
])

const without = (errors: ReadonlyArray<string>, actor: string): ReadonlyArray<string> =>
  errors.includes(actor) ? errors.filter((one) => one !== actor) : errors
