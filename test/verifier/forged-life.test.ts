/** Lies about holds, concerns, representatives and the end of a project, each caught by its one check alone. */
import { describe, expect, it } from "vitest"
import { failures, hex, refuseEach, refuseEachAlone, type Row, verify } from "./forging.ts"
import {
  afterwards,
  altered,
  before,
  buyer,
  certifying,
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
  together,
  uphold,
  withdraw
} from "./life.ts"
import { ids, salt } from "./sample-ids.ts"
import type { Forgery } from "./sample.ts"
import { digest, uuid } from "./signing.ts"

const moves = ["history-moves", "JOURNAL_MOVE"] as const
const parties = ["history-parties", "PARTY_MISMATCH"] as const
const form = ["event-form", "UNKNOWN_MEMBER"] as const
const stranger = `person_${uuid(88)}`

const holds: ReadonlyArray<Row> = [
  [
    "a delivery while a date is asked for",
    together(before("REVIEW", lift(buyer, "DELIVERY")), before("SUBMIT", hold(buyer, "DELIVERY"))),
    ...moves
  ],
  [
    "a request for changes while a date is asked for",
    together(before("SUBMIT_AGAIN", lift(buyer, "REVIEW")), before("REVIEW", hold(buyer, "REVIEW"))),
    ...moves
  ],
  ["an acceptance while a date is asked for", before("ACCEPT", hold(supplier, "REVIEW")), ...moves],
  [
    "a further date while one is asked for",
    before("SUBMIT", hold(buyer, "DELIVERY"), hold(supplier, "DELIVERY"), lift(buyer, "DELIVERY")),
    ...moves
  ],
  [
    "a date of delivery asked for in review",
    before("ACCEPT", hold(buyer, "DELIVERY"), lift(buyer, "DELIVERY")),
    ...moves
  ],
  ["a date of review asked for in delivery", before("SUBMIT", hold(buyer, "REVIEW"), lift(buyer, "REVIEW")), ...moves],
  [
    "a date asked for before the terms were agreed",
    before("RESPOND", hold(buyer, "DELIVERY"), lift(buyer, "DELIVERY")),
    ...moves
  ],
  ["a date asked for after the acceptance", afterwards(hold(buyer, "REVIEW")), ...moves],
  ["a hold lifted that does not stand", before("SUBMIT", lift(buyer, "DELIVERY")), ...moves],
  [
    "a hold lifted twice",
    before("SUBMIT", hold(buyer, "DELIVERY"), lift(buyer, "DELIVERY"), lift(buyer, "DELIVERY")),
    ...moves
  ],
  ["a hold lifted by the other purpose", before("SUBMIT", hold(buyer, "DELIVERY"), lift(buyer, "REVIEW")), ...moves],
  [
    "a date asked for by an agent without the action",
    before("SUBMIT", hold("buyer", "DELIVERY"), lift(buyer, "DELIVERY")),
    "event-authority",
    "AUTHORITY_ACTION"
  ],
  [
    "a date asked for by another of the supplier's people",
    before("SUBMIT", hold(mia, "DELIVERY"), lift(buyer, "DELIVERY")),
    ...parties
  ],
  [
    "a hold lifted by another of the supplier's people",
    before("SUBMIT", hold(buyer, "DELIVERY"), lift(mia, "DELIVERY")),
    ...parties
  ],
  [
    "a date asked for by a stranger in the buyer's role",
    before(
      "SUBMIT",
      hold({ ...buyer, organizationId: `organization_${uuid(88)}` }, "DELIVERY"),
      lift(buyer, "DELIVERY")
    ),
    ...parties
  ],
  [
    "a date asked for by a supplier as the buyer",
    before("SUBMIT", hold({ ...buyer, id: ids.supplier }, "DELIVERY"), lift(buyer, "DELIVERY")),
    ...parties
  ],
  [
    "a date asked for with a date",
    before("SUBMIT", altered(hold(buyer, "DELIVERY"), { date: "x" }), lift(buyer, "DELIVERY")),
    ...form
  ],
  [
    "a hold lifted with a date",
    before("SUBMIT", hold(buyer, "DELIVERY"), altered(lift(buyer, "DELIVERY"), { date: "x" })),
    ...form
  ]
]

