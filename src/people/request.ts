/** Runs the operations of a signed-in person, and identifies their writes. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { RequestBody } from "../http/body.ts"
import { idempotentRequest, type DecodedWrite, type IdempotentRequest } from "../replay/idempotency.ts"
import { refuse, type Refusal, type RefusalTo } from "../vocabulary/refusals.ts"
import { SignedInPerson } from "./acting-person.ts"

/**
 * Runs an operation for the signed-in person. The pipelines that people share with agents have the refusals of both in
 * their types; no person gets those of agents.
 */
export const asPerson = <A, E extends Refusal, R>(
  operation: (by: SignedInPerson["Service"]) => Effect.Effect<A, E, R>
) =>
  Effect.andThen(refuseUnreadBody, Effect.flatMap(SignedInPerson, operation)) as Effect.Effect<
    A,
    RefusalTo<"PERSON", E> | Refusal<"INVALID_REQUEST">,
    R | HttpServerRequest.HttpServerRequest | RequestBody | SignedInPerson
  >

/** The same for a write with an idempotency key. Request ids belong to the person, across sessions. */
export const asPersonRequest = <A, E extends Refusal, R>(
  sent: DecodedWrite,
  run: (by: SignedInPerson["Service"], request: IdempotentRequest) => Effect.Effect<A, E, R>
) => asPerson((by) => Effect.flatMap(RequestBody, ({ value }) => run(by, idempotentRequest(by.personId, sent, value))))

/** An operation without a body refuses one, since it would be ignored silently. */
const refuseUnreadBody = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { value } = yield* RequestBody
  const hasBody = Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined
  if (value === null && hasBody) {
    return yield* refuse("INVALID_REQUEST", { detail: "This operation takes no body; send none." })
  }
})
