import { assert, describe, it } from "@effect/vitest"
import { actions, isForRole, type Action, type Role } from "../../src/access/actions.ts"
import { isAction, type Act } from "../../src/projects/acts.ts"
import { openConfirmations } from "../../src/projects/confirmation.ts"
import { hintsFor, type Situation, type Viewer } from "../../src/projects/hints.ts"
import { nextActionFor } from "../../src/projects/next-action.ts"
import { ordinary } from "../../src/projects/obstacles.ts"
import { states, type Project, type State } from "../../src/projects/project.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import {
  after,
  dayOne,
  deadline,
  held,
  keeping,
  ofLength,
  personOf,
  projectIn,
  reviewDeadline,
  signedBy
} from "../support/project.ts"
import { commandFor } from "../support/project-commands.ts"
import { agent as agentOf } from "../support/project-people.ts"

const humanUrl = "https://countersign.test/workspace/projects/one"

const situation = (project: Project, changes: Partial<Situation> = {}): Situation => ({
  project,
  pausedBy: [],
  isIssuanceAsked: false,
  isCovered: false,
  circumstances: ordinary,
  now: dayOne,
  humanUrl,
  ...changes
})

/** An agent of that side whose grant holds every action of the side, or these. */
const agent = (role: Role, ...held: ReadonlyArray<Action>): Viewer => ({
  by: agentOf(personOf(role)),
  mayAct: (act) => isAction(act) && (held.length === 0 ? isForRole(act, role) : held.includes(act))
})

/** The named person of that side, with every authority. */
const person = (role: Role): Viewer => ({ by: personOf(role), mayAct: () => true })

interface Expected {
  readonly BUYER: ReadonlyArray<Action>
  readonly SUPPLIER: ReadonlyArray<Action>
  /** What people of the two sides can do besides. */
  readonly people?: { readonly BUYER?: ReadonlyArray<Act>; readonly SUPPLIER?: ReadonlyArray<Act> }
  readonly next: readonly [party: Role | "NONE", action: string, agentAction: Action | null, dueAt: string | null]
  readonly confirmations: ReadonlyArray<string>
}

const nothing = { BUYER: [], SUPPLIER: [], confirmations: [] }
const over: Expected = { ...nothing, next: ["NONE", "NONE", null, null] }
const agreed = { BUYER: ["REVISE_AGREEMENT"], SUPPLIER: ["CHANGE_REPRESENTATIVE"] } as const
const delivering = {
  BUYER: ["REQUEST_DATE_CHANGE"],
  SUPPLIER: ["SUBMIT_MATERIALS", "REQUEST_DATE_CHANGE"],
  people: agreed,
  confirmations: []
} as const

const expected: { readonly [S in State]: Expected } = {
  AWAITING_SUPPLIER: {
    ...nothing,
    SUPPLIER: ["RESPOND_TERMS"],
    people: { BUYER: ["REVISE_AGREEMENT"] },
    next: ["SUPPLIER", "RESPOND", "RESPOND_TERMS", deadline],
    confirmations: ["respond"]
  },
  LOCKED: { ...delivering, next: ["SUPPLIER", "SUBMIT", "SUBMIT_MATERIALS", deadline] },
  SUBMITTED: {
    BUYER: ["REVIEW_DELIVERY", "CONFIRM_COMPLETION", "REQUEST_DATE_CHANGE"],
    SUPPLIER: ["REQUEST_DATE_CHANGE"],
    people: agreed,
    next: ["BUYER", "REVIEW", "REVIEW_DELIVERY", reviewDeadline],
    confirmations: ["acceptance"]
  },
  CHANGES_REQUESTED: { ...delivering, next: ["SUPPLIER", "SUBMIT", "SUBMIT_MATERIALS", reviewDeadline] },
  AWAITING_EVIDENCE: { ...delivering, next: ["SUPPLIER", "SUBMIT", "SUBMIT_MATERIALS", reviewDeadline] },
  AGREEMENT_CHANGES_REQUESTED: {
    ...nothing,
    people: agreed,
    next: ["BUYER", "REVISE_AGREEMENT", null, null]
  },
  SUPPLIER_DECLINED: over,
  BUYER_REJECTED: over,
  BUYER_CONFIRMED: {
    BUYER: ["ISSUE_RESULT_RECORD", "RAISE_CONCERN"],
    SUPPLIER: ["RAISE_CONCERN"],
    people: { ...agreed, BUYER: ["WITHDRAW_CONFIRMATION", "REVISE_AGREEMENT"] },
    next: ["BUYER", "ISSUE_RECORD", "ISSUE_RESULT_RECORD", null],
    confirmations: ["issuance"]
  },
  CONFIRMATION_CONTESTED: {
    ...nothing,
    people: { ...agreed, BUYER: ["DISMISS_CONCERN", "UPHOLD_CONCERN", "REVISE_AGREEMENT"] },
    next: ["BUYER", "RESOLVE_CONCERN", null, null]
  },
  CONFIRMATION_WITHDRAWN: over,
  SUPERSEDED: over
}

