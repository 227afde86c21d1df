/** What the steps of one scenario share, and how one of them ends it. */
import { Data, Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Directory } from "./directory.ts"
import { NotRead, UnknownState } from "./operations/knowledge.ts"
import type { Recorder } from "./recorder.ts"
import type { Json } from "./script/json.ts"
import { Unresolved } from "./script/references.ts"
import type { Request, World } from "./world.ts"

export interface Journey {
  readonly world: World
  readonly recorder: Recorder
  readonly directory: Directory
  /** Requests by the id of their step, to be sent again to the letter. */
  readonly sent: Map<string, Sent>
}

export interface Sent {
  readonly operation: string
  readonly request: Request
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
