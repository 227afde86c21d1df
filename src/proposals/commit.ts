/** The commands on a proposal: what the pipeline checks and writes of each. */
import { Effect } from "effect"
import { commitCommand, type CommandChecks } from "../pipeline/pipeline.ts"
import { readTogether } from "../ports/storage/run.ts"
import { exclusive } from "../ports/storage.ts"
import type { StoredProject } from "../projects/history.ts"
import { readStoredRequest, recordRequest, type IdempotentRequest, type StoredRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal, refuse, type Refusal } from "../vocabulary/refusals.ts"
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
import { traced } from "../vocabulary/traced.ts"

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

const commitPlanned = traced("proposals.commit")(function* <K extends ProposalCommandKind>(
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
  commandRequest: ProposalCommandRequest<K>,
  plan: CommandPlan
) {
  const { by: caller, request, proposalId, command } = commandRequest
  const ids = yield* idSeed
  const locks = { locks: [...caller.locks, ...plan.locks], deferred: [exclusive("proposal", proposalId)] }
  const committed = yield* commitCommand(locks, checksOf(commandRequest, plan), {
    apply: (transaction, { authority, actor: by, context, at }) =>
      perform({ transaction, authority, by, request, plan, at, ids: ids("attempt"), ...context }, command),
    record: (transaction, _, now) => recordRequest(transaction, request, proposalId, now)
  })
  if (committed._tag === "Outdated") return undefined
  const { authority, actor: by, context } = committed
  return committed._tag === "Replayed"
    ? ({ replayed: true, by, authority, stored: context.stored, agreement: undefined } satisfies ProposalCommandResult)
    : ({ replayed: false, by, authority, ...committed.result } satisfies ProposalCommandResult)
})

/** The proposal and what the person did on it before, read under its lock. */
interface LockedProposal {
  readonly stored: StoredProposal
  readonly earlierRequest: StoredRequest | undefined
  readonly recordedSide: PartyActor["side"] | undefined
}

/** The checks of a command on a proposal, which the pipeline runs in the documented order. */
const checksOf = <K extends ProposalCommandKind>(
  commandRequest: ProposalCommandRequest<K>,
  plan: CommandPlan
): CommandChecks<
  CallerAuthority,
  LockedProposal,
  PartyActor,
  ProposalCommand<K>,
  Refusal<"STALE_PROPOSAL_HEAD"> | NonNullable<ReturnType<typeof commandGuard<K>>>,
  never
> => {
  const { by: caller, request, proposalId, automationRevision, expectedProposalHead, command } = commandRequest
  return {
    request,
    readAuthority: (transaction) => caller.read(transaction, proposalId),
    lockAndRead: Effect.fnUntraced(function* (transaction, { personId }) {
      yield* transaction.lock(exclusive("proposal", proposalId))
      const [stored, earlierRequest, recordedSide] = yield* readTogether([
        readStoredProposal(transaction, proposalId),
        readStoredRequest(transaction, request),
        readRecordedProposalSide(transaction, proposalId, personId)
      ])
      return stored === undefined ? undefined : { stored, earlierRequest, recordedSide }
    }),
    requireActor: (authority, { stored, recordedSide }, now) => {
      const by = authority.sideOf(stored.row, recordedSide, now)
      return by === undefined
        ? refuse(authority.forbiddenCode)
        : Effect.as(requireAuthority(command as ProposalCommand, authority, by, now), by)
    },
    isPlanCurrent: ({ stored }) => isPlanCurrent(plan, stored),
    requireRecentSignIn: () => Effect.void,
    requireWholeHistory: () => Effect.void,
    pauseGuard: ({ stored }, by) => pauseGuard({ isPaused: stored.row.pauses.length > 0 }, by),
    revisionGuard: ({ stored: { row } }, by) =>
      automationRevision === null || automationRevision === row.automationRevision
        ? undefined
        : refusal("AGENT_CHANGED_REFRESH_REQUIRED", {
            current: proposalPreconditions(row, by.side),
            nextAction: "REREAD_PROPOSAL"
          }),
    headGuard: ({ stored: { row } }, by) =>
      expectedProposalHead === row.headEventHash
        ? undefined
        : refusal("STALE_PROPOSAL_HEAD", { current: proposalPreconditions(row, by.side) }),
    commandGuard: ({ stored }, by) => commandGuard(stored, command, by),
    timeOf: ({ authority, context }, now) => later(authority.notBefore(now), context.stored.row.lastEventAt),
    // A proposal that became acceptable after the plan: it has no locks for an acceptance.
    decide: () =>
      Effect.succeed(isAcceptance(command as ProposalCommand) && plan.acceptance === undefined ? undefined : command)
  }
}

/** The command belongs to this side, and the caller has the authority for it. */
const requireAuthority = (command: ProposalCommand, authority: CallerAuthority, by: PartyActor, now: Instant) => {
  const move = proposalMoveOf(command)
  const isOtherSides = move !== undefined && partyGuard(move, by) !== undefined
  return !isOtherSides && authority.mayAct(actionOfCommand(command), now)
    ? Effect.void
    : refuse(authority.forbiddenCode)
}

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
