/** What a Result Package proves, in order. Each line needs only lines above it. */
import { checkAcceptance, checkFiles, checkReview, checkSubmission, checkSubmissionChain } from "./acceptance.ts"
import type { AuthorityChain } from "./authority.ts"
import { checkAgreementReference, checkCriteria, checkLink, type History } from "./history.ts"
import { derive, type Ledger, type Proven } from "./ledger.ts"
import { checkManifestEntry, checkManifestSet, expectedManifest, type Entry } from "./manifest.ts"
import { checkMoves } from "./moves.ts"
import { enclose, type Enclosed, type Linked, openAs, openLinked, type Opened } from "./objects.ts"
import { checkParties } from "./parties.ts"
import {
  checkIssue,
  checkIssuer,
  checkRecordAcceptance,
  checkRecordAgreement,
  checkRecordHead,
  checkRecordParties
} from "./record.ts"
import { verifyAuthority } from "./recorded-authority.ts"
import {
  type Acceptance,
  type Agreement,
  projectEvent,
  type ProjectEvent,
  resultPackage,
  type ResultPackage,
  resultRecord,
  type ResultRecord,
  schemas,
  type Submission
} from "./shapes.ts"
import { checkSignatures } from "./signatures.ts"
import { openSigned, type Under } from "./signed.ts"

export interface VerifiedPackage {
  readonly package: Proven<Opened<ResultPackage>>
  readonly record: Proven<Opened<ResultRecord>>
  readonly history: Proven<History>
  readonly chains: Proven<ReadonlyArray<AuthorityChain>>
  readonly entries: Proven<ReadonlyArray<Entry>>
}

export const verifyPackage = (ledger: Ledger, jws: Proven<string>, under: Under): VerifiedPackage => {
  const signed = ledger.check("package-signature", "package", { jws, ...under }, ({ jws, trust, checkedAt }) =>
    openSigned(jws, { schema: schemas.package, purpose: "PACKAGE" }, trust, checkedAt)
  )
  const opened = ledger.check("package-form", "package", { signed }, ({ signed }) => openAs(resultPackage, signed))
  const content = derive(opened, (one) => one.content)
  const agreement = derive(opened, (one) => enclose(one, "agreement"))
  const submission = derive(opened, (one) => enclose(one, "submission"))
  const review = derive(opened, (one) => enclose(one, "review"))
  const history = verifyHistory(ledger, content, agreement, under)
  const accepting = verifyAcceptance(ledger, { history, agreement, submission, review })
  const record = verifyRecord(
    ledger,
    derive(content, (one) => one.record),
    under
  )
  verifyBindings(ledger, { record, history, agreement, submission, review, accepting })
  const chains = verifyAuthority(ledger, content, history, under)
  const entries = verifyManifest(ledger, { content, agreement, events: history, submission, review, record, chains })
  return { package: opened, record, history, chains, entries }
}

/** The record's own proof, inside a package or standing alone. */
export const verifyRecord = (ledger: Ledger, jws: Proven<string>, under: Under): Proven<Opened<ResultRecord>> => {
  const signed = ledger.check("record-signature", "record", { jws, ...under }, ({ jws, trust, checkedAt }) =>
    openSigned(jws, { schema: schemas.record, purpose: "RECORD" }, trust, checkedAt)
  )
  const record = ledger.check("record-form", "record", { signed }, ({ signed }) => openAs(resultRecord, signed))
  const { trust } = under
  ledger.check("record-issuer", "record", { record, trust }, ({ record, trust }) => checkIssuer(record.content, trust))
  return record
}

/** Every event is signed, has its form, and follows the one before it from the agreement on. */
const verifyHistory = (
  ledger: Ledger,
  content: Proven<ResultPackage>,
  agreement: Proven<Enclosed<Agreement>>,
  under: Under
): Proven<History> => {
  const events = derive(content, (one) => one.events)
  const signed = ledger.each("event-signature", "event", events, { ...under }, (event, { trust, checkedAt }) =>
    openSigned(event, { schema: schemas.event, purpose: "EVENT" }, trust, checkedAt)
  )
  const history = ledger.each("event-form", "event", signed, {}, (event) => openLinked(projectEvent, event))
  ledger.each("event-chain", "event", history, { history, agreement }, (event, { history, agreement }, index) =>
    checkLink(event, history[index - 1], index, agreement)
  )
  ledger.each("event-agreement", "event", history, { agreement }, (event, { agreement }) =>
    checkAgreementReference(event.content, agreement)
  )
  ledger.check("history-moves", "history", { history }, ({ history }) => checkMoves(history))
  ledger.check("history-signatures", "history", { history, agreement }, ({ history, agreement }) =>
    checkSignatures(history, agreement)
  )
  return history
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
  const criteria = ledger.check("agreement-criteria", "agreement", { agreement }, ({ agreement }) =>
    checkCriteria(agreement.content)
  )
  ledger.check("submission-chain", "history", { history }, ({ history }) => checkSubmissionChain(history))
  ledger.check("submission-event", "submission", { history, submission, review }, ({ history, submission, review }) =>
    checkSubmission(history, submission, review)
  )
  ledger.check("acceptance-criteria", "review", { criteria, submission, review }, ({ criteria, submission, review }) =>
    checkAcceptance(criteria, submission.content, review.content)
  )
  ledger.check("acceptance-files", "review", { submission, review }, ({ submission, review }) =>
    checkFiles(submission.content, review.content)
  )
  return ledger.check("review-event", "review", { history, review }, ({ history, review }) =>
    checkReview(history, review)
  )
}

interface BindingParts extends AcceptanceParts {
  readonly record: Proven<Opened<ResultRecord>>
  readonly accepting: Proven<Linked<ProjectEvent>>
}

/** What the record states is what the history shows. */
const verifyBindings = (ledger: Ledger, parts: BindingParts): void => {
  const { record, history, agreement, accepting } = parts
  const representative = ledger.check("history-parties", "history", { history, agreement }, ({ history, agreement }) =>
    checkParties(history, agreement.content)
  )
  ledger.check("record-agreement", "record", { record, agreement }, ({ record, agreement }) =>
    checkRecordAgreement(record.content, agreement)
  )
  ledger.check(
    "record-parties",
    "record",
    { record, agreement, representative },
    ({ record, agreement, representative }) => checkRecordParties(record.content, agreement.content, representative)
  )
  ledger.check("record-acceptance", "record", { ...parts }, ({ record, submission, review, accepting }) =>
    checkRecordAcceptance(record.content, submission, review, accepting)
  )
  ledger.check("record-head", "record", { record, history, accepting }, ({ record, history, accepting }) =>
    checkRecordHead(record.content, history, accepting)
  )
  ledger.check("record-issue", "record", { record, history }, ({ record, history }) => checkIssue(record, history))
}

interface ManifestParts extends AcceptanceParts {
  readonly content: Proven<ResultPackage>
  readonly events: Proven<History>
  readonly record: Proven<Opened<ResultRecord>>
  readonly chains: Proven<ReadonlyArray<AuthorityChain>>
}

/** The manifest is the list of exactly these objects. */
const verifyManifest = (ledger: Ledger, parts: Omit<ManifestParts, "history">): Proven<ReadonlyArray<Entry>> => {
  const pairs = ledger.check("manifest-set", "manifest", { ...parts }, ({ content, ...objects }) =>
    checkManifestSet(content.manifest, expectedManifest(objects))
  )
  return ledger.each("manifest-entry", "manifest", pairs, {}, checkManifestEntry)
}
