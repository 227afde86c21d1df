/** Vacuity checks: at least one schedule of a search must reach each of these, or its other verdicts mean little. */
import { Grants } from "../../../src/access/store.ts"
import { RequestKeys } from "../../../src/replay/store.ts"
import { WebhookDeliveries } from "../../../src/webhooks/store.ts"
import { valueAt } from "../../vocabulary/json.ts"
import {
  monitoredProperty,
  pendingRequestKey,
  rowIn,
  witness,
  type Judged,
  type Moment,
  type MonitoredProperty
} from "../property.ts"
import { callerOf, requestIdOf } from "../support/caller.ts"
import { changesTo } from "../support/commits.ts"

/** A property that one moment alone witnesses. */
const reached = (
  name: string,
  says: string,
  judges: Judged,
  isWitness: (moment: Moment) => boolean
): MonitoredProperty =>
  monitoredProperty<null>({
    name,
    kind: "sometimes",
    says,
    judges,
    initial: null,
    next: (_, moment) => (isWitness(moment) ? witness : null)
  })

const refused = (name: string, ...codes: ReadonlyArray<string>): MonitoredProperty =>
  reached(
    name,
    `A request is refused with ${codes.join(" or ")}.`,
    { kinds: ["response"] },
    ({ observed }) =>
      observed.kind === "response" &&
      observed.status >= 400 &&
      codes.includes(String(valueAt(observed.body ?? null, "error")))
  )

/** A replay spans several moments: its state has the requests without a response whose ids had already committed. */
const replayAnswered = monitoredProperty<ReadonlyArray<string>>({
  name: "replay answered",
  kind: "sometimes",
  says: "A repeated request gets the response of its first execution.",
  judges: { kinds: ["request", "response"] },
  initial: [],
  next: (replays, moment) => {
    const { observed, request, rows } = moment
    if (request === undefined || observed.kind === "commit") return replays
    const pending = pendingRequestKey(request)
    const others = replays.includes(pending) ? replays.filter((one) => one !== pending) : replays
    if (observed.kind === "response") return replays.includes(pending) && observed.status < 300 ? witness : others
    const owner = callerOf(moment)?.owner
    const requestId = requestIdOf(request)
    const isKnown =
      owner !== undefined && requestId !== undefined && rowIn(rows, RequestKeys, [owner, requestId]) !== undefined
    return isKnown ? [...others, pending].sort() : others
  }
})

/** In the order of reports. */
export const reachabilityProperties: ReadonlyArray<MonitoredProperty> = [
  // Delivery is at-least-once (spec 6.3).
  reached(
    "duplicate delivery",
    "A receiver gets a duplicate of a delivery, with the same delivery id.",
    { kinds: ["received"] },
    ({ observed }) => observed.kind === "received" && observed.time > 1
  ),
  // Leases recover from crashes (spec 6.4).
  reached(
    "lease expiry",
    "A delivery whose lease expired is reclaimed by another worker.",
    { kinds: [], commitsTo: [WebhookDeliveries] },
    (moment) =>
      changesTo(moment, WebhookDeliveries).some(({ was, is }) => {
        const isReclaimed = was !== undefined && is !== undefined && was.leaseToken !== "" && is.leaseToken !== ""
        return isReclaimed && was.leaseToken !== is.leaseToken
      })
  ),
  // Authority is checked before each send (spec 6.2).
  reached(
    "cancelled delivery",
    "A worker cancels a delivery because the authority of its subscription has ended.",
    { kinds: [], commitsTo: [WebhookDeliveries] },
    (moment) =>
      changesTo(moment, WebhookDeliveries).some(({ was, is }) => was?.state === "PENDING" && is?.state === "CANCELLED")
  ),
  // A request whose response was lost is replayed (spec 4.3).
  reached(
    "commit with unknown outcome",
    "A transaction commits and its process does not learn the outcome.",
    { kinds: ["fault"] },
    ({ observed }) =>
      observed.kind === "fault" && (observed.fault === "commit-lost-unknown" || observed.fault === "after-commit")
  ),
  reached(
    "response lost after commit",
    "The response to a committed request is lost.",
    { kinds: ["response"] },
    ({ observed, request }) =>
      observed.kind === "response" && observed.lost && observed.status < 300 && request?.method === "POST"
  ),
  replayAnswered,
  // A renewal invalidates earlier credentials (spec 5.3).
  reached(
    "renewal during request",
    "A renewal replaces a credential that was valid when presented, before its request commits.",
    { kinds: ["request", "response"] },
    (moment) => {
      const { observed, rows } = moment
      // Remembers the credential as it was when the request was sent.
      if (observed.kind === "request") callerOf(moment)
      const isRefused = observed.kind === "response" && observed.status === 401
      const credential = isRefused ? callerOf(moment)?.credential : undefined
      if (credential === undefined || !credential.isValid) return false
      const grant = rowIn(rows, Grants, [credential.grantId])
      return grant !== undefined && grant.generation > credential.generation
    }
  ),
  // Without refusals, a search had no races (spec 7).
  refused("refusal after a deadline", "DELIVERY_DEADLINE_PASSED"),
  refused("refusal of a concurrent renewal", "GENERATION_STALE"),
  refused("refusal by a pause", "AGENT_PAUSED"),
  refused("refusal of a stale head", "STALE_EVENT_HEAD", "STALE_PROPOSAL_HEAD", "STALE_FINANCIAL_HEAD")
]
