/** The effects of commands on a project. The pipeline is the only way to change one by command. */
import { Effect } from "effect"
import { commitCommand, type CheckedCommand } from "../pipeline/pipeline.ts"
import { exclusive, shared, type LockKey, type Transaction } from "../ports/storage.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { CommandKind } from "./decide.ts"
import { checksOf, type CommandInput } from "./command-checks.ts"
import { pauseForAgent } from "./automation-log.ts"
import { appendEvent, recentFold, type StoredProject } from "./history.ts"
import { withHumanUrl } from "./human-url.ts"
import { autoIssues, requestIssuance } from "./issuance.ts"
import { compareKnownHeads } from "./known-heads.ts"
import { lastSequence } from "./lost-head.ts"
import { requestIdStore, type IdempotencyStore } from "./idempotency-store.ts"
import { takeSide } from "./side-exclusivity.ts"
import type { ActorOnProject, CallerAuthority, ProjectCaller } from "./caller.ts"
import type { Decision } from "./requirements.ts"
import { applyRevision, type RevisionPlan } from "./revise.ts"
import type { IssuanceRow } from "./store.ts"
import { isSuperseding, supersede } from "./supersede.ts"
import {
  planLocks,
  supersededBy,
  type ProjectLockPlan,
  type CommandContext,
  type NamedRepresentative
} from "./command-context.ts"
import { traced } from "../vocabulary/traced.ts"

export interface ProjectCommand<K extends CommandKind = CommandKind> extends CommandInput<K> {
  readonly request: IdempotentRequest
  /** Replaces idempotency by request id. */
  readonly idempotencyStore?: IdempotencyStore
  readonly by: ProjectCaller
  readonly projectId: string
  readonly representative?: NamedRepresentative
  readonly revision?: RevisionPlan
}

/** The replay of a command or the project after it, with the actor whose authority was checked. */
export type CommandResult =
  | { readonly replayed: true; readonly actorOnProject: ActorOnProject; readonly projectId: string }
  | {
      readonly replayed: false
      readonly isIssuanceRequested: boolean
      readonly actorOnProject: ActorOnProject
      /** The project, or the new project of a revision. */
      readonly stored: StoredProject
      readonly issuance: IssuanceRow | undefined
      /** A hint: the buyer's organization had a result credit. */
      readonly isCovered: boolean
      readonly now: Instant
    }

export const commit = <K extends CommandKind>(command: ProjectCommand<K>) =>
  withHumanUrl(
    Effect.tapError(commitPlanned(command), ({ code }) =>
      code === "PROJECT_READ_ONLY" ? markIfSeen(command.projectId) : Effect.void
    ),
    command
  )

/** A history that this process has seen and that the database lost marks the project for every process. */
const markIfSeen = Effect.fnUntraced(function* (projectId: string) {
  const seen = yield* recentFold(projectId)
  if (seen === undefined) return
  const sequence = lastSequence(seen)
  const [compared] = yield* compareKnownHeads([{ projectId, sequence, eventHash: seen.head, source: "PROCESS" }])
  if (compared?.outcome === "LOST") {
    yield* Effect.logError("the database lost events that this process had read", { projectId, sequence })
  }
})

const commitPlanned = traced("projects.commit")(function* <K extends CommandKind>(command: ProjectCommand<K>) {
  const ids = yield* idSeed
  const lockPlan = yield* planLocks(command as ProjectCommand)
  const projectIds = projectsOf(command, lockPlan)
  const idempotencyStore = command.idempotencyStore ?? requestIdStore(command.request)
  const locks = { locks: locksOf(command), deferred: projectIds.map((projectId) => exclusive("project", projectId)) }
  const plan = { lockPlan, projectIds, idsOfAttempt: () => ids("attempt").next }
  const committed = yield* commitCommand(
    locks,
    checksOf({ ...command, idempotencyStore }, plan, () => command),
    {
      apply: (transaction, decided) => apply(transaction, command, decided),
      record: (transaction, { stored }, now) => idempotencyStore.record(transaction, stored, now)
    }
  )
  if (committed._tag === "Outdated") return yield* Effect.die("a command on a project is never planned again")
  const { actor: actorOnProject, context } = committed
  if (committed._tag === "Replayed") {
    // A replayed request was recorded, with the project that it changed or made.
    const projectId = context.earlierRequest!.target
    return { replayed: true, actorOnProject, projectId } satisfies CommandResult
  }
  const { issuance, isCovered } = context
  const { result, now } = committed
  return { replayed: false, ...result, actorOnProject, issuance, isCovered, now } satisfies CommandResult
})

