/**
 * Takes a person's name, e-mail address and identity at their provider out of rows, in one transaction that first ends all
 * authority of the person. Signed bytes are never changed: what they hold is listed.
 */
import { Effect } from "effect"
import { appendAuthority } from "../access/authority.ts"
import { Grants, type GrantRow } from "../access/store.ts"
import { closeMembership } from "../people/memberships.ts"
import { endAllSessions } from "../people/sessions.ts"
import { Contacts, type Membership, Memberships, Organizations, PersonAddresses, Persons } from "../people/store.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Transaction } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { erasedIssuer, erasedName, type PersonRows, readPersonRows, requireReplaceable } from "./person-rows.ts"
import { findRemaining } from "./remaining.ts"

export interface ErasureInput {
  readonly personId: string
  /** True to list what an erasure would change and leave, without changing anything. */
  readonly isDryRun: boolean
}

/** Idempotent: a second erasure ends nothing, and still lists what an operator's acts hold. */
export const erasePerson = traced("erasure.erasePerson")(function* ({ personId, isDryRun }: ErasureInput) {
  const start = yield* currentTime
  const rows = yield* inView(function* (reader) {
    const found = yield* readPersonRows(reader, personId)
    yield* requireReplaceable(reader, found, start)
    return found
  })
  const wasErased = rows.person.issuer === erasedIssuer
  const stays = wasErased ? { signed: [], acts: [] } : yield* findRemaining(rows)
  if (!isDryRun) yield* eraseRows(rows)
  const { memberships, grants, contacts, organizationIds } = rows
  return {
    personId,
    wasErased,
    isDryRun,
    ends: {
      memberships: memberships.filter(isOpen).map(({ membershipId }) => membershipId),
      grants: grants.filter(isUnrevoked).map(({ grantId }) => grantId)
    },
    erases: {
      contacts: contacts.filter(({ name }) => name !== erasedName).map(({ contactId }) => contactId),
      workspaces: organizationIds
    },
    stays
  }
})

const isOpen = ({ endedAt }: Membership): boolean => endedAt === null
const isUnrevoked = ({ revokedAt }: GrantRow): boolean => revokedAt === null

const eraseRows = (rows: PersonRows) => {
  const { person, memberships, grants, contacts, organizationIds } = rows
  const { personId } = person
  const locks = [
    exclusive("person", personId),
    ...memberships.map(({ membershipId }) => exclusive("membership", membershipId)),
    ...grants.map(({ grantId }) => exclusive("grant", grantId)),
    ...contacts.map(({ place }) => exclusive("contact", place)),
    ...organizationIds.map((id) => exclusive("credit", id))
  ]
  return inTransaction({ locks, urgent: true }, function* (transaction) {
    yield* requirePlanned(transaction, rows)
    const now = yield* transaction.now
    yield* endAllSessions(transaction, personId, now)
    yield* Effect.forEach(memberships, ({ membershipId }) => closeMembership(transaction, membershipId, now))
    yield* Effect.forEach(grants, ({ grantId }) => endGrant(transaction, grantId, now))
    const address = yield* transaction.get(PersonAddresses, [personId])
    if (address !== undefined) yield* transaction.remove(PersonAddresses, [personId])
    yield* Effect.forEach(contacts, ({ place }) => transaction.update(Contacts, [place], { name: erasedName }))
    yield* Effect.forEach(organizationIds, (id) => transaction.update(Organizations, [id], { name: erasedName }))
    yield* transaction.update(Persons, [personId], { issuer: erasedIssuer, subject: personId, name: erasedName })
  })
}

/**
 * Memberships and grants are inserted under the lock of their person, which is held now: without a lock of their own, the
 * ids that are read are exact.
 */
const requirePlanned = Effect.fnUntraced(function* (
  { hints }: Transaction,
  { person: { personId }, memberships, grants }: PersonRows
) {
  const [ownMemberships, ownGrants] = yield* readTogether([
    rangeAll(hints, Memberships, "byPerson", { prefix: [personId] }),
    rangeAll(hints, Grants, "byPerson", { prefix: [personId] })
  ])
  if (ownMemberships.length !== memberships.length || ownGrants.length !== grants.length) {
    return yield* refuse("STATE_CONFLICT", {
      detail: `${personId} got a membership or a grant in between: run the command again.`,
      nextAction: "RUN_AGAIN"
    })
  }
})

const endGrant = Effect.fnUntraced(function* (transaction: Transaction, grantId: string, now: Instant) {
  const grant = yield* transaction.get(Grants, [grantId])
  if (grant === undefined) return
  const ended = isUnrevoked(grant)
    ? { revokedAt: now, ...(yield* appendAuthority(transaction, grantId, grant, { kind: "REVOKE", change: {} }, now)) }
    : {}
  yield* transaction.update(Grants, [grantId], { authorizerName: erasedName, ...ended })
})
