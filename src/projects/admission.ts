/** What stands before every effect on a project: the first failure of these lines, in this order, is the answer. */
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

/** Who asks, for which project, and where it would be remembered. */
export interface Asked {
  readonly request: Request
  readonly memory: Pick<Memory, "read">
  readonly by: Principal
  readonly projectId: string
  readonly named?: ToName
}

/** A command with what it was planned on. */
export interface Sent {
  readonly expectedEventHash: string
  /** People send none: a pause never stops them. */
  readonly automationRevision: number | null
  readonly command: Command
}

/** What was looked up before the transaction, and where new ids come from. */
export interface Plans {
  readonly planned: Planned
  /** Every project that is locked, in the order of locks. */
  readonly projectIds: ReadonlyArray<string>
  readonly newId: Given["newId"]
}

/** Decided, and nothing written yet; or it has had its effect before. */
export type Admitted =
  | { readonly replayed: true; readonly entered: Entered; readonly target: string }
  | {
      readonly replayed: false
      readonly entered: Entered
      readonly target: Target
      readonly decision: Decision
      readonly now: Instant
      /** The time that it is decided by and that its event carries. */
      readonly at: Instant
    }

/** Decides what is sent, which may be built on the project as it is found under its lock. */
export const admit = Effect.fnUntraced(function* (
  transaction: Transaction,
  asked: Asked,
  { planned, projectIds, newId }: Plans,
  sentOn: (stored: Stored) => Sent
) {
  const standing = yield* asked.by.read(transaction, asked.projectId)
  const { personId, reaches } = standing
  // No row of a project out of scope is locked or read.
  const target = reaches ? yield* lockTarget(transaction, asked, planned, { personId, projectIds }) : undefined
  const now = yield* transaction.now
  yield* standing.requireLive(now)
  if (target === undefined) return yield* refuse(standing.outside)
  const { stored } = target
  const entered = yield* standing.enter(stored, now)
  const sent = sentOn(stored)
  const { command } = sent
  yield* requireAct(command, entered, target)
  if (yield* isReplay(target.earlier, asked.request)) {
    return { replayed: true, entered, target: target.earlier!.target } satisfies Admitted
  }
  yield* entered.requirePresence(command)
  const circumstances = circumstancesOf(target, planned)
  yield* requireRunning(command, entered, stored, circumstances)
  yield* requireRevision(sent, stored)
  yield* requireHead(sent, stored)
  yield* requireRoom(command, stored)
  const at = timeOf(target, entered, now)
  yield* standing.requireLive(at)
  const given: Given = {
    now: at,
    by: entered.by,
    newId,
    isIssuanceAsked: isAsked(target.issuance),
    circumstances,
    named: namedIn(target, at)
  }
  const decision = yield* Effect.fromResult(decide(stored.project, command, given))
  return { replayed: false, entered, target, decision, now, at } satisfies Admitted
})

/**
 * Clocks of two servers may differ: what is done never lies before the authority it is done under, nor before what it
 * follows. It is decided by the very time that its event will carry.
 */
const timeOf = (target: Target, { notBefore }: Entered, now: Instant): Instant =>
  [notBefore, target.stored.row.lastEventAt, supersededBy(target)?.row.lastEventAt ?? now].reduce(later, now)

/** The act was granted or given, it is this side's, in the actor's own name, and nobody acts on both sides. */
const requireAct = (command: Command, entered: Entered, { stored, takenSide }: Target) => {
  const { by } = entered
  const move = moveOf(command, stored.project.state)
  const isOther = takenSide !== undefined && takenSide !== by.side
  const inOwnName =
    command.kind !== "RESPOND" || (command.input.actorId === by.personId && command.input.actorRole === by.side)
  const obstacle = move === undefined ? speakerObstacle(stored.project, by) : partyObstacle(stored.project, move, by)
  return !isOther && inOwnName && obstacle === undefined && entered.mayAct(actOf(command))
    ? Effect.void
    : refuse(by.isPerson ? "FORBIDDEN" : "FORBIDDEN_AGENT_ACTION")
}

const requireRunning = (command: Command, { by }: Entered, { row, project }: Stored, circumstances: Circumstances) => {
  const move = moveOf(command, project.state)
  const obstacle = pauseObstacle(row.pauses.length > 0, move, { by, circumstances })
  return obstacle === undefined ? Effect.void : Effect.fail(obstacle)
}

const requireRevision = ({ automationRevision }: Sent, stored: Stored) =>
  automationRevision === null || automationRevision === stored.row.automationRevision
    ? Effect.void
    : refuse("AGENT_CHANGED_REFRESH_REQUIRED", { current: preconditions(stored) })

const requireHead = ({ expectedEventHash }: Sent, stored: Stored) =>
  expectedEventHash === stored.project.head
    ? Effect.void
    : refuse("STALE_EVENT_HEAD", { current: preconditions(stored) })

const requireRoom = (command: Command, { project }: Stored) => {
  const move = moveOf(command, project.state)
  const obstacle = move === undefined ? undefined : roomObstacle(project, move)
  return obstacle === undefined ? Effect.void : Effect.fail(obstacle)
}
