/** The checks of the history of every kind of artifact; the parts that an artifact lacks stay unproven. */
import type { Artifact } from "./artifact.ts"
import { type VerifiedClosure, verifyClosure } from "./closure.ts"
import { type ClosureV1, verifyClosureV1 } from "./closure-v1.ts"
import { verifyCommerceRecord } from "./commerce.ts"
import type { CheckResult, Ledger } from "./ledger.ts"
import { type VerifiedPassport, verifyPassport } from "./passport.ts"
import type { CommerceRecord } from "./portable-shapes.ts"
import { schemaNames } from "./schemas.ts"
import type { TrustContext } from "./verified-jws.ts"
import type { VerifiedJws } from "./verified-objects.ts"
import { type VerifiedPackage, verifyPackage, verifyPackageV1, verifyRecord } from "./verify-package.ts"

export interface VerifiedArtifact extends VerifiedPackage {
  readonly passport: CheckResult<VerifiedPassport>
  readonly commerce: CheckResult<VerifiedJws<CommerceRecord>>
  readonly closure: CheckResult<VerifiedClosure>
  readonly closureV1: CheckResult<VerifiedJws<ClosureV1>>
}

/** If no artifact could be read, the checks are those of a package, all of them not run. */
export const verifyArtifact = (
  ledger: Ledger,
  artifact: CheckResult<Artifact>,
  context: TrustContext
): VerifiedArtifact => {
  if (!artifact.known) return { ...nothing, ...verifyPackage(ledger, artifact, context) }
  const { passport, commerce, closure, closureV1, signed, schema } = artifact.value
  if (passport !== undefined) return { ...nothing, passport: verifyPassport(ledger, known(passport), context) }
  if (commerce !== undefined) {
    const { record, recordDigest } = commerce
    return { ...nothing, commerce: verifyCommerceRecord(ledger, known(record), recordDigest, context) }
  }
  if (closure !== undefined) return { ...nothing, ...verifyClosure(ledger, closure, context) }
  if (closureV1 !== undefined) return { ...nothing, closureV1: verifyClosureV1(ledger, closureV1, context) }
  const jws = known(signed)
  switch (schema) {
    case schemaNames.package:
      return { ...nothing, ...verifyPackage(ledger, jws, context) }
    case schemaNames.packageV1:
      return { ...nothing, ...verifyPackageV1(ledger, jws, context) }
    case schemaNames.record:
      return { ...nothing, record: verifyRecord(ledger, jws, context) }
    default:
      return nothing
  }
}

const known = <T>(value: T): CheckResult<T> => ({ known: true, value })

const absent = { known: false, because: "artifact-envelope" } as const

const nothing: VerifiedArtifact = {
  package: absent,
  agreement: absent,
  submission: absent,
  review: absent,
  history: absent,
  gaps: absent,
  state: absent,
  chains: absent,
  entries: absent,
  record: absent,
  passport: absent,
  commerce: absent,
  closure: absent,
  closureV1: absent
}
