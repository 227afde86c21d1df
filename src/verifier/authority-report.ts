/** The recorded authority in the report: the grants that the issuer recorded, and separately the outcome of the policy. */
import { type Anchor, anchorOf, type AuthorityPolicy } from "./authority-policy.ts"
import { type AuthorityChain, describeGrant } from "./authority.ts"
import { type FileSummary, summarize } from "./file-summary.ts"
import type { Finding, Ledger, CheckResult } from "./ledger.ts"

export interface RecordedAuthority {
  readonly policy: FileSummary & { readonly outcome: "NOT_GIVEN" | "HELD" | "FAILED" | "NOT_CHECKED" }
  readonly grants: ReadonlyArray<ReturnType<typeof describeGrant> & { readonly anchor: Anchor | null }>
}

interface Verification {
  readonly files: { readonly authority: Finding<Uint8Array> | undefined }
  readonly authority: Ledger
  readonly policy: CheckResult<AuthorityPolicy> | undefined
  readonly verified: { readonly chains: CheckResult<ReadonlyArray<AuthorityChain>> }
}

export const describeAuthority = (run: Verification, isVerified: boolean): RecordedAuthority => {
  const file = run.files.authority
  const policy = run.policy?.known === true ? run.policy.value : undefined
  const chains = isVerified && run.verified.chains.known ? run.verified.chains.value : []
  return {
    policy: { outcome: outcomeOf(run), ...(file === undefined ? { sha256: null, bytes: null } : summarize(file)) },
    grants: chains.map((chain) => ({
      ...describeGrant(chain),
      anchor: (policy && anchorOf(chain, policy)) ?? null
    }))
  }
}

const outcomeOf = ({ authority, policy }: Verification): RecordedAuthority["policy"]["outcome"] => {
  if (policy === undefined) return "NOT_GIVEN"
  if (authority.hasFailure) return "FAILED"
  return authority.checks.every((check) => check.outcome === "pass") ? "HELD" : "NOT_CHECKED"
}
