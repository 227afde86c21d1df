/** Reads, refusals and replays have no effect (spec 1, 4.3), except for the writes listed here. */
import { Connections } from "../../../src/access/store.ts"
import { CommerceExports } from "../../../src/commerce/store.ts"
import { valueAt } from "../../vocabulary/json.ts"
import { pendingRequestKey, violation, monitoredProperty, type RequestObservation } from "../property.ts"
import { type CommitObservation, isBookkeeping, isDeliveryNumbering, isOpeningOutcome } from "../support/commits.ts"

export const readsAndRefusalsWriteNothing = monitoredProperty<ReadonlyArray<string>>({
  name: "reads and refusals write nothing",
  kind: "always",
  says: "Reads, refused requests and replays write nothing except bookkeeping.",
  judges: { kinds: ["request", "commit", "response"] },
  // Pending requests with other writes, by actor and step.
  initial: [],
  next: (writers, { observed, request }) => {
    if (request === undefined) return writers
    const place = pendingRequestKey(request)
    if (observed.kind === "commit") {
      return isBookkeepingOnly(observed, request) || writers.includes(place) ? writers : [...writers, place].sort()
    }
    if (!writers.includes(place)) return writers
    if (observed.kind === "response") {
      const { status, body } = observed
      const outcome = isRefused(status) ? "refused" : isRead(request) ? "a read" : "replayed"
      if (outcome !== "replayed" || valueAt(body ?? null, "replayed") === true) {
        return violation(`${request.method} ${request.path} was ${outcome} although it wrote something`)
      }
    }
    return writers.filter((one) => one !== place)
  }
})

/** A 503 for a commit with an unknown outcome is no refusal. */
const isRefused = (status: number): boolean => status >= 400 && status < 500

/** GET requests, and the POST requests that only read. */
const isRead = ({ method, path }: RequestObservation): boolean => method === "GET" || readingPaths.test(path)

const readingPaths =
  /\/(status|verify|confirmation-preview|invitations\/read|exports\/[a-z-]+|passport(\?format=\w*)?)$/

const isBookkeepingOnly = (commit: CommitObservation, { method, path }: RequestObservation): boolean =>
  // The last use of a credential or session, and the counters of attempts.
  commit.writes.every(isBookkeeping) ||
  // A reader of the history numbers queued deliveries, as a worker does.
  (method === "GET" && isDeliveryNumbering(commit)) ||
  // A refused poll counts, and the next must wait longer.
  (path.endsWith("/connections/poll") && commit.writes.every(({ table }) => table === Connections.name)) ||
  // The first export of a journal's head signs and stores its record, alone or inside of a closure.
  (method === "GET" &&
    /\/(record|closure)$/.test(path) &&
    commit.writes.every(({ table }) => table === CommerceExports.name)) ||
  // A replay repeats an opening whose answer was lost.
  (path.endsWith("/payments") && isOpeningOutcome(commit)) ||
  // Subscriptions whose authority has ended are removed, also if the limit is still reached.
  (path.endsWith("webhooks") && commit.writes.every(({ change }) => change !== "insert"))
