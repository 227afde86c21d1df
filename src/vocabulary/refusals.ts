/** Refusals: a code of the table in `refusal-rules.ts`, with the facts of one refusal. */
import { Data, Effect } from "effect"
import type { Instant } from "./instant.ts"
import type { CallerKind, RefusalRule } from "./refusal-rule.ts"
import { refusals, type RefusalCode } from "./refusal-rules.ts"

/** The preconditions of the next command on a project, a proposal or a Result Order. */
export type Preconditions =
  | { readonly headEventHash: string; readonly automationRevision: number }
  | { readonly proposalHead: string; readonly version: number; readonly automationRevision: number }
  | { readonly termsDigest: string; readonly financialHead: string }

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

/**
 * A refusal: a stable code, one sentence, the next step. A plain value: views evaluate dozens, without stack traces. The
 * type names the possible codes, so that an operation's error type is the list of its refusals.
 */
export class Refusal<out Code extends RefusalCode = RefusalCode> extends Data.TaggedClass("Refusal")<{
  readonly code: Code
  readonly facts: RefusalFacts
}> {}

export const refusal = <const Code extends RefusalCode>(code: Code, facts: RefusalFacts = {}): Refusal<Code> =>
  new Refusal<Code>({ code, facts })

export const refuse = <const Code extends RefusalCode>(
  code: Code,
  facts: RefusalFacts = {}
): Effect.Effect<never, Refusal<Code>> => Effect.fail(refusal(code, facts))

/** No item of a kind has this id, for an operator. */
export const refuseUnknownId = (kind: string, id: string) =>
  refuse("UNKNOWN_PARTY", { detail: `No ${kind} has the id ${id}.` })

/** The refusals that only these callers can get. */
type RefusalCodeTo<Caller extends CallerKind> = {
  [Code in RefusalCode]: (typeof refusals)[Code] extends { readonly to: Caller } ? Code : never
}[RefusalCode]

/** Of the refusals of a pipeline that agents and people share, those that these callers can get. */
export type RefusalTo<Caller extends CallerKind, E extends Refusal> = Without<
  E,
  RefusalCodeTo<Exclude<CallerKind, Caller>>
>

/** A refusal that was stated to be impossible: a defect of the service, never a response. */
export class ImpossibleRefusal extends Data.TaggedError("ImpossibleRefusal")<{ readonly message: string }> {
  constructor({ code }: Refusal) {
    super({ message: `The refusal ${code} was stated to be impossible here.` })
  }
}

/** States that these refusals are impossible here, for a reason that the types do not know: one would be a defect. */
export const neverRefused =
  <const Impossible extends RefusalCode>(...codes: ReadonlyArray<Impossible>) =>
  <A, E extends Refusal, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, Without<E, Impossible>, R> =>
    Effect.catch(operation, (refused) =>
      isOneOf(refused, codes)
        ? Effect.die(new ImpossibleRefusal(refused))
        : Effect.fail(refused as unknown as Without<E, Impossible>)
    )

type Without<E extends Refusal, Excluded extends RefusalCode> =
  E extends Refusal<infer Code> ? Refusal<Exclude<Code, Excluded>> : never

const isOneOf = ({ code }: Refusal, codes: ReadonlyArray<RefusalCode>): boolean => codes.includes(code)

/** The credential or the session of the caller has ended. */
export type EndedAuthority = Refusal<"AUTH_INVALID" | "SIGN_IN_REQUIRED">

/** Requires a text of 1 to `characters` characters. */
export const requireText = (
  field: string,
  text: string,
  characters: number
): Effect.Effect<void, Refusal<"INVALID_REQUEST">> =>
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
