/** The forms that change a webhook subscription: pause, resume, rotate the secret, and end. */
import { Effect, Layer, Result, Schema } from "effect"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { pauseSubscription, resumeSubscription, revokeSubscription, rotateSecret } from "../../webhooks/change.ts"
import { readSubscriptionForPerson } from "../../webhooks/list.ts"
import { hasEnded } from "../../webhooks/subscription.ts"
import { personCaller } from "../../webhooks/subscriber.ts"
import { effectiveState } from "../../webhooks/view.ts"
import { pathId } from "../kit/url-parameters.ts"
import { decodeForm, type FormSubmission } from "../kit/form.ts"
import { requiredCheckbox, wholeNumber } from "../kit/form-values.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm } from "../kit/signed-in.ts"
import { webhookRoute, showWebhook } from "./detail.ts"
import { showAlreadyRotated, showSecret } from "./secret.ts"
import { webhookPath } from "./read-model.ts"

const at = <const Verb extends string>(verb: Verb) =>
  ({ path: `${webhookRoute}/${verb}`, shownAt: webhookRoute }) as const

/** A form without fields. */
const requireNoFields = (sent: FormSubmission): Effect.Effect<void, Refusal> =>
  Effect.asVoid(decodeForm(Schema.Struct({}), sent))

const pause = signedInForm(at("pause"), ({ person }, sent) =>
  Effect.gen(function* () {
    const subscriptionId = yield* pathId("subscriptionId", "webhook")
    yield* requireNoFields(sent)
    yield* pauseSubscription(personCaller(person), subscriptionId)
    return seeOther(webhookPath(subscriptionId))
  })
)

const resume = signedInForm(at("resume"), ({ person }, sent) =>
  Effect.gen(function* () {
    const subscriptionId = yield* pathId("subscriptionId", "webhook")
    yield* requireNoFields(sent)
    yield* resumeSubscription(personCaller(person), subscriptionId)
    return seeOther(webhookPath(subscriptionId))
  })
)

const Rotation = Schema.Struct({ secretVersion: wholeNumber("The version", 1, 999_999_999) })

const rotate = signedInForm(at("rotate-secret"), (visitor, sent) =>
  Effect.gen(function* () {
    const subscriptionId = yield* pathId("subscriptionId", "webhook")
    const decoded = yield* decodeForm(Rotation, sent)
    if (Result.isFailure(decoded)) return yield* refuse("INVALID_REQUEST")
    const { secretVersion } = decoded.success
    return yield* rotateSecret(personCaller(visitor.person), subscriptionId, secretVersion).pipe(
      Effect.map(({ row, secret }) => showSecret(visitor, row, secret)),
      Effect.catchTag("Refusal", (refused) =>
        Effect.gen(function* () {
          if (refused.code !== "STATE_CONFLICT") return yield* Effect.fail(refused)
          // The conflict is either a newer secret or an ended subscription.
          const { row, authorityState, now } = yield* readSubscriptionForPerson(visitor.person, subscriptionId)
          if (hasEnded(effectiveState(row, authorityState, now))) return yield* Effect.fail(refused)
          return showAlreadyRotated(visitor, row)
        })
      )
    )
  })
)

const Ending = Schema.Struct({ confirmed: requiredCheckbox("Tick the box to end this webhook.") })

const revoke = signedInForm(at("revoke"), (visitor, sent) =>
  Effect.gen(function* () {
    const subscriptionId = yield* pathId("subscriptionId", "webhook")
    const decoded = yield* decodeForm(Ending, sent)
    if (Result.isFailure(decoded)) {
      return pageResponse(yield* showWebhook(visitor, subscriptionId, { revocation: decoded.failure }), 400)
    }
    yield* revokeSubscription(personCaller(visitor.person), subscriptionId)
    return seeOther(webhookPath(subscriptionId))
  })
)

export const webhookChanges = Layer.mergeAll(pause, resume, rotate, revoke)
