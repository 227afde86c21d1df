/** The account at the payment provider that receives an organization's payments. */
import { Effect } from "effect"
import {
  requireAuthority,
  requireMembershipIn,
  requireSession,
  memberLocks,
  type ActingPerson
} from "../people/acting-person.ts"
import { holds, type Authority } from "../people/membership.ts"
import { Installation } from "../ports/installation.ts"
import { Payments, type PaymentProvider, type ProviderRefused, type ProviderUnavailable } from "../ports/payments.ts"
import { inTransaction, inView } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { recipientAccountPage } from "./site-addresses.ts"
import { RecipientAccounts } from "./store.ts"

/** Opens the account, or finds the one that exists, with a new address at which the supplier completes it. */
export const openRecipientAccount = traced("commerce.openAccount")(function* (
  by: ActingPerson,
  organizationId: string
) {
  const { membershipId, account } = yield* readAccountAs(by, organizationId, "FINANCIAL_MANAGE")
  const payments = yield* requireProvider
  const returnUrl = recipientAccountPage((yield* Installation).siteUrl, organizationId)
  const accountId =
    account?.accountId ?? (yield* openAtProvider(by, { organizationId, membershipId }, payments, returnUrl))
  const read = yield* readAtProvider(payments, accountId, returnUrl)
  // The provider takes seconds: the address is for a person who may still open the account, which is open in any case.
  const mayOpen = yield* Effect.match(readAccountAs(by, organizationId, "FINANCIAL_MANAGE"), {
    onFailure: () => false,
    onSuccess: () => true
  })
  return mayOpen ? read : { ...read, onboardingUrl: null }
})

/** The account's id at the provider, once its row is committed. */
const openAtProvider = Effect.fnUntraced(function* (
  by: ActingPerson,
  { organizationId, membershipId }: { readonly organizationId: string; readonly membershipId: string },
  payments: PaymentProvider,
  returnUrl: string
) {
  const { accountId } = yield* asRefusals(payments.openRecipientAccount(organizationId, returnUrl))
  const { provider, environment } = payments
  const locks = memberLocks(by, membershipId)
  return yield* inTransaction({ locks }, function* (transaction) {
    const known = yield* transaction.get(RecipientAccounts, [organizationId, provider, environment])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    yield* requireAuthority(transaction, membershipId, ["FINANCIAL_MANAGE"], now)
    if (known !== undefined) return known.accountId
    const row = { organizationId, provider, environment, accountId, createdAt: now }
    yield* transaction.insert(RecipientAccounts, row)
    return accountId
  })
})

/**
 * The account as the provider describes it now, for a person with FINANCIAL_READ. The address at which it is completed is
 * for those alone who may open it.
 */
export const readRecipientAccount = traced("commerce.readAccount")(function* (
  by: ActingPerson,
  organizationId: string
) {
  const { account } = yield* readAccountAs(by, organizationId, "FINANCIAL_READ")
  const payments = yield* requireProvider
  if (account === undefined) {
    return yield* refuse("NOT_FOUND", { detail: "The organization has no recipient account yet; open one." })
  }
  const { siteUrl } = yield* Installation
  const read = yield* readAtProvider(payments, account.accountId, recipientAccountPage(siteUrl, organizationId))
  // The provider takes seconds: session and authority are those after its answer.
  const { mayManage } = yield* readAccountAs(by, organizationId, "FINANCIAL_READ")
  return mayManage ? read : { ...read, onboardingUrl: null }
})

const readAccountAs = Effect.fnUntraced(function* (by: ActingPerson, organizationId: string, authority: Authority) {
  const now = yield* currentTime
  const payments = yield* Payments
  return yield* inView(function* (reader) {
    yield* requireSession(reader, by, now)
    const membership = yield* requireMember(reader, by, { organizationId, authority, now })
    const account =
      payments.kind === "NONE"
        ? undefined
        : yield* reader.get(RecipientAccounts, [organizationId, payments.provider, payments.environment])
    return { membershipId: membership.membershipId, mayManage: holds(membership, "FINANCIAL_MANAGE", now), account }
  })
})

const requireMember = Effect.fnUntraced(function* (
  reader: Reader,
  { personId }: ActingPerson,
  {
    organizationId,
    authority,
    now
  }: { readonly organizationId: string; readonly authority: Authority; readonly now: Instant }
) {
  const membership = yield* requireMembershipIn(reader, personId, organizationId, now)
  return yield* requireAuthority(reader, membership.membershipId, [authority], now)
})

const requireProvider = Effect.flatMap(Payments, (payments) =>
  payments.kind === "NONE"
    ? refuse("PAYMENTS_NOT_CONFIGURED", {
        detail: "The installation has no payment provider, so that no account can be opened; ask its operator."
      })
    : Effect.succeed(payments)
)

const readAtProvider = Effect.fnUntraced(function* (payments: PaymentProvider, accountId: string, returnUrl: string) {
  const { provider, environment } = payments
  const read = yield* asRefusals(payments.readRecipientAccount(accountId, returnUrl))
  return { accountId, provider, environment, ...read }
})

const asRefusals = <A, R>(call: Effect.Effect<A, ProviderUnavailable | ProviderRefused, R>) =>
  call.pipe(
    Effect.tapError(({ _tag, reason }) => Effect.logWarning("a recipient account was not read", _tag, reason)),
    Effect.catchTags({
      ProviderUnavailable: () =>
        refuse("TEMPORARILY_UNAVAILABLE", {
          detail: "The payment provider does not answer; send the request again later."
        }),
      ProviderRefused: () =>
        refuse("PAYMENTS_NOT_CONFIGURED", {
          detail: "The payment provider refused the recipient account; ask the operator, whose log has the reason."
        })
    })
  )
