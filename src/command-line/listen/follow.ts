/** Follows the delivery history of a subscription, and forwards every event after a checkpoint in its order. */
import { Console, Effect } from "effect"
import { limits } from "../../vocabulary/limits.ts"
import type { CommandFailure } from "../production.ts"
import { type AgentApi, type HistoryPage, ReadRefused, readHistoryPage } from "./agent-api.ts"
import { forwardDelivery, type ForwardTarget } from "./forward.ts"

/** Where it begins: after a checkpoint, at the first delivery, or with those that are queued from now on. */
export type Start = { readonly kind: "CHECKPOINT"; readonly checkpoint: string } | { readonly kind: "START" | "NOW" }

export interface Following {
  readonly api: AgentApi
  readonly subscriptionId: string
  readonly target: ForwardTarget
  /** Called with each checkpoint up to which everything is forwarded. */
  readonly save: (checkpoint: string) => Effect.Effect<void, CommandFailure>
}

/** Runs until it is interrupted, the service refuses a read, or a checkpoint cannot be saved. */
export const followHistory = Effect.fnUntraced(function* (
  following: Following,
  start: Start
): Effect.fn.Return<never, ReadRefused | CommandFailure> {
  const { api, target, save } = following
  let after = start.kind === "NOW" ? yield* skipHistory(following) : undefined
  if (start.kind === "CHECKPOINT") after = start.checkpoint
  for (;;) {
    const page = yield* readPage(following, after)
    for (const delivery of page.deliveries) yield* forwardDelivery(api, target, delivery)
    yield* save(page.checkpoint)
    after = page.checkpoint
    if (page.next === null) yield* Effect.sleep(limits.listenInterval)
  }
})

/** The checkpoint at the end of the history. */
const skipHistory = Effect.fnUntraced(function* (
  following: Following
): Effect.fn.Return<string | undefined, ReadRefused | CommandFailure> {
  let skipped = 0
  for (let after: string | undefined; ;) {
    const page = yield* readPage(following, after)
    skipped += page.deliveries.length
    after = page.checkpoint
    if (page.next !== null) continue
    yield* following.save(after)
    if (skipped > 0) yield* Console.log(`${skipped} earlier deliveries skipped; --from start forwards them`)
    return after
  }
})

/** A checkpoint of an earlier format cannot be read any more: then once from the first delivery. */
const readPage = (
  { api, subscriptionId }: Following,
  after: string | undefined
): Effect.Effect<HistoryPage, ReadRefused> =>
  Effect.catchTag(readHistoryPage(api, subscriptionId, after), "ReadRefused", (refused) =>
    refused.code === "WEBHOOK_CURSOR_RESET_REQUIRED" && after !== undefined
      ? Effect.andThen(
          Console.log("the checkpoint has an earlier format: the history is read from its first delivery, once"),
          readHistoryPage(api, subscriptionId, undefined)
        )
      : Effect.fail(refused)
  )
