import { assert, describe, it } from "@effect/vitest"
import { chainHash } from "../../src/canonical/chain.ts"
import { digestOf } from "../../src/canonical/digest.ts"
import { agreementDigest } from "../../src/projects/agreement.ts"
import { evolve, projectFrom } from "../../src/projects/evolve.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { actorOf, after, agreement, created, dayOne, happen, held, projectIn, superseded } from "../support/project.ts"
import { commandFor } from "../support/project-commands.ts"
import { dana, digestOfLetter, sam, uuidOf } from "../support/project-people.ts"

describe("an event", () => {
  it("that comes before its predecessor takes the predecessor's time", () => {
    const payload = { agreementDigest: created().agreementDigest, confirmationDigest: "c" }
    const next = happen(created(), { kind: "CREATE", payload }, dana, addMilliseconds(dayOne, -1))
    assert.strictEqual(next.events.at(-1)?.occurredAt, dayOne)
  })

  it("hashes everything but the time of its signature", () => {
    const [{ hash, ...payload } = assert.fail("no event")] = created().events
    assert.strictEqual(chainHash({ ...payload, issuedAt: "2030-01-01T00:00:00.000Z" }), hash)
    const others = {
      schema: "other",
      projectId: "other",
      sequence: 2,
      previous: "other",
      kind: "SUBMIT",
      requestId: "other",
      actor: { ...payload.actor, id: "other" },
      payload: { ...payload.payload, agreementDigest: "other" },
      occurredAt: "2030-01-01T00:00:00.000Z"
    }
    for (const [member, value] of Object.entries(others)) {
      assert.notStrictEqual(chainHash({ ...payload, [member]: value }), hash, member)
    }
  })
})

describe("what an event makes of a project", () => {
  it("a project before its first event stands on its agreement", () => {
    const digest = agreementDigest(agreement)
    const empty = projectFrom(agreement, digest, [])
    assert.deepStrictEqual(
      { state: empty.state, head: empty.head, events: empty.events },
      { state: "AWAITING_SUPPLIER", head: digest, events: [] }
    )
  })

  it("a response makes the actor's organization the supplier's", () => {
    const { supplier, events } = projectIn("LOCKED")
    const { id, organizationId } = events.at(-1)!.actor
    assert.deepStrictEqual(supplier, { actorId: id, organizationId })
  })

  it("a submission is digested as it was sent, and answers the review before it", () => {
    const { submission, events } = projectIn("SUBMITTED")
    assert.strictEqual(submission?.digest, digestOf(events.at(-1)!.payload))
    const asked = projectIn("CHANGES_REQUESTED")
    assert.isNotNull(asked.review)
    assert.isNull(after(asked, commandFor.SUBMIT(asked)).review)
  })

  it("only an acceptance makes a confirmation, of its review and submission", () => {
    for (const state of ["CHANGES_REQUESTED", "AWAITING_EVIDENCE", "BUYER_REJECTED"] as const) {
      assert.isNull(projectIn(state).confirmation, state)
    }
    const { confirmation, review, submission } = projectIn("BUYER_CONFIRMED")
    assert.strictEqual(confirmation?.reviewId, review?.reviewId)
    assert.strictEqual(confirmation?.submissionId, submission?.submissionId)
  })

  it("whoever accepts an invitation represents the supplier, for the organization that they chose", () => {
    const nobody = { ...created(), supplier: { actorId: null, organizationId: null } }
    const payload = {
      agreementDigest: nobody.agreementDigest,
      invitationId: `invitation_${uuidOf(1)}`,
      supplierActorId: sam.personId
    }
    const invited = happen(nobody, { kind: "INVITATION_ACCEPTED", payload }, sam)
    const { id, organizationId } = actorOf(sam)
    assert.deepStrictEqual(invited.supplier, { actorId: id, organizationId })
    assert.strictEqual(invited.state, "AWAITING_SUPPLIER")
  })

  it("an acceptance without a signature keeps none", () => {
    assert.deepStrictEqual([...projectIn("BUYER_CONFIRMED").signatures], [])
  })

  it("a digest is shown with what it is of", () => {
    const { submission, review } = projectIn("BUYER_CONFIRMED")
    assert.include(Object.keys(submission ?? {}), "digest")
    assert.include(Object.keys(review ?? {}), "digest")
  })

  it("a superseded project names its successor, and nothing waits in it any more", () => {
    const contested = projectIn("CONFIRMATION_CONTESTED")
    const ended = superseded({ ...contested, hold: held(contested, "REVIEW").hold })
    assert.deepStrictEqual(ended.successor, { projectId: `delivery_${uuidOf(2)}`, digest: digestOfLetter("9") })
    assert.deepStrictEqual([ended.hold, ended.concern], [null, null])
  })

  it("an issued record is named, and the acceptance stays", () => {
    const confirmed = projectIn("BUYER_CONFIRMED")
    const recorded = after(confirmed, commandFor.ISSUE(confirmed))
    assert.match(recorded.recordId ?? "", /^record_/)
    assert.strictEqual(recorded.state, "BUYER_CONFIRMED")
    assert.deepStrictEqual(recorded.confirmation, confirmed.confirmation)
  })

  it("the project before it is left as it was", () => {
    const project = created()
    const before = structuredClone(project)
    evolve(project, projectIn("LOCKED").events.at(-1)!)
    assert.deepStrictEqual(project, before)
  })
})
