/** The current status: the issuer's statement, good for five minutes, about the record that was just verified. */
import { readDocument, statusIn } from "./document.ts"
import type { History } from "./history.ts"
import { allOf, andThen, derive, fail, type Finding, type Ledger, pass, type Proven, same, together } from "./ledger.ts"
import { knownStates, reliances } from "./moves.ts"
import { openAs, type Opened } from "./objects.ts"
import { agentStatus, type AgentStatus, type ResultRecord, schemas } from "./shapes.ts"
import { signedAs, type Under } from "./signed.ts"
import type { Trust } from "./trust.ts"
import { verifierLimits } from "./verifier-limits.ts"

/** Where the status came from: with the artifact, or in a file of its own that may know later events. */
export interface GivenStatus {
  readonly source: "artifact" | "file"
  readonly jws: Finding<string>
}

export interface StatusSubject {
  readonly record: Opened<ResultRecord>
  /** Not proven where a record stands alone. */
  readonly journal: Proven<{ readonly history: History; readonly state: string }>
}

export interface VerifiedStatus {
  readonly opened: Proven<Opened<AgentStatus>>
  /** True when every check of the status passed. */
  readonly isProven: boolean
}

/** Runs the checks of a status on a ledger of their own: no failure here touches the verdict on the history. */
export const verifyStatus = (
  ledger: Ledger,
  given: GivenStatus | undefined,
  subject: Proven<StatusSubject>,
  under: Under
): VerifiedStatus => {
  if (given === undefined) {
    ledger.leave("status-signature", "status", "STATUS_ABSENT")
    return { opened: { known: false, because: "status-signature" }, isProven: false }
  }
  const { opened, sound } = openStatus(ledger, given.jws, under)
  const bound = ledger.check("status-subject", "status", { opened, subject }, ({ opened, subject }) =>
    checkSubject(opened.content, subject.record)
  )
  const head = checkHead(ledger, given.source, opened, subject)
  const fresh = checkFresh(ledger, opened, under)
  return { opened, isProven: together<unknown>([sound, bound, head, fresh]).known }
}

/**
 * A status that is the artifact itself: what it is stands in the ledger of the verdict, and whether it still holds in
 * that of the current status. The record that it speaks of is not here.
 */
export const verifyStatusAlone = (
  verdict: Ledger,
  current: Ledger,
  jws: Finding<string>,
  under: Under
): VerifiedStatus => {
  const { opened, sound } = openStatus(verdict, jws, under)
  const digest = derive(opened, (one) => one.content.recordDigest)
  current.leave("status-subject", "status", "RECORD_NOT_ENCLOSED", digest.known ? digest.value : undefined)
  const fresh = checkFresh(current, opened, under)
  return { opened, isProven: together<unknown>([sound, fresh]).known }
}

/** Signed by the issuer for this environment, in its form, of a known state, for five minutes at most. */
const openStatus = (ledger: Ledger, jws: Finding<string>, under: Under) => {
  const { trust } = under
  const signed = ledger.check("status-signature", "status", { ...under }, (against) =>
    andThen(jws, (jws) => signedAs(schemas.status, "STATUS")(jws, against))
  )
  const opened = ledger.check("status-form", "status", { signed }, ({ signed }) => openAs(agentStatus, signed))
  const issued = ledger.check("status-issuer", "status", { opened, trust }, ({ opened, trust }) =>
    checkStatement(opened.content, trust)
  )
  const window = ledger.check("status-window", "status", { opened }, ({ opened }) => checkWindow(opened.content))
  return { opened, sound: together<unknown>([issued, window]) }
}

const checkFresh = (ledger: Ledger, opened: VerifiedStatus["opened"], { checkedAt }: Under): Proven<null> => {
  const fresh = ledger.check("status-fresh", "status", { opened, checkedAt }, ({ opened, checkedAt }) =>
    opened.content.expiresAt <= checkedAt
      ? fail("STATUS_STALE", "expiresAt", checkedAt, opened.content.expiresAt)
      : pass(null, opened.content.expiresAt)
  )
  if (opened.known) ledger.leave("status-nonce", "status", "STATUS_NONCE", opened.value.content.nonce)
  return fresh
}

/** A status in a file of its own: the JWS itself, or the answer `{status}` of the service. */
export const readStatusFile = (bytes: Uint8Array): Finding<string> => {
  const document = readDocument(bytes, verifierLimits.statusBytesMax)
  if (!document.ok) return document
  const status = document.value.form === "jws" ? document.value.jws : statusIn(document.value.json)
  return status === undefined ? fail("JWS_FORM") : pass(status)
}

const checkStatement = (status: AgentStatus, trust: Trust): Finding<null> =>
  allOf(null, [
    same("ENVIRONMENT_MISMATCH", "environment", trust.environment, status.environment),
    knownStates.has(status.state) ? pass(null) : fail("STATUS_VALUE", "state", "KNOWN_WORD", status.state),
    same("STATUS_VALUE", "reliance", reliances.get(status.state) ?? "NONE", status.reliance),
    // An issued record is relied on, or was; without one there is no digest of it.
    same("STATUS_VALUE", "recordDigest", status.recordId === null, status.recordDigest === null),
    status.recordId !== null && status.reliance === "NONE" ? fail("STATUS_VALUE", "recordId") : pass(null)
  ])

const checkSubject = (status: AgentStatus, record: Opened<ResultRecord>): Finding<null> =>
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
 * The status that came with a package names the package's own head. One in a file may be newer than the package, and
 * must be when a later concern is what the reader asks about; it is never older, and nothing comes after an end.
 */
const checkHead = (
  ledger: Ledger,
  source: GivenStatus["source"],
  opened: Proven<Opened<AgentStatus>>,
  subject: Proven<StatusSubject>
): Proven<null> => {
  const journal = subject.known ? subject.value.journal : subject
  if (opened.known && subject.known && source === "file" && isBeyond(opened.value.content, journal)) {
    ledger.leave("status-head", "status", "STATUS_HEAD_NOT_REPLAYED", opened.value.content.headEventHash)
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

/** The issuer may promise five minutes at most, and not before it signs. */
const checkWindow = (status: AgentStatus): Finding<null> => {
  const windowMs = Date.parse(status.expiresAt) - Date.parse(status.issuedAt)
  return windowMs > 0 && windowMs <= verifierLimits.statusWindowMs
    ? pass(null, windowMs)
    : fail("STATUS_TIME", "expiresAt", verifierLimits.statusWindowMs, windowMs)
}
