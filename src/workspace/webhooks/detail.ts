/** The page of one webhook subscription: state, delivery history, and the forms that change and end it. */
import { Effect } from "effect"
import { personCaller } from "../../webhooks/subscriber.ts"
import { readHistory } from "../../webhooks/history.ts"
import { readSubscriptionForPerson } from "../../webhooks/list.ts"
import { hasEnded } from "../../webhooks/subscription.ts"
import { readDeliveryProblems } from "../../webhooks/delivery-problems.ts"
import { effectiveState } from "../../webhooks/view.ts"
import { pathId, readQueryParameters } from "../kit/url-parameters.ts"
import { buttonForm } from "../kit/button-form.ts"
import { emptyForm, form, hidden, type FormState } from "../kit/fields.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, notice, paragraph, section } from "../kit/parts.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { confirmationForm } from "../kit/confirmation.ts"
import { exhaustedSection, historySection, type History } from "./history.ts"
import { webhookFacts, webhookPath, webhooksPath, hostOf, readTitles, type WebhookPageModel } from "./read-model.ts"

export const webhookRoute = `${webhooksPath}/:subscriptionId` as const

export const webhookDetail = signedInPage(webhookRoute, function* (visitor) {
  const subscriptionId = yield* pathId("subscriptionId", "webhook")
  return yield* showWebhook(visitor, subscriptionId, { after: (yield* readQueryParameters)("after") })
})

interface ShownParts {
  readonly after?: string | undefined
  /** The form that ends it, as last submitted. */
  readonly revocation?: FormState
}

export const showWebhook = Effect.fnUntraced(function* (
  visitor: Visitor,
  subscriptionId: string,
  { after, revocation = emptyForm }: ShownParts = {}
) {
  const { person, viewer } = visitor
  const { formToken } = viewer
  // The history is read first: reading it numbers the events that occurred meanwhile.
  const read = yield* readHistory(personCaller(person), subscriptionId, after)
  const model = yield* readSubscriptionForPerson(person, subscriptionId)
  // Deliveries numbered by this read are due just after it began.
  const history = { ...read, now: model.now }
  const titleOf = yield* readTitles(visitor, model.row.projectIds)
  const isEnded = hasEnded(effectiveState(model.row, model.authorityState, model.now))
  const deliveryProblems =
    isEnded || model.row.failures + model.row.exhausted === 0
      ? noDeliveryProblems
      : yield* readDeliveryProblems(subscriptionId)
  const onPage = new Set(history.deliveries.map(({ row }) => row.deliveryId))
  const exhausted = deliveryProblems.exhausted.filter(({ row }) => !onPage.has(row.deliveryId))
  const part = { history, after, formToken, titleOf }
  return page(
    {
      title: `Webhook to ${hostOf(model)}`,
      viewer,
      place: "webhooks",
      problems: isEnded ? [] : revocation.problems
    },
    isEnded
      ? null
      : warnings(model, { isFromBeginning: after === undefined, unseen: unseenOf(model, history, exhausted) }),
    webhookFacts({ model, titleOf, lastTrouble: deliveryProblems.last }),
    exhausted.length === 0 ? null : exhaustedSection(exhausted, part),
    historySection(part),
    isEnded
      ? "It has ended: nothing is sent any more, and it cannot be restarted."
      : [pauseSection(formToken, model), secretSection(formToken, model), endSection(formToken, model, revocation)],
    paragraph(linkTo(webhooksPath, "All my webhooks"))
  )
})

const noDeliveryProblems = { last: null, exhausted: [] } satisfies Effect.Success<
  ReturnType<typeof readDeliveryProblems>
>

/** The number of exhausted deliveries that are not on this page. */
const unseenOf = ({ row }: WebhookPageModel, { deliveries }: History, exhausted: History["deliveries"]): number =>
  row.exhausted - exhausted.length - deliveries.filter((one) => one.row.state === "EXHAUSTED").length

interface ExhaustedElsewhere {
  readonly unseen: number
  readonly isFromBeginning: boolean
}

const warnings = ({ row, authorityState }: WebhookPageModel, elsewhere: ExhaustedElsewhere): Content => [
  authorityState === "HELD"
    ? notice("warning", "The access of the agent has expired: nothing is sent until it is renewed.")
    : null,
  row.exhausted > 0
    ? notice(
        "warning",
        paragraph(
          "Some deliveries failed on all attempts and are no longer retried. Correct the problem at the receiver, then send them again. ",
          whereExhausted(row.exhausted, elsewhere)
        )
      )
    : null
]

const whereExhausted = (exhausted: number, { unseen, isFromBeginning }: ExhaustedElsewhere): string => {
  if (unseen <= 0) return "They are below."
  const way = isFromBeginning ? "continue to the next messages" : "go through the history from its beginning"
  return unseen >= exhausted
    ? `They are on other pages of the history: ${way}.`
    : `Some are below, ${unseen} on other pages of the history: ${way}.`
}

const pauseSection = (formToken: string, { row: { subscriptionId, isPaused } }: WebhookPageModel): Element =>
  section(
    isPaused ? "Resume" : "Pause",
    paragraph(
      isPaused
        ? "Pending messages are sent when their next attempt is due, and new events are sent from then on. Events during the pause are never sent."
        : "Pending messages are kept and not sent. Events during the pause are never sent."
    ),
    buttonForm({
      action: `${webhookPath(subscriptionId)}/${isPaused ? "resume" : "pause"}`,
      formToken,
      label: isPaused ? "Resume this webhook" : "Pause this webhook"
    })
  )

const secretSection = (formToken: string, { row, agentName }: WebhookPageModel): Element =>
  section(
    "The secret",
    row.grantId === null
      ? [
          "After a change of the secret, the receiver rejects all messages until it has the new one. Change it if the secret was lost or may be known to others.",
          form(
            {
              action: `${webhookPath(row.subscriptionId)}/rotate-secret`,
              formToken,
              submitLabel: "Create and show a new secret"
            },
            // The version that was shown, so that a replayed form cannot invalidate a newer secret.
            hidden("secretVersion", String(row.secretVersion))
          )
        ]
      : paragraph("It belongs to the agent ", untrusted(agentName ?? row.grantId), ", which alone can change it.")
  )

const endSection = (formToken: string, { row }: WebhookPageModel, state: FormState): Element =>
  section(
    "End",
    "Nothing is sent any more, not even pending messages. The history remains readable.",
    confirmationForm(state, {
      action: `${webhookPath(row.subscriptionId)}/revoke`,
      formToken,
      submitLabel: "End this webhook",
      isDangerous: true,
      statement: "I end this webhook. It cannot be taken back."
    })
  )
