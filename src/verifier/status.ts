/** Checks of the current status: the issuer's statement about a record, valid for at most five minutes. */
import { readDocument, statusIn } from "./document.ts"
import type { History } from "./check-inputs.ts"
import {
  allOf,
  andThen,
  derive,
  fail,
  type Finding,
  type Ledger,
  pass,
  type CheckResult,
  same,
  combineList
} from "./ledger.ts"
import { knownStates, reliances } from "./moves.ts"
import { readContent, type VerifiedJws } from "./verified-objects.ts"
import { agentStatus, type AgentStatus, type ResultRecord, schemaNames } from "./schemas.ts"
import { verifyJwsAs, type TrustContext } from "./verified-jws.ts"
import type { Trust } from "./trust.ts"
import { verifierLimits } from "./verifier-limits.ts"

/** The source of the status: the artifact, or a separate file, which may be newer than the artifact. */
export interface StatusInput {
  readonly source: "artifact" | "file"
  readonly jws: Finding<string>
}

export interface StatusSubject {
  readonly record: VerifiedJws<ResultRecord>
  /** Not proven for a record without a package. */
  readonly journal: CheckResult<{ readonly history: History; readonly state: string }>
}

export interface VerifiedStatus {
  readonly opened: CheckResult<VerifiedJws<AgentStatus>>
  /** True when every check of the status passed. */
  readonly isProven: boolean
}

/** Runs the checks of a status on a ledger of their own: a failure here does not change the verdict on the history. */
export const verifyStatus = (
  ledger: Ledger,
  input: StatusInput | undefined,
  subject: CheckResult<StatusSubject>,
  context: TrustContext
): VerifiedStatus => {
  if (input === undefined) {
    ledger.leaveToReader("status-signature", "status", "STATUS_ABSENT")
    return { opened: { known: false, because: "status-signature" }, isProven: false }
  }
  const { opened, statement } = openStatus(ledger, input.jws, context)
  const subjectCheck = ledger.check("status-subject", "status", { opened, subject }, ({ opened, subject }) =>
    checkSubject(opened.content, subject.record)
  )
  const head = checkHead(ledger, input.source, opened, subject)
  const fresh = checkFresh(ledger, opened, context)
  return { opened, isProven: combineList<unknown>([statement, subjectCheck, head, fresh]).known }
}

/**
 * A status that is itself the artifact: its own checks go to the ledger of the verdict, and its freshness to that of the
 * current status. The record that it names is absent.
 */
export const verifyStatusAlone = (
  verdict: Ledger,
  current: Ledger,
  jws: Finding<string>,
  context: TrustContext
): VerifiedStatus => {
  const { opened, statement } = openStatus(verdict, jws, context)
  const digest = derive(opened, (one) => one.content.recordDigest)
  current.leaveToReader("status-subject", "status", "RECORD_NOT_ENCLOSED", digest.known ? digest.value : undefined)
  const fresh = checkFresh(current, opened, context)
  return { opened, isProven: combineList<unknown>([statement, fresh]).known }
}

/** Signed by the issuer for this environment, matches its schema, names a known state, valid for at most five minutes. */
const openStatus = (ledger: Ledger, jws: Finding<string>, context: TrustContext) => {
  const { trust } = context
  const signed = ledger.check("status-signature", "status", { ...context }, (values) =>
    andThen(jws, (jws) => verifyJwsAs(schemaNames.status, "STATUS")(jws, values))
  )
  const opened = ledger.check("status-form", "status", { signed }, ({ signed }) => readContent(agentStatus, signed))
  const issued = ledger.check("status-issuer", "status", { opened, trust }, ({ opened, trust }) =>
    checkStatement(opened.content, trust)
  )
  const window = ledger.check("status-window", "status", { opened }, ({ opened }) => checkWindow(opened.content))
  return { opened, statement: combineList<unknown>([issued, window]) }
}

const checkFresh = (
  ledger: Ledger,
  opened: VerifiedStatus["opened"],
  { checkedAt }: TrustContext
): CheckResult<null> => {
  const fresh = ledger.check("status-fresh", "status", { opened, checkedAt }, ({ opened, checkedAt }) =>
    checkExpiry(opened.content, checkedAt)
  )
  if (opened.known) ledger.leaveToReader("status-nonce", "status", "STATUS_NONCE", opened.value.content.nonce)
  return fresh
}

