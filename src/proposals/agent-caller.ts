/** An agent as a caller on proposals: its grant, the membership behind it, and the link to exactly this proposal. */
import { Effect } from "effect"
import { readTogether } from "../ports/storage/run.ts"
import {
  authorityLocks,
  mayAct,
  reachesProposal,
  readAuthority,
  requireLive,
  type Authority,
  type Credential
} from "../access/authorize.ts"
import type { Action } from "../access/actions.ts"
import { agentActor } from "../projects/event.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import type { ProposalCaller, CallerAuthority } from "./caller.ts"
import { sideOfProposal } from "./proposal.ts"

export const agentAsCaller = (credential: Credential): ProposalCaller => ({
  locks: authorityLocks(credential),
  grantId: credential.grantId,
  read: (reader, proposalId) =>
    Effect.gen(function* () {
      const [authority, reaches] = yield* readTogether([
        readAuthority(reader, credential),
        proposalId === null ? Effect.succeed(true) : reachesProposal(reader, credential, proposalId)
      ])
      return authorityOf(authority, reaches)
    })
})

const authorityOf = (authority: Authority | undefined, reaches: boolean): CallerAuthority => {
  const grant = authority?.grant
  const personId = grant?.personId ?? ""
  const organizationId = grant?.organizationId ?? ""
  return {
    personId,
    organizationId,
    tenantId: grant?.tenantId ?? "",
    isInScope: authority !== undefined && reaches,
    outOfScopeCode: "FORBIDDEN_AGENT_PROJECT_SCOPE",
    forbiddenCode: "FORBIDDEN_AGENT_ACTION",
    requireLive: (now) => Effect.asVoid(requireLive(authority, now)),
    sideOf: (proposal, taken) => {
      const side = sideOfProposal(proposal, { personId, organizationId }, taken)
      return side === undefined || side !== grant?.role ? undefined : { personId, side, isPerson: false }
    },
    mayAct: (action, now) => authority !== undefined && mayAgentAct(authority, action, now),
    // An actor is built only after the grant was read.
    actorAs: (_, linked) => agentActor(linked ?? grant!),
    notBefore: (now) => (grant === undefined ? now : later(now, grant.authorityAt)),
    subjectRequirements: grant?.subjectRequirements,
    grant
  }
}

const proposalActions: ReadonlyArray<Action> = [
  "CREATE_PROPOSAL",
  "UPDATE_PROPOSAL",
  "PUBLISH_PROPOSAL",
  "RESPOND_PROPOSAL",
  "WITHDRAW_PROPOSAL"
]

/** A hand-off needs any of the five (4.4). */
const mayAgentAct = (authority: Authority, action: Action | "HANDOFF", now: Instant): boolean =>
  action === "HANDOFF"
    ? proposalActions.some((permitted) => mayAct(authority, permitted, now))
    : mayAct(authority, action, now)
