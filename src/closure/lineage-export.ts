/** The lineage of a closure: the next agreement that the caller names, and the history reference that its buyer recorded. */
import { Effect } from "effect"
import { digestOf } from "../canonical/digest.ts"
import { parseSigned } from "../canonical/jws.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import { Signer } from "../ports/signer.ts"
import type { Transaction } from "../ports/storage.ts"
import { readStoredProject } from "../projects/history.ts"
import { requireWholeHistory } from "../projects/lost-head.ts"
import type { OwnPassport } from "../publications/own-passport.ts"
import type { ResultPassport } from "../publications/passport.ts"
import { copyDate, signOrRefuse } from "../records/signed-copy.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { requireRecordAccess } from "./access.ts"
import type { AgreementLink } from "./agreement-link.ts"
import { agreementSnapshotPayload, confirmationOf } from "./agreement-snapshot.ts"
import type { HistoryReference } from "./history-reference.ts"
import type { Lineage } from "./lineage.ts"
import { HistoryReferences } from "./store.ts"

/** A next agreement as the caller names it, with the membership that passes its record gate. */
export interface NextAgreement {
  readonly projectId: string
  readonly membershipId: string
  /** The passport as sent. */
  readonly file: ResultPassport
  /** Undefined where it is not a passport of this installation. */
  readonly passport: OwnPassport | undefined
}

/** Under the locks of both projects: the gate of the next agreement once more, and only then its history reference. */
export const readLineage = Effect.fnUntraced(function* (
  transaction: Transaction,
  by: ActingPerson,
  next: NextAgreement,
  order: { readonly projectId: string; readonly recordId: string },
  now: Instant
) {
  const { projectId, membershipId, file, passport } = next
  yield* requireRecordAccess(transaction, by, membershipId, projectId)
  if (passport === undefined) return yield* refuseLineage("PASSPORT_INVALID")
  const stored = yield* transaction.get(HistoryReferences, [projectId])
  if (stored === undefined) return yield* refuseLineage("NO_HISTORY_REFERENCE")
  const reference = parseSigned<HistoryReference>(stored.reference)
  if (reference.passport.digest !== digestOf(passport.manifest)) return yield* refuseLineage("PASSPORT_MISMATCH")
  const { original } = parseSigned<AgreementLink>(stored.link)
  if (original.projectId !== order.projectId || original.recordId !== order.recordId) {
    return yield* refuseLineage("RESULT_NOT_THIS_TRANSACTION")
  }
  return {
    passport: file,
    historyReference: stored.reference,
    agreementLink: stored.link,
    nextAgreement: yield* signSnapshot(transaction, projectId, later(now, stored.madeAt))
  } satisfies Lineage
})

/** The snapshot of exactly the agreement that the reference was made for; a revision of it is another agreement. */
const signSnapshot = Effect.fnUntraced(function* (transaction: Transaction, projectId: string, now: Instant) {
  const stored = (yield* readStoredProject(transaction, projectId))!
  yield* requireWholeHistory(stored.project)
  const { keys } = yield* Signer
  // A reference is made for a confirmed agreement only, and no event takes the confirmation back.
  const confirmed = confirmationOf(stored.project)!
  return yield* signOrRefuse(
    "CLOSURE",
    agreementSnapshotPayload(stored.project, confirmed, keys, copyDate(stored, now))
  )
})

export const lineageFaults = [
  "PASSPORT_INVALID",
  "NO_HISTORY_REFERENCE",
  "PASSPORT_MISMATCH",
  "RESULT_NOT_THIS_TRANSACTION"
] as const
export type LineageFault = (typeof lineageFaults)[number]

const refuseLineage = (fault: LineageFault) => {
  const { path, detail } = faultTexts[fault]
  return refuse("CLOSURE_LINEAGE_INVALID", { detail, issues: [{ path, message: fault }] })
}

const faultTexts: { readonly [F in LineageFault]: { readonly path: string; readonly detail: string } } = {
  PASSPORT_INVALID: {
    path: "passport",
    detail:
      "The member passport is not a Result Passport that this service signed, or its summaries are not those of its manifest; send the passport that the history reference names."
  },
  NO_HISTORY_REFERENCE: {
    path: "nextTaskId",
    detail:
      "The next agreement nextTaskId has no history reference; ask its buyer to record one, or export the closure without it."
  },
  PASSPORT_MISMATCH: {
    path: "passport",
    detail:
      "The history reference of the next agreement nextTaskId names another passport; send the one that its buyer used."
  },
  RESULT_NOT_THIS_TRANSACTION: {
    path: "nextTaskId",
    detail:
      "The history reference of the next agreement nextTaskId names the result of another transaction; export the closure of that one."
  }
}
