/** Runs the operations of an agent, and identifies its writes. */
import { Effect } from "effect"
import { RequestBody } from "../http/body.ts"
import { fingerprint, type IdempotentRequest } from "../replay/idempotency.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import type { Refusal, RefusalCodeTo } from "../vocabulary/refusals.ts"
import { Caller } from "./authorize.ts"

/**
 * An operation for the calling agent. The pipelines that agents share with people have the refusals of both in
 * their types; no agent gets those of people.
 */
export const asAgent = <A, Code extends RefusalCode, R>(operation: Effect.Effect<A, Refusal<Code>, R>) =>
  operation as Effect.Effect<A, Refusal<RefusalCode extends Code ? never : Exclude<Code, RefusalCodeTo<"PERSON">>>, R>

/** The same for a write with an idempotency key: the fingerprint of exactly the sent request. */
export const asAgentRequest = <A, Code extends RefusalCode, R>(
  { operation, pathIds = [], requestId }: AgentRequest,
  run: (request: IdempotentRequest) => Effect.Effect<A, Refusal<Code>, R>
) =>
  asAgent(
    Effect.gen(function* () {
      const { grantId } = yield* Caller
      const { value } = yield* RequestBody
      return yield* run({ owner: grantId, requestId, fingerprint: fingerprint(operation, pathIds, value) })
    })
  )

/** Request ids belong to the grant. */
export interface AgentRequest {
  readonly operation: string
  readonly pathIds?: ReadonlyArray<string>
  readonly requestId: string
}
