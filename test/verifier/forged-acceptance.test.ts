/** Forgeries of the delivery, the acceptance and the record. */
import { describe } from "vitest"
import {
  editAccepting,
  editAgreement,
  editContent,
  editEvent,
  editEvents,
  editLinked,
  editRecord,
  hex,
  refuseEach,
  type ForgeryRow
} from "./forgeries.ts"
import { before, buyer, concern, dismiss } from "./sample-steps.ts"
import { type Forgery } from "./sample.ts"
import { ids } from "./sample-ids.ts"
import { at, digest, type Members, signPayload, uuid } from "./signing.ts"

/** Changes the accepted submission, and the review with it, so that the review still names its bytes. */
const resubmit = (events: Array<Members>, edit: (payload: Members) => unknown): void => {
  const submission = events[4]!["payload"] as Members
  edit(submission)
  const { submissionId } = submission
  Object.assign(events[5]!["payload"], { submissionId, submissionDigest: digest(submission) })
}

/** A history with more events than the record binds before its ISSUE event. */
const unboundEvent = (): Forgery => {
  let bound = ""
  return {
    ...before("ISSUE", concern(buyer), dismiss(buyer)),
    event: (event, index) => void (index === 6 && (bound = event["previous"])),
    record: (record) => void (record["head"] = { eventHash: bound, count: 6 })
  }
}

const acceptances: ReadonlyArray<ForgeryRow> = [
  [
    "a submission changed after its acceptance",
    editContent((content) => (content["submission"] = { ...content["submission"], summary: "Everything is there!" })),
    "submission-event",
    "DIGEST_MISMATCH"
  ],
  [
    "the earlier submission enclosed",
    editContent(
      (content) =>
        (content["submission"] = JSON.parse(
          Buffer.from(content["events"][2].split(".")[1], "base64url").toString()
        ).payload)
    ),
    "submission-event",
    "DIGEST_MISMATCH"
  ],
  [
    "a review changed in the package",
    editContent((content) => (content["review"] = { ...content["review"], reason: "Looked at nothing" })),
    "review-event",
    "DIGEST_MISMATCH"
  ],
  [
    "an acceptance of an earlier submission",
    {
      history: (events) =>
        void Object.assign(events[5]!["payload"], {
          submissionId: events[2]!["payload"].submissionId,
          submissionDigest: digest(events[2]!["payload"])
        })
    },
    "submission-chain",
    "SUBMISSION_MISMATCH"
  ],
  [
    "a review of other bytes",
    editAccepting((payload) => (payload["submissionDigest"] = hex("2"))),
    "submission-chain",
    "DIGEST_MISMATCH"
  ],
  [
    "a submission that skips its predecessor",
    editEvent("SUBMIT", (event) => (event["payload"].previousSubmissionId = null), 1),
    "submission-chain",
    "SUBMISSION_MISMATCH"
  ],
  [
    "a submission that answers another review",
    editEvent("SUBMIT", (event) => (event["payload"].respondsToReviewId = `review_${uuid(88)}`), 1),
    "submission-chain",
    "SUBMISSION_MISMATCH"
  ],
  [
    "a criterion not met",
    editAccepting((payload) => (payload["decisions"][1].decision = "NOT_MET")),
    "acceptance-criteria",
    "CRITERIA_INCOMPLETE"
  ],
  [
    "a criterion not decided",
    editAccepting((payload) => payload["decisions"].pop()),
    "acceptance-criteria",
    "CRITERIA_INCOMPLETE"
  ],
  [
    "a criterion decided twice",
    editAccepting((payload) => payload["decisions"].push(payload["decisions"][0])),
    "acceptance-criteria",
    "CRITERIA_INCOMPLETE"
  ],
  [
    "a criterion that is not in the agreement",
    editAccepting((payload) => (payload["decisions"][1].criterionId = "c3")),
    "acceptance-criteria",
    "CRITERIA_INCOMPLETE"
  ],
  [
    "a file that was not checked",
    editAccepting((payload) => payload["checkedFiles"].pop()),
    "acceptance-files",
    "CHECKED_FILES_MISMATCH"
  ],
  [
    "a file checked twice in place of another",
    editAccepting((payload) => (payload["checkedFiles"][2] = payload["checkedFiles"][1])),
    "acceptance-files",
    "CHECKED_FILES_MISMATCH"
  ],
  [
    "a checked file with other bytes",
    editAccepting((payload) => (payload["checkedFiles"][0].sha256 = hex("3"))),
    "acceptance-files",
    "CHECKED_FILES_MISMATCH"
  ],
  [
    "a checked file under another criterion",
    editAccepting((payload) => (payload["checkedFiles"][0].criterionId = "c2")),
    "acceptance-files",
    "CHECKED_FILES_MISMATCH"
  ],
  [
    "the id of an earlier submission on a later one",
    {
      history: (events) => resubmit(events, (payload) => (payload["submissionId"] = events[2]!["payload"].submissionId))
    },
    "submission-chain",
    "SUBMISSION_MISMATCH"
  ],
  [
    "the id of an earlier review on a later one",
    { history: (events) => void (events[5]!["payload"].reviewId = events[3]!["payload"].reviewId) },
    "submission-chain",
    "REVIEW_MISMATCH"
  ],
  [
    "a submission without a criterion",
    { history: (events) => resubmit(events, (payload) => payload["items"].pop()) },
    "acceptance-criteria",
    "CRITERIA_INCOMPLETE"
  ],
  [
    "two accepting reviews",
    { history: (events) => void events.push(structuredClone(events[5]!)) },
    "review-event",
    "REVIEW_MISMATCH"
  ],
  [
    "a review of another submission in the package",
    editContent((content) => (content["review"] = { ...content["review"], submissionId: `submission_${uuid(88)}` })),
    "submission-event",
    "SUBMISSION_MISMATCH"
  ],
  [
    "a review of other bytes in the package",
    editContent((content) => (content["review"] = { ...content["review"], submissionDigest: hex("2") })),
    "submission-event",
    "DIGEST_MISMATCH"
  ]
]

