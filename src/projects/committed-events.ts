/** The outbox of committed project events; `webhooks/` supplies it. */
import { Context, Effect } from "effect"
import type { Transaction } from "../ports/storage.ts"
import type { ProjectEvent } from "./event.ts"
import type { StoredProject } from "./history.ts"
import { Projects } from "./store.ts"

export class CommittedEvents extends Context.Service<
  CommittedEvents,
  {
    /**
     * Queues the event for the project's subscriptions, in the transaction that appends it and under the project's lock.
     * `after` is the project with the event.
     */
    queue(transaction: Transaction, event: ProjectEvent, after: StoredProject): Effect.Effect<void>
  }
>()("countersign/projects/CommittedEvents") {}

/** The number of events of a locked project; undefined for an unknown one. */
export const readEventCount = (transaction: Transaction, projectId: string) =>
  Effect.map(transaction.get(Projects, [projectId]), (row) => row?.eventCount)

/** Records the number of a project's subscriptions: with none, an event queues nothing. */
export const recordSubscriptionCount = (transaction: Transaction, projectId: string, listeners: number) =>
  transaction.update(Projects, [projectId], { listeners })
