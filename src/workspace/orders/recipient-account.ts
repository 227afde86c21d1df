/** The page of an organization's account at the payment provider, which receives its payments. */
import { Effect, Layer } from "effect"
import { openRecipientAccount, readRecipientAccount } from "../../commerce/recipient-account.ts"
import { Payments, type NoPayments, type PaymentProvider } from "../../ports/payments.ts"
import { errorBody, statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import { externalLink } from "../kit/external-link.ts"
import { form } from "../kit/fields.ts"
import { formPage } from "../kit/form-page.ts"
import { decodeNoFields } from "../kit/form.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { badge, facts, linkTo, notice, paragraph, section } from "../kit/parts.ts"
import { pageResponse } from "../kit/response.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { hasAuthority, readOwnMembership, type Membership } from "../organization/own-membership.ts"
import { environmentLabels, providerLabels } from "./labels.ts"
import { recipientAccountPath, recipientAccountRoute } from "./path.ts"

const show = signedInPage(recipientAccountRoute, function* (visitor) {
  const own = yield* readOwnMembership(visitor)
  const payments = yield* Payments
  const read = yield* readAccount(visitor.person, own.organizationId)
  const status = read.kind === "UNREAD" && payments.kind !== "NONE" ? statusOf(read.refused) : 200
  return pageResponse(accountPage(visitor, own, payments, read), status)
})

type Account = Effect.Success<ReturnType<typeof readRecipientAccount>>
type ReadAccount =
  | { readonly kind: "OPEN"; readonly account: Account }
  | { readonly kind: "NONE" }
  /** The provider gave no answer, or the installation has none. */
  | { readonly kind: "UNREAD"; readonly refused: Refusal }

const readAccount = (person: Visitor["person"], organizationId: string) =>
  readRecipientAccount(person, organizationId).pipe(
    Effect.map((account): ReadAccount => ({ kind: "OPEN", account })),
    Effect.catchTag("Refusal", (refused: Refusal): Effect.Effect<ReadAccount, Refusal> => {
      if (refused.code === "NOT_FOUND") return Effect.succeed({ kind: "NONE" })
      return statusOf(refused) === 503 ? Effect.succeed({ kind: "UNREAD", refused }) : Effect.fail(refused)
    })
  )

const accountPage = (
  { viewer }: Visitor,
  own: Membership,
  payments: PaymentProvider | NoPayments,
  read: ReadAccount
): string =>
  page(
    { title: "Recipient account", viewer, place: "members" },
    paragraph("Organization: ", untrusted(own.organizationName)),
    "Payments of Result Orders that this organization offers go to its account at the payment provider. This service holds no money, and stores no bank details.",
    payments.kind === "NONE"
      ? "This installation has no payment provider, so that no account can be opened: ask its operator."
      : accountPart(viewer.formToken, own, payments, read),
    paragraph(linkTo("/workspace/projects", "Go to your projects"))
  )

const accountPart = (formToken: string, own: Membership, payments: PaymentProvider, read: ReadAccount): Content => {
  switch (read.kind) {
    case "UNREAD":
      return notice("warning", errorBody(read.refused).detail)
    case "NONE":
      return section("The account", "The organization has none yet.", openForm(formToken, own, payments))
    case "OPEN":
      return section("The account", accountFacts(read.account), completion(read.account, own))
  }
}

const openForm = (formToken: string, own: Membership, { provider, environment }: PaymentProvider): Content =>
  hasAuthority(own, "FINANCIAL_MANAGE")
    ? [
        `It is opened at ${providerLabels[provider]}, ${environmentLabels[environment]}. An organization has one account there. Afterwards you complete it on the site of the provider.`,
        form({
          action: recipientAccountPath(own.organizationId),
          formToken,
          submitLabel: "Open the account"
        })
      ]
    : "Opening it requires a membership that permits offering orders."

const accountFacts = ({ accountId, provider, environment, payable }: Account): Element =>
  facts([
    ["Account", untrusted(accountId)],
    ["Payment provider", providerLabels[provider]],
    ["Environment", environmentLabels[environment]],
    [
      "Can it receive payments?",
      payable ? badge("good", "yes, as the provider says now") : badge("waiting", "not yet, as the provider says now")
    ]
  ])

/** What is missing is known to the provider alone. */
const completion = ({ payable, onboardingUrl }: Account, own: Membership): Content => {
  if (payable) return "Nothing is missing. You can offer accepted results on the pages of their projects."
  if (!hasAuthority(own, "FINANCIAL_MANAGE")) {
    return "The provider does not let it receive payments yet. A member who may offer orders sees here what is next."
  }
  if (onboardingUrl === null) {
    return "The provider gives nothing to complete now: it may be checking what was entered. Load this page again later."
  }
  return [
    "The provider still needs information. What is missing is shown on its site, and is entered there; the buyer cannot pay before.",
    externalLink(onboardingUrl, "Complete the account"),
    "The link is valid for a short time. Load this page again for a new one."
  ]
}

const open = formPage(recipientAccountRoute, {
  read: readOwnMembership,
  decode: decodeNoFields,
  run: ({ visitor, subject: { organizationId } }) =>
    Effect.as(openRecipientAccount(visitor.person, organizationId), {
      did: "The account was opened at the payment provider.",
      next: "It receives payments once the provider has everything it asks for."
    })
})

export const recipientAccountPages = Layer.merge(show, open)