/** What the grants of a side can hold on a project at all. */
const grantable: { readonly [R in Role]: ReadonlyArray<Action> } = {
  BUYER: ["REVIEW_DELIVERY", "CONFIRM_COMPLETION", "ISSUE_RESULT_RECORD", "REQUEST_DATE_CHANGE", "RAISE_CONCERN"],
  SUPPLIER: ["RESPOND_TERMS", "SUBMIT_MATERIALS", "REQUEST_DATE_CHANGE", "RAISE_CONCERN"]
}

const sides = states.flatMap((state) => (["BUYER", "SUPPLIER"] as const).map((role) => ({ state, role })))

describe("what an agent can do next", () => {
  it.each(sides)("available to the $role in $state, and the state explains the rest", ({ state, role }) => {
    const { availableActions, blockedActions } = hintsFor(situation(projectIn(state)), agent(role))
    assert.deepStrictEqual([...availableActions], [...expected[state][role]])
    assert.deepStrictEqual(
      blockedActions.map(({ action, code }) => ({ action, code })),
      grantable[role]
        .filter((action) => !expected[state][role].includes(action))
        .map((action) => ({ action, code: "STATE_CONFLICT" as const }))
    )
  })

  it.each(sides)("to a person of the $role in $state, paused or not", ({ state, role }) => {
    const { people, [role]: ofAgents } = expected[state]
    for (const pausedBy of [[], ["BUYER"]] as const) {
      const { availableActions } = hintsFor(situation(projectIn(state), { pausedBy }), person(role))
      assert.deepStrictEqual(new Set(availableActions), new Set([...ofAgents, ...(people?.[role] ?? [])]))
    }
  })

  it.each(sides)("paused, everything is blocked for the $role in $state", ({ state, role }) => {
    const hints = hintsFor(situation(projectIn(state), { pausedBy: [role] }), agent(role))
    assert.deepStrictEqual([...hints.availableActions], [])
    assert.deepStrictEqual(
      hints.blockedActions.map(({ action, code }) => ({ action, code })),
      grantable[role].map((action) => ({ action, code: "AGENT_PAUSED" as const }))
    )
  })

  it.each(sides)("the next action as the $role sees it in $state", ({ state, role }) => {
    const project = projectIn(state)
    const [party, action, agentAction, dueAt] = expected[state].next
    const { reason, ...next } = nextActionFor(situation(project), role)
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
      ({ decision, allowed, code, nextAction }) => [decision, allowed, code, nextAction] as const
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
    for (const [, allowed, code, nextAction] of decisions(projectIn("SUBMITTED"), agent("BUYER"), {
      pausedBy: ["BUYER"]
    })) {
      assert.deepStrictEqual([allowed, code, nextAction], [false, "AGENT_PAUSED", "WAIT_FOR_HUMAN"])
    }
  })

  it("the other side has none", () => {
    assert.deepStrictEqual(decisions(projectIn("SUBMITTED"), agent("SUPPLIER")), [])
    assert.deepStrictEqual(decisions(projectIn("AWAITING_SUPPLIER"), agent("BUYER")), [])
  })
})

