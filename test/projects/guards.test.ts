import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decide, type Command } from "../../src/projects/decide.ts"
import { partyGuard, pauseGuard, stateGuard, historyLimitGuard } from "../../src/projects/guards.ts"
import { noRelatedFacts, type PartyActor, type GuardContext } from "../../src/projects/guard-context.ts"
import type { Project, State } from "../../src/projects/project.ts"
import type { MoveName } from "../../src/projects/moves.ts"
import type { DecisionContext } from "../../src/projects/requirements.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import {
  afterCommand,
  dayOne,
  decisionInputAt,
  withDateRevision,
  withHistoryLength,
  outcomeOf,
  preparedFor,
  projectIn,
  withSignatures,
  usualCaller,
  withTerms
} from "../support/project.ts"
import { changeRepresentative, commandFor, concern, liftHold, type CommandName } from "../support/project-commands.ts"
import { agent, dana, lee, member, sam } from "../support/project-people.ts"

const outcome = (
  project: Project,
  command: Command,
  by: PartyActor = usualCaller(command),
  changes: Partial<DecisionContext> = {}
) => outcomeOf(decide(project, command, decisionInputAt(dayOne, by, changes)))

const codeOf = (refused: Refusal | undefined): string => refused?.code ?? "ACCEPTED"

describe("the signer of an agreement", () => {
  it("Without terms of signing the representative is checked, as for any move.", () => {
    const project = projectIn("LOCKED")
    assert.isUndefined(project.agreement.terms.signing)
    assert.isUndefined(partyGuard(project, "SIGN_AGREEMENT", sam))
    assert.strictEqual(codeOf(partyGuard(project, "SIGN_AGREEMENT", member)), "FORBIDDEN")
  })
})

describe("holds", () => {
  const blockedByHold: ReadonlyArray<readonly [CommandName, State]> = [
    ["SUBMIT", "LOCKED"],
    ["SUBMIT", "CHANGES_REQUESTED"],
    ["SUBMIT", "AWAITING_EVIDENCE"],
    ["HOLD_DELIVERY", "LOCKED"],
    ["REVIEW_ACCEPT", "SUBMITTED"],
    ["REVIEW_REJECT", "SUBMITTED"],
    ["REVIEW_REQUEST_CHANGES", "SUBMITTED"],
    ["REVIEW_REQUEST_EVIDENCE", "SUBMITTED"],
    ["HOLD_REVIEW", "SUBMITTED"]
  ]

  it.each(blockedByHold)("A hold stops %s in %s, also for people.", (name, state) => {
    const project = withDateRevision(projectIn(state), state === "SUBMITTED" ? "REVIEW" : "DELIVERY")
    const command = commandFor[name](project)
    const by = usualCaller(command)
    assert.strictEqual(outcome(project, command, by), "DATE_REVISION_PENDING")
    assert.strictEqual(outcome(project, command, { ...by, isPerson: true }), "DATE_REVISION_PENDING")
    assert.strictEqual(outcome({ ...project, hold: null }, command, by), "ACCEPTED")
    const decided = decide(project, command, decisionInputAt(dayOne, by))
    assert.strictEqual(Result.isFailure(decided) && decided.failure.facts.requiredHumanAction, "REVISE_OR_LIFT_HOLD")
  })

  it("A hold stops neither a change of representative nor a hand-off nor its own lifting.", () => {
    const project = withDateRevision(projectIn("LOCKED"), "DELIVERY")
    for (const name of ["CHANGE_REPRESENTATIVE", "HANDOFF", "LIFT_HOLD"] as const) {
      assert.strictEqual(outcome(project, commandFor[name](project)), "ACCEPTED", name)
    }
  })

  it("Either party can request a hold and lift it, and both are events.", () => {
    for (const [asks, lifts] of [
      [agent(dana), sam],
      [agent(sam), dana],
      [sam, sam]
    ] as const) {
      const locked = projectIn("LOCKED")
      const asked = afterCommand(locked, commandFor.HOLD_DELIVERY(locked), dayOne, asks)
      const { purpose, requestedBy, reason } = asked.hold!
      assert.deepStrictEqual([purpose, requestedBy, reason], ["DELIVERY", asks.side, "A week more."])
      assert.strictEqual(asked.hold?.occurredAt, dayOne)
      const lifted = afterCommand(asked, liftHold(asked), dayOne, lifts)
      assert.isNull(lifted.hold)
      assert.deepStrictEqual(lifted.events.at(-1)?.payload, {
        agreementDigest: locked.agreementDigest,
        purpose: "DELIVERY",
        reason: "The dates stand."
      })
    }
    const submitted = projectIn("SUBMITTED")
    const asked = afterCommand(submitted, commandFor.HOLD_REVIEW(submitted))
    assert.strictEqual(asked.hold?.purpose, "REVIEW")
    assert.deepInclude(afterCommand(asked, liftHold(asked)).events.at(-1)?.payload, { purpose: "REVIEW" })
  })

  it("A hold that does not exist cannot be lifted, and a hold must match the state's purpose.", () => {
    const locked = projectIn("LOCKED")
    assert.strictEqual(outcome(locked, liftHold(locked)), "STATE_CONFLICT")
    assert.strictEqual(outcome(locked, commandFor.HOLD_REVIEW(locked)), "STATE_CONFLICT")
    const submitted = projectIn("SUBMITTED")
    assert.strictEqual(outcome(submitted, commandFor.HOLD_DELIVERY(submitted)), "STATE_CONFLICT")
  })

  it("A hold does not extend a deadline and is checked before it.", () => {
    const late = decisionInputAt("2030-01-01T00:00:00.000Z" as typeof dayOne, agent(sam))
    const project = withDateRevision(projectIn("LOCKED"), "DELIVERY")
    assert.strictEqual(outcomeOf(decide(project, commandFor.SUBMIT(project), late)), "DATE_REVISION_PENDING")
    const free = { ...project, hold: null }
    assert.strictEqual(outcomeOf(decide(free, commandFor.SUBMIT(free), late)), "DELIVERY_DEADLINE_PASSED")
  })
})

