/** The next action of a blocked act: an act, waiting for a person or the other party, or none. */
import { assert, describe, it } from "@effect/vitest"
import { isForRole, type Action, type Role } from "../../src/access/actions.ts"
import { isAction } from "../../src/projects/acts.ts"
import type { Act } from "../../src/projects/moves.ts"
import { hintsFor, type HintContext, type Viewer } from "../../src/projects/hints.ts"
import { noRelatedFacts } from "../../src/projects/guard-context.ts"
import { states, type Project, type State } from "../../src/projects/project.ts"
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import {
  acceptanceSignBy,
  afterCommand,
  agreementSignBy,
  dayOne,
  deadline,
  withDateRevision,
  withReservedDecisions,
  withHistoryLength,
  personOf,
  preparedFor,
  projectIn,
  reviewDeadline,
  withSignatures,
  supersede,
  withTerms
} from "../support/project.ts"
import { commandFor } from "../support/project-commands.ts"
import { agent as agentOf, dana, lee, sam } from "../support/project-people.ts"

const situation = (project: Project, changes: Partial<HintContext> = {}): HintContext => ({
  project,
  pausedBy: [],
  isIssuanceRequested: false,
  isCovered: false,
  relatedFacts: noRelatedFacts,
  now: dayOne,
  humanUrl: "https://countersign.test/workspace/projects/one",
  ...changes
})

const agent = (role: Role, ...granted: ReadonlyArray<Action>): Viewer => ({
  by: agentOf(personOf(role)),
  mayAct: (act) => isAction(act) && (granted.length === 0 ? isForRole(act, role) : granted.includes(act))
})

const person = (role: Role): Viewer => ({ by: personOf(role), mayAct: () => true })

const own = "WAIT_FOR_HUMAN"
const other = "WAIT_FOR_OTHER_PARTY"
const none = "NONE"

type NextActions = { readonly [A in Act]?: string }

const decided = { REVIEW_DELIVERY: other, CONFIRM_COMPLETION: other, ISSUE_RESULT_RECORD: other, RAISE_CONCERN: other }
const delivering = {
  BUYER: decided,
  SUPPLIER: { RESPOND_TERMS: none, RAISE_CONCERN: "SUBMIT_MATERIALS" }
}
const ended = {
  BUYER: {
    REVIEW_DELIVERY: none,
    CONFIRM_COMPLETION: none,
    ISSUE_RESULT_RECORD: none,
    REQUEST_DATE_CHANGE: none,
    RAISE_CONCERN: none
  },
  SUPPLIER: { RESPOND_TERMS: none, SUBMIT_MATERIALS: none, REQUEST_DATE_CHANGE: none, RAISE_CONCERN: none }
}

/** The next action of each act that only the state blocks, for agents that hold every action of their side. */
const byState: { readonly [S in State]: { readonly [R in Role]: NextActions } } = {
  AWAITING_SUPPLIER: {
    BUYER: { ...decided, REQUEST_DATE_CHANGE: other },
    SUPPLIER: {
      SUBMIT_MATERIALS: "RESPOND_TERMS",
      REQUEST_DATE_CHANGE: "RESPOND_TERMS",
      RAISE_CONCERN: "RESPOND_TERMS"
    }
  },
  LOCKED: delivering,
  CHANGES_REQUESTED: delivering,
  AWAITING_EVIDENCE: delivering,
  SUBMITTED: {
    BUYER: { ISSUE_RESULT_RECORD: "REVIEW_DELIVERY", RAISE_CONCERN: "REVIEW_DELIVERY" },
    SUPPLIER: { RESPOND_TERMS: none, SUBMIT_MATERIALS: other, RAISE_CONCERN: other }
  },
  AGREEMENT_CHANGES_REQUESTED: {
    BUYER: {
      REVIEW_DELIVERY: own,
      CONFIRM_COMPLETION: own,
      ISSUE_RESULT_RECORD: own,
      REQUEST_DATE_CHANGE: own,
      RAISE_CONCERN: own
    },
    SUPPLIER: { RESPOND_TERMS: other, SUBMIT_MATERIALS: other, REQUEST_DATE_CHANGE: other, RAISE_CONCERN: other }
  },
  BUYER_CONFIRMED: {
    BUYER: { REVIEW_DELIVERY: none, CONFIRM_COMPLETION: none, REQUEST_DATE_CHANGE: none },
    SUPPLIER: { RESPOND_TERMS: none, SUBMIT_MATERIALS: none, REQUEST_DATE_CHANGE: none }
  },
  CONFIRMATION_CONTESTED: {
    BUYER: { ...ended.BUYER, ISSUE_RESULT_RECORD: own, RAISE_CONCERN: own },
    SUPPLIER: { ...ended.SUPPLIER, RAISE_CONCERN: other }
  },
  SUPPLIER_DECLINED: ended,
  BUYER_REJECTED: ended,
  CONFIRMATION_WITHDRAWN: ended,
  SUPERSEDED: ended
}

