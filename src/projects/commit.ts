/** The one way a project changes: a command that `admission.ts` lets through has its effect in the same transaction. */
import { Effect } from "effect"
import type { Installation } from "../ports/installation.ts"
import type { Signer } from "../ports/signer.ts"
import { exclusive, shared, Storage, type Root, type Transaction } from "../ports/storage.ts"
import type { Request } from "../replay/replay.ts"
import { idSeed } from "../vocabulary/ids.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { Refused } from "../vocabulary/refusals.ts"
import { admit, type Sent } from "./admission.ts"
import { pauseForAgent } from "./automation-log.ts"
import type { CommittedEvents } from "./committed-events.ts"
import { appendEvent, type Stored } from "./history.ts"
import { pointToPerson } from "./human.ts"
import { issuesToo, requestIssuance } from "./issuance.ts"
import { byRequestId, type Memory } from "./memory.ts"
import { takeSide } from "./one-side.ts"
import type { Entered, Principal } from "./principal.ts"
import type { Decision } from "./requirements.ts"
import { applyRevision, type PlannedRevision } from "./revise.ts"
import type { IssuanceRow } from "./store.ts"
import { isSuperseding, supersede } from "./supersede.ts"
import { planTarget, supersededBy, type Planned, type Target, type ToName } from "./target.ts"

export interface ProjectCommand extends Sent {
  readonly request: Request
  /** Where it is remembered by something else than its request id. */
  readonly memory?: Memory
  readonly by: Principal
  readonly projectId: string
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
  const memory = command.memory ?? byRequestId(command.request)
  const plan = { roots: rootsOf(command), deferred: projectIds.map((projectId) => exclusive("project", projectId)) }
  return yield* storage.transaction(plan, (transaction) =>
    Effect.gen(function* (): Effect.fn.Return<Committed, Refused, Signer | Installation | CommittedEvents> {
      const plans = { planned, projectIds, newId: ids("attempt").next }
      const admitted = yield* admit(transaction, { ...command, memory }, plans, () => command)
      const { entered } = admitted
      if (admitted.replayed) return { replayed: true, entered, projectId: admitted.target }
      const { target, decision, now, at } = admitted
      const applied = yield* apply(transaction, command, entered, target, decision, at)
      yield* memory.remember(transaction, applied.stored, now)
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
