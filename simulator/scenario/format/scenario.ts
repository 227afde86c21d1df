/** The scenario model: a script after it was read and checked. */
import type { ProviderCondition } from "../../payments/layer.ts"
import type { AttemptScript } from "../../environment/webhook-receivers/attempt-script.ts"
import type { Instant } from "../../../src/vocabulary/instant.ts"
import type { Injection } from "../../environment/faults/armed-faults.ts"
import type { Expectation } from "./scenario-form.ts"
import type { GivenSection } from "./given.ts"
import type { Json, JsonObject } from "../../vocabulary/json.ts"
import type { Property } from "./property-form.ts"

/** The definition of a world. */
export interface WorldDefinition {
  readonly title: string
  readonly say: string | undefined
  readonly seed: number
  readonly start: Instant
  readonly given: GivenSection
  /** The script's own properties, beside the built-in ones. */
  readonly properties: ReadonlyArray<Property>
}

export interface Scenario extends WorldDefinition {
  readonly steps: ReadonlyArray<Step>
}

/** The fault of one step's request. */
export type RequestFault = Omit<Injection, "of">

/** An operation of an actor. */
export interface OperationAction {
  readonly kind: "act"
  readonly as: string
  readonly operation: string
  readonly on: string | undefined
  readonly input: JsonObject | undefined
  readonly envelope: JsonObject
  /** A token to send instead of the actor's own. */
  readonly with: string | undefined
  readonly inject: RequestFault | undefined
  /** Steps between authentication and transaction. */
  readonly meanwhile: ReadonlyArray<Step>
  /** How long, in milliseconds, the request is repeated until the answer matches. */
  readonly within: number | undefined
}

/** A raw request. */
export interface SendAction {
  readonly kind: "send"
  readonly as: string
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS"
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  /** A value sent as JSON, or a text sent unchanged. */
  readonly body: { readonly json: Json } | { readonly text: string } | undefined
  readonly inject: RequestFault | undefined
}

/** The exact request of an earlier step, sent again by the same actor. */
export interface RetryAction {
  readonly kind: "retry"
  readonly step: string
  readonly inject: RequestFault | undefined
}

/** Virtual time advances by a duration, or to an instant. */
export type TimeAction =
  | { readonly kind: "advance"; readonly milliseconds: number }
  | { readonly kind: "until"; readonly moment: Instant }

/** A fault for a later request or for a process. */
export interface InjectAction {
  readonly kind: "inject"
  readonly injection: Injection
}

/** All processes restart; the schedules of the following steps are searched. */
export interface ExploreAction {
  readonly kind: "explore"
  readonly search: Search
}

export interface Search {
  readonly exhaustive: boolean
  readonly faults: ReadonlyArray<Injection>
  readonly receivers: { readonly [name: string]: ReadonlyArray<AttemptScript> }
  /** Conditions under which the payment provider may answer a call. */
  readonly payments: ReadonlyArray<ProviderCondition>
  /** The maximum number of faults and additional outcomes in one run. */
  readonly most: number
  /** In milliseconds. */
  readonly slowness: number
  readonly reaches: ReadonlyArray<string>
}

/** Concurrent steps. */
export interface TogetherAction {
  readonly kind: "together"
  readonly steps: ReadonlyArray<Step>
}

/** An external event: the answer of a program behind a receiver, or a step of an actor. */
export type ExternalEvent =
  | { readonly receiver: string; readonly answers: number | "RESET" | "NOTHING" }
  | { readonly step: Step }

/** All steps in script order, including inner steps. */
export const allSteps = (steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  steps.flatMap((step) => [step, ...innerSteps(step)])

const innerSteps = (step: Step): ReadonlyArray<Step> => {
  const concurrent = step.kind === "act" ? step.meanwhile : step.kind === "together" ? step.steps : []
  return [...concurrent, ...step.outside.flatMap((event) => ("step" in event ? [event.step] : []))]
}

export type StepAction =
  | OperationAction
  | SendAction
  | RetryAction
  | TimeAction
  | InjectAction
  | TogetherAction
  | ExploreAction
  | { readonly kind: "say" }

export type Step = StepAction & {
  /** 1-based. */
  readonly number: number
  /** The part that contains it; undefined for the script itself. */
  readonly file: string | undefined
  /** The line on which it begins. */
  readonly line: number
  readonly id: string | undefined
  readonly say: string | undefined
  readonly expect: Expectation
  /** Names and the paths of their values; the empty path is the whole answer. */
  readonly keep: ReadonlyArray<readonly [name: string, path: string]>
  /** The name that goes first at each choice point; arrival order if undefined. */
  readonly choose: ReadonlyArray<string> | undefined
  /** True if other steps may run concurrently. */
  readonly isConcurrent: boolean
  /** External events, in order, while the world waits for real programs. */
  readonly outside: ReadonlyArray<ExternalEvent>
  /** The values of loop variables from this step on. */
  readonly bindings: ReadonlyArray<readonly [name: string, value: Json]>
}
