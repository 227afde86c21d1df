/** An attempt is recorded before its request is sent (spec 6.4): there are never more requests than recorded attempts. */
import { WebhookAttempts } from "../../../src/webhooks/store.ts"
import { valueAt } from "../../vocabulary/json.ts"
import { violation, monitoredProperty, rowsWithPrefix } from "../property.ts"
import { sorted } from "../support/sorted.ts"

/** By delivery: the number of attempts recorded at its last request. */
type RecordedAttempts = { readonly [delivery: string]: number }

export const eachWebhookRequestIsOneAttempt = monitoredProperty<RecordedAttempts>({
  name: "each webhook request is one attempt",
  kind: "always",
  says: "Each request to a receiver has a recorded attempt of its own.",
  judges: { kinds: ["callback"] },
  initial: {},
  next: (recorded, { observed, rows }) => {
    if (observed.kind !== "callback") return recorded
    const delivery = String(valueAt(observed.headers, "service-delivery-id"))
    const attempts = rowsWithPrefix(rows, WebhookAttempts, [delivery]).length
    return attempts <= (recorded[delivery] ?? 0)
      ? violation(`${delivery} was sent again with only ${attempts} recorded attempts`)
      : sorted({ ...recorded, [delivery]: attempts })
  }
})