const records: ReadonlyArray<ForgeryRow> = [
  [
    "a record of another issuer",
    editRecord((record) => (record["issuer"] = "Somebody Else")),
    "record-issuer",
    "ISSUER_MISMATCH"
  ],
  [
    "a record of the live environment",
    editRecord((record) => (record["environment"] = "LIVE")),
    "record-issuer",
    "ENVIRONMENT_MISMATCH"
  ],
  [
    "a record of another project",
    editRecord((record) => (record["projectId"] = `delivery_${uuid(88)}`)),
    "record-agreement",
    "JOURNAL_TRANSACTION"
  ],
  [
    "a record of another agreement",
    editRecord((record) => (record["agreement"].digest = hex("4"))),
    "record-agreement",
    "AGREEMENT_MISMATCH"
  ],
  [
    "a record of another version",
    editRecord((record) => (record["agreement"].version = 2)),
    "record-agreement",
    "AGREEMENT_MISMATCH"
  ],
  [
    "a buyer's name in another Unicode form",
    {
      ...editAgreement((agreement) => (agreement["terms"].buyerName = "Café")),
      ...editRecord((record) => (record["parties"].buyer.name = "Cafe\u0301"))
    },
    "record-parties",
    "PARTY_MISMATCH"
  ],
  [
    "buyer and supplier exchanged",
    editRecord((record) => (record["parties"].supplier.actorId = ids.buyer)),
    "record-parties",
    "PARTY_MISMATCH"
  ],
  [
    "another submission in the record",
    editRecord((record) => (record["submission"].digest = hex("5"))),
    "record-acceptance",
    "DIGEST_MISMATCH"
  ],
  [
    "another review in the record",
    editRecord((record) => (record["review"].id = `review_${uuid(88)}`)),
    "record-acceptance",
    "REVIEW_MISMATCH"
  ],
  [
    "another confirmation in the record",
    editRecord((record) => (record["confirmation"].id = `confirmation_${uuid(88)}`)),
    "record-acceptance",
    "CONFIRMATION_MISMATCH"
  ],
  [
    "another time of acceptance",
    editRecord((record) => (record["acceptedAt"] = at(15, 1))),
    "record-acceptance",
    "RECORD_MISMATCH"
  ],
  [
    "another head in the record",
    editRecord((record) => (record["head"].eventHash = hex("6"))),
    "record-head",
    "JOURNAL_HEAD"
  ],
  [
    "a longer history in the record",
    editRecord((record) => (record["head"].count = 9)),
    "record-head",
    "JOURNAL_COUNT"
  ],
  ["a head before the acceptance", editRecord((record) => (record["head"].count = 5)), "record-head", "JOURNAL_COUNT"],
  ["an unknown member in the record", editRecord((record) => (record["note"] = "x")), "record-form", "UNKNOWN_MEMBER"],
  ["the ISSUE event cut off", editEvents((events) => events.pop()), "record-issue", "ISSUE_MISMATCH"],
  [
    "an ISSUE event of another record",
    editLinked(6, (event) => (event["payload"].recordId = `record_${uuid(88)}`)),
    "record-issue",
    "ISSUE_MISMATCH"
  ],
  [
    "an ISSUE event of other bytes",
    editLinked(6, (event) => (event["payload"].recordDigest = hex("7"))),
    "record-issue",
    "DIGEST_MISMATCH"
  ],
  [
    "an ISSUE event of another confirmation",
    editLinked(6, (event) => (event["payload"].confirmationId = `confirmation_${uuid(88)}`)),
    "record-issue",
    "CONFIRMATION_MISMATCH"
  ],
  [
    "the record signed again after the ISSUE event",
    editContent(
      (content) =>
        (content["record"] = signPayload("RECORD", {
          ...JSON.parse(Buffer.from(content["record"].split(".")[1], "base64url").toString()),
          issuedAt: at(18, 1)
        }))
    ),
    "record-issue",
    "DIGEST_MISMATCH"
  ],
  [
    "another organization in the record",
    editRecord((record) => (record["parties"].buyer.organizationId = `organization_${uuid(88)}`)),
    "record-parties",
    "PARTY_MISMATCH"
  ],
  [
    "another buyer in the record",
    editRecord((record) => (record["parties"].buyer.actorId = `person_${uuid(88)}`)),
    "record-parties",
    "PARTY_MISMATCH"
  ],
  [
    "another supplier's name in the record",
    editRecord((record) => (record["parties"].supplier.name = "Supplier Ltd.")),
    "record-parties",
    "PARTY_MISMATCH"
  ],
  [
    "another submission's id in the record",
    editRecord((record) => (record["submission"].id = `submission_${uuid(88)}`)),
    "record-acceptance",
    "SUBMISSION_MISMATCH"
  ],
  [
    "another review's digest in the record",
    editRecord((record) => (record["review"].digest = hex("5"))),
    "record-acceptance",
    "DIGEST_MISMATCH"
  ],
  ["an event between the record's head and its issuance", unboundEvent(), "record-issue", "JOURNAL_COUNT"]
]

describe("a forged submission, review or acceptance", () => refuseEach(acceptances))
describe("a forged record or issuance", () => refuseEach(records))
