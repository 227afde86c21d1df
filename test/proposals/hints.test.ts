/** The hints of a proposal say what the commands would: available is what nothing is in the way of. */
import { assert, describe, it } from "@effect/vitest"
import type { Action, SubjectRequirement } from "../../src/access/actions.ts"
import { actionOf, commandObstacle } from "../../src/proposals/decide.ts"
import { proposalHints, type Situation } from "../../src/proposals/hints.ts"
import { pauseObstacle, sideObstacle, type Acting } from "../../src/proposals/obstacles.ts"
import type { Refused } from "../../src/vocabulary/refusals.ts"
import { moves, ofAuthor, states } from "../support/proposal-table.ts"
import { careful, people, storedIn } from "../support/stored-proposal.ts"

const author: Acting = { personId: people.sam.personId, side: "SUPPLIER", isPerson: false }
const recipient: Acting = { personId: people.dana.personId, side: "BUYER", isPerson: false }
const everybody = [author, recipient, { ...author, isPerson: true }, { ...recipient, isPerson: true }]
const humanUrl = "https://countersign.test/workspace/proposals/1"
const kept: SubjectRequirement = { id: "answer", statement: "Dana answers herself.", humanDecisions: ["RESPOND"] }

const situations = states.flatMap((state) =>
  [0, 98, 100].flatMap((eventCount) =>
    [false, true].flatMap((isPaused) =>
      [[], [kept]].map((subjectRequirements) => ({
        // A draft that was shown before: otherwise nobody would stand on the buyer's side.
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
  by: Acting,
  mayAct: Situation["mayAct"] = () => true
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
  it("call available exactly what a careful command of this caller would do", () => {
    for (const situation of situations) {
      for (const by of everybody) {
        const met = new Map<string, ReadonlyArray<Refused | undefined>>()
        for (const move of moves.filter((one) => sideObstacle(one, by) === undefined)) {
          const command = careful(situation.stored, move)
          const refused = pauseObstacle(situation, by) ?? commandObstacle(situation.stored, command, by)
          met.set(actionOf(command), [...(met.get(actionOf(command)) ?? []), refused])
        }
        const { availableActions, blockedActions } = hintsFor(situation, by)
        const possible = [...met].filter(([, refusals]) => refusals.includes(undefined)).map(([action]) => action)
        assert.sameMembers([...availableActions], possible, situation.name)
        const blocked = [...met.keys()].filter((action) => !possible.includes(action))
        assert.sameMembers(
          blockedActions.map(({ action }) => action as string),
          blocked,
          situation.name
        )
        for (const { action, code } of blockedActions) {
          assert.include(
            met.get(action)!.map((refused) => refused?.code),
            code,
            situation.name
          )
        }
      }
    }
  })

  const plain = { stored: storedIn("PUBLISHED"), isPaused: false, name: "" }

  it("name each action once, in the order of the table", () => {
    assert.deepStrictEqual(hintsFor(plain, author).availableActions, ["UPDATE_PROPOSAL", "WITHDRAW_PROPOSAL"])
    assert.deepStrictEqual(hintsFor(plain, recipient), { availableActions: ["RESPOND_PROPOSAL"], blockedActions: [] })
  })

  it("say nothing of what the caller may not do at all", () => {
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

  it("name the person's part where only a person goes on", () => {
    const paused = hintsFor({ ...plain, isPaused: true }, author).blockedActions
    assert.lengthOf(paused, ofAuthor.length)
    for (const { code, nextAction, requiredHumanAction } of paused) {
      assert.deepStrictEqual(
        [code, nextAction, requiredHumanAction],
        ["AGENT_PAUSED", "WAIT_FOR_HUMAN", "RESUME_AGENTS"]
      )
    }
    const [answer] = hintsFor(
      { ...plain, stored: storedIn("PUBLISHED", { subjectRequirements: [kept] }) },
      recipient
    ).blockedActions
    assert.deepInclude(answer, { code: "HUMAN_DECISION_REQUIRED", requiredHumanAction: "Dana answers herself." })
  })
})

describe("the next action of a blocked act on a proposal", () => {
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
  ] as const)("in %s says whose step comes first", (state, by, expected) => {
    const stored = storedIn(state, state === "DRAFT" ? shown : {})
    const nextOf = (isPaused: boolean) =>
      hintsFor({ stored, isPaused, name: "" }, by).blockedActions.map((one) => [one.action, one.nextAction] as const)
    assert.deepStrictEqual(Object.fromEntries(nextOf(false)), expected)
    const isOver = Object.values<string>(expected).includes("NONE")
    // The supplier paused.
    for (const [, next] of nextOf(true)) {
      assert.strictEqual(next, isOver ? "NONE" : by === author ? "WAIT_FOR_HUMAN" : other)
    }
  })

  it("is a person of the supplier's side where the history is full, and of the own side where an answer is kept", () => {
    const full = { stored: storedIn("DRAFT", { ...shown, eventCount: 98 }), isPaused: false, name: "" }
    for (const { nextAction, requiredHumanAction } of hintsFor(full, author).blockedActions) {
      assert.deepStrictEqual([nextAction, requiredHumanAction], ["WAIT_FOR_HUMAN", "REVIEW_CONTINUATION"])
    }
    const keptOne = { stored: storedIn("PUBLISHED", { subjectRequirements: [kept] }), isPaused: false, name: "" }
    assert.strictEqual(hintsFor(keptOne, recipient).blockedActions[0]?.nextAction, "WAIT_FOR_HUMAN")
  })

  it("is never another read, and the reason is a sentence", () => {
    for (const situation of situations) {
      for (const by of everybody) {
        for (const { nextAction, reason } of hintsFor(situation, by).blockedActions) {
          assert.notMatch(nextAction, /REREAD/)
          assert.match(reason, /^[A-Z].*\.$/)
        }
      }
    }
  })
})
