/** The current status: the issuer's statement, good for five minutes, about the record that was just verified. */
import { readBounded } from "./artifact.ts"
import type { History } from "./history.ts"
import { isObject } from "./forms.ts"
import { allOf, fail, Ledger, pass, same, together, type Finding, type Proven } from "./ledger.ts"
import { knownStates } from "./moves.ts"
import { openAs, type Opened } from "./objects.ts"
import { agentStatus, type AgentStatus, type ResultRecord, schemas } from "./shapes.ts"
import { openSigned } from "./signed.ts"
import type { Trust } from "./trust.ts"
import { verifierLimits } from "./verifier-limits.ts"

/** Where the status came from: with the artifact, or in a file of its own that may know later events. */
export interface GivenStatus {
  readonly source: "artifact" | "file"
  readonly jws: Finding<string>
}

export interface StatusSubject {
  readonly record: Opened<ResultRecord>
  /** Absent where a record stands alone. */
  readonly history?: History
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
  trust: Proven<Trust>,
  checkedAt: Proven<string>
): VerifiedStatus => {
  if (given === undefined) {
    ledger.leave("status-signature", "status", "STATUS_ABSENT")
    return { opened: { known: false, because: "status-signature" }, isProven: false }
  }
  const signed = ledger.check("status-signature", "status", { trust, checkedAt }, ({ trust, checkedAt }) =>
    given.jws.ok
      ? openSigned(given.jws.value, { schema: schemas.status, purpose: "STATUS" }, trust, checkedAt)
      : given.jws
  )
  const opened = ledger.check("status-form", "status", { signed }, ({ signed }) => openAs(agentStatus, signed))
  const bound = ledger.check("status-subject", "status", { opened, subject, trust }, ({ opened, subject, trust }) =>
    checkSubject(opened.content, subject.record, trust)
  )
  const head = checkHead(ledger, given.source, opened, subject)
  const window = ledger.check("status-window", "status", { opened }, ({ opened }) => checkWindow(opened.content))
  const fresh = ledger.check("status-fresh", "status", { opened, checkedAt }, ({ opened, checkedAt }) =>
    opened.content.expiresAt <= checkedAt
      ? fail("STATUS_STALE", { at: "expiresAt", expected: checkedAt, actual: opened.content.expiresAt })
      : pass(null, { actual: opened.content.expiresAt })
  )
  if (opened.known) ledger.leave("status-nonce", "status", "STATUS_NONCE", { actual: opened.value.content.nonce })
  return { opened, isProven: together<unknown>([bound, head, window, fresh]).known }
}

/** A status in a file of its own: the JWS itself, or the answer `{status}` of the service. */
export const readStatusFile = (bytes: Uint8Array): Finding<string> => {
  const document = readBounded(bytes, verifierLimits.statusBytesMax)
  if (!document.ok) return document
  if (document.value.form === "jws") return pass(document.value.jws)
  const { json } = document.value
  const status = isObject(json) && Object.keys(json).join() === "status" ? json["status"] : undefined
  return typeof status === "string" ? pass(status) : fail("JWS_FORM")
}

const checkSubject = (status: AgentStatus, record: Opened<ResultRecord>, trust: Trust): Finding<null> =>
  allOf(
    null,
    [
      same("ENVIRONMENT_MISMATCH", "environment", trust.environment, status.environment),
      same("STATUS_SUBJECT", "projectId", record.content.projectId, status.projectId),
      same("STATUS_SUBJECT", "agreementDigest", record.content.agreement.digest, status.agreementDigest),
      same("STATUS_SUBJECT", "recordId", record.content.recordId, status.recordId),
      same("STATUS_SUBJECT", "recordDigest", record.signed.digest, status.recordDigest),
      knownStates.has(status.state) ? pass(null) : fail("STATUS_VALUE", { at: "state", actual: status.state })
    ],
    { actual: status.recordDigest }
  )

/**
 * The status that came with a package names the package's own head. One in a file may be newer than the package, and
 * must be when a later concern is what the reader asks about; it is never older.
 */
const checkHead = (
  ledger: Ledger,
  source: GivenStatus["source"],
  opened: Proven<Opened<AgentStatus>>,
  subject: Proven<StatusSubject>
): Proven<null> => {
  if (opened.known && subject.known && source === "file") {
    const { headEventHash } = opened.value.content
    if (subject.value.history?.some((event) => event.hash === headEventHash) !== true) {
      ledger.leave("status-head", "status", "STATUS_HEAD_NOT_REPLAYED", { at: "headEventHash", actual: headEventHash })
      return { known: true, value: null }
    }
  }
  return ledger.check("status-head", "status", { opened, subject }, ({ opened, subject }) =>
    same("STATUS_ROLLBACK", "headEventHash", subject.history?.at(-1)?.hash ?? null, opened.content.headEventHash)
  )
}

/** The issuer may promise five minutes at most, and not before it signs. */
const checkWindow = (status: AgentStatus): Finding<null> => {
  const windowMs = Date.parse(status.expiresAt) - Date.parse(status.issuedAt)
  return windowMs > 0 && windowMs <= verifierLimits.statusWindowMs
    ? pass(null, { actual: windowMs })
    : fail("STATUS_TIME", { at: "expiresAt", expected: verifierLimits.statusWindowMs, actual: windowMs })
}
