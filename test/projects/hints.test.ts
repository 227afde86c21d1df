import { assert, describe, it } from "@effect/vitest"
import { actions, isForRole, type Action, type Role } from "../../src/access/actions.ts"
import { isAction } from "../../src/projects/acts.ts"
import type { Act } from "../../src/projects/moves.ts"
import { openConfirmations } from "../../src/projects/confirmation.ts"
import { hintsFor, type HintContext, type Viewer } from "../../src/projects/hints.ts"
import { nextActionFor } from "../../src/projects/next-action.ts"
import { noRelatedFacts } from "../../src/projects/guard-context.ts"
import { states, type Project, type State } from "../../src/projects/project.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import {
  afterCommand,
  dayOne,
  deadline,
  withDateRevision,
  withReservedDecisions,
  withHistoryLength,
  personOf,
  projectIn,
  reviewDeadline,
  withSignatures
} from "../support/project.ts"
import { commandFor } from "../support/project-commands.ts"
import { agent as agentOf } from "../support/project-people.ts"

const humanUrl = "https://countersign.test/workspace/projects/one"

const situation = (project: Project, changes: Partial<HintContext> = {}): HintContext => ({
  project,
  pausedBy: [],
  isIssuanceRequested: false,
  isCovered: false,
  relatedFacts: noRelatedFacts,
  now: dayOne,
  humanUrl,
  ...changes
})

/** An agent of that side whose grant holds the given actions, or every action of the side. */
const agent = (role: Role, ...granted: ReadonlyArray<Action>): Viewer => ({
  by: agentOf(personOf(role)),
  mayAct: (act) => isAction(act) && (granted.length === 0 ? isForRole(act, role) : granted.includes(act))
})

/** The named person of that side, with every authority. */
const person = (role: Role): Viewer => ({ by: personOf(role), mayAct: () => true })

interface ExpectedHints {
  readonly BUYER: ReadonlyArray<Action>
  readonly SUPPLIER: ReadonlyArray<Action>
  /** The acts that people of each side can perform in addition. */
  readonly people?: { readonly BUYER?: ReadonlyArray<Act>; readonly SUPPLIER?: ReadonlyArray<Act> }
  readonly next: readonly [party: Role | "NONE", action: string, agentAction: Action | null, dueAt: string | null]
  readonly confirmations: ReadonlyArray<string>
}

const nothing = { BUYER: [], SUPPLIER: [], confirmations: [] }
const ended: ExpectedHints = { ...nothing, next: ["NONE", "NONE", null, null] }
const agreed = { BUYER: ["REVISE_AGREEMENT"], SUPPLIER: ["CHANGE_REPRESENTATIVE"] } as const
const delivering = {
  BUYER: ["REQUEST_DATE_CHANGE"],
  SUPPLIER: ["SUBMIT_MATERIALS", "REQUEST_DATE_CHANGE"],
  people: agreed,
  confirmations: []
} as const

const expected: { readonly [S in State]: ExpectedHints } = {
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
  SUPPLIER_DECLINED: ended,
  BUYER_REJECTED: ended,
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
  CONFIRMATION_WITHDRAWN: ended,
  SUPERSEDED: ended
}

/** The actions on a project that a grant of each side can hold. */
const grantable: { readonly [R in Role]: ReadonlyArray<Action> } = {
  BUYER: ["REVIEW_DELIVERY", "CONFIRM_COMPLETION", "ISSUE_RESULT_RECORD", "REQUEST_DATE_CHANGE", "RAISE_CONCERN"],
  SUPPLIER: ["RESPOND_TERMS", "SUBMIT_MATERIALS", "REQUEST_DATE_CHANGE", "RAISE_CONCERN"]
}

const sides = states.flatMap((state) => (["BUYER", "SUPPLIER"] as const).map((role) => ({ state, role })))

