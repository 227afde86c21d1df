/** Cases on the issuance: the history that a record binds, and the event that binds the record. */
import { editLinked, editPackage, editRecord, hex } from "../forgeries.ts"
import { buyer, concern, dismiss } from "../sample-steps.ts"
import { ids } from "../sample-ids.ts"
import type { Forgery } from "../sample.ts"
import { at, signPayload, uuid } from "../signing.ts"
import { payloadOf, refusal, repack } from "./samples.ts"
import { beforeInBrief, briefSample } from "./brief-sample.ts"
import type { Case } from "./case.ts"
import { okCase } from "./case-builders.ts"

/** Two events after the record was made, which it does not bind. */
const unboundEvents = (): Forgery => {
  let bound = ""
  return {
    ...beforeInBrief("ISSUE", concern(buyer), dismiss(buyer)),
    event: (event, index) => void (index === 4 && (bound = event["previous"])),
    record: (record) => void (record["head"] = { eventHash: bound, count: 4 })
  }
}

const honest = payloadOf(briefSample().record)

export const issuanceCases: ReadonlyArray<Case> = [
  refusal(
    "record/binds-another-head_fail",
    "The record binds a hash that no event of this history has.",
    "record-head",
    "JOURNAL_HEAD",
    {
      forgery: editRecord((record) => (record["head"].eventHash = hex("6")))
    }
  ),
  refusal(
    "record/binds-more-events_fail",
    "The record binds more events than the package holds; some were cut off.",
    "record-head",
    "JOURNAL_COUNT",
    {
      forgery: editRecord((record) => (record["head"].count = 9))
    }
  ),
  refusal(
    "record/binds-no-acceptance_fail",
    "The record binds a history that ends before the acceptance.",
    "record-head",
    "JOURNAL_COUNT",
    {
      forgery: editRecord((record) => (record["head"].count = 3))
    }
  ),
  refusal(
    "record/unbound-events_fail",
    "Two events stand between the head that the record binds and its issuance; they could be any.",
    "record-issue",
    "JOURNAL_COUNT",
    { forgery: unboundEvents() }
  ),
  refusal(
    "record/issued-as-another_fail",
    "The ISSUE event names another record, and so does not bind this one.",
    "record-issue",
    "ISSUE_MISMATCH",
    {
      forgery: editLinked(4, (event) => (event["payload"].recordId = `record_${uuid(88)}`))
    }
  ),
  refusal(
    "record/issued-with-other-bytes_fail",
    "The ISSUE event names another digest of the record, which could so be exchanged.",
    "record-issue",
    "DIGEST_MISMATCH",
    {
      forgery: editLinked(4, (event) => (event["payload"].recordDigest = hex("7")))
    }
  ),
  refusal(
    "record/issued-for-another-confirmation_fail",
    "The ISSUE event names another confirmation than the record that it issues.",
    "record-issue",
    "CONFIRMATION_MISMATCH",
    { forgery: editLinked(4, (event) => (event["payload"].confirmationId = `confirmation_${uuid(88)}`)) }
  ),
  refusal(
    "record/issued-before-it-was-signed_fail",
    "The record was signed one millisecond after the event that issued it and names its digest.",
    "record-issue",
    "JOURNAL_TIME",
    { forgery: editRecord((record) => (record["issuedAt"] = at(18, 1))) }
  ),
  refusal(
    "package/signed-before-its-last-event_fail",
    "The package was signed one millisecond before the last event that it holds.",
    "package-time",
    "JOURNAL_TIME",
    { forgery: editPackage((content) => (content["issuedAt"] = at(17, 59_999))) }
  ),
  okCase("package/signed-with-its-last-event_ok", "The package was signed in the millisecond of its last event.", {
    forgery: editPackage((content) => (content["issuedAt"] = at(18)))
  }),
  refusal(
    "record/issued-twice_fail",
    "The record was issued a second time; a result is issued once.",
    "record-issue",
    "ISSUE_MISMATCH",
    {
      forgery: {
        later: ([create]) => [
          {
            ...create!,
            kind: "ISSUE",
            requestId: uuid(61),
            occurredAt: at(19),
            issuedAt: at(19),
            payload: {
              recordId: ids.record,
              recordDigest: hex("7"),
              confirmationId: ids.confirmation,
              agreementDigest: create!["payload"].agreementDigest
            }
          }
        ]
      }
    }
  ),
  refusal(
    "record/signed-again_fail",
    "The record was signed again a millisecond after its issuance, which named the digest of the first one.",
    "record-issue",
    "DIGEST_MISMATCH",
    { forgery: repack((content) => (content["record"] = signPayload("RECORD", { ...honest, issuedAt: at(18, 1) }))) }
  )
]
