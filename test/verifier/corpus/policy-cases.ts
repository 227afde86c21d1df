/** Cases on the authority policy that an organization provides independently: its grants and their validity. */
import { hex } from "../forgeries.ts"
import { policyFor } from "../policy.ts"
import { ids } from "../sample-ids.ts"
import { makeSample, type Sample } from "../sample.ts"
import { at, type Members } from "../signing.ts"
import { delegated, refusal, unrelatedPerson } from "./samples.ts"
import type { Case } from "./case.ts"
import { type CaseInputs, okCase } from "./case-builders.ts"

/** The buyer's agent acted at minutes 10 and 18. */
const base = delegated("CREATE", "ISSUE")

/** A policy with an anchor for every grant of the package, after an edit of it and of the anchor of the buyer's grant. */
const under = (edit: (anchor: Members, policy: Members) => unknown = () => undefined): CaseInputs => ({
  base,
  policy: (sample) => policyOf(sample, edit)
})

const policyOf = (sample: Sample, edit: (anchor: Members, policy: Members) => unknown): Members => {
  const policy = policyFor(sample.package)
  edit(policy["authorityAnchors"][0], policy)
  return policy
}

const revoke =
  (...times: ReadonlyArray<string>) =>
  ({ grantDigest }: Members, policy: Members): void =>
    void policy["authorityRevocations"].push(...times.map((revokedAt) => ({ grantDigest, revokedAt })))

const satisfied: ReadonlyArray<Case> = [
  okCase("policy/held_ok", "The organization's own policy knows the grant under which its agent acted.", under()),
  okCase(
    "policy/begins-with-the-first-act_ok",
    "By the policy the grant is valid from the millisecond of the agent's first act.",
    under((anchor) => (anchor["validFrom"] = at(10)))
  ),
  okCase(
    "policy/ends-after-the-last-act_ok",
    "By the policy the grant ends one millisecond after the agent's last act.",
    under((anchor) => (anchor["validUntil"] = at(18, 1)))
  ),
  okCase(
    "policy/revoked-since_ok",
    "The organization revoked the grant one millisecond after the agent's last act.",
    under(revoke(at(18, 1)))
  ),
  okCase(
    "policy/revokes-another-grant_ok",
    "The policy revokes a grant under which nobody acted here.",
    under((_, policy) => policy["authorityRevocations"].push({ grantDigest: hex("1"), revokedAt: at(0) }))
  ),
  okCase("policy/of-people-alone_ok", "Nobody sent an agent, so the policy has nothing to refuse.", {
    policy: (sample) => policyFor(sample.package)
  })
]

const refused: ReadonlyArray<Case> = [
  refusal(
    "policy/knows-one-of-two-grants_fail",
    "The policy knows the buyer's grant, but not the supplier's, under which an agent acted too.",
    "authority-anchor",
    "AUTHORITY_NOT_ANCHORED",
    {
      base: makeSample,
      policy: (sample) => policyOf(sample, (_, policy) => policy["authorityAnchors"].pop())
    }
  ),
  refusal(
    "policy/names-another-person_fail",
    "By the policy the grant is another person's than the issuer recorded.",
    "authority-anchor",
    "AUTHORITY_ANCHOR_PARTY",
    under((anchor) => (anchor["subjectId"] = unrelatedPerson))
  ),
  refusal(
    "policy/names-another-organization_fail",
    "By the policy the grant is another organization's than the issuer recorded.",
    "authority-anchor",
    "AUTHORITY_ANCHOR_PARTY",
    under((anchor) => (anchor["organizationId"] = ids.supplierOrganization))
  ),
  refusal(
    "policy/begins-after-the-first-act_fail",
    "By the policy the grant is valid from one millisecond after the agent's first act, which was then nobody's.",
    "event-anchor",
    "AUTHORITY_ANCHOR_TIME",
    under((anchor) => (anchor["validFrom"] = at(10, 1)))
  ),
  refusal(
    "policy/ends-at-the-last-act_fail",
    "By the policy the grant had ended in the millisecond of the agent's last act.",
    "event-anchor",
    "AUTHORITY_ANCHOR_TIME",
    under((anchor) => (anchor["validUntil"] = at(18)))
  ),
  refusal(
    "policy/anchor-revoked_fail",
    "By the policy the grant was revoked in the millisecond of the agent's last act.",
    "event-anchor",
    "AUTHORITY_ANCHOR_REVOKED",
    under((anchor) => (anchor["revokedAt"] = at(18)))
  ),
  refusal(
    "policy/earliest-revocation-counts_fail",
    "The policy revokes the grant three times; the earliest was between the agent's acts, and it counts.",
    "event-anchor",
    "AUTHORITY_ANCHOR_REVOKED",
    under(revoke(at(40), at(14), at(50)))
  )
]

const unreadable: ReadonlyArray<Case> = [
  refusal(
    "policy/unknown-member_fail",
    "An anchor has one member more, a limit that this version could not apply.",
    "authority-policy",
    "AUTHORITY_POLICY",
    under((anchor) => (anchor["amountMax"] = 1000))
  ),
  refusal(
    "policy/grant-twice_fail",
    "The policy has two anchors of one grant; either could be meant.",
    "authority-policy",
    "AUTHORITY_POLICY",
    under((anchor, policy) => policy["authorityAnchors"].push({ ...anchor, validUntil: at(59) }))
  ),
  refusal(
    "policy/ends-when-it-begins_fail",
    "An anchor ends in the millisecond in which it begins, and so approves nothing; the file has a fault.",
    "authority-policy",
    "AUTHORITY_POLICY",
    under((anchor) => (anchor["validUntil"] = anchor["validFrom"]))
  )
]

export const policyCases: ReadonlyArray<Case> = [...satisfied, ...refused, ...unreadable]
