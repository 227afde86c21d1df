/** Checks of the history: one hash chain of events on one agreement. */
import { allOf, fail, pass, same, type Finding } from "./ledger.ts"
import type { ChainedEvent } from "./verified-objects.ts"
import type { CheckInputs } from "./check-inputs.ts"
import type { ProjectEvent } from "./schemas.ts"

/** Each event continues the one before it: number, hash, project and time. */
export const checkLink = (
  { content }: ChainedEvent<ProjectEvent>,
  { history, agreement }: CheckInputs<"history" | "agreement">,
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

/** Every event names this agreement; its successor is another project. */
export const checkAgreementReference = (
  { content: event }: ChainedEvent<ProjectEvent>,
  { agreement }: CheckInputs<"agreement">
): Finding<null> =>
  event.kind === "SUPERSEDE" && event.payload.successor.projectId === event.projectId
    ? fail("AGREEMENT_MISMATCH", "payload.successor.projectId", "ANOTHER_PROJECT", event.projectId)
    : same("AGREEMENT_MISMATCH", "payload.agreementDigest", agreement.digest, event.payload.agreementDigest)

/** The agreement has criteria with unique ids. */
export const checkCriteria = ({ agreement }: CheckInputs<"agreement">): Finding<ReadonlyArray<string>> => {
  const ids = agreement.content.terms.criteria.map((criterion) => criterion.id)
  return ids.length > 0 && new Set(ids).size === ids.length
    ? pass(ids, ids.length)
    : fail("CRITERIA_NOT_UNIQUE", "terms.criteria", "UNIQUE", ids.length)
}

/** The first version has no predecessor; that of a later one is another project. */
export const checkVersion = ({ agreement: { content } }: CheckInputs<"agreement">): Finding<null> =>
  allOf(null, [
    same("AGREEMENT_MISMATCH", "previous", content.version === 1, content.previous === null),
    same("AGREEMENT_MISMATCH", "previous.projectId", false, content.previous?.projectId === content.projectId)
  ])
