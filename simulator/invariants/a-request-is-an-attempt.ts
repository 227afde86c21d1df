/** An attempt is recorded before its request is sent (spec 6.4): there are never more requests than recorded attempts. */
import { WebhookAttempts } from "../../src/webhooks/store.ts"
import { valueAt } from "../script/json.ts"
import { broken, invariant, rowsUnder } from "./invariant.ts"
import { sorted } from "./support/sorted.ts"

/** By delivery: the number of attempts recorded at its last request. */
type RecordedAttempts = { readonly [delivery: string]: number }

export const aRequestIsAnAttempt = invariant<RecordedAttempts>({
  name: "a request is an attempt of its own",
  kind: "always",
  says: "Each request to a receiver has a recorded attempt of its own.",
  begins: {},
  sees: (recorded, { observed, rows }) => {
    if (observed.kind !== "callback") return recorded
    const delivery = String(valueAt(observed.headers, "service-delivery-id"))
    const attempts = rowsUnder(rows, WebhookAttempts, [delivery]).length
    return attempts <= (recorded[delivery] ?? 0)
      ? broken(`${delivery} was sent again with only ${attempts} recorded attempts`)
      : sorted({ ...recorded, [delivery]: attempts })
  }
})
