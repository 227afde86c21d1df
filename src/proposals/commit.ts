/** The one pipeline of proposal commands: the checks run in this order, and the first failure is the response. */
import { Effect } from "effect"
import { inTransaction, readTogether } from "../ports/storage/run.ts"
import { exclusive } from "../ports/storage.ts"
import type { StoredProject } from "../projects/history.ts"
import { isReplay, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { acceptProposal } from "./accept.ts"
import { handOffProposal } from "./automation-log.ts"
import { readRecordedProposalSide } from "./side-exclusivity.ts"
import {
  actionOfCommand,
  commandGuard,
  proposalMoveOf,
  type ProposalCommand,
  type ProposalCommandKind
} from "./decide.ts"
import { changeProposal } from "./change.ts"
import type { CommandContext } from "./command-context.ts"
import { proposalPreconditions, readStoredProposal, type StoredProposal } from "./history.ts"
import { withProposalUrl } from "./human-url.ts"
import type { PartyActor } from "../projects/guard-context.ts"
import { pauseGuard, partyGuard } from "./guards.ts"
import { isAcceptance, isPlanCurrent, planCommand, type CommandPlan } from "./plan.ts"
import type { ProposalCaller, CallerAuthority } from "./caller.ts"

export interface ProposalCommandRequest<K extends ProposalCommandKind = ProposalCommandKind> {
  readonly by: ProposalCaller
  readonly request: IdempotentRequest
  readonly proposalId: string
  readonly expectedProposalHead: string
  /** Null for people: a pause never stops them. */
  readonly automationRevision: number | null
  readonly command: ProposalCommand<K>
}

/** The result of a command or of its replay; an acceptance has an agreement. */
export interface ProposalCommandResult {
  readonly replayed: boolean
  readonly by: PartyActor
  readonly authority: CallerAuthority
  /** The proposal right after the command; later transactions may have changed it since. */
  readonly stored: StoredProposal
  readonly agreement: StoredProject | undefined
}

export const commitOnProposal = <K extends ProposalCommandKind>(command: ProposalCommandRequest<K>) =>
  withProposalUrl(commitPlanned(command), command)

const commitPlanned = Effect.fn("proposals.commit")(function* <K extends ProposalCommandKind>(
  command: ProposalCommandRequest<K>
) {
  for (let plans = 0; plans < limits.proposalPlans; plans++) {
    const plan = yield* planCommand(command as ProposalCommandRequest)
    const committed = yield* attempt(command, plan)
    if (committed !== undefined) return committed
  }
  return yield* refuse("TEMPORARILY_UNAVAILABLE")
})

/** One transaction; undefined if the plan is outdated. */
const attempt = Effect.fnUntraced(function* <K extends ProposalCommandKind>(
  command: ProposalCommandRequest<K>,
  plan: CommandPlan
) {
  const { by: caller, request, proposalId } = command
  const ids = yield* idSeed
  const lockKey = exclusive("proposal", proposalId)
  const locks = { locks: [...caller.locks, ...plan.locks], deferred: [lockKey] }
  return yield* inTransaction(locks, function* (transaction) {
    const authority = yield* caller.read(transaction, proposalId)
    // A proposal out of scope is neither locked nor read.
    if (authority.isInScope) yield* transaction.lock(lockKey)
    const [stored, earlier, recordedSide] = yield* readTogether([
      authority.isInScope ? readStoredProposal(transaction, proposalId) : Effect.undefined,
      readStoredRequest(transaction, request),
      readRecordedProposalSide(transaction, proposalId, authority.personId)
    ])
    const now = yield* transaction.now
    yield* authority.requireLive(now)
    if (stored === undefined) return yield* refuse(authority.outOfScopeCode)
    const by = authority.sideOf(stored.row, recordedSide, now)
    if (by === undefined) return yield* refuse(authority.forbiddenCode)
    yield* requireAuthority(command as ProposalCommandRequest, authority, by, now)
    if (yield* isReplay(earlier, request)) return { replayed: true, by, authority, stored, agreement: undefined }
    if (!isPlanCurrent(plan, stored)) return undefined
    yield* requirePreconditions(command as ProposalCommandRequest, stored, by)
    const refused = commandGuard(stored, command.command, by)
    if (refused !== undefined) return yield* Effect.fail(refused)
    // It became acceptable after the plan, which has no locks for an acceptance.
    if (isAcceptance(command.command as ProposalCommand) && plan.acceptance === undefined) return undefined
    const at = later(authority.notBefore(now), stored.row.lastEventAt)
    yield* authority.requireLive(at)
    const context: CommandContext = {
      transaction,
      stored,
      authority,
      by,
      request,
      plan,
      recordedSide,
      at,
      ids: ids("attempt")
    }
    const result = yield* perform(context, command.command)
    yield* recordRequest(transaction, request, proposalId, now)
    return { replayed: false, by, authority, ...result }
  })
})

/** The command belongs to this side, and the caller has the authority for it. */
const requireAuthority = (
  { command }: ProposalCommandRequest,
  authority: CallerAuthority,
  by: PartyActor,
  now: Instant
) => {
  const move = proposalMoveOf(command)
  const isOtherSides = move !== undefined && partyGuard(move, by) !== undefined
  return !isOtherSides && authority.mayAct(actionOfCommand(command), now)
    ? Effect.void
    : refuse(authority.forbiddenCode)
}

/** The pause, the automation revision, the head, in this order. */
const requirePreconditions = Effect.fnUntraced(function* (
  { automationRevision, expectedProposalHead }: ProposalCommandRequest,
  stored: StoredProposal,
  by: PartyActor
) {
  const { row } = stored
  const pauseRefusal = pauseGuard({ isPaused: row.pauses.length > 0 }, by)
  if (pauseRefusal !== undefined) return yield* Effect.fail(pauseRefusal)
  const current = proposalPreconditions(row, by.side)
  if (automationRevision !== null && automationRevision !== row.automationRevision) {
    return yield* refuse("AGENT_CHANGED_REFRESH_REQUIRED", { current, nextAction: "REREAD_PROPOSAL" })
  }
  if (expectedProposalHead !== row.headEventHash) return yield* refuse("STALE_PROPOSAL_HEAD", { current })
})

const perform = <K extends ProposalCommandKind>(context: CommandContext, command: ProposalCommand<K>) => {
  const performed = performAny(context, command as ProposalCommand)
  return performed as Effect.Effect<
    Effect.Success<typeof performed>,
    PerformRefusal<K>,
    Effect.Services<typeof performed>
  >
}

type PerformRefusal<K extends ProposalCommandKind> =
  | (K extends "HANDOFF"
      ? Effect.Error<ReturnType<typeof handOffProposal>>
      : Effect.Error<ReturnType<typeof changeProposal<Exclude<K, "HANDOFF">>>>)
  | (K extends "RESPOND" ? Effect.Error<ReturnType<typeof acceptProposal>> : never)

const performAny = Effect.fnUntraced(function* (context: CommandContext, command: ProposalCommand) {
  if (command.kind === "HANDOFF") return unaccepted(yield* handOffProposal(context, command.input))
  if (command.kind === "RESPOND" && command.input.action === "ACCEPT") {
    return yield* acceptProposal(context, command.input)
  }
  return unaccepted(yield* changeProposal(context, command))
})

const unaccepted = (stored: StoredProposal) => ({ stored, agreement: undefined })
