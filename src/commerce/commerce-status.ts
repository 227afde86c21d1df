/**
 * The status of a payment attempt: the latest captured observation of every entity, when each component was last read, and
 * how far the journal goes beyond one exported record. Signing it again extends nothing.
 */
import { Schema } from "effect"
import { canonicalText } from "../canonical/jcs.ts"
import { addMilliseconds, later, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { factSchemas } from "../vocabulary/payment-facts.ts"
import { CommerceBinding, components, providerId, type Component } from "../vocabulary/payments.ts"
import { compactJws, digest, instant, name, ordinal, signed } from "../vocabulary/record-schemas.ts"
import { refusal } from "../vocabulary/refusals.ts"
import type { CommerceRecord } from "./commerce-record.ts"
import { JournalPosition } from "./financial-event.ts"
import type { JournalEntry } from "./journal.ts"
import { labels, labelsOfLatest, type Label } from "./labels.ts"
import type { RecordIssuer } from "./result-order-record.ts"

const schema = "service.commerce-status/v1"

/** What the record beside the status does not show: the issuer states it alone. */
const notReplayed = "RECORDER_ATTESTATION_NOT_REPLAYED"
const Replay = Schema.NullOr(Schema.Literal(notReplayed))

const observationOf = <C extends Component>(component: C) =>
  Schema.Struct({
    entity: providerId,
    sequence: ordinal,
    hash: digest,
    observedAt: instant,
    facts: factSchemas[component],
    label: Schema.NullOr(Schema.Literals(labels)),
    statusObservation: Replay
  })

const componentOf = <C extends Component>(component: C) =>
  Schema.Struct({
    component: Schema.Literal(component),
    lastObservedAt: Schema.NullOr(instant),
    expiresAt: Schema.NullOr(instant),
    observations: Schema.Array(observationOf(component))
  })

export const CommerceStatus = Schema.Struct({
  ...signed(schema),
  issuer: name,
  environment: name,
  binding: CommerceBinding,
  record: Schema.Struct({ digest, ...JournalPosition.fields }),
  latest: JournalPosition,
  historyExtension: Replay,
  attestation: Schema.Literal("SERVICE_ATTESTATION_OF_PROVIDER_READBACK"),
  bankReceiptVerified: Schema.Literal(false),
  components: Schema.Tuple([
    componentOf("CHECKOUT"),
    componentOf("PAYMENT"),
    componentOf("REFUND"),
    componentOf("DISPUTE"),
    componentOf("TRANSFER"),
    componentOf("PAYOUT")
  ])
})
export type CommerceStatus = typeof CommerceStatus.Type

/** The exported file. */
export const CommerceStatusFile = Schema.Struct({ schema: Schema.Literal(schema), status: compactJws })

/** Everything that a status says, as of one snapshot. */
export interface StatusSource {
  /** The exported record that the status is beside, with its digest. */
  readonly record: CommerceRecord
  readonly recordDigest: string
  readonly latest: JournalPosition
  /** The latest entry of every entity, in the order of the journal. */
  readonly entries: ReadonlyArray<JournalEntry>
  /** The last successful reads. */
  readonly lastObservedAt: { readonly [C in Component]?: Instant | null }
}

/** Not earlier than anything that it states. */
export const commerceStatusPayload = (
  source: StatusSource,
  { issuer, environment }: RecordIssuer,
  now: Instant
): CommerceStatus => {
  const { record, recordDigest, latest, lastObservedAt } = source
  const { count, head } = record.journal
  const isExtended = latest.count !== count || latest.head !== head
  const observed = components.flatMap((component) => lastObservedAt[component] ?? [])
  return {
    schema,
    issuedAt: observed.reduce(later, later(now, record.issuedAt)),
    issuer,
    environment,
    binding: record.binding,
    record: { digest: recordDigest, count, head },
    latest,
    historyExtension: isExtended ? notReplayed : null,
    attestation: "SERVICE_ATTESTATION_OF_PROVIDER_READBACK",
    bankReceiptVerified: false,
    // One for each component, in their order.
    components: components.map((component) =>
      componentStatus(component, source)
    ) as unknown as CommerceStatus["components"]
  }
}

/** A verifier reads no longer file; capturing continues beyond the limit. */
export const statusGuard = (status: CommerceStatus) =>
  Buffer.byteLength(canonicalText(status)) <= limits.commerceStatusBytes
    ? undefined
    : refusal("COMMERCE_EXPORT_LIMIT", {
        detail: `Limit reached: ${limits.commerceStatusBytes} bytes in the status of one payment attempt; the page of its Result Order shows the latest facts.`,
        nextAction: "REREAD_ORDER"
      })

const componentStatus = (component: Component, source: StatusSource) => {
  const lastObservedAt = source.lastObservedAt[component] ?? null
  const labelOf = labelsIn(source)
  return {
    component,
    lastObservedAt,
    expiresAt: lastObservedAt === null ? null : addMilliseconds(lastObservedAt, limits.commerceStatusWindow),
    observations: source.entries
      .filter((entry) => entry.component === component)
      .map((entry) => {
        const { entity, sequence, hash, observedAt, facts } = entry
        const isReplayed = sequence <= source.record.journal.count && observedAt === lastObservedAt
        return {
          entity,
          sequence,
          hash,
          observedAt,
          facts,
          label: labelOf.get(sequence) ?? null,
          statusObservation: isReplayed ? null : notReplayed
        }
      })
  }
}

/** Within the record an entry has the record's label; beyond it, the one that the observations of the status permit. */
const labelsIn = ({ record, entries }: StatusSource): ReadonlyMap<number, Label | null> => {
  const permitted = labelsOfLatest(record.binding, entries)
  return new Map(
    entries.map(({ sequence }, index) => {
      const own = sequence <= record.journal.count ? record.labels[sequence - 1] : permitted[index]
      return [sequence, own ?? null] as const
    })
  )
}
