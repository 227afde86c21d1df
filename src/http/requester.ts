/** A request before anyone is authenticated: the network of its client takes the connections, whatever it claims to be. */
import { Effect } from "effect"
import { Requester } from "../ports/storage/requester.ts"
import { networkOf } from "../vocabulary/address.ts"
import type { RequestClass } from "./request-class.ts"

export const requestedFrom = <A, E, R>(
  address: string | undefined,
  requestClass: RequestClass,
  answer: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.provideService(answer, Requester, {
    key: address === undefined ? "this process" : networkOf(address),
    isUrgent: requestClass === "stop"
  })
