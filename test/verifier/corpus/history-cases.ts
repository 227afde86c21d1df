/** Cases on the chain of events: events removed, inserted, exchanged, or with another number or date. */
import { editLinked, editRecord, hex } from "../forgeries.ts"
import { ids } from "../sample-ids.ts"
import type { Forgery } from "../sample.ts"
import { at, digest, type Members, uuid } from "../signing.ts"
import { payloadOf, repackEvents, refusal } from "./samples.ts"
import { briefSample } from "./brief-sample.ts"
import type { Case } from "./case.ts"
import { okCase } from "./case-builders.ts"

/** Sets the predecessor of the third event, which may be derived from the second one. */
const predecessor = (from: (second: Members) => string): Forgery => {
  let second: Members = {}
  return {
    event: (event, index) => {
      if (index === 1) second = event
      if (index === 2) event["previous"] = from(second)
    }
  }
}

const [, , ...rest] = briefSample({
  history: (events) => void (events[1]!["payload"].reason = "Agreed, as spoken")
}).package["events"] as ReadonlyArray<string>
const honest = briefSample().package
const honestHead = payloadOf(honest["record"])["head"].eventHash as string

const removed: ReadonlyArray<Case> = [
  refusal(
    "history/first-event-removed_fail",
    "The creation was taken out of a package that was signed again; a history begins with event 1.",
    "event-chain",
    "JOURNAL_SEQUENCE",
    { forgery: repackEvents((events) => events.shift()) }
  ),
  refusal(
    "history/event-removed_fail",
    "The answer to the terms was taken out of a package that was signed again; event 3 follows event 1.",
    "event-chain",
    "JOURNAL_SEQUENCE",
    { forgery: repackEvents((events) => events.splice(1, 1)) }
  ),
  refusal(
    "history/event-removed-and-renumbered_fail",
    "An event was taken out and the later ones were numbered and signed anew, but the next one still names it.",
    "event-chain",
    "JOURNAL_PREV",
    { forgery: predecessor(() => digest("the event that was taken out")) }
  ),
  refusal(
    "history/issuance-removed_fail",
    "The last event, the issuance, was cut off; nothing in the history then binds the record.",
    "record-issue",
    "ISSUE_MISMATCH",
    { forgery: repackEvents((events) => events.pop()) }
  ),
  refusal(
    "history/acceptance-removed_fail",
    "The last two events were cut off; the enclosed acceptance is in no event of what is left.",
    "review-event",
    "REVIEW_MISMATCH",
    { forgery: repackEvents((events) => events.splice(3)) }
  ),
  refusal(
    "history/submission-removed_fail",
    "The last three events were cut off; the enclosed submission is in no event of what is left.",
    "submission-event",
    "SUBMISSION_MISMATCH",
    { forgery: repackEvents((events) => events.splice(2)) }
  ),
  refusal(
    "history/all-but-creation-removed_fail",
    "The last four events were cut off; the creation alone is a good history, and holds no submission.",
    "submission-event",
    "SUBMISSION_MISMATCH",
    { forgery: repackEvents((events) => events.splice(1)) }
  ),
  refusal(
    "history/empty_fail",
    "All events were cut off; there is no event to check, and none that holds the enclosed submission.",
    "submission-event",
    "SUBMISSION_MISMATCH",
    { forgery: repackEvents((events) => events.splice(0)) }
  )
]

const ordered: ReadonlyArray<Case> = [
  refusal(
    "history/events-exchanged_fail",
    "Two events changed places in a package that was signed again; each keeps its number.",
    "event-chain",
    "JOURNAL_SEQUENCE",
    { forgery: repackEvents((events) => events.splice(1, 2, events[2]!, events[1]!)) }
  ),
  refusal(
    "history/reversed_fail",
    "The events stand newest first in a package that was signed again; the history is oldest first.",
    "event-chain",
    "JOURNAL_SEQUENCE",
    { forgery: repackEvents((events) => events.reverse()) }
  ),
  refusal(
    "history/sequence-gap_fail",
    "The events are numbered 1, 2, 4, 5, 6 and chained and signed so; an event could be missing.",
    "event-chain",
    "JOURNAL_SEQUENCE",
    { forgery: { event: (event, index) => void (index >= 2 && event["sequence"]++) } }
  ),
  refusal(
    "history/sequence-repeated_fail",
    "Two events have the number 2, and are chained and signed so; each event has its own number.",
    "event-chain",
    "JOURNAL_SEQUENCE",
    { forgery: editLinked(2, (event) => (event["sequence"] = 2)) }
  ),
  refusal(
    "history/sequence-from-two_fail",
    "The first event has the number 2, and the others follow; the real first event could be missing.",
    "event-chain",
    "JOURNAL_SEQUENCE",
    { forgery: { event: (event) => void event["sequence"]++ } }
  ),
  refusal(
    "history/sequence-from-zero_fail",
    "The first event has the number 0; numbers begin at 1.",
    "event-form",
    "FIELD_TYPE",
    { forgery: { event: (event) => void event["sequence"]-- } }
  ),
  refusal(
    "history/sequence-negative_fail",
    "An event has the number -3; numbers begin at 1.",
    "event-form",
    "FIELD_TYPE",
    { forgery: editLinked(2, (event) => (event["sequence"] = -3)) }
  )
]

