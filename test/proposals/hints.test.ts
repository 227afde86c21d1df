/** The hints of a proposal agree with the guards of the commands. */
import { assert, describe, it } from "@effect/vitest"
import type { Action, SubjectRequirement } from "../../src/access/actions.ts"
import { actionOfCommand, commandGuard } from "../../src/proposals/decide.ts"
import { proposalHints, type HintContext } from "../../src/proposals/hints.ts"
import type { PartyActor } from "../../src/projects/guard-context.ts"
import { pauseGuard, partyGuard } from "../../src/proposals/guards.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import { moves, ofAuthor, states } from "../support/proposal-table.ts"
import { carefulCommand, people, storedIn } from "../support/stored-proposal.ts"

const author: PartyActor = { personId: people.sam.personId, side: "SUPPLIER", isPerson: false }
const recipient: PartyActor = { personId: people.dana.personId, side: "BUYER", isPerson: false }
const actors = [author, recipient, { ...author, isPerson: true }, { ...recipient, isPerson: true }]
const humanUrl = "https://countersign.test/workspace/proposals/1"
const reservedForPeople: SubjectRequirement = {
  id: "answer",
  statement: "Dana answers herself.",
  humanDecisions: ["RESPOND"]
}

const situations = states.flatMap((state) =>
  [0, 98, 100].flatMap((eventCount) =>
    [false, true].flatMap((isPaused) =>
      [[], [reservedForPeople]].map((subjectRequirements) => ({
        // A draft with a published version: otherwise there would be no buyer's side.
        stored: storedIn(state, {
          eventCount,
          subjectRequirements,
          ...(state === "DRAFT" ? { version: 2, publishedVersion: 1, recipientActorId: people.dana.personId } : {})
        }),
        isPaused,
        name: `${state} ${eventCount} ${isPaused} ${subjectRequirements.length}`
      }))
    )
  )
)

const hintsFor = (
  { stored, isPaused }: (typeof situations)[number],
  by: PartyActor,
  mayAct: HintContext["mayAct"] = () => true
) => {
  const { terms } = stored.current.document
  return proposalHints({
    proposal: { ...stored.row, terms },
    pausedBy: isPaused ? ["SUPPLIER"] : [],
    by,
    mayAct,
    humanUrl
  })
}

describe("the hints of a proposal", () => {
  it("An action is available exactly if a valid command of the caller passes its guards.", () => {
    for (const situation of situations) {
      for (const by of actors) {
        const refusalsByAction = new Map<string, ReadonlyArray<Refusal | undefined>>()
        for (const move of moves.filter((one) => partyGuard(one, by) === undefined)) {
          const command = carefulCommand(situation.stored, move)
          const refused = pauseGuard(situation, by) ?? commandGuard(situation.stored, command, by)
          refusalsByAction.set(actionOfCommand(command), [
            ...(refusalsByAction.get(actionOfCommand(command)) ?? []),
            refused
          ])
        }
        const { availableActions, blockedActions } = hintsFor(situation, by)
        const possible = [...refusalsByAction]
          .filter(([, refusals]) => refusals.includes(undefined))
          .map(([action]) => action)
        assert.sameMembers([...availableActions], possible, situation.name)
        const blocked = [...refusalsByAction.keys()].filter((action) => !possible.includes(action))
        assert.sameMembers(
          blockedActions.map(({ action }) => action as string),
          blocked,
          situation.name
        )
        for (const { action, code } of blockedActions) {
          assert.include(
            refusalsByAction.get(action)!.map((refused) => refused?.code),
            code,
            situation.name
          )
        }
      }
    }
  })

  const plain = { stored: storedIn("PUBLISHED"), isPaused: false, name: "" }

  it("The available actions of a proposal are distinct and in the order of the moves table.", () => {
    assert.deepStrictEqual(hintsFor(plain, author).availableActions, ["UPDATE_PROPOSAL", "WITHDRAW_PROPOSAL"])
    assert.deepStrictEqual(hintsFor(plain, recipient), { availableActions: ["RESPOND_PROPOSAL"], blockedActions: [] })
  })

  it("Actions that the caller is not authorized for are neither available nor blocked.", () => {
    const only = (action: Action) => action === "PUBLISH_PROPOSAL"
    const { availableActions, blockedActions } = hintsFor(plain, author, only)
    assert.deepStrictEqual(availableActions, [])
    assert.deepStrictEqual(blockedActions, [
      {
        action: "PUBLISH_PROPOSAL",
        code: "STATE_CONFLICT",
        reason: "The recipient answers the published version.",
        nextAction: "WAIT_FOR_OTHER_PARTY",
        requiredHumanAction: null,
        humanUrl
      }
    ])
  })

  it("A blocked action that only a person can unblock names the required human action.", () => {
    const paused = hintsFor({ ...plain, isPaused: true }, author).blockedActions
    assert.lengthOf(paused, ofAuthor.length)
    for (const { code, nextAction, requiredHumanAction } of paused) {
      assert.deepStrictEqual(
        [code, nextAction, requiredHumanAction],
        ["AGENT_PAUSED", "WAIT_FOR_HUMAN", "RESUME_AGENTS"]
      )
    }
    const [answer] = hintsFor(
      { ...plain, stored: storedIn("PUBLISHED", { subjectRequirements: [reservedForPeople] }) },
      recipient
    ).blockedActions
    assert.deepInclude(answer, { code: "HUMAN_DECISION_REQUIRED", requiredHumanAction: "Dana answers herself." })
  })
})

