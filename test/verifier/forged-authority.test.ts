/** Forgeries of an agent's authority. */
import { assert, describe, expect, it } from "vitest"
import {
  editAgreement,
  editAuthority,
  editContent,
  failures,
  hex,
  refuseEach,
  refuseEachAlone,
  type ForgeryRow,
  verify
} from "./forgeries.ts"
import { ids } from "./sample-ids.ts"
import type { Forgery } from "./sample.ts"
import { at, uuid } from "./signing.ts"

const human = ["event-human-decision", "HUMAN_DECISION"] as const

const wideGrant = {
  agentId: ids.buyerAgent,
  organizationId: ids.buyerOrganization,
  subjectId: ids.buyer,
  role: "BUYER",
  actions: ["CREATE_PROJECT", "CONFIRM_COMPLETION"],
  subjectRequirements: [],
  expiresAt: at(50)
}

const authority: ReadonlyArray<ForgeryRow> = [
  ["a chain left out", editContent((content) => content["authority"].pop()), "authority-set", "AUTHORITY_SET"],
  [
    "a duplicate chain",
    editContent((content) => content["authority"].push(content["authority"][1])),
    "authority-set",
    "AUTHORITY_SET"
  ],
  [
    "unsorted chains",
    editContent((content) => (content["authority"] = content["authority"].toReversed())),
    "authority-set",
    "AUTHORITY_SET"
  ],
  [
    "a chain under another grant's id",
    editContent((content) => (content["authority"][0].events = content["authority"][1].events)),
    "authority-chain",
    "AUTHORITY_CHAIN"
  ],
  [
    "a chain without its first event",
    editContent((content) => content["authority"][0].events.shift()),
    "authority-chain",
    "AUTHORITY_CHAIN"
  ],
  [
    "a chain without a middle event",
    editContent((content) => content["authority"][0].events.splice(1, 1)),
    "authority-chain",
    "AUTHORITY_CHAIN"
  ],
  [
    "a chain with a wrong predecessor",
    editAuthority(2, (event) => (event["previous"] = hex("8"))),
    "authority-chain",
    "AUTHORITY_CHAIN"
  ],
  [
    "a renewal that skips a generation",
    editAuthority(3, (event) => (event["change"].generation = 3)),
    "authority-chain",
    "AUTHORITY_CHAIN"
  ],
  [
    "a renewal of the first generation",
    editAuthority(3, (event) => (event["change"].generation = 1)),
    "authority-chain",
    "AUTHORITY_CHAIN"
  ],
  [
    "a predecessor of the first event of a chain",
    editAuthority(0, (event) => (event["previous"] = hex("8"))),
    "authority-chain",
    "AUTHORITY_CHAIN"
  ],
  [
    "an empty chain",
    editContent((content) => (content["authority"][0].events = [])),
    "authority-chain",
    "AUTHORITY_CHAIN"
  ],
  [
    "a chain truncated before the head in use",
    editContent((content) => content["authority"][0].events.pop()),
    "event-authority",
    "AUTHORITY_HEAD"
  ],
  [
    "a revocation before the action",
    editAuthority(3, (event) => Object.assign(event, { kind: "REVOKE", change: {} })),
    "event-authority",
    "AUTHORITY_REVOKED"
  ],
  [
    "an action at the expiry",
    editAuthority(3, (event) => (event["change"].expiresAt = at(13))),
    "event-authority",
    "AUTHORITY_EXPIRED"
  ],
  [
    "authority granted after the action",
    editAuthority(3, (event) => (event["occurredAt"] = event["issuedAt"] = at(10, 1))),
    "event-authority",
    "AUTHORITY_TIME"
  ],
  [
    "another subject",
    editAuthority(0, (event) => (event["change"].subjectId = `person_${uuid(88)}`)),
    "event-authority",
    "AUTHORITY_SUBJECT"
  ],
  [
    "another organization",
    editAuthority(0, (event) => (event["change"].organizationId = `organization_${uuid(88)}`)),
    "event-authority",
    "AUTHORITY_SUBJECT"
  ],
  [
    "another role",
    editAuthority(0, (event) => (event["change"].role = "SUPPLIER")),
    "event-authority",
    "AUTHORITY_SUBJECT"
  ],
  [
    "another agent",
    editAuthority(0, (event) => (event["change"].agentId = `agent_${uuid(88)}`)),
    "event-authority",
    "AUTHORITY_AGENT"
  ],
  [
    "an action that was not granted",
    editAuthority(0, (event) => event["change"].actions.pop()),
    "event-authority",
    "AUTHORITY_ACTION"
  ],
  [
    "an acceptance by an agent that may only review",
    {
      authority: (event, grant, index) =>
        void (grant === "buyer" && index === 0 && event["change"].actions.splice(2, 1)),
      history: (events) => void (events[5]!["actor"].execution = structuredClone(events[3]!["actor"].execution))
    },
    "event-authority",
    "AUTHORITY_ACTION"
  ],
  [
    "no link to this project",
    editContent((content) => (content["authority"][0].salts = [])),
    "event-authority",
    "AUTHORITY_SCOPE"
  ],
  [
    "a salt that opens nothing",
    editContent((content) => (content["authority"][0].salts[0].salt = hex("9"))),
    "authority-salts",
    "AUTHORITY_SALT"
  ],
  [
    "a salt for another project's link",
    editContent((content) => (content["authority"][0].salts[0].sequence = 2)),
    "authority-salts",
    "AUTHORITY_SALT"
  ],
  [
    "a duplicate salt",
    editContent((content) => content["authority"][0].salts.push(content["authority"][0].salts[0])),
    "authority-salts",
    "AUTHORITY_SALT"
  ],
  [
    "a decision by an agent that is reserved for people",
    editAgreement(
      (agreement) =>
        (agreement["terms"].subjectRequirements = [{ id: "r1", statement: "People issue", humanDecisions: ["ISSUE"] }])
    ),
    "event-human-decision",
    "HUMAN_DECISION"
  ],
  [
    "a chain with a duplicate sequence number",
    editAuthority(2, (event) => (event["sequence"] = 2)),
    "authority-chain",
    "AUTHORITY_CHAIN"
  ],
  [
    "a chain whose issuedAt differs from occurredAt",
    editAuthority(2, (event) => (event["issuedAt"] = at(2, 1))),
    "authority-chain",
    "AUTHORITY_CHAIN"
  ],
  [
    "a chain with decreasing times",
    editAuthority(2, (event) => (event["occurredAt"] = event["issuedAt"] = at(0, 999))),
    "authority-chain",
    "AUTHORITY_CHAIN"
  ],
  [
    "a second GRANT",
    {
      authority: (event, grant, index) =>
        grant === "buyer" && index === 1 ? { ...event, kind: "GRANT", change: wideGrant } : undefined
    },
    "authority-chain",
    "AUTHORITY_CHAIN"
  ],
  [
    "a chain without a GRANT",
    editAuthority(0, (event) => Object.assign(event, { kind: "REVOKE", change: {} })),
    "authority-chain",
    "AUTHORITY_CHAIN"
  ],
  [
    "a renewal after the revocation",
    editAuthority(2, (event) => Object.assign(event, { kind: "REVOKE", change: {} })),
    "authority-chain",
    "AUTHORITY_CHAIN"
  ],
  [
    "a salt for a renewal",
    editContent((content) => (content["authority"][0].salts[0].sequence = 4)),
    "authority-salts",
    "AUTHORITY_SALT"
  ],
  [
    "a salt beyond the chain",
    editContent((content) => (content["authority"][0].salts[0].sequence = 9)),
    "authority-salts",
    "AUTHORITY_SALT"
  ]
]

