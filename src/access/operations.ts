/** Reads of the caller's own grant. */
import { Effect } from "effect"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { Caller, readAuthority, requireLive, type Credential } from "./authorize.ts"
import { AuthorityEvents, GrantProjects, GrantProposals, Grants } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** The grant of a credential, which names the person it acts for. */
export const readDelegator = traced("access.readDelegatorOf")(function* (credential: Credential) {
  const authority = yield* inView((reader) => readAuthority(reader, credential))
  return authority?.grant ?? (yield* refuse("AUTH_INVALID"))
})

/** The complete authority chain of a grant, with the salts of its links to these projects, as a package contains it. */
export const readChain = Effect.fnUntraced(function* (
  reader: Reader,
  grantId: string,
  projectIds: ReadonlyArray<string>
) {
  const [rows, links] = yield* readTogether([
    reader.range(AuthorityEvents, "key", { prefix: [grantId], limit: limits.authorityEvents }),
    readTogether(projectIds.map((projectId) => reader.get(GrantProjects, [grantId, projectId])))
  ])
  const salts = links.flatMap((link) => (link === undefined ? [] : [{ sequence: link.sequence, salt: link.salt }]))
  const events = rows.map(({ hash, jws }) => ({ id: hash, jws }))
  return { grantId, events, salts: salts.toSorted((one, other) => one.sequence - other.sequence) }
})

/** The grant of the calling credential, with the projects and proposals in its scope. */
export const readGrant = traced("access.readGrant")(function* () {
  const caller = yield* Caller
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const { grant } = yield* requireLive(yield* readAuthority(reader, caller), now)
    const [projects, proposals] = yield* readTogether([
      reader.range(GrantProjects, "key", { prefix: [grant.grantId], limit: limits.projectsPerGrant }),
      reader.range(GrantProposals, "bySequence", { prefix: [grant.grantId], limit: limits.proposalsPerGrant })
    ])
    return {
      grant,
      projectIds: projects.map(({ projectId }) => projectId),
      proposalIds: proposals.map(({ proposalId }) => proposalId)
    }
  })
})

/** The proposals in a grant's scope, in the order of their links; `after` is one of them. */
export const readProposalScope = Effect.fnUntraced(function* (
  reader: Reader,
  { grantId }: Credential,
  after: string | undefined,
  limit: number
) {
  const last = after === undefined ? undefined : yield* reader.get(GrantProposals, [grantId, after])
  if (after !== undefined && last === undefined) {
    const message = "names no proposal in the scope of this grant"
    return yield* refuse("INVALID_REQUEST", { issues: [{ path: "after", message }] })
  }
  const links = yield* reader.range(GrantProposals, "bySequence", {
    prefix: [grantId],
    ...(last === undefined ? {} : { after: [last.sequence, last.proposalId] }),
    limit
  })
  return links.map(({ proposalId }) => proposalId)
})

/** A grant whose lock is held; undefined where there is none. */
export const readLockedGrant = (reader: Reader, grantId: string) => reader.get(Grants, [grantId])
