/** Refusals: a code of the table in `refusal-rules.ts`, with the facts of one refusal. */
import { Data, Effect } from "effect"
import type { Instant } from "./instant.ts"
import { refusals, type RefusalCode, type RefusalRule } from "./refusal-rules.ts"

/** The preconditions of the next command on a project or a proposal. */
export type Preconditions =
  | { readonly headEventHash: string; readonly automationRevision: number }
  | { readonly proposalHead: string; readonly version: number; readonly automationRevision: number }

/** The facts of one refusal, beside its rule. */
export interface RefusalFacts {
  /** Replaces the rule's sentence. */
  readonly detail?: string
  readonly issues?: ReadonlyArray<{ readonly path: string; readonly message: string }>
  /** The current preconditions, so that an agent can continue after one read. */
  readonly current?: Preconditions
  /** Replaces the rule's next step. */
  readonly nextAction?: string
  readonly requiredHumanAction?: string
  readonly humanUrl?: string
  /** When to try again, in seconds; 503 only. */
  readonly retryAfter?: number
  /** The deadline that has passed. */
  readonly dueAt?: Instant
}

/** A refusal: a stable code, one sentence, the next step. A plain value: views evaluate dozens, without stack traces. */
export class Refusal extends Data.TaggedClass("Refusal")<{
  readonly code: RefusalCode
  readonly facts: RefusalFacts
}> {}

export const refusal = (code: RefusalCode, facts: RefusalFacts = {}): Refusal => new Refusal({ code, facts })

export const refuse = (code: RefusalCode, facts: RefusalFacts = {}): Effect.Effect<never, Refusal> =>
  Effect.fail(refusal(code, facts))

/** Requires a text of 1 to `characters` characters. */
export const requireText = (field: string, text: string, characters: number): Effect.Effect<void, Refusal> =>
  text.length >= 1 && text.length <= characters
    ? Effect.void
    : refuse("INVALID_REQUEST", { detail: `${field} must have 1 to ${characters} characters; correct it.` })

/** The error body of the wire (7). */
export const errorBody = ({ code, facts }: Refusal) => {
  const rule: RefusalRule = refusals[code]
  const nextAction = facts.nextAction ?? rule.nextAction
  return {
    error: code,
    detail: facts.detail ?? rule.detail,
    retryable: false,
    ...(nextAction === undefined ? {} : { nextAction }),
    ...(facts.issues === undefined ? {} : { issues: facts.issues }),
    ...(facts.current === undefined ? {} : { current: facts.current }),
    ...(facts.dueAt === undefined ? {} : { dueAt: facts.dueAt }),
    ...(facts.requiredHumanAction === undefined ? {} : { requiredHumanAction: facts.requiredHumanAction }),
    ...(facts.humanUrl === undefined ? {} : { humanUrl: facts.humanUrl })
  }
}

export const statusOf = (refused: Refusal): number => refusals[refused.code].status

/** True for a refusal that only a person can remove. */
export const needsPerson = ({ code }: Refusal): boolean => {
  const rule: RefusalRule = refusals[code]
  return rule.nextAction === "WAIT_FOR_HUMAN"
}
