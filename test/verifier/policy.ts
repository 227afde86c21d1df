/** An authority policy, as docs/records.md specifies it, that approves every grant of a package. */
import { digest, at, type Members } from "./signing.ts"

export const policyFor = (content: Members): Members => ({
  schema: "service.authority-policy/v1",
  authorityAnchors: content["authority"].map((chain: Members) => {
    const { issuedAt: _, ...grant } = JSON.parse(Buffer.from(chain["events"][0].split(".")[1], "base64url").toString())
    return {
      grantDigest: digest(grant),
      organizationId: grant.change.organizationId,
      subjectId: grant.change.subjectId,
      validFrom: at(0),
      validUntil: at(60),
      revokedAt: null
    }
  }),
  authorityRevocations: []
})
