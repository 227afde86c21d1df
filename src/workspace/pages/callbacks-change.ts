/** The forms that change a webhook subscription: pause, resume, rotate the secret, and end. */
import { Effect, Layer, Result, Schema } from "effect"
import { refuse, type Refused } from "../../vocabulary/refusals.ts"
import { pauseSubscription, resumeSubscription, revokeSubscription, rotateSecret } from "../../webhooks/change.ts"
import { readSubscriptionOf } from "../../webhooks/list.ts"
import { hasEnded } from "../../webhooks/subscription.ts"
import { personCaller } from "../../webhooks/subscriber.ts"
import { seenState } from "../../webhooks/view.ts"
import { pathId } from "../address.ts"
import { decodeForm, type SentForm } from "../form.ts"
import { mustBeTicked, wholeNumber } from "../form-values.ts"
import { pageResponse, seeOther } from "../response.ts"
import { signedInForm } from "../signed-in.ts"
import { callbackAddress, showCallback } from "./callbacks-detail.ts"
import { showChangedAlready, showSecret } from "./callbacks-secret.ts"
import { callbackPath } from "./callbacks-seen.ts"

const at = <const Verb extends string>(verb: Verb) =>
  ({ path: `${callbackAddress}/${verb}`, shownAt: callbackAddress }) as const

/** A form without fields. */
const requireNoFields = (sent: SentForm): Effect.Effect<void, Refused> =>
  Effect.asVoid(decodeForm(Schema.Struct({}), sent))

const pause = signedInForm(at("pause"), ({ person }, sent) =>
  Effect.gen(function* () {
    const subscriptionId = yield* pathId("subscriptionId", "webhook")
    yield* requireNoFields(sent)
    yield* pauseSubscription(personCaller(person), subscriptionId)
    return seeOther(callbackPath(subscriptionId))
  })
)

const resume = signedInForm(at("resume"), ({ person }, sent) =>
  Effect.gen(function* () {
    const subscriptionId = yield* pathId("subscriptionId", "webhook")
    yield* requireNoFields(sent)
    yield* resumeSubscription(personCaller(person), subscriptionId)
    return seeOther(callbackPath(subscriptionId))
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
      Effect.catchTag("Refused", (refused) =>
        Effect.gen(function* () {
          if (refused.code !== "STATE_CONFLICT") return yield* Effect.fail(refused)
          // The conflict is either a newer secret or an ended subscription.
          const { row, standing, now } = yield* readSubscriptionOf(visitor.person, subscriptionId)
          if (hasEnded(seenState(row, standing, now))) return yield* Effect.fail(refused)
          return showChangedAlready(visitor, row)
        })
      )
    )
  })
)

const Ending = Schema.Struct({ confirmed: mustBeTicked("Tick the box to end this webhook.") })

const revoke = signedInForm(at("revoke"), (visitor, sent) =>
  Effect.gen(function* () {
    const subscriptionId = yield* pathId("subscriptionId", "webhook")
    const decoded = yield* decodeForm(Ending, sent)
    if (Result.isFailure(decoded)) {
      return pageResponse(yield* showCallback(visitor, subscriptionId, { revocation: decoded.failure }), 400)
    }
    yield* revokeSubscription(personCaller(visitor.person), subscriptionId)
    return seeOther(callbackPath(subscriptionId))
  })
)

export const callbackChanges = Layer.mergeAll(pause, resume, rotate, revoke)
