/** Forgeries of holds, concerns, representatives and final events, each refused by one check alone. */
import { describe, expect, it } from "vitest"
import { failures, hex, refuseEach, refuseEachAlone, type ForgeryRow, verify } from "./forgeries.ts"
import {
  afterIssuance,
  withPayload,
  before,
  buyer,
  recordNaming,
  concern,
  dan,
  dismiss,
  hold,
  lift,
  mia,
  rename,
  type Step,
  supersede,
  supplier,
  suppliedBy,
  composeForgeries,
  uphold,
  withdraw
} from "./sample-steps.ts"
import { ids, salt } from "./sample-ids.ts"
import type { Forgery } from "./sample.ts"
import { digest, uuid } from "./signing.ts"

const moves = ["history-moves", "JOURNAL_MOVE"] as const
const parties = ["history-parties", "PARTY_MISMATCH"] as const
const form = ["event-form", "UNKNOWN_MEMBER"] as const
const stranger = `person_${uuid(88)}`

const holds: ReadonlyArray<ForgeryRow> = [
  [
    "a delivery during a hold",
    composeForgeries(before("REVIEW", lift(buyer, "DELIVERY")), before("SUBMIT", hold(buyer, "DELIVERY"))),
    ...moves
  ],
  [
    "a request for changes during a hold",
    composeForgeries(before("SUBMIT_AGAIN", lift(buyer, "REVIEW")), before("REVIEW", hold(buyer, "REVIEW"))),
    ...moves
  ],
  ["an acceptance during a hold", before("ACCEPT", hold(supplier, "REVIEW")), ...moves],
  [
    "a further hold during a hold",
    before("SUBMIT", hold(buyer, "DELIVERY"), hold(supplier, "DELIVERY"), lift(buyer, "DELIVERY")),
    ...moves
  ],
  ["a delivery hold set in review", before("ACCEPT", hold(buyer, "DELIVERY"), lift(buyer, "DELIVERY")), ...moves],
  ["a review hold set in delivery", before("SUBMIT", hold(buyer, "REVIEW"), lift(buyer, "REVIEW")), ...moves],
  [
    "a hold set before the terms were agreed",
    before("RESPOND", hold(buyer, "DELIVERY"), lift(buyer, "DELIVERY")),
    ...moves
  ],
  ["a hold set after the acceptance", afterIssuance(hold(buyer, "REVIEW")), ...moves],
  ["a lifting of a hold that was never set", before("SUBMIT", lift(buyer, "DELIVERY")), ...moves],
  [
    "a hold lifted twice",
    before("SUBMIT", hold(buyer, "DELIVERY"), lift(buyer, "DELIVERY"), lift(buyer, "DELIVERY")),
    ...moves
  ],
  ["a hold lifted with the other purpose", before("SUBMIT", hold(buyer, "DELIVERY"), lift(buyer, "REVIEW")), ...moves],
  [
    "a hold set by an agent without the action",
    before("SUBMIT", hold("buyer", "DELIVERY"), lift(buyer, "DELIVERY")),
    "event-authority",
    "AUTHORITY_ACTION"
  ],
  [
    "a hold set by another of the supplier's people",
    before("SUBMIT", hold(mia, "DELIVERY"), lift(buyer, "DELIVERY")),
    ...parties
  ],
  [
    "a hold lifted by another of the supplier's people",
    before("SUBMIT", hold(buyer, "DELIVERY"), lift(mia, "DELIVERY")),
    ...parties
  ],
  [
    "a hold set by an unrelated person in the buyer's role",
    before(
      "SUBMIT",
      hold({ ...buyer, organizationId: `organization_${uuid(88)}` }, "DELIVERY"),
      lift(buyer, "DELIVERY")
    ),
    ...parties
  ],
  [
    "a hold set by a supplier as the buyer",
    before("SUBMIT", hold({ ...buyer, id: ids.supplier }, "DELIVERY"), lift(buyer, "DELIVERY")),
    ...parties
  ],
  [
    "a hold that contains a date",
    before("SUBMIT", withPayload(hold(buyer, "DELIVERY"), { date: "x" }), lift(buyer, "DELIVERY")),
    ...form
  ],
  [
    "a lifting that contains a date",
    before("SUBMIT", hold(buyer, "DELIVERY"), withPayload(lift(buyer, "DELIVERY"), { date: "x" })),
    ...form
  ]
]

