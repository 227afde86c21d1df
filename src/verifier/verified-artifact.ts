/** The checks of the history of every kind of artifact; the parts that an artifact lacks stay unproven. */
import type { Artifact } from "./artifact.ts"
import { verifyCommerceRecord } from "./commerce.ts"
import { type CheckResult, derive, type Ledger } from "./ledger.ts"
import { type VerifiedPassport, verifyPassport } from "./passport.ts"
import type { CommerceRecord } from "./portable-shapes.ts"
import { schemaNames } from "./schemas.ts"
import type { TrustContext } from "./verified-jws.ts"
import type { VerifiedJws } from "./verified-objects.ts"
import { type VerifiedPackage, verifyPackage, verifyPackageV1, verifyRecord } from "./verify-package.ts"

export interface VerifiedArtifact extends VerifiedPackage {
  readonly passport: CheckResult<VerifiedPassport>
  readonly commerce: CheckResult<VerifiedJws<CommerceRecord>>
}

/** If no artifact could be read, the checks are those of a package, all of them not run. */
export const verifyArtifact = (
  ledger: Ledger,
  artifact: CheckResult<Artifact>,
  context: TrustContext
): VerifiedArtifact => {
  const absent = { known: false, because: "artifact-envelope" } as const
  const portable = { passport: absent, commerce: absent }
  const noPackage = { package: absent, history: absent, state: absent, chains: absent, entries: absent, record: absent }
  if (artifact.known && artifact.value.passport !== undefined) {
    const file = { known: true, value: artifact.value.passport } as const
    return { ...noPackage, ...portable, passport: verifyPassport(ledger, file, context) }
  }
  if (artifact.known && artifact.value.commerce !== undefined) {
    const commerce = verifyCommerceRecord(ledger, artifact.value.commerce, context)
    return { ...noPackage, ...portable, commerce }
  }
  const jws = derive(artifact, (one) => one.signed)
  const schema = artifact.known ? artifact.value.schema : schemaNames.package
  if (schema === schemaNames.package) return { ...verifyPackage(ledger, jws, context), ...portable }
  if (schema === schemaNames.packageV1) return { ...verifyPackageV1(ledger, jws, context), ...portable }
  const record = schema === schemaNames.record ? verifyRecord(ledger, jws, context) : absent
  return { ...noPackage, ...portable, record }
}