const other = { confirmationId: `confirmation_${uuid(88)}` }
const mismatch = ["history-moves", "CONFIRMATION_MISMATCH"] as const

const concerns: ReadonlyArray<Row> = [
  ["a concern before the acceptance", before("ACCEPT", concern(buyer), dismiss(buyer)), ...moves],
  ["a concern while one stands", afterwards(concern(buyer), concern(supplier)), ...moves],
  ["an issuance while a concern stands", before("ISSUE", concern(buyer)), ...moves],
  ["an issuance of a withdrawn confirmation", before("ISSUE", withdraw(buyer)), ...moves],
  ["an issuance after an upheld concern", before("ISSUE", concern(buyer), uphold(buyer)), ...moves],
  ["a concern about a withdrawn confirmation", afterwards(withdraw(buyer), concern(supplier)), ...moves],
  ["a withdrawal while a concern stands", afterwards(concern(buyer), withdraw(buyer)), ...moves],
  ["a second withdrawal", afterwards(withdraw(buyer), withdraw(buyer)), ...moves],
  ["a resolution of no concern", afterwards(dismiss(buyer)), ...moves],
  ["a concern about another confirmation", afterwards(altered(concern(buyer), other)), ...mismatch],
  ["a dismissal about another confirmation", afterwards(concern(buyer), altered(dismiss(buyer), other)), ...mismatch],
  ["an upholding of another confirmation", afterwards(concern(buyer), altered(uphold(buyer), other)), ...mismatch],
  ["a withdrawal of another confirmation", afterwards(altered(withdraw(buyer), other)), ...mismatch],
  ["a buyer's concern dismissed by the supplier", afterwards(concern(buyer), dismiss(supplier)), ...parties],
  ["a supplier's concern dismissed by the buyer", afterwards(concern(supplier), dismiss(buyer)), ...parties],
  ["a concern upheld by the supplier", afterwards(concern(supplier), uphold(supplier)), ...parties],
  ["a withdrawal by the supplier", afterwards(withdraw(supplier)), ...parties],
  [
    "a withdrawal by another organization",
    afterwards(withdraw({ ...buyer, organizationId: ids.supplierOrganization })),
    ...parties
  ],
  ["a concern by another of the supplier's people", afterwards(concern(mia)), ...parties],
  ["a concern by an agent without the action", afterwards(concern("supplier")), "event-authority", "AUTHORITY_ACTION"],
  ["a concern of no known kind", afterwards(altered(concern(buyer), { kind: "PRICE" })), "event-form", "FIELD_TYPE"],
  [
    "a resolution of no known kind",
    afterwards(concern(buyer), altered(dismiss(buyer), { resolution: "IGNORED" })),
    "event-form",
    "FIELD_TYPE"
  ],
  ["a concern with more in it", afterwards(altered(concern(buyer), { note: "x" })), ...form],
  ["a resolution with more in it", afterwards(concern(buyer), altered(dismiss(buyer), { note: "x" })), ...form],
  ["a withdrawal with more in it", afterwards(altered(withdraw(buyer), { note: "x" })), ...form]
]

const second = (...steps: ReadonlyArray<Step>): Forgery =>
  together(suppliedBy(mia, "SUBMIT_AGAIN"), certifying(mia.id), before("SUBMIT_AGAIN", ...steps))

