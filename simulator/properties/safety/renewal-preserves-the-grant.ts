/** A renewal preserves everything but the expiry and the credential (spec 5.3). */
import { GrantProjects, GrantProposals, Grants } from "../../../src/access/store.ts"
import { Jobs } from "../../../src/jobs/store.ts"
import { RequestKeys } from "../../../src/replay/store.ts"
import { WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import { violation, monitoredProperty, rowIn, type Rows } from "../property.ts"
import { rowsWritten } from "../support/commits.ts"

export const renewalPreservesTheGrant = monitoredProperty<null>({
  name: "renewal preserves the grant",
  kind: "always",
  says: "A renewal preserves the scope, actions and identity of a grant, its jobs, its subscriptions and its idempotency keys.",
  judges: { kinds: [], commitsTo: [Grants] },
  initial: null,
  next: (_, { observed, rows, before }) => {
    if (observed.kind !== "commit") return null
    for (const grant of rowsWritten(observed, rows, Grants, "update")) {
      const { grantId, generation } = grant
      const earlier = rowIn(before, Grants, [grantId])
      if (earlier === undefined || earlier.generation === generation) continue
      const changed = Object.keys(earlier).find(
        (column) => !renewedColumns.has(column) && !isSame(Reflect.get(earlier, column), Reflect.get(grant, column))
      )
      if (changed !== undefined) return violation(`the renewal of ${grantId} changed its ${changed}`)
      const lost = Object.entries(belongings).find(([, of]) => !isSame(of(before, grantId), of(rows, grantId)))
      if (lost !== undefined) return violation(`the renewal of ${grantId} changed its ${lost[0]}`)
    }
    return null
  }
})

/** The columns that a renewal changes. */
const renewedColumns: ReadonlySet<string> = new Set([
  "generation",
  "expiresAt",
  "authorityHead",
  "authoritySequence",
  "authorityAt"
])

const belongings: { readonly [noun: string]: (rows: Rows, grantId: string) => ReadonlyArray<object> } = {
  jobs: (rows, id) => rows.of(Jobs).filter(({ grantId }) => grantId === id),
  subscriptions: (rows, id) => rows.of(WebhookSubscriptions).filter(({ grantId }) => grantId === id),
  "idempotency keys": (rows, id) => rows.of(RequestKeys).filter(({ owner }) => owner === id),
  projects: (rows, id) => rows.of(GrantProjects).filter(({ grantId }) => grantId === id),
  proposals: (rows, id) => rows.of(GrantProposals).filter(({ grantId }) => grantId === id)
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
