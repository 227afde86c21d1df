/** A scenario that makes sense: what a script becomes once nothing is wrong with it. */
import type { Visit } from "../callbacks/visit.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { Injection } from "../faults/armed.ts"
import type { Expectation } from "./format.ts"
import type { Given } from "./given.ts"
import type { Json, JsonObject } from "./json.ts"
import type { Property } from "./property-form.ts"

/** What a world is made from. */
export interface Opening {
  readonly title: string
  readonly say: string | undefined
  readonly seed: number
  readonly start: Instant
  readonly given: Given
  /** The script's own properties, beside the invariants of every script. */
  readonly properties: ReadonlyArray<Property>
}

export interface Scenario extends Opening {
  readonly steps: ReadonlyArray<Step>
}

/** What goes wrong with the request of one step. */
export type Mishap = Omit<Injection, "of">

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
  readonly inject: Mishap | undefined
  /** What happens between the moment its credential is accepted and its transaction. */
  readonly meanwhile: ReadonlyArray<Step>
  /** How long, in milliseconds, what is asked for may take to be as expected. */
  readonly within: number | undefined
}

/** A request to the letter. */
export interface Send {
  readonly kind: "send"
  readonly as: string
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS"
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  /** What is sent: a value as JSON, or a text as it stands. */
  readonly body: { readonly json: Json } | { readonly text: string } | undefined
  readonly inject: Mishap | undefined
}

/** The same actor sends the exact request of an earlier step again. */
export interface Retry {
  readonly kind: "retry"
  readonly step: string
  readonly inject: Mishap | undefined
}

/** Time moves by a span, or to a moment. */
export type Pass =
  | { readonly kind: "advance"; readonly milliseconds: number }
  | { readonly kind: "until"; readonly moment: Instant }

/** Something will go wrong. */
export interface Inject {
  readonly kind: "inject"
  readonly injection: Injection
}

/** Every process starts anew; from here on, orders are searched. */
export interface Explore {
  readonly kind: "explore"
  readonly search: Search
}

export interface Search {
  readonly exhaustive: boolean
  readonly faults: ReadonlyArray<Injection>
  readonly receivers: { readonly [name: string]: ReadonlyArray<Visit> }
  /** How many of these happen at most in one run. */
  readonly most: number
  /** In milliseconds. */
  readonly slowness: number
  readonly reaches: ReadonlyArray<string>
}

/** Several steps at once. */
export interface Together {
  readonly kind: "together"
  readonly steps: ReadonlyArray<Step>
}

/** A program behind a receiver answers, or somebody acts. */
export type FromOutside =
  | { readonly receiver: string; readonly answers: number | "RESET" | "NOTHING" }
  | { readonly step: Step }

/** Every step in the order of the script, with those that happen beside others. */
export const everyStep = (steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  steps.flatMap((step) => [step, ...innerSteps(step)])

const innerSteps = (step: Step): ReadonlyArray<Step> => {
  const beside = step.kind === "act" ? step.meanwhile : step.kind === "together" ? step.steps : []
  return [...beside, ...step.outside.flatMap((came) => ("step" in came ? [came.step] : []))]
}

export type Doing = Act | Send | Retry | Pass | Inject | Together | Explore | { readonly kind: "say" }

export type Step = Doing & {
  /** From 1, as people count. */
  readonly number: number
  /** The file that it stands in, where that is a part that the script uses. */
  readonly file: string | undefined
  /** The line it begins on. */
  readonly line: number
  readonly id: string | undefined
  readonly say: string | undefined
  readonly expect: Expectation
  /** Names and the paths of what they hold; an empty path is the whole answer. */
  readonly keep: ReadonlyArray<readonly [name: string, path: string]>
  /** Who goes first at each choice; without one, whoever asked first. */
  readonly choose: ReadonlyArray<string> | undefined
  /** True where other steps may go on at the same moment. */
  readonly isBeside: boolean
  /** What comes from outside while the world waits for real programs, in order. */
  readonly outside: ReadonlyArray<FromOutside>
  /** What names of a loop stand for from here on. */
  readonly binds: ReadonlyArray<readonly [name: string, value: Json]>
}
