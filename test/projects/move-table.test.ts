import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { moveOf, type Command } from "../../src/projects/decide.ts"
import type { PartyActor } from "../../src/projects/guard-context.ts"
import { states, type Project, type State } from "../../src/projects/project.ts"
import { canMove, isPersonOnly, moves, type MoveName } from "../../src/projects/moves.ts"
import { callers, expectedOf, rowNames, table, type CallerName, type Row, type RowName } from "../support/move-table.ts"
import {
  agentCaller,
  decideRequest,
  personCaller,
  requestBy,
  projectWithFacts,
  type Caller
} from "../support/command-pipeline.ts"
import { afterCommand, applyDecision, created, dayOne, preparedFor, projectIn, supersede } from "../support/project.ts"
import { commandFor, concern, respond, type CommandName } from "../support/project-commands.ts"
import { agent, dana, member, sam } from "../support/project-people.ts"

const callerNamed: { readonly [C in CallerName]: Caller } = {
  "buyer's agent": agentCaller(agent(dana)),
  "supplier's agent": agentCaller(agent(sam)),
  buyer: personCaller(dana),
  representative: personCaller(sam),
  member: personCaller(member),
  turncoat: { ...personCaller(member), recordedSide: "BUYER" }
}

/** The resulting state and emitted event type, or the refusal code. */
type Outcome = ReturnType<typeof expectedOf>

type Evaluation = (state: State, caller: Caller) => Outcome

const ofCommand =
  (name: CommandName, projectOf: (state: State) => Project, commandOf?: (by: PartyActor) => Command): Evaluation =>
  (state, caller) => {
    const project = projectOf(state)
    const command = commandOf?.(caller.by) ?? commandFor[name](project)
    const world = projectWithFacts(project)
    const judged = decideRequest(world, caller, requestBy(caller, command, world), dayOne)
    if (Result.isFailure(judged)) return judged.failure.code
    const next = applyDecision(project, judged.success, caller.by, dayOne)
    const move = moveOf(command, project.state)
    return { to: next.state, emits: next.head === project.head || move === undefined ? null : moves[move].emits }
  }

const contestedBy =
  (by: PartyActor) =>
  (state: State): Project => {
    const confirmed = projectIn("BUYER_CONFIRMED")
    return state === "CONFIRMATION_CONTESTED"
      ? afterCommand(confirmed, concern(confirmed), dayOne, by)
      : projectIn(state)
  }

/** The supplier accepts the revision; the superseded project only has to be in force. */
const ofAcceptedRevision: Evaluation = (state, caller) => {
  const revision = created()
  const world = projectWithFacts(revision)
  const judged = decideRequest(world, caller, requestBy(caller, respond(revision, "ACCEPT"), world), dayOne)
  if (Result.isFailure(judged)) return judged.failure.code
  if (!canMove(state, "SUPERSEDE")) return "STATE_CONFLICT"
  return { to: supersede(projectIn(state), caller.by).state, emits: moves.SUPERSEDE.emits }
}

/** Pause and resume are no commands on the project; they are tested with their operations. */
type CommandRow = Exclude<RowName, "PAUSE" | "RESUME">

const evaluationOf = (name: CommandRow): Evaluation => {
  switch (name) {
    case "REPLACE_TERMS":
    case "OFFER_REVISION":
      return ofCommand("REVISE", projectIn)
    case "SUPERSEDE":
      return ofAcceptedRevision
    case "DISMISS_CONCERN_OF_BUYER":
      return ofCommand("DISMISS_CONCERN", contestedBy(agent(dana)))
    case "DISMISS_CONCERN_OF_SUPPLIER":
      return ofCommand("DISMISS_CONCERN", contestedBy(agent(sam)))
    default:
      return ofCommand(name, (state) => preparedFor(name, state))
  }
}

const isCommandRow = (name: RowName): name is CommandRow => name !== "PAUSE" && name !== "RESUME"

/** The state selects one of the two rows of a revision. */
const expected = (name: CommandRow, state: State, caller: CallerName): Outcome => {
  const isReplaced = (table.REPLACE_TERMS.from as ReadonlyArray<State>).includes(state)
  if (name === "REPLACE_TERMS" && !isReplaced) return expectedOf("OFFER_REVISION", state, caller)
  if (name === "OFFER_REVISION" && isReplaced) return expectedOf("REPLACE_TERMS", state, caller)
  return expectedOf(name, state, caller)
}

describe("the table of moves", () => {
  it("The table has the twelve states of the specification.", () => {
    assert.strictEqual(new Set(states).size, 12)
  })

  it.each(states)("The test builder returns a project in %s.", (state) => {
    assert.strictEqual(projectIn(state).state, state)
  })

  for (const name of rowNames.filter(isCommandRow)) {
    it.each(states)(`${name} in %s results in the state or the refusal of the table for every caller.`, (state) => {
      for (const caller of callers) {
        const judged = evaluationOf(name)(state, callerNamed[caller])
        assert.deepStrictEqual({ caller, judged }, { caller, judged: expected(name, state, caller) })
      }
    })
  }

  const rowOf = (move: MoveName): Row | undefined => {
    if (move === "ACCEPT_INVITATION") return undefined
    return table[move === "DISMISS_CONCERN" ? "DISMISS_CONCERN_OF_BUYER" : move]
  }

  it.each(Object.keys(moves) as ReadonlyArray<MoveName>)(
    "The declared move %s agrees with the specification table.",
    (move) => {
      const row = rowOf(move)
      if (row === undefined) return
      assert.sameMembers([...moves[move].from], [...row.from])
      assert.strictEqual("to" in moves[move] ? moves[move].to : undefined, row.to)
      // An offered revision appends no event to the agreed project.
      if (row.emits !== null) assert.strictEqual(moves[move].emits, row.emits)
      assert.strictEqual(
        isPersonOnly(move),
        row.by.every((caller) => !caller.endsWith("agent"))
      )
    }
  )
})

describe("upholding a concern", () => {
  it.each(["DISMISS_CONCERN_OF_BUYER", "DISMISS_CONCERN_OF_SUPPLIER"] as const)(
    "Only the buyer can uphold a concern, whichever party raised it: %s.",
    (name) => {
      const raisedBy = agent(name === "DISMISS_CONCERN_OF_BUYER" ? dana : sam)
      for (const caller of callers) {
        assert.deepStrictEqual(
          ofCommand("UPHOLD_CONCERN", contestedBy(raisedBy))("CONFIRMATION_CONTESTED", callerNamed[caller]),
          expectedOf("UPHOLD_CONCERN", "CONFIRMATION_CONTESTED", caller)
        )
      }
    }
  )
})
