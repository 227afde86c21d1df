import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../../simulator/storage/memory-storage/layer.ts"
import { MemoryStore } from "../../simulator/storage/memory-storage/store.ts"
import { CurrentMemberships, Memberships } from "../../src/people/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { agreedProjectFacts, isOpenRevision, readRelatedFacts } from "../../src/projects/related-projects.ts"
import { noRelatedFacts } from "../../src/projects/guard-context.ts"
import { states, type Project } from "../../src/projects/project.ts"
import { Projects, type ProjectRow } from "../../src/projects/store.ts"
import { lockTables } from "../../src/tables.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { dayOne, projectIn, withSignatures, withTerms } from "../support/project.ts"
import { rowFor } from "../support/project-row.ts"
import { dana, member, sam, uuidOf } from "../support/project-people.ts"

describe("facts from agreed terms", () => {
  it.each(states)("isOpenRevision in %s holds only before the supplier's response.", (state) => {
    assert.strictEqual(isOpenRevision(state), ["AWAITING_SUPPLIER", "AGREEMENT_CHANGES_REQUESTED"].includes(state))
  })

  const pause = { side: "BUYER", by: dana.personId, at: dayOne, reason: "Stop." } as const
  const none = { isRepresentedByAnother: false, agreedPausedBy: [] }

  it("A revision reads the representative and the pauses of agreed terms in force.", () => {
    const agreed = { state: "LOCKED", supplierActorId: sam.personId, pauses: [] } as const
    assert.deepStrictEqual(agreedProjectFacts(undefined, sam.personId), none)
    assert.deepStrictEqual(agreedProjectFacts(agreed, sam.personId), none)
    const another = { ...none, isRepresentedByAnother: true }
    assert.deepStrictEqual(agreedProjectFacts(agreed, dana.personId), another)
    assert.deepStrictEqual(agreedProjectFacts(agreed, null), another)
    const paused = { ...agreed, pauses: [pause] }
    assert.deepStrictEqual(agreedProjectFacts(paused, sam.personId), { ...none, agreedPausedBy: ["BUYER"] })
    const ended = { ...paused, state: "BUYER_REJECTED" } as const
    assert.deepStrictEqual(agreedProjectFacts(ended, dana.personId), none)
  })
})

const otherId = `delivery_${uuidOf(5)}`
const organizationId = `organization_${uuidOf(2)}`

interface RelatedRows {
  readonly row?: Partial<ProjectRow>
  /** The other version, if there is one. */
  readonly other?: Partial<ProjectRow>
  /** A membership and its end. */
  readonly joined?: { readonly personId: string; readonly organizationId: string; readonly validUntil: Instant }
}

const relatedFactsOf = (project: Project, { row, other, joined }: RelatedRows, personId = sam.personId) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const membershipId = `membership_${uuidOf(1)}`
    const tenantId = `tenant_${uuidOf(1)}`
    const people =
      joined === undefined ? [] : [exclusive("person", joined.personId), exclusive("membership", membershipId)]
    yield* storage.transaction({ locks: [...people, exclusive("project", otherId)] }, (transaction) =>
      Effect.gen(function* () {
        if (other !== undefined) {
          yield* transaction.insert(Projects, rowFor(project, { ...other, projectId: otherId }))
        }
        if (joined === undefined) return
        const validity = { authorities: [], validFrom: dayOne, endedAt: null, effectiveUntil: joined.validUntil }
        yield* transaction.insert(Memberships, { membershipId, tenantId, ...validity, ...joined })
        const { validUntil: _, ...place } = joined
        yield* transaction.insert(CurrentMemberships, { ...place, membershipId })
      })
    )
    const stored = { project, row: rowFor(project, row) }
    return yield* storage.view((reader) => readRelatedFacts(reader, stored, { personId, organizationId }, dayOne))
  }).pipe(Effect.provide(layer(new MemoryStore(lockTables))), Effect.runPromise)

describe("related facts", () => {
  const waiting = () => projectIn("AWAITING_SUPPLIER")

  it("A project without other versions has no related facts.", async () => {
    assert.deepStrictEqual(await relatedFactsOf(waiting(), {}), noRelatedFacts)
  })

  it("An open revision is reported, a declined or missing one is not.", async () => {
    const row = { revisionProjectId: otherId }
    const inState = (state: "AWAITING_SUPPLIER" | "SUPPLIER_DECLINED") =>
      relatedFactsOf(waiting(), { row, other: { state } })
    assert.deepStrictEqual(await inState("AWAITING_SUPPLIER"), { ...noRelatedFacts, hasOpenRevision: true })
    assert.deepStrictEqual(await inState("SUPPLIER_DECLINED"), noRelatedFacts)
    assert.deepStrictEqual(await relatedFactsOf(waiting(), { row }), noRelatedFacts)
  })

  it("A different representative of the agreed project is reported on its revision.", async () => {
    const row = { supersedesProjectId: otherId, supplierActorId: sam.personId }
    const agreed = { state: "LOCKED", supplierActorId: sam.personId } as const
    assert.deepStrictEqual(await relatedFactsOf(waiting(), { row, other: agreed }), noRelatedFacts)
    const changed = { ...agreed, supplierActorId: dana.personId }
    const expected = { ...noRelatedFacts, isRepresentedByAnother: true }
    assert.deepStrictEqual(await relatedFactsOf(waiting(), { row, other: changed }), expected)
  })

  const signedFor = (counterparty: string, method: "NATIVE" | "EXTERNAL" = "NATIVE", project = waiting()) => {
    const { signing } = withSignatures(project, method).agreement.terms
    return withTerms(project, { signing: { ...signing!, counterparty } })
  }

  it("A named signer without a membership in force in the responding organization is reported as missing.", async () => {
    const missing = { ...noRelatedFacts, isSignerMissing: true }
    const joined = { personId: member.personId, organizationId, validUntil: addMilliseconds(dayOne, 1) }
    const signed = signedFor(member.personId)
    assert.deepStrictEqual(await relatedFactsOf(signed, {}), missing)
    assert.deepStrictEqual(await relatedFactsOf(signed, { joined }), noRelatedFacts)
    const inAnother = { ...joined, organizationId: `organization_${uuidOf(8)}` }
    assert.deepStrictEqual(await relatedFactsOf(signed, { joined: inAnother }), missing)
    assert.deepStrictEqual(await relatedFactsOf(signed, { joined: { ...joined, validUntil: dayOne } }), missing)
  })

  it("No signer is reported missing if the respondent signs, the agreement is signed elsewhere, or the terms were answered.", async () => {
    assert.deepStrictEqual(await relatedFactsOf(signedFor(member.personId), {}, member.personId), noRelatedFacts)
    assert.deepStrictEqual(await relatedFactsOf(withSignatures(waiting(), "NATIVE"), {}), noRelatedFacts)
    assert.deepStrictEqual(await relatedFactsOf(signedFor(member.personId, "EXTERNAL"), {}), noRelatedFacts)
    const locked = signedFor(member.personId, "NATIVE", projectIn("LOCKED"))
    assert.deepStrictEqual(await relatedFactsOf(locked, {}), noRelatedFacts)
  })
})
