/** The report: the checks with their evidence, the verdict, and the limits of what it proves. */
import { canonicalText } from "../canonical/jcs.ts"
import type { Json } from "../canonical/json.ts"
import type { Artifact } from "./artifact.ts"
import { describeAuthority, type RecordedAuthority } from "./authority-report.ts"
import type { AuthorityPolicy } from "./authority-policy.ts"
import type { Limit } from "./codes.ts"
import { labelOfPayment } from "./assurance.ts"
import { describeCommerce, isBeyondRecord, latestPaymentIn } from "./commerce-report.ts"
import { type ClosureReport, describeClosure } from "./closure-report.ts"
import { type ClosureV1Report, describeClosureV1 } from "./closure-v1.ts"
import { isObject } from "./schema-kit.ts"
import type { Check, Finding, Ledger, CheckResult } from "./ledger.ts"
import { escapeForJson } from "./escape.ts"
import { type FileSummary, summarize } from "./file-summary.ts"
import { describeObjects, describeRecord, type ObjectReport } from "./objects-report.ts"
import type { VerifiedCurrentStatus } from "./current-status.ts"
import { describePassport } from "./passport-report.ts"
import type { CommerceBinding, CommerceRecord, CommerceStatus } from "./portable-shapes.ts"
import {
  type CurrentStatus,
  describeFreshness,
  describeStatus,
  type Freshness,
  uncheckedFreshness
} from "./status-report.ts"
import type { Trust } from "./trust.ts"
import type { HistoryGap } from "./schemas.ts"
import type { VerifiedArtifact } from "./verified-artifact.ts"
import type { VerifiedJws } from "./verified-objects.ts"
import type { VerifiedPackage } from "./verify-package.ts"

export interface Report {
  readonly report: 1
  readonly checkedAt: string | null
  readonly verdict: "VERIFIED_WITH_LIMITATIONS" | "REFUSED" | "UNREADABLE"
  readonly exit: 0 | 1 | 2
  readonly trust: FileSummary & {
    readonly source: "KEY_FILE"
    readonly issuer: string | null
    readonly environment: string | null
  }
  readonly artifact: FileSummary & { readonly kind: Artifact["kind"] | null; readonly schema: string | null }
  readonly historicalValidity: "VERIFIED" | "REFUSED" | "NOT_CHECKED"
  readonly currentStatus: CurrentStatus
  readonly recordedAuthority: RecordedAuthority
  readonly record: ReturnType<typeof describeRecord> | null
  readonly passport: ReturnType<typeof describePassport> | null
  readonly commerce: ReturnType<typeof describeCommerce>
  readonly closure: ClosureReport | ClosureV1Report | null
  readonly completeness: Completeness
  readonly freshness: Freshness
  readonly limits: ReadonlyArray<Limit>
  readonly checks: ReadonlyArray<Check>
  readonly objects: ReadonlyArray<ObjectReport>
}

/** `pinned`: the record binds the history up to its issuance; only the package binds later events. */
interface Completeness {
  readonly journal: "pinned" | "declared" | "not-proven"
  readonly count: number | null
  readonly head: string | null
  readonly laterEvents: number | null
  /** The events that the issuer states as possibly lost; absent where there is no statement. */
  readonly lost?: ReadonlyArray<LostEvents>
}

interface LostEvents {
  /** The numbers of the last event before them, and of the last one of them that is known. */
  readonly after: number
  readonly through: number
  readonly epoch: string
  readonly statedAt: string
  readonly reason: string
}

/** The results of one verification. */
export interface Verification {
  readonly files: {
    readonly artifact: Finding<Uint8Array>
    readonly trust: Finding<Uint8Array>
    readonly authority: Finding<Uint8Array> | undefined
  }
  readonly inputs: Ledger
  readonly history: Ledger
  readonly authority: Ledger
  readonly status: Ledger
  readonly checkedAt: CheckResult<string>
  readonly trust: CheckResult<Trust>
  readonly policy: CheckResult<AuthorityPolicy> | undefined
  readonly artifact: CheckResult<Artifact>
  readonly verified: VerifiedArtifact
  readonly current: VerifiedCurrentStatus
}