const other = { confirmationId: `confirmation_${uuid(88)}` }
const mismatch = ["history-moves", "CONFIRMATION_MISMATCH"] as const

const concerns: ReadonlyArray<ForgeryRow> = [
  ["a concern before the acceptance", before("ACCEPT", concern(buyer), dismiss(buyer)), ...moves],
  ["a second concern while one is open", afterIssuance(concern(buyer), concern(supplier)), ...moves],
  ["an issuance while a concern is open", before("ISSUE", concern(buyer)), ...moves],
  ["an issuance of a withdrawn confirmation", before("ISSUE", withdraw(buyer)), ...moves],
  ["an issuance after an upheld concern", before("ISSUE", concern(buyer), uphold(buyer)), ...moves],
  ["a concern about a withdrawn confirmation", afterIssuance(withdraw(buyer), concern(supplier)), ...moves],
  ["a withdrawal while a concern is open", afterIssuance(concern(buyer), withdraw(buyer)), ...moves],
  ["a second withdrawal", afterIssuance(withdraw(buyer), withdraw(buyer)), ...moves],
  ["a resolution without a concern", afterIssuance(dismiss(buyer)), ...moves],
  ["a concern about another confirmation", afterIssuance(withPayload(concern(buyer), other)), ...mismatch],
  [
    "a dismissal about another confirmation",
    afterIssuance(concern(buyer), withPayload(dismiss(buyer), other)),
    ...mismatch
  ],
  [
    "an upholding of another confirmation",
    afterIssuance(concern(buyer), withPayload(uphold(buyer), other)),
    ...mismatch
  ],
  ["a withdrawal of another confirmation", afterIssuance(withPayload(withdraw(buyer), other)), ...mismatch],
  ["a buyer's concern dismissed by the supplier", afterIssuance(concern(buyer), dismiss(supplier)), ...parties],
  ["a supplier's concern dismissed by the buyer", afterIssuance(concern(supplier), dismiss(buyer)), ...parties],
  ["a concern upheld by the supplier", afterIssuance(concern(supplier), uphold(supplier)), ...parties],
  ["a withdrawal by the supplier", afterIssuance(withdraw(supplier)), ...parties],
  [
    "a withdrawal by another organization",
    afterIssuance(withdraw({ ...buyer, organizationId: ids.supplierOrganization })),
    ...parties
  ],
  ["a concern by another of the supplier's people", afterIssuance(concern(mia)), ...parties],
  [
    "a concern by an agent without the action",
    afterIssuance(concern("supplier")),
    "event-authority",
    "AUTHORITY_ACTION"
  ],
  [
    "a concern of an unknown kind",
    afterIssuance(withPayload(concern(buyer), { kind: "PRICE" })),
    "event-form",
    "FIELD_TYPE"
  ],
  [
    "a resolution of an unknown kind",
    afterIssuance(concern(buyer), withPayload(dismiss(buyer), { resolution: "IGNORED" })),
    "event-form",
    "FIELD_TYPE"
  ],
  ["a concern with an unknown member", afterIssuance(withPayload(concern(buyer), { note: "x" })), ...form],
  [
    "a resolution with an unknown member",
    afterIssuance(concern(buyer), withPayload(dismiss(buyer), { note: "x" })),
    ...form
  ],
  ["a withdrawal with an unknown member", afterIssuance(withPayload(withdraw(buyer), { note: "x" })), ...form]
]

const second = (...steps: ReadonlyArray<Step>): Forgery =>
  composeForgeries(suppliedBy(mia, "SUBMIT_AGAIN"), recordNaming(mia.id), before("SUBMIT_AGAIN", ...steps))

