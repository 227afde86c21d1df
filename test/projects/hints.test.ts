import { assert, describe, it } from "@effect/vitest"
import { actions, isForRole, type Action, type Role } from "../../src/access/actions.ts"
import { openConfirmations } from "../../src/projects/confirmation.ts"
import { hintsFor, nextActionFor, type Situation, type Viewer } from "../../src/projects/hints.ts"
import { states, type Project, type State } from "../../src/projects/project.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { after, commandFor, dayOne, deadline, keeping, projectIn, reviewDeadline } from "../support/project.ts"

const humanUrl = "https://countersign.test/workspace/projects/one"

const situation = (project: Project, changes: Partial<Situation> = {}): Situation => ({
  project,
  isPaused: false,
  isIssuanceOpen: false,
  now: dayOne,
  humanUrl,
  ...changes
})

/** An agent of that side whose grant holds every action of the side, or these. */
const agent = (role: Role, ...held: ReadonlyArray<Action>): Viewer => ({
  role,
  isPerson: false,
  mayAct: (action) => (held.length === 0 ? isForRole(action, role) : held.includes(action))
})

interface Expected {
  readonly BUYER: ReadonlyArray<Action>
  readonly SUPPLIER: ReadonlyArray<Action>
  readonly next: readonly [party: Role | "NONE", action: string, agentAction: Action | null, dueAt: string | null]
  readonly confirmations: ReadonlyArray<string>
}

const nothing = { BUYER: [], SUPPLIER: [], confirmations: [] }
const over: Expected = { ...nothing, next: ["NONE", "NONE", null, null] }

const expected: { readonly [S in State]: Expected } = {
  AWAITING_SUPPLIER: {
    ...nothing,
    SUPPLIER: ["RESPOND_TERMS"],
    next: ["SUPPLIER", "RESPOND", "RESPOND_TERMS", deadline],
    confirmations: ["respond"]
  },
  LOCKED: {
    ...nothing,
    SUPPLIER: ["SUBMIT_MATERIALS"],
    next: ["SUPPLIER", "SUBMIT", "SUBMIT_MATERIALS", deadline]
  },
  SUBMITTED: {
    ...nothing,
    BUYER: ["REVIEW_DELIVERY", "CONFIRM_COMPLETION"],
    next: ["BUYER", "REVIEW", "REVIEW_DELIVERY", reviewDeadline],
    confirmations: ["acceptance"]
  },
  CHANGES_REQUESTED: {
    ...nothing,
    SUPPLIER: ["SUBMIT_MATERIALS"],
    next: ["SUPPLIER", "SUBMIT", "SUBMIT_MATERIALS", reviewDeadline]
  },
  AWAITING_EVIDENCE: {
    ...nothing,
    SUPPLIER: ["SUBMIT_MATERIALS"],
    next: ["SUPPLIER", "SUBMIT", "SUBMIT_MATERIALS", reviewDeadline]
  },
  AGREEMENT_CHANGES_REQUESTED: { ...nothing, next: ["BUYER", "REVISE_AGREEMENT", null, null] },
  SUPPLIER_DECLINED: over,
  BUYER_REJECTED: over,
  BUYER_CONFIRMED: {
    ...nothing,
    BUYER: ["ISSUE_RESULT_RECORD"],
    next: ["BUYER", "ISSUE_RECORD", "ISSUE_RESULT_RECORD", null],
    confirmations: ["issuance"]
  },
  CONFIRMATION_CONTESTED: { ...nothing, next: ["BUYER", "RESOLVE_CONCERN", null, null] },
  CONFIRMATION_WITHDRAWN: over,
  SUPERSEDED: over
}

const sides = states.flatMap((state) => (["BUYER", "SUPPLIER"] as const).map((role) => ({ state, role })))

