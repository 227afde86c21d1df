/** The steps of a send that read or write the store: each runs alone by default, and in batches within a worker. */
import { Context, Effect } from "effect"
import type { Secrets } from "../ports/secrets.ts"
import type { Storage } from "../ports/storage.ts"
import { recordAttempts, type AttemptRecord } from "./attempt.ts"
import { makeBatches, runAlone, type BatchRun, type ItemRun } from "./batch.ts"
import type { LeasedSend } from "./claim.ts"
import { beginSends, type BeginResult, type RecordedSend } from "./first-byte.ts"
import { planSends, type ConnectedSend, type SendPlan } from "./plan.ts"
import { settleSends, type CompletedSend, type Settlement } from "./settle.ts"

export interface SendSteps {
  /** Undefined if the lease was lost. */
  readonly plan: ItemRun<LeasedSend, SendPlan | undefined, Storage | Secrets>
  readonly record: ItemRun<ConnectedSend, AttemptRecord, Storage>
  readonly begin: ItemRun<RecordedSend, BeginResult, Storage | Secrets>
  readonly settle: ItemRun<CompletedSend, Settlement, Storage>
}

type MakeRun = <Item, Result, R>(run: BatchRun<Item, Result, R>) => ItemRun<Item, Result, R>

const makeSteps = (make: MakeRun): SendSteps => ({
  plan: make(planSends),
  record: make(recordAttempts),
  begin: make(beginSends),
  settle: make(settleSends)
})

/** The steps of the sends in progress. */
export const CurrentSendSteps = Context.Reference<SendSteps>("countersign/webhooks/CurrentSendSteps", {
  defaultValue: () => makeSteps(runAlone)
})

/** The steps of the sends of one worker, in batches. */
export const makeBatchedSteps: Effect.Effect<SendSteps> = Effect.sync(() => makeSteps(makeBatches))