const full = "DELIVERY_HISTORY_LIMIT_REACHED"
const free = "ACCEPTED"

/** The outcome of each move after so many events. */
const limitCases: ReadonlyArray<
  readonly [MoveName, after97: string, after98: string, after99: string, after100: string]
> = [
  ["SUBMIT", free, full, full, full],
  ["RESPOND_ACCEPT", free, full, full, full],
  ["REVIEW_ACCEPT", free, full, full, full],
  ["REVIEW_REQUEST_CHANGES", free, full, full, full],
  ["SIGN_AGREEMENT", free, full, full, full],
  ["HOLD_DELIVERY", free, full, full, full],
  ["LIFT_HOLD", free, full, full, full],
  ["CONCERN", free, full, full, full],
  ["DISMISS_CONCERN", free, full, full, full],
  ["CHANGE_REPRESENTATIVE", free, full, full, full],
  ["ACCEPT_INVITATION", free, full, full, full],
  ["ISSUE", free, free, full, full],
  ["UPHOLD_CONCERN", free, free, free, full],
  ["WITHDRAW_CONFIRMATION", free, free, free, full],
  ["REPLACE_TERMS", free, free, free, full],
  ["SUPERSEDE", free, free, free, full],
  // An offered revision appends no event to the agreed project.
  ["OFFER_REVISION", free, free, free, free]
]

describe("the event limit of a history", () => {
  it.each(limitCases)(
    "%s is accepted or refused by the event limit after 97, 98, 99 and 100 events.",
    (move, ...expected) => {
      const at = (events: number) => codeOf(historyLimitGuard(withHistoryLength(projectIn("LOCKED"), events), move))
      assert.deepStrictEqual([97, 98, 99, 100].map(at), expected)
    }
  )

  it("The refusal by the event limit names the required human action.", () => {
    const refused = historyLimitGuard(withHistoryLength(projectIn("LOCKED"), 98), "SUBMIT")
    assert.strictEqual(refused?.facts.requiredHumanAction, "REVIEW_CONTINUATION")
  })
})

