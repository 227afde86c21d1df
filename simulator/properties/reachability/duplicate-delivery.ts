/** Vacuity check: delivery is at-least-once (spec 6.3), so at least one schedule must produce a duplicate. */
import { monitoredProperty, witness } from "../property.ts"

export const duplicateDelivery = monitoredProperty<null>({
  name: "duplicate delivery",
  kind: "sometimes",
  says: "A receiver gets a duplicate of a delivery, with the same delivery id.",
  initial: null,
  next: (_, { observed }) => (observed.kind === "received" && observed.time > 1 ? witness : null)
})