describe("what an agent can do next", () => {
  it.each(sides)("available to the $role in $state", ({ state, role }) => {
    const hints = hintsFor(situation(projectIn(state)), agent(role))
    assert.deepStrictEqual([...hints.availableActions], [...expected[state][role]])
    assert.deepStrictEqual(hints.blockedActions, [])
  })

  it.each(sides)("paused, the same is blocked for the $role in $state", ({ state, role }) => {
    const hints = hintsFor(situation(projectIn(state), { isPaused: true }), agent(role))
    assert.deepStrictEqual([...hints.availableActions], [])
    assert.deepStrictEqual(
      hints.blockedActions,
      expected[state][role].map((action) => ({
        action,
        reason: "AGENT_PAUSED",
        nextAction: "WAIT_FOR_HUMAN" as const,
        requiredHumanAction: "RESUME_AGENTS",
        humanUrl
      }))
    )
  })

  it.each(sides)("the next action as the $role sees it in $state", ({ state, role }) => {
    const project = projectIn(state)
    const [party, action, agentAction, dueAt] = expected[state].next
    const { reason, ...next } = nextActionFor(situation(project), agent(role))
    assert.deepStrictEqual(next, {
      party,
      viewer: party === "NONE" ? "NONE" : party === role ? "NEEDS_YOU" : "WAITING",
      action,
      agentAction,
      dueAt: dueAt as typeof deadline | null,
      agreementVersion: 1,
      expectedHeadEventHash: project.head
    })
    assert.isNotEmpty(reason)
  })

  it.each(states)("the confirmations that can be made in %s", (state) => {
    assert.deepStrictEqual(Object.keys(openConfirmations(projectIn(state))), expected[state].confirmations)
  })

  it.each(actions)("a grant without %s is offered nothing by it", (action) => {
    for (const { state, role } of sides) {
      const held = actions.filter((one) => one !== action && isForRole(one, role))
      const { availableActions } = hintsFor(situation(projectIn(state)), agent(role, ...held))
      assert.notInclude(availableActions, action)
    }
  })
})

describe("each decision is judged by itself", () => {
  const decisions = (project: Project, viewer: Viewer, changes: Partial<Situation> = {}) =>
    hintsFor(situation(project, changes), viewer).decisionActions.map(
      ({ decision, allowed, reason, nextAction }) => [decision, allowed, reason, nextAction] as const
    )

  it("a reviewer may do everything but accept", () => {
    assert.deepStrictEqual(decisions(projectIn("SUBMITTED"), agent("BUYER", "REVIEW_DELIVERY")), [
      ["REQUEST_CHANGES", true, null, "REVIEW_DELIVERY"],
      ["REQUEST_EVIDENCE", true, null, "REVIEW_DELIVERY"],
      ["REJECT", true, null, "REVIEW_DELIVERY"],
      ["ACCEPT", false, "NOT_GRANTED", "ASK_OWNER_TO_REAUTHORIZE"]
    ])
  })

  it("the supplier's answers", () => {
    assert.deepStrictEqual(decisions(projectIn("AWAITING_SUPPLIER"), agent("SUPPLIER")), [
      ["ACCEPT", true, null, "RESPOND_TERMS"],
      ["REQUEST_CHANGES", true, null, "RESPOND_TERMS"],
      ["DECLINE", true, null, "RESPOND_TERMS"]
    ])
  })

  it("paused, all wait for a person", () => {
    for (const [, allowed, reason, nextAction] of decisions(projectIn("SUBMITTED"), agent("BUYER"), {
      isPaused: true
    })) {
      assert.deepStrictEqual([allowed, reason, nextAction], [false, "AGENT_PAUSED", "WAIT_FOR_HUMAN"])
    }
  })

  it("the other side has none", () => {
    assert.deepStrictEqual(decisions(projectIn("SUBMITTED"), agent("SUPPLIER")), [])
    assert.deepStrictEqual(decisions(projectIn("AWAITING_SUPPLIER"), agent("BUYER")), [])
  })
})

