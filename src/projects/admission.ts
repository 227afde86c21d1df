/** The preconditions of every command on a project, in the documented order; the first failure is the refusal. */
import { Effect } from "effect"
import type { Transaction } from "../ports/storage.ts"
import { isReplay, type Request } from "../replay/replay.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { actOf } from "./acts.ts"
import { decide, moveOf, type Command } from "./decide.ts"
import { preconditions, type Stored } from "./history.ts"
import { isAsked } from "./issuance.ts"
import type { Memory } from "./memory.ts"
import { partyObstacle, pauseObstacle, roomObstacle, speakerObstacle, type Circumstances } from "./obstacles.ts"
import type { Entered, Principal } from "./principal.ts"
import type { Decision, Given } from "./requirements.ts"
import { circumstancesOf, lockTarget, namedIn, supersededBy, type Planned, type Target, type ToName } from "./target.ts"

/** A request for a command: its caller, project and idempotency store. */
export interface Asked {
  readonly request: Request
  readonly idempotencyStore: Pick<Memory, "read">
  readonly by: Principal
  readonly projectId: string
  readonly representative?: ToName
}

/** A command with the head and the automation revision that the caller has read. */
export interface Sent {
  readonly expectedEventHash: string
  /** Null for a person, whom no pause stops. */
  readonly automationRevision: number | null
  readonly command: Command
}

/** The lock plan that was read before the transaction, and the source of new ids. */
export interface Plans {
  readonly lockPlan: Planned
  /** Every locked project, in lock order. */
  readonly projectIds: ReadonlyArray<string>
  readonly newId: Given["newId"]
}

/** A decision that is not yet written, or the replay of a committed command. */
export type Admitted =
  | { readonly replayed: true; readonly actorOnProject: Entered; readonly target: string }
  | {
      readonly replayed: false
      readonly actorOnProject: Entered
      readonly context: Target
      readonly decision: Decision
      readonly now: Instant
      /** The time of the decision and of its event. */
      readonly at: Instant
    }

/** Checks and decides a command, which may be built from the locked project. */
export const admit = Effect.fnUntraced(function* (
  transaction: Transaction,
  commandRequest: Asked,
  { lockPlan, projectIds, newId }: Plans,
  inputOn: (stored: Stored) => Sent
) {
  const authority = yield* commandRequest.by.read(transaction, commandRequest.projectId)
  const { personId, isInScope } = authority
  // A project out of scope is neither locked nor read.
  const context = isInScope
    ? yield* lockTarget(transaction, commandRequest, lockPlan, { personId, projectIds })
    : undefined
  const now = yield* transaction.now
  yield* authority.requireLive(now)
  if (context === undefined) return yield* refuse(authority.outOfScopeCode)
  const { stored } = context
  const actorOnProject = yield* authority.requireActor(stored, now)
  const input = inputOn(stored)
  const { command } = input
  yield* requireAct(command, actorOnProject, context)
  if (yield* isReplay(context.earlierRequest, commandRequest.request)) {
    return { replayed: true, actorOnProject, target: context.earlierRequest!.target } satisfies Admitted
  }
  yield* actorOnProject.requireRecentSignIn(command)
  const relatedFacts = circumstancesOf(context, lockPlan)
  yield* requireRunning(command, actorOnProject, stored, relatedFacts)
  yield* requireRevision(input, stored)
  yield* requireHead(input, stored)
  yield* requireHistoryLimit(command, stored)
  const at = timeOf(context, actorOnProject, now)
  yield* authority.requireLive(at)
  const decisionContext: Given = {
    now: at,
    by: actorOnProject.by,
    newId,
    isIssuanceAsked: isAsked(context.issuance),
    circumstances: relatedFacts,
    named: namedIn(context, at)
  }
  const decision = yield* Effect.fromResult(decide(stored.project, command, decisionContext))
  return { replayed: false, actorOnProject, context, decision, now, at } satisfies Admitted
})

/**
 * Clocks of two servers may differ: an event is never earlier than its authority or its predecessors. The command is
 * decided at the time that its event carries.
 */
const timeOf = (context: Target, { notBefore }: Entered, now: Instant): Instant =>
  [notBefore, context.stored.row.lastEventAt, supersededBy(context)?.row.lastEventAt ?? now].reduce(later, now)

/** The actor holds the act, for its own side, in its own name, and has not acted for the other side. */
const requireAct = (command: Command, actorOnProject: Entered, { stored, recordedSide }: Target) => {
  const { by } = actorOnProject
  const move = moveOf(command, stored.project.state)
  const isOther = recordedSide !== undefined && recordedSide !== by.side
  const isInOwnName =
    command.kind !== "RESPOND" || (command.input.actorId === by.personId && command.input.actorRole === by.side)
  const refused = move === undefined ? speakerObstacle(stored.project, by) : partyObstacle(stored.project, move, by)
  return !isOther && isInOwnName && refused === undefined && actorOnProject.mayAct(actOf(command))
    ? Effect.void
    : refuse(by.isPerson ? "FORBIDDEN" : "FORBIDDEN_AGENT_ACTION")
}

const requireRunning = (command: Command, { by }: Entered, { row, project }: Stored, relatedFacts: Circumstances) => {
  const move = moveOf(command, project.state)
  const refused = pauseObstacle(row.pauses.length > 0, move, { by, circumstances: relatedFacts })
  return refused === undefined ? Effect.void : Effect.fail(refused)
}

const requireRevision = ({ automationRevision }: Sent, stored: Stored) =>
  automationRevision === null || automationRevision === stored.row.automationRevision
    ? Effect.void
    : refuse("AGENT_CHANGED_REFRESH_REQUIRED", { current: preconditions(stored) })

const requireHead = ({ expectedEventHash }: Sent, stored: Stored) =>
  expectedEventHash === stored.project.head
    ? Effect.void
    : refuse("STALE_EVENT_HEAD", { current: preconditions(stored) })

const requireHistoryLimit = (command: Command, { project }: Stored) => {
  const move = moveOf(command, project.state)
  const refused = move === undefined ? undefined : roomObstacle(project, move)
  return refused === undefined ? Effect.void : Effect.fail(refused)
}