describe("availability of actions", () => {
  it.each(sides)(
    "An agent of the $role in $state is offered the actions of that state; the others are blocked by STATE_CONFLICT.",
    ({ state, role }) => {
      const { availableActions, blockedActions } = hintsFor(situation(projectIn(state)), agent(role))
      assert.deepStrictEqual([...availableActions], [...expected[state][role]])
      assert.deepStrictEqual(
        blockedActions.map(({ action, code }) => ({ action, code })),
        grantable[role]
          .filter((action) => !expected[state][role].includes(action))
          .map((action) => ({ action, code: "STATE_CONFLICT" as const }))
      )
    }
  )

  it.each(sides)("A person of the $role in $state is offered the same acts while paused.", ({ state, role }) => {
    const { people, [role]: ofAgents } = expected[state]
    for (const pausedBy of [[], ["BUYER"]] as const) {
      const { availableActions } = hintsFor(situation(projectIn(state), { pausedBy }), person(role))
      assert.deepStrictEqual(new Set(availableActions), new Set([...ofAgents, ...(people?.[role] ?? [])]))
    }
  })

  it.each(sides)("A pause blocks every action of the $role's agent in $state", ({ state, role }) => {
    const hints = hintsFor(situation(projectIn(state), { pausedBy: [role] }), agent(role))
    assert.deepStrictEqual([...hints.availableActions], [])
    assert.deepStrictEqual(
      hints.blockedActions.map(({ action, code }) => ({ action, code })),
      grantable[role].map((action) => ({ action, code: "AGENT_PAUSED" as const }))
    )
  })

  it.each(sides)("The next action in $state is reported from the $role's perspective.", ({ state, role }) => {
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

  it.each(states)("The open confirmations in %s are those of that state.", (state) => {
    assert.deepStrictEqual(Object.keys(openConfirmations(projectIn(state))), expected[state].confirmations)
  })

  it.each(actions)("A grant without %s is not offered that action.", (action) => {
    for (const { state, role } of sides) {
      const others = actions.filter((one) => one !== action && isForRole(one, role))
      const { availableActions } = hintsFor(situation(projectIn(state)), agent(role, ...others))
      assert.notInclude(availableActions, action)
    }
  })
})

describe("decision actions", () => {
  const decisions = (project: Project, viewer: Viewer, changes: Partial<HintContext> = {}) =>
    hintsFor(situation(project, changes), viewer).decisionActions.map(
      ({ decision, allowed, code, nextAction }) => [decision, allowed, code, nextAction] as const
    )

  it("A grant of REVIEW_DELIVERY allows each review decision except ACCEPT.", () => {
    assert.deepStrictEqual(decisions(projectIn("SUBMITTED"), agent("BUYER", "REVIEW_DELIVERY")), [
      ["REQUEST_CHANGES", true, null, "REVIEW_DELIVERY"],
      ["REQUEST_EVIDENCE", true, null, "REVIEW_DELIVERY"],
      ["REJECT", true, null, "REVIEW_DELIVERY"],
      ["ACCEPT", false, "NOT_GRANTED", "ASK_OWNER_TO_REAUTHORIZE"]
    ])
  })

  it("The supplier's agent is allowed every response to the terms.", () => {
    assert.deepStrictEqual(decisions(projectIn("AWAITING_SUPPLIER"), agent("SUPPLIER")), [
      ["ACCEPT", true, null, "RESPOND_TERMS"],
      ["REQUEST_CHANGES", true, null, "RESPOND_TERMS"],
      ["DECLINE", true, null, "RESPOND_TERMS"]
    ])
  })

  it("Every decision of a paused agent waits for a person.", () => {
    for (const [, allowed, code, nextAction] of decisions(projectIn("SUBMITTED"), agent("BUYER"), {
      pausedBy: ["BUYER"]
    })) {
      assert.deepStrictEqual([allowed, code, nextAction], [false, "AGENT_PAUSED", "WAIT_FOR_HUMAN"])
    }
  })

  it("The party whose turn it is not has no decision actions.", () => {
    assert.deepStrictEqual(decisions(projectIn("SUBMITTED"), agent("SUPPLIER")), [])
    assert.deepStrictEqual(decisions(projectIn("AWAITING_SUPPLIER"), agent("BUYER")), [])
  })
})

describe("acts with several moves", () => {
  it.each([
    ["LOCKED", "DELIVERY"],
    ["SUBMITTED", "REVIEW"]
  ] as const)(
    "A blocked date change in %s is explained by the guard of the move that this state allows.",
    (state, purpose) => {
      const { blockedActions } = hintsFor(situation(withDateRevision(projectIn(state), purpose)), agent("SUPPLIER"))
      const dateChange = blockedActions.find(({ action }) => action === "REQUEST_DATE_CHANGE")
      assert.deepInclude(dateChange, { code: "DATE_REVISION_PENDING", requiredHumanAction: "REVISE_OR_LIFT_HOLD" })
    }
  )

  it("A revision is one act, whichever of its two moves the state selects.", () => {
    const codeIn = (project: Project) =>
      hintsFor(situation(project), person("BUYER")).blockedActions.find(({ action }) => action === "REVISE_AGREEMENT")
        ?.code
    // Replacing terms takes an event of the history; an ended project has no revision.
    assert.strictEqual(codeIn(withHistoryLength(projectIn("AWAITING_SUPPLIER"), 100)), "DELIVERY_HISTORY_LIMIT_REACHED")
    assert.strictEqual(codeIn(withHistoryLength(projectIn("BUYER_REJECTED"), 100)), "STATE_CONFLICT")
    assert.isUndefined(codeIn(withHistoryLength(projectIn("LOCKED"), 100)))
  })

  it("Signing is listed only for an agreement with signatures, and dismissing a concern only for the party that raised it.", () => {
    const actsOf = (project: Project, role: Role) => {
      const { availableActions, blockedActions } = hintsFor(situation(project), person(role))
      return [...availableActions, ...blockedActions.map(({ action }) => action)]
    }
    assert.notInclude(actsOf(projectIn("LOCKED"), "BUYER"), "SIGN_AGREEMENT")
    assert.include(actsOf(withSignatures(projectIn("LOCKED"), "NATIVE"), "BUYER"), "SIGN_AGREEMENT")
    assert.include(actsOf(projectIn("CONFIRMATION_CONTESTED"), "BUYER"), "DISMISS_CONCERN")
    assert.notInclude(actsOf(projectIn("CONFIRMATION_CONTESTED"), "SUPPLIER"), "DISMISS_CONCERN")
  })
})

describe("decisions reserved for people", () => {
  const kept = () => withReservedDecisions(projectIn("SUBMITTED"), "ACCEPT")

  it("A decision reserved for people is blocked for agents and names the required human action.", () => {
    const hints = hintsFor(situation(kept()), agent("BUYER"))
    assert.deepStrictEqual([...hints.availableActions], ["REVIEW_DELIVERY", "REQUEST_DATE_CHANGE"])
    assert.deepStrictEqual(hints.blockedActions[0], {
      action: "CONFIRM_COMPLETION",
      code: "HUMAN_DECISION_REQUIRED",
      reason: "This decision is reserved for a person of the buyer's side.",
      nextAction: "WAIT_FOR_HUMAN",
      requiredHumanAction: "A person signs this off.",
      humanUrl
    })
    const accept = hints.decisionActions.find(({ decision }) => decision === "ACCEPT")
    assert.deepStrictEqual([accept?.allowed, accept?.nextAction], [false, "WAIT_FOR_HUMAN"])
  })

  it("A decision reserved for people is available to a person, also while paused.", () => {
    const { availableActions } = hintsFor(situation(kept(), { pausedBy: ["BUYER"] }), person("BUYER"))
    assert.includeMembers([...availableActions], ["REVIEW_DELIVERY", "CONFIRM_COMPLETION"])
  })

  it("An action that is not granted is not listed as blocked.", () => {
    const hints = hintsFor(situation(kept(), { pausedBy: ["BUYER"] }), agent("BUYER", "ISSUE_RESULT_RECORD"))
    assert.deepStrictEqual(
      hints.blockedActions.map(({ action }) => action),
      ["ISSUE_RESULT_RECORD"]
    )
  })
})

describe("hints after a deadline", () => {
  it("After the delivery deadline the terms can still be declined or changed, but not accepted.", () => {
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
  ] as const)("One millisecond after $date only a date change can be requested in $state", ({ state, role, date }) => {
    const availableAt = (now: typeof date) =>
      hintsFor(situation(projectIn(state), { now }), agent(role)).availableActions
    assert.isAbove(availableAt(date).length, 1)
    // Only a date change can be requested.
    assert.deepStrictEqual([...availableAt(addMilliseconds(date, 1))], ["REQUEST_DATE_CHANGE"])
  })
})

describe("hints after an issuance request", () => {
  const confirmed = () => projectIn("BUYER_CONFIRMED")

  it("Issuance is not offered again while an issuance request is pending.", () => {
    const open = situation(confirmed(), { isIssuanceRequested: true })
    assert.deepStrictEqual([...hintsFor(open, agent("BUYER")).availableActions], ["RAISE_CONCERN"])
    const { party, action, agentAction } = nextActionFor(open, "BUYER")
    assert.deepStrictEqual([party, action, agentAction], ["NONE", "WAIT_FOR_RECORD", null])
  })

  it("No next action remains once the record is issued.", () => {
    const recorded = afterCommand(confirmed(), commandFor.ISSUE(confirmed()))
    assert.deepStrictEqual([...hintsFor(situation(recorded), agent("BUYER")).availableActions], ["RAISE_CONCERN"])
    assert.strictEqual(nextActionFor(situation(recorded), "BUYER").viewer, "NONE")
    assert.deepStrictEqual(openConfirmations(recorded), {})
  })
})
