/** Listings of result credits for operators. */
import { readOrganization } from "../people/operations.ts"
import { readListing, type PageRequest } from "../ports/storage/page.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuseUnknownId } from "../vocabulary/refusals.ts"
import { readCreditAccount } from "./credits.ts"
import { CreditEntries, OrganizationCredits } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** The balances of all organizations with a ledger. */
export const listBalances = traced("records.listBalances")(function* (page: PageRequest<string>) {
  return yield* inView(function* (reader) {
    const found = yield* readListing(reader, OrganizationCredits, page)
    const organizations = yield* readTogether(
      found.items.map(({ organizationId }) => readOrganization(reader, organizationId))
    )
    const items = found.items.map((row, index) => ({ ...row, organizationName: organizations[index]?.name ?? null }))
    return { ...found, items }
  })
})

/** An organization's balance and the newest entries of its ledger. */
export const readBalance = traced("records.readBalance")(function* (organizationId: string) {
  return yield* inView(function* (reader) {
    const [organization, account, entries] = yield* readTogether([
      readOrganization(reader, organizationId),
      readCreditAccount(reader, organizationId),
      reader.range(CreditEntries, "key", {
        prefix: [organizationId],
        direction: "descending",
        limit: limits.creditEntriesListed
      })
    ])
    if (organization === undefined) return yield* refuseUnknownId("organization", organizationId)
    const { name } = organization
    return { organizationId, organizationName: name, balance: account?.balance ?? 0, newestEntries: entries }
  })
})
