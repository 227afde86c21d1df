/** The one way a project changes: every command passes these lines in this order; the first failure is the answer. */
import { Effect } from "effect"
import type { Installation } from "../ports/installation.ts"
import type { Signer } from "../ports/signer.ts"
import { exclusive, shared, Storage, type Root, type Transaction } from "../ports/storage.ts"
import { isReplay, rememberRequest, type Request } from "../replay/replay.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { refuse, type Refused } from "../vocabulary/refusals.ts"
import { actOf } from "./acts.ts"
import { pauseForAgent } from "./automation-log.ts"
import { decide, moveOf, type Command } from "./decide.ts"
import { appendEvent, preconditions, type Stored } from "./history.ts"
import { pointToPerson } from "./human.ts"
import { isAsked, issuesToo, requestIssuance } from "./issuance.ts"
import { partyObstacle, pauseObstacle, roomObstacle, speakerObstacle, type Circumstances } from "./obstacles.ts"
import { takeSide } from "./one-side.ts"
import type { Entered, Principal } from "./principal.ts"
import type { Decision, Given } from "./requirements.ts"
import { applyRevision, type PlannedRevision } from "./revise.ts"
import type { IssuanceRow } from "./store.ts"
import { isSuperseding, supersede } from "./supersede.ts"
import {
  circumstancesOf,
  lockTarget,
  namedIn,
  planTarget,
  supersededBy,
  type Planned,
  type Target,
  type ToName
} from "./target.ts"

export interface ProjectCommand {
  readonly request: Request
  readonly by: Principal
  readonly projectId: string
  readonly expectedEventHash: string
  /** People send none: a pause never stops them. */
  readonly automationRevision: number | null
  readonly command: Command
  readonly named?: ToName
  readonly revision?: PlannedRevision
}

/** What a command did: nothing again, or the project after it; and the authority under which it was answered. */
export type Committed =
  | { readonly replayed: true; readonly entered: Entered; readonly projectId: string }
  | {
      readonly replayed: false
      readonly isIssuanceWanted: boolean
      readonly entered: Entered
      /** The project, or the new one that a revision made. */
      readonly stored: Stored
      readonly issuance: IssuanceRow | undefined
      readonly now: Instant
    }

export const commit = Effect.fn("projects.commit")(function* (command: ProjectCommand) {
  const storage = yield* Storage
  const ids = yield* idSeed
  const planned = yield* planTarget(command)
  const projectIds = projectsOf(command, planned)
  const plan = { roots: rootsOf(command), deferred: projectIds.map((projectId) => exclusive("project", projectId)) }
  return yield* storage.transaction(plan, (transaction) =>
    Effect.gen(function* (): Effect.fn.Return<Committed, Refused, Signer | Installation> {
      const standing = yield* command.by.read(transaction, command.projectId)
      const { personId, reaches } = standing
      // No row of a project out of scope is locked or read.
      const target = reaches ? yield* lockTarget(transaction, command, planned, { personId, projectIds }) : undefined
      const now = yield* transaction.now
      yield* standing.requireLive(now)
      if (target === undefined) return yield* refuse(standing.outside)
      const entered = yield* standing.enter(target.stored, now)
      yield* requireAct(command, entered, target)
      if (yield* isReplay(target.earlier, command.request)) {
        return { replayed: true, entered, projectId: target.earlier!.target }
      }
      yield* entered.requirePresence(command.command)
      const circumstances = circumstancesOf(target, planned)
      yield* requireRunning(command, entered, target.stored, circumstances)
      yield* requireRevision(command, target.stored)
      yield* requireHead(command, target.stored)
      yield* requireRoom(command, target.stored)
      const at = timeOf(target, entered, now)
      yield* standing.requireLive(at)
      const given: Given = {
        now: at,
        by: entered.by,
        newId: ids("attempt").next,
        isIssuanceAsked: isAsked(target.issuance),
        circumstances,
        named: namedIn(target, at)
      }
      const decision = yield* Effect.fromResult(decide(target.stored.project, command.command, given))
      const applied = yield* apply(transaction, command, entered, target, decision, at)
      yield* rememberRequest(transaction, command.request, applied.stored.row.projectId, now)
      return { replayed: false, ...applied, entered, issuance: target.issuance, now }
    })
  )
}, pointToPerson)

