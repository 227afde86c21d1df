/** The payment attempts of an order, and what the payment provider said about one of them. */
import { h } from "preact"
import { exportGuard } from "../../commerce/commerce-record.ts"
import type { ObservedAttempt, OrderForPage } from "../../commerce/page-reading.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import { components, type Component } from "../../vocabulary/payments.ts"
import { errorBody } from "../../vocabulary/refusals.ts"
import { form } from "../kit/fields.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import type { Viewer } from "../kit/page.ts"
import { badge, facts, linkTo, list, notice, paragraph, section, table, time } from "../kit/parts.ts"
import { offlineVerification } from "../kit/verifier-link.ts"
import { attemptStateBadges, componentLabels, failureTexts, labelTexts } from "./labels.ts"
import { attemptPath, commerceRecordPath, commerceStatusPath, orderPath } from "./path.ts"
import { differencesFrom, factsText } from "./provider-facts.ts"

export const attemptsSection = ({ attempts, stored, observed }: OrderForPage): Content =>
  attempts.length === 0
    ? null
    : section(
        "Payment attempts",
        table({
          caption: "Each attempt is one checkout at the provider, the newest first",
          columns: ["Attempt", "State", "Opened", "Checkout expires", "What the provider said"],
          rows: attempts
            .toReversed()
            .map(({ commerceOrderId, number, state, openedAt, expiresAt }) => [
              [`${number}. `, h("code", null, commerceOrderId)],
              badge(...attemptStateBadges[state]),
              time(openedAt),
              time(expiresAt),
              commerceOrderId === observed?.row.commerceOrderId
                ? "below"
                : linkTo(attemptPath(stored.row.resultOrderId, commerceOrderId), `Show that of attempt ${number}`)
            ]),
          empty: ""
        })
      )

/** Kept apart from what people decided: nothing on this site changes what the provider said. */
export const observationsSection = (order: OrderForPage, viewer: Viewer): Content => {
  const { observed } = order
  if (observed === undefined) return null
  const { row } = observed
  return [
    section(
      `What the payment provider said about attempt ${row.number}`,
      "The service asks the provider again and again, and keeps each change. No bank was asked.",
      row.state === "UNVERIFIED" ? differences(observed) : null,
      observed.components.length === 0
        ? "The provider has not been asked about this attempt yet."
        : components.map((component) => componentPart(observed, component)),
      row.checkoutId === null ? null : refreshForm(order, row.commerceOrderId, viewer)
    ),
    recordSection(observed),
    row.commerceOrderId === order.attempts.at(-1)?.commerceOrderId
      ? null
      : paragraph(linkTo(orderPath(order.stored.row.resultOrderId), "Go to the newest attempt of this order"))
  ]
}

const differences = ({ binding, observations }: ObservedAttempt): Content => {
  const payment = observations.findLast((one) => one.component === "PAYMENT")
  if (payment?.component !== "PAYMENT") return null
  return notice(
    "warning",
    "The provider says that a payment succeeded, but it is not the payment of these terms:",
    list(differencesFrom(binding, payment.facts))
  )
}

const componentPart = ({ components: read, observations }: ObservedAttempt, component: Component): Content => {
  const found = read.find((one) => one.component === component)
  const own = observations.filter((one) => one.component === component)
  return [
    h("h3", null, componentLabels[component]),
    paragraph(...askedText(found?.lastObservedAt ?? null, own.length)),
    found === undefined || found.failure === null
      ? null
      : paragraph(
          badge("waiting", "not read the last time"),
          ` The reason: ${failureTexts[found.failure]}. The service asks again by itself.`
        ),
    own.map((one) =>
      facts([
        ["At the provider", h("code", null, untrusted(one.entity))],
        ["What it said", factsText(one)],
        ["What follows from it", one.label === null ? "Nothing." : labelTexts[one.label]],
        ["First reported on", time(one.observedAt)]
      ])
    )
  ]
}

const askedText = (lastObservedAt: Instant | null, entities: number): ReadonlyArray<Content> =>
  lastObservedAt === null
    ? ["The provider has not answered yet."]
    : ["As reported when the service last asked, on ", time(lastObservedAt), entities === 0 ? ": none." : ":"]

/** For everyone who sees the order: asking the provider changes nothing there. */
const refreshForm = ({ stored }: OrderForPage, commerceOrderId: string, { formToken }: Viewer): Content => [
  h("h3", null, "Ask the provider now"),
  "Each answer above counts as current for one hour from when the service last asked. An answer of the last ten seconds is not asked for again.",
  form({
    action: `${attemptPath(stored.row.resultOrderId, commerceOrderId)}/refresh`,
    formToken,
    submitLabel: "Ask the provider now"
  })
]

/** The file of one attempt, with what it proves. */
const recordSection = ({ row }: ObservedAttempt): Element => {
  const { commerceOrderId, number, journalCount } = row
  const refused = exportGuard(row)
  return section(
    `The Commerce Record of attempt ${number}`,
    refused !== undefined
      ? errorBody(refused).detail
      : [
          paragraph(h("a", { href: commerceRecordPath(commerceOrderId) }, "Download the Commerce Record")),
          entriesText(journalCount),
          paragraph(
            "After that, ",
            h("a", { href: commerceStatusPath(commerceOrderId) }, "download its status"),
            " to show beside it what the provider has said since, and how long ago."
          ),
          offlineVerification("It is signed by this service, and can", "the verifying person must obtain separately")
        ],
    "It proves that this service kept these answers, in this order, and that they were not changed since. It does not prove that a bank received money, what happened before the first answer, or that nothing was refunded or disputed after the last one."
  )
}

const entriesText = (count: number): string =>
  count === 0
    ? "The file holds no entry yet: it proves no payment."
    : `The file holds ${count === 1 ? "one entry" : `${count.toLocaleString("en")} entries`}: each change of what the provider said, with the time at which the service asked.`