describe("the next action of a blocked action on a proposal", () => {
  const other = "WAIT_FOR_OTHER_PARTY"
  const shown = { version: 2, publishedVersion: 1, recipientActorId: people.dana.personId }

  it.each([
    ["DRAFT", author, {}],
    ["DRAFT", recipient, { RESPOND_PROPOSAL: other }],
    ["PUBLISHED", author, { PUBLISH_PROPOSAL: other }],
    ["PUBLISHED", recipient, {}],
    ["CHANGES_REQUESTED", author, { PUBLISH_PROPOSAL: "UPDATE_PROPOSAL" }],
    ["CHANGES_REQUESTED", recipient, { RESPOND_PROPOSAL: other }],
    ...(["ACCEPTED", "DECLINED", "WITHDRAWN"] as const).flatMap((state) => [
      [state, author, { UPDATE_PROPOSAL: "NONE", PUBLISH_PROPOSAL: "NONE", WITHDRAW_PROPOSAL: "NONE" }] as const,
      [state, recipient, { RESPOND_PROPOSAL: "NONE" }] as const
    ])
  ] as const)("A blocked action on a proposal in %s names the party whose step comes next.", (state, by, expected) => {
    const stored = storedIn(state, state === "DRAFT" ? shown : {})
    const nextOf = (isPaused: boolean) =>
      hintsFor({ stored, isPaused, name: "" }, by).blockedActions.map((one) => [one.action, one.nextAction] as const)
    assert.deepStrictEqual(Object.fromEntries(nextOf(false)), expected)
    const hasEnded = Object.values<string>(expected).includes("NONE")
    // The supplier paused.
    for (const [, next] of nextOf(true)) {
      assert.strictEqual(next, hasEnded ? "NONE" : by === author ? "WAIT_FOR_HUMAN" : other)
    }
  })

  it("An agent that may not take the next step of its side waits for a person who takes it.", () => {
    const asked = { stored: storedIn("CHANGES_REQUESTED"), isPaused: false, name: "" }
    const [publication] = hintsFor(asked, author, (action) => action === "PUBLISH_PROPOSAL").blockedActions
    assert.deepInclude(publication, { nextAction: "WAIT_FOR_HUMAN", requiredHumanAction: "UPDATE_PROPOSAL" })
  })

  it("A full history waits for a person of the supplier, a reserved answer for a person of the viewer's side.", () => {
    const full = { stored: storedIn("DRAFT", { ...shown, eventCount: 98 }), isPaused: false, name: "" }
    const limited = hintsFor(full, author).blockedActions
    assert.isNotEmpty(limited)
    for (const { nextAction, requiredHumanAction, reason } of limited) {
      assert.deepStrictEqual([nextAction, requiredHumanAction], ["WAIT_FOR_HUMAN", "REVIEW_CONTINUATION"])
      assert.match(
        reason,
        /^Limit reached: 100 events in the history of this proposal; a person of the supplier's side/
      )
    }
    const reservedAnswer = {
      stored: storedIn("PUBLISHED", { subjectRequirements: [reservedForPeople] }),
      isPaused: false,
      name: ""
    }
    assert.strictEqual(hintsFor(reservedAnswer, recipient).blockedActions[0]?.nextAction, "WAIT_FOR_HUMAN")
  })

  it("The next action of a blocked action is never a reread, and its reason is a sentence.", () => {
    for (const situation of situations) {
      for (const by of actors) {
        for (const { nextAction, reason } of hintsFor(situation, by).blockedActions) {
          assert.notMatch(nextAction, /REREAD/)
          assert.match(reason, /^[A-Z].*\.$/)
        }
      }
    }
  })
})
