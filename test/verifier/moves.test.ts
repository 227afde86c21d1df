/** The verifier shares no code with the service: here its moves are held against those of the service, state by state. */
import { assert, describe, expect, it } from "vitest"
import { canMove, moves as serviceMoves, states, type MoveName, type State } from "../../src/projects/project.ts"
import type { History } from "../../src/verifier/history.ts"
import { checkMoves, knownStates } from "../../src/verifier/moves.ts"

type Happened = readonly [kind: string, payload?: object]

const created: Happened = ["CREATE"]
const respond = (action: string): Happened => ["RESPOND", { action }]
const review = (action: string): Happened => ["REVIEW", { action, confirmationId: "c" }]
const submitted: Happened = ["SUBMIT"]
const onConfirmation = { confirmationId: "c" }

const locked = [created, respond("ACCEPT")]
const delivered = [...locked, submitted]
const confirmed = [...delivered, review("ACCEPT")]
const contested: ReadonlyArray<Happened> = [...confirmed, ["CONCERN", onConfirmation]]

/** A way into every state. */
const ways: Readonly<Record<State, ReadonlyArray<Happened>>> = {
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

/** The event that each move leaves; an offer leaves none here. */
const events: Readonly<Record<Exclude<MoveName, "OFFER_REVISION">, Happened>> = {
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

const check = (happened: ReadonlyArray<Happened>) =>
  checkMoves({
    history: happened.map(([kind, payload = {}]) => ({ content: { kind, payload } })) as unknown as History
  })

/** Both moves leave the same event, so that one may start where only the other does. */
const twins: Partial<Record<MoveName, MoveName>> = { REPLACE_TERMS: "SUPERSEDE", SUPERSEDE: "REPLACE_TERMS" }

const named = Object.keys(events) as ReadonlyArray<keyof typeof events>
const pairs = states.flatMap((state) => named.map((move) => [state, move] as const))

describe("the verifier's moves", () => {
  it("know the states of the service, and no other", () => {
    expect([...knownStates].toSorted()).toEqual([...states].toSorted())
  })

  it.each(pairs)("from %s allow %s exactly where the service does", (state, move) => {
    const way = ways[state]
    expect(check(way)).toMatchObject({ ok: true, actual: state })
    // What is lifted must stand.
    const hold: ReadonlyArray<Happened> =
      move !== "LIFT_HOLD" ? [] : [["DATE_REVISION", { purpose: state === "SUBMITTED" ? "REVIEW" : "DELIVERY" }]]
    const event: Happened =
      move === "LIFT_HOLD" && state === "SUBMITTED" ? ["LIFT_HOLD", { purpose: "REVIEW" }] : events[move]
    const found = check([...way, ...hold, event])
    const twin = twins[move]
    assert.strictEqual(found.ok, canMove(state, move) || (twin !== undefined && canMove(state, twin)))
    const made = serviceMoves[move]
    if (found.ok) assert.strictEqual(found.actual, "to" in made ? made.to : state)
  })
})