describe("authorization of moves", () => {
  const may = (project: Project, move: MoveName, by: PartyActor) => codeOf(partyGuard(project, move, by))

  it("A representative cannot act for the buyer, even as a member of the buyer's organization.", () => {
    const joined = { ...sam, side: "BUYER" } as const
    assert.strictEqual(may(projectIn("SUBMITTED"), "REVIEW_ACCEPT", joined), "FORBIDDEN")
    assert.strictEqual(may(projectIn("SUBMITTED"), "REVIEW_ACCEPT", agent(joined)), "FORBIDDEN_AGENT_ACTION")
    assert.strictEqual(may(projectIn("SUBMITTED"), "REVIEW_ACCEPT", lee), "ACCEPTED")
  })

  it("Named signers do not restrict moves that are not signatures.", () => {
    const project = withSignatures(projectIn("SUBMITTED"), "NATIVE")
    assert.strictEqual(may(project, "REVIEW_REJECT", lee), "ACCEPTED")
    assert.strictEqual(may(project, "CHANGE_REPRESENTATIVE", member), "ACCEPTED")
  })

  it("An invitation can be accepted only while no supplier is named.", () => {
    const project = { ...projectIn("AWAITING_SUPPLIER"), supplier: { actorId: null, organizationId: null } }
    assert.strictEqual(may(project, "RESPOND_ACCEPT", member), "FORBIDDEN")
    const moment: GuardContext = { by: member, now: dayOne, isIssuanceRequested: false, relatedFacts: noRelatedFacts }
    assert.strictEqual(codeOf(stateGuard(project, "ACCEPT_INVITATION", moment)), "ACCEPTED")
    const named = projectIn("AWAITING_SUPPLIER")
    assert.strictEqual(codeOf(stateGuard(named, "ACCEPT_INVITATION", moment)), "STATE_CONFLICT")
  })
})

describe("a change of representative", () => {
  const facts = (changes: object) => ({ named: { isMemberOfSupplier: true, tookOtherSide: false, ...changes } })

  it("A new representative must be a member of the supplier's organization who never acted for the buyer.", () => {
    const project = preparedFor("CHANGE_REPRESENTATIVE", "SUBMITTED")
    const command = changeRepresentative(project)
    assert.strictEqual(outcome(project, command, member, facts({})), "ACCEPTED")
    assert.strictEqual(outcome(project, command, member, facts({ isMemberOfSupplier: false })), "UNKNOWN_SUPPLIER")
    assert.strictEqual(outcome(project, command, member, { named: null }), "UNKNOWN_SUPPLIER")
    assert.strictEqual(outcome(project, command, member, facts({ tookOtherSide: true })), "SAME_PARTY")
    const again = changeRepresentative(project, { supplierActorId: sam.personId })
    assert.strictEqual(outcome(project, again, member, facts({ isMemberOfSupplier: false })), "STATE_CONFLICT")
    const unnamed = { ...project, supplier: { ...project.supplier, actorId: null } }
    assert.strictEqual(outcome(unnamed, command, member), "STATE_CONFLICT")
  })

  it("A person who created the agreement or acted for the buyer in its history cannot become the representative.", () => {
    const project = preparedFor("CHANGE_REPRESENTATIVE", "BUYER_CONFIRMED")
    const toName = ({ personId }: PartyActor) => changeRepresentative(project, { supplierActorId: personId })
    assert.strictEqual(outcome(project, toName(dana), member), "SAME_PARTY")
    assert.strictEqual(outcome(project, toName(lee), member), "ACCEPTED")
    const contested = afterCommand(project, concern(project), dayOne, lee)
    assert.strictEqual(
      outcome(contested, changeRepresentative(contested, { supplierActorId: lee.personId }), member),
      "SAME_PARTY"
    )
    // A person who acted for the supplier can become its representative.
    const bySupplier = afterCommand(project, concern(project), dayOne, agent(member))
    assert.strictEqual(outcome(bySupplier, changeRepresentative(bySupplier), member), "ACCEPTED")
  })

  it("A new representative replaces the former one; the supplier's organization is unchanged.", () => {
    const project = preparedFor("CHANGE_REPRESENTATIVE", "LOCKED")
    const changed = afterCommand(project, changeRepresentative(project))
    assert.deepStrictEqual(changed.supplier, { ...project.supplier, actorId: member.personId })
    assert.deepStrictEqual(changed.events.at(-1)?.payload, {
      agreementDigest: project.agreementDigest,
      previousActorId: sam.personId,
      supplierActorId: member.personId,
      reason: "Sam moved on."
    })
    assert.strictEqual(codeOf(partyGuard(changed, "SUBMIT", agent(sam))), "FORBIDDEN_AGENT_ACTION")
    assert.strictEqual(codeOf(partyGuard(changed, "SUBMIT", agent(member))), "ACCEPTED")
  })

  it("The representative cannot be changed before the supplier's organization is known.", () => {
    const project = projectIn("AWAITING_SUPPLIER")
    assert.strictEqual(outcome(project, changeRepresentative(project), sam), "STATE_CONFLICT")
  })
})

