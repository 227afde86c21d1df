/** An agent as caller: its grant, the parent membership and the grant's link to the project. */
import { Effect } from "effect"
import {
  authorityLocks,
  mayAct,
  readAuthority,
  requireLive,
  type Authority,
  type Credential
} from "../access/authorize.ts"
import type { Reader } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { isAction } from "./acts.ts"
import type { Act } from "./moves.ts"
import { agentActor } from "./event.ts"
import type { StoredProject } from "./history.ts"
import { readRecordedSide } from "./side-exclusivity.ts"
import type { ActorOnProject, ProjectCaller } from "./caller.ts"

export const agentAsCaller = (credential: Credential): ProjectCaller => ({
  locks: authorityLocks(credential),
  read: (reader, projectId) =>
    Effect.map(readAuthority(reader, credential, projectId), (authority) => ({
      personId: authority?.grant.personId ?? "",
      organizationId: authority?.grant.organizationId ?? "",
      isInScope: authority?.link !== undefined,
      outOfScopeCode: "FORBIDDEN_AGENT_PROJECT_SCOPE",
      requireLive: (now) => Effect.asVoid(requireLive(authority, now)),
      requireActor: (stored, now) =>
        authority !== undefined && isOfSide(authority, stored)
          ? Effect.succeed(agentOnProject(authority, credential, now))
          : refuse("FORBIDDEN_AGENT_ACTION")
    }))
})

/** Available actions; none if the agent no longer represents the party. */
export const agentViewer = (
  reader: Reader,
  projectId: string,
  authority: Authority,
  credential: Credential,
  now: Instant
) =>
  Effect.map(
    readRecordedSide(reader, projectId, authority.grant.personId),
    (recordedSide) => (stored: StoredProject) => {
      const viewer = agentOnProject(authority, credential, now)
      const isRepresented =
        isOfSide(authority, stored) && (recordedSide === undefined || recordedSide === viewer.by.side)
      return isRepresented ? viewer : { ...viewer, mayAct: () => false }
    }
  )

/** The agent as actor on a project in its scope. */
export const agentOnProject = (authority: Authority, credential: Credential, now: Instant): ActorOnProject => {
  const { grant } = authority
  return {
    by: { personId: grant.personId, side: grant.role, isPerson: false },
    organizationId: grant.organizationId,
    actor: agentActor(grant),
    notBefore: grant.authorityAt,
    mayAct: (act) => mayAgentAct(authority, act, now),
    requireRecentSignIn: () => Effect.void,
    issuanceRequester: { personId: null, ...credential }
  }
}

/** Any granted action permits a hand-off. */
const mayAgentAct = (authority: Authority, act: Act | "HANDOFF", now: Instant): boolean =>
  act === "HANDOFF"
    ? authority.grant.actions.some((action) => mayAct(authority, action, now))
    : isAction(act) && mayAct(authority, act, now)

/** The grant's organization is the party of its side of the project. */
const isOfSide = ({ grant }: Authority, { row }: StoredProject): boolean =>
  grant.organizationId ===
  (grant.role === "BUYER" ? row.buyerOrganizationId : (row.supplierOrganizationId ?? grant.organizationId))
