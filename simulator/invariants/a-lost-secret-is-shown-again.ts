/** While its answer may have been lost, a credential is shown again to whoever asked for it (spec 4.1, 5.3). */
import { Connections, Credentials, Grants, type CredentialRow } from "../../src/access/store.ts"
import { Memberships } from "../../src/people/store.ts"
import { RequestKeys } from "../../src/replay/store.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { tokenHash } from "../../src/vocabulary/token.ts"
import { type Json, valueAt } from "../script/json.ts"
import { broken, invariant, type Moment, rowIn } from "./invariant.ts"
import { askerOf, bodyOf, requestIdOf } from "./support/asker.ts"
import { writesTo } from "./support/commits.ts"

/** Hashes of the tokens that were made and that no answer has brought to anybody. */
type Unseen = ReadonlyArray<string>

export const aLostSecretIsShownAgain = invariant<Unseen>({
  name: "a lost secret is shown again",
  kind: "always",
  says: "Who asks again for a credential that never arrived is given it, for as long as it can be recovered.",
  begins: [],
  sees: (unseen, moment) => {
    const { observed } = moment
    if (moment.request === undefined) return unseen
    if (observed.kind === "request") askerOf(moment)
    if (observed.kind === "commit") {
      const made = writesTo(observed, Credentials, "insert").map(({ key }) => String(key[0]))
      return made.length === 0 ? unseen : [...unseen, ...made].sort()
    }
    if (observed.kind !== "response" || observed.lost) return unseen
    const { status, body = null } = observed
    if (status < 300) return unseen.length === 0 ? unseen : withoutThoseIn(unseen, body)
    if (!refusals.has(valueAt(body, "error"))) return unseen
    const credential = askedFor(moment)
    return credential !== undefined && unseen.includes(credential.tokenHash) && canBeRecovered(credential, moment)
      ? broken(`the credential of ${credential.grantId} was shown to nobody, and is not shown to whoever asked for it`)
      : unseen
  }
})

/** With which nothing is shown any more. */
const refusals: ReadonlySet<unknown> = new Set(["SECRET_ALREADY_SHOWN", "CONNECTION_EXPIRED"])

const withoutThoseIn = (unseen: Unseen, body: Json): Unseen => {
  const shown = [valueAt(body, "token"), valueAt(body, "credential.token")]
  const hashes = shown.flatMap((token) => (typeof token === "string" ? [tokenHash(token)] : []))
  return unseen.filter((hash) => !hashes.includes(hash))
}

/** The credential that a device code collects, or that an earlier request under the same id has made. */
const askedFor = (moment: Moment): CredentialRow | undefined => {
  const { request, rows } = moment
  if (request === undefined) return undefined
  const deviceCode = valueAt(bodyOf(request) ?? null, "deviceCode")
  const requestId = requestIdOf(request)
  const grantId =
    typeof deviceCode === "string"
      ? rows.of(Connections).find(({ deviceCodeHash }) => deviceCodeHash === tokenHash(deviceCode))?.grantId
      : rowIn(rows, RequestKeys, [askerOf(moment)?.owner ?? "", requestId ?? ""])?.target
  const grant = rowIn(rows, Grants, [grantId ?? ""])
  return rows
    .of(Credentials)
    .find((row) => grant !== undefined && row.grantId === grant.grantId && row.generation === grant.generation)
}

const canBeRecovered = (
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