describe("guards of a revision", () => {
  const moment: GuardContext = { by: dana, now: dayOne, isIssuanceRequested: false, relatedFacts: noRelatedFacts }

  it("A project without other versions has no related facts.", () => {
    assert.deepStrictEqual(noRelatedFacts, {
      hasOpenRevision: false,
      isRepresentedByAnother: false,
      agreedPausedBy: [],
      isSignerMissing: false
    })
  })

  it("A project has at most one open revision.", () => {
    const project = projectIn("LOCKED")
    assert.strictEqual(codeOf(stateGuard(project, "OFFER_REVISION", moment)), "ACCEPTED")
    const relatedFacts = { ...noRelatedFacts, hasOpenRevision: true }
    assert.strictEqual(codeOf(stateGuard(project, "OFFER_REVISION", { ...moment, relatedFacts })), "STATE_CONFLICT")
    assert.strictEqual(codeOf(stateGuard(project, "SUPERSEDE", { ...moment, relatedFacts })), "ACCEPTED")
  })

  it("No agent can accept a revision while the agreed project is paused.", () => {
    const paused = { ...noRelatedFacts, agreedPausedBy: ["BUYER"] as const }
    const pause = (isPaused: boolean, move: MoveName | undefined, by: PartyActor, relatedFacts = noRelatedFacts) =>
      codeOf(pauseGuard(isPaused, move, { by, relatedFacts }))
    for (const move of ["RESPOND_ACCEPT", "RESPOND_DECLINE", undefined] as const) {
      assert.strictEqual(pause(true, move, agent(sam)), "AGENT_PAUSED")
      assert.strictEqual(pause(true, move, sam), "ACCEPTED")
      assert.strictEqual(pause(false, move, agent(sam)), "ACCEPTED")
      const expected = move === "RESPOND_ACCEPT" ? "AGENT_PAUSED" : "ACCEPTED"
      assert.strictEqual(pause(false, move, agent(sam), paused), expected)
      assert.strictEqual(pause(false, move, sam, paused), "ACCEPTED")
    }
    const refused = pauseGuard(true, "SUBMIT", { by: agent(sam), relatedFacts: noRelatedFacts })
    assert.strictEqual(refused?.facts.requiredHumanAction, "RESUME_AGENTS")
  })

  it("A revision cannot be accepted by another person than the agreed project's representative.", () => {
    const project = projectIn("AWAITING_SUPPLIER")
    const relatedFacts = { ...noRelatedFacts, isRepresentedByAnother: true }
    const answer = (name: CommandName) => outcome(project, commandFor[name](project), agent(sam), { relatedFacts })
    assert.strictEqual(answer("RESPOND_ACCEPT"), "STATE_CONFLICT")
    assert.strictEqual(answer("RESPOND_DECLINE"), "ACCEPTED")
    assert.strictEqual(answer("RESPOND_REQUEST_CHANGES"), "ACCEPTED")
  })
})

it("Issuance of a record can be requested only once.", () => {
  const project = projectIn("BUYER_CONFIRMED")
  const command = commandFor.ISSUE(project)
  assert.strictEqual(outcome(project, command, agent(dana), { isIssuanceRequested: true }), "STATE_CONFLICT")
  const recorded = afterCommand(project, command)
  assert.strictEqual(outcome(recorded, commandFor.ISSUE(recorded), agent(dana)), "STATE_CONFLICT")
})

it("Of several subject requirements the one that reserves the decision is named in the refusal.", () => {
  const project = withTerms(projectIn("SUBMITTED"), {
    subjectRequirements: [
      { id: "one", statement: "Nothing here.", humanDecisions: [] },
      { id: "two", statement: "A person answers.", humanDecisions: ["RESPOND", "ISSUE"] },
      { id: "three", statement: "A person accepts.", humanDecisions: ["ISSUE", "ACCEPT"] }
    ]
  })
  const decided = decide(project, commandFor.REVIEW_ACCEPT(project), decisionInputAt(dayOne, agent(dana)))
  assert.strictEqual(Result.isFailure(decided) && decided.failure.facts.requiredHumanAction, "A person accepts.")
  assert.strictEqual(outcome(project, commandFor.REVIEW_REJECT(project)), "ACCEPTED")
})
