import { Effect } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { everyChainVerifies } from "../../../../simulator/properties/safety/every-chain-verifies.ts"
import { eventTimestampsAreMonotonic } from "../../../../simulator/properties/safety/event-timestamps-are-monotonic.ts"
import type { MonitoredProperty } from "../../../../simulator/properties/property.ts"
import { AuthorityEvents, Grants, type GrantRow } from "../../../../src/access/store.ts"
import { chainHash } from "../../../../src/canonical/chain.ts"
import type { KeyPurpose } from "../../../../src/ports/signer.ts"
import { addMilliseconds } from "../../../../src/vocabulary/instant.ts"
import { SyntheticRun, noon, put, signer } from "../../support/synthetic-run.ts"

const sealed = (sequence: number, previous: string | null, changes: object = {}, purpose: KeyPurpose = "AUTHORITY") => {
  const occurredAt = noon
  const payload = {
    schema: "service.authority-event/v1",
    grantId: "grant_1",
    sequence,
    previous,
    kind: "REVOKE",
    change: {},
    occurredAt,
    issuedAt: occurredAt,
    ...changes
  }
  const jws = Effect.runSync(Effect.orDie(signer.sign(purpose, payload)))
  return { grantId: "grant_1", sequence, hash: chainHash(payload), jws }
}

const first = sealed(1, null)
const second = sealed(2, first.hash)

const grant = (authorityHead: string, authoritySequence: number): GrantRow => ({
  grantId: "grant_1",
  tenantId: "tenant_1",
  organizationId: "organization_1",
  membershipId: "membership_1",
  personId: "person_1",
  authorizerName: "Dana",
  agentId: "agent_1",
  agentName: "scout",
  role: "BUYER",
  actions: [],
  subjectRequirements: [],
  createdAt: noon,
  expiresAt: addMilliseconds(noon, 1000),
  revokedAt: null,
  generation: 1,
  projectCount: 0,
  proposalCount: 0,
  jobCount: 0,
  draftCount: 0,
  authorityHead,
  authoritySequence,
  authorityAt: noon
})

const begun = (property: MonitoredProperty = everyChainVerifies) =>
  new SyntheticRun(property).commits("worker", put(AuthorityEvents, first), put(Grants, grant(first.hash, 1)))

const appended = (event: typeof second, head = event.hash, count = 2) =>
  begun().commits("worker", put(AuthorityEvents, event), put(Grants, grant(head, count)))

describe("every chain verifies", () => {
  it("A signed, linked and counted event is allowed", () => {
    assert.isUndefined(appended(second).violation)
  })

  it.each([
    ["names another predecessor", sealed(2, second.hash)],
    ["is signed for another grant", sealed(2, first.hash, { grantId: "grant_2" })],
    ["is signed for another position", { ...sealed(3, first.hash), sequence: 2 }],
    ["is signed with a key for events of projects", sealed(2, first.hash, {}, "EVENT")],
    ["is of another schema", sealed(2, first.hash, { schema: "service.project-event/v1" })],
    ["is stored under another hash", { ...second, hash: first.hash }],
    ["has the signature of another event", { ...second, jws: withSignatureOf(first.jws, second.jws) }],
    ["is no JWS", { ...second, jws: "nothing" }]
  ])("An event that %s is a violation", (_, event) => {
    assert.isDefined(appended(event).violation)
  })

  it("A wrong head and a wrong event count are violations", () => {
    assert.isDefined(appended(second, first.hash).violation)
    assert.isDefined(appended(second, second.hash, 3).violation)
    assert.isDefined(begun().commits("worker", put(Grants, grant(first.hash, 0))).violation)
  })

  it("A gap in the sequence and an overwritten event are violations", () => {
    const third = sealed(3, first.hash)
    assert.isDefined(appended(third, third.hash, 3).violation)
    assert.isDefined(
      begun().commits("worker", put(AuthorityEvents, sealed(1, null, { change: { again: true } }))).violation
    )
  })

  it("An event signed before the validity of its key is a violation", () => {
    const keys = {
      ...signer.keys,
      keys: signer.keys.keys.map((key) => ({ ...key, validFrom: addMilliseconds(noon, 1) }))
    }
    const run = new SyntheticRun(everyChainVerifies, keys)
    assert.isDefined(run.commits("worker", put(AuthorityEvents, first), put(Grants, grant(first.hash, 1))).violation)
  })
})

describe("event timestamps are monotonic", () => {
  it("An equal timestamp is allowed, and an earlier one than the predecessor's is a violation", () => {
    const earlier = sealed(2, first.hash, { occurredAt: addMilliseconds(noon, -1) })
    assert.isUndefined(begun(eventTimestampsAreMonotonic).commits("worker", put(AuthorityEvents, second)).violation)
    assert.isDefined(begun(eventTimestampsAreMonotonic).commits("worker", put(AuthorityEvents, earlier)).violation)
  })
})

function withSignatureOf(one: string, other: string): string {
  return [...other.split(".").slice(0, 2), one.split(".")[2]].join(".")
}
