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
import { seeOther } from "../kit/response.ts"
import { webhookRoute, showWebhook } from "./detail.ts"
import { showAlreadyRotated, showSecret } from "./secret.ts"
import { webhookPath } from "./read-model.ts"

const at = <const Verb extends string>(verb: Verb) =>
  ({ path: `${webhookRoute}/${verb}`, shownAt: webhookRoute }) as const

const read = () => pathId("subscriptionId", "webhook")

const change = <A, R>(
  verb: string,
  run: (caller: ReturnType<typeof personCaller>, subscriptionId: string) => Effect.Effect<A, Refusal, R>
) =>
  formPage(at(verb), {
    read,
    decode: decodeNoFields,
    run: ({ visitor: { person }, subject }) =>
      Effect.as(run(personCaller(person), subject), seeOther(webhookPath(subject)))
  })

const revoke = formPage(at("revoke"), {
  read,
  decode: decodeConfirmation("Tick the box to end this webhook."),
  show: (visitor, subject, { state }) => showWebhook(visitor, subject, { revocation: state }),
  run: ({ visitor: { person }, subject }) =>
    Effect.as(revokeSubscription(personCaller(person), subject), seeOther(webhookPath(subject)))
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
  run: ({ visitor: { person }, subject: [subscriptionId, { deliveryId = "" }], values: { after } }) =>
    Effect.as(
      redeliver(personCaller(person), subscriptionId, deliveryId),
      seeOther(
        after === "" ? webhookPath(subscriptionId) : `${webhookPath(subscriptionId)}?after=${encodeURIComponent(after)}`
      )
    )
})

export const webhookChanges = Layer.mergeAll(
  change("pause", pauseSubscription),
  change("resume", resumeSubscription),
  rotate,
  revoke,
  redelivery
)
