/** While its response may have been lost, a credential is returned again to the caller that requested it (spec 4.1, 5.3). */
import { Connections, Credentials, Grants, type CredentialRow } from "../../../src/access/store.ts"
import { Memberships } from "../../../src/people/store.ts"
import { RequestKeys } from "../../../src/replay/store.ts"
import { addMilliseconds } from "../../../src/vocabulary/instant.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { tokenHash } from "../../../src/vocabulary/token.ts"
import { type Json, valueAt } from "../../vocabulary/json.ts"
import { violation, monitoredProperty, type Moment, rowIn } from "../property.ts"
import { callerOf, bodyOf, requestIdOf } from "../support/caller.ts"
import { writesTo } from "../support/commits.ts"

/** Hashes of issued tokens that no response has delivered so far. */
type Undelivered = ReadonlyArray<string>

export const lostCredentialIsRecoverable = monitoredProperty<Undelivered>({
  name: "lost credential is recoverable",
  kind: "always",
  says: "A retry returns a credential whose response was lost, for as long as the credential is recoverable.",
  judges: { kinds: ["request", "response"], commitsTo: [Credentials] },
  initial: [],
  next: (undelivered, moment) => {
    const { observed } = moment
    if (moment.request === undefined) return undelivered
    if (observed.kind === "request") callerOf(moment)
    if (observed.kind === "commit") {
      const issued = writesTo(observed, Credentials, "insert").map(({ key }) => String(key[0]))
      return issued.length === 0 ? undelivered : [...undelivered, ...issued].sort()
    }
    if (observed.kind !== "response" || observed.lost) return undelivered
    const { status, body = null } = observed
    if (status < 300) return undelivered.length === 0 ? undelivered : withoutDelivered(undelivered, body)
    if (!refusals.has(valueAt(body, "error"))) return undelivered
    const credential = requestedCredential(moment)
    return credential !== undefined && undelivered.includes(credential.tokenHash) && isRecoverable(credential, moment)
      ? violation(`the credential of ${credential.grantId} was never delivered, and a retry did not return it`)
      : undelivered
  }
})

/** The refusals that say that a credential is no longer returned. */
const refusals: ReadonlySet<unknown> = new Set(["SECRET_ALREADY_SHOWN", "CONNECTION_EXPIRED"])

const withoutDelivered = (undelivered: Undelivered, body: Json): Undelivered => {
  const tokens = [valueAt(body, "token"), valueAt(body, "credential.token")]
  const hashes = tokens.flatMap((token) => (typeof token === "string" ? [tokenHash(token)] : []))
  return undelivered.filter((hash) => !hashes.includes(hash))
}

/** The credential that the device code collects, or that an earlier request with the same id issued. */
const requestedCredential = (moment: Moment): CredentialRow | undefined => {
  const { request, rows } = moment
  if (request === undefined) return undefined
  const deviceCode = valueAt(bodyOf(request) ?? null, "deviceCode")
  const requestId = requestIdOf(request)
  const grantId =
    typeof deviceCode === "string"
      ? rows.of(Connections).find(({ deviceCodeHash }) => deviceCodeHash === tokenHash(deviceCode))?.grantId
      : rowIn(rows, RequestKeys, [callerOf(moment)?.owner ?? "", requestId ?? ""])?.target
  const grant = rowIn(rows, Grants, [grantId ?? ""])
  return rows
    .of(Credentials)
    .find((row) => grant !== undefined && row.grantId === grant.grantId && row.generation === grant.generation)
}

const isRecoverable = (
  { grantId, membershipId, firstUsedAt, createdAt }: CredentialRow,
  { observed, rows }: Moment
): boolean => {
  const grant = rowIn(rows, Grants, [grantId])
  return (
    firstUsedAt === null &&
    observed.at < addMilliseconds(createdAt, limits.secretRecovery) &&
    grant?.revokedAt === null &&
    observed.at < grant.expiresAt &&
    rowIn(rows, Memberships, [membershipId])?.endedAt === null &&
    rows.of(Connections).every((row) => row.grantId !== grantId || observed.at < row.expiresAt)
  )
}
