/** The shared context of the steps of a scenario, and the errors that end it. */
import { Data, Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Choices } from "./choices.ts"
import type { Difference } from "../observation/compare.ts"
import type { NameRegistry } from "../clients/name-registry.ts"
import { MissingClientState, UnknownState } from "../clients/client-state.ts"
import type { Recorder } from "../observation/recorder.ts"
import type { Json } from "../vocabulary/json.ts"
import type { OperationAction, Step } from "./format/scenario.ts"
import { UnresolvedReference } from "./format/references.ts"
import type { Response } from "./read-answer.ts"
import type { RequestLedger } from "./request-ledger.ts"
import type { Request, World } from "./world.ts"

export interface ScenarioContext {
  readonly world: World
  readonly recorder: Recorder
  readonly choices: Choices
  readonly directory: NameRegistry
  /** Requests by the id of their step, for identical retries. */
  readonly sentRequests: Map<string, SentRequest>
  /** What each actor has sent, and how it was answered. */
  readonly ledger: RequestLedger
  /** Called with the result of each request and the number of its step, before the scheduler continues. */
  readonly onResult: (step: number, result: RequestResult) => void
  /**
   * Called with each response and its differences from the expectation; the response is undefined if an expected one did
   * not arrive. Returns true if the scenario continues.
   */
  readonly onResponse: (step: Step, answer: StepResponse | undefined, differences: ReadonlyArray<Difference>) => boolean
  /** Holds an authenticated request under external control; undefined if it is not held. */
  readonly holdRequest: (step: OperationAction & Step) => HeldRequest | undefined
}

/** An authenticated request that an external driver holds before its transaction. */
export interface HeldRequest {
  /** Completes at the release. */
  readonly wait: Effect.Effect<void>
  /** Called if the request ended without being held. */
  readonly onEnd: () => void
  /** True if other steps ran while it was held. */
  readonly hadSteps: () => boolean
}

/** The result of a request. */
export type RequestResult = Response | "LOST_REQUEST" | "LOST_ANSWER" | "GONE"

export interface SentRequest {
  readonly operation: string
  /** The id of the step and the name of the operation in the scenario. */
  readonly inScenario: { readonly id: string | undefined; readonly operation: string }
  readonly request: Request
  /** The number of the step, and whether it runs concurrently with others. */
  readonly step: number
  readonly isConcurrent: boolean
  /** The agent that gets the token in the response, if a person requests one. */
  readonly tokenFor?: string
}

/** A response as its actor received it. */
export interface StepResponse {
  readonly status: number
  readonly body: Json | undefined
}

/** The reason why a scenario ends at this step. */
export class StepEnded extends Data.TaggedError("StepEnded")<{
  readonly verdict: "FAILED" | "UNUSABLE"
  readonly reason: string
}> {}

export type StepEffect = Effect.Effect<StepResponse | undefined, StepEnded, SecureRandom.SecureRandom>

/** Maps errors that occur only at run time: an unresolved path, a project that its actor never read. */
export const orUnusable = <A>(evaluate: () => A): Effect.Effect<A, StepEnded> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(evaluate())
    } catch (error) {
      return error instanceof UnresolvedReference ||
        error instanceof MissingClientState ||
        error instanceof UnknownState
        ? unusable(error.message)
        : Effect.die(error)
    }
  })

export const unusable = (reason: string) => Effect.fail(new StepEnded({ verdict: "UNUSABLE", reason }))
