/** Vacuity checks: a search without refusals (spec 7) had no races, so at least one schedule must reach each of these. */
import { valueAt } from "../script/json.ts"
import { invariant, reached, type Invariant } from "./invariant.ts"

const refusal = (name: string, ...codes: ReadonlyArray<string>): Invariant =>
  invariant<null>({
    name,
    kind: "sometimes",
    says: `A request is refused with ${codes.join(" or ")}.`,
    begins: null,
    sees: (_, { observed }) =>
      observed.kind === "response" &&
      observed.status >= 400 &&
      codes.includes(String(valueAt(observed.body ?? null, "error")))
        ? reached
        : null
  })

export const aPauseRefusesSomebody = refusal("a pause refuses somebody", "AGENT_PAUSED")
export const aStaleHeadRefusesSomebody = refusal(
  "a stale head refuses somebody",
  "STALE_EVENT_HEAD",
  "STALE_PROPOSAL_HEAD"
)
export const aDeadlineRefusesSomebody = refusal("a deadline refuses somebody", "DELIVERY_DEADLINE_PASSED")
export const anotherRenewalRefusesSomebody = refusal("another renewal refuses somebody", "GENERATION_STALE")
