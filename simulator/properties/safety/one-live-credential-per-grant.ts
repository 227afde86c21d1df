/** Only the newest credential of a live grant is valid (spec 5.3). */
import { Credentials, Grants } from "../../../src/access/store.ts"
import { credentialProblem } from "../../../src/integrity/credentials.ts"
import { callerOf, isAgentRequest } from "../support/caller.ts"
import { violation, monitoredProperty, rowIn, rowsWithPrefix } from "../property.ts"
import { rowsWritten } from "../support/commits.ts"

export const oneLiveCredentialPerGrant = monitoredProperty<null>({
  name: "one live credential per grant",
  kind: "always",
  says: "A grant has at most one credential of its generation, and earlier credentials and those of an ended grant are invalid.",
  judges: { kinds: ["request", "response"], commitsTo: [Credentials, Grants] },
  initial: null,
  next: (_, moment) => {
    const { observed, request, rows } = moment
    if (observed.kind === "request") callerOf(moment)
    if (observed.kind === "response") {
      const presented = callerOf(moment)?.credential
      return request !== undefined && isAgentRequest(request) && observed.status < 300 && presented?.isValid === false
        ? violation(`${request.method} ${request.path} succeeded with a replaced or revoked credential`)
        : null
    }
    const grants = [...rowsWritten(observed, rows, Credentials, "insert"), ...rowsWritten(observed, rows, Grants)].map(
      ({ grantId }) => grantId
    )
    for (const grantId of new Set(grants)) {
      const generation = rowIn(rows, Grants, [grantId])?.generation ?? 0
      const wrong = credentialProblem({ grantId, generation }, rowsWithPrefix(rows, Credentials, [grantId], "byGrant"))
      if (wrong !== undefined) return violation(wrong)
    }
    return null
  }
})
