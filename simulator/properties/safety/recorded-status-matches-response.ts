/** The recorded status of an attempt is the receiver's response to the process that made it (spec 6.3). */
import { WebhookAttempts } from "../../../src/webhooks/store.ts"
import { violation, monitoredProperty } from "../property.ts"
import { rowsWritten } from "../support/commits.ts"
import { sorted } from "../support/sorted.ts"

/** By process and delivery: the last response status that is not recorded so far. */
type UnrecordedStatuses = { readonly [processAndDelivery: string]: number }

export const recordedStatusMatchesResponse = monitoredProperty<UnrecordedStatuses>({
  name: "recorded status matches response",
  kind: "always",
  says: "The recorded status of an attempt is the one that the receiver returned to the recording process.",
  judges: { kinds: ["reply"], commitsTo: [WebhookAttempts] },
  initial: {},
  next: (unrecorded, { observed, rows }) => {
    switch (observed.kind) {
      case "reply": {
        const { [nameOf(observed.actor, observed.delivery)]: _before, ...others } = unrecorded
        if (typeof observed.answer !== "number") return others
        return sorted({ ...others, [nameOf(observed.actor, observed.delivery)]: observed.answer })
      }
      case "commit": {
        let left = unrecorded
        for (const { deliveryId, statusCode } of rowsWritten(observed, rows, WebhookAttempts)) {
          if (statusCode === null) continue
          const { [nameOf(observed.actor, deliveryId)]: answer, ...others } = left
          if (answer !== statusCode) {
            return violation(
              `an attempt of ${deliveryId} has the status ${statusCode}, and the response was ${answer ?? "none"}`
            )
          }
          left = others
        }
        return left
      }
      default:
        return unrecorded
    }
  }
})

const nameOf = (actor: string, delivery: string): string => `${actor} ${delivery}`
