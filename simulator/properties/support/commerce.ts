/** What properties read of stored Result Orders and payment attempts; parsed and hashed without code of the service. */
import {
  CommerceEntries,
  type CommerceOrderRow,
  FinancialEvents,
  type ResultOrderRow
} from "../../../src/commerce/store.ts"
import { digestOf, parsed } from "../../../src/integrity/stored-json.ts"
import type { Json } from "../../vocabulary/json.ts"
import { type Rows, rowsWithPrefix } from "../property.ts"

export { digestOf, parsed }

/** One entry of a journal. */
export interface Entry {
  readonly sequence: number
  readonly previousHash: string
  readonly observedAt: string
  readonly component: string
  readonly entity: string
  readonly facts: Facts
  readonly hash: string
}

/** The facts of any component: a member of another one is undefined. */
export interface Facts {
  readonly [member: string]: Json | undefined
}

/** A financial event of an order. */
export interface FinancialEvent {
  readonly sequence: number
  readonly previous: string
  readonly kind: string
  readonly requestId: string | null
  readonly actor: { readonly personId: string; readonly organizationId: string } | null
  readonly payload: { readonly [member: string]: Json }
  readonly occurredAt: string
  readonly hash: string
}

/** What an attempt is bound to. */
export interface Binding {
  readonly commerceOrderId: string
  readonly buyerScope: string
  readonly recipientScope: string
  readonly acceptedSourceDigest: string
  readonly environment: string
  readonly currency: string
  readonly amountMinor: number
  readonly recipientAccount: string
}

/** The terms of an order. */
export interface Terms {
  readonly agreement: { readonly digest: string }
  readonly provider: string
  readonly environment: string
  readonly recipientAccount: string
  readonly currency: string
  readonly amountMinor: number
  readonly buyer: { readonly organizationId: string }
  readonly supplier: { readonly organizationId: string }
  readonly item: Json
}

export const entriesOf = (rows: Rows, commerceOrderId: string): ReadonlyArray<Entry> =>
  rowsWithPrefix(rows, CommerceEntries, [commerceOrderId]).map(({ entry }) => parsed<Entry>(entry))

export const eventsOf = (rows: Rows, resultOrderId: string): ReadonlyArray<FinancialEvent> =>
  rowsWithPrefix(rows, FinancialEvents, [resultOrderId]).map(({ event }) => parsed<FinancialEvent>(event))

export const bindingOf = ({ binding }: Pick<CommerceOrderRow, "binding">): Binding => parsed<Binding>(binding)

export const termsOf = ({ terms }: Pick<ResultOrderRow, "terms">): Terms => parsed<Terms>(terms)
