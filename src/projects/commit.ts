/** The one way a project changes: every command passes these lines in this order; the first failure is the answer. */
import { Effect } from "effect"
import type { Action } from "../access/actions.ts"
import {
  authorityRoots,
  mayAct,
  readAuthority,
  requireLive,
  type Authority,
  type Credential
} from "../access/authorize.ts"
import type { Signer } from "../ports/signer.ts"
import { exclusive, Storage, type Transaction } from "../ports/storage.ts"
import { isReplay, readRequest, rememberRequest, type Remembered, type Request } from "../replay/replay.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, type Refused } from "../vocabulary/refusals.ts"
import { decide, type Command } from "./decide.ts"
import { agentActor } from "./event.ts"
import { appendEvent, preconditions, readStored, refuseFull, type Stored } from "./history.ts"
import { pointToPerson } from "./human.ts"
import { isAsked, issuesToo, readIssuance, requestIssuance } from "./issuance.ts"
import type { Decision } from "./requirements.ts"
import type { IssuanceRow } from "./store.ts"

export interface ProjectCommand {
  readonly request: Request
  readonly by: Credential
  readonly projectId: string
  readonly expectedEventHash: string
  readonly automationRevision: number
  readonly action: Action
  readonly command: Command
}

/** What a command did: nothing again, or the project after it and the authority it was decided by. */
export type Committed =
  | { readonly replayed: true }
  | {
      readonly replayed: false
      readonly isIssuanceWanted: boolean
      readonly authority: Authority
      readonly stored: Stored
      readonly issuance: IssuanceRow | undefined
      readonly now: Instant
    }

export const commit = Effect.fn("projects.commit")(function* (command: ProjectCommand) {
  const storage = yield* Storage
  const ids = yield* idSeed
  const root = exclusive("project", command.projectId)
  return yield* storage.transaction({ roots: authorityRoots(command.by), deferred: [root] }, (transaction) =>
    Effect.gen(function* (): Effect.fn.Return<Committed, Refused, Signer> {
      const authority = yield* readAuthority(transaction, command.by, command.projectId)
      // No row of a project out of scope is locked or read.
      const target = authority?.link === undefined ? undefined : yield* lockTarget(transaction, command)
      const now = yield* transaction.now
      const live = yield* requireLive(authority, now)
      if (target === undefined) return yield* refuse("FORBIDDEN_AGENT_PROJECT_SCOPE")
      yield* requireAction(command, live, target.stored, now)
      if (yield* isReplay(target.earlier, command.request)) return { replayed: true }
      yield* requireRunning(target.stored)
      yield* requireRevision(command, target.stored)
      yield* requireHead(command, target.stored)
      yield* requireRoom(command, target.stored)
      const given = { now, newId: ids("attempt").next, isPerson: false, isIssuanceAsked: isAsked(target.issuance) }
      const decision = yield* Effect.fromResult(decide(target.stored.project, command.command, given))
      const applied = yield* apply(transaction, command, live, target, decision, now)
      yield* rememberRequest(transaction, command.request, command.projectId, now)
      return { replayed: false, ...applied, authority: live, issuance: target.issuance, now }
    })
  )
}, pointToPerson)

interface Target {
  readonly stored: Stored
  readonly issuance: IssuanceRow | undefined
  readonly earlier: Remembered | undefined
}

const lockTarget = Effect.fnUntraced(function* (transaction: Transaction, command: ProjectCommand) {
  yield* transaction.lock(exclusive("project", command.projectId))
  const [stored, issuance, earlier] = yield* Effect.all(
    [
      readStored(transaction, command.projectId),
      readIssuance(transaction, command.projectId),
      readRequest(transaction, command.request)
    ],
    { concurrency: "unbounded" }
  )
  return stored === undefined ? undefined : ({ stored, issuance, earlier } satisfies Target)
})

/** The action is granted, by the right side of this project, in the authorizer's own name; nobody acts on both sides. */
const requireAction = (command: ProjectCommand, authority: Authority, { project }: Stored, now: Instant) => {
  const { grant } = authority
  const isSide =
    grant.role === "BUYER"
      ? grant.organizationId === project.agreement.buyer.organizationId && grant.personId !== project.supplier.actorId
      : grant.personId === project.supplier.actorId &&
        (project.supplier.organizationId ?? grant.organizationId) === grant.organizationId
  const { kind, input } = command.command
  const inOwnName = kind !== "RESPOND" || (input.actorId === grant.personId && input.actorRole === grant.role)
  return isSide && inOwnName && mayAct(authority, command.action, now) ? Effect.void : refuse("FORBIDDEN_AGENT_ACTION")
}

const requireRunning = ({ row }: Stored) =>
  row.pauses.length === 0 ? Effect.void : refuse("AGENT_PAUSED", { requiredHumanAction: "RESUME_AGENTS" })

const requireRevision = (command: ProjectCommand, stored: Stored) =>
  command.automationRevision === stored.row.automationRevision
    ? Effect.void
    : refuse("AGENT_CHANGED_REFRESH_REQUIRED", { current: preconditions(stored) })

const requireHead = (command: ProjectCommand, stored: Stored) =>
  command.expectedEventHash === stored.project.head
    ? Effect.void
    : refuse("STALE_EVENT_HEAD", { current: preconditions(stored) })

/** The last two of the 100 places are kept for the events that end a project; asking for issuance takes the 99th. */
const requireRoom = ({ command }: ProjectCommand, { project }: Stored) => {
  const last = limits.eventsPerProject - limits.eventsReserved
  const room = command.kind === "ISSUE_RECORD" ? last : last - 1
  return project.events.length <= room ? Effect.void : refuseFull
}

const apply = Effect.fnUntraced(function* (
  transaction: Transaction,
  command: ProjectCommand,
  authority: Authority,
  target: Target,
  decision: Decision,
  now: Instant
) {
  const wish = { by: command.by, requestId: command.request.requestId, earlier: target.issuance }
  if ("issuance" in decision) {
    yield* requestIssuance(transaction, { ...wish, stored: target.stored }, now)
    return { isIssuanceWanted: true, stored: target.stored }
  }
  const { requestId } = command.request
  // Clocks of two servers may differ: what an agent does never lies before the authority it is done under.
  const at = later(later(now, authority.grant.authorityAt), target.stored.row.lastEventAt)
  yield* requireLive(authority, at)
  const occurrence = { happening: decision.event, requestId, actor: agentActor(authority.grant), now: at }
  const stored = yield* appendEvent(transaction, target.stored, occurrence)
  // An acceptance under a grant that may also issue carries the wish to issue in the same transaction.
  const isIssuanceWanted = issuesToo(authority, stored.project, decision.event, now)
  if (isIssuanceWanted) yield* requestIssuance(transaction, { ...wish, stored }, now)
  return { isIssuanceWanted, stored }
})
