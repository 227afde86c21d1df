/**
 * The authority policy: the grants that an organization states it gave, and their revocations. The verifier obtains it
 * independently of the issuer, so that it proves more than the recorded authority alone.
 */
import type { AuthorityChain } from "./authority.ts"
import { digest, type SchemaType, id, instant, listOf, object, orNull, parseFile, version } from "./schema-kit.ts"
import type { History } from "./check-inputs.ts"
import { allOf, fail, type Ledger, pass, same, type Finding, type CheckResult } from "./ledger.ts"
import { type ProjectEvent, schemaNames } from "./schemas.ts"
import { verifierLimits } from "./verifier-limits.ts"

const code = "AUTHORITY_POLICY"

/** The entry of one grant; `revokedAt` is the earliest of its revocations. */
export type Anchor = Omit<SchemaType<typeof anchor>, "grantDigest">

/** The anchors by the digest of their grant. */
export type AuthorityPolicy = ReadonlyMap<string, Anchor>

/** Parses a policy strictly: one invalid entry makes the whole file invalid. */
export const readAuthorityPolicy = (bytes: Uint8Array): Finding<AuthorityPolicy> => {
  const parsed = parseFile(policyFile, code, bytes, verifierLimits.authorityBytesMax)
  if (!parsed.ok) return parsed
  const { authorityAnchors, authorityRevocations } = parsed.value
  const policy = new Map<string, Anchor>()
  for (const [index, { grantDigest, ...anchor }] of authorityAnchors.entries()) {
    const at = `authorityAnchors[${index}]`
    if (policy.has(grantDigest)) return fail(code, `${at}.grantDigest`, "UNIQUE")
    if (anchor.validFrom >= anchor.validUntil) {
      return fail(code, `${at}.validUntil`, "LATER", anchor.validUntil)
    }
    const ends = authorityRevocations
      .filter((revocation) => revocation.grantDigest === grantDigest)
      .map((revocation) => revocation.revokedAt)
    if (anchor.revokedAt !== null) ends.push(anchor.revokedAt)
    policy.set(grantDigest, { ...anchor, revokedAt: ends.toSorted()[0] ?? null })
  }
  return pass(policy)
}

/** These checks have a ledger of their own: a failure here does not refute the history. */
export const verifyAuthorityPolicy = (
  ledger: Ledger,
  policy: CheckResult<AuthorityPolicy>,
  chains: CheckResult<ReadonlyArray<AuthorityChain>>,
  history: CheckResult<History>
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
  schema: version(schemaNames.authorityPolicy),
  authorityAnchors: listOf(anchor),
  authorityRevocations: listOf(object({ grantDigest: digest, revokedAt: instant }))
})

/** The policy has an anchor for this grant, of the same organization and person. */
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

/** The grant was in force when the agent acted, according to the policy. */
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
