/**
 * The authority policy: the grants that an organization says it gave, and when it ended them. It reaches the verifier by
 * a way that does not pass through the issuer, and so proves what a recorded authority alone cannot.
 */
import type { AuthorityChain } from "./authority.ts"
import { digest, type Fitting, id, instant, listOf, object, orNull, readForm, version } from "./forms.ts"
import type { History } from "./history.ts"
import { allOf, fail, type Ledger, pass, same, type Finding, type Proven } from "./ledger.ts"
import { type ProjectEvent, schemas } from "./shapes.ts"
import { verifierLimits } from "./verifier-limits.ts"

const code = "AUTHORITY_POLICY"

/** What the policy says of one grant; `revokedAt` is the earliest of its revocations. */
export type Anchor = Omit<Fitting<typeof anchor>, "grantDigest">

/** The anchors by the digest of their grant. */
export type AuthorityPolicy = ReadonlyMap<string, Anchor>

/** Reads a policy strictly: one wrong entry makes the whole file wrong. */
export const readAuthorityPolicy = (bytes: Uint8Array): Finding<AuthorityPolicy> => {
  const fitting = readForm(policyFile, code, bytes, verifierLimits.authorityBytesMax)
  if (!fitting.ok) return fitting
  const { authorityAnchors, authorityRevocations } = fitting.value
  const policy = new Map<string, Anchor>()
  for (const [index, { grantDigest, ...anchor }] of authorityAnchors.entries()) {
    const at = `authorityAnchors[${index}]`
    if (policy.has(grantDigest)) return fail(code, `${at}.grantDigest`, "UNIQUE")
    if (anchor.validFrom >= anchor.validUntil) {
      return fail(code, `${at}.validUntil`, "LATER", anchor.validUntil)
    }
    const ends = authorityRevocations.filter((one) => one.grantDigest === grantDigest).map((one) => one.revokedAt)
    if (anchor.revokedAt !== null) ends.push(anchor.revokedAt)
    policy.set(grantDigest, { ...anchor, revokedAt: ends.toSorted()[0] ?? null })
  }
  return pass(policy)
}

/** The checks have a ledger of their own: the history is no less proven when an organization disowns a grant. */
export const verifyAuthorityPolicy = (
  ledger: Ledger,
  policy: Proven<AuthorityPolicy>,
  chains: Proven<ReadonlyArray<AuthorityChain>>,
  history: Proven<History>
): void => {
  const anchored = ledger.each("authority-anchor", "authority", chains, { policy }, (chain, { policy }) =>
    checkAnchor(chain, policy)
  )
  ledger.each("event-anchor", "event", history, { anchored }, (event, { anchored }) =>
    checkEventAnchor(event.content, new Map(anchored))
  )
}

export const anchorOf = (chain: AuthorityChain, policy: AuthorityPolicy): Anchor | undefined =>
  policy.get(chain.events[0]?.hash ?? "")

const anchor = object({
  grantDigest: digest,
  organizationId: id("organization"),
  subjectId: id("person"),
  validFrom: instant,
  validUntil: instant,
  revokedAt: orNull(instant)
})

const policyFile = object({
  schema: version(schemas.authorityPolicy),
  authorityAnchors: listOf(anchor),
  authorityRevocations: listOf(object({ grantDigest: digest, revokedAt: instant }))
})

/** The policy knows this grant, as given by the same organization for the same person. */
const checkAnchor = (
  chain: AuthorityChain,
  policy: AuthorityPolicy
): Finding<readonly [grantId: string, anchor: Anchor]> => {
  const grant = chain.events[0]
  const anchor = anchorOf(chain, policy)
  if (grant?.content.kind !== "GRANT" || anchor === undefined) {
    return fail("AUTHORITY_NOT_ANCHORED", "", "ANCHOR", grant?.hash)
  }
  const { organizationId, subjectId } = grant.content.change
  return allOf(
    [chain.grantId, anchor] as const,
    [
      same("AUTHORITY_ANCHOR_PARTY", "organizationId", anchor.organizationId, organizationId),
      same("AUTHORITY_ANCHOR_PARTY", "subjectId", anchor.subjectId, subjectId)
    ],
    grant.hash
  )
}

/** By the policy, the grant was in force when the agent acted. */
const checkEventAnchor = (event: ProjectEvent, anchors: ReadonlyMap<string, Anchor>): Finding<null> => {
  const { execution } = event.actor
  if (execution === null) return pass(null, "PERSON")
  const anchor = anchors.get(execution.grantId)
  if (anchor === undefined) return fail("AUTHORITY_NOT_ANCHORED", "actor.execution.grantId")
  const { validFrom, validUntil, revokedAt } = anchor
  const actual = event.occurredAt
  const at = "occurredAt"
  if (actual < validFrom) return fail("AUTHORITY_ANCHOR_TIME", at, validFrom, actual)
  if (actual >= validUntil) return fail("AUTHORITY_ANCHOR_TIME", at, validUntil, actual)
  if (revokedAt !== null && actual >= revokedAt) {
    return fail("AUTHORITY_ANCHOR_REVOKED", at, revokedAt, actual)
  }
  return pass(null, actual)
}
