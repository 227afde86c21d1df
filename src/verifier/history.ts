/** The history: one chain of events on one agreement. */
import { allOf, fail, pass, same, type Finding } from "./ledger.ts"
import type { Linked } from "./objects.ts"
import type { Given } from "./parts.ts"
import type { ProjectEvent } from "./shapes.ts"

export type History = ReadonlyArray<Linked<ProjectEvent>>

/** Each event follows the one before it: number, hash, project and time. */
export const checkLink = (
  { content }: Linked<ProjectEvent>,
  { history, agreement }: Given<"history" | "agreement">,
  index: number
): Finding<null> => {
  const before = history[index - 1]
  return allOf(
    null,
    [
      same("JOURNAL_SEQUENCE", "sequence", index + 1, content.sequence),
      (index === 0) === (content.kind === "CREATE")
        ? pass(null)
        : fail("JOURNAL_GENESIS", "kind", "CREATE_FIRST_AND_ONCE", content.kind),
      same("JOURNAL_PREV", "previous", before?.hash ?? agreement.digest, content.previous),
      same("JOURNAL_TRANSACTION", "projectId", agreement.content.projectId, content.projectId),
      same("JOURNAL_TIME", "issuedAt", content.occurredAt, content.issuedAt),
      before !== undefined && content.occurredAt < before.content.occurredAt
        ? fail("JOURNAL_TIME", "occurredAt", before.content.occurredAt, content.occurredAt)
        : pass(null)
    ],
    content.previous
  )
}

/** Every event names this agreement; the one that takes its place is another. */
export const checkAgreementReference = (
  { content: event }: Linked<ProjectEvent>,
  { agreement }: Given<"agreement">
): Finding<null> =>
  event.kind === "SUPERSEDE" && event.payload.successor.projectId === event.projectId
    ? fail("AGREEMENT_MISMATCH", "payload.successor.projectId", "ANOTHER_PROJECT", event.projectId)
    : same("AGREEMENT_MISMATCH", "payload.agreementDigest", agreement.digest, event.payload.agreementDigest)

/** The agreement has criteria, each named once. */
export const checkCriteria = ({ agreement }: Given<"agreement">): Finding<ReadonlyArray<string>> => {
  const ids = agreement.content.terms.criteria.map((criterion) => criterion.id)
  return ids.length > 0 && new Set(ids).size === ids.length
    ? pass(ids, ids.length)
    : fail("CRITERIA_NOT_UNIQUE", "terms.criteria", "UNIQUE", ids.length)
}

/** The first version has no predecessor, a later one another project. */
export const checkVersion = ({ agreement: { content } }: Given<"agreement">): Finding<null> =>
  allOf(null, [
    same("AGREEMENT_MISMATCH", "previous", content.version === 1, content.previous === null),
    same("AGREEMENT_MISMATCH", "previous.projectId", false, content.previous?.projectId === content.projectId)
  ])
