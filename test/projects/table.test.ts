import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { moveOf, type Command } from "../../src/projects/decide.ts"
import type { Acting } from "../../src/projects/obstacles.ts"
import {
  canMove,
  isForPeople,
  moves,
  states,
  type MoveName,
  type Project,
  type State
} from "../../src/projects/project.ts"
import { callers, expectedOf, rowNames, table, type CallerName, type Row, type RowName } from "../support/move-table.ts"
import { agentCaller, judge, personCaller, sentBy, worldOf, type Caller } from "../support/pipeline.ts"
import { after, applied, created, dayOne, preparedFor, projectIn, superseded } from "../support/project.ts"
import { commandFor, concern, respond, type CommandName } from "../support/project-commands.ts"
import { agent, dana, member, sam } from "../support/project-people.ts"

const callerNamed: { readonly [C in CallerName]: Caller } = {
  "buyer's agent": agentCaller(agent(dana)),
  "supplier's agent": agentCaller(agent(sam)),
  buyer: personCaller(dana),
  representative: personCaller(sam),
  member: personCaller(member),
  turncoat: { ...personCaller(member), takenSide: "BUYER" }
}

/** What becomes of the project: where it leads and what is told of it, or the refusal. */
type Outcome = ReturnType<typeof expectedOf>

type Judged = (state: State, caller: Caller) => Outcome

const ofCommand =
  (name: CommandName, projectOf: (state: State) => Project, commandOf?: (by: Acting) => Command): Judged =>
  (state, caller) => {
    const project = projectOf(state)
    const command = commandOf?.(caller.by) ?? commandFor[name](project)
    const world = worldOf(project)
    const judged = judge(world, caller, sentBy(caller, command, world), dayOne)
    if (Result.isFailure(judged)) return judged.failure.code
    const next = applied(project, judged.success, caller.by, dayOne)
    const move = moveOf(command, project.state)
    return { to: next.state, emits: next.head === project.head || move === undefined ? null : moves[move].emits }
  }

const contestedBy =
  (by: Acting) =>
  (state: State): Project => {
    const confirmed = projectIn("BUYER_CONFIRMED")
    return state === "CONFIRMATION_CONTESTED" ? after(confirmed, concern(confirmed), dayOne, by) : projectIn(state)
  }

/** The supplier's answer is a command on the revision; what it supersedes only has to be in force still. */
const ofAcceptedRevision: Judged = (state, caller) => {
  const revision = created()
  const world = worldOf(revision)
  const judged = judge(world, caller, sentBy(caller, respond(revision, "ACCEPT"), world), dayOne)
  if (Result.isFailure(judged)) return judged.failure.code
  if (!canMove(state, "SUPERSEDE")) return "STATE_CONFLICT"
  return { to: superseded(projectIn(state), caller.by).state, emits: moves.SUPERSEDE.emits }
}

/** Pauses live beside the project and its commands: the operations themselves are tested with their store. */
type Decided = Exclude<RowName, "PAUSE" | "RESUME">

const judgedBy = (name: Decided): Judged => {
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

const isDecided = (name: RowName): name is Decided => name !== "PAUSE" && name !== "RESUME"

/** Of revised terms the state chooses between two rows of the table. */
const expected = (name: Decided, state: State, caller: CallerName): Outcome => {
  const isReplaced = (table.REPLACE_TERMS.from as ReadonlyArray<State>).includes(state)
  if (name === "REPLACE_TERMS" && !isReplaced) return expectedOf("OFFER_REVISION", state, caller)
  if (name === "OFFER_REVISION" && isReplaced) return expectedOf("REPLACE_TERMS", state, caller)
  return expectedOf(name, state, caller)
}

describe("the table of moves", () => {
  it("has the twelve states of the specification", () => {
    assert.strictEqual(new Set(states).size, 12)
  })

  it.each(states)("the builder gives a project in %s", (state) => {
    assert.strictEqual(projectIn(state).state, state)
  })

  for (const name of rowNames.filter(isDecided)) {
    it.each(states)(`${name} in %s leads where the table says, or is refused as it says`, (state) => {
      for (const caller of callers) {
        const judged = judgedBy(name)(state, callerNamed[caller])
        assert.deepStrictEqual({ caller, judged }, { caller, judged: expected(name, state, caller) })
      }
    })
  }

  const rowOf = (move: MoveName): Row | undefined => {
    if (move === "ACCEPT_INVITATION") return undefined
    return table[move === "DISMISS_CONCERN" ? "DISMISS_CONCERN_OF_BUYER" : move]
  }

  it.each(Object.keys(moves) as ReadonlyArray<MoveName>)("%s says the same of itself", (move) => {
    const row = rowOf(move)
    if (row === undefined) return
    assert.sameMembers([...moves[move].from], [...row.from])
    assert.strictEqual("to" in moves[move] ? moves[move].to : undefined, row.to)
    // An offered revision leaves no event in the agreed project.
    if (row.emits !== null) assert.strictEqual(moves[move].emits, row.emits)
    assert.strictEqual(
      isForPeople(move),
      row.by.every((caller) => !caller.endsWith("agent"))
    )
  })
})

describe("a concern", () => {
  it.each(["DISMISS_CONCERN_OF_BUYER", "DISMISS_CONCERN_OF_SUPPLIER"] as const)(
    "is upheld by the buyer, whoever raised it: %s",
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
