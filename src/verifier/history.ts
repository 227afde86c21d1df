/** The history: one chain of events on one agreement. */
import { allOf, fail, pass, same, type Finding } from "./ledger.ts"
import type { Enclosed, Linked } from "./objects.ts"
import type { Agreement, ProjectEvent } from "./shapes.ts"

export type History = ReadonlyArray<Linked<ProjectEvent>>

/** Each event follows the one before it: number, hash, project and time. */
export const checkLink = (
  event: Linked<ProjectEvent>,
  before: Linked<ProjectEvent> | undefined,
  index: number,
  agreement: Enclosed<Agreement>
): Finding<null> => {
  const { content } = event
  return allOf(
    null,
    [
      same("JOURNAL_SEQUENCE", "sequence", index + 1, content.sequence),
      (index === 0) === (content.kind === "CREATE")
        ? pass(null)
        : fail("JOURNAL_GENESIS", { at: "kind", actual: content.kind }),
      same("JOURNAL_PREV", "previous", before?.hash ?? agreement.digest, content.previous),
      same("JOURNAL_TRANSACTION", "projectId", agreement.content.projectId, content.projectId),
      same("JOURNAL_TIME", "issuedAt", content.occurredAt, content.issuedAt),
      before !== undefined && content.occurredAt < before.content.occurredAt
        ? fail("JOURNAL_TIME", { at: "occurredAt", expected: before.content.occurredAt, actual: content.occurredAt })
        : pass(null)
    ],
    { actual: content.previous }
  )
}

/** Every event names this agreement; the one that takes its place is another. */
export const checkAgreementReference = (event: ProjectEvent, agreement: Enclosed<Agreement>): Finding<null> =>
  event.kind === "SUPERSEDE" && event.payload.successor.projectId === event.projectId
    ? fail("AGREEMENT_MISMATCH", { at: "payload.successor.projectId", actual: event.projectId })
    : same("AGREEMENT_MISMATCH", "payload.agreementDigest", agreement.digest, event.payload.agreementDigest)

/** The agreement has criteria, each named once. */
export const checkCriteria = (agreement: Agreement): Finding<ReadonlyArray<string>> => {
  const ids = agreement.terms.criteria.map((criterion) => criterion.id)
  return ids.length > 0 && new Set(ids).size === ids.length
    ? pass(ids, { actual: ids.length })
    : fail("CRITERIA_NOT_UNIQUE", { at: "terms.criteria", actual: ids.length })
}
