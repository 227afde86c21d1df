/** The export of a Transaction Closure: it issues nothing, costs no credit, and moves no money. */
import { Effect } from "effect"
import { exportHead } from "../commerce/export.ts"
import { readAttempts, readOrderPackage } from "../commerce/stored-order.ts"
import { sessionLocks, type ActingPerson } from "../people/acting-person.ts"
import { Signer } from "../ports/signer.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, shared, type Transaction } from "../ports/storage.ts"
import { ExportBytes, requireExportSize } from "../records/portable-export.ts"
import { signDocument } from "../records/signed-document.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { findOrderForClosure, requireClosureAccess } from "./access.ts"
import { closureBody, selectAttempt, type ClosureArtifacts } from "./closure.ts"

/**
 * The file of an order's closure. Its transaction stores the export of the selected attempt's journal where there is none
 * yet, as the Commerce Record's own export does, and nothing if the closure is refused.
 */
export const exportClosure = traced("closure.export")(function* (by: ActingPerson, resultOrderId: string) {
  const now = yield* currentTime
  const { projectId, membershipId } = yield* inView(function* (reader) {
    const { row, membership } = yield* findOrderForClosure(reader, by, resultOrderId, now)
    return { projectId: row.projectId, membershipId: membership.membershipId }
  })
  const locks = [...sessionLocks(by), shared("membership", membershipId), exclusive("project", projectId)]
  return yield* inTransaction({ locks }, function* (transaction) {
    const at = yield* requireClosureAccess(transaction, by, membershipId, projectId)
    const artifacts = yield* readArtifacts(transaction, resultOrderId)
    const { keys } = yield* Signer
    const text = yield* signDocument("CLOSURE", closureBody(artifacts, keys, at))
    const detail = tooLarge(text, artifacts, yield* ExportBytes)
    return yield* requireExportSize(text, { detail, nextAction: "EXPORT_COMMERCE_RECORD" })
  })
})

const readArtifacts = Effect.fnUntraced(function* (transaction: Transaction, resultOrderId: string) {
  const [attempts, resultPackage] = yield* readTogether([
    readAttempts(transaction, resultOrderId),
    readOrderPackage(transaction, resultOrderId)
  ])
  const selected = selectAttempt(attempts)
  if (selected === undefined) return yield* refuse("PAYMENT_ATTEMPT_MISSING")
  const { record } = yield* exportHead(transaction, selected)
  return { resultPackage, resultOrder: selected.orderRecord, commerceRecord: record } satisfies ClosureArtifacts
})

const tooLarge = (text: string, { resultPackage, commerceRecord }: ClosureArtifacts, bound: number): string =>
  `Limit reached: ${bound} bytes in the canonical form of one closure. This one has ${Buffer.byteLength(text)}: its Result Package ${resultPackage.length}, its Commerce Record ${commerceRecord.length}. Download the package and the Commerce Record separately.`
