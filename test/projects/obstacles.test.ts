import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decide, type Command } from "../../src/projects/decide.ts"
import {
  ordinary,
  partyObstacle,
  pauseObstacle,
  placeObstacle,
  roomObstacle,
  type Acting
} from "../../src/projects/obstacles.ts"
import type { MoveName, Project, State } from "../../src/projects/project.ts"
import type { Refused } from "../../src/vocabulary/refusals.ts"
import {
  after,
  dayOne,
  givenAt,
  held,
  ofLength,
  outcomeOf,
  preparedFor,
  projectIn,
  signedBy,
  usualSender,
  withTerms
} from "../support/project.ts"
import { changeRepresentative, commandFor, concern, liftHold, type CommandName } from "../support/project-commands.ts"
import { agent, dana, lee, member, sam } from "../support/project-people.ts"

const outcome = (project: Project, command: Command, by: Acting = usualSender(command), changes = {}) =>
  outcomeOf(decide(project, command, givenAt(dayOne, by, changes)))

const codeOf = (refused: Refused | undefined): string => refused?.code ?? "ACCEPTED"

describe("a hold", () => {
  const stopped: ReadonlyArray<readonly [CommandName, State]> = [
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

  it.each(stopped)("stops %s in %s, of people too", (name, state) => {
    const project = held(projectIn(state), state === "SUBMITTED" ? "REVIEW" : "DELIVERY")
    const command = commandFor[name](project)
    const by = usualSender(command)
    assert.strictEqual(outcome(project, command, by), "DATE_REVISION_PENDING")
    assert.strictEqual(outcome(project, command, { ...by, isPerson: true }), "DATE_REVISION_PENDING")
    assert.strictEqual(outcome({ ...project, hold: null }, command, by), "ACCEPTED")
    const decided = decide(project, command, givenAt(dayOne, by))
    assert.strictEqual(Result.isFailure(decided) && decided.failure.facts.requiredHumanAction, "REVISE_OR_LIFT_HOLD")
  })

  it("stops neither a representative's change nor a hand-off", () => {
    const project = held(projectIn("LOCKED"), "DELIVERY")
    for (const name of ["CHANGE_REPRESENTATIVE", "HANDOFF", "LIFT_HOLD"] as const) {
      assert.strictEqual(outcome(project, commandFor[name](project)), "ACCEPTED", name)
    }
  })

  it("is asked for and lifted as an event tells, by either side", () => {
    for (const [asks, lifts] of [
      [agent(dana), sam],
      [agent(sam), dana],
      [sam, sam]
    ] as const) {
      const locked = projectIn("LOCKED")
      const asked = after(locked, commandFor.HOLD_DELIVERY(locked), dayOne, asks)
      const { purpose, requestedBy, reason } = asked.hold!
      assert.deepStrictEqual([purpose, requestedBy, reason], ["DELIVERY", asks.side, "A week more."])
      assert.strictEqual(asked.hold?.occurredAt, dayOne)
      const lifted = after(asked, liftHold(asked), dayOne, lifts)
      assert.isNull(lifted.hold)
      assert.deepStrictEqual(lifted.events.at(-1)?.payload, {
        agreementDigest: locked.agreementDigest,
        purpose: "DELIVERY",
        reason: "The dates stand."
      })
    }
    const submitted = projectIn("SUBMITTED")
    const asked = after(submitted, commandFor.HOLD_REVIEW(submitted))
    assert.strictEqual(asked.hold?.purpose, "REVIEW")
    assert.deepInclude(after(asked, liftHold(asked)).events.at(-1)?.payload, { purpose: "REVIEW" })
  })

  it("is not lifted where there is none, nor asked for to another end than the state has", () => {
    const locked = projectIn("LOCKED")
    assert.strictEqual(outcome(locked, liftHold(locked)), "STATE_CONFLICT")
    assert.strictEqual(outcome(locked, commandFor.HOLD_REVIEW(locked)), "STATE_CONFLICT")
    const submitted = projectIn("SUBMITTED")
    assert.strictEqual(outcome(submitted, commandFor.HOLD_DELIVERY(submitted)), "STATE_CONFLICT")
  })

  it("stops no date, and comes before it", () => {
    const late = givenAt("2030-01-01T00:00:00.000Z" as typeof dayOne, agent(sam))
    const project = held(projectIn("LOCKED"), "DELIVERY")
    assert.strictEqual(outcomeOf(decide(project, commandFor.SUBMIT(project), late)), "DATE_REVISION_PENDING")
    const free = { ...project, hold: null }
    assert.strictEqual(outcomeOf(decide(free, commandFor.SUBMIT(free), late)), "DELIVERY_DEADLINE_PASSED")
  })
})

const full = "DELIVERY_HISTORY_LIMIT_REACHED"
const free = "ACCEPTED"

/** What the place after so many events is for. */
const places: ReadonlyArray<readonly [MoveName, after97: string, after98: string, after99: string, after100: string]> =
  [
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
    // It leaves no event in the agreed project.
    ["OFFER_REVISION", free, free, free, free]
  ]

describe("the last two of a hundred places", () => {
  it.each(places)("%s after 97, 98, 99 and 100 events", (move, ...expected) => {
    const at = (events: number) => codeOf(roomObstacle(ofLength(projectIn("LOCKED"), events), move))
    assert.deepStrictEqual([97, 98, 99, 100].map(at), expected)
  })

  it("a full history names what a person has to do", () => {
    const refused = roomObstacle(ofLength(projectIn("LOCKED"), 98), "SUBMIT")
    assert.strictEqual(refused?.facts.requiredHumanAction, "REVIEW_CONTINUATION")
  })
})

describe("whose a move is", () => {
  const may = (project: Project, move: MoveName, by: Acting) => codeOf(partyObstacle(project, move, by))

  it("a representative does not act for the buyer, whatever they joined", () => {
    const joined = { ...sam, side: "BUYER" } as const
    assert.strictEqual(may(projectIn("SUBMITTED"), "REVIEW_ACCEPT", joined), "FORBIDDEN")
    assert.strictEqual(may(projectIn("SUBMITTED"), "REVIEW_ACCEPT", agent(joined)), "FORBIDDEN_AGENT_ACTION")
    assert.strictEqual(may(projectIn("SUBMITTED"), "REVIEW_ACCEPT", lee), "ACCEPTED")
  })

  it("a named signer changes nothing about what is not signed", () => {
    const project = signedBy(projectIn("SUBMITTED"), "NATIVE")
    assert.strictEqual(may(project, "REVIEW_REJECT", lee), "ACCEPTED")
    assert.strictEqual(may(project, "CHANGE_REPRESENTATIVE", member), "ACCEPTED")
  })

  it("an invitation is accepted by whoever comes to represent the supplier", () => {
    const project = { ...projectIn("AWAITING_SUPPLIER"), supplier: { actorId: null, organizationId: null } }
    assert.strictEqual(may(project, "RESPOND_ACCEPT", member), "FORBIDDEN")
    const moment = { by: member, now: dayOne, isIssuanceAsked: false, circumstances: ordinary }
    assert.strictEqual(codeOf(placeObstacle(project, "ACCEPT_INVITATION", moment)), "ACCEPTED")
    const named = projectIn("AWAITING_SUPPLIER")
    assert.strictEqual(codeOf(placeObstacle(named, "ACCEPT_INVITATION", moment)), "STATE_CONFLICT")
  })
})

describe("another representative", () => {
  const named = (changes: object) => ({ named: { isMemberOfSupplier: true, tookOtherSide: false, ...changes } })

  it("is a member of the supplier's who never acted for the buyer", () => {
    const project = preparedFor("CHANGE_REPRESENTATIVE", "SUBMITTED")
    const command = changeRepresentative(project)
    assert.strictEqual(outcome(project, command, member, named({})), "ACCEPTED")
    assert.strictEqual(outcome(project, command, member, named({ isMemberOfSupplier: false })), "UNKNOWN_SUPPLIER")
    assert.strictEqual(outcome(project, command, member, { named: null }), "UNKNOWN_SUPPLIER")
    assert.strictEqual(outcome(project, command, member, named({ tookOtherSide: true })), "SAME_PARTY")
    const again = changeRepresentative(project, { supplierActorId: sam.personId })
    assert.strictEqual(outcome(project, again, member, named({ isMemberOfSupplier: false })), "STATE_CONFLICT")
    const nobody = { ...project, supplier: { ...project.supplier, actorId: null } }
    assert.strictEqual(outcome(nobody, command, member), "STATE_CONFLICT")
  })

  it("is neither who made the agreement nor who acted for the buyer in its history", () => {
    const project = preparedFor("CHANGE_REPRESENTATIVE", "BUYER_CONFIRMED")
    const toName = ({ personId }: Acting) => changeRepresentative(project, { supplierActorId: personId })
    assert.strictEqual(outcome(project, toName(dana), member), "SAME_PARTY")
    assert.strictEqual(outcome(project, toName(lee), member), "ACCEPTED")
    const contested = after(project, concern(project), dayOne, lee)
    assert.strictEqual(
      outcome(contested, changeRepresentative(contested, { supplierActorId: lee.personId }), member),
      "SAME_PARTY"
    )
    // Having acted for the supplier is no obstacle.
    const bySupplier = after(project, concern(project), dayOne, agent(member))
    assert.strictEqual(outcome(bySupplier, changeRepresentative(bySupplier), member), "ACCEPTED")
  })

  it("takes the place of the former one, whose organization stays", () => {
    const project = preparedFor("CHANGE_REPRESENTATIVE", "LOCKED")
    const changed = after(project, changeRepresentative(project))
    assert.deepStrictEqual(changed.supplier, { ...project.supplier, actorId: member.personId })
    assert.deepStrictEqual(changed.events.at(-1)?.payload, {
      agreementDigest: project.agreementDigest,
      previousActorId: sam.personId,
      supplierActorId: member.personId,
      reason: "Sam moved on."
    })
    assert.strictEqual(codeOf(partyObstacle(changed, "SUBMIT", agent(sam))), "FORBIDDEN_AGENT_ACTION")
    assert.strictEqual(codeOf(partyObstacle(changed, "SUBMIT", agent(member))), "ACCEPTED")
  })

  it("waits for the supplier's organization to be known", () => {
    const project = projectIn("AWAITING_SUPPLIER")
    assert.strictEqual(outcome(project, changeRepresentative(project), sam), "STATE_CONFLICT")
  })
})

describe("a revision", () => {
  const moment = { by: dana, now: dayOne, isIssuanceAsked: false, circumstances: ordinary }

  it("is nothing to a project that has no other versions", () => {
    assert.deepStrictEqual(ordinary, {
      hasOpenRevision: false,
      isRepresentedByAnother: false,
      agreedPausedBy: [],
      isSignerMissing: false
    })
  })

  it("is open once a project", () => {
    const project = projectIn("LOCKED")
    assert.strictEqual(codeOf(placeObstacle(project, "OFFER_REVISION", moment)), "ACCEPTED")
    const circumstances = { ...ordinary, hasOpenRevision: true }
    assert.strictEqual(codeOf(placeObstacle(project, "OFFER_REVISION", { ...moment, circumstances })), "STATE_CONFLICT")
    assert.strictEqual(codeOf(placeObstacle(project, "SUPERSEDE", { ...moment, circumstances })), "ACCEPTED")
  })

  it("is accepted by no agent while the agreed project is paused", () => {
    const paused = { ...ordinary, agreedPausedBy: ["BUYER"] as const }
    const pause = (isPaused: boolean, move: MoveName | undefined, by: Acting, circumstances = ordinary) =>
      codeOf(pauseObstacle(isPaused, move, { by, circumstances }))
    for (const move of ["RESPOND_ACCEPT", "RESPOND_DECLINE", undefined] as const) {
      assert.strictEqual(pause(true, move, agent(sam)), "AGENT_PAUSED")
      assert.strictEqual(pause(true, move, sam), "ACCEPTED")
      assert.strictEqual(pause(false, move, agent(sam)), "ACCEPTED")
      const stopped = move === "RESPOND_ACCEPT" ? "AGENT_PAUSED" : "ACCEPTED"
      assert.strictEqual(pause(false, move, agent(sam), paused), stopped)
      assert.strictEqual(pause(false, move, sam, paused), "ACCEPTED")
    }
    const refused = pauseObstacle(true, "SUBMIT", { by: agent(sam), circumstances: ordinary })
    assert.strictEqual(refused?.facts.requiredHumanAction, "RESUME_AGENTS")
  })

  it("is accepted by nobody but the representative of the agreed terms", () => {
    const project = projectIn("AWAITING_SUPPLIER")
    const circumstances = { ...ordinary, isRepresentedByAnother: true }
    const answer = (name: CommandName) => outcome(project, commandFor[name](project), agent(sam), { circumstances })
    assert.strictEqual(answer("RESPOND_ACCEPT"), "STATE_CONFLICT")
    assert.strictEqual(answer("RESPOND_DECLINE"), "ACCEPTED")
    assert.strictEqual(answer("RESPOND_REQUEST_CHANGES"), "ACCEPTED")
  })
})

it("a record is asked for once", () => {
  const project = projectIn("BUYER_CONFIRMED")
  const command = commandFor.ISSUE(project)
  assert.strictEqual(outcome(project, command, agent(dana), { isIssuanceAsked: true }), "STATE_CONFLICT")
  const recorded = after(project, command)
  assert.strictEqual(outcome(recorded, commandFor.ISSUE(recorded), agent(dana)), "STATE_CONFLICT")
})

it("several subject requirements are judged together, and the one that keeps the decision speaks", () => {
  const project = withTerms(projectIn("SUBMITTED"), {
    subjectRequirements: [
      { id: "one", statement: "Nothing here.", humanDecisions: [] },
      { id: "two", statement: "A person answers.", humanDecisions: ["RESPOND", "ISSUE"] },
      { id: "three", statement: "A person accepts.", humanDecisions: ["ISSUE", "ACCEPT"] }
    ]
  })
  const decided = decide(project, commandFor.REVIEW_ACCEPT(project), givenAt(dayOne, agent(dana)))
  assert.strictEqual(Result.isFailure(decided) && decided.failure.facts.requiredHumanAction, "A person accepts.")
  assert.strictEqual(outcome(project, commandFor.REVIEW_REJECT(project)), "ACCEPTED")
})
