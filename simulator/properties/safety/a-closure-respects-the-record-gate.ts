/** Delivery material leaves the service only for persons who pass the record gate, in closures, statuses and packages. */
import { CommerceExports } from "../../../src/commerce/store.ts"
import { Memberships } from "../../../src/people/store.ts"
import { Projects } from "../../../src/projects/store.ts"
import { type Moment, monitoredProperty, pendingRequestKey, violation } from "../property.ts"
import { callerOf } from "../support/caller.ts"
import { writesTo } from "../support/commits.ts"
import { gatedRequestOf, passesGates } from "../support/record-gate.ts"

/** The pending requests behind the record gate, by actor and step. */
type Pending = { readonly [request: string]: PendingRequest }

type PendingRequest = {
  readonly personId: string
  readonly projectId: string
  readonly isOfPayments: boolean
  /** True if the person passed at a moment since the request. */
  readonly hasPassed: boolean
}

export const aClosureRespectsTheRecordGate = monitoredProperty<Pending>({
  name: "a closure respects the record gate",
  kind: "always",
  says: "A closure, its status or a Result Package is given to a person only if the person passes the record gate, and for closures may read payments; a closure that stores an export passes both gates in its own transaction.",
  judges: { kinds: ["request", "response"], commitsTo: [Projects, Memberships, CommerceExports] },
  initial: {},
  next: (pending, moment) => {
    const { observed, request } = moment
    if (observed.kind === "request") return withRequest(pending, moment)
    if (observed.kind === "commit") return exportViolation(pending, moment) ?? passingAfter(pending, moment)
    if (observed.kind !== "response" || request === undefined) return pending
    const { [pendingRequestKey(request)]: judged, ...others } = pending
    if (judged === undefined) return pending
    return judged.hasPassed || observed.status >= 300
      ? others
      : violation(`${request.path} was answered to ${judged.personId}, who passes no gate of it`)
  }
})

/** A request without a session is refused as such. */
const withRequest = (pending: Pending, moment: Moment): Pending => {
  const { request, rows } = moment
  const gated = request === undefined ? undefined : gatedRequestOf(request, rows)
  const personId = callerOf(moment)?.owner
  if (request === undefined || gated === undefined || personId === undefined) return pending
  return {
    ...pending,
    [pendingRequestKey(request)]: { personId, ...gated, hasPassed: passesGates(rows, personId, gated) }
  }
}

const passingAfter = (pending: Pending, { rows }: Moment): Pending =>
  Object.values(pending).every(({ hasPassed }) => hasPassed)
    ? pending
    : Object.fromEntries(
        Object.entries(pending).map(([key, one]) => [
          key,
          { ...one, hasPassed: one.hasPassed || passesGates(rows, one.personId, one) }
        ])
      )

/** The transaction that stores an export for a closure. */
const exportViolation = (pending: Pending, { observed, request, before }: Moment) => {
  const judged = request === undefined ? undefined : pending[pendingRequestKey(request)]
  if (judged === undefined || writesTo(observed, CommerceExports).length === 0) return undefined
  return passesGates(before, judged.personId, judged)
    ? undefined
    : violation(`${request?.path} stored an export for ${judged.personId}, who no longer passes the gates of it`)
}
