/** Sends a message of the history again. */
import { Effect, Result, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { limits } from "../../vocabulary/limits.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { redeliver } from "../../webhooks/redeliver.ts"
import { personCaller } from "../../webhooks/subscriber.ts"
import { pathId } from "../address.ts"
import { decodeForm } from "../form.ts"
import { optionalLine } from "../form-values.ts"
import { seeOther } from "../response.ts"
import { signedInForm } from "../signed-in.ts"
import { callbackAddress } from "./callbacks-detail.ts"
import { callbackPath } from "./callbacks-seen.ts"

/** The page of the history that the button was on. */
const Place = Schema.Struct({
  after: optionalLine("The place", limits.pathParameterCharacters).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(""))
  )
})

export const callbackRedelivery = signedInForm(
  { path: `${callbackAddress}/deliveries/:deliveryId/redeliver`, shownAt: callbackAddress },
  ({ person }, sent) =>
    Effect.gen(function* () {
      const subscriptionId = yield* pathId("subscriptionId", "webhook")
      const { deliveryId } = yield* HttpRouter.params
      const place = yield* decodeForm(Place, sent)
      if (deliveryId === undefined || Result.isFailure(place)) return yield* refuse("INVALID_REQUEST")
      yield* redeliver(personCaller(person), subscriptionId, deliveryId)
      const { after } = place.success
      return seeOther(
        after === ""
          ? callbackPath(subscriptionId)
          : `${callbackPath(subscriptionId)}?after=${encodeURIComponent(after)}`
      )
    })
)
