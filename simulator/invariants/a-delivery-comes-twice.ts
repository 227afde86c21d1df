/** Vacuity check: delivery is at-least-once (spec 6.3), so at least one schedule must produce a duplicate. */
import { invariant, reached } from "./invariant.ts"

export const aDeliveryComesTwice = invariant<null>({
  name: "a delivery comes twice",
  kind: "sometimes",
  says: "A receiver gets a duplicate of a delivery, with the same delivery id.",
  begins: null,
  sees: (_, { observed }) => (observed.kind === "received" && observed.time > 1 ? reached : null)
})
