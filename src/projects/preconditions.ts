/** The preconditions of every command on a project, in the documented order; the first failure is the refusal. */
import { Effect } from "effect"
import type { Transaction } from "../ports/storage.ts"
import { isReplay, type IdempotentRequest } from "../replay/idempotency.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { refuse, type Refusal } from "../vocabulary/refusals.ts"
import { actOf, decide, moveOf, type Command, type CommandKind } from "./decide.ts"
import { currentPreconditions, type StoredProject } from "./history.ts"
import { hasIssuanceRequest } from "./issuance.ts"
import type { IdempotencyStore } from "./idempotency-store.ts"
import { partyGuard, pauseGuard, historyLimitGuard, representativeGuard } from "./guards.ts"
import type { RelatedFacts } from "./guard-context.ts"
import type { ActorOnProject, ProjectCaller } from "./caller.ts"
import type { Decision, DecisionContext } from "./requirements.ts"
import {
  relatedFactsOf,
  lockCommandContext,
  representativeFactsOf,
  supersededBy,
  type ProjectLockPlan,
  type CommandContext,
  type NamedRepresentative
} from "./command-context.ts"

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

/** The lock plan that was read before the transaction, and the source of new ids. */
export interface CommandPlan {
  readonly lockPlan: ProjectLockPlan
  /** Every locked project, in lock order. */
  readonly projectIds: ReadonlyArray<string>
  readonly newId: DecisionContext["newId"]
}

/** A decision that is not yet written, or the replay of a committed command. */
export type CheckedCommand =
  | { readonly replayed: true; readonly actorOnProject: ActorOnProject; readonly target: string }
  | {
      readonly replayed: false
      readonly actorOnProject: ActorOnProject
      readonly context: CommandContext
      readonly decision: Decision
      readonly now: Instant
      /** The time of the decision and of its event. */
      readonly at: Instant
    }

/** Checks and decides a command, which may be built from the locked project. */
export const checkPreconditions = Effect.fnUntraced(function* <K extends CommandKind>(
  transaction: Transaction,
  commandRequest: CommandRequest,
  { lockPlan, projectIds, newId }: CommandPlan,
  inputOn: (stored: StoredProject) => CommandInput<K>
) {
  const authority = yield* commandRequest.by.read(transaction, commandRequest.projectId)
  const { personId, isInScope } = authority
  // A project out of scope is neither locked nor read.
  const context = isInScope
    ? yield* lockCommandContext(transaction, commandRequest, lockPlan, { personId, projectIds })
    : undefined
  const now = yield* transaction.now
  yield* authority.requireLive(now)
  if (context === undefined) return yield* refuse(authority.outOfScopeCode)
  const { stored } = context
  const actorOnProject = yield* authority.requireActor(stored, now)
  const input = inputOn(stored)
  const { command } = input
  yield* requireAct(command as Command, actorOnProject, context)
  if (yield* isReplay(context.earlierRequest, commandRequest.request)) {
    return { replayed: true, actorOnProject, target: context.earlierRequest!.target } satisfies CheckedCommand
  }
  yield* actorOnProject.requireRecentSignIn(command)
  const relatedFacts = relatedFactsOf(context, lockPlan)
  yield* requireRunning(command as Command, actorOnProject, stored, relatedFacts)
  yield* requireRevision(input, stored)
  yield* requireHead(input, stored)
  yield* requireHistoryLimit(command, stored)
  const at = timeOf(context, actorOnProject, now)
  yield* authority.requireLive(at)
  const decisionContext: DecisionContext = {
    now: at,
    by: actorOnProject.by,
    newId,
    isIssuanceRequested: hasIssuanceRequest(context.issuance),
    relatedFacts,
    named: representativeFactsOf(context, at)
  }
  const decision = yield* Effect.fromResult(decide(stored.project, command, decisionContext))
  return { replayed: false, actorOnProject, context, decision, now, at } satisfies CheckedCommand
})

/**
 * Clocks of two servers may differ: an event is never earlier than its authority or its predecessors. The command is
 * decided at the time that its event carries.
 */
const timeOf = (context: CommandContext, { notBefore }: ActorOnProject, now: Instant): Instant =>
  [notBefore, context.stored.row.lastEventAt, supersededBy(context)?.row.lastEventAt ?? now].reduce(later, now)

/** The actor holds the act, for its own side, in its own name, and has not acted for the other side. */
const requireAct = (command: Command, actorOnProject: ActorOnProject, { stored, recordedSide }: CommandContext) => {
  const { by } = actorOnProject
  const move = moveOf(command, stored.project.state)
  const isOther = recordedSide !== undefined && recordedSide !== by.side
  const isInOwnName =
    command.kind !== "RESPOND" || (command.input.actorId === by.personId && command.input.actorRole === by.side)
  const refused = move === undefined ? representativeGuard(stored.project, by) : partyGuard(stored.project, move, by)
  return !isOther && isInOwnName && refused === undefined && actorOnProject.mayAct(actOf(command))
    ? Effect.void
    : refuse(by.isPerson ? "FORBIDDEN" : "FORBIDDEN_AGENT_ACTION")
}

const requireRunning = (
  command: Command,
  { by }: ActorOnProject,
  { row, project }: StoredProject,
  relatedFacts: RelatedFacts
) => {
  const move = moveOf(command, project.state)
  const refused = pauseGuard(row.pauses.length > 0, move, { by, relatedFacts })
  return refused === undefined ? Effect.void : Effect.fail(refused)
}

const requireRevision = ({ automationRevision }: Pick<CommandInput, "automationRevision">, stored: StoredProject) =>
  automationRevision === null || automationRevision === stored.row.automationRevision
    ? Effect.void
    : refuse("AGENT_CHANGED_REFRESH_REQUIRED", { current: currentPreconditions(stored) })

const requireHead = ({ expectedEventHash }: Pick<CommandInput, "expectedEventHash">, stored: StoredProject) =>
  expectedEventHash === stored.project.head
    ? Effect.void
    : refuse("STALE_EVENT_HEAD", { current: currentPreconditions(stored) })

const requireHistoryLimit = <K extends CommandKind>(command: Command<K>, { project }: StoredProject) => {
  const move = moveOf(command as Command, project.state)
  const refused = move === undefined ? undefined : historyLimitGuard(project, move)
  const checked = refused === undefined ? Effect.void : Effect.fail(refused)
  return checked as Effect.Effect<void, K extends "HANDOFF" ? never : Refusal<"DELIVERY_HISTORY_LIMIT_REACHED">>
}
