/** The authority policy: an organization's statement on the grants that it gave. People write it, not the service. */
import { Schema } from "effect"
import { digest, instant, organizationId, personId } from "../vocabulary/record-schemas.ts"

export const AuthorityPolicy = Schema.Struct({
  schema: Schema.Literal("service.authority-policy/v1"),
  authorityAnchors: Schema.Array(
    Schema.Struct({
      grantDigest: digest,
      organizationId,
      subjectId: personId,
      validFrom: instant,
      validUntil: instant,
      revokedAt: Schema.NullOr(instant)
    })
  ).annotate({
    description: "The grants that the organization gave, one anchor each, by the hash of the GRANT event."
  }),
  authorityRevocations: Schema.Array(Schema.Struct({ grantDigest: digest, revokedAt: instant }))
})
