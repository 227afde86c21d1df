/** The one way a proposal changes: every command passes these lines in this order; the first failure is the answer. */
import { Effect } from "effect"
import type { Installation } from "../ports/installation.ts"
import type { Signer } from "../ports/signer.ts"
import { exclusive, Storage } from "../ports/storage.ts"
import type { Stored } from "../projects/history.ts"
import { isReplay, readRequest, rememberRequest, type Request } from "../replay/replay.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, type Refused } from "../vocabulary/refusals.ts"
import { acceptProposal } from "./accept.ts"
import { handOffProposal } from "./automation-log.ts"
import { readTakenProposalSide } from "./one-side.ts"
import { actionOf, commandObstacle, proposalMoveOf, type ProposalCommand } from "./decide.ts"
import { changeProposal } from "./change.ts"
import type { Doing } from "./doing.ts"
import { proposalPreconditions, readStoredProposal, type StoredProposal } from "./history.ts"
import { pointToProposal } from "./human.ts"
import { pauseObstacle, sideObstacle, type Acting } from "./obstacles.ts"
import { isAcceptance, isStillPlanned, planCommand, type Planned } from "./plan.ts"
import type { Principal, Standing } from "./principal.ts"

export interface CommandOnProposal {
  readonly by: Principal
  readonly request: Request
  readonly proposalId: string
  readonly expectedProposalHead: string
  /** People send none: a pause never stops them. */
  readonly automationRevision: number | null
  readonly command: ProposalCommand
}

/** What a command did: nothing again, or its effect; an acceptance made an agreement. */
export interface CommittedOnProposal {
  readonly replayed: boolean
  readonly by: Acting
  readonly standing: Standing
  /** The proposal right after it, for whoever did it: others may have gone on since. */
  readonly stored: StoredProposal
  readonly agreement: Stored | undefined
}

export const commitOnProposal = Effect.fn("proposals.commit")(function* (command: CommandOnProposal) {
  for (let plans = 0; plans < limits.proposalPlans; plans++) {
    const planned = yield* planCommand(command)
    const committed = yield* attempt(command, planned)
    if (committed !== undefined) return committed
  }
  return yield* refuse("TEMPORARILY_UNAVAILABLE")
}, pointToProposal)

/** One transaction; undefined where it was planned by something that has changed since. */
const attempt = Effect.fnUntraced(function* (command: CommandOnProposal, planned: Planned) {
  const { by: principal, request, proposalId } = command
  const storage = yield* Storage
  const ids = yield* idSeed
  const root = exclusive("proposal", proposalId)
  const plan = { roots: [...principal.roots, ...planned.roots], deferred: [root] }
  return yield* storage.transaction(plan, (transaction) =>
    Effect.gen(function* (): Effect.fn.Return<CommittedOnProposal | undefined, Refused, Signer | Installation> {
      const standing = yield* principal.read(transaction, proposalId)
      // No row of a proposal out of scope is locked or read.
      if (standing.reaches) yield* transaction.lock(root)
      const [stored, earlier, taken] = yield* Effect.all(
        [
          standing.reaches ? readStoredProposal(transaction, proposalId) : Effect.undefined,
          readRequest(transaction, request),
          readTakenProposalSide(transaction, proposalId, standing.personId)
        ],
        { concurrency: "unbounded" }
      )
      const now = yield* transaction.now
      yield* standing.requireLive(now)
      if (stored === undefined) return yield* refuse(standing.outside)
      const by = standing.sideOf(stored.row, taken, now)
      if (by === undefined) return yield* refuse(standing.forbidden)
      yield* requireAct(command, standing, by, now)
      if (yield* isReplay(earlier, request)) return { replayed: true, by, standing, stored, agreement: undefined }
      if (!isStillPlanned(planned, stored)) return undefined
      yield* requirePreconditions(command, stored, by)
      const obstacle = commandObstacle(stored, command.command, by)
      if (obstacle !== undefined) return yield* Effect.fail(obstacle)
      // It was not acceptable when it was planned, and is now.
      if (isAcceptance(command.command) && planned.acceptance === undefined) return undefined
      const at = later(standing.notBefore(now), stored.row.lastEventAt)
      yield* standing.requireLive(at)
      const doing: Doing = { transaction, stored, standing, by, request, planned, taken, at, ids: ids("attempt") }
      const done = yield* perform(doing, command.command)
      yield* rememberRequest(transaction, request, proposalId, now)
      return { replayed: false, by, standing, ...done }
    })
  )
})

/** The command is this side's, and was granted or given. */
const requireAct = ({ command }: CommandOnProposal, standing: Standing, by: Acting, now: Instant) => {
  const move = proposalMoveOf(command)
  const isOthers = move !== undefined && sideObstacle(move, by) !== undefined
  return !isOthers && standing.mayAct(actionOf(command), now) ? Effect.void : refuse(standing.forbidden)
}

/** A pause, then the automation revision, then the head. */
const requirePreconditions = Effect.fnUntraced(function* (
  { automationRevision, expectedProposalHead }: CommandOnProposal,
  stored: StoredProposal,
  by: Acting
) {
  const { row } = stored
  const paused = pauseObstacle({ isPaused: row.pauses.length > 0 }, by)
  if (paused !== undefined) return yield* Effect.fail(paused)
  const current = proposalPreconditions(row, by.side)
  if (automationRevision !== null && automationRevision !== row.automationRevision) {
    return yield* refuse("AGENT_CHANGED_REFRESH_REQUIRED", { current, nextAction: "REREAD_PROPOSAL" })
  }
  if (expectedProposalHead !== row.headEventHash) return yield* refuse("STALE_PROPOSAL_HEAD", { current })
})

const perform = (doing: Doing, command: ProposalCommand) => {
  if (command.kind === "RESPOND" && command.input.action === "ACCEPT") return acceptProposal(doing, command.input)
  const changed = command.kind === "HANDOFF" ? handOffProposal(doing, command.input) : changeProposal(doing, command)
  return Effect.map(changed, (stored) => ({ stored, agreement: undefined }))
}