/** Reserves reviews for people; a person makes the first one. */
const reserveDecision = (decision: string): Forgery => ({
  ...editAgreement(({ terms }) => (terms.subjectRequirements = [{ humanDecisions: [decision] }])),
  history: (events, agents) => {
    events[3]!["actor"] = { ...agents.buyer, execution: null }
    events[5]!["actor"] = agents.buyer
  }
})

const reservedDecisions: ReadonlyArray<ForgeryRow> = [
  ["an acceptance by an agent where acceptances are reserved for people", reserveDecision("ACCEPT"), ...human],
  ["an acceptance by an agent where reviews are reserved for people", reserveDecision("REVIEW"), ...human]
]

/** The buyer's agent names the head before the last event of its grant, which is `ms` earlier than its last act. */
const underOutdatedHead = (ms: number, last: Forgery): Forgery => ({
  ...last,
  head: 2,
  history: (events) => events.map((event) => ({ ...event, actor: { ...event["actor"], execution: null } })),
  authority: (event, grant, index) => {
    if (grant !== "buyer" || index !== 3) return
    event["occurredAt"] = event["issuedAt"] = at(18, -ms)
    last.authority?.(event, grant, index)
  }
})
const revoke = editAuthority(3, (event) => Object.assign(event, { kind: "REVOKE", change: {} }))
const shorten = editAuthority(3, (event) => (event["change"].expiresAt = at(18)))

describe("an act under an outdated authority head", () => {
  it.each([
    ["a revocation", revoke],
    ["a renewal that ends the grant earlier", shorten]
  ])("an act under an outdated authority head is refused if %s is more than five seconds old", (_, last) => {
    expect(failures(verify(underOutdatedHead(5_001, last)))).toEqual(["event-authority AUTHORITY_HEAD"])
    expect(failures(verify(underOutdatedHead(5_000, last)))).toEqual([])
  })
})

describe("decisions reserved for people", () => {
  refuseEachAlone(reservedDecisions)

  it("a reserved decision of an unknown name restricts no agent", () => {
    assert.strictEqual(verify(reserveDecision("RESPONSE")).exit, 0)
  })
})
describe("forged authority", () => refuseEach(authority))
