/** The commands on a project: what each decides, its move and its act. */
import { Result } from "effect"
import { changeRepresentative } from "./commands/change-representative.ts"
import { concern, resolveConcern, withdrawConfirmation } from "./commands/concern.ts"
import { dateRevision } from "./commands/date-revision.ts"
import { handoff } from "./commands/handoff.ts"
import { issueRecord } from "./commands/issue-record.ts"
import { liftHold } from "./commands/lift-hold.ts"
import { respond } from "./commands/respond.ts"
import { review } from "./commands/review.ts"
import { revise } from "./commands/revise.ts"
import { sign } from "./commands/sign.ts"
import { submit } from "./commands/submit.ts"
import type { Refusal } from "../vocabulary/refusals.ts"
import { moveNamed, type Act, type MoveName } from "./moves.ts"
import type { Project, State } from "./project.ts"
import { requireMove, type Decision, type DecisionContext, type MoveRefusal } from "./requirements.ts"

/** Every command by its kind. */
export const commands = {
  [respond.kind]: respond,
  [submit.kind]: submit,
  [review.kind]: review,
  [issueRecord.kind]: issueRecord,
  [dateRevision.kind]: dateRevision,
  [concern.kind]: concern,
  [handoff.kind]: handoff,
  [sign.kind]: sign,
  [liftHold.kind]: liftHold,
  [resolveConcern.kind]: resolveConcern,
  [withdrawConfirmation.kind]: withdrawConfirmation,
  [changeRepresentative.kind]: changeRepresentative,
  [revise.kind]: revise
} as const
type Commands = typeof commands

export type CommandKind = keyof Commands
type Inputs = { readonly [K in CommandKind]: Parameters<Commands[K]["decide"]>[1] }
type Choices = { readonly [K in CommandKind]: Parameters<Commands[K]["moveOf"]>[0] }
type Decisions = { readonly [K in CommandKind]: ReturnType<Commands[K]["decide"]> }

export type Command<Kind extends CommandKind = CommandKind> = {
  readonly [K in Kind]: { readonly kind: K; readonly input: Inputs[K] }
}[Kind]

const definitions: {
  readonly [K in CommandKind]: {
    readonly moveOf: (choice: Choices[K], state: State) => MoveName | undefined
    readonly decide: (project: Project, input: Inputs[K], context: DecisionContext) => Decisions[K]
  }
} = commands

/** The refusals of a decision: of the moves of the command, and its own. */
export type DecisionRefusal<K extends CommandKind> =
  | MoveRefusal<Exclude<ReturnType<Commands[K]["moveOf"]>, undefined>>
  | (Decisions[K] extends Result.Result<unknown, infer Own extends Refusal> ? Own : never)

/** Decides a command: first the checks of its move, then its own. */
export const decide = <K extends CommandKind>(project: Project, command: Command<K>, context: DecisionContext) => {
  const move = moveOf(command as Command, project.state)
  const decided: Result.Result<Decision, Refusal> = Result.flatMap(
    requireMove(project, command.input, move, context),
    (): Result.Result<Decision, Refusal> => definitions[command.kind].decide(project, command.input, context)
  )
  return decided as Result.Result<Decision, DecisionRefusal<K>>
}

/** The move of the table for a command in a state; a hand-off has none, it changes only the automation. */
export const moveOf = (command: Command, state: State): MoveName | undefined =>
  moveOfChoice(command.kind, command.input, state)

/** The move that the input of a command, or the payload of its event, selects; that of a revision depends on the state. */
export const moveOfChoice = <K extends CommandKind>(
  kind: K,
  choice: Choices[K],
  state: State = "AWAITING_SUPPLIER"
): MoveName | undefined => definitions[kind].moveOf(choice, state)

/** The act of a command, the same in every state; a hand-off requires any granted action. */
export const actOf = (command: Command): Act | "HANDOFF" => {
  const move = moveOfChoice(command.kind, command.input)
  return move === undefined ? "HANDOFF" : moveNamed(move).act!
}
