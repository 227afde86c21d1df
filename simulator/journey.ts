/** What the steps of one scenario share, and how one of them ends it. */
import { Data, Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Choices } from "./choices.ts"
import type { Difference } from "./compare.ts"
import type { Directory } from "./directory.ts"
import { NotRead, UnknownState } from "./operations/knowledge.ts"
import type { Recorder } from "./recorder.ts"
import type { Json } from "./script/json.ts"
import type { Act, Step } from "./script/scenario.ts"
import { Unresolved } from "./script/references.ts"
import type { Request, Response, World } from "./world.ts"

export interface Journey {
  readonly world: World
  readonly recorder: Recorder
  readonly choices: Choices
  readonly directory: Directory
  /** Requests by the id of their step, to be sent again to the letter. */
  readonly sent: Map<string, Sent>
  /** Told what came of each request, by the number of its step, before anything else goes on. */
  readonly answered: (step: number, came: Came) => void
  /**
   * Told of each answer, and in what it is another than expected; there is none where one was expected and never came.
   * True where the scenario goes on.
   */
  readonly concludes: (step: Step, answer: Answer | undefined, differences: ReadonlyArray<Difference>) => boolean
  /**
   * How somebody outside holds back a request that was let in; undefined where nobody does. Comes back with whether
   * anything happened meanwhile.
   */
  readonly heldBack: (step: Act & Step) => HeldBack | undefined
}

/** A request that somebody outside holds back where it was let in. */
export interface HeldBack {
  /** Until it is let go on. */
  readonly wait: Effect.Effect<void>
  /** Told where there is nothing left that could go on. */
  readonly isOver: () => void
  /** True where something happened meanwhile. */
  readonly hasHappened: () => boolean
}

/** What became of a request. */
export type Came = Response | "LOST_REQUEST" | "LOST_ANSWER" | "GONE"

export interface Sent {
  readonly operation: string
  /** The id of the step and the name of the operation, as the script writes them. */
  readonly called: { readonly id: string | undefined; readonly operation: string }
  readonly request: Request
  /** The number of the step that sends it, and whether others go on beside that. */
  readonly step: number
  readonly isBeside: boolean
  /** The agent that gets the token in the answer, where a person asks for one. */
  readonly handsTo?: string
}

/** An answer as its actor saw it. */
export interface Answer {
  readonly status: number
  readonly body: Json | undefined
}

/** Why a scenario ends at this step. */
export class StepEnded extends Data.TaggedError("StepEnded")<{
  readonly verdict: "FAILED" | "UNUSABLE"
  readonly reason: string
}> {}

export type Doing = Effect.Effect<Answer | undefined, StepEnded, SecureRandom.SecureRandom>

/** What only shows while the scenario runs: a path that leads nowhere, a project its actor never read. */
export const usable = <A>(evaluate: () => A): Effect.Effect<A, StepEnded> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(evaluate())
    } catch (error) {
      return error instanceof Unresolved || error instanceof NotRead || error instanceof UnknownState
        ? unusable(error.message)
        : Effect.die(error)
    }
  })

export const unusable = (reason: string) => Effect.fail(new StepEnded({ verdict: "UNUSABLE", reason }))
