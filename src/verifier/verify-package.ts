/** The checks of a Result Package, in order. Each one needs only results of earlier ones. */
import { checkAcceptance, checkFiles, checkReview, checkSubmission, checkSubmissionChain } from "./acceptance.ts"
import type { AuthorityChain } from "./authority.ts"
import { checkAgreementReference, checkCriteria, checkGap, checkLink, checkVersion } from "./history.ts"
import type { Schema } from "./schema-kit.ts"
import { derive, combineRecord, type Ledger, type CheckResult } from "./ledger.ts"
import { checkManifestEntry, checkManifestSet, expectedManifest, type ManifestEntry } from "./manifest.ts"
import { openIssued } from "./issued-objects.ts"
import { checkMoves } from "./moves.ts"
import {
  enclosedPart,
  type EnclosedPart,
  type ChainedEvent,
  readContent,
  readChainedEvent,
  type VerifiedJws
} from "./verified-objects.ts"
import { checkParties } from "./parties.ts"
import type { Gaps, History } from "./check-inputs.ts"
import {
  checkIssue,
  checkPackageTime,
  checkRecordAcceptance,
  checkRecordAgreement,
  checkRecordHead,
  checkRecordParties
} from "./record.ts"
import { verifyAuthority, verifyHumanDecisions } from "./verify-authority.ts"
import {
  type Acceptance,
  type Agreement,
  historyGap,
  type PackageContent,
  projectEvent,
  type ProjectEvent,
  resultPackage,
  type ResultPackage,
  resultPackageV1,
  resultRecord,
  type ResultRecord,
  schemaNames,
  type Submission
} from "./schemas.ts"
import { checkSignatures } from "./party-signatures.ts"
import { verifyJwsAs, type TrustContext } from "./verified-jws.ts"

export interface VerifiedPackage extends AcceptanceParts {
  readonly package: CheckResult<VerifiedJws<PackageContent>>
  readonly record: CheckResult<VerifiedJws<ResultRecord>>
  /** The state after the last event. */
  readonly state: CheckResult<string>
  readonly gaps: CheckResult<Gaps>
  readonly chains: CheckResult<ReadonlyArray<AuthorityChain>>
  readonly entries: CheckResult<ReadonlyArray<ManifestEntry>>
}

export const verifyPackage = (ledger: Ledger, jws: CheckResult<string>, context: TrustContext): VerifiedPackage => {
  const opened = openPackage(ledger, jws, schemaNames.package, resultPackage, context)
  const objects = verifyObjects(ledger, opened, context)
  const content = derive(opened, (one) => one.content)
  const chains = verifyAuthority(ledger, content, objects.history, context)
  verifyHumanDecisions(ledger, content, objects.history)
  const entries = verifyManifest(ledger, { content, ...objects, chains })
  return { package: opened, ...objects, chains, entries }
}

/** The first version holds the same history without a manifest and without authority chains. */
export const verifyPackageV1 = (ledger: Ledger, jws: CheckResult<string>, context: TrustContext): VerifiedPackage => {
  const opened = openPackage(ledger, jws, schemaNames.packageV1, resultPackageV1, context)
  const objects = verifyObjects(ledger, opened, context)
  ledger.leaveToReader("authority-set", "authority", "AUTHORITY_NOT_ENCLOSED")
  const content = derive(opened, (one) => one.content)
  verifyHumanDecisions(ledger, content, objects.history)
  ledger.leaveToReader("manifest-set", "manifest", "MANIFEST_NOT_ENCLOSED")
  const entries = derive(combineRecord({ ...objects }), (values) => expectedManifest({ ...values, chains: [] }))
  return { package: opened, ...objects, chains: { known: false, because: "authority-set" }, entries }
}

const openPackage = <T>(
  ledger: Ledger,
  jws: CheckResult<string>,
  schema: string,
  form: Schema<T>,
  context: TrustContext
) => {
  const signed = ledger.check("package-signature", "package", { jws, ...context }, ({ jws, ...values }) =>
    verifyJwsAs(schema, "PACKAGE")(jws, values)
  )
  return ledger.check("package-form", "package", { signed }, ({ signed }) => readContent(form, signed))
}

interface Objects extends AcceptanceParts {
  readonly state: CheckResult<string>
  readonly gaps: CheckResult<Gaps>
  readonly record: CheckResult<VerifiedJws<ResultRecord>>
}

/** The parts of both versions: the history from the agreement to the record, and the references between them. */
const verifyObjects = (
  ledger: Ledger,
  opened: CheckResult<VerifiedJws<PackageContent>>,
  context: TrustContext
): Objects => {
  const agreement = derive(opened, (one) => enclosedPart(one, "agreement"))
  const submission = derive(opened, (one) => enclosedPart(one, "submission"))
  const review = derive(opened, (one) => enclosedPart(one, "review"))
  const events = derive(opened, (one) => one.content.events)
  const statements = derive(opened, (one) => one.content.gaps ?? [])
  const { history, gaps, state } = verifyHistory(ledger, { events, statements, agreement }, context)
  const accepting = verifyAcceptance(ledger, { history, agreement, submission, review })
  const signedRecord = derive(opened, (one) => one.content.record)
  const record = verifyRecord(ledger, signedRecord, context)
  const objects = { record, history, gaps, state, agreement, submission, review }
  verifyBindings(ledger, { ...objects, accepting })
  ledger.check("package-time", "package", { opened, history, gaps }, checkPackageTime)
  return objects
}

