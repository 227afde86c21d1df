/** The export of a Commerce Record. The first export of a journal's head is signed and stored; later ones repeat it. */
import { Effect } from "effect"
import { digestOf } from "../canonical/digest.ts"
import { canonicalText, parseCanonical } from "../canonical/jcs.ts"
import { memberLocks, type ActingPerson } from "../people/acting-person.ts"
import { Signer } from "../ports/signer.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { inTransaction, inView } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Transaction } from "../ports/storage.ts"
import { signOrRefuse } from "../records/signed-copy.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { traced } from "../vocabulary/traced.ts"
import { commerceRecordPayload, exportGuard, type CommerceRecordFile } from "./commerce-record.ts"
import { findAttemptAsReader, requireReader } from "./financial-side.ts"
import { CommerceEntries, CommerceExports, CommerceOrders, type CommerceOrderRow } from "./store.ts"

/** The file of an attempt's Commerce Record, for persons with FINANCIAL_READ on either side. */
export const exportCommerceRecord = traced("commerce.export")(function* (by: ActingPerson, commerceOrderId: string) {
  const now = yield* currentTime
  const { row, membershipId, exported } = yield* inView((reader) => findExport(reader, by, commerceOrderId, now))
  if (exported !== undefined) return fileOf(exported)
  const locks = [...memberLocks(by, membershipId), exclusive("project", row.projectId)]
  return yield* inTransaction({ locks }, function* (transaction) {
    yield* requireReader(transaction, by, membershipId, row.projectId)
    const current = (yield* transaction.get(CommerceOrders, [commerceOrderId]))!
    return fileOf(yield* exportHead(transaction, current))
  })
})

const findExport = Effect.fnUntraced(function* (
  reader: Reader,
  by: ActingPerson,
  commerceOrderId: string,
  now: Instant
) {
  const { row, membershipId } = yield* findAttemptAsReader(reader, by, commerceOrderId, now)
  return { row, membershipId, exported: yield* readExport(reader, row) }
})

const readExport = (reader: Reader, { commerceOrderId, journalCount }: CommerceOrderRow) =>
  reader.get(CommerceExports, [commerceOrderId, journalCount])

/** Under the project's lock: the export of the attempt's current head, which the first request for it signs and stores. */
export const exportHead = Effect.fnUntraced(function* (transaction: Transaction, row: CommerceOrderRow) {
  return (yield* readExport(transaction, row)) ?? (yield* insertExport(transaction, row))
})

const insertExport = Effect.fnUntraced(function* (transaction: Transaction, row: CommerceOrderRow) {
  const { commerceOrderId, projectId, journalCount } = row
  const refused = exportGuard(row)
  if (refused !== undefined) return yield* Effect.fail(refused)
  const { keys } = yield* Signer
  const entries = yield* rangeAll(transaction, CommerceEntries, "key", { prefix: [commerceOrderId] })
  const now = yield* transaction.now
  const payload = commerceRecordPayload(
    parseCanonical(row.binding),
    entries.map(({ entry }) => parseCanonical(entry)),
    keys,
    now
  )
  const record = yield* signOrRefuse("COMMERCE", payload)
  const recordDigest = digestOf(payload)
  yield* transaction.insert(CommerceExports, {
    commerceOrderId,
    count: journalCount,
    projectId,
    recordDigest,
    record,
    exportedAt: payload.issuedAt
  })
  return { recordDigest, record }
})

/** Equal records have equal bytes. */
const fileOf = ({ recordDigest, record }: { readonly recordDigest: string; readonly record: string }): string => {
  const file: typeof CommerceRecordFile.Type = { schema: "service.commerce-record/v1", recordDigest, record }
  return canonicalText(file)
}
