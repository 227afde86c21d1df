/** The notifications of a world's payment provider: requests to the service over its own route. */
import { Clock, Effect, Schema } from "effect"
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import { forgedNotification, notificationAbout, notificationPath } from "../payments/notification.ts"
import { purchaseOf } from "../payments/provider.ts"
import { offsetInMilliseconds } from "../vocabulary/duration.ts"
import type { JsonObject } from "../vocabulary/json.ts"
import type { OperationAction, Step } from "./format/scenario.ts"
import { Notify } from "./operations/operation-forms.ts"
import { type ScenarioContext, type SentRequest, unusable } from "./scenario-context.ts"

/** The notification about the payment attempt in `on`, signed now by the provider's clock, or by a client without its secret. */
export const plannedNotification = Effect.fnUntraced(function* (
  step: OperationAction & Step,
  on: string | undefined,
  input: JsonObject,
  { world }: ScenarioContext
) {
  const purchase = world.payments === undefined ? undefined : purchaseOf(world.payments.provider.state, on ?? "")
  if (purchase === undefined) return yield* unusable(`the provider has no checkout of ${on}`)
  const { clock = "+0s", forged } = Schema.decodeUnknownSync(Notify)(input)
  const signedAt = (yield* Clock.currentTimeMillis) + offsetInMilliseconds(clock)
  const authentic = notificationAbout(purchase, fromMilliseconds(signedAt))
  const { rawBody, headers } = forged === undefined ? authentic : forgedNotification(authentic, forged)
  const sent: SentRequest = {
    operation: step.operation,
    inScenario: { id: step.id, operation: step.operation },
    step: step.number,
    isConcurrent: step.isConcurrent,
    request: {
      actor: step.as,
      method: "POST",
      path: notificationPath,
      token: undefined,
      tokenOverride: undefined,
      session: undefined,
      body: undefined,
      raw: { headers, text: new TextDecoder().decode(rawBody) }
    }
  }
  return sent
})