const locksOf = ({ by, representative }: ProjectCommand): ReadonlyArray<LockKey> =>
  representative === undefined || representative.membershipId === null
    ? by.locks
    : [...by.locks, shared("membership", representative.membershipId)]

/** Every project that the command locks, in lock order. */
const projectsOf = ({ projectId, revision }: ProjectCommand, { relatedIds }: ProjectLockPlan): ReadonlyArray<string> =>
  [projectId, ...relatedIds, ...(revision === undefined ? [] : [revision.projectId])].toSorted()

/** A checked command that is to be written. */
type DecidedCommand = Extract<
  CheckedCommand<CallerAuthority, CommandContext, ActorOnProject, Decision>,
  { readonly _tag: "Decided" }
>

/** Writes what a command of this kind decided. */
const apply = <K extends CommandKind>(
  transaction: Transaction,
  command: ProjectCommand<K>,
  decided: DecidedCommand
) => {
  const applied = applyDecision(transaction, command as ProjectCommand, decided)
  return applied as Effect.Effect<Effect.Success<typeof applied>, AppliedRefusal<K>, Effect.Services<typeof applied>>
}

/** A revision is a new agreement, every other command an event; a hand-off signs neither. */
type AppliedRefusal<K extends CommandKind> = K extends "HANDOFF"
  ? never
  : K extends "REVISE"
    ? Effect.Error<ReturnType<typeof applyRevision>>
    : Effect.Error<ReturnType<typeof appendEvent>>

const applyDecision = Effect.fnUntraced(function* (
  transaction: Transaction,
  { command, request, revision }: ProjectCommand,
  { context, actor: actorOnProject, decision, at }: DecidedCommand
) {
  const { by, actor, issuanceRequester } = actorOnProject
  const { stored: before, related, representative } = context
  yield* takeSide(transaction, before.row, context.recordedSide, by)
  if ("handoff" in decision) {
    const stored = yield* pauseForAgent(transaction, before, actor, decision.handoff, at)
    return { isIssuanceRequested: false, stored }
  }
  if ("revision" in decision) {
    // A revision command always has a plan.
    const revisionContext = { stored: before, related, actorOnProject, request, plan: revision!, at }
    return { isIssuanceRequested: false, stored: yield* applyRevision(transaction, revisionContext, decision.revision) }
  }
  const { requestId } = request
  const issuanceRequest = { owner: issuanceRequester, requestId, earlier: context.issuance }
  if ("issuance" in decision) {
    yield* requestIssuance(transaction, { ...issuanceRequest, stored: before }, at)
    return { isIssuanceRequested: true, stored: before }
  }
  const stored = yield* appendEvent(transaction, before, { content: decision.event, requestId, actor, now: at })
  if (representative !== undefined && representative.personId !== by.personId) {
    const { personId, recordedSide } = representative
    yield* takeSide(transaction, before.row, recordedSide, { personId, side: "SUPPLIER" })
  }
  const superseded = isSuperseding(command) ? supersededBy(context) : undefined
  if (superseded !== undefined && command.kind === "RESPOND") {
    const { reason } = command.input
    yield* supersede(transaction, superseded, { successor: stored, reason, requestId, actor, now: at })
  }
  // An acceptance under a grant that may also issue stores the issuance request in the same transaction.
  const isIssuanceRequested = autoIssues(actorOnProject, stored.project, decision.event, at)
  if (isIssuanceRequested) yield* requestIssuance(transaction, { ...issuanceRequest, stored }, at)
  return { isIssuanceRequested, stored }
})
