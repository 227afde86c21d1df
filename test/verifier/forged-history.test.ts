/** Forgeries of the events, their order and their agreement. */
import { assert, describe, it } from "vitest"
import {
  editAgreement,
  editContent,
  editEvent,
  editEvents,
  editLinked,
  hex,
  refuseEach,
  verify,
  type ForgeryRow
} from "./forgeries.ts"
import { type Forgery } from "./sample.ts"
import { ids } from "./sample-ids.ts"
import { at, digest, uuid, type Members } from "./signing.ts"

const chains: ReadonlyArray<ForgeryRow> = [
  ["the first event removed", editEvents((events) => events.shift()), "event-chain", "JOURNAL_SEQUENCE"],
  ["an event removed in the middle", editEvents((events) => events.splice(3, 1)), "event-chain", "JOURNAL_SEQUENCE"],
  [
    "two events exchanged",
    editEvents((events) => events.splice(2, 2, events[3], events[2])),
    "event-chain",
    "JOURNAL_SEQUENCE"
  ],
  [
    "the history reversed",
    editEvents((events) => events.splice(0, 7, ...events.toReversed())),
    "event-chain",
    "JOURNAL_SEQUENCE"
  ],
  [
    "a sequence gap",
    { event: (event, index) => void (index >= 3 && event["sequence"]++) },
    "event-chain",
    "JOURNAL_SEQUENCE"
  ],
  ["a sequence from 0", { event: (event) => void event["sequence"]-- }, "event-form", "FIELD_TYPE"],
  ["a duplicate sequence number", editLinked(3, (event) => (event["sequence"] = 3)), "event-chain", "JOURNAL_SEQUENCE"],
  [
    "an unrelated predecessor of an event",
    editLinked(4, (event) => (event["previous"] = digest("genesis"))),
    "event-chain",
    "JOURNAL_PREV"
  ],
  [
    "a first event that does not name the agreement",
    editLinked(0, (event) => (event["previous"] = hex("0"))),
    "event-chain",
    "JOURNAL_PREV"
  ],
  [
    "a second CREATE",
    {
      history: (events) =>
        void events.splice(2, 0, { ...structuredClone(events[0]!), occurredAt: at(11), issuedAt: at(11) })
    },
    "event-chain",
    "JOURNAL_GENESIS"
  ],
  [
    "an event of another project",
    editLinked(3, (event) => (event["projectId"] = `delivery_${uuid(2)}`)),
    "event-chain",
    "JOURNAL_TRANSACTION"
  ],
  [
    "a decreasing time",
    editLinked(4, (event) => (event["occurredAt"] = event["issuedAt"] = at(12, 999))),
    "event-chain",
    "JOURNAL_TIME"
  ],
  [
    "an event whose issuedAt differs from occurredAt",
    editLinked(4, (event) => (event["issuedAt"] = at(14, 1))),
    "event-chain",
    "JOURNAL_TIME"
  ],
  ["an unknown kind", editEvent("RESPOND", (event) => (event["kind"] = "APPROVE")), "event-form", "FIELD_TYPE"],
  [
    "an unknown member in an event",
    editEvent("SUBMIT", (event) => (event["payload"].extra = 1)),
    "event-form",
    "UNKNOWN_MEMBER"
  ],
  [
    "null in place of an absent member",
    editEvent("REVIEW", (event) => (event["payload"].decisions[0].note = null)),
    "event-form",
    "FIELD_TYPE"
  ],
  [
    "checked files on a review that accepts nothing",
    editEvent("REVIEW", (event) => (event["payload"].checkedFiles = [])),
    "event-form",
    "UNKNOWN_MEMBER"
  ],
  [
    "a text in place of a size",
    editEvent("SUBMIT", (event) => (event["payload"].items[0].files[0].size = "10")),
    "event-form",
    "FIELD_TYPE"
  ],
  [
    "a delivery before the terms were agreed",
    {
      history: (events) =>
        void events.splice(
          1,
          2,
          { ...events[2]!, occurredAt: at(11), issuedAt: at(11) },
          { ...events[1]!, occurredAt: at(12), issuedAt: at(12) }
        )
    },
    "history-moves",
    "JOURNAL_MOVE"
  ],
  [
    "a delivery after the acceptance",
    { history: (events) => void events.push({ ...structuredClone(events[4]!), occurredAt: at(17), issuedAt: at(17) }) },
    "history-moves",
    "JOURNAL_MOVE"
  ]
]