const sides = states.flatMap((state) => (["BUYER", "SUPPLIER"] as const).map((role) => ({ state, role })))
const isEnded = (state: State): boolean => byState[state] === ended

const nextOf = (project: Project, viewer: Viewer, changes: Partial<HintContext> = {}): NextActions =>
  Object.fromEntries(
    hintsFor(situation(project, changes), viewer).blockedActions.map(({ action, nextAction }) => [action, nextAction])
  )

describe("next actions of blocked acts", () => {
  it.each(sides)(
    "An act blocked by the state $state reports to the $role which step comes first.",
    ({ state, role }) => {
      assert.deepStrictEqual(nextOf(projectIn(state), agent(role)), byState[state][role])
    }
  )

  it.each(sides)("An act blocked by a pause in $state reports to the $role which party resumes.", ({ state, role }) => {
    const otherRole = role === "BUYER" ? "SUPPLIER" : "BUYER"
    for (const [pausedBy, expected] of [
      [[role], own],
      [[otherRole], other],
      [[otherRole, role], own]
    ] as const) {
      const seen = hintsFor(situation(projectIn(state), { pausedBy }), agent(role)).blockedActions
      const told = new Set(seen.map(({ nextAction }) => nextAction))
      assert.deepStrictEqual([...told], [isEnded(state) ? none : expected])
      const asked = new Set(seen.map(({ requiredHumanAction }) => requiredHumanAction))
      assert.deepStrictEqual([...asked], [!isEnded(state) && expected === own ? "RESUME_AGENTS" : null])
    }
  })

  it.each(sides)(
    "An act of the $role blocked by a full history in $state waits for a person of the buyer.",
    ({ state, role }) => {
      const seen = hintsFor(situation(withHistoryLength(projectIn(state), 100)), agent(role)).blockedActions
      assert.isNotEmpty(seen)
      const told = new Set(seen.map(({ nextAction }) => nextAction))
      assert.deepStrictEqual([...told], [isEnded(state) ? none : role === "BUYER" ? own : other])
    }
  )

  it.each(sides)("The next action of a blocked act of the $role in $state is never a read and has a reason.", (one) => {
    const { state, role } = one
    const project = projectIn(state)
    const late = addMilliseconds(reviewDeadline, 1)
    for (const seen of [
      project,
      withDateRevision(project, "DELIVERY"),
      withDateRevision(project, "REVIEW"),
      withSignatures(project, "NATIVE"),
      withReservedDecisions(project, "RESPOND", "REVIEW", "ACCEPT", "ISSUE"),
      withHistoryLength(project, 100)
    ]) {
      for (const viewer of [agent(role), agent(role, "RAISE_CONCERN"), person(role)]) {
        for (const changes of [{}, { now: late }, { pausedBy: ["BUYER"] as const }, { isIssuanceRequested: true }]) {
          const hints = hintsFor(situation(seen, changes), viewer)
          for (const { nextAction, reason, code } of [
            ...hints.blockedActions,
            ...hints.decisionActions.filter(({ allowed }) => !allowed)
          ]) {
            assert.notMatch(nextAction, /REREAD/)
            assert.match(reason ?? "", /^[A-Z].*\.$/)
            assert.notProperty(refusals, reason ?? "")
            assert.isNotNull(code)
          }
        }
      }
    }
  })
})

