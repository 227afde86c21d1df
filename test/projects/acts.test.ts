import { assert, describe, it } from "@effect/vitest"
import { actions, type Role } from "../../src/access/actions.ts"
import type { Authority } from "../../src/people/membership.ts"
import { acts, authorityForAct, isAction, possibilities } from "../../src/projects/acts.ts"
import { type Act, isPersonOnly, moves, personActs } from "../../src/projects/moves.ts"
import { actOf, moveOf } from "../../src/projects/decide.ts"
import type { State } from "../../src/projects/project.ts"
import { preparedFor } from "../support/project.ts"
import { commandFor, type CommandName } from "../support/project-commands.ts"

/** Each act with the authority that it requires on each side; acts of one side appear for that side only. */
const authorities: ReadonlyArray<readonly [Act, Role, Authority]> = [
  ["RESPOND_TERMS", "SUPPLIER", "TERMS_RESPOND"],
  ["SUBMIT_MATERIALS", "SUPPLIER", "MATERIALS_SUBMIT"],
  ["REVIEW_DELIVERY", "BUYER", "DELIVERY_REVIEW"],
  ["CONFIRM_COMPLETION", "BUYER", "COMPLETION_CONFIRM"],
  ["ISSUE_RESULT_RECORD", "BUYER", "RECORD_ISSUE"],
  ["REQUEST_DATE_CHANGE", "BUYER", "DELIVERY_REVIEW"],
  ["REQUEST_DATE_CHANGE", "SUPPLIER", "MATERIALS_SUBMIT"],
  ["RAISE_CONCERN", "BUYER", "DELIVERY_REVIEW"],
  ["RAISE_CONCERN", "SUPPLIER", "MATERIALS_SUBMIT"],
  ["SIGN_AGREEMENT", "BUYER", "AGREEMENT_CREATE"],
  ["SIGN_AGREEMENT", "SUPPLIER", "TERMS_RESPOND"],
  ["LIFT_HOLD", "BUYER", "DELIVERY_REVIEW"],
  ["LIFT_HOLD", "SUPPLIER", "MATERIALS_SUBMIT"],
  ["DISMISS_CONCERN", "BUYER", "DELIVERY_REVIEW"],
  ["DISMISS_CONCERN", "SUPPLIER", "MATERIALS_SUBMIT"],
  ["UPHOLD_CONCERN", "BUYER", "COMPLETION_CONFIRM"],
  ["WITHDRAW_CONFIRMATION", "BUYER", "COMPLETION_CONFIRM"],
  ["CHANGE_REPRESENTATIVE", "SUPPLIER", "MEMBERS_MANAGE"],
  ["REVISE_AGREEMENT", "BUYER", "AGREEMENT_CREATE"]
]

