/** Safe retry: a request id belongs to one operation and target, and repeats it without a second effect. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { digestOf } from "../canonical/digest.ts"
import type { Json } from "../canonical/json.ts"
import { Storage, type Reader, type Transaction } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { RequestKeys } from "./store.ts"

/** A request as it is remembered: per grant lineage, or per person. */
export interface Request {
  readonly owner: string
  readonly requestId: string
  readonly fingerprint: string
}

export interface Remembered {
  readonly fingerprint: string
  readonly target: string
}

/**
 * The digest over `[operation, path ids, body]`, the body as it was read before any default was filled in, so that a
 * later default changes nothing.
 */
export const fingerprint = (operation: string, pathIds: ReadonlyArray<string>, body: Json): string =>
  digestOf([operation, pathIds, body])

/** A write that nobody will repeat: an operator's, who sees its answer. */
export const unrepeated = (owner: string) =>
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    return {
      owner,
      requestId: yield* random.uuidV4(),
      fingerprint: fingerprint("unrepeated", [], null)
    } satisfies Request
  })

export const readRequest = (reader: Reader, { owner, requestId }: Request) =>
  reader.get(RequestKeys, [owner, requestId])

/** True where this very request has had its effect; the same id for another request is refused. */
export const isReplay = (earlier: Remembered | undefined, request: Request) => {
  if (earlier === undefined) return Effect.succeed(false)
  return earlier.fingerprint === request.fingerprint ? Effect.succeed(true) : refuse("REQUEST_ID_CONFLICT")
}

/** What this very request made or changed, where it has had its effect. */
export const committedTarget = Effect.fn("replay.committedTarget")(function* (request: Request) {
  const storage = yield* Storage
  const earlier = yield* storage.view((reader) => readRequest(reader, request))
  return earlier?.fingerprint === request.fingerprint ? earlier.target : undefined
})

/** True where this very request has had its effect; an id that came with another one is refused where it is used. */
export const wasCommitted = (request: Request) => Effect.map(committedTarget(request), (target) => target !== undefined)

export const rememberRequest = (transaction: Transaction, request: Request, target: string, committedAt: Instant) =>
  transaction.insert(RequestKeys, { ...request, target, committedAt })
