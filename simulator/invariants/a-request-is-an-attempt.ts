/** Attempts are counted before they are made (spec 6.4), so that what leaves is never more than what is counted. */
import { WebhookAttempts } from "../../src/webhooks/store.ts"
import { valueAt } from "../script/json.ts"
import { broken, invariant, rowsUnder } from "./invariant.ts"
import { sorted } from "./support/sorted.ts"

/** By delivery, how many attempts were counted when it left last. */
type Left = { readonly [delivery: string]: number }

export const aRequestIsAnAttempt = invariant<Left>({
  name: "a request is an attempt of its own",
  kind: "always",
  says: "Each request that leaves for a receiver is an attempt that was counted for it, and for no request before it.",
  begins: {},
  sees: (left, { observed, rows }) => {
    if (observed.kind !== "callback") return left
    const delivery = String(valueAt(observed.headers, "service-delivery-id"))
    const counted = rowsUnder(rows, WebhookAttempts, [delivery]).length
    return counted <= (left[delivery] ?? 0)
      ? broken(`${delivery} left once more, and only ${counted} attempts were counted`)
      : sorted({ ...left, [delivery]: counted })
  }
})