const representatives: ReadonlyArray<ForgeryRow> = [
  ["a new representative without an event that names them", suppliedBy(mia, "SUBMIT_AGAIN"), ...parties],
  ["a submission by the former representative", before("SUBMIT_AGAIN", rename(supplier, mia.id)), ...parties],
  ["a concern by the former representative", afterIssuance(rename(supplier, mia.id), concern(supplier)), ...parties],
  [
    "a supersession by the former representative",
    afterIssuance(rename(supplier, mia.id), supersede(supplier)),
    ...parties
  ],
  [
    "a supersession under the former representative's grant",
    afterIssuance(rename(supplier, mia.id), supersede("successor")),
    ...parties
  ],
  ["a representative other than the named one", second(rename(supplier, stranger)), ...parties],
  ["a named predecessor who was not the representative", second(rename(supplier, mia.id, stranger)), ...parties],
  ["the same representative named again", afterIssuance(rename(supplier, ids.supplier)), ...parties],
  ["the buyer as the representative", afterIssuance(rename(supplier, ids.buyer)), ...parties],
  [
    "a person who acted for the buyer as the representative",
    composeForgeries(
      before("SUBMIT", hold(dan, "DELIVERY"), lift(dan, "DELIVERY")),
      afterIssuance(rename(supplier, dan.id))
    ),
    ...parties
  ],
  [
    "a representative who acts for the buyer afterwards",
    afterIssuance(rename(supplier, dan.id), concern(dan)),
    ...parties
  ],
  ["a representative named by the buyer", second(rename(buyer, mia.id)), ...parties],
  [
    "a representative named by another organization",
    second(rename({ ...supplier, organizationId: `organization_${uuid(88)}` }, mia.id)),
    ...parties
  ],
  [
    "a representative of another organization",
    composeForgeries(
      suppliedBy({ ...mia, organizationId: `organization_${uuid(88)}` }, "SUBMIT_AGAIN"),
      recordNaming(mia.id),
      before("SUBMIT_AGAIN", rename(supplier, mia.id))
    ),
    ...parties
  ],
  [
    "a representative named before the supplier's organization was known",
    composeForgeries(suppliedBy(mia, "RESPOND"), recordNaming(mia.id), before("RESPOND", rename(mia, mia.id))),
    ...parties
  ],
  ["a representative named after a final state", afterIssuance(withdraw(buyer), rename(supplier, mia.id)), ...moves],
  [
    "a record of the former representative",
    composeForgeries(second(rename(supplier, mia.id)), recordNaming(ids.supplier)),
    "record-parties",
    "PARTY_MISMATCH"
  ],
  [
    "a record of a later representative",
    composeForgeries(afterIssuance(rename(supplier, mia.id)), recordNaming(mia.id)),
    "record-parties",
    "PARTY_MISMATCH"
  ],
  ["a change with an unknown member", afterIssuance(withPayload(rename(supplier, mia.id), { note: "x" })), ...form]
]

const salts = (edit: (salts: Array<Record<string, unknown>>, chain: number) => unknown): Forgery => ({
  content: (content) => content["authority"].forEach((chain: any, index: number) => void edit(chain.salts, index))
})
const successorDigest = digest({ projectId: ids.successor, salt: salt(3) })
const successorGrant = (edit: (change: Record<string, unknown>) => unknown): Forgery => ({
  authority: (event, grant, index) => void (grant === "successor" && index === 0 && edit(event["change"]))
})

