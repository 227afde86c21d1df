/** Vacuity check: a renewal invalidates earlier credentials (spec 5.3), so one schedule must renew during a request. */
import { Grants } from "../../src/access/store.ts"
import { askerOf } from "./support/asker.ts"
import { invariant, reached, rowIn } from "./invariant.ts"

export const aRenewalOvertakesARequest = invariant<null>({
  name: "a renewal overtakes a request",
  kind: "sometimes",
  says: "A renewal replaces a credential that was valid when presented, before its request commits.",
  begins: null,
  sees: (_, moment) => {
    const { observed, rows } = moment
    if (observed.kind === "request") askerOf(moment)
    const credential = observed.kind === "response" && observed.status === 401 ? askerOf(moment)?.credential : undefined
    if (credential === undefined || !credential.opens) return null
    const grant = rowIn(rows, Grants, [credential.grantId])
    return grant !== undefined && grant.generation > credential.generation ? reached : null
  }
})
