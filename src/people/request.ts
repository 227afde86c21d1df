/** Runs the operations of a signed-in person, and identifies their writes. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { answer } from "../http/answer.ts"
import { RequestBody } from "../http/body.ts"
import { fingerprint, type IdempotentRequest } from "../replay/idempotency.ts"
import { refuse, type Refusal } from "../vocabulary/refusals.ts"
import { SignedInPerson } from "./acting-person.ts"

/** Runs an operation for the signed-in person and answers with its result. */
export const answerPerson = <A, R>(operation: (by: SignedInPerson["Service"]) => Effect.Effect<A, Refusal, R>) =>
  answer(Effect.andThen(refuseUnreadBody, Effect.flatMap(SignedInPerson, operation)))

/** The same for a write with an idempotency key. */
export const answerRequest = <A, R>(
  { operation, pathIds = [], requestId }: PersonRequest,
  run: (by: SignedInPerson["Service"], request: IdempotentRequest) => Effect.Effect<A, Refusal, R>
) =>
  answerPerson((by) =>
    Effect.flatMap(RequestBody, ({ value }) =>
      run(by, { owner: by.personId, requestId, fingerprint: fingerprint(operation, pathIds, value) })
    )
  )

/** An operation without a body refuses one, since it would be ignored silently. */
const refuseUnreadBody = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { value } = yield* RequestBody
  const hasBody = Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined
  if (value === null && hasBody) {
    return yield* refuse("INVALID_REQUEST", { detail: "This operation takes no body; send none." })
  }
})

/** Request ids belong to the person, across sessions. */
export interface PersonRequest {
  readonly operation: string
  readonly pathIds?: ReadonlyArray<string>
  readonly requestId: string
}
