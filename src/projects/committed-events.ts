/** What projects tell others about each committed event; `webhooks/` supplies it. */
import { Context, Effect } from "effect"
import type { Transaction } from "../ports/storage.ts"
import type { ProjectEvent } from "./event.ts"
import type { Stored } from "./history.ts"
import { Projects } from "./store.ts"

export class CommittedEvents extends Context.Service<
  CommittedEvents,
  {
    /**
     * Queues what listens to the project, in the transaction that appends the event and under the project's root. `after`
     * is the project with the event.
     */
    queue(transaction: Transaction, event: ProjectEvent, after: Stored): Effect.Effect<void>
  }
>()("countersign/projects/CommittedEvents") {}

/** How many events a project has; undefined where there is none. Its root is held. */
export const countEvents = (transaction: Transaction, projectId: string) =>
  Effect.map(transaction.get(Projects, [projectId]), (row) => row?.eventCount)

/** Notes how many listen to a project, so that an event to which nobody listens costs nothing. */
export const countListeners = (transaction: Transaction, projectId: string, listeners: number) =>
  transaction.update(Projects, [projectId], { listeners })
