/** Grants as people make and end them, and what a bearer token opens. */
import { Effect } from "effect"
import { isInForce } from "../people/membership.ts"
import { membershipsOf } from "../people/operations.ts"
import { exclusive, shared, Storage, type Reader } from "../ports/storage.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { appendAuthority } from "./authority.ts"
import { Caller, readAuthority, requireLive, type Credential } from "./authorize.ts"
import { insertGrant, type GrantInput } from "./grant.ts"
import { AuthorityEvents, Credentials, GrantProjects, Grants } from "./store.ts"
import { isToken, tokenHash } from "./token.ts"

/** Opens a token to its credential: known, live, and the authority behind it in force. */
export const authenticate = Effect.fn("access.authenticate")(function* (token: string) {
  if (!isToken(token)) return yield* refuse("AUTH_INVALID")
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const row = yield* reader.get(Credentials, [tokenHash(token)])
      if (row === undefined) return yield* refuse("AUTH_INVALID")
      const { grantId, membershipId, generation } = row
      const credential: Credential = { grantId, membershipId, generation }
      yield* requireLive(yield* readAuthority(reader, credential), now)
      return credential
    })
  )
})

/** A person gives an agent a new grant; the token is in the answer and nowhere else. */
export const createGrant = Effect.fn("access.createGrant")(function* (input: GrantInput) {
  const storage = yield* Storage
  const ids = yield* idSeed
  const grantId = ids("plan").next("grant")
  const membershipId = yield* storage.view((reader) => currentMembership(reader, input))
  return yield* storage.transaction(
    {
      roots: [
        shared("membership", membershipId),
        exclusive("grant", grantId),
        ...input.projectIds.map((projectId) => exclusive("project", projectId))
      ]
    },
    (transaction) => insertGrant(transaction, input, { grantId, membershipId }, ids("attempt"))
  )
})

/** Ends a grant. When this has answered, nothing happens under it any more. */
export const revokeGrant = Effect.fn("access.revokeGrant")(function* (input: { readonly grantId: string }) {
  const storage = yield* Storage
  return yield* storage.transaction({ roots: [exclusive("grant", input.grantId)], urgent: true }, (transaction) =>
    Effect.gen(function* () {
      const grant = yield* transaction.get(Grants, [input.grantId])
      const now = yield* transaction.now
      if (grant === undefined) return yield* refuse("UNKNOWN_PARTY")
      if (grant.revokedAt !== null) return { grantId: input.grantId, revokedAt: grant.revokedAt }
      const end = yield* appendAuthority(transaction, input.grantId, grant, { kind: "REVOKE", change: {} }, now)
      yield* transaction.update(Grants, [input.grantId], { revokedAt: now, ...end })
      return { grantId: input.grantId, revokedAt: now }
    })
  )
})

/** The complete authority chain of a grant, with the salt of its link to one project, as a package carries them. */
export const readChain = Effect.fnUntraced(function* (reader: Reader, grantId: string, projectId: string) {
  const [rows, link] = yield* Effect.all(
    [
      reader.range(AuthorityEvents, "key", { prefix: [grantId], limit: limits.authorityEvents }),
      reader.get(GrantProjects, [grantId, projectId])
    ],
    { concurrency: "unbounded" }
  )
  const events = rows.map(({ hash, jws }) => ({ id: hash, jws }))
  return { grantId, events, salts: link === undefined ? [] : [{ sequence: link.sequence, salt: link.salt }] }
})

/** The grant behind a credential and the projects it reaches. */
export const readGrant = Effect.fn("access.readGrant")(function* () {
  const storage = yield* Storage
  const caller = yield* Caller
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const { grant } = yield* requireLive(yield* readAuthority(reader, caller), now)
      const links = yield* reader.range(GrantProjects, "key", {
        prefix: [grant.grantId],
        limit: limits.projectsPerGrant
      })
      return { grant, projectIds: links.map(({ projectId }) => projectId) }
    })
  )
})

const currentMembership = Effect.fnUntraced(function* (
  reader: Reader,
  { personId, organizationId }: { readonly personId: string; readonly organizationId: string }
) {
  const now = yield* currentTime
  const memberships = yield* membershipsOf(reader, personId)
  const current = memberships.find((one) => one.organizationId === organizationId && isInForce(one, now))
  return current === undefined ? yield* refuse("UNKNOWN_PARTY") : current.membershipId
})