describe("acts", () => {
  it.each(authorities)("%s by the %s requires the authority %s.", (act, side, authority) => {
    assert.strictEqual(authorityForAct(act, side, false), authority)
    // The named signer needs no authority to sign, but needs it for every other act.
    assert.strictEqual(authorityForAct(act, side, true), act === "SIGN_AGREEMENT" ? null : authority)
  })

  it("Each act is either grantable to agents or reserved for people.", () => {
    assert.deepStrictEqual([...acts], [...actions, ...personActs])
    assert.deepStrictEqual(
      [...personActs],
      [
        "SIGN_AGREEMENT",
        "LIFT_HOLD",
        "DISMISS_CONCERN",
        "UPHOLD_CONCERN",
        "WITHDRAW_CONFIRMATION",
        "CHANGE_REPRESENTATIVE",
        "REVISE_AGREEMENT"
      ]
    )
    for (const act of acts) assert.strictEqual(isAction(act), !personActs.some((one) => one === act), act)
    for (const { act, move } of possibilities) assert.strictEqual(isAction(act), !isPersonOnly(move), move)
  })

  it("The hints list each move of an act exactly once.", () => {
    const listed = possibilities.map(({ move }) => move)
    const ofPeople = possibilities.filter(({ act }) => !isAction(act)).map(({ act, move }) => `${act}: ${move}`)
    assert.deepStrictEqual(ofPeople, [
      "SIGN_AGREEMENT: SIGN_AGREEMENT",
      "LIFT_HOLD: LIFT_HOLD",
      "DISMISS_CONCERN: DISMISS_CONCERN",
      "UPHOLD_CONCERN: UPHOLD_CONCERN",
      "WITHDRAW_CONFIRMATION: WITHDRAW_CONFIRMATION",
      "REVISE_AGREEMENT: REPLACE_TERMS",
      "REVISE_AGREEMENT: OFFER_REVISION",
      "CHANGE_REPRESENTATIVE: CHANGE_REPRESENTATIVE"
    ])
    const others = ["ACCEPT_INVITATION", "SUPERSEDE"]
    assert.sameMembers(
      listed,
      (Object.keys(moves) as ReadonlyArray<(typeof listed)[number]>).filter((move) => !others.includes(move))
    )
    assert.deepStrictEqual(
      possibilities.flatMap(({ act, decision }) => (decision === null ? [] : [[act, decision]])),
      [
        ["RESPOND_TERMS", "ACCEPT"],
        ["RESPOND_TERMS", "REQUEST_CHANGES"],
        ["RESPOND_TERMS", "DECLINE"],
        ["REVIEW_DELIVERY", "REQUEST_CHANGES"],
        ["REVIEW_DELIVERY", "REQUEST_EVIDENCE"],
        ["REVIEW_DELIVERY", "REJECT"],
        ["CONFIRM_COMPLETION", "ACCEPT"]
      ]
    )
  })
})

const actOfCommand: { readonly [N in CommandName]: Act | "HANDOFF" } = {
  RESPOND_ACCEPT: "RESPOND_TERMS",
  RESPOND_REQUEST_CHANGES: "RESPOND_TERMS",
  RESPOND_DECLINE: "RESPOND_TERMS",
  SIGN_AGREEMENT: "SIGN_AGREEMENT",
  SUBMIT: "SUBMIT_MATERIALS",
  REVIEW_REQUEST_CHANGES: "REVIEW_DELIVERY",
  REVIEW_REQUEST_EVIDENCE: "REVIEW_DELIVERY",
  REVIEW_REJECT: "REVIEW_DELIVERY",
  REVIEW_ACCEPT: "CONFIRM_COMPLETION",
  ISSUE: "ISSUE_RESULT_RECORD",
  HOLD_DELIVERY: "REQUEST_DATE_CHANGE",
  HOLD_REVIEW: "REQUEST_DATE_CHANGE",
  LIFT_HOLD: "LIFT_HOLD",
  CONCERN: "RAISE_CONCERN",
  DISMISS_CONCERN: "DISMISS_CONCERN",
  UPHOLD_CONCERN: "UPHOLD_CONCERN",
  WITHDRAW_CONFIRMATION: "WITHDRAW_CONFIRMATION",
  CHANGE_REPRESENTATIVE: "CHANGE_REPRESENTATIVE",
  REVISE: "REVISE_AGREEMENT",
  HANDOFF: "HANDOFF"
}

it.each(Object.entries(actOfCommand) as ReadonlyArray<[CommandName, Act]>)(
  "The command %s is the act %s.",
  (name, act) => {
    assert.strictEqual(actOf(commandFor[name](preparedFor(name, "BUYER_CONFIRMED"))), act)
  }
)

it.each(Object.keys(actOfCommand) as ReadonlyArray<CommandName>)(
  "The command %s makes the move of that name in the table.",
  (name) => {
    const move = (state: State) => moveOf(commandFor[name](preparedFor(name, "BUYER_CONFIRMED")), state)
    if (name === "REVISE") {
      assert.deepStrictEqual([move("AWAITING_SUPPLIER"), move("LOCKED")], ["REPLACE_TERMS", "OFFER_REVISION"])
    } else {
      assert.strictEqual(move("LOCKED"), name === "HANDOFF" ? undefined : name)
    }
  }
)
