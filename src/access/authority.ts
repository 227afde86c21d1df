/** The authority chain of a grant: every change of its authority is a signed event, chained by hash. */
import { Effect, Schema } from "effect"
import { chainHash } from "../canonical/chain.ts"
import { digestOf } from "../canonical/digest.ts"
import { Signer } from "../ports/signer.ts"
import type { Transaction } from "../ports/storage.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import {
  agentId,
  digest,
  grantId,
  instant,
  name,
  ordinal,
  organizationId,
  personId,
  signed
} from "../vocabulary/record-schemas.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { roles } from "./actions.ts"
import { AuthorityEvents } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

const event = <const K extends string, C extends Schema.Constraint>(kind: K, change: C) =>
  Schema.Struct({
    ...signed("service.authority-event/v1"),
    grantId,
    sequence: ordinal,
    previous: Schema.NullOr(digest),
    kind: Schema.Literal(kind),
    change,
    occurredAt: instant
  })

/** The signed payload; `issuedAt` equals `occurredAt`. A chain outlives today's actions and requirements, so it accepts any. */
export const AuthorityEvent = Schema.Union([
  event(
    "GRANT",
    Schema.Struct({
      agentId,
      organizationId,
      subjectId: personId,
      role: Schema.Literals(roles),
      actions: Schema.Array(name),
      subjectRequirements: Schema.Array(Schema.Unknown),
      expiresAt: instant
    })
  ),
  event("LINK_PROJECT", Schema.Struct({ projectDigest: digest })),
  event("LINK_PROPOSAL", Schema.Struct({ proposalDigest: digest })),
  event("RENEW", Schema.Struct({ expiresAt: instant, generation: ordinal })),
  event("REVOKE", Schema.Record(Schema.String, Schema.Never))
])
type AuthorityEvent = typeof AuthorityEvent.Type

export type AuthorityChange = ChangeIn<AuthorityEvent>
type ChangeIn<E> = E extends AuthorityEvent ? Pick<E, "kind" | "change"> : never

/** The end of a chain, stored in the grant's row. */
export interface ChainEnd {
  readonly authorityHead: string
  readonly authoritySequence: number
  readonly authorityAt: Instant
}

/** Extends the authority of a grant. The last event is reserved for the revocation, so that a grant can always be revoked. */
export const extendAuthority = (
  transaction: Transaction,
  grantId: string,
  end: ChainEnd,
  change: Exclude<AuthorityChange, { readonly kind: "GRANT" | "REVOKE" }>,
  now: Instant
) =>
  end.authoritySequence + 1 < limits.authorityEvents
    ? appendAuthority(transaction, grantId, end, change, now)
    : refuse("AUTHORITY_HISTORY_LIMIT")

/** Signs the next event of the grant's chain and returns the new end, for the grant's row. */
export const appendAuthority = traced("access.appendAuthority")(function* (
  transaction: Transaction,
  grantId: string,
  end: ChainEnd | undefined,
  change: AuthorityChange,
  now: Instant
) {
  const sequence = (end?.authoritySequence ?? 0) + 1
  const signer = yield* Signer
  const occurredAt = end === undefined ? now : later(now, end.authorityAt)
  const payload: AuthorityEvent = {
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

/** A project's id in the chain: recognizable only with its salt. */
export const projectDigest = (projectId: string, salt: string): string => digestOf({ projectId, salt })

/** The same for a proposal's id. */
export const proposalIdDigest = (proposalId: string, salt: string): string => digestOf({ proposalId, salt })