const agreements: ReadonlyArray<ForgeryRow> = [
  [
    "an agreement exchanged in the package",
    editContent((content) => (content["agreement"] = { ...content["agreement"], version: 2 })),
    "event-chain",
    "JOURNAL_PREV"
  ],
  [
    "a second version without a predecessor",
    {
      agreement: (agreement) => void (agreement["version"] = 2),
      record: (record) => void (record["agreement"].version = 2)
    },
    "agreement-version",
    "AGREEMENT_MISMATCH"
  ],
  [
    "a first version with a predecessor",
    editAgreement((agreement) => (agreement["previous"] = { projectId: ids.successor, digest: hex("1") })),
    "agreement-version",
    "AGREEMENT_MISMATCH"
  ],
  [
    "a version that replaces itself",
    {
      agreement: (agreement) =>
        void Object.assign(agreement, { version: 2, previous: { projectId: ids.project, digest: hex("1") } }),
      record: (record) => void (record["agreement"].version = 2)
    },
    "agreement-version",
    "AGREEMENT_MISMATCH"
  ],
  [
    "a response to another agreement",
    editEvent("RESPOND", (event) => (event["payload"].agreementDigest = hex("1"))),
    "event-agreement",
    "AGREEMENT_MISMATCH"
  ],
  [
    "a creation of another agreement",
    editEvent("CREATE", (event) => (event["payload"].agreementDigest = hex("1"))),
    "event-agreement",
    "AGREEMENT_MISMATCH"
  ],
  [
    "a criterion named twice",
    editAgreement((agreement) => agreement["terms"].criteria.push(agreement["terms"].criteria[0])),
    "agreement-criteria",
    "CRITERIA_NOT_UNIQUE"
  ],
  [
    "no criteria",
    editAgreement((agreement) => (agreement["terms"].criteria = [])),
    "agreement-criteria",
    "CRITERIA_NOT_UNIQUE"
  ],
  [
    "a creator who is not the buyer",
    editAgreement((agreement) => (agreement["buyer"].actorId = `person_${uuid(88)}`)),
    "history-parties",
    "PARTY_MISMATCH"
  ],
  [
    "a responder who is not the named supplier",
    editAgreement((agreement) => (agreement["supplier"].actorId = `person_${uuid(88)}`)),
    "history-parties",
    "PARTY_MISMATCH"
  ],
  [
    "a submission by another person",
    editEvent("SUBMIT", (event) => (event["actor"] = { ...event["actor"], id: `person_${uuid(88)}`, execution: null })),
    "history-parties",
    "PARTY_MISMATCH"
  ],
  [
    "a review by the supplier",
    editEvent(
      "REVIEW",
      (event) =>
        (event["actor"] = {
          id: ids.supplier,
          organizationId: ids.supplierOrganization,
          role: "SUPPLIER",
          execution: null
        }),
      1
    ),
    "history-parties",
    "PARTY_MISMATCH"
  ],
  [
    "a response in the buyer's role",
    editEvent("RESPOND", (event) => (event["actor"].role = "BUYER")),
    "history-parties",
    "PARTY_MISMATCH"
  ],
  [
    "a history without a response",
    { history: (events) => void events.splice(1, 1) },
    "history-parties",
    "PARTY_MISMATCH"
  ]
]

/** An agreement without a named supplier, and the acceptance of an invitation with these changes. */
const invited = (changes: (event: Members) => void = () => {}): Forgery => ({
  agreement: (agreement) => void (agreement["supplier"] = { actorId: null }),
  history: (events) => {
    const acceptance = invitationAccepted(events[0]!)
    changes(acceptance)
    events.splice(1, 0, acceptance)
  }
})

const invitationAccepted = (creation: Members): Members => ({
  ...creation,
  kind: "INVITATION_ACCEPTED",
  requestId: uuid(49),
  actor: { id: ids.supplier, organizationId: ids.supplierOrganization, role: "SUPPLIER", execution: null },
  payload: {
    agreementDigest: creation["payload"].agreementDigest,
    invitationId: `invitation_${uuid(48)}`,
    supplierActorId: ids.supplier
  }
})

const stranger = `person_${uuid(88)}`
const parties = ["history-parties", "PARTY_MISMATCH"] as const

const invitations: ReadonlyArray<ForgeryRow> = [
  [
    "neither a named nor an invited supplier",
    editAgreement((agreement) => (agreement["supplier"] = { actorId: null })),
    ...parties
  ],
  ["an invitation where a supplier is named", { history: invited().history! }, ...parties],
  [
    "an invitation accepted for another person",
    invited((event) => (event["payload"].supplierActorId = stranger)),
    ...parties
  ],
  [
    "an invitation accepted by a person who never responds",
    invited((event) => {
      event["actor"].id = stranger
      event["payload"].supplierActorId = stranger
    }),
    ...parties
  ],
  ["an invitation accepted in the buyer's role", invited((event) => (event["actor"].role = "BUYER")), ...parties],
  [
    "an invitation accepted by an agent",
    invited(
      (event) =>
        (event["actor"].execution = {
          grantId: ids.supplierGrant,
          agentId: ids.supplierAgent,
          authorityHead: hex("1")
        })
    ),
    ...parties
  ],
  [
    "an invitation without its id",
    invited((event) => delete event["payload"].invitationId),
    "event-form",
    "MISSING_MEMBER"
  ],
  [
    "an invitation accepted twice",
    {
      ...invited(),
      history: (events) => {
        events.splice(1, 0, invitationAccepted(events[0]!), invitationAccepted(events[0]!))
      }
    },
    ...parties
  ]
]

describe("an invited supplier", () => {
  it("a supplier becomes the representative by accepting the invitation", () => {
    assert.strictEqual(verify(invited()).verdict, "VERIFIED_WITH_LIMITATIONS")
  })
})
describe("a forged invitation", () => refuseEach(invitations))
describe("a forged chain of events", () => refuseEach(chains))
describe("a forged agreement or party", () => refuseEach(agreements))
