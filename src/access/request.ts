/** Runs the operations of an agent, and identifies its writes. */
import { Effect } from "effect"
import { RequestBody } from "../http/body.ts"
import { idempotentRequest, type DecodedWrite, type IdempotentRequest } from "../replay/idempotency.ts"
import type { Refusal, RefusalTo } from "../vocabulary/refusals.ts"
import { Caller } from "./authorize.ts"

/**
 * An operation for the calling agent. The pipelines that agents share with people have the refusals of both in
 * their types; no agent gets those of people.
 */
export const asAgent = <A, E extends Refusal, R>(operation: Effect.Effect<A, E, R>) =>
  operation as unknown as Effect.Effect<A, RefusalTo<"AGENT", E>, R>

/** The same for a write with an idempotency key. Request ids belong to the grant. */
export const asAgentRequest = <A, E extends Refusal, R>(
  sent: DecodedWrite,
  run: (request: IdempotentRequest) => Effect.Effect<A, E, R>
) =>
  asAgent(
    Effect.gen(function* () {
      const { grantId } = yield* Caller
      const { value } = yield* RequestBody
      return yield* run(idempotentRequest(grantId, sent, value))
    })
  )
