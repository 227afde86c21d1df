/** Idempotency keys: the first answer is given again to the same request, and any other request under its key is refused. */
import type { StripeAnswer } from "./server.ts"
import { StripeRefusal } from "./refusal.ts"

interface Use {
  readonly parameters: string
  readonly requestId: string
  /** Absent while the first request is in progress. */
  answer?: StripeAnswer
}

export class IdempotencyKeys {
  readonly #uses = new Map<string, Use>()

  /** The saved answer, or undefined for the first request of a key, which is then in progress until `finish`. */
  begin(key: string, parameters: string, requestId: string): StripeAnswer | undefined {
    const use = this.#uses.get(key)
    if (use === undefined) {
      this.#uses.set(key, { parameters, requestId })
      return undefined
    }
    if (use.parameters !== parameters) throw otherParameters(key)
    if (use.answer === undefined) throw keyInUse(key)
    const { status, headers, body } = use.answer
    return { status, body, headers: { ...headers, "idempotent-replayed": "true", "original-request": use.requestId } }
  }

  finish(key: string, answer: StripeAnswer): void {
    const use = this.#uses.get(key)
    if (use !== undefined) use.answer = answer
  }
}

const otherParameters = (key: string) =>
  new StripeRefusal(400, {
    type: "idempotency_error",
    message:
      "Keys for idempotent requests can only be used with the same parameters they were first used with. " +
      `Try using a key other than '${key}' if you meant to execute a different request.`
  })

const keyInUse = (key: string) =>
  new StripeRefusal(409, {
    type: "idempotency_error",
    code: "idempotency_key_in_use",
    message:
      "There is currently another in-progress request using this Idempotent Key (that probably means you submitted " +
      `twice, and the other request is still going through): ${key}`
  })
