/**
 * The pipeline of every command on a project or a proposal: the documented order of its checks, and its effect, in one
 * transaction. The first refusal is the answer, and a refusal writes nothing.
 */
import { Effect } from "effect"
import { inTransaction } from "../ports/storage/run.ts"
import type { LockPlan, Transaction } from "../ports/storage.ts"
import { isReplay, type IdempotentRequest, type StoredRequest } from "../replay/idempotency.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { refuse, type EndedAuthority, type Refusal } from "../vocabulary/refusals.ts"

/** The authority of a caller, read under its locks. */
export interface CallerAuthority {
  readonly personId: string
  readonly organizationId: string
  /** What is out of scope is neither locked nor read. */
  readonly isInScope: boolean
  readonly outOfScopeCode: "FORBIDDEN" | "FORBIDDEN_AGENT_PROJECT_SCOPE"
  /** 401 if the credential or the session has ended. */
  readonly requireLive: (now: Instant) => Effect.Effect<void, EndedAuthority>
}

/** What a command decides on, read under the locks of its subject. */
export interface LockedContext {
  /** The earlier request under the same idempotency key. */
  readonly earlierRequest: StoredRequest | undefined
}

/** The refusal of a guard, or undefined where the command passes it. */
type GuardResult<Refused> = Refused | undefined

type Forbidden = Refusal<"FORBIDDEN" | "FORBIDDEN_AGENT_ACTION">

/** The checks of one command, in the order in which they run. `Refused` is what only its subject refuses. */
export interface CommandChecks<Authority, Context, Actor, Decision, Refused, Needs> {
  readonly request: IdempotentRequest
  readonly readAuthority: (transaction: Transaction) => Effect.Effect<Authority>
  /** Locks the subject and reads it; undefined where it does not exist. */
  readonly lockAndRead: (
    transaction: Transaction,
    authority: Authority
  ) => Effect.Effect<Context | undefined, never, Needs>
  /** The caller as actor for its side, which holds the authority of the command. */
  readonly requireActor: (authority: Authority, context: Context, now: Instant) => Effect.Effect<Actor, Forbidden>
  /** False where the lock plan misses what has changed since it was made: the command is planned again. */
  readonly isPlanCurrent: (context: Context) => boolean
  readonly requireRecentSignIn: (context: Context, actor: Actor) => Effect.Effect<void, Refused>
  /** Nothing is signed on a subject whose history is known to lack events. */
  readonly requireWholeHistory: (context: Context) => Effect.Effect<void, Refused, Needs>
  readonly pauseGuard: (context: Context, actor: Actor) => GuardResult<Refusal<"AGENT_PAUSED">>
  readonly revisionGuard: (context: Context, actor: Actor) => GuardResult<Refusal<"AGENT_CHANGED_REFRESH_REQUIRED">>
  readonly headGuard: (context: Context, actor: Actor) => GuardResult<Refused>
  /** The guards of the command that do not depend on the time. */
  readonly commandGuard: (context: Context, actor: Actor) => GuardResult<Refused>
  /** The time at which the command is decided, which its event carries. */
  readonly timeOf: (actorInContext: ActorInContext<Authority, Context, Actor>, now: Instant) => Instant
  /** Undefined where the command has to be planned again. */
  readonly decide: (context: Context, actor: Actor, at: Instant) => Effect.Effect<Decision | undefined, Refused, Needs>
}

/** For a command of people whose preconditions are part of its decision: no pause stops it, and it signs no event. */
export const noPreconditions = {
  requireRecentSignIn: () => Effect.void,
  requireWholeHistory: () => Effect.void,
  pauseGuard: () => undefined,
  revisionGuard: () => undefined,
  headGuard: () => undefined,
  commandGuard: () => undefined
}