describe("of several moves of one act", () => {
  it.each([
    ["LOCKED", "DELIVERY"],
    ["SUBMITTED", "REVIEW"]
  ] as const)("the one that %s would allow explains what is blocked", (state, purpose) => {
    const { blockedActions } = hintsFor(situation(held(projectIn(state), purpose)), agent("SUPPLIER"))
    const asking = blockedActions.find(({ action }) => action === "REQUEST_DATE_CHANGE")
    assert.deepInclude(asking, { code: "DATE_REVISION_PENDING", requiredHumanAction: "REVISE_OR_LIFT_HOLD" })
  })

  it("a revision is one act, whichever move the state makes of it", () => {
    const codeIn = (project: Project) =>
      hintsFor(situation(project), person("BUYER")).blockedActions.find(({ action }) => action === "REVISE_AGREEMENT")
        ?.code
    // Terms that nobody agreed on need a place in the history to be replaced; nothing takes the place of what is over.
    assert.strictEqual(codeIn(ofLength(projectIn("AWAITING_SUPPLIER"), 100)), "DELIVERY_HISTORY_LIMIT_REACHED")
    assert.strictEqual(codeIn(ofLength(projectIn("BUYER_REJECTED"), 100)), "STATE_CONFLICT")
    assert.isUndefined(codeIn(ofLength(projectIn("LOCKED"), 100)))
  })

  it("signing is no act where nothing is signed, nor dismissing another side's concern", () => {
    const actsOf = (project: Project, role: Role) => {
      const { availableActions, blockedActions } = hintsFor(situation(project), person(role))
      return [...availableActions, ...blockedActions.map(({ action }) => action)]
    }
    assert.notInclude(actsOf(projectIn("LOCKED"), "BUYER"), "SIGN_AGREEMENT")
    assert.include(actsOf(signedBy(projectIn("LOCKED"), "NATIVE"), "BUYER"), "SIGN_AGREEMENT")
    assert.include(actsOf(projectIn("CONFIRMATION_CONTESTED"), "BUYER"), "DISMISS_CONCERN")
    assert.notInclude(actsOf(projectIn("CONFIRMATION_CONTESTED"), "SUPPLIER"), "DISMISS_CONCERN")
  })
})

describe("decisions kept for people", () => {
  const kept = () => keeping(projectIn("SUBMITTED"), "ACCEPT")

  it("are blocked for agents with what the person has to do", () => {
    const hints = hintsFor(situation(kept()), agent("BUYER"))
    assert.deepStrictEqual([...hints.availableActions], ["REVIEW_DELIVERY", "REQUEST_DATE_CHANGE"])
    assert.deepStrictEqual(hints.blockedActions[0], {
      action: "CONFIRM_COMPLETION",
      code: "HUMAN_DECISION_REQUIRED",
      reason: "This decision is kept for a person of the buyer's side.",
      nextAction: "WAIT_FOR_HUMAN",
      requiredHumanAction: "A person signs this off.",
      humanUrl
    })
    const accept = hints.decisionActions.find(({ decision }) => decision === "ACCEPT")
    assert.deepStrictEqual([accept?.allowed, accept?.nextAction], [false, "WAIT_FOR_HUMAN"])
  })

  it("are open to people, who are stopped by no pause either", () => {
    const { availableActions } = hintsFor(situation(kept(), { pausedBy: ["BUYER"] }), person("BUYER"))
    assert.includeMembers([...availableActions], ["REVIEW_DELIVERY", "CONFIRM_COMPLETION"])
  })

  it("an action that is not granted is blocked by nobody", () => {
    const hints = hintsFor(situation(kept(), { pausedBy: ["BUYER"] }), agent("BUYER", "ISSUE_RESULT_RECORD"))
    assert.deepStrictEqual(
      hints.blockedActions.map(({ action }) => action),
      ["ISSUE_RESULT_RECORD"]
    )
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
        ["ACCEPT", false, "WAIT_FOR_OTHER_PARTY"],
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
  ] as const)("in $state another date can be asked for a millisecond past $date", ({ state, role, date }) => {
    const availableAt = (now: typeof date) =>
      hintsFor(situation(projectIn(state), { now }), agent(role)).availableActions
    assert.isAbove(availableAt(date).length, 1)
    // What is left is to ask for another date.
    assert.deepStrictEqual([...availableAt(addMilliseconds(date, 1))], ["REQUEST_DATE_CHANGE"])
  })
})

describe("once issuance was asked for", () => {
  const confirmed = () => projectIn("BUYER_CONFIRMED")

  it("it is not offered again while it is open", () => {
    const open = situation(confirmed(), { isIssuanceAsked: true })
    assert.deepStrictEqual([...hintsFor(open, agent("BUYER")).availableActions], ["RAISE_CONCERN"])
    const { party, action, agentAction } = nextActionFor(open, "BUYER")
    assert.deepStrictEqual([party, action, agentAction], ["NONE", "WAIT_FOR_RECORD", null])
  })

  it("nothing is left when the record is there", () => {
    const recorded = after(confirmed(), commandFor.ISSUE(confirmed()))
    assert.deepStrictEqual([...hintsFor(situation(recorded), agent("BUYER")).availableActions], ["RAISE_CONCERN"])
    assert.strictEqual(nextActionFor(situation(recorded), "BUYER").viewer, "NONE")
    assert.deepStrictEqual(openConfirmations(recorded), {})
  })
})
