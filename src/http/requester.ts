/** The requester of a request before authentication: the network of the client, whatever credential it sends. */
import { Effect } from "effect"
import { Requester, theService } from "../ports/storage/requester.ts"
import { networkOf } from "../vocabulary/address.ts"
import type { RequestClass } from "./request-class.ts"

export const requestedFrom = <A, E, R>(
  address: string | undefined,
  requestClass: RequestClass,
  answer: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.provideService(answer, Requester, {
    key: address === undefined ? theService : `network ${networkOf(address)}`,
    isUrgent: requestClass === "stop"
  })
