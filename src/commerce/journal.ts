/** The journal of a payment attempt: what was captured of the provider, as a hash chain that starts with the binding. */
import { Schema } from "effect"
import { digestOf } from "../canonical/digest.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { factSchemas, type Facts } from "../vocabulary/payment-facts.ts"
import { providerId, type CommerceBinding, type Component } from "../vocabulary/payments.ts"
import { digest, instant, ordinal } from "../vocabulary/record-schemas.ts"
import type { JournalPosition } from "./financial-event.ts"

const entry = <const C extends Component>(component: C) =>
  Schema.Struct({
    sequence: ordinal,
    previousHash: digest,
    observedAt: instant.annotateKey({ description: "When the provider was asked." }),
    component: Schema.Literal(component),
    entity: providerId,
    facts: factSchemas[component],
    hash: digest
  })

export const JournalEntry = Schema.Union([
  entry("CHECKOUT"),
  entry("PAYMENT"),
  entry("REFUND"),
  entry("DISPUTE"),
  entry("TRANSFER"),
  entry("PAYOUT")
]).annotate({ identifier: "JournalEntry" })
export type JournalEntry = typeof JournalEntry.Type

/** Facts of one entity, of the component that they belong to. */
export type Observation<Of extends Component = Component> = {
  readonly [C in Of]: { readonly component: C; readonly entity: string; readonly facts: Facts<C> }
}[Of]

/** The start of an attempt's journal. No entry fits the journal of another attempt. */
export const emptyJournal = (binding: CommerceBinding): JournalPosition => ({ count: 0, head: digestOf(binding) })

/** The entries that continue a journal, in their order. */
export const appendEntries = (
  { count, head }: JournalPosition,
  observedAt: Instant,
  observations: ReadonlyArray<Observation>
): ReadonlyArray<JournalEntry> => {
  let previousHash = head
  return observations.map((observation, index) => {
    const content = { sequence: count + index + 1, previousHash, observedAt, ...observation }
    previousHash = digestOf(content)
    return { ...content, hash: previousHash }
  })
}

/** The end of a journal after these entries. */
export const journalAfter = (position: JournalPosition, entries: ReadonlyArray<JournalEntry>): JournalPosition => {
  const last = entries.at(-1)
  return last === undefined ? position : { count: last.sequence, head: last.hash }
}
