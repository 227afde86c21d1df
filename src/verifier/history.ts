/** Checks of the history: one hash chain of events on one agreement. */
import { allOf, fail, inOrder, pass, same, type Finding } from "./ledger.ts"
import type { ChainedEvent, VerifiedJws } from "./verified-objects.ts"
import type { CheckInputs } from "./check-inputs.ts"
import type { HistoryGap, ProjectEvent } from "./schemas.ts"

/** Each event continues the one before it: number, hash, project and time. A statement explains the numbers of lost events. */
export const checkLink = (
  { content }: ChainedEvent<ProjectEvent>,
  { history, gaps, agreement }: CheckInputs<"history" | "gaps" | "agreement">,
  index: number
): Finding<null> => {
  const before = history[index - 1]
  const gap = gaps.find(({ content: { kept } }) => kept.eventHash === before?.hash)
  const used = Math.max(before?.content.sequence ?? 0, gap?.content.lost.sequence ?? 0)
  return allOf(
    null,
    [
      same("JOURNAL_SEQUENCE", "sequence", used + 1, content.sequence),
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

/** A statement of lost events names an event of this history, after the one before it, and no event that is there as lost. */
export const checkGap = (
  { content: { projectId, issuedAt, kept, lost } }: VerifiedJws<HistoryGap>,
  { history, gaps, agreement }: CheckInputs<"history" | "gaps" | "agreement">,
  index: number
): Finding<null> => {
  const at = history.findIndex(({ hash }) => hash === kept.eventHash)
  const after = gaps[index - 1]?.content.kept.sequence ?? 0
  return allOf(
    null,
    [
      same("JOURNAL_TRANSACTION", "projectId", agreement.content.projectId, projectId),
      same("HISTORY_GAP", "kept.sequence", history[at]?.content.sequence, kept.sequence),
      same("HISTORY_GAP", "kept.sequence", true, kept.sequence > after),
      same(
        "HISTORY_GAP",
        "lost.eventHash",
        false,
        history.some(({ hash }) => hash === lost.eventHash)
      ),
      inOrder("issuedAt", history[at]?.content.occurredAt ?? "", issuedAt),
      inOrder("issuedAt", issuedAt, history[at + 1]?.content.occurredAt ?? issuedAt)
    ],
    lost.sequence
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
