/** The Commerce Record: the captured journal of one payment attempt with its labels. It proves no receipt by a bank. */
import { Schema } from "effect"
import { later, type Instant } from "../vocabulary/instant.ts"
import { parseSigned } from "../canonical/jws.ts"
import { limits } from "../vocabulary/limits.ts"
import { CommerceBinding } from "../vocabulary/payments.ts"
import { compactJws, digest, instant, name, signed } from "../vocabulary/record-schemas.ts"
import { refusal } from "../vocabulary/refusals.ts"
import { JournalPosition } from "./financial-event.ts"
import { emptyJournal, JournalEntry, journalAfter } from "./journal.ts"
import { labels, labelsOf } from "./labels.ts"
import type { RecordIssuer } from "./result-order-record.ts"

const schema = "service.commerce-record/v1"

export const CommerceRecord = Schema.Struct({
  ...signed(schema),
  issuer: name,
  environment: name,
  path: Schema.Literal("RESULT_ORDER"),
  binding: CommerceBinding,
  coverage: Schema.Literal("CAPTURED_PROVIDER_OBSERVATIONS_ONLY"),
  priorHistory: Schema.Literal("NOT_ASSERTED"),
  firstCapturedAt: Schema.NullOr(instant),
  attestation: Schema.Literal("SERVICE_ATTESTATION_OF_PROVIDER_READBACK"),
  bankReceiptVerified: Schema.Literal(false),
  journal: Schema.Struct({
    ...JournalPosition.fields,
    entries: Schema.Array(JournalEntry).check(Schema.isMaxLength(limits.commerceEntries))
  }),
  labels: Schema.Array(Schema.NullOr(Schema.Literals(labels))).check(Schema.isMaxLength(limits.commerceEntries))
})
export type CommerceRecord = typeof CommerceRecord.Type

/** The exported file. */
export const CommerceRecordFile = Schema.Struct({
  schema: Schema.Literal(schema),
  recordDigest: digest.annotateKey({ description: "The digest of the payload." }),
  record: compactJws
})

export const decodeCommerceRecord: (jws: string) => CommerceRecord = parseSigned

/** A record holds a limited number of entries, and of their bytes; capturing continues beyond both. */
export const exportGuard = ({ journalCount, journalBytes }: { journalCount: number; journalBytes: number }) => {
  if (journalCount > limits.commerceEntries) return refusal("COMMERCE_EXPORT_LIMIT")
  return journalBytes <= limits.commerceEntryBytes
    ? undefined
    : refusal("COMMERCE_EXPORT_LIMIT", {
        detail: `Limit reached: ${limits.commerceEntryBytes} bytes of captured entries in one Commerce Record; use an earlier export.`
      })
}

/** The record of a journal, which may be empty; not earlier than its last observation. */
export const commerceRecordPayload = (
  binding: CommerceBinding,
  entries: ReadonlyArray<JournalEntry>,
  { issuer, environment }: RecordIssuer,
  now: Instant
): CommerceRecord => {
  const last = entries.at(-1)
  return {
    schema,
    issuedAt: last === undefined ? now : later(now, last.observedAt),
    issuer,
    environment,
    path: "RESULT_ORDER",
    binding,
    coverage: "CAPTURED_PROVIDER_OBSERVATIONS_ONLY",
    priorHistory: "NOT_ASSERTED",
    firstCapturedAt: entries[0]?.observedAt ?? null,
    attestation: "SERVICE_ATTESTATION_OF_PROVIDER_READBACK",
    bankReceiptVerified: false,
    journal: { ...journalAfter(emptyJournal(binding), entries), entries },
    labels: labelsOf(binding, entries)
  }
}