const rootsOf = ({ by, named }: ProjectCommand): ReadonlyArray<Root> =>
  named === undefined || named.membershipId === null
    ? by.roots
    : [...by.roots, shared("membership", named.membershipId)]

/** Every project that the command locks, in the order of locks. */
const projectsOf = ({ projectId, revision }: ProjectCommand, { relatedIds }: Planned): ReadonlyArray<string> =>
  [projectId, ...relatedIds, ...(revision === undefined ? [] : [revision.projectId])].toSorted()

/**
 * Clocks of two servers may differ: what is done never lies before the authority it is done under, nor before what it
 * follows. It is decided by the very time that its event will carry.
 */
const timeOf = (target: Target, { notBefore }: Entered, now: Instant): Instant =>
  [notBefore, target.stored.row.lastEventAt, supersededBy(target)?.row.lastEventAt ?? now].reduce(later, now)

/** The act was granted or given, it is this side's, in the actor's own name, and nobody acts on both sides. */
const requireAct = ({ command }: ProjectCommand, entered: Entered, { stored, takenSide }: Target) => {
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

const requireRunning = (
  { command }: ProjectCommand,
  { by }: Entered,
  { row, project }: Stored,
  circumstances: Circumstances
) => {
  const move = moveOf(command, project.state)
  const obstacle = pauseObstacle(row.pauses.length > 0, move, { by, circumstances })
  return obstacle === undefined ? Effect.void : Effect.fail(obstacle)
}

const requireRevision = ({ automationRevision }: ProjectCommand, stored: Stored) =>
  automationRevision === null || automationRevision === stored.row.automationRevision
    ? Effect.void
    : refuse("AGENT_CHANGED_REFRESH_REQUIRED", { current: preconditions(stored) })

const requireHead = ({ expectedEventHash }: ProjectCommand, stored: Stored) =>
  expectedEventHash === stored.project.head
    ? Effect.void
    : refuse("STALE_EVENT_HEAD", { current: preconditions(stored) })

const requireRoom = ({ command }: ProjectCommand, { project }: Stored) => {
  const move = moveOf(command, project.state)
  const obstacle = move === undefined ? undefined : roomObstacle(project, move)
  return obstacle === undefined ? Effect.void : Effect.fail(obstacle)
}

const apply = Effect.fnUntraced(function* (
  transaction: Transaction,
  { command, request, projectId, revision }: ProjectCommand,
  entered: Entered,
  target: Target,
  decision: Decision,
  at: Instant
) {
  const { by, actor, wishOwner } = entered
  const { stored: before, related, named } = target
  if (target.takenSide === undefined) {
    yield* takeSide(transaction, { projectId, personId: by.personId, side: by.side })
  }
  if ("handoff" in decision) {
    const stored = yield* pauseForAgent(transaction, before, actor, decision.handoff, at)
    return { isIssuanceWanted: false, stored }
  }
  if ("revision" in decision) {
    // The command of a revision brings its plan.
    const revising = { stored: before, related, entered, request, planned: revision!, at }
    return { isIssuanceWanted: false, stored: yield* applyRevision(transaction, revising, decision.revision) }
  }
  const { requestId } = request
  const wish = { owner: wishOwner, requestId, earlier: target.issuance }
  if ("issuance" in decision) {
    yield* requestIssuance(transaction, { ...wish, stored: before }, at)
    return { isIssuanceWanted: true, stored: before }
  }
  const stored = yield* appendEvent(transaction, before, { happening: decision.event, requestId, actor, now: at })
  if (named !== undefined && named.takenSide === undefined) {
    yield* takeSide(transaction, { projectId, personId: named.personId, side: "SUPPLIER" })
  }
  const superseded = isSuperseding(command) ? supersededBy(target) : undefined
  if (superseded !== undefined && command.kind === "RESPOND") {
    const { reason } = command.input
    yield* supersede(transaction, superseded, { successor: stored, reason, requestId, actor, now: at })
  }
  // An acceptance under a grant that may also issue carries the wish to issue in the same transaction.
  const isIssuanceWanted = issuesToo(entered, stored.project, decision.event, at)
  if (isIssuanceWanted) yield* requestIssuance(transaction, { ...wish, stored }, at)
  return { isIssuanceWanted, stored }
})
