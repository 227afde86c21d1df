/** The idempotency key of an agent's write, with the fingerprint of exactly the sent request. */
import { Effect } from "effect"
import { Caller } from "./authorize.ts"
import { fingerprint, type IdempotentRequest } from "../replay/idempotency.ts"
import { RequestBody } from "../http/body.ts"

/** The request of an agent; request ids belong to its grant. */
export const requestOf = (operation: string, pathIds: ReadonlyArray<string>, requestId: string) =>
  Effect.gen(function* () {
    const { grantId } = yield* Caller
    const { value } = yield* RequestBody
    return {
      owner: grantId,
      requestId,
      fingerprint: fingerprint(operation, pathIds, value)
    } satisfies IdempotentRequest
  })
