/** What a Result Package proves, in order. Each line needs only lines above it. */
import { checkAcceptance, checkFiles, checkReview, checkSubmission, checkSubmissionChain } from "./acceptance.ts"
import type { AuthorityChain } from "./authority.ts"
import { checkAgreementReference, checkCriteria, checkLink, checkVersion, type History } from "./history.ts"
import type { Form } from "./forms.ts"
import { derive, gathered, type Ledger, type Proven } from "./ledger.ts"
import { checkManifestEntry, checkManifestSet, expectedManifest, type Entry } from "./manifest.ts"
import { checkMoves } from "./moves.ts"
import { enclose, type Enclosed, type Linked, openAs, openLinked, type Opened } from "./objects.ts"
import { checkParties } from "./parties.ts"
import {
  checkIssue,
  checkIssuer,
  checkPackageTime,
  checkRecordAcceptance,
  checkRecordAgreement,
  checkRecordHead,
  checkRecordParties
} from "./record.ts"
import { verifyAuthority, verifyHumanDecisions } from "./recorded-authority.ts"
import {
  type Acceptance,
  type Agreement,
  type PackageContent,
  projectEvent,
  type ProjectEvent,
  resultPackage,
  type ResultPackage,
  resultPackageV1,
  resultRecord,
  type ResultRecord,
  schemas,
  type Submission
} from "./shapes.ts"
import { checkSignatures } from "./signatures.ts"
import { signedAs, type Under } from "./signed.ts"

export interface VerifiedPackage {
  readonly package: Proven<Opened<PackageContent>>
  readonly record: Proven<Opened<ResultRecord>>
  readonly history: Proven<History>
  /** The state that the history led to. */
  readonly state: Proven<string>
  readonly chains: Proven<ReadonlyArray<AuthorityChain>>
  readonly entries: Proven<ReadonlyArray<Entry>>
}

export const verifyPackage = (ledger: Ledger, jws: Proven<string>, under: Under): VerifiedPackage => {
  const opened = openPackage(ledger, jws, schemas.package, resultPackage, under)
  const objects = verifyObjects(ledger, opened, under)
  const content = derive(opened, (one) => one.content)
  const chains = verifyAuthority(ledger, content, objects.history, under)
  verifyHumanDecisions(ledger, content, objects.history)
  const entries = verifyManifest(ledger, { content, ...objects, chains })
  return { package: opened, ...objects, chains, entries }
}

/** The first version holds the same history without a manifest and without anybody's authority. */
export const verifyPackageV1 = (ledger: Ledger, jws: Proven<string>, under: Under): VerifiedPackage => {
  const opened = openPackage(ledger, jws, schemas.packageV1, resultPackageV1, under)
  const objects = verifyObjects(ledger, opened, under)
  ledger.leave("authority-set", "authority", "AUTHORITY_NOT_ENCLOSED")
  const content = derive(opened, (one) => one.content)
  verifyHumanDecisions(ledger, content, objects.history)
  ledger.leave("manifest-set", "manifest", "MANIFEST_NOT_ENCLOSED")
  const entries = derive(gathered({ ...objects }), (held) => expectedManifest({ ...held, chains: [] }))
  return { package: opened, ...objects, chains: { known: false, because: "authority-set" }, entries }
}

const openPackage = <T>(ledger: Ledger, jws: Proven<string>, schema: string, form: Form<T>, under: Under) => {
  const signed = ledger.check("package-signature", "package", { jws, ...under }, ({ jws, ...against }) =>
    signedAs(schema, "PACKAGE")(jws, against)
  )
  return ledger.check("package-form", "package", { signed }, ({ signed }) => openAs(form, signed))
}

interface Objects extends AcceptanceParts {
  readonly state: Proven<string>
  readonly record: Proven<Opened<ResultRecord>>
}

/** What both versions hold: the history from the agreement to the record, each part bound to the others. */
const verifyObjects = (ledger: Ledger, opened: Proven<Opened<PackageContent>>, under: Under): Objects => {
  const agreement = derive(opened, (one) => enclose(one, "agreement"))
  const submission = derive(opened, (one) => enclose(one, "submission"))
  const review = derive(opened, (one) => enclose(one, "review"))
  const events = derive(opened, (one) => one.content.events)
  const { history, state } = verifyHistory(ledger, events, agreement, under)
  const accepting = verifyAcceptance(ledger, { history, agreement, submission, review })
  const signedRecord = derive(opened, (one) => one.content.record)
  const record = verifyRecord(ledger, signedRecord, under)
  const objects = { record, history, state, agreement, submission, review }
  verifyBindings(ledger, { ...objects, accepting })
  ledger.check("package-time", "package", { opened, history }, checkPackageTime)
  return objects
}

/** The record's own proof, inside a package or standing alone. */
export const verifyRecord = (ledger: Ledger, jws: Proven<string>, under: Under): Proven<Opened<ResultRecord>> => {
  const signed = ledger.check("record-signature", "record", { jws, ...under }, ({ jws, ...against }) =>
    signedAs(schemas.record, "RECORD")(jws, against)
  )
  const record = ledger.check("record-form", "record", { signed }, ({ signed }) => openAs(resultRecord, signed))
  ledger.check("record-issuer", "record", { record, trust: under.trust }, checkIssuer)
  return record
}

/** Every event is signed, has its form, and follows the one before it from the agreement on. */
const verifyHistory = (
  ledger: Ledger,
  events: Proven<ReadonlyArray<string>>,
  agreement: Proven<Enclosed<Agreement>>,
  under: Under
): Pick<VerifiedPackage, "history" | "state"> => {
  const signed = ledger.each("event-signature", "event", events, { ...under }, signedAs(schemas.event, "EVENT"))
  const history = ledger.each("event-form", "event", signed, {}, (event) => openLinked(projectEvent, event))
  ledger.each("event-chain", "event", history, { history, agreement }, checkLink)
  ledger.each("event-agreement", "event", history, { agreement }, checkAgreementReference)
  const state = ledger.check("history-moves", "history", { history }, checkMoves)
  ledger.check("history-signatures", "history", { history, agreement }, checkSignatures)
  return { history, state }
}

interface AcceptanceParts {
  readonly history: Proven<History>
  readonly agreement: Proven<Enclosed<Agreement>>
  readonly submission: Proven<Enclosed<Submission>>
  readonly review: Proven<Enclosed<Acceptance>>
}

/** One submission was accepted, whole: every criterion of the agreement and every file. */
const verifyAcceptance = (ledger: Ledger, parts: AcceptanceParts): Proven<Linked<ProjectEvent>> => {
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
  readonly accepting: Proven<Linked<ProjectEvent>>
}

/** What the record states is what the history shows. */
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
  readonly content: Proven<ResultPackage>
  readonly chains: Proven<ReadonlyArray<AuthorityChain>>
}

/** The manifest is the list of exactly these objects. */
const verifyManifest = (ledger: Ledger, { content, chains, ...objects }: ManifestParts) => {
  const held = derive(gathered({ ...objects, chains }), expectedManifest)
  const pairs = ledger.check("manifest-set", "manifest", { content, held }, ({ content, held }) =>
    checkManifestSet(content.manifest, held)
  )
  return ledger.each("manifest-entry", "manifest", pairs, {}, checkManifestEntry)
}
