/** The shared context of the steps of a scenario, and the errors that end it. */
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
  /** Requests by the id of their step, for identical retries. */
  readonly sent: Map<string, Sent>
  /** Called with the result of each request and the number of its step, before the scheduler continues. */
  readonly answered: (step: number, came: Came) => void
  /**
   * Called with each response and its differences from the expectation; the response is undefined if an expected one did
   * not arrive. Returns true if the scenario continues.
   */
  readonly concludes: (step: Step, answer: Answer | undefined, differences: ReadonlyArray<Difference>) => boolean
  /** Holds an authenticated request under external control; undefined if it is not held. */
  readonly heldBack: (step: Act & Step) => HeldBack | undefined
}

/** An authenticated request that an external driver holds before its transaction. */
export interface HeldBack {
  /** Completes at the release. */
  readonly wait: Effect.Effect<void>
  /** Called if the request ended without being held. */
  readonly isOver: () => void
  /** True if other steps ran meanwhile. */
  readonly hasHappened: () => boolean
}

/** The result of a request. */
export type Came = Response | "LOST_REQUEST" | "LOST_ANSWER" | "GONE"

export interface Sent {
  readonly operation: string
  /** The id of the step and the name of the operation in the scenario. */
  readonly called: { readonly id: string | undefined; readonly operation: string }
  readonly request: Request
  /** The number of the step, and whether it runs concurrently with others. */
  readonly step: number
  readonly isBeside: boolean
  /** The agent that gets the token in the response, if a person requests one. */
  readonly handsTo?: string
}

/** A response as its actor received it. */
export interface Answer {
  readonly status: number
  readonly body: Json | undefined
}

/** The reason why a scenario ends at this step. */
export class StepEnded extends Data.TaggedError("StepEnded")<{
  readonly verdict: "FAILED" | "UNUSABLE"
  readonly reason: string
}> {}

export type Doing = Effect.Effect<Answer | undefined, StepEnded, SecureRandom.SecureRandom>

/** Maps errors that occur only at run time: an unresolved path, a project that its actor never read. */
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
