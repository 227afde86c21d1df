/** The authority chain of a grant: every change of what it may do is a signed event, chained by hash. */
import { Effect } from "effect"
import { chainHash } from "../canonical/chain.ts"
import { digestOf } from "../canonical/digest.ts"
import { Signer } from "../ports/signer.ts"
import type { Transaction } from "../ports/storage.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import type { Action, Role, SubjectRequirement } from "./actions.ts"
import { AuthorityEvents } from "./store.ts"

export type AuthorityChange =
  | {
      readonly kind: "GRANT"
      readonly change: {
        readonly agentId: string
        readonly organizationId: string
        readonly subjectId: string
        readonly role: Role
        readonly actions: ReadonlyArray<Action>
        readonly subjectRequirements: ReadonlyArray<SubjectRequirement>
        readonly expiresAt: Instant
      }
    }
  | { readonly kind: "LINK_PROJECT"; readonly change: { readonly projectDigest: string } }
  | { readonly kind: "LINK_PROPOSAL"; readonly change: { readonly proposalDigest: string } }
  | { readonly kind: "RENEW"; readonly change: { readonly expiresAt: Instant; readonly generation: number } }
  | { readonly kind: "REVOKE"; readonly change: {} }

/** The end of a chain, kept in the grant's row. */
export interface ChainEnd {
  readonly authorityHead: string
  readonly authoritySequence: number
  readonly authorityAt: Instant
}

/** Signs the next event of the grant's chain and returns the chain's new end, for the grant's row. */
export const appendAuthority = Effect.fn("access.appendAuthority")(function* (
  transaction: Transaction,
  grantId: string,
  end: ChainEnd | undefined,
  change: AuthorityChange,
  now: Instant
) {
  const sequence = (end?.authoritySequence ?? 0) + 1
  // The last place is kept: a grant can always be revoked.
  if (sequence >= limits.authorityEvents && change.kind !== "REVOKE") return yield* refuse("AUTHORITY_HISTORY_LIMIT")
  const signer = yield* Signer
  const occurredAt = end === undefined ? now : later(now, end.authorityAt)
  const payload = {
    schema: "service.authority-event/v1",
    grantId,
    sequence,
    previous: end?.authorityHead ?? null,
    ...change,
    occurredAt,
    issuedAt: occurredAt
  }
  const jws = yield* signer
    .sign("AUTHORITY", payload)
    .pipe(Effect.catchTag("IssuerNotConfigured", () => refuse("ISSUER_NOT_CONFIGURED")))
  const hash = chainHash(payload)
  yield* transaction.insert(AuthorityEvents, { grantId, sequence, hash, jws })
  return { authorityHead: hash, authoritySequence: sequence, authorityAt: occurredAt } satisfies ChainEnd
})

/** A project's id as the chain shows it: only who knows the salt recognizes it. */
export const projectDigest = (projectId: string, salt: string): string => digestOf({ projectId, salt })

/** The same for a proposal's id. */
export const proposalIdDigest = (proposalId: string, salt: string): string => digestOf({ proposalId, salt })
