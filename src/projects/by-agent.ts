/** An agent as a principal: its grant, the membership behind it, and the link to exactly this project. */
import { Effect } from "effect"
import {
  authorityRoots,
  mayAct,
  readAuthority,
  requireLive,
  type Authority,
  type Credential
} from "../access/authorize.ts"
import type { Reader } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { isAction, type Act } from "./acts.ts"
import { agentActor } from "./event.ts"
import type { Stored } from "./history.ts"
import { readTakenSide } from "./one-side.ts"
import type { Entered, Principal } from "./principal.ts"

export const byAgent = (credential: Credential): Principal => ({
  roots: authorityRoots(credential),
  read: (reader, projectId) =>
    Effect.map(readAuthority(reader, credential, projectId), (authority) => ({
      personId: authority?.grant.personId ?? "",
      organizationId: authority?.grant.organizationId ?? "",
      reaches: authority?.link !== undefined,
      outside: "FORBIDDEN_AGENT_PROJECT_SCOPE",
      requireLive: (now) => Effect.asVoid(requireLive(authority, now)),
      enter: (stored, now) =>
        authority !== undefined && isOfSide(authority, stored)
          ? Effect.succeed(entered(authority, credential, now))
          : refuse("FORBIDDEN_AGENT_ACTION")
    }))
})

/** What an agent sees that it may do: nothing where it no longer stands on its side, though it reaches the project. */
export const lookAsAgent =
  (reader: Reader, authority: Authority, credential: Credential, now: Instant) => (stored: Stored) =>
    Effect.map(readTakenSide(reader, stored.row.projectId, authority.grant.personId), (taken) => {
      const onlooker = entered(authority, credential, now)
      const stands = isOfSide(authority, stored) && (taken === undefined || taken === onlooker.by.side)
      return stands ? onlooker : { ...onlooker, mayAct: () => false }
    })

/** What an agent may do on a project that it reaches. */
export const entered = (authority: Authority, credential: Credential, now: Instant): Entered => {
  const { grant } = authority
  return {
    by: { personId: grant.personId, side: grant.role, isPerson: false },
    organizationId: grant.organizationId,
    actor: agentActor(grant),
    notBefore: grant.authorityAt,
    mayAct: (act) => mayAgentAct(authority, act, now),
    requirePresence: () => Effect.void,
    wishOwner: { personId: null, ...credential }
  }
}

/** A hand-off is open to every agent that may write at all. */
const mayAgentAct = (authority: Authority, act: Act | "HANDOFF", now: Instant): boolean =>
  act === "HANDOFF"
    ? authority.grant.actions.some((action) => mayAct(authority, action, now))
    : isAction(act) && mayAct(authority, act, now)

/** The grant is of the organization that stands on its side of the project. */
const isOfSide = ({ grant }: Authority, { row }: Stored): boolean =>
  grant.organizationId ===
  (grant.role === "BUYER" ? row.buyerOrganizationId : (row.supplierOrganizationId ?? grant.organizationId))
