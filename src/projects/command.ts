/** The parts of a command on a project. */
import type { Result } from "effect"
import { Digest, UuidV4 } from "../vocabulary/ids.ts"
import { Text } from "../vocabulary/text.ts"
import type { ProjectEvent } from "./event.ts"
import type { MoveName } from "./moves.ts"
import type { Project, State } from "./project.ts"
import type { Decision, DecisionContext } from "./requirements.ts"

/** `Choice` is the part of the input, and of the event's payload, that selects the move. */
export interface CommandDefinition<
  Kind extends string,
  Choice,
  Input extends Choice,
  Move extends MoveName | undefined,
  Error
> {
  readonly kind: Kind
  /** The move of the table; undefined for a hand-off, which changes only the automation. */
  readonly moveOf: (choice: Choice, state: State) => Move
  /** The checks after those of the move, in the documented order, and the decision. */
  readonly decide: (project: Project, input: Input, context: DecisionContext) => Result.Result<Decision, Error>
  /** The effect of its event besides the state of the move. */
  readonly evolve?: Evolve<Kind>
}

export type EventOf<Kind extends string> = Extract<ProjectEvent, { readonly kind: Kind }>

export type Evolve<Kind extends string> = (project: Project, event: EventOf<Kind>) => Partial<Project>

/** Keeps the literal types of a definition. */
export const defineCommand = <
  const Kind extends string,
  Choice,
  Input extends Choice,
  const Move extends MoveName | undefined,
  Error
>(
  definition: CommandDefinition<Kind, Choice, Input, Move, Error>
) => definition

/** The first members of every input on a project, with its head for a binding decision. */
const named = { requestId: UuidV4, agreementDigest: Digest }
export const reasoned = { ...named, reason: Text }
export const atHead = { ...named, expectedEventHash: Digest }
