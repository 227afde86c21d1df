/** Idempotent requests: a request id belongs to one operation and target; a replay has no second effect. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { digestOf } from "../canonical/digest.ts"
import type { Json } from "../canonical/json.ts"
import { inView } from "../ports/storage/run.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { RequestKeys } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** An idempotency key with the fingerprint of its request: per grant lineage, or per person. */
export interface IdempotentRequest {
  readonly owner: string
  readonly requestId: string
  readonly fingerprint: string
}

export interface StoredRequest {
  readonly fingerprint: string
  readonly target: string
}

/**
 * The digest over `[operation, path ids, body]`, the body before defaults are filled in, so that a later default does not
 * change it.
 */
export const fingerprint = (operation: string, pathIds: ReadonlyArray<string>, body: Json): string =>
  digestOf([operation, pathIds, body])

/** A decoded write of an endpoint. Its request id is in the body, or in the `input` of a command. */
export interface DecodedWrite {
  /** The name of the operation. */
  readonly endpoint: { readonly identifier: string }
  /** The ids of the path, in order. */
  readonly params?: { readonly [name: string]: string }
  readonly payload: { readonly requestId: string } | { readonly input: { readonly requestId: string } }
}

/** The request of an owner of request ids, with the body as sent. */
export const idempotentRequest = (
  owner: string,
  { endpoint, params = {}, payload }: DecodedWrite,
  body: Json
): IdempotentRequest => ({
  owner,
  requestId: "input" in payload ? payload.input.requestId : payload.requestId,
  fingerprint: fingerprint(endpoint.identifier, Object.values(params), body)
})

/** A write without an idempotency key, for an operator's command. */
export const nonIdempotentRequest = (owner: string) =>
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    return {
      owner,
      requestId: yield* random.uuidV4(),
      fingerprint: fingerprint("unrepeated", [], null)
    } satisfies IdempotentRequest
  })

export const readStoredRequest = (reader: Reader, { owner, requestId }: IdempotentRequest) =>
  reader.get(RequestKeys, [owner, requestId])

/** True where this request has been committed; the same id for another request is refused. */
export const isReplay = (earlier: StoredRequest | undefined, request: IdempotentRequest) => {
  if (earlier === undefined) return Effect.succeed(false)
  return earlier.fingerprint === request.fingerprint ? Effect.succeed(true) : refuse("REQUEST_ID_CONFLICT")
}

/** The target of this request, where it has been committed. */
export const committedTarget = traced("replay.committedTarget")(function* (request: IdempotentRequest) {
  const earlier = yield* inView((reader) => readStoredRequest(reader, request))
  return earlier?.fingerprint === request.fingerprint ? earlier.target : undefined
})

/** True where this request has been committed; an id used for another request is refused where it is used. */
export const wasCommitted = (request: IdempotentRequest) =>
  Effect.map(committedTarget(request), (target) => target !== undefined)

export const recordRequest = (
  transaction: Transaction,
  request: IdempotentRequest,
  target: string,
  committedAt: Instant
) => transaction.insert(RequestKeys, { ...request, target, committedAt })
