/** The current status of an artifact: from the status file, or else from the artifact itself. */
import type { Artifact } from "./artifact.ts"
import { readCommerceStatusFile, verifyCommerceStatus, verifyCommerceStatusAlone } from "./commerce-status.ts"
import { andThen, type CheckResult, combineRecord, derive, fail, type Finding, Ledger, pass } from "./ledger.ts"
import type { CommerceStatus } from "./portable-shapes.ts"
import { type CurrentStatement, readStatements, verifyStatements } from "./publication-status.ts"
import { readStatusFile, type StatusInput, type VerifiedStatus, verifyStatus, verifyStatusAlone } from "./status.ts"
import { readTransactionStatus, type TransactionStatus } from "./transaction-status.ts"
import type { TrustContext } from "./verified-jws.ts"
import type { VerifiedArtifact } from "./verified-artifact.ts"
import type { VerifiedJws } from "./verified-objects.ts"
import { verifierLimits } from "./verifier-limits.ts"

export interface VerifiedCurrentStatus extends VerifiedStatus {
  readonly source: "artifact" | "file" | undefined
  /** For a passport: one for each of its entries, in their order. */
  readonly publications: ReadonlyArray<CurrentStatement>
  /** How long a statement about this kind of artifact counts as fresh. */
  readonly boundMs: number
  /** Of a payment: proven when every check but those of freshness passed. */
  readonly commerce: CheckResult<VerifiedJws<CommerceStatus>>
  /** Of the status of a closure: what is proven of the result and of the payment, each by the checks of its own half. */
  readonly halves?: undefined | { readonly result: StatusHalf; readonly commerce: StatusHalf }
}

export interface StatusHalf {
  readonly isProven: boolean
  readonly checks: Ledger["checks"]
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
  const kind = artifact.known ? artifact.value.kind : undefined
  if (file !== undefined && (kind === "agent-status" || kind === "commerce-status")) {
    inputs.check("status-file", "status", {}, () => fail("USAGE"))
  }
  if (artifact.known && kind === "commerce-status") {
    const alone = verifyCommerceStatusAlone(history, status, artifact.value.signed, context)
    return ofCommerce(alone, "artifact")
  }
  if (artifact.known && kind === "agent-status") {
    const alone = verifyStatusAlone(history, status, pass(artifact.value.signed), context)
    return { ...alone, source: "artifact", publications: [], ...notOfPayment }
  }
  if (artifact.known && artifact.value.passport !== undefined) {
    const statements = file === undefined ? pass(artifact.value.passport.statuses) : andThen(file, readStatements)
    const passport = unlessFailed(history, verified.passport)
    const publications = verifyStatements(status, statements, passport, context)
    const isProven = publications.length > 0 && publications.every((statement) => statement !== undefined)
    const opened = { known: false, because: "publication-status" } as const
    return { opened, isProven, source: file === undefined ? "artifact" : "file", publications, ...notOfPayment }
  }
  const payment = unlessFailed(history, verified.commerce)
  if (artifact.known && artifact.value.commerce !== undefined) {
    const input = file && andThen(file, readCommerceStatusFile)
    return ofCommerce(verifyCommerceStatus(status, input, payment, context), input && "file")
  }
  // Nothing states the status of a closure of the first version; a given file is not read.
  if (kind === "transaction-closure-v1") return nothingStated
  const result = derive(unlessFailed(history, verified.record), (record) => ({
    record,
    journal: combineRecord({ history: verified.history, state: verified.state })
  }))
  if (artifact.known && artifact.value.closure !== undefined) {
    return verifyHalves(status, file && readTransactionStatus(file), { result, payment }, context)
  }
  const input = file === undefined ? enclosedStatus(artifact) : statusFile(file)
  return {
    ...verifyStatus(status, input, result, context),
    source: input?.source,
    publications: [],
    ...notOfPayment
  }
}

/** Each half is verified for itself, so that a fault in one leaves the other as it is. */
const verifyHalves = (
  ledger: Ledger,
  file: TransactionStatus | undefined,
  { result, payment }: Subjects,
  context: TrustContext
): VerifiedCurrentStatus => {
  const [ofResult, ofPayment] = [new Ledger(), new Ledger()]
  const input = file && ({ source: "file", jws: file.result } as const)
  const { opened, isProven } = verifyStatus(ofResult, input, result, context)
  const commerce = verifyCommerceStatus(ofPayment, file?.commerce, payment, context)
  ledger.checks.push(...ofResult.checks, ...ofPayment.checks)
  return {
    opened,
    isProven: isProven && commerce.isProven,
    source: input?.source,
    publications: [],
    commerce: commerce.status,
    // The age is that of the statement on the result, if there is one.
    boundMs: opened.known || !commerce.status.known ? verifierLimits.statusWindowMs : verifierLimits.commerceWindowMs,
    halves: file && {
      result: { isProven, checks: ofResult.checks },
      commerce: { isProven: commerce.isProven, checks: ofPayment.checks }
    }
  }
}

interface Subjects {
  readonly result: Parameters<typeof verifyStatus>[2]
  readonly payment: VerifiedArtifact["commerce"]
}

const noCommerce = { known: false, because: "commerce-status-signature" } as const
const notOfPayment = { commerce: noCommerce, boundMs: verifierLimits.statusWindowMs }

const nothingStated: VerifiedCurrentStatus = {
  opened: { known: false, because: "status-signature" },
  isProven: false,
  source: undefined,
  publications: [],
  ...notOfPayment
}

const ofCommerce = (
  { status, isProven }: ReturnType<typeof verifyCommerceStatus>,
  source: VerifiedCurrentStatus["source"]
): VerifiedCurrentStatus => ({
  opened: noCommerce,
  isProven,
  source,
  publications: [],
  commerce: status,
  boundMs: verifierLimits.commerceWindowMs
})

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
