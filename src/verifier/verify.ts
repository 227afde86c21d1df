/**
 * The offline verifier. It reads three files and a time, asks nobody, and reports what is proven and what is not.
 *
 * Trust comes from the key file alone: an artifact that brings its own keys would prove only that it agrees with itself.
 */
import { readArtifact, readDocument, type Artifact } from "./artifact.ts"
import { type AuthorityPolicy, readAuthorityPolicy, verifyAuthorityPolicy } from "./authority-policy.ts"
import { isInstant } from "./forms.ts"
import { andThen, derive, fail, type Finding, Ledger, pass, type Proven } from "./ledger.ts"
import type { VerifiedPackage } from "./package.ts"
import { verifyPackage, verifyRecord } from "./package.ts"
import { fileBytes, plainBytes } from "./plain.ts"
import { report, type Report } from "./report.ts"
import type { Under } from "./signed.ts"
import { readStatusFile, verifyStatus, type GivenStatus, type StatusSubject } from "./status.ts"
import { readTrust } from "./trust.ts"

export interface ResultFiles {
  readonly artifact: Uint8Array
  readonly trust: Uint8Array
  readonly status?: Uint8Array
  /** The authority policy of the organizations that sent the agents. */
  readonly authority?: Uint8Array
  readonly checkedAt: string
}

/** Verifies untrusted bytes; duplicate members and broken encodings are still visible here. Never throws. */
export const verifyResultFiles = (files: ResultFiles): Report =>
  verify({
    artifact: fileBytes(files.artifact),
    trust: fileBytes(files.trust),
    status: files.status === undefined ? undefined : fileBytes(files.status),
    authority: files.authority === undefined ? undefined : fileBytes(files.authority),
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
    status: status === undefined ? undefined : plainBytes(status),
    authority: authority === undefined ? undefined : plainBytes(authority),
    checkedAt
  })

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
    isInstant(files.checkedAt) ? pass(files.checkedAt, { actual: files.checkedAt }) : fail("USAGE")
  )
  const trust = inputs.check("trust-file", "trust", {}, () => andThen(files.trust, readTrust))
  const policy = readPolicy(inputs, files.authority)
  const document = inputs.check("artifact-file", "artifact", {}, () => andThen(files.artifact, readDocument))

  const history = new Ledger()
  const artifact = history.check("artifact-envelope", "artifact", { document }, ({ document }) =>
    readArtifact(document)
  )
  noteBundle(history, artifact)
  const verified = verifyArtifact(history, artifact, { trust, checkedAt })
  const authority = new Ledger()
  if (policy !== undefined) verifyPolicy(authority, artifact, verified, policy)

  const status = new Ledger()
  const given = files.status === undefined ? statusOf(artifact) : fromFile(files.status)
  const verifiedStatus = verifyStatus(status, given, subjectOf(history, verified), trust, checkedAt)
  const statusSource = given?.source
  const ledgers = { inputs, history, authority, status }
  return report({ ...ledgers, files, checkedAt, trust, policy, artifact, verified, statusSource, verifiedStatus })
}

const verifyArtifact = (ledger: Ledger, artifact: Proven<Artifact>, under: Under): VerifiedPackage => {
  const jws = derive(artifact, (one) => one.signed)
  if (!artifact.known || artifact.value.kind !== "result-record") return verifyPackage(ledger, jws, under)
  const alone = { known: false, because: "artifact-envelope" } as const
  return { package: alone, history: alone, chains: alone, entries: alone, record: verifyRecord(ledger, jws, under) }
}

const readPolicy = (ledger: Ledger, file: Given["authority"]): Proven<AuthorityPolicy> | undefined =>
  file && ledger.check("authority-policy", "policy", {}, () => andThen(file, readAuthorityPolicy))

/** A record that stands alone shows nobody's authority. */
const verifyPolicy = (
  ledger: Ledger,
  artifact: Proven<Artifact>,
  { chains, history }: VerifiedPackage,
  policy: Proven<AuthorityPolicy>
): void => {
  if (artifact.known && artifact.value.kind === "result-record") {
    ledger.leave("authority-anchor", "authority", "AUTHORITY_NOT_ENCLOSED")
  } else {
    verifyAuthorityPolicy(ledger, policy, chains, history)
  }
}

/** Keys inside an artifact are never used; the entry says so in every report. */
const noteBundle = (ledger: Ledger, artifact: Proven<Artifact>): void => {
  if (artifact.known && artifact.value.bundle !== undefined) {
    ledger.leave("artifact-keys", "artifact", "TRUST_NOT_INDEPENDENT", { at: "trust" })
  }
}

const statusOf = (artifact: Proven<Artifact>): GivenStatus | undefined => {
  if (!artifact.known || artifact.value.status === undefined) return undefined
  const { status } = artifact.value
  return { source: "artifact", jws: typeof status === "string" ? pass(status) : fail("JWS_FORM") }
}

const fromFile = (bytes: Finding<Uint8Array>): GivenStatus => ({ source: "file", jws: andThen(bytes, readStatusFile) })

/** A status can speak only about a record whose whole history was verified. */
const subjectOf = (ledger: Ledger, { record, history }: VerifiedPackage): Proven<StatusSubject> => {
  const failed = ledger.checks.find((check) => check.outcome === "fail")
  if (failed !== undefined) return { known: false, because: failed.id }
  return derive(record, (record) => (history.known ? { record, history: history.value } : { record }))
}