/** Parses a status file: the JWS itself, or the service's response `{status}`. */
export const readStatusFile = (bytes: Uint8Array): Finding<string> => {
  const document = readDocument(bytes, verifierLimits.statusBytesMax)
  if (!document.ok) return document
  if (document.value.form === "json" && Array.isArray(document.value.json)) return fail("STATUS_KIND", "", "OBJECT")
  const status = document.value.form === "jws" ? document.value.jws : statusIn(document.value.json)
  return status === undefined ? fail("JWS_FORM") : pass(status)
}

const checkStatement = (status: AgentStatus, trust: Trust): Finding<null> =>
  allOf(null, [
    same("ENVIRONMENT_MISMATCH", "environment", trust.environment, status.environment),
    knownStates.has(status.state) ? pass(null) : fail("STATUS_VALUE", "state", "KNOWN_WORD", status.state),
    same("STATUS_VALUE", "reliance", reliances.get(status.state) ?? "NONE", status.reliance),
    // A status has the digest of a record exactly if it has its id, and then a reliance.
    same("STATUS_VALUE", "recordDigest", status.recordId === null, status.recordDigest === null),
    status.recordId !== null && status.reliance === "NONE" ? fail("STATUS_VALUE", "recordId") : pass(null)
  ])

const checkSubject = (status: AgentStatus, record: VerifiedJws<ResultRecord>): Finding<null> =>
  allOf(
    null,
    [
      same("STATUS_SUBJECT", "projectId", record.content.projectId, status.projectId),
      same("STATUS_SUBJECT", "agreementDigest", record.content.agreement.digest, status.agreementDigest),
      same("STATUS_SUBJECT", "recordId", record.content.recordId, status.recordId),
      same("STATUS_SUBJECT", "recordDigest", record.signed.digest, status.recordDigest)
    ],
    status.recordDigest
  )

/**
 * An enclosed status names the head of its package. A status file may be newer than the package, but never older, and
 * there are no events after a final state.
 */
const checkHead = (
  ledger: Ledger,
  source: StatusInput["source"],
  opened: CheckResult<VerifiedJws<AgentStatus>>,
  subject: CheckResult<StatusSubject>
): CheckResult<null> => {
  const journal = subject.known ? subject.value.journal : subject
  if (opened.known && subject.known && source === "file" && isBeyond(opened.value.content, journal)) {
    ledger.leaveToReader("status-head", "status", "STATUS_HEAD_NOT_REPLAYED", opened.value.content.headEventHash)
    return { known: true, value: null }
  }
  return ledger.check("status-head", "status", { opened, journal }, ({ opened: { content }, journal }) => {
    const last = journal.history.at(-1)
    return allOf(null, [
      same("STATUS_ROLLBACK", "headEventHash", last?.hash, content.headEventHash),
      same("STATUS_ROLLBACK", "issuedAt", false, content.issuedAt < (last?.content.occurredAt ?? "")),
      same("STATUS_VALUE", "state", journal.state, content.state)
    ])
  })
}

const isBeyond = ({ headEventHash, issuedAt }: AgentStatus, journal: StatusSubject["journal"]): boolean =>
  !journal.known ||
  (reliances.get(journal.value.state) !== "STOPPED" &&
    journal.value.history.every(({ hash, content }) => hash !== headEventHash && content.occurredAt <= issuedAt))

type Validity = Pick<AgentStatus, "issuedAt" | "expiresAt">

export const checkExpiry = ({ expiresAt }: Validity, checkedAt: string): Finding<null> =>
  expiresAt <= checkedAt ? fail("STATUS_STALE", "expiresAt", checkedAt, expiresAt) : pass(null, expiresAt)

/** The validity starts at the signature and lasts at most five minutes. */
export const checkWindow = ({ issuedAt, expiresAt }: Validity): Finding<null> => {
  const windowMs = Date.parse(expiresAt) - Date.parse(issuedAt)
  return windowMs > 0 && windowMs <= verifierLimits.statusWindowMs
    ? pass(null, windowMs)
    : fail("STATUS_TIME", "expiresAt", verifierLimits.statusWindowMs, windowMs)
}
