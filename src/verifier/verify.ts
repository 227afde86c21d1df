/**
 * The offline verifier. It reads up to four files and a time, makes no requests, and reports every check and limit.
 *
 * Trust comes from the key file alone: verified with its own keys, an artifact proves only its self-consistency.
 */
import { type Artifact, readArtifact } from "./artifact.ts"
import { type AuthorityPolicy, readAuthorityPolicy, verifyAuthorityPolicy } from "./authority-policy.ts"
import { verifyCurrentStatus } from "./current-status.ts"
import { readDocument } from "./document.ts"
import { isInstant } from "./schema-kit.ts"
import { andThen, fail, type Finding, Ledger, pass, type CheckResult } from "./ledger.ts"
import { copyBytes, serializePlainJson } from "./plain-json.ts"
import { buildReport, type Report } from "./report.ts"
import { schemaNames } from "./schemas.ts"
import { readTrust } from "./trust.ts"
import { type VerifiedArtifact, verifyArtifact } from "./verified-artifact.ts"
import { verifierLimits } from "./verifier-limits.ts"

export interface ResultFiles {
  readonly artifact: Uint8Array
  readonly trust: Uint8Array
  readonly status?: Uint8Array | undefined
  /** The authority policy of the organizations whose agents acted. */
  readonly authority?: Uint8Array | undefined
  readonly checkedAt: string
}

/** Verifies untrusted bytes, in which duplicate members and invalid encodings are still detectable. Never throws. */
export const verifyResultFiles = (files: ResultFiles): Report =>
  verify({
    artifact: copyBytes(files.artifact),
    trust: copyBytes(files.trust),
    status: ifPresent(files.status, copyBytes),
    authority: ifPresent(files.authority, copyBytes),
    checkedAt: files.checkedAt
  })

/**
 * Verifies values in memory: an artifact (the object of a file, or a compact JWS as a text), a trust file, a status (a
 * compact JWS, or for a passport a list of them), and an authority policy. Values that are not plain JSON are refused.
 * Never throws.
 */
export const verifyResultArtifact = (
  artifact: unknown,
  trust: unknown,
  checkedAt: string,
  status?: unknown,
  authority?: unknown
): Report =>
  verify({
    artifact: serializePlainJson(artifact),
    trust: serializePlainJson(trust),
    status: ifPresent(status, serializePlainJson),
    authority: ifPresent(authority, serializePlainJson),
    checkedAt
  })

const ifPresent = (value: unknown, read: (value: unknown) => Finding<Uint8Array>) =>
  value === undefined ? undefined : read(value)

interface VerificationInput {
  readonly artifact: Finding<Uint8Array>
  readonly trust: Finding<Uint8Array>
  readonly status: Finding<Uint8Array> | undefined
  readonly authority: Finding<Uint8Array> | undefined
  readonly checkedAt: string
}

const verify = (files: VerificationInput): Report => {
  const inputs = new Ledger()
  const checkedAt = inputs.check("checked-at", "time", {}, () =>
    isInstant(files.checkedAt) && !inheritsMembers() ? pass(files.checkedAt, files.checkedAt) : fail("USAGE")
  )
  const trust = inputs.check("trust-file", "trust", {}, () => andThen(files.trust, readTrust))
  const policy = readPolicy(inputs, files.authority)
  const document = inputs.check("artifact-file", "artifact", {}, () =>
    andThen(files.artifact, (bytes) => readDocument(bytes, verifierLimits.artifactBytesMax))
  )

  const context = { trust, checkedAt }
  const history = new Ledger()
  const artifact = history.check("artifact-envelope", "artifact", { document }, ({ document }) =>
    readArtifact(document)
  )
  noteUnsigned(history, artifact)
  const verified = verifyArtifact(history, artifact, context)
  const authority = new Ledger()
  if (policy !== undefined) verifyPolicy(authority, artifact, verified, policy)

  const status = new Ledger()
  const current = verifyCurrentStatus({ inputs, history, status }, files.status, artifact, verified, context)
  const ledgers = { inputs, history, authority, status }
  return buildReport({ ...ledgers, files, checkedAt, trust, policy, artifact, verified, current })
}

const readPolicy = (ledger: Ledger, file: VerificationInput["authority"]): CheckResult<AuthorityPolicy> | undefined =>
  file && ledger.check("authority-policy", "policy", {}, () => andThen(file, readAuthorityPolicy))

/** Only the second version of a package contains authority chains, alone or in a closure; no other artifact can satisfy a policy. */
const verifyPolicy = (
  ledger: Ledger,
  artifact: CheckResult<Artifact>,
  { chains, history }: VerifiedArtifact,
  policy: CheckResult<AuthorityPolicy>
): void => {
  if (artifact.known && artifact.value.schema !== schemaNames.package && artifact.value.closure === undefined) {
    ledger.check("authority-anchor", "authority", { policy }, () => fail("AUTHORITY_NOT_ENCLOSED"))
  } else {
    verifyAuthorityPolicy(ledger, policy, chains, history)
  }
}

/** Unsigned parts of the artifact are never used; an entry in the report states it. */
const noteUnsigned = (ledger: Ledger, artifact: CheckResult<Artifact>): void => {
  if (!artifact.known) return
  const { bundle, kind } = artifact.value
  if (bundle !== undefined) ledger.leaveToReader("artifact-keys", "artifact", "TRUST_NOT_INDEPENDENT")
  if (kind === "standard-record") ledger.leaveToReader("artifact-metadata", "artifact", "METADATA_NOT_SIGNED")
}

/** True if every object inherits a member, which would be read as a member of a file or as a limit. */
const inheritsMembers = (): boolean => {
  for (const _ in []) return true
  return false
}
