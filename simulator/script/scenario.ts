/** A scenario that makes sense: what a script becomes once nothing is wrong with it. */
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { Expectation, ScenarioForm } from "./format.ts"
import type { JsonObject } from "./json.ts"

export interface Scenario {
  readonly title: string
  readonly say: string | undefined
  readonly seed: number
  readonly start: Instant
  readonly given: NonNullable<ScenarioForm["given"]>
  readonly steps: ReadonlyArray<Step>
}

/** An actor does something. */
export interface Act {
  readonly kind: "act"
  readonly as: string
  readonly operation: string
  readonly on: string | undefined
  readonly input: JsonObject | undefined
  readonly envelope: JsonObject
  /** A token to show instead of the actor's own. */
  readonly with: string | undefined
  readonly inject: "lost-request" | "lost-answer" | undefined
  /** What happens between the moment its credential is accepted and its transaction. */
  readonly meanwhile: ReadonlyArray<Step>
}

/** The same actor sends the exact request of an earlier step again. */
export interface Retry {
  readonly kind: "retry"
  readonly step: string
  readonly inject: Act["inject"]
}

/** Time moves by a span, or to a moment. */
export type Pass =
  | { readonly kind: "advance"; readonly milliseconds: number }
  | { readonly kind: "until"; readonly moment: Instant }

/** Every step in the order of the script, those that happen meanwhile too. */
export const everyStep = (steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  steps.flatMap((step) => [step, ...(step.kind === "act" ? step.meanwhile : [])])

export type Step = (Act | Retry | Pass | { readonly kind: "say" }) & {
  /** From 1, as people count. */
  readonly number: number
  /** The line of the script it begins on. */
  readonly line: number
  readonly id: string | undefined
  readonly say: string | undefined
  readonly expect: Expectation
  /** Names and the paths of what they hold; an empty path is the whole answer. */
  readonly keep: ReadonlyArray<readonly [name: string, path: string]>
}
