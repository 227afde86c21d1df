/**
 * Authorization of agents, from their own rows: the grant, the parent membership and the link to one exact project. The
 * rows are read under the locks of grant and membership, so that a revocation has taken effect once it is acknowledged.
 */
import { Context, Effect } from "effect"
import { holds, type Validity } from "../people/membership.ts"
import { readMembership } from "../people/acting-person.ts"
import { requestedBy } from "../ports/storage/requester.ts"
import { readTogether } from "../ports/storage/run.ts"
import { shared, type Reader, type LockKey } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { refuse, type Refusal } from "../vocabulary/refusals.ts"
import { authorityFor, isForRole, type Action } from "./actions.ts"
import { GrantProjects, GrantProposals, Grants, type GrantProjectRow, type GrantRow } from "./store.ts"

/** The calling credential, live when the request arrived. */
export interface Credential {
  readonly grantId: string
  readonly membershipId: string
  readonly generation: number
}

export class Caller extends Context.Service<Caller, Credential>()("countersign/access/Caller") {}

/**
 * Whether a request has found its credential live. The bearer middleware provides one to each request: an answer that
 * was given without that check is withheld until the credential is authenticated.
 */
export class LivenessCheck {
  readonly #credential: Credential | undefined
  #hasPassed = false

  constructor(credential?: Credential) {
    this.#credential = credential
  }

  get hasPassed(): boolean {
    return this.#hasPassed
  }

  /** Records that this authority is live. */
  pass({ grant }: Authority): void {
    if (grant.grantId === this.#credential?.grantId && grant.generation === this.#credential.generation) {
      this.#hasPassed = true
    }
  }
}

/** Outside a request of an agent nothing is recorded. */
const RequestLiveness = Context.Reference<LivenessCheck | undefined>("countersign/access/RequestLiveness", {
  defaultValue: () => undefined
})

/** Runs what a request does as this caller, and records in `check` whether it has found the credential live. */
export const asCaller = <A, E, R>(request: Effect.Effect<A, E, R>, caller: Credential, check: LivenessCheck) =>
  request.pipe(
    Effect.provideService(RequestLiveness, check),
    Effect.provideService(Caller, caller),
    requestedBy(`grant ${caller.grantId}`)
  )

/** The rows that decide about a credential's authority on one project. */
export interface Authority {
  readonly grant: GrantRow
  readonly membership: Validity
  /** The link to the project, where the grant's scope includes it. */
  readonly link: GrantProjectRow | undefined
}

/** The locks under which an agent's authority is read. */
export const authorityLocks = (credential: GrantLineage): ReadonlyArray<LockKey> => [
  shared("membership", credential.membershipId),
  shared("grant", credential.grantId)
]

/** Reads the authority of a credential; a renewed grant invalidates earlier credentials. Undefined where there is none. */
export const readAuthority = Effect.fnUntraced(function* (reader: Reader, credential: Credential, projectId?: string) {
  const authority = yield* readGrantAuthority(reader, credential, projectId)
  return authority?.grant.generation === credential.generation ? authority : undefined
})

/** A grant across its renewals: earlier resources remain usable under its current credential. */
export type GrantLineage = Pick<Credential, "grantId" | "membershipId">

/** Reads the authority of a grant, independent of its credential; undefined where a row is missing. */
export const readGrantAuthority = Effect.fnUntraced(function* (
  reader: Reader,
  { grantId, membershipId }: GrantLineage,
  projectId?: string
) {
  const [grant, membership, link] = yield* readTogether([
    reader.get(Grants, [grantId]),
    readMembership(reader, membershipId),
    projectId === undefined ? Effect.undefined : reader.get(GrantProjects, [grantId, projectId])
  ])
  return grant === undefined || membership === undefined ? undefined : ({ grant, membership, link } satisfies Authority)
})

export const isGrantLive = (grant: GrantRow, now: Instant): boolean => grant.revokedAt === null && now < grant.expiresAt

/** A credential is live while its grant is and while its person may delegate. */
export const isLive = ({ grant, membership }: Authority, now: Instant): boolean =>
  isGrantLive(grant, now) && holds(membership, "DELEGATE", now)

export const requireLive = (
  authority: Authority | undefined,
  now: Instant
): Effect.Effect<Authority, Refusal<"AUTH_INVALID">> =>
  authority !== undefined && isLive(authority, now)
    ? Effect.map(RequestLiveness, (check) => (check?.pass(authority), authority))
    : refuse("AUTH_INVALID")

/** True where the grant includes the action and the parent membership carries its counterpart. */
export const mayAct = ({ grant, membership }: Authority, action: Action, now: Instant): boolean =>
  grant.actions.includes(action) &&
  isForRole(action, grant.role) &&
  holds(membership, authorityFor(action, grant.role), now)

/** True where the proposal is in the grant's scope. */
export const reachesProposal = (reader: Reader, { grantId }: Credential, proposalId: string) =>
  Effect.map(reader.get(GrantProposals, [grantId, proposalId]), (link) => link !== undefined)
