/** Vacuity checks: a search without refusals (spec 7) had no races, so at least one schedule must reach each of these. */
import { valueAt } from "../../vocabulary/json.ts"
import { monitoredProperty, witness, type MonitoredProperty } from "../property.ts"

const refusal = (name: string, ...codes: ReadonlyArray<string>): MonitoredProperty =>
  monitoredProperty<null>({
    name,
    kind: "sometimes",
    says: `A request is refused with ${codes.join(" or ")}.`,
    initial: null,
    next: (_, { observed }) =>
      observed.kind === "response" &&
      observed.status >= 400 &&
      codes.includes(String(valueAt(observed.body ?? null, "error")))
        ? witness
        : null
  })

export const refusalByAPause = refusal("refusal by a pause", "AGENT_PAUSED")
export const refusalOfAStaleHead = refusal("refusal of a stale head", "STALE_EVENT_HEAD", "STALE_PROPOSAL_HEAD")
export const refusalAfterADeadline = refusal("refusal after a deadline", "DELIVERY_DEADLINE_PASSED")
export const refusalOfAConcurrentRenewal = refusal("refusal of a concurrent renewal", "GENERATION_STALE")
