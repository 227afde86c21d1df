/** Vacuity check: a renewal invalidates earlier credentials (spec 5.3), so one schedule must renew during a request. */
import { Grants } from "../../../src/access/store.ts"
import { callerOf } from "../support/caller.ts"
import { monitoredProperty, witness, rowIn } from "../property.ts"

export const renewalDuringRequest = monitoredProperty<null>({
  name: "renewal during request",
  kind: "sometimes",
  says: "A renewal replaces a credential that was valid when presented, before its request commits.",
  initial: null,
  next: (_, moment) => {
    const { observed, rows } = moment
    if (observed.kind === "request") callerOf(moment)
    const credential =
      observed.kind === "response" && observed.status === 401 ? callerOf(moment)?.credential : undefined
    if (credential === undefined || !credential.isValid) return null
    const grant = rowIn(rows, Grants, [credential.grantId])
    return grant !== undefined && grant.generation > credential.generation ? witness : null
  }
})