const representatives: ReadonlyArray<Row> = [
  ["a new representative whom nobody named", suppliedBy(mia, "SUBMIT_AGAIN"), ...parties],
  ["the former representative, who goes on", before("SUBMIT_AGAIN", rename(supplier, mia.id)), ...parties],
  ["a concern of the former representative", afterwards(rename(supplier, mia.id), concern(supplier)), ...parties],
  [
    "a supersession by the former representative",
    afterwards(rename(supplier, mia.id), supersede(supplier)),
    ...parties
  ],
  [
    "a supersession under the former representative's grant",
    afterwards(rename(supplier, mia.id), supersede("successor")),
    ...parties
  ],
  ["another than was named", second(rename(supplier, stranger)), ...parties],
  ["a predecessor who was not the representative", second(rename(supplier, mia.id, stranger)), ...parties],
  ["the same representative named again", afterwards(rename(supplier, ids.supplier)), ...parties],
  ["the buyer as the representative", afterwards(rename(supplier, ids.buyer)), ...parties],
  [
    "whoever acted for the buyer as the representative",
    together(before("SUBMIT", hold(dan, "DELIVERY"), lift(dan, "DELIVERY")), afterwards(rename(supplier, dan.id))),
    ...parties
  ],
  [
    "a representative who acts for the buyer afterwards",
    afterwards(rename(supplier, dan.id), concern(dan)),
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
    together(
      suppliedBy({ ...mia, organizationId: `organization_${uuid(88)}` }, "SUBMIT_AGAIN"),
      certifying(mia.id),
      before("SUBMIT_AGAIN", rename(supplier, mia.id))
    ),
    ...parties
  ],
  [
    "a representative named before the supplier's organization was known",
    together(suppliedBy(mia, "RESPOND"), certifying(mia.id), before("RESPOND", rename(mia, mia.id))),
    ...parties
  ],
  ["a representative named after the end", afterwards(withdraw(buyer), rename(supplier, mia.id)), ...moves],
  [
    "a record of the former representative",
    together(second(rename(supplier, mia.id)), certifying(ids.supplier)),
    "record-parties",
    "PARTY_MISMATCH"
  ],
  [
    "a record of a later representative",
    together(afterwards(rename(supplier, mia.id)), certifying(mia.id)),
    "record-parties",
    "PARTY_MISMATCH"
  ],
  ["a change with more in it", afterwards(altered(rename(supplier, mia.id), { note: "x" })), ...form]
]

const salts = (edit: (salts: Array<Record<string, unknown>>, chain: number) => unknown): Forgery => ({
  content: (content) => content["authority"].forEach((chain: any, index: number) => void edit(chain.salts, index))
})
const successorDigest = digest({ projectId: ids.successor, salt: salt(3) })
const successorGrant = (edit: (change: Record<string, unknown>) => unknown): Forgery => ({
  authority: (event, grant, index) => void (grant === "successor" && index === 0 && edit(event["change"]))
})