describe("decisions kept for people", () => {
  const kept = keeping(projectIn("SUBMITTED"), "ACCEPT")

  it("are blocked for agents with what the person has to do", () => {
    const hints = hintsFor(situation(kept), agent("BUYER"))
    assert.deepStrictEqual([...hints.availableActions], ["REVIEW_DELIVERY"])
    assert.deepStrictEqual(hints.blockedActions, [
      {
        action: "CONFIRM_COMPLETION",
        reason: "HUMAN_DECISION_REQUIRED",
        nextAction: "WAIT_FOR_HUMAN",
        requiredHumanAction: "A person signs this off.",
        humanUrl
      }
    ])
    const accept = hints.decisionActions.find(({ decision }) => decision === "ACCEPT")
    assert.deepStrictEqual([accept?.allowed, accept?.nextAction], [false, "WAIT_FOR_HUMAN"])
  })

  it("are open to people, who are stopped by no pause either", () => {
    const person = { ...agent("BUYER"), isPerson: true }
    const hints = hintsFor(situation(kept, { isPaused: true }), person)
    assert.deepStrictEqual([...hints.availableActions], ["REVIEW_DELIVERY", "CONFIRM_COMPLETION"])
    assert.deepStrictEqual(hints.blockedActions, [])
  })

  it("an action that is not granted is blocked by nobody", () => {
    const hints = hintsFor(situation(kept, { isPaused: true }), agent("BUYER", "ISSUE_RESULT_RECORD"))
    assert.deepStrictEqual(hints.blockedActions, [])
  })
})

describe("after a date", () => {
  it("an answer other than ACCEPT stays open, and the rest points to a date revision", () => {
    const late = { now: addMilliseconds(deadline, 1) }
    const hints = hintsFor(situation(projectIn("AWAITING_SUPPLIER"), late), agent("SUPPLIER"))
    assert.deepStrictEqual([...hints.availableActions], ["RESPOND_TERMS"])
    assert.deepStrictEqual(
      hints.decisionActions.map(({ decision, allowed, nextAction }) => [decision, allowed, nextAction]),
      [
        ["ACCEPT", false, "REQUEST_DATE_CHANGE"],
        ["REQUEST_CHANGES", true, "RESPOND_TERMS"],
        ["DECLINE", true, "RESPOND_TERMS"]
      ]
    )
  })

  it.each([
    { state: "LOCKED", role: "SUPPLIER", date: deadline },
    { state: "CHANGES_REQUESTED", role: "SUPPLIER", date: reviewDeadline },
    { state: "AWAITING_EVIDENCE", role: "SUPPLIER", date: reviewDeadline },
    { state: "SUBMITTED", role: "BUYER", date: reviewDeadline }
  ] as const)("in $state nothing is available a millisecond past $date", ({ state, role, date }) => {
    const availableAt = (now: typeof date) =>
      hintsFor(situation(projectIn(state), { now }), agent(role)).availableActions.length
    assert.isAbove(availableAt(date), 0)
    assert.strictEqual(availableAt(addMilliseconds(date, 1)), 0)
  })
})

describe("once issuance was asked for", () => {
  const confirmed = projectIn("BUYER_CONFIRMED")

  it("it is not offered again while it is open", () => {
    const open = situation(confirmed, { isIssuanceOpen: true })
    assert.deepStrictEqual([...hintsFor(open, agent("BUYER")).availableActions], [])
    const { party, agentAction } = nextActionFor(open, agent("BUYER"))
    assert.deepStrictEqual([party, agentAction], ["BUYER", null])
  })

  it("nothing is left when the record is there", () => {
    const recorded = after(confirmed, commandFor.ISSUE(confirmed))
    assert.deepStrictEqual([...hintsFor(situation(recorded), agent("BUYER")).availableActions], [])
    assert.strictEqual(nextActionFor(situation(recorded), agent("BUYER")).viewer, "NONE")
    assert.deepStrictEqual(openConfirmations(recorded), {})
  })
})
