/** One endpoint: the parameters are read before the request takes effect, and an answer that took effect is saved. */
import type { SimulatedProvider } from "../../../simulator/payments/layer.ts"
import type { Instant } from "../../../src/vocabulary/instant.ts"
import type { AccountParameters } from "./account-parameters.ts"
import type { CheckoutParameters } from "./checkout-parameters.ts"
import type { StripeObject } from "./expansion.ts"
import type { EncodedMembers } from "./form-encoding.ts"

/** What the machine does not keep of the requests that made its accounts and checkouts, by id. */
export interface Records {
  readonly accounts: Map<string, { readonly parameters: AccountParameters; readonly created: number }>
  readonly checkouts: Map<string, CheckoutParameters>
}

export interface Call {
  readonly provider: SimulatedProvider
  readonly records: Records
  readonly at: Instant
  readonly origin: string
  /** The id in the path; empty if the path has none. */
  readonly id: string
  /** The connected account for which the platform calls. */
  readonly account: string | null
  /** The idempotency key, or the request's id. */
  readonly key: string
}

/** Takes effect, and returns the answer; refusals are thrown. */
export type Effectuate = (call: Call) => StripeObject

export interface Route {
  readonly method: "GET" | "POST"
  readonly path: RegExp
  /** What a restricted key needs. */
  readonly permission: string
  /** Refuses parameters that are wrong by themselves. */
  readonly prepare: (members: EncodedMembers) => Effectuate
}

export const route = <P>(
  method: Route["method"],
  path: string,
  permission: string,
  read: (members: EncodedMembers) => P,
  answer: (parameters: P, call: Call) => StripeObject
): Route => ({
  method,
  path: new RegExp(`^${path.replace("{id}", "([^/]+)")}$`),
  permission,
  prepare: (members) => {
    const parameters = read(members)
    return (call) => answer(parameters, call)
  }
})
