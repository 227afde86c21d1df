/** Readbacks as implementations of the port build them. Only this module makes facts of a provider's values. */
import { Option, Schema, type SchemaAST } from "effect"
import { factSchemas, type Facts } from "../vocabulary/payment-facts.ts"
import { limits } from "../vocabulary/limits.ts"
import { providerId, type Component } from "../vocabulary/payments.ts"
import type { ComponentReadback, ReadEntity, Readback, ReadFailure } from "./payments.ts"

/** An entity with the members of its facts, as the provider answered. */
export interface ProviderEntity {
  readonly entity: string
  readonly facts: unknown
}

/** The readback of one component that failed. */
export const failedComponent = (reason: ReadFailure) => ({ outcome: "FAILED", reason }) as const

/** A readback in which every component failed for one reason, as without an answer of the provider. */
export const failedReadback = (reason: ReadFailure): Readback => ({
  CHECKOUT: failedComponent(reason),
  PAYMENT: failedComponent(reason),
  REFUND: failedComponent(reason),
  DISPUTE: failedComponent(reason),
  TRANSFER: failedComponent(reason),
  PAYOUT: failedComponent(reason)
})

/** The component, if every entity has the closed form of its facts; otherwise the whole component failed. */
export const componentReadback = <C extends Component>(
  component: C,
  entities: ReadonlyArray<ProviderEntity>
): ComponentReadback<C> => {
  if (entities.length > limits.paymentEntities) return failedComponent("TOO_MANY_ENTITIES")
  const read: Array<ReadEntity<C>> = []
  for (const { entity, facts } of entities) {
    const decoded = decodeFacts(component, facts)
    if (!isEntityName(entity) || decoded === undefined) return failedComponent("FACTS_UNKNOWN")
    read.push({ entity, createdAt: decoded.createdAt, facts: decoded })
  }
  return { outcome: "READ", entities: read }
}

/** The facts, if they have exactly the members and words of the component. */
const decodeFacts = <C extends Component>(component: C, facts: unknown): Facts<C> | undefined =>
  Option.getOrUndefined(decoders[component](facts, { onExcessProperty: "error" }))

type Decode<C extends Component> = (facts: unknown, options: SchemaAST.ParseOptions) => Option.Option<Facts<C>>

const decoders: { readonly [C in Component]: Decode<C> } = {
  CHECKOUT: Schema.decodeUnknownOption(factSchemas.CHECKOUT),
  PAYMENT: Schema.decodeUnknownOption(factSchemas.PAYMENT),
  REFUND: Schema.decodeUnknownOption(factSchemas.REFUND),
  DISPUTE: Schema.decodeUnknownOption(factSchemas.DISPUTE),
  TRANSFER: Schema.decodeUnknownOption(factSchemas.TRANSFER),
  PAYOUT: Schema.decodeUnknownOption(factSchemas.PAYOUT)
}

const isEntityName = Schema.is(providerId)
