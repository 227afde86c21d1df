/** The stored recipient account of an organization at the installed provider. */
import { Effect } from "effect"
import type { Reader } from "../ports/storage.ts"
import type { InstalledPayments } from "./conditions.ts"
import { RecipientAccounts } from "./store.ts"

/** The provider's id of the account; null without an account, a provider or an organization. */
export const readRecipientAccountId = (
  reader: Reader,
  payments: InstalledPayments,
  organizationId: string | null
): Effect.Effect<string | null> =>
  payments.kind === "NONE" || organizationId === null
    ? Effect.succeed(null)
    : Effect.map(
        reader.get(RecipientAccounts, [organizationId, payments.provider, payments.environment]),
        (account) => account?.accountId ?? null
      )
