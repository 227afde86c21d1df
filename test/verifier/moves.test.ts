/** Compares the verifier's state machine, which shares no code with the service, with that of the service. */
import { assert, describe, expect, it } from "vitest"
import { states, type State } from "../../src/projects/project.ts"
import { canMove, moves as serviceMoves, type MoveName } from "../../src/projects/moves.ts"
import type { History } from "../../src/verifier/check-inputs.ts"
import { checkMoves, knownStates } from "../../src/verifier/moves.ts"

type EventSpec = readonly [kind: string, payload?: object]

const created: EventSpec = ["CREATE"]
const respond = (action: string): EventSpec => ["RESPOND", { action }]
const review = (action: string): EventSpec => ["REVIEW", { action, confirmationId: "c" }]
const submitted: EventSpec = ["SUBMIT"]
const onConfirmation = { confirmationId: "c" }

const locked = [created, respond("ACCEPT")]
const delivered = [...locked, submitted]
const confirmed = [...delivered, review("ACCEPT")]
const contested: ReadonlyArray<EventSpec> = [...confirmed, ["CONCERN", onConfirmation]]

/** A history that leads to each state. */
const histories: Readonly<Record<State, ReadonlyArray<EventSpec>>> = {
  AWAITING_SUPPLIER: [created],
  AGREEMENT_CHANGES_REQUESTED: [created, respond("REQUEST_CHANGES")],
  SUPPLIER_DECLINED: [created, respond("DECLINE")],
  LOCKED: locked,
  SUBMITTED: delivered,
  CHANGES_REQUESTED: [...delivered, review("REQUEST_CHANGES")],
  AWAITING_EVIDENCE: [...delivered, review("REQUEST_EVIDENCE")],
  BUYER_REJECTED: [...delivered, review("REJECT")],
  BUYER_CONFIRMED: confirmed,
  CONFIRMATION_CONTESTED: contested,
  CONFIRMATION_WITHDRAWN: [...confirmed, ["WITHDRAW_CONFIRMATION", onConfirmation]],
  SUPERSEDED: [...locked, ["SUPERSEDE"]]
}

/** The event of each move; an offer has none in this history. */
const events: Readonly<Record<Exclude<MoveName, "OFFER_REVISION">, EventSpec>> = {
  ACCEPT_INVITATION: ["INVITATION_ACCEPTED"],
  RESPOND_ACCEPT: respond("ACCEPT"),
  RESPOND_REQUEST_CHANGES: respond("REQUEST_CHANGES"),
  RESPOND_DECLINE: respond("DECLINE"),
  SIGN_AGREEMENT: ["SIGN"],
  SUBMIT: submitted,
  REVIEW_REQUEST_CHANGES: review("REQUEST_CHANGES"),
  REVIEW_REQUEST_EVIDENCE: review("REQUEST_EVIDENCE"),
  REVIEW_ACCEPT: review("ACCEPT"),
  REVIEW_REJECT: review("REJECT"),
  ISSUE: ["ISSUE"],
  HOLD_DELIVERY: ["DATE_REVISION", { purpose: "DELIVERY" }],
  HOLD_REVIEW: ["DATE_REVISION", { purpose: "REVIEW" }],
  LIFT_HOLD: ["LIFT_HOLD", { purpose: "DELIVERY" }],
  CONCERN: ["CONCERN", onConfirmation],
  DISMISS_CONCERN: ["RESOLVE_CONCERN", { ...onConfirmation, resolution: "DISMISSED" }],
  UPHOLD_CONCERN: ["RESOLVE_CONCERN", { ...onConfirmation, resolution: "UPHELD" }],
  WITHDRAW_CONFIRMATION: ["WITHDRAW_CONFIRMATION", onConfirmation],
  CHANGE_REPRESENTATIVE: ["CHANGE_REPRESENTATIVE"],
  REPLACE_TERMS: ["SUPERSEDE"],
  SUPERSEDE: ["SUPERSEDE"]
}

const check = (specs: ReadonlyArray<EventSpec>) =>
  checkMoves({
    history: specs.map(([kind, payload = {}]) => ({ content: { kind, payload } })) as unknown as History
  })

/** Both moves have the same event, so that the verifier allows it wherever one of them may start. */
const twins: Partial<Record<MoveName, MoveName>> = { REPLACE_TERMS: "SUPERSEDE", SUPERSEDE: "REPLACE_TERMS" }

const moveNames = Object.keys(events) as ReadonlyArray<keyof typeof events>
const pairs = states.flatMap((state) => moveNames.map((move) => [state, move] as const))

describe("the verifier's moves", () => {
  it("the verifier knows exactly the states of the service", () => {
    expect([...knownStates].toSorted()).toEqual([...states].toSorted())
  })

  it.each(pairs)("in state %s the verifier allows %s exactly if the service does", (state, move) => {
    const history = histories[state]
    expect(check(history)).toMatchObject({ ok: true, actual: state })
    // A hold must be set before it is lifted.
    const hold: ReadonlyArray<EventSpec> =
      move !== "LIFT_HOLD" ? [] : [["DATE_REVISION", { purpose: state === "SUBMITTED" ? "REVIEW" : "DELIVERY" }]]
    const event: EventSpec =
      move === "LIFT_HOLD" && state === "SUBMITTED" ? ["LIFT_HOLD", { purpose: "REVIEW" }] : events[move]
    const found = check([...history, ...hold, event])
    const twin = twins[move]
    assert.strictEqual(found.ok, canMove(state, move) || (twin !== undefined && canMove(state, twin)))
    const serviceMove = serviceMoves[move]
    if (found.ok) assert.strictEqual(found.actual, "to" in serviceMove ? serviceMove.to : state)
  })
})