/** The checks of a record by itself, inside a package or without one. */
export const verifyRecord = (
  ledger: Ledger,
  jws: CheckResult<string>,
  context: TrustContext
): CheckResult<VerifiedJws<ResultRecord>> =>
  openIssued(ledger, "record", jws, { schema: schemaNames.record, purpose: "RECORD", form: resultRecord }, context)

interface HistoryParts {
  readonly events: CheckResult<ReadonlyArray<string>>
  readonly statements: CheckResult<ReadonlyArray<string>>
  readonly agreement: CheckResult<EnclosedPart<Agreement>>
}

/** Every event is signed, matches its schema, and continues the chain that starts at the agreement. */
const verifyHistory = (
  ledger: Ledger,
  { events, statements, agreement }: HistoryParts,
  context: TrustContext
): Pick<VerifiedPackage, "history" | "gaps" | "state"> => {
  const signed = ledger.each(
    "event-signature",
    "event",
    events,
    { ...context },
    verifyJwsAs(schemaNames.event, "EVENT")
  )
  const history = ledger.each("event-form", "event", signed, {}, (event) => readChainedEvent(projectEvent, event))
  const signedGaps = ledger.each(
    "gap-signature",
    "gap",
    statements,
    { ...context },
    verifyJwsAs(schemaNames.gap, "EVENT")
  )
  const gaps = ledger.each("gap-form", "gap", signedGaps, {}, (gap) => readContent(historyGap, gap))
  ledger.each("event-chain", "event", history, { history, gaps, agreement }, checkLink)
  ledger.each("gap-place", "gap", gaps, { history, gaps, agreement }, checkGap)
  ledger.each("event-agreement", "event", history, { agreement }, checkAgreementReference)
  const state = ledger.check("history-moves", "history", { history }, checkMoves)
  ledger.check("history-signatures", "history", { history, agreement }, checkSignatures)
  return { history, gaps, state }
}

interface AcceptanceParts {
  readonly history: CheckResult<History>
  readonly agreement: CheckResult<EnclosedPart<Agreement>>
  readonly submission: CheckResult<EnclosedPart<Submission>>
  readonly review: CheckResult<EnclosedPart<Acceptance>>
}

/** One submission was accepted, with every criterion of the agreement and every file. */
const verifyAcceptance = (ledger: Ledger, parts: AcceptanceParts): CheckResult<ChainedEvent<ProjectEvent>> => {
  const { history, agreement, submission, review } = parts
  const criteria = ledger.check("agreement-criteria", "agreement", { agreement }, checkCriteria)
  ledger.check("agreement-version", "agreement", { agreement }, checkVersion)
  ledger.check("submission-chain", "history", { history }, checkSubmissionChain)
  ledger.check("submission-event", "submission", { history, submission, review }, checkSubmission)
  ledger.check("acceptance-criteria", "review", { criteria, submission, review }, checkAcceptance)
  ledger.check("acceptance-files", "review", { submission, review }, checkFiles)
  return ledger.check("review-event", "review", { history, review }, checkReview)
}

interface BindingParts extends Objects {
  readonly accepting: CheckResult<ChainedEvent<ProjectEvent>>
}

/** The statements of the record agree with the history. */
const verifyBindings = (ledger: Ledger, parts: BindingParts): void => {
  const { record, history, agreement, submission, review, accepting } = parts
  const representative = ledger.check("history-parties", "history", { history, agreement }, checkParties)
  ledger.check("record-agreement", "record", { record, agreement }, checkRecordAgreement)
  ledger.check("record-parties", "record", { record, agreement, representative }, checkRecordParties)
  ledger.check("record-acceptance", "record", { record, submission, review, accepting }, checkRecordAcceptance)
  ledger.check("record-head", "record", { record, history, accepting }, checkRecordHead)
  ledger.check("record-issue", "record", { record, history }, checkIssue)
}

interface ManifestParts extends Objects {
  readonly content: CheckResult<ResultPackage>
  readonly chains: CheckResult<ReadonlyArray<AuthorityChain>>
}

/** The manifest lists exactly these objects. */
const verifyManifest = (ledger: Ledger, { content, chains, ...objects }: ManifestParts) => {
  const expected = derive(combineRecord({ ...objects, chains }), expectedManifest)
  const pairs = ledger.check("manifest-set", "manifest", { content, expected }, ({ content, expected }) =>
    checkManifestSet(content.manifest, expected)
  )
  return ledger.each("manifest-entry", "manifest", pairs, {}, checkManifestEntry)
}
