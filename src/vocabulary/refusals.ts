/** How the service refuses: by a code of the table in `refusal-rules.ts`, and what this refusal says beside its rule. */
import { Data, Effect } from "effect"
import type { Instant } from "./instant.ts"
import { refusals, type RefusalCode, type Rule } from "./refusal-rules.ts"

/** What the next command on a project, or on a proposal, must name. */
export type Preconditions =
  | { readonly headEventHash: string; readonly automationRevision: number }
  | { readonly proposalHead: string; readonly version: number; readonly automationRevision: number }

/** What a refusal can say beside its rule. */
export interface Facts {
  /** Replaces the rule's sentence. */
  readonly detail?: string
  readonly issues?: ReadonlyArray<{ readonly path: string; readonly message: string }>
  /** The current preconditions, so that an agent replans in one read. */
  readonly current?: Preconditions
  /** Replaces the rule's next step. */
  readonly nextAction?: string
  readonly requiredHumanAction?: string
  readonly humanUrl?: string
  /** When to try again, in seconds; 503 only. */
  readonly retryAfter?: number
  /** The date that has passed. */
  readonly dueAt?: Instant
}

/** A deliberate no: a stable code, one sentence, the next step. It is a value: a view asks for dozens, and no stack is kept. */
export class Refused extends Data.TaggedClass("Refused")<{ readonly code: RefusalCode; readonly facts: Facts }> {}

export const refusal = (code: RefusalCode, facts: Facts = {}): Refused => new Refused({ code, facts })

export const refuse = (code: RefusalCode, facts: Facts = {}): Effect.Effect<never, Refused> =>
  Effect.fail(refusal(code, facts))

/** What a person typed for a page or a command: there, and bounded. */
export const requireText = (what: string, text: string, characters: number): Effect.Effect<void, Refused> =>
  text.length >= 1 && text.length <= characters
    ? Effect.void
    : refuse("INVALID_REQUEST", { detail: `${what} has 1 to ${characters} characters.` })

/** The error body of the wire (7). */
export const errorBody = ({ code, facts }: Refused) => {
  const rule: Rule = refusals[code]
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

export const statusOf = (refused: Refused): number => refusals[refused.code].status

/** True for a refusal that only a person can remove. */
export const waitsForPerson = ({ code }: Refused): boolean => {
  const rule: Rule = refusals[code]
  return rule.nextAction === "WAIT_FOR_HUMAN"
}
