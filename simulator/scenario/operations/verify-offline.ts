/** Verifies an answer offline, as a third party does: with the trust file alone, without calling the service. */
import type { IssuerKeys } from "../../../src/ports/signer.ts"
import { verifyResultFiles } from "../../../src/verifier/verify.ts"
import type { Instant } from "../../../src/vocabulary/instant.ts"
import { asJson, type Json, type JsonObject } from "../../vocabulary/json.ts"

/** The verifier's report. `input` has the artifact, and optionally a status, an authority policy and an instant. */
export const verifyOffline = (input: JsonObject, keys: IssuerKeys, now: Instant): JsonObject => {
  const { artifact = null, status, authority, checkedAt } = input
  const report = verifyResultFiles({
    artifact: fileOf(artifact),
    trust: fileOf(asJson(keys)),
    ...(status === undefined ? {} : { status: fileOf(status) }),
    ...(authority === undefined ? {} : { authority: fileOf(authority) }),
    checkedAt: typeof checkedAt === "string" ? checkedAt : now
  })
  return asJson(report)
}

/** The bytes of a file: a string is written unchanged, so that a signed record keeps its exact bytes. */
const fileOf = (value: Json): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value))