describe("guards other than the state", () => {
  const past = (date: typeof deadline) => ({ now: addMilliseconds(date, 1) })
  const bothSigned = () =>
    afterCommand(preparedFor("SIGN_AGREEMENT", "LOCKED"), commandFor.SIGN_AGREEMENT(projectIn("LOCKED")), dayOne, sam)
  const signed = () =>
    afterCommand(preparedFor("SIGN_AGREEMENT", "LOCKED"), commandFor.SIGN_AGREEMENT(projectIn("LOCKED")), dayOne, dana)
  const without = (project: Project, ...kept: ReadonlyArray<Action>) => ({ project, kept })

  interface Row {
    readonly blocker: string
    readonly seen: { readonly project: Project; readonly kept: ReadonlyArray<Action> }
    readonly role: Role
    readonly act: Act
    readonly expected: string
    readonly human?: string
    readonly changes?: Partial<HintContext>
  }

  it.each<Row>([
    {
      blocker: "a hold",
      seen: without(withDateRevision(projectIn("LOCKED"), "DELIVERY")),
      role: "SUPPLIER",
      act: "SUBMIT_MATERIALS",
      expected: own,
      human: "REVISE_OR_LIFT_HOLD"
    },
    {
      blocker: "a hold",
      seen: without(withDateRevision(projectIn("SUBMITTED"), "REVIEW")),
      role: "BUYER",
      act: "REVIEW_DELIVERY",
      expected: own,
      human: "REVISE_OR_LIFT_HOLD"
    },
    {
      blocker: "both missing signatures",
      seen: without(withSignatures(projectIn("LOCKED"), "NATIVE")),
      role: "SUPPLIER",
      act: "SUBMIT_MATERIALS",
      expected: own,
      human: "SIGN_AGREEMENT"
    },
    {
      blocker: "the supplier's missing signature",
      seen: without(signed()),
      role: "SUPPLIER",
      act: "SUBMIT_MATERIALS",
      expected: own,
      human: "SIGN_AGREEMENT"
    },
    {
      blocker: "the buyer's missing signature",
      seen: without(bothSigned()),
      role: "SUPPLIER",
      act: "SUBMIT_MATERIALS",
      expected: other
    },
    {
      blocker: "the signature of an acceptance",
      seen: without(withSignatures(projectIn("SUBMITTED"), "NATIVE")),
      role: "BUYER",
      act: "CONFIRM_COMPLETION",
      expected: own,
      human: "SIGN_ACCEPTANCE"
    },
    {
      blocker: "a signing date",
      seen: without(withSignatures(projectIn("LOCKED"), "NATIVE")),
      role: "SUPPLIER",
      act: "SUBMIT_MATERIALS",
      expected: other,
      changes: past(agreementSignBy)
    },
    {
      blocker: "the signing date of an acceptance",
      seen: without(withSignatures(projectIn("SUBMITTED"), "NATIVE")),
      role: "BUYER",
      act: "CONFIRM_COMPLETION",
      expected: own,
      human: "REVISE_AGREEMENT",
      changes: past(acceptanceSignBy)
    },
    {
      blocker: "a delivery date",
      seen: without(projectIn("LOCKED")),
      role: "SUPPLIER",
      act: "SUBMIT_MATERIALS",
      expected: "REQUEST_DATE_CHANGE",
      changes: past(deadline)
    },
    {
      blocker: "a delivery date, without the right to ask for another",
      seen: without(projectIn("LOCKED"), "SUBMIT_MATERIALS"),
      role: "SUPPLIER",
      act: "SUBMIT_MATERIALS",
      expected: other,
      changes: past(deadline)
    },
    {
      blocker: "a review date",
      seen: without(projectIn("SUBMITTED")),
      role: "BUYER",
      act: "REVIEW_DELIVERY",
      expected: "REQUEST_DATE_CHANGE",
      changes: past(reviewDeadline)
    },
    {
      blocker: "a review date, without the right to ask for another",
      seen: without(projectIn("SUBMITTED"), "REVIEW_DELIVERY"),
      role: "BUYER",
      act: "REVIEW_DELIVERY",
      expected: own,
      human: "REVISE_AGREEMENT",
      changes: past(reviewDeadline)
    },
    {
      blocker: "a decision kept for people",
      seen: without(withReservedDecisions(projectIn("SUBMITTED"), "ACCEPT")),
      role: "BUYER",
      act: "CONFIRM_COMPLETION",
      expected: own,
      human: "A person signs this off."
    },
    {
      blocker: "an issuance that waits for a credit",
      seen: without(projectIn("BUYER_CONFIRMED")),
      role: "BUYER",
      act: "ISSUE_RESULT_RECORD",
      expected: own,
      human: "FUND_RECORD",
      changes: { isIssuanceRequested: true }
    },
    {
      blocker: "an issuance that the service is doing",
      seen: without(projectIn("BUYER_CONFIRMED")),
      role: "BUYER",
      act: "ISSUE_RESULT_RECORD",
      expected: "WAIT_FOR_RECORD",
      changes: { isIssuanceRequested: true, isCovered: true }
    },
    {
      blocker: "an issued record",
      seen: without(afterCommand(projectIn("BUYER_CONFIRMED"), commandFor.ISSUE(projectIn("BUYER_CONFIRMED")))),
      role: "BUYER",
      act: "ISSUE_RESULT_RECORD",
      expected: none
    },
    {
      blocker: "a replaced agreement",
      seen: without(supersede(projectIn("LOCKED"))),
      role: "SUPPLIER",
      act: "SUBMIT_MATERIALS",
      expected: none
    }
  ])(
    "$act blocked by $blocker reports $expected to the $role's agent.",
    ({ seen, role, act, expected, human, changes }) => {
      const { blockedActions } = hintsFor(situation(seen.project, changes), agent(role, ...seen.kept))
      const found = blockedActions.find(({ action }) => action === act)
      assert.deepInclude(found, { nextAction: expected, requiredHumanAction: human ?? null })
    }
  )

  const accepting = (viewer: Viewer, changes: Partial<HintContext>, project = projectIn("AWAITING_SUPPLIER")) =>
    hintsFor(situation(project, changes), viewer).decisionActions.find(({ decision }) => decision === "ACCEPT")
      ?.nextAction

  it("A blocked acceptance of terms waits for the party that can unblock it.", () => {
    const relatedFacts = (changes: Partial<typeof noRelatedFacts>): Partial<HintContext> => ({
      relatedFacts: { ...noRelatedFacts, ...changes }
    })
    assert.strictEqual(accepting(agent("SUPPLIER"), past(deadline)), other)
    assert.strictEqual(accepting(agent("SUPPLIER"), relatedFacts({ isRepresentedByAnother: true })), own)
    assert.strictEqual(accepting(agent("SUPPLIER"), relatedFacts({ agreedPausedBy: ["BUYER"] })), other)
    assert.strictEqual(accepting(agent("SUPPLIER"), relatedFacts({ agreedPausedBy: ["SUPPLIER", "BUYER"] })), own)
    const signing = withSignatures(projectIn("AWAITING_SUPPLIER"), "NATIVE")
    assert.strictEqual(accepting(agent("SUPPLIER"), relatedFacts({ isSignerMissing: true }), signing), own)
    assert.strictEqual(
      accepting(agent("SUPPLIER"), {}, withReservedDecisions(projectIn("AWAITING_SUPPLIER"), "RESPOND")),
      own
    )
  })

  it("A person's blocked act reports the act that this person can perform first.", () => {
    const onHold = withDateRevision(projectIn("SUBMITTED"), "REVIEW")
    assert.deepInclude(nextOf(onHold, person("BUYER")), { REVIEW_DELIVERY: "REVISE_AGREEMENT" })
    assert.deepInclude(nextOf(withDateRevision(projectIn("LOCKED"), "DELIVERY"), person("SUPPLIER")), {
      SUBMIT_MATERIALS: "LIFT_HOLD"
    })
    assert.deepInclude(nextOf(signed(), person("SUPPLIER")), { SUBMIT_MATERIALS: "SIGN_AGREEMENT" })
    assert.deepInclude(nextOf(projectIn("CONFIRMATION_CONTESTED"), person("BUYER")), {
      RAISE_CONCERN: "DISMISS_CONCERN"
    })
    const another: Viewer = { by: lee, mayAct: (act) => act === "REVIEW_DELIVERY" }
    assert.deepInclude(nextOf(onHold, another), { REVIEW_DELIVERY: own })
    const open: Partial<HintContext> = { relatedFacts: { ...noRelatedFacts, hasOpenRevision: true } }
    assert.deepInclude(nextOf(projectIn("LOCKED"), person("BUYER"), open), { REVISE_AGREEMENT: other })
  })

  it("A project without a supplier waits for a person of the buyer to invite one.", () => {
    const open = { ...withTerms(projectIn("AWAITING_SUPPLIER"), {}), supplier: { actorId: null, organizationId: null } }
    const [first] = hintsFor(situation(open), agent("BUYER")).blockedActions
    assert.deepInclude(first, { nextAction: own, requiredHumanAction: "INVITE_SUPPLIER" })
  })

  it("A party that raised a concern is referred to one of its own people to dismiss it.", () => {
    const contested = projectIn("CONFIRMATION_CONTESTED")
    const raised = { ...contested, concern: { ...contested.concern!, raisedBy: "SUPPLIER" as const } }
    assert.deepInclude(nextOf(raised, agent("SUPPLIER")), { RAISE_CONCERN: own })
    assert.deepInclude(nextOf(raised, agent("BUYER")), { RAISE_CONCERN: own })
  })
})
