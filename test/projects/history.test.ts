import { assert, describe, it } from "@effect/vitest"
import { chainHash } from "../../src/canonical/chain.ts"
import { digestOf } from "../../src/canonical/digest.ts"
import { agreementDigest } from "../../src/projects/agreement.ts"
import type { EventContent } from "../../src/projects/event.ts"
import { evolve, moveOfEvent, projectFrom } from "../../src/projects/evolve.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import {
  actorOf,
  afterCommand,
  agreement,
  created,
  dayOne,
  applyEvent,
  withDateRevision,
  projectIn,
  supersede
} from "../support/project.ts"
import { commandFor, items } from "../support/project-commands.ts"
import { dana, digestOfCharacter, sam, uuidOf } from "../support/project-people.ts"

describe("events", () => {
  it("An event that would precede its predecessor takes the predecessor's time.", () => {
    const payload = { agreementDigest: created().agreementDigest, confirmationDigest: "c" }
    const next = applyEvent(created(), { kind: "CREATE", payload }, dana, addMilliseconds(dayOne, -1))
    assert.strictEqual(next.events.at(-1)?.occurredAt, dayOne)
  })

  it("The hash of an event covers every member except issuedAt.", () => {
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

describe("the move that an event records", () => {
  const moveOf = (kind: string, by: typeof dana, payload: object = {}) =>
    moveOfEvent({ kind, payload } as EventContent, actorOf(by))

  it.each([
    ["CREATE", dana, {}, undefined],
    ["INVITATION_ACCEPTED", sam, {}, "ACCEPT_INVITATION"],
    ["ISSUE", dana, {}, "ISSUE"],
    ["SUPERSEDE", dana, {}, "REPLACE_TERMS"],
    ["SUPERSEDE", sam, {}, "SUPERSEDE"],
    ["REVIEW", dana, { action: "REJECT" }, "REVIEW_REJECT"]
  ] as const)("%s has its move", (kind, by, payload, move) => {
    assert.strictEqual(moveOf(kind, by, payload), move)
  })
})

describe("folding events into a project", () => {
  it("A project without events has its agreement's digest as head.", () => {
    const digest = agreementDigest(agreement)
    const empty = projectFrom(agreement, digest, [])
    assert.deepStrictEqual(
      { state: empty.state, head: empty.head, events: empty.events },
      { state: "AWAITING_SUPPLIER", head: digest, events: [] }
    )
  })

  it("A response sets the supplier's organization to the actor's.", () => {
    const { supplier, events } = projectIn("LOCKED")
    const { id, organizationId } = events.at(-1)!.actor
    assert.deepStrictEqual(supplier, { actorId: id, organizationId })
  })

  it("The digest of a submission covers its payload, and a submission clears the review before it.", () => {
    const { submission, events } = projectIn("SUBMITTED")
    assert.strictEqual(submission?.digest, digestOf(events.at(-1)!.payload))
    const asked = projectIn("CHANGES_REQUESTED")
    assert.isNotNull(asked.review)
    assert.isNull(afterCommand(asked, commandFor.SUBMIT(asked)).review)
  })

  it("Only an acceptance sets a confirmation, which names its review and submission.", () => {
    for (const state of ["CHANGES_REQUESTED", "AWAITING_EVIDENCE", "BUYER_REJECTED"] as const) {
      assert.isNull(projectIn(state).confirmation, state)
    }
    const { confirmation, review, submission } = projectIn("BUYER_CONFIRMED")
    assert.strictEqual(confirmation?.reviewId, review?.reviewId)
    assert.strictEqual(confirmation?.submissionId, submission?.submissionId)
  })

  it("An acceptance states the checked files as they were sent.", () => {
    const accepted = projectIn("BUYER_CONFIRMED").review
    assert(accepted?.action === "ACCEPT")
    assert.deepStrictEqual(
      accepted.checkedFiles.map(({ name }) => name),
      items.flatMap(({ files }) => files.map(({ name }) => name))
    )
  })

  it("A person who resolves a concern ends it, however it is resolved.", () => {
    const contested = projectIn("CONFIRMATION_CONTESTED")
    assert.isNotNull(contested.concern)
    for (const name of ["DISMISS_CONCERN", "UPHOLD_CONCERN"] as const) {
      assert.isNull(afterCommand(contested, commandFor[name](contested)).concern, name)
    }
  })

  it("A person who accepts an invitation becomes the supplier's representative for the chosen organization.", () => {
    const unnamed = { ...created(), supplier: { actorId: null, organizationId: null } }
    const payload = {
      agreementDigest: unnamed.agreementDigest,
      invitationId: `invitation_${uuidOf(1)}`,
      supplierActorId: sam.personId
    }
    const invited = applyEvent(unnamed, { kind: "INVITATION_ACCEPTED", payload }, sam)
    const { id, organizationId } = actorOf(sam)
    assert.deepStrictEqual(invited.supplier, { actorId: id, organizationId })
    assert.strictEqual(invited.state, "AWAITING_SUPPLIER")
  })

  it("An acceptance without a signature adds no signature.", () => {
    assert.deepStrictEqual([...projectIn("BUYER_CONFIRMED").signatures], [])
  })

  it("The digests of the submission and the review are enumerable.", () => {
    const { submission, review } = projectIn("BUYER_CONFIRMED")
    assert.include(Object.keys(submission ?? {}), "digest")
    assert.include(Object.keys(review ?? {}), "digest")
  })

  it("A superseded project names its successor and has neither a hold nor a concern.", () => {
    const contested = projectIn("CONFIRMATION_CONTESTED")
    const ended = supersede({ ...contested, hold: withDateRevision(contested, "REVIEW").hold })
    assert.deepStrictEqual(ended.successor, { projectId: `delivery_${uuidOf(2)}`, digest: digestOfCharacter("9") })
    assert.deepStrictEqual([ended.hold, ended.concern], [null, null])
  })

  it("Issuance sets the record id and keeps the acceptance.", () => {
    const confirmed = projectIn("BUYER_CONFIRMED")
    const recorded = afterCommand(confirmed, commandFor.ISSUE(confirmed))
    assert.match(recorded.recordId ?? "", /^record_/)
    assert.strictEqual(recorded.state, "BUYER_CONFIRMED")
    assert.deepStrictEqual(recorded.confirmation, confirmed.confirmation)
  })

  it("Folding an event does not mutate the project before it.", () => {
    const project = created()
    const before = structuredClone(project)
    evolve(project, projectIn("LOCKED").events.at(-1)!)
    assert.deepStrictEqual(project, before)
  })
})
