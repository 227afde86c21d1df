/** Duplicates of a callback are to be expected (spec 6.3): a search that never sends one twice has not looked far. */
import { invariant, reached } from "./invariant.ts"

export const aDeliveryComesTwice = invariant<null>({
  name: "a delivery comes twice",
  kind: "sometimes",
  says: "A receiver gets the same delivery once more, and knows it by its id.",
  begins: null,
  sees: (_, { observed }) => (observed.kind === "received" && observed.time > 1 ? reached : null)
})
