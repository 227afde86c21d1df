/** Verifies a case, and finds the first failed check of a report. */
import type { Report } from "../../../src/verifier/report.ts"
import { verifyResultFiles } from "../../../src/verifier/verify.ts"
import type { Case, Expected } from "./case.ts"

export const reportOf = ({ artifact, trust, status, policy, checkedAt }: Case): Report =>
  verifyResultFiles({
    artifact,
    trust,
    checkedAt,
    ...(status === undefined ? {} : { status }),
    ...(policy === undefined ? {} : { authority: policy })
  })

export const firstFailed = ({ checks }: Report): Expected["first"] => {
  const failed = checks.find((check) => check.outcome === "fail")
  return failed === undefined ? null : { check: failed.id, code: failed.code ?? "" }
}
