/** The checks of a command on a project, which the pipeline runs in the documented order. */
import { Effect } from "effect"
import type { CommandChecks } from "../pipeline/pipeline.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { refusal, refuse, type Refusal } from "../vocabulary/refusals.ts"
import type { ActorOnProject, CallerAuthority, ProjectCaller, SignInRefusal } from "./caller.ts"
import {
  lockCommandContext,
  relatedFactsOf,
  representativeFactsOf,
  supersededBy,
  type CommandContext,
  type NamedRepresentative,
  type ProjectLockPlan
} from "./command-context.ts"
import { actOf, decide, moveOf, type Command, type CommandKind, type DecisionRefusal } from "./decide.ts"
import { historyLimitGuard, partyGuard, pauseGuard, representativeGuard } from "./guards.ts"
import { currentPreconditions, requireKnownHistory, type StoredProject } from "./history.ts"
import type { IdempotencyStore } from "./idempotency-store.ts"
import { hasIssuanceRequest } from "./issuance.ts"
import type { Decision, DecisionContext } from "./requirements.ts"

/** A request for a command: its caller, project and idempotency store. */
export interface CommandRequest {
  readonly request: IdempotentRequest
  readonly idempotencyStore: Pick<IdempotencyStore, "read">
  readonly by: ProjectCaller
  readonly projectId: string
  readonly representative?: NamedRepresentative
}

/** A command with the head and the automation revision that the caller has read. */
export interface CommandInput<K extends CommandKind = CommandKind> {
  readonly expectedEventHash: string
  /** Null for a person, whom no pause stops. */
  readonly automationRevision: number | null
  readonly command: Command<K>
}

/** The lock plan that was read before the transaction, and the ids of an attempt: a repeated one makes the same. */
export interface CommandPlan {
  readonly lockPlan: ProjectLockPlan
  /** Every locked project, in lock order. */
  readonly projectIds: ReadonlyArray<string>
  readonly idsOfAttempt: () => DecisionContext["newId"]
}

/** The context of a command, with its input as it was built from the locked project. */
export interface CheckedContext<K extends CommandKind> extends CommandContext {
  readonly input: CommandInput<K>
}

/** The checks of a command, which may be built from the locked project. */
export const checksOf = <K extends CommandKind>(
  commandRequest: CommandRequest,
  { lockPlan, projectIds, idsOfAttempt }: CommandPlan,
  inputOn: (stored: StoredProject) => CommandInput<K>
): CommandChecks<CallerAuthority, CheckedContext<K>, ActorOnProject, Decision, CheckRefusal<K>, Reads> => {
  const { by: caller, projectId, request } = commandRequest
  return {
    request,
    readAuthority: (transaction) => caller.read(transaction, projectId),
    lockAndRead: Effect.fnUntraced(function* (transaction, { personId }) {
      const context = yield* lockCommandContext(transaction, commandRequest, lockPlan, { personId, projectIds })
      return context === undefined ? undefined : { ...context, input: inputOn(context.stored) }
    }),
    requireActor: (authority, context, now) =>
      Effect.tap(authority.requireActor(context.stored, now), (actor) => requireAct(actor, context)),
    // What the plan misses is read again under the locks.
    isPlanCurrent: () => true,
    requireRecentSignIn: ({ input }, actor) => actor.requireRecentSignIn(input.command),
    requireWholeHistory: (context) => requireWholeHistory(context),
    pauseGuard: (context, { by }) => {
      const { row } = context.stored
      return pauseGuard(row.pauses.length > 0, moveIn(context), { by, relatedFacts: relatedFactsOf(context, lockPlan) })
    },
    revisionGuard: ({ stored, input: { automationRevision } }) =>
      automationRevision === null || automationRevision === stored.row.automationRevision
        ? undefined
        : refusal("AGENT_CHANGED_REFRESH_REQUIRED", { current: currentPreconditions(stored) }),
    headGuard: ({ stored, input: { expectedEventHash } }) =>
      expectedEventHash === stored.project.head
        ? undefined
        : refusal("STALE_EVENT_HEAD", { current: currentPreconditions(stored) }),
    commandGuard: (context) => limitGuard(context),
    timeOf: ({ context, actor }, now) => timeOf(context, actor, now),
    decide: (context, { by }, at) =>
      Effect.fromResult(
        decide(context.stored.project, context.input.command, {
          now: at,
          by,
          newId: idsOfAttempt(),
          isIssuanceRequested: hasIssuanceRequest(context.issuance),
          relatedFacts: relatedFactsOf(context, lockPlan),
          named: representativeFactsOf(context, at)
        })
      )
  }
}

/** A hand-off signs nothing and appends no event. */
type AppendRefusal<K extends CommandKind> = K extends "HANDOFF"
  ? never
  : Refusal<"PROJECT_READ_ONLY" | "DELIVERY_HISTORY_LIMIT_REACHED">

type CheckRefusal<K extends CommandKind> =
  | SignInRefusal<K>
  | AppendRefusal<K>
  | Refusal<"STALE_EVENT_HEAD">
  | DecisionRefusal<K>

type Reads = Effect.Services<ReturnType<typeof lockCommandContext> | ReturnType<typeof requireKnownHistory>>

const moveIn = ({ stored, input }: CheckedContext<CommandKind>) => moveOf(input.command, stored.project.state)

/** The actor holds the act, for its own side, in its own name, and has not acted for the other side. */
const requireAct = ({ by, mayAct }: ActorOnProject, context: CheckedContext<CommandKind>) => {
  const { stored, recordedSide, input } = context
  const { command } = input
  const move = moveIn(context)
  const isOther = recordedSide !== undefined && recordedSide !== by.side
  const isInOwnName =
    command.kind !== "RESPOND" || (command.input.actorId === by.personId && command.input.actorRole === by.side)
  const refused = move === undefined ? representativeGuard(stored.project, by) : partyGuard(stored.project, move, by)
  return !isOther && isInOwnName && refused === undefined && mayAct(actOf(command))
    ? Effect.void
    : refuse(by.isPerson ? "FORBIDDEN" : "FORBIDDEN_AGENT_ACTION")
}

const requireWholeHistory = <K extends CommandKind>({ input, stored }: CheckedContext<K>) =>
  (input.command.kind === "HANDOFF" ? Effect.void : requireKnownHistory(stored)) as Effect.Effect<
    void,
    AppendRefusal<K>,
    Reads
  >

const limitGuard = <K extends CommandKind>(context: CheckedContext<K>) => {
  const move = moveIn(context as CheckedContext<CommandKind>)
  const refused = move === undefined ? undefined : historyLimitGuard(context.stored.project, move)
  return refused as AppendRefusal<K> | undefined
}

/**
 * Clocks of two servers may differ: an event is never earlier than its authority or its predecessors. The command is
 * decided at the time that its event carries.
 */
const timeOf = (context: CommandContext, { notBefore }: ActorOnProject, now: Instant): Instant =>
  [notBefore, context.stored.row.lastEventAt, supersededBy(context)?.row.lastEventAt ?? now].reduce(later, now)
