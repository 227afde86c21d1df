/**
 * The offline verifier. It reads three files and a time, asks nobody, and reports what is proven and what is not.
 *
 * Trust comes from the key file alone: an artifact that brings its own keys would prove only that it agrees with itself.
 */
import { type Artifact, readArtifact } from "./artifact.ts"
import { type AuthorityPolicy, readAuthorityPolicy, verifyAuthorityPolicy } from "./authority-policy.ts"
import { readDocument } from "./document.ts"
import { isInstant } from "./forms.ts"
import { andThen, derive, fail, type Finding, gathered, Ledger, pass, type Proven } from "./ledger.ts"
import type { VerifiedPackage } from "./package.ts"
import { verifyPackage, verifyPackageV1, verifyRecord } from "./package.ts"
import { fileBytes, plainBytes } from "./plain.ts"
import { report, type Report } from "./report.ts"
import type { Under } from "./signed.ts"
import { schemas } from "./shapes.ts"
import { type GivenStatus, readStatusFile, type StatusSubject, verifyStatus, verifyStatusAlone } from "./status.ts"
import { readTrust } from "./trust.ts"
import { verifierLimits } from "./verifier-limits.ts"

export interface ResultFiles {
  readonly artifact: Uint8Array
  readonly trust: Uint8Array
  readonly status?: Uint8Array | undefined
  /** The authority policy of the organizations that sent the agents. */
  readonly authority?: Uint8Array | undefined
  readonly checkedAt: string
}

/** Verifies untrusted bytes; duplicate members and broken encodings are still visible here. Throws at no bytes. */
export const verifyResultFiles = (files: ResultFiles): Report =>
  verify({
    artifact: fileBytes(files.artifact),
    trust: fileBytes(files.trust),
    status: whereGiven(files.status, fileBytes),
    authority: whereGiven(files.authority, fileBytes),
    checkedAt: files.checkedAt
  })

/**
 * Verifies values in memory: an artifact (a `service.result-review/v1` object, or a compact JWS as a text), a trust file,
 * a status (a compact JWS), and an authority policy. Values that are not plain JSON are refused. Never throws.
 */
export const verifyResultArtifact = (
  artifact: unknown,
  trust: unknown,
  checkedAt: string,
  status?: unknown,
  authority?: unknown
): Report =>
  verify({
    artifact: plainBytes(artifact),
    trust: plainBytes(trust),
    status: whereGiven(status, plainBytes),
    authority: whereGiven(authority, plainBytes),
    checkedAt
  })

const whereGiven = (value: unknown, read: (value: unknown) => Finding<Uint8Array>) =>
  value === undefined ? undefined : read(value)

interface Given {
  readonly artifact: Finding<Uint8Array>
  readonly trust: Finding<Uint8Array>
  readonly status: Finding<Uint8Array> | undefined
  readonly authority: Finding<Uint8Array> | undefined
  readonly checkedAt: string
}

const verify = (files: Given): Report => {
  const inputs = new Ledger()
  const checkedAt = inputs.check("checked-at", "time", {}, () =>
    isInstant(files.checkedAt) && !inheritsMembers() ? pass(files.checkedAt, files.checkedAt) : fail("USAGE")
  )
  const trust = inputs.check("trust-file", "trust", {}, () => andThen(files.trust, readTrust))
  const policy = readPolicy(inputs, files.authority)
  const document = inputs.check("artifact-file", "artifact", {}, () =>
    andThen(files.artifact, (bytes) => readDocument(bytes, verifierLimits.artifactBytesMax))
  )

  const under = { trust, checkedAt }
  const history = new Ledger()
  const artifact = history.check("artifact-envelope", "artifact", { document }, ({ document }) =>
    readArtifact(document)
  )
  noteUnsigned(history, artifact)
  const verified = verifyArtifact(history, artifact, under)
  const authority = new Ledger()
  if (policy !== undefined) verifyPolicy(authority, artifact, verified, policy)

  const status = new Ledger()
  const given = files.status === undefined ? statusOf(artifact) : fromFile(files.status)
  const isStatus = artifact.known && artifact.value.kind === "agent-status"
  if (isStatus && files.status !== undefined) inputs.check("status-file", "status", {}, () => fail("USAGE"))
  const verifiedStatus = isStatus
    ? verifyStatusAlone(history, status, pass(artifact.value.signed), under)
    : verifyStatus(status, given, subjectOf(history, verified), under)
  const statusSource = isStatus ? "artifact" : given?.source
  const ledgers = { inputs, history, authority, status }
  return report({ ...ledgers, files, checkedAt, trust, policy, artifact, verified, statusSource, verifiedStatus })
}

/** Where no artifact could be read, its checks are those of a package, each of them not run. */
const verifyArtifact = (ledger: Ledger, artifact: Proven<Artifact>, under: Under): VerifiedPackage => {
  const jws = derive(artifact, (one) => one.signed)
  const schema = artifact.known ? artifact.value.schema : schemas.package
  if (schema === schemas.package) return verifyPackage(ledger, jws, under)
  if (schema === schemas.packageV1) return verifyPackageV1(ledger, jws, under)
  const absent = { known: false, because: "artifact-envelope" } as const
  const record = schema === schemas.record ? verifyRecord(ledger, jws, under) : absent
  return { package: absent, history: absent, state: absent, chains: absent, entries: absent, record }
}

const readPolicy = (ledger: Ledger, file: Given["authority"]): Proven<AuthorityPolicy> | undefined =>
  file && ledger.check("authority-policy", "policy", {}, () => andThen(file, readAuthorityPolicy))

/** Only the second version of a package shows anybody's authority; nothing else can satisfy a policy. */
const verifyPolicy = (
  ledger: Ledger,
  artifact: Proven<Artifact>,
  { chains, history }: VerifiedPackage,
  policy: Proven<AuthorityPolicy>
): void => {
  if (artifact.known && artifact.value.schema !== schemas.package) {
    ledger.check("authority-anchor", "authority", { policy }, () => fail("AUTHORITY_NOT_ENCLOSED"))
  } else {
    verifyAuthorityPolicy(ledger, policy, chains, history)
  }
}

/** What travelled unsigned with the artifact is never used; the entry says so in every report. */
const noteUnsigned = (ledger: Ledger, artifact: Proven<Artifact>): void => {
  if (!artifact.known) return
  const { bundle, kind } = artifact.value
  if (bundle !== undefined) ledger.leave("artifact-keys", "artifact", "TRUST_NOT_INDEPENDENT")
  if (kind === "standard-record") ledger.leave("artifact-metadata", "artifact", "METADATA_NOT_SIGNED")
}

const statusOf = (artifact: Proven<Artifact>): GivenStatus | undefined => {
  if (!artifact.known || artifact.value.status === undefined) return undefined
  const { status } = artifact.value
  return { source: "artifact", jws: typeof status === "string" ? pass(status) : fail("JWS_FORM") }
}

const fromFile = (bytes: Finding<Uint8Array>): GivenStatus => ({ source: "file", jws: andThen(bytes, readStatusFile) })

/** A status can speak only about a record whose whole history was verified. */
const subjectOf = (ledger: Ledger, { record, history, state }: VerifiedPackage): Proven<StatusSubject> => {
  const failed = ledger.checks.find((check) => check.outcome === "fail")
  if (failed !== undefined) return { known: false, because: failed.id }
  return derive(record, (record) => ({ record, journal: gathered({ history, state }) }))
}

/** A program that gave every object a member would have it read as a file's own, or as a limit of the readers here. */
const inheritsMembers = (): boolean => {
  for (const _ in []) return true
  return false
}
