/** Self-service accounts: a person's own workspace, created at a first sign-in without an invitation, or later on request. */
import { Effect } from "effect"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, shared, type Reader, type Transaction } from "../ports/storage.ts"
import { idSeed, type IdStream } from "../vocabulary/ids.ts"
import { addMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { neverRefused, refuse } from "../vocabulary/refusals.ts"
import { readMembership, requireSession, type ActingPerson } from "./acting-person.ts"
import { authorities, hasEnded } from "./membership.ts"
import { insertMembership } from "./memberships.ts"
import { Organizations, Persons, SelfServiceAccounts } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Creates a workspace for a person whose own one is missing or ended. */
export const createAccount = traced("people.createAccount")(function* (by: ActingPerson) {
  const ids = yield* idSeed
  const { personId } = by
  const membershipId = ids("plan").next("membership")
  const seen = yield* inView((reader) => readAccount(reader, personId))
  const locks = [
    exclusive("person", personId),
    exclusive("membership", membershipId),
    ...(seen === undefined ? [] : [shared("membership", seen.membershipId)])
  ]
  return yield* inTransaction({ locks }, function* (transaction) {
    const [person, accounts, membership] = yield* readTogether([
      transaction.get(Persons, [personId]),
      readAccounts(transaction, personId),
      seen === undefined ? Effect.undefined : readMembership(transaction, seen.membershipId)
    ])
    const now = yield* transaction.now
    const account = accounts.find(isOpen)
    yield* requireSession(transaction, by, now)
    if (person === undefined) return yield* refuse("UNKNOWN_PARTY")
    const isOver =
      account?.membershipId === seen?.membershipId && (membership === undefined || hasEnded(membership, now))
    // Idempotent: a repeated request returns the account that the first one created.
    if (account !== undefined && !isOver) return { organizationId: account.organizationId }
    if (accounts.length >= limits.accountsPerPerson) {
      return yield* refuse("STATE_CONFLICT", {
        detail: `Limit reached: ${limits.accountsPerPerson} accounts of one person, including removed ones; ask the operator.`,
        nextAction: "ASK_OPERATOR"
      })
    }
    if (account !== undefined) yield* closeAccount(transaction, account.organizationId, now)
    return yield* insertAccount(transaction, { personId, name: person.name, membershipId }, ids("attempt"), now)
  })
})

/** The account that a person has now. */
export const readAccount = (reader: Reader, personId: string) =>
  Effect.map(readAccounts(reader, personId), (accounts) => accounts.find(isOpen))

/** Every account of a person: removed ones are kept. */
const readAccounts = (reader: Reader, personId: string) =>
  reader.range(SelfServiceAccounts, "byPerson", { prefix: [personId], limit: limits.accountsPerPerson })

const isOpen = ({ removedAt }: { readonly removedAt: Instant | null }): boolean => removedAt === null

/** The organization, its tenant, and the membership with every authority. The caller holds person and membership. */
export const insertAccount = Effect.fnUntraced(function* (
  transaction: Transaction,
  { personId, name, membershipId }: { readonly personId: string; readonly name: string; readonly membershipId: string },
  ids: IdStream,
  now: Instant
) {
  const organizationId = ids.next("organization")
  const tenantId = ids.next("tenant")
  const validUntil = addMilliseconds(now, limits.membershipLifetime)
  yield* transaction.insert(Organizations, { organizationId, tenantId, name, createdAt: now })
  const membership = { membershipId, personId, organizationId, tenantId, authorities, validUntil }
  // A new organization has no members.
  yield* insertMembership(transaction, membership, undefined, now).pipe(
    neverRefused("ALREADY_EXISTS", "STATE_CONFLICT")
  )
  yield* transaction.insert(SelfServiceAccounts, {
    organizationId,
    personId,
    membershipId,
    createdAt: now,
    removedAt: null
  })
  return { organizationId }
})

export const closeAccount = (transaction: Transaction, organizationId: string, removedAt: Instant) =>
  transaction.update(SelfServiceAccounts, [organizationId], { removedAt })
