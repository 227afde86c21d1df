/** Verifies an answer offline, as a stranger would: with the trust file alone, and no word to the service. */
import type { IssuerKeys } from "../../src/ports/signer.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { asJson, type Json, type JsonObject } from "../script/json.ts"

/** The verifier's report. `input` holds the artifact, and may hold a status, an authority policy, another moment. */
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

/** The bytes of a file: a text stands for itself, so that a signed record is what was answered. */
const fileOf = (value: Json): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value))