const supersessions: ReadonlyArray<ForgeryRow> = [
  ["an event after a supersession", afterIssuance(supersede(supplier), concern(buyer)), ...moves],
  ["a supersession after a withdrawal", afterIssuance(withdraw(buyer), supersede(supplier)), ...moves],
  ["an issuance after a supersession", before("ISSUE", supersede(supplier)), ...moves],
  ["agreed terms ended by the buyer", afterIssuance(supersede(buyer)), ...parties],
  ["a supersession by another of the supplier's people", afterIssuance(supersede(mia)), ...parties],
  [
    "a project that succeeds itself",
    afterIssuance(supersede(supplier, ids.project)),
    "event-agreement",
    "AGREEMENT_MISMATCH"
  ],
  ["a supersession under an old grant", afterIssuance(supersede("supplier")), "event-authority", "AUTHORITY_SCOPE"],
  [
    "a supersession under a grant of another project",
    afterIssuance(supersede("successor", `delivery_${uuid(88)}`)),
    "authority-salts",
    "AUTHORITY_SALT"
  ],
  [
    "a supersession under a grant that opens no link to the successor",
    composeForgeries(
      afterIssuance(supersede("successor")),
      salts((list, index) => index === 2 && list.pop())
    ),
    "event-authority",
    "AUTHORITY_SCOPE"
  ],
  [
    "a supersession under a grant that may not respond",
    composeForgeries(
      afterIssuance(supersede("successor")),
      successorGrant((change) => (change["actions"] = ["SUBMIT_MATERIALS"]))
    ),
    "event-authority",
    "AUTHORITY_ACTION"
  ],
  [
    "a delivery under the successor's grant",
    composeForgeries(
      afterIssuance(supersede("successor")),
      successorGrant((change) => (change["actions"] = ["RESPOND_TERMS", "SUBMIT_MATERIALS"])),
      { history: (events, agents) => void (events[4]!["actor"] = agents.successor) }
    ),
    "event-authority",
    "AUTHORITY_SCOPE"
  ],
  [
    "a link to the successor opened for a grant that did not accept it",
    composeForgeries(
      afterIssuance(supersede(supplier)),
      {
        authority: (event, grant, index) =>
          void (grant === "supplier" && index === 1 && (event["change"].projectDigest = successorDigest))
      },
      salts((list, index) => index === 1 && list.unshift({ sequence: 2, salt: salt(3) }))
    ),
    "authority-salts",
    "AUTHORITY_SALT"
  ],
  ["a supersession with an unknown member", afterIssuance(withPayload(supersede(supplier), { note: "x" })), ...form],
  [
    "a supersession by other terms",
    afterIssuance(withPayload(supersede(supplier), { agreementDigest: hex("1") })),
    "event-agreement",
    "AGREEMENT_MISMATCH"
  ]
]

const references: ReadonlyArray<ForgeryRow> = [
  [
    "a hold",
    before("SUBMIT", withPayload(hold(buyer, "DELIVERY"), { agreementDigest: hex("1") }), lift(buyer, "DELIVERY"))
  ],
  [
    "a lifting of a hold",
    before("SUBMIT", hold(buyer, "DELIVERY"), withPayload(lift(buyer, "DELIVERY"), { agreementDigest: hex("1") }))
  ],
  ["a concern", afterIssuance(withPayload(concern(buyer), { agreementDigest: hex("1") }))],
  ["a resolution", afterIssuance(concern(buyer), withPayload(uphold(buyer), { agreementDigest: hex("1") }))],
  ["a withdrawal", afterIssuance(withPayload(withdraw(buyer), { agreementDigest: hex("1") }))],
  [
    "a change of the representative",
    afterIssuance(withPayload(rename(supplier, mia.id), { agreementDigest: hex("1") }))
  ]
].map(([step, forgery]) => [
  `${step as string} under another agreement`,
  forgery as Forgery,
  "event-agreement",
  "AGREEMENT_MISMATCH"
])

/** No grant has an action for acts of people alone, so that two checks fail. */
const personOnly: ReadonlyArray<ForgeryRow> = [
  ["a hold lifted by an agent", before("SUBMIT", hold(buyer, "DELIVERY"), lift("buyer", "DELIVERY")), ...parties],
  ["a concern dismissed by an agent", afterIssuance(concern(buyer), dismiss("buyer")), ...parties],
  ["a concern upheld by an agent", afterIssuance(concern(buyer), uphold("buyer")), ...parties],
  ["a withdrawal by an agent", afterIssuance(withdraw("buyer")), ...parties],
  ["a representative named by an agent", afterIssuance(rename("supplier", mia.id)), ...parties],
  ["terms replaced by an agent before they were agreed", before("RESPOND", supersede("buyer")), ...parties],
  ["terms replaced by the supplier before they were agreed", before("RESPOND", supersede(supplier)), ...parties]
]

describe("acts of agents that are reserved for people", () => {
  refuseEach(personOnly)

  it("a person of the buyer's side may replace terms before they are agreed, and no event follows", () => {
    const report = verify(before("RESPOND", supersede(dan)))
    expect(failures(report)).toEqual(["history-moves JOURNAL_MOVE"])
  })
})
describe("a forged hold", () => refuseEachAlone(holds))
describe("a forged concern, resolution or withdrawal", () => refuseEachAlone(concerns))
describe("a forged representative", () => refuseEachAlone(representatives))
describe("a forged supersession", () => refuseEachAlone(supersessions))
describe("a forged reference to the agreement", () => refuseEachAlone(references))
