/** Sends a message of the history again. */
import { Effect, Result, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { limits } from "../../vocabulary/limits.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { redeliver } from "../../webhooks/redeliver.ts"
import { personCaller } from "../../webhooks/subscriber.ts"
import { pathId } from "../kit/url-parameters.ts"
import { decodeForm } from "../kit/form.ts"
import { optionalLine } from "../kit/form-values.ts"
import { seeOther } from "../kit/response.ts"
import { signedInForm } from "../kit/signed-in.ts"
import { webhookRoute } from "./detail.ts"
import { webhookPath } from "./read-model.ts"

/** The page of the history that the button was on. */
const Place = Schema.Struct({
  after: optionalLine("The place", limits.pathParameterCharacters).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(""))
  )
})

export const webhookRedelivery = signedInForm(
  { path: `${webhookRoute}/deliveries/:deliveryId/redeliver`, shownAt: webhookRoute },
  ({ person }, sent) =>
    Effect.gen(function* () {
      const subscriptionId = yield* pathId("subscriptionId", "webhook")
      const { deliveryId } = yield* HttpRouter.params
      const place = yield* decodeForm(Place, sent)
      if (deliveryId === undefined || Result.isFailure(place)) return yield* refuse("INVALID_REQUEST")
      yield* redeliver(personCaller(person), subscriptionId, deliveryId)
      const { after } = place.success
      return seeOther(
        after === "" ? webhookPath(subscriptionId) : `${webhookPath(subscriptionId)}?after=${encodeURIComponent(after)}`
      )
    })
)
