/** The forms that change a webhook subscription: pause, resume, rotate the secret, end, and send a message again. */
import { Effect, Layer, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { limits } from "../../vocabulary/limits.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { pauseSubscription, resumeSubscription, revokeSubscription, rotateSecret } from "../../webhooks/change.ts"
import { readSubscriptionForPerson } from "../../webhooks/list.ts"
import { redeliver } from "../../webhooks/redeliver.ts"
import { hasEnded } from "../../webhooks/subscription.ts"
import { personCaller } from "../../webhooks/subscriber.ts"
import { effectiveState } from "../../webhooks/view.ts"
import { pathId } from "../kit/url-parameters.ts"
import { decodeConfirmation } from "../kit/confirmation.ts"
import { formPage } from "../kit/form-page.ts"
import { decodeForm, decodeNoFields } from "../kit/form.ts"
import { optionalLine, wholeNumber } from "../kit/form-values.ts"
import { acknowledge } from "../kit/acknowledgement.ts"
import type { Acknowledgement } from "../kit/page.ts"
import { webhookRoute, showWebhook } from "./detail.ts"
import { showAlreadyRotated, showSecret } from "./secret.ts"
import { webhookPath } from "./read-model.ts"

const at = <const Verb extends string>(verb: Verb) =>
  ({ path: `${webhookRoute}/${verb}`, shownAt: webhookRoute }) as const

const read = () => pathId("subscriptionId", "webhook")

const change = <A, R>(
  verb: string,
  acknowledgement: Acknowledgement,
  run: (caller: ReturnType<typeof personCaller>, subscriptionId: string) => Effect.Effect<A, Refusal, R>
) =>
  formPage(at(verb), {
    read,
    decode: decodeNoFields,
    run: ({ visitor, subject }) => Effect.as(run(personCaller(visitor.person), subject), acknowledgement)
  })

const revoke = formPage(at("revoke"), {
  read,
  decode: decodeConfirmation("Tick the box to end this webhook."),
  show: (visitor, subject, { state }) => showWebhook(visitor, subject, { revocation: state }),
  run: ({ visitor, subject }) =>
    Effect.as(revokeSubscription(personCaller(visitor.person), subject), {
      did: "You ended the webhook.",
      next: "Nothing more is sent, not even what was waiting."
    })
})

const Rotation = Schema.Struct({ secretVersion: wholeNumber("The version", 1, 999_999_999) })

const rotate = formPage(at("rotate-secret"), {
  read,
  decode: (sent) => decodeForm(Rotation, sent),
  run: ({ visitor, subject, values: { secretVersion } }) =>
    rotateSecret(personCaller(visitor.person), subject, secretVersion).pipe(
      Effect.map(({ row, secret }) => showSecret(visitor, row, secret)),
      Effect.catchTag("Refusal", (refused) =>
        Effect.gen(function* () {
          if (refused.code !== "STATE_CONFLICT") return yield* Effect.fail(refused)
          // The conflict is either a newer secret or an ended subscription.
          const { row, authorityState, now } = yield* readSubscriptionForPerson(visitor.person, subject)
          if (hasEnded(effectiveState(row, authorityState, now))) return yield* Effect.fail(refused)
          return showAlreadyRotated(visitor, row)
        })
      )
    )
})

/** The page of the history that the button was on. */
const HistoryPlace = Schema.Struct({
  after: optionalLine("The place", limits.pathParameterCharacters).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(""))
  )
})

const redelivery = formPage(at("deliveries/:deliveryId/redeliver"), {
  read: () => Effect.all([read(), HttpRouter.params]),
  decode: (sent) => decodeForm(HistoryPlace, sent),
  run: ({ visitor, subject: [subscriptionId, { deliveryId = "" }], values: { after } }) =>
    Effect.andThen(
      redeliver(personCaller(visitor.person), subscriptionId, deliveryId),
      acknowledge(
        visitor,
        after === ""
          ? webhookPath(subscriptionId)
          : `${webhookPath(subscriptionId)}?after=${encodeURIComponent(after)}`,
        {
          did: "The message is sent again.",
          next: "Its attempts are in the history below: load this page again in a minute."
        }
      )
    )
})

export const webhookChanges = Layer.mergeAll(
  change(
    "pause",
    { did: "You paused the webhook.", next: "Nothing is sent until you resume it; events wait for it meanwhile." },
    pauseSubscription
  ),
  change(
    "resume",
    { did: "You resumed the webhook.", next: "What waited is sent now, in its order." },
    resumeSubscription
  ),
  rotate,
  revoke,
  redelivery
)
