/** Cases on statements of lost events: numbers that they explain, and statements that do not fit the history. */
import { chainHash } from "../sample-authority.ts"
import type { Forgery } from "../sample.ts"
import { ids } from "../sample-ids.ts"
import { at, digest, type Members, type Purpose, signPayload, uuid } from "../signing.ts"
import { chainForgeries } from "./brief-sample.ts"
import type { Case } from "./case.ts"
import { okCase } from "./case-builders.ts"
import { payloadOf, refusal } from "./samples.ts"

/** The numbers of the events from the third on, as if the event 3 had been lost. */
const numbersAfterLoss: Forgery = { event: (event, index) => void (index >= 2 && event["sequence"]++) }

/** Statements after these events of the history, each edited. */
export const statements = (
  edits: ReadonlyArray<{ readonly after: number; readonly edit?: (statement: Members) => unknown }>,
  by: Purpose = "EVENT"
): Forgery => ({
  content: (content) => {
    const events = (content["events"] as ReadonlyArray<string>).map(payloadOf)
    content["gaps"] = edits.map(({ after, edit }, index) => {
      const kept = events[after - 1]!
      const statement: Members = {
        schema: "service.history-gap/v1",
        issuedAt: kept["occurredAt"],
        epoch: `epoch_${uuid(95 + index)}`,
        projectId: ids.project,
        reason: "The database was restored",
        kept: { sequence: kept["sequence"], eventHash: chainHash(kept) },
        lost: { sequence: kept["sequence"] + 1, eventHash: digest(`lost event ${index}`) }
      }
      edit?.(statement)
      return signPayload("EVENT", statement, by)
    })
  }
})

const explained = (edit?: (statement: Members) => unknown): Forgery =>
  chainForgeries(numbersAfterLoss, statements([{ after: 2, ...(edit && { edit }) }]))

const alone = (sample: { readonly review: Members }): string => sample.review["record"]

export const gapCases: ReadonlyArray<Case> = [
  okCase(
    "history/gap-explained_ok",
    "The event 3 was lost with a database; a statement says so, and the next event has the number 4.",
    { artifact: alone, forgery: explained() }
  ),
  okCase(
    "history/gap-at-the-end_ok",
    "The events after the last one may be lost; no event has followed the statement yet.",
    { artifact: alone, forgery: statements([{ after: 5 }]) }
  ),
  okCase(
    "history/gap-of-another-branch_ok",
    "A lost event had the number 2 on another branch; the history continues at 3, and no number is left out.",
    {
      artifact: alone,
      forgery: statements([{ after: 2, edit: (statement) => (statement["lost"].sequence = 2) }])
    }
  ),
  refusal(
    "history/gap-too-narrow_fail",
    "The statement explains no number: it says that the last lost event had the number 2, and the next one has 4.",
    "event-chain",
    "JOURNAL_SEQUENCE",
    { forgery: explained((statement) => (statement["lost"].sequence = 2)) }
  ),
  refusal(
    "history/gap-too-wide_fail",
    "The statement says that the events 3 and 4 may be lost, and the next event has the number 4.",
    "event-chain",
    "JOURNAL_SEQUENCE",
    { forgery: explained((statement) => (statement["lost"].sequence = 4)) }
  ),
  refusal(
    "history/gap-after-another-event_fail",
    "The statement explains a gap after the creation, and the number is missing after the second event.",
    "event-chain",
    "JOURNAL_SEQUENCE",
    { forgery: chainForgeries(numbersAfterLoss, statements([{ after: 1 }])) }
  ),
  refusal(
    "history/gap-of-another-project_fail",
    "The statement is about another project of the same issuer.",
    "gap-place",
    "JOURNAL_TRANSACTION",
    { forgery: explained((statement) => (statement["projectId"] = `delivery_${uuid(2)}`)) }
  ),
  refusal(
    "history/gap-after-no-event_fail",
    "The statement names a kept event that is not in the history.",
    "gap-place",
    "HISTORY_GAP",
    { forgery: statements([{ after: 5, edit: (statement) => (statement["kept"].eventHash = digest("another")) }]) }
  ),
  refusal(
    "history/gap-after-another-number_fail",
    "The statement names the kept event with another number than it has.",
    "gap-place",
    "HISTORY_GAP",
    { forgery: statements([{ after: 5, edit: (statement) => (statement["kept"].sequence = 4) }]) }
  ),
  refusal(
    "history/gap-lost-is-there_fail",
    "The statement names as lost the event that it keeps.",
    "gap-place",
    "HISTORY_GAP",
    {
      forgery: statements([
        { after: 5, edit: (statement) => (statement["lost"].eventHash = statement["kept"].eventHash) }
      ])
    }
  ),
  refusal(
    "history/gap-twice_fail",
    "Two statements follow one event; a package encloses the newest.",
    "gap-place",
    "HISTORY_GAP",
    { forgery: statements([{ after: 5 }, { after: 5 }]) }
  ),
  refusal(
    "history/gap-before-its-event_fail",
    "The statement is dated before the event that it keeps.",
    "gap-place",
    "JOURNAL_TIME",
    { forgery: statements([{ after: 5, edit: (statement) => (statement["issuedAt"] = at(10)) }]) }
  ),
  refusal(
    "history/gap-after-its-next-event_fail",
    "The statement is dated after the event that follows the gap.",
    "gap-place",
    "JOURNAL_TIME",
    { forgery: explained((statement) => (statement["issuedAt"] = at(20))) }
  ),
  refusal(
    "history/gap-after-the-package_fail",
    "The statement is dated after the package that encloses it.",
    "package-time",
    "JOURNAL_TIME",
    { forgery: statements([{ after: 5, edit: (statement) => (statement["issuedAt"] = at(21)) }]) }
  ),
  refusal(
    "history/gap-by-another-key_fail",
    "The key for packages signed the statement; the key for events must.",
    "gap-signature",
    "KEY_ROLE",
    { forgery: statements([{ after: 5 }], "PACKAGE") }
  ),
  refusal(
    "history/gap-without-reason_fail",
    "The statement lacks the reason, a member of its schema.",
    "gap-form",
    "MISSING_MEMBER",
    { forgery: statements([{ after: 5, edit: (statement) => void delete statement["reason"] }]) }
  )
]
