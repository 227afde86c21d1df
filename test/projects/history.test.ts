import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { chainHash } from "../../src/canonical/chain.ts"
import { digestOf } from "../../src/canonical/digest.ts"
import { agreementDigest } from "../../src/projects/agreement.ts"
import { decide } from "../../src/projects/decide.ts"
import { evolve, projectFrom, type Project } from "../../src/projects/project.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import {
  after,
  agreement,
  commandFor,
  created,
  dayOne,
  givenAt,
  happen,
  projectIn,
  type CommandName
} from "../support/project.ts"

/** Where each accepted command leads, whatever came before it. */
const leadsTo: { readonly [N in CommandName]: string } = {
  RESPOND_ACCEPT: "LOCKED",
  RESPOND_REQUEST_CHANGES: "AGREEMENT_CHANGES_REQUESTED",
  RESPOND_DECLINE: "SUPPLIER_DECLINED",
  SUBMIT: "SUBMITTED",
  REVIEW_REQUEST_CHANGES: "CHANGES_REQUESTED",
  REVIEW_REQUEST_EVIDENCE: "AWAITING_EVIDENCE",
  REVIEW_ACCEPT: "BUYER_CONFIRMED",
  REVIEW_REJECT: "BUYER_REJECTED",
  ISSUE: "BUYER_CONFIRMED"
}
const commandNames = Object.keys(leadsTo) as ReadonlyArray<CommandName>

/** Any command, or one of those that the project takes now, so that walks get far. */
interface Step {
  readonly pick: number
  readonly isPossible: boolean
  readonly days: number
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  pick: fc.nat(1_000),
  isPossible: fc.boolean(),
  days: fc.integer({ min: -1, max: 1 })
})

interface Walk {
  readonly project: Project
  readonly accepted: ReadonlyArray<CommandName>
}

/** Sends each command in turn; a refused one changes nothing. */
const walk = (steps: ReadonlyArray<Step>): Walk => {
  let now = dayOne
  return steps.reduce<Walk>(
    ({ project, accepted }, { pick, isPossible, days }) => {
      now = addMilliseconds(now, days * 86_400_000)
      const isTaken = (name: CommandName) => Result.isSuccess(decide(project, commandFor[name](project), givenAt(now)))
      const choice = isPossible ? commandNames.filter(isTaken) : commandNames
      const name = choice[pick % choice.length]
      if (name === undefined || !isTaken(name)) return { project, accepted }
      return { project: after(project, commandFor[name](project), now), accepted: [...accepted, name] }
    },
    { project: created, accepted: [] }
  )
}

const anyWalk = fc.array(anyStep, { maxLength: 25, size: "max" }).map(walk)
const check = (property: (walked: Walk) => void) => () =>
  fc.assert(fc.property(anyWalk, property), { numRuns: 200, seed: 20260101 })

describe("any walk of commands", () => {
  it(
    "ends in the state to which the table leads from its last accepted command",
    check(({ project, accepted }) => {
      const last = accepted.at(-1)
      assert.strictEqual(project.state, last === undefined ? "AWAITING_SUPPLIER" : leadsTo[last])
    })
  )

  it("reaches deliveries, corrections and records at all", () => {
    const walks = fc.sample(anyWalk, { numRuns: 200, seed: 20260101 })
    const seen = new Set(walks.flatMap(({ accepted }) => accepted))
    assert.deepStrictEqual([...seen].sort(), [...commandNames].sort())
    assert.isAbove(Math.max(...walks.map(({ accepted }) => accepted.length)), 6)
  })

  it(
    "leaves a chain: each event names its predecessor, the first one the agreement",
    check(({ project }) => {
      const { events } = project
      assert.deepStrictEqual(
        events.map(({ previous }) => previous),
        [project.agreementDigest, ...events.slice(0, -1).map(({ hash }) => hash)]
      )
      assert.strictEqual(project.head, events.at(-1)?.hash)
    })
  )

  it(
    "gives each event the hash of what it says",
    check(({ project }) => {
      for (const { hash, ...payload } of project.events) assert.strictEqual(hash, chainHash(payload))
    })
  )

  it(
    "counts its events from 1 without a gap, and never turns time back",
    check(({ project }) => {
      const { events } = project
      assert.deepStrictEqual(
        events.map(({ sequence }) => sequence),
        events.map((_, index) => index + 1)
      )
      const times = events.map(({ occurredAt }) => occurredAt)
      assert.deepStrictEqual(times, [...times].sort())
    })
  )

  it(
    "reads back from its events as it was made step by step",
    check(({ project }) => {
      assert.deepStrictEqual(projectFrom(project.agreement, project.agreementDigest, project.events), project)
    })
  )
})

describe("an event", () => {
  it("that comes before its predecessor takes the predecessor's time", () => {
    const payload = { agreementDigest: created.agreementDigest, confirmationDigest: "c" }
    const next = happen(created, { kind: "CREATE", payload }, "BUYER", addMilliseconds(dayOne, -1))
    assert.strictEqual(next.events.at(-1)?.occurredAt, dayOne)
  })

  it("hashes everything but the time of its signature", () => {
    const [{ hash, ...payload } = assert.fail("no event")] = created.events
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

  it("an issued record is named, and the acceptance stays", () => {
    const confirmed = projectIn("BUYER_CONFIRMED")
    const recorded = after(confirmed, commandFor.ISSUE(confirmed))
    assert.match(recorded.recordId ?? "", /^record_/)
    assert.strictEqual(recorded.state, "BUYER_CONFIRMED")
    assert.deepStrictEqual(recorded.confirmation, confirmed.confirmation)
  })

  it("the project before it is left as it was", () => {
    const before = structuredClone(created)
    evolve(created, projectIn("LOCKED").events.at(-1)!)
    assert.deepStrictEqual(created, before)
  })
})
