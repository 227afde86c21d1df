/** The idempotency key of an agent's write, with the fingerprint of exactly the sent request. */
import { Effect } from "effect"
import { Caller } from "./authorize.ts"
import { fingerprint, type Request } from "../replay/replay.ts"
import { SentBody } from "../http/body.ts"

/** The request of an agent; request ids belong to its grant. */
export const requestOf = (operation: string, pathIds: ReadonlyArray<string>, requestId: string) =>
  Effect.gen(function* () {
    const { grantId } = yield* Caller
    const { value } = yield* SentBody
    return { owner: grantId, requestId, fingerprint: fingerprint(operation, pathIds, value) } satisfies Request
  })
