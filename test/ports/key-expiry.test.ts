/** When the keys of a purpose end, and the warnings about it. */
import { assert, describe, it } from "@effect/vitest"
import { certificateWarnings, keyWarnings, purposeEnds } from "../../src/ports/key-expiry.ts"
import type { IssuerKeys, KeyPurpose } from "../../src/ports/signer.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"

const at = (day: string) => `${day}T00:00:00.000Z` as Instant
const today = at("2026-11-28")

const key = (
  kid: string,
  from: string,
  until: string,
  purposes: ReadonlyArray<KeyPurpose> = ["EVENT"],
  revokedAt: Instant | null = null
): IssuerKeys["keys"][number] => ({
  kid,
  jwk: { kty: "OKP", crv: "Ed25519", x: "" },
  validFrom: at(from),
  validUntil: at(until),
  revokedAt,
  purposes
})

const issuer = (...keys: ReadonlyArray<IssuerKeys["keys"][number]>): IssuerKeys => ({
  schema: "service.issuer-keys/v1",
  issuer: "example",
  environment: "test",
  keys
})

const endsOf = (...keys: ReadonlyArray<IssuerKeys["keys"][number]>) =>
  purposeEnds(issuer(...keys), today).map(({ purpose, kid, endsAt }) => [purpose, kid, endsAt.slice(0, 10)])

describe("the end of a purpose", () => {
  it("A later key that follows without a gap extends its purpose.", () => {
    const [old, next] = [key("old", "2025-01-01", "2026-12-10"), key("next", "2026-12-01", "2027-12-01")]
    assert.deepStrictEqual(endsOf(old, next), [["EVENT", "next", "2027-12-01"]])
    assert.deepStrictEqual(endsOf(old, key("next", "2026-12-10", "2027-12-01")), [["EVENT", "next", "2027-12-01"]])
  })

  it("A later key after a gap does not extend its purpose.", () => {
    const late = key("late", "2026-12-11", "2027-12-01")
    assert.deepStrictEqual(endsOf(key("old", "2025-01-01", "2026-12-10"), late), [["EVENT", "old", "2026-12-10"]])
  })

  it("A revocation ends a key, and an ended key is named where none is left.", () => {
    assert.deepStrictEqual(endsOf(key("old", "2025-01-01", "2027-12-10", ["EVENT"], at("2026-12-05"))), [
      ["EVENT", "old", "2026-12-05"]
    ])
    assert.deepStrictEqual(endsOf(key("a", "2020-01-01", "2021-01-01"), key("b", "2020-01-01", "2022-01-01")), [
      ["EVENT", "b", "2022-01-01"]
    ])
  })

  it("A purpose without a key, or with future keys alone, has no end.", () => {
    assert.deepStrictEqual(endsOf(key("future", "2027-01-01", "2028-01-01")), [])
  })
})

describe("the warnings", () => {
  it("A key that ends within 30 days is one sentence with its purposes; one that ends later is none.", () => {
    const soon = key("soon", "2025-01-01", "2026-12-27", ["EVENT", "AUTHORITY"])
    const later = key("later", "2025-01-01", "2026-12-28", ["RECORD"])
    assert.deepStrictEqual(keyWarnings(issuer(soon, later), today), [
      "the issuer key soon ends at 2026-12-27T00:00:00.000Z, and no later key follows for EVENT, AUTHORITY: add one to the issuer keys and reload them"
    ])
  })

  it("A key that has ended, without another one, is a warning too.", () => {
    const [warning] = keyWarnings(issuer(key("old", "2020-01-01", "2021-01-01", ["CLOSURE"])), today)
    assert.match(
      warning ?? "",
      /^the issuer key old ended at 2021-01-01T00:00:00.000Z, and no later key follows for CLOSURE/
    )
  })

  it("A certificate that ends within 30 days is a warning; without TLS there is none.", () => {
    assert.deepStrictEqual(certificateWarnings(undefined, today), [])
    assert.deepStrictEqual(certificateWarnings(at("2026-12-28"), today), [])
    assert.deepStrictEqual(certificateWarnings(at("2026-12-27"), today), [
      "the certificate of TLS_CERT_FILE ends at 2026-12-27T00:00:00.000Z: replace it and reload the keys"
    ])
  })
})
