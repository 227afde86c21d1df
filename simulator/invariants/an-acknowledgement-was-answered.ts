/** What is written down of an attempt is what the receiver answered to whoever made it (spec 6.3). */
import { WebhookAttempts } from "../../src/webhooks/store.ts"
import { broken, invariant } from "./invariant.ts"
import { rowsWritten } from "./support/commits.ts"
import { sorted } from "./support/sorted.ts"

/** By process and delivery, the last status that came back and was not written down yet. */
type Answered = { readonly [processAndDelivery: string]: number }

export const anAcknowledgementWasAnswered = invariant<Answered>({
  name: "an acknowledgement was answered",
  kind: "always",
  says: "An attempt has the status that its receiver answered to the very process that writes it down, or none.",
  begins: {},
  sees: (answered, { observed, rows }) => {
    switch (observed.kind) {
      case "reply": {
        const { [nameOf(observed.actor, observed.delivery)]: _before, ...others } = answered
        if (typeof observed.answer !== "number") return others
        return sorted({ ...others, [nameOf(observed.actor, observed.delivery)]: observed.answer })
      }
      case "commit": {
        let left = answered
        for (const { deliveryId, statusCode } of rowsWritten(observed, rows, WebhookAttempts)) {
          if (statusCode === null) continue
          const { [nameOf(observed.actor, deliveryId)]: answer, ...others } = left
          if (answer !== statusCode) {
            return broken(
              `an attempt of ${deliveryId} has the status ${statusCode}, and ${answer ?? "nobody"} was the answer`
            )
          }
          left = others
        }
        return left
      }
      default:
        return answered
    }
  }
})

const nameOf = (actor: string, delivery: string): string => `${actor} ${delivery}`
