/** For whom the work of a request takes database connections: they are shared out among requesters. */
import { Context, Effect } from "effect"

export interface Requester {
  /** A grant, a person or an assistant once authenticated, before that the network of the client. */
  readonly key: string
  /** True for a request that stops something: it is served ahead of all others. */
  readonly isUrgent: boolean
}

/** The key of work outside of requests, and of requests inside this process. */
export const theService = "service"

export const Requester = Context.Reference<Requester>("countersign/ports/Requester", {
  defaultValue: () => ({ key: theService, isUrgent: false })
})

/** Runs what a request does for this caller, once it is authenticated. */
export const requestedBy =
  (key: string) =>
  <A, E, R>(request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateService(request, Requester, (requester) => ({ ...requester, key }))
