/** The status of a payment attempt beside one of its exported records. It reports what was captured, and never asks the provider. */
import { Effect } from "effect"
import { canonicalText, parseCanonical } from "../canonical/jcs.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import { Signer } from "../ports/signer.ts"
import { inReplicaView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { signOrRefuse } from "../records/signed-copy.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { decodeCommerceRecord } from "./commerce-record.ts"
import { commerceStatusPayload, statusGuard, type CommerceStatusFile, type StatusSource } from "./commerce-status.ts"
import { findAttemptAsReader } from "./financial-side.ts"
import { CommerceEntries, CommerceExports, type CommerceOrderRow } from "./store.ts"
import { readComponents, readLatestObservations } from "./stored-order.ts"

/**
 * The file of the status, for persons with FINANCIAL_READ on either side. The clock is read before the snapshot, so that no
 * status speaks of a later moment than the snapshot shows.
 */
export const readCommerceStatus = traced("commerce.readStatus")(function* (
  by: ActingPerson,
  commerceOrderId: string,
  { recordDigest }: { readonly recordDigest?: string | undefined }
) {
  const now = yield* currentTime
  const source = yield* inReplicaView(function* (reader) {
    const { row } = yield* findAttemptAsReader(reader, by, commerceOrderId, now)
    return yield* readStatusSource(reader, row, yield* findExport(reader, commerceOrderId, recordDigest))
  })
  const status = yield* signCommerceStatus(source, now)
  const file: typeof CommerceStatusFile.Type = { schema: "service.commerce-status/v1", status }
  return canonicalText(file)
})

/** Refuses what would be longer than a verifier reads. */
export const signCommerceStatus = Effect.fnUntraced(function* (source: StatusSource, now: Instant) {
  const { keys } = yield* Signer
  const payload = commerceStatusPayload(source, keys, now)
  const refused = statusGuard(payload)
  if (refused !== undefined) return yield* Effect.fail(refused)
  return yield* signOrRefuse("COMMERCE", payload)
})

/** The export with this digest, which a later one replaces for nobody; without a digest, the longest one. */
const findExport = Effect.fnUntraced(function* (
  reader: Reader,
  commerceOrderId: string,
  recordDigest: string | undefined
) {
  if (recordDigest !== undefined) {
    const named = yield* findExportByDigest(reader, recordDigest)
    return named?.commerceOrderId === commerceOrderId ? named : yield* refuse("NOT_FOUND")
  }
  return yield* findLongestExport(reader, commerceOrderId)
})

export const findExportByDigest = (reader: Reader, recordDigest: string) =>
  reader.find(CommerceExports, "byDigest", [recordDigest])

export const findLongestExport = Effect.fnUntraced(function* (reader: Reader, commerceOrderId: string) {
  const [longest] = yield* reader.range(CommerceExports, "key", {
    prefix: [commerceOrderId],
    direction: "descending",
    limit: 1
  })
  return longest ?? (yield* refuse("COMMERCE_RECORD_NOT_EXPORTED"))
})

/** The record holds the entries up to its head; the later ones are read by their numbers. */
export const readStatusSource = Effect.fnUntraced(function* (
  reader: Reader,
  { commerceOrderId, journalCount, journalHead }: CommerceOrderRow,
  exported: { readonly recordDigest: string; readonly record: string }
) {
  const record = decodeCommerceRecord(exported.record)
  const [entities, read] = yield* readTogether([
    readLatestObservations(reader, commerceOrderId),
    readComponents(reader, commerceOrderId)
  ])
  const sequences = entities.map(({ sequence }) => sequence).toSorted((one, other) => one - other)
  const { count, entries } = record.journal
  const later = yield* readTogether(
    sequences
      .filter((sequence) => sequence > count)
      .map((sequence) => reader.get(CommerceEntries, [commerceOrderId, sequence]))
  )
  return {
    record,
    recordDigest: exported.recordDigest,
    latest: { count: journalCount, head: journalHead },
    entries: [
      ...sequences.filter((sequence) => sequence <= count).map((sequence) => entries[sequence - 1]!),
      ...later.map((row) => parseCanonical(row!.entry))
    ],
    lastObservedAt: Object.fromEntries(read.map(({ component, lastObservedAt }) => [component, lastObservedAt]))
  } satisfies StatusSource
})
