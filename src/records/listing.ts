/** Listings of result credits for operators. */
import { Effect } from "effect"
import { readOrganization } from "../people/operations.ts"
import { afterId, listingOf, readPage, type PageRequest } from "../ports/storage/page.ts"
import { Storage } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readCreditAccount } from "./credits.ts"
import { CreditEntries, OrganizationCredits } from "./store.ts"

/** The balances of all organizations with a ledger. */
export const listBalances = Effect.fn("records.listBalances")(function* (page: PageRequest<string>) {
  const storage = yield* Storage
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const found = yield* readPage(reader, OrganizationCredits, "key", { prefix: [] }, afterId(page))
      const organizations = yield* Effect.forEach(
        found.rows,
        ({ organizationId }) => readOrganization(reader, organizationId),
        { concurrency: "unbounded" }
      )
      const items = found.rows.map((row, index) => ({ ...row, organizationName: organizations[index]?.name ?? null }))
      return listingOf(found, items, ({ organizationId }) => organizationId)
    })
  )
})

/** An organization's balance and the newest entries of its ledger. */
export const readBalance = Effect.fn("records.readBalance")(function* (organizationId: string) {
  const storage = yield* Storage
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const [organization, account, entries] = yield* Effect.all(
        [
          readOrganization(reader, organizationId),
          readCreditAccount(reader, organizationId),
          reader.range(CreditEntries, "key", {
            prefix: [organizationId],
            direction: "descending",
            limit: limits.creditEntriesListed
          })
        ],
        { concurrency: "unbounded" }
      )
      if (organization === undefined) {
        return yield* refuse("UNKNOWN_PARTY", { detail: `No organization has the id ${organizationId}.` })
      }
      const { name } = organization
      return { organizationId, organizationName: name, balance: account?.balance ?? 0, newestEntries: entries }
    })
  )
})
