/** A renewal makes earlier credentials invalid at once (spec 5.3): a search has to come to one that was under way. */
import { Grants } from "../../src/access/store.ts"
import { askerOf } from "./support/asker.ts"
import { invariant, reached, rowIn } from "./invariant.ts"

export const aRenewalOvertakesARequest = invariant<null>({
  name: "a renewal overtakes a request",
  kind: "sometimes",
  says: "A credential that opened something when it was shown is replaced before its request has had an effect.",
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