const endings: ReadonlyArray<Row> = [
  ["anything after a supersession", afterwards(supersede(supplier), concern(buyer)), ...moves],
  ["a supersession after a withdrawal", afterwards(withdraw(buyer), supersede(supplier)), ...moves],
  ["an issuance after a supersession", before("ISSUE", supersede(supplier)), ...moves],
  ["agreed terms ended by the buyer", afterwards(supersede(buyer)), ...parties],
  ["a supersession by another of the supplier's people", afterwards(supersede(mia)), ...parties],
  [
    "a project that succeeds itself",
    afterwards(supersede(supplier, ids.project)),
    "event-agreement",
    "AGREEMENT_MISMATCH"
  ],
  ["a supersession under an old grant", afterwards(supersede("supplier")), "event-authority", "AUTHORITY_SCOPE"],
  [
    "a supersession under a grant of another project",
    afterwards(supersede("successor", `delivery_${uuid(88)}`)),
    "authority-salts",
    "AUTHORITY_SALT"
  ],
  [
    "a supersession under a grant that opens no link to the successor",
    together(
      afterwards(supersede("successor")),
      salts((held, index) => index === 2 && held.pop())
    ),
    "event-authority",
    "AUTHORITY_SCOPE"
  ],
  [
    "a supersession under a grant that may not respond",
    together(
      afterwards(supersede("successor")),
      successorGrant((change) => (change["actions"] = ["SUBMIT_MATERIALS"]))
    ),
    "event-authority",
    "AUTHORITY_ACTION"
  ],
  [
    "a delivery under the successor's grant",
    together(
      afterwards(supersede("successor")),
      successorGrant((change) => (change["actions"] = ["RESPOND_TERMS", "SUBMIT_MATERIALS"])),
      { history: (events, agents) => void (events[4]!["actor"] = agents.successor) }
    ),
    "event-authority",
    "AUTHORITY_SCOPE"
  ],
  [
    "a link to the successor opened for a grant that did not accept it",
    together(
      afterwards(supersede(supplier)),
      {
        authority: (event, grant, index) =>
          void (grant === "supplier" && index === 1 && (event["change"].projectDigest = successorDigest))
      },
      salts((held, index) => index === 1 && held.unshift({ sequence: 2, salt: salt(3) }))
    ),
    "authority-salts",
    "AUTHORITY_SALT"
  ],
  ["a supersession with more in it", afterwards(altered(supersede(supplier), { note: "x" })), ...form],
  [
    "a supersession by other terms",
    afterwards(altered(supersede(supplier), { agreementDigest: hex("1") })),
    "event-agreement",
    "AGREEMENT_MISMATCH"
  ]
]

const agreementOf: ReadonlyArray<Row> = [
  [
    "a date",
    before("SUBMIT", altered(hold(buyer, "DELIVERY"), { agreementDigest: hex("1") }), lift(buyer, "DELIVERY"))
  ],
  [
    "a lifting",
    before("SUBMIT", hold(buyer, "DELIVERY"), altered(lift(buyer, "DELIVERY"), { agreementDigest: hex("1") }))
  ],
  ["a concern", afterwards(altered(concern(buyer), { agreementDigest: hex("1") }))],
  ["a resolution", afterwards(concern(buyer), altered(uphold(buyer), { agreementDigest: hex("1") }))],
  ["a withdrawal", afterwards(altered(withdraw(buyer), { agreementDigest: hex("1") }))],
  ["a change of the representative", afterwards(altered(rename(supplier, mia.id), { agreementDigest: hex("1") }))]
].map(([what, forgery]) => [
  `${what as string} under another agreement`,
  forgery as Forgery,
  "event-agreement",
  "AGREEMENT_MISMATCH"
])

/** No grant holds what only people do: the party is wrong as well as the action. */
const inPerson: ReadonlyArray<Row> = [
  ["a hold lifted by an agent", before("SUBMIT", hold(buyer, "DELIVERY"), lift("buyer", "DELIVERY")), ...parties],
  ["a concern dismissed by an agent", afterwards(concern(buyer), dismiss("buyer")), ...parties],
  ["a concern upheld by an agent", afterwards(concern(buyer), uphold("buyer")), ...parties],
  ["a withdrawal by an agent", afterwards(withdraw("buyer")), ...parties],
  ["a representative named by an agent", afterwards(rename("supplier", mia.id)), ...parties],
  ["terms replaced by an agent before they were agreed", before("RESPOND", supersede("buyer")), ...parties],
  ["terms replaced by the supplier before they were agreed", before("RESPOND", supersede(supplier)), ...parties]
]

describe("what people did not do in person", () => {
  refuseEach(inPerson)

  it("is not what a person of the buyer's side did, after whom nothing happens", () => {
    const report = verify(before("RESPOND", supersede(dan)))
    expect(failures(report)).toEqual(["history-moves JOURNAL_MOVE"])
  })
})
describe("a forged date revision", () => refuseEachAlone(holds))
describe("a forged concern, resolution or withdrawal", () => refuseEachAlone(concerns))
describe("a forged representative", () => refuseEachAlone(representatives))
describe("a forged end", () => refuseEachAlone(endings))
describe("a forged reference", () => refuseEachAlone(agreementOf))
