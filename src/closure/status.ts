/** The current status of both parts of a closure: the result's, and that of an exported Commerce Record of the order. */
import { Effect, Schema } from "effect"
import { canonicalText } from "../canonical/jcs.ts"
import { findExportByDigest, findLongestExport, readStatusSource, signCommerceStatus } from "../commerce/status.ts"
import { readAttempts } from "../commerce/stored-order.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import { inReplicaView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { readStoredProject } from "../projects/history.ts"
import { findIssuedRecord } from "../records/issued-record.ts"
import { signProjectStatus } from "../records/signed-status.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { compactJws } from "../vocabulary/record-schemas.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { findOrderForClosure } from "./access.ts"
import { selectAttempt } from "./closure.ts"

/** The exported file. Its two parts are verified apart. */
export const ClosureStatusFile = Schema.Struct({
  result: compactJws.annotateKey({ description: "The status of the project, with a nonce of the service." }),
  commerce: compactJws.annotateKey({ description: "The status of the exported Commerce Record." })
})

/**
 * The file of the status, by one snapshot. The clock is read before it, so that no part speaks of a later moment than the
 * snapshot shows.
 */
export const readClosureStatus = traced("closure.readStatus")(function* (
  by: ActingPerson,
  resultOrderId: string,
  { recordDigest }: { readonly recordDigest?: string | undefined }
) {
  const now = yield* currentTime
  const ids = yield* idSeed
  const { source, stored, record } = yield* inReplicaView(function* (reader) {
    const { row } = yield* findOrderForClosure(reader, by, resultOrderId, now)
    // A refusal is a value here, so that it interrupts no other read of the view.
    const [source, result] = yield* readTogether([
      Effect.result(readSource(reader, resultOrderId, recordDigest)),
      readResult(reader, row.projectId)
    ])
    return { source: yield* Effect.fromResult(source), ...result }
  })
  const commerce = yield* signCommerceStatus(source, now)
  const result = yield* signProjectStatus(stored, record, ids("attempt").secret(), now)
  return canonicalText({ result, commerce } satisfies typeof ClosureStatusFile.Type)
})

const readResult = Effect.fnUntraced(function* (reader: Reader, projectId: string) {
  const stored = (yield* readStoredProject(reader, projectId))!
  return { stored, record: yield* findIssuedRecord(stored.project, reader) }
})

const readSource = Effect.fnUntraced(function* (
  reader: Reader,
  resultOrderId: string,
  recordDigest: string | undefined
) {
  const { attempt, exported } = yield* findExport(reader, resultOrderId, recordDigest)
  return yield* readStatusSource(reader, attempt, exported)
})

/** The export with this digest, of any attempt of the order; without a digest, the longest one of the selected attempt. */
const findExport = Effect.fnUntraced(function* (
  reader: Reader,
  resultOrderId: string,
  recordDigest: string | undefined
) {
  const [attempts, exported] = yield* readTogether([
    readAttempts(reader, resultOrderId),
    recordDigest === undefined ? Effect.undefined : findExportByDigest(reader, recordDigest)
  ])
  if (recordDigest === undefined) {
    const attempt = selectAttempt(attempts)
    if (attempt === undefined) return yield* refuse("PAYMENT_ATTEMPT_MISSING")
    return { attempt, exported: yield* findLongestExport(reader, attempt.commerceOrderId) }
  }
  const attempt = attempts.find(({ commerceOrderId }) => commerceOrderId === exported?.commerceOrderId)
  return exported === undefined || attempt === undefined
    ? yield* refuse("NOT_FOUND", { detail: unknownDigest })
    : { attempt, exported }
})

const unknownDigest =
  "No exported Commerce Record of this Result Order has this digest; name the one in body.data.references.commerce.digest of the closure."
