/** The current status of an artifact: from the status file, or else from the artifact itself. */
import type { Artifact } from "./artifact.ts"
import { andThen, type CheckResult, combineRecord, derive, fail, type Finding, type Ledger, pass } from "./ledger.ts"
import { readDocument } from "./document.ts"
import { type CurrentStatement, readStatements, verifyStatements } from "./publication-status.ts"
import { readStatusFile, type StatusInput, type VerifiedStatus, verifyStatus, verifyStatusAlone } from "./status.ts"
import type { TrustContext } from "./verified-jws.ts"
import type { VerifiedArtifact } from "./verified-artifact.ts"
import { verifierLimits } from "./verifier-limits.ts"

export interface VerifiedCurrentStatus extends VerifiedStatus {
  readonly source: "artifact" | "file" | undefined
  /** For a passport: one for each of its entries, in their order. */
  readonly publications: ReadonlyArray<CurrentStatement>
}

interface Ledgers {
  readonly inputs: Ledger
  readonly history: Ledger
  readonly status: Ledger
}

export const verifyCurrentStatus = (
  { inputs, history, status }: Ledgers,
  file: Finding<Uint8Array> | undefined,
  artifact: CheckResult<Artifact>,
  verified: VerifiedArtifact,
  context: TrustContext
): VerifiedCurrentStatus => {
  if (artifact.known && artifact.value.kind === "agent-status") {
    if (file !== undefined) inputs.check("status-file", "status", {}, () => fail("USAGE"))
    const alone = verifyStatusAlone(history, status, pass(artifact.value.signed), context)
    return { ...alone, source: "artifact", publications: [] }
  }
  if (artifact.known && artifact.value.passport !== undefined) {
    const statements = file === undefined ? pass(artifact.value.passport.statuses) : andThen(file, readStatements)
    const passport = unlessFailed(history, verified.passport)
    const publications = verifyStatements(status, statements, passport, context)
    const isProven = publications.length > 0 && publications.every((statement) => statement !== undefined)
    const opened = { known: false, because: "publication-status" } as const
    return { opened, isProven, source: file === undefined ? "artifact" : "file", publications }
  }
  if (artifact.known && artifact.value.commerce !== undefined) return verifyCommerceStatus(status, file)
  const input = file === undefined ? enclosedStatus(artifact) : statusFile(file)
  const subject = derive(unlessFailed(history, verified.record), (record) => ({
    record,
    journal: combineRecord({ history: verified.history, state: verified.state })
  }))
  return { ...verifyStatus(status, input, subject, context), source: input?.source, publications: [] }
}

/** No status of a payment is specified yet, so that a status file is always one for another kind of artifact. */
const verifyCommerceStatus = (ledger: Ledger, file: Finding<Uint8Array> | undefined): VerifiedCurrentStatus => {
  const check = "commerce-status-signature"
  const opened = { known: false, because: check } as const
  const unproven = { opened, isProven: false, publications: [] }
  if (file === undefined) {
    ledger.leaveToReader(check, "status", "STATUS_ABSENT")
    return { ...unproven, source: undefined }
  }
  const document = andThen(file, (bytes) => readDocument(bytes, verifierLimits.portableBytesMax))
  ledger.check(check, "status", {}, () => andThen(document, () => fail("STATUS_KIND")))
  return { ...unproven, source: "file" }
}

/** A status applies only to an artifact whose whole history was verified. */
const unlessFailed = <T>(ledger: Ledger, proven: CheckResult<T>): CheckResult<T> => {
  const failed = ledger.checks.find((check) => check.outcome === "fail")
  return failed === undefined ? proven : { known: false, because: failed.id }
}

const enclosedStatus = (artifact: CheckResult<Artifact>): StatusInput | undefined => {
  if (!artifact.known || artifact.value.status === undefined) return undefined
  const { status } = artifact.value
  return { source: "artifact", jws: typeof status === "string" ? pass(status) : fail("JWS_FORM") }
}

const statusFile = (bytes: Finding<Uint8Array>): StatusInput => ({
  source: "file",
  jws: andThen(bytes, readStatusFile)
})