export const buildReport = (run: Verification): Report => {
  const verdict = run.inputs.hasFailure
    ? "UNREADABLE"
    : run.history.hasFailure || run.authority.hasFailure
      ? "REFUSED"
      : "VERIFIED_WITH_LIMITATIONS"
  const isVerified = verdict === "VERIFIED_WITH_LIMITATIONS"
  const trust = run.trust.known ? run.trust.value : undefined
  const artifact = run.artifact.known ? run.artifact.value : undefined
  const objects = isVerified && run.checkedAt.known ? describeObjects(run, run.checkedAt.value) : []
  return {
    report: 1,
    checkedAt: run.checkedAt.known ? run.checkedAt.value : null,
    verdict,
    exit: isVerified ? 0 : verdict === "REFUSED" ? 1 : 2,
    trust: {
      source: "KEY_FILE",
      ...summarize(run.files.trust),
      issuer: trust?.issuer ?? null,
      environment: trust?.environment ?? null
    },
    artifact: { kind: artifact?.kind ?? null, schema: artifact?.schema ?? null, ...summarize(run.files.artifact) },
    historicalValidity: run.inputs.hasFailure
      ? "NOT_CHECKED"
      : run.history.hasFailure
        ? "REFUSED"
        : run.verified.record.known || run.verified.passport.known || run.verified.commerce.known
          ? "VERIFIED"
          : "NOT_CHECKED",
    currentStatus: describeStatus(run, isVerified),
    recordedAuthority: describeAuthority(run, isVerified),
    record: isVerified && run.verified.record.known ? describeRecord(run.verified.record.value) : null,
    passport:
      isVerified && run.verified.passport.known
        ? describePassport(run.verified.passport.value, run.current.publications)
        : null,
    commerce: isVerified ? describeCommerce(run.verified.commerce, run.current.commerce, run.checkedAt) : null,
    closure: isVerified ? closureOf(run) : null,
    completeness: isVerified ? describeCompleteness(run.verified) : notProven,
    freshness: isVerified ? describeFreshness(run) : uncheckedFreshness(run),
    limits: isVerified ? limitsOf(run, objects) : [],
    checks: [...run.inputs.checks, ...run.history.checks, ...run.authority.checks, ...run.status.checks],
    objects
  }
}

const closureOf = ({ verified, current }: Verification): Report["closure"] =>
  verified.closureV1.known ? describeClosureV1(verified.closureV1.value) : describeClosure(verified, current)

/** Deterministic: equal reports print as equal bytes. Marks that a terminal would interpret are escaped. */
export const printReport = (report: Report): string => `${escapeForJson(JSON.stringify(report, null, 2))}\n`

const notProven: Completeness = { journal: "not-proven", count: null, head: null, laterEvents: null }

const describeCompleteness = ({ history, gaps, record }: VerifiedPackage): Completeness => {
  if (!record.known) return notProven
  const { count, eventHash } = record.value.content.head
  if (!history.known) return { journal: "declared", count, head: eventHash, laterEvents: null }
  const lost = gaps.known ? gaps.value.map(describeGap) : []
  const laterEvents = history.value.length - count - 1
  return { journal: "pinned", count, head: eventHash, laterEvents, ...(lost.length === 0 ? {} : { lost }) }
}

const describeGap = ({ content: { epoch, issuedAt, reason, kept, lost } }: VerifiedJws<HistoryGap>): LostEvents => ({
  after: kept.sequence,
  through: lost.sequence,
  epoch,
  statedAt: issuedAt,
  reason
})

