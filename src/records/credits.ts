/** Result credits of an organization: granted by the operator, one consumed for each record. */
import { Effect } from "effect"
import { requireAuthority, requireMembershipIn, type ActingPerson } from "../people/acting-person.ts"
import { readOrganization } from "../people/operations.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Transaction } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, requireText } from "../vocabulary/refusals.ts"
import { CreditEntries, OrganizationCredits } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Adds credits to an organization's balance. */
export const grantCredits = traced("records.grantCredits")(function* (input: {
  readonly organizationId: string
  readonly credits: number
  readonly reference: string
}) {
  if (!Number.isSafeInteger(input.credits) || input.credits < 1 || input.credits > limits.creditsAtOnce) {
    return yield* refuse("INVALID_REQUEST", { detail: `Credits are a whole number from 1 to ${limits.creditsAtOnce}.` })
  }
  yield* requireText("The reference", input.reference, limits.titleCharacters)
  const { organizationId, credits, reference } = input
  return yield* inTransaction({ locks: [exclusive("credit", organizationId)] }, function* (transaction) {
    const [account, organization] = yield* readTogether([
      readCreditAccount(transaction, organizationId),
      readOrganization(transaction, organizationId)
    ])
    if (organization === undefined) return yield* refuse("UNKNOWN_PARTY")
    const now = yield* transaction.now
    const entry = { change: credits, reference, confirmationId: null }
    const balance = yield* writeCreditEntry(transaction, organizationId, account, entry, now)
    return { organizationId, balance }
  })
})

/** An organization's balance and one page of its ledger, newest first, for a member with the authority. */
export const readCredits = traced("records.readCredits")(function* (
  by: ActingPerson,
  organizationId: string,
  { before }: { readonly before?: number } = {}
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const { membershipId } = yield* requireMembershipIn(reader, by.personId, organizationId, now)
    yield* requireAuthority(reader, membershipId, ["FINANCIAL_READ", "RECORD_ISSUE"], now)
    const page = { prefix: [organizationId], direction: "descending", limit: limits.creditEntriesListed } as const
    const [account, entries] = yield* readTogether([
      readCreditAccount(reader, organizationId),
      reader.range(CreditEntries, "key", before === undefined ? page : { ...page, after: [before] })
    ])
    return { organizationId, balance: account?.balance ?? 0, entries }
  })
})

export interface CreditAccount {
  readonly balance: number
  readonly entries: number
}

/** The organization's account; undefined before the first credit. */
export const readCreditAccount = (reader: Reader, organizationId: string) =>
  reader.get(OrganizationCredits, [organizationId])

/** Writes an entry and the balance after it. */
export const writeCreditEntry = Effect.fnUntraced(function* (
  transaction: Transaction,
  organizationId: string,
  account: CreditAccount | undefined,
  entry: { readonly change: number; readonly reference: string; readonly confirmationId: string | null },
  at: Instant
) {
  const balance = (account?.balance ?? 0) + entry.change
  const sequence = (account?.entries ?? 0) + 1
  yield* account === undefined
    ? transaction.insert(OrganizationCredits, { organizationId, balance, entries: sequence })
    : transaction.update(OrganizationCredits, [organizationId], { balance, entries: sequence })
  yield* transaction.insert(CreditEntries, { organizationId, sequence, ...entry, balance, at })
  return balance
})