const chained: ReadonlyArray<Case> = [
  refusal(
    "history/previous-is-creation_fail",
    "The third event names the first one as its predecessor, so that the second one could be exchanged unseen.",
    "event-chain",
    "JOURNAL_PREV",
    { forgery: predecessor((second) => second["previous"]) }
  ),
  refusal(
    "history/previous-of-whole-payload_fail",
    "The third event names the digest of the whole payload before it; the event hash leaves issuedAt out.",
    "event-chain",
    "JOURNAL_PREV",
    { forgery: predecessor((second) => digest(second)) }
  ),
  refusal(
    "history/creation-on-nothing_fail",
    "The creation names 64 zeros as its predecessor; it must stand on the digest of the agreement.",
    "event-chain",
    "JOURNAL_PREV",
    { forgery: editLinked(0, (event) => (event["previous"] = hex("0"))) }
  ),
  refusal(
    "history/spliced_fail",
    "From the third event on the history is that of another answer to the same terms; each event is genuine, and the chain breaks between them.",
    "event-chain",
    "JOURNAL_PREV",
    { forgery: repackEvents((events) => events.splice(2, 3, ...rest)) }
  ),
  refusal(
    "history/rechained_fail",
    "A reason was changed and every later event chained and signed anew; the record still binds the old head.",
    "record-head",
    "JOURNAL_HEAD",
    {
      forgery: {
        history: (events) => void (events[1]!["payload"].reason = "Agreed, as spoken"),
        ...editRecord((record) => (record["head"].eventHash = honestHead))
      }
    }
  ),
  refusal(
    "history/second-creation_fail",
    "A second creation follows the first; a history has one.",
    "event-chain",
    "JOURNAL_GENESIS",
    {
      forgery: {
        history: (events) =>
          void events.splice(1, 0, { ...structuredClone(events[0]!), requestId: uuid(60), kind: "CREATE" })
      }
    }
  ),
  refusal(
    "history/without-creation_fail",
    "The history begins with the answer to the terms, numbered 1 and standing on the agreement; nobody created it.",
    "event-chain",
    "JOURNAL_GENESIS",
    { forgery: { history: (events) => void events.shift() } }
  )
]

const dated: ReadonlyArray<Case> = [
  refusal(
    "history/event-of-another-project_fail",
    "One event is of another project, chained into this history and signed; it says nothing about this one.",
    "event-chain",
    "JOURNAL_TRANSACTION",
    { forgery: editLinked(2, (event) => (event["projectId"] = ids.successor)) }
  ),
  refusal(
    "history/of-another-project_fail",
    "Every event is of another project than the agreement that the history stands on.",
    "event-chain",
    "JOURNAL_TRANSACTION",
    { forgery: { event: (event) => void (event["projectId"] = ids.successor) } }
  ),
  refusal(
    "history/time-backwards_fail",
    "An event happened one millisecond before the one that it follows; time does not run backwards.",
    "event-chain",
    "JOURNAL_TIME",
    { forgery: editLinked(2, (event) => (event["occurredAt"] = event["issuedAt"] = at(10, 59_999))) }
  ),
  okCase(
    "history/time-stands-still_ok",
    "All events happened in one millisecond, in which the record was signed too; that is not backwards.",
    {
      forgery: {
        event: (event) => void (event["occurredAt"] = event["issuedAt"] = at(15)),
        ...editRecord((record) => (record["issuedAt"] = at(15)))
      }
    }
  ),
  refusal(
    "history/signed-later-than-happened_fail",
    "An event was signed one millisecond after it is said to have happened; the two are the same moment.",
    "event-chain",
    "JOURNAL_TIME",
    { forgery: editLinked(2, (event) => (event["issuedAt"] = at(14, 1))) }
  )
]

export const historyCases: ReadonlyArray<Case> = [...removed, ...ordered, ...chained, ...dated]