const limitsOf = (run: Verification, objects: Report["objects"]): ReadonlyArray<Limit> => {
  const { verified } = run
  const artifact = run.artifact.known ? run.artifact.value : undefined
  const bundle = artifact?.bundle
  const completeness = describeCompleteness(verified)
  const payment = verified.commerce.known ? verified.commerce.value.content : undefined
  const status = run.current.commerce.known ? run.current.commerce.value.content : undefined
  const binding = (payment ?? status)?.binding
  const isExtended = verified.closure.known && verified.closure.value.lineage !== null
  const conditions: ReadonlyArray<readonly [Limit, boolean]> = [
    ["DELIVERY_QUALITY_NOT_PROVEN", true],
    ["ORIGINAL_FILES_NOT_SEEN", true],
    ["COMPANY_AUTHORITY_NOT_PROVEN", true],
    ["PAYMENT_NOT_PROVEN", true],
    ["LIABILITY_NOT_PROVEN", true],
    ["OMITTED_EVENTS_NOT_EXCLUDED", true],
    ["EVENTS_LOST", completeness.lost !== undefined],
    ["SIGNING_TIME_STATED_BY_ISSUER", true],
    ["AUTHORITY_POLICY_NOT_GIVEN", run.policy === undefined],
    ["SELECTION_NOT_ENDORSED", verified.passport.known || isExtended],
    ["ORIGINAL_RESULTS_NOT_ENCLOSED", verified.passport.known || isExtended],
    ["BANK_RECEIPT_NOT_VERIFIED", binding !== undefined],
    ["PROVIDER_READBACK_STATED_BY_ISSUER", binding !== undefined],
    ["PRIOR_PAYMENT_HISTORY_NOT_ASSERTED", binding !== undefined],
    ["NO_CAPTURED_PAYMENT", binding !== undefined && labelOf(payment, status) !== "PROVIDER_VERIFIED_PAYMENT"],
    ["LATER_PAYMENT_EVENTS_NOT_ASSERTED", verified.closure.known],
    ["CHOICE_STATED_BY_BUYER", isExtended],
    ["NEXT_AGREEMENT_HISTORY_NOT_ENCLOSED", isExtended],
    ["COMMERCE_STATUS_NOT_REPLAYED", status !== undefined && isBeyondRecord(status)],
    ["PAYMENT_TEST_ENVIRONMENT", binding !== undefined && isTest(binding)],
    ["RECORDED_AUTHORITY_NOT_ENCLOSED", verified.history.known && !verified.chains.known],
    ["HISTORY_NOT_ENCLOSED", completeness.journal === "declared"],
    ["RECORD_NOT_ENCLOSED", artifact?.kind === "agent-status" || artifact?.kind === "commerce-status"],
    ["METADATA_NOT_USED", artifact?.kind === "standard-record"],
    ["LATER_EVENTS_STATED_BY_PACKAGE", (completeness.laterEvents ?? 0) > 0],
    ["EMBEDDED_KEYS_NOT_USED", bundle !== undefined],
    ["EMBEDDED_KEYS_DIFFER", bundle !== undefined && run.trust.known && !isSameKeys(bundle, run.trust.value)],
    ["KEY_REVOKED_SINCE", objects.some((one) => one.keyStatusNow === "REVOKED")],
    ["KEY_TIME_UNPROVEN", objects.some((one) => one.keyStatusNow !== null && one.keyStatusNow !== "VALID")],
    ["KEY_TIME_NOT_ESTABLISHED", verified.closureV1.known],
    [
      "AUTHORITY_REVOKED_SINCE",
      describeAuthority(run, true).grants.some((grant) => grant.revokedAt !== null || grant.anchor?.revokedAt != null)
    ],
    ["STATUS_NOT_PROVEN", !run.current.isProven],
    ["STATUS_BEYOND_HISTORY", run.status.checks.some((check) => check.code === "STATUS_HEAD_NOT_REPLAYED")]
  ]
  return conditions.filter(([, holds]) => holds).map(([limit]) => limit)
}

/** Of the record; of a status alone, that of its own payment. */
const labelOf = (record: CommerceRecord | undefined, status: CommerceStatus | undefined) => {
  if (record !== undefined) return labelOfPayment(record)
  return status === undefined ? null : latestPaymentIn(status)
}

/** The simulated provider has no other environment. */
const isTest = ({ environment, provider }: CommerceBinding): boolean =>
  environment === "TEST" || provider === "SIMULATED"

/** A bundle differs from a trust file in its schema alone. */
const isSameKeys = (bundle: Json, { file }: Trust): boolean =>
  isObject(bundle) && canonicalText({ ...bundle, schema: null }) === canonicalText({ ...file, schema: null })