/** A decision that is not yet written, the replay of a committed command, or a command to plan again. */
export type CheckedCommand<Authority, Context, Actor, Decision> =
  | { readonly _tag: "Outdated" }
  | ({ readonly _tag: "Replayed" } & ActorInContext<Authority, Context, Actor>)
  | ({
      readonly _tag: "Decided"
      readonly decision: Decision
      readonly now: Instant
      /** The time of the decision and of its event. */
      readonly at: Instant
    } & ActorInContext<Authority, Context, Actor>)

/** Who acts, and on what. */
export interface ActorInContext<Authority, Context, Actor> {
  readonly authority: Authority
  readonly context: Context
  readonly actor: Actor
}

/** Runs the checks of a command up to its decision. */
export const checkCommand = Effect.fnUntraced(function* <
  Authority extends CallerAuthority,
  Context extends LockedContext,
  Actor,
  Decision,
  Refused,
  Needs
>(transaction: Transaction, checks: CommandChecks<Authority, Context, Actor, Decision, Refused, Needs>) {
  type Checked = CheckedCommand<Authority, Context, Actor, Decision>
  const authority = yield* checks.readAuthority(transaction)
  const context = authority.isInScope ? yield* checks.lockAndRead(transaction, authority) : undefined
  const now = yield* transaction.now
  yield* authority.requireLive(now)
  if (context === undefined) return yield* refuse(authority.outOfScopeCode)
  const actor = yield* checks.requireActor(authority, context, now)
  const actorInContext = { authority, context, actor }
  if (yield* isReplay(context.earlierRequest, checks.request)) {
    return { _tag: "Replayed", ...actorInContext } satisfies Checked
  }
  if (!checks.isPlanCurrent(context)) return { _tag: "Outdated" } satisfies Checked
  yield* checks.requireRecentSignIn(context, actor)
  yield* checks.requireWholeHistory(context)
  yield* pass(checks.pauseGuard(context, actor))
  yield* pass(checks.revisionGuard(context, actor))
  yield* pass(checks.headGuard(context, actor))
  yield* pass(checks.commandGuard(context, actor))
  const at = checks.timeOf(actorInContext, now)
  yield* authority.requireLive(at)
  const decision = yield* checks.decide(context, actor, at)
  if (decision === undefined) return { _tag: "Outdated" } satisfies Checked
  return { _tag: "Decided", ...actorInContext, decision, now, at } satisfies Checked
})

const pass = <Refused>(refused: GuardResult<Refused>): Effect.Effect<void, Refused> =>
  refused === undefined ? Effect.void : Effect.fail(refused)

type DecidedCommand<Authority, Context, Actor, Decision> = Extract<
  CheckedCommand<Authority, Context, Actor, Decision>,
  { readonly _tag: "Decided" }
>

/** The effect of a decided command, and its idempotency key, which commit together. */
export interface CommandEffect<Authority, Context, Actor, Decision, Result, Refused, Needs> {
  readonly apply: (
    transaction: Transaction,
    decided: DecidedCommand<Authority, Context, Actor, Decision>
  ) => Effect.Effect<Result, Refused, Needs>
  readonly record: (transaction: Transaction, result: Result, now: Instant) => Effect.Effect<void>
}

/** One transaction of a command: its checks, its effect and its idempotency key. */
export const commitCommand = <
  Authority extends CallerAuthority,
  Context extends LockedContext,
  Actor,
  Decision,
  Refused,
  Needs,
  Result,
  NotApplied,
  Applies
>(
  plan: LockPlan,
  checks: CommandChecks<Authority, Context, Actor, Decision, Refused, Needs>,
  effect: CommandEffect<Authority, Context, Actor, Decision, Result, NotApplied, Applies>
) =>
  inTransaction(plan, function* (transaction) {
    const checked = yield* checkCommand(transaction, checks)
    if (checked._tag !== "Decided") return checked
    const result = yield* effect.apply(transaction, checked)
    yield* effect.record(transaction, result, checked.now)
    return { ...checked, result }
  })
